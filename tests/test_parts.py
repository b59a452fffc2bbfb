"""Parts of a state: copies share nothing that can change, and what cannot be copied is refused when a stack compiles."""

from __future__ import annotations

import array
import copy
import pickle
import re
import tomllib
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, MutableMapping, MutableSequence, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

import pytest
from attrs import define, evolve, frozen
from helpers import all_but, rules_of
from plugins.made import giving, plugin

import ttr_rules as ttr
from ttr_rules import State, events as facts
from ttr_rules.actions import economy_of
from ttr_rules.clients import to_json, view_from_json
from ttr_rules.engine import view_of
from ttr_rules.errors import InvalidTableError, PluginError, SaveError
from ttr_rules.hidden import missing
from ttr_rules.kernel.copying import can_change, copy_deeply
from ttr_rules.language import language
from ttr_rules.model import Dealer
from ttr_rules.model.cards import Card, Counts, Unknown
from ttr_rules.parts import Position, PrintedName, Report, keys_of
from ttr_rules.plugins import (
    Part,
    Rules,
    Score,
    ScoringTerm,
    Transaction,
    Variant,
    by_seat,
    hidden,
    hookimpl,
    known,
    public,
    secret,
)
from ttr_rules.scores import Detail
from ttr_rules.train_cards import CardPiles, TrainCards
from ttr_tools.cli.score import score_template
from ttr_tools.narration import Names, Narrator, narrate
from ttr_tools.narration.words import part_fields, player_columns
from ttr_tools.testing import check_variant

if TYPE_CHECKING:
    from fractions import Fraction


class Pair(NamedTuple):
    """A tuple with names."""

    one: list[int]
    two: int


class Shelf(list[int]):
    """A list with more to it."""

    label = ""


@define
class Changing:
    """It can change."""

    left: int = 0


def part_class(hint: Any, make: Callable[[], Any] | None = None) -> type[Part]:
    """A class of parts with one public field of a type."""
    one: Any = public(default=None if make is None else make())
    return type("Store", (Part,), {"__annotations__": {"a": hint}, "a": one})


def stack(kind: type[Part], *more: str) -> ttr.Rules:
    class Depot(Variant, name="depot"):
        """Depot: it keeps something."""

        @hookimpl
        def parts(self, rules: Rules) -> tuple[type[Part], ...]:
            return (kind,)

    return ttr.compile_rules("europe", *more, Depot)


def appended(value: Any) -> None:
    value.append(1)


def counted_up(value: Any) -> None:
    value["b"] += 1


MUTABLE: list[tuple[Any, Callable[[], Any], Callable[[Any], None]]] = [
    (list[int] | None, list, appended),
    (Annotated[list[int], "numbers"], list, appended),
    (list, list, appended),
    (Any, list, appended),
    (Counter[str], lambda: Counter("abc"), counted_up),
    (deque[int], lambda: deque([4], maxlen=2), appended),
    (OrderedDict[str, int], lambda: OrderedDict[str, int](b=1), counted_up),
    (OrderedDict[str, list[int]], lambda: OrderedDict[str, list[int]](b=[1]), lambda value: appended(value["b"])),
    (defaultdict[str, int], lambda: defaultdict[str, int](int), counted_up),
    (defaultdict[str, list[int]], lambda: defaultdict(list, b=[]), lambda value: appended(value["b"])),
    (tuple[list[int], ...], lambda: ([], []), lambda value: appended(value[1])),
    (Pair, lambda: Pair([], 1), lambda value: appended(value.one)),
    (list[list[list[int]]], lambda: [[[]]], lambda value: appended(value[0][0])),
    (dict[str, dict[str, list[int]]], lambda: {"a": {"b": []}}, lambda value: appended(value["a"]["b"])),
    (dict[str, tuple[int, list[int]]], lambda: {"a": (1, [0])}, lambda value: appended(value["a"][1])),
    (list[list[int] | None], lambda: [None, []], lambda value: appended(value[1])),
    (list[deque[int]], lambda: [deque()], lambda value: appended(value[0])),
    (dict[str, Counter[str]], lambda: {"a": Counter("b")}, lambda value: counted_up(value["a"])),
    (set[int] | None, lambda: {4}, lambda value: value.add(5)),
    (Shelf, Shelf, appended),
]


@pytest.mark.parametrize(("hint", "make", "change"), MUTABLE, ids=range(len(MUTABLE)))
def test_a_copy_of_a_part_shares_nothing_that_can_change(
    hint: Any, make: Callable[[], Any], change: Callable[[Any], None]
) -> None:
    game = ttr.new_game(rules=stack(part_class(hint, make)), players=2, seed=1)
    kind = next(kind for kind in game.state.parts if kind.__name__ == "Store")
    before = make()
    for part in (
        game.state.part(kind),
        game.view(0).part(kind),
        game.view(None).part(kind),
        game.copy().state.part(kind),
    ):
        value: Any = getattr(part, "a")  # noqa: B009
        assert value == before and type(value) is type(before)
        change(value)
        assert value != before
        assert getattr(game.state.part(kind), "a") == before  # noqa: B009


def test_what_cannot_change_is_shared_and_the_rest_is_kept_as_it_is() -> None:
    for hint in (int, str | None, tuple[str, ...], tuple[()], Mapping[str, int], Sequence[int], Literal["a"], type[list[int]],
                 Callable[[int], str], ttr.Ticket, frozenset[str]):  # fmt: skip
        assert not can_change(hint), hint
    same = (1, ("a", "b"))
    assert copy_deeply(same) is same
    assert copy_deeply(deque([1, 2], maxlen=2)).maxlen == 2
    assert copy_deeply(defaultdict(list)).default_factory is list


@pytest.mark.parametrize(
    "hint",
    [
        MutableMapping[str, int], MutableSequence[int], bytearray, array.array, Changing, list[Changing],
        Changing | None, tuple[Changing, ...], Mapping[str, list[int]],
    ],
)  # fmt: skip
def test_fields_that_nobody_knows_how_to_copy_are_refused(hint: Any) -> None:
    with pytest.raises(PluginError) as caught:
        stack(part_class(hint, dict))
    message = str(caught.value)
    assert message.startswith("the state part Store of plugin 'depot': its field 'a' cannot be copied: ")
    assert "only lists, dicts, sets and deques are copied" in message


def test_what_a_seat_sees_of_a_part_can_be_copied() -> None:
    class Mixed(Part):
        held: list[list[int]] = by_seat()
        pile: list[str] = hidden(default=["a", "b"])
        notes: dict[str, list[int]] = hidden(default={"a": [1]})

    shown = Mixed(held=[[1], [2, 3]]).seen_by(0)
    assert isinstance(shown, Mixed)
    again = shown.copy()
    seen: tuple[object, ...] = (again.held, again.pile, again.notes)
    assert seen == ([[1], Unknown(2)], Unknown(2), Unknown(1))
    again.held[0].append(5)
    assert shown.held[0] == [1]


# -- mistakes in a part ---------------------------------------------------------------------------------------------------


def test_a_field_says_who_sees_it() -> None:
    with pytest.raises(PluginError, match=r"Bare.left does not say who sees it: write left = public\(\)"):

        class Bare(Part):
            left: int = 3


def test_a_field_may_not_hide_a_method_of_parts() -> None:
    with pytest.raises(PluginError, match=r"Chips.value hides a method of Part: give the field another name"):

        class Chips(Part):
            value: list[int] = public(each=0)  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]


def test_parts_and_values_need_no_decorator() -> None:
    with pytest.raises(PluginError, match="Still needs no decorator"):

        @frozen(eq=False)
        class Still(Part):
            left: int = public(default=3)

    with pytest.raises((PluginError, ValueError)):

        @frozen
        class Sold(ttr.Event):
            seat: int


def test_a_type_that_cannot_be_read_is_told_with_its_part() -> None:
    class Shelf(Part):
        books: "NoSuchType" = public(key="books", of=("a", "b"), default=())  # type: ignore[name-defined] # pyright: ignore[reportUndefinedVariable, reportUnknownVariableType] # noqa: F821, UP037

    with pytest.raises(
        PluginError, match="the state part Shelf of plugin 'shelf': an annotation of Shelf cannot be read"
    ):
        ttr.compile_rules("europe", plugin("shelf", parts=lambda rules: [Shelf]))


def test_fields_begin_as_they_are_declared() -> None:
    class Depots(Part):
        built: dict[str, int] = public()
        left: list[int] = public(each=3)
        prices: list[list[int]] = public(each=[1])
        held: list[tuple[str, ...]] = by_seat()
        pile: tuple[str, ...] = hidden()
        best: int | None = public()
        table: dict[str, list[int]] = public(default={"a": [1]})

    rules = stack(Depots)
    one, other = (ttr.new_game(rules=rules, players=2, seed=seed).state.part(Depots) for seed in (1, 2))
    start = Depots(built={}, left=[3, 3], prices=[[1], [1]], held=[(), ()], pile=(), best=None, table={"a": [1]})
    assert one == other == start
    one.table["a"].append(2)
    one.prices[0].append(2)
    assert other == start and one.prices[1] == [1]


def test_a_type_without_an_empty_value_needs_a_default() -> None:
    class Place(Part):
        color: Card = public()

    with pytest.raises(
        PluginError, match="the state part Place: a Card has no empty value to begin with: write default="
    ):
        stack(Place)


def test_an_entry_without_an_empty_value_needs_each() -> None:
    class Places(Part):
        colors: list[Card | Unknown] = by_seat()

    with pytest.raises(
        PluginError, match="the state part Places: a Card has no empty value to begin with: write each="
    ):
        stack(Places)


@pytest.mark.parametrize(
    ("declare", "more", "words"),
    [
        (by_seat, "default", r"by_seat\(\) has no default=: write each=, the entry with which each seat begins"),
        (hidden, "each", r"hidden\(\) has no each=: write default=, or by_seat\(each=\)"),
        (
            public,
            "labels",
            r"public\(\) has no labels=: write one of label, seats, pool, key, of, help",
        ),
    ],
)
def test_an_argument_that_a_declaration_does_not_have_is_told_with_what_to_write(
    declare: Callable[..., Any], more: str, words: str
) -> None:
    with pytest.raises(PluginError, match=words):
        declare(**{more: ()})


def test_the_type_of_a_field_may_say_that_views_hide_it() -> None:
    """It begins, is copied, dealt and counted as without `Unknown`."""

    class Chests(Part):
        gold: list[int | Unknown] = by_seat()
        held: list[tuple[str, ...] | Unknown] = by_seat(pool="gems")
        bag: list[str] | Unknown = hidden(default=["ruby", "opal", "onyx"], pool="gems")
        best: int | None | Unknown = hidden()

        def box(self, rules: Rules) -> Mapping[str, Sequence[str]]:
            return {"gems": ["ruby", "opal", "onyx"]}

        def redeal(self, view: ttr.View, dealer: Dealer, world: ttr.State) -> None:
            self.gold = [5 if isinstance(entry, Unknown) else entry for entry in self.gold]
            self.best = 7

    rules = stack(Chests)
    game = ttr.new_game(rules=rules, players=2, seed=1)
    part = game.state.part(Chests)
    assert part == Chests(gold=[0, 0], held=[(), ()], bag=["ruby", "opal", "onyx"], best=None)
    copied = part.copy()
    known(copied.bag).append("topaz")
    assert len(known(part.bag)) == 3
    state = game.state
    state.part(Chests).held = [("opal",), ("ruby",)]
    state.part(Chests).bag = ["onyx"]
    view = ttr.Game(state, game.players, game.seed, game.moves).view(0)
    shown = view.part(Chests)
    assert shown.gold == [0, Unknown(1)] and shown.held == [("opal",), Unknown(1)] and shown.bag == Unknown(1)
    dealt = ttr.determinize(view, rules, seed=3).state.part(Chests)
    assert known(dealt.held[0]) == ("opal",) and {*known(dealt.held[1]), *known(dealt.bag)} == {"ruby", "onyx"}
    assert isinstance(dealt.bag, list) and dealt.gold == [0, 5] and dealt.best == 7


def test_each_seat_holds_some_of_a_pool_openly() -> None:
    """Items are counted one by one, however a field holds them."""

    class Regions(Part):
        held: list[tuple[str, ...]] = public(each=(), pool="regions")
        bag: tuple[str, ...] | Unknown = hidden(default=("north", "south", "south"), pool="regions")
        gems: list[ttr.Counts] = public(each=ttr.Counts(), pool="gems")
        box_of_gems: ttr.Counts = public(default=ttr.Counts(ruby=2), pool="gems")

        def box(self, rules: Rules) -> Mapping[str, Sequence[str]]:
            return {"regions": ["north", "south", "south"], "gems": ["ruby", "ruby"]}

    game = ttr.new_game(rules=stack(Regions), players=2, seed=1)
    state = game.state
    part = state.part(Regions)
    part.held, part.bag = [("south",), ("north",)], ("south",)
    part.gems, part.box_of_gems = [ttr.Counts(ruby=1), ttr.Counts()], ttr.Counts(ruby=1)
    assert Counter(part.items_in("regions")) == {"north": 1, "south": 2} and part.items_in("gems") == ["ruby"] * 2
    assert missing(state)["regions"] == missing(state)["gems"] == {}
    view = ttr.Game(state, game.players, game.seed, game.moves).view(None)
    assert view.part(Regions).held == part.held
    assert ttr.determinize(view, game.rules, seed=1).state.part(Regions) == part


def test_the_names_of_ids_belong_to_the_class_of_a_part() -> None:
    class Named(Part):
        owned: tuple[str, ...] = public()

        @property
        def names(self) -> Mapping[str, Any]:  # type: ignore[override]
            return {"prr": "Pennsylvania"}

    words = r"the state part Named of plugin 'depot': its names are an attribute of the class: write names: ClassVar"
    with pytest.raises(PluginError, match=words):
        stack(Named)


def test_two_seats_may_share_a_secret() -> None:
    class Swapped(ttr.Event):
        seat: int
        other: int
        cards: tuple[str, ...] | Unknown = secret("seat", "other")

    swap = Swapped(0, 2, ("red", "blue"))
    shown = [swap.seen_by(seat).event for seat in (0, 1, 2, None)]
    assert shown == [swap, Swapped(0, 2, Unknown(2)), swap, Swapped(0, 2, Unknown(2))]


def test_the_number_of_hidden_things_may_be_hidden_too() -> None:
    class Bids(Part):
        sealed: list[tuple[str, ...] | Unknown] = by_seat(counted=False)
        pile: tuple[str, ...] | Unknown = hidden(default=("a", "b"), counted=False)

    seen = Bids(sealed=[("red", "red"), ()]).seen_by(1)
    assert isinstance(seen, Bids)
    assert (seen.sealed, seen.pile) == ([Unknown(None), ()], Unknown(None))
    with pytest.raises(PluginError, match="items from a pool are always counted"):
        by_seat(pool="cards", counted=False)


def test_what_is_hidden_may_depend_on_the_course_of_the_game() -> None:
    class Bids(Part):
        open: bool = public(default=False)
        bids: list[tuple[int, ...]] = by_seat()
        sealed: list[tuple[int, ...]] = by_seat(look=False)

        def hides(self, field: str, owner: int | None, seat: int | None) -> bool:
            return not (field == "bids" and self.open) and super().hides(field, owner, seat)

    part = Bids(bids=[(3,), (4,)], sealed=[(1, 2), ()])
    assert part.seen_by(0) == Bids(bids=[(3,), Unknown(1)], sealed=[Unknown(2), Unknown(0)])  # type: ignore[list-item]
    part.open = True
    assert part.seen_by(None) == Bids(open=True, bids=[(3,), (4,)], sealed=[Unknown(2), Unknown(0)])  # type: ignore[list-item]


def test_an_effect_is_a_method_of_a_part_or_of_the_event() -> None:
    class Depots(Part):
        built: dict[str, int] = public()

        def build(self, seat: int, city: str) -> None:
            self.built[city] = seat

    class Built(ttr.Event):
        seat: int
        city: str

        effect = Depots.build

    class Burnt(ttr.Event):
        city: str

        def apply(self, state: ttr.State) -> None:
            del state.part(Depots).built[self.city]

    class Noticed(ttr.Event):
        seat: int

    for log in (None, list[Any]()):
        state = ttr.new_game(rules=stack(Depots), players=2, seed=1).state
        tx = Transaction(state, log)
        tx.emit(Built, 1, "wien")
        assert state.part(Depots).built == {"wien": 1}
        tx.emit(Burnt, "wien")
        tx.emit(Noticed, 0)
        assert state.part(Depots).built == {}
        assert log in (None, [Built(1, "wien"), Burnt("wien"), Noticed(0)])
        Built(0, "roma").apply(state)
        assert state.part(Depots).built == {"roma": 0}


def test_a_part_whose_annotations_cannot_be_read_is_refused() -> None:
    class Odd(Part):
        share: Fraction | None = public(default=None)

    with pytest.raises(
        PluginError, match="the state part Odd of plugin 'depot': an annotation .* 'Fraction' .*TYPE_CHECK"
    ):
        stack(Odd)


class Own(Part):
    def __init__(self, left: int) -> None:
        self.left = left

    @classmethod
    def start(cls, rules: Rules, players: int) -> Own:
        return cls(3)

    def copy(self) -> Own:
        return Own(self.left)

    def value(self) -> object:
        return self.left

    def seen_by(self, seat: int | None) -> object | None:
        return self.left


class Roomy(Part):
    left: int = public(default=3)


class Narrow(Own):
    """With slots of its own beside the dictionary."""

    __slots__ = ("more",)

    def __init__(self, left: int) -> None:
        super().__init__(left)
        self.more = [left]

    def value(self) -> object:
        return self.left, self.more


@pytest.mark.parametrize("part", [Own(3), Roomy(), Narrow(3)], ids=lambda part: type(part).__name__)
@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda part: pickle.loads(pickle.dumps(part))], ids=["copy", "deepcopy", "pickle"]
)  # fmt: skip
def test_a_part_with_a_dictionary_keeps_what_is_in_it(again: Callable[[Part], Part], part: Own | Roomy) -> None:
    other: Any = again(part)
    assert other == part and other is not part and other.left == 3
    with pytest.raises(TypeError, match="unhashable"):
        hash(part)


def test_a_part_with_methods_of_its_own_needs_no_attrs() -> None:
    assert ttr.new_game(rules=stack(Own), players=2, seed=1).copy().state.part(Own).left == 3


# -- keys of tables and positions -------------------------------------------------------------------------------------------


class Depot(Part):
    """A part, and the base of another."""

    stored: list[int] = public(each=0)


class ColdDepot(Depot):
    """A part that derives from one."""


class LateDepot(Depot):
    """Another that does."""


def test_a_part_is_found_by_its_own_class_before_that_of_one_derived_from_it() -> None:
    rules = ttr.compile_rules("europe", plugin("depots", parts=lambda rules: [ColdDepot, Depot]))
    state = ttr.new_game(rules=rules, players=2, seed=1).state
    assert type(state.part(Depot)) is Depot and type(state.part(ColdDepot)) is ColdDepot
    derived = ttr.compile_rules("europe", plugin("late", parts=lambda rules: [LateDepot]))
    assert type(ttr.new_game(rules=derived, players=2, seed=1).state.part(Depot)) is LateDepot


class Offices(Part):
    """Offices in cities, and how many are left."""

    built: dict[str, int] = public(seats=True, key="offices", help="The cities with an office.")
    left: list[int] = public(each=3, key="offices_left", help="How many are left.")
    open: list[bool] = public(each=True, key="open", help="Whether they are open.")


PLAYERS: list[dict[str, Any]] = [
    {"name": "Ada", "offices": ["Paris", "wien"], "offices_left": 1},
    {"name": "Bo", "open": False},
]


def test_declared_keys_are_read_in_tables_and_positions() -> None:
    rules = stack(Offices)
    game = ttr.arrange(rules, {"seed": 1, "players": PLAYERS})
    assert game.state.part(Offices) == Offices(built={"paris": 0, "wien": 0}, left=[1, 3], open=[True, False])
    assert ttr.loads(ttr.dumps(game), rules=rules) == game
    assert ttr.score(rules, {"players": PLAYERS}).players[0].name == "Ada"
    assert keys_of(Offices)[0]["offices"].summary == "The cities with an office."
    left = keys_of(Offices)[0]["offices_left"].summary
    assert left.endswith("Without it: 3.") and "Ohne Angabe: 3." in language("de").text(left)
    assert [keys_of(Offices)[0][key].example for key in ("offices", "offices_left", "open")] == [
        "[{city}]",
        "3",
        "true",
    ]


def test_mistakes_in_declared_keys_are_reported() -> None:
    players = [
        {"name": "Ada", "offices": ["paris", "Atlantis"], "offices_left": -1},
        {"name": "Bo", "offices": ["paris"], "open": 0},
    ]
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(stack(Offices), {"seed": 1, "players": players})
    assert [problem.partition(":")[0] for problem in caught.value.problems] == [
        "players[0].offices[1]",
        "players[1].offices[0]",
        "players[0].offices_left",
        "players[1].open",
    ]


class FewOffices(Offices):
    """Three offices at most of each seat."""

    def validate(self, rules: Rules) -> str | None:
        many = [seat for seat, left in enumerate(self.left) if list(self.built.values()).count(seat) + left > 3]
        return f"seat {many[0]} has more than three offices" if many else None


@pytest.mark.parametrize("read", [lambda rules, table: ttr.arrange(rules, {"seed": 1, **table}), ttr.score])
def test_a_part_is_validated_when_a_position_or_a_table_is_read(read: Callable[..., object]) -> None:
    read(stack(FewOffices), {"players": [{"offices": ["paris"], "offices_left": 2}, {}]})
    with pytest.raises(InvalidTableError, match="FewOffices: seat 0 has more than three offices"):
        read(stack(FewOffices), {"players": [{"offices": ["paris"]}, {}]})


class Tokens(Part):
    """Three tokens, which lie on a pile or in front of all."""

    pile: tuple[str, ...] = public(pool="tokens")
    held: tuple[str, ...] = public(pool="tokens", key="held", of=("a", "b", "c"))

    def set_up(self, tx: Transaction) -> None:
        tx.put_items(self, "pile", None, ("a", "b", "c"))

    def box(self, rules: ttr.Rules) -> Mapping[str, Iterable[object]]:
        return {"tokens": ("a", "b", "c")}

    def validate(self, rules: Rules) -> str | None:
        tokens = len(self.pile) + len(self.held)
        return None if tokens == 3 else f"there are 3 tokens, not {tokens}"


class Rolled(Part):
    """A number that is rolled, by default 0."""

    number: int = public(key="number")

    def set_up(self, tx: Transaction) -> None:
        tx.emit(DieThrown)
        tx.put_number(self, "number", None, tx.roll((0,)))


class DieThrown(facts.Event):
    message = "The die is thrown"

    def apply(self, state: State) -> None:
        pass


@pytest.mark.parametrize("parts", [{}, {"parts": {"number": 3}}])
def test_events_of_a_set_up_that_change_nothing_stay_in_a_position(parts: dict[str, Any]) -> None:
    game = ttr.arrange(stack(Rolled), {"seed": 1, "players": [{}, {}], **parts})
    assert [type(event).__name__ for event in game.events][1:3] == ["DieThrown", "NumberArranged"]


def test_a_part_is_validated_once_all_keys_are_read() -> None:
    game = ttr.arrange(stack(Tokens), {"seed": 1, "players": [{}, {}], "parts": {"held": ["a"]}})
    assert (game.state.part(Tokens).pile, game.state.part(Tokens).held) == (("b", "c"), ("a",))
    assert ttr.score(stack(Tokens), {"players": [{}, {}]}).players[0].rank == 1  # no set-up fills the pile there


SKIES, GOODS = ("calm", "storm"), ("coal", "wood", "wine")


class Trade(Part):
    """Fields of ids, of each seat and of all, and numbers of all."""

    sky: str = public(default="calm", key="sky", of=SKIES, help="The weather.")
    train: str | None = public(key="train", of=GOODS)
    stock: tuple[str, ...] = public(key="stock", of=GOODS)
    day: int = public(default=1, key="day")
    shut: bool = public(key="shut")
    flags: list[str] = public(each="coal", key="flag", of=GOODS)
    sold: list[tuple[str, ...]] = public(each=(), key="sold", of=GOODS)
    held: list[tuple[str, ...] | Unknown] = by_seat(key="held", of=GOODS)
    piled: list[Counts] = public(each=Counts(), key="piled", of=GOODS)
    heap: Counts = public(key="heap", of=GOODS)


def test_ids_and_numbers_are_read_of_players_and_under_parts() -> None:
    rules = stack(Trade)
    parts = {"sky": "storm", "train": "wine", "stock": ["wood", "wood", "coal"], "day": 5, "shut": True}
    parts["heap"] = {"wine": 9}
    players: list[dict[str, Any]] = [
        {"flag": "wood", "sold": ["coal", "coal"], "held": ["wine"]},
        {"piled": {"coal": 2}},
    ]
    game = ttr.arrange(rules, {"seed": 1, "players": players, "parts": parts})
    assert game.state.part(Trade) == Trade(
        sky="storm", train="wine", stock=("wood", "wood", "coal"), day=5, shut=True,
        flags=["wood", "coal"], sold=[("coal", "coal"), ()], held=[("wine",), ()],
        piled=[Counts(), Counts(coal=2)], heap=Counts(wine=9),
    )  # fmt: skip
    assert game.view(1).part(Trade).held == [Unknown(1), ()]
    held = [str(event.seen_by(1)) for event in game.events if "held" in str(event)]
    assert len(held) == 1 and "wine" not in held[0]
    assert ttr.loads(ttr.dumps(game), rules=rules) == game
    assert ttr.score(rules, {"players": players, "parts": parts}).players[0].name == "Player 1"
    assert {key: about.example for key, about in {**keys_of(Trade)[1], **keys_of(Trade)[0]}.items()} == {
        "sky": "{id}", "train": "{id}", "stock": '["coal"]', "day": "1", "shut": "true",
        "flag": "{id}", "sold": '["coal"]', "held": '["coal"]', "piled": "{{coal = 2}}", "heap": "{{coal = 2}}",
    }  # fmt: skip
    assert keys_of(Trade)[1]["sky"].summary == "The weather. Without it: calm."


class Sealed(Part):
    """Train cards that nobody may look into, and others in a list."""

    stored: list[Counts | Unknown] = by_seat(look=False, pool="cards", key="stored")
    shown: tuple[str, ...] = public(pool="cards", key="shown")


def test_train_cards_of_a_part_are_written_and_leave_the_pile() -> None:
    rules = stack(Sealed)
    position = {"seed": 1, "players": [{"stored": {"red": 11, "locomotive": 1}}, {}], "parts": {"shown": ["blue"] * 12}}
    game = ttr.arrange(rules, position)
    assert game.state.part(Sealed) == Sealed(stored=[Counts(red=11, locomotive=1), Counts()], shown=("blue",) * 12)
    piles = ttr.cards(game.state)
    cards = Counter((*piles.draw_pile, *piles.face_up))
    assert (cards["red"], cards["blue"], cards["locomotive"], cards.total()) == (1, 0, 13, 110 - 24)
    assert [event.seen_by(0).event for event in game.events if "stored" in str(event)] == [
        facts.UnseenItemsArranged("Sealed", "stored", 0, None, Unknown(12))
    ]
    assert ttr.loads(ttr.dumps(game), rules=rules) == game
    assert (keys_of(Sealed)[0]["stored"].example, keys_of(Sealed)[1]["shown"].example) == ("{{}}", "[]")
    assert ttr.determinize(game.view(0), rules, seed=1).state.part(Sealed).shown == ("blue",) * 12
    wrong = [{"stored": {"red": 12, "pink": 1, "blue": -1}}, {"stored": ["red"], "hand": {"red": 1}}]
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(rules, {"seed": 1, "players": wrong})
    assert caught.value.problems == (
        "players[0].stored.pink: expected one of purple, blue, orange, white, green and 4 more, got 'pink'",
        "players[0].stored.blue: expected a whole number from 0 to 999, got -1",
        "players[1].stored: expected a table, got ['red']",
        "13 red cards in hands and piles together; the deck has 12 (S2)",
    )
    with pytest.raises(InvalidTableError, match="stored.red: expected none in this stack, got 'red'"):
        ttr.arrange(stack(Sealed, "dice"), {"seed": 1, "players": [{"stored": {"red": 1}}, {}]})


class Stores(Part):
    """Train cards that nobody may look into: in cities, and in depots of each seat."""

    found: dict[str, tuple[str, ...] | Unknown] = hidden(pool="cards", key="found", help="The cards in cities.")
    depots: list[dict[str, Counts | Unknown]] = by_seat(look=False, pool="cards", key="depots")
    letters: list[dict[str, str | Unknown]] = by_seat(counted=False)


Pile = tuple[str, ...] | Unknown


class Piles(Part):
    """A field whose type has another name."""

    pile: list[Pile] = by_seat(pool="cards", key="pile")


def test_the_key_of_a_field_is_read_by_its_type_whatever_that_is_called() -> None:
    game = ttr.arrange(stack(Piles), {"seed": 1, "players": [{"pile": ["red", "blue"]}, {}]})
    assert game.state.part(Piles).pile == [("red", "blue"), ()]


class FoundCard(ttr.Event):
    """A card goes face down into a city."""

    message = "{card:card} goes to {city}"
    city: str
    card: str | Unknown = secret()

    def apply(self, state: State) -> None:
        found, card = state.part(Stores).found, known(self.card)
        state.part(CardPiles).draw(card)
        found[self.city] = (*known(found.get(self.city, ())), card)


def store_cards(tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
    for city in route.cities:
        economy_of(tx.rules.economy, TrainCards).draw(tx, seat, into=partial(FoundCard, city))


def test_a_table_of_stores_hides_each_of_them() -> None:
    rules = stack(Stores)
    stored = [{"depots": {"Paris": {"red": 2}, "wien": {}}}, {}]
    game = ttr.arrange(rules, {"seed": 1, "players": stored, "parts": {"found": {"Roma": ["blue"]}}})
    part = Stores(found={"roma": ("blue",)}, depots=[{"paris": Counts(red=2), "wien": Counts()}, {}], letters=[{}, {}])
    assert game.state.part(Stores) == part
    seen = {"roma": Unknown(1)}, [{"paris": Unknown(2), "wien": Unknown(0)}, {}]
    view = game.view(0)
    assert (view.part(Stores).found, view.part(Stores).depots) == seen
    worlds = [ttr.determinize(view, rules, seed=seed).state.part(Stores) for seed in range(9)]
    assert len({str(world) for world in worlds}) > 1
    assert {world.seen_by(0) == view.part(Stores) for world in worlds} == {True}
    assert missing(game.state)["cards"] == {} and ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game
    written = to_json(rules, view)
    assert written["parts"]["Stores"]["found"] == {"roma": {"count": 1}}
    assert view_from_json(rules, written) == view
    copied = part.copy()
    copied.depots[0]["paris"] = Counts()
    assert copied != part and part.depots[0]["paris"] == Counts(red=2)
    part.letters = [{"paris": "x"}, {"roma": "y"}]
    shown = part.seen_by(1)
    assert isinstance(shown, Stores) and shown.letters == [{"paris": Unknown()}, {"roma": "y"}]
    fields = {field.label: field.text for field in part_fields(view, Names(rules, ["Ada", "Bo"]))}
    assert fields["Depots"] == "Ada: Paris: 2; Wien: 0"
    assert [keys_of(Stores)[1]["found"].example, keys_of(Stores)[0]["depots"].example] == ["{{{city} = []}}"] * 2
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(rules, {"seed": 1, "players": [{"depots": {"Pariss": {}, "Roma": ["red"]}}, {}]})
    assert caught.value.problems == (
        "players[0].depots.Pariss: no city 'Pariss' on the board Europe; did you mean Paris?",
        "players[0].depots.roma: expected a table, got ['red']",
    )


def test_items_lie_under_a_key_only_in_a_table() -> None:
    class Shed(Part):
        engines: Counts = public(pool="cards")

    rules = ttr.compile_rules("europe", plugin("shed", parts=lambda rules: [Shed]))
    tx = Transaction(ttr.new_game(rules=rules, players=2, seed=1).state, [])
    with pytest.raises(PluginError, match="Shed.engines is not a table, so it has no keys: leave it out"):
        tx.put_items(tx.state.part(Shed), "engines", None, ("locomotive",), "shed")


def test_routes_in_the_fields_of_a_part_are_named_without_what_they_would_cost() -> None:
    class Claims(Part):
        last: list[str] = public(each="", of="routes", label="Claimed last")
        blocked: tuple[str, ...] = public(of="routes", label="Blocked")

    rules = ttr.compile_rules("europe", plugin("claims", parts=lambda rules: [Claims]))
    state = ttr.new_game(rules=rules, players=2, seed=1).state
    state.part(Claims).last[1] = "frankfurt-paris-white"
    state.part(Claims).blocked = ("marseille-zurich-purple", "paris-zurich-gray")
    names = Names(rules, ["Ada", "Bo"])
    told = {field.label: field.text for field in part_fields(view_of(state, ["Ada", "Bo"], None), names)}
    assert told["Claimed last"] == "Bo: Frankfurt–Paris (white)"
    assert told["Blocked"] == "Marseille–Zürich and Paris–Zürich"


class Shelves(Part):
    """Stores of two things, in a table of each seat that has them from the start."""

    things: list[dict[str, tuple[str, ...] | Unknown]] = by_seat(each={"shelf": ()}, pool="cards", key="things")
    cities: list[dict[str, tuple[str, ...] | Unknown]] = by_seat(each={"paris": ()}, pool="cards", key="cities")


def test_a_position_fills_the_stores_that_a_part_begins_with_and_opens_no_others() -> None:
    rules = stack(Shelves)
    filled = {"things": {"shelf": ["red"]}, "cities": {"Paris": ["blue"]}}
    game = ttr.arrange(rules, {"seed": 1, "players": [filled, {}]})
    assert game.state.part(Shelves).things == [{"shelf": ("red",)}, {"shelf": ()}]
    assert game.state.part(Shelves).cities == [{"paris": ("blue",)}, {"paris": ()}]
    wrong = {"things": {"shelve": ["red"]}, "cities": {"Wien": ["blue"]}}
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(rules, {"seed": 1, "players": [wrong, {}]})
    assert caught.value.problems == (
        "players[0].things: unknown key 'shelve'; did you mean 'shelf'?",
        "players[0].cities: unknown key 'wien'; known keys: paris",
    )


@pytest.mark.slow
def test_cards_in_stores_of_cities_are_counted_and_dealt() -> None:
    variant = plugin("stores", (), __name__, parts=giving((Stores,)), on_claim=store_cards)
    check_variant("new-york", variant, players=2, games=1, skip=all_but("counts", "secrets", "saving"))


def test_a_store_that_cannot_be_dealt_is_refused() -> None:
    class Whole(Part):
        held: list[dict[str, tuple[str, ...]] | Unknown] = by_seat(pool="cards")

    class Bare(Part):
        held: dict[str, tuple[str, ...]] = by_seat(pool="cards")

    class Pile(Part):
        held: dict[str, Counts] = hidden(pool="cards")

    class Open(Part):
        held: dict[str, Counts] = public(pool="cards")

    class Arranged(Open):
        def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
            """Read a key of its own."""

    class Pairs(Part):
        held: dict[tuple[str, str], Counts | Unknown] = hidden(pool="cards")

    class Numbered(Part):
        held: dict[int, Counts | Unknown] = hidden(pool="cards", key="held")

    stores = "dict[str, tuple[str, ...] | Unknown]"
    for kind, problem in (
        (Whole, f"as Counts, or as a tuple, list or set of items; a store for each key is a list[{stores}]"),
        (Bare, "its field 'held' has an entry for each seat: it is a list[dict[str, tuple[str, ...]]]"),
        (Pile, f"a store for each key is a {stores}, not a dict[str, "),
        (Open, f"a store for each key is a {stores}, not a dict[str, "),
        (Arranged, f"a store for each key is a {stores}, not a dict[str, "),
        (Pairs, "the keys of its field 'held' are texts or whole numbers, as in JSON: it is no dict[tuple[str, str], "),
        (Numbered, "the keys of its field 'held' are texts, as a position writes them: it is no dict[int, "),
    ):
        with pytest.raises(PluginError, match=re.escape(problem)):
            stack(kind)


class Seats(Part):
    """Fields of seats."""

    king: int = public(default=-1, seats=True, key="king")
    heir: int | None = public(seats=True, key="heir")
    order: tuple[int, ...] = public(seats=True, key="order", help="The order of play.")
    queue: list[int] = public(seats=True, key="queue")
    partner: list[int] = public(each=-1, seats=True, key="partner")
    rival: list[int | Unknown] = by_seat(each=-1, seats=True, key="rival", help="The rival of this player.")
    foes: list[tuple[int, ...]] = public(each=(), seats=True, key="foes")


def test_fields_of_seats_are_written_as_names_of_players() -> None:
    rules = stack(Seats)
    parts = {"king": "Bo", "heir": "Ada", "order": ["Bo", 0], "queue": ["Bo", "Bo"]}
    players: list[dict[str, Any]] = [
        {"name": "Ada", "partner": "Bo", "rival": "Bo", "foes": ["Bo", "Ada"]},
        {"name": "Bo"},
    ]
    game = ttr.arrange(rules, {"seed": 1, "players": players, "parts": parts})
    assert game.state.part(Seats) == Seats(
        king=1, heir=0, order=(1, 0), queue=[1, 1], partner=[1, -1], rival=[1, -1], foes=[(1, 0), ()]
    )
    assert game.view(1).part(Seats).rival == [Unknown(1), -1]
    told = [event.seen_by(1).event for event in game.events if "rival" in str(event)]
    assert told == [facts.SeatsArranged("Seats", "rival", 0, Unknown(1))]
    assert ttr.loads(ttr.dumps(game), rules=rules) == game
    with pytest.raises(SaveError, match="a game of 2 has no seat 9"):
        ttr.loads(ttr.dumps(game).replace('"seats":[1,0]', '"seats":[1,9]'), rules=rules)
    assert ttr.score(rules, {"players": players, "parts": parts}).players[0].name == "Ada"
    keys = {**keys_of(Seats)[1], **keys_of(Seats)[0]}
    one, several = '"Isambard"', '["Isambard"]'
    assert {key: about.example for key, about in keys.items()} == {
        "king": one, "heir": one, "order": several, "queue": several, "partner": one, "rival": one, "foes": several,
    }  # fmt: skip
    assert keys["king"].summary == "" and keys["rival"].summary == "The rival of this player."


class Crowded(ttr.Event):
    """So many seats of a coach are taken."""

    seats: int

    def apply(self, state: State) -> None:
        """Nothing comes of it."""


def test_what_a_plugin_calls_seats_may_be_a_number() -> None:
    def crowd(tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
        tx.emit(Crowded, 30)

    rules = ttr.compile_rules("europe", plugin("crowded", (), __name__, on_claim=crowd))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"white": 3}}, {}]})
    game.play(next(action for action in game.legal_actions(0) if isinstance(action, ttr.ClaimRoute)))
    assert ttr.loads(ttr.dumps(game), rules=rules) == game


def test_names_of_nobody_at_the_table_are_reported() -> None:
    players = [{"name": "Ada", "partner": "Cy", "foes": "Bo"}, {"name": "Bo", "rival": 2}]
    parts = {"order": ["Bo", True], "heir": None}
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(stack(Seats), {"seed": 1, "players": players, "parts": parts})
    assert set(caught.value.problems) == {
        "parts.order[1]: no player True; there are Ada, Bo",
        "parts.heir: no player None; there are Ada, Bo",
        "players[0].partner: no player 'Cy'; there are Ada, Bo",
        "players[0].foes: expected a list, got 'Bo'",
        "players[1].rival: no player 2; there are Ada, Bo",
    }


class Laid(Part):
    """A field that chance lays out, unless a position says what is there."""

    stock: tuple[str, ...] = public(key="laid", of=GOODS)

    def set_up(self, tx: Transaction) -> None:
        tx.put_items(self, "stock", None, tx.shuffled(GOODS))


def test_a_part_is_set_up_in_games_and_positions_before_keys_are_read() -> None:
    rules = stack(Laid)
    players: list[dict[str, Any]] = [{}, {}]
    position = {"seed": 1, "players": players}
    for game in (ttr.new_game(rules=rules, players=2, seed=1), ttr.arrange(rules, position)):
        assert sorted(game.state.part(Laid).stock) == sorted(GOODS)
        assert ttr.loads(ttr.dumps(game), rules=rules) == game
    written = ttr.arrange(rules, {**position, "parts": {"laid": []}})
    assert written.state.part(Laid).stock == ()


class Express(Part):
    """Two fields: one is drawn, the other depends on it."""

    cities: tuple[str, ...] = public(key="express", of="cities")
    points: int = public(key="express_points")

    def set_up(self, tx: Transaction) -> None:
        tx.emit(ExpressDrawn, tx.shuffled(["paris", "wien", "roma"])[:2])
        tx.emit(ExpressPriced)


class ExpressDrawn(ttr.Event):
    """The express is drawn."""

    message = "The express is to run between {cities}"
    cities: tuple[str, ...]

    def apply(self, state: State) -> None:
        state.part(Express).cities = self.cities


class ExpressPriced(ttr.Event):
    """The express has its price, by the cities that it has."""

    def apply(self, state: State) -> None:
        state.part(Express).points = len(state.part(Express).cities[1])


def test_what_keys_replace_is_not_told_of_a_set_up() -> None:
    rules = stack(Express)

    def told(**parts: object) -> list[type[ttr.Event]]:
        game = ttr.arrange(rules, {"seed": 1, "players": [{}, {}], "parts": parts})
        assert ttr.loads(ttr.dumps(game), rules=rules) == game
        assert game.state.chance_calls == ttr.arrange(rules, {"seed": 1, "players": [{}, {}]}).state.chance_calls
        return [type(event) for event in game.events if isinstance(event, ExpressDrawn | ExpressPriced)]

    assert told() == [ExpressDrawn, ExpressPriced]
    assert told(express_points=0) == [ExpressDrawn]
    assert told(express=["Brest", "Zagreb"]) == [ExpressDrawn, ExpressPriced], "the price depends on what was drawn"
    assert told(express=["Brest", "Zagreb"], express_points=3) == []


class Contracts(Part):
    """Two lie open, by chance, and none that a player has."""

    laid: tuple[str, ...] = public(key="laid", of=GOODS)
    won: list[tuple[str, ...]] = public(each=(), key="won", of=GOODS)

    def set_up(self, tx: Transaction) -> None:
        tx.emit(ContractsLaid, tx.shuffled(GOODS)[:2])

    def validate(self, rules: Rules) -> str | None:
        goods = [*self.laid, *(good for won in self.won for good in won)]
        return "a contract is in two places" if len({*goods}) < len(goods) else None


class ContractsLaid(ttr.Event):
    """The first contracts lie open."""

    goods: tuple[str, ...]

    def apply(self, state: State) -> None:
        state.part(Contracts).laid = self.goods


@pytest.mark.parametrize("seed", range(6))
def test_chance_deals_again_what_does_not_fit_a_position(seed: int) -> None:
    rules = stack(Contracts)
    game = ttr.arrange(rules, {"seed": seed, "players": [{"won": ["wood"]}, {}]})
    assert {*game.state.part(Contracts).laid} == {"coal", "wine"}
    assert [type(event) for event in game.events].count(ContractsLaid) == 1
    assert (
        ttr.loads(ttr.dumps(game), rules=rules)
        == game
        == ttr.arrange(rules, {"seed": seed, "players": [{"won": ["wood"]}, {}]})
    )


def test_what_no_deal_fits_is_reported_once() -> None:
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(stack(Contracts), {"seed": 1, "players": [{"won": ["wood"]}, {"won": ["wine"]}]})
    assert caught.value.problems == ("Contracts: a contract is in two places",)


def test_no_part_is_set_up_by_chance_in_a_table_to_score() -> None:
    class Piled(Laid):
        def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
            super().arrange(tx, position, report)
            read.append((position.to_score, self.stock))

    read: list[tuple[bool, tuple[str, ...]]] = []
    rules = stack(Piled)
    ttr.score(rules, {"players": [{}, {}]})
    for read_table in (ttr.score, ttr.arrange):
        read_table(rules, {"players": [{}, {}], "parts": {"laid": ["wine"]}})
    assert read == [(True, ()), (True, ("wine",)), (False, ("wine",))]


def test_ids_that_do_not_exist_are_reported_with_those_that_do() -> None:
    parts = {"sky": "rain", "stock": ["wood", 3], "day": "x", "shut": 1}
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(stack(Trade), {"seed": 1, "players": [{"sold": "coal", "held": [None]}, {}], "parts": parts})
    assert set(caught.value.problems) == {
        "parts.sky: expected one of calm, storm, got 'rain'",
        "parts.stock[1]: expected one of coal, wood, wine, got 3",
        "parts.day: expected a whole number from 0 to 999, got 'x'",
        "parts.shut: expected true or false, got 1",
        "players[0].sold: expected a list, got 'coal'",
        "players[0].held[0]: expected one of coal, wood, wine, got None",
    }


class Fairs(Part):
    """Fields of ids of cities."""

    next: str = public(key="next_fair", of="cities", help="The city of the next fair.")
    row: tuple[str, ...] = public(key="fairs", of="cities")
    homes: list[str] = public(each="", key="home", of="cities")
    seen: list[tuple[str, ...] | Unknown] = by_seat(key="seen", of="cities")


def test_cities_of_the_board_are_read_by_any_of_their_names() -> None:
    rules = stack(Fairs)
    players: list[dict[str, Any]] = [{"home": "Paris", "seen": ["wien"]}, {}]
    game = ttr.arrange(
        rules, {"seed": 1, "players": players, "parts": {"next_fair": "Zürich", "fairs": ["Roma", "wien"]}}
    )
    assert game.state.part(Fairs) == Fairs(
        next="zurich", row=("roma", "wien"), homes=["paris", ""], seen=[("wien",), ()]
    )
    assert game.view(1).part(Fairs).seen == [Unknown(1), ()]
    assert ttr.loads(ttr.dumps(game), rules=rules) == game
    assert {key: about.example for key, about in {**keys_of(Fairs)[1], **keys_of(Fairs)[0]}.items()} == {
        "next_fair": "{city}", "fairs": "[{city}]", "home": "{city}", "seen": "[{city}]",
    }  # fmt: skip
    assert "#parts.next_fair = " in score_template(rules) and "{city}" not in score_template(rules)


def test_what_is_no_city_is_reported() -> None:
    parts = {"next_fair": 3, "fairs": ["Wien", "Atlantis"]}
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(stack(Fairs), {"seed": 1, "players": [{"home": None, "seen": "Wien"}, {}], "parts": parts})
    assert set(caught.value.problems) == {
        "parts.next_fair: expected the name of a city, got 3",
        "parts.fairs[1]: no city 'Atlantis' on the board Europe",
        "players[0].home: expected the name of a city, got None",
        "players[0].seen: expected a list, got 'Wien'",
    }


class Works(Part):
    """Fields of ids of routes, and tables by route, by city and by other ids."""

    closed: tuple[str, ...] = public(key="closed", of="routes", help="The routes that are closed.")
    next: str = public(key="next", of="routes")
    shared: dict[str, int] = public(key="shared", seats=True, of="routes")
    last: list[str] = public(each="", key="last", of="routes")
    paint: dict[str, str] = public(key="paint", of="routes", help="The colors of painted routes.")
    tolls: dict[str, int] = public(default={"paris": 2}, key="tolls", of="cities")
    open: dict[str, bool] = public(default={"port": True, "yard": True}, key="open", of=("port", "yard"))
    stores: dict[str, tuple[str, ...] | Unknown] = hidden(key="stores", of="routes", pool="sacks")

    def box(self, rules: Rules) -> Mapping[str, Sequence[str]]:
        return {"sacks": ("coal", "coal", "salt")}


def test_routes_of_the_board_are_read_by_any_of_their_names() -> None:
    rules = stack(Works)
    players: list[dict[str, Any]] = [{"shared": ["Paris-Zürich"], "last": ["Frankfurt", "Paris", "white"]}, {}]
    parts = {
        "closed": [["Paris", "Zürich"], "frankfurt-paris-white"],
        "next": "Wien–Zagreb",
        "paint": {"Zürich-Paris": "red"},
        "tolls": {"Wien": 3},
        "open": {"yard": False},
        "stores": {"Paris-Zürich": ["coal"], "Wien-Zagreb": []},
    }
    game = ttr.arrange(rules, {"seed": 1, "players": players, "parts": parts})
    works = game.state.part(Works)
    assert works == Works(
        closed=("paris-zurich-gray", "frankfurt-paris-white"),
        next="wien-zagrab-gray",
        shared={"paris-zurich-gray": 0},
        last=["frankfurt-paris-white", ""],
        paint={"paris-zurich-gray": "red"},
        tolls={"paris": 2, "wien": 3},
        open={"port": True, "yard": False},
        stores={"paris-zurich-gray": ("coal",), "wien-zagrab-gray": ()},
    )
    assert game.view(0).part(Works).stores == {"paris-zurich-gray": Unknown(1), "wien-zagrab-gray": Unknown(0)}
    assert ttr.loads(ttr.dumps(game), rules=rules) == game
    text = score_template(rules)
    examples = tomllib.loads(re.sub(r"^#(?=parts|shared|last)", "", text, flags=re.MULTILINE))
    assert ttr.score(rules, examples), "every example can be read"


def test_what_is_no_route_is_reported() -> None:
    parts = {
        "closed": [3, ["Paris", "Wien"], ["Frankfurt", "Paris"], "Paris-Zürich", "paris-zurich-gray"],
        "paint": {"Paris-Zürich": 1, "Rom": "red", "paris-zurich-gray": "red"},
        "tolls": {"Wien": "3", "Atlantis": 1},
        "open": {"yard": 1, "shed": True},
    }
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(stack(Works), {"seed": 1, "players": [{"shared": "Paris"}, {}], "parts": parts})
    assert set(caught.value.problems) == {
        "players[0].shared: expected a list, got 'Paris'",
        "parts.closed[0]: a route is an id, or two cities, or two cities and a color, not 3",
        "parts.closed[1]: no route 'Paris-Wien' on the board Europe",
        "parts.closed[2]: ['Frankfurt', 'Paris'] matches several routes (frankfurt-paris-orange, frankfurt-paris-white): write which one you mean",
        "parts.closed[4]: paris-zurich-gray is already there",
        "parts.paint.paris-zurich-gray: paris-zurich-gray is already there",
        "parts.paint.paris-zurich-gray: expected a text, got 1",
        "parts.paint.Rom: no route 'Rom' on the board Europe",
        "parts.tolls.wien: expected a whole number from 0 to 999, got '3'",
        "parts.tolls.Atlantis: no city 'Atlantis' on the board Europe",
        "parts.open.yard: expected true or false, got 1",
        "parts.open: unknown key 'shed'; known keys: port, yard",
    }


def test_a_table_that_nothing_can_read_is_refused() -> None:
    class Prices(Part):
        by_route: dict[str, float] = public(key="prices", of="routes")

    with pytest.raises(PluginError, match=r"'by_route' is read as a table of numbers, .* not as a dict\[str, float\]"):
        stack(Prices)


def test_ids_do_not_get_into_a_field_of_numbers() -> None:
    class Owned(Part):
        laid: list[int] = public(each=0, key="q", of="routes")

    class Number(Part):
        laid: int = public(key="r", of="routes")

    class Several(Part):
        laid: tuple[int, ...] = public(key="r", of=("a", "b"))

    class Tables(Part):
        laid: list[dict[str, int]] = public(each={}, key="r", of="routes")

    class Stores(Part):
        laid: dict[str, int | Unknown] = hidden(key="r", of=("a", "b"))

    class Players(Part):
        laid: tuple[int, ...] = public(key="r", of="routes", seats=True)

    class Nested(Part):
        laid: tuple[tuple[str, ...], ...] = public(key="r", of="cities")

    class Lots(Part):
        laid: tuple[Counts, ...] = public(key="r", of=("a", "b"))

    class StoresWithoutPool(Part):
        laid: list[dict[str, str | Unknown]] = by_seat(key="r", of="routes")

    for part in (Owned, Number, Several, Tables, Stores, Players, Nested, Lots, StoresWithoutPool):
        with pytest.raises(
            PluginError, match="its field 'laid' has of=, so it holds texts, .*: it is no .* method arrange"
        ):
            stack(part)
    with pytest.raises(
        PluginError, match=r"with seats=True its key names players, cities or routes: leave out of=\('a'"
    ):
        public(key="r", of=("a", "b"), seats=True)


def test_ids_are_several_texts() -> None:
    with pytest.raises(PluginError, match=r"^public\(\): write of=\('coal',\)"):

        class Wrong(Part):
            sold: str = public(key="sold", of="coal")


def test_a_key_of_another_type_needs_arrange() -> None:
    class Held(Part):
        cards: list[tuple[str, ...]] = public(key="held")

    class Chips(Part):
        chips: list[Counts] = public(pool="chips", key="chips")

    for kind, name, start in ((Held, "cards", "()"), (Chips, "chips", "Counts()")):
        words = f"its field '{name}' has a key, but nothing reads it: if it has an entry for each seat, write each={start}. The library"
        with pytest.raises(PluginError, match=re.escape(words)):
            stack(kind)


@pytest.mark.parametrize("ids", [(1, 2), 3, None, "coal"])
def test_ids_of_a_field_are_texts(ids: Any) -> None:
    with pytest.raises(PluginError, match=r"public\(\): (of= takes several ids|write of=\('coal',\))"):
        public(default="", key="goods", of=ids)


class Parcels(Part):
    """A box of parcels: those of players may be written in a position, the others lie face down."""

    names: ClassVar[Mapping[str, PrintedName]] = {
        "big": PrintedName("A big parcel"),
        "small": PrintedName("A small parcel"),
    }

    face_down: tuple[str, ...] | Unknown = hidden(default=("big", "small", "big"), pool="parcels")
    held: list[tuple[str, ...] | Unknown] = by_seat(pool="parcels", key="parcels", of=("big", "small"))

    def box(self, rules: Rules) -> Mapping[str, Sequence[str]]:
        return {"parcels": ("big", "small", "big")}


def test_what_a_key_gives_of_a_box_leaves_its_pile() -> None:
    rules = stack(Parcels)
    players: list[dict[str, Any]] = [{"parcels": ["big"]}, {"parcels": ["small"]}]
    game = ttr.arrange(rules, {"seed": 1, "players": players})
    assert game.state.part(Parcels) == Parcels(face_down=("big",), held=[("big",), ("small",)])
    assert not missing(game.state)["parcels"]
    assert game.view(0).part(Parcels) == Parcels(face_down=Unknown(1), held=[("big",), Unknown(1)])
    assert ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game
    for world in (ttr.determinize(game.view(0), rules, seed).state for seed in range(5)):
        assert not missing(world)["parcels"]
    with pytest.raises(
        InvalidTableError, match=r"players\[1\].parcels: 1 more 'small' than in the box, which holds \['big', 'small'\]"
    ):
        ttr.arrange(rules, {"players": [{"parcels": ["small"]}, {"parcels": ["small"]}]})


def test_the_score_sheet_has_the_names_of_ids() -> None:
    def worth(state: State, seat: int) -> Score:
        return Score(2, 1, tuple(Detail(parcel, 2) for parcel in known(state.part(Parcels).held[seat])))

    terms = plugin("worths", scoring=lambda rules: (ScoringTerm("parcels", worth),))
    rules = ttr.compile_rules("europe", plugin("boxes", parts=lambda rules: (Parcels,)), terms)
    scores = ttr.score(rules, {"players": [{"parcels": ["big"]}, {}]})
    assert "A big parcel: 2" in str(scores) and "A big parcel: 2" in str(pickle.loads(pickle.dumps(scores)))


class ParcelTaken(facts.Event):
    message = "{seat} takes {parcel:card}"
    seat: int
    parcel: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        pass


def test_a_part_says_what_its_ids_are_called_where_cards_are_told_too() -> None:
    taken = plugin("takes", on_claim=lambda tx, seat, route, points: tx.emit(ParcelTaken, seat, "big"))
    rules = ttr.compile_rules("europe", plugin("boxes", parts=lambda rules: (Parcels,)), taken)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"name": "Ada", "hand": {"white": 3}}, {}]})
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    told = {viewer: " ".join(narrate(game, None, seat=viewer)) for viewer in (0, 1)}
    assert "takes A big parcel" in told[0] and "takes a card" in told[1]


class Deadlines(Part):
    turn: list[int | Unknown] = by_seat(each=12, label="Deadline")
    held: list[tuple[str, ...] | Unknown] = by_seat(label="Letters")


def test_a_secret_number_is_no_number_of_things() -> None:
    seen = Deadlines(turn=[12, 15], held=[("a",), ("b",)]).seen_by(1)
    view = evolve(ttr.new_game("europe", players=2, seed=1).view(1), parts={"Deadlines": seen})
    fields = {field.label: field for field in part_fields(view, Names(rules_of("europe"), ["Ada", "Bo"]))}
    assert fields["Deadline"].text == "Ada: ?; Bo: 15" and fields["Letters"].text == "Ada: 1; Bo: b"
    columns = dict(player_columns(view, Names(rules_of("europe"), ["Ada", "Bo"])))
    assert columns["Deadline"] == ["?", "15"]


class Souvenirs(Part):
    names: ClassVar[Mapping[str, PrintedName]] = {"fan_1": PrintedName("fan")}


class SouvenirsTaken(facts.Event):
    message = "{seat} takes {kinds:souvenir}, lays {color:track} and meets {city:friend}"
    seat: int
    kinds: tuple[str, ...] | Unknown = secret("seat")
    color: str | Unknown = secret("seat")
    city: str

    def apply(self, state: State) -> None:
        pass


def test_things_of_a_plugin_are_told_with_an_article_and_their_number() -> None:
    taken = SouvenirsTaken(0, ("mug", "fan_1", "mug"), "orange", "paris")
    rules = ttr.compile_rules("europe", plugin("souvenirs", parts=lambda rules: (Souvenirs,)))
    told = {viewer: Narrator(rules, ["Ada", "Bo"], viewer) for viewer in (0, 1)}
    for narrator in told.values():
        _ = narrator.tell([facts.TurnBegun(0), taken])
    lines = {viewer: [line.text for line in narrator.unfinished()] for viewer, narrator in told.items()}
    assert lines[0] == ["Ada takes two mugs and a fan, lays an orange track and meets Paris."]
    assert lines[1] == ["Ada takes three souvenirs, lays a track and meets Paris."]


def test_an_example_is_a_value_of_a_key() -> None:
    with pytest.raises(PluginError, match=r"public\(\): example= is a value of its key: write key= too"):
        public(default=1, example="2")


def test_validate_takes_the_rules() -> None:
    class Old(Part):
        left: int = public(default=1)

        def validate(self) -> str | None:  # type: ignore[override]
            return None

    with pytest.raises(PluginError, match=r"its validate takes the rules: write def validate\(self, rules: Rules\)"):
        stack(Old)
