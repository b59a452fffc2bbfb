"""Graph algorithms that do not depend on the game.

`paths` and `frontier` find the longest trail (P3), `lending` which cities are connected (P2) and the best routes to
lend, `goals` turns tickets into pairs of cities.
"""

from ttr_rules.graph.goals import Goal
from ttr_rules.graph.lending import components, points_of
from ttr_rules.graph.paths import LongestPath, longest_path

__all__ = ["Goal", "LongestPath", "components", "longest_path", "points_of"]
