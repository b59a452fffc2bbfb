"""The course of a game: the first tickets, turn order, the last round, passes, the end (S5, S7, S8, E1, R4).

At the beginning of a turn come the hooks `on_turn_start`, then the economy. At its end come the follow-ups of the action,
the hooks `on_turn_end`, then the economy. When a hook asks something, the rest waits in `State.todo` and continues once
everything is answered (`go_on`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

from ttr_rules._internal.native import i64
from ttr_rules.errors import HookTypeError, PluginError
from ttr_rules.kernel.effects import count_turn, set_turn
from ttr_rules.kernel.events import (
    Asked,
    ChoicesOpened,
    ExtraTurnBegun,
    GameEnded,
    MixAsked,
    RoundBegun,
    TicketsBoxed,
    TicketsDealt,
    TicketsRevealed,
    TurnContinued,
    TurnPassed,
)
from ttr_rules.kernel.extensions import any_says_yes, wrong_answer
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import CANCELLED, Transaction, start_last_round, turns_to_come
from ttr_rules.language import marked
from ttr_rules.model.decisions import Decision, HiddenAction, InTurn, OnClaim, Pass, Question, ToDo, Turn
from ttr_rules.model.tickets import MOST_ROUNDS
from ttr_rules.text import brief

#: The reason that players are given if the last round begins only because of the number of rounds.
LAST_ROUND = marked("This is the last round")
#: More consecutive rounds of passes than any game has in which somebody will be able to act again.
MOST_ROUNDS_PASSED = 100
#: No question. All empty tuples are the same object, so `is` is enough.
NOTHING: Final = ()
#: The `ToDo` that continues after a hook's question, cached: games need the same ones many times.
to_do: Final = lru_cache(10_000)(ToDo)


def begin_set_up(tx: Transaction, after: str = "") -> None:
    """Call `on_deal` of the plugins that come after the plugin `after`, then deal the first tickets."""
    if not _call_hook(tx, tx.rules.on_deal, (tx,), "on_deal", after):
        deal_stage(tx)


def deal_stage(tx: Transaction) -> None:
    """Deal the tickets of the current stage of set-up, or begin the first round when all stages are done."""
    state = tx.state
    rules = tx.rules
    if state.stage == len(rules.setup):
        if rules.components.open_tickets:
            tx.emit(TicketsRevealed, tuple(state.tickets))
        begin_game(tx)
        return
    stage = rules.setup[state.stage]
    if stage.mix is not None:
        tx.emit(MixAsked, state.stage, stage.mix.count)
        return
    dealt: list[tuple[str, ...]] = [()] * state.players
    taken: dict[str, int] = {}
    for deal in stage.deals:
        count: int = deal.count
        pile = state.ticket_piles[deal.pile]
        start = taken.get(deal.pile, 0)
        for seat in range(state.players):
            dealt[seat] = dealt[seat] + pile[start : start + count]
            start += count
        taken[deal.pile] = start
    for seat in range(state.players):
        tx.emit(TicketsDealt, seat, int(state.stage), dealt[seat])
    for name in stage.box_rest:
        tx.emit(TicketsBoxed, name)


def begin_game(tx: Transaction, after: str = "") -> None:
    """Call `on_game_start` of the plugins that come after the plugin `after`, then begin the first round."""
    if not _call_hook(tx, tx.rules.on_game_start, (tx,), "on_game_start", after):
        _next_turn(tx, -1)


def _next_turn(tx: Transaction, ended: i64, after: str = "") -> None:
    """Begin the turn that comes after that of the seat `ended` (S5), or the first one if that is -1.

    At the start of a round, `on_round_start` of the plugins that come after the plugin `after` is called first.
    """
    state, rules = tx.state, tx.rules
    if rules.on_round_start and (ended < 0 or state.ends_round):
        tx.between_turns = True
        if not after:
            tx.emit(RoundBegun, int(state.round) + 1)
        if _call_hook(tx, rules.on_round_start, (tx, state.round + 1), "on_round_start", after, ended):
            return
        tx.between_turns = False
    begin_turn(tx, state.turn if ended < 0 else _seat_after(state, ended))


def following_seat(state: State) -> int:
    """The seat whose turn follows the current one: the seat to the left (S5), unless plugins name another one.

    Plugins do so with `Variant.next_seat`. A seat that has been granted another turn follows itself. The answer may change
    until the turn ends.

    >>> import ttr_rules as ttr
    >>> following_seat(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{}, {}, {}], "to_act": 2}).state)
    0
    """
    return int(state.turn if state.extra_turns else _seat_after(state, state.turn))


def _seat_after(state: State, ended: i64) -> i64:
    """The seat whose turn comes after that of the seat `ended`. Raises `HookTypeError` for a plugin's that is not at the table."""
    seat = (ended + 1) % state.players
    if state.seats_to_skip > 0:
        seat = (seat + state.seats_to_skip) % state.players
    for plugin, method in state.rules.next_seat:
        ask: Callable[..., object] = method  # untyped: the answer is checked below
        answer = ask(state, int(ended), int(seat))
        if type(answer) is not int or not 0 <= answer < state.players:
            needed = f"a seat, 0 to {state.players - 1}"
            raise HookTypeError(f"next_seat of plugin {plugin!r} must give {needed}, not {brief(answer)}")
        seat = answer
    return seat


def begin_turn(tx: Transaction, seat: i64) -> None:
    """Begin a seat's turn. Plugins and the economy may ask something first.

    >>> import ttr_rules as ttr
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> begin_turn(tx, 1)
    >>> tx.log, tx.state.to_act
    ([TurnBegun(seat=1)], (1,))
    """
    set_turn(tx, seat)
    if tx.rules.opening is not None or tx.rules.on_turn_start:
        _open(tx, seat)


def _open(tx: Transaction, seat: i64, after: str = "") -> None:
    """Let plugins and the economy act when a turn begins. With `after`, only the plugins after that one."""
    rules = tx.rules
    if _call_hook(tx, rules.on_turn_start, (tx, seat), "on_turn_start", after, seat):
        return
    if after:
        tx.ask(rules.turns[seat])
    if rules.opening is not None:
        rules.opening(tx, seat)


def end_turn(tx: Transaction, seat: i64, passed: bool = False, after: str = "", after_pass: bool = False) -> None:
    """End a seat's turn after its action or pass, unless a plugin or the economy asks something.

    In this order: the follow-ups of the action, work that waits (`State.todo`), `Variant.acts_again`, `on_turn_end`, the
    economy, then `finish_turn`. With `after`, continue with `on_turn_end` of the plugins after that one. After a pass or a
    cancelled action (`after_pass`) the seat does not act again. A passed turn counts as passed, whatever is decided before
    it ends (R4).

    >>> import ttr_rules as ttr
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> end_turn(tx, 0)
    >>> tx.log
    [TurnEnded(seat=0, passed=False), TurnBegun(seat=1)]
    """
    if tx.following:
        tx.changing().pending = ()
        if passed and not tx.state.passed:  # before the follow-ups, which may read it
            tx.emit(TurnPassed, seat)
        if follow_up(tx, ()):
            return
    if tx.state.todo:  # this was the answer to a question of a hook, which goes on first
        tx.changing().pending = ()
        go_on(tx)
        return
    rules = tx.rules
    if rules.acts_again and not (after_pass or after) and _act_again(tx, seat):
        return
    if rules.on_turn_end and _call_hook(tx, rules.on_turn_end, (tx, seat), "on_turn_end", after, seat):
        if passed and not tx.state.passed:
            tx.emit(TurnPassed, seat)
        return
    if rules.closing is None or not rules.closing(tx, seat, passed or tx.state.passed):
        finish_turn(tx, seat, passed)


def _act_again(tx: Transaction, seat: i64) -> bool:
    """Let a seat act again if a plugin says so, or ask a plugin's question about it, after which all are asked anew."""
    for plugin, method in tx.rules.acts_again:
        ask: Callable[..., object] = method  # untyped: the answer is checked here
        answer: object = ask(tx.state, int(seat))
        if answer is True:
            tx.emit(TurnContinued, int(seat))
            return True
        if answer is False:
            continue
        if not isinstance(answer, Decision):
            raise wrong_answer(plugin, "acts_again", answer)
        if ask_question(tx, answer, ToDo("end of turn", seat=int(seat))):
            return True
    return False


def follow_up(tx: Transaction, pending: tuple[Decision, ...]) -> bool:
    """Run the follow-ups of the action being played. Returns true as soon as one asks something.

    After the answer come the decisions `pending`, or the end of the turn if there are none.
    """
    following = tx.following
    tx.following = ()
    for place, (_, plugin, follow, action) in enumerate(following, 1):
        later = " ".join([str(number) for number, *_ in following[place:]])
        if ask_question(tx, follow(tx, action), ToDo("after", plugin, action.seat, later, pending, action)):
            return True
    return False


def close_unanswerable(tx: Transaction, pending: tuple[Decision, ...], seat: int, after_pass: bool = False) -> None:
    """Close the pending decisions to which the follow-ups of an action have left no legal answer, such as a next card.

    If none is left, the turn of `seat` ends, or goes on with what waits.
    """
    left = tuple([decision for decision in pending if _can_answer(tx, decision)])
    if not left:
        end_turn(tx, seat, after_pass=after_pass)
    elif len(left) < len(pending):
        tx.emit(Asked, left, tx.state.todo)


def finish_turn(tx: Transaction, seat: i64, passed: bool = False) -> None:
    """Finish a turn: begin the last round (E1), end the game, or begin the turn of the seat to the left (S5).

    >>> import ttr_rules as ttr
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> finish_turn(tx, 0, passed=True)
    >>> tx.log, tx.state.passes
    ([TurnEnded(seat=0, passed=True), TurnBegun(seat=1)], 1)
    """
    state, rules = tx.state, tx.rules
    if state.extra_turns:
        tx.emit(ExtraTurnBegun, seat)
        _open(tx, seat)
        return
    turns_left = state.turns_left
    passed = passed or state.passed
    count_turn(tx, seat, passed)
    if turns_left == 1:
        end_game(tx, "last round")
        return
    if turns_left == 0 and (state.cars[seat] <= rules.last_round_at or rules.rounds < MOST_ROUNDS):
        tx.between_turns = True
        left = turns_to_come(state)
        if state.cars[seat] <= rules.last_round_at:
            start_last_round(tx, int(min(state.players * rules.last_turns, left)))
        elif left == state.players:
            start_last_round(tx, left, LAST_ROUND)
        tx.between_turns = False
    if passed and _is_deadlock(tx):
        end_game(tx, "deadlock")
        return
    _next_turn(tx, seat)


def _is_deadlock(tx: Transaction) -> bool:
    """True if everybody passed and nobody will be able to act (R4). A game that only rounds can end has no deadlock."""
    state, rules = tx.state, tx.rules
    # If plugins change the order, everybody has passed only after almost two rounds.
    everybody = 2 * state.players - 1 if rules.next_seat else state.players
    box = rules.components
    only_rounds = box.rounds is not None and box.last_round_at is None
    if state.passes < everybody or only_rounds or not rules.economy.exhausted(state):
        return False
    if not any_says_yes("goes_on", rules.goes_on, state):
        return True
    if state.passes > MOST_ROUNDS_PASSED * state.players:
        raise PluginError(
            f"goes_on of {rules.answered_by('goes_on')} is still True after {MOST_ROUNDS_PASSED} rounds in which everybody had to "
            "pass: it must become False once nobody will ever be able to act"
        )
    return False


def after_claim(tx: Transaction, seat: int, route: str, points: int, after: str = "") -> None:
    """Call `on_claim` of the plugins that come after the plugin `after`, then end the current turn, or go on with what waits.

    >>> from ttr_rules import new_game
    >>> tx = Transaction(new_game("europe", players=2, seed=1, first_seat=0).state, [])
    >>> after_claim(tx, 0, "paris-zurich-gray", 4)
    >>> tx.state.to_act
    (1,)
    """
    arguments = (tx, seat, tx.rules.network.routes[tx.rules.network.route_number[route]], points)
    if not _call_hook(tx, tx.rules.on_claim, arguments, "on_claim", after, seat, route, points):
        end_turn(tx, tx.state.turn)


def call_on_claim(tx: Transaction, seat: int, route: str, points: int) -> Question | None:
    """Call `on_claim` of plugins after a claim at no cost, until one asks something.

    Returns its question: the caller asks it, unlike `_call_hook`. After the answer the other plugins are called.
    """
    for plugin, method in tx.rules.on_claim:
        question = method(tx, seat, tx.rules.board.routes[route], points)
        if question:
            decisions = (question,) if isinstance(question, Decision) else tuple(question)
            then = ToDo("on_claim", plugin, seat, route, points=points)
            return OnClaim(decisions, _is_in_turn(question), (then, *_waiting(question)))
    return None


def end_game(tx: Transaction, reason: str, after: str = "") -> None:
    """End the game: reveal the tickets (S6), then let plugins ask their last questions.

    >>> import ttr_rules as ttr
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> end_game(tx, "closing time")
    >>> tx.log[-1], tx.state.to_act
    (GameEnded(reason='closing time'), ())
    """
    tx.ending = True
    if not tx.state.revealed:
        tx.emit(TicketsRevealed, tuple(tx.state.tickets))
    if not _call_hook(tx, tx.rules.on_game_end, (tx,), "on_game_end", after, what=reason):
        tx.emit(GameEnded, reason)


# -- questions, and continuing after them --------------------------------------------------------------------------


def _call_hook(
    tx: Transaction,
    methods: Sequence[tuple[str, Callable[..., Question | None]]],
    arguments: tuple[object, ...],
    hook: str,
    after: str,
    seat: int = -1,
    what: str = "",
    points: int = 0,
) -> bool:
    """Call the methods of a hook, with `after` only those after that plugin's.

    Returns true as soon as one asks something.
    """
    if after:
        methods = methods[[plugin for plugin, _ in methods].index(after) + 1 :]
    for plugin, method in methods:
        question = method(*arguments)
        if question is None or question is NOTHING:
            continue
        if ask_question(tx, question, to_do(hook, plugin, seat, what, (), None, points)):
            return True
    return False


def ask_question(tx: Transaction, question: Question | None, then: ToDo) -> bool:
    """Ask a question that a hook or rule returned. `then` continues after the answer.

    Returns false if nobody is asked and `then` has not begun.

    >>> import ttr_rules as ttr
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> ask_question(tx, (), ToDo("turn", seat=0)), ask_question(tx, Turn(1), ToDo("turn", seat=0)), tx.state.to_act
    (False, True, (1,))
    """
    if question is None:
        return False
    decisions = _decisions(tx, question, then)
    if not decisions:
        return False
    waiting = _waiting(question)
    todo = (*tx.state.todo, then, *waiting)
    if _ask(tx, decisions, (), todo, _is_in_turn(question)):
        return True
    if not waiting:
        return False
    state = tx.changing()
    state.pending = ()
    state.todo = todo
    go_on(tx)
    return True


def _is_in_turn(question: Question | None) -> bool:
    """True if decisions are asked one after the other."""
    return question.in_turn if isinstance(question, OnClaim) else isinstance(question, InTurn)


def _waiting(question: Question | None) -> tuple[ToDo, ...]:
    """What goes on after the answer to a question, before anything else."""
    return question.todo if isinstance(question, OnClaim) else ()


def _decisions(tx: Transaction, question: Question, asker: ToDo | Decision) -> tuple[Decision, ...]:
    """The decisions of a question from a hook, or from the rule of an answer. Raises `PluginError` if it cannot be asked."""
    value: object = question  # untyped: it is checked here
    several: Iterable[object] = (value,) if isinstance(value, Decision) or not isinstance(value, Iterable) else value
    again = _is_in_turn(question) and not any(getattr(decision, "sealed", False) for decision in several)
    decisions: list[Decision] = []
    seats: list[object] = []
    for decision in several:
        seat: object = getattr(decision, "seat", None)
        if not isinstance(decision, Decision) or (seat in seats and not again):
            raise HookTypeError(
                f"{_name(asker)} must give a question, not {brief(question)}: a question is a decision, or several of different "
                "seats, or () for nothing. tx.in_turn may ask a seat several times, unless the answers are sealed"
            )
        if type(seat) is not int or not 0 <= seat < tx.state.players:
            needed = f"a question to a seat, 0 to {tx.state.players - 1}"
            raise HookTypeError(f"{_name(asker)} must give {needed}, not {brief(decision)}")
        if type(decision) not in tx.rules.answers:
            raise PluginError(
                f"a plugin asked {decision!r:.200}, which no action rule answers in {tx.rules}: add one to the hook actions; a "
                "Choice belongs in the module of a plugin of the stack"
            )
        seats.append(seat)
        decisions.append(decision)
    return tuple(decisions)


def _name(asker: ToDo | Decision) -> str:
    """The name of a question's source, for errors."""
    if isinstance(asker, Decision):
        return f"the answer to {type(asker).__name__}"
    return f"{asker.hook} of plugin {asker.after!r}" if asker.after else "a rule"


def _ask(
    tx: Transaction,
    decisions: tuple[Decision, ...],
    others: tuple[Decision, ...],
    todo: tuple[ToDo, ...],
    in_turn: bool,
) -> bool:
    """Ask decisions besides `others`, with `in_turn` one after the other. `todo` continues after the answers.

    Decisions that are `one_at_a_time`, such as `NextCard`, wait for the others. Those without a legal answer are left out.
    Returns false if nobody is asked.
    """
    together: list[Decision] = []
    later: list[Decision] = []
    for decision in decisions:
        (later if in_turn or decision.one_at_a_time else together).append(decision)
    if not together and not others:
        return _ask_next(tx, later, todo)
    tx.emit(Asked, tuple(sorted((*others, *together), key=attrgetter("seat"))), _with_next(todo, later))
    return True


def _ask_next(tx: Transaction, decisions: Sequence[Decision], todo: tuple[ToDo, ...]) -> bool:
    """Ask the first of some decisions that has a legal answer, and the rest later. Returns false if none has one."""
    before = tx.state.pending
    for place, decision in enumerate(decisions, 1):
        tx.changing().pending = (decision,)
        if _can_answer(tx, decision):
            tx.emit(Asked, (decision,), _with_next(todo, decisions[place:]))
            return True
    tx.changing().pending = before
    return False


def _with_next(todo: tuple[ToDo, ...], later: Sequence[Decision]) -> tuple[ToDo, ...]:
    return (*todo, ToDo("next", seat=later[0].seat, pending=tuple(later))) if later else todo


def handle_answer(tx: Transaction, decision: Decision, free: bool, question: Question | None) -> None:
    """Go on after an answer to `decision`: ask the question that its rule returned, or continue with the turn.

    The rule may also have ended the turn or opened a decision itself.
    """
    state = tx.state
    seat = decision.seat
    open_still = state.decision(seat) is decision
    turn = isinstance(decision, Turn)
    if turn:
        if question is not None and ask_question(tx, question, ToDo("turn" if free else "end of turn", seat=seat)):
            return
        if open_still and not free:
            end_turn(tx, seat)
        return
    if not open_still and not question:
        return
    _go_on_asking(tx, decision, tuple([other for other in state.pending if other is not decision]), question)


def _go_on_asking(tx: Transaction, decision: Decision, others: tuple[Decision, ...], question: Question | None) -> None:
    """Ask the question that follows an answer, besides `others` that are still open.

    If nothing is left to ask, end the turn.
    """
    more = () if question is None else _decisions(tx, question, decision)
    todo = (*tx.state.todo, *_waiting(question))
    if not (others or more) or not _ask(tx, more, others, todo, _is_in_turn(question)):
        tx.changing().todo = todo
        end_turn(tx, tx.state.turn)


def go_on(tx: Transaction) -> None:
    """Continue with `State.todo` until something is asked or the game is over."""
    state = tx.state
    while state.todo and not state.pending:
        *rest, item = state.todo
        tx.changing().todo = tuple(rest)
        _go_on_with(tx, item)
        if state.pending or state.todo:  # else the game is over
            tx.emit(Asked, state.pending, state.todo)


def _go_on_with(tx: Transaction, item: ToDo) -> None:
    match item.hook:
        case "turn":
            tx.ask(tx.rules.turns[item.seat])
        case "before":
            _go_on_before(tx, item)
        case "after":
            _go_on_after(tx, item)
        case "next":
            if not _ask_next(tx, item.pending, tx.state.todo) and not tx.state.todo:
                end_turn(tx, tx.state.turn)
        case "sealed":
            _open_choices(tx, item)
        case "on_claim":
            after_claim(tx, item.seat, item.what, item.points, item.after)
        case "on_deal":
            begin_set_up(tx, item.after)
        case "on_game_start":
            begin_game(tx, item.after)
        case "on_round_start":
            _next_turn(tx, item.seat, item.after)
        case "on_turn_start":
            _open(tx, item.seat, item.after)
        case "on_game_end":
            end_game(tx, item.what, item.after)
        case _:  # "on_turn_end", or "end of turn" after a question of a rule or a cancelled action
            end_turn(tx, item.seat, after=item.after, after_pass=item.what == CANCELLED)


def _go_on_before(tx: Transaction, item: ToDo) -> None:
    """Go on with an action. If it is no longer legal, its seat decides again."""
    tx.emit(Asked, item.pending, tx.state.todo)
    decision = tx.state.asked_of(item.seat)
    action = item.action
    entry = tx.rules.answers[type(decision)].entry_of.get(type(action)) if action is not None else None
    if action is None or entry is None:
        return  # hidden, in a world sampled for another seat
    if entry.allows(tx.state, decision, action):
        entry.perform_action(tx, decision, action, int(item.what))


def _go_on_after(tx: Transaction, item: ToDo) -> None:
    """Go on with the follow-ups of an action."""
    # no follow-ups if the action is hidden, in a world sampled for another seat
    around = () if item.action is None else tx.rules.around_actions.get(type(item.action), ())
    later = item.what.split()
    tx.following = tuple(
        [
            (n, plugin, reaction.after, item.action)
            for n, (plugin, reaction) in enumerate(around)
            if str(n) in later and reaction.after
        ]
    )
    tx.performing = None if item.action is None else type(item.action)
    if item.pending:  # asked again before the follow-ups, which check whether the turn goes on
        tx.emit(Asked, item.pending, tx.state.todo)
    if not follow_up(tx, item.pending):
        close_unanswerable(tx, item.pending, item.seat, isinstance(item.action, Pass))


def _can_answer(tx: Transaction, decision: Decision) -> bool:
    """False if a postponed question has no legal answer any more, for example because no card is left to draw."""
    answers = tx.rules.answers[type(decision)]
    return answers.passes or answers.first(tx.state, decision.seat) is not None


def _open_choices(tx: Transaction, last: ToDo) -> None:
    """Open the answers to a sealed question, once all have answered."""
    state = tx.state
    decision: Any = last.pending[0]
    todo = [*state.todo, last]
    begin = len(todo)
    while begin and todo[begin - 1].hook == "sealed":
        begin -= 1
    sealed = [item for item in todo[begin:] if type(item.pending[0]) is type(decision)]
    tx.changing().todo = tuple([item for item in todo if item not in sealed])
    sealed.sort(key=attrgetter("seat"))
    actions: Any = tuple([item.action for item in sealed])
    if any(isinstance(action, HiddenAction) for action in actions):
        return  # in a sampled world without an answer
    if decision.public and not decision.secret_answer:
        tx.emit(ChoicesOpened, actions)
    decision = sealed[0].pending[0]
    question = decision.all_chosen(tx, {action.seat: decision.option_in(action) for action in actions})
    if question or not state.todo:
        _go_on_asking(tx, last.pending[0], (), question)
