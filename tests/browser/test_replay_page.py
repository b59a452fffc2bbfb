"""The page of a replay in a real browser: moves, keys, touch, what it shows, how it is read aloud, small screens."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import rules_of
from waiting import until

import ttr_rules as ttr
from ttr_tools.bots import play_game
from ttr_tools.narration import Narrator
from ttr_tools.replay import page as page_of, record
from ttr_variants.europe import Stations

WIDE, PHONE = {"width": 1200, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture(scope="package")
def game() -> ttr.Game:
    found = ttr.new_game(rules=rules_of("europe"), players=["Ada", "Isambard", "Grace"], seed=12)
    play_game(found)
    return found


@pytest.fixture(scope="package")
def file(game: ttr.Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page with everything."""
    found = tmp_path_factory.mktemp("pages") / "game.html"
    found.write_text(page_of(game, "all"), encoding="utf-8")
    return found


Opened = Callable[..., Any]


@pytest.fixture
def opened(browser: Any, file: Path) -> Iterator[Opened]:
    """Opens a page; in the end nothing else was requested, and nothing was complained about."""
    contexts, complaints, requests = [], [], []

    def open_page(of: Path = file, at: int = 0, **options: Any) -> Any:
        context = browser.new_context(**{"viewport": WIDE, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))

        def dismiss(dialog: Any) -> None:
            complaints.append(dialog.message)
            dialog.dismiss()

        page.on("dialog", dismiss)
        page.on("request", lambda request: requests.append(request.url))
        page.goto(f"{of.as_uri()}#move-{at}")
        if options.get("java_script_enabled", True):
            page.wait_for_selector("body.ready")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    assert len([url for url in requests if url.startswith("file:")]) == len(contexts), (
        "the file itself and nothing else"
    )


def here(page: Any) -> int:
    return int(page.get_attribute("body", "data-move"))


# -- going through the moves ---------------------------------------------------------------------------------------


def test_buttons_keys_and_the_slider_go_through_the_moves(opened: Opened, game: ttr.Game) -> None:
    page = opened()
    last = game.played
    assert here(page) == 0 and page.inner_text("#place") == f"Move 0 of {last}"
    page.click("#next")
    page.click("#next")
    assert here(page) == 2
    page.click("#previous")
    assert here(page) == 1
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert here(page) == 2
    page.focus("#move")
    page.keyboard.press("ArrowRight")
    assert here(page) == 3, "one move, not two, although the slider has the key too"
    page.keyboard.press("End")
    assert here(page) == last and page.inner_text("#place") == f"Move {last} of {last}"
    page.keyboard.press("ArrowRight")
    page.click("#next", force=True)
    assert here(page) == last
    page.keyboard.press("Home")
    page.focus("#move")
    page.keyboard.press("Home")
    assert here(page) == 0
    page.click("#last")
    page.click("#first")
    assert here(page) == 0
    page.fill("#move", "50")
    assert here(page) == 50 and page.get_attribute("#move", "aria-valuetext") == f"Move 50 of {last}"


def test_keys_with_others_are_the_browsers(opened: Opened) -> None:
    page = opened(at=5)
    for key in ("Shift+ArrowRight", "Control+ArrowRight", "PageDown", "Home"):
        page.keyboard.press(key)
        assert here(page) == 5


def test_a_move_has_an_address(opened: Opened, game: ttr.Game) -> None:
    page = opened(at=7)
    assert here(page) == 7
    page.click("#next")
    page.wait_for_url("**#move-8")
    page.evaluate("location.hash = '#move-3'")
    page.wait_for_selector("body[data-move='3']")
    assert here(opened(at=99_999)) == game.played


def test_it_plays_by_itself_until_it_is_stopped(opened: Opened, game: ttr.Game) -> None:
    page = opened()
    page.clock.install(time=0)
    page.clock.pause_at(3_600_000)  # no time passes but what the test says
    page.click("#play")
    assert page.inner_text("#play") == "Pause"
    page.clock.run_for(6_500)
    assert here(page) == 5
    page.click("#play")
    page.clock.run_for(5_000)
    assert here(page) == 5 and page.inner_text("#play") == "Play"
    page.click("#last")
    page.click("#play")
    assert here(page) == 0, "from the end it begins again"
    page.keyboard.press("ArrowRight")
    page.clock.run_for(5_000)
    assert here(page) == 1, "whoever takes over is not moved on"


def test_a_line_of_the_story_leads_to_its_move(opened: Opened) -> None:
    page = opened()
    line = page.locator("#story button").nth(20)
    number = int(line.get_attribute("data-move"))
    line.click()
    assert here(page) == number and line.get_attribute("aria-current") == "step"
    assert page.inner_text("#now").startswith(line.inner_text())
    scrolled = page.evaluate("scrollY")
    page.keyboard.press("ArrowDown")
    after = int(page.locator("#story button").nth(21).get_attribute("data-move"))
    assert here(page) == after and page.evaluate("document.activeElement.dataset.move") == str(after)
    page.keyboard.press("ArrowUp")
    assert here(page) == number
    visible = page.evaluate(
        """() => { const [list, line] = [document.getElementById("story"), document.activeElement]
            .map((each) => each.getBoundingClientRect()); return line.top >= list.top && line.bottom <= list.bottom; }"""
    )
    assert visible and page.evaluate("scrollY") == scrolled, "the list scrolls, the page does not"


def test_a_finger_across_the_board(opened: Opened) -> None:
    page = opened(at=5, viewport=PHONE, has_touch=True, is_mobile=True)
    touch = page.context.new_cdp_session(page)
    box = page.locator("#board").bounding_box()
    y = box["y"] + box["height"] / 2

    def swipe(start: float, end: float) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": start, "y": y}]})
        for step in range(1, 6):
            x = start + (end - start) * step / 5
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(300, 100)
    page.wait_for_selector("body[data-move='6']")
    swipe(100, 300)
    page.wait_for_selector("body[data-move='5']")
    swipe(200, 190)
    page.tap("#next")
    page.wait_for_selector("body[data-move='6']")
    page.tap("#enlarge")
    page.wait_for_selector("#enlarge[aria-pressed=true]")
    swipe(300, 100)
    page.wait_for_timeout(200)
    assert here(page) == 6, "an enlarged board is scrolled"


# -- what is shown -------------------------------------------------------------------------------------------------

OWNERS = """() => Object.fromEntries([...document.querySelectorAll("#board .route")].flatMap((route) => {
  const owner = /(?:^| )owner-(\\d)/.exec(route.getAttribute("class"));
  const car = getComputedStyle(route.querySelector(".car")).display !== "none";
  if (car !== Boolean(owner)) throw new Error(`${route.dataset.name}: cars and owner differ`);
  return owner ? [[route.dataset.name, [Number(owner[1]), route.querySelector(".owner-mark").textContent]]] : [];
}))"""


def test_the_board_the_players_and_the_row_are_those_of_the_game(opened: Opened, game: ttr.Game) -> None:
    page = opened()
    for number in (game.played, 0, 40, 41, 90):
        page.fill("#move", str(number))
        then = game.at(number)
        view = then.view(None)
        assert page.evaluate(OWNERS) == {id: [seat, str(seat + 1)] for id, seat in view.owners.items()}
        pieces = "each => each.map((one) => [one.closest('[data-city]').dataset.city, Number(one.dataset.owner)])"
        built = page.locator("#board .piece").evaluate_all(pieces)
        assert sorted(built) == sorted([city, seat] for city, seat in view.part(Stations).built.items())
        rows = page.locator("#players-body tr").all_inner_texts()
        for seat, row in enumerate(rows):
            count = view.ticket_counts[seat]
            expected = [view.players[seat], view.scores[seat], view.cars[seat], "?" if count is None else count]
            if then.final_scores is not None:
                final = then.final_scores.players[seat]
                ranked = f"{final.name}\nRank {final.rank}{' – winner' if final.rank == 1 else ''}"
                expected = [ranked, final.total, *expected[2:]]
            assert re.sub(r"^\d\s*", "", row).replace("\n\t", "\t").split("\t")[:4] == [str(each) for each in expected]
        row = page.locator("#table .card").all_inner_texts()
        assert row[: len(ttr.cards(view).face_up)] == list(ttr.cards(view).face_up)
        hands = page.locator("section.hand").all()
        for seat, section in enumerate(hands):
            cards = sorted(section.locator(".card").all_inner_texts())
            hand = ttr.cards(then.view(seat)).hand
            assert hand is not None and cards == sorted(f"{count} {card}" for card, count in hand.items() if count)
            assert section.locator(".tickets li").count() == len(then.state.tickets[seat]) + len(
                getattr(then.decision(seat), "tickets", ())
            )


def test_the_narration_is_that_of_the_library(opened: Opened, game: ttr.Game, tmp_path: Path) -> None:
    for viewer in (None, 1):
        file = tmp_path / f"{viewer}.html"
        file.write_text(page_of(game, viewer), encoding="utf-8")
        page = opened(file)
        narrator = Narrator(game.rules, game.players, viewer)
        story = []
        for number, move in enumerate(game.moves[:60]):
            lines = [line.text for line in narrator.tell(move.events) if not line.heading]
            story += [" ".join(lines)] if lines else []
            expected = lines or [line.text for line in narrator.unfinished()]
            shown = page.inner_text("#now")
            assert here(page) == number and shown == (" ".join(expected) or shown)
            page.keyboard.press("ArrowRight")
        assert page.locator("#story button").all_inner_texts()[: len(story)] == story


def test_the_end_shows_the_sheet_and_who_won(opened: Opened, game: ttr.Game) -> None:
    page = opened(at=game.played)
    scores = game.final_scores
    assert scores is not None and page.is_visible("#sheet")
    assert page.locator("#sheets .total td:last-child").all_inner_texts() == [
        str(each.total) for each in scores.players
    ]
    assert f"{scores.winners[0]} wins with" in page.inner_text("#acting")
    assert page.locator("#players-body td:nth-child(2)").all_inner_texts() == [
        str(each.total) for each in scores.players
    ]
    assert page.locator("#players-body .rank").all_inner_texts() == [
        "Rank 1 – winner" if each.name in scores.winners else f"Rank {each.rank}" for each in scores.players
    ]
    page.click("#previous")
    assert page.is_hidden("#sheet") and "winner" not in page.inner_text("#players-body")


def test_a_ticket_marks_its_cities(opened: Opened, game: ttr.Game) -> None:
    page = opened(at=60)
    ticket = page.locator("[data-ticket]").first
    wanted = game.rules.tickets[ticket.get_attribute("data-ticket")].cities
    ticket.click()
    cities = "each => each.map((one) => one.dataset.city)"
    assert sorted(page.locator("#board .wanted").evaluate_all(cities)) == sorted(wanted)
    assert page.locator("[data-ticket][aria-pressed=true]").count() == 1
    assert page.evaluate("document.activeElement.ariaPressed") == "true", "the focus stays on the ticket"
    page.keyboard.press("Enter")
    assert page.locator("#board .wanted").count() == 0


def test_a_seat_sees_its_own_hand_alone(opened: Opened, game: ttr.Game, tmp_path: Path) -> None:
    file = tmp_path / "seat.html"
    file.write_text(page_of(game, 1), encoding="utf-8")
    page = opened(file, at=100)
    assert page.locator("section.hand h3").all_inner_texts() == ["2Isambard"] or "Isambard" in page.inner_text("#hands")
    assert page.locator("section.hand").count() == 1
    assert "The game as Isambard saw it." in page.inner_text("header")


def test_names_do_nothing_but_name(opened: Opened, tmp_path: Path) -> None:
    players = ["</script><script>alert(1)</script>", '<img src="x" onerror="alert(2)">']
    game = ttr.new_game(rules=rules_of("europe"), players=players, seed=1)
    play_game(game)
    file = tmp_path / "names.html"
    file.write_text(page_of(game, "all"), encoding="utf-8")
    page = opened(file, at=game.played)
    assert all(name in page.inner_text("#players-body") and name in page.inner_text("#sheets") for name in players)
    assert page.locator("img").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("stack", [("europe", "dice"), ("united-kingdom",), ("pennsylvania",), ("nordic-countries",)])
def test_other_stacks_have_pages_too(opened: Opened, tmp_path: Path, stack: tuple[str, ...]) -> None:
    game = ttr.new_game(rules=rules_of(*stack), players=2, seed=2)
    play_game(game)
    file = tmp_path / "other.html"
    file.write_text(page_of(game, "all"), encoding="utf-8")
    page = opened(file, at=game.played)
    assert set(page.evaluate(OWNERS)) == set(game.view(None).owners)
    said = set(record(game, "all")["moves"][game.played]["patch"].get("more", {}))
    assert said <= set(page.locator("#table dt").all_inner_texts())


# -- for everybody -------------------------------------------------------------------------------------------------

CHECKS = (Path(__file__).parent / "accessible.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_it_can_be_read_and_used_by_everybody(
    opened: Opened, game: ttr.Game, scheme: str, viewport: dict[str, int]
) -> None:
    page = opened(viewport=viewport, color_scheme=scheme)
    for number in (0, 60, game.played):
        page.fill("#move", str(number))
        assert json.loads(page.evaluate(CHECKS)) == []
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= viewport["width"], "no horizontal scrolling"


def test_a_page_in_another_language(opened: Opened, game: ttr.Game, tmp_path: Path) -> None:
    file = tmp_path / "de.html"
    file.write_text(page_of(game, "all", "de"), encoding="utf-8")
    for viewport in (WIDE, PHONE):
        page = opened(file, at=game.played, viewport=viewport)
        assert json.loads(page.evaluate(CHECKS)) == []
        assert page.get_attribute("html", "lang") == "de" and "Lissabon" in page.inner_html("#board")
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
        over = [
            each
            for each in page.locator(".buttons button").all()
            if each.evaluate("e => e.scrollWidth > e.clientWidth")
        ]
        assert over == [], "words fit on their buttons"
    assert "gewinnt mit" in page.inner_text("#acting")
    hand = next(
        n
        for n, move in enumerate(game.moves)
        if (hand := ttr.cards(game.at(n).view(0)).hand) and hand.get("locomotive") == 2
    )
    page.fill("#move", str(hand))
    assert "2 Lokomotiven" in page.inner_text("#hands")


def test_the_checks_find_what_is_wrong(opened: Opened) -> None:
    page = opened()
    page.evaluate(
        """() => {
          document.body.insertAdjacentHTML("beforeend", '<button id="bare"></button><input id="mute">'
            + '<p id="pale" style="color:#999;background:#fff">pale</p><h5>deep</h5><b id="now">twice</b>'
            + '<img><a tabindex="3" href="#">first</a><button style="height:10px;padding:0">tiny</button>');
          document.documentElement.lang = "";
        }"""
    )
    found = " ".join(json.loads(page.evaluate(CHECKS)))
    for problem in (
        "bare: no name",
        "mute: no name",
        "pale: contrast 2.8",
        "h5 after h2",
        "now: id twice",
        "img: no name",
    ):
        assert problem in found
    assert "lang" in found and "tabindex" in found and "tiny" in found


def test_the_order_of_the_focus_is_that_of_the_page(opened: Opened) -> None:
    page = opened(at=60)
    page.keyboard.press("Tab")
    order = []
    for _ in range(7):
        order.append(page.evaluate("document.activeElement.id"))
        page.keyboard.press("Tab")
    assert order == ["first", "previous", "play", "next", "last", "move", "enlarge"]
    stops = page.locator("#story button[tabindex='0']").count()
    assert stops == 1, "the story is one stop, arrow keys go through it"


def test_what_happened_is_said_aloud_once(opened: Opened) -> None:
    page = opened()
    assert page.get_attribute("#now", "aria-live") == "polite" and page.get_attribute("#now", "aria-atomic") == "true"
    assert page.locator("[aria-live], [role=status], [role=alert]").count() == 1
    page.evaluate(
        "() => { window.said = []; new MutationObserver(() => said.push(document.getElementById('now').textContent))"
        ".observe(document.getElementById('now'), {childList: true}); }"
    )
    page.fill("#move", "40")
    page.locator("[data-ticket]").first.click()
    page.wait_for_timeout(50)
    assert page.evaluate("said") == [page.inner_text("#now")], "marking cities says nothing again"


def test_motion_only_for_those_who_want_it(opened: Opened, game: ttr.Game) -> None:
    claim = next(n for n, move in enumerate(game.moves) if isinstance(move.action, ttr.ClaimRoute) and n > 30)
    for wish, name in (("reduce", "none"), ("no-preference", "fresh")):
        page = opened(at=claim, reduced_motion=wish)
        assert page.locator("#board .fresh").count() == 1
        assert page.evaluate("getComputedStyle(document.querySelector('.fresh .way')).animationName") == name


def test_dark_and_light_follow_the_system(opened: Opened) -> None:
    colors = [
        opened(color_scheme=scheme).evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert colors == ["rgb(245, 241, 230)", "rgb(31, 34, 38)"]


def test_without_scripts_it_says_so(opened: Opened) -> None:
    page = opened(java_script_enabled=False)
    assert page.is_visible("text=This page needs JavaScript")
    assert page.is_visible("#board svg")


def test_large_board_can_be_scrolled_by_keyboard(opened: Opened) -> None:
    page = opened(at=10, viewport=PHONE)
    page.click("#enlarge")
    assert page.get_attribute("#enlarge", "aria-pressed") == "true"
    page.focus("#board")
    page.keyboard.press("ArrowRight")
    until(lambda: page.evaluate("document.getElementById('board').scrollLeft") > 0)
    assert here(page) == 10
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.click("#enlarge")
    assert page.get_attribute("#board", "tabindex") is None
