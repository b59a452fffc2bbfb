"""A short mark of compiled rules, so that a saved game is not continued under other ones unnoticed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

from ttr_rules._internal.jsonable import to_jsonable


def fingerprint_of(parts: Mapping[str, object]) -> str:
    """A hash of the data of some rules; of code only the names: which rules and terms there are."""
    text = json.dumps(to_jsonable(parts), sort_keys=True)
    return f"sha256:{sha256(text.encode()).hexdigest()[:32]}"
