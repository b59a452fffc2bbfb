"""The variant by itself, installed under its name."""

from __future__ import annotations

import pytest
from ttr_telegraph import Offices, OpenOffice

import ttr_rules as ttr
from ttr_rules import Counts
from ttr_rules.plugins import Score
from ttr_tools.testing import check_variant, conformance_suite

TestOnEurope = conformance_suite("europe", "telegraph", games=1)


@pytest.mark.parametrize("stack", [("north-america", "telegraph"), ("europe", "dice", "telegraph")], ids=" + ".join)
def test_it_plays_on_other_stacks(stack: tuple[str, ...]) -> None:
    assert check_variant(*stack, players=2, games=1).games == 1


def test_it_is_installed_under_its_name() -> None:
    found = {each.name: each for each in ttr.installed()}["telegraph"]
    assert found.distribution == "ttr-telegraph" and found.problem is None


def test_an_office_is_paid_for_built_and_scored() -> None:
    game = ttr.arrange(
        ttr.compile_rules("europe", "telegraph"),
        {
            "seed": 1,
            "players": [
                {"name": "Ada", "routes": [["paris", "zurich"], ["paris", "brest"]], "hand": {"red": 1}},
                {"name": "Isambard"},
            ],
        },
    )
    cities = [action.city for action in game.legal_actions(0) if isinstance(action, OpenOffice)]
    assert sorted(cities) == ["brest", "paris", "zurich"]
    refusal = game.refusal(OpenOffice(0, "wien", Counts(red=1)))
    assert refusal is not None and refusal.reason == "no route of seat 0 ends in wien"
    game.play(OpenOffice(0, "paris", Counts(red=1)))
    assert game.state.part(Offices).offices == {"paris": 0} == game.view(1).part(Offices).offices
    (term,) = (term for term in game.rules.scoring_terms if term.name == "telegraph")
    assert term.score(game.state, 0) == Score(points=2, count=1)
