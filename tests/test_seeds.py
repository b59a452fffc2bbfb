"""What can be a seed, to the last number and character."""

from __future__ import annotations

from typing import Any

import pytest

import ttr_rules as ttr
from ttr_rules.model.chance import SeededChance, checked_seed, new_seed


@pytest.mark.parametrize(
    "seed", [0, -1, 2**256, -(2**256), "", "x" * 10_000, "é\u202e"], ids=lambda seed: str(seed)[:9]
)
def test_a_seed_is_taken_as_it_is(seed: Any) -> None:
    assert checked_seed(seed) == seed and type(checked_seed(seed)) is type(seed)


@pytest.mark.parametrize(
    "seed", [2**256 + 1, -(2**256) - 1, 10**5000, "x" * 10_001, "\ud800", "a\nb", "\x00", "\x7f", True, 1.0, None, b"1", [1]], ids=lambda seed: type(seed).__name__
)  # fmt: skip
def test_what_is_no_seed_is_told(seed: Any) -> None:
    with pytest.raises(ttr.InvalidInputError, match="256 bits .* 10000 characters"):
        checked_seed(seed)


def test_a_seed_that_is_drawn_is_exact_in_every_language() -> None:
    """JSON readers in other languages hold whole numbers below 2**53 exactly."""
    drawn = {new_seed() for _ in range(200)}
    assert len(drawn) == 200
    assert all(0 <= seed < 2**53 for seed in drawn) and max(drawn) >= 2**52


def test_a_seed_is_not_shown_where_chance_is() -> None:
    """Who knows the seed knows every card to come."""
    assert "1912" not in repr(SeededChance(1912)) and "monsoon" not in repr(SeededChance("monsoon"))


def test_what_a_seed_rolls_and_shuffles_never_changes() -> None:
    """A seed stands for a game: what each call gives must stay the same on every version and platform."""
    assert [SeededChance(1912).roll(call, range(1000)) for call in range(6)] == [772, 457, 542, 70, 88, 667]
    assert [SeededChance("x").roll(call, range(1000)) for call in range(3)] == [427, 707, 665]
    assert SeededChance(1912).shuffled(3, range(7)) == (3, 1, 2, 0, 4, 5, 6)
    assert SeededChance(1912).roll_dice(4, range(1000), 5) == (212, 643, 263, 227, 55)
    assert SeededChance("x").roll_dice(0, "abcdef", 3) == ("d", "b", "f")


def test_dice_rolled_together_are_one_call_of_chance_and_show_every_face_equally_often() -> None:
    dice = [die for call in range(2000) for die in SeededChance(7).roll_dice(call, "abcdef", 5)]
    assert len(dice) == 10_000 and all(1550 < dice.count(face) < 1800 for face in "abcdef")
    pairs = list(zip(dice[::5], dice[1::5], strict=True))
    assert all(25 < pairs.count((one, two)) < 90 for one in "abcdef" for two in "abcdef"), "dice depend on each other"
