"""Games in German: translations fit their templates, and the language changes nothing else.

Whether a text lacks a translation is asked before a release: by the session `translations`.
"""

from __future__ import annotations

import ast
import io
import os
import pickle
import re
import string
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers import missing_in, rules_of

import ttr_maps
import ttr_rules as ttr
import ttr_tools
import ttr_variants
from ttr_rules.events import (
    CardsSpent,
    MixAnnounced,
    RouteCarsChanged,
    RouteClaimed,
    RouteFreed,
    RouteShared,
    TicketsDrawn,
    TunnelAbandoned,
)
from ttr_rules.language import Message, Seat, join_and, language, noun, plural
from ttr_rules.model import AbandonTunnel, Cost, TunnelDue, Unknown
from ttr_rules.plugins import Choice, Transaction, Variant, hookimpl
from ttr_tools.bots import play_game
from ttr_tools.narration import Names, Narrator, choose_language, languages, narrate, sheet_text
from ttr_tools.narration.menus import kind_label, question
from ttr_variants.dice import DiceLaid, DiceSpent, TunnelDiceRolled
from ttr_variants.europe.stations import BuildStation, StationBuilt
from ttr_variants.legendary_asia import MountainsCrossed
from ttr_variants.marklin.passengers import PassengerTravelled

LIBRARY, TOOLS, VARIANTS, MAPS = (Path(str(each.__file__)).parent for each in (ttr, ttr_tools, ttr_variants, ttr_maps))
CATALOGS = {LIBRARY: (LIBRARY, TOOLS), VARIANTS: (VARIANTS, MAPS)}

STACKS = [
    *(["north-america"], ["europe"], ["europe", "dice"], ["mega-europa"], ["nordic-countries"], ["switzerland"]),
    *(["germany-tickets"], ["germany-tickets", "dice"], ["india"], ["legendary-asia"], ["london"], ["new-york"]),
    *(["pennsylvania"], ["united-kingdom:advanced=true"], ["europe:station_choice=ask"]),
]
#: How each fifth of these is marked.
SPEED = ((), pytest.mark.thorough, pytest.mark.slow, pytest.mark.slow, pytest.mark.thorough)
#: Those with questions that come late in a game, or often.
TO_THE_END = [
    *(["europe", "dice"], ["nordic-countries"], ["germany-tickets"], ["india"], ["pennsylvania"]),
    *(["united-kingdom:advanced=true"], ["europe:station_choice=ask"]),
]


def po(package: Path, code: str = "de") -> Path:
    return package / "locales" / code / "LC_MESSAGES" / "messages.po"


def placeholders(template: str) -> set[str]:
    return {f"{name}:{form}" for _, name, form, _ in string.Formatter().parse(template) if name is not None}


# -- catalogs --------------------------------------------------------------------------------------------------


def read(path: Path) -> Any:
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        return read_po(file)


def extracted(package: Path) -> dict[tuple[str | None, str], Any]:
    """What there is to translate in a package, by context and text."""
    from babel.messages.catalog import Catalog as Found
    from babel.messages.extract import extract_from_dir

    methods = [
        ("**.py", "ttr_tools.testing.extraction:extract"),
        ("**.toml", "ttr_tools.testing.extraction:extract_map"),
    ]
    found = Found()
    for folder in CATALOGS[package]:
        for _, _, text, _, context in extract_from_dir(folder, methods, directory_filter=lambda _: True):
            found.add(text, context=context)
    return {key(each): each for each in found if each.id}


def key(message: Any) -> tuple[str | None, str]:
    return message.context, message.id[0] if isinstance(message.id, tuple) else message.id


PO_FILES = [(package, path) for package in CATALOGS for path in sorted(package.glob("locales/*/LC_MESSAGES/*.po"))]


@pytest.mark.translations
@pytest.mark.installed_tree
@pytest.mark.parametrize(
    ("package", "path"), PO_FILES, ids=lambda each: "-".join(each.parts[-4:-2]) if each.suffix else each.name
)
def test_every_text_is_translated_and_nothing_else(package: Path, path: Path) -> None:
    pytest.importorskip("babel")
    there = {key(each): each for each in read(path) if each.id}
    wanted = extracted(package)
    hint = "run `nox -s languages`, then translate what is new"
    assert there.keys() == wanted.keys(), hint
    for message in there.values():
        texts = message.string if isinstance(message.string, tuple) else (message.string,)
        assert not message.fuzzy, f"{message.id}: fuzzy; check it and remove the mark"
        assert all(texts) or message.context == "place", f"{message.id}: not translated"
        assert isinstance(message.id, tuple) == isinstance(wanted[key(message)].id, tuple), hint


@pytest.mark.installed_tree
@pytest.mark.parametrize(
    ("package", "path"), PO_FILES, ids=lambda each: "-".join(each.parts[-4:-2]) if each.suffix else each.name
)
def test_translations_have_the_values_of_their_templates(package: Path, path: Path) -> None:
    pytest.importorskip("babel")
    for message in read(path):
        if not message.id or not message.string:
            continue
        if isinstance(message.id, str):
            assert placeholders(message.string) == placeholders(message.id), message.id
            assert message.string.endswith("\n") == message.id.endswith("\n"), message.id
            assert (message.string[0] == " ") == (message.id[0] == " "), message.id
            continue
        allowed = set().union(*map(placeholders, message.id))
        for number, text in enumerate(message.string):
            missing = allowed - placeholders(text)
            assert placeholders(text) <= allowed and missing <= ({"count:", "number:"} if number == 0 else set()), text


@pytest.mark.installed_tree
@pytest.mark.parametrize(
    ("package", "path"), PO_FILES, ids=lambda each: "-".join(each.parts[-4:-2]) if each.suffix else each.name
)
def test_compiled_catalogues_are_what_the_texts_say(package: Path, path: Path) -> None:
    pytest.importorskip("babel")
    from babel.messages.mofile import write_mo

    compiled = io.BytesIO()
    write_mo(compiled, read(path))
    assert path.with_suffix(".mo").read_bytes() == compiled.getvalue(), "run `nox -s languages`"


@pytest.mark.installed_tree
def test_german_names_of_places_are_names_that_the_maps_give() -> None:
    pytest.importorskip("babel")
    boards = [ttr_maps.load(name) for name in ttr_maps.NAMES]
    found = 0
    for message in read(po(VARIANTS)):
        if message.context == "place" and message.string:
            found += 1
            known = [
                names
                for board in boards
                for id, printed in board.names.printed.items()
                if printed == message.id
                for names in [board.aliases.get(id, ())]
            ]
            assert any(message.string in names for names in known), f"no map calls {message.id} {message.string}"
    assert found > 30


@pytest.mark.installed_tree
@pytest.mark.parametrize("folder", [LIBRARY, VARIANTS], ids=lambda folder: folder.name)
def test_no_refusal_is_put_together_before_it_can_be_translated(folder: Path) -> None:
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Refusal", "Message", "plural"):
                assert not any(isinstance(each, ast.JoinedStr) for each in node.args), f"{path}:{node.lineno}"


# -- games -------------------------------------------------------------------------------------------------------


def english_in(text: str, rules: ttr.Rules) -> set[str]:
    """English words in a text that are not part of a city's name."""
    for name in rules.board.names.printed.values():
        text = text.replace(name, "")
    common = "the with you your from card cards draw draws claim claims take takes point points ticket tickets route car cars locomotive single double station long red"
    return set(common.split()) & set(re.findall(r"[a-z]+", text.lower()))


def narrated(game: ttr.Game, code: str) -> tuple[list[str], set[tuple[str, str]]]:
    german = game.rules.language(code)
    missing = missing_in(german)
    narrator = Narrator(game.rules, game.players, None, german)
    lines = [line.text for move in game.moves for line in narrator.tell(move.events)]
    if game.final_scores:
        lines += sheet_text(game.final_scores, code).splitlines()
    return lines, missing


@pytest.mark.translations
@pytest.mark.parametrize("stack", STACKS, ids="+".join)
def test_whole_games_are_told_in_german(stack: list[str]) -> None:
    game = ttr.new_game(rules=rules_of(*stack), players=["Ada", "Bo"], seed=3)
    chance = Random(3)
    while game.to_act:
        actions = game.legal_actions(game.to_act[0])
        game.play(actions[chance.randrange(len(actions))])
    lines, missing = narrated(game, "de")
    assert not missing and lines != narrated(game, "en")[0]
    assert not english_in("\n".join(lines), game.rules)


@pytest.mark.slow
def test_the_language_changes_neither_games_nor_saves() -> None:
    english, german = (ttr.new_game("europe", players=["Ada", "Bo"], seed=5) for _ in range(2))
    told: dict[str, tuple[str, ...]] = {}
    play_game(english, on_move=lambda move: told.update(en=narrate(english, None, seat=None, lang="en")))
    play_game(german, on_move=lambda move: told.update(de=narrate(german, None, seat=None, lang="de")))
    assert len(told["en"]) == len(told["de"]) and told["en"] != told["de"]
    assert ttr.dumps(english) == ttr.dumps(german)
    assert str(english.final_scores) == str(german.final_scores) == sheet_text(german.final_scores, "en")  # type: ignore[arg-type]


def test_one_game_is_told_in_several_languages_at_once() -> None:
    game = ttr.new_game("europe", players=["Ada", "Bo"], seed=1)
    known = game.played
    game.play(game.legal_actions(0)[0])
    game.play(game.legal_actions(1)[0])
    assert (
        narrate(game, known, seat=0, lang="de")
        != narrate(game, known, seat=0)
        == narrate(game, known, seat=0, lang="en")
    )
    assert "Alle haben gewählt: Ada hat zwei Zielkarten und Bo zwei." in narrate(game, None, seat=1, lang="de")
    assert narrate(game, game.played, seat=0, lang="de") == ()
    with pytest.raises(ttr.InvalidInputError):
        narrate(game, game.played + 1, seat=0, lang="de")
    with pytest.raises(ttr.InvalidInputError):
        narrate(game, None, seat=2, lang="de")
    swapped: Any = narrate
    with pytest.raises(TypeError):
        swapped(game, 0, game.played)


TUNNEL = "angora-constantinople-gray"
CARDS_DUE = TunnelDue(0, TUNNEL, ttr.Counts(red=2), ("red", "blue", "green"), Cost("gray", 1))
DICE_DUE = TunnelDue(0, TUNNEL, ttr.Counts(single=2), ("tunnel", "blank", "tunnel"), Cost("single", 2))


@pytest.mark.parametrize(
    ("stack", "happens", "english", "german"),
    [
        pytest.param(
            ["europe"],
            [TunnelAbandoned(0, TUNNEL)],
            "Ada abandons the tunnel and takes back the cards.",
            "Ada gibt den Tunnel auf und nimmt die Karten zurück.",
            id="a tunnel is abandoned",
        ),
        pytest.param(
            ["europe", "dice"],
            [TunnelAbandoned(0, TUNNEL)],
            "Ada abandons the tunnel.",
            "Ada gibt den Tunnel auf.",
            id="a tunnel is abandoned, with dice",
        ),
        pytest.param(
            ["europe", "dice"],
            [
                DiceLaid(0, ttr.Counts(single=2), ttr.Counts()),
                TunnelDiceRolled(0, ("blank",) * 3),
                RouteClaimed(0, TUNNEL, 2),
            ],
            "Ada claims the tunnel Angora–Constantinople for 2 points with two singles, with no tunnel on the tunnel dice.",
            "Ada nutzt den Tunnel Angora–Konstantinopel für 2 Punkte mit zwei Einzelstrecken, ohne Tunnel auf den Tunnelwürfeln.",
            id="a tunnel costs nothing more, with dice",
        ),
        pytest.param(
            ["europe"],
            [CardsSpent(0, ttr.Counts(red=1)), StationBuilt(0, "wien")],
            "Ada builds a station in Wien with a red card.",
            "Ada baut mit einer roten Karte einen Bahnhof in Wien.",
            id="a payment stands where the language wants it",
        ),
        pytest.param(
            ["germany-tickets"],
            [CardsSpent(0, ttr.Counts(passenger=1)), PassengerTravelled(0, "hannover-munster-purple", "munster")],
            "Ada goes on to Münster with a passenger card.",
            "Ada reist mit einer Passagierkarte nach Münster.",
            id="a passenger travels",
        ),
        pytest.param(
            ["germany-tickets"],
            [MixAnnounced(0, ttr.Counts(short=4))],
            "Ada asks for four short tickets.",
            "Ada möchte vier kurze Zielkarten.",
            id="one kind of tickets",
        ),
        pytest.param(
            ["germany-tickets", "dice"],
            [
                DiceSpent(0, ttr.Counts(station=4), ttr.Counts()),
                MixAnnounced(0, ttr.Counts(short=3, long=1)),
                TicketsDrawn(0, Unknown(4)),
            ],
            "Ada asks for three short tickets and one long one and draws four tickets with four stations.",
            "Ada möchte drei kurze Zielkarten und eine lange und zieht vier Zielkarten mit vier Bahnhofswürfeln.",
            id="two kinds of tickets, for dice",
        ),
        pytest.param(
            ["legendary-asia"],
            [MountainsCrossed(0, "karachi-shiraz-blue", 2, 4)],
            "Ada puts two cars into the mountain crossing (4 points).",
            "Ada setzt zwei Waggons auf den Gebirgspass (4 Punkte).",
            id="two cars in the mountains",
        ),
        pytest.param(
            ["legendary-asia"],
            [MountainsCrossed(0, "karachi-shiraz-blue", 1, 2)],
            "Ada puts a car into the mountain crossing (2 points).",
            "Ada setzt einen Waggon auf den Gebirgspass (2 Punkte).",
            id="one car in the mountains",
        ),
        pytest.param(
            ["united-kingdom"],
            [RouteShared(0, "london-reading-green", 1)],
            "Ada claims London–Reading as well and scores 1 point for a route.",
            "Ada nutzt auch London–Reading und erhält 1 Punkt für eine Strecke.",
            id="a route is shared",
        ),
        pytest.param(
            ["europe"],
            [RouteShared(0, "berlin-wien-green", 0, True)],
            "Ada holds Berlin–Wien as well from now on.",
            "Ada hält von nun an auch Berlin–Wien.",
            id="a route is shared without a claim",
        ),
        pytest.param(
            ["europe"],
            [RouteFreed(0, "berlin-wien-green", 4)],
            "Ada gives up Berlin–Wien and loses 4 points for a route.",
            "Ada gibt Berlin–Wien auf und verliert 4 Punkte für eine Strecke.",
            id="a route is freed",
        ),
        pytest.param(
            ["europe"],
            [RouteFreed(0, "berlin-wien-green", -3)],
            "Ada gives up Berlin–Wien and scores 3 points for a route.",
            "Ada gibt Berlin–Wien auf und erhält 3 Punkte für eine Strecke.",
            id="a route is freed for points",
        ),
        pytest.param(
            ["north-america"],
            [CardsSpent(0, ttr.Counts(purple=2))],
            "Ada pays two purple cards.",
            "Ada zahlt zwei violette Karten.",
            id="purple",
        ),
        *(
            pytest.param(
                ["europe"],
                [RouteCarsChanged(0, "berlin-wien-green", cars), RouteClaimed(0, "berlin-wien-green", 4)],
                f"Ada claims Berlin–Wien for 4 points with {english}.",
                f"Ada nutzt Berlin–Wien für 4 Punkte mit {german}.",
                id=f"a claim with {english}",
            )
            for cars, english, german in (
                (0, "no cars", "keinen Waggons"),
                (1, "a car", "einem Waggon"),
                (2, "two cars", "zwei Waggons"),
            )
        ),
    ],
)
def test_what_happens_is_said_as_players_say_it(
    stack: list[str], happens: list[ttr.Event], english: str, german: str
) -> None:
    rules = rules_of(*stack)
    for code, sentence in (("en", english), ("de", german)):
        narrator = Narrator(rules, ["Ada", "Bo"], None, rules.language(code))
        assert [line.text for line in (*narrator.tell(happens), *narrator.unfinished())] == [sentence]


@pytest.mark.parametrize(
    ("stack", "due", "english", "german", "give_up"),
    [
        (
            ["europe"], CARDS_DUE,
            "For the tunnel Angora–Constantinople you laid 2 red; red, blue and green turned up: 1 more is due.",
            "Für den Tunnel Angora–Konstantinopel hast du 2 rot gelegt. Aufgedeckt: rot, blau und grün. Es fehlt noch 1 Karte.",
            "Tunnel aufgeben, Karten zurücknehmen",
        ),
        (
            ["europe", "dice"], DICE_DUE,
            "For the tunnel Angora–Constantinople you put in 2 singles; tunnel, blank and tunnel came up: 2 more spaces to fill.",
            "Für den Tunnel Angora–Konstantinopel hast du 2 Einzelstrecken eingesetzt. "
            "Die Tunnelwürfel zeigen: Tunnel, leer und Tunnel. Noch 2 Felder sind zu füllen.",
            "Tunnel aufgeben",
        ),
    ],
)  # fmt: skip
def test_a_tunnel_asks_for_cards_or_for_spaces(
    stack: list[str], due: TunnelDue, english: str, german: str, give_up: str
) -> None:
    rules = rules_of(*stack)
    in_english, in_german = (Names(rules, ["Ada"], rules.language(code)) for code in ("en", "de"))
    assert question(due, in_english) == english
    assert question(due, in_german) == german
    assert kind_label(AbandonTunnel, due, in_german) == give_up


def test_a_sheet_says_what_a_station_lends() -> None:
    told = language("de").gettext("{city} lends {route}", city="Madrid", route="Madrid–Pamplona (schwarz)")
    assert told == "Bahnhof in Madrid: Madrid–Pamplona (schwarz)"


def test_stacks_have_german_titles() -> None:
    pytest.importorskip("click")
    from ttr_tools.cli.options import stack_title

    rules = rules_of("europe", "dice")
    assert stack_title(rules, rules.language("de")) == "Europa (klassisch) + Würfel-Erweiterung"
    german = rules.language("de")
    missing = missing_in(german)
    for each in ttr.installed():
        assert each.info is not None
        german.name(each.info.title)
    assert not missing


def test_refusals_are_read_in_german_with_names() -> None:
    players = [
        {"name": "Ada", "routes": ["edinburgh-london-black"], "hand": {"orange": 4}},
        {"name": "Bo"},
        {"name": "Cy"},
    ]
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    refusal = game.refusal(ttr.ClaimRoute(0, "edinburgh-london-black", {"orange": 4}))
    assert refusal is not None and refusal.reason == "edinburgh-london-black is claimed already, by seat 0"
    names = Names(game.rules, game.players, game.rules.language("de"))
    assert names.text(refusal.reason) == "Edinburgh–London (schwarz) wird schon genutzt (Ada)"
    assert names.language.text(refusal.reason) == "edinburgh-london-black wird schon genutzt (Platz 0)"
    too_few = game.refusal(ttr.ClaimRoute(0, "amsterdam-bruxelles-black", {"orange": 2}))
    assert too_few is not None
    assert names.text(too_few.reason) == "das kostet 1 Karte; du zahlst 2 (zwei orangefarbene Karten)"


class Town(Choice[str]):
    """A town, for the turn to begin."""

    def options(self, state: ttr.State) -> list[str]:
        return ["roma", "wien", "kobenhavn"]

    def chosen(self, tx: Transaction, option: str) -> None:
        """Nothing follows."""


class Towns(Variant, name="towns"):
    """Towns: one for each turn."""

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> Town:
        return Town(seat)


def test_lists_in_refusals_are_read_in_german_with_names() -> None:
    players = [{"name": "Ada", "hand": {"red": 1}}, {"name": "Bo"}]
    for stack, action, german in (
        (["europe", Towns], Town(0).choose("paris"), "Ada wählt aus Rom, Wien, Kopenhagen, nicht 'Paris'"),
        (
            ["europe"],
            BuildStation(0, "atlantis", {}),
            "'atlantis' gehört nicht zu Amsterdam, Angora, Athen, Barcelona, Berlin und noch 42",
        ),
        (
            ["germany-tickets"],
            ttr.ClaimRoute(0, "augsburg-nurnberg-orange", {"red": 1}),
            "eine rote Karte bezahlt das nicht; möglich: vier orangefarbene Karten",
        ),
    ):
        game = ttr.arrange(ttr.compile_rules(*stack), {"seed": 1, "players": players})
        names = Names(game.rules, game.players, "de")
        missing = missing_in(names.language)
        refusal = game.refusal(action)
        assert refusal is not None and names.text(refusal.reason) == german
        assert missing <= {("name", "'atlantis'")}


# -- at the terminal ---------------------------------------------------------------------------------------------


def played(stack: list[str], monkeypatch: pytest.MonkeyPatch, answer: Callable[[str], str], people: int = 1) -> str:
    """A game of people in German, and all that they see."""
    pytest.importorskip("click")
    console = pytest.importorskip("rich.console")
    from ttr_tools.cli.people import play_with_people
    from ttr_tools.cli.terminal import Screen

    game = ttr.new_game(rules=rules_of(*stack), players=["Ada", "Bo"], seed=4)
    file = io.StringIO()
    german = game.rules.language("de")
    missing = missing_in(german)
    screen = Screen(console.Console(file=file, width=80, markup=False, highlight=False, _environ={}), german)

    def typed(prompt: str = "") -> str:
        print(prompt, file=file)
        return answer(file.getvalue())

    monkeypatch.setattr("builtins.input", typed)
    play_with_people(game, range(people), screen)
    if "TTR_TRANSLATIONS" in os.environ:
        assert not missing
        assert not english_in(file.getvalue(), game.rules)
    return file.getvalue()


def somebody(seed: int, most: int) -> Callable[[str], str]:
    """Answers at random, wrong ones too, and stops after a while."""
    chance = Random(seed)
    wrong = (
        "?",
        "/",
        "/*",
        "/a",
        "/bahnhöfe",
        "+",
        "-",
        "xyzzy",
        "999",
        "rot",
        "lok",
        "a b",
        "z",
        "",
        "nutzen",
        "hilfe",
    )
    asked = 0

    def answer(text: str) -> str:
        nonlocal asked
        asked += 1
        if text.rpartition("\n")[0].rstrip().rpartition("\n")[0].endswith("Mit Enter oder j bestätigen, mit 0 zurück."):
            return chance.choice("jj0")
        if asked > most:
            return "q"
        return chance.choice(wrong) if chance.random() < 0.15 else str(chance.randint(1, 12))

    return answer


@pytest.mark.parametrize(
    ("stack", "most"),
    [
        *(pytest.param(each, 60, id="+".join(each), marks=SPEED[number % 5]) for number, each in enumerate(STACKS)),
        # English is looked for before a release only; that a game goes on to its end in German is seen in one.
        *(
            pytest.param(
                each,
                900,
                id=f"{'+'.join(each)}, to the end",
                marks=[pytest.mark.slow, pytest.mark.translations] if number else pytest.mark.slow,
            )
            for number, each in enumerate(TO_THE_END)
        ),
    ],
)
def test_people_meet_no_english_at_the_prompt(stack: list[str], most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = played(stack, monkeypatch, somebody(7, most), people=2)
    assert "Du bist am Zug:" in text and "Gib die Tastatur an Bo weiter und drücke Enter" in text


def test_german_words_are_understood_and_english_answers_too(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["2", "yes", "karte stapel", "1", "hilfe", "/rom", "nutzen", "xyzzy", "0", "ende", "nein"])
    text = played(["europe"], monkeypatch, lambda _: next(answers))
    assert "Zielkarten behalten: a b c? Mit Enter oder j bestätigen, mit 0 zurück." in text
    assert "Zahl        diesen Eintrag wählen" in text and "Rom–Venedig, 2 schwarz, 2 Punkte: frei" in text
    assert "„xyzzy“ kommt hier nirgends vor." in text and "Das Spiel speichern, um später weiterzuspielen?" in text


def test_too_few_tickets_are_refused_in_german(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["a", "q", ""])
    text = played(["europe"], monkeypatch, lambda _: next(answers))
    assert "Von den 4 Zielkarten musst du mindestens 2 behalten, nicht 1." in text


@pytest.mark.slow
def test_commands_take_a_language() -> None:
    pytest.importorskip("click")
    from test_cli import refused, run

    told = run("play", "europe", "--seed", "4", "--lang", "de").stdout
    assert "Eine Partie Europa (klassisch) auf dem Spielplan Europa. Der Startwert ist 4." in told
    assert re.search(r"^(Ada|Isambard|Grace) gewinnt mit \d+ Punkten\.$", told, re.MULTILINE)
    assert run("play", "europe", "--seed", "4", "--lang", "de-AT").stdout == told
    assert run("play", "europe", "--seed", "4", "--lang", "en").stdout == run("play", "europe", "--seed", "4").stdout
    assert "there is no language 'tlh'; there are de, en" in refused("play", "europe", "--lang", "tlh")


# -- messages ----------------------------------------------------------------------------------------------------


def test_messages_are_texts_that_keep_what_they_are_made_of() -> None:
    one = Message("{seat} has {count} cars", seat=Seat(2), count=3)
    assert one == "seat 2 has 3 cars" and isinstance(one, str) and hash(one) == hash("seat 2 has 3 cars")
    nested = Message("{first}; {rest}", first=one, rest=join_and(["red", "blue", "green"]))
    assert nested == "seat 2 has 3 cars; red and blue and green"
    assert Message("{as it is}") == "{as it is}"
    few = plural("{count} card, {who}", "{count} cards, {who}", 1, who="Ada")
    assert few == "1 card, Ada"
    for each in (one, nested, few):
        other = pickle.loads(pickle.dumps(each))
        assert (type(other), other, other.template, other.values) == (Message, each, each.template, each.values)


def test_a_language_without_catalogues_is_english() -> None:
    klingon = language("tlh")
    assert klingon.gettext("Draw tickets") == "Draw tickets" and klingon.place("Roma") == "Roma"
    assert klingon.ngettext("{count} point", "{count} points", 2) == "2 points"
    assert language("de_AT").gettext("Draw tickets") == "Zielkarten ziehen"
    missing = missing_in(language("de"))
    assert language("de").gettext("Never heard of {it}", it="that") == "Never heard of that"
    assert missing == {("", "Never heard of {it}")}
    assert languages() == ("de", "en")


@pytest.mark.parametrize(
    ("environ", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de_DE"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en_GB"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "de_CH@euro"}, "de_CH"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "fr:de:en"}, "de"),
        ({"LANGUAGE": "de", "LC_ALL": "C"}, "en"),
        ({"LANGUAGE": "de", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": ""}, "en"),
    ],
)
def test_the_environment_chooses_a_language_as_for_gettext(environ: Mapping[str, str], code: str) -> None:
    assert choose_language(environ, languages()) == code


@pytest.mark.slow
def test_nothing_is_read_for_english() -> None:
    program = """
import sys, ttr_rules as ttr
from ttr_tools.bots import play_game
from ttr_tools.narration import narrate
from ttr_rules.language import Catalog
Catalog.read = None
game = ttr.new_game("europe", players=2, seed=1)
ttr.playout(game.rules, 2, 1)
narrate(game, None, seat=None), str(play_game(game))
assert "babel" not in sys.modules, "slow to import"
"""
    subprocess.run(
        [sys.executable, "-c", program], check=True, env={**os.environ, "LANGUAGE": "", "LANG": "de_DE.UTF-8"}
    )


# -- plugins -----------------------------------------------------------------------------------------------------


GERMAN = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "{seat} rings the bell with {payment:with}"
msgstr "{seat} läutet mit {payment:with} die Glocke"

msgctxt "with"
msgid "a bell"
msgid_plural "{number} bells"
msgstr[0] "einer Glocke"
msgstr[1] "{number} Glocken"

msgid "passes"
msgstr "setzt aus"
"""


BELLS = '''
from attrs import frozen
from ttr_rules import Counts, Event, State
from ttr_rules.plugins import Variant

class BellRung(Event):
    message = "{seat} rings the bell with {payment:with}"

    seat: int
    payment: Counts

class Bells(Variant, name="bells"):
    """Bells: they ring."""

class Untranslated(Variant, name="bells"):
    """Bells: they ring."""
    texts = "nowhere"
'''
WORDS = '''
from ttr_rules.plugins import Variant

class Words(Variant, name="words"):
    """Words: a catalog and nothing else."""
'''


@pytest.fixture
def bells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A package of a third party with a catalog."""
    pytest.importorskip("babel")
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    folder = tmp_path / "ttr_bells_here" / "locales" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (tmp_path / "ttr_bells_here" / "__init__.py").write_text(BELLS)
    (tmp_path / "ttr_bells_here" / "words.py").write_text(WORDS)
    with (folder / "messages.mo").open("wb") as file:
        write_mo(file, read_po(io.StringIO(GERMAN), locale="de"))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield import_module("ttr_bells_here")
    for name in ("ttr_bells_here", "ttr_bells_here.words"):
        sys.modules.pop(name, None)


def test_third_parties_bring_their_translations_along(bells: Any) -> None:
    assert noun("bell") == "bell"
    rules = ttr.compile_rules("europe", bells.Bells)
    assert rules.fingerprint == ttr.compile_rules("europe", bells.Untranslated).fingerprint
    german = rules.language("de")
    rung = bells.BellRung(0, ttr.Counts(bell=2, red=1))
    told = Narrator(rules, ["Ada", "Bo"], None, german)
    assert [line.text for line in told.tell([rung])] == [
        "Ada läutet mit zwei Glocken und einer roten Karte die Glocke."
    ]
    assert german.gettext("passes") == "setzt aus", "a plugin's catalog comes first"
    assert german.gettext("{seat} buys {technology}", seat="Ada", technology="Booster") == "Ada kauft „Booster“"
    assert ttr.compile_rules("europe").language("de").gettext("passes") == "passt"


@pytest.mark.usefixtures("bells")
def test_a_catalogue_alone_decides_nothing() -> None:
    plain, told = ttr.compile_rules("europe"), ttr.compile_rules("europe", import_module("ttr_bells_here.words"))
    assert told.fingerprint == plain.fingerprint and "words" not in told.contributing
    assert told.language("de").gettext("passes") == "setzt aus"
    game = ttr.loads(ttr.dumps(ttr.new_game(rules=told, players=2, seed=1)), rules=plain)
    assert game.rules is plain


def test_a_message_asks_for_forms_of_its_values_where_names_are_known() -> None:
    template = "{seat} gives {seats} {card:card}, {cards:with card}, {more:card} and {coins:coin}"
    values = {
        "seats": (Seat(1), Seat(0)),
        "card": "red",
        "cards": ttr.Counts(blue=2),
        "more": ("red", "red", "blue"),
        "coins": 3,
    }
    message = Message(template, seat=Seat(0), **values)
    assert message.startswith("seat 0 gives (1, 0) red, 2 blue, ('red', 'red', 'blue') and 3")
    rules = ttr.compile_rules("europe")
    told = "Ada gives Bo and Ada a red card, two blue cards, two red cards and a blue card and three coins"
    assert Names(rules, ["Ada", "Bo"]).text(message) == told
    cards = Message("{card:card}; {more:card}", card="red", more=("red", "red", "blue"))
    assert Names(rules, ["Ada"], "de").text(cards) == "eine rote Karte; zwei rote Karten und eine blaue Karte"


def test_other_forms_in_a_message_are_those_of_python() -> None:
    names = Names(ttr.compile_rules("europe"), ["Ada"])
    for message, text in (
        (Message("{share:.1f}", share=2.25), "2.2"),
        (Message("{n:03d}", n=5), "005"),
        (Message("{n!r}, {n.real}", n=5), "5, 5"),
        (Message("{n!r} {card:card}", n="a", card="red"), "'a' red"),
    ):
        assert str(message) == text
    assert names.text(Message("{n:03d}", n=5)) == "005"
