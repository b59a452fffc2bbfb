"""Every official stack passes the checks that are offered to authors of variants."""

from __future__ import annotations

import pytest

from ttr_rules.testing import check_variant
from ttr_variants.bonus_tickets import Max, OrientExpress
from ttr_variants.marklin import Marklin

BONUS = [{"cities": ["Paris", "Wien"], "points": 8, "logos": ["europe", "europa_1912", "big_city"]}]
CITIES = ("Berlin", "Ulm", "Hamburg", "Leipzig", "Erfurt", "Kiel", "Rostock", "Dresden", "Bremen")
GIVEN = Marklin(
    tickets=[
        [first, second, points, kind]
        for kind, points in (("short", 9), ("long", 17))
        for number, first in enumerate(CITIES)
        for second in CITIES[number + 1 :]
    ]
)
EUROPEAN = ("europe", "europa-1912", "mega-europa", "grossstaedte")
BASES: tuple[tuple[object, ...], ...] = (
    ("north-america",),
    *((name,) for name in EUROPEAN),
    *((name, OrientExpress(tickets=BONUS), Max(tickets=BONUS)) for name in EUROPEAN),
    ("nordic-countries",),
    ("switzerland",),
    ("germany-tickets",),
    (GIVEN,),
)


@pytest.mark.slow
@pytest.mark.parametrize("dice", [(), ("dice",)], ids=["cards", "dice"])
@pytest.mark.parametrize(
    "base", BASES, ids=lambda base: "+".join(each if isinstance(each, str) else each.info.name for each in base)
)
def test_an_official_stack_passes_every_check(base: tuple[object, ...], dice: tuple[str, ...]) -> None:
    assert not check_variant(*base, *dice, games=1).notes
