"""Saved games: every form there was, every moment, every fault; verified ones; going back and catching up."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from random import Random
from typing import Any, ClassVar, TypeVar

import pytest
from helpers import ScriptedChance, arranged
from hypothesis import given, settings, strategies as st
from official import STACKS, every_map

import ttr_rules as ttr
from ttr_rules._internal.exact import exact_converter
from ttr_rules.errors import SaveError
from ttr_rules.events import TicketsShuffled
from ttr_rules.plugins import Below, DrawCounts, Variant, hookimpl
from ttr_rules.saves import pack, saving
from ttr_variants.marklin import Marklin

T = TypeVar("T")

SAVES = Path(__file__).parent / "saves"
FILES = sorted(SAVES.glob("format-*/*.json"))
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
    kept = {path.stem for path in SAVES.glob(f"format-{saving.FORMAT}/*.json")}
    assert kept >= {"+".join(stack) for stack in STACKS}, "python tests/saves/add.py"


def test_a_save_of_another_version_of_chance_is_refused() -> None:
    game = ttr.new_game("europe", players=2, seed=1)
    for wrong in (1, 3, "2", True, None):
        shuffled = f"this game was shuffled by version {wrong}; this library shuffles by version 2"
        problem = shuffled if type(wrong) is int else f"expected a whole number, got {wrong!r}"
        with pytest.raises(SaveError, match=f"^chance: {problem}"):
            ttr.loads(edited(game, lambda document, wrong=wrong: document.update(chance=wrong)))  # type: ignore[misc]
    with pytest.raises(SaveError, match="^chance: missing"):
        ttr.loads(edited(game, lambda document: document.pop("chance")))


def test_a_game_in_an_older_format_is_brought_up_to_date_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """The formats are made up: 1 named claims otherwise and had no seed, 2 kept the seed in the stack."""

    def claims_renamed(document: dict[str, Any]) -> dict[str, Any]:
        text = json.dumps(document["moves"]).replace('"core.Claim"', '"core.ClaimRoute"')
        return {**document, "format": 2, "moves": json.loads(text)}

    def seed_moved(document: dict[str, Any]) -> dict[str, Any]:
        *stack, (_, seed) = document["stack"]
        return {**document, "format": 3, "stack": stack, "seed": seed}

    game = played(("europe",), 3, 60)
    today = json.loads(ttr.dumps(game))
    stack = [["europe", {"tie_break": "P5"}], ["seed", today["seed"]]]  # without an option that came later
    second = {**today, "format": 2, "stack": stack, "fingerprint": "another"}
    del second["seed"]
    text = json.dumps(second).replace('"core.ClaimRoute"', '"core.Claim"').replace('"format": 2', '"format": 1')
    first = json.loads(text)
    assert '"core.Claim"' in text and first["moves"] != second["moves"]
    with pytest.raises(SaveError, match="saved in format 2; this library reads format 1"):
        ttr.loads(json.dumps(second))
    monkeypatch.setattr(saving, "UPCASTS", {1: claims_renamed, 2: seed_moved})
    monkeypatch.setattr(saving, "FORMAT", 3)
    for old in (first, second):
        assert ttr.loads(json.dumps(old), verify=True) == ttr.loads(json.dumps(old), rules=game.rules) == game
    assert json.loads(ttr.dumps(ttr.loads(json.dumps(first)))) == {**today, "format": 3}
    others = ttr.compile_rules("europe:station_choice=ask")
    with pytest.raises(SaveError, match="^stack: the rules .* have other options of 'europe'"):
        ttr.loads(json.dumps(second), rules=others)
    with pytest.raises(SaveError, match="^stack: .* does not agree with the rules"):
        ttr.loads(json.dumps(second), rules=rules_of("north-america"))
    for form in (0, 4, True, "1", None):
        with pytest.raises(SaveError, match="this library reads formats 1 to 3"):
            ttr.loads(json.dumps({**today, "format": form}))


def test_names_are_written_as_they_are() -> None:
    game = ttr.new_game("europe", players=["Zoë", "東京"], seed=1)
    assert '"players":["Zoë","東京"]' in ttr.dumps(game) and ttr.loads(pack(game)) == game


def test_a_game_is_written_the_same_bytes_everywhere() -> None:
    """But for the version of the library, and the fingerprint of the rules, which other tests are about."""
    game = played(("europe",), 4, 120)
    text = ttr.dumps(game).replace(f'"library":"{ttr.__version__}"', '"library":""')
    text = text.replace(game.rules.fingerprint, "")
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "08f6dd611023410f"


# -- every moment --------------------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(stack=st.sampled_from(STACKS), seed=st.integers(0, 2**32), actions=st.integers(0, 90), data=st.data())
def test_a_game_saved_at_any_moment_goes_on_as_if_it_never_was(
    stack: tuple[str, ...], seed: int, actions: int, data: st.DataObject
) -> None:
    game = played(stack, seed, actions)
    for again in (ttr.loads(ttr.dumps(game), verify=True), ttr.loads(pack(game))):
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


@every_map
def test_a_finished_game_verifies_and_its_first_change_is_found(stack: tuple[str, ...]) -> None:
    game = played(stack, 7, 2000)
    assert game.is_over and ttr.loads(ttr.dumps(game), verify=True) == game
    document = json.loads(ttr.dumps(game))
    middle = next(number for number, move in enumerate(document["moves"]) if number > 20 and len(move["events"]) > 0)
    del document["moves"][middle]
    with pytest.raises(SaveError) as caught:
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

    with pytest.raises(SaveError, match=rf"^moves\[{number}\]: \[C\d\] "):
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
        SaveError, match=rf"^moves\[{number}\]: events\[1\]: \[C4\] RouteClaimed\(.* follows by the rules"
    ):
        ttr.loads(text, verify=True)


@pytest.mark.parametrize("first_seat", [None, 0, 1])
def test_a_set_up_verifies_with_a_first_seat_that_was_drawn_or_given(first_seat: int | None) -> None:
    game = ttr.new_game("europe", players=2, seed=5, first_seat=first_seat)
    assert ttr.loads(ttr.dumps(game), verify=True) == game
    text = ttr.dumps(game).replace('"seed":5', '"seed":6')
    with pytest.raises(SaveError, match=r"^moves\[0\]: events\[\d\]: "):
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
        with pytest.raises(SaveError, match=match):
            ttr.loads(edited(game, change), verify=True)


def test_a_set_up_that_cannot_be_decided_again_is_a_save_error() -> None:
    game = ttr.new_game("europe", players=2, chance=AsItLies())
    text = ttr.dumps(game)
    assert ttr.loads(text, chance=AsItLies(), verify=True).events == game.events

    class CheckFailed(AsItLies):
        def shuffled(self, items: Sequence[T]) -> Sequence[T]:
            raise ZeroDivisionError("no luck")

    with pytest.raises(SaveError, match=r"^moves\[0\]: this cannot be decided again: ZeroDivisionError: no luck"):
        ttr.loads(text, chance=CheckFailed(), verify=True)
    with pytest.raises(SaveError, match=r"^moves\[0\]: this cannot be decided again: NoneType.shuffled|no permutation"):
        ttr.loads(text, chance=Short(), verify=True)


class AsItLies:
    def shuffled(self, items: Sequence[T]) -> Sequence[T]:
        return items

    def roll(self, faces: Sequence[T]) -> T:
        return faces[0]


class Short(AsItLies):
    def shuffled(self, items: Sequence[T]) -> Sequence[T]:
        return items[1:]


@pytest.mark.pure
def test_whatever_deciding_again_raises_is_told_with_its_move(monkeypatch: pytest.MonkeyPatch) -> None:
    game = played(("europe",), 3, 20)
    number = next(n for n, move in enumerate(game.moves) if isinstance(move.action, ttr.DrawBlind))

    def broken(*_: object) -> None:
        raise KeyError("nosuch")

    rule = next(rule for rule in game.rules.action_rules if rule.action is ttr.DrawBlind)
    monkeypatch.setattr(type(rule), "perform", broken)
    with pytest.raises(SaveError, match=rf"^moves\[{number}\]: this cannot be decided again: KeyError: 'nosuch'"):
        ttr.loads(ttr.dumps(game), verify=True)


def arranged_save(change: Callable[[list[dict[str, Any]]], object], stack: tuple[str, ...] = ("europe",)) -> str:
    game = ttr.arrange(None, {"stack": list(stack), "seed": 1, "players": [{"name": "A"}, {"name": "B"}]})
    return edited(game, lambda document: change(document["moves"][0]["events"]))


def claimed(route: str = "berlin-danzig-gray", points: int = 7, seat: int = 0) -> dict[str, Any]:
    return {"type": "core.RouteClaimed", "seat": seat, "route": route, "points": points}


def built(city: str, seat: int = 0) -> dict[str, Any]:
    return {"type": "europe.StationBuilt", "seat": seat, "city": city}


ARRANGED: dict[str, tuple[Callable[[list[dict[str, Any]]], object], str]] = {
    "a seat to act that is not there": (lambda e: e[0].update(to_act=5), "has no seat 5"),
    "other players": (lambda e: e[0].update(players=["A", "C"]), "are at the table"),
    "more cards than the deck has": (lambda e: e.insert(1, {"type": "train-cards.HandArranged", "seat": 0, "hand": {"red": 13}}), "the deck has 12"),
    "a hand below nothing": (lambda e: e.insert(1, {"type": "train-cards.CardsLaid", "seat": 0, "payment": {"red": 1}}), "-1 in one hand"),
    "a card from no pile": (lambda e: e.insert(-1, {"type": "train-cards.CardsRevealed", "cards": ["red"] * 110}), "cards were drawn from a pile of"),
    "two stations in one city": (lambda e: e.__setitem__(slice(1, 1), [built("wien"), built("wien", 1)]), "seat 0 has 2 stations left and 0 on"),
    "four stations": (lambda e: e.__setitem__(slice(1, 1), [built(city) for city in ("wien", "berlin", "roma", "paris")]), "B1"),
    "a station nowhere": (lambda e: e.insert(1, {"type": "europe.StationBuilt", "seat": 0, "city": "nosuch"}), "KeyError: 'nosuch'"),
    "a ticket that is none": (lambda e: e.insert(1, {"type": "core.TicketsArranged", "seat": 0, "tickets": ["nosuch"]}), "'nosuch' is not a ticket"),
}  # fmt: skip


@pytest.mark.parametrize("name", ARRANGED)
def test_an_arranged_position_must_fit_together(name: str) -> None:
    change, match = ARRANGED[name]
    with pytest.raises(SaveError, match=match):
        ttr.loads(arranged_save(change), verify=True)


def test_an_arranged_position_is_taken_as_it_is() -> None:
    """Nobody knows how it came about; what follows is verified."""
    text = arranged_save(lambda events: events.insert(1, claimed(points=6)))
    game = ttr.loads(text, verify=True)
    assert game.state.scores == [6, 0]
    game.play(game.legal_actions()[0])
    with pytest.raises(SaveError, match=r"^moves\[1\]: events\[0\]: "):
        ttr.loads(edited(game, lambda document: document["moves"][1]["events"].pop(0)), verify=True)


PARIS = ("bruxelles-paris-yellow", "bruxelles-paris-red")


@pytest.mark.parametrize("players", [4, 5])
def test_the_end_of_a_game_may_be_arranged_with_both_halves_of_a_double(players: int) -> None:
    """No cars are left, some, or all; and as many turns are left as there are seats."""
    tables: list[dict[str, Any]] = [{"name": name, "cars": 45} for name in "ABCDE"[:players]]
    tables[0].update(routes=[PARIS[0]], cars=0)
    tables[1].update(routes=[PARIS[1]], cars=20)
    for turns_left in (1, players):
        game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": tables, "turns_left": turns_left})
        assert ttr.loads(ttr.dumps(game), verify=True) == game


@pytest.mark.parametrize("stack", ["europe", "europe+dice"])
def test_the_first_turn_may_be_the_first_that_asks_chance(stack: str) -> None:
    """By a seed, and by a caller's chance object that gives once more what it gave."""
    names = stack.split("+")
    position: dict[str, Any] = {
        "players": [{"name": "A"}, {"name": "B"}],
        "ticket_pile": [ticket.id for ticket in rules_of(*names).deck.piles["regular"]],
    }
    if stack == "europe":
        position |= {"face_up": ["red"] * 5, "draw_pile": [], "draw_pile_complete": True}
    game = ttr.arrange(None, {**position, "stack": names, "seed": 1})
    assert game.last_move.chance_calls == (1 if "dice" in names else 0)
    assert ttr.loads(ttr.dumps(game), verify=True) == game
    game = ttr.arrange(rules_of(*names), position, chance=Turning())
    assert ttr.loads(ttr.dumps(game), chance=Turning(), verify=True).moves == game.moves


class Turning:
    """Chance that remembers what it rolled, and rolls something else the next time."""

    def __init__(self) -> None:
        self.rolls = 0

    def shuffled(self, items: Sequence[T]) -> Sequence[T]:
        return items

    def roll(self, faces: Sequence[T]) -> T:
        self.rolls += 1
        return faces[self.rolls % len(faces)]


@pytest.mark.parametrize("stack", [("europe",), ("europe", "dice"), ("marklin", "germany-tickets")])
def test_an_arranged_position_is_verified(stack: tuple[str, ...]) -> None:
    text = arranged_save(lambda events: None, stack)
    assert ttr.dumps(ttr.loads(text, verify=True)) == ttr.dumps(ttr.loads(text))


def test_dice_and_tokens_that_cannot_be_arranged_are_refused() -> None:
    for faces, tokens, match in (
        ([], [], "0 seats have tokens, not 2"),
        ([], [{"nosuch": 1}, {}], "X7"),
        ([], [{}, {"single_token": 4}], "seat 1 has the tokens .* 3 at most"),
        (["nosuch"] * 5, [{}, {}], "the dice show .*X2"),
        (["single"] * 4, [{}, {}], "the dice show .*X2"),
    ):
        given: dict[str, object] = {"type": "dice.DiceArranged", "faces": faces, "tokens": tokens}
        with pytest.raises(SaveError, match=match):
            ttr.loads(arranged_save(lambda events, given=given: events.append(given), ("europe", "dice")))  # type: ignore[misc]


def test_a_set_up_without_one_of_the_ticket_piles_is_refused() -> None:
    """Nobody draws from it before the first turn is over."""
    text = edited(played(("mega-europa",), 1, 0), lambda d: d["moves"][0]["events"].pop(3))
    with pytest.raises(SaveError, match="there is no pile of regular tickets"):
        ttr.loads(text)


def test_a_position_that_left_nothing_to_chance_is_saved() -> None:
    pile = [ticket.id for ticket in rules_of("europe").deck.piles["regular"]]
    game = arranged("europe", {}, {}, ticket_pile=pile)
    assert game.last_move.chance_calls == 0
    assert ttr.loads(ttr.dumps(game), chance=AsItLies()).moves == game.moves


def test_a_position_that_breaks_whoever_looks_at_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = arranged_save(lambda events: None)

    def broken(*_: object) -> None:
        raise KeyError("nosuch")

    for name in ("legal_actions", "view_of", "final_scores"):
        with monkeypatch.context() as looking:
            looking.setattr(f"ttr_rules.saves.moves.{name}", broken)
            with pytest.raises(SaveError, match=r"^moves\[0\]: this cannot be decided again: KeyError: 'nosuch'$"):
                ttr.loads(text, verify=True)


# -- what a save must not do -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("plugin", ["marklin", "orient-express", "max"])
def test_a_saved_game_opens_no_file(plugin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text('password = "swordfish"')
    monkeypatch.chdir(tmp_path)
    base = [["europe", {"tie_break": "P5"}]] if plugin != "marklin" else []
    names = [
        *([name, {}] for name in (f"{plugin}:tickets={secret}", f"{plugin}:tickets='{secret}'")),
        *([plugin, {"tickets": name}] for name in (str(secret), str(tmp_path), "secret.toml", "./secret.toml")),
    ]
    for entry in names:
        text = edited(played(("europe",), 1, 0), lambda d: d.update(stack=[*base, entry]))
        with pytest.raises(SaveError, match="strings cannot name files|no plugin is called") as caught:
            ttr.loads(text)
        assert "password" not in str(caught.value)


def test_tickets_of_a_saved_game_are_rows_and_those_are_read() -> None:
    rows = [("Berlin", "Ulm", 9, "short"), ("Berlin", "Köln", 9, "long")] * 8
    tickets = [[a, b, points + number // 2, kind] for number, (a, b, points, kind) in enumerate(rows)]
    rules = ttr.compile_rules(Marklin(tickets=tickets))
    game = ttr.new_game(rules=rules, players=2, seed=1)
    assert ttr.loads(ttr.dumps(game), verify=True) == game


def test_other_stacks_and_rulings_than_those_of_the_rules_are_refused() -> None:
    game = played(("europe",), 1, 3)
    for change in (
        lambda d: d.update(stack=[["north-america", {}]]),
        lambda d: d.update(stack=[]),
        lambda d: d.update(stack=5),
        lambda d: d["stack"][0][1].update(tie_break="P6"),
        lambda d: d["stack"].append(["train-cards", {"second_card_optional": True, "face_up_when_exhausted": False}]),
        lambda d: d["stack"][0][1].update(station_choice="ask"),
        lambda d: d["stack"][0][1].update(lends=1),
    ):
        with pytest.raises(SaveError, match="^stack: "):
            ttr.loads(edited(game, change), rules=game.rules)
    assert ttr.loads(ttr.dumps(game), rules=game.rules) == game

    class Watching(Variant, name="watching"):
        """Watching: it says what holds anyway."""

        @hookimpl
        def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
            return DrawCounts()

    game = ttr.new_game("europe", Watching, players=2, seed=1)
    for change in (lambda d: d["stack"].pop(0), lambda d: d["stack"].pop()):
        with pytest.raises(SaveError, match="does not agree"):
            ttr.loads(edited(game, change), rules=game.rules)


def test_what_is_said_twice_is_refused() -> None:
    text = ttr.dumps(played(("europe",), 1, 3))
    for twice in ('{"format":1,', '"seed":1,', '"chance_calls":4,'):
        assert twice in text
        name = twice.split('"')[1]
        with pytest.raises(SaveError, match=f"'{name}' occurs twice"):
            ttr.loads(text.replace(twice, twice + twice.removeprefix("{"), 1))


VERY_MANY = 190_000
MANY: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "players": (lambda d: d.update(players=[0] * VERY_MANY), r"^players\[0\]: expected a string, got 0;"),
    "stack": (lambda d: d.update(stack=[0] * VERY_MANY), r"^stack\[0\]: expected a list, got 0;"),
    "versions": (lambda d: d.update(versions={f"v{n}": "x" for n in range(90_000)}), "^versions.v0: expected a whole number, got .x.; "),
    "header": (lambda d: d.update({f"k{n}": 0 for n in range(140_000)}), "^unknown key 'k0'; "),
    "moves": (lambda d: d.update(moves=[0] * VERY_MANY), r"^moves\[0\]: expected an object, got 0$"),
    "events": (lambda d: d["moves"][1].update(events=[0] * VERY_MANY), r"^moves\[1\].events\[0\]: expected an object with a type"),
    "tickets": (lambda d: d["moves"][1]["events"][0].update(kept=[0] * VERY_MANY), r"^moves\[1\].events\[0\].kept\[0\]: "),
    "values": (lambda d: d["moves"][1].update(events=[0] * 600_000), r"too many values \(limit 200000\)"),
    "a route": (lambda d: d["moves"][-1]["events"].append(
        {"type": "core.RouteClaimed", "seat": 0, "route": "x" * 1_900_000, "points": 1}), "fit together: KeyError"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", MANY)
def test_of_very_many_mistakes_the_first_are_told(name: str) -> None:
    """Each of these would take minutes, or gigabytes, if every mistake were looked at."""
    change, match = MANY[name]
    with pytest.raises(SaveError, match=match) as caught:
        ttr.loads(edited(played(("europe",), 1, 3), change))
    assert len(str(caught.value)) < 1000


@pytest.mark.slow
def test_one_name_twice_among_very_many_is_found_at_once() -> None:
    names = ",".join(f'"{number}":0' for number in range(150_000))
    with pytest.raises(SaveError, match="'149999' occurs twice"):
        ttr.loads(f'{{{names},"149999":0}}')


def test_errors_of_saved_games_are_not_longer_than_can_be_read() -> None:
    assert str(SaveError("x" * 3000)) == "x" * 3000
    assert str(SaveError("x" * 3001)) == "x" * 3000 + "…"
    game = played(("europe",), 1, 3)
    order = next(event for event in game.events if isinstance(event, TicketsShuffled)).order
    assert isinstance(order, tuple)
    pile = list(order)
    for change in (
        lambda d: d["moves"][0]["events"][2].update(order=pile * 1000),
        lambda d: d["moves"][-1]["events"].append({"type": "core.GameEnded", "reason": "x" * 1_900_000}),
    ):
        with pytest.raises(SaveError) as caught:
            ttr.loads(edited(game, change), verify=True)
        assert len(str(caught.value)) < 3100


def test_a_game_with_another_chance_has_no_seed_any_more() -> None:
    game = ttr.loads(ttr.dumps(played(("europe",), 1, 3)), chance=AsItLies())
    assert game.seed is None
    with pytest.raises(SaveError, match="give one to loads"):
        ttr.loads(ttr.dumps(game))


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

        with pytest.raises(SaveError, match=match):
            ttr.loads(edited(game, asked), verify=True)


# -- every fault -----------------------------------------------------------------------------------------------------

WRONG: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a newer format": (lambda d: d.update(format=99), "format 99; this library reads format 1"),
    "a format that is none": (lambda d: d.update(format=[1]), "format"),
    "a format that is true": (lambda d: d.update(format=True), "format True"),
    "no players": (lambda d: d.pop("players"), "^players: missing"),
    "something more": (lambda d: d.update(extra=1), "^unknown key 'extra'; known keys: format"),
    "a plugin that is not there": (lambda d: d.update(stack=[["atlantis", {}]]), "atlantis"),
    "a stack that is none": (lambda d: d.update(stack="europe"), "stack"),
    "versions that are none": (lambda d: d.update(versions=[]), "versions"),
    "a version that is none": (lambda d: d.update(versions={"europe": 0}), "versions.europe"),
    "a newer plugin": (lambda d: d.update(versions={"europe": 2}), "version 2 of the plugin 'europe'; installed is 1"),
    "other rules": (lambda d: d.update(fingerprint="sha256:0"), "fingerprints differ.*rules="),
    "an option that is none": (lambda d: d["stack"][0][1].update(station_choice=3), "^'station_choice' is 'best' or 'ask', not 3|'station_choice'"),
    "an option of nobody": (lambda d: d["stack"][0][1].update(trains=3), "'europe' has no option 'trains'; it has station_choice, tie_break"),
    "rulings as they were once": (lambda d: d.update(rulings={}), "^unknown key 'rulings'; known keys: format"),
    "too many players": (lambda d: d.update(players=list("abcdef")), "S1"),
    "players that are none": (lambda d: d.update(players=3), "players"),
    "a seed that is none": (lambda d: d.update(seed=1.5), "seed"),
    "no moves": (lambda d: d.update(moves=[]), r"moves\[0\]"),
    "moves that are none": (lambda d: d.update(moves={}), "moves"),
    "a move that is none": (lambda d: d["moves"].append(3), r"moves\[31\]"),
    "an action of no kind": (lambda d: d["moves"][5]["action"].update(type="core.Fly"), r"moves\[5\].action: .*core.Fly"),
    "an event of no kind": (lambda d: d["moves"][0]["events"][0].update(type="x"), r"moves\[0\].events\[0\]"),
    "a seat that is not there": (lambda d: d["moves"][5]["action"].update(seat=7), r"moves\[5\].action: a game of 2 has no seat 7"),
    "a seat just beyond": (lambda d: d["moves"][1]["events"][0].update(seat=2), r"moves\[1\].events\[0\]: a game of 2 has no"),
    "a seat below all": (lambda d: d["moves"][1]["events"][0].update(seat=-1), r"moves\[1\].events\[0\]: a game of 2 has no"),
    "a set-up in the middle": (lambda d: d["moves"][5].update(action=None), r"moves\[5\]: the set-up"),
    "a set-up with an action": (lambda d: d["moves"][0].update(action=d["moves"][1]["action"]), r"moves\[0\]: the set-up"),
    "chance calls that fall": (lambda d: d["moves"][5].update(chance_calls=0), "chance calls"),
    "chance calls below nothing": (lambda d: d["moves"][0].update(chance_calls=-1), "chance calls"),
    "chance calls that are none": (lambda d: d["moves"][5].update(chance_calls="1"), r"moves\[5\]"),
    "a route that is none": (lambda d: d["moves"][-1]["events"].append({"type": "core.RouteClaimed", "seat": 0, "route": "x", "points": 1}), "fit together"),
    "a format that is no whole number": (lambda d: d.update(format=2.0), "format 2.0"),
    "a library that is none": (lambda d: d.update(library={}), "library: expected a string, got {}"),
    "a version of what is not there": (lambda d: d.update(versions={"dice": 1}), "versions: 'dice' is not a plugin of the stack"),
    "a plugin that was not played": (lambda d: d["stack"].append(["north-america", {}]), "both replace"),
    "a plugin twenty thousand times": (lambda d: d.update(stack=d["stack"] * 20_000), "stack: a plugin is named twice"),
    "a stack of texts": (lambda d: d.update(stack=["europe"]), "stack"),
    "options in a name": (lambda d: d.update(stack=[["europe:tie_break=P5", {}]]), "no plugin is called 'europe:tie_break=P5'"),
    "players in a text": (lambda d: d.update(players="AB"), "players: expected a list, got 'AB'"),
    "players in an object": (lambda d: d.update(players={"A": 1, "B": 2}), "players: expected a list"),
    "players of another place": (lambda d: d.update(players=["X", "Y"]), r"moves\[0\].events\[0\]: players: \['X', 'Y'\] are at the table"),
    "other players": (lambda d: d.update(players=["A", "B"]), r"moves\[0\].events\[0\]: players: \['A', 'B'\] are at the table"),
    "no events": (lambda d: d["moves"][5].update(events={}), r"moves\[5\].events: expected a list, got {}"),
    "events in a text": (lambda d: d["moves"][5].update(events=""), r"moves\[5\].events: expected a list, got ''"),
    "tickets in a text": (lambda d: d["moves"][1]["action"].update(tickets="ab"), r"moves\[1\].action.tickets: expected a list"),
    "a first seat that is not there": (lambda d: d["moves"][0]["events"][0].update(first_seat=77), r"events\[0\]: a game of 2 has no seat 77"),
    "a first seat below all": (lambda d: d["moves"][0]["events"][0].update(first_seat=-1), "has no seat -1"),
    "a question to nobody": (lambda d: d["moves"][5]["events"].append(asked("core.Turn", seat=9)), r"decision: a game of 2 has no seat 9"),
    "a question that is none": (lambda d: d["moves"][5]["events"].append(asked("core.HiddenDecision", seat=0, kind="Turn")), "nobody can be asked a HiddenDecision"),
    "a question about no tickets": (lambda d: d["moves"][-1]["events"].append(asked("core.TicketChoice", seat=0, tickets=["nosuch"])), "'nosuch' is not a ticket of europe"),
    "a number that is far too large": (lambda d: d["moves"][-1].update(chance_calls=int("9" * 4300)), "a whole number of at most 9007199254740992"),
    "a seat that is a giant": (lambda d: d["moves"][1]["action"].update(seat=10**30), "a whole number of at most"),
    "half a game": (lambda d: d.update(moves=d["moves"][:1] + d["moves"][9:]), "moves|fit together"),
}  # fmt: skip


def asked(tag: str, **fields: object) -> dict[str, object]:
    return {"type": "core.DecisionOpened", "decision": {"type": tag, **fields}}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_a_saved_game_is_said_with_its_place(name: str) -> None:
    change, match = WRONG[name]
    game = played(("europe",), 3, 30)
    with pytest.raises(SaveError, match=match):
        ttr.loads(edited(game, change), verify=name == "half a game")


@pytest.mark.parametrize("what", [None, 3, [], object()])
def test_what_is_no_game_is_no_text(what: object) -> None:
    with pytest.raises(ttr.TTRError, match="expected a game"):
        ttr.dumps(what)  # type: ignore[arg-type]
    with pytest.raises(SaveError, match="a saved game is a string"):
        ttr.loads(what)  # type: ignore[arg-type]


def test_an_option_that_is_missing_is_as_it_is_by_default() -> None:
    """It is newer than the game, or somebody took it out."""
    game = ttr.new_game("europe", players=2, seed=1)
    for change in (lambda d: d.update(stack=[["europe", {}]]), lambda d: d["stack"][0][1].pop("tie_break")):
        assert ttr.loads(edited(game, change)) == ttr.loads(edited(game, change), rules=game.rules) == game
    first = ttr.new_game("europe:tie_break=P6", players=2, seed=1)
    text = edited(first, lambda d: d["stack"][0][1].pop("tie_break"))
    with pytest.raises(SaveError, match="fingerprints differ"):
        ttr.loads(text)
    with pytest.raises(SaveError, match="^stack: .* other options of 'europe'"):
        ttr.loads(text, rules=first.rules)


def test_the_options_of_a_plugin_are_kept() -> None:
    game = ttr.new_game("europe:tie_break=P6", players=2, seed=1)
    again = ttr.loads(ttr.dumps(game))
    assert again == game and again.rules.options["europe"] == {"tie_break": "P6", "station_choice": "best"}
    assert game.rules.fingerprint != rules_of("europe").fingerprint


@pytest.mark.parametrize("data", [b"", b"z", b"}", b"\xff"])
def test_bytes_that_are_no_text_are_no_packed_game_either(data: bytes) -> None:
    with pytest.raises(
        SaveError,
        match=r"^(not a saved game: neither the JSON of one nor|not a saved game: this packed game is cut short)",
    ):
        ttr.loads(data)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[" * 100_000, r"nested too deeply \(limit 40\)"),
        (f'{{"seed": {"9" * 5000}}}', "a number in it is too long"),
        (b'{"seed": "\xff"}', "not UTF-8 at byte 11"),
        ('{"seed": }', "not JSON at column 10"),
    ],
)
def test_text_that_cannot_be_read_is_refused_in_words_of_the_library(text: str | bytes, problem: str) -> None:
    with pytest.raises(SaveError, match=f"^not a saved game: {problem}$"):
        ttr.loads(text)


def test_rules_without_a_plugin_of_the_game_are_others() -> None:
    text = ttr.dumps(played(("europe",), 1, 0))
    with pytest.raises(SaveError, match="played by different rules than north-america has here"):
        ttr.loads(text, rules=rules_of("north-america"))


def test_chance_and_rules_that_are_none_are_refused() -> None:
    text = ttr.dumps(played(("europe",), 1, 0))
    with pytest.raises(SaveError, match="shuffled and roll"):
        ttr.loads(text, chance=3)  # type: ignore[arg-type]
    with pytest.raises(SaveError, match="compile_rules"):
        ttr.loads(text, rules="europe")  # type: ignore[arg-type]
    with pytest.raises(ttr.InvalidInputError, match="not both"):
        ttr.new_game("europe", players=2, seed=1, chance=ScriptedChance())


def test_packed_games_that_are_cut_or_far_too_big_are_refused() -> None:
    packed = pack(played(("europe",), 1, 5))
    assert len(packed) < len(ttr.dumps(played(("europe",), 1, 5))) / 3
    for end in range(0, len(packed), 7):
        with pytest.raises(SaveError):
            ttr.loads(packed[:end])
    import zlib

    with pytest.raises(SaveError, match="more than|too long"):
        ttr.loads(zlib.compress(b" " * 50_000_000))
    with pytest.raises(SaveError, match="too long"):
        ttr.loads(" " * 16_000_001)
    with pytest.raises(SaveError):
        ttr.loads("[" * 100_000)
    assert ttr.loads(ttr.dumps(played(("europe",), 1, 5)).encode()) == played(("europe",), 1, 5)


@pytest.mark.parametrize("more", [0, 1])
def test_a_packed_game_is_unpacked_to_its_limit(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    import zlib

    text = ttr.dumps(played(("europe",), 1, 0))
    limit = len(text) // 2 * 2 + 100 + more
    monkeypatch.setattr("ttr_rules.saves.saving.LONGEST_SAVE", limit)
    monkeypatch.setattr("ttr_rules.reading.LONGEST_SAVE", limit)
    assert ttr.loads(zlib.compress(text.ljust(limit).encode())) == ttr.loads(text)
    with pytest.raises(SaveError, match=f"too long: {limit + 1} bytes"):
        ttr.loads(zlib.compress(text.ljust(limit + 1).encode()))
    for length in (limit + limit // 2, 9 * limit):
        with pytest.raises(SaveError, match=f"unpacked it has more than {limit} bytes"):
            ttr.loads(zlib.compress(text.ljust(length).encode()))


def test_a_game_cut_anywhere_is_refused() -> None:
    text = ttr.dumps(played(("north-america",), 1, 3))
    for end in range(0, len(text), 29):
        with pytest.raises(SaveError):
            ttr.loads(text[:end])


@pytest.mark.slow
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
    others: st.SearchStrategy[object] = (
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just([]) | st.just({})
    )
    here[key] = data.draw(others | st.just([[[]]]) | st.just({"type": "core.Turn", "seat": 0}))
    for verify in (False, True):
        try:
            ttr.loads(json.dumps(document), verify=verify)
        except SaveError as error:
            assert "Traceback" not in str(error) and len(str(error)) < 3000


# -- plugins that grow ------------------------------------------------------------------------------------------------


class Growing(Variant, name="growing", save_version=3):
    """Growing: every version writes the names of players with one more sign."""

    steps: ClassVar[list[int]] = []

    def upcast(self, document: dict[str, Any], version: int) -> dict[str, Any]:
        self.steps.append(version)
        names = [f"{name}+" for name in document["players"]]
        document["moves"][0]["events"][0]["players"] = names
        return {**document, "players": names}


def test_a_plugin_brings_its_older_games_up_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Growing, "steps", [])
    monkeypatch.setattr("ttr_rules.saves.saving.load_plugin", lambda name: pytest.fail(f"{name} was looked for"))
    rules = ttr.compile_rules("europe", Growing)
    game = ttr.new_game(rules=rules, players=["A", "B"], seed=1)
    assert json.loads(ttr.dumps(game))["versions"] == {"growing": 3}
    assert ttr.loads(ttr.dumps(game), rules=rules) == game and Growing.steps == []
    old = edited(game, lambda d: d.update(versions={}, fingerprint="another"))
    assert ttr.loads(old, rules=rules).players == ("A++", "B++") and Growing.steps == [1, 2]
    changes: tuple[Callable[[Any], object], ...] = (  # what is brought up to date is of these rules, or it is refused
        lambda d: d["stack"].pop(0),
        lambda d: d["stack"][0][1].update(tie_break="P6"),
        lambda d: d["stack"].append(["train-cards", {"second_card_optional": True}]),
    )
    for change in changes:
        with pytest.raises(SaveError, match="^stack: "):
            ttr.loads(edited(ttr.loads(old, rules=rules), lambda d: (change(d), d.update(versions={}))), rules=rules)
    for broken, match in (
        (lambda self, d, v: 3, "gave 3"),
        (lambda self, d, v: d["x"], "failed: KeyError"),
        (lambda self, d, v: {**d, "versions": []}, r"^versions: expected an object, got \[\]$"),
    ):

        class Broken(Growing, name="growing", save_version=3):
            """Growing: with an upcast that fails."""

            upcast = broken  # type: ignore[assignment]

        with pytest.raises(SaveError, match=match):
            ttr.loads(old, rules=ttr.compile_rules("europe", Broken))


def test_an_installed_plugin_brings_its_older_games_up_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    old = edited(
        ttr.new_game("europe", Growing, players=["A", "B"], seed=1),
        lambda d: d.update(versions={"growing": 2}, fingerprint="another"),
    )
    real = metadata.entry_points
    monkeypatch.setattr(metadata, "entry_points", lambda **wanted: [*real(**wanted), Entry(Growing)])
    assert ttr.loads(old).players == ("A+", "B+")


class Entry:
    """What stands for an installed plugin."""

    name = "growing"
    dist = None
    value = "growing:Growing"

    def __init__(self, plugin: object) -> None:
        self.load = lambda: plugin


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
    with pytest.raises(ttr.InvalidInputError, match="nothing to undo"):
        again.undo()
    for wrong in (-1, game.played + 1, True, "1", None):
        with pytest.raises(ttr.InvalidInputError, match="actions were played"):
            game.at(wrong)  # type: ignore[arg-type]


def test_a_finished_game_that_is_taken_back_has_no_scores() -> None:
    game = played(("europe",), 3, 2000)
    assert game.is_over
    move = game.undo()
    assert move.action is not None and game.to_act
    assert [game.final_scores] == [None]
    game.play(move.action)
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


# -- rules ------------------------------------------------------------------------------------------------------------


def test_a_name_is_no_rules() -> None:
    for call in (lambda: ttr.playout("europe", 3, 1), lambda: ttr.new_game(players=3, rules="europe")):  # type: ignore[arg-type]
        with pytest.raises(ttr.InvalidInputError, match="expected rules, as compile_rules gives them, got 'europe'"):
            call()


def test_a_list_of_a_fixed_length_has_that_length() -> None:
    made = exact_converter(100)
    assert made.structure([1, "a"], tuple[int, str]) == (1, "a")
    for other in ([1], [1, "a", "b"]):
        with pytest.raises(ValueError, match=f"expected a list of 2, got one of {len(other)}"):
            made.structure(other, tuple[int, str])
