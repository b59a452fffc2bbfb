"""`Rules`: everything a game needs to know that does not change while it is played."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from sys import maxsize
from typing import TypeVar, cast

from ttr_rules._internal.native import i64, mypyc_attr, overrides
from ttr_rules.errors import HookTypeError, InvalidInputError, PluginError, Refusal
from ttr_rules.graph.lending import Goal, goals_of
from ttr_rules.kernel.action_rule import AnyRule
from ttr_rules.kernel.answers import PASS, Answers, RuleEntry, advance, check_legal, require_action
from ttr_rules.kernel.economy import Economy, EconomyLayer, economy_layers
from ttr_rules.kernel.events import Event, Played
from ttr_rules.kernel.extensions import Around, ClaimCondition, CostChange, card_refusal
from ttr_rules.kernel.fields import part_fields
from ttr_rules.kernel.hints import BotHint, MapMarks
from ttr_rules.kernel.part import Part, kind_of_route
from ttr_rules.kernel.plugin import Option, PluginInfo, Provenance, blamed, options_of, settings_of
from ttr_rules.kernel.scores import Bonus, Loan, ScoringTerm, SheetWords, TieBreak
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.language import Catalog, Language, language
from ttr_rules.model.board import Board, Route, Ticket
from ttr_rules.model.cards import Color
from ttr_rules.model.decisions import Action, CardDraw, Decision, Pass, Question, TicketChoice, Turn
from ttr_rules.model.network import Network
from ttr_rules.model.tickets import MOST_ROUNDS, Components, DrawCounts, Rule, RuleFile, Setup, TicketDeck, Unkept
from ttr_rules.reading import is_list, is_table, to_jsonable
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import brief

T = TypeVar("T")
#: Hooks whose answers are compared directly, or change no game. For other hooks, the names of the answering plugins are compared.
_NOT_COMPARED_BY_NAME = (
    "board", "components", "route_cars", "route_points", "ticket_deck", "setup", "draw_counts", "economy", "bonuses",
    "tie_breaks", "hints", "map_marks", "notes", "route_values", "claim_key", "closed_routes",
)  # fmt: skip
#: Plugins' answers to a hook, or their methods, each with the name of the plugin.
Methods = tuple[tuple[str, T], ...]


@mypyc_attr(allow_interpreted_subclasses=True)
class Rules:
    """The rules of a stack, made by `compile_rules`. They hold no game state and can be shared.

    Every state has them as `state.rules`. While a stack is compiled, the hooks for actions, parts and scoring see only
    the arguments of the constructor. Two `Rules` are equal if they come from equal plugins with the same options and have
    the same fingerprint. A process keeps only one of several equal objects.

    `stack` names the plugins, and `options` holds their options. The values of hooks are attributes, such as `board`,
    `components`, `draw_counts` and `economy`. `tickets` has the tickets by id, `network` the board as numbers.

    >>> from ttr_rules import compile_rules
    >>> rules = compile_rules("europe", "dice")
    >>> rules, rules.components.cars, rules.tickets["brest-petrograd"].points
    (<Rules europe + dice>, 45, 20)
    >>> rules.network.route_number["paris-zurich-gray"], rules.economy
    (84, <DiceEconomy>)
    >>> compile_rules("europe:station_choice=ask") is compile_rules("europe", rulings={"station_choice": "ask"})
    True
    """

    doubles_from: i64
    last_round_at: i64
    last_turns: i64
    rounds: i64
    turn_asked: i64
    choice_asked: i64

    def __init__(
        self,
        *,
        stack: tuple[str, ...],
        requested: tuple[str, ...],
        options: Mapping[str, Mapping[str, object]],
        plugins: Mapping[type, object],
        board: Board,
        components: Components,
        route_cars: Mapping[str, int],
        route_points: Mapping[str, int],
        deck: TicketDeck,
        setup: Setup,
        draw_counts: DrawCounts,
        economy: Economy,
        more_tickets: tuple[Ticket, ...] = (),
    ) -> None:
        self.stack = stack
        self.requested = requested
        self.options = options
        self.plugins = plugins
        self.board = board
        self.components = components
        self.route_cars = route_cars
        self.route_points = route_points
        self.deck = deck
        self.setup = setup
        self.draw_counts = draw_counts
        self.economy = economy
        self.more_tickets = more_tickets
        self.network = Network(board, route_cars, route_points)
        known = {ticket.id: ticket for ticket in (*deck.tickets, *more_tickets)}
        places = {place: board.place(place) for ticket in known.values() for place in ticket.places}
        self.tickets: Mapping[str, Ticket] = FrozenMap(known)
        self.ticket_goals: Mapping[str, Goal] = FrozenMap(
            {name: goals_of(ticket, self.network, places) for name, ticket in known.items()}
        )
        self.turns: tuple[Turn, ...] = tuple([Turn(seat) for seat in range(components.max_players)])
        self._derived: dict[object, object] = {}

        # Added by hooks: see `plugins.compiler`.
        self.aliases: Mapping[str, str] = {}
        #: The input of the compiler: the plugins as given, and the caller's own board.
        self.recipe: tuple[object, ...] = ()
        self.own_board: Board | None = None
        self.provenance: tuple[Provenance, ...] = ()
        self.bonuses: tuple[Bonus, ...] = ()
        self.tie_break: tuple[TieBreak, ...] = ()
        self.scoring_terms: tuple[ScoringTerm, ...] = ()
        #: The plugin of each bonus and scoring term, by its name.
        self.score_owners: Mapping[str, str] = {}
        self.claim_conditions: tuple[ClaimCondition, ...] = ()
        self.cost_changes: tuple[CostChange, ...] = ()
        #: Methods of plugins by the name of their hook, each with the name of its plugin.
        self.on_deal: Methods[Callable[[Transaction], Question | None]] = ()
        self.on_game_start: Methods[Callable[[Transaction], Question | None]] = ()
        self.on_round_start: Methods[Callable[[Transaction, int], Question | None]] = ()
        self.on_turn_start: Methods[Callable[[Transaction, int], Question | None]] = ()
        self.on_claim: Methods[Callable[[Transaction, int, Route, int], Question | None]] = ()
        self.on_route_freed: Methods[Callable[[Transaction, int, Route], None]] = ()
        self.on_turn_end: Methods[Callable[[Transaction, int], Question | None]] = ()
        self.on_pile_rebuilt: Methods[Callable[[Transaction, str], None]] = ()
        self.on_row_changed: Methods[Callable[[Transaction, int | None, Sequence[int]], None]] = ()
        self.on_last_round: Methods[Callable[[Transaction], None]] = ()
        self.on_game_end: Methods[Callable[[Transaction], Question | None]] = ()
        #: The loans of plugins, each with the scoring term at which sheets show them.
        self.loans: Methods[Callable[[State, int], Iterable[Loan]]] = ()
        self.ticket_routes: Methods[Callable[[State, int], Iterable[str]]] = ()
        self.never_hidden: Methods[Callable[[State, int], Iterable[str]]] = ()
        #: Plugins' changes to the train cars and points of claims, to the points of tickets, and to lengths in the longest path.
        self.claim_cars: Methods[Callable[[State, int, Route, int], int]] = ()
        self.claim_points: Methods[Callable[[State, int, Route, Mapping[int, int]], Mapping[int, int]]] = ()
        self.menu_points: Methods[Callable[[State, int, Route, int], int]] = ()
        self.ticket_points: Methods[Callable[[State, int, Ticket, int], int]] = ()
        self.path_length: Methods[Callable[[State, int, Route, int], int | None]] = ()
        self.may_pass: Methods[Callable[[State, int], bool]] = ()
        self.goes_on: Methods[Callable[[State], bool]] = ()
        self.acts_again: Methods[Callable[[State, int], bool | Decision]] = ()
        self.next_seat: Methods[Callable[[State, int, int], int]] = ()
        self.card_refusal: Methods[Callable[[State, int], Refusal | None]] = ()
        self.cards_drawn: Methods[Callable[[State, int, int], int]] = ()
        self.may_stop_drawing: Methods[Callable[[State, int], bool]] = ()
        self.tickets_drawn: Methods[Callable[[State, int, int], int]] = ()
        self.tickets_kept: Methods[Callable[[State, int, int], int]] = ()
        self.tickets_put_back: Methods[Callable[[Transaction, int, tuple[str, ...]], Sequence[str]]] = ()
        self.around: Methods[Around] = ()
        #: The contents of `around` by type of action.
        self.around_actions: Mapping[type[Action], Methods[Around]] = {}
        #: The types of the parts that plugins keep, and the plugin of each.
        self.part_types: tuple[type[Part], ...] = ()
        self.part_owners: Mapping[type[Part], str] = {}
        self.action_rules: tuple[AnyRule, ...] = ()
        #: Every type of action, decision and event by its tag in saved games and JSON.
        self.types: Mapping[str, type[object]] = {}
        self.rule_files: tuple[RuleFile, ...] = ()
        self.catalogs: tuple[Catalog, ...] = ()
        self.bot_hints: tuple[BotHint, ...] = ()
        self.map_marks: tuple[MapMarks, ...] = ()
        #: Plugins' notes about this stack, for people. See the hook `notes`.
        self.notes: tuple[str, ...] = ()

        # For the inner loop: numbers, and methods that are called directly.
        self.doubles_from = components.doubles_from
        self.last_turns, self.rounds = components.last_turns, components.rounds or MOST_ROUNDS
        self.last_round_at = -1 if components.last_round_at is None else components.last_round_at
        #: The routes that a seat with all its cars can claim, and their number by their printed cost: see `complete`.
        self.claimable: list[bool] = []
        self.claimable_by_class: list[int] = []
        #: The kind of pieces that each route takes, where there are several.
        self.fleet_of: list[str] = []
        if components.fleets:
            self.fleet_of = [kind_of_route(route.marks, components.fleets) for route in board.routes.values()]
        #: The pile that tickets are drawn from in play, and the others if there are several.
        self.ticket_pile = draw_counts.pile
        self.more_ticket_piles = draw_counts.more_piles
        #: The names of the ticket piles, with the tickets of each.
        self.ticket_ids: list[tuple[str, tuple[str, ...]]] = [
            (name, tuple([ticket.id for ticket in tickets])) for name, tickets in deck.piles.items()
        ]
        self.shuffles_returned: bool = any(
            getattr(plugin, "shuffle_returned_tickets", False) for plugin in plugins.values()
        )
        #: True if tickets that are not kept simply go under the only pile.
        self.tickets_return: bool = (
            draw_counts.unkept is Unkept.UNDER_PILE and not draw_counts.more_piles and not self.shuffles_returned
        )
        #: The pending decisions when a seat begins its turn.
        self.turn_of: list[tuple[Decision, ...]] = [(turn,) for turn in self.turns]
        #: By a mask of seats, a bit each, these seats.
        self.seats_in: list[list[int]] = [
            [turn.seat for turn in self.turns if mask >> turn.seat & 1] for mask in range(1 << len(self.turns))
        ]
        #: For each seat, a tuple of this seat alone.
        self.alone: list[tuple[int, ...]] = [(turn.seat,) for turn in self.turns]
        #: The economy's methods for the beginning and the end of a turn, None if they do nothing. Layers that do not override
        #: them are skipped.
        layers = [*economy_layers(economy)]
        opening = next(layer for layer in layers if overrides(layer, EconomyLayer, "open_turn"))
        closing = next(layer for layer in layers if overrides(layer, EconomyLayer, "close_turn"))
        self.opening: Callable[[Transaction, int], None] | None = (
            opening.open_turn if overrides(opening, Economy, "open_turn") else None
        )
        self.closing: Callable[[Transaction, int, bool], bool] | None = (
            closing.close_turn if overrides(closing, Economy, "close_turn") else None
        )
        self.answers: dict[type[Decision], Answers] = {}
        #: Types of decisions have numbers: their answers by number, the number of each type, the types by number, and the
        #: numbers of `Turn` and `TicketChoice`.
        self.answer_list: list[Answers] = []
        self.numbers_of: dict[type[Decision], int] = {}
        self.kinds: list[Callable[..., Decision]] = []
        self.turn_asked = -1
        self.choice_asked = -1
        #: The size of the fixed numbering of actions, and the number of rules that are not part of it.
        self.action_numbers = 0
        self.unnumbered = 0
        #: The names of the scoring terms whose points are scored in play.
        self.terms_in_play: tuple[str, ...] = ()
        #: The index in `State.kept` of the part of each type.
        self.part_numbers: dict[type[Part], int] = {}
        #: The parts with fields that are reset with every turn.
        self.parts_per_turn: tuple[type[Part], ...] = ()
        self.fingerprint = ""

    def complete(self) -> None:
        """Compute the attributes that depend on several hooks. Called once, when all have been asked."""
        players, cars = self.components.min_players, self.components.cars
        self.claimable = [bool(self.claim_cars) or taken <= cars for taken in self.network.cars]
        self.claimable_by_class = [
            sum([self.claimable[route] for route in routes]) for routes in self.network.class_routes
        ]
        kinds = [type(part) for part in self.new_parts(players)]
        self.terms_in_play = tuple([term.name for term in self.scoring_terms if term.in_play])
        self.part_numbers = {kind: number for number, kind in enumerate(kinds)}
        self.parts_per_turn = tuple(
            [kind for kind in kinds if any(field.per_turn for field in part_fields(kind).values())]
        )
        for number, kind_of_part in enumerate(kinds):  # a part is also found by its base classes
            for base in kind_of_part.__mro__[1 : kind_of_part.__mro__.index(Part)]:
                self.part_numbers.setdefault(base, number)
        self.around_actions = self._around_actions()
        may_pass = list(self.may_pass)
        if self.economy.may_pass:
            may_pass.append(("", lambda state, seat: True))
        answering: dict[type[Decision], dict[type[Action], AnyRule]] = {}
        for rule in self.action_rules:
            answering.setdefault(rule.on, {})[rule.action] = rule
        for number, (kind, by_action) in enumerate(answering.items()):
            answers = Answers(kind, number, by_action, self.around_actions, may_pass)
            self.answers[kind] = answers
            self.answer_list.append(answers)
            self.numbers_of[kind] = number
            self.kinds.append(kind)
        self.turn_asked = self.numbers_of.get(Turn, -1)
        self.choice_asked = self.numbers_of.get(TicketChoice, -1)
        self._number_actions()
        self.fingerprint = self._find_fingerprint()

    def _around_actions(self) -> dict[type[Action], Methods[Around]]:
        """The `Around` hooks of plugins by type of action, including those for an action that the type replaces."""
        around = [*self.around]
        if self.card_refusal:
            around.append(("", Around(CardDraw, refuse_all=lambda state, seat, kind: card_refusal(state, seat))))
        actions: list[type[Action]] = [Pass, *[rule.action for rule in self.action_rules]]
        by_kind: dict[type[Action], Methods[Around]] = {}
        for kind in actions:
            bases: set[type[Action]] = {Action, kind, kind.instead_of or kind}
            if any(issubclass(base, CardDraw) for base in bases):
                bases.add(CardDraw)
            by_kind[kind] = tuple([each for each in around if not bases.isdisjoint(each[1].actions)])
        return by_kind

    def _number_actions(self) -> None:
        """Number the actions of each rule. Rules without fixed numbers share the numbers above all others."""
        size = PASS + 1
        unnumbered: list[RuleEntry] = []
        for answers in self.answer_list:
            for entry in answers.entries:
                rule = entry.rule
                blamed(f"{type(rule).__qualname__}.bind in the stack {self}", rule.bind, self)
                number_of_codes: Callable[..., object] = rule.number_of_codes  # untyped: its result is checked below
                codes = number_of_codes(self)
                entry.first = PASS if entry is answers.passing else size
                if codes is None:
                    unnumbered.append(entry)
                    codes = maxsize
                elif type(codes) is not int:
                    name = type(rule).__qualname__
                    raise HookTypeError(f"{name}.number_of_codes gives {brief(codes)}: it must be an int or None")
                elif entry is answers.passing:
                    codes = int(answers.passes)
                else:
                    size += codes
                entry.size = codes
        for place, entry in enumerate(unnumbered):
            entry.first, entry.step = size + place, len(unnumbered)
        self.action_numbers, self.unnumbered = size, len(unnumbered)

    # -- identity ------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return " + ".join(self.stack) or "core"

    def __repr__(self) -> str:
        return f"<Rules {self}>"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Rules):
            return NotImplemented
        return (
            self.fingerprint == other.fingerprint
            and (self.requested, self.more_tickets) == (other.requested, other.more_tickets)
            and (self.plugins, self.own_board) == (other.plugins, other.own_board)
        )

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __copy__(self) -> Rules:
        return self  # they never change

    def __deepcopy__(self, _memo: object) -> Rules:
        return self

    def same_as(self, other: Rules) -> bool:
        """True if other rules have the same fingerprint: all data equal, the same types and terms."""
        return self is other or self.fingerprint == other.fingerprint

    def agrees_with(self, names: Iterable[str]) -> bool:
        """True if these rules come from the stack of these names, with or without required plugins."""
        bare = [name.partition(":")[0] for name in names]
        named = {self.aliases.get(name, name) for name in bare}
        return set(self.requested) <= named <= set(self.stack)

    def plugin(self, kind: type[T]) -> T:
        """The plugin of this type, with its options. Raises `PluginError` if the stack has none.

        >>> from ttr_rules import compile_rules
        >>> from ttr_variants.europe import Europe
        >>> compile_rules("europe:tie_break=P6").plugin(Europe).tie_break
        'P6'
        """
        if kind not in self.plugins:
            raise PluginError(f"the stack {self} has no plugin {kind.__name__}")
        return cast("T", self.plugins[kind])

    def has(self, kind: type[object]) -> bool:
        """True if the stack has a plugin of this type.

        >>> from ttr_rules import compile_rules
        >>> from ttr_variants.europe import Europe
        >>> compile_rules("europe").has(Europe), compile_rules("india").has(Europe)
        (True, False)
        """
        return kind in self.plugins

    def derived(self, make: Callable[[Rules], T]) -> T:
        """The result of a function of these rules: computed on first use, then kept with the rules.

        >>> from ttr_rules import compile_rules
        >>> def longest(rules):
        ...     return max(route.length for route in rules.board.routes.values())
        >>> compile_rules("europe").derived(longest)
        8
        """
        if make not in self._derived:
            self._derived[make] = make(self)
        return cast("T", self._derived[make])

    def closed_beside(self, players: int, own: int, taken: int) -> int:
        """The mask of the routes closed to a player: beside its own (C5) or, with few players, beside all taken ones (C6)."""
        return self.network.beside(taken if players < self.doubles_from else own)

    def new_parts(self, players: int) -> list[Part]:
        """The parts of a new state."""
        own = self.economy.part(self, players)
        return [*([] if own is None else [own]), *[kind.start(self, players) for kind in self.part_types]]

    @property
    def part_names(self) -> Mapping[type[Part], str]:
        """The names of the parts of a state in views: class names, prefixed with the plugin if already taken."""
        return self.derived(_part_names)

    @property
    def sheet_words(self) -> SheetWords:
        """The names that score sheets need."""
        return self.derived(_sheet_words)

    # -- for readers -----------------------------------------------------------------------------------------------

    @property
    def contributing(self) -> frozenset[str]:
        """The plugins of the stack that decide or add something. Translations and pictures do not count."""
        deciding = [entry for entry in self.provenance if entry.hook != "map_marks"]
        return frozenset([name for entry in deciding for name in (*entry.by, *entry.adjusted)])

    def answered_by(self, hook: str) -> str:
        """The plugins that answered a hook, for messages."""
        answers = [entry for entry in self.provenance if entry.hook == hook]
        names = [repr(name) for entry in answers for name in (*entry.by, *entry.adjusted)]
        return f"plugin {' or '.join(names)}" if names else "this stack"

    def explain(self) -> str:
        """The stack in words: each hook with the plugins that answer it, then the options of plugins and their notes."""
        answered = [entry for entry in self.provenance if entry.by]
        unused = [entry.hook for entry in self.provenance if entry not in answered]
        lines = [f"Stack: {' + '.join(self.stack)}", *map(str, answered), f"unused: {', '.join(unused)}", "options:"]
        shown: set[int] = set()
        # A map may bring an economy of its own that builds on train cards: their options apply there too.
        active = self.contributing | {tag.partition(".")[0] for tag in self.types}
        for plugin in self.plugins.values():
            info: object = getattr(plugin, "info", None)
            if id(plugin) not in shown and isinstance(info, PluginInfo) and info.name in active:
                lines += [f"  {info.name}: {option}" for option in options_of(plugin).values()]
            shown.add(id(plugin))
        box = self.components
        notes: list[str] = []
        if box.last_round_at is None:
            notes.append("few train cars do not begin the last round")
        if box.rounds is not None:
            latest = "" if box.last_round_at is None else " at the latest"
            notes.append(f"the game ends after round {box.rounds}{latest}")
        notes += self.notes
        if notes:
            lines += ["notes:", *[f"  {note}" for note in notes]]
        return "\n".join(lines)

    def language(self, code: str) -> Language:
        """A language to show games of this stack in, such as "de". Texts without a translation are shown in English.

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

    def play(self, state: State, action: Action) -> Played:
        """Return a new state and the events. The given state is unchanged, for searches and puzzles.

        `ttr_rules.engine` lists the legal actions of a state. Raises `IllegalActionError` for an action that the rules refuse.
        """
        if not state.rules.same_as(self):
            raise InvalidInputError(f"this state is of {state.rules}, not of {self}")
        check_legal(state, require_action(action))
        after = state.copy()
        log: list[Event] = []
        advance(after, action, log)
        return Played(after, tuple(log))

    # -- fingerprint ------------------------------------------------------------------------------------

    def _find_changed_options(self) -> dict[str, dict[str, object]]:
        """The options that differ from their defaults, so that new options keep older fingerprints."""
        settings: dict[str, Iterable[Option]] = {}
        for plugin in self.plugins.values():
            info: object = getattr(plugin, "info", None)
            if isinstance(info, PluginInfo):
                settings[info.name] = settings_of(plugin).values()
        return {
            name: {option.name: option.value for option in settings.get(name, ()) if option.value != option.default}
            for name in self.options
        }

    def _find_fingerprint(self) -> str:
        """A hash of the rules' data. Code counts only through the names of its rules and terms.

        Plugins that contribute nothing are left out.
        """
        deciding = self.contributing
        answers = [entry for entry in self.provenance if entry.by and entry.hook not in _NOT_COMPARED_BY_NAME]
        data: dict[str, object] = {
            "stack": [name for name in self.stack if name in deciding],
            "options": {name: changed for name, changed in self._find_changed_options().items() if name in deciding},
            "components": _select_fields(self.components),
            "route_cars": self.route_cars,
            "route_points": self.route_points,
            "deck": {name: [*map(_select_fields, tickets)] for name, tickets in self.deck.piles.items()},
            "setup": [[type(stage.keep).__qualname__, stage] for stage in self.setup],
            "draw_counts": self.draw_counts,
            "economy": [type(self.economy).__qualname__, self.economy.fingerprint_data()],
            "bonuses": [[bonus.name, bonus.points] for bonus in self.bonuses],
            "tie_break": [tie.name for tie in self.tie_break],
            "terms": sorted([term.name for term in self.scoring_terms]),
            "hooks": {entry.hook: sorted(entry.by) for entry in answers},
        }
        compared = {**to_jsonable(data), "board": self.board.fingerprint_data}
        return f"sha256:{sha256(json.dumps(compared, sort_keys=True).encode()).hexdigest()[:32]}"


def _select_fields(item: Components | Ticket) -> dict[str, object]:
    """The fields of components or a ticket that are used, so that a new field keeps the fingerprints of stacks without it."""
    fields: dict[str, object] = to_jsonable(item)
    used = {name: value for name, value in fields.items() if value is not None}
    return {
        name: value for name, value in used.items() if name not in ("open_tickets", "fleets", "ticket_teams") or value
    }


def _sheet_words(rules: Rules) -> SheetWords:
    """The words of score sheets."""
    board = rules.board
    tickets = {ticket.id: (*ticket.cities, "") for ticket in rules.tickets.values()}
    routes = {
        route.id: (*route.cities, route.color if route.double_group and route.color is not Color.GRAY else "")
        for route in board.routes.values()
    }
    rows = [row for rows in board.extra.values() if is_list(rows) for row in rows if is_table(row)]
    things = {str(row["id"]): str(row["name"]) for row in rows if {"id", "name"} <= row.keys()}
    for kind in rules.part_types:
        things |= {id: printed.name for id, printed in kind.names.items()}
    return SheetWords(
        names=board.names.printed,
        things=things,
        links={**tickets, **routes},
        labels={
            **{term.name: term.label for term in rules.scoring_terms if term.label},
            **{bonus.name: bonus.label for bonus in rules.bonuses if bonus.label},
        },
        path_bonuses=tuple([bonus.name for bonus in rules.bonuses if bonus.shows_path]),
        shows_path=any(tie.shows_path for tie in rules.tie_break),
        loans_of=tuple([name for name, _ in rules.loans]),
        catalogs=rules.catalogs,
    )


def _part_names(rules: Rules) -> dict[type[Part], str]:
    names: dict[type[Part], str] = {}
    for part in rules.new_parts(rules.components.min_players):
        kind = type(part)
        taken = kind.__name__ in names.values()
        names[kind] = f"{rules.part_owners.get(kind, '')}.{kind.__name__}" if taken else kind.__name__
    return names
