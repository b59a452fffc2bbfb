"""The state of a game: compact inside, so that copies are cheap; readable from outside."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Rules
    from ttr_rules.kernel.views import View
    from ttr_rules.model.cards import Counts
    from ttr_rules.model.chance import Chance, SeededChance
    from ttr_rules.model.dealer import Dealer
    from ttr_rules.model.decisions import Decision, HiddenDecision


class Part(ABC):
    """The state of one mechanic or economy. A plugin keeps what it must remember in a part of its own."""

    __slots__ = ()

    #: Names that can be read from the state itself: `state.stations` is `state.part(Stations).stations`.
    shown: tuple[str, ...] = ()

    @abstractmethod
    def copy(self) -> Self:
        """An independent copy, made often: keep it cheap."""

    @abstractmethod
    def value(self) -> object:
        """What makes two parts equal, as a plain value."""

    def seen_by(self, seat: int | None) -> Mapping[str, Any] | None:
        """What `seat` (None: a spectator) may see of it; None, the default, for nothing at all."""
        return None

    def validate(self, state: State) -> str | None:
        """Why this part of `state` is one that no game can have; None, the default, if nothing speaks against it.

        DecisionOpened when a saved game is loaded, whose facts somebody may have edited.
        """
        return None

    def sample_hidden(self, view: View, rules: Rules, dealer: Dealer) -> None:
        """Become, from the start of a game, what this part may be in a game that looks like `view`.

        What the view shows of it (`view.parts`, by the name of the class) is taken over; what it hides is dealt by
        `dealer`, every way as likely as any other. See `determinize`. A part that shows nothing stays as it is.
        """
        if type(self).seen_by is not Part.seen_by:
            raise NotImplementedError

    def sample_decision(self, hidden: HiddenDecision, view: View, dealer: Dealer) -> Decision | None:
        """The whole of a question to another seat that `view` only names, after `sample_hidden`; None, the default, if it is not this part's."""
        return None

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.value() == self.value()

    __hash__ = None  # type: ignore[assignment]


P = TypeVar("P", bound=Part)
FREE = -1  #: The owner of a route that nobody has claimed.


class State:
    """Everything about one moment of a game.

    Seats, routes and cities are numbers inside (`owner`, `open`); the properties read them as ids.
    Only effects of events change a state; see `ttr_rules.kernel.events`.

    `owner` holds the seat that owns each route, or `FREE`; `open` a bit mask of the routes that each seat could
    still claim with the cars it has left; `ticket_piles` the piles of tickets by name, top first; `tickets`
    the ids that each seat holds; `asked` what is being asked now; `turn` whose turn it is; `turns_left` is 0
    until the last round has begun; `passes` counts the passes in a row; `rejects` holds what was not kept
    in this stage of set-up; `first_tickets` tells how many tickets each seat kept at set-up, () before all have chosen and in
    arranged positions; `revealed` tells whether the tickets lie open, at the end; `chance_calls` how often chance was asked.
    """

    __slots__ = (
        "cars", "chance", "chance_calls", "first_tickets", "open", "owner", "parts", "passes", "pending", "players", "rejects", "revealed",
        "rules", "scores", "stage", "ticket_piles", "tickets", "turn", "turns_left",
    )  # fmt: skip

    rules: Rules
    chance: SeededChance | Chance
    parts: dict[type[Part], Any]

    def __init__(self, rules: Rules, players: int, chance: SeededChance | Chance) -> None:
        self.rules = rules
        self.players = players
        self.chance = chance
        self.chance_calls = 0
        self.owner: list[int] = [FREE] * len(rules.network.route_ids)
        self.cars: list[int] = [rules.components.cars] * players
        self.open: list[int] = [rules.network.within(rules.components.cars)] * players
        self.scores: list[int] = [0] * players
        self.tickets: list[tuple[str, ...]] = [()] * players
        self.ticket_piles: dict[str, tuple[str, ...]] = {}
        self.rejects: list[tuple[str, ...]] = [()] * players
        self.first_tickets: tuple[int, ...] = ()
        self.stage = 0
        self.pending: tuple[Decision, ...] = ()
        self.turn = 0
        self.turns_left = 0
        self.passes = 0
        self.revealed = False
        self.parts = {type(part): part for part in rules.new_parts(players)}

    def copy(self) -> State:
        """An independent copy; the rules and a caller's chance object are shared."""
        new = State.__new__(State)
        new.rules = self.rules
        new.players = self.players
        new.chance = self.chance
        new.chance_calls = self.chance_calls
        new.owner = self.owner.copy()
        new.cars = self.cars.copy()
        new.open = self.open.copy()
        new.scores = self.scores.copy()
        new.tickets = self.tickets.copy()
        new.ticket_piles = self.ticket_piles.copy()
        new.rejects = self.rejects.copy()
        new.first_tickets = self.first_tickets
        new.stage = self.stage
        new.pending = self.pending
        new.turn = self.turn
        new.turns_left = self.turns_left
        new.passes = self.passes
        new.revealed = self.revealed
        new.parts = {key: part.copy() for key, part in self.parts.items()}
        return new

    def part(self, kind: type[P]) -> P:
        """The part of this type. Raises `KeyError` if no plugin of the stack keeps one."""
        part: P = self.parts[kind]
        return part

    # -- for readers -----------------------------------------------------------------------------------------

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now: empty exactly when the game is over."""
        return tuple([decision.seat for decision in self.pending])

    def decision(self, seat: int) -> Decision | None:
        """What `seat` is asked, or None."""
        for decision in self.pending:
            if decision.seat == seat:
                return decision
        return None

    @property
    def owners(self) -> dict[str, int]:
        """The claimed routes, by id, with the seat that owns each."""
        ids = self.rules.network.route_ids
        return {ids[route]: seat for route, seat in enumerate(self.owner) if seat != FREE}

    def routes_of(self, seat: int) -> list[int]:
        """The numbers of the routes that `seat` owns."""
        return [route for route, owner in enumerate(self.owner) if owner == seat]

    @property
    def ticket_pile(self) -> tuple[str, ...]:
        """The pile that tickets are drawn from in play, top first; where there are several, one after the other."""
        counts = self.rules.draw_counts
        pile = self.ticket_piles.get(counts.pile, ())
        for name in counts.more_piles:
            pile += self.ticket_piles.get(name, ())
        return pile

    @property
    def has_tickets(self) -> bool:
        """Whether `ticket_pile` has any."""
        counts = self.rules.draw_counts
        piles = self.ticket_piles
        if piles.get(counts.pile):
            return True
        return bool(counts.more_piles) and any(piles.get(name) for name in counts.more_piles)

    @property
    def hands(self) -> tuple[Counts, ...]:
        """The train cards of each seat; empty in an economy without cards."""
        return cast("tuple[Counts, ...]", self._shown("hands"))

    @property
    def face_up(self) -> tuple[str, ...]:
        """The face-up train cards, left to right."""
        return cast("tuple[str, ...]", self._shown("face_up"))

    @property
    def draw_pile(self) -> tuple[str, ...]:
        """The draw pile of train cards, top first."""
        return cast("tuple[str, ...]", self._shown("draw_pile"))

    @property
    def discards(self) -> tuple[str, ...]:
        """The discarded train cards, oldest first."""
        return cast("tuple[str, ...]", self._shown("discards"))

    def _shown(self, name: str) -> object:
        for part in self.parts.values():
            if name in part.shown:
                return getattr(part, name)
        return ()

    def __getattr__(self, name: str) -> Any:
        # Only reached for names that a state itself does not have.
        if not name.startswith("_"):
            for part in self.parts.values():
                if name in part.shown:
                    return getattr(part, name)
        raise AttributeError(f"a state has no {name!r}, and no part of it shows one")

    def value(self) -> tuple[object, ...]:
        """The whole state but for rules and chance object, as a plain value to compare."""
        return (
            self.players, self.chance_calls, self.owner, self.cars, self.open, self.scores, self.tickets,
            self.ticket_piles, self.rejects, self.first_tickets, self.stage, self.pending, self.turn, self.turns_left, self.passes, self.revealed,
            {key.__qualname__: part.value() for key, part in self.parts.items()},
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.rules.same_as(other.rules) and self.value() == other.value()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<State of {self.rules}: {self.players} players, scores {self.scores}, asked {list(self.pending)}>"
