"""Graph algorithms that do not depend on the game.

`paths` and `frontier` find the longest trail (P3), `lending` which cities are connected (P2) and the best routes to
lend, `goals` turns tickets into pairs of cities.
"""
