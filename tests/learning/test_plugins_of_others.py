"""Plugins of third parties: their actions and parts have places in the spaces too."""

from __future__ import annotations

import pytest
from third_party import PLUGINS, site

from ttr_rules import compile_rules
from ttr_tools.learning import NumberedGame, env

__all__ = ["site"]


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_game_with_a_plugin_of_a_third_party(plugin: str) -> None:
    game = env("europe", plugin)
    game.reset(seed=1)
    for agent in game.agent_iter(600):
        seen, _, termination, truncation, _ = game.last()
        over = termination or truncation
        game.step(None if over else game.action_space(agent).sample(seen["action_mask"]))


def test_parts_of_third_parties_are_observed() -> None:
    plain, more = (
        NumberedGame(compile_rules(*stack), 2).encoder.names for stack in (["europe"], ["europe", "licences"])
    )
    assert any(name.startswith("part.") for name in set(more) - set(plain))
