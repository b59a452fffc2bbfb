"""Marks that a plugin adds to pictures of the board: notes at cities and routes, and the pieces of players."""

from ttr_rules.kernel.map_marks import CityNote, CityPiece, MapMark, RouteNote

__all__ = ["CityNote", "CityPiece", "MapMark", "RouteNote"]
