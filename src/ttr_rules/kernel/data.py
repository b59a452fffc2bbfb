"""The data of a compiled stack: the board, the tickets, the set-up, the options. `Rules` adds the behavior."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import field, frozen

from ttr_rules._internal.frozen import FrozenMap
from ttr_rules.errors import PluginError
from ttr_rules.graph.goals import Goal, goals_of
from ttr_rules.kernel.course import Course
from ttr_rules.model.board import Board, Ticket
from ttr_rules.model.decisions import Turn
from ttr_rules.model.network import Network
from ttr_rules.model.tickets import Components, DrawCounts, Setup, TicketDeck

if TYPE_CHECKING:
    from ttr_rules.kernel.economy import Economy

T = TypeVar("T")


@frozen(eq=False, repr=False)
class GameData:
    """The data of a compiled stack. A state, and every rule that looks at one, reads it as `state.rules`.

    `stack` names the plugins, `options` holds the options they were made with, `plugins` those that are instances, by
    type.

    >>> import ttr_rules as ttr
    >>> data = ttr.new_game("europe", "dice", players=2, seed=1).state.rules
    >>> data, data.components.cars, data.tickets["brest-petrograd"].points
    (<Rules europe + dice>, 45, 20)
    >>> data.network.route_number["paris-zurich-gray"]
    84
    """

    stack: tuple[str, ...]
    requested: tuple[str, ...]
    options: Mapping[str, Mapping[str, object]]
    plugins: Mapping[type, object]
    board: Board
    components: Components
    route_cars: Mapping[str, int]
    route_points: Mapping[str, int]
    deck: TicketDeck
    setup: Setup
    draw_counts: DrawCounts
    economy: Economy = field(kw_only=True)
    more_tickets: tuple[Ticket, ...] = field(default=(), kw_only=True)

    # Derived once, for the engine.
    network: Network = field(init=False)
    tickets: Mapping[str, Ticket] = field(init=False)
    ticket_goals: Mapping[str, Goal] = field(init=False)
    turns: tuple[Turn, ...] = field(init=False)
    course: Course = field(init=False)
    _derived: dict[Callable[..., object], Any] = field(init=False, factory=dict[Callable[..., object], Any])

    def __attrs_post_init__(self) -> None:
        derive = object.__setattr__
        derive(self, "network", Network(self.board, self.route_cars, self.route_points))
        known = {ticket.id: ticket for ticket in (*self.deck.tickets, *self.more_tickets)}
        places = {place: self.board.place(place) for ticket in known.values() for place in ticket.places}
        derive(self, "tickets", FrozenMap(known))
        goals = {name: goals_of(ticket, self.network, places) for name, ticket in known.items()}
        derive(self, "ticket_goals", FrozenMap(goals))
        derive(self, "turns", tuple(Turn(seat) for seat in range(self.components.max_players)))
        course = Course(self.network, self.board)
        course.turns = self.turns
        course.turn_of = [(turn,) for turn in self.turns]
        course.claimable = [cars <= self.components.cars for cars in course.cars]
        course.drawn, course.keep = self.draw_counts.drawn, self.draw_counts.keep
        course.cards_drawn, course.wild_ends_draw = self.draw_counts.cards, self.draw_counts.wild_ends_draw
        course.doubles_from = self.components.doubles_from
        course.last_round_at, course.last_turns = self.components.last_round_at, self.components.last_turns
        course.ticket_pile = self.draw_counts.pile
        course.more_ticket_piles = self.draw_counts.more_piles
        derive(self, "course", course)

    def plugin(self, kind: type[T]) -> T:
        """The plugin of this type, with its options. Raises `PluginError` if the stack has none.

        >>> from ttr_rules import compile_rules
        >>> from ttr_variants.europe import Europe
        >>> compile_rules("europe:tie_break=P6").plugin(Europe).tie_break
        'P6'
        """
        found = self.plugins.get(kind)
        if not isinstance(found, kind):
            raise PluginError(f"the stack {self} has no plugin {kind.__name__}")
        return found

    def has(self, kind: type[object]) -> bool:
        """Whether the stack has a plugin of this type.

        >>> from ttr_rules import compile_rules
        >>> from ttr_variants.europe import Europe
        >>> compile_rules("europe").has(Europe), compile_rules("india").has(Europe)
        (True, False)
        """
        return kind in self.plugins

    def derived(self, make: Callable[[Self], T]) -> T:
        """The result of a function of these rules: computed on first use, then kept with the rules.

        >>> from ttr_rules import compile_rules
        >>> def longest(rules):
        ...     return max(route.length for route in rules.board.routes.values())
        >>> compile_rules("europe").derived(longest)
        8
        """
        if make not in self._derived:
            self._derived[make] = make(self)
        found: T = self._derived[make]
        return found

    def closing_claims(self, players: int, own: int, taken: int) -> int:
        """Which claims, as a mask, close the rest of their double to a player (see `Network.beside`).

        The player's `own` (C5); with few players those that anybody has `taken` (C6).
        """
        return taken if players < self.components.doubles_from else own

    def new_parts(self, players: int) -> Iterable[Any]:
        """The parts of a new state."""
        return ()

    def same_as(self, other: GameData) -> bool:
        """Whether other rules are the same as these."""
        return self is other

    def __str__(self) -> str:
        return " + ".join(self.stack) or "core"

    def __repr__(self) -> str:
        return f"<Rules {self}>"
