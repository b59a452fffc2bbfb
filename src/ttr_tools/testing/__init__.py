"""For authors of variants: checks, strategies, and tools that show what the rules do.

`check_variant`, `perft` and `playthrough` need only the library. `conformance_suite` and the strategies of
`ttr_tools.testing.strategies` need the extra `testing` (pytest and Hypothesis).

>>> from ttr_tools.testing import check_variant
>>> print(check_variant("london", players=2, games=1, skip=["secrets"]))
london: 1 game, 58 actions, 20 properties hold
  not checked: secrets
"""

from typing import TYPE_CHECKING

from ttr_rules.loading import lazily

if TYPE_CHECKING:
    from ttr_tools.testing.new_variant import write_variant as write_variant
    from ttr_tools.testing.playthroughs import divide as divide, perft as perft, playthrough as playthrough
    from ttr_tools.testing.runs import (
        Problem as Problem,
        VariantError as VariantError,
        VariantReport as VariantReport,
        played as played,
    )
    from ttr_tools.testing.strategies import conformance_suite as conformance_suite
    from ttr_tools.testing.variant import check_variant as check_variant, property_names as property_names
else:
    modules = {
        ".new_variant": "write_variant",
        ".playthroughs": "divide perft playthrough",
        ".runs": "Problem VariantError VariantReport played",
        ".strategies": "conformance_suite",
        ".variant": "check_variant property_names",
    }
    __getattr__, __dir__, __all__ = lazily(__name__, modules)
