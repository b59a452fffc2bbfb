"""Keys of parts of the state in tables, and names of ticket links: those of one plugin never clash with another's.

As with bonuses (`own_names`), the lower plugin in the stack keeps a name that two plugins chose, and the other's is
prefixed with the name of its plugin: `depots.shares`. The functions of that plugin see its keys under the names that it
chose. `RuleTables.part_names` does the same for the parts themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve

from ttr_rules._internal.guards import is_table
from ttr_rules.errors import PluginConflictError
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.extensions import PartSpec
from ttr_rules.kernel.scores import TicketLink
from ttr_rules.kernel.table import Position, Report
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.plugins.hook_calls import HookCalls

Arrange = Callable[[Transaction, Position, Report], None]


def parts_apart(ask: HookCalls, specs: Sequence[PartSpec], economy: Economy) -> tuple[PartSpec, ...]:
    """The parts from plugins, with unique keys. Raises `PluginConflictError` if one plugin uses a key twice."""
    player_keys, part_keys = dict.fromkeys(economy.player_keys, ""), dict.fromkeys(economy.part_keys, "")
    found: list[PartSpec] = []
    for spec in specs:
        plugin = ask.given_by[id(spec)]
        of_players = {key: _own("player key", key, plugin, player_keys) for key in spec.player_keys}
        of_parts = {key: _own("key under parts", key, plugin, part_keys) for key in spec.part_keys}
        found.append(_with_keys(spec, of_players, of_parts))
    return tuple(found)


def links_apart(ask: HookCalls, links: Iterable[TicketLink]) -> tuple[TicketLink, ...]:
    """The ticket links from plugins, with unique names."""
    owners: dict[str, str] = {}
    found: list[TicketLink] = []
    for link in links:
        name = _own("ticket link", link.name, ask.given_by[id(link)], owners)
        found.append(link if name == link.name else evolve(link, name=name))
    return tuple(found)


def _own(what: str, name: str, plugin: str, owners: dict[str, str]) -> str:
    """Reserve a name that is not yet taken for a plugin."""
    own = f"{plugin}.{name}" if name in owners else name
    if plugin in (owners.get(name), owners.get(own)):
        raise PluginConflictError(f"plugin {plugin!r} brings two things of one name: the {what} {name!r}")
    owners[own] = plugin
    return own


def _with_keys(spec: PartSpec, of_players: Mapping[str, str], of_parts: Mapping[str, str]) -> PartSpec:
    """A part with its keys under their names in this stack; its function reads them under its own names."""
    if all(name == own for name, own in (*of_players.items(), *of_parts.items())):
        return spec
    given: Arrange | None = spec.arrange

    def arrange(tx: Transaction, position: Position, report: Report) -> None:
        players = tuple(evolve(each, raw=_seen(each.raw, of_players)) for each in position.players)
        parts: object = position.raw.get("parts")
        raw = {**position.raw, "parts": _seen(parts, of_parts)} if is_table(parts) else position.raw
        if given is not None:
            given(tx, Position(raw, players, position.new_tickets), report)

    return evolve(
        spec,
        player_keys=tuple(of_players.values()),
        part_keys=tuple(of_parts.values()),
        key_help={of_players[key]: about for key, about in spec.key_help.items() if key in of_players},
        arrange=arrange,
    )


def _seen(raw: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, Any]:
    """A table as the plugin of these keys sees it: its own entries under its names, and no others there."""
    mine = {key: raw[own] for key, own in keys.items() if own in raw}
    return {**{key: value for key, value in raw.items() if key not in keys and key not in keys.values()}, **mine}
