"""Bad input: whatever a caller gives, one `TTRError` with a message for a person, and the game is as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from helpers import keep_all
from playing import frozen

import ttr_rules as ttr


def ready(stack: str = "europe", players: int = 3) -> ttr.Game:
    """A game in its first turn, seat 0 to act."""
    game = ttr.new_game(stack, players=players, seed=2, first_seat=0)
    keep_all(game)
    return game


def readable(error: BaseException) -> str:
    """The message of an error, which must be for a person."""
    message = str(error)
    assert len(message) > 8
    assert "Traceback" not in message and "\n    " not in message
    return message


def told(call: Callable[[], object], kind: type[ttr.TTRError] = ttr.TTRError) -> str:
    with pytest.raises(ttr.TTRError) as caught:
        call()
    assert isinstance(caught.value, kind), repr(caught.value)
    return readable(caught.value)


def unplayable(game: ttr.Game, action: ttr.Action, rule: str | None = None) -> str:
    """An action that is refused everywhere and changes nothing; the message."""
    before, moves, seats = frozen(game.state), game.moves, game.to_act
    refusal = game.refusal(action)
    assert refusal is not None, f"{action} is legal"
    if rule is not None:
        assert refusal.rule == rule, refusal
    assert not game.is_legal(action)
    with pytest.raises(ttr.IllegalActionError) as caught:
        game.play(action)
    assert caught.value.refusal == refusal
    assert caught.value.action == action
    assert not hasattr(caught.value, "state")  # it would hold every secret
    assert isinstance(caught.value, ValueError)
    assert str(caught.value) == f"[{refusal.rule}] {refusal.reason}"
    assert (frozen(game.state), game.moves, game.to_act) == (before, moves, seats)
    return readable(caught.value)


# -- set-up ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", ["europe", None, 7])
def test_paths_need_a_board(board: Any) -> None:
    with pytest.raises(ttr.InvalidInputError, match="a board is needed"):
        ttr.longest_path(board, ["berlin-essen-blue"])


@pytest.mark.rule("C1")
def test_one_card_is_one_card() -> None:
    game = ttr.arrange(None, {"stack": ["europe"], "players": [{"hand": {"red": 2}}, {}]})
    refusal = game.refusal(ttr.ClaimRoute(0, "budapest-wien-red", {"red": 2}))
    assert str(refusal) == "[C1] 1 card is asked for, not 2 (2 red)"
