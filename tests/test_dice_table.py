"""Dice at the table: arranged positions, score sheets, games told in sentences; and keys in `parts` for any plugin."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import pytest
from dicing import DOUBLE, SINGLE, claim, faces, leave_tokens, rolled
from helpers import AS_IS, ScriptedChance, happened, rules_of

import ttr_rules as ttr
from ttr_rules.errors import InvalidTableError
from ttr_rules.events import TurnBegun, TurnEnded
from ttr_rules.parts import KeyHelp, Position, Report, TableEntry
from ttr_rules.plugins import Part, Rules, Transaction, Variant, hookimpl
from ttr_tools.narration.telling import Narrator
from ttr_variants.dice import DrawTicketsWithDice, Reroll, RerollChoice, ReturnTokens, TakeTokens
from ttr_variants.dice.state import Dice, DiceArranged, DiceFound, DiceRolled
from ttr_variants.europe.stations import BuildStation

EUROPE = rules_of("europe", "dice")
PLAYERS = [{"name": "Ada", "routes": [["paris", "zurich"]], "cars": 20}, {"name": "Isambard"}]


def position(dice: object = None, **more: Any) -> dict[str, Any]:
    return {"players": PLAYERS, "seed": 1, **({} if dice is None else {"parts": {"dice": dice}}), **more}


def problems(dice: object, **more: Any) -> dict[str, str]:
    """The mistakes in a position with these dice, by place."""
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(EUROPE, position(dice, **more))
    return dict(problem.split(": ", 1) for problem in caught.value.problems)


# -- arranged positions -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("X3")
@pytest.mark.parametrize("dice", [None, {}, {"faces": []}, {"tokens": {"Ada": {DOUBLE: 1}}}])
def test_without_faces_the_turn_begins_with_a_roll(dice: dict[str, Any] | None) -> None:
    game = ttr.arrange(EUROPE, position(dice, to_act="Isambard"))
    (event,) = happened(game.events, DiceRolled)
    assert game.decision(1) == RerollChoice(1, event.faces)
    assert happened(game.events, DiceFound) == []
    assert game.state.part(Dice).tokens[0] == (dice or {}).get("tokens", {}).get("Ada", {})


@pytest.mark.rule("X3", "X7")
def test_faces_and_tokens_as_they_lie() -> None:
    text = """
    stack = ["europe", "dice"]
    to_act = "Isambard"
    seed = 1
    [[players]]
    name = "Ada"
    [[players]]
    name = "Isambard"
    [parts.dice]
    faces = ["single", "single", "double", "station", "locomotive"]
    tokens = {Ada = {single_token = 2, double_token = 1}, Isambard = {double_token = 2}}
    """
    game = ttr.arrange(None, tomllib.loads(text))
    assert game.decision(1) == ttr.Turn(1)
    assert game.state.part(Dice).faces == tuple(faces("ssdtw"))
    assert game.state.part(Dice).tokens == [{SINGLE: 2, DOUBLE: 1}, {DOUBLE: 2}]
    assert happened(game.events, DiceRolled) == []
    assert game.state.part(Dice).may_gain
    again = ttr.loads(ttr.dumps(game))
    assert again == game
    # the turn after it begins with a roll
    game.play(BuildStation(1, "wien", {"station": 1}))
    leave_tokens(game)
    assert isinstance(game.decision(0), RerollChoice)
    assert not game.state.part(Dice).may_gain


@pytest.mark.rule("X7")
def test_three_tokens_in_an_arranged_position_gain_none() -> None:
    game = rolled("europe", "ssttt", tokens=[{SINGLE: 3}])
    assert not game.state.part(Dice).may_gain


def test_routes_cars_stations_tickets_as_ever() -> None:
    game = ttr.arrange(EUROPE, position({"faces": faces("sssss")}, turns_left=1, ticket_pile=["paris-wien"], to_act=0))
    assert game.state.cars[0] == 20
    assert game.state.ticket_pile[0] == "paris-wien"
    game.play(ttr.ClaimRoute(0, "brest-paris-black", {"single": 3}))
    game.play(TakeTokens(0, {}))
    assert game.is_over


@pytest.mark.rule("X2", "X7")
@pytest.mark.parametrize(
    ("dice", "places"),
    [
        ({"faces": faces("ssss")}, ["parts.dice.faces"]),
        ({"faces": faces("ssssss")}, ["parts.dice.faces"]),
        ({"faces": [*faces("ssss"), "tunnel"]}, ["parts.dice.faces[4]"]),
        ({"faces": ["red", *faces("sss"), None]}, ["parts.dice.faces[0]", "parts.dice.faces[4]"]),
        ({"faces": [[], {}, 1.5, True, "single"]}, [f"parts.dice.faces[{n}]" for n in range(4)]),
        ({"faces": "single"}, ["parts.dice.faces"]),
        ({"tokens": []}, ["parts.dice.tokens"]),
        ({"tokens": {"Grace": {}}}, ["parts.dice.tokens"]),
        ({"tokens": {"Ada": 2}}, ["parts.dice.tokens.Ada"]),
        ({"tokens": {"Ada": {"coin": 2}}}, ["parts.dice.tokens.Ada"]),
        ({"tokens": {"Ada": {SINGLE: 2, DOUBLE: 2}}}, ["parts.dice.tokens.Ada"]),
        ({"tokens": {"Ada": {SINGLE: 4}}}, ["parts.dice.tokens.Ada.single_token"]),
        ({"tokens": {"Ada": {SINGLE: -1, DOUBLE: "2"}}}, [f"parts.dice.tokens.Ada.{t}" for t in (SINGLE, DOUBLE)]),
        ({"face": []}, ["parts.dice"]),
        (7, ["parts.dice"]),
    ],
)
def test_mistakes_are_reported_with_their_place(dice: object, places: list[str]) -> None:
    assert sorted(problems(dice)) == sorted(places)


def test_the_nearest_name_is_offered() -> None:
    assert "'Ada'" in problems({"tokens": {"Adda": {}}})["parts.dice.tokens"]
    assert "'faces'" in problems({"face": []})["parts.dice"]
    assert "'dice'" in problems({}, parts={"dices": {}})["parts"]
    assert "'hand'" in problems({}, players=[{"hand": {}}, {}])["players[0]"]  # there are no train cards (X1)


def test_without_dice_nobody_knows_them() -> None:
    with pytest.raises(InvalidTableError, match="unknown key 'dice'"):
        ttr.arrange(rules_of("europe"), position({"faces": faces("sssss")}))


# -- keys in `parts` for any plugin -----------------------------------------------------------------------------------------


class Weather(Part):
    """How many days of rain there were; set by an arranged position alone."""

    part_keys: ClassVar[Mapping[str, KeyHelp]] = {
        "weather": KeyHelp("The days of rain.", "{{rain = 3}}"),
        "wind": KeyHelp("The wind.", "{{}}"),
    }

    def __init__(self) -> None:
        self.days: tuple[object, ...] = ()

    def copy(self) -> Weather:
        new = Weather()
        new.days = self.days
        return new

    def value(self) -> object:
        return self.days

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        given = position.part("weather", report)
        given.only(("rain", "days", "more"), report)
        more: TableEntry = given.table("more", report)
        self.days = (
            given.number("rain", 1, 0, 9, report),
            tuple(day for _, day in given.entries("days", report)),
            dict(more.raw),
            position.part("wind", report).place,
        )


class WeatherPlugin(Variant, name="weather"):
    """Weather: it rains."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return [Weather]


@pytest.mark.parametrize("stack", [("europe",), ("europe", "dice")])
def test_a_part_of_a_plugin_reads_its_own_table(stack: tuple[str, ...]) -> None:
    rules = ttr.compile_rules(*stack, WeatherPlugin)
    parts: dict[str, Any] = {"weather": {"rain": 3, "days": ["monday"], "more": {"snow": True}}}
    if "dice" in stack:
        parts["dice"] = {"faces": faces("ssdtw")}
    game = ttr.arrange(rules, {"players": [{}, {}], "parts": parts})
    assert game.state.part(Weather).days == (3, ("monday",), {"snow": True}, "parts.wind")
    assert ttr.arrange(rules, {"players": [{}, {}]}).state.part(Weather).days == (1, (), {}, "parts.wind")


@pytest.mark.parametrize(
    ("parts", "places"),
    [
        ({"weather": {"rain": 10}}, ["parts.weather.rain"]),
        ({"weather": {"rain": 1, "days": {}, "more": [], "sun": 1}}, ["days", "more", "sun"]),
        ({"weather": 1, "wind": [], "waves": {}}, ["weather", "wind", "waves"]),
        ([], ["parts"]),
    ],
)
def test_mistakes_in_the_table_of_a_part(parts: object, places: list[str]) -> None:
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(ttr.compile_rules("europe", WeatherPlugin), {"players": [{}, {}], "parts": parts})
    assert len(caught.value.problems) == len(places)
    for place in places:
        assert any(place in problem for problem in caught.value.problems)


# -- score sheets -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("V8", "X1")
@pytest.mark.parametrize("base", ["north-america", "europe", "mega-europa", "big-cities"])
def test_a_table_played_with_dice_is_scored_as_any_other(base: str) -> None:
    rules = rules_of(base, "dice")
    ids = [id for id, route in rules.board.routes.items() if route.double_group is None]
    tickets = [ticket.id for ticket in rules.deck.piles["regular"]]
    players: list[Mapping[str, Any]] = [
        {"name": "Ada", "routes": ids[:6], "tickets": tickets[:3]},
        {"name": "Bo", "routes": ids[20:25], "tickets": tickets[3:5]},
    ]
    sheet = ttr.score(rules, {"stack": [base, "dice"], "players": players})
    assert sheet == ttr.score(rules_of(base), {"players": players})
    assert sheet == ttr.score(None, {"stack": ["dice", base], "players": players})


# -- told -------------------------------------------------------------------------------------------------------------------


def told(letters: str, *actions: ttr.Action, tunnels: str = "", **more: Any) -> list[str]:
    """What is told of a turn of Ada's that begins with this roll, up to the next roll."""
    chance = ScriptedChance(AS_IS, otherwise=AS_IS)
    players = [{"name": "Ada", **more.pop("ada", {})}, {"name": "Bo"}]
    dice = {"faces": faces(letters), "tokens": {"Ada": more.pop("tokens", {})}}
    game = ttr.arrange(EUROPE, {"players": players, "parts": {"dice": dice}, **more}, chance=chance)
    chance.script(*({"t": "tunnel", "b": "blank"}[each] for each in tunnels), otherwise=AS_IS)
    narrator = Narrator(EUROPE, ["Ada", "Bo"])
    narrator.tell(game.events)
    lines = [line.text for action in actions for line in narrator.tell(game.play(action))]
    return [line for line in lines if not line.startswith("Bo rolls")]


def test_rolls_are_told() -> None:
    game = rolled("europe", "", chance=faces("ssdtwdw"))
    narrator = Narrator(EUROPE, ["Ada", "Bo"])
    lines = [line.text for line in narrator.tell((*game.events, *game.play(Reroll(0, {"single": 2}))))]
    assert lines[-2:] == [
        "Ada rolls single, single, double, station and locomotive.",
        "Ada rolls two singles again and has double, locomotive, double, station and locomotive.",
    ]
    game = rolled("europe", "ssdtw", tokens=[{SINGLE: 1}])
    assert [line.text for line in Narrator(EUROPE, ["Ada", "Bo"]).tell(game.events)] == [
        "Ada and Bo play on; it is the turn of Ada.",
        "Round 1",
        "Ada has rolled single, single, double, station and locomotive.",
    ]
    assert happened(game.events, DiceArranged) == [
        DiceArranged(tuple(faces("ssdtw")), (ttr.Counts(single_token=1), ttr.Counts()))
    ]


def test_actions_are_told() -> None:
    single, four = "brest-paris-black", "edinburgh-london-black"
    assert told("ssdtw", claim(single, single=2, locomotive=1), TakeTokens(0, {DOUBLE: 1}), ReturnTokens(0, {})) == [
        "Ada claims Brest–Paris for 4 points with two singles and a locomotive and takes a double token.",
    ]
    payment = {"double": 1, "locomotive": 1, DOUBLE: 2}
    assert told("ssdtw", claim(four, **payment), TakeTokens(0, {}), tokens={DOUBLE: 2}) == [
        "Ada claims Edinburgh–London (black) for 7 points with a double, two double tokens and a locomotive.",
    ]
    draw = DrawTicketsWithDice(0, {"station": 1, "locomotive": 1})
    assert told("sdstw", draw, ttr.KeepTickets(0, ()), TakeTokens(0, {})) == [
        "Ada draws two tickets with a station and a locomotive and keeps none.",
    ]
    build = BuildStation(0, "zurich", {"station": 1})
    assert told("sdstw", build, TakeTokens(0, {}), ReturnTokens(0, {SINGLE: 1}), tokens={SINGLE: 1}) == [
        "Ada builds a station in Zürich with a station and gives a single token back.",
    ]


def test_tunnels_are_told() -> None:
    tunnel = claim("paris-zurich-gray", single=3)
    assert told("sssss", tunnel, TakeTokens(0, {}), tunnels="bbb") == [
        "Ada claims the tunnel Paris–Zürich for 4 points with three singles, with no tunnel on the tunnel dice.",
    ]
    assert told("sssss", tunnel, ttr.PayTunnel(0, {"single": 1}), tunnels="btb") == [
        "Ada puts in three singles for the tunnel Paris–Zürich: blank, tunnel and blank came up, one more space to fill.",
        "Ada claims the tunnel Paris–Zürich for 4 points with a single.",
    ]
    assert told("sssss", tunnel, ttr.AbandonTunnel(0), tunnels="ttb") == [
        "Ada puts in three singles for the tunnel Paris–Zürich: tunnel, tunnel and blank came up, two more spaces to fill.",
        "Ada abandons the tunnel.",
    ]


def test_a_pass_is_told_after_the_tokens() -> None:
    tickets = [ticket.id for ticket in EUROPE.deck.piles["regular"]]
    ada = {"cars": 0, "tickets": tickets}
    assert told("sssss", ttr.Pass(0), TakeTokens(0, {SINGLE: 2}), ReturnTokens(0, {}), ada=ada) == [
        "Ada takes two single tokens and passes.",
        "Ada has hardly any train cars left: everybody has one more turn.",
    ]
    assert told("sssss", ttr.Pass(0), TakeTokens(0, {}), ada=ada)[:1] == ["Ada can do nothing and passes."]


def test_what_comes_with_nothing_is_told_by_itself() -> None:
    class Toll(ttr.Event):
        message = "with {count} coins"
        seat: int
        count: int

    narrator = Narrator(EUROPE, ["Ada", "Bo"])
    facts = [TurnBegun(0), Toll(0, 3), Toll(0, 4), TurnEnded(0, False)]
    assert [line.text for line in narrator.tell(facts)][-1] == "Ada pays with 3 coins, with 4 coins."
