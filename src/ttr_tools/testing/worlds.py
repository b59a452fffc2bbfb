"""Another world that a seat cannot tell from this one: everything that it cannot know is redealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from random import Random
from typing import Any, cast

import attrs
from attrs import frozen

from ttr_rules import State, View
from ttr_rules.engine import advance
from ttr_rules.events import Event, RowSwept, SetupRevealed, TicketsChosen
from ttr_rules.hidden import question, sample_world
from ttr_rules.model import Action, Counts, Dealer, SeededChance, TicketChoice, TicketSetup
from ttr_rules.play import Game
from ttr_rules.plugins import Part, Rules, economy_of, pays_with
from ttr_rules.train_cards import CardPiles, CardStore, DrawBlind, TrainCards


@frozen
class World:
    """A game like another one; `names` maps tickets of that game to tickets of this one."""

    game: Game
    names: Mapping[str, str]

    def translated(self, value: Any) -> Any:
        """A value of the other game, with its ticket names replaced by those of this one."""
        return exchanged(value, self.names)


def exchanged(value: object, names: Mapping[str, str]) -> Any:
    """A value with some names in it replaced by others: in texts, tuples, lists, and the fields of values.

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


def another_world(game: Game, seat: int | None, random: Random) -> Game:
    """A game that `seat` (None: a spectator) cannot tell from this one, as `determinize`, with any chance.

    Parts of plugins that cannot sample are unchanged.
    """
    state = game.state
    chance = SeededChance(f"another {random.random()}") if isinstance(state.chance, SeededChance) else state.chance
    there = State(state.rules, state.players, chance)
    sample_world(there, game.view(seat), Dealer(f"another {random.random()}"), real=state)
    return Game(game.rules, there, game.players, game.seed, game.moves)


def same_moves_elsewhere(
    game: Game, seat: int | None, random: Random, *, keep: tuple[int, Counts], same_numbers: bool, drawn: slice
) -> World:
    """A game that `seat` cannot tell from this one and in which others can do what looks the same to it.

    The hands of others and the draw pile, the tickets of others and the ticket piles, what others choose from, how many
    tickets they kept while that is secret (not with `same_numbers`), and parts of plugins are redealt. What chance does
    next in public stays the same: the seed and those cards of the draw pile that are `drawn`. `keep` names a seat and
    cards that must stay in its hand.
    """
    state = game.state
    view = game.view(seat)
    if CardPiles in state.parts:
        _deal_cards(state, seat, random, drawn, keep)
    names = _exchange_tickets(state, seat, random)
    if not same_numbers:
        _divide_choices(game, state, seat, random)
    _sample_parts(state, view, Dealer(f"elsewhere {random.random()}"))
    return World(Game(game.rules, state, game.players, game.seed, game.moves), names)


def drawn_by(game: Game, action: Action) -> slice:
    """The cards of the draw pile that are revealed by a legal action: all but one that is drawn blind.

    The whole pile if it is rebuilt or the row may be swept, because then its content matters (D7, R1).
    """
    after = game.state
    if CardPiles not in after.parts:
        return slice(0, 0)
    piles, economy = after.part(CardPiles), after.rules.economy
    pile, before = piles.pile, piles.drawn
    log: list[Event] = []
    advance(after, action, log)
    swept = pays_with(economy, TrainCards) and economy_of(economy, TrainCards).invites_sweep(piles)
    all_of_it = piles.pile is not pile or swept or any(isinstance(event, RowSwept) for event in log)
    drawn = (len(pile) if all_of_it else piles.drawn) - before
    return slice(min(int(type(action) is DrawBlind), drawn), drawn)  # a plugin may ask before it draws


def _sample_parts(state: State, view: View, dealer: Dealer) -> None:
    real = state.copy()
    for part in state.rules.new_parts(state.players):
        if not isinstance(part, CardPiles | CardStore) and can_sample(part, view, dealer, state.rules):
            state.set_part(part)
    choices = {
        decision.seat: decision.tickets
        for decision in state.pending
        if isinstance(decision, TicketSetup | TicketChoice)
    }
    state.pending = tuple(question(decision, choices, state, view, dealer, real) for decision in view.pending)


def can_sample(part: Part, view: View, dealer: Dealer, rules: Rules) -> bool:
    """Let a part sample what it hides; returns whether it can."""
    try:
        part.sample_hidden(view, dealer, rules)
    except NotImplementedError:
        return False
    return True


def _deal_cards(state: State, seat: int | None, random: Random, known: slice, keep: tuple[int, Counts]) -> None:
    piles = state.part(CardPiles)
    pile = piles.pile[piles.drawn :]
    top = pile[known]
    pool = [*pile[: known.start], *pile[known.stop :]]
    others = [other for other in range(state.players) if other != seat]
    kept = {other: [0] * len(piles.kinds) for other in others}
    if keep[0] in kept:
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
    first = min(known.start, len(pile))
    piles.pile = (*pool[:first], *top, *pool[first:])
    piles.drawn = 0


def cards_of(state: State) -> Counter[str]:
    """All train cards by kind, wherever they are: in the piles, in hands, in parts of plugins."""
    piles = state.part(CardPiles)
    found = Counter(
        [*piles.face_up, *piles.draw_pile, *piles.discards, *(piles.kinds[card] for card in piles.revealed)]
    )
    for lot in (*piles.hands, piles.laid or Counts()):
        found.update(dict(lot))
    for part in state.parts.values():
        kind = cast("type[attrs.AttrsInstance]", type(part))
        if part is not piles and attrs.has(kind):
            found.update(_cards_in([getattr(part, each.name) for each in attrs.fields(kind)], piles.number))
    return found


def _cards_in(value: object, kinds: Mapping[str, int]) -> Counter[str]:
    """The cards in a part's values: kinds in lists, and counts of kinds."""
    if isinstance(value, Counts):
        return Counter({card: count for card, count in value.items() if card in kinds})
    if isinstance(value, str):
        return Counter([value] if value in kinds else [])
    if isinstance(value, Mapping):
        return _cards_in(list(cast("Mapping[object, object]", value).values()), kinds)
    if isinstance(value, list | tuple):
        return sum((_cards_in(each, kinds) for each in cast("Sequence[object]", value)), Counter[str]())
    return Counter()


def known_tickets(state: State, seat: int | None) -> set[str]:
    """The ids of the tickets that a seat sees."""
    known: set[str] = set()
    if seat is not None:
        known.update(state.tickets[seat], state.rejects[seat], _named(state.decision(seat)))
    if state.revealed:
        known.update(chain(*state.tickets))
    return known


def _exchange_tickets(state: State, seat: int | None, random: Random) -> dict[str, str]:
    """Swap the tickets that `seat` does not know, pile by pile; returns a mapping from old to new names."""
    known = known_tickets(state, seat)
    names: dict[str, str] = {}
    for tickets in state.rules.deck.piles.values():
        unknown = [ticket.id for ticket in tickets if ticket.id not in known]
        others = unknown.copy()
        random.shuffle(others)
        names.update(zip(unknown, others, strict=True))
    state.tickets = exchanged(state.tickets, names)
    state.rejects = exchanged(state.rejects, names)
    state.ticket_piles = {name: exchanged(pile, names) for name, pile in state.ticket_piles.items()}
    state.pending = tuple(
        decision if decision.seat == seat else exchanged(decision, names) for decision in state.pending
    )
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
    if not any(isinstance(decision, TicketSetup) for decision in state.pending):
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
