"""What things cost, in terms of the board; what pays for them is up to the economy."""

from __future__ import annotations

from attrs import evolve, frozen

from ttr_rules.errors import PluginError
from ttr_rules.model.board import Route
from ttr_rules.text import brief


@frozen
class Cost:
    """What something costs, in terms of the board.

    `kind` is what is bought: "single" or "double" for a route (a double is one of several between its two
    cities), anything else for purchases added by plugins.
    `spaces` is the amount; `color` the required color, None for any one color; `wilds` how many of the spaces
    bear a locomotive symbol; `tunnel` whether the route is a tunnel; `only_wilds` allows wild cards only;
    `marks` are those of the route.

    What changes a cost can bring `spaces` no lower than 1, nor than `wilds`: see `Variant.claim_cost`.

    >>> import ttr_maps
    >>> Cost.of_route(ttr_maps.load("europe").routes["amsterdam-london-gray"])
    Cost(kind='single', spaces=2, color=None, wilds=2, tunnel=False, only_wilds=False, marks=())
    >>> Cost("station", spaces=2)
    Cost(kind='station', spaces=2, color=None, wilds=0, tunnel=False, only_wilds=False, marks=())
    """

    kind: str
    spaces: int
    color: str | None = None
    wilds: int = 0
    tunnel: bool = False
    only_wilds: bool = False
    marks: tuple[str, ...] = ()

    @classmethod
    def of_route(cls, route: Route) -> Cost:
        """What claiming `route` costs."""
        return cls(
            kind="double" if route.double_group else "single",
            spaces=route.length,
            color=None if route.color == "gray" else str(route.color),
            wilds=route.ferry_locomotives,
            tunnel=route.tunnel,
            marks=route.marks,
        )


def changed_cost(before: Cost, after: object, by: str) -> Cost:
    """What a plugin made of a cost, as it can be paid: at least one space, and one for every locomotive symbol.

    >>> changed_cost(Cost("single", 2, wilds=2), Cost("single", 0, wilds=2), "a test").spaces
    2
    """
    if after is before:
        return before
    if not isinstance(after, Cost):
        raise PluginError(f"{by} must give a Cost in place of {before}, not {brief(after)}")
    wilds = max(after.wilds, 0)
    spaces = max(after.spaces, wilds, 1)
    return after if (spaces, wilds) == (after.spaces, after.wilds) else evolve(after, spaces=spaces, wilds=wilds)
