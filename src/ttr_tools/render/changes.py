"""What plugins change on a board during a game, for pages that show many positions on one picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve

from ttr_rules import Rules, View
from ttr_rules.language import SOURCE
from ttr_tools.render.board import draw_city, draw_route
from ttr_tools.render.scene import scene_of


def changed_elements(view: View, rules: Rules, *, lang: str = SOURCE, ids: str = "") -> dict[str, str]:
    """The cities and routes that plugins show otherwise than `draw_board` draws them, as SVG by the ids of their elements.

    The owners of routes are left out: a class on a route shows them.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=2, seed=1)
    >>> changed_elements(game.view(None), game.rules)
    {}
    """
    language = rules.language(lang)
    bare = scene_of(rules.board, rules, language=language)
    scene = evolve(scene_of(rules.board, rules, view, language=language), seats={}, plan=bare.plan)
    found: dict[str, str] = {}
    for city in (*_different(bare.pieces, scene.pieces), *_different(bare.city_notes, scene.city_notes)):
        found[f"{ids}city-{city}"] = draw_city(scene, city, ids)
    changed = set(_different(bare.route_notes, scene.route_notes))
    for place, route in enumerate(rules.board.routes.values() if changed else ()):
        if route.id in changed:
            found[f"{ids}route-{place}"] = draw_route(scene, route, place, ids)
    return found


def _different(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[str]:
    """The keys under which two mappings have something else."""
    return (key for key in {**before, **after} if before.get(key) != after.get(key))
