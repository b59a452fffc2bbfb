"""The behavior of a compiled stack: the tables in which the engine looks up what to call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from ttr_rules._internal.frozen import FrozenMap
from ttr_rules.errors import HookTypeError, InvalidInputError
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.answers import PASS, Answers
from ttr_rules.kernel.data import GameData
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.extensions import (
    AfterClaim,
    ClaimCondition,
    CostChange,
    Ending,
    FollowUp,
    Guard,
    PartSpec,
    TurnHook,
)
from ttr_rules.kernel.fingerprint import fingerprint_of
from ttr_rules.kernel.hints import BotHint
from ttr_rules.kernel.map_marks import MapMarks
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.plugin import Option, PluginInfo, settings_of
from ttr_rules.kernel.provenance import Provenance
from ttr_rules.kernel.scores import Bonus, ScoringTerm, TicketLink, TieBreak
from ttr_rules.kernel.sheet_words import SheetWords
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.language import Catalog, Language, language
from ttr_rules.model.board import Board
from ttr_rules.model.cards import Color
from ttr_rules.model.decisions import Action, Decision, TicketChoice, Turn
from ttr_rules.model.tickets import Rule, RuleFile, Unkept
from ttr_rules.text import brief

Upcaster = Callable[[dict[str, Any], int], object]


@frozen(eq=False, repr=False, kw_only=True)
class RuleTables(GameData):
    """The data of a stack together with its economy, action rules, scoring and types. `tables_of` finds it from a state."""

    tie_break: tuple[TieBreak, ...]
    bonuses: tuple[Bonus, ...]
    scoring_terms: tuple[ScoringTerm, ...]
    ticket_links: tuple[TicketLink, ...]
    endings: tuple[Ending, ...]
    after_claims: tuple[AfterClaim, ...] = ()
    claim_conditions: tuple[ClaimCondition, ...] = ()
    cost_changes: tuple[CostChange, ...] = ()
    #: What plugins make of the points of claims and of tickets.
    claim_points: tuple[Callable[..., Any], ...] = ()
    ticket_points: tuple[Callable[..., Any], ...] = ()
    guards: tuple[Guard, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    turn_begins: tuple[TurnHook, ...] = ()
    turn_ends: tuple[TurnHook, ...] = ()
    game_begins: tuple[TurnHook, ...] = ()
    #: What plugins deal before the first tickets.
    deals: tuple[Callable[[Transaction], None], ...] = ()
    part_specs: tuple[PartSpec, ...]
    #: The plugins that added the parts of `part_specs`, by the type of the part.
    part_owners: Mapping[type[Part], str] = field(factory=dict[type[Part], str])
    action_rules: tuple[ActionRule[Any, Any], ...]
    types: Mapping[str, type[Any]]
    provenance: tuple[Provenance, ...]
    save_versions: Mapping[str, int]
    rule_files: tuple[RuleFile, ...] = ()
    catalogs: tuple[Catalog, ...] = ()
    bot_hints: tuple[BotHint, ...] = ()
    map_marks: tuple[MapMarks, ...] = ()
    #: What plugins tell people about this stack; see the hook `notes`.
    notes: tuple[str, ...] = ()
    #: What these rules were compiled from: the plugins as they were given, and the caller's own board.
    recipe: tuple[object, ...]
    own_board: Board | None = None
    aliases: Mapping[str, str] = field(factory=dict[str, str])
    #: The functions of the plugins of the stack that bring older saved games up to date: see
    #: `ttr_rules.saves.migrations`.
    upcasters: Mapping[str, Upcaster] = field(factory=dict[str, Upcaster])

    # Derived once, for the engine. Looked up at every step, so these are plain dictionaries of what to call, and
    # None for no-ops.
    answers: Mapping[type[Decision], Mapping[type[Action], ActionRule[Any, Any]]] = field(init=False)
    guards_on: Mapping[type[Action], tuple[Guard, ...]] = field(init=False)
    follow_ups_on: Mapping[type[Action], tuple[FollowUp, ...]] = field(init=False)
    fingerprint: str = field(init=False)
    #: The names used on score sheets.
    sheet_words: SheetWords = field(init=False)

    def __attrs_post_init__(self) -> None:
        GameData.__attrs_post_init__(self)
        derive = object.__setattr__
        answers: dict[type[Decision], dict[type[Action], ActionRule[Any, Any]]] = {}
        for rule in self.action_rules:
            answers.setdefault(rule.on, {})[rule.action] = rule
        derive(self, "answers", answers)
        guards = _by_action(self.guards, self.action_rules)
        derive(self, "guards_on", guards)
        derive(self, "follow_ups_on", _by_action(self.follow_ups, self.action_rules))
        economy = type(self.economy)
        course = self.course
        course.shuffles_returned = any(
            getattr(each, "shuffle_returned_tickets", False) for each in self.plugins.values()
        )
        course.economy, course.endings = self.economy, self.endings
        course.opening = None if economy.open_turn is Economy.open_turn else self.economy.open_turn
        course.closing = None if economy.close_turn is Economy.close_turn else self.economy.close_turn
        course.turn_begins, course.turn_ends = self.turn_begins, self.turn_ends
        course.opens = course.opening is not None or bool(self.turn_begins)
        under = self.draw_counts.unkept is Unkept.UNDER_PILE
        course.tickets_return = under and not self.draw_counts.more_piles and not course.shuffles_returned
        course.barring = [(condition.closed, condition) for condition in self.claim_conditions]
        course.after_claims = self.after_claims
        course.deck = [(name, tuple([ticket.id for ticket in tickets])) for name, tickets in self.deck.piles.items()]
        set_ups = [spec.set_up for spec in self.part_specs if spec.set_up is not None]
        course.part_set_ups = (*set_ups, *self.deals)
        course.game_begins = self.game_begins
        course.claim_conditions, course.cost_changes = self.claim_conditions, self.cost_changes
        course.claim_points = self.claim_points
        course.parts = {type(part): number for number, part in enumerate(self.new_parts(self.components.min_players))}
        size = PASS + 1
        unnumbered: list[tuple[Answers, int]] = []
        for kind, rules in answers.items():
            these = course.answers[kind] = Answers(kind, rules.values(), guards, self.follow_ups_on)
            course.numbers_of[kind] = len(course.answer_list)
            course.kinds.append(kind)
            course.answer_list.append(these)
        course.scratch = [0] * max([len(these.rules) for these in course.answer_list], default=0)
        for these in course.answer_list:
            for which, rule in enumerate(these.rules):
                rule.bind(self)
                codes: object = rule.number_of_codes(self)
                if codes is not None and type(codes) is not int:
                    name = type(rule).__qualname__
                    raise HookTypeError(f"{name}.number_of_codes gives {brief(codes)}: it must be an int or None")
                these.firsts.append(size)
                these.steps.append(1)
                if codes is None:
                    unnumbered.append((these, which))
                else:
                    size += codes
        for place, (these, which) in enumerate(unnumbered):
            these.firsts[which] = size + place
            these.steps[which] = len(unnumbered)
        course.numbers, course.unnumbered = size, len(unnumbered)
        course.turn_asked = course.numbers_of.get(Turn, -1)
        course.choice_asked = course.numbers_of.get(TicketChoice, -1)
        derive(self, "fingerprint", fingerprint_of(self._compared()))
        derive(self, "sheet_words", self._sheet_words())

    def _sheet_words(self) -> SheetWords:
        board = self.board
        tickets = {ticket.id: (*ticket.cities, "") for ticket in self.tickets.values()}
        routes = {
            route.id: (*route.cities, route.color if route.double_group and route.color is not Color.GRAY else "")
            for route in board.routes.values()
        }
        return SheetWords(
            names=board.names.printed,
            links={**tickets, **routes},
            labels={
                **{term.name: term.label for term in self.scoring_terms if term.label},
                **{bonus.name: bonus.label for bonus in self.bonuses if bonus.label},
            },
            path_bonuses=tuple(bonus.name for bonus in self.bonuses if bonus.shows_path),
            shows_path=any(tie.shows_path for tie in self.tie_break),
            loans_of=tuple(link.name for link in self.ticket_links),
            catalogs=self.catalogs,
        )

    def _changed_options(self) -> dict[str, dict[str, object]]:
        """The options that differ from their defaults, so that new options keep older fingerprints."""
        made: dict[str, Iterable[Option]] = {}
        for plugin in self.plugins.values():
            info: object = getattr(plugin, "info", None)
            if isinstance(info, PluginInfo):
                made[info.name] = settings_of(plugin).values()
        return {
            name: {each.name: each.value for each in made.get(name, ()) if each.value != each.default}
            for name in self.options
        }

    def _compared(self) -> dict[str, object]:
        """What is compared to tell whether rules are the same. A plugin that contributes nothing does not count."""
        board = self.board
        deciding = self.contributing
        return {
            "stack": [name for name in self.stack if name in deciding],
            "options": {name: changed for name, changed in self._changed_options().items() if name in deciding},
            "board": [board.id, board.cities, board.routes, board.points, board.tickets, board.extra],
            "components": self.components,
            "route_cars": self.route_cars,
            "route_points": self.route_points,
            "deck": self.deck.piles,
            "setup": [[type(stage.keep).__qualname__, stage] for stage in self.setup],
            "draw_counts": self.draw_counts,
            "economy": [type(self.economy).__qualname__, self.economy.data()],
            "bonuses": [[bonus.name, bonus.points] for bonus in self.bonuses],
            "tie_break": [tie.name for tie in self.tie_break],
            "terms": sorted(term.name for term in self.scoring_terms),
            "links": sorted(link.name for link in self.ticket_links),
            "endings": sorted(ending.name for ending in self.endings),
            "conditions": _names(self.claim_conditions, self.cost_changes, self.guards),
            "course": _names(self.follow_ups, self.turn_begins, self.turn_ends, self.game_begins),
        }

    @property
    def contributing(self) -> frozenset[str]:
        """The plugins of the stack that decide or add something; translations and pictures are neither."""
        deciding = [each for each in self.provenance if each.hook != "map_marks"]
        return frozenset(name for each in deciding for name in (*each.by, *each.adjusted))

    def language(self, code: str) -> Language:
        """A language to show games of this stack in, such as "de"; texts without a translation are shown in English.

        >>> from ttr_rules import compile_rules
        >>> compile_rules("europe").language("de").gettext("Draw tickets")
        'Zielkarten ziehen'
        """
        return language(code, self.catalogs)

    @property
    def rulebook(self) -> Mapping[str, Rule]:
        """The rules of this stack by their ids, in our own words.

        >>> from ttr_rules import compile_rules
        >>> print(compile_rules("north-america").rulebook["C5"])
        [C5] Never both halves
        """
        return FrozenMap({rule.id: rule for file in self.rule_files for rule in file.read()})

    def answered_by(self, hook: str) -> str:
        """The plugins that answered a hook, for messages."""
        found = [each for each in self.provenance if each.hook == hook]
        names = [repr(name) for each in found for name in (*each.by, *each.adjusted)]
        return f"plugin {' or '.join(names)}" if names else "this stack"

    def new_parts(self, players: int) -> Iterable[Part]:
        """The parts of a new state."""
        own = self.economy.part(self, players)
        if own is not None:
            yield own
        for spec in self.part_specs:
            yield spec.start(self, players)

    @property
    def part_names(self) -> Mapping[type[Part], str]:
        """The names of the parts of a state in views: class names, prefixed with the plugin if already taken."""
        return self.derived(_part_names)

    def same_as(self, other: GameData) -> bool:
        """Whether other rules have the same fingerprint: all data equal, the same types and terms."""
        return self is other or (isinstance(other, RuleTables) and self.fingerprint == other.fingerprint)


def _part_names(rules: RuleTables) -> dict[type[Part], str]:
    found: dict[type[Part], str] = {}
    for part in rules.new_parts(rules.components.min_players):
        kind = type(part)
        taken = kind.__name__ in found.values()
        found[kind] = f"{rules.part_owners.get(kind, '')}.{kind.__name__}" if taken else kind.__name__
    return found


def _names(*collections: Sequence[Any]) -> list[str]:
    return sorted(each.name for collection in collections for each in collection)


def _by_action(things: Iterable[Any], rules: Iterable[ActionRule[Any, Any]]) -> dict[type[Action], tuple[Any, ...]]:
    """Guards or follow-ups by the type of action that they apply to, directly or because it replaces another."""
    found: dict[type[Action], tuple[Any, ...]] = {}
    for each in things:
        found[each.action] = (*found.get(each.action, ()), each)
    for kind in dict.fromkeys(rule.action for rule in rules):
        if kind.instead_of in found:
            found[kind] = tuple(dict.fromkeys((*found.get(kind, ()), *found[kind.instead_of])))
    return found


def tables_of(state: State) -> RuleTables:
    """The behavior for a state: the economy, action rules and scoring of its stack.

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> tables_of(state).economy, [bonus.name for bonus in tables_of(state).bonuses]
    (<TrainCards>, ['longest_path'])
    """
    rules = state.rules
    if not isinstance(rules, RuleTables):
        raise InvalidInputError(f"this state was made by {rules!r}, which are not compiled rules")
    return rules
