"""Positions from plain data: every field of the form, its defaults, its mistakes, and garbage."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import pytest
from attrs import evolve
from helpers import AS_IS, PLAIN_ROW, ScriptedChance, arranged, happened, legal, play, refused, rules_of
from hypothesis import HealthCheck, example, given, settings, strategies as st
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.errors import ChanceError, InvalidTableError, PluginError, SaveError
from ttr_rules.events import GameEnded, Unknown
from ttr_rules.model import Components, TunnelDue
from ttr_rules.parts import KeyHelp, Position, Report, keys_of
from ttr_rules.plugins import Below, Part, Rules, Transaction, Variant, hidden, hookimpl, known, public
from ttr_rules.train_cards import CardOptions, TrainCardsPlugin
from ttr_variants.europe import Stations

EUROPE = rules_of("europe")
AMERICA = rules_of("north-america")
COLORS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
DECK = Counter({**dict.fromkeys(COLORS, 12), "locomotive": 14})
REGULAR = {ticket.id for ticket in EUROPE.tickets.values() if ticket.kind == "regular"}
LONG = set(EUROPE.tickets) - REGULAR


def position(*players: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A position of these players; names are A, B, C … unless given."""
    return {"players": [{"name": "ABCDE"[n], **each} for n, each in enumerate(players)], **more}


def arrange(*players: Mapping[str, Any], rules: ttr.Rules = EUROPE, **more: Any) -> ttr.Game:
    """A game of these players, with the seed 1 unless told otherwise."""
    return ttr.arrange(rules, position(*players, **{"seed": 1, **more}))


def problems(given: object, rules: ttr.Rules | None = EUROPE) -> tuple[str, ...]:
    """The mistakes found in a position; it must have some."""
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(rules, given)  # type: ignore[arg-type]
    return caught.value.problems


def places(found: tuple[str, ...]) -> list[str]:
    """The places of mistakes."""
    return sorted(problem.split(":")[0] for problem in found)


def cards_of(state: ttr.State) -> Counter[str]:
    """Every train card of a state, wherever it lies."""
    hands = sum((Counter(dict(hand)) for hand in ttr.cards(state).hands), Counter[str]())
    return (
        hands
        + Counter(ttr.cards(state).face_up)
        + Counter(ttr.cards(state).draw_pile)
        + Counter(ttr.cards(state).discards)
    )


# -- defaults ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [EUROPE, AMERICA], ids=str)
def test_what_is_absent_is_nothing_and_the_piles_are_the_whole_deck(rules: ttr.Rules) -> None:
    game = arrange({}, {}, {}, rules=rules)
    state = game.state
    assert game.players == ("A", "B", "C")
    assert game.to_act == (0,)
    assert game.decision(0) == ttr.Turn(0)
    assert ttr.cards(state).hands == (ttr.Counts(),) * 3
    assert (state.cars, state.scores, state.tickets) == ([45] * 3, [0] * 3, [()] * 3)
    assert state.owners == {}
    assert state.turns_left == 0
    assert len(ttr.cards(state).face_up) == 5
    assert len(ttr.cards(state).discards) % 5 == 0  # a row may have been swept
    assert cards_of(state) == DECK
    assert Counter(state.ticket_pile) == Counter(
        ticket.id for ticket in rules.tickets.values() if ticket.kind == "regular"
    )
    assert not game.is_over
    assert game.final_scores is None
    if rules is EUROPE:
        assert state.part(Stations).built == {}
        assert game.view(0).part(Stations).left == [3, 3, 3]


def test_a_part_reads_the_round_of_its_position_and_a_city_that_is_not_written() -> None:
    read: list[object] = []

    class Post(Part):
        part_keys: ClassVar[Mapping[str, KeyHelp]] = {"office": KeyHelp("Where the office is.", "{city}")}

        def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
            read.append(tx.state.turn_number // tx.state.players + 1)
            read.append(position.table("parts", report).locations("office", report, one=True))

    class Posts(Variant, name="posts"):
        """Posts: an office."""

        @hookimpl
        def parts(self, rules: Rules) -> Iterable[type[Part]]:
            return (Post,)

    rules = ttr.compile_rules("europe", Posts)
    ttr.arrange(rules, {"seed": 1, "round": 5, "players": [{}, {}]})
    ttr.arrange(rules, {"seed": 1, "players": [{}, {}], "turns_left": 1, "parts": {"office": "Roma"}})
    assert read == [5, [], 1, [("parts.office", "roma")]]


class Homes(Part):
    """Where players live, which is asked before the first turn, and the weather."""

    part_keys: ClassVar[Mapping[str, KeyHelp]] = {"wind": KeyHelp("The wind.", "{{north = 1}}", required=True)}
    town: list[str] = public(each="", key="home", of="cities", required=True, help="The home town of this player.")
    sky: str = public(default="calm", key="sky", of=("calm", "storm"), required=True, help="The weather.")
    luck: int = public(default=3, key="luck", help="The luck of all.")


class HomesVariant(Variant, name="homes"):
    """Homes: everybody has a home town."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Homes,)


def test_a_key_that_is_required_is_missed_with_its_meaning_and_an_example() -> None:
    rules = ttr.compile_rules("europe", HomesVariant)
    missing = (
        'parts.sky: missing: The weather. For example: sky = "calm"',
        "parts.wind: missing: The wind. For example: wind = {north = 1}",
    )
    mine = ('players[1].home: missing: The home town of this player. For example: home = "Amsterdam"',)
    written = {"players": [{"home": "Roma"}, {}]}
    assert sorted(problems(written, rules)) == sorted(mine + missing)
    with pytest.raises(InvalidTableError, match="this table cannot be scored: 3 problems"):
        ttr.score(rules, written)
    whole = {"seed": 1, "players": [{"home": "Roma"}, {"home": "Paris"}], "parts": {"sky": "storm", "wind": {}}}
    assert ttr.arrange(rules, whole).view(None).part(Homes) == Homes(town=["roma", "paris"], sky="storm", luck=3)
    assert keys_of(Homes)[1]["sky"].summary == "The weather."  # no word of what holds without it
    assert ttr.new_game(rules=rules, players=2, seed=1).state.part(Homes).sky == "calm"


@pytest.mark.parametrize(
    "more", [{"required": True}, {"required": True, "key": "home"}, {"required": True, "help": "A"}]
)
def test_a_key_can_only_be_required_with_its_meaning(more: dict[str, Any]) -> None:
    with pytest.raises(PluginError, match=r"required=True needs key= and help="):
        public(**more)


@pytest.mark.parametrize("example", ["{red = 2}", "{}", "{town}", "{", "", "not TOML ]", "{city.name}"])
def test_an_example_of_a_key_is_toml_with_its_braces_doubled(example: str) -> None:
    class Winds(Part):
        player_keys: ClassVar[Mapping[str, KeyHelp]] = {"wind": KeyHelp("The wind.", example, required=True)}

    message = (
        r"the example of the key 'wind' of the state part Winds is .*: it must be a value in TOML, .* doubled, as in"
    )
    with pytest.raises(PluginError, match=message):
        ttr.compile_rules("europe", plugin("winds", parts=lambda rules: [Winds]))


def test_names_are_given_or_counted() -> None:
    assert ttr.arrange(EUROPE, {"players": [{}, {"name": "Ada"}, {}]}).players == ("Player 1", "Ada", "Player 3")


def test_the_stack_of_the_position_is_compiled() -> None:
    game = ttr.arrange(None, {"stack": ["north-america"], "players": [{}, {}]})
    assert game.rules.board.id == "north_america"
    assert ttr.arrange(None, {"stack": "europe", "players": [{}, {}]}).rules.board.id == "europe"
    assert ttr.arrange(EUROPE, {"stack": ["europe"], "players": [{}, {}]}).rules.same_as(EUROPE)


# -- every field -----------------------------------------------------------------------------------------------------


def test_hands() -> None:
    state = arrange({"hand": {"red": 3, "locomotive": 1, "blue": 0}}, {"hand": {"black": 12}}).state
    assert ttr.cards(state).hands == (ttr.Counts(red=3, locomotive=1), ttr.Counts(black=12))
    assert cards_of(state) == DECK
    assert "black" not in (*ttr.cards(state).face_up, *ttr.cards(state).draw_pile, *ttr.cards(state).discards)


@pytest.mark.rule("P1", "C4")
def test_routes_score_and_take_cars() -> None:
    state = arrange({"routes": ["frankfurt-paris-white", ["zagrab", "wien"]]}, {"routes": [["Roma", "Palermo"]]}).state
    assert state.owners == {"frankfurt-paris-white": 0, "wien-zagrab-gray": 0, "palermo-roma-gray": 1}
    assert (state.scores, state.cars) == ([6, 7], [40, 41])


def test_cars_replace_what_the_routes_leave() -> None:
    state = arrange({"routes": ["frankfurt-paris-white"], "cars": 12}, {"cars": 0}, {"cars": 45}).state
    assert state.cars == [12, 0, 45]
    assert state.scores == [4, 0, 0]


@pytest.mark.rule("E1")
def test_a_seat_with_few_cars_begins_the_last_round_when_it_ends_a_turn() -> None:
    game = arrange({"cars": 2}, {}, to_act=0)
    assert game.state.turns_left == 0
    for _ in range(2):
        game.play(ttr.DrawBlind(0))
    assert game.state.turns_left == 2


@pytest.mark.rule("C3", "C5", "C6")
@pytest.mark.parametrize("cars", [3, 42])
def test_cars_open_no_double_that_is_closed(cars: int) -> None:
    hand = {"white": 3, "red": 3, "black": 3, "orange": 3}
    mine = {"routes": ["berlin-frankfurt-red"], "cars": cars, "hand": hand}
    for others in (1, 3):
        game = arranged("europe", mine, {"routes": ["frankfurt-paris-orange"]}, *[{}] * (others - 1))
        offered = {action.route for action in legal(game, ttr.ClaimRoute)}
        assert "berlin-frankfurt-black" not in offered
        assert "berlin-frankfurt-red" not in offered
        assert "frankfurt-paris-orange" not in offered
        assert ("frankfurt-paris-white" in offered) is (others == 3)
        assert "erzurum-sochi-red" in offered
        assert refused(game, ttr.ClaimRoute(0, "berlin-frankfurt-black", {"black": 3})) == "C5"


def test_tickets_leave_the_pile() -> None:
    game = arrange({"tickets": ["brest-petrograd", ["wien", "paris"]]}, {"tickets": [["Paris", "Zágráb", 7]]})
    state = game.state
    assert state.tickets == [("brest-petrograd", "paris-wien"), ("paris-zagrab",)]
    assert set(state.ticket_pile) == REGULAR - {"paris-wien", "paris-zagrab"}
    assert len(state.ticket_pile) == 38
    assert set(state.ticket_piles) == {"regular"}  # the long ones are in the box


@pytest.mark.rule("B1", "B6")
def test_stations() -> None:
    game = arrange({"stations": ["wien", "Roma"]}, {"stations": ["riga"]})
    assert game.state.part(Stations).built == {"wien": 0, "roma": 0, "riga": 1}
    assert game.view(None).part(Stations).left == [1, 2]


def test_face_up() -> None:
    row = ["red", "red", "blue", "green", "locomotive"]
    state = arrange({}, {}, face_up=row).state
    assert list(ttr.cards(state).face_up) == row
    assert len(ttr.cards(state).draw_pile) == 105
    assert cards_of(state) == DECK


@pytest.mark.rule("R3")
def test_a_short_row_is_filled_from_the_pile() -> None:
    pile = ["blue", "green", "locomotive", "white", "black"]
    state = arrange({}, {}, face_up=["red", "red"], draw_pile=pile, draw_pile_complete=True).state
    assert ttr.cards(state).face_up == ("red", "red", "blue", "green", "locomotive")
    assert ttr.cards(state).draw_pile == ("white", "black")


@pytest.mark.rule("S4")
def test_a_row_of_locomotives_is_swept() -> None:
    row = ["red", "locomotive", "blue", "locomotive", "locomotive"]
    pile = ["white", "black", "green", "green", "red", "yellow"]
    state = arrange({}, {}, face_up=row, draw_pile=pile, draw_pile_complete=True, discards=["orange"]).state
    assert ttr.cards(state).face_up == ("white", "black", "green", "green", "red")
    assert ttr.cards(state).draw_pile == ("yellow",)
    assert ttr.cards(state).discards == ("orange", *row)


def test_the_top_of_the_draw_pile_is_as_given_and_the_rest_follows() -> None:
    top = ["white", "locomotive", "red"]
    state = arrange({}, {}, face_up=list(PLAIN_ROW), draw_pile=top).state
    assert list(ttr.cards(state).draw_pile[:3]) == top
    assert len(ttr.cards(state).draw_pile) == 105
    assert cards_of(state) == DECK


def test_the_top_of_the_draw_pile_is_as_given_also_when_the_row_is_not() -> None:
    """A row that is not given comes from the rest, and not from what is given as the top of the draw pile."""
    top = ["white", "black", "white", "black", "red"]
    state = arrange({}, {}, draw_pile=top).state
    assert len(ttr.cards(state).face_up) == 5
    assert list(ttr.cards(state).draw_pile[:5]) == top
    assert cards_of(state) == DECK


def test_a_complete_draw_pile_is_all_there_is() -> None:
    pile = ["white", "locomotive", "red"]
    state = arrange({}, {}, face_up=list(PLAIN_ROW), draw_pile=pile, draw_pile_complete=True).state
    assert list(ttr.cards(state).draw_pile) == pile
    assert ttr.cards(state).discards == ()
    state = arrange({}, {}, face_up=list(PLAIN_ROW), draw_pile=[], draw_pile_complete=True).state
    assert ttr.cards(state).draw_pile == ()
    state = arrange({}, {}, face_up=list(PLAIN_ROW), draw_pile=pile, draw_pile_complete=False).state
    assert len(ttr.cards(state).draw_pile) == 105


def test_discards() -> None:
    discards = ["red", "locomotive", "red"]
    state = arrange({}, {}, face_up=list(PLAIN_ROW), discards=discards).state
    assert list(ttr.cards(state).discards) == discards
    assert len(ttr.cards(state).draw_pile) == 102
    assert cards_of(state) == DECK


@pytest.mark.rule("D7")
def test_discards_are_the_pile_at_once_when_there_is_none() -> None:
    state = arrange({}, {}, face_up=list(PLAIN_ROW), draw_pile_complete=True, discards=["red", "blue", "red"]).state
    assert Counter(ttr.cards(state).draw_pile) == {"red": 2, "blue": 1}
    assert ttr.cards(state).discards == ()


def test_the_ticket_pile() -> None:
    top = ["stockholm-wien", "amsterdam-pamplona"]
    state = arrange({"tickets": ["paris-wien"]}, {}, ticket_pile=top).state
    assert list(state.ticket_pile[:2]) == top
    assert Counter(state.ticket_pile) == Counter(REGULAR - {"paris-wien"})


def test_a_ticket_of_the_pile_is_written_as_one_in_a_hand_is() -> None:
    top = [["wien", "stockholm"], "pamplona-amsterdam"]
    state = arrange({}, {}, ticket_pile=top).state
    assert state.ticket_pile[:2] == ("stockholm-wien", "amsterdam-pamplona")


@pytest.mark.parametrize(("to_act", "seat"), [("A", 0), ("C", 2), (0, 0), (1, 1)])
def test_to_act(to_act: object, seat: int) -> None:
    game = arrange({}, {}, {}, to_act=to_act)
    assert game.to_act == (seat,)
    assert game.decision(seat) == ttr.Turn(seat)
    assert game.view(None).turn == seat
    play(game, ttr.DrawBlind(seat), ttr.DrawBlind(seat))
    assert game.to_act == ((seat + 1) % 3,)


@pytest.mark.rule("E1")
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_turns_left_counts_this_one(turns: int) -> None:
    game = arrange({}, {}, {}, to_act="B", turns_left=turns, face_up=list(PLAIN_ROW), draw_pile=["red"] * 6)
    assert game.view(None).turns_left == turns
    for turn in range(turns):
        seat = (1 + turn) % 3
        assert game.to_act == (seat,)
        events = play(game, ttr.DrawBlind(seat), ttr.DrawBlind(seat))
        assert bool(happened(events, GameEnded)) is (turn == turns - 1)
    assert game.is_over


@pytest.mark.rule("E1")
def test_without_turns_left_the_last_round_has_not_begun() -> None:
    mine = {"cars": 5, "hand": {"green": 3}}
    game = arrange(mine, {}, face_up=list(PLAIN_ROW), turns_left=0)
    game.play(ttr.ClaimRoute(0, "berlin-wien-green", {"green": 3}))
    assert game.view(None).turns_left == 2


@pytest.mark.rule("E1")
def test_few_cars_in_the_last_round_begin_no_other() -> None:
    mine = {"cars": 5, "hand": {"green": 3}}
    game = arrange(mine, {}, face_up=list(PLAIN_ROW), turns_left=1)
    game.play(ttr.ClaimRoute(0, "berlin-wien-green", {"green": 3}))
    assert game.is_over


@pytest.mark.rule("R2", "R5", "D8")
def test_rulings_in_the_position() -> None:
    empty: dict[str, Any] = {"face_up": ["red"], "draw_pile_complete": True}
    game = arrange({}, {}, **empty)
    assert refused(game, ttr.DrawFaceUp(0, "red")) == "D8"
    game = arrange({}, {}, **empty, rulings={"face_up_when_exhausted": True})
    assert game.rules.options["train-cards"] == {"face_up_when_exhausted": True, "second_card_optional": False}
    game.play(ttr.DrawFaceUp(0, "red"))
    assert ttr.cards(game.state).hands[0] == {"red": 1}
    # The rules that were given are as they were, and their rulings are the default of the position's.
    assert EUROPE.plugin(CardOptions) == TrainCardsPlugin()
    optional = ttr.compile_rules("europe", rulings={"second_card_optional": True})
    game = arrange({}, {}, rules=optional, rulings={"face_up_when_exhausted": True})
    assert game.rules.options["train-cards"] == {"face_up_when_exhausted": True, "second_card_optional": True}


def test_an_empty_table_of_parts_and_of_rulings() -> None:
    assert arrange({}, {}, parts={}, rulings={}) == arrange({}, {})


@pytest.mark.rule("B4", "R8")
def test_lends_that_are_settled() -> None:
    mine = {"stations": ["wien"], "lends": {"wien": "warszawa-wien-blue"}}
    game = arrange(mine, {"routes": ["berlin-wien-green", "warszawa-wien-blue"]}, turns_left=1)
    play(game, ttr.DrawBlind(0), ttr.DrawBlind(0))
    assert game.final_scores is not None
    assert game.final_scores.players[0].lends == {"wien": "warszawa-wien-blue"}


# -- chance ------------------------------------------------------------------------------------------------------------


def test_the_seed_decides() -> None:
    one, same, other = arrange({}, {}), arrange({}, {}), arrange({}, {}, seed=2)
    assert one == same
    assert one.state == same.state
    assert ttr.cards(one.state).draw_pile != ttr.cards(other.state).draw_pile
    assert one.state.ticket_pile != other.state.ticket_pile
    assert arrange({}, {}, seed="a word").seed == "a word"
    assert arrange({}, {}, seed=0).seed == 0
    assert one.seed == 1


def test_without_a_seed_one_is_drawn_and_kept() -> None:
    first, second = (ttr.arrange(EUROPE, position({}, {})) for _ in range(2))
    assert first.seed is not None
    assert first.seed != second.seed
    assert arrange({}, {}, seed=first.seed) == first


def test_chance_shuffles_the_rest_of_the_cards_and_then_the_rest_of_the_tickets() -> None:
    chance = ScriptedChance(AS_IS, AS_IS)
    held = {"hand": {"red": 2}, "tickets": ["paris-wien"]}
    more = {"face_up": list(PLAIN_ROW), "draw_pile": ["black"], "discards": ["locomotive"], "seed": 7}
    game = ttr.arrange(EUROPE, position(held, {}, ticket_pile=["stockholm-wien"], **more), chance=chance)
    chance.done()
    cards, tickets = chance.calls
    used = Counter(["red", "red", *PLAIN_ROW, "black", "locomotive"])
    assert Counter(cards.items) == DECK - used
    assert list(tickets.items) == [id for id in EUROPE.tickets if id in REGULAR - {"paris-wien", "stockholm-wien"}]
    assert ttr.cards(game.state).draw_pile == ("black", *cards.items)
    assert game.state.ticket_pile == ("stockholm-wien", *tickets.items)
    assert game.seed is None


def test_a_chance_object_that_cheats() -> None:
    class Cheat:
        def shuffled(self, items: Any) -> Any:
            return items[1:]

        def roll(self, faces: Any) -> Any:
            return faces[0]

    with pytest.raises(ChanceError):
        ttr.arrange(EUROPE, position({}, {}), chance=Cheat())


# -- it is a game like any other -----------------------------------------------------------------------------------------

FULL: dict[str, Any] = {
    "stack": ["europe"],
    "to_act": "Ada",
    "seed": 1,
    "turns_left": 0,
    "face_up": ["red", "red", "blue", "green", "locomotive"],
    "draw_pile": ["white", "locomotive", "red"],
    "draw_pile_complete": False,
    "discards": ["black"],
    "ticket_pile": ["stockholm-wien"],
    "rulings": {"face_up_when_exhausted": True},
    "parts": {},
    "players": [
        {
            "name": "Ada",
            "hand": {"red": 3, "locomotive": 1},
            "cars": 12,
            "routes": ["frankfurt-paris-white", ["wien", "zagrab"], ["london", "edinburgh", "black"]],
            "stations": ["berlin"],
            "tickets": [["paris", "wien"], "brest-petrograd"],
            "lends": {"berlin": "berlin-wien-green"},
        },
        {"name": "Isambard", "routes": ["berlin-wien-green"], "stations": [], "tickets": []},
    ],
}


def at_random(game: ttr.Game, number: int) -> None:
    """Play a legal action that depends on a number only."""
    actions = game.legal_actions(game.to_act[number % len(game.to_act)])
    game.play(actions[number * 7919 % len(actions)])


def test_the_whole_form_at_once() -> None:
    before = json.dumps(FULL)
    game = ttr.arrange(None, FULL)
    state = game.state
    assert json.dumps(FULL) == before
    assert ttr.cards(state).hands == (ttr.Counts(red=3, locomotive=1), ttr.Counts())
    assert state.cars == [12, 42]
    assert state.scores == [13, 4]
    assert state.tickets == [("paris-wien", "brest-petrograd"), ()]
    assert state.part(Stations).built == {"berlin": 0}
    assert ttr.cards(state).face_up == ("red", "red", "blue", "green", "locomotive")
    assert ttr.cards(state).draw_pile[:3] == ("white", "locomotive", "red")
    assert ttr.cards(state).discards == ("black",)
    assert state.ticket_pile[0] == "stockholm-wien"
    assert cards_of(state) == DECK


@pytest.mark.parametrize("form", [FULL, position({}, {}, {}, {}, {}, seed=5), position({}, {}, seed="x", turns_left=2)])
def test_play_goes_on_to_the_end(form: dict[str, Any]) -> None:
    game = ttr.arrange(EUROPE, form)
    deck = cards_of(game.state)
    number = 0
    while not game.is_over:
        number += 1
        at_random(game, number)
        laid = game.decision(game.to_act[0]) if game.to_act else None
        if not isinstance(laid, TunnelDue):
            assert cards_of(game.state) == deck
    assert game.final_scores is not None
    again = ttr.loads(ttr.dumps(game))
    assert again == game
    assert again.final_scores == game.final_scores


@pytest.mark.parametrize("played", [0, 1, 2, 10])
def test_an_arranged_game_is_saved_and_read(played: int) -> None:
    game = ttr.arrange(None, FULL)
    for number in range(played):
        at_random(game, number)
    again = ttr.loads(ttr.dumps(game))
    assert again == game
    assert again.state == game.state
    assert again.events == game.events
    assert again.rules.options == game.rules.options
    for number in range(5):
        at_random(game, number)
        at_random(again, number)
    assert again == game


def test_one_with_a_callers_chance_is_saved_and_read_too() -> None:
    game = ttr.arrange(EUROPE, position({}, {}), chance=ScriptedChance(otherwise=AS_IS))
    text = ttr.dumps(game)
    with pytest.raises(SaveError):
        ttr.loads(text)
    again = ttr.loads(text, chance=ScriptedChance(otherwise=AS_IS))
    assert again.state == game.state
    for each in (game, again):
        play(each, ttr.DrawBlind(0), ttr.DrawBlind(0))
    assert again.state == game.state


@pytest.mark.rule("S6")
def test_what_was_arranged_is_as_secret_as_what_was_dealt() -> None:
    game = ttr.arrange(None, FULL)
    other = copy.deepcopy(FULL)
    other["players"][0]["hand"] = {"yellow": 4}
    other["players"][0]["tickets"] = ["berlin-roma", "cadiz-stockholm"]
    other["seed"] = 2
    hidden = ttr.arrange(None, other)
    assert game.view(1) == hidden.view(1)
    assert game.view(None) == hidden.view(None)
    assert game.view(0) != hidden.view(0)
    for seat in (1, None):
        seen, also = ([event.seen_by(seat) for event in each.events] for each in (game, hidden))
        assert seen == also


# -- mistakes ------------------------------------------------------------------------------------------------------------

TWO: list[dict[str, Any]] = [{}, {}]
RAILS = ["petrograd-stockholm-gray", "budapest-kyiv-gray", "palermo-smyrna-gray"]  # 8 + 6 + 6 cars
RAILS += ["barcelona-marseille-gray", "bucuresti-kyiv-gray", "kharkov-kyiv-gray", "kharkov-moskva-gray"]  # 16
RAILS += ["berlin-danzig-gray", "brest-pamplona-purple", "rostov-sevastopol-gray"]  # 12: 48 in all
MORE_RAILS = ["athina-sarajevo-green", "marseille-roma-gray", "petrograd-wilno-blue", "riga-wilno-green"]  # 16
MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "unknown card in a hand": (position({"hand": {"pink": 1}}, {}), "players[0].hand.pink"),
    "negative cards": (position({}, {"hand": {"red": -1}}), "players[1].hand.red"),
    "half a card": (position({}, {"hand": {"red": 0.5}}), "players[1].hand.red"),
    "a card that is true": (position({}, {"hand": {"red": True}}), "players[1].hand.red"),
    "a list for a hand": (position({"hand": ["red", "red"]}, {}), "players[0].hand"),
    "negative cars": (position({"cars": -1}, {}), "players[0].cars"),
    "too many cars": (position({}, {"cars": 46}), "players[1].cars"),
    "more cars than the routes leave": (position({"cars": 44, "routes": [["wien", "zagrab"]]}, {}), "players[0].cars"),
    "a city that lends twice": (
        position(
            {"stations": ["wien"], "lends": {"wien": "warszawa-wien-blue", "Wien": "berlin-wien-green"}},
            {"routes": ["warszawa-wien-blue", "berlin-wien-green"]},
        ),
        "players[0].lends.Wien",
    ),
    "a text for cars": (position({"cars": "12"}, {}), "players[0].cars"),
    "cars that are none": (position({"cars": None}, {}), "players[0].cars"),
    "too many routes": (position({"routes": RAILS}, {}), "players[0].routes"),
    "too many routes, and cars left": (position({"routes": RAILS, "cars": 5}, {}), "players[0].routes"),
    "far too many routes": (position({}, {"routes": [*RAILS, *MORE_RAILS]}), "players[1].routes"),
    "both halves": (
        position({"routes": ["frankfurt-paris-white", "frankfurt-paris-orange"]}, {}),
        "players[0].routes[1]",
    ),
    "two stations in a city": (position({"stations": ["wien"]}, {"stations": ["wien"]}), "players[1].stations[0]"),
    "unknown city": (position({"stations": ["atlantis"]}, {}), "players[0].stations[0]"),
    "unknown ticket": (position({"tickets": ["wien-atlantis"]}, {}), "players[0].tickets[0]"),
    "a ticket of no deck": (position({"tickets": ["paris-wien", ["wien", "berlin", 5]]}, {}), "players[0].tickets[1]"),
    "unknown key of a player": (position({"hands": {}}, {}), "players[0]"),
    "unknown card in the row": (position(*TWO, face_up=["red", "pink"]), "face_up[1]"),
    "a number in the row": (position(*TWO, face_up=["red", 5]), "face_up[1]"),
    "a row of six": (position(*TWO, face_up=["red"] * 6), "face_up"),
    "a text for the row": (position(*TWO, face_up="red"), "face_up"),
    "unknown card in the pile": (position(*TWO, draw_pile=["gray"]), "draw_pile[0]"),
    "a table for the pile": (position(*TWO, draw_pile={"red": 3}), "draw_pile"),
    "a word for yes": (position(*TWO, draw_pile_complete="yes"), "draw_pile_complete"),
    "a number for yes": (position(*TWO, draw_pile_complete=1), "draw_pile_complete"),
    "unknown discard": (position(*TWO, discards=["red", None]), "discards[1]"),
    "unknown ticket in the pile": (position(*TWO, ticket_pile=["wien-atlantis"]), "ticket_pile[0]"),
    "a long ticket in the pile": (position(*TWO, ticket_pile=["brest-petrograd"]), "ticket_pile[0]"),
    "a ticket twice in the pile": (position(*TWO, ticket_pile=["paris-wien"] * 2), "ticket_pile[1]"),
    "a ticket of a hand in the pile": (
        position({"tickets": ["paris-wien"]}, {}, ticket_pile=["paris-wien"]),
        "ticket_pile[0]",
    ),
    "a text for the ticket pile": (position(*TWO, ticket_pile="paris-wien"), "ticket_pile"),
    "a number in the ticket pile": (position(*TWO, ticket_pile=[5]), "ticket_pile[0]"),
    "nobody to act": (position(*TWO, to_act="Z"), "to_act"),
    "a seat that is not there": (position(*TWO, to_act=2), "to_act"),
    "a negative seat": (position(*TWO, to_act=-1), "to_act"),
    "a seat that is true": (position(*TWO, to_act=True), "to_act"),
    "to act is none": (position(*TWO, to_act=None), "to_act"),
    "to act is a list": (position(*TWO, to_act=["A"]), "to_act"),
    "negative turns": (position(*TWO, turns_left=-1), "turns_left"),
    "more turns than players": (position(*TWO, turns_left=3), "turns_left"),
    "half a turn": (position(*TWO, turns_left=1.5), "turns_left"),
    "turns are true": (position(*TWO, turns_left=True), "turns_left"),
    "a seed of a list": (position(*TWO, seed=[1]), "seed"),
    "a seed of none": (position(*TWO, seed=None), "seed"),
    "half a seed": (position(*TWO, seed=1.5), "seed"),
    "a true seed": (position(*TWO, seed=True), "seed"),
    "unknown ruling": (position(*TWO, rulings={"R2": True}), "rulings"),
    "a ruling of another type": (position(*TWO, rulings={"face_up_when_exhausted": "yes"}), "rulings"),
    "rulings of another type": (position(*TWO, rulings=["R2"]), "rulings"),
    "unknown part": (position(*TWO, parts={"dice": {}}), "parts"),
    "parts of another type": (position(*TWO, parts=[]), "parts"),
    "another stack": (position(*TWO, stack=["north-america"]), "stack"),
    "one player": (position({}), "players"),
    "six players": ({"players": [{}] * 6}, "players"),
    "nobody": ({}, "players"),
    "the same name": (position({"name": "B"}, {}), "players[1].name"),
}


@pytest.mark.rule("S1", "S2", "B1", "C3", "C5")
@pytest.mark.parametrize("mistake", list(MISTAKES))
def test_a_mistake_is_reported_with_its_place(mistake: str) -> None:
    form, place = MISTAKES[mistake]
    found = problems(form)
    assert places(found) == [place], found


@pytest.mark.rule("S2")
@pytest.mark.parametrize(
    "form",
    [
        position({"hand": {"red": 13}}, {}),
        position({"hand": {"red": 7}}, {"hand": {"red": 6}}),
        position({"hand": {"red": 10}}, {}, face_up=["red", "red"], draw_pile=["red"]),
        position({"hand": {"red": 12}}, {}, discards=["red"]),
        position(*TWO, draw_pile=["red"] * 13),
        position({"hand": {"red": 900}}, {}),
    ],
)
def test_more_cards_of_a_color_than_there_are(form: dict[str, Any]) -> None:
    (found,) = problems(form)
    assert "red" in found
    assert "12" in found


@pytest.mark.rule("S2")
def test_all_cards_of_a_color_can_be_used() -> None:
    game = arrange({"hand": {"red": 10, "locomotive": 14}}, {}, face_up=["red", "blue"], draw_pile=["red"])
    assert cards_of(game.state) == DECK
    (found,) = problems(position({"hand": {"locomotive": 15}}, {}))
    assert "locomotive" in found


def test_every_mistake_is_reported_at_once() -> None:
    form = {
        "stack": ["north-america"],
        "to_act": "Nobody",
        "seed": None,
        "turns_left": 9,
        "face_up": ["pink", *["white"] * 5],
        "draw_pile": ["red", "mauve"],
        "draw_pile_complete": "yes",
        "discards": "none",
        "ticket_pile": ["paris-wien", "paris-wien", "nowhere"],
        "rulings": {"station_choice": "maybe"},
        "parts": {"dice": 1},
        "cities": [],
        "players": [
            {
                "name": "Ada",
                "hand": {"red": 12, "pink": 1, "blue": -1},
                "cars": 99,
                "routes": ["frankfurt-paris-white", "frankfurt-paris-orange", "nowhere"],
                "stations": ["wien", "wien", "atlantis"],
                "tickets": ["nowhere", ["berlin", "wien", 4]],
                "hat": "green",
            },
            {"name": "Ada", "hand": [], "cars": None, "routes": ["frankfurt-paris-white"], "stations": ["wien"]},
        ],
    }
    found = problems(form)
    about_the_whole = [problem for problem in found if "'cities'" in problem or ("red" in problem and "12" in problem)]
    assert len(about_the_whole) == 2, found
    assert places(tuple(problem for problem in found if problem not in about_the_whole)) == sorted(
        [
            "stack",
            "to_act",
            "seed",
            "turns_left",
            "face_up[0]",
            "draw_pile[1]",
            "draw_pile_complete",
            "discards",
            "ticket_pile[1]",
            "ticket_pile[2]",
            "rulings",
            "parts",
            "players[0]",
            "players[0].hand.blue",
            "players[0].hand.pink",
            "players[0].cars",
            "players[0].routes[1]",
            "players[0].routes[2]",
            "players[0].stations[1]",
            "players[0].stations[2]",
            "players[0].tickets[0]",
            "players[0].tickets[1]",
            "players[1].name",
            "players[1].hand",
            "players[1].cars",
            "players[1].routes[0]",
            "players[1].stations[0]",
        ]
    )


def test_cards_and_routes_are_reported_together() -> None:
    found = problems(position({"hand": {"red": 13}, "stations": ["wien"]}, {"stations": ["wien"]}))
    assert len(found) == 2


@pytest.mark.parametrize("form", [None, 5, "europe", [], [FULL], True], ids=str)
def test_what_is_no_position(form: object) -> None:
    for rules in (None, EUROPE):
        assert len(problems(form, rules)) == 1


@pytest.mark.parametrize("form", [{1: 2}, {"players": [{1: 2}, {}]}, {"players": [{"hand": {1: 2}}, {}]}, {None: []}])
def test_keys_that_are_no_texts(form: Any) -> None:
    for read in (ttr.score, ttr.arrange):
        with pytest.raises(InvalidTableError):
            read(EUROPE, form)


HUGE = 10**5000  # Python refuses to print it


@pytest.mark.parametrize(
    "form",
    [
        position({"hand": {"red": HUGE}}, {}),
        position({"cars": HUGE}, {}),
        position(*TWO, turns_left=HUGE),
        position(*TWO, to_act=HUGE),
        position(*TWO, face_up=[HUGE]),
        position({"tickets": [["wien", "berlin", HUGE]]}, {}),
        position({"routes": [HUGE]}, {}),
    ],
    ids=["hand", "cars", "turns_left", "to_act", "face_up", "tickets", "routes"],
)
def test_numbers_beyond_printing_are_mistakes_like_others(form: dict[str, Any]) -> None:
    assert len(problems(form)) == 1


# -- garbage ---------------------------------------------------------------------------------------------------------------

WORDS = [
    *("europe", "north-america", "wien", "Wien", "berlin", "paris", "atlantis", "london", "edinburgh", "red", "gray"),
    *("locomotive", "black", "orange", "berlin-wien-green", "frankfurt-paris-white", "frankfurt-paris-orange"),
    *("dieppe-london-gray-1", "paris-wien", "brest-petrograd", "stockholm-wien", "Ada", "Isambard", "", "ask", "best"),
]
KEYS = [
    *("stack", "to_act", "seed", "turns_left", "face_up", "draw_pile", "draw_pile_complete", "discards"),
    *("ticket_pile", "rulings", "parts", "players", "name", "hand", "cars", "routes", "stations", "tickets"),
    *("lends", "red", "locomotive", "wien", "berlin", "face_up_when_exhausted", "station_choice"),
]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 50),
    st.integers(),
    st.floats(),
    st.sampled_from(WORDS),
    st.text(max_size=6),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.sampled_from(KEYS), st.text(max_size=4)), inner, max_size=4),
    ),
    max_leaves=12,
)
#: Documents that have the outline of a table, and anything at all inside.
PLAYERS = st.lists(st.one_of(VALUES, st.dictionaries(st.sampled_from(KEYS[12:19]), VALUES, max_size=5)), max_size=6)
OUTLINES = st.fixed_dictionaries(
    {"players": PLAYERS}, optional={key: VALUES for key in KEYS[:11] if key not in ("stack", "players")}
)
MANY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def survives(read: Callable[[ttr.Rules | None, Any], object], form: Any) -> None:
    """A result that can be used, or an error on purpose; never anything else."""
    before = repr(form)
    try:
        result = read(EUROPE, form)
    except ttr.TTRError as error:
        assert str(error)
    else:
        if isinstance(result, ttr.FinalScores):
            json.dumps(result.to_json())
            assert result.winners
        else:
            assert isinstance(result, ttr.Game)
            assert ttr.loads(ttr.dumps(result)) == result
            for number in range(3):
                if not result.is_over:
                    at_random(result, number)
    assert repr(form) == before


@pytest.mark.slow
@MANY
@given(form=VALUES)
@example(form={"players": [{}, {}]})
def test_any_value_gives_a_result_or_an_error_on_purpose(form: Any) -> None:
    survives(ttr.score, form)
    survives(ttr.arrange, form)


@pytest.mark.slow
@MANY
@given(form=OUTLINES)
@example(form={"players": [{"routes": list(EUROPE.board.routes)}, {}]})
@example(form={"players": [{}, {"routes": list(EUROPE.board.routes)[:30]}, {}, {}], "seed": 1})
def test_any_table_gives_a_result_or_an_error_on_purpose(form: dict[str, Any]) -> None:
    survives(ttr.score, form)
    survives(ttr.arrange, form)


@MANY
@given(stack=VALUES, form=VALUES)
def test_any_stack_gives_a_result_or_an_error_on_purpose(stack: Any, form: Any) -> None:
    for read in (ttr.score, ttr.arrange):
        for rules in (None, EUROPE):
            try:
                read(rules, {"players": form, "stack": stack})
            except ttr.TTRError as error:
                assert str(error)


def mutated(document: Any, data: st.DataObject) -> Any:
    """A copy of a document with one value somewhere in it replaced, removed, doubled or added."""
    result = copy.deepcopy(document)
    here: Any = result
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys or data.draw(st.integers(0, 4)) == 0:
            if isinstance(here, dict):
                here[data.draw(st.one_of(st.sampled_from(KEYS), st.text(max_size=4)))] = data.draw(VALUES)
            else:
                here.insert(data.draw(st.integers(0, len(here))), data.draw(VALUES))
            return result
        key = data.draw(st.sampled_from(keys))
        if isinstance(here[key], (dict, list)) and data.draw(st.integers(0, 3)):
            here = here[key]
            continue
        what = data.draw(st.sampled_from(["replace", "replace", "remove", "double"]))
        if what == "replace":
            here[key] = data.draw(VALUES)
        elif what == "remove":
            del here[key]
        elif isinstance(here, list):
            here.append(copy.deepcopy(here[key]))
        else:
            here[data.draw(st.sampled_from(KEYS))] = copy.deepcopy(here[key])
        return result


SCORED = {
    "stack": ["europe"],
    "players": [
        {key: value for key, value in player.items() if key not in ("hand", "cars")} for player in FULL["players"]
    ],
}


def test_the_documents_that_are_mutated_are_valid() -> None:
    assert ttr.arrange(None, FULL).to_act == (0,)
    assert ttr.score(None, SCORED).winners == ("Isambard",)


@pytest.mark.slow
@MANY
@given(data=st.data(), times=st.integers(1, 3))
def test_a_mutated_position_gives_a_result_or_an_error_on_purpose(data: st.DataObject, times: int) -> None:
    form = FULL
    for _ in range(times):
        form = mutated(form, data)
    survives(ttr.arrange, form)


@pytest.mark.slow
@MANY
@given(data=st.data(), times=st.integers(1, 3))
def test_a_mutated_table_gives_a_result_or_an_error_on_purpose(data: st.DataObject, times: int) -> None:
    form = SCORED
    for _ in range(times):
        form = mutated(form, data)
    survives(ttr.score, form)


TOWNS = ("amsterdam", "berlin", "paris", "roma", "wien")


class Stalls(Part):
    lying: dict[str, tuple[str, ...] | Unknown] = public(
        pool="goods", key="stalls", of="cities", help="The goods at stalls."
    )
    rest: tuple[str, ...] = public(default=("coal", "wine"), pool="goods")

    def box(self, rules: Rules) -> dict[str, tuple[str, ...]]:
        return {"goods": ("coal", "wine")}

    def set_up(self, tx: Transaction) -> None:
        tx.put_items(self, "lying", None, ("coal",), tx.roll(TOWNS))
        tx.put_items(self, "rest", None, ("wine",))


class Markets(Variant, name="markets"):
    """Markets: coal lies in a town by chance."""

    @hookimpl
    def parts(self, rules: Rules) -> tuple[type[Part], ...]:
        return (Stalls,)


def test_stores_that_chance_has_opened_can_be_written() -> None:
    """Any city may have one, and what the set-up put where a key puts something else goes back to the pile."""
    rules = ttr.compile_rules("europe", Markets)

    def stalls(**written: list[str]) -> Stalls:
        return ttr.arrange(rules, {"seed": 1, "parts": {"stalls": written}, "players": [{}, {}]}).state.part(Stalls)

    assert stalls(London=["wine"]) == Stalls(lying={"amsterdam": ("coal",), "london": ("wine",)}, rest=())
    assert stalls(Amsterdam=["wine"]) == Stalls(lying={"amsterdam": ("wine",)}, rest=("coal",))
    assert stalls(Amsterdam=[]) == Stalls(lying={"amsterdam": ()}, rest=("wine", "coal"))


@pytest.mark.rule("E1")
@pytest.mark.parametrize(
    ("players", "round", "following", "number"), [(3, 1, 1, 2), (3, 4, 0, 12), (3, 4, 2, 10), (2, 1, 0, 2)]
)
def test_a_position_begins_in_the_middle_of_a_round(players: int, round: int, following: int, number: int) -> None:
    keys = {"seed": 1, "round": round, "turns_left_in_round": following, "players": [{} for _ in range(players)]}
    game = ttr.arrange(rules_of("europe"), keys)
    state = game.state
    assert (state.round, state.turns_left_in_round, state.turn_number) == (round, following, number)
    assert state.ends_round == (following == 0)


class FewRounds(Variant, name="few-rounds"):
    @hookimpl
    def components(self, below: Below[Components], board: ttr.Board) -> Components:
        return evolve(below(), rounds=4)


@pytest.mark.parametrize(
    ("keys", "left", "following"),
    [
        ({"round": 4, "turns_left_in_round": 1}, 2, 1),
        ({"round": 4, "turns_left": 3}, 3, 2),
        ({"round": 4}, 3, 2),
        ({"round": 3, "turns_left_in_round": 0, "turns_left": 4}, 4, 0),
    ],
)
def test_turns_left_in_the_last_of_a_number_of_rounds(keys: dict[str, int], left: int, following: int) -> None:
    game = ttr.arrange(ttr.compile_rules("europe", FewRounds), {"seed": 1, "players": [{}, {}, {}], **keys})
    assert (game.state.turns_left, game.state.turns_left_in_round) == (left, following)


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"turns_left_in_round": 3}, "turns_left_in_round: expected a whole number from 0 to 2, got 3"),
        (
            {"round": 4, "turns_left_in_round": 1, "turns_left": 1},
            r"turns_left: expected 2, the turns left in the last round, including this one",
        ),
        ({"round": 4, "turns_left_in_round": 1, "turns_left": 3}, r"turns_left: expected a whole number from 0 to 2"),
        ({"round": 3, "turns_left_in_round": 0, "turns_left": 5}, r"turns_left: expected a whole number from 0 to 4"),
    ],
)
def test_turns_that_a_round_does_not_have(keys: dict[str, int], problem: str) -> None:
    with pytest.raises(InvalidTableError, match=problem):
        ttr.arrange(ttr.compile_rules("europe", FewRounds), {"seed": 1, "players": [{}, {}, {}], **keys})


class Posters(Part):
    """A pile and a row, which the set-up fills by an event of the plugin."""

    pile: tuple[str, ...] | Unknown = hidden(default=("a",) * 5, pool="posters")
    row: tuple[str, ...] = public(pool="posters", key="row")
    seen: ClassVar[list[tuple[int, int]]] = []

    def box(self, rules: Rules) -> Mapping[str, Iterable[object]]:
        return {"posters": ("a",) * 5}

    def set_up(self, tx: Transaction) -> None:
        tx.emit(PosterPutUp)
        tx.emit(PosterPutUp)

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        super().arrange(tx, position, report)
        now = tx.state.part(Posters)
        Posters.seen.append((len(now.row), len(known(now.pile))))


class PosterPutUp(ttr.Event):
    message = ""

    def apply(self, state: ttr.State) -> None:
        (posters,) = [part for part in state.parts.values() if isinstance(part, Posters)]
        posters.pile, posters.row = known(posters.pile)[1:], (*posters.row, "a")


@pytest.mark.parametrize(("row", "lying"), [(None, (2, 3)), ([], (0, 5)), (["a"], (1, 4))])
def test_a_part_finds_everything_in_its_place_once_its_keys_are_read(
    row: list[str] | None, lying: tuple[int, int]
) -> None:
    Posters.seen.clear()
    parts = {} if row is None else {"row": row}
    rules = ttr.compile_rules("europe", plugin("posters", (), __name__, parts=lambda rules: (Posters,)))
    game = ttr.arrange(rules, {"seed": 1, "players": [{}, {}], "parts": parts})
    now = game.state.part(Posters)
    assert Posters.seen == [lying] and (len(now.row), len(known(now.pile))) == lying


class OwnPosters(Posters):
    """The same, but it reads its key itself."""

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        if "row" in position.table("parts", report).raw:
            tx.put_items(self, "row", None, ())


def test_what_keys_replace_goes_back_to_its_pile_though_a_part_reads_its_keys_itself() -> None:
    rules = ttr.compile_rules("europe", plugin("own-posters", (), __name__, parts=lambda rules: (OwnPosters,)))
    game = ttr.arrange(rules, {"seed": 1, "players": [{}, {}], "parts": {"row": []}})
    now = game.state.part(OwnPosters)
    assert now.row == () and len(known(now.pile)) == 5
