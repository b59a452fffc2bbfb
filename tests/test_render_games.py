"""Pictures of games: what a seat may see and nothing else, what plugins add, score sheets, notebooks, files."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from attrs import evolve
from helpers import all_but, arranged, missing_in
from test_render_board import SVG, by_class

import ttr_maps
import ttr_rules as ttr
from ttr_rules import View
from ttr_rules.engine import view_of
from ttr_rules.errors import PluginError
from ttr_rules.hints import CityNote, CityPiece, MapMark, RouteNote
from ttr_rules.language import Message, Seat, language
from ttr_rules.model import Color
from ttr_rules.plugins import Rules, Variant, hookimpl
from ttr_rules.plugins.compiler import with_tickets
from ttr_tools.bots import play_game
from ttr_tools.extras import MissingExtraError
from ttr_tools.narration.sheet import sheet_text, victory
from ttr_tools.render import Picture, changed_elements, draw_board, draw_position, draw_sheet, draw_view
from ttr_tools.render.drawing import legend_lines
from ttr_tools.render.scene import describe, make_scene
from ttr_tools.testing import VariantError, check_variant
from ttr_variants.pennsylvania import Pennsylvania
from ttr_variants.united_kingdom.hints import region_notes

ADA = {
    "name": "Ada",
    "routes": [["london", "dieppe"]],
    "tickets": ["brest-petrograd"],
    "hand": {"white": 3, "green": 2},
}
BO = {
    "name": "Bo",
    "routes": [["paris", "dieppe"], ["paris", "brest"]],
    "tickets": ["palermo-moskva"],
    "hand": {"red": 4},
}


def position(**more: object) -> ttr.Game:
    return ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [ADA, {**BO, **more}]})


def drawn(picture: Picture) -> ET.Element:
    return ET.fromstring(picture.svg)


def told(picture: Picture) -> str:
    """All texts of a picture but its style."""
    texts = " ".join(text for each in drawn(picture).iter() if each.tag != f"{SVG}style" and (text := each.text))
    return " ".join(texts.split())


def below(picture: Picture) -> str:
    """The lines below the map."""
    return " ".join(text for each in by_class(drawn(picture), "panel")[0].iter() if (text := each.text))


# -- what is seen -------------------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_tickets_and_cards_and_not_those_of_others() -> None:
    game = position()
    first, second, nobody = (below(draw_position(game, seat=seat)) for seat in (0, 1, None))
    for text, own, others in (
        (first, "Brest–Petrograd 20 (long)", "Palermo–Moskva"),
        (second, "Palermo–Moskva 20 (long)", "Brest–Petrograd"),
    ):
        assert own in text and others not in text
    assert "Petrograd" not in nobody and "Moskva 20" not in nobody
    assert "3 white" in first and "4 red" not in first and "4 red" in second and "3 white" not in second
    assert "3 white" not in nobody and "4 red" not in nobody
    wanted = {
        seat: {each.get("data-city") for each in by_class(drawn(draw_position(game, seat=seat)), "wanted")}
        for seat in (0, 1, None)
    }
    assert wanted == {0: {"brest", "petrograd"}, 1: {"palermo", "moskva"}, None: set()}


def test_pictures_do_not_depend_on_what_is_hidden() -> None:
    other = position(tickets=["lisboa-danzig"], hand={"blue": 4})
    for seat in (0, None):
        assert draw_position(position(), seat=seat).svg == draw_position(other, seat=seat).svg
    assert draw_position(position(), seat=1).svg != draw_position(other, seat=1).svg


def test_a_completed_ticket_has_a_tick() -> None:
    for routes, tick in (([["london", "dieppe"], ["paris", "dieppe"]], True), ([["london", "dieppe"]], False)):
        players: list[dict[str, Any]] = [
            {"name": "Ada", "tickets": [["london", "paris", 5]], "routes": routes},
            {"name": "Bo"},
        ]
        rules = ttr.compile_rules("europe")
        ticket = ttr.Ticket("london-paris", ("london", "paris"), 5)
        players[0]["tickets"] = ["london-paris"]
        game = ttr.arrange(with_tickets(rules, [ticket]), {"players": players, "seed": 1})
        picture = draw_position(game, seat=0)
        assert ("London–Paris 5 ✓" in told(picture)) == tick
        ticks = [each.text or "" for each in by_class(drawn(picture), "completed")]
        assert [each.strip() for each in ticks] == ["✓"] * tick, (
            "a text of its own: the font that has it is not for names"
        )


def test_everybody_sees_points_cars_and_who_is_to_act() -> None:
    text = told(draw_position(position()))
    assert "Ada:" in text and "2 points" in text and "43 cars" in text and "Tickets 1," in text and "Cards 5" in text
    assert "To act: Ada" in " ".join(text.split())


@pytest.mark.slow_cases("de")
@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_finished_game_has_the_final_points_the_ranks_and_the_winner(lang: str) -> None:
    """Those of the sheet, and not the points of play, whoever looks at it."""
    game = ttr.new_game("europe", players=["Player 1", "Player 2", "Player 3"], seed=1912)
    play_game(game)
    scores, view = game.final_scores, game.view(1)
    assert scores is not None and all(player.total != view.scores[player.seat] for player in scores.players)
    pictures = [
        draw_position(game, seat=1, lang=lang),
        draw_view(view, game.rules, scores=scores, lang=lang),
    ]
    text, other = (" ".join(below(each).split()) for each in pictures)
    assert other == text
    point, rank = ("Punkte", "Platz") if lang == "de" else ("points", "rank")
    for player in scores.players:
        assert f"{player.name}: {rank} {player.rank}, {player.total} {point}," in text
    sentence = victory(scores.players, language(lang))
    assert text.startswith(sentence) and scores.winners[0] in sentence
    description = next(each for each in drawn(pictures[0]) if each.tag == f"{SVG}desc").text or ""
    assert description.endswith(sentence) and f"Player 1 {scores.players[0].total}" in description


@pytest.mark.rule("B4")
def test_a_finished_game_has_a_tick_at_tickets_that_a_station_completes() -> None:
    game = ttr.new_game("europe", players=["Ada", "Isambard", "Grace"], seed=7)
    play_game(game)
    assert game.final_scores is not None
    completed = {ticket.id for ticket in game.final_scores.players[2].tickets if ticket.completed}
    assert "berlin-london" in completed or "london-berlin" in completed, "Grace borrows Dieppe–London"
    ticks = by_class(drawn(draw_position(game, seat=2)), "completed")
    assert len(ticks) == len(completed)


def test_a_view_of_a_finished_game_does_not_pass_off_the_points_of_play_as_the_final_ones() -> None:
    game = ttr.new_game("london", players=["Ada", "Bo"], seed=1)
    play_game(game)
    assert "The game is over. The points above are those of play;" in told(draw_view(game.view(0), game.rules))
    other = ttr.new_game("london", players=["Cy", "Di"], seed=1)
    with pytest.raises(ttr.InvalidInputError, match="these scores are those of Ada, Bo, and Cy, Di play"):
        draw_view(other.view(0), game.rules, scores=game.final_scores)


@pytest.mark.slow
def test_what_parts_of_the_state_show_of_a_player_is_told() -> None:
    game = arranged("united-kingdom", {"technologies": ["wales_concession", "propellers"]}, {})
    text = " ".join(below(draw_position(game)).split())
    assert "Technologies: Wales Concession and Propellers" in text and text.count("Technologies") == 1
    lot = {"routes": ["wheeling-pittsburgh-green"], "shares": {"prr": [1]}}
    position = (
        draw_position(arranged("pennsylvania", lot, {}, {}), seat=0),
        draw_position(arranged("pennsylvania", lot, {}, {}), seat=1),
    )
    own, hidden = (" ".join(below(each).split()) for each in position)
    assert "Shares: Pennsylvania Railroad 1" in own and "Shares 1" in hidden and "Pennsylvania Railroad 1" not in hidden


def test_a_view_is_drawn_as_the_game_is() -> None:
    game = position()
    picture = draw_view(game.view(1), game.rules)
    assert picture.svg == draw_position(game, seat=1).svg
    assert by_class(drawn(picture), "wanted")


def test_the_longest_path_is_lit() -> None:
    lit = by_class(drawn(draw_position(position(), paths=True)), "lit")
    assert {each.get("data-name") for each in lit} == {"dieppe-paris-purple", "brest-paris-black"}
    assert not by_class(drawn(draw_position(position())), "lit")


@pytest.mark.slow
def test_the_cars_of_a_shared_route_take_turns() -> None:
    game = arranged("united-kingdom", {"routes": ["leeds-manchester-red"]}, {})
    state = game.state
    state.shared[game.rules.network.route_number["hull-norwich-gray"]] = (1,)
    state.owner[game.rules.network.route_number["hull-norwich-gray"]] = 0
    route = next(
        each
        for each in by_class(drawn(draw_view(view_of(state, ["Player 1", "Player 2"], None), game.rules)), "route")
        if each.get("data-name") == "hull-norwich-gray"
    )
    assert route.get("data-owner") == "0 1" and "; Player 1 and Player 2" in (route.findtext(f"{SVG}title") or "")
    owners = [each.get("class") for each in by_class(route, "space")]
    assert {"space owner-0", "space owner-1"} == set(owners)
    assert [each.text for each in by_class(route, "owner-mark")] == ["1+2"]


# -- what plugins add ---------------------------------------------------------------------------------------------


def test_stations_stand_at_their_cities() -> None:
    game = position(stations=["roma"])
    root = drawn(draw_position(game))
    (piece,) = by_class(root, "piece")
    assert piece.get("class") == "piece house owner-1" and piece.findtext(f"{SVG}title") == "station of Bo"
    city = next(each for each in by_class(root, "city") if each.get("data-city") == "roma")
    assert piece in list(city) and "Houses are stations." in told(draw_position(game))


@pytest.mark.slow
def test_tokens_lie_where_they_are_left_and_passengers_stand() -> None:
    players = [
        {"name": "Ada", "routes": [["berlin", "leipzig"]], "passengers": ["berlin"], "tokens_taken": {"berlin": [7]}},
        {"name": "Bo"},
    ]
    game = ttr.arrange(None, {"stack": ["germany-tickets"], "seed": 1, "players": players})
    for picture, tokens, people in ((draw_board(game.rules), "7 6 5 4", 0), (draw_position(game), "6 5 4", 1)):
        berlin = next(each for each in by_class(drawn(picture), "city") if each.get("data-city") == "berlin")
        assert [each.text for each in by_class(berlin, "city-note")] == [tokens]
        assert len(by_class(berlin, "person")) == people


@pytest.mark.parametrize(
    ("stack", "route", "note"),
    [
        pytest.param("legendary-asia", "mandalay-hanoi-red", "××", marks=pytest.mark.slow),
        pytest.param("pennsylvania", "albany-new_york-blue", "BO NY PR", marks=pytest.mark.slow),
        ("nordic-countries", "lieksa-murmansk-gray", "4:1"),
        pytest.param("united-kingdom", "new_york-southampton-gray", "★", marks=pytest.mark.slow),
    ],
)
def test_routes_have_the_notes_of_their_variants(stack: str, route: str, note: str) -> None:
    rules = ttr.compile_rules(stack)
    id = rules.board.find_route(route).id
    shown = next(each for each in by_class(drawn(draw_board(rules)), "route") if each.get("data-name") == id)
    assert sorted(" ".join(each.text or "" for each in by_class(shown, "note")).split()) == sorted(note.split())


def test_a_board_alone_knows_nothing_of_variants() -> None:
    board = ttr.compile_rules("new-york").board
    assert by_class(drawn(draw_board(board)), "route") and not by_class(drawn(draw_board(board)), "note")


def test_districts_and_attractions_are_on_the_map() -> None:
    london = told(draw_board(ttr.compile_rules("london")))
    assert "district 1" in london and "Numbers at places are districts." in london
    assert told(draw_board(ttr.compile_rules("new-york"))).count("★") == 9


def test_of_the_companies_of_a_route_one_can_be_chosen() -> None:
    given = Pennsylvania().map_marks(ttr.compile_rules("pennsylvania"), None)
    marks = {each.route: each.title for each in given if isinstance(each, RouteNote)}
    assert marks["allentown-philadelphia-red"] == "share of Pennsylvania Railroad or Reading Lines"
    title = ttr.compile_rules("pennsylvania").language("de").text(marks["albany-new_york-blue"])
    assert title == "Aktie von Baltimore and Ohio oder New York Central System oder Pennsylvania Railroad"


def test_letters_of_regions_cannot_be_taken_for_a_line() -> None:
    marks = region_notes(ttr.compile_rules("united-kingdom"))
    assert {each.text for each in marks if isinstance(each, CityNote)} == {"Wa", "Sc", "Ir", "Fr"}


Marks = Callable[[Rules, View | None], Iterable[MapMark]]


def marking(marks: Marks) -> type[Variant]:
    """A plugin with these marks."""

    class Marking(Variant, name="marking"):
        """Marking: cities and routes are marked."""

        legend = "What marks <mean> & more."

        @hookimpl
        def map_marks(self, rules: Rules, view: View | None) -> Iterable[MapMark]:
            return marks(rules, view)

    return Marking


def with_marks(marks: Marks) -> ttr.Rules:
    return ttr.compile_rules("europe", marking(marks))


@pytest.mark.slow
def test_a_plugin_draws_what_it_likes_and_gets_a_view_or_none() -> None:
    seen: list[View | None] = []

    def marks(rules: Rules, view: View | None) -> Iterable[MapMark]:
        seen.append(view)
        yield CityNote("paris", "<7>", "Seven & more")
        yield RouteNote("brest-paris-black", "B & P")
        if view is not None:
            yield CityPiece("paris", 1, "disc", f"Of {view.players[1]}")
            yield CityPiece("paris", 0, "person")
            yield RouteNote("paris-zurich-gray", title=Message("Track of {seat} at {city}", seat=Seat(0), city="wien"))

    rules = with_marks(marks)
    board = drawn(draw_board(rules))
    assert [each.text for each in by_class(board, "city-note")] == ["<7>"] and not by_class(board, "piece")
    game = ttr.new_game(rules=rules, players=2, seed=1)
    root = drawn(draw_position(game, seat=0))
    assert [each.findtext(f"{SVG}title") for each in by_class(root, "piece")] == ["Of Player 2", "Piece of seat 0"]
    (track,) = [each for each in by_class(root, "route") if each.get("data-name") == "paris-zurich-gray"]
    assert "; Track of Player 1 at Wien" in (track.findtext(f"{SVG}title") or "")
    assert "What marks <mean> & more." in told(draw_position(game))
    assert game.view(0) in seen and all(each is None or isinstance(each, View) for each in seen)
    label = next(each for each in by_class(board, "city") if each.get("data-city") == "paris")
    assert label.findtext(f"{SVG}title") == "Paris: Seven & more"


@pytest.mark.slow
def test_two_notes_at_one_place_are_both_shown() -> None:
    def marks(rules: Rules, view: View | None) -> Iterable[MapMark]:
        yield CityNote("paris", "7", "Seven")
        yield CityNote("paris", "", "not shown without a text")
        yield CityNote("paris", "8")
        yield RouteNote("brest-paris-black", "NR", "Northern Railway")
        yield RouteNote("brest-paris-black", "W", "Western")

    board = drawn(draw_board(with_marks(marks)))
    assert [each.text for each in by_class(board, "city-note")] == ["7 8"]
    route = next(each for each in by_class(board, "route") if each.get("data-name") == "brest-paris-black")
    assert [each.text for each in by_class(route, "note")] == ["NR", "W"]
    assert (route.findtext(f"{SVG}title") or "").endswith("Northern Railway; Western")


def painted(*notes: RouteNote, **more: Any) -> ET.Element:
    """A gray route of three spaces as it is drawn with these notes, in a game with these owners."""
    players = [{"name": "Ada", **more}, {"name": "Bo"}]
    game = ttr.arrange(with_marks(lambda rules, view: notes), {"seed": 1, "players": players})
    return next(
        each for each in by_class(drawn(draw_position(game)), "route") if each.get("data-name") == "paris-zurich-gray"
    )


def test_a_color_of_routes_takes_the_place_of_the_printed_one() -> None:
    route = painted(RouteNote("paris-zurich-gray", color="red"))
    assert route.get("class") == "route color-red tunnel" and route.get("data-color") == "red"
    assert [each.text for each in by_class(route, "letter")] == ["R"] and not by_class(route, "note")
    assert route.findtext(f"{SVG}title") == "Paris–Zürich: 3 red, tunnel"
    assert {each.get("fill") for each in by_class(route, "box")} == {None}


@pytest.mark.parametrize(("color", "kind"), [("#cfe8ff", "bright"), ("#703010", "dim")])
def test_any_other_color_fills_the_spaces_of_a_route(color: str, kind: str) -> None:
    route = painted(RouteNote("paris-zurich-gray", "*", "Snowed in", color=color))
    assert route.get("class") == f"route {kind} tunnel" and route.get("data-color") == "gray"
    assert {each.get("fill") for each in by_class(route, "box")} == {color}
    assert [each.text for each in by_class(route, "note")] == ["*"]
    assert route.findtext(f"{SVG}title") == "Paris–Zürich: 3 gray, tunnel; Snowed in"


def test_the_color_of_a_claimed_route_is_seen_beside_its_cars() -> None:
    note, held = RouteNote("paris-zurich-gray", title="Closed", color="#703010"), {"routes": [["Paris", "Zürich"]]}
    for notes in ((), (note,)):
        route = painted(*notes, **held)
        pairs = zip(by_class(route, "box"), by_class(route, "car"), strict=True)
        shorter = {float(car.attrib["width"]) < float(box.attrib["width"]) - 8 for box, car in pairs}
        assert shorter == {bool(notes)} and "owner-0" in (route.get("class") or "")
    assert route.findtext(f"{SVG}title") == "Paris–Zürich: 3 gray, tunnel; Closed; Ada"


def test_the_last_color_of_a_route_is_shown_and_all_texts() -> None:
    first, last = RouteNote("paris-zurich-gray", "*", "Snow", color="#cfe8ff"), RouteNote("paris-zurich-gray", "T")
    color = RouteNote("paris-zurich-gray", title="Painted", color="blue")
    route = painted(first, color, last)
    assert route.get("data-color") == "blue" and [each.text for each in by_class(route, "note")] == ["*", "T"]
    assert route.findtext(f"{SVG}title") == "Paris–Zürich: 3 blue, tunnel; Snow; Painted"


@pytest.mark.slow
def test_the_legend_of_a_board_has_the_colors_of_its_notes() -> None:
    board = ttr_maps.load("europe")
    gray = evolve(board, routes={id: evolve(route, color=Color.GRAY) for id, route in board.routes.items()})
    note = RouteNote("paris-zurich-gray", title="Painted", color="red")
    scene = evolve(make_scene(gray), route_notes={"paris-zurich-gray": note})
    assert legend_lines(scene)[0][0][0].startswith("R red, plain gray: any color")


def test_a_page_gets_the_routes_that_a_plugin_colors() -> None:
    def marks(rules: Rules, view: View | None) -> Iterable[MapMark]:
        return [] if view is None else [RouteNote("paris-zurich-gray", title="Closed", color="#703010")]

    game = ttr.new_game(rules=with_marks(marks), players=2, seed=1)
    (element,) = changed_elements(game.view(None), game.rules).values()
    assert element.count('fill="#703010"') == 3 and "style=" not in element, "the server's page allows no inline styles"


def test_notes_of_two_plugins_on_one_route_are_both_shown() -> None:
    route = "buffalo-country_ontario_1-gray-1"  # one space with an engine

    def marks(rules: Rules, view: View | None) -> Iterable[MapMark]:
        yield RouteNote("albany-new_york-blue", "!", "Toll")
        yield RouteNote(route, "!", "Toll")

    rules = ttr.compile_rules("pennsylvania", marking(marks))
    shown = {each.get("data-name"): each for each in by_class(drawn(draw_board(rules)), "route")}
    notes = {
        id: " ".join(each.text or "" for each in by_class(shown[id], "note")) for id in (route, "albany-new_york-blue")
    }
    assert notes == {route: "ER NY PR !", "albany-new_york-blue": "BO NY PR !"}


@pytest.mark.parametrize(
    ("mark", "problem"),
    [
        (CityNote("atlantis", "1"), "'atlantis' is not a city of Europe"),
        (RouteNote("paris-atlantis", "1"), "'paris-atlantis' is not a route of Europe"),
        (CityPiece("paris", 9), "there is no seat 9"),
        (CityPiece("paris", 0, "cow"), "a shape is 'house', 'person' or 'disc'"),  # type: ignore[arg-type]
        (RouteNote("paris-zurich-gray", color="pink"), "a color is purple, .*, gray or '#rrggbb', not 'pink'"),
        (RouteNote("paris-zurich-gray", "*", color="#12345"), "not '#12345'"),
        (RouteNote("paris-zurich-gray", "*", color=["red"]), "not"),  # type: ignore[arg-type]
        (RouteNote("paris-zurich-gray", color="#cfe8ff"), "the color #cfe8ff needs a text or a title"),
        ("a string", "expected a CityNote, a CityPiece or a RouteNote"),
    ],
)
def test_marks_that_cannot_be_drawn_name_their_plugin(mark: MapMark, problem: str) -> None:
    rules = with_marks(lambda rules, view: [mark])
    with pytest.raises(PluginError, match=f"the map marks of plugin 'marking' gave .*{problem}"):
        draw_board(rules)


def test_marks_that_fail_name_their_plugin() -> None:
    rules = with_marks(lambda rules, view: [CityNote("paris", str(1 // 0))])
    with pytest.raises(PluginError, match="the map marks of plugin 'marking' failed: ZeroDivisionError"):
        draw_board(rules)


@pytest.mark.slow
def test_check_variant_finds_marks_that_cannot_be_drawn() -> None:
    assert "pictures" in check_variant("north-america", players=2, games=1, skip=all_but("pictures")).checks

    def late(rules: Rules, view: View | None) -> Iterable[MapMark]:
        return [CityNote("atlantis", "1")] if view is not None and view.owners else []

    with pytest.raises(VariantError, match=r"(?s)pictures.*'atlantis' is not a city of Europe"):
        check_variant("europe", marking(late), players=2, games=1, skip=all_but("pictures"))


def test_marks_change_no_rules() -> None:
    class Plain(Variant, name="marking"):
        """Marking: nothing is marked."""

    assert with_marks(lambda rules, view: ()).fingerprint == ttr.compile_rules("europe", Plain).fingerprint


# -- sheets -------------------------------------------------------------------------------------------------------


def test_a_sheet_has_every_point_of_every_player() -> None:
    players: list[dict[str, Any]] = [{**ADA, "name": "Ada & Söhne"}, BO, {"name": "Cy"}, {"name": "Di"}]
    table = [{key: value for key, value in each.items() if key != "hand"} for each in players]
    scores = ttr.score(None, {"stack": ["europe"], "players": table})
    picture = draw_sheet(scores)
    shown = [(each.text or "").replace("\u00a0", " ") for each in drawn(picture).iter(f"{SVG}text")]
    written = " ".join(" ".join(shown).split())
    assert written == " ".join(sheet_text(scores).split())
    failed = [ticket for player in scores.players for ticket in player.tickets if not ticket.completed]
    assert len(by_class(drawn(picture), "failed")) == len(failed) > 0
    names = [mark.text for mark in by_class(drawn(picture), "owner-mark")]
    assert names[:4] == ["Ada\u00a0&\u00a0Söhne", "Bo", "Cy", "Di"]
    assert picture.name in told(picture)


# -- notebooks and files ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_notebooks_show_boards_games_views_and_sheets() -> None:
    game = position()
    sheet = ttr.score(None, {"stack": ["europe"], "players": [{"name": "Ada"}, {"name": "Bo"}]})
    assert game.rules.board._repr_svg_() == draw_board(game.rules.board).svg
    assert game._repr_svg_() == draw_position(game).svg
    assert game.view(1)._repr_svg_() == draw_position(game, seat=1).svg
    assert sheet._repr_svg_() == draw_sheet(sheet).svg
    assert draw_board(game.rules)._repr_svg_() == draw_board(game.rules).svg


def test_a_view_that_was_sent_does_not_lead_to_its_rules_and_is_shown_as_text() -> None:
    view = position().view(0)
    for sent in (pickle.loads(pickle.dumps(view)), copy.deepcopy(view)):
        assert sent == view and sent._repr_svg_() is None


@pytest.mark.slow
def test_what_can_show_itself_does_not_import_what_draws() -> None:
    program = "import sys, ttr_rules; ttr_rules.new_game('europe', players=2, seed=1).view(0); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}; {program}"],
        capture_output=True, encoding="utf-8", check=True, timeout=60,
    )  # fmt: skip
    assert not [name for name in done.stdout.split() if name.startswith("ttr_tools.render")]


def test_pictures_are_saved_as_svg(tmp_path: Path) -> None:
    picture = draw_board(ttr_maps.load("london"))
    picture.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == picture.svg + "\n"
    for name, message in (
        ("board.gif", "ends in .svg or .png, not board.gif"),
        ("no/where.svg", "cannot be written"),
    ):
        with pytest.raises(ttr.InvalidInputError, match=message):
            picture.save(tmp_path / name)


@pytest.mark.slow
def test_png_has_the_colors_of_the_theme() -> None:
    pytest.importorskip("resvg_py")
    picture = draw_position(position())
    assert picture.png(scale=0.2).startswith(b"\x89PNG\r\n")
    dark = draw_position(position(), theme="dark")
    assert len({picture.png(scale=0.2), dark.png(scale=0.2), draw_board(position().rules).png(scale=0.2)}) == 3
    with pytest.raises(ttr.InvalidInputError, match="scale of a picture is 0.05 to 10, not 90"):
        picture.png(scale=90)


def test_without_the_extra_png_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'ttr-rules\[pictures\]'"):
        draw_board(ttr_maps.load("london")).png()


@pytest.mark.slow
def test_pictures_speak_german() -> None:
    game = position(stations=["roma"])
    picture = draw_position(game, seat=0, lang="de")
    assert picture.name == "Europa, wie Ada das Spiel sieht"
    text = told(picture)
    for word in (
        "Moskau",
        "Lissabon",
        "2 Punkte",
        "Zielkarten",
        "Häuser sind Bahnhöfe.",
        "Bahnhof von Bo",
        "Fähre mit",
        "Am Zug: Ada",
    ):
        assert word in text, word
    assert not {"Points", "Tickets", "gray", "station", "ferry"} & set(re.findall(r"\w+", text))
    board = told(draw_board(game.rules, lang="de"))
    assert "gestrichelt: Tunnel" in board and "Spielplan Europa" in board
    sheet = ttr.score(None, {"stack": ["europe"], "players": [{"name": "Ada"}, {"name": "Bo"}]})
    assert "Gesamt" in told(draw_sheet(sheet, lang="de"))


@pytest.mark.translations
def test_every_text_of_a_picture_has_a_translation() -> None:
    for stack in (
        ["europe"],
        ["germany-tickets"],
        ["london"],
        ["new-york"],
        ["pennsylvania"],
        ["united-kingdom"],
        ["nordic-countries"],
        ["legendary-asia"],
    ):
        rules = ttr.compile_rules(*stack)
        german = rules.language("de")
        missing = missing_in(german)
        scene = make_scene(rules.board, rules, ttr.new_game(rules=rules, players=2, seed=1).view(0), language=german)
        legend_lines(scene)
        for route in rules.board.routes.values():
            describe(route, rules.board, german)
        assert not missing, stack
