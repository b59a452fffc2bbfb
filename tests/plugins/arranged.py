"""Plugins whose faults show only in arranged positions: in the last round with gems that nobody gets in play, or without a home."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from ttr_rules import Event, State
from ttr_rules.events import Unknown
from ttr_rules.parts import KeyHelp, Position, Report
from ttr_rules.plugins import (
    Choice,
    Part,
    Question,
    Rules,
    Transaction,
    Variant,
    by_seat,
    hidden,
    known,
    points_in_play,
    public,
    secret,
)

from . import made
from .faulty import few_cars

# -- gems ---------------------------------------------------------------------------------------------------------------

GEMS = ("jade", "opal", "ruby") * 4


class Hoards(Part):
    """The gems of each seat, and the rest in a bag."""

    held: list[tuple[str, ...] | Unknown] = by_seat(pool="gems", key="gems", help="The gems of this player.")
    bag: tuple[str, ...] | Unknown = hidden(default=GEMS, pool="gems")
    ends: bool = public(label="")
    rubies: int = public(label="")

    def box(self, rules: Rules) -> Mapping[str, Iterable[object]]:
        return {"gems": GEMS}


class CountedHoards(Hoards):
    """In the last round everybody sees how many rubies there are in all hoards."""

    def seen_by(self, seat: int | None) -> CountedHoards:
        shown = self.copy()
        shown.held = [
            known(gems) if owner == seat else Unknown(len(known(gems))) for owner, gems in enumerate(self.held)
        ]
        shown.bag = Unknown(len(known(self.bag)))
        shown.rubies = sum(known(gems).count("ruby") for gems in self.held) if self.ends else 0
        return shown


class Crafts(Part):
    """Keys of which one is refused, in words that name only the player."""

    town: list[str] = public(each="", of="cities", key="town", help="The town of this player.")
    craft: list[str] = public(each="", of=("mill", "smith"), key="craft", help="The craft of this player.")

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        super().arrange(tx, position, report)
        for player in position.players:
            if tx.state.part(Crafts).craft[player.seat]:
                report.add(player.place, "nobody has a craft")


class SingleGems(Hoards):
    """Nobody has more than one gem."""

    def validate(self, rules: Rules) -> str | None:
        return "one gem each" if any(len(known(gems)) > 1 for gems in self.held) else None


class EndSeen(Event):
    message = "everybody sees that the end is near"

    def apply(self, state: State) -> None:
        next(part for part in state.parts.values() if isinstance(part, Hoards)).ends = True


class GemLost(Event):
    """A gem goes back into the bag."""

    message = "{seat} loses a gem"
    seat: int
    gem: str | Unknown

    def apply(self, state: State) -> None:
        part, gem = state.part(Hoards), str(self.gem)
        held = [*known(part.held[self.seat])]
        held.remove(gem)
        part.held[self.seat] = tuple(held)
        part.bag = (*known(part.bag), gem)


class GemLostUnseen(GemLost):
    """The same, unseen by others."""

    gem: str | Unknown = secret("seat")


def losing(event: type[GemLost]) -> type[Variant]:
    """In the last round a seat loses a gem at the start of its turn."""

    def lose(tx: Transaction, seat: int) -> None:
        held = known(tx.state.part(Hoards).held[seat])
        if tx.state.turns_left and held:
            tx.emit(event, seat, held[0])

    return made.plugin("losing", (), __name__, components=few_cars, parts=lambda rules: [Hoards], on_turn_start=lose)


def counting(kind: type[Hoards]) -> type[Variant]:
    """The hoards are about to be counted once the last round has begun."""
    return made.plugin(
        "counting",
        (),
        __name__,
        components=few_cars,
        parts=lambda rules: [kind],
        on_last_round=lambda tx: tx.emit(EndSeen),
    )


# -- a key that every position needs ---------------------------------------------------------------------------------


class Homes(Part):
    """The home town of each player, chosen before the first turn."""

    town: list[str] = public(each="", key="home", of="cities", help="The home town of this player.")


class NeededHomes(Homes):
    """The same, which every position must have."""

    town: list[str] = public(each="", key="home", of="cities", required=True, help="The home town of this player.")


class ChooseHome(Choice[str]):
    """The home town of a player."""

    public = True
    message = "Where is your home?"

    def options(self, state: State) -> Sequence[str]:
        taken = find_homes(state).town
        return [city for city in state.rules.board.cities if city not in taken]

    def chosen(self, tx: Transaction, option: str) -> Question | None:
        tx.put_items(find_homes(tx.state), "town", self.seat, (option,))
        following = self.seat + 1
        return ChooseHome(following) if following < tx.state.players else None


class HomeSeen(Event):
    message = "{seat} thinks of {country}"
    seat: int
    country: str


def find_homes(state: State) -> Homes:
    return next(part for part in state.parts.values() if isinstance(part, Homes))


def living(kind: type[Homes]) -> type[Variant]:
    """Everybody thinks of the country of the home town at the start of each turn."""

    def think(tx: Transaction, seat: int) -> None:
        tx.emit(HomeSeen, seat, tx.rules.board.cities[find_homes(tx.state).town[seat]].country or "")

    return made.plugin(
        "living",
        (),
        __name__,
        components=few_cars,
        parts=lambda rules: [kind],
        on_game_start=lambda tx: ChooseHome(0),
        on_turn_start=think,
    )


class Walls(Part):
    """Walls, of which no position can have two, though the example says so."""

    part_keys: ClassVar[Mapping[str, KeyHelp]] = {"walls": KeyHelp("The walls.", "2", required=True)}

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        super().arrange(tx, position, report)
        position.table("parts", report).number("walls", 0, 0, 1, report)


class Posts(Part):
    """A key that only `arrange` reads, so that its example is written."""

    player_keys: ClassVar[Mapping[str, KeyHelp]] = {"post": KeyHelp("The city of the post.", "{city}")}


class Towers(Part):
    """Towers that no position can have, though there is a key for them."""

    built: int = public(key="towers", help="The towers.")

    def validate(self, rules: Rules) -> str | None:
        return "there are no towers" if self.built else None


def building(kind: type[Part]) -> type[Variant]:
    return made.plugin("building", (), __name__, components=few_cars, parts=lambda rules: [kind])


# -- a position that fails ---------------------------------------------------------------------------------------------


def dividing(players: int = 0) -> type[Variant]:
    """Something goes wrong as soon as somebody has gems, with so many players, or with any number of them."""

    def divide(tx: Transaction, seat: int) -> None:
        if players in (0, tx.state.players):
            tx.score(seat, 0 // (not known(tx.state.part(Hoards).held[seat])), "divided")

    return made.plugin(
        "dividing",
        (),
        __name__,
        components=few_cars,
        parts=lambda rules: [Hoards],
        on_turn_start=divide,
        scoring=lambda rules: [points_in_play("divided")],
    )


POSITIONED: dict[str, tuple[Callable[[], type[Variant]], str, list[str]]] = {
    "an event of the last round that names what is hidden": (
        lambda: losing(GemLost), "secrets", ["the event plugins.arranged.GemLost tells", "cannot know", "position='last turns'"],
    ),
    "a view of the last round that counts what is hidden": (
        lambda: counting(CountedHoards), "secrets", ["'rubies' of CountedHoards.seen_by", "position='last turns'"],
    ),
    "a position without what every position needs": (
        lambda: living(Homes), "tables", ["no position can be arranged, not even an empty one", "required=True"],
    ),
    "an example of a required key that is refused": (
        lambda: building(Walls), "tables", ["no position can be arranged with the keys that are required", "parts.walls: expected"],
    ),
    "a position in which a key holds something": (
        dividing, "tables", ["a position in which the keys of parts hold something cannot be arranged", "ZeroDivisionError"],
    ),
}  # fmt: skip
SOUND: dict[str, Callable[[], type[Variant]]] = {
    "an event of the last round that hides what it names": lambda: losing(GemLostUnseen),
    "an end that is seen": lambda: counting(Hoards),
    "a key that every position needs": lambda: living(NeededHomes),
}
