"""Saved games: every form there was, every moment, every fault; verified ones; journals; going back and catching up."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ttr_rules as ttr
from ttr_rules import upcast
from ttr_rules.testing import official_stacks

SAVES = Path(__file__).parent / "saves"
FILES = sorted(SAVES.glob("format-*/*.json"))
STACKS = [each.stack for each in official_stacks() if each.problem is None]
rules_of = cache(ttr.compile_rules)


def played(stack: tuple[str, ...], seed: int, actions: int, players: int | None = None) -> ttr.Game:
    """A game after some random actions."""
    rules, random = rules_of(*stack), Random(seed)
    game = ttr.new_game(rules=rules, players=players or rules.components.min_players, seed=seed)
    while game.to_act and len(game.moves) <= actions:
        choices = game.legal_actions(random.choice(game.to_act))
        game.play(choices[random.randrange(len(choices))])
    return game


def edited(game: ttr.Game, change: Callable[[dict[str, Any]], object]) -> str:
    document = json.loads(ttr.dumps(game))
    change(document)
    return json.dumps(document)


# -- every form there was ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_saved_games_of_every_form_are_read_and_were_played_by_these_rules(path: Path) -> None:
    game = ttr.loads(path.read_text(encoding="utf-8"), verify=True)
    assert ttr.loads(ttr.dumps(game)) == game
    if game.to_act:
        choices = game.legal_actions(game.to_act[0])
        game.play(choices[len(choices) // 2])


def test_every_official_stack_has_a_saved_game_in_the_form_of_today() -> None:
    kept = {path.stem for path in SAVES.glob(f"format-{upcast.FORMAT}/*.json")}
    assert kept >= {"+".join(stack) for stack in STACKS}, "python tests/saves/add.py"
    assert {path.parent.name for path in FILES} == {f"format-{form}" for form in range(1, upcast.FORMAT + 1)}


def test_a_game_is_written_the_same_bytes_everywhere() -> None:
    text = ttr.dumps(played(("europe",), 4, 120)).replace(f'"library":"{ttr.__version__}"', '"library":""')
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "2e52084bfc6a74a7"


# -- every moment --------------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(stack=st.sampled_from(STACKS), seed=st.integers(0, 2**32), actions=st.integers(0, 90), data=st.data())
def test_a_game_saved_at_any_moment_goes_on_as_if_it_never_was(
    stack: tuple[str, ...], seed: int, actions: int, data: st.DataObject
) -> None:
    game = played(stack, seed, actions)
    for again in (ttr.loads(ttr.dumps(game), verify=True), ttr.loads(ttr.pack(game))):
        assert again == game
        on = game.copy()
        for _ in range(4):
            if not on.to_act:
                assert again.final_scores == on.final_scores
                break
            seat = data.draw(st.sampled_from(on.to_act))
            assert again.legal_actions(seat) == on.legal_actions(seat)
            action = data.draw(st.sampled_from(on.legal_actions(seat)[:50]))
            assert on.play(action) == again.play(action)
            assert [again.view(who) for who in (None, seat)] == [on.view(who) for who in (None, seat)]
        assert again == on


@pytest.mark.parametrize("stack", STACKS, ids="+".join)
def test_a_finished_game_verifies_and_its_first_change_is_found(stack: tuple[str, ...]) -> None:
    game = played(stack, 7, 2000)
    assert game.is_over and ttr.loads(ttr.dumps(game), verify=True) == game
    document = json.loads(ttr.dumps(game))
    middle = next(number for number, move in enumerate(document["moves"]) if number > 20 and len(move["events"]) > 0)
    del document["moves"][middle]
    with pytest.raises(ttr.SaveError) as caught:
        ttr.loads(json.dumps(document), verify=True)
    assert "moves[" in str(caught.value) or "fit together" in str(caught.value)


# -- verified -------------------------------------------------------------------------------------------------------


def the_claim(document: dict[str, Any]) -> int:
    return next(
        n for n, move in enumerate(document["moves"]) if (move["action"] or {}).get("type") == "core.ClaimRoute"
    )


def test_an_edited_payment_is_found_with_its_rule() -> None:
    game = played(("north-america",), 3, 60)
    number = the_claim(json.loads(ttr.dumps(game)))

    def cheaper(document: dict[str, Any]) -> None:
        document["moves"][number]["action"]["payment"] = {"locomotive": 14}

    with pytest.raises(ttr.SaveError, match=rf"^moves\[{number}\]: \[C\d\] "):
        ttr.loads(edited(game, cheaper), verify=True)


def test_edited_facts_are_trusted_unless_verified() -> None:
    game = played(("north-america",), 3, 60)
    number = the_claim(json.loads(ttr.dumps(game)))

    def richer(document: dict[str, Any]) -> None:
        for event in document["moves"][number]["events"]:
            if event["type"] == "core.RouteClaimed":
                event["points"] += 20

    text = edited(game, richer)
    assert sum(ttr.loads(text).state.scores) == sum(game.state.scores) + 20
    with pytest.raises(
        ttr.SaveError, match=rf"^moves\[{number}\]: events\[1\]: \[C4\] RouteClaimed\(.* follows by the rules"
    ):
        ttr.loads(text, verify=True)


@pytest.mark.parametrize("first_seat", [None, 0, 1])
def test_a_set_up_verifies_with_a_first_seat_that_was_drawn_or_given(first_seat: int | None) -> None:
    game = ttr.new_game("europe", players=2, seed=5, first_seat=first_seat)
    assert ttr.loads(ttr.dumps(game), verify=True) == game
    text = ttr.dumps(game).replace('"seed":5', '"seed":6')
    with pytest.raises(ttr.SaveError, match=r"^moves\[0\]: events\[\d\]: "):
        ttr.loads(text, verify=True)


def test_an_arranged_position_verifies_from_where_it_begins() -> None:
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "A"}, {"name": "B"}]})
    game.play(game.legal_actions()[0])
    assert ttr.loads(ttr.dumps(game), verify=True) == game


def test_missing_and_added_facts_are_found() -> None:
    game = played(("europe",), 3, 30)
    last = len(game.moves) - 1

    def less(document: dict[str, Any]) -> None:
        document["moves"][last]["events"].pop()

    def more(document: dict[str, Any]) -> None:
        document["moves"][last]["events"].append({"type": "core.LastRoundBegun", "turns_left": 1})

    def later(document: dict[str, Any]) -> None:
        document["moves"][last]["chance_calls"] += 1

    for change, match in (
        (less, "is missing|begins|folded|differ|by the rules"),
        (more, "by the rules nothing follows"),
        (later, "chance was asked"),
    ):
        with pytest.raises(ttr.SaveError, match=match):
            ttr.loads(edited(game, change), verify=True)


def test_chance_that_was_asked_more_or_less_often_is_found() -> None:
    game = played(("europe", "dice"), 3, 12)
    calls = [move.chance_calls for move in game.moves]
    number = next(n for n in range(1, len(calls)) if calls[n] > calls[n - 1])
    for at, change, match in (
        (number, -1, rf"moves\[{number}\]: chance was asked {calls[number]} times until then, not {calls[number] - 1}"),
        (number, +1, rf"moves\[{number}\]: chance was asked {calls[number]} times until then, not {calls[number] + 1}"),
        (0, +1, rf"moves\[0\]: the set-up asks chance \d times, not {calls[0] + 1}"),
        (0, -2, rf"moves\[0\]: the set-up asks chance \d times, not {calls[0] - 2}"),
    ):

        def asked(document: dict[str, Any], at: int = at, change: int = change) -> None:
            del document["moves"][at + 1 :]
            document["moves"][at]["chance_calls"] += change

        with pytest.raises(ttr.SaveError, match=match):
            ttr.loads(edited(game, asked), verify=True)


# -- every fault -----------------------------------------------------------------------------------------------------

WRONG: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a newer format": (lambda d: d.update(format=99), "format 99; this library reads formats 1 to"),
    "a format that is none": (lambda d: d.update(format=[1]), "format"),
    "a format that is true": (lambda d: d.update(format=True), "format True"),
    "no players": (lambda d: d.pop("players"), "it has no players"),
    "something more": (lambda d: d.update(extra=1), "unknown parts"),
    "a plugin that is not there": (lambda d: d.update(stack=[["atlantis", {}]]), "atlantis"),
    "a stack that is none": (lambda d: d.update(stack="europe"), "stack"),
    "versions that are none": (lambda d: d.update(versions=[]), "versions"),
    "a version that is none": (lambda d: d.update(versions={"europe": 0}), "versions.europe"),
    "a newer plugin": (lambda d: d.update(versions={"europe": 2}), "version 2 of the plugin 'europe'; installed is 1"),
    "other rules": (lambda d: d.update(fingerprint="sha256:0"), "fingerprints differ.*rules="),
    "a ruling that is none": (lambda d: d["rulings"].update(second_card_optional=3), "second_card_optional"),
    "rulings that are none": (lambda d: d.update(rulings=3), "rulings"),
    "too many players": (lambda d: d.update(players=list("abcdef")), "S1"),
    "players that are none": (lambda d: d.update(players=3), "players"),
    "a seed that is none": (lambda d: d.update(seed=1.5), "seed"),
    "no moves": (lambda d: d.update(moves=[]), r"moves\[0\]"),
    "moves that are none": (lambda d: d.update(moves={}), "moves"),
    "a move that is none": (lambda d: d["moves"].append(3), r"moves\[31\]"),
    "an action of no kind": (lambda d: d["moves"][5]["action"].update(type="core.Fly"), r"core.Fly.*moves\[5\]"),
    "an event of no kind": (lambda d: d["moves"][0]["events"][0].update(type="x"), r"moves\[0\].events\[0\]"),
    "a seat that is not there": (lambda d: d["moves"][5]["action"].update(seat=7), r"moves\[5\].action: a game of 2 has no seat 7"),
    "a seat below all": (lambda d: d["moves"][1]["events"][0].update(seat=-1), r"moves\[1\].events\[0\]: a game of 2 has no"),
    "a set-up in the middle": (lambda d: d["moves"][5].update(action=None), r"moves\[5\]: the set-up"),
    "a set-up with an action": (lambda d: d["moves"][0].update(action=d["moves"][1]["action"]), r"moves\[0\]: the set-up"),
    "chance calls that fall": (lambda d: d["moves"][5].update(chance_calls=0), "chance calls"),
    "chance calls that are none": (lambda d: d["moves"][5].update(chance_calls="1"), r"moves\[5\]"),
    "a route that is none": (lambda d: d["moves"][-1]["events"].append({"type": "core.RouteClaimed", "seat": 0, "route": "x", "points": 1}), "fit together"),
    "half a game": (lambda d: d.update(moves=d["moves"][:1] + d["moves"][9:]), "moves|fit together"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_a_saved_game_is_said_with_its_place(name: str) -> None:
    change, match = WRONG[name]
    game = played(("europe",), 3, 30)
    with pytest.raises(ttr.SaveError, match=match):
        ttr.loads(edited(game, change), verify=name == "half a game")


@pytest.mark.parametrize("what", [None, 3, [], object()])
def test_what_is_no_game_is_no_text(what: object) -> None:
    with pytest.raises(ttr.TTRError, match="a game is needed"):
        ttr.dumps(what)  # type: ignore[arg-type]
    with pytest.raises(ttr.SaveError, match="a saved game is a text"):
        ttr.loads(what)  # type: ignore[arg-type]


def test_the_options_of_a_plugin_are_kept() -> None:
    game = ttr.new_game("europe:tie_break=P6", players=2, seed=1)
    again = ttr.loads(ttr.dumps(game))
    assert again == game and again.rules.options["europe"] == {"tie_break": "P6"}
    assert game.rules.fingerprint != rules_of("europe").fingerprint


@pytest.mark.parametrize("data", [b"", b"z", b"}", b"\xff"])
def test_bytes_that_are_no_text_are_no_packed_game_either(data: bytes) -> None:
    with pytest.raises(ttr.SaveError, match=r"^this (is no saved game: Error -3 .*header|packed game is cut short)"):
        ttr.loads(data)


def test_rules_without_a_plugin_of_the_game_are_others() -> None:
    text = ttr.dumps(played(("europe",), 1, 0))
    with pytest.raises(ttr.SaveError, match="played by other rules than north-america has here"):
        ttr.loads(text, rules=rules_of("north-america"))


def test_chance_and_rules_that_are_none_are_refused() -> None:
    text = ttr.dumps(played(("europe",), 1, 0))
    with pytest.raises(ttr.SaveError, match="shuffled and roll"):
        ttr.loads(text, chance=3)  # type: ignore[arg-type]
    with pytest.raises(ttr.SaveError, match="compile_rules"):
        ttr.loads(text, rules="europe")  # type: ignore[arg-type]
    with pytest.raises(ttr.InvalidInputError, match="not both"):
        ttr.new_game("europe", players=2, seed=1, chance=ttr.SeededChance(1))


def test_packed_games_that_are_cut_or_far_too_big_are_refused() -> None:
    packed = ttr.pack(played(("europe",), 1, 5))
    assert len(packed) < len(ttr.dumps(played(("europe",), 1, 5))) / 3
    for end in range(0, len(packed), 7):
        with pytest.raises(ttr.SaveError):
            ttr.loads(packed[:end])
    import zlib

    with pytest.raises(ttr.SaveError, match="more than|too long"):
        ttr.loads(zlib.compress(b" " * 50_000_000))
    with pytest.raises(ttr.SaveError, match="too long"):
        ttr.loads(" " * 16_000_001)
    with pytest.raises(ttr.SaveError):
        ttr.loads("[" * 100_000)
    assert ttr.loads(ttr.dumps(played(("europe",), 1, 5)).encode()) == played(("europe",), 1, 5)


@pytest.mark.parametrize("more", [0, 1])
def test_a_packed_game_is_unpacked_to_its_limit(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    import zlib

    text = ttr.dumps(played(("europe",), 1, 0))
    limit = len(text) // 2 * 2 + 100 + more
    monkeypatch.setattr("ttr_rules.serial.LONGEST_SAVE", limit)
    assert ttr.loads(zlib.compress(text.ljust(limit).encode())) == ttr.loads(text)
    with pytest.raises(ttr.SaveError, match=f"it is too long: {limit + 1} characters"):
        ttr.loads(zlib.compress(text.ljust(limit + 1).encode()))
    for length in (limit + limit // 2, 9 * limit):
        with pytest.raises(ttr.SaveError, match=f"unpacked it has more than {limit} bytes"):
            ttr.loads(zlib.compress(text.ljust(length).encode()))


def test_a_game_cut_anywhere_is_refused() -> None:
    text = ttr.dumps(played(("north-america",), 1, 3))
    for end in range(0, len(text), 29):
        with pytest.raises(ttr.SaveError):
            ttr.loads(text[:end])


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_a_game_edited_anywhere_is_a_game_or_a_save_error(data: st.DataObject) -> None:
    document = json.loads(ttr.dumps(played(("europe",), 2, 25)))
    here: Any = document
    while True:
        key = data.draw(st.sampled_from(list(here) if isinstance(here, dict) else list(range(len(here)))))
        if not isinstance(here[key], dict | list) or not here[key] or data.draw(st.booleans()):
            break
        here = here[key]
    others = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just([]) | st.just({})
    here[key] = data.draw(others | st.just([[[]]]) | st.just({"type": "core.Turn", "seat": 0}))
    for verify in (False, True):
        try:
            ttr.loads(json.dumps(document), verify=verify)
        except ttr.SaveError as error:
            assert "Traceback" not in str(error) and len(str(error)) < 3000


# -- plugins that grow ------------------------------------------------------------------------------------------------


class Growing:
    """A plugin whose option had another name in its first version."""

    info = ttr.PluginInfo("growing", "Growing", save_version=3)
    steps: list[int] = []

    def upcast(self, document: dict[str, Any], version: int) -> dict[str, Any]:
        self.steps.append(version)
        return {**document, "players": [f"{name}+" for name in document["players"]]}


def test_a_plugin_brings_its_older_games_up_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    growing = Growing()
    rules = ttr.compile_rules("europe", growing)
    game = ttr.new_game(rules=rules, players=["A", "B"], seed=1)
    assert json.loads(ttr.dumps(game))["versions"] == {"growing": 3}
    assert ttr.loads(ttr.dumps(game), rules=rules) == game and growing.steps == []
    old = edited(game, lambda d: d.update(versions={}, fingerprint="another"))
    monkeypatch.setattr("ttr_rules.serial.load_plugin", lambda name: growing)
    assert ttr.loads(old, rules=rules).players == ("A++", "B++") and growing.steps == [1, 2]
    for broken, match in ((lambda d, v: 3, "gave 3"), (lambda d, v: d["x"], "failed: KeyError")):
        monkeypatch.setattr(growing, "upcast", broken, raising=False)
        with pytest.raises(ttr.SaveError, match=match):
            ttr.loads(old, rules=rules)
    monkeypatch.setattr("ttr_rules.serial.load_plugin", lambda name: attrs.make_class("Stuck", [])())
    with pytest.raises(ttr.SaveError, match="cannot bring it up to date"):
        ttr.loads(old, rules=rules)


# -- back, at, since --------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(stack=st.sampled_from(STACKS), seed=st.integers(0, 2**32), actions=st.integers(1, 60))
def test_going_back_and_forth(stack: tuple[str, ...], seed: int, actions: int) -> None:
    game = played(stack, seed, actions)
    before = game.at(game.played - 1)
    assert game.at(game.played) == game
    again = game.copy()
    move = again.undo()
    assert move == game.last_move and again == before
    assert move.action is not None and again.play(move.action) == move.events
    assert again == game
    while len(again.moves) > 1:
        again.undo()
    assert again == game.at(0)
    with pytest.raises(ttr.InvalidInputError, match="nothing was played yet"):
        again.undo()
    for wrong in (-1, game.played + 1, True, "1", None):
        with pytest.raises(ttr.InvalidInputError, match="actions were played"):
            game.at(wrong)  # type: ignore[arg-type]


def test_a_finished_game_that_is_taken_back_has_no_scores() -> None:
    game = played(("europe",), 3, 2000)
    assert game.final_scores is not None
    move = game.undo()
    assert game.final_scores is None and game.to_act
    game.play(move.action)  # type: ignore[arg-type]
    assert game.final_scores is not None


def test_a_client_catches_up_with_what_its_seat_may_see() -> None:
    game = played(("europe",), 3, 30)
    for seat in (None, 0, 1):
        told = [event.seen_by(seat) for move in game.moves for event in move.events]
        assert list(game.events_since(None, seat)) == told
        for known in range(game.played + 1):
            later = sum(len(move.events) for move in game.moves[known + 1 :])
            assert list(game.events_since(known, seat)) == told[len(told) - later :]
    for known, seat in ((-1, 0), (32, 0), (True, 0), (0, 2), (0, True)):
        with pytest.raises(ttr.InvalidInputError):
            game.events_since(known, seat)


# -- journals ---------------------------------------------------------------------------------------------------------


def journaled(path: Path, actions: int = 12) -> ttr.Game:
    game = played(("europe",), 3, actions)
    with ttr.Journal.begin(path, ttr.new_game("europe", players=2, seed=3)) as journal:
        for move in game.moves[1:]:
            assert move.action is not None and journal.play(move.action) == move.events
    return game


def test_a_journal_cut_at_every_byte_loses_one_move_at_most(tmp_path: Path) -> None:
    path, cut = tmp_path / "game.jsonl", tmp_path / "cut.jsonl"
    game, rules = journaled(path, actions=4), rules_of("europe")
    data = path.read_bytes()
    assert ttr.read_journal(path) == game and data.count(b"\n") == 1 + len(game.moves)
    for end in range(len(data) + 1):
        cut.write_bytes(data[:end])
        whole = data[:end].count(b"\n")
        if whole < 2:  # not even the set-up: there is no game yet
            with pytest.raises(ttr.SaveError):
                ttr.read_journal(cut, rules=rules)
        else:
            assert len(ttr.read_journal(cut, rules=rules).moves) == whole - 1


def test_a_journal_is_taken_up_again_after_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = journaled(path)
    path.write_bytes(path.read_bytes()[:-5])
    with ttr.Journal.resume(path, verify=True) as journal:
        assert journal.game == game.at(game.played - 1)
        action = game.last_move.action
        assert action is not None and journal.play(action) == game.last_move.events
    assert ttr.read_journal(path, verify=True) == game
    with pytest.raises(ttr.InvalidInputError, match="closed"):
        journal.play(game.legal_actions(game.to_act[0])[0])
    with pytest.raises(ttr.SaveError, match="cannot be begun"):
        ttr.Journal.begin(path, game)


def test_what_is_wrong_in_a_journal_is_said_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    journaled(path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for number, wrong, match in (
        (0, "garbage\n", "line 1: "),
        (5, "garbage\n", "line 6: "),
        (5, "[]\n", "line 6: an object"),
        (3, lines[3].replace('"action":', '"deed":'), "line 4"),
        (4, lines[4].replace('"action":', '"deed":'), "line 5"),
        (5, lines[5].replace("core.", "score."), "line 6"),
        (0, '{"format":2}\n', "it has no"),
    ):
        path.write_text("".join([*lines[:number], wrong, *lines[number + 1 :]]), encoding="utf-8")
        for read in (ttr.read_journal, ttr.Journal.resume):
            with pytest.raises(ttr.SaveError, match=match):
                read(path)
    path.write_text(lines[0].rstrip("\n"), encoding="utf-8")
    for read in (ttr.read_journal, ttr.Journal.resume):
        with pytest.raises(ttr.SaveError, match="the first line is missing or cut short"):
            read(path)


@pytest.mark.parametrize("name", ["A", "AA"])
def test_a_journal_of_any_length_is_gone_on_with_at_its_end(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, ttr.new_game("europe", players=[name, "B"], seed=3)) as journal:
        journal.play(journal.game.legal_actions(0)[0])
    with ttr.Journal.resume(path=path, chance=None, rules=rules_of("europe")) as journal:
        journal.play(journal.game.legal_actions(1)[0])
    assert ttr.read_journal(path=path, chance=None, rules=rules_of("europe")) == journal.game


def test_edited_facts_of_a_journal_are_trusted_unless_verified(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, ttr.new_game("europe", players=2, seed=3)) as journal:
        for seat in (0, 1):
            journal.play(journal.game.legal_actions(seat)[0])
    text = path.read_text(encoding="utf-8")
    assert text.count('"chance_calls":4') == 3
    path.write_text('"chance_calls":5'.join(text.rsplit('"chance_calls":4', 1)), encoding="utf-8")
    assert ttr.read_journal(path).played == 2
    ttr.Journal.resume(path).close()
    for read in (ttr.read_journal, ttr.Journal.resume):
        with pytest.raises(ttr.SaveError, match="line 4: chance was asked 4 times"):
            read(path, verify=True)


def test_what_the_system_says_of_a_journal_is_told_in_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    game = journaled(path, actions=2)
    with pytest.raises(ttr.SaveError, match=r"game.jsonl: a journal cannot be begun here: File exists$"):
        ttr.Journal.begin(path, game)
    with pytest.raises(ttr.SaveError, match=r"nowhere: cannot be read: No such file or directory$"):
        ttr.read_journal(tmp_path / "nowhere")
    with pytest.raises(ttr.SaveError, match=r"cannot be read: .*null (byte|character)"):
        ttr.read_journal("\0")
    opened = Path.open

    def read_only(self: Path, mode: str = "r", **more: Any) -> Any:
        if "+" in mode:
            raise PermissionError(13, "Permission denied")
        return opened(self, mode, **more)

    monkeypatch.setattr(Path, "open", read_only)
    with pytest.raises(ttr.SaveError, match=r"game.jsonl: cannot be written: Permission denied$"):
        ttr.Journal.resume(path)


def test_a_move_that_cannot_be_written_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, played(("europe",), 3, 5)) as journal:
        before, game = path.read_bytes(), journal.game.copy()
        with monkeypatch.context() as full:

            def no_space(_: int) -> None:
                raise OSError(28, "No space left on device")

            full.setattr("ttr_rules.journal.os.fsync", no_space)
            with pytest.raises(ttr.SaveError, match=r"^the move could not be written: No space left on device$"):
                journal.play(journal.game.legal_actions(journal.game.to_act[0])[0])
        assert journal.game == game and path.read_bytes() == before
        with pytest.raises(ttr.IllegalActionError):
            journal.play(ttr.DrawBlind(journal.game.to_act[0] ^ 1))
        journal.play(journal.game.legal_actions(journal.game.to_act[0])[0])
    assert len(ttr.read_journal(path).moves) == len(game.moves) + 1


def test_a_name_is_no_rules() -> None:
    for call in (lambda: ttr.playout("europe", 3, 1), lambda: ttr.new_game(players=3, rules="europe")):  # type: ignore[arg-type]
        with pytest.raises(ttr.InvalidInputError, match="rules are what compile_rules gives, not 'europe'"):
            call()
