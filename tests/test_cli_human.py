"""People at the terminal: games played by scripts, what cannot be understood, ends of input, and everybody's secrets."""

from __future__ import annotations

import io
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import pytest

pytest.importorskip("click")
pytest.importorskip("rich")

from attrs import evolve, field
from helpers import rules_of
from plugins import excursions
from rich.console import Console
from test_cli import PLAIN, refused, run
from test_no_leaks import redealt

import ttr_rules as ttr
from ttr_rules import events
from ttr_rules.errors import Refusal
from ttr_rules.language import Message
from ttr_rules.model import CARD_COLORS, TicketSetup
from ttr_rules.model.board import plain
from ttr_rules.plugins import ActionRule, Below, Choice as Asked, Confirm, Cost, Rules, Transaction, Variant, hookimpl
from ttr_tools.bots import Bot, play_game
from ttr_tools.cli.people import Person, play_with_people, secret_news
from ttr_tools.cli.pictures import _print_routes
from ttr_tools.cli.play import name_players
from ttr_tools.cli.terminal import Screen, paint, print_table
from ttr_tools.narration.menus import Choice, LongList, menu, offer_words
from ttr_tools.narration.telling import Narrator
from ttr_tools.narration.words import Names, filter_words, letter

EUROPE = ttr.compile_rules("europe")


class Sitting:
    """A game on a screen of text whose keyboard is a function: it gets the prompt and what was printed since the last one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, game: ttr.Game, people: int = 1) -> None:
        self.game = game
        self.people = people
        self.prompts = 0
        self.all: list[str] = []
        self._file = io.StringIO()
        self._screen = Screen(Console(file=self._file, width=80, markup=False, highlight=False, _environ={}))
        self._patch = monkeypatch

    def play(self, answer: Callable[[str, str], str]) -> bool:
        def typed(prompt: str = "") -> str:
            self.prompts += 1
            return answer(prompt, self.since())

        self._patch.setattr("builtins.input", typed)
        return play_with_people(self.game, range(self.people), self._screen)

    def since(self) -> str:
        text = self._file.getvalue()
        self._file.seek(0)
        self._file.truncate()
        self.all.append(text)
        return text


#: With this people are asked whether they mean it.
SURE = "? Enter or y to confirm, 0 to go back.\n"


def at_random(seed: object, most: int = 12) -> Callable[[str, str], str]:
    chance = Random(f"{seed}")
    return lambda prompt, text: "y" if text.endswith(SURE) else str(chance.randint(1, most))


def new(*stack: object, players: int = 3, seed: object = 5, people: int = 1) -> ttr.Game:
    names = ["Mary", "Paul", "Rosa"][:people] + ["Ada", "Otto", "Clara"][: players - people]
    return ttr.new_game(*stack, players=names, seed=seed)  # type: ignore[arg-type]


# -- whole games -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.thorough_but("stack0")
@pytest.mark.parametrize("stack", [["north-america"], ["europe", "dice"], ["switzerland"]])
def test_a_script_that_answers_by_numbers_plays_to_the_end(stack: list[str]) -> None:
    result = run("play", *stack, "--human", "Mary", "--seed", "5", input="1\n" * 2000)
    assert result.exit_code == 0 and result.stderr == ""
    story = result.stdout
    assert "The seed is 5." in story and "Mary, Ada and Isambard play; " in story
    assert "The game is over." in story and re.search(r" (wins|share the victory) with -?\d+ points?\.\n$", story)
    assert "\x1b" not in story and "Only 1 is there" not in story
    assert not [line for line in story.splitlines() if line != line.rstrip() and not line.startswith("Mary>")]


@pytest.mark.slow
@pytest.mark.parametrize("stack", [["europe", "dice"]])
def test_a_script_that_types_garbage_first_plays_to_the_end(stack: list[str]) -> None:
    chance = Random(7)
    garbage = ["", "xyzzy", "-1", "999999999", "99999999999999999999", "0", "+", "-", "/", "/par", "/nowhere", "\x1b[2J", "a,b;",
               "1.5", "¹", "٣", "?", "x" * 5000, "—", "🚂", "\ud800".encode("utf-8", "surrogatepass").decode("latin1")]  # fmt: skip
    lines = [f"{chance.choice(garbage)}\n{chance.randint(1, 9)}\n\n" for _ in range(1500)]
    result = run("play", *stack, "--human", "Mary", "--seed", "6", input="".join(garbage) + "\n" + "".join(lines))
    assert result.exit_code == 0 and "The game is over." in result.stdout
    assert "\x1b" not in result.stdout and "Traceback" not in result.stdout
    assert "Nothing here has “xyzzy”." in result.stdout and "number      choose that" in result.stdout


@pytest.mark.slow
def test_the_same_answers_to_the_same_seed_are_the_same_game() -> None:
    stories = {run("play", "europe", "--human", "Mary", "--seed", "9", input="2\n1\n" * 40).stdout for _ in range(2)}
    assert len(stories) == 1
    drawn = run("play", "europe", "--human", "Mary", input="1\nq\n").stdout
    seed = re.search(r"The seed is (\d+)", drawn)
    assert seed is not None and f"--seed {seed[1]} deals it again." in drawn


@pytest.mark.thorough
def test_every_random_game_ends_in_the_scores_of_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed, people in ((1, 1), (2, 2)):
        game = new("europe", "dice", seed=seed, people=people)
        assert Sitting(monkeypatch, game, people).play(at_random(seed))
        assert game.is_over
        assert ttr.loads(ttr.dumps(game), rules=game.rules) == game


@pytest.mark.slow
def test_bots_play_as_they_do_without_persons(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = new("europe", seed=11)
    play_game(whole)
    moves = iter([move.action for move in whole.moves if move.action is not None])
    followed = new("europe", seed=11)
    monkeypatch.setattr("ttr_tools.cli.people.Prompt.answer", lambda asker: next(a for a in moves if a.seat == 0))
    assert Sitting(monkeypatch, followed).play(lambda *_: "") and followed == whole


# -- who plays -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--human", "Mary"], "Mary, Ada and Isambard play; "),
        (["--human", "Ada"], "Ada, Isambard and Grace play; "),
        (["--human", "Mary", "--human", " Paul ", "--players", "2"], "Mary and Paul play; "),
        (["--human", "Zo\u200be", "--players", "2"], "Zo�e and Ada play; "),
        (["--human", "[red]Bo[/]", "--players", "5"], "[red]Bo[/], Ada, Isambard, Grace and Otto play; "),
    ],
)
def test_persons_have_the_first_seats(arguments: list[str], told: str) -> None:
    result = run("play", "europe", *arguments, "--seed", "1", input="q\n")
    assert result.exit_code == 0 and told in result.stdout and "\x1b" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--human", "Mary", "--json"], "cannot be combined with --json"),
        (["--human", "Mary", "--quiet"], "cannot be combined with --quiet"),
        (["--human", "Mary", "--players", "9"], "[S1]"),
        (["--human", "Mary", "--players", "0"], "--players says 0, but --human names 1: Mary"),
        (["--human", "A", "--human", "B", "--human", "C", "--players", "2"], "--human names 3: A, B, C"),
        (["--human", "Mary", "--human", "Mary"], "same name"),
        (["--human", " "], "a player's name: expected a name that can be seen"),
        (["--human", "A\x1b[1mb"], "'A\\x1b[1mb' holds what cannot be printed"),
        (["--human", "B\no"], "'B\\no' holds what cannot be printed"),
    ],
)
def test_persons_who_cannot_play(arguments: list[str], message: str) -> None:
    assert message in refused("play", "europe", *arguments, "--seed", "1")


def test_the_help_teaches() -> None:
    told = run("play", "--help").stdout
    assert "--human NAME" in told and "claim paris" in told and "q ends the game" in told


# -- ends ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.thorough_but("stack0-1")
@pytest.mark.parametrize(("stack", "people"), [(["europe"], 1), (["europe", "dice"], 2), (["europe", excursions], 2)])
def test_the_input_may_end_in_every_kind_of_question(
    monkeypatch: pytest.MonkeyPatch, stack: list[object], people: int
) -> None:
    rules = ttr.compile_rules(*stack, rulings={"station_choice": "ask"})

    def started() -> Sitting:
        players = ["Mary", "Paul", "Ada"]
        return Sitting(monkeypatch, ttr.new_game(rules=rules, players=players, seed=4), people)

    first: dict[str, ttr.Game] = {}
    sitting = started()
    answers = at_random(4, 9)

    def answer(prompt: str, text: str) -> str:
        for decision in sitting.game.state.pending:
            if decision.seat < people:
                first.setdefault(type(decision).__name__, sitting.game.copy())
        return answers(prompt, text)

    assert sitting.play(answer)
    assert {"TicketSetup", "Turn"} <= set(first) and len(first) > 3, set(first)
    for kind, game in first.items():
        for end in ("Q", "quit", EOFError()):
            for last in (1, 2) if people > 1 else (1,):
                sitting = Sitting(monkeypatch, game.copy(), people)

                def broken(prompt: str, text: str) -> str:
                    if sitting.prompts < last:
                        return "?"
                    if isinstance(end, str):
                        return end
                    raise end

                assert sitting.play(broken) is False, kind
                assert sitting.game == game


def test_the_input_may_end_before_a_hand_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting(monkeypatch, new("europe", people=2), 2)
    answers = at_random(1, 3)

    def answer(prompt: str, text: str) -> str:
        if prompt.startswith("Press Enter"):
            assert re.search("You (draw|keep) ", text)
            raise EOFError
        return answers(prompt, text)

    assert sitting.play(answer) is False and "-" * 40 in sitting.since()


@pytest.mark.slow
def test_an_end_of_the_input_is_no_error() -> None:
    for lines in (0, 1, 2, 3, 9, 21, 39):
        result = run("play", "europe", "--human", "Mary", "--human", "Paul", "--seed", "2", input="1\n" * lines)
        assert result.exit_code == 0 and result.stderr == ""
        assert result.stdout.endswith("\nThe game ends here. --seed 2 deals it again.\n")
        assert "wins with" not in result.stdout


def test_an_interrupt_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(prompt: str = "") -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert run("play", "europe", "--human", "Mary", "--seed", "1").exit_code == 130


@pytest.mark.slow
def test_a_process_without_any_input_ends_cleanly() -> None:
    command = [sys.executable, "-m", "ttr_rules", "play", "europe", "--human", "Mary", "--seed", "1"]
    shell = " ".join(f"'{part}'" for part in command) + " <&-"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0 and b"The game ends here." in done.stdout and done.stderr == b""
    done = subprocess.run(command, input=b"\xff\xfe\x00\n1\n", capture_output=True, timeout=60, check=False)
    assert done.returncode == 0 and b"The game ends here." in done.stdout and done.stderr == b""


# -- questions of plugins --------------------------------------------------------------------------------------------


class Nod(Confirm):
    """A nod to a claim of another player."""

    public = True
    message = "Do you nod?"

    def chosen(self, tx: Transaction, option: bool) -> None:
        """Nothing follows."""


class Nods(Variant, name="nods"):
    """Nods: after a claim the next player is asked to nod."""

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> Nod:
        return Nod((seat + 1) % tx.state.players)


class Veto(Asked[int]):
    """A veto, which only some can afford."""

    public = True
    message = "Do you object to {route}?"
    passing = "Let it be"

    route: str

    def options(self, state: ttr.State) -> list[int]:
        return [1] if state.rules.board.routes[self.route].length > 4 else []

    def chosen(self, tx: Transaction, option: int) -> None:
        """Nothing follows."""


class Vetoes(Variant, name="vetoes"):
    """Vetoes: everybody else may object to long claims."""

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> Veto:
        return Veto((seat + 1) % tx.state.players, route.id)


@pytest.mark.slow_cases("2")
@pytest.mark.parametrize("people", [1, 2])
def test_a_claim_is_told_before_others_are_asked_about_it(monkeypatch: pytest.MonkeyPatch, people: int) -> None:
    sitting = Sitting(monkeypatch, game := new("north-america", Nods, players=2, people=people), people)
    answers, asked, other = at_random(5, 8), 0, game.players[1]

    def answer(prompt: str, text: str) -> str:
        nonlocal asked
        if "Do you nod?" in text and prompt == "Mary> " and not text.endswith(SURE):
            asked += 1
            assert people == 2 or f"{other} claims " in text
        if asked == 3:
            raise EOFError
        return answers(prompt, text)

    assert sitting.play(answer) is False
    story = "".join([*sitting.all, sitting.since()])
    assert len(re.findall("^(Mary|Ada|Paul) claims ", story, re.MULTILINE)) == len(game.state.owners)


@pytest.mark.slow
@pytest.mark.thorough_but("1")
@pytest.mark.parametrize("people", [1, 2])
def test_who_can_only_decline_is_not_asked_unless_others_could_learn_that(
    monkeypatch: pytest.MonkeyPatch, people: int
) -> None:
    sitting = Sitting(monkeypatch, game := new("north-america", Vetoes, players=2, people=people), people)
    answers, asked = at_random(5, 8), set[int]()

    def answer(prompt: str, text: str) -> str:
        if "Do you object to " in text and prompt == "Mary> " and text.endswith("Let it be\n"):
            asked.add(len(game.legal_actions(0)))
        if len(game.state.owners) > 12:
            raise EOFError
        return answers(prompt, text)

    assert sitting.play(answer) is False
    assert asked == ({2} if people == 1 else {1, 2})
    story = "".join([*sitting.all, sitting.since()])
    assert (re.search(r"^Do you object to .*\? Only this is possible: Let it\s+be\.", story, re.MULTILINE) is None) == (
        people == 2
    )


# -- secrets -------------------------------------------------------------------------------------------------------


def telling(game: ttr.Game, state: ttr.State, seat: int) -> list[str]:
    """Texts that would give a secret of a seat away: its tickets, held or to choose from, unless they lie open."""
    if state.revealed:
        return []
    ids = [*state.tickets[seat], *state.rejects[seat], *getattr(state.decision(seat), "tickets", ())]
    names = Names(game.rules, game.players)
    found: list[str] = []
    for id in ids:
        ticket = game.rules.tickets[id]
        found.append(names.ticket_label(ticket))
        if not game.rules.board.routes_between(*ticket.cities):
            found.append(names.between(ticket.cities))
    return found


@pytest.mark.slow_cases("stack1-2")
@pytest.mark.parametrize(("stack", "people"), [(["new-york"], 1), (["europe", "dice"], 2)])
def test_no_ticket_of_another_player_is_ever_on_the_screen(
    monkeypatch: pytest.MonkeyPatch, stack: list[str], people: int
) -> None:
    game = new(*stack, seed=8, people=people)
    sitting = Sitting(monkeypatch, game, people)
    answers = at_random(8, 10)
    at: list[int | None] = [0 if people == 1 else None]
    seen = [0]
    before: dict[int, list[str]] = {}

    def answer(prompt: str, text: str) -> str:
        state = game.state
        for seat in range(3):
            now = telling(game, state, seat)
            for secret in {*now, *before.get(seat, [])}:
                if seat == at[0]:
                    seen[0] += secret in text
                else:
                    assert secret not in text, (prompt, seat, at, text)
            before[seat] = now
        found = re.match("Pass the keyboard to (Mary|Paul|Rosa), then press Enter> $", prompt)
        if people > 1 and found:
            public = text.rpartition("-" * 40)[2]
            assert "Hand" not in public
            assert not [secret for seat in range(3) for secret in before[seat] if secret in public]
            at[0] = game.players.index(found[1])
        if not prompt.startswith(("Pass ", "Press ")):
            assert prompt == f"{game.players[game.to_act[0]]}> " and game.to_act[0] == at[0]
        return answers(prompt, text)

    assert sitting.play(answer) and seen[0] > 50


@pytest.mark.slow
@pytest.mark.thorough_but("stack0")
@pytest.mark.parametrize("stack", [["europe", "dice"], ["north-america", excursions]])
def test_a_question_is_the_same_in_every_world_that_its_seat_cannot_tell_apart(
    monkeypatch: pytest.MonkeyPatch, stack: list[object]
) -> None:
    chance = Random(3)
    game = new(*stack, seed=3)
    asked = 0
    while game.to_act:
        for seat in game.to_act:
            if chance.random() < 0.2:
                asked += 1
                other = redealt(game, seat, chance)
                assert shown(game, seat) == shown(other, seat)
        legal = game.legal_actions(game.to_act[0])
        claims = [action for action in legal if isinstance(action, ttr.ClaimRoute | ttr.DrawTickets)]
        game.play(chance.choice(claims if claims and chance.random() < 0.5 else legal))
    assert asked > 25


def shown(game: ttr.Game, seat: int) -> str:
    file = io.StringIO()
    screen = Screen(Console(file=file, width=80, markup=False, highlight=False, _environ={}))
    question = Person(game, seat, Names(game.rules, game.players), screen)
    question.show()
    question.look("")
    question.look("a")
    return f"{file.getvalue()}{question.text}{question.menu}"


@pytest.mark.slow
@pytest.mark.parametrize("stack", [["europe"], ["europe", "dice"], ["north-america", excursions]])
def test_stories_are_made_of_what_their_reader_may_see(stack: list[object]) -> None:
    game = new(*stack, seed=3)
    play_game(game)
    for viewer in (None, 0, 1):
        told = Narrator(game.rules, game.players, viewer).tell(game.events)
        assert told == Narrator(game.rules, game.players, viewer).tell(event.seen_by(viewer) for event in game.events)
        names = Names(game.rules, game.players)
        for seat in range(3):
            news = list(secret_news(game.events, seat, game, names))
            seen = [event.seen_by(seat).event for event in game.events]
            assert news == list(secret_news(seen, seat, game, names))


def test_the_color_of_a_card_from_the_pile_stands_beside_the_pile() -> None:
    drawn, taken, end = (
        events.CardDrawn(0, "blue"),
        events.FaceUpTaken(0, "black", None),
        events.TurnEnded(0, passed=False),
    )
    for facts, english, german in (
        (
            [drawn, taken],
            "Ada draws a card from the pile (blue) and takes a black card.",
            "Ada zieht eine Karte vom Stapel (blau) und nimmt eine schwarze Karte.",
        ),
        (
            [taken, drawn],
            "Ada takes a black card and draws one from the pile (blue).",
            "Ada nimmt eine schwarze Karte und zieht eine Karte vom Stapel (blau).",
        ),
    ):
        for code, sentence in (("en", english), ("de", german)):
            narrator = Narrator(EUROPE, ["Ada", "Bo"], 0, EUROPE.language(code))
            assert narrator.tell([events.TurnBegun(0), *facts, end])[-1].text == sentence


def test_points_of_a_claim_are_told_in_the_same_words_whatever_follows() -> None:
    claim, end = events.RouteClaimed(0, "edinburgh-london-black", 7), events.TurnEnded(0, passed=False)
    for more, sentence in (([], " for 7 points."), ([events.CardDrawn(0, "red")], " for 7 points and draws a card")):
        told = Narrator(EUROPE, ["Ada", "Bo"]).tell([events.TurnBegun(0), claim, *more, end])[-1].text
        assert sentence in told


def test_numbers_of_cards_are_words_up_to_twelve() -> None:
    names = Names(EUROPE, ["Ada", "Bo"], EUROPE.language("de"))
    assert names.cards(ttr.Counts(white=6, red=12), "with") == "sechs weißen Karten und zwölf roten Karten"
    assert names.cards(ttr.Counts(white=13)) == "13 weiße Karten"


def test_what_only_a_seat_knows_is_told_to_it() -> None:
    facts = [
        events.TurnBegun(0),
        events.CardDrawn(0, "red"),
        events.CardDrawn(0, "locomotive"),
        events.TicketsDrawn(0, ("berlin-roma", "brest-marseille")),
        events.TicketsKept(0, ("berlin-roma",)),
        events.TurnEnded(0, passed=False),
        events.TurnBegun(1),
        events.CardDrawn(1, "red"),
        events.TurnEnded(1, passed=False),
    ]
    told = [line.text for line in Narrator(EUROPE, ["Ada", "Bo"], 0).tell(facts) if not line.heading]
    assert told == [
        "Ada draws two cards from the pile (red and locomotive), draws two tickets and keeps Berlin–Roma 9.",
        "Bo draws a card from the pile.",
    ]
    game = new("europe", people=2)
    names = Names(game.rules, game.players)
    assert list(secret_news(facts, 0, game, names)) == [
        "You draw a red card.", "You draw a locomotive.", "You keep Berlin–Roma 9.",
    ]  # fmt: skip
    assert list(secret_news(facts, 1, game, names)) == ["You draw a red card."]
    assert list(secret_news([excursions.PostcardKept(1, "view-2")], 1, game, names)) == [
        "Paul: postcard kept (card view-2)."
    ]
    assert list(secret_news([excursions.PostcardKept(0, "view-2")], 1, game, names)) == []


# -- menus ---------------------------------------------------------------------------------------------------------


def count(entry: Choice) -> int:
    """The number of actions that an entry leads to."""
    if isinstance(entry.children, LongList):
        return len(entry.children)
    return sum(map(count, entry.children)) if entry.children else 1


def leaves(entry: Choice) -> Iterator[ttr.Action]:
    if entry.action is not None:
        yield entry.action
    for child in entry.children:
        yield from leaves(child)


def lists(entry: Choice) -> Iterator[Choice]:
    if entry.children:
        yield entry
    for child in entry.children:
        yield from lists(child)


@pytest.mark.slow
@pytest.mark.thorough_but("stack0", "stack1")
@pytest.mark.parametrize("stack", [["mega-europa", "dice"], ["switzerland"], ["europe", excursions]])
def test_a_menu_holds_exactly_the_legal_actions_under_different_labels(stack: list[object]) -> None:
    game = ttr.new_game(rules=rules_of(*stack), players=2, seed=2)
    names = Names(game.rules, game.players)
    bots = [Bot(seat) for seat in range(2)]
    most = 0
    while game.to_act:
        seat = game.to_act[0]
        legal = game.legal_actions(seat)
        root = menu(game, seat, names)
        found = list(leaves(root))
        assert len(found) == len(legal) == count(root) and set(map(repr, found)) == set(map(repr, legal))
        for each in lists(root):
            labels = [child.label for child in each.children]
            assert all(labels) and len(set(labels)) == len(labels), labels
        most = max(most, len(legal) - len(root.children))
        game.play(bots[seat].choose(game.view(seat), game.rules, legal))
    assert most > 100


def stand_ins() -> ttr.Game:
    """Mary to move with a hand that pays for a ferry of the Nordic Countries in millions of ways."""
    hand = {**dict.fromkeys(map(str, CARD_COLORS), 6), "locomotive": 12}
    table = {"stack": ["nordic-countries"], "seed": 1, "players": [{"name": "Mary", "hand": hand}, {"name": "Ada"}]}
    return ttr.arrange(None, table)


def test_a_menu_of_millions_of_actions_makes_those_that_are_shown() -> None:
    game = stand_ins()
    root = menu(game, 0, Names(game.rules, game.players))
    assert count(root) == len(game.legal_actions(0)) > 20_000_000 and root.is_long
    labels = [entry.label for entry in root.children]
    assert labels[0].startswith("Draw a card") and labels[-1].startswith("Draw tickets")
    claims = next(entry for entry in root.children if entry.label == "Claim a route")
    routes = [entry.label for entry in claims.children]
    assert len(routes) > 60 and routes == sorted(routes, key=plain) and len(set(routes)) == len(routes)
    ferry = max(claims.children, key=count)
    for index in (0, 99, 100, count(ferry) // 2, count(ferry) - 1):
        action = ferry.children[index].action
        assert isinstance(action, ttr.ClaimRoute) and game.is_legal(action)
        assert action == game.payments(action, start=index, limit=1).actions[0]
        assert ferry.children[index].label == Names(game.rules, game.players).cards_label(action.payment)
    short = next(entry for entry in claims.children if count(entry) < 20)
    assert all(game.is_legal(action) for action in leaves(short)) and not short.is_long
    assert len(list(root.search(filter_words("red")))) < 100 * len(routes)


class Whistle(ttr.Action):
    """An action that only a plugin knows."""

    times: int
    where: tuple[str, ...] = ()


class Lend(ttr.Action):
    routes: dict[str, str] = field(hash=False, factory=dict)


def offering(*offered: ttr.Action) -> ttr.Game:
    """Mary's turn, in which she may also do what a plugin offers her."""

    def rule(kind: type[ttr.Action]) -> ActionRule[ttr.Turn, ttr.Action]:
        class Offering(ActionRule[ttr.Turn, ttr.Action]):
            on = ttr.Turn
            action = kind

            def offers(self, state: ttr.State, decision: ttr.Turn) -> list[ttr.Action]:
                return [action for action in offered if type(action) is kind]

            def refusal(self, state: ttr.State, decision: ttr.Turn, action: ttr.Action) -> None:
                return None

            def perform(self, tx: Transaction, decision: ttr.Turn, action: ttr.Action) -> None:
                pass

        return Offering()

    class Offers(Variant, name="offers"):
        """Offers: more to do in a turn."""

        @hookimpl
        def actions(self, rules: Rules) -> list[ActionRule[ttr.Turn, ttr.Action]]:
            return [rule(kind) for kind in dict.fromkeys(map(type, offered))]

    rules = ttr.compile_rules("europe", Offers)
    return ttr.arrange(rules, {"seed": 1, "players": [{"name": "Mary"}, {"name": "Ada"}]})


def test_a_menu_pages_through_very_many_actions_that_pay_for_nothing() -> None:
    game = offering(*(Whistle(0, times, ("paris",)) for times in range(3000)))
    root = menu(game, 0, Names(game.rules, game.players))
    assert count(root) == len(game.legal_actions(0)) > 3000
    whistle = root.children[-1]
    assert whistle.label == "Whistle" and len(whistle.children) == 3000
    assert [entry.label for entry in whistle.children[98:101]] == ["98: Paris", "99: Paris", "100: Paris"]
    assert [each.action for each in whistle.children] == [a for a in game.legal_actions(0) if isinstance(a, Whistle)]


@pytest.mark.slow
def test_a_ferry_is_paid_for_from_a_long_list(monkeypatch: pytest.MonkeyPatch) -> None:
    game = stand_ins()
    answers, _ = typed(monkeypatch, game, "claim xyzzy", "claim kirkenes murmansk", "+", "17", "y")
    assert "Nothing here has “claim xyzzy”; of long lists the first 100 entries are searched." in answers[0]
    claim = next(
        move.action for move in game.moves if isinstance(move.action, ttr.ClaimRoute) and move.action.seat == 0
    )
    assert set(game.rules.board.routes[claim.route].cities) == {"kirkenes", "murmansk"}
    before = stand_ins()
    assert claim == before.payments(claim, start=16, limit=1).actions[0]


def test_a_plugin_changes_what_a_menu_says_of_routes_and_a_route_that_is_closed_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Weather(Variant, name="weather"):
        """Weather: ferries need one locomotive less, and Petrograd is closed."""

        @hookimpl
        def claim_cost(self, state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
            return evolve(cost, spaces=3, wilds=1, color="red") if cost.wilds == 2 else cost

        @hookimpl
        def claim_refusal(self, state: ttr.State, seat: int, route: ttr.Route) -> Refusal | None:
            return Refusal("W1", Message("{city} is closed", city="petrograd")) if "petrograd" in route.cities else None

    players = [{"name": "Mary", "hand": {"red": 8, "locomotive": 3}}, {"name": "Ada", "routes": [["Paris", "Dieppe"]]}]
    game = ttr.arrange(ttr.compile_rules("europe", Weather), {"seed": 1, "players": players})
    names = Names(game.rules, game.players)
    words: Any = offer_words(game, 0, names)
    ferry = "Palermo–Smyrna, 3 red, ferry with 1 locomotive, 15 points"
    assert any(ferry in kind["labels"] for kind in words["kinds"])
    assert names.label("palermo-smyrna-gray") == "Palermo–Smyrna, 6 gray, ferry with 2 locomotives, 15 points"
    answers, _ = typed(monkeypatch, game, "petrograd stockholm", "dieppe paris", "claim palermo smyrna", "0")
    assert answers[0].strip() == "Petrograd is closed."
    assert answers[1].strip() == "Dieppe–Paris is claimed already, by Ada."
    assert f"Claim a route: {ferry}" in answers[2]


def _print_route_of(rules: ttr.Rules, *cities: str) -> list[str]:
    """The spaces, color and points of a route in the table of `ttr-rules board`."""
    page = io.StringIO()
    _print_routes(Console(file=page, width=100), Names(rules, []))
    (line,) = [line for line in page.getvalue().splitlines() if all(city in line for city in cities)]
    return line.split()[2:5]


def test_a_menu_and_the_board_say_what_a_plugin_lets_routes_score() -> None:
    class Rich(Variant, name="rich"):
        """Rich: every route scores three points more."""

        @hookimpl
        def route_points(self, below: Below[Mapping[str, int]], board: ttr.Board) -> Mapping[str, int]:
            return {route: points + 3 for route, points in below().items()}

    rules = ttr.compile_rules("europe", Rich)
    assert Names(rules, ["Ada"]).route_label("paris-zurich-gray") == "Paris–Zürich, 3 gray, tunnel, 7 points"
    assert _print_route_of(rules, "Paris", "Zürich") == ["3", "gray", "7"]


def with_a_turn(*stack: str, **mary: object) -> ttr.Game:
    """Mary's turn in an arranged position."""
    table = {"stack": list(stack), "seed": 1, "players": [{"name": "Mary", **mary}, {"name": "Ada"}]}
    return ttr.arrange(None, table)


def test_a_mistyped_number_is_asked_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number does nothing before the person means it; another number, or a word, asks again and chooses nothing."""

    def begun() -> ttr.Game:
        return with_a_turn("europe", hand={"red": 2})

    claims = [action for action in begun().legal_actions() if isinstance(action, ttr.ClaimRoute)]
    assert len(claims) > 9
    answers, game = typed(monkeypatch, begun(), "claim", "3", "0", "4", "5", "/paris", "1", "station", "?", "no")
    listed, third, back, fourth, *others, look, one, station, help, no = answers
    assert third.startswith("Claim a route: ") and third.endswith(SURE) and third.count("\n") == 1
    assert back == listed == no and fourth != third and fourth.endswith(SURE)
    assert "–Paris" in look and look.endswith(fourth)
    assert [*others, one, station, help] == [fourth] * 4
    assert len(game.moves) == 1 and game.to_act == (0,)
    for yes in ("", "y", "YES", "3"):
        _, game = typed(monkeypatch, begun(), "claim", "3", yes, "q")
        assert isinstance(game.moves[1].action, ttr.ClaimRoute), yes
    for no in ("0", "n", "No"):
        assert len(typed(monkeypatch, begun(), "claim", "3", no, "q")[1].moves) == 1


def test_cards_are_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, game = typed(monkeypatch, with_a_turn("europe"), "1", "1", "q")
    assert [type(move.action).__name__ for move in game.moves[1:3]] == ["DrawBlind"] * 2
    assert "Enter or y" not in "".join(answers)


def typed(monkeypatch: pytest.MonkeyPatch, game: ttr.Game, *lines: str) -> tuple[list[str], ttr.Game]:
    """What is printed after each of the lines; then the input ends."""
    sitting = Sitting(monkeypatch, game)
    waiting = list(lines)

    def answer(prompt: str, text: str) -> str:
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    sitting.play(answer)
    return [text.partition("\n")[2] for text in sitting.all[1:]], game  # what was typed is shown first


def mid_game() -> ttr.Game:
    """Mary to move with many cards, tickets chosen."""
    game = ttr.new_game("europe", players=["Mary", "Ada"], seed=21, first_seat=0)
    for seat in (0, 1):
        game.play(game.legal_actions(seat)[0])
    for _ in range(24):
        game.play(next(a for a in game.legal_actions() if isinstance(a, ttr.DrawBlind)))
    assert game.to_act == (0,) and isinstance(game.decision(0), ttr.Turn)
    return game


def test_letters_choose_tickets_and_what_may_not_be_kept_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, game = typed(monkeypatch, new("europe", seed=5), "a", "nothing", "d , B", "0", "d , B", "", "q")
    assert "At least 2 of the 4 tickets must be kept, not 1." in answers[0]
    assert "Nothing here has “nothing”." in answers[1]
    assert answers[2] == answers[4] == f"Keep tickets: b d{SURE}" and "Which of these tickets" in answers[3]
    dealt = next(event for event in game.events if isinstance(event, events.TicketsDealt) and event.seat == 0)
    assert isinstance(dealt.tickets, tuple)
    assert set(game.state.tickets[0]) == {dealt.tickets[1], dealt.tickets[3]}
    _, game = typed(monkeypatch, new("europe", seed=5), "acd")
    assert len(game.moves) == 1, "letters are confirmed as numbers are"
    _, game = typed(monkeypatch, new("europe", seed=5), "acd", "y")
    assert len(game.state.tickets[0]) == 3
    answers, game = typed(monkeypatch, new("europe", seed=5), "Riga", "smolensk athina", "1", "y")
    assert "Seven choices found" in answers[0] or "7 choices found" in answers[0]
    assert "a b c d (all)" in answers[1] and len(game.state.tickets[0]) == 4


def test_filters_find_cities_colors_kinds_and_payments(monkeypatch: pytest.MonkeyPatch) -> None:
    game = mid_game()
    asked = game.legal_actions(0)
    answers, _ = typed(
        monkeypatch, game, "zurich", "0", "ferry", "0", "build ZÜRICH", "0", "CLAIM", "red", "", "", "", "tunnel claim"
    )
    board = game.rules.board
    zurich, _, ferries, _, station, _, claims, red, again, top, _, tunnels = answers
    wanted = {a.route for a in asked if isinstance(a, ttr.ClaimRoute) and "zurich" in board.routes[a.route].cities}
    for id in wanted:
        ends = "–".join(board.place_name(city) for city in board.routes[id].cities)
        assert f"Claim a route: {ends}, " in zurich
    assert "Build a station: Zürich" in zurich and "München–Wien" not in zurich and "show all again" in zurich
    assert set(re.findall(r"ferry|tunnel", ferries)) == {"ferry"}
    assert station.startswith("Build a station: Zürich:") or "Build a station: Zürich" in station
    routes = {a.route for a in asked if isinstance(a, ttr.ClaimRoute)}
    assert claims.startswith("Claim a route:") and f" of {len(routes)};" in claims
    assert all("red" in line for line in red.splitlines() if re.match(r" +\d+  \w", line) and "show all" not in line)
    assert again.startswith("Claim a route:") and "Your turn:" in top
    assert all("tunnel" in line for line in tunnels.splitlines() if "points" in line)


def test_long_lists_have_pages_and_short_menus_lead_to_payments(monkeypatch: pytest.MonkeyPatch) -> None:
    game = mid_game()
    kinds = menu(game, 0, Names(game.rules, game.players))
    number = next(index for index, entry in enumerate(kinds.children, 1) if entry.label == "Claim a route")
    answers, _ = typed(monkeypatch, game, str(number), "+", "-", "-", "0", str(number), "33", "77777")
    first, second, back, no, _, _, payments, wrong = answers
    assert "1–16 of " in first and "17–32 of " in second and back == first
    assert no == "There is no other page that way.\n"
    assert "0 back" in payments or "points" in payments
    assert re.match(r"The numbers go from 1 to \d+\.$|Only 1 is there\.$", wrong.strip())
    assert max(map(len, first.splitlines())) <= 80 and len(first.splitlines()) <= 20


@pytest.mark.slow
def test_the_table_is_in_sight_before_every_question(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new("europe", seed=5)
    sitting = Sitting(monkeypatch, game)
    names = Names(game.rules, game.players)
    questions = 0

    def answer(prompt: str, text: str) -> str:
        nonlocal questions
        if "  Points  Cars " not in text:
            return "1"
        questions += 1
        state = game.state
        hand, row = ttr.cards(game.view(0)).hand, ", ".join(ttr.cards(state).face_up)
        assert hand is not None
        assert re.search(rf"\nHand +{Names(game.rules, game.players).cards_label(hand).replace(' + ', ', ')}\n", text)
        assert re.search(rf"\nFace up +{row}; ", text)
        assert re.search(rf"\nMary \(you\) +{state.scores[0]} +{state.cars[0]} +\d ", text)
        assert re.search(rf"\nOtto +{state.scores[2]} +{state.cars[2]} ", text)
        assert len(text[text.index("  Points  Cars ") :].splitlines()) < 40
        for ticket in state.tickets[0]:
            label = names.ticket_label(game.rules.tickets[ticket])
            assert re.search(rf"(to do|completed): .*{re.escape(label)}", text)
        return "1" if Random(questions).random() < 0.4 else "claim"

    assert sitting.play(lambda prompt, text: "1" if sitting.prompts > 1500 else answer(prompt, text))
    assert questions > 40


def test_tickets_are_told_apart_by_whether_they_are_completed() -> None:
    mary = {
        "name": "Mary",
        "routes": [["budapest", "wien"], ["paris", "zurich"], ["venezia", "zurich"], ["munchen", "wien"]],
        "tickets": ["paris-wien", "budapest-sofia", "berlin-roma"],
        "stations": ["munchen"],
    }
    bo = {"name": "Bo", "routes": [["munchen", "zurich"]]}
    for stations, done, still in (
        (["munchen"], "Paris–Wien 8", "Budapest–Sofia 5 (5 spaces to go), Berlin–Roma 9 (5 spaces to go)"),
        (
            [],
            "",
            "Paris–Wien 8 (2 spaces to go), Budapest–Sofia 5 (5 spaces to go), Berlin–Roma 9 (7 spaces to go)",
        ),
    ):
        position = {"players": [{**mary, "stations": stations}, bo], "seed": 1}
        text = shown(ttr.arrange(EUROPE, position), 0)
        assert f"Tickets   to do: {still}\n" in text
        assert (f"\n          completed: {done}\n" in text) is bool(done)


# -- what plugins add ----------------------------------------------------------------------------------------------


def test_actions_of_plugins_are_told_by_name_and_fields() -> None:
    whistles = [Whistle(0, times, where) for times in (1, 2, 3) for where in ((), ("paris", "roma"))]
    game = offering(*whistles, Lend(0, {"paris": "brest-paris-black", "roma": "palermo-roma-gray"}))
    root = menu(game, 0, Names(game.rules, game.players))
    *_, whistle, lend = root.children
    assert whistle.label == "Whistle" and [child.action for child in whistle.children] == whistles
    assert [child.label for child in whistle.children][:3] == ["1: nothing", "1: Paris and Roma", "2: nothing"]
    assert [each.label for each in root.search(filter_words("whistle roma 2"))] == ["Whistle: 2: Paris and Roma"]
    assert (
        lend.label
        == "Lend: Paris: Brest–Paris, 3 black, 4 points; Roma: Palermo–Roma, 4 gray, ferry with 1 locomotive, 7 points"
    )


def test_words_of_menus() -> None:
    assert plain("Zürich–CÁDIZ") == "zurich-cadiz"
    assert filter_words(" Zürich,  loco ;x") == ["zurich", "loco", "x"]
    assert letter(0) == "a" and letter(27) == "ab"
    names = Names(ttr.compile_rules("europe"), ["Ada"])
    assert names.cards_label({}) == "nothing"
    assert names.cards_label({"locomotive": 2, "red": 0, "blue": 1}) == "1 blue + 2 locomotives"
    assert paint("2 red, Redhill").plain == "2 red, Redhill" and len(paint("2 red, Redhill").spans) == 1
    swiss = ttr.compile_rules("switzerland")
    several = next(ticket for ticket in swiss.tickets.values() if ticket.alternatives)
    label = Names(swiss, ["Ada"]).ticket_label(several)
    assert all(str(points) in label for _, points in several.alternatives)


# -- a real terminal -----------------------------------------------------------------------------------------------


class Pty:
    """The command in a pseudo terminal."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        import pty

        self.fd, inside = pty.openpty()
        clean = {name: value for name, value in os.environ.items() if name not in PLAIN}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ttr_rules", *arguments],
            stdin=inside, stdout=inside, stderr=inside, close_fds=True, start_new_session=True,
            env={**clean, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40", **variables},
            # A shell starts what runs in its background with interrupts ignored; a person's terminal does not.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )  # fmt: skip
        os.close(inside)

    def until(self, text: str) -> str:
        seen = ""
        end = time.monotonic() + 120
        while text not in seen and time.monotonic() < end:
            if select.select([self.fd], [], [], 1)[0]:
                try:
                    seen += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:
                    break
        assert text in seen, seen
        return seen

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def interrupted(self) -> str:
        """Interrupt a prompt, as Ctrl-C does; returns what is printed then."""
        # Between the prompt and the wait for a line Python notes an interrupt and acts on it at the next one only. That comes
        # late: while a busy machine still ends the process, it would interrupt the end.
        for _ in range(24):
            self.process.send_signal(signal.SIGINT)
            if select.select([self.fd], [], [], 5)[0]:
                break
        self.process.wait(120)
        return os.read(self.fd, 65536).decode(errors="replace") if select.select([self.fd], [], [], 0)[0] else ""

    def end(self) -> int:
        try:
            return self.process.wait(120)
        finally:
            self.process.kill()
            self.process.wait()
            os.close(self.fd)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a pseudo terminal")
def test_hands_are_shown_where_they_leave_no_trace() -> None:
    terminal = Pty("play", "europe", "--human", "Mary", "--human", "Paul", "--seed", "3")
    assert "\x1b[?1049h" not in terminal.until("Pass the keyboard to Mary, then press Enter> ")
    terminal.type("\n")
    shown = terminal.until("Mary> ")
    assert "\x1b[?1049h" in shown and "Hand" in shown.partition("\x1b[?1049h")[2]
    terminal.type("1\n")
    terminal.until("0 to go back.")
    terminal.type("\n")
    assert "\x1b[?1049l" in terminal.until("Pass the keyboard to Paul, then press Enter> ")
    terminal.type("\n")
    terminal.until("Paul> ")
    terminal.type("\x04")
    assert "\x1b[?1049l" in terminal.until("The game ends here.") and terminal.end() == 0


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a pseudo terminal")
def test_an_interrupt_in_a_terminal_ends_with_130() -> None:
    terminal = Pty("play", "europe", "--human", "Mary", "--seed", "3")
    terminal.until("Mary> ")
    terminal.interrupted()
    assert terminal.end() == 130


# -- tickets -----------------------------------------------------------------------------------------------------------


def test_the_tickets_at_the_prompt() -> None:
    result = run("play", "europe", "--human", "Mary", "--seed", "5", input="/tickets\n1\ny\n/TICKETS\n?\nq\n\n")
    assert result.exit_code == 0
    story = result.stdout
    assert "You have no tickets yet." in story
    game = ttr.new_game("europe", players=["Mary", "Ada", "Isambard"], seed=5)
    decision = game.decision(0)
    assert isinstance(decision, TicketSetup)
    long = next(ticket for id in decision.tickets if (ticket := game.rules.tickets[id]).kind == "long")
    names = "–".join(game.rules.board.cities[city].name for city in long.cities)
    assert re.search(rf"{names} {long.points} \(long\): \d+ spaces to go: .+–.+ \d", story)
    assert "/tickets    what your tickets still miss" in story


def test_what_is_completed_and_what_is_lost() -> None:
    mary = {
        "name": "Mary",
        "routes": [["brest", "paris"]],
        "tickets": ["brest-marseille", "edinburgh-athina", "paris-wien"],
    }
    bo = {"name": "Bo", "routes": [["edinburgh", "london"]]}
    for routes, told in (([], "4 spaces to go: Marseille–Paris 4"), ([["paris", "marseille"]], "completed")):
        game = ttr.arrange(EUROPE, {"players": [{**mary, "routes": [*mary["routes"], *routes]}, bo], "seed": 1})
        file = io.StringIO()
        screen = Screen(Console(file=file, width=100))
        Person(game, 0, Names(EUROPE, game.players), screen).look("tickets")
        assert f"Brest–Marseille 7: {told}\n" in file.getvalue()
        assert "Edinburgh–Athína 21 (long): cannot be completed any more\n" in file.getvalue()


def test_a_game_that_does_not_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ttr_tools.bots.playing.MOST_ACTIONS", 5)
    monkeypatch.setattr("ttr_tools.testing.runs.MOST_ACTIONS", 5)
    for command in ("play", "playthrough"):
        result = run(command, "london", "--players", "2", "--seed", "1")
        assert result.exit_code == 2 and "does not end" in result.stderr and "5 actions" in result.stderr


def test_more_people_than_default_names_play() -> None:
    assert name_players(7, ["Mary", "Ada"]) == ["Mary", "Ada", "Isambard", "Grace", "Otto", "Clara", "Player 6"]
    assert name_players(10**9, []) == 10**9


@pytest.mark.parametrize("width", [78, 48, 30])
def test_heads_and_numbers_of_tables_break_between_words_only(width: int) -> None:
    heads, names = ["", "Points", "Passengers left", "Tokens", "Technologies"], ["Ada (you)", "Isambard"]
    rows = [[name, "12", "1234567", "10+20+30", "propellers and boiler lagging"] for name in names]
    console = Console(file=io.StringIO(), width=width)
    print_table(console, heads, rows, heads[1:4], width=width)
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert max(map(len, text.splitlines())) <= width
    for word in (*" ".join(heads).split(), "12", "1234567", "10+20+30", "propellers", "boiler", "lagging"):
        assert re.search(rf"(?<!\S){re.escape(word)}(?!\S)", text), (word, text)
    assert text.count("Isambard") == {78: 1, 48: 2, 30: 3}[width]


def test_the_first_column_has_all_the_room_that_each_part_of_a_table_leaves_it() -> None:
    heads, name = ["", "Passengers-transported", "Cars"], "Isambard Kingdom Brunel"
    console = Console(file=io.StringIO(), width=42)
    print_table(console, heads, [[name, "12", "7"]], heads[1:])
    assert isinstance(console.file, io.StringIO)
    first, second = console.file.getvalue().strip().split("\n\n")
    assert first.splitlines()[-1] == "Brunel"
    assert second.splitlines()[-1].split() == [*name.split(), "7"]
