"""Packages as third parties write them: each says a rule or two in few lines, and all of them play together in any order."""

from __future__ import annotations

import ast
import json
import tomllib
from collections import Counter
from importlib import import_module
from importlib.metadata import EntryPoint
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest
from helpers import names_in
from jsonschema import Draft7Validator
from test_imports import PUBLIC
from third_party import BASES, PLUGINS, PROJECTS, STACKS, played_to_the_end, site

import ttr_rules as ttr
from ttr_rules import FinalScores
from ttr_rules.clients import Update, client_schema, read_server_message
from ttr_rules.errors import PluginError
from ttr_rules.plugins import Variant, discovery, option
from ttr_rules.train_cards import CardPiles
from ttr_tools.bots import Bot
from ttr_tools.testing import check_variant
from ttr_tools.testing.runs import Picks

__all__ = ["site"]

#: What a plugin must be able to say: by which package, and by which names of the library in it.
ROWS = {
    "a seat may not claim a route now": ("licences", {"claim_refusal", "claim_key"}),
    "the same by chance, turn by turn": ("night", {"claim_refusal", "on_turn_start"}),
    "an action is allowed only if": ("tolls", {"Around", "refuse"}),
    "an action is followed by": ("tolls", {"Around", "after"}),
    "an action is replaced": ("mail", {"replaces"}),
    "a claim takes more cars": ("crossings", {"route_cars"}),
    "cars are taken": ("mail", {"use_cars"}),
    "a claim costs less": ("licences", {"claim_cost"}),
    "a claim is worth more": ("mail", {"route_points"}),
    "points during play": ("crossings", {"points_in_play", "score"}),
    "points for others during play": ("tolls", {"points_in_play", "score"}),
    "when a turn begins": ("night", {"on_turn_start"}),
    "when a turn ends": ("warehouses", {"on_turn_end", "Question"}),
    "an extra turn": ("licences", {"grant_turn"}),
    "a free action": ("licences", {"free"}),
    "set-up by chance": ("mail", {"on_deal", "shuffled"}),
    "a hidden store of cards": ("warehouses", {"by_seat", "secret"}),
    "hidden things of one's own": ("shares", {"by_seat", "box"}),
    "a question after a claim": ("shares", {"on_claim", "Question"}),
    "a bonus by rank": ("extra-tickets", {"ranked", "bonuses"}),
    "more tickets": ("extra-tickets", {"ticket_deck", "beside", "draw_counts"}),
    "what a term counts": ("twice", {"Detail"}),
    "an action of its own": ("telegraph", {"ActionRule", "PaidRule", "actions"}),
    "state of its own, in score files": ("telegraph", {"Part", "public"}),
    "a mark on routes": ("mail", {"marks"}),
    "an option and a line of explain": ("mail", {"option", "notes"}),
    "what bots think of an action": ("telegraph", {"ActionValue"}),
    "what bots think of a route": ("crossings", {"route_values"}),
}


def source_of(plugin: str) -> Path:
    return next(PROJECTS[plugin.replace("-", "_")].glob("src/*/__init__.py"))


def code_lines(source: Path) -> int:
    """The lines of a module without blank ones, docstrings and imports."""
    text = source.read_text(encoding="utf-8")
    skipped: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and (is_text or isinstance(node, ast.Import | ast.ImportFrom)):
            skipped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return sum(bool(line.strip()) for number, line in enumerate(text.splitlines(), 1) if number not in skipped)


def names_used(source: Path) -> set[str]:
    """The names that a module uses or defines."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    found = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    found |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    found |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return found | {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg}


# -- what each of them says ------------------------------------------------------------------------------------------


def test_there_are_packages_enough_and_each_says_something() -> None:
    assert len(PROJECTS) >= 8
    assert {plugin for plugin, _ in ROWS.values()} == set(PLUGINS)


@pytest.mark.parametrize("row", ROWS)
def test_each_row_is_said_by_a_package(row: str) -> None:
    plugin, wanted = ROWS[row]
    assert wanted <= names_used(source_of(plugin))


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_rule_takes_fewer_than_sixty_lines(plugin: str) -> None:
    rules = sum(each == plugin for each, _ in ROWS.values())
    assert code_lines(source_of(plugin)) < 60 * rules


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_package_is_called_as_its_project_says(plugin: str) -> None:
    project = tomllib.loads((PROJECTS[plugin.replace("-", "_")] / "pyproject.toml").read_text("utf-8"))["project"]
    assert list(project["entry-points"]["ttr_rules.plugins"]) == [plugin]
    found = {each.name: each for each in ttr.installed()}[plugin]
    assert found.distribution == project["name"] and found.problem is None


@pytest.mark.parametrize("source", [*map(source_of, PLUGINS)], ids=lambda source: source.parent.name)
def test_packages_use_public_names_alone(source: Path) -> None:
    tree = ast.parse(source.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ttr"):
            assert node.module in PUBLIC, f"line {node.lineno}: {node.module}"
            assert {each.name for each in node.names} <= {*names_in(import_module(node.module))}, f"line {node.lineno}"
        elif isinstance(node, ast.Import):
            assert not any(each.name.startswith("ttr") for each in node.names), f"line {node.lineno}"


def test_a_bot_buys_the_licence_that_its_ticket_needs_with_cards_that_it_does_not() -> None:
    """Two of these tickets need a ferry or a tunnel, the third does not."""
    hand = {"blue": 2, "red": 4}
    for ticket, buys in (("palermo-constantinople", True), ("kobenhavn-erzurum", True), ("zagrab-brindisi", False)):
        cities = ticket.split("-")
        position = {"seed": 1, "players": [{"tickets": [cities], "hand": hand}, {}]}
        game = ttr.arrange(ttr.compile_rules("europe", "licences"), position)
        action = Bot(1).choose(game.view(0), game.rules, game.legal_actions(0))
        assert (type(action).__name__ == "BuyLicence") == buys, ticket


# -- options ---------------------------------------------------------------------------------------------------------


def test_an_option_is_set_by_name_and_a_misspelt_one_names_those_there_are() -> None:
    assert ttr.compile_rules("europe", "mail:bags=8").options["mail"] == {"bags": 8}
    for four in (4, "4"):  # a command line has strings alone
        assert ttr.compile_rules("europe", "mail", rulings={"bags": four}).options["mail"] == {"bags": 4}
    with pytest.raises(PluginError, match="plugin 'mail' has no option 'bag'; did you mean bags\\? It has bags"):
        ttr.compile_rules("europe", "mail:bag=8")
    with pytest.raises(PluginError, match="'bags' is 6 or 4 or 8, not 7"):
        ttr.compile_rules("europe", "mail:bags=7")
    with pytest.raises(PluginError, match="plugin 'twice' has no options"):
        ttr.compile_rules("europe", "twice:points=7")


class Editions(Variant, name="editions"):
    """Editions: options of every sort, written as the annotation says."""

    edition: str = option("1912", "1910")
    table: Literal["1", "2"] | None = option(None, "1", "2")
    cars: int = option(45)
    small: bool = option(False, True)
    title: str | None = option(None)
    anything: Any = option(None)


@pytest.mark.parametrize(
    ("written", "option", "value"),
    [
        ("edition=1910", "edition", "1910"),
        ("table=2", "table", "2"),
        ("cars=40", "cars", 40),
        ("small=true", "small", True),
        ("title=1912", "title", "1912"),
        ("anything=[1]", "anything", [1]),
        ("anything=P6", "anything", "P6"),
    ],
)
def test_options_are_converted_by_their_annotations(
    written: str, option: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = EntryPoint("editions", f"{__name__}:Editions", "ttr_rules.plugins")
    monkeypatch.setattr(discovery, "_find_point", lambda name: point)
    plugin = discovery.load_plugin(f"editions:{written}")
    assert isinstance(plugin, Editions)
    found = getattr(plugin, option)
    assert found == value and type(found) is type(value)


# -- the stack in any order ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.thorough_but("north-america", "nordic-countries")
@pytest.mark.parametrize("base", BASES)
def test_every_order_of_a_stack_gives_the_same_rules(base: str) -> None:
    """All 24 orders of a map, dice and two packages; each package is in one of the stacks."""
    pairs = list(zip(PLUGINS[::2], PLUGINS[1::2], strict=True))
    for pair in pairs[BASES.index(base) :: len(BASES)]:
        compiled = [ttr.compile_rules(*stack) for stack in permutations((base, "dice", *pair))]
        assert len({rules.fingerprint for rules in compiled}) == 1, pair
        assert len({tuple(rules.types) for rules in compiled}) == 1, pair
        assert compiled[0].explain() == compiled[-1].explain(), pair
        assert ttr.playout(compiled[0], 2, seed=1) == ttr.playout(compiled[-1], 2, seed=1), pair


@pytest.mark.slow_cases("north-america dice", "europe dice", "europe", "north-america")
@pytest.mark.parametrize("stack", STACKS, ids=" ".join)
def test_all_packages_at_once_in_many_orders(stack: tuple[str, ...]) -> None:
    names, shuffle = [*stack, *PLUGINS], Random("orders").shuffle
    first = ttr.compile_rules(*names)
    assert set(PLUGINS) <= first.contributing
    for _ in range(5):
        shuffle(names)
        assert ttr.compile_rules(*names).fingerprint == first.fingerprint, names


# -- whole games -----------------------------------------------------------------------------------------------------


def cards_in(game: ttr.Game) -> Counter[str]:
    """All train cards of a game by kind, wherever they are."""
    piles = game.state.part(CardPiles)
    found = Counter(
        [*piles.face_up, *piles.draw_pile, *piles.discards, *(piles.kinds[card] for card in piles.revealed)]
    )
    lots = [*piles.hands, *([piles.laid] if piles.laid else [])]
    for lot in lots:
        found.update(dict(lot))
    for part in game.state.parts.values():
        found.update(() if isinstance(part, CardPiles) else part.items_in("cards"))
    return found


def check_worlds(game: ttr.Game, seed: int) -> None:
    """Sampled worlds look as the game does, and have its deck in them."""
    for seat in (None, *range(len(game.players))):
        world = ttr.determinize(game.view(seat), game.rules, seed=seed)
        assert world.view(seat) == game.view(seat)
        if CardPiles in game.state.parts:
            assert cards_in(world) == cards_in(game) == Counter(dict(game.state.part(CardPiles).decks.cards))


@pytest.mark.slow
@pytest.mark.thorough_but("europe dice")
@pytest.mark.parametrize("stack", STACKS, ids=" ".join)
def test_games_are_played_saved_verified_and_sampled(stack: tuple[str, ...]) -> None:
    game, picks = ttr.new_game(*stack, *PLUGINS, players=2, seed=11), Picks(11)
    schema = Draft7Validator(client_schema(game.rules))
    happened: Counter[str] = Counter()
    while game.to_act:
        if game.played % 30 == 5:
            check_worlds(game, game.played)
            assert ttr.loads(ttr.dumps(game)) == game
            for seat in (None, 0):
                update = Update.of(game, seat, since=game.played - 5)
                sent = json.dumps(ttr.to_json(game.rules, update))
                schema.validate(json.loads(sent))
                assert read_server_message(game.rules, sent) == update
        happened.update(type(event).__name__ for event in game.play(picks.action(game.legal_actions(picks.seat(game)))))
    text = ttr.dumps(game)
    loaded = ttr.loads(text, verify=True)
    assert loaded == game and loaded.final_scores == game.final_scores
    expected = {"BagCarried", "LicenceBought", "OfficeOpened", "PointsScored", "ShareTaken", "SkyRolled"}
    assert expected - ({"LicenceBought"} if stack[0] == "north-america" else set()) <= set(happened)
    assert ("CardStored" in happened) == ("dice" not in stack)
    check_worlds(game, 0)
    sheet = game.final_scores
    assert sheet is not None
    for player in sheet.players:
        assert set(sheet_terms(sheet, player.seat)) >= {"crossings", "mail", "shares", "telegraph", "tolls", "twice"}


@pytest.mark.parametrize("players", [2, 4, 5])
def test_no_more_shares_are_taken_than_there_are(players: int) -> None:
    """Games with dice are long: every seat takes as many as it may."""
    game = played_to_the_end("europe", "dice", "shares", players=players, seed=1)
    part: Any = next(part for part in game.state.parts.values() if type(part).__name__ == "Shares")
    taken = Counter(share for lot in part.held for share in lot)
    assert part.left == 36 - taken.total() >= 0 and max(taken.values()) <= 12
    check_worlds(game, 1)


def sheet_terms(sheet: FinalScores, seat: int) -> dict[str, int]:
    return {name: term.points for name, term in sheet.players[seat].terms.items()}


# -- the kit ---------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(3))
def test_the_kit_finds_nothing_in_a_few_packages(number: int) -> None:
    """Each package beside two or three others."""
    report = check_variant("nordic-countries", *PLUGINS[number::3], players=2, games=1)
    assert report.games == 1


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("stack", "players"),
    [((BASES[0], "dice"), 3), ((BASES[1],), 2)],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_the_kit_finds_nothing_in_all_packages_together(stack: tuple[str, ...], players: int) -> None:
    report = check_variant(*stack, *PLUGINS, players=players, games=1, skip=["processes"])
    assert report.games == 1
