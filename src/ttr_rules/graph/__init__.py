"""Graph algorithms that do not depend on the game.

`paths` and `frontier` find the longest trail (P3), `lending` which cities are connected and the best routes to lend
(P2, B3–B5), `goals` turns tickets into pairs of cities.
"""
