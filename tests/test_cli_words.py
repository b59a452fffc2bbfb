"""What people read at the prompt: questions and menus as sentences, the table by names, routes with marks."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

import pytest

pytest.importorskip("click")
pytest.importorskip("rich")

from attrs import evolve
from helpers import COLORS, rules_of
from plugins.made import giving, plugin
from rich.console import Console
from test_cli import run

import ttr_rules as ttr
from ttr_rules import events
from ttr_rules.actions import menu_points
from ttr_rules.errors import HookTypeError
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Below,
    Confirm,
    Economy,
    EconomyLayer,
    Part,
    Question,
    Rules,
    ScoringTerm,
    Transaction,
    Variant,
    by_seat,
    hookimpl,
    points_in_play,
    public,
    secret,
)
from ttr_tools.cli.people import MANUAL, Person
from ttr_tools.cli.play import opening
from ttr_tools.cli.terminal import Screen
from ttr_tools.narration.menus import Choice, action_label, kind_label, offer_words
from ttr_tools.narration.telling import Narrator
from ttr_tools.narration.words import Names, list_fields, player_facts
from ttr_variants.marklin.passengers import PassengerPlacing
from ttr_variants.pennsylvania import ShareChoice, TakeShare
from ttr_variants.united_kingdom import BuyTechnology

STACKS = [
    ["europe"],
    ["europe", "dice"],
    ["germany-tickets"],
    ["germany-tickets", "dice"],
    ["nordic-countries"],
    ["mega-europa"],
    ["india"],
    ["legendary-asia"],
    ["pennsylvania"],
    ["united-kingdom:advanced=true"],
]


class Seen:
    """The question of a seat as it is seen on a screen of some width."""

    def __init__(self, game: ttr.Game, seat: int = 0, width: int = 80, terminal: bool | None = None) -> None:
        self._file = io.StringIO()
        names = Names(game.rules, game.players)
        console = Console(file=self._file, width=width, force_terminal=terminal, color_system=None, _environ={})
        self.question = Person(game, seat, names, Screen(console))

    def of(self, print_it: Callable[[], None]) -> str:
        self._file.seek(0)
        self._file.truncate()
        print_it()
        return self._file.getvalue()

    @property
    def status(self) -> str:
        return self.of(self.question.show)

    def look(self, wanted: str) -> str:
        return self.of(lambda: self.question.look(wanted))


def labels(choice: Choice) -> list[str]:
    return [label for child in choice.children for label in (child.label, *labels(child))]


def turn_of(stack: str | ttr.Rules, *players: Mapping[str, object], **position: object) -> ttr.Game:
    rules = rules_of(stack) if isinstance(stack, str) else stack
    tables = [{"name": name, **player} for name, player in zip(("Ada", "Bo", "Cleo"), players, strict=False)]
    return ttr.arrange(rules, {"seed": 1, "players": tables, **position})


@pytest.mark.slow
@pytest.mark.thorough_but("europe", "united-kingdom:advanced=true")
@pytest.mark.parametrize("stack", STACKS, ids=" ".join)
def test_every_question_is_a_sentence_and_nothing_shows_the_names_of_fields(stack: list[str]) -> None:
    """Whole games of random choices: every question that comes up, its menu, and the table before it."""
    rules = ttr.compile_rules(*stack, rulings={"station_choice": "ask"} if "europe" in stack else None)
    asked: dict[str, str] = {}
    for seed in range(2):
        game, chance = ttr.new_game(rules=rules, players=2, seed=seed), Random(seed)
        while game.to_act:
            seat = game.to_act[0]
            actions = game.legal_actions(seat)
            if len(actions) < 400 and (chance.random() < 0.2 or type(game.decision(seat)).__name__ not in asked):
                seen = Seen(game, seat)
                asked[type(game.decision(seat)).__name__] = seen.question.text
                for text in (seen.question.text, seen.status, *labels(seen.question.menu)):
                    assert "_" not in text and "()" not in text and "…" not in text, text
            claims = [action for action in actions[:300] if isinstance(action, ttr.ClaimRoute)]
            game.play(chance.choice(claims if claims and chance.random() < 0.6 else actions[:5000]))
    for kind, text in asked.items():
        plain = re.sub(
            rf" \(({'|'.join(COLORS)}|no. [12])\)", "", text
        )  # a route of a double has its color or number behind it
        assert re.fullmatch(r"[A-Z].*([.?:]|letters such as: a b)", plain) and "(" not in plain, (kind, text)
        assert not text.casefold().replace(" ", "").startswith(kind.casefold()), (kind, text)
    assert {"Turn", "TicketSetup"} < set(asked), asked


def test_questions_of_dice_and_passengers() -> None:
    dice = turn_of(ttr.compile_rules("europe", "dice"), {}, {})
    text = Seen(dice).question.text
    assert re.fullmatch(r"Your dice: (\w+, ){3}\w+ and \w+\. Which of them do you roll again\?", text)
    dice.play(dice.legal_actions()[0])
    assert dice.decision(0) == ttr.Turn(0)
    seen = Seen(dice)
    assert seen.question.text == "Your turn:" and "Build a station" in labels(seen.question.menu)
    journey = turn_of(
        "germany-tickets",
        {"routes": [["Berlin", "Leipzig"], ["Leipzig", "Dresden"]], "passengers": ["Berlin"], "hand": {"red": 3}},
        {},
    )
    menu = " ".join(labels(Seen(journey).question.menu))
    assert "Send a passenger on a journey: Berlin" in menu
    action = next(each for each in journey.legal_actions() if type(each).__name__ == "MovePassenger")
    journey.play(action)
    seen = Seen(journey)
    assert seen.question.text == "Your passenger has been to Berlin and Leipzig. Where does it go on to?"
    assert "End the journey here" in labels(seen.question.menu)
    assert "Travel on: Dresden–Leipzig, 3 black, 4 points: for free" in labels(seen.question.menu)
    mix = ttr.new_game("germany-tickets", players=2, seed=1)
    assert Seen(mix).question.text == "You draw 4 tickets. How many from each pile?"


def told(game: ttr.Game, *actions: ttr.Action) -> str:
    narrator = Narrator(game.rules, game.players)
    for action in actions:
        narrator.tell(game.events)
        game.play(action)
    return " ".join(line.text for line in narrator.tell(game.last_move.events))


@pytest.mark.parametrize(
    ("decision", "english", "german"),
    [
        (PassengerPlacing(0, "berlin-dresden-black", ("berlin",)), "Place no passenger", "Keinen Passagier setzen"),
        (ShareChoice(0, "oil_city-warren-orange", ()), "Take no share", "Keine Aktie nehmen"),
    ],
)
def test_a_menu_says_what_passing_means(decision: ttr.Decision, english: str, german: str) -> None:
    rules = rules_of("germany-tickets" if isinstance(decision, PassengerPlacing) else "pennsylvania")
    for code, label in (("en", english), ("de", german)):
        names = Names(rules, ["Ada", "Bo"], rules.language(code))
        assert kind_label(ttr.Pass, decision, names) == label


def test_what_maps_add_is_told_by_the_names_that_they_give_it() -> None:
    claim = ttr.ClaimRoute(0, "oil_city-warren-orange", {"orange": 2})
    game = turn_of("pennsylvania", {"hand": {"orange": 2}}, {})
    text = told(game, claim, TakeShare(0, "erie_lackawanna"), TakeShare(0, "baltimore_and_ohio"))
    assert "gives the dummy share 1 of Baltimore and Ohio." in text
    game = turn_of("legendary-asia", {"hand": {"blue": 2}}, {})
    text = told(game, ttr.ClaimRoute(0, "karachi-shiraz-blue", {"blue": 2}))
    assert "and puts two cars into the mountain crossing (4 points)." in text
    game = turn_of("united-kingdom", {"hand": {"green": 1}, "technologies": ["boiler_lagging"]}, {})
    text = told(game, ttr.ClaimRoute(0, "london-reading-green", {"green": 1}))
    assert "claims London–Reading for 1 point with a green card and scores 1 for Boiler Lagging." in text


def test_what_players_have_stands_in_columns_and_what_lies_there_has_names() -> None:
    mine = {"routes": [["Berlin", "Leipzig"]], "passengers": ["Berlin"], "tokens_taken": {"Dresden": [3, 2]}}
    game = turn_of("germany-tickets", mine, {"tokens_taken": {"Kiel": [3]}}, {})
    status = Seen(game).status
    assert re.search(r"Points +Cars +Tickets +Cards +Passengers left +Tokens\n", status)
    assert re.search(r"^Ada \(you\) +12 +41 +0 +0 +2 +3\+2$", status, re.MULTILINE)
    assert re.search(r"^Cleo +0 +45 +0 +0 +3 +none$", status, re.MULTILINE)
    assert re.search(r"^Passengers +Berlin \(Ada\)$", status, re.MULTILINE)
    station = turn_of("europe", {"stations": ["Berlin"]}, {})
    assert re.search(r"^Stations +Berlin \(Ada\)$", Seen(station).status, re.MULTILINE)
    assert re.search(r"Stations left\n", Seen(station).status)


def test_what_each_player_has_several_of_is_told_by_player() -> None:
    game = turn_of("united-kingdom", {"technologies": ["wales_concession", "booster"]}, {})
    told = Seen(game).status
    assert re.search(r"^Technologies +Ada: Wales Concession and Booster$", told, re.MULTILINE)


def test_an_id_of_a_plugin_has_its_printed_name_and_a_menu_says_what_it_means() -> None:
    game = turn_of("united-kingdom", {"hand": {"locomotive": 1, "green": 1}, "technologies": ["booster"]}, {})
    menu = labels(Seen(game).question.menu)
    assert "Buy a technology: Wales Concession (1 locomotive, for routes to Wales): 1 locomotive" in menu
    looked = Seen(game, width=200).look("for sale")
    assert looked.startswith("For sale: Wales Concession (1 locomotive, for routes to Wales): 4; Ireland/France")
    bought = BuyTechnology(0, "ireland_france_concession", {"locomotive": 1})
    text = told(game, bought, ttr.ClaimRoute(0, "london-reading-green", {"green": 1}))
    assert text.startswith("Ada buys Ireland/France Concession, pays a locomotive and claims London–Reading")


def test_shares_are_told_by_player() -> None:
    mine = {"routes": [["Albany", "New York", "blue"]], "shares": {"bo": [1]}}
    game = turn_of("pennsylvania", mine, {"routes": [["Buffalo", "Ontario"]], "shares": {"prr": [1]}}, {})
    assert re.search(r"^Shares +Ada: Baltimore and Ohio 1; Bo: 1$", Seen(game).status, re.MULTILINE)


@pytest.mark.slow
def test_a_card_is_called_what_its_economy_calls_it() -> None:
    hand = {"locomotive_4": 2, "red": 3, "locomotive": 1}
    row = ["locomotive_4", "red", "blue", "white", "black"]
    for rules in (rules_of("germany-tickets"), ttr.compile_rules("germany-tickets", Layered)):
        game = turn_of(rules, {"hand": hand}, {}, face_up=row, draw_pile=["red"])
        seen = Seen(game)
        menu = " ".join(labels(seen.question.menu))
        assert "Take a face-up card: +4 locomotive" in menu and "locomotive 4" not in menu
        assert "1 red + 2 +4 locomotives + 1 locomotive" in menu
        assert re.search(r"^Face up +\+4 locomotive, red,", seen.status, re.MULTILINE)
        assert re.search(r"^Hand +3 red, 2 \+4 locomotives, 1 locomotive$", seen.status, re.MULTILINE)
        text = told(game, ttr.DrawFaceUp(0, "locomotive_4"), ttr.DrawFaceUp(0, "red"))
        assert "a +4 locomotive" in text


class Layered(Variant, name="layered"):
    """Layered: lays an economy that changes nothing on the one below."""

    @hookimpl
    def economy(self, below: Below[Economy], board: ttr.Board) -> Economy:
        return EconomyLayer(below())


def test_columns_that_have_little_room_lose_nothing() -> None:
    mine = {"routes": [["Berlin", "Leipzig"]], "passengers": ["Berlin"], "tokens_taken": {"Dresden": [3, 2]}}
    status = Seen(turn_of("germany-tickets", mine, {"tokens_taken": {"Kiel": [3]}}), width=60, terminal=True).status
    assert re.search(r"Points +Cars +Tickets +Cards +left +Tokens *\n", status) and "…" not in status
    assert re.search(r"^Ada \(you\) +\d+ +\d+ +\d+ +\d+ +2 +3\+2$", status, re.MULTILINE), status


@pytest.mark.parametrize("width", [60, 80, 120])
def test_city_tokens_are_not_cut_off(width: int) -> None:
    """They are too many for every turn: a word lists them all, a city those that are there."""
    game = turn_of("germany-tickets", {}, {})
    seen = Seen(game, width=width)
    assert "…" not in seen.status and re.search(r"City tokens +35 entries; /city tokens lists them", seen.status)
    listed = " ".join(seen.look("city tokens").split())
    for city in game.rules.board.cities.values():
        assert (f"{city.name}: " in listed) is (city.country is None), city
    assert "Würzburg: 2" in listed and "Berlin: 7, 6, 5 and 4" in listed and "…" not in listed
    assert "City tokens: Berlin: 7, 6, 5 and 4" in seen.look("berlin")
    assert "City tokens" not in seen.look("")


def test_names_in_other_languages_find_cities_at_the_prompt() -> None:
    game = turn_of("europe", {"hand": {"red": 3}}, {})
    seen = Seen(game)
    for wanted, city in (
        ("rome", "Roma"),
        ("kiew", "Kyïv"),
        ("muenchen", "München"),
        ("cologne", ""),
        ("petersburg", "Petrograd"),
    ):
        text = seen.look(wanted)
        assert (city in text) if city else "No city has" in text, wanted
        lines = [line for line in text.splitlines() if line.startswith("   ")]
        assert all(city in line for line in lines)
    found = [each.label for each in seen.question.menu.search(["station", "munich"])]
    assert found and all("München" in label for label in found)
    assert "Kiel" in Seen(turn_of("germany-tickets", {}, {})).look("denmark")


def test_an_exact_name_wins_over_a_part_of_another() -> None:
    seen = Seen(turn_of("united-kingdom", {}, {}))
    lines = seen.look("London").splitlines()
    assert lines and all("London" in line and "Londonderry" not in line for line in lines)
    assert "Londonderry" in seen.look("londo") and "Londonderry" in seen.look("londonderry")


# -- marks of routes -----------------------------------------------------------------------------------------------


def test_marked_routes_are_seen_in_menus_on_demand_and_in_tables() -> None:
    seen = Seen(turn_of("nordic-countries", {"hand": {"red": 9}}, {}))
    line = "   Lieksa–Murmansk, 9 gray, four for one, 27 points: free"
    assert seen.look("*").splitlines() == [line] == seen.look("four for").splitlines()
    assert "four for one" in seen.look("murmansk")
    assert any("Lieksa–Murmansk, 9 gray, four for one" in label for label in labels(seen.question.menu))
    assert re.search(
        r"^Lieksa +Murmansk +9 +gray +27 +four for one$",
        run("board", "nordic-countries").stdout,
        re.MULTILINE,
    )
    assert Seen(turn_of("europe", {}, {})).look("*").startswith("No route of this board has a mark.")


def test_routes_that_a_plugin_marks_are_seen() -> None:
    class Scenic(Variant, name="scenic"):
        """Scenic routes: routes to Zürich have a view."""

        @hookimpl
        def board(self, below: Below[ttr.Board]) -> ttr.Board:
            board = below()
            routes = {
                id: evolve(route, marks=("scenic_view",)) if "zurich" in route.cities else route
                for id, route in board.routes.items()
            }
            return evolve(board, routes=routes)

    seen = Seen(turn_of(ttr.compile_rules("europe", Scenic), {}, {}))
    marked = seen.look("*").splitlines()
    assert len(marked) == 4 and all("scenic view" in line and "Zürich" in line for line in marked)


# -- what plugins say ----------------------------------------------------------------------------------------------


class Warehouse(Part):
    crates: list[int] = public(each=3, label="Crates")
    watched: dict[str, int] = public(default={"zurich": 1}, label="Watchmen", seats=True)
    inner: bool = public(default=True, label="")
    unlabelled: str = public(default="open all day")


def test_labels_of_a_plugins_part_are_what_people_read() -> None:
    class Warehouses(Variant, name="warehouses"):
        """Warehouses: crates and who watches them."""

        @hookimpl
        def parts(self, rules: Rules) -> list[type[Part]]:
            return [Warehouse]

    status = Seen(turn_of(ttr.compile_rules("europe", Warehouses), {}, {})).status
    assert re.search(r" Crates\n", status) and "inner" not in status.casefold()
    assert re.search(r"^Watchmen +Zürich \(Bo\)$", status, re.MULTILINE)
    assert re.search(r"^Unlabelled +open all day$", status, re.MULTILINE)


class Store(Part):
    boxes: list[int] = public(each=5, label="Crates")


def test_two_fields_with_one_label_are_told_apart_by_their_parts() -> None:
    plugins = [plugin(f"keeps-{kind.__name__.lower()}", parts=giving([kind])) for kind in (Warehouse, Store)]
    status = Seen(turn_of(ttr.compile_rules("europe", *plugins), {}, {})).status
    assert re.search(r" Crates +Crates\n.* \(Store\) +\(Warehouse\)\n", status), status
    assert re.search(r"Bo .* 5 +3\n", status), status


@pytest.mark.parametrize(("seats", "told"), [([1], "Bo"), ([1, 0], "Bo and Ada")])
def test_a_list_of_seats_is_told_by_the_players_names(seats: list[int], told: str) -> None:
    class Holders(Part):
        holders: list[int] = public(default=seats, label="Licences", seats=True)

    class Licences(Variant, name="licences"):
        """Licences: who has one."""

        @hookimpl
        def parts(self, rules: Rules) -> list[type[Part]]:
            return [Holders]

    status = Seen(turn_of(ttr.compile_rules("europe", Licences), {}, {})).status
    assert re.search(rf"^Licences +{told}$", status, re.MULTILINE), status


def test_what_is_declared_for_each_seat_is_told_by_player_and_nothing_else() -> None:
    class Parcels(Part):
        shared: tuple[tuple[str, str], ...] = public(default=(("paris", "wien"), ("roma", "berlin")), label="Parcels")
        numbers: tuple[int, ...] = public(default=(7, 8), label="Numbers")
        starter: int = public(default=0, seats=True, label="Starter")
        at: list[str] = public(each="", label="Courier", key="at", of="cities")

    class Couriers(Variant, name="couriers"):
        """Couriers: parcels, and who stands where."""

        @hookimpl
        def parts(self, rules: Rules) -> list[type[Part]]:
            return [Parcels]

    rules = ttr.compile_rules("europe", Couriers)
    game = turn_of(rules, {"at": "Wien"}, {})
    names = Names(rules, game.players)
    lines = {field.label: field.text for field in list_fields(game.view(None), names)}
    assert lines == {
        "Parcels": "Paris and Wien; Roma and Berlin",
        "Numbers": "7 and 8",
        "Starter": "Ada",
        "Courier": "Ada: Wien",
    }
    assert player_facts(game.view(None), names)[0][-1] == "Courier: Wien"
    assert [fact for fact in player_facts(game.view(None), names)[1] if "Courier" in fact] == []


def test_a_message_that_cannot_be_filled_is_not_used() -> None:
    names = Names(ttr.compile_rules("europe"), ["Ada"])
    assert names.filled("{most} at most", {"most": 2}) == "2 at most"
    assert [names.filled("{points:point}", {"points": points}) for points in (1, 4)] == ["1 point", "4 points"]
    for template in (None, 5, "{least} at most", "{most", "{most.x}", "{0}"):
        assert names.filled(template, {"most": 2}) is None


def test_points_in_play_are_told_by_the_label_of_their_term_and_losses_as_losses() -> None:
    class Postage(Variant, name="postage"):
        """Postage: points are scored in play."""

        @hookimpl
        def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
            return (points_in_play("postage", "Stamps and letters"), points_in_play("night_mail", "Night mail"))

    rules = ttr.compile_rules("north-america", Postage)
    narrator = Narrator(rules, ("Ada", "Isambard"))
    scored = [events.PointsScored(0, "postage", -2), events.PointsScored(0, "night_mail", 1)]
    lines = narrator.tell([events.TurnBegun(0), *scored, events.TurnEnded(0, passed=False)])
    assert lines[-1].text == "Ada loses 2 for Stamps and letters and scores 1 for Night mail."


def test_who_pays_is_told_though_others_pay_in_between() -> None:
    narrator = Narrator(ttr.compile_rules("north-america"), ("Ada", "Isambard"))
    spent = [events.CardsSpent(seat, ttr.Counts({card: 1})) for seat, card in ((0, "red"), (1, "blue"), (0, "green"))]
    claimed = events.RouteClaimed(0, "chicago-pittsburgh-orange", 4)
    lines = narrator.tell([events.TurnBegun(0), *spent, claimed, events.TurnEnded(0, passed=False)])
    assert [line.text for line in lines[1:]] == [
        "Ada pays a red card.",
        "Isambard pays a blue card.",
        "Ada claims Chicago–Pittsburgh (orange) for 4 points with a green card.",
    ]


class CardLocked(ttr.Event):
    message = "{seat} puts {card:card} aside"
    seat: int
    card: str | events.Unknown = secret("seat")

    def apply(self, state: ttr.State) -> None:
        """Nothing changes."""


def test_what_is_hidden_is_told_as_so_many_things() -> None:
    rules, names = ttr.compile_rules("north-america"), ("Ada", "Isambard")
    for viewer, card in ((0, "a red card"), (1, "a card"), (None, "a card")):
        narrator = Narrator(rules, names, viewer)
        told = narrator.tell([events.TurnBegun(0), CardLocked(0, "red"), events.TurnEnded(0, passed=False)])
        assert told[-1].text == f"Ada puts {card} aside."
    several = Narrator(rules, names).tell(
        [events.TurnBegun(0), CardLocked(0, events.Unknown(2)), events.TurnEnded(0, False)]
    )
    assert several[-1].text == "Ada puts two cards aside."


class RivalDrawn(ttr.Event):
    message = "{seat} draws {rival_seat} as a rival"
    seat: int
    rival_seat: int | events.Unknown = secret("seat")

    def apply(self, state: ttr.State) -> None:
        """Nothing changes."""


class DeadlineDealt(ttr.Event):
    message = "{seat} must be done by turn {turn}"
    seat: int
    turn: int | events.Unknown = secret("seat")

    def apply(self, state: ttr.State) -> None:
        """Nothing changes."""


class RivalMet(RivalDrawn):
    message = "{seat} meets {rival_seat:rival}"


class OrderDrawn(ttr.Event):
    message = "The order of play is {order_seats}, with {free_seats} seats free"
    order_seats: tuple[int, ...]
    free_seats: int

    def apply(self, state: ttr.State) -> None:
        """Nothing changes."""


@pytest.mark.parametrize(("viewer", "turn"), [(0, "17"), (1, "?"), (None, "?")])
def test_a_hidden_number_is_not_told_as_another(viewer: int | None, turn: str) -> None:
    narrator = Narrator(ttr.compile_rules("north-america"), ("Ada", "Isambard"), viewer)
    told = narrator.tell([events.TurnBegun(0), DeadlineDealt(0, 17), events.TurnEnded(0, passed=False)])
    assert told[-1].text == f"Ada must be done by turn {turn}."


def test_a_hidden_seat_is_somebody_and_several_seats_are_told_by_their_names() -> None:
    rules, players = ttr.compile_rules("north-america"), ("Ada", "Isambard")

    def tell(event: ttr.Event, viewer: int | None, language: str = "en") -> str:
        narrator = Narrator(rules, players, viewer, language=language)
        return narrator.tell([events.TurnBegun(0), event, events.TurnEnded(0, passed=False)])[-1].text

    for viewer, name, rival in ((0, "Isambard", "Isambard"), (1, "somebody", "a rival"), (None, "somebody", "a rival")):
        assert tell(RivalDrawn(0, 1), viewer) == f"Ada draws {name} as a rival."
        assert tell(RivalMet(0, 1), viewer) == f"Ada meets {rival}."
    assert tell(RivalDrawn(0, events.Unknown()), None) == "Ada draws somebody as a rival."
    assert "jemand" in tell(RivalDrawn(0, 1), None, "de")
    assert tell(OrderDrawn((1, 0), 3), None) == "The order of play is Isambard and Ada, with 3 seats free."
    assert tell(OrderDrawn((), 3), None) == "The order of play is nobody, with 3 seats free."


@pytest.mark.parametrize("counted", [True, False])
def test_a_hidden_seat_of_a_part_is_somebody(counted: bool) -> None:
    class Rivals(Part):
        rivals: list[int | events.Unknown] = by_seat(each=0, label="Rival", seats=True, counted=counted)

        def redeal(self, view: ttr.View, dealer: object, world: ttr.State) -> None:
            """Nobody asks for another world."""

    class RivalVariant(Variant, name="rivals"):
        """Rivals: each player has one."""

        @hookimpl
        def parts(self, rules: Rules) -> list[type[Part]]:
            return [Rivals]

    status = Seen(turn_of(ttr.compile_rules("europe", RivalVariant), {}, {})).status
    assert re.search(r"^Rival +Ada: Ada; Bo: somebody$", status, re.MULTILINE), status


def test_a_long_list_is_counted_and_pairs_of_cities_are_told_apart() -> None:
    class Offices(Part):
        cities: tuple[str, ...] = public(
            default=tuple(sorted(ttr.compile_rules("europe").board.cities)), label="Post offices"
        )
        open: tuple[tuple[str, str], ...] = public(
            default=(("amsterdam", "wien"), ("paris", "roma"), ("kyiv", "riga")), label="Contracts"
        )

    class OfficeVariant(Variant, name="offices"):
        """Offices: many cities have one."""

        @hookimpl
        def parts(self, rules: Rules) -> list[type[Part]]:
            return [Offices]

    status = Seen(turn_of(ttr.compile_rules("europe", OfficeVariant), {}, {})).status
    assert re.search(r"^Post offices +47 entries; /post offices lists them$", status, re.MULTILINE), status
    assert re.search(r"^Contracts +Amsterdam and Wien; Paris and Roma; Kyïv and Riga$", status, re.MULTILINE), status


def test_a_seat_of_nobody_is_told() -> None:
    class Duels(Part):
        against: list[int] = public(each=-1, label="Duel with", seats=True)

    class DuelVariant(Variant, name="duels"):
        """Duels: a player may fight another."""

        @hookimpl
        def parts(self, rules: Rules) -> list[type[Part]]:
            return [Duels]

    status = Seen(turn_of(ttr.compile_rules("europe", DuelVariant), {}, {})).status
    assert re.search(r"^Duel with +Ada: nobody; Bo: nobody$", status, re.MULTILINE), status


def test_another_turn_is_a_sentence() -> None:
    narrator = Narrator(ttr.compile_rules("north-america"), ("Ada", "Isambard"))
    told: list[ttr.Event] = [
        events.TurnBegun(0),
        events.TurnGranted(0),
        events.ExtraTurnBegun(0),
        events.TurnEnded(0, True),
    ]
    texts = [line.text for line in narrator.tell(told)]
    assert texts[1:] == ["Ada will have another turn.", "Ada has another turn and passes."]


def test_what_happens_to_somebody_else_is_told_before_the_turn_goes_on() -> None:
    narrator = Narrator(ttr.compile_rules("north-america"), ("Ada", "Isambard"))
    told = [events.TurnBegun(0), events.RoutePointsScored(1, 2, "miami-new_orleans-red")]
    assert narrator.tell(told)[-1].text == "Isambard scores 2 for Miami–New Orleans."
    assert narrator.tell([events.RoutePointsScored(1, 2)])[-1].text == "Isambard scores 2 points for a route."


class Mind(Confirm):
    """A question to one seat after the other before an action of somebody else."""

    public = True
    passing = "No"
    others: tuple[int, ...]

    def chosen(self, tx: Transaction, option: bool) -> None:
        tx.cancel_action()

    def on_pass(self, tx: Transaction) -> Question:
        return Mind(self.others[0], self.others[1:]) if self.others else ()


def test_what_others_are_asked_about_before_it_is_done_is_told_once() -> None:
    def before(tx: Transaction, action: ttr.Action) -> Question:
        seats = [(action.seat + number) % 3 for number in range(1, 4)]
        return Mind(seats[0], tuple(seats[1:]))

    asked = [Around(kind, on=ttr.Turn, before=before) for kind in (ttr.ClaimRoute, ttr.DrawTickets)]
    rules = ttr.compile_rules("europe", plugin("mind", (), __name__, around=lambda rules: asked))
    players = [{"name": "Ada", "hand": {"green": 4}}, {"name": "Bo"}, {"name": "Cy"}]
    game = ttr.arrange(rules, {"seed": 1, "players": players})
    stories = [Narrator(rules, game.players, seat, language) for seat, language in ((None, "en"), (0, "de"))]

    def told(action: ttr.Action) -> list[str]:
        after = game.play(action)
        return [line.text for story in stories for line in story.tell(after) if not line.heading]

    for story in stories:
        story.tell(game.events)
    claim = ttr.ClaimRoute(0, "kharkov-moskva-gray", {"green": 4})
    assert told(claim) == [
        "Ada is about to claim Kharkov–Moskva with four green cards.",
        "Ada will Charkow–Moskau mit vier grünen Karten nutzen.",
    ]
    assert [told(ttr.Pass(seat)) for seat in (1, 2)] == [[], []]
    assert told(Mind(0, ()).choose(True)) == []
    assert told(ttr.DrawTickets(1)) == [
        "Bo announces: Draw tickets: 3, of which at least 1 must be kept.",
        "Bo kündigt an: Zielkarten ziehen: 3, davon mindestens 1 behalten.",
    ]


def test_who_began_the_last_round_is_told_whoever_was_spoken_of_last() -> None:
    narrator = Narrator(ttr.compile_rules("north-america"), ("Ada", "Isambard", "Bo"))
    told: list[ttr.Event] = [
        events.TurnBegun(0),
        events.RoutePointsScored(1, 2),
        events.TurnEnded(0, False),
        events.LastRoundBegun(3),
    ]
    assert narrator.tell(told)[-1].text == "Ada has hardly any train cars left: everybody has one more turn."


def test_all_of_the_set_up_is_told_before_the_first_question() -> None:
    class Toll(Variant, name="toll"):
        """Toll: everybody gives up a car."""

        @hookimpl
        def on_deal(self, tx: Transaction) -> None:
            for seat in range(tx.state.players):
                tx.use_cars(seat, 1)

    game = ttr.new_game("europe", Toll, players=["Ada", "Bo"], seed=1)
    told = [line.text for line in Narrator(game.rules, game.players).tell(game.events)]
    assert told[-2:] == ["Ada gives up a car.", "Bo gives up a car."]


def test_several_more_turns_are_told_together() -> None:
    for language, text in (
        ("en", "Ada will have two more turns."),
        ("de", "Ada hat danach noch zwei Züge."),
    ):
        narrator = Narrator(
            rules := ttr.compile_rules("north-america"), ("Ada", "Bo"), language=rules.language(language)
        )
        told = narrator.tell([events.TurnBegun(0), *[events.TurnGranted(0)] * 2, events.ExtraTurnBegun(0)])
        assert told[-1].text == text
    narrator = Narrator(ttr.compile_rules("north-america"), ("Ada", "Bo"))
    grants = [events.TurnGranted(0), events.TurnGranted(0), events.CarsUsed(0, 1), events.TurnGranted(0)]
    told = narrator.tell([events.TurnBegun(0), *grants, events.TurnGranted(1), events.ExtraTurnBegun(1)])
    assert [line.text for line in told][1:] == [
        "Ada will have two more turns, gives up a car and will have another turn.",
        "Bo will have another turn.",
        "Bo has another turn.",
    ]


def test_routes_that_look_alike_are_numbered_the_same_in_every_list() -> None:
    both = turn_of("north-america", {"hand": {"red": 2}}, {}, {}, {})
    menu = labels(Seen(both).question.menu)
    first, second = (f"Denver–Kansas City, 4 {color}, 7 points" for color in ("black", "orange"))
    assert not any(label.startswith((first, second)) and "no." in label for label in menu)
    alike = [id for id in both.rules.board.routes if id.startswith("atlanta-raleigh-gray")]
    assert len(alike) == 2
    names = Names(both.rules, both.players)
    told = [names.label(id) for id in alike]
    assert told == [f"Atlanta–Raleigh, 2 gray, 2 points, no. {number}" for number in (1, 2)]
    assert [names.value(id) for id in alike] == ["Atlanta–Raleigh (no. 1)", "Atlanta–Raleigh (no. 2)"]
    assert names.value("denver-kansas_city-black") == "Denver–Kansas City (black)"
    one = turn_of("north-america", {"hand": {"red": 2}}, {"routes": [alike[0]]}, {}, {})
    looked = Seen(one, width=200).look("raleigh")
    assert f"{told[0]}: Bo" in looked and f"{told[1]}: free" in looked


def test_a_list_has_the_printed_names_of_marks_and_no_dummy_that_has_nothing() -> None:
    game = turn_of("pennsylvania", {"hand": {"orange": 2}}, {}, {})
    menu = labels(Seen(game).question.menu)
    assert any("Oil City–Warren, 2 orange, Baltimore and Ohio, Erie Lackawanna, Penn" in label for label in menu)
    assert "dummy" not in Seen(game).status and "dummy" not in Seen(game).look("shares")
    assert Seen(game).look("shares").startswith("Shares left: ")
    assert len(re.findall(r" none$", Seen(game).status, re.MULTILINE)) == 3
    names = Names(rules_of("legendary-asia"), ("Ada", "Bo"))
    crossed = [id for id in names.board.routes if id.startswith("khabarovsk-vladivostok")]
    told = [names.label(id) for id in crossed]
    assert told == ["Khabarovsk–Vladivostok, 2 gray, 2 points", "Khabarovsk–Vladivostok, 2 gray, cross, 2 points"]


def test_the_help_says_that_what_the_table_shows_can_be_looked_up() -> None:
    game = turn_of("pennsylvania", {}, {}, {})
    assert "/shares or another label" in MANUAL and Seen(game).look("shares").startswith("Shares left: ")


def test_the_first_line_says_which_options_are_not_the_default() -> None:
    game = ttr.new_game("united-kingdom:advanced=true", players=2, seed=1)
    assert opening(game, drawn=False).startswith("A game of United Kingdom, advanced=true on the map United Kingdom.")


def test_the_menu_does_not_say_what_an_action_does_that_a_plugin_replaces() -> None:
    class Gift(ttr.Decision):
        pass

    class OtherTickets(ActionRule[Any, ttr.DrawTickets]):
        def refusal(self, state: ttr.State, decision: ttr.Decision, action: ttr.DrawTickets) -> ttr.Refusal | None:
            return None

        def perform(self, tx: Transaction, decision: ttr.Decision, action: ttr.DrawTickets) -> None:
            tx.score(decision.seat, 1, "tickets")

    class LateTickets(OtherTickets):
        on, replaces = ttr.Turn, True

    class GivenTickets(OtherTickets):
        on = Gift

    rules = ttr.compile_rules("europe", plugin("late-tickets", actions=lambda rules: (LateTickets(), GivenTickets())))
    names = Names(rules, ("Ada", "Bo"))
    assert kind_label(ttr.DrawTickets, ttr.Turn(0), names) == "Draw tickets"
    assert kind_label(ttr.DrawTickets, Gift(0), names) == "Draw tickets"


class Swap(ttr.Action):
    message = "Swap a card"
    label = "{card:card} for {other:card}"
    card: str
    other: str


class Lay(ttr.Action):
    message = "Lay a card on a route"
    label = "on {route}"
    route: str
    payment: ttr.Counts


def test_actions_have_the_labels_of_their_class_and_then_the_payment() -> None:
    names = Names(rules_of("north-america"), ("Ada", "Bo"))
    swap, lay = Swap(0, "red", "blue"), Lay(0, "dallas-houston-gray-2", ttr.Counts(red=1))
    assert action_label(swap, names) == "a red card for a blue card"
    assert action_label(lay, names) == "on Dallas–Houston (no. 2): 1 red"
    assert action_label(lay, names, payment=False) == "on Dallas–Houston (no. 2)"
    assert action_label(ttr.ClaimRoute(0, lay.route, ttr.Counts(red=1)), names).endswith("1 point, no. 2: 1 red")


def test_menus_show_the_points_that_a_claim_scores_under_other_terms() -> None:
    from_three = plugin("from-three", menu_points=lambda state, seat, route, points: points + (route.length > 2))
    rules = ttr.compile_rules("europe", from_three)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"black": 3, "white": 3}}, {}]})
    offered = str(offer_words(game, 0, Names(rules, game.players)))
    assert "Berlin–Frankfurt, 3 black, 5 points" in offered and "4 points" not in offered
    game.play(ttr.ClaimRoute(0, "berlin-frankfurt-black", {"black": 3}))
    assert game.state.scores == [4, 0], "it scores nothing"
    vague = ttr.compile_rules("europe", plugin("vague", menu_points=lambda state, seat, route, points: 1.5))
    with pytest.raises(
        HookTypeError, match="menu_points of plugin 'vague' must give a whole number of points, not 1.5"
    ):
        menu_points(ttr.new_game(rules=vague, players=2, seed=1).state, 0, "paris-zurich-gray")
