"""Packages of third parties beside maps on which any cards stand for others: no question takes much work or room."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import arranged
from test_offer import SIXTY, ask_everything, cheaply
from third_party import site

import ttr_rules as ttr
from ttr_variants.united_kingdom import TECHNOLOGIES

__all__ = ["site"]

OWNED = [id for id, technology in TECHNOLOGIES.items() if not technology.at_once]
BASES: dict[str, dict[str, Any]] = {
    "nordic-countries": {"routes": [["Oslo", "Bergen"], ["Oslo", "Göteborg"]]},
    "united-kingdom:advanced=true": {
        "routes": [["London", "Reading"], ["Leeds", "Manchester"]],
        "technologies": OWNED,
        "technology_points": {"boiler_lagging": 0, "steam_turbines": 0},
    },
}


@pytest.mark.slow
@pytest.mark.thorough_but("united-kingdom:advanced=true-licences", "nordic-countries-telegraph")
@pytest.mark.rule("N5", "U5")
@pytest.mark.parametrize(
    ("base", "plugin"),
    [(base, plugin) for base in BASES for plugin in ("licences", "telegraph")] + [("united-kingdom:advanced=true", "")],
)
def test_a_hand_of_sixty_cards_is_asked_about_quickly(base: str, plugin: str) -> None:
    rules = ttr.compile_rules(base, *filter(None, [plugin]))
    game = arranged(rules, {"hand": SIXTY, **BASES[base]}, {}, face_up=["white"] * 2, draw_pile=["red"])
    assert cheaply(lambda: len(game.legal_actions(0))) > 100_000
    ask_everything(game, 0)
