"""Replays as data and as files: every moment as the game has it, nothing that a seat may not know, the command."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers import rules_of
from hypothesis import given, strategies as st
from official import every_map
from plugins import excursions

import ttr_maps
import ttr_rules as ttr
import ttr_tools.replay as module
from ttr_rules.events import Event, fold
from ttr_rules.kernel import views
from ttr_rules.saves import pack
from ttr_rules.train_cards import SeenCards
from ttr_tools.bots import play_game
from ttr_tools.narration import Narrator
from ttr_tools.render import draw_board, draw_position
from ttr_tools.replay import Viewer, diff, page, page_texts, record
from ttr_variants.marklin import Marklin

SEED = "seed-that-nobody-may-see"


@cache
def game_of(*stack: str, players: int = 3, most: int = 10_000) -> ttr.Game:
    """A game at random with a liking for claims; with `most`, up to that many actions."""
    random = Random("replay")
    game = ttr.new_game(rules=rules_of(*stack), players=["Ada", "Bo", "Cy", "Di", "Ed"][:players], seed=SEED)
    while game.to_act and game.played < most:
        legal = game.legal_actions(game.to_act[0])
        claims = [action for action in legal if isinstance(action, ttr.ClaimRoute)]
        game.play(random.choice(claims if claims and random.random() < 0.5 else legal))
    return game


@cache
def bots_game(*stack: str, players: int = 3) -> ttr.Game:
    """A game of bots to its end."""
    game = ttr.new_game(rules=rules_of(*stack), players=["Ada", "Bo", "Cy", "Di"][:players], seed=SEED)
    play_game(game)
    return game


def merge(before: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """A snapshot with a JSON merge patch applied."""
    result = dict(before)
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, Mapping):
            old = result.get(key)
            start = old if isinstance(old, Mapping) else {}
            result[key] = merge(start, value)
        else:
            result[key] = value
    return result


def moments(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the page shows after each move."""
    shown: list[dict[str, Any]] = []
    for move in found["moves"]:
        shown.append(merge(shown[-1] if shown else {}, move["patch"]))
    return shown


def data_of(html: str, id: str = "recording") -> Any:
    """The data in a page."""
    found = re.search(rf'<script type="application/json" id="{id}">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


# -- patches -------------------------------------------------------------------------------------------------------

plain = st.recursive(
    st.integers(0, 3) | st.booleans() | st.text("ab", max_size=2) | st.lists(st.integers(0, 2), max_size=2),
    lambda inner: st.dictionaries(st.text("xyz", min_size=1, max_size=1), inner, max_size=3),
)
snapshots = st.dictionaries(st.text("xyz", min_size=1, max_size=1), plain, max_size=3)


@pytest.mark.slow
@given(snapshots, snapshots)
def test_a_patch_leads_from_one_snapshot_to_the_next(before: dict[str, Any], after: dict[str, Any]) -> None:
    patch = diff(before, after)
    assert merge(before, patch) == after
    assert patch == {} or before != after


# -- every moment --------------------------------------------------------------------------------------------------


@pytest.mark.slow_cases("europe+dice", "united-kingdom")
@pytest.mark.thorough_cases("germany-tickets", "europe")
@every_map
def test_every_moment_is_as_the_game_had_it(stack: tuple[str, ...]) -> None:
    game = game_of(*stack, players=rules_of(*stack).components.max_players, most=60)
    found = record(game, "all")
    shown = moments(found)
    assert len(shown) == game.played + 1
    for number in (0, 1, game.played):
        then = game.at(number)
        view = then.view(None)
        moment = shown[number]
        assert moment["acting"] == list(view.to_act) and moment["left"] == view.turns_left
        assert moment["owners"] == {id: [seat, *view.shared.get(id, ())] for id, seat in view.owners.items()}
        for seat, player in enumerate(moment["players"].values()):
            assert (player["points"], player["cars"]) == (view.scores[seat], view.cars[seat])
            assert player["tickets"] in (view.ticket_counts[seat], "?")
            own = then.view(seat)
            assert list(moment["own"][str(seat)].get("tickets", ())) == list(own.tickets)
            if own.has_part(SeenCards):
                hand = own.part(SeenCards).hand
                assert hand is not None and moment["own"][str(seat)]["hand"] == dict(hand)


@pytest.mark.slow
@pytest.mark.parametrize("stack", [("europe",), pytest.param(("marklin",), marks=pytest.mark.slow)])
def test_what_plugins_add_to_the_board_is_drawn_as_in_a_picture_of_the_moment(stack: tuple[str, ...]) -> None:
    known = [[*ticket.cities, ticket.points, ticket.kind] for ticket in ttr_maps.load("marklin").tickets]
    rules = ttr.compile_rules(Marklin(tickets=known)) if stack == ("marklin",) else rules_of(*stack)
    game = ttr.new_game(rules=rules, players=3, seed=2)  # in which stations are built
    play_game(game)
    shown = moments(record(game, None))
    assert shown[-1]["marks"]

    def elements(svg: str, kind: str) -> dict[str, str]:
        found = [line for line in svg.splitlines() if line.startswith(f'<g class="{kind}')]
        return {re.findall(r' id="([^"]*)" data-', line)[0]: line for line in found}

    bare = draw_board(rules).svg
    for number in (0, game.played // 2, game.played):
        then = draw_position(game.at(number)).svg
        assert elements(bare, "city") | shown[number]["marks"] == elements(then, "city") | shown[number]["marks"]
        assert {id: line for id, line in shown[number]["marks"].items() if id.startswith("city-")}.items() <= elements(
            then, "city"
        ).items()


@pytest.mark.slow
@pytest.mark.parametrize("viewer", [0, 2, None])
def test_the_story_is_that_of_the_library(viewer: int | None) -> None:
    game = bots_game("europe")
    found = record(game, viewer)
    told = [line for move in found["moves"] for line in move["lines"]]
    lines = Narrator(game.rules, game.players, viewer).tell(game.events)
    assert [(text, seat, bool(more)) for text, seat, *more in told] == [
        (line.text, line.seat, line.heading) for line in lines
    ]


def test_a_move_inside_a_turn_has_its_sentence_so_far() -> None:
    game = bots_game("europe")
    silent = [move for move in record(game, None)["moves"] if not move["lines"] and not move["now"]]
    assert len(silent) <= len(game.players), "only first tickets are chosen in silence"
    narrator = Narrator(game.rules, game.players)
    for move in game.moves:
        lines, unfinished = narrator.tell(move.events), narrator.unfinished()
        assert unfinished == narrator.unfinished(), "asking twice changes nothing"
        assert not (lines and move is game.last_move and unfinished)


@pytest.mark.slow
def test_whoever_sees_everything_reads_what_each_player_read() -> None:
    game = game_of("europe", most=90)
    story = {line[0] for move in record(game, "all")["moves"] for line in move["lines"]}
    public, *seats = (
        {line.text for line in Narrator(game.rules, game.players, seat).tell(game.events)} for seat in (None, 0, 1, 2)
    )
    for own in seats:
        assert own - public and own - public <= story


@pytest.mark.slow
def test_the_score_sheet_is_there_when_the_game_is_over() -> None:
    game = bots_game("europe")
    assert game.final_scores is not None
    sheet = record(game, None)["sheet"]
    assert sheet is not None
    assert [player["total"] for player in sheet["players"]] == [player.total for player in game.final_scores.players]
    for player in sheet["players"]:
        assert sum(points or 0 for *_, points in player["rows"]) == player["total"]
    assert record(game_of("europe", most=90), "all")["sheet"] is None


# -- secrets -------------------------------------------------------------------------------------------------------


@cache
def seen_tickets(viewer: int | None) -> set[str]:
    """The tickets that a seat has ever seen in a game, by the views that the library gives it."""
    game, found = game_of("europe", most=120), set[str]()
    state = game.at(0).state
    for number, move in enumerate(game.moves):
        if number:
            fold(state, move.events)
        view = views.view_of(state, game.players, viewer)
        found.update(view.tickets, view.rejects, getattr(view.decision, "tickets", ()))
        found.update(ticket for held in view.open_tickets for ticket in held)
    return found


@cache
def page_with_everything() -> str:
    return page(game_of("europe", most=120), "all")


@pytest.mark.slow
@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.rule("S6", "S7")
def test_what_a_seat_may_not_know_is_not_in_the_source(viewer: int | None) -> None:
    game = game_of("europe", most=120)
    html, everything = page(game, viewer), page_with_everything()
    known = seen_tickets(viewer)
    hidden = {id for seat in range(3) if seat != viewer for id in seen_tickets(seat)} - known
    assert len(hidden) > 5
    for id in hidden:
        ticket = game.rules.tickets[id]
        name = "–".join(map(game.rules.board.place_name, ticket.cities))
        assert f'"{id}"' in everything and f'"{id}"' not in html
        assert f"{name} {ticket.points}" in everything and f"{name} {ticket.points}" not in html
    assert all(f'"{id}"' in html for id in known)
    own = {seat for moment in moments(data_of(html)) for seat in moment["own"]}
    assert own == (set() if viewer is None else {str(viewer)})
    assert SEED not in html and SEED not in everything


@pytest.mark.slow
def test_secrets_of_plugins_stay_secret() -> None:
    rules = ttr.compile_rules("north-america", excursions)
    game = ttr.new_game(rules=rules, players=2, seed=SEED)
    random = Random(1)
    held: list[set[str]] = [set(), set()]
    known: list[set[str]] = [set(), set()]
    while True:
        for seat in (0, 1):
            held[seat].update(game.state.part(excursions.Album).cards[seat])
            known[seat].update(held[seat], getattr(game.decision(seat), "cards", ()))
        if game.played == 140 or not game.to_act:
            break
        legal = game.legal_actions(game.to_act[0])
        trips = [action for action in legal if isinstance(action, excursions.Travel | ttr.ClaimRoute)]
        game.play(random.choice(trips or legal))
    everything = page(game, "all")
    for seat in (0, 1):
        secret = held[1 - seat] - known[seat]
        html = page(game, seat)
        assert secret and not [card for card in secret if re.search(rf"{card}\b", html)]
        assert all(re.search(rf"{card}\b", html) for card in held[seat])
        assert all(re.search(rf"{card}\b", everything) for card in held[seat])


def test_a_replay_of_an_arranged_position() -> None:
    ada = {"name": "Ada", "routes": [["paris", "brest"]], "hand": {"red": 3}, "tickets": ["brest-marseille"]}
    game = ttr.arrange(rules_of("europe"), {"seed": 1, "players": [ada, {"name": "Bo"}]})
    game.play(ttr.DrawBlind(0))
    first, second = moments(record(game, 0))
    assert first["owners"] == {"brest-paris-black": [0]} and first["own"]["0"]["hand"] == {"red": 3}
    assert first["own"]["0"]["tickets"] == {"brest-marseille": 4} and sum(second["own"]["0"]["hand"].values()) == 4


@pytest.mark.slow
@pytest.mark.parametrize("viewer", [1, None])
def test_a_page_is_made_of_views_and_of_seen_events(viewer: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read for other eyes: hands of others stay secret even when the game is over."""
    asked: set[int | None] = set()
    view_of, seen_by = views.view_of, Event.seen_by

    def watched_view(state: Any, players: Any, seat: int | None) -> ttr.View:
        asked.add(seat)
        return view_of(state, players, seat)

    def watched_event(self: Event, seat: int | None) -> Any:
        asked.add(seat)
        return seen_by(self, seat)

    game = bots_game("europe")
    monkeypatch.setattr(module, "view_of", watched_view)
    monkeypatch.setattr(Event, "seen_by", watched_event)
    found = record(game, viewer)
    assert asked == {viewer, None}
    for seat, own in moments(found)[-1]["own"].items():
        assert ("hand" in own) == (seat == str(viewer)) and own["tickets"], (
            "tickets are revealed in the end, hands are not"
        )


def test_a_seat_that_is_not_at_the_table() -> None:
    for wrong in (3, -1, True, "Ada"):
        with pytest.raises(ttr.InvalidInputError, match="a seat is one of 0 to 2, not"):
            page(game_of("europe", most=10), wrong)  # type: ignore[arg-type]


# -- the file ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "stack",
    [
        ("europe",),
        *(pytest.param((name,), marks=pytest.mark.thorough) for name in ("united-kingdom", "legendary-asia")),
    ],
)
def test_a_whole_game_of_many_is_no_large_file(stack: tuple[str, ...]) -> None:
    rules = rules_of(*stack)
    html = page(bots_game(*stack, players=min(4, rules.components.max_players)), "all")
    assert len(html.encode()) < 600_000


@pytest.mark.slow
def test_a_page_needs_nothing_else() -> None:
    html = page(game_of("europe", most=60), "all")
    without_data = re.sub(r'<script type="application/json".*?</script>', "", html, flags=re.DOTALL)
    links = re.findall(r'(?:src|href|xlink:href|action)="([^"]*)"', without_data)
    assert set(links) <= {"data:,"}
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|\bimport\b[ (]", without_data)
    assert "default-src 'none'" in html
    assert set(re.findall(r"https?://[^\"' ]+", html)) <= {"http://www.w3.org/2000/svg"}


HOSTILE = "</script><script>alert(1)</script>"


@pytest.mark.parametrize("viewer", ["all", 0])
def test_names_stay_names_whatever_is_in_them(viewer: Viewer) -> None:
    players = [HOSTILE, "<img src=x onerror=alert(2)>"]
    html = page(ttr.new_game("europe", players=players, seed=1), viewer)
    assert html.count("<script") == html.count("</script>") == 3 and "<img" not in html
    assert data_of(html)["players"] == players


def test_every_text_of_the_page_is_used_and_there() -> None:
    texts = page_texts(rules_of("europe").language("en"), "replay")
    folder = files("ttr_tools.replay")
    names = ("panels.js", "shown.js", "moves.js", "page.html", "players.html")
    *scripts, frame, part = (folder.joinpath(name).read_text(encoding="utf-8") for name in names)
    used = set(re.findall(r'\btexts\.(\w+)|say\("(\w+)"|\? "(\w+)" : "(\w+)"', "".join(scripts)))
    wanted = {name for found in used for name in found if name} | set(re.findall(r"\{(\w+)\}", frame + part))
    wanted |= {"all", "spectator", "seat", "completed", "failed"}  # by whose eyes, and marks of the sheet
    wanted -= {"language", "title", "about", "style", "picture", "recording", "texts", "script", "players_and_sheet"}
    assert wanted == set(texts)


# -- the command ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command_writes_saves_and_journals(tmp_path: Path) -> None:
    pytest.importorskip("click")
    from test_cli import refused, run

    game = game_of("europe", most=60)
    pages = {viewer: page(game, viewer) for viewer in (1, 2, None, "all")}
    save, packed, journal, out = (tmp_path / name for name in ("a.json", "a.ttr", "a.db", "a.html"))
    save.write_text(ttr.dumps(game), encoding="utf-8")
    packed.write_bytes(pack(game))
    with ttr.Journals(journal) as journals:
        journals.begin(game)
    for file in (save, packed, journal):
        for seat, viewer in (("Bo", 1), ("2", 2), ("spectator", None), ("all", "all")):
            result = run("replay", str(file), "-o", str(out), "--seat", seat)
            assert (result.exit_code, result.stderr) == (0, "") and "60 moves" in result.stdout
            assert out.read_text(encoding="utf-8") == pages[viewer]
    assert run("replay", str(save), "-o", "-").stdout == pages[None] + "\n"
    assert "--seat all shows all hands" in run("replay", str(save), "-o", str(out)).stdout
    assert "--seat must be Ada, Bo, Cy, spectator or all, not 'Mary'" in refused(
        "replay", str(save), "-o", "-", "--seat", "Mary"
    )
    assert "cannot be written" in refused("replay", str(save), "-o", str(tmp_path))
    assert "none.json: no such file" in refused("replay", str(tmp_path / "none.json"), "-o", str(out))
    assert "Missing option '-o'" in refused("replay", str(save))
    assert "europe: no such file" in refused("replay", str(save), "europe", "-o", "-")


def test_a_player_is_meant_before_a_word_of_the_command(tmp_path: Path) -> None:
    pytest.importorskip("click")
    from test_cli import run

    game = ttr.new_game("europe", players=["all", "1"], seed=1)
    file, out = tmp_path / "a.json", tmp_path / "a.html"
    file.write_text(ttr.dumps(game), encoding="utf-8")
    run("replay", str(file), "-o", str(out), "--seat", "all")
    assert data_of(out.read_text(encoding="utf-8"))["viewer"] == 0
    run("replay", str(file), "-o", str(out), "--seat", "1")
    assert data_of(out.read_text(encoding="utf-8"))["viewer"] == 1
