"""Algorithms on graphs that know no game.

`paths` and `frontier` find the longest trail (P3), `lending` what cities are connected and the best routes to lend (P2, B3–B5),
`goals` turns tickets into pairs of cities.
"""
