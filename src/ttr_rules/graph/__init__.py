"""Graph algorithms that do not depend on the game.

`paths`, `lengths` and `frontier` find the longest path (P3), and `paths` the shortest one between cities. `lending` turns tickets
into places to connect, and finds which cities are connected (P2) and the best routes to lend.
"""

from ttr_rules.graph.lending import Goal as Goal, Places as Places, components as components, points_of as points_of
from ttr_rules.graph.paths import (
    LongestPath as LongestPath,
    longest_path as longest_path,
    shortest_path as shortest_path,
)
