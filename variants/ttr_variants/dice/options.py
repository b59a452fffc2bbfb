"""Rulings about dice for cases that the rulebook leaves open."""

from __future__ import annotations

from typing import Any

from attrs import Attribute

from ttr_rules.plugins import InvalidInputError, Variant, option


def _check_faces(_: object, attribute: Attribute[Any], value: object) -> None:
    if type(value) is not int or not 0 <= value <= 6:
        raise InvalidInputError(f"{attribute.name} is a number of faces from 0 to 6, not {value!r:.40}")


class DiceOptions(Variant):
    """How open cases about dice are decided. `tunnel_faces` is how many of the six faces of a tunnel die show a tunnel (R14).

    >>> DiceOptions(tunnel_faces=2).dice_action_optional
    False
    """

    tunnel_faces: int = option(
        1, rule="R14", meaning="how many of the six faces of a tunnel die show a tunnel", validator=_check_faces
    )
    tokens_after_failed_tunnel: bool = option(
        False, True, rule="R12", meaning="after a failed tunnel, unused dice may still be traded for tokens"
    )
    dice_action_optional: bool = option(False, True, rule="R13", meaning="no action need be taken")
    long_route_as_eight: bool = option(
        False, True, rule="R16", meaning="a route longer than eight spaces is paid as eight"
    )
    one_wild_a_journey: bool = option(
        False, True, rule="R19", meaning="one locomotive die opens the routes of others for a whole journey"
    )
