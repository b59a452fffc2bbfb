"""What a seat sees: its own secrets, everybody's open questions as far as they are public, and nothing else."""

import pickle
import re
from importlib import import_module
from typing import Any

import pytest
from helpers import rules_of, whole

import ttr_rules as ttr
from ttr_rules.errors import InvalidInputError
from ttr_rules.model import HiddenDecision, TicketChoice
from ttr_rules.parts import Fleets
from ttr_rules.plugins import Part
from ttr_rules.train_cards import CardPiles, SeenCards
from ttr_variants import europe
from ttr_variants.europe import LendRoutes


def ready(players: int = 3) -> ttr.Game:
    game = ttr.new_game("europe", players=players, seed=7, first_seat=0)
    for seat in game.to_act:
        game.play(game.legal_actions(seat)[0])
    return game


@pytest.mark.rule("S6")
@pytest.mark.parametrize("seat", [-1, 3, 7, "x", 1.0, True, [0]])
def test_a_seat_that_is_not_at_the_table_sees_nothing(seat: object) -> None:
    with pytest.raises(ttr.InvalidInputError, match="a seat is one of 0 to 2"):
        ready().view(seat)  # type: ignore[arg-type]


@pytest.mark.rule("S6")
def test_what_is_asked_is_seen_as_far_as_it_is_public() -> None:
    game = ready()
    for seat in (None, 0, 1, 2):
        assert game.view(seat).pending == (ttr.Turn(0),)
    game.play(ttr.DrawTickets(0))
    drawn = game.decision(0)
    assert isinstance(drawn, TicketChoice)
    assert game.view(0).pending == (drawn,)
    assert game.view(0).decision == drawn
    for seat in (None, 1, 2):
        view = game.view(seat)
        assert view.pending == (HiddenDecision(0, "TicketChoice", 3),)
        assert view.decision is None
        assert not any(ticket in whole(view) for ticket in drawn.tickets)


@pytest.mark.rule("S6")
def test_a_view_can_be_sent_and_not_changed() -> None:
    view = ready().view(1)
    assert pickle.loads(pickle.dumps(view)) == view
    with pytest.raises(TypeError):
        view.owners["frankfurt-paris-white"] = 1  # type: ignore[index]


def test_what_was_chosen_cannot_be_changed_afterwards() -> None:
    position = {
        "stack": ["europe"],
        "rulings": {"station_choice": "ask"},
        "turns_left": 1,
        "to_act": "A",
        "players": [{"name": "A", "stations": ["berlin"]}, {"name": "B", "routes": ["berlin-wien-green"]}],
    }
    game = ttr.arrange(None, position)
    game.play(ttr.DrawBlind(0))
    game.play(ttr.DrawBlind(0))
    decision = game.decision(0)
    with pytest.raises(TypeError):
        decision.options["berlin"] = ("elsewhere",)  # type: ignore[union-attr]
    given = {"berlin": "berlin-wien-green"}
    action = LendRoutes(0, given)
    game.play(action)
    given["berlin"] = "elsewhere"
    assert game.last_move.action.lends == {"berlin": "berlin-wien-green"}  # type: ignore[union-attr]
    assert hash(action) == hash(LendRoutes(0, {"berlin": "berlin-wien-green"}))
    with pytest.raises(TypeError):
        game.final_scores.players[0].lends["berlin"] = "elsewhere"  # type: ignore[index,union-attr]


@pytest.mark.parametrize("module", ["europe", "dice", "marklin"])
def test_the_types_of_a_variant_are_imported_from_the_variant(module: str) -> None:
    """And nothing else makes them known: the root has no name that a type checker does not see."""
    variant = import_module(f"ttr_variants.{module}")
    stack = ("marklin", "germany-tickets") if module == "marklin" else ("europe", module)
    kinds = [kind for kind in rules_of(*stack).types.values() if kind.__module__.startswith(variant.__name__)]
    assert len(kinds) > 4
    for kind in kinds:
        assert getattr(variant, kind.__name__) is kind
        with pytest.raises(AttributeError, match=f"no attribute '{kind.__name__}'"):
            getattr(ttr, kind.__name__)


@pytest.mark.rule("P5", "P6")
def test_the_tie_break_of_either_edition_can_be_chosen() -> None:
    anniversary, first = ttr.compile_rules("europe"), ttr.compile_rules("europe:tie_break=P6")
    assert not anniversary.same_as(first)
    # Equal points and tickets: Ada holds the longest path (10), Otto has built no station (4 more, and routes for 6 more).
    table: dict[str, Any] = {
        "players": [
            {"name": "Ada", "routes": ["berlin-frankfurt-black", "frankfurt-munchen-purple"], "stations": ["wien"]},
            {"name": "Otto", "routes": ["edinburgh-london-black", "barcelona-marseille-gray"]},
        ]
    }
    # 4 + 2 + 8 + 10 for Ada's path of 5 is no tie yet: Otto's two routes of 4 make no path longer than 4.
    totals = [player.total for player in ttr.score(anniversary, table).players]
    assert totals == [24, 26]
    table["players"][0]["routes"].append("kyiv-wilno-gray")  # 2 more
    for rules, winners in ((anniversary, ("Ada",)), (first, ("Otto",))):
        scores = ttr.score(rules, table)
        assert [player.total for player in scores.players] == [26, 26]
        assert scores.winners == winners


class Stations(Part):
    """A part with the name of another."""


def test_a_part_that_a_view_shows_in_another_form_is_named_with_that_form() -> None:
    view = ttr.new_game("europe", players=2, seed=1).view(0)
    assert view.has_part(CardPiles) and view.has_part(SeenCards) and view.has_part(europe.Stations)
    assert not view.has_part(Fleets) and not view.has_part(Stations)
    assert view.part(SeenCards).hand_sizes == (4, 4)
    for kind, words in (
        (CardPiles, "CardPiles in the form of SeenCards: use part(SeenCards)"),
        (Stations, "this view shows no Stations; it shows CardPiles, Stations"),
    ):
        with pytest.raises(InvalidInputError, match=re.escape(words)):
            view.part(kind)
