"""Reading of untrusted files and texts within limits, and values as plain data.

>>> read_toml("name = 'Ada'")
{'name': 'Ada'}
"""

from ttr_rules._internal.guards import is_list, is_table
from ttr_rules._internal.jsonable import to_jsonable
from ttr_rules._internal.limits import (
    LONGEST_SAVE,
    LONGEST_TABLE,
    KeyTwiceError,
    name_problem,
    read_file,
    read_toml,
    without_doubles,
)

__all__ = [
    "LONGEST_SAVE",
    "LONGEST_TABLE",
    "KeyTwiceError",
    "is_list",
    "is_table",
    "name_problem",
    "read_file",
    "read_toml",
    "to_jsonable",
    "without_doubles",
]
