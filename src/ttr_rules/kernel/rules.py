"""What a stack of plugins compiles to: frozen `Rules`, and the knobs that variants turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from attrs import Attribute, evolve, field, fields, frozen

from ttr_rules.errors import InvalidInputError, brief
from ttr_rules.graph.lending import Goal
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.fingerprint import fingerprint_of
from ttr_rules.kernel.scoring import goals_of
from ttr_rules.model.actions import Pass
from ttr_rules.model.board import Board, Ticket
from ttr_rules.model.decisions import Decision, Turn
from ttr_rules.model.network import Network
from ttr_rules.model.tickets import DrawCounts, Setup, TicketDeck

if TYPE_CHECKING:
    from ttr_rules.errors import Refusal
    from ttr_rules.kernel.engine import ActionRule, Played
    from ttr_rules.kernel.scores import Bonus, ScoringTerm, TicketLink, TieBreak
    from ttr_rules.kernel.state import Part, State
    from ttr_rules.kernel.table import Position, Report
    from ttr_rules.kernel.transaction import Transaction
    from ttr_rules.model.actions import Action


@frozen
class PluginInfo:
    """What a plugin says of itself: its name in a stack, a title, one line, and the plugins it is built on.

    `save_version` counts the forms of what it puts into saved games: see `ttr_rules.saves.migrations`.
    """

    name: str
    title: str
    summary: str = ""
    requires: tuple[str, ...] = ()
    save_version: int = 1


def one_of(*allowed: object) -> Callable[[Any, Attribute[Any], Any], None]:
    """A validator for an attrs field that refuses all values but these, with an `InvalidInputError`."""

    def check(_: object, attribute: Attribute[Any], value: object) -> None:
        if not any(type(value) is type(each) and value == each for each in allowed):
            values = "true or false" if True in allowed else " or ".join(map(repr, allowed))
            raise InvalidInputError(f"{(attribute.alias or attribute.name)!r} is {values}, not {brief(value)}")

    return check


def _ruling(*allowed: object) -> Any:
    """A ruling's field: the first value is the default."""
    return field(default=allowed[0], validator=one_of(*allowed))


@frozen
class Rulings:
    """Cases that the rulebooks leave open. The defaults follow the letter of a text where there is one.

    Raises `InvalidInputError` for a value that a ruling does not have.

    >>> Rulings(second_card_optional=True).face_up_when_exhausted
    False
    """

    #: R2: with draw pile and discards empty, face-up cards may still be taken, unreplaced.
    face_up_when_exhausted: bool = _ruling(False, True)
    #: R5: a player may pass on the second card although one could be drawn.
    second_card_optional: bool = _ruling(False, True)
    #: R8: "best" finds the routes that stations lend; "ask" lets their owners choose, in seat order.
    station_choice: Literal["best", "ask"] = _ruling("best", "ask")
    #: R9: tickets put back under the pile are shuffled among themselves first.
    shuffle_returned_tickets: bool = _ruling(False, True)
    #: R12: after a failed tunnel, unused dice may still be traded for tokens.
    tokens_after_failed_tunnel: bool = _ruling(False, True)
    #: R13: with dice, no action need be taken.
    dice_action_optional: bool = _ruling(False, True)
    #: R16: with dice, a route longer than eight spaces counts as eight.
    long_route_as_eight: bool = _ruling(False, True)


@frozen
class Components:
    """What is in the box, beside board, tickets and what the economy needs (S1, C6, E1).

    `doubles_from` is the number of players from which all routes of a double may be used; `last_round_at` the
    number of cars left that begins the last round.
    """

    cars: int = 45
    min_players: int = 2
    max_players: int = 5
    doubles_from: int = 4
    last_round_at: int = 2


@frozen
class PartSpec:
    """A part of the state that a plugin keeps, and what of a table or position it reads.

    `start` makes the part for a number of players. `player_keys` are the keys of a player in a table that
    `arrange` understands beyond the core's, `part_keys` those of the table `parts` of a position; it turns them into
    events, or reports what is wrong with them.
    """

    type: type[Part]
    start: Callable[[Rules, int], Part] = field(repr=False)
    player_keys: tuple[str, ...] = ()
    arrange: Callable[[Transaction, Position, Report], None] | None = field(default=None, repr=False)
    part_keys: tuple[str, ...] = ()


@frozen
class Ending:
    """A question that is asked after the last turn, before the scores: `ask(tx, reason)` says whether it asked."""

    name: str
    ask: Callable[[Transaction, str], bool] = field(repr=False)


@frozen
class AfterClaim:
    """Something that follows the claim of a route, before the turn ends (M4).

    `ask(tx, seat, route)` says whether it asked somebody something. If it did, the rule that takes the answer calls
    `after_claim(tx, seat, route, this)`, which lets those that come later in the stack ask, then ends the turn.
    """

    name: str
    ask: Callable[[Transaction, int, str], bool] = field(repr=False)


@frozen
class Provenance:
    """Who answered a hook of this stack: the plugin that gave the value, and those that adjusted it, or all that added to it."""

    hook: str
    by: tuple[str, ...]
    adjusted: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = " + ".join(self.by) or "nobody"
        return f"{self.hook}: {text}" + (f" ⟵ adjusted by {', '.join(self.adjusted)}" if self.adjusted else "")


@frozen(eq=False, repr=False)
class Rules:
    """Everything a game needs to know that does not change while it is played. Made by `compile_rules`."""

    stack: tuple[str, ...]
    asked_for: tuple[str, ...]
    options: Mapping[str, Mapping[str, object]]
    save_versions: Mapping[str, int]
    board: Board
    components: Components
    deck: TicketDeck
    setup: Setup
    draw_counts: DrawCounts
    economy: Economy
    rulings: Rulings
    tie_break: tuple[TieBreak, ...]
    bonuses: tuple[Bonus, ...]
    scoring_terms: tuple[ScoringTerm, ...]
    ticket_links: tuple[TicketLink, ...]
    endings: tuple[Ending, ...]
    part_specs: tuple[PartSpec, ...]
    action_rules: tuple[ActionRule[Any, Any], ...]
    types: Mapping[str, type[Any]]
    provenance: tuple[Provenance, ...]
    after_claims: tuple[AfterClaim, ...] = ()
    more_tickets: tuple[Ticket, ...] = ()
    #: What the plugins of the stack have to bring older saved games up to date: see `ttr_rules.saves.migrations`.
    upcasters: Mapping[str, Callable[[dict[str, Any], int], object]] = field(
        factory=dict[str, Callable[[dict[str, Any], int], object]]
    )

    # Derived once, for the engine.
    network: Network = field(init=False)
    tickets: Mapping[str, Ticket] = field(init=False)
    ticket_goals: Mapping[str, Goal] = field(init=False)
    turns: tuple[Turn, ...] = field(init=False)
    answers: Mapping[type[Decision], Mapping[type[Action], ActionRule[Any, Any]]] = field(init=False)
    offers_on: Mapping[type[Decision], tuple[Callable[[State, Any], Sequence[Any]], ...]] = field(init=False)
    opening: Callable[[Transaction, int], None] | None = field(init=False)
    closing: Callable[[Transaction, int, bool], bool] | None = field(init=False)
    action_fields: Mapping[int, tuple[str, ...]] = field(init=False)
    fingerprint: str = field(init=False)

    def __attrs_post_init__(self) -> None:
        derive = object.__setattr__
        derive(self, "network", Network(self.board))
        known = {ticket.id: ticket for ticket in (*self.deck.tickets, *self.more_tickets)}
        places = {place: self.board.place(place) for ticket in known.values() for place in ticket.places}
        derive(self, "tickets", MappingProxyType(known))
        goals = {name: goals_of(ticket, self.network, places) for name, ticket in known.items()}
        derive(self, "ticket_goals", MappingProxyType(goals))
        derive(self, "turns", tuple(Turn(seat) for seat in range(self.components.max_players)))
        # Looked up at every step, so these are plain dictionaries of what will be called, and None for what does nothing.
        answers: dict[type[Decision], dict[type[Action], ActionRule[Any, Any]]] = {}
        for rule in self.action_rules:
            answers.setdefault(rule.on, {})[rule.action] = rule
        derive(self, "answers", answers)
        offers = {kind: tuple([rule.offers for rule in rules.values()]) for kind, rules in answers.items()}
        derive(self, "offers_on", offers)
        # By the identity of a class: what a stranger's class says of itself is not asked.
        known_kinds: set[type[Any]] = {Pass, *[rule.action for rule in self.action_rules]}
        derive(self, "action_fields", {id(kind): tuple([each.name for each in fields(kind)]) for kind in known_kinds})
        economy = type(self.economy)
        derive(self, "opening", None if economy.open_turn is Economy.open_turn else self.economy.open_turn)
        derive(self, "closing", None if economy.close_turn is Economy.close_turn else self.economy.close_turn)
        derive(self, "fingerprint", fingerprint_of(self))

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

    def with_tickets(self, more: Iterable[Ticket]) -> Rules:
        """These rules with more tickets known, for tables that hold tickets the decks do not."""
        return evolve(self, more_tickets=(*self.more_tickets, *more))

    def agrees_with(self, names: Iterable[str]) -> bool:
        """Whether a stack of these names is the one that these rules come from, required plugins named or not."""
        given = {name.partition(":")[0] for name in names}
        return set(self.asked_for) <= given <= set(self.stack)

    def same_as(self, other: Rules) -> bool:
        """Whether other rules have the same fingerprint: all data equal, the same types and terms."""
        return self is other or self.fingerprint == other.fingerprint

    def explain(self) -> str:
        """Which plugin of the stack decided what: a line for each hook, then the rulings."""
        lines = [f"Stack: {' + '.join(self.stack)}", *map(str, self.provenance), "rulings in force:"]
        default = Rulings()
        for name in Rulings.__annotations__:
            value = getattr(self.rulings, name)
            mark = "" if value == getattr(default, name) else "  (not the default)"
            lines.append(f"  {name} = {value!r}{mark}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return " + ".join(self.stack) or "core"

    def __repr__(self) -> str:
        return f"<Rules {self}>"

    # -- the engine, as methods --------------------------------------------------------------------------------

    def legal_actions(self, state: State, seat: int) -> Sequence[Action]:
        """Every legal action of `seat` in a state, in a stable order; none if it is not asked."""
        from ttr_rules.kernel.engine import legal_actions  # the engine builds on this module

        return legal_actions(self._own(state), seat)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """None if `action` is legal in a state, else which rule refuses it and why."""
        from ttr_rules._internal.strangers import strange
        from ttr_rules.kernel.engine import refusal

        return strange(self._own(state), action) or refusal(state, action)

    def is_legal(self, state: State, action: Action) -> bool:
        """Whether `action` is legal in a state."""
        return self.refusal(state, action) is None

    def play(self, state: State, action: Action) -> Played:
        """A new state and what happened; the given state stays as it is, for searches and puzzles.

        Raises `IllegalActionError` for an action that the rules refuse.
        """
        from ttr_rules.kernel.engine import play

        return play(self._own(state), action)

    def _own(self, state: State) -> State:
        if state.rules.same_as(self):
            return state
        raise InvalidInputError(f"this state is of {state.rules}, not of {self}")
