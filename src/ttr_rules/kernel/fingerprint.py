"""A fingerprint of compiled rules, so that a saved game is not silently continued under different ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

from ttr_rules.reading import to_jsonable


def fingerprint_of(parts: Mapping[str, object]) -> str:
    """A hash of the rules' data; code counts only by the names of its rules and terms."""
    text = json.dumps(to_jsonable(parts), sort_keys=True)
    return f"sha256:{sha256(text.encode()).hexdigest()[:32]}"
