"""Chance, the only source of randomness, and dealers, which sample by a seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from typing import Protocol, TypeVar, runtime_checkable

from attrs import field, frozen

from ttr_rules._internal.shuffling import roll, roll_dice, shuffle
from ttr_rules.errors import ChanceError, InvalidInputError
from ttr_rules.reading import unwritable
from ttr_rules.text import brief

T = TypeVar("T")
C = TypeVar("C", bound="SeededChance | Chance")
LARGEST_SEED = 2**256
LONGEST_SEED = 10_000


@runtime_checkable
class Chance(Protocol):
    """The type of `chance=`: any object with these two methods.

    `shuffled` is called for two or more items only and must return a permutation of them. The first item of a shuffled
    pile is its top. `roll` must return one of the faces. Items and faces are ids and names.

    >>> import ttr_rules as ttr
    >>> class NeverShuffled:
    ...     def shuffled(self, items):
    ...         return items
    ...     def roll(self, faces):
    ...         return faces[0]
    >>> isinstance(NeverShuffled(), Chance)
    True
    >>> game = ttr.new_game("europe", players=2, chance=NeverShuffled())
    >>> ttr.cards(game.view(0)).hand
    Counts(purple=4)
    """

    def shuffled(self, items: Sequence[T]) -> Sequence[T]: ...

    def roll(self, faces: Sequence[T]) -> T: ...


@frozen
class SeededChance:
    """The default chance: its n-th call is a pure function of the seed and n.

    So it holds no state, needs nothing for copies and undo, and gives the same games on every Python
    version and platform. The state of a game counts the calls.

    >>> SeededChance(1913).shuffled(0, ["Wien", "Roma", "Paris"])
    ('Roma', 'Wien', 'Paris')
    """

    seed: int | str = field(repr=False)

    def shuffled(self, call: int, items: Sequence[T]) -> tuple[T, ...]:
        """The items in the order given by the call with this number."""
        return shuffle(self.seed, call, items)

    def roll(self, call: int, faces: Sequence[T]) -> T:
        """The face given by the call with this number."""
        face: T = roll(self.seed, call, faces)
        return face

    def roll_dice(self, call: int, faces: Sequence[T], count: int) -> tuple[T, ...]:
        """The faces of several dice that the call with this number gives."""
        return roll_dice(self.seed, call, faces, count)


def new_seed() -> int:
    """A seed for a game whose caller gave none."""
    from secrets import randbits  # imports half the standard library

    return randbits(53)


def checked_seed(seed: object) -> int | str:
    """Return `seed` if it is valid. Raises `InvalidInputError` otherwise."""
    if type(seed) is int and abs(seed) <= LARGEST_SEED:
        return seed
    if type(seed) is str and len(seed) <= LONGEST_SEED and not unwritable(seed):
        return seed
    raise InvalidInputError(
        f"a seed is a whole number of at most 256 bits or a text of at most {LONGEST_SEED} characters, not {brief(seed)}"
    )


def check_can_be_pickled(chance: SeededChance | Chance) -> None:
    """Raise `InvalidInputError` for a caller's chance object that cannot be pickled."""
    deep_copy(chance, {}, "pickled")  # asks the same of its content; the pickler checks whether its class can be found


def deep_copy(chance: C, memo: dict[int, object], how: str = "copied") -> C:
    """An independent copy of a chance object. Raises `InvalidInputError` for one that cannot be copied, or pickled."""
    try:
        return deepcopy(chance, memo)
    except Exception as error:
        name = type(chance).__name__
        raise InvalidInputError(
            f"a game with its own chance object cannot be {how} if that object cannot: {name}: {error}. Give {name} the methods "
            "__getstate__ and __setstate__; or write dumps(game), and read it with loads(text, chance=...)"
        ) from error


def checked_shuffle(chance: Chance, items: Sequence[T]) -> tuple[T, ...]:
    """Shuffle with a caller's chance. Raises `ChanceError` unless that gives a permutation of `items`."""
    answer = chance.shuffled(items)
    try:
        result = tuple(answer)
        permutes = Counter(result) == Counter(items)
    except TypeError:  # not a sequence, or of unhashable items
        result, permutes = (), False
    if not permutes:
        name = type(chance).__name__
        raise ChanceError(f"{name}.shuffled returned no permutation of the {len(items)} items it was given")
    return result


def checked_roll(chance: Chance, faces: Sequence[T]) -> T:
    """Roll with a caller's chance. Raises `ChanceError` unless that gives one of `faces`."""
    result = chance.roll(faces)
    if result not in faces:
        raise ChanceError(f"{type(chance).__name__}.roll returned {brief(result)}, which is not a face of this die")
    return result


class Dealer:
    """A source of shuffles and numbers from a seed, independent of any game's own chance.

    >>> dealer = Dealer(7)
    >>> sorted(dealer.shuffled("abc")), 0 <= dealer.below(10**30) < 10**30
    (['a', 'b', 'c'], True)
    """

    def __init__(self, seed: int | str) -> None:
        self._seed = seed
        self._chance = SeededChance(f"dealt anew: {seed!r}")
        self._calls = 0

    def __repr__(self) -> str:
        return f"<Dealer {brief(self._seed)}: used {self._calls} times>"

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in random order, each equally likely."""
        self._calls += 1
        return self._chance.shuffled(self._calls, items)

    def below(self, limit: int) -> int:
        """A whole number from 0 to below `limit`, each equally likely."""
        bits = limit.bit_length() + 64  # enough extra bits to make the bias of the remainder negligible
        faces = range(2**32)
        number = 0
        for _ in range(bits // 32 + 1):
            self._calls += 1
            number = number << 32 | self._chance.roll(self._calls, faces)
        return number % limit
