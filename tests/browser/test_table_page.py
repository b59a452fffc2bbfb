"""Games in a real browser: two players and a spectator, by mouse, keyboard and touch, with a server that comes and goes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("uvicorn", reason="the extra web is not installed")
pytest.importorskip("websockets", reason="the extra web is not installed")

from helpers import arranged
from serving import Served
from test_offer import Ring, shop
from waiting import until

import ttr_rules as ttr
from ttr_rules.hints import MapMark, RouteNote
from ttr_rules.model import ClaimRoute, TicketSetup
from ttr_rules.plugins import Variant, hookimpl
from ttr_tools.narration import Names
from ttr_tools.narration.menus import payment_label
from ttr_tools.web import Table

WIDE, PHONE = {"width": 1200, "height": 900}, {"width": 390, "height": 844}
ACCESSIBLE = Path(__file__).with_name("accessible.js").read_text(encoding="utf-8")
#: Chooses by clicks alone, at random, until the game is over or so many choices were made; returns their number.
CLICKER = """async ([most, seed]) => {
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const pick = (list) => list[Math.floor(random() * list.length)];
  const sleep = (time) => new Promise((done) => setTimeout(done, time));
  // Busy, or waiting for the ways to pay.
  const busy = () => answers.getAttribute("aria-busy") === "true" || answers.querySelector("ul:empty");
  const answers = document.getElementById("answers"), choices = document.getElementById("choices");
  let clicks = 0, idle = 0;
  while (clicks < most && document.getElementById("sheet").hidden && idle < 40000) {
    await sleep(2);
    if (choices.hidden || busy()) { idle++; continue; }
    idle = 0;
    for (const details of answers.querySelectorAll("details")) details.open = random() < 0.5;
    const boxes = [...answers.querySelectorAll("input[type=checkbox]")];
    for (const box of boxes) box.checked = true;
    const buttons = [...answers.querySelectorAll("button")].filter((each) => each.checkVisibility());
    if (!buttons.length) continue;
    pick(buttons).click();
    clicks++;
  }
  return clicks;
}"""

Opened = Callable[..., Any]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path / "games") as found:
        yield found


@pytest.fixture
def opened(browser: Any) -> Iterator[Opened]:
    """Opens a page; in the end nothing was complained about, and nothing was asked of others than the server."""
    contexts, complaints, requests = [], [], []

    def open_page(link: str, *, joins: bool = True, **options: Any) -> Any:
        context = browser.new_context(**{"viewport": WIDE, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(link)
        page.wait_for_selector("body[data-number]" if joins else "body.ready")
        return page

    yield open_page
    for context in contexts:
        context.close()
    # That a server is away is what one test is about; browsers say so.
    assert [each for each in complaints if "ERR_CONNECTION_REFUSED" not in each] == []
    assert all(url.startswith(("http://127.0.0.1:", "data:")) for url in requests)


def keep_all(page: Any) -> None:
    for box in page.query_selector_all("#answers input[type=checkbox]"):
        box.check()
    page.click("#answers fieldset button")
    page.wait_for_selector("#answers fieldset", state="detached")


def number(page: Any) -> int:
    return int(page.get_attribute("body", "data-number"))


# -- playing -------------------------------------------------------------------------------------------------------


def test_two_players_and_a_spectator(served: Served, opened: Opened) -> None:
    """Tickets are kept, cards drawn, a route claimed by a click on the board; everybody sees what they may."""
    table = served.open("europe", seed=1)
    one, two, watching = (opened(served.link(table, seat)) for seat in (0, 1, None))
    assert (one.inner_text("#who"), watching.inner_text("#who")) == ("You play Player 1.", "You are watching.")
    assert "It is your turn." in one.inner_text("#now") and one.title().startswith("● Europe")
    assert not watching.is_visible("#choices") and watching.inner_text("#hands") == ""
    own = set(one.locator("#hands .ticket button").all_inner_texts())
    assert len(own) == 4 and not own & set(two.locator("#hands .ticket button").all_inner_texts())
    for page in (one, two):
        keep_all(page)
    until(lambda: number(watching) == 2)
    assert "All have chosen: Player 1 has four tickets" in watching.inner_text("#story")
    pages = {0: one, 1: two}
    for _ in range(8):  # each draws eight cards
        page = pages[table.game.to_act[0]]
        for _ in range(2):
            before = number(page)
            page.click("text=Draw a card from the pile")
            until(lambda: number(page) > before)  # noqa: B023
        until(lambda: number(one) == number(two) == table.game.played)
    seat = table.game.to_act[0]
    page, other = pages[seat], pages[1 - seat]
    claims = next(kind for kind in table.game.offer().kinds if kind.type == "core.ClaimRoute")
    several = [each.cheapest for each in claims.purchases if each.payments > 1]
    board = table.game.rules.board
    route = next(each.route for each in several if isinstance(each, ClaimRoute) and not board.routes[each.route].tunnel)
    page.locator(f"[data-name='{route}'] .box").first.click(force=True)
    assert page.inner_text("#question").startswith("What you can do here: ")
    page.click("#answers li button")
    assert page.inner_text("#question").startswith("How do you pay? ")
    paid = page.inner_text("#answers li:nth-child(2) button")
    page.click("#answers li:nth-child(2) button")
    for each in (one, two, watching):
        each.wait_for_selector(f"[data-name='{route}'].owner-{seat}")
    assert f"Player {seat + 1} claims" in watching.inner_text("#now")
    played = table.game.last_move.action
    assert played is not None and payment_label(played, Names(table.game.rules, table.game.players)) == paid
    assert "owner-mark" in watching.inner_html(f"[data-name='{route}']")
    until(lambda: "It is your turn." in other.inner_text("#now"))
    assert not page.is_visible("#choices")
    unseen = other.inner_text("body") + watching.inner_text("body")
    assert not any(ticket in unseen for ticket in (own if seat == 0 else ())), "tickets are their owner's"


def test_a_game_is_played_to_its_end_by_clicks(served: Served, opened: Opened) -> None:
    table = served.open("london", seed=5)
    one, two, watching = (opened(served.link(table, seat)) for seat in (0, 1, None))
    # Both at the same time: each waits in the page until it can choose.
    for seat, page in enumerate((one, two)):
        page.evaluate(f"void ({CLICKER})([2000, {seat + 11}])")
    for page in (one, two, watching):
        page.wait_for_selector("#sheet:not([hidden])", timeout=300_000)
    assert table.game.final_scores is not None
    totals = [int(row.inner_text().split()[-1]) for row in watching.query_selector_all(".sheet .total")]
    assert sorted(totals) == sorted(player.total for player in table.game.final_scores.players)
    final = table.game.final_scores.players
    assert watching.locator("#players-body td:nth-child(2)").all_inner_texts() == [str(each.total) for each in final]
    ranks = [f"Rank {each.rank}{' – winner' if each.rank == 1 else ''}" for each in final]
    assert watching.locator("#players-body .rank").all_inner_texts() == ranks
    for page in (one, two, watching):
        assert page.inner_text("#now").startswith("The game is over. Player ")
    assert json.loads(watching.evaluate(ACCESSIBLE)) == [], "with the sheet, and the tickets of all"
    told = watching.locator("#story li").count()
    watching.reload()
    watching.wait_for_selector("#sheet:not([hidden])")
    assert watching.locator("#story li").count() == told, "the story is the same after a reload"


@pytest.mark.slow
@pytest.mark.parametrize("stack", [("europe", "dice"), ("germany-tickets",), ("united-kingdom",)])
def test_every_kind_of_choice_can_be_clicked(served: Served, opened: Opened, stack: tuple[str, ...]) -> None:
    table = served.open(*stack, people=(0,), players=2, seed=3)
    page = opened(served.link(table, 0))
    clicks = page.evaluate(CLICKER, [40, 7])
    assert clicks == 40 or table.game.is_over
    own = {type(move.action).__name__ for move in table.game.moves if move.action is not None and move.action.seat == 0}
    assert len(own) >= 3, own


def test_a_long_list_of_choices_is_shown_to_its_end(served: Served, opened: Opened) -> None:
    """A plugin may have more actions than an offer lists: the last one can be chosen."""
    game = arranged(shop([Ring(0, times) for times in range(130)], Ring), {}, {})
    table = served.tables.open(game, [0, 1])
    page = opened(served.link(table, 0))
    page.click("summary:has-text('Ring')")
    more, items = page.locator("details[open] >> text=Show more"), page.locator("details[open] li")
    while more.count():
        before = items.count()
        more.click()
        until(lambda: items.count() != before or not more.count())  # noqa: B023
    assert items.count() == 130
    page.locator("details[open] li button").last.click()
    page.wait_for_selector("#choices", state="hidden")
    assert game.last_move.action == Ring(0, 129)


def test_a_route_has_the_color_that_a_plugin_gives_it(served: Served, opened: Opened) -> None:
    class Closing(Variant, name="closing"):
        """Closing: a claimed route is closed, and another one gets a color."""

        @hookimpl
        def map_marks(self, rules: ttr.Rules, view: ttr.View | None) -> Iterator[MapMark]:
            for id in () if view is None else view.owners:
                yield RouteNote(id, title="Closed", color="#703010")
                yield RouteNote("paris-zurich-gray", color="red")

    players = [{"name": "Ada", "hand": {"green": 3}}, {"name": "Bo"}]
    game = ttr.arrange(ttr.compile_rules("europe", Closing), {"seed": 1, "players": players})
    game.play(ClaimRoute(0, "berlin-wien-green", {"green": 3}))
    page = opened(served.link(served.tables.open(game, [0, 1]), None))
    claimed, painted = '[data-name="berlin-wien-green"].owner-0', '[data-name="paris-zurich-gray"].color-red'
    fill = page.locator(f"{claimed} .box").first.evaluate("box => getComputedStyle(box).fill")
    assert fill == "rgb(112, 48, 16)" and page.locator(f"{painted} .letter").text_content() == "R"
    assert page.locator(f"{claimed} > title").text_content() == "Berlin–Wien: 3 green; Closed; Ada"


# -- without a mouse -----------------------------------------------------------------------------------------------


def test_the_keyboard_is_enough(served: Served, opened: Opened) -> None:
    table = served.open("europe", people=(0,), players=2, seed=2)
    page = opened(served.link(table, 0))

    def tab_to(text: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if text in page.evaluate(
                "(document.activeElement.labels?.[0] ?? document.activeElement).textContent ?? ''"
            ):
                return
        raise AssertionError(f"the keyboard does not reach {text!r}")

    until(lambda: table.game.played == 1)  # the bot has chosen, so that it is the player's turn next
    decision = table.game.decision(0)
    assert isinstance(decision, TicketSetup)
    for ticket in decision.tickets[:3]:
        place = table.game.rules.board.place_name(table.game.rules.tickets[ticket].cities[0])
        page.focus("#question")
        tab_to(place)
        page.keyboard.press("Space")
    tab_to("Keep selected tickets")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Your turn:")
    assert len(table.game.view(0).tickets) == 3
    assert page.evaluate("document.activeElement.id") == "question", "the keyboard stays with the choices"
    tab_to("Claim a route")
    page.keyboard.press("Enter")
    tab_to("Find")
    page.keyboard.type("zzz")
    assert page.locator("details.kind[open] li:not([hidden])").count() == 0
    page.focus("#question")
    tab_to("Draw a card from the pile")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Your second card:")


@pytest.mark.parametrize("options", [{}, {"viewport": PHONE, "has_touch": True}, {"color_scheme": "dark"}])
def test_the_page_is_for_everybody(served: Served, opened: Opened, options: dict[str, Any]) -> None:
    table = served.open("europe", people=(0,), players=3, seed=2)
    page = opened(served.link(table, 0), **options)
    assert json.loads(page.evaluate(ACCESSIBLE)) == []
    keep_all(page)
    page.click("summary:has-text('Claim a route')")
    assert json.loads(page.evaluate(ACCESSIBLE)) == []
    width = page.evaluate("document.scrollingElement.scrollWidth")
    assert width <= page.viewport_size["width"], "the page does not scroll sideways"
    for role, id in (("status", "now"), ("alert", "problem"), ("status", "connection")):
        assert page.get_attribute(f"#{id}", "role") == role


def test_a_finger_finds_routes_on_a_phone(served: Served, opened: Opened) -> None:
    table = served.open("europe", people=(0,), players=2)
    page = opened(served.link(table, 0), viewport=PHONE, has_touch=True)
    keep_all(page)
    page.wait_for_selector("text=Your turn:")
    page.locator("#board").scroll_into_view_if_needed()
    box = page.locator("[data-name='edinburgh-london-black'] .box").first.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2 + 7, box["y"] + box["height"] / 2 - 4)  # beside it
    page.wait_for_selector("#question:has-text('Edinburgh–London: 4 black')")
    page.click("text=All choices")
    assert page.inner_text("#question") == "Your turn:"


# -- what goes wrong -----------------------------------------------------------------------------------------------


def test_what_is_refused_is_said(served: Served, opened: Opened) -> None:
    table = served.open("europe", people=(0,), players=2)
    page = opened(served.link(table, 0))
    page.click("#answers fieldset button")
    page.wait_for_selector("#problem:not(:empty)")
    assert page.inner_text("#problem") == "at least 2 of the 4 tickets must be kept, not 0"
    keep_all(page)
    assert page.inner_text("#problem") == ""
    page = opened(f"{served.link(table, None)}#guessed", joins=False)
    until(lambda: "no seat of this game" in page.inner_text("#connection"))
    assert not page.is_visible("#choices")


def test_a_link_that_is_pasted_into_an_open_page_is_followed(served: Served, opened: Opened) -> None:
    """Browsers load nothing if an address differs only behind its `#`; what stands there may be half of a link."""
    table = served.open("europe", people=(0,), players=2)
    page = opened(served.link(table, None))
    assert page.inner_text("#who") == "You are watching."
    page.goto(served.link(table, 0))
    until(lambda: page.inner_text("#who") == "You play Player 1.")
    page.goto(f"{served.link(table, None)}#%E0%A4%A")
    until(lambda: "no seat of this game" in page.inner_text("#connection"))


def test_the_page_comes_back_with_the_server(opened: Opened, tmp_path: Path) -> None:
    """Nothing is reloaded, nothing told twice; what was played elsewhere meanwhile is told."""
    with Served(tmp_path / "games") as served:
        table = served.open("europe")
        one, two = (opened(served.link(table, seat)) for seat in (0, 1))
        keep_all(one)
        # As if it had chosen, and the answer was lost.
        two.evaluate("document.getElementById('answers').setAttribute('aria-busy', 'true')")
        port = served.port
    until(lambda: all("Trying again" in page.inner_text("#connection") for page in (one, two)))
    with Served(tmp_path / "games", port) as served:
        again: Table = served.tables.get(table.id)
        for page in (one, two):
            page.wait_for_selector("body[data-joined]")
            assert page.inner_text("#connection") == ""
        until(lambda: number(two) == 1)
        keep_all(two)
        until(lambda: number(one) == 2)
        assert again.game.played == 2
        told = one.locator("#story li").all_inner_texts()
        assert len(told) == len(set(told)) and any(text.startswith("All have chosen") for text in told)


def test_names_and_links_cannot_smuggle_anything_in(served: Served, opened: Opened) -> None:
    import ttr_rules as ttr

    evil = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>"]
    table = served.tables.open(ttr.new_game("london", players=evil, seed=1), [0, 1])
    page = opened(served.link(table, 0))
    assert page.locator("img, #players-body script").count() == 0
    assert evil[0] in page.inner_text("#players-body") and evil[0] in page.inner_text("#story")
