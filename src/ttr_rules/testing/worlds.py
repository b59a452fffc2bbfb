"""Another world that a seat cannot tell from this one: everything that it cannot know is dealt anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from random import Random
from typing import Any, cast

import attrs
from attrs import frozen

from ..cards import Counts
from ..chance import SeededChance
from ..decisions import TicketSetup
from ..events import SetupRevealed, TicketsChosen
from ..game import Game
from ..piles import CardPiles
from ..state import State
from .trial import Redeal


@frozen
class World:
    """A game like another one; `names` says which ticket of that game is which one in this."""

    game: Game
    names: Mapping[str, str]

    def told(self, value: Any) -> Any:
        """A value of the other game, with the tickets that it names exchanged for those of this one."""
        return exchanged(value, self.names)


def exchanged(value: object, names: Mapping[str, str]) -> Any:
    """A value with some names in it exchanged for others: in texts, tuples, lists, and the fields of values.

    >>> exchanged(("paris-wien", ["berlin-roma"]), {"paris-wien": "berlin-roma", "berlin-roma": "paris-wien"})
    ('berlin-roma', ['paris-wien'])
    """
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(exchanged(each, names) for each in cast("tuple[object, ...]", value))
    if isinstance(value, list):
        return [exchanged(each, names) for each in cast("list[object]", value)]
    kind = cast("Any", type(value))
    if attrs.has(kind) and not isinstance(value, Counts):
        fields = {field.name: getattr(value, field.name) for field in attrs.fields(kind) if field.init}
        new = {name: exchanged(each, names) for name, each in fields.items()}
        return attrs.evolve(cast("Any", value), **{name: each for name, each in new.items() if each != fields[name]})
    return value


def another_world(
    game: Game,
    seat: int | None,
    random: Random,
    redeal: Redeal | None = None,
    *,
    keep: tuple[int, Counts] | None = None,
    same_chance: bool = False,
    same_numbers: bool = False,
) -> World:
    """A game that `seat` (None: a spectator) cannot tell from this one.

    Dealt anew are the hands of others and the draw pile, tickets of others and ticket piles, what others choose
    from, how many tickets they kept while that is secret (not with `same_numbers`), the seed, and what `redeal` adds.
    With `same_chance`, what chance does next in public stays the same: the seed and the top of the draw pile. `keep`
    names a seat and cards that must stay in its hand.
    """
    state = game.state
    if CardPiles in state.parts:
        _deal_cards(state, seat, random, known_top=60 if same_chance else 0, keep=keep)
    names = _exchange_tickets(state, seat, random)
    if not same_numbers:
        _divide_choices(game, state, seat, random)
    if redeal is not None:
        redeal(state, seat, random)
    if not same_chance and isinstance(state.chance, SeededChance):
        state.chance = SeededChance(f"another {random.random()}")
    return World(Game(state, game.players, game.seed, game.moves), names)


def _deal_cards(
    state: State, seat: int | None, random: Random, known_top: int, keep: tuple[int, Counts] | None
) -> None:
    piles = state.part(CardPiles)
    top = piles.pile[piles.drawn : piles.drawn + known_top]
    pool = list(piles.pile[piles.drawn + known_top :])
    others = [other for other in range(state.players) if other != seat]
    kept = {other: [0] * len(piles.kinds) for other in others}
    if keep is not None and keep[0] in kept:
        for card, count in keep[1].items():
            if card in piles.number:
                number = piles.number[card]
                kept[keep[0]][number] = min(count, piles.hand[keep[0]][number])
    for other in others:
        pool += [card for card, count in enumerate(piles.hand[other]) for _ in range(count - kept[other][card])]
    random.shuffle(pool)
    for other in others:
        dealt = [pool.pop() for _ in range(sum(piles.hand[other]) - sum(kept[other]))]
        piles.hand[other] = [dealt.count(card) + count for card, count in enumerate(kept[other])]
    piles.pile = (*top, *pool)
    piles.drawn = 0


def _exchange_tickets(state: State, seat: int | None, random: Random) -> dict[str, str]:
    """Exchange the tickets that `seat` does not know among each other, pile by pile; give old name to new name."""
    known: set[str] = set()
    if seat is not None:
        known.update(state.tickets[seat], state.rejects[seat], _named(state.decision(seat)))
    if state.revealed:
        known.update(chain(*state.tickets))
    names: dict[str, str] = {}
    for tickets in state.rules.deck.piles.values():
        unknown = [ticket.id for ticket in tickets if ticket.id not in known]
        others = unknown.copy()
        random.shuffle(others)
        names.update(zip(unknown, others, strict=True))
    state.tickets = exchanged(state.tickets, names)
    state.rejects = exchanged(state.rejects, names)
    state.ticket_piles = {name: exchanged(pile, names) for name, pile in state.ticket_piles.items()}
    state.asked = tuple(decision if decision.seat == seat else exchanged(decision, names) for decision in state.asked)
    return names


def _named(decision: object) -> Sequence[str]:
    """Every text in a decision."""
    found: list[str] = []
    waiting: list[object] = [decision]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            found.append(each)
        elif isinstance(each, tuple | list):
            waiting += cast("Sequence[object]", each)
        elif attrs.has(type(each)) and not isinstance(each, Counts):
            waiting += [getattr(each, field.name) for field in attrs.fields(cast("Any", type(each)))]
    return found


def _divide_choices(game: Game, state: State, seat: int | None, random: Random) -> None:
    """While others still choose first tickets, it is secret how many a seat kept (S7)."""
    if not any(isinstance(decision, TicketSetup) for decision in state.asked):
        return
    kept: dict[int, int] = {}
    for event in game.events:
        if isinstance(event, SetupRevealed):
            kept = {}
        elif isinstance(event, TicketsChosen) and isinstance(event.kept, tuple):
            kept[event.seat] = len(event.kept)
    for other, count in kept.items():
        if other == seat:
            continue
        earlier = len(state.tickets[other]) - count
        dealt = (*state.tickets[other][earlier:], *state.rejects[other])
        number = random.randint(0, len(dealt))
        state.tickets[other] = (*state.tickets[other][:earlier], *dealt[:number])
        state.rejects[other] = dealt[number:]
