"""What the server sends over HTTP: pages, their policy, their files, and nothing else."""

from __future__ import annotations

import http.client
import json
import re
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("uvicorn", reason="the extra web is not installed")
pytest.importorskip("websockets", reason="the extra web is not installed")

from helpers import rules_of
from serving import Served

import ttr_rules as ttr
from ttr_rules.errors import SaveError
from ttr_rules.language import language
from ttr_tools.replay import page_texts
from ttr_tools.web import Tables
from ttr_tools.web.server import make_page


def get(served: Served, path: str, method: str = "GET") -> tuple[int, dict[str, str], str]:
    """The answer to a request, whose path is sent as it is."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    connection.request(method, path)
    answer = connection.getresponse()
    found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()
    connection.close()
    return found


def test_a_page_has_the_board_and_may_load_nothing_from_elsewhere(served: Served) -> None:
    table = served.open("europe")
    status, headers, html = get(served, f"/{table.id}")
    assert status == 200 and headers["content-type"] == "text/html; charset=utf-8"
    assert html.count('class="route ') == len(table.game.rules.board.routes)
    policy = dict(each.strip().split(" ", 1) for each in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'" and policy["script-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'" and "unsafe" not in headers["content-security-policy"]
    style = html.partition("<style>")[2].partition("</style>")[0]
    assert f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" in policy["style-src"]
    assert html.count("<style>") == 1 and not re.search(r"\s(style|on\w+)=", html)
    assert (headers["referrer-policy"], headers["x-content-type-options"]) == ("no-referrer", "nosniff")
    assert headers["cache-control"] == "no-store" and "server" not in headers
    for token in table.tokens:
        assert token is not None and token not in html
    assert set(re.findall(r'(?:src|href)="([^"]+)"', html)) == {"data:,", "table.css", "table.js"}
    for name, kind in (("table.css", "text/css"), ("table.js", "text/javascript")):
        status, headers, text = get(served, f"/{name}")
        assert status == 200 and headers["content-type"].startswith(kind) and len(text) > 5000


def test_a_page_is_in_the_language_that_it_is_asked_for(served: Served) -> None:
    table = served.open("europe")
    for query, lang in (("", "en"), ("?lang=de", "de"), ("?lang=../de", "en"), ("?lang=xx", "en")):
        assert f'<html lang="{lang}">' in get(served, f"/{table.id}{query}")[2]
    status, _, text = get(served, "/0000000000000000?lang=de")
    assert (status, text) == (404, "Dieses Spiel gibt es nicht: Bitte prüfe den Link.")


def test_what_is_not_there_is_not_found(served: Served) -> None:
    table = served.open("europe")
    kept = served.tables.path.name
    for path in (
        *("/", "/nothing", "/0000000000000000", f"/{kept}", f"/{kept}-wal", f"/{table.id}/", f"/{table.id}/socket"),
        *("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%5c..%5cetc", f"/games/{kept}", "/table.py", "//etc/passwd"),
        *("/%00", f"/{table.id}%00", "/" + "x" * 5000, f"/..%2fgames%2f{kept}"),
    ):  # fmt: skip
        status, _, text = get(served, path)
        assert status == 404 and "seed" not in text and "root:" not in text, path
    for method in ("POST", "PUT", "DELETE"):
        assert get(served, f"/{table.id}", method)[0] == 405


def test_names_are_texts_whatever_is_in_them() -> None:
    evil = ['</script><script>alert("1")</script>', '<img src=x onerror="alert(2)">', "{title}{texts}"]
    html, _ = make_page(ttr.new_game(rules=rules_of("europe"), players=evil, seed=1), "en")
    assert html.count("<script") == html.count("</script>") == 3 and "<img" not in html
    data = re.search(r'id="recording">(.*?)</script>', html, re.DOTALL)
    assert data is not None and json.loads(data[1])["players"] == evil


def test_every_text_of_the_page_is_used_and_there() -> None:
    texts = page_texts(language("en"), "play")
    read = [files(f"ttr_tools.{package}").joinpath(name).read_text(encoding="utf-8")
            for package, name in (("replay", "panels.js"), ("web", "table.js"), ("replay", "players.html"), ("web", "page.html"))]  # fmt: skip
    script, frame = "".join(read[:2]), "".join(read[2:])
    used = set(re.findall(r'\btexts\.(\w+)|say\("(\w+)"|\? "(\w+)" : "(\w+)"', script))
    wanted = {name for found in used for name in found if name} | set(re.findall(r"\{(\w+)\}", frame))
    wanted |= {"completed", "failed"}  # marks of the sheet
    wanted -= {"language", "title", "picture", "recording", "texts", "players_and_sheet"}
    assert wanted == set(texts)


# -- tables --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "keep", "you", "total", "row"),
    [
        ("en", "Keep selected tickets", "{name} (you)", "Total", "Face up"),
        ("de", "Ausgewählte Zielkarten behalten", "{name} (du)", "Gesamt", "Auslage"),
    ],
)
def test_a_page_speaks_as_its_readers_do(lang: str, keep: str, you: str, total: str, row: str) -> None:
    texts = page_texts(language(lang), "play")
    assert (texts["keep"], texts["you"], texts["total"], texts["face_up"]) == (keep, you, total, row)
    open_tickets = language(lang).gettext("to do: {tickets}", tickets="")
    assert texts["face_up"].lower() not in open_tickets, "the row of cards and the tickets to complete are told apart"


def test_tables_are_opened_for_people_at_the_table(tmp_path: Path) -> None:
    tables, game = Tables(tmp_path / "games.db"), ttr.new_game(rules=rules_of("europe"), players=2, seed=1)
    for people in ([], [2], [-1]):
        with pytest.raises(ttr.InvalidInputError, match="seats 0 to 1"):
            tables.open(game, people)
    with pytest.raises(ttr.InvalidInputError, match="no bot 'genius' is installed"):
        tables.open(game, [0], bot="genius")
    assert list(tables) == []
    with pytest.raises(KeyError):
        tables.get("../games")
    tables.close()


def test_a_file_that_cannot_be_used_or_read_is_a_problem_in_words(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with pytest.raises(SaveError, match="cannot keep journals here"):
        Tables(tmp_path)
    for seats in (
        {"a": 1},
        {"tokens": ["x"], "bot": "planner"},
        {"tokens": 5, "bot": "planner"},
        {"tokens": ["x", "y"]},
    ):
        with ttr.Journals(path) as journals:
            id = journals.begin(ttr.new_game(rules=rules_of("europe"), players=2, seed=1), about=seats).id
        tables = Tables(path)
        with pytest.raises(SaveError, match="seats"):
            tables.get(id)
        tables.close()


def test_games_without_tables_are_left_alone(tmp_path: Path) -> None:
    """Such as those of `play --journal` in the same file."""
    path = tmp_path / "games.db"
    with ttr.Journals(path) as journals:
        journals.begin(ttr.new_game(rules=rules_of("europe"), players=2, seed=1), "alone")
    tables = Tables(path)
    assert list(tables) == [] and "alone" not in tables
    tables.close()
