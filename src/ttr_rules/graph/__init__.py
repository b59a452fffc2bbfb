"""Algorithms on graphs that know no game: longest trails, connected cities, the best routes to lend."""
