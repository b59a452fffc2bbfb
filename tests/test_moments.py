"""Moments: which action was meant for an earlier one, also where several seats are asked at once."""

from __future__ import annotations

import pickle
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers import rules_of
from official import every_map
from playing import frozen

import ttr_rules as ttr
from ttr_rules.errors import NotYourTurnError, OutdatedActionError
from ttr_rules.model import TicketSetup
from ttr_rules.play import course


def outdated(game: ttr.Game, action: ttr.Action, expected: Any) -> None:
    before = frozen(game.state)
    with pytest.raises(OutdatedActionError):
        game.play(action, expected=expected)
    assert frozen(game.state) == before


@every_map
@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_all_seats_answer_the_questions_of_set_up_in_any_order(order: tuple[int, ...], stack: tuple[str, ...]) -> None:
    """Each with the moment that it was sent when it was asked, whatever the others have answered since."""
    game = ttr.new_game(rules=rules_of(*stack), players=3, seed=1)
    sent = {seat: (game.decision(seat), game.moment(seat)) for seat in range(3)}
    late = 0
    while len(game.to_act) > 1 or not isinstance(game.decision(game.to_act[0]), ttr.Turn):
        for seat in order:
            if seat not in game.to_act:
                continue
            asked, moment = sent[seat]
            assert game.decision(seat) == asked and game.moment(seat) == moment
            late += moment < game.played
            action = game.legal_actions(seat)[0]
            for wrong in (moment - 1, game.played + 1):
                outdated(game, action, wrong)
            game.play(action, expected=moment)
            if game.decision(seat) is None:
                outdated(game, action, moment)  # sent twice
            for each in range(3):
                if each == seat or game.decision(each) != sent[each][0]:  # asked something new, or nothing
                    assert game.moment(each) == game.played
                    sent[each] = (game.decision(each), game.moment(each))
    assert late >= 2


def test_a_client_that_looked_in_between_may_say_so() -> None:
    """`played` when it looked is as good as the moment."""
    game = ttr.new_game("europe", players=3, seed=1)
    game.play(game.legal_actions(2)[0], expected=0)
    looked = game.played
    game.play(game.legal_actions(1)[0], expected=looked)
    outdated(game, game.legal_actions(0)[0], 3)
    outdated(game, game.legal_actions(0)[0], -1)
    game.play(game.legal_actions(0)[0], expected=looked)
    assert game.played == 3


@every_map
def test_in_turns_the_moment_is_the_number_of_actions(stack: tuple[str, ...]) -> None:
    """Every action must be seen before the next one."""
    game, random = ttr.new_game(rules=rules_of(*stack), players=2, seed=2), Random(2)
    while not isinstance(game.decision(game.to_act[0]), ttr.Turn):
        game.play(game.legal_actions(game.to_act[0])[0])
    for _ in range(60):
        if not game.to_act:
            break  # a short game
        seat = game.to_act[0]
        choices = game.legal_actions(seat)
        action = choices[random.randrange(len(choices))]
        assert [game.moment(each) for each in (0, 1)] == [game.played] * 2
        for wrong in (game.played - 1, game.played + 1):
            outdated(game, action, wrong)
        game.play(action, expected=game.moment(seat))


def test_moments_are_those_of_the_history(tmp_path: Path) -> None:
    """However one got to the game: they are the same in a loaded, copied, pickled or resumed one, and after undo."""
    game = ttr.new_game("mega-europa", players=3, seed=1)
    for seat in (1, 0, 2, 2):
        game.play(game.legal_actions(seat)[0])
    moments = [game.moment(seat) for seat in range(3)]
    assert moments == [3, 3, 4] and game.to_act == (0, 1)
    with ttr.Journals(tmp_path / "games.db") as journals:
        journals.begin(game, "a")
        journal = journals.resume("a")
        for other in (
            ttr.loads(ttr.dumps(game)),
            game.copy(),
            game.at(4),
            pickle.loads(pickle.dumps(game)),
            journal.game,
        ):
            assert [other.moment(seat) for seat in range(3)] == moments
        action = game.legal_actions(0)[0]
        with pytest.raises(OutdatedActionError):
            journal.play(action, expected=2)
        journal.play(action, expected=3)
        journal.undo()
        assert [journal.game.moment(seat) for seat in range(3)] == moments
    game.undo()
    assert [game.moment(seat) for seat in range(3)] == [3, 3, 3]


@pytest.mark.parametrize("expected", [True, 0.0, "0", [0], 10**5000], ids=lambda each: type(each).__name__)
def test_what_is_no_number_of_actions_is_no_moment(expected: Any) -> None:
    game = ttr.new_game("europe", players=2, seed=1)
    game.play(game.legal_actions(0)[0])
    outdated(game, game.legal_actions(1)[0], expected)


@pytest.mark.parametrize("seat", [2, -1, "0", True, 1.0])
def test_who_is_not_at_the_table_has_no_moment(seat: Any) -> None:
    game = ttr.new_game("europe", players=2, seed=1)
    with pytest.raises(ttr.InvalidInputError, match="a seat is one of 0 to 1"):
        game.moment(seat)
    game.play(game.legal_actions(0)[0])
    with pytest.raises(OutdatedActionError):
        game.play(ttr.KeepTickets(seat, ()), expected=0)
    with pytest.raises(NotYourTurnError):
        game.play(ttr.KeepTickets(seat, ()), expected=1)


def test_what_others_do_is_to_be_seen_first_unless_a_question_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where several are asked at once, but what one of them does matters to the others."""
    monkeypatch.setattr(TicketSetup, "concurrent", False)
    game = ttr.new_game("europe", players=2, seed=1)
    game.play(game.legal_actions(0)[0], expected=game.moment(1))
    assert game.moment(1) == 1
    outdated(game, game.legal_actions(1)[0], 0)


@pytest.mark.pure
def test_only_an_action_that_was_just_read_is_played_unchecked() -> None:
    """Equal actions, those of another moment and those of another game are checked as any other."""
    game, other = (ttr.new_game("europe", players=2, seed=1, first_seat=0) for _ in range(2))
    for each in (game, other):
        for seat in (0, 1):
            each.play(each.legal_actions(seat)[0])
    checked: list[ttr.Action] = []

    def watched(state: ttr.State, action: ttr.Action) -> None:
        checked.append(action)
        real(state, action)

    real: Any = vars(course)["check_legal"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(course, "check_legal", watched)
        legal = game.legal_actions()
        first, second = legal[0], legal[1]
        game.play(second)
        assert checked == []
        game.undo()
        for stale in (first, second):
            game.play(stale)
            assert checked.pop() is stale
            game.undo()
        game.play(other.legal_actions()[0])
        assert len(checked) == 1
        game.undo()
        early = game.legal_actions()
        game.play(game.legal_actions()[0])
        with pytest.raises(ttr.IllegalActionError):
            game.play(next(each for each in early if isinstance(each, ttr.DrawTickets)))
        assert len(checked) == 2
        game.undo()
        picked = game.legal_actions()[0]
        copied = game.copy()
        copied.play(picked)
        assert len(checked) == 3
