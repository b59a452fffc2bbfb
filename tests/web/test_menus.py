"""The words of choices, on every stack: a label for every entry of an offer, no two of them the same."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from helpers import rules_of
from official import every_map

import ttr_rules as ttr
from ttr_rules.errors import PluginError
from ttr_rules.language import Message, Seat
from ttr_rules.model import KeepTickets
from ttr_rules.plugins import Choice, Confirm, Question, Transaction, Variant, hookimpl
from ttr_tools.narration import Names
from ttr_tools.narration.menus import action_label, menu, offer_words, payment_label, places_on_board


@every_map
def test_every_choice_has_a_label_of_its_own(stack: tuple[str, ...]) -> None:
    rules = rules_of(*stack)
    game = ttr.new_game(rules=rules, players=rules.components.min_players, seed=3)
    names, chance = Names(rules, game.players), Random(1)
    while game.to_act and game.played < 120:
        seat = game.to_act[0]
        if game.played < 6 or chance.random() < 0.15:
            _check_menu(game, seat, names)
        actions = game.legal_actions(seat)
        game.play(actions[chance.randrange(len(actions))])


def _check_menu(game: ttr.Game, seat: int, names: Names) -> None:
    found = offer_words(game, seat, names)
    assert found is not None and found["question"]
    kinds = game.offer(seat).kinds
    assert len({kind["label"] for kind in found["kinds"]}) == len(kinds) == len(found["kinds"])
    for kind, words in zip(kinds, found["kinds"], strict=True):
        listed = [purchase.cheapest for purchase in kind.purchases] or list(kind.actions)
        assert len(words["labels"]) == len(words["named"]) == len(listed)
        twice = [label for label, count in Counter(words["labels"]).items() if count > 1]
        assert not twice, (kind, twice)
        assert len(listed) == 1 or all(words["labels"]), kind
        if kind.purchases:
            assert len(words["prices"]) == len(listed) and all(words["prices"])
            page = game.payments(listed[0], 0, 100)
            told = [payment_label(action, names) for action in page.actions]
            assert len(set(told)) == len(told)
        if isinstance(listed[0], KeepTickets) and "tickets" in words:
            ticked = {ticket["id"] for ticket in words["tickets"]}
            assert all(set(action.tickets) <= ticked for action in listed if isinstance(action, KeepTickets))


def test_what_an_action_names_on_the_board_can_be_clicked() -> None:
    game = ttr.arrange(
        None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada", "hand": {"red": 3}}, {"name": "Bo"}]}
    )
    names = Names(game.rules, game.players)
    for kind in game.offer(0).kinds:
        for purchase in kind.purchases:
            places = places_on_board(purchase.cheapest, names)
            assert len(places) == 1 and (places[0] in game.rules.board.routes or places[0] in game.rules.board.cities)
    assert action_label(ttr.DrawBlind(0), names) == "" and places_on_board(ttr.DrawBlind(0), names) == []


def test_who_has_nothing_to_decide_has_no_menu() -> None:
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    assert offer_words(game, 1, Names(game.rules, game.players)) is None


class Gift(Choice[int]):
    """Somebody who gets a card."""

    passing = "Keep it"
    most: int = 3

    def options(self, state: ttr.State) -> range:
        return range(1, self.most)

    def label(self, option: int) -> str:
        return Message("Give it to {seat}", seat=Seat(option))

    def chosen(self, tx: Transaction, option: int) -> None:
        """Nothing follows."""


class Wordless(Gift):
    """A gift whose text fails, or is none."""

    def label(self, option: int) -> Any:
        return 5 if option == 1 else f"{1 // (option - 2)}"


def test_a_text_that_fails_names_the_choice() -> None:
    game = ttr.new_game("europe", players=2, seed=1)
    names, choice = Names(game.rules, game.players), Wordless(0)
    with pytest.raises(PluginError, match="label of the choice Wordless must give a text or None, not 5"):
        action_label(choice.choose(1), names, choice)
    with pytest.raises(PluginError, match="label of the choice Wordless failed: ZeroDivisionError"):
        action_label(choice.choose(2), names, choice)
    assert choice.label_of(ttr.Pass(0)) is None and choice.label_of(choice.choose(3)) == "1"


class Nod(Confirm):
    """A nod."""

    def chosen(self, tx: Transaction, option: bool) -> None:
        """Nothing follows."""


class NodOff(ttr.Action):
    message = "Nod off"
    soundly: bool


class Named(Nod):
    """A nod by an action of its own."""

    action = NodOff


class Asking(Variant, name="asking"):
    """Asking: three questions when a turn begins."""

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> Question:
        return [Gift(0), Gift(1, most=7), Nod(2), Named(3)]


def test_a_choice_words_its_options() -> None:
    rules = ttr.compile_rules("europe", Asking)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"name": name} for name in ("Ada", "Bo", "Cy", "Di")]})
    english, german = (Names(rules, game.players, code) for code in ("en", "de"))
    for seat, menus, page in (
        (0, ["Give it to Bo", "Give it to Cy", "Keep it"], ["", "Keep it"]),
        (1, ["Choose (6)", "Keep it"], ["Choose", "Keep it"]),
        (2, ["Yes", "No"], ["", "No"]),
        (3, ["Nod off: yes", "No"], ["Nod off", "No"]),
    ):
        entries = menu(game, seat, english).children
        assert [entry.summary for entry in entries] == menus
        words: Any = offer_words(game, seat, english)
        assert [kind["label"] for kind in words["kinds"]] == page
        assert words["kinds"][0]["labels"] == [
            child.label.removeprefix("Nod off: ") for child in entries[0].children or entries[:-1]
        ]
    assert [entry.label for entry in menu(game, 2, german).children] == ["Ja", "Nein"]
