"""The words of choices, on every stack: a label for every entry of an offer, no two of them the same."""

from __future__ import annotations

from collections import Counter
from random import Random

from helpers import rules_of
from official import every_map

import ttr_rules as ttr
from ttr_rules.model import KeepTickets
from ttr_tools.narration import Names
from ttr_tools.narration.menus import action_label, offer_words, payment_label, places_on_board


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
