"""The maps that come with `ttr_rules`: boards and tickets of official games, as data."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from ttr_rules.boards import load_board
from ttr_rules.errors import InvalidInputError
from ttr_rules.model import Board
from ttr_rules.text import brief

#: The maps there are.
NAMES = tuple(sorted(folder.name for folder in files(__name__).iterdir() if folder.joinpath("board.toml").is_file()))


def load(name: str) -> Board:
    """The board of that name with every ticket known for it, always the same object.

    Raises `InvalidInputError` for a name that is not in `NAMES`.

    >>> load("europe").routes["frankfurt-paris-white"].length
    3
    >>> load("atlantis")
    Traceback (most recent call last):
    ttr_rules.errors.InvalidInputError: no map 'atlantis' comes with ttr_maps; there are europe, india, legendary_asia, london, marklin, \
new_york, nordic_countries, north_america, pennsylvania, switzerland, united_kingdom
    """
    if name not in NAMES:
        raise InvalidInputError(f"no map {brief(name)} comes with ttr_maps; there are {', '.join(NAMES)}")
    return _load(name)


@cache
def _load(name: str) -> Board:
    folder = files(__name__) / name
    documents = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return load_board([tomllib.loads(file.read_text(encoding="utf-8")) for file in documents])


__all__: list[str] = ["NAMES", "load"]
