"""Names of bonuses and scoring terms: those of one plugin never clash with another's.

A plugin names its own without knowing what else is in the stack. If two choose the same name, the lower one in the
stack keeps it, and the other's is prefixed with the name of its plugin: `globetrotter.most_tickets`. The functions of
that plugin see their own under the names that it chose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from attrs import evolve, frozen

from ttr_rules.errors import PluginConflictError
from ttr_rules.kernel.player_score import PlayerScore
from ttr_rules.kernel.scores import Bonus, ScoringTerm, TieBreak
from ttr_rules.plugins.hook_calls import HookCalls

N = TypeVar("N", Bonus, ScoringTerm)
T = TypeVar("T")


@frozen
class Named:
    """Bonuses, tie-breaks and scoring terms of a stack, each under a unique name."""

    bonuses: tuple[Bonus, ...]
    tie_break: tuple[TieBreak, ...]
    terms: tuple[ScoringTerm, ...]


def told_apart(
    ask: HookCalls, bonuses: Sequence[Bonus], tie_break: Sequence[TieBreak], terms: Sequence[ScoringTerm]
) -> Named:
    """The bonuses, tie-breaks and terms of a stack with unique names.

    Raises `PluginConflictError` if one plugin uses a name twice, or two score points in play under the same name.
    """
    bonus_owners = [_giver(ask, "bonuses", bonus) for bonus in bonuses]
    given = [plugin for plugin, _ in ask.layers["bonuses"]]
    order = sorted(range(len(bonuses)), key=lambda number: given.index(bonus_owners[number]))
    of_bonuses = _names("bonuses", [(bonuses[number].name, bonus_owners[number]) for number in order])
    term_owners = [ask.given_by[id(term)] for term in terms]
    of_terms = _names("scoring terms", [(term.name, owner) for term, owner in zip(terms, term_owners, strict=True)])
    _check_in_play(terms, term_owners)
    tie_owners = [_giver(ask, "tie_break", tie) for tie in tie_break]

    def sees(plugin: str) -> Callable[[PlayerScore], PlayerScore] | None:
        own = _changed(of_terms, plugin), _changed(of_bonuses, plugin)
        return partial(_sheet_for, *own) if any(own) else None

    return Named(
        tuple(
            _bonus(bonus, of_bonuses[bonus.name, owner], sees(owner))
            for bonus, owner in zip(bonuses, bonus_owners, strict=True)
        ),
        tuple(_tie_break(tie, sees(owner)) for tie, owner in zip(tie_break, tie_owners, strict=True)),
        tuple(_renamed(term, of_terms[term.name, owner]) for term, owner in zip(terms, term_owners, strict=True)),
    )


def _check_in_play(terms: Sequence[ScoringTerm], owners: Sequence[str]) -> None:
    """Raise `PluginConflictError` if two plugins score in play under one name: their points could not be told apart."""
    found: dict[str, str] = {}
    for term, owner in zip(terms, owners, strict=True):
        if term.in_play and term.name in found:
            raise PluginConflictError(
                f"plugins {found[term.name]!r} and {owner!r} both score points in play under the name {term.name!r}"
            )
        if term.in_play:
            found[term.name] = owner


def _giver(ask: HookCalls, hook: str, thing: object) -> str:
    """The lowest plugin whose answer to a value hook contains something."""
    return next(plugin for plugin, values in ask.layers[hook] if thing in values)


def _names(what: str, given: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """The name in this stack for each pair of a name and the plugin that chose it."""
    found: dict[tuple[str, str], str] = {}
    for name, plugin in given:
        own = f"{plugin}.{name}" if name in found.values() else name
        if (name, plugin) in found or own in found.values():
            raise PluginConflictError(f"plugin {plugin!r} brings two {what} called {name!r}")
        found[name, plugin] = own
    return found


def _changed(names: Mapping[tuple[str, str], str], plugin: str) -> dict[str, str]:
    """The names of a plugin that are changed in this stack."""
    return {name: own for (name, owner), own in names.items() if owner == plugin and own != name}


def _sheet_for(terms: Mapping[str, str], bonuses: Mapping[str, str], player: PlayerScore) -> PlayerScore:
    """A sheet for the functions of a plugin: its own entries under its names, others' prefixed."""
    return evolve(player, terms=_exchanged(player.terms, terms), bonuses=_exchanged(player.bonuses, bonuses))


def _exchanged(values: Mapping[str, T], names: Mapping[str, str]) -> dict[str, T]:
    both = {**names, **{own: name for name, own in names.items()}}
    return {both.get(name, name): value for name, value in values.items()}


def _renamed(thing: N, name: str) -> N:
    return thing if thing.name == name else evolve(thing, name=name)


def _bonus(bonus: Bonus, name: str, sees: Callable[[PlayerScore], PlayerScore] | None) -> Bonus:
    bonus = _renamed(bonus, name)
    holders: Callable[[Sequence[PlayerScore]], Sequence[int]] = bonus.holders
    if sees is None:
        return bonus

    def renamed(players: Sequence[PlayerScore]) -> Sequence[int]:
        return holders([sees(each) for each in players])

    return evolve(bonus, holders=renamed)


def _tie_break(tie: TieBreak, sees: Callable[[PlayerScore], PlayerScore] | None) -> TieBreak:
    key: Callable[[PlayerScore], Any] = tie.key
    if sees is None:
        return tie

    def renamed(player: PlayerScore) -> Any:
        return key(sees(player))

    return evolve(tie, key=renamed)
