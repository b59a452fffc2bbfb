"""Bots by name: those of the library and of other packages, found by entry point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, TypeAlias, cast

from attrs import frozen

from ttr_rules.errors import InvalidInputError
from ttr_rules.plugins import split_name
from ttr_rules.reading import read_toml
from ttr_rules.text import brief, line
from ttr_tools.bots.playing import Player

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: The entry-point group of bots.
GROUP = "ttr_tools.bots"
#: What makes a bot for one game: a class or a function that takes a seed.
BotFactory: TypeAlias = Callable[[int | str], Player]


@frozen
class InstalledBot:
    """A bot that can be named: its name, its description, and the distribution it came with.

    A bot whose class has the attribute `slow = True` takes much longer for a choice than others: a tournament is without
    it unless it is named.

    >>> {bot.name: bot.description for bot in installed_bots()}["random"]
    'A player that chooses each of its legal actions with the same probability, on any stack.'
    """

    name: str
    description: str
    distribution: str
    slow: bool = False


def _points() -> Mapping[str, EntryPoint]:
    from importlib.metadata import entry_points  # takes a tenth of the start-up time, and is not always needed

    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def installed_bots() -> tuple[InstalledBot, ...]:
    """All installed bots by name. One that cannot be loaded is described by its problem.

    >>> [bot.name for bot in installed_bots() if bot.distribution == "ttr-rules"]
    ['planner', 'random', 'search']
    """
    found: list[InstalledBot] = []
    for name, point in _points().items():
        slow = False
        try:
            bot = load_bot(name)
            text, slow = (bot.__doc__ or "").strip().partition("\n")[0], getattr(bot, "slow", False) is True
        except InvalidInputError as error:
            text = str(error)
        found.append(InstalledBot(name, text, point.dist.name if point.dist is not None else "?", slow))
    return tuple(found)


def load_bot(text: str) -> BotFactory:
    """The bot installed under a name, with options as in `name:option=value`: call the result with a seed.

    A package announces its bots by entry points in the group `ttr_tools.bots`; each is a class or a function that takes
    a seed, and options by name. Raises `InvalidInputError` if there is no such bot, or if it cannot be loaded.

    >>> load_bot("random")(seed=1)
    RandomBot(1)
    """
    name, options = split_name(text)
    points = _points()
    if name not in points:
        near = get_close_matches(name, points, n=1, cutoff=0.6)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise InvalidInputError(f"no bot {brief(name)} is installed; {hint}installed: {', '.join(points) or 'none'}")
    try:
        loaded: object = points[name].load()
    except Exception as error:
        raise InvalidInputError(f"bot {name!r} cannot be loaded: {type(error).__name__}: {line(str(error))}") from error
    if not callable(loaded):
        raise InvalidInputError(f"bot {name!r} is {brief(loaded)}, not a class or a function that takes a seed")
    factory = cast("BotFactory", loaded)
    if not options:
        return factory
    values = {option: _value(value) for option, value in options.items()}
    try:
        signature(factory).bind(0, **values)
    except TypeError as error:
        known = ", ".join(list(signature(factory).parameters)[1:]) or "none"
        raise InvalidInputError(f"bot {name!r}: {error}; its options: {known}") from error
    return partial(factory, **values)


def _value(written: str) -> object:
    """The value of an option: parsed as TOML if possible, otherwise as written."""
    try:
        value: object = read_toml(f"value = {written}")["value"]
    except ValueError:
        return written
    return value
