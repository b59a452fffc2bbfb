"""The effect of the rules: whole games as readable text, and perft.

Stored as files, such texts show in review what a change of the rules affects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from shlex import quote

import attrs

from ttr_rules import Rules, State, View, compile_rules
from ttr_rules.engine import advance, legal_actions
from ttr_rules.errors import InvalidInputError
from ttr_rules.model import Action
from ttr_rules.parts import exposed_fields
from ttr_rules.play import Game, new_game
from ttr_rules.reading import is_list, is_table
from ttr_rules.text import brief
from ttr_tools.narration import sheet_text
from ttr_tools.testing.names import mark, short, stack_name
from ttr_tools.testing.runs import Picks, sample_actions

#: Up to this many legal actions are listed; more are counted by type, with a hash that changes with their order.
FEW = 3
_SEAT = ("seat",)
_KNOWN_FROM_ABOVE = ("seat", "players", "to_act", "turn", "decision")
_EVERY_TURN = ("TurnBegun", "TurnEnded")


def playthrough(
    *stack: object, players: int, seed: int | str = 1, actions: int | None = None, rules: Rules | None = None
) -> str:
    """Show a whole game, or its first `actions`, and the scores as text. Choices are as in `played` with the same seed.

    Raises `InvalidInputError` for a negative number of actions.

    For each action the text has its number, the seat and its decision, the legal actions in short, the one played, the
    events with their secrets, and the changes to what everybody sees and to what only one seat sees.

    >>> text = playthrough("north-america", players=2, seed=3)
    >>> print(text[: text.index(" > ")])
    north-america, 2 players, seed 3
    Made by: python -m ttr_rules playthrough north-america --players 2 --seed 3
    <BLANKLINE>
    Set-up
    ...
    <BLANKLINE>
    1. seat 0: TicketSetup(...)
      4 legal, #...: 4 KeepTickets
    <BLANKLINE>
    """
    if actions is not None and actions < 0:
        raise InvalidInputError(f"a number of actions is at least 0, not {brief(actions)}")
    rules = compile_rules(*stack) if rules is None else rules
    game = new_game(rules=rules, players=players, seed=seed)
    picks = Picks(seed)
    names = stack_name(stack or rules.stack)
    told_to = "" if actions is None else f" --actions {actions}"
    lines = [
        f"{names}, {players} players, seed {seed}",
        f"Made by: python -m ttr_rules playthrough {' '.join(names.split(' + '))} --players {players} --seed {quote(str(seed))}{told_to}",
        "",
        "Set-up",
    ]
    shown: dict[int | None, dict[str, str]] = {seat: {} for seat in (None, *range(players))}
    lines += [f"  . {short(event)}" for event in game.events]
    lines += _list_changes(game, shown)
    while game.to_act:
        seat = picks.seat(game)
        choices = game.legal_actions(seat)
        action = picks.action(choices)
        if actions is not None and len(game.moves) > actions:
            game.play(action)
            continue
        lines += ["", f"{len(game.moves)}. seat {seat}: {short(game.decision(seat), without=_SEAT)}"]
        lines.append(f"  {_legal(game, seat, choices)}")
        lines.append(f"  > {short(action, without=_SEAT)}")
        happened = [short(event) for event in game.play(action) if type(event).__name__ not in _EVERY_TURN]
        lines += [f"  . {event}" for event in happened]
        lines += _list_changes(game, shown)
    assert game.final_scores is not None
    if actions is not None:
        lines += ["", f"… and so on, {len(game.moves) - 1} actions in all"]
    return "\n".join([*lines, "", "Scores", "", sheet_text(game.final_scores), ""])


def _legal(game: Game, seat: int, choices: Sequence[Action]) -> str:
    listed = [short(action, without=_SEAT) for action in sample_actions(choices)]
    if len(choices) > len(listed):
        of_kinds = [f"{kind.total} {kind.type.rpartition('.')[2]}" for kind in game.offer(seat).kinds]
        return f"{len(choices)} legal, #{mark(listed)} some of them: {', '.join(of_kinds)}"
    if len(listed) <= FEW:
        return f"{len(listed)} legal: {'; '.join(listed)}"
    kinds = Counter(type(action).__name__ for action in choices)
    return f"{len(listed)} legal, #{mark(listed)}: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}"


# -- what is seen ----------------------------------------------------------------------------------------------


def _list_changes(game: Game, shown: dict[int | None, dict[str, str]]) -> Iterator[str]:
    """List changes in the views since the last time: those that all see, then seat by seat those that only it sees."""
    news: dict[int | None, dict[str, str]] = {}
    for seat, before in shown.items():
        now = dict(_flat(game.view(seat)))
        news[seat] = {name: value for name, value in now.items() if before.get(name) != value}
        news[seat].update((name, "gone") for name in before if name not in now)
        shown[seat] = now
    views = news.values()
    everybody = {name: value for name, value in news[None].items() if all(own.get(name) == value for own in views)}
    if everybody:
        yield f"  = {_pairs(everybody)}"
    for seat, changed in news.items():
        if own := {name: value for name, value in changed.items() if name not in everybody}:
            yield f"  {'spectator' if seat is None else f'seat {seat}'} = {_pairs(own)}"


def _pairs(changed: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in changed.items())


def _flat(view: View) -> Iterator[tuple[str, str]]:
    for field in attrs.fields(View):
        if field.name == "parts":
            for part in view.parts.values():
                for key, shown in exposed_fields(part).items():
                    yield from _entries(key, shown)
        elif field.name not in _KNOWN_FROM_ABOVE:
            yield from _entries(field.name, getattr(view, field.name))


def _entries(name: str, value: object) -> Iterator[tuple[str, str]]:
    if is_table(value):
        for key, inner in value.items():
            yield f"{name}.{short(key)}", short(inner)
    elif name == "discards" and is_list(value):
        yield name, str(len(value))  # the events show what was discarded
    else:
        yield name, short(value)


#: The greatest depth: even with only two actions each time there are 10**9 sequences.
DEEPEST = 30


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` legal actions from a state.

    Seats that decide simultaneously (S7) act in order. As chance is a function of the seed and the number
    of the call, the number is exact. A game that ends earlier counts once.

    >>> from ttr_rules import new_game
    >>> perft(new_game("europe", players=2, seed=1).state, depth=2)  # 2 or more of 4 tickets each: 11 ways
    121
    """
    if not 0 <= depth <= DEEPEST:
        raise InvalidInputError(f"a depth is from 0 to {DEEPEST}, not {brief(depth)}")
    if depth == 0 or not state.pending:
        return 1
    return len(legal_actions(state, state.to_act[0])) if depth == 1 else sum(divide(state, depth).values())


def divide(state: State, depth: int) -> dict[Action, int]:
    """The same for each first action separately: if a number is wrong, this shows in which branch.

    >>> from ttr_rules import new_game
    >>> list(divide(new_game("europe", players=2, seed=1).state, 2).values())
    [11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11]
    """
    if not 1 <= depth <= DEEPEST:
        raise InvalidInputError(f"a depth to divide is from 1 to {DEEPEST}, not {brief(depth)}")
    counts: dict[Action, int] = {}
    for action in legal_actions(state, state.to_act[0]) if state.pending else ():
        after = state.copy()
        advance(after, action)
        counts[action] = perft(after, depth - 1)
    return counts
