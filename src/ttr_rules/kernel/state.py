"""The state of a game, compact internally, so that copies are cheap, but readable from outside."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar

from attrs import fields_dict

from ttr_rules._internal.native import i64
from ttr_rules.errors import PluginError
from ttr_rules.kernel.part import CarsOnRoutes, Fleets, Part
from ttr_rules.model.chance import Chance, SeededChance, check_can_be_pickled, deep_copy
from ttr_rules.model.decisions import Decision, TicketSetup, ToDo
from ttr_rules.sequences import keep
from ttr_rules.text import brief, cut

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Rules


P = TypeVar("P", bound=Part)
FREE: Final = -1  #: The owner of a route that nobody has claimed.
EVERY_SEAT: Final = -1  #: All seats, a bit each.
MOST_CACHES: Final = 50  #: The most users whose values a state caches.


#: The fields of a state that are compared as they are.
COMPARED = (
    "players", "chance_calls", "owner", "shared", "cars", "open_by_class", "scores", "tickets", "ticket_piles", "rejects",
    "first_tickets", "stage", "pending", "points", "turn", "turn_number", "turns_granted", "extra_turns", "seats_to_skip",
    "turns_left", "last_round_turn", "passes", "passed", "open_tickets", "revealed", "todo",
)  # fmt: skip


class CacheSlot:
    """A value that code computed for a seat, and `State.version` at that moment."""

    version: i64

    def __init__(self) -> None:
        self.value: Any = None
        self.version = -1

    def put(self, value: object, version: i64) -> None:
        """Replace the value."""
        self.value = value
        self.version = version


class OpenStock:
    """The number of routes at each cost that a seat may claim, where plugins close the routes of the mask `closed`.

    `stock` counts the routes that are open to the seat and not closed by plugins, by their number in `cost_of`. It is valid
    while `closed` and `cost_of` stay the same: claims update it, and `recount` drops it. `is_closed` is the mask as a
    list, which is quicker to look up.
    """

    __slots__ = ("closed", "cost_of", "is_closed", "stock")

    def __init__(self, closed: int, is_closed: list[bool], cost_of: list[int], stock: list[int]) -> None:
        self.closed = closed
        self.is_closed = is_closed
        self.cost_of = cost_of
        self.stock = stock


class FieldOf:
    """A field of a type of decision, which `State.field` reads quickly.

    >>> from ttr_rules.model import TunnelDue
    >>> FieldOf(TunnelDue, "laid").index
    1
    """

    __slots__ = ("index", "name")
    index: i64  # among the fields after the seat

    def __init__(self, kind: type[Decision], name: str) -> None:
        self.name = name
        self.index = [*fields_dict(kind)].index(name) - 1


class State:  # noqa: PLW1641 (states change: they have no hash)
    """The complete state of a game at one moment.

    Seats, routes and cities are numbers internally (`owner`, `open`). The properties give them as ids. Only effects of
    events change a state (see `ttr_rules.events`).

    - `owner` holds the seat that owns each route, or `FREE`, and `shared` the seats that hold a route besides its owner.
    - `open` is, for each seat, a bit mask of the routes that it could still claim with its remaining cars. It is
      computed from `open_seats`: for each route the seats that it is open to, a bit each. `open_by_class` has, for each
      seat, the number of these routes by their printed cost, and `open_stock` the number of those that no plugin
      closes, by their cost now. `apart` are the masks behind `routes_apart`. All of them follow from `owner`, `shared`
      and `cars`, and are kept up to date where these change: `close_route` closes what a claim closes, `close_long`
      what a seat has too few cars for, and `recount` computes what is open anew after any other change. A claim updates
      `apart`. Where routes change hands otherwise, it is None.
    - `ticket_piles` holds the piles of tickets by name, top first, and `tickets` the ids that each seat holds.
    - `pending` holds the pending decisions. `actor` and `asked` are the seat and the type of the first one as numbers,
      -1 for none. `opened` is the same as `pending`, or None if they have not been created yet.
    - `turn` is the seat whose turn it is. `turn_number` counts the turns. `turns_granted` is the number of those that were
      granted, less those that `end_round` skipped, so it may be negative. `extra_turns` are the granted turns still to come
      for the seat whose turn it is.
    - `seats_to_skip` is -1, unless a plugin ends the round with this turn: then it is the number of seats that are skipped
      after it.
    - `turns_left` is 0 until the last round begins. `last_round_turn` is the number of the turn in or after which it began,
      0 until then.
    - `passes` counts consecutive passes, below 0 in a turn that has gone on after an action. `passed` is true while a turn that
      was a pass waits for an answer before it ends.
    - `scores` are the points for routes, `points` those scored in play under other terms: 0 from the start for `points_in_play`.
    - `rejects` holds the tickets not kept in this stage of set-up. `first_tickets` are the numbers of tickets that the
      seats kept at set-up, () before all have chosen and in arranged positions.
    - `open_tickets` are the tickets in hands that everybody knows: all of them once they are face up (`revealed`), as at
      the end and in a table to score.
    - `todo` holds the work that continues once a plugin's question is answered, last item first.
    - `chance_calls` is the number of times that chance was used.
    - `parts` holds the state of the economy and of plugins, by type: read it with `part`. `kept` is the same as a list,
      the economy's own first.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "routes": [["Paris", "Zürich"]]}, {"name": "Bo"}]
    >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state
    >>> state.owners, state.cars, state.to_act
    ({'paris-zurich-gray': 0}, [42, 45], (0,))
    >>> state.copy() == state, state.copy() is state
    (True, False)
    """

    __slots__ = (
        "_fields", "actor", "apart", "asked", "caches", "cars", "chance", "chance_calls", "extra_turns",
        "first_tickets", "kept", "last_round_turn", "lent_counts", "open_by_class", "open_seats", "open_stock", "open_tickets",
        "opened", "owner", "passed", "passes", "players", "points", "rejects", "revealed", "rules", "scores", "seats_to_skip",
        "shared", "stage", "ticket_piles", "tickets", "todo", "turn", "turn_number", "turns_granted", "turns_left", "version",
    )  # fmt: skip

    players: i64
    version: i64
    chance_calls: i64
    stage: i64
    turn: i64
    turn_number: i64
    turns_granted: i64
    extra_turns: i64
    seats_to_skip: i64
    turns_left: i64
    last_round_turn: i64
    passes: i64
    actor: i64
    asked: i64
    lent_counts: i64

    def __init__(self, rules: Rules, players: i64, chance: SeededChance | Chance, of: State | None = None) -> None:
        """The state before a game begins, or with `of` a copy of that state."""
        self.rules = rules
        self.players = players
        self.chance = chance
        #: Raised by every change, once or several times; compared with `CacheSlot.version`.
        self.version = 0
        #: Values computed from this state, by user and seat: see `cached`. A copy starts empty.
        self.caches: dict[object, list[CacheSlot]] = {}
        #: For each seat, the mask of the routes that touch none of its own, -1 if it has none; None until asked for.
        self.apart: list[int] | None = None
        #: By seat, the counts of the routes that it may claim, where plugins close some.
        self.open_stock: dict[int, OpenStock] = {}
        if of is None:
            self._begin(rules, players)
        else:
            self._copy(of)

    def _begin(self, rules: Rules, players: i64) -> None:
        cars = rules.components.cars
        self.chance_calls = 0
        self.owner: list[int] = [FREE] * len(rules.network.route_ids)
        self.shared: dict[int, tuple[int, ...]] = {}
        self.cars: list[int] = [cars] * players
        self.open_seats: list[int] = [(1 << players) - 1 if can else 0 for can in rules.claimable]
        self.open_by_class: list[list[int]] = [rules.claimable_by_class.copy() for _ in range(players)]
        #: The lists that are shared with a copy until they change, as bits: the counts of each seat, then `open_seats`.
        self.lent_counts = 0
        self.scores: list[int] = [0] * players
        self.tickets: list[tuple[str, ...]] = [()] * players
        self.ticket_piles: dict[str, tuple[str, ...]] = {}
        self.rejects: list[tuple[str, ...]] = [()] * players
        self.first_tickets: tuple[int, ...] = ()
        self.stage = 0
        self.opened: tuple[Decision, ...] | None = ()
        self._fields: tuple[object, ...] = ()
        self.actor = self.asked = -1
        self.points: dict[str, list[int]] = {term: [0] * players for term in rules.terms_in_play}
        self.turn = 0
        self.turn_number = 0
        self.turns_granted = 0
        self.extra_turns = 0
        self.seats_to_skip = -1
        self.turns_left = 0
        self.last_round_turn = 0
        self.passes = 0
        self.passed = False
        self.open_tickets: frozenset[str] = frozenset()
        self.revealed = False
        self.todo: tuple[ToDo, ...] = ()
        self.kept: list[Any] = [*rules.new_parts(players)]
        if rules.fleet_of:
            recount_all(self)

    def _copy(self, of: State) -> None:
        self.chance_calls = of.chance_calls
        self.owner = of.owner.copy()
        self.shared = of.shared.copy()
        self.cars = of.cars.copy()
        self.open_seats = of.open_seats
        self.open_by_class = of.open_by_class.copy()
        self.lent_counts = of.lent_counts = (2 << self.players) - 1
        if of.apart is not None:
            self.apart = of.apart.copy()
        self.scores = of.scores.copy()
        self.tickets = of.tickets.copy()
        self.ticket_piles = of.ticket_piles.copy()
        self.rejects = of.rejects.copy()
        self.first_tickets = of.first_tickets
        self.stage = of.stage
        self.opened = of.opened
        self._fields = of._fields
        self.actor = of.actor
        self.asked = of.asked
        self.points = {term: points.copy() for term, points in of.points.items()} if of.points else {}
        self.turn = of.turn
        self.turn_number = of.turn_number
        self.turns_granted = of.turns_granted
        self.extra_turns = of.extra_turns
        self.seats_to_skip = of.seats_to_skip
        self.turns_left = of.turns_left
        self.last_round_turn = of.last_round_turn
        self.passes = of.passes
        self.passed = of.passed
        self.open_tickets = of.open_tickets
        self.revealed = of.revealed
        self.todo = of.todo
        kept: list[Part] = []
        part: Part
        for part in of.kept:
            kept.append(part.copy())
        self.kept = kept

    def copy(self) -> State:
        """An independent copy. The rules and a caller's chance object are shared."""
        return State(self.rules, self.players, self.chance, self)

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> State:
        new = self.copy()
        new.chance = deep_copy(self.chance, memo)
        return new

    def __reduce__(self) -> tuple[object, ...]:
        check_can_be_pickled(self.chance)
        values = {name: getattr(self, name) for name in (*COMPARED, "open_seats", "kept")}
        return _unpickle, (self.rules, self.players, self.chance, values)

    @property
    def open(self) -> list[int]:
        """For each seat the routes open to it as a mask of route numbers."""
        return [self.open_to(seat) for seat in range(self.players)]

    def open_to(self, seat: int) -> int:
        """The routes open to a seat as a mask of route numbers."""
        mask = 0
        for route, seats in enumerate(self.open_seats):
            if seats >> seat & 1:
                mask |= self.rules.network.bits[route]
        return mask

    def part(self, kind: type[P]) -> P:
        """The part of this type. Raises `PluginError` if no plugin of the stack keeps one."""
        number = self.rules.part_numbers.get(kind, -1)
        if number >= 0:
            part: P = self.kept[number]
            return part
        parts = ", ".join([kind.__name__ for kind in self.parts]) or "none"
        raise PluginError(
            f"the state of {self.rules} has no part {kind.__name__}, only {parts}: give it to the hook parts"
        )

    def has_part(self, kind: type[Part]) -> bool:
        """True if the state has a part of this type."""
        return kind in self.rules.part_numbers

    @property
    def parts(self) -> Mapping[type[Part], Part]:
        """The parts by type, for readers."""
        return {type(part): part for part in self.kept}

    def left(self, seat: int, kind: str) -> int:
        """The pieces of a kind that a seat has left, where there are fleets (`Components.fleets`)."""
        if kind not in self.rules.components.fleets:
            known = ", ".join(self.rules.components.fleets) or "none"
            raise PluginError(f"{self.rules} has no fleet of pieces {kind!r}; it has {known}")
        return self.part(Fleets).left[seat][kind]

    def set_part(self, part: Part) -> None:
        """Replace a part by another of its type."""
        self.kept[self.rules.part_numbers[type(part)]] = part

    # -- tickets, for effects of events ----------------------------------

    def take_ticket(self, ticket: str) -> str:
        """Remove a ticket from its pile or from a hand, to put it into a field of a part or another hand.

        Raises `PluginError` for a ticket that is in neither.
        """
        for name, pile in self.ticket_piles.items():
            if ticket in pile:
                self.ticket_piles[name] = tuple([other for other in pile if other != ticket])
                return ticket
        for seat, held in enumerate(self.tickets):
            if ticket in held:
                self.tickets[seat] = tuple([other for other in held if other != ticket])
                self.open_tickets -= {ticket}
                return ticket
        raise PluginError(f"a plugin of {self.rules} takes the ticket {brief(ticket)}, which is in no pile and no hand")

    def give_ticket(self, seat: int, ticket: str, *, open: bool = False) -> None:
        """Give a seat a ticket that was taken. With `open`, everybody knows from then on that the seat holds it."""
        self.hold_tickets(seat, (ticket,))
        if open:
            self.reveal_ticket(seat, ticket)

    def hold_tickets(self, seat: int, tickets: tuple[str, ...]) -> None:
        """The effect of `TicketsKept` and `TicketsArranged`: once tickets are face up, everybody knows these too."""
        self.tickets[seat] += tickets
        if self.revealed:
            self.open_tickets |= {*tickets}

    def reveal_tickets(self, tickets: tuple[tuple[str, ...], ...]) -> None:
        """The effect of `TicketsRevealed`."""
        self.revealed = True
        self.open_tickets = frozenset([ticket for held in tickets for ticket in held])

    def reveal_ticket(self, seat: int, ticket: str) -> None:
        """The effect of `TicketRevealed`. Raises `PluginError` for a ticket that the seat does not hold."""
        if not 0 <= seat < self.players or ticket not in self.tickets[seat]:
            raise PluginError(
                f"a plugin of {self.rules} reveals the ticket {brief(ticket)}, which seat {seat} does not hold"
            )
        self.open_tickets |= {ticket}

    def return_ticket(self, ticket: str, *, on_top: bool = False) -> None:
        """Put a ticket that was taken under the pile of its kind, or on top of it.

        Views do not show who has seen a ticket on top, and sampled worlds deal it anew.
        """
        for name, ids in self.rules.ticket_ids:
            if ticket in ids:
                pile = self.ticket_piles.get(name, ())
                self.ticket_piles[name] = (ticket, *pile) if on_top else (*pile, ticket)
                return
        raise PluginError(f"a plugin of {self.rules} returns the ticket {brief(ticket)}, which is in no deck")

    # -- pending decisions ----------------------------------------------------------------------------------

    @property
    def pending(self) -> tuple[Decision, ...]:
        """The pending decisions. One that is stored as a number and fields is created when it is read.

        Several of one seat are answered in order. A `Turn` is always alone.
        """
        decisions = self.opened
        if decisions is None:
            decisions = self.opened = (self.rules.kinds[self.asked](int(self.actor), *self._fields),)
        return decisions

    @pending.setter
    def pending(self, decisions: tuple[Decision, ...]) -> None:
        self.opened = decisions
        if decisions:
            first = decisions[0]
            self.actor = first.seat
            self.asked = self.rules.numbers_of.get(type(first), -1)
        else:
            self.actor = self.asked = -1

    def asked_of(self, seat: i64) -> Any:
        """The pending decision of a seat that has one."""
        pending = self.opened
        if pending is None:
            pending = self.pending
        if seat == self.actor:
            return pending[0]
        for decision in pending:
            if decision.seat == seat:
                return decision
        raise AssertionError(f"seat {seat} has nothing to decide")

    # -- effects of the most frequent events ------------------------------------------------------------------

    def stopped(self, decisions: tuple[Decision, ...], todo: tuple[ToDo, ...]) -> None:
        """The effect of `Asked`."""
        self.pending = decisions
        self.todo = todo

    def ask_by_fields(self, seat: i64, asked: i64, fields: tuple[object, ...]) -> None:
        """Ask one seat: `asked` is the number of the type of decision, `fields` are its fields without the seat."""
        self.opened = None
        self._fields = fields
        self.actor = seat
        self.asked = asked

    def field(self, seat: i64, field: FieldOf) -> Any:
        """A field of the decision of a seat. The decision is not created for that."""
        if self.opened is None:
            return self._fields[field.index]
        return getattr(self.asked_of(seat), field.name)

    def tickets_dealt(self, seat: i64, stage: i64, tickets: tuple[str, ...]) -> None:
        """The effect of `TicketsDealt`: they are taken off their piles, and the seat is asked."""
        self._take_off(tickets)
        asked = list(self.pending)
        asked.append(TicketSetup(seat, tickets, stage))
        if len(asked) > 1 and asked[-2].seat > seat:
            asked.sort(key=attrgetter("seat"))
        self.pending = tuple(asked)

    def tickets_chosen(self, seat: i64, kept: tuple[str, ...], rejected: tuple[str, ...]) -> None:
        """The effect of `TicketsChosen`."""
        self.tickets[seat] = self.tickets[seat] + kept
        self.rejects[seat] = rejected
        self.answered(seat)

    def set_up_revealed(self, held: tuple[int, ...]) -> None:
        """The effect of `SetupRevealed`."""
        self.rejects = [()] * self.players
        self.first_tickets = held
        self.stage += 1

    def answered(self, seat: i64) -> None:
        """Remove the pending decision of a seat that has answered."""
        self.pending = tuple([decision for decision in self.pending if decision.seat != seat])

    def tickets_drawn(self, seat: i64, tickets: tuple[str, ...]) -> None:
        """The effect of `TicketsDrawn`: they are taken off their piles, and the seat must choose."""
        rules = self.rules
        if rules.more_ticket_piles:
            self._take_off(tickets)
        else:
            self.ticket_piles[rules.ticket_pile] = self.ticket_piles[rules.ticket_pile][len(tickets) :]
        self.ask_by_fields(seat, rules.choice_asked, (tickets,))

    def _take_off(self, tickets: tuple[str, ...]) -> None:
        """Take tickets off their piles, usually from the top."""
        below: i64 = len(tickets)
        for name, pile in list(self.ticket_piles.items()):
            top: i64 = 0
            while top < len(pile) and pile[top] in tickets:
                top += 1
            self.ticket_piles[name] = pile[top:]
            below -= top
        if below:
            for name, pile in list(self.ticket_piles.items()):
                self.ticket_piles[name] = tuple([ticket for ticket in pile if ticket not in tickets])

    def tickets_returned(self, name: str, tickets: tuple[str, ...]) -> None:
        """The effect of `TicketsReturned`."""
        self.ticket_piles[name] = self.ticket_piles.get(name, ()) + tickets

    # -- for readers -----------------------------------------------------------------------------------------

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now: empty if and only if the game is over."""
        if self.actor < 0:
            return ()
        pending = self.opened
        if pending is None or len(pending) == 1:
            return self.rules.alone[self.actor]
        return tuple(dict.fromkeys([decision.seat for decision in pending]))

    def decision(self, seat: int) -> Decision | None:
        """The pending decision of `seat`, or None."""
        for decision in self.pending:
            if decision.seat == seat:
                return decision
        return None

    @property
    def round(self) -> int:
        """The number of the round, starting at 1. It is 0 at set-up.

        A round has a turn for each seat, and any turns granted in it.

        >>> from ttr_rules import new_game
        >>> new_game("europe", players=2, seed=1).state.round
        0
        """
        return (self.turn_number - self.turns_granted + self.players - 1) // self.players

    @property
    def turns_left_in_round(self) -> int:
        """The number of turns that follow the current one in its round.

        Turns granted in addition do not count. The number is 0 at set-up and between two rounds. If the last round ends
        within a round, fewer follow (`turns_left`).

        >>> from ttr_rules import arrange
        >>> arrange(None, {"stack": ["europe"], "seed": 1, "players": [{}, {}, {}]}).state.turns_left_in_round
        2
        """
        return (self.turns_granted - self.turn_number) % self.players

    @property
    def starting_seat(self) -> int:
        """The seat that began the game, or that will begin it, while seats act in the usual order (no `Variant.next_seat`).

        >>> from ttr_rules import arrange
        >>> arrange(None, {"stack": ["europe"], "seed": 1, "turns_left_in_round": 1, "players": [{}, {}, {}]}).state.starting_seat
        2
        """
        if not self.turn_number:
            return self.turn
        return (self.turn + self.turns_left_in_round + max(self.seats_to_skip, 0) + 1) % self.players

    @property
    def actions_taken(self) -> int:
        """The number of actions of the current turn after which it has gone on (`Variant.acts_again`). Free ones do not count."""
        return max(-int(self.passes), 0)

    @property
    def ends_round(self) -> bool:
        """True if the current turn is the last of its round.

        >>> from ttr_rules import arrange
        >>> arrange(None, {"stack": ["europe"], "seed": 1, "players": [{}, {}]}).state.ends_round
        False
        """
        return self.turn_number > 0 and not self.turns_left_in_round

    @property
    def last_round_follows(self) -> bool:
        """True if the last round begins when the current turn ends: its seat has few cars left, or the rounds run out (E1).

        A hook that is called before the turn ends may still change that, for example by granting another turn.

        >>> import ttr_rules as ttr
        >>> players = [{"name": "Ada", "cars": 2}, {"name": "Bo"}]
        >>> [ttr.arrange(None, {"stack": ["europe"], "seed": 1, "to_act": seat, "players": players}).state.last_round_follows for seat in (0, 1)]
        [True, False]
        """
        rules = self.rules
        if self.turn_number == 0 or self.turns_left or self.extra_turns:
            return False
        return self.cars[self.turn] <= rules.last_round_at or (self.ends_round and self.round == rules.rounds - 1)

    @property
    def owners(self) -> dict[str, int]:
        """The claimed routes, by id, with the owner of each: the first one if several seats hold it. In the order of the board."""
        ids = self.rules.network.route_ids
        return {ids[route]: seat for route, seat in enumerate(self.owner) if seat != FREE}

    def owner_of(self, route: str) -> int | None:
        """The owner of a route, by id, None if it is open: far quicker than `owners`, which lists all of them.

        >>> import ttr_rules as ttr
        >>> players = [{"name": "Ada", "routes": [["Paris", "Zürich"]]}, {"name": "Bo"}]
        >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state
        >>> state.owner_of("paris-zurich-gray"), state.owner_of("berlin-wien-green")
        (0, None)
        """
        owner = self.owner[self.rules.network.route_number[route]]
        return None if owner == FREE else owner

    def routes(self, seat: int) -> list[str]:
        """The ids of the routes that `seat` holds, alone or with others."""
        ids = self.rules.network.route_ids
        return [ids[route] for route in self.routes_of(seat)]

    def reaches(self, seat: int, city: str) -> bool:
        """True if `seat` holds a route at a city, alone or with others.

        >>> import ttr_rules as ttr
        >>> players = [{"name": "Ada", "routes": [["Paris", "Zürich"]]}, {"name": "Bo"}]
        >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state
        >>> state.reaches(0, "zurich"), state.reaches(0, "wien"), state.reaches(1, "zurich")
        (True, False, False)
        """
        network = self.rules.network
        for route in network.routes_at[network.city_number[city]]:
            if self.owner[route] == seat or (self.shared and self.shares(seat, route)):
                return True
        return False

    def routes_of(self, seat: int) -> list[int]:
        """The numbers of the routes that `seat` holds, alone or with others."""
        routes = [route for route, owner in enumerate(self.owner) if owner == seat]
        if self.shared:
            routes += [route for route, seats in self.shared.items() if seat in seats]
            routes.sort()
        return routes

    def routes_apart(self, seat: int) -> int:
        """A mask of the routes that touch no route of `seat`, for the hook `closed_routes`.

        It is 0 while the seat holds none.

        >>> import ttr_rules as ttr
        >>> players = [{"routes": [["Paris", "Zürich"]]}, {}]
        >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state
        >>> state.routes_apart(0).bit_count(), state.routes_apart(1), len(state.rules.board.routes)
        (88, 0, 101)
        """
        if self.apart is None:
            masks = [-1] * self.players
            for owner in range(self.players):
                for route in self.routes_of(owner):
                    masks[owner] &= self.rules.network.apart[route]
            self.apart = masks
        apart = self.apart[seat]
        return 0 if apart == -1 else apart

    @property
    def in_last_round(self) -> bool:
        """True in the turns of the last round (E1): those after the turn in which it began.

        >>> from ttr_rules import arrange
        >>> arrange(None, {"stack": ["europe"], "seed": 1, "turns_left": 2, "players": [{}, {}, {}]}).state.in_last_round
        True
        """
        return self.turns_left > 0 and self.turn_number > self.last_round_turn

    @property
    def is_last_turn(self) -> bool:
        """True during the last turn of a seat (E1), if plugins change neither the order of turns nor grant any."""
        return 0 < self.turns_left <= self.players

    def cached(self, user: object, seat: i64) -> CacheSlot:
        """The slot in which a user, such as a rule or its prices, caches a value for a seat.

        The value holds while `version` is that of the state. A user whose value depends on less compares that instead, and
        may set `value` alone. A state, unlike its rules, is used by one thread at a time.
        """
        by_seat = self.caches.get(user)
        if by_seat is None:
            by_seat = keep(self.caches, user, [CacheSlot() for _ in range(self.players)], MOST_CACHES)
        return by_seat[seat]

    def routes_of_others(self, seat: int, city: str) -> list[str]:
        """The ids of the routes at a city that others own, sorted."""
        network = self.rules.network
        routes = network.routes_at[network.city_number[city]]
        return sorted([network.route_ids[route] for route in routes if self.owner[route] not in (FREE, seat)])

    def closed_to_all(self, route: str) -> bool:
        """True if a route, by id, is claimed, or if its double is and this closes it to everybody (C6).

        It does not look at train cars, at C5, or at what plugins refuse.

        >>> import ttr_rules as ttr
        >>> players = [{"name": "Ada", "routes": ["berlin-frankfurt-red"]}, {"name": "Bo"}]
        >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state
        >>> [state.closed_to_all(route) for route in ("berlin-frankfurt-black", "berlin-frankfurt-red", "paris-zurich-gray")]
        [True, True, False]
        """
        number = self.rules.network.route_number[route]
        doubles = self.rules.network.twin_routes[number] if self.players < self.rules.doubles_from else ()
        return any(self.owner[half] != FREE for half in (number, *doubles))

    def shares(self, seat: int, route: int) -> bool:
        """True if `seat` holds a route besides its owner."""
        return bool(self.shared) and seat in self.shared.get(route, ())

    @property
    def ticket_pile(self) -> tuple[str, ...]:
        """The pile that tickets are drawn from in play, top first. If there are several, one after the other."""
        pile = self.ticket_piles.get(self.rules.ticket_pile, ())
        for name in self.rules.more_ticket_piles:
            pile += self.ticket_piles.get(name, ())
        return pile

    @property
    def has_tickets(self) -> bool:
        """True if `ticket_pile` has any tickets."""
        piles = self.ticket_piles
        if piles.get(self.rules.ticket_pile):
            return True
        more = self.rules.more_ticket_piles  # nearly always none: no generator is made
        return bool(more) and any(piles.get(name) for name in more)

    def values(self) -> dict[str, object]:
        """The whole state except rules and chance object, by field, as plain values to compare."""
        values: dict[str, object] = {name: getattr(self, name) for name in COMPARED}
        values["parts"] = {f"{kind.__module__}.{kind.__qualname__}": part.value() for kind, part in self.parts.items()}
        return values

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.rules.same_as(other.rules) and self.values() == other.values()

    def __repr__(self) -> str:
        pending = (
            ", ".join(f"{type(decision).__name__} of seat {decision.seat}" for decision in self.pending) or "nothing"
        )
        return cut(f"<State of {self.rules}: scores {self.scores}, pending {pending}>")


def _unpickle(rules: Rules, players: int, chance: SeededChance | Chance, values: dict[str, object]) -> State:
    state = State(rules, players, chance)
    for name, value in values.items():
        setattr(state, name, value)
    return state


def open_routes(state: State) -> list[int]:
    """For each seat the mask of the routes that are unclaimed, left open by C5 and C6, and for which it has enough cars.

    Where plugins change the number of cars (`claim_cars`), a `ClaimCondition` looks at it, and this function does not.
    `State.open_seats` and `State.open_by_class` say the same, and are updated by each claim. This computes it anew.

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> open_routes(state) == state.open
    True
    """
    network = state.rules.network
    every = (1 << len(state.owner)) - 1
    own: list[int] = [0] * state.players
    taken = 0
    for route, owner in enumerate(state.owner):
        if owner != FREE:
            taken |= network.bits[route]
            own[owner] |= network.bits[route]
    for route, seats in state.shared.items():
        for seat in seats:
            own[seat] |= network.bits[route]
    masks: list[int] = []
    for seat, cars in enumerate(state.cars):
        closed = state.rules.closed_beside(state.players, own[seat], taken)
        enough = every if state.rules.claim_cars else network.within(cars)
        masks.append(enough & ~taken & ~closed)
        if state.rules.fleet_of:
            masks[seat] &= _within_fleets(state, seat)
    return masks


def _within_fleets(state: State, seat: int) -> int:
    """The routes for which a seat has enough pieces of their kind, as a mask."""
    network = state.rules.network
    left = state.part(Fleets).left[seat]
    return sum([network.bits[n] for n, kind in enumerate(state.rules.fleet_of) if network.cars[n] <= left[kind]])


def use_pieces(state: State, seat: int, route: int) -> None:
    """Take the pieces of a route from the fleet of their kind."""
    state.part(Fleets).left[seat][state.rules.fleet_of[route]] -= state.rules.network.cars[route]
    recount(state, seat)


def recount(state: State, seat: i64) -> None:
    """Compute again which routes are open to a seat."""
    _open(state, seat, open_routes(state)[seat])


def recount_all(state: State) -> None:
    """Compute again which routes are open to each seat."""
    for seat, mask in enumerate(open_routes(state)):
        _open(state, seat, mask)


def _open(state: State, seat: i64, mask: int) -> None:
    """Note which routes are open to a seat, by their mask."""
    bit: int = 1 << seat
    state.open_stock.pop(int(seat), None)
    _unshare(state, 0)  # `open_seats` alone
    open_seats = state.open_seats
    for route, seats in enumerate(open_seats):
        open_seats[route] = seats | bit if mask >> route & 1 else seats & ~bit
    state.open_by_class[seat] = [
        sum([mask >> route & 1 for route in routes]) for routes in state.rules.network.class_routes
    ]


def _unshare(state: State, seats: i64) -> None:
    """Copy the counts of some seats, a bit each, and `open_seats`, if a copy of the state shares them."""
    every: i64 = 1 << state.players
    lent = state.lent_counts & (seats | every)
    state.lent_counts -= lent
    if lent & every:
        state.open_seats = state.open_seats.copy()
    for seat, counts in enumerate(state.open_by_class):
        if lent >> seat & 1:
            state.open_by_class[seat] = counts.copy()


def close_route(state: State, seat: i64, route: i64) -> None:
    """Close a route that a seat has claimed to all, and its twins to that seat or to all (C5, C6)."""
    rules = state.rules
    _close(state, EVERY_SEAT, route)
    for twin in rules.network.twin_routes[route]:
        _close(state, EVERY_SEAT if state.players < rules.doubles_from else 1 << seat, twin)


def free_route(state: State, seat: i64, route: i64) -> None:
    """Take a route from all who hold it, give its owner back the train cars, and open it again to all who may claim it."""
    network = state.rules.network
    state.cars[seat] += cars_on(state, seat, route)
    state.owner[route] = FREE
    state.shared.pop(route, None)
    state.apart = None
    if state.rules.claim_cars:  # a position does not say how many the claims of its routes took
        state.cars[seat] = min(state.cars[seat], state.rules.components.cars)
        state.part(CarsOnRoutes).on.pop(network.route_ids[route], None)
    if state.rules.fleet_of:
        state.part(Fleets).left[seat][state.rules.fleet_of[route]] += network.cars[route]
    recount_all(state)


def cars_on(state: State, seat: int, route: int) -> int:
    """The train cars of a seat on a route that it holds. Only those of its owner may have another number than usual."""
    network, usual = state.rules.network, state.rules.network.cars[route]
    if not state.rules.claim_cars or state.owner[route] != seat:
        return usual
    return state.part(CarsOnRoutes).on.get(network.route_ids[route], usual)


def close_long(state: State, seat: i64, before: i64) -> None:
    """Close the routes for which a seat no longer has the cars (C3). `before` is the number it had."""
    if state.rules.claim_cars:  # see `open_routes`
        return
    cars: i64 = state.cars[seat] + 1
    if cars < 0:  # a table to score may say so
        cars = 0
    while cars <= before and cars < len(state.rules.network.routes_by_cars):
        for route in state.rules.network.routes_by_cars[cars]:
            _close(state, 1 << seat, route)
        cars += 1


def _close(state: State, seats: i64, route: i64) -> None:
    """Close a route to some seats, a bit each."""
    open_seats: i64 = state.open_seats[route]
    seats &= open_seats
    if seats == 0:
        return
    if state.lent_counts:
        _unshare(state, seats)
    state.open_seats[route] = open_seats - seats
    rules, open_by_class = state.rules, state.open_by_class
    route_class: i64 = rules.network.class_of[route]
    known = rules.seats_in
    # A table with too many players is read to its end all the same.
    closed = known[seats] if seats < len(known) else [seat for seat in range(state.players) if seats >> seat & 1]
    for seat in closed:
        counts = open_by_class[seat]
        here: i64 = counts[route_class]
        counts[route_class] = here - 1
    if state.open_stock:
        for seat, last in state.open_stock.items():
            if seats >> seat & 1 and not last.is_closed[route]:
                cost: i64 = last.cost_of[route]
                left: i64 = last.stock[cost]
                last.stock[cost] = left - 1  # compiled, `-= 1` would make objects


def closed_by_twin(state: State, seat: int, route: int) -> tuple[str, int] | None:
    """The rule by which a double closes an unclaimed route to a seat, and the claimed half, or None if it is open."""
    claimed = [twin for twin in state.rules.network.twin_routes[route] if state.owner[twin] != FREE]
    for twin in claimed:
        if state.owner[twin] == seat or state.shares(seat, twin):
            return "C5", twin
    return ("C6", claimed[0]) if claimed and state.players < state.rules.doubles_from else None
