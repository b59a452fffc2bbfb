"""Parts of a variant besides the board: decks of tickets, set-up and draws, components, texts of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import Any, Final, Protocol, TypeAlias, TypeGuard

from attrs import Attribute, evolve, field, frozen

from ttr_rules.errors import InvalidInputError
from ttr_rules.language import Message
from ttr_rules.model.board import Ticket
from ttr_rules.reading import is_list, read_toml
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import Compact, brief


class Unkept(Enum):
    """The place of tickets that are not kept: under their pile, in the box, or on discards of their own.

    Discarded tickets are shuffled to go under the pile when fewer are left than somebody draws, or none.

    >>> import ttr_rules as ttr
    >>> ttr.compile_rules("europe").draw_counts.unkept, ttr.compile_rules("switzerland").draw_counts.unkept
    (<Unkept.UNDER_PILE: 'under the pile'>, <Unkept.BOX: 'to the box'>)
    """

    UNDER_PILE = "under the pile"
    BOX = "to the box"
    DISCARD = "to the discards"


#: The field whose value a validator checks.
Checked: TypeAlias = "Attribute[Any]"


def _frozen_piles(piles: Mapping[str, Sequence[Ticket]]) -> Mapping[str, tuple[Ticket, ...]]:
    return FrozenMap({name: tuple(tickets) for name, tickets in piles.items()})


@frozen(eq=False, repr=False)
class TicketDeck:
    """The tickets of a variant in piles by name, in the order in which they are shuffled: long before regular.

    Piles of the printed games are named after the kind of ticket: "long", "regular".

    >>> import ttr_maps
    >>> TicketDeck.by_kind([ticket for ticket in ttr_maps.load("europe").tickets if ticket.set == "europe"])
    <TicketDeck: 6 long, 40 regular>
    """

    piles: Mapping[str, tuple[Ticket, ...]] = field(converter=_frozen_piles)

    def __repr__(self) -> str:
        return f"<TicketDeck: {', '.join(f'{len(pile)} {name}' for name, pile in self.piles.items())}>"

    @classmethod
    def by_kind(cls, tickets: Sequence[Ticket]) -> TicketDeck:
        """One pile per kind, long tickets first, each in the order given."""
        kinds = dict.fromkeys(ticket.kind for ticket in tickets)
        order = sorted(kinds, key=lambda kind: kind != "long")
        return cls({kind: [ticket for ticket in tickets if ticket.kind == kind] for kind in order})

    def beside(self, tickets: Sequence[Ticket], pile: str) -> TicketDeck:
        """The same deck with more tickets in a pile, which may be new. A plugin adds its tickets to a deck with it.

        Every ticket of a stack has a unique id. One whose id is taken is prefixed with the name of its set.

        >>> deck = TicketDeck({"regular": [Ticket("a-b", ("a", "b"), 5)]})
        >>> more = deck.beside([Ticket("a-b", ("a", "b"), 7, set="mail"), Ticket("a-c", ("a", "c"), 4)], "regular")
        >>> [ticket.id for ticket in more.piles["regular"]]
        ['a-b', 'mail-a-b', 'a-c']
        """
        taken = {ticket.id for ticket in self.tickets}
        added: list[Ticket] = []
        for ticket in tickets:
            new = evolve(ticket, id=f"{ticket.set}-{ticket.id}") if ticket.id in taken else ticket
            if new.id in taken:
                raise InvalidInputError(f"there are two tickets {brief(new.id)} already: give one of them another id")
            taken.add(new.id)
            added.append(new)
        return TicketDeck({**self.piles, pile: (*self.piles.get(pile, ()), *added)})

    @property
    def tickets(self) -> tuple[Ticket, ...]:
        """All tickets of all piles."""
        return tuple(ticket for pile in self.piles.values() for ticket in pile)


class KeepRule(Protocol):
    """A rule about the tickets to keep. An object, because some rules depend on what was kept before.

    >>> class AllOrNone:
    ...     def refusal(self, dealt, kept, before):
    ...         return None if len(kept) in (0, len(dealt)) else "keep all of them or none"
    >>> Stage(deals=(Deal("regular", 3),), keep=AllOrNone()).keep.refusal(["a", "b", "c"], ["a"], [])
    'keep all of them or none'
    """

    def refusal(self, dealt: Sequence[Ticket], kept: Sequence[Ticket], before: Sequence[Ticket]) -> str | None:
        """None if `kept` of `dealt` is allowed for a seat that already holds `before`, else the reason."""
        ...


def _number(least: int, most: int | None = None, *, none: bool = False) -> Callable[[object, Checked, object], None]:
    """A validator for whole numbers in a range, and None if that is allowed."""

    def check(_: object, attribute: Checked, value: object) -> None:
        if value is None and none:
            return
        if type(value) is not int or value < least or (most is not None and value > most):
            span = f"of at least {least}" if most is None else f"from {least} to {most}"
            cure = f": write {attribute.name}={value}" if isinstance(value, str) and value.isdecimal() else ""
            raise InvalidInputError(f"{attribute.name} is a whole number {span}, not {brief(value)}{cure}")

    return check


@frozen
class KeepAtLeast:
    """Keep at least `least` tickets in any mix, or as many as were dealt if those are fewer.

    Raises `InvalidInputError` for anything but a number of tickets, and so does `KeepBetween`.

    >>> KeepAtLeast(2).refusal(["a", "b", "c"], ["a"], [])
    'at least 2 of the 3 tickets must be kept, not 1'
    """

    least: int = field(validator=_number(0))

    def limits(self, dealt: Sequence[Ticket], before: Sequence[Ticket]) -> tuple[int, int]:
        """The fewest and the most of the tickets dealt that a seat may keep if it holds those of `before`.

        >>> KeepAtLeast(2).limits(["a", "b", "c"], [])
        (2, 3)
        """
        return min(self.least, len(dealt)), len(dealt)

    def refusal(self, dealt: Sequence[Ticket], kept: Sequence[Ticket], before: Sequence[Ticket]) -> str | None:
        """See `KeepRule`."""
        least, most = self.limits(dealt, before)
        if len(kept) > most:
            template = "at most {most} of the {dealt} tickets may be kept, not {kept}"
            return Message(template, most=most, dealt=len(dealt), kept=len(kept))
        if len(kept) < least:
            template = "at least {least} of the {dealt} tickets must be kept, not {kept}"
            return Message(template, least=least, dealt=len(dealt), kept=len(kept))
        return None


@frozen(repr=False)
class KeepBetween(Compact, KeepAtLeast):
    """Keep at least `least` tickets, or `least_with_kept` after keeping one in an earlier stage, and `most` at most.

    >>> KeepBetween(most=1).refusal(["a", "b"], ["a", "b"], [])
    'at most 1 of the 2 tickets may be kept, not 2'
    """

    least: int = field(default=0, validator=_number(0))
    least_with_kept: int | None = field(default=None, validator=_number(0, none=True))
    most: int | None = field(default=None, validator=_number(0, none=True))

    def __attrs_post_init__(self) -> None:
        least = max(self.least, self.least_with_kept or 0)
        if self.most is not None and least > self.most:
            raise InvalidInputError(f"at least {least} and at most {self.most} tickets cannot be kept")

    def limits(self, dealt: Sequence[Ticket], before: Sequence[Ticket]) -> tuple[int, int]:
        least = self.least_with_kept if before and self.least_with_kept is not None else self.least
        most = len(dealt) if self.most is None else min(self.most, len(dealt))
        return min(least, len(dealt)), most


def has_limits(keep: KeepRule) -> TypeGuard[KeepAtLeast]:
    """True if a rule refuses by its `limits` alone: then plugins may change the fewest to keep (`Variant.tickets_kept`)."""
    return isinstance(keep, KeepAtLeast) and type(keep).refusal is KeepAtLeast.refusal


@frozen
class Deal:
    """A number of tickets of one pile for every seat.

    >>> import ttr_rules as ttr
    >>> ttr.compile_rules("europe").setup[0].deals
    (Deal(pile='long', count=1), Deal(pile='regular', count=3))
    """

    pile: str
    count: int = field(validator=_number(0))


@frozen
class Mix:
    """A number of tickets for every seat, which announces how many of them come from each pile.

    >>> import ttr_rules as ttr
    >>> ttr.compile_rules("germany-tickets").setup[0].mix
    Mix(count=4, piles=('short', 'long'))
    """

    count: int = field(validator=_number(0))
    piles: tuple[str, ...]


@frozen(repr=False)
class Stage(Compact):
    """One round of dealing and choosing at set-up.

    Each seat is dealt what `deals` says or, with a `mix`, what it announces. With a `mix`, nothing else can be dealt or
    boxed in this stage, and tickets that are not kept are shuffled back into the piles they came from. `box_rest` names
    piles whose undealt tickets leave the game, unseen, once this stage has been dealt, as do tickets of these piles
    that are not kept. Other tickets that are not kept go under the pile `under`, or to the box if that is None. With
    `shuffled` they are shuffled first. `rule` is the rule id that refusals cite.

    >>> import ttr_rules as ttr
    >>> [(len(stage.deals), stage.keep, stage.box_rest) for stage in ttr.compile_rules("mega-europa").setup]
    [(1, KeepBetween(most=1), ('long',)), (1, KeepBetween(least=3, least_with_kept=2), ())]
    """

    deals: tuple[Deal, ...]
    keep: KeepRule
    mix: Mix | None = field(default=None, kw_only=True)
    under: str | None = None
    shuffled: bool = False
    box_rest: tuple[str, ...] = ()
    rule: str = "S7"


#: The stages before the first turn in which tickets are dealt and kept.
Setup = tuple[Stage, ...]


#: No draw has more cards than this.
MOST_CARDS = 1000


@frozen
class DrawCounts:
    """Tickets drawn in play: `drawn` from the top of `pile`, at least `keep` kept, the rest as in `unkept` (K1, K2).

    With `more_piles` the player first announces how many to draw from each pile. Who draws cards draws `cards` of them. A
    face-up locomotive counts as `wild_cards` of them: it can be the first card, or a later one if so many are left. In
    a draw of at most `wild_cards` cards it is the only one, even if a plugin's `cards_drawn` gives a seat more than `cards`.
    Raises `InvalidInputError` if more must be kept than are drawn, or no card is drawn.

    >>> import ttr_rules as ttr
    >>> ttr.compile_rules("switzerland").draw_counts
    DrawCounts(drawn=3, keep=1, unkept=<Unkept.BOX: 'to the box'>, pile='regular', more_piles=(), cards=2, wild_cards=1)
    >>> DrawCounts(drawn=2, keep=3)
    Traceback (most recent call last):
        ...
    ttr_rules.errors.InvalidInputError: 2 tickets are drawn and 3 of them kept: invalid draw counts (K1)
    """

    drawn: int = field(default=3, validator=_number(1))
    keep: int = field(default=1, validator=_number(0))
    unkept: Unkept = Unkept.UNDER_PILE
    pile: str = "regular"
    more_piles: tuple[str, ...] = ()
    cards: int = field(default=2, validator=_number(1, MOST_CARDS))
    wild_cards: int = field(default=2, validator=_number(1, MOST_CARDS))

    def __attrs_post_init__(self) -> None:
        if self.keep > self.drawn:
            raise InvalidInputError(
                f"{self.drawn} tickets are drawn and {self.keep} of them kept: invalid draw counts (K1)"
            )

    @cached_property
    def piles(self) -> tuple[str, ...]:
        """All piles that tickets are drawn from in play."""
        return (self.pile, *self.more_piles)

    @cached_property
    def discards(self) -> Mapping[str, str]:
        """The names of the discards of these piles, where unkept tickets are discarded.

        >>> DrawCounts(unkept=Unkept.DISCARD).discards
        {'regular': 'regular discards'}
        """
        return FrozenMap({name: f"{name} discards" for name in self.piles if self.unkept is Unkept.DISCARD})


#: Nobody needs more seats: the largest boxes are for six.
MOST_PLAYERS: Final = 10
#: More rounds than any game has.
MOST_ROUNDS: Final = 1_000_000


def _check_flag(_: object, attribute: Checked, value: object) -> None:
    if type(value) is not bool:
        raise InvalidInputError(f"{attribute.name} is True or False, not {brief(value)}")


def _check_fleets(_: object, attribute: Checked, fleets: Mapping[str, object]) -> None:
    for kind, count in fleets.items():
        if type(count) is not int or count < 1:
            raise InvalidInputError(f"fleets.{kind} is a whole number of at least 1, not {brief(count)}")


def _to_teams(given: Iterable[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
    teams: object = given
    if is_list(teams) and all(is_list(team) for team in teams):
        seats: list[object] = [seat for team in given for seat in team]
        if all(type(seat) is int and 0 <= seat < MOST_PLAYERS for seat in seats) and len({*seats}) == len(seats):
            return tuple([tuple(team) for team in given])
    raise InvalidInputError(f"ticket_teams are teams of seats, as ((0, 2), (1, 3)), not {brief(teams)}")


@frozen
class Components:
    """The contents of the box besides the board, the tickets and what the economy needs (S1, C6, E1).

    `cars` are what every player starts with. `doubles_from` is the number of players from which all routes of a double
    may be used, `last_round_at` the number of remaining cars that triggers the last round (None: no number does),
    `last_turns` how many turns every player then has. With `rounds`, the game ends after that many rounds at the
    latest, whatever `last_turns` says. If `last_round_at` is None as well, nothing ends it earlier,
    not even a round of passes (R4). With `open_tickets` everybody sees everybody's tickets once set-up is over. With `ticket_teams`, as ((0, 2),
    (1, 3)), the seats of a team see each other's. `fleets` is for pieces of several kinds: a route takes those of a
    kind that is one of its marks, else of the first, and `cars` is how many there are in all. Plugins give and adjust
    them with the hook `components`. Raises `InvalidInputError` for a number that no game can be played with.

    >>> import ttr_rules as ttr
    >>> ttr.compile_rules("switzerland").components
    Components(cars=40, min_players=2, max_players=3, doubles_from=3, last_round_at=2, last_turns=1, rounds=None, open_tickets=False, fleets={}, ticket_teams=())
    """

    cars: int = field(default=45, validator=_number(1))
    min_players: int = field(default=2, validator=_number(1, MOST_PLAYERS))
    max_players: int = field(default=5, validator=_number(1, MOST_PLAYERS))
    doubles_from: int = field(default=4, validator=_number(1))
    last_round_at: int | None = field(default=2, validator=_number(0, none=True))
    last_turns: int = field(default=1, validator=_number(1))
    rounds: int | None = field(default=None, validator=_number(2, none=True))
    open_tickets: bool = field(default=False, validator=_check_flag)
    fleets: Mapping[str, int] = field(
        factory=FrozenMap[str, int], converter=FrozenMap[str, int], validator=_check_fleets
    )
    ticket_teams: tuple[tuple[int, ...], ...] = field(default=(), converter=_to_teams)

    def __attrs_post_init__(self) -> None:
        if self.fleets:
            object.__setattr__(self, "cars", sum(self.fleets.values()))

    def partners_of(self, seat: int | None) -> tuple[int, ...]:
        """The other seats whose tickets a seat sees. A spectator sees none.

        >>> Components(ticket_teams=((0, 2), (1, 3))).partners_of(3)
        (1,)
        """
        team = next((team for team in self.ticket_teams if seat in team), ())
        return tuple([other for other in team if other != seat])

    @property
    def players_text(self) -> str:
        """The number of players, in words.

        >>> Components(max_players=4).players_text, Components(min_players=4, max_players=4).players_text
        ('2 to 4 players', '4 players')
        """
        least, most = self.min_players, self.max_players
        return f"{least} to {most} players" if least < most else f"{most} player{'s' if most > 1 else ''}"


@frozen(repr=False)
class Rule:
    """One rule. A ruling that can be changed names the option that decides it and its other value.

    >>> print(Rule("C5", "Never both halves", "One player never holds both.", "Claims"))
    [C5] Never both halves
    """

    id: str
    title: str
    text: str
    section: str
    ruling: str | None = None
    alternative: str | None = None

    def __str__(self) -> str:
        return f"[{self.id}] {self.title}"

    def __repr__(self) -> str:
        return f"<Rule {self.id}: {self.title}>"


@frozen
class RuleFile:
    """A plugin's file of rules, read on demand: TOML in a package, with one table per rule, by id.

    >>> RuleFile("ttr_rules.plugins", "rules.toml").read()[0].id
    'S1'
    """

    package: str
    name: str = "rules.toml"

    def read(self) -> tuple[Rule, ...]:
        """Read the rules in the file."""
        from importlib.resources import files  # slow to import, and seldom needed

        text = files(self.package).joinpath(self.name).read_text(encoding="utf-8")
        return tuple(Rule(id, **entry) for id, entry in read_toml(text).items())
