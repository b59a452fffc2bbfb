"""What the playout tests share: invariants of a state, shadows of a game, and actions with one thing changed.

A `Watch` follows one game and checks, after every action, what must hold of any game of any stack; see `Watch.after`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain
from random import Random

from hypothesis import HealthCheck, Phase, settings, strategies as st

import ttr_rules as ttr
from ttr_rules.engine import LegalActions
from ttr_rules.model import TicketSetup
from ttr_rules.plugins import Unkept
from ttr_rules.train_cards import CardPiles
from ttr_tools.testing.choices import Mutants
from ttr_tools.testing.names import full_text

#: Games are long: a failing one is told by its seed and its picks, not shrunk for minutes.
PLAYED = settings(
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
#: Numbers of players, seeds of games, and seeds of what is chosen in them.
players, picks = st.integers(2, 5), st.integers(0, 2**32)
seeds = st.integers(-(2**64), 2**64) | st.text(alphabet="abc XYZ 019 äß Łódź 東京 -_'\"", max_size=8)
#: More actions than any game has.
MOST_ACTIONS = 20_000

#: What dice and tokens are called, beside the locomotive.
DICE_WORDS = ("single", "double", "station", "tunnel", "single_token", "double_token")


def label(value: object) -> str:
    """A value in the name of a test: short, and the same in every run."""
    if isinstance(value, set) or (isinstance(value, int) and abs(value) > 10**100):
        return type(value).__name__
    return re.sub(r" at 0x[0-9a-fA-F]+|<locals>\.?", "", repr(value).encode("ascii", "backslashreplace").decode())[:60]


def frozen(state: ttr.State) -> str:
    """Everything about a state, as a text that later changes of the state cannot touch."""
    return full_text(state.values())


def fresh(game: ttr.Game) -> ttr.State:
    """The state of a game before anything happened in it."""
    return ttr.State(game.rules, len(game.players), game.state.chance)


def fold(state: ttr.State, events: Sequence[ttr.Event], chance_calls: int) -> None:
    for event in events:
        event.apply(state)
    state.chance_calls = chance_calls


# -- invariants of one state -----------------------------------------------------------------------------------


def open_routes(state: ttr.State, seat: int) -> set[str]:
    """The routes that a seat could still claim with the cars it has left, from owners and players (C3, C5, C6)."""
    owners = state.owners
    all_of_double = state.players >= state.rules.components.doubles_from
    cars, left = state.rules.route_cars, state.cars[seat]
    found: set[str] = set()
    for id, twins in twins_of(state.rules.board).items():
        if id in owners or cars[id] > left:
            continue
        holders = {owners[twin] for twin in twins if twin in owners}
        own = any(state.shares(seat, state.rules.network.route_number[twin]) for twin in twins)
        if not (own or seat in holders or (holders and not all_of_double)):
            found.add(id)
    return found


@cache
def twins_of(board: ttr.Board) -> dict[str, set[str]]:
    """The other routes of its double, for each route."""
    doubles: dict[str, set[str]] = {}
    for id, route in board.routes.items():
        doubles.setdefault(route.double_group or id, set()).add(id)
    return {id: doubles[route.double_group or id] - {id} for id, route in board.routes.items()}


def told_open(state: ttr.State, seat: int) -> set[str]:
    """The same as the state itself keeps it, a bit for each route of the board."""
    open_to = state.open_to(seat)
    return {id for number, id in enumerate(state.rules.board.routes) if open_to >> number & 1}


def cards_everywhere(state: ttr.State) -> Counter[str]:
    """Every train card of a game with cards, wherever it is."""
    piles = ttr.cards(state)
    laid: Mapping[str, int] = piles.laid or {}
    revealed = [piles.kinds[card] for card in piles.revealed]
    found: Counter[str] = Counter()
    for hand in piles.hands:
        found.update(hand)
    for pile in (piles.face_up, piles.draw_pile, piles.discards, revealed):
        found.update(map(str, pile))
    found.update(laid)
    return found


def tickets_everywhere(state: ttr.State) -> list[str]:
    """Every ticket that is still in the game, wherever it is."""
    asked = [getattr(decision, "tickets", ()) for decision in state.pending]
    return list(chain(*state.tickets, *state.ticket_piles.values(), *state.rejects, *asked))


def check_state(state: ttr.State) -> None:
    """What holds of any state of any stack."""
    rules = state.rules
    used, points = [0] * state.players, [0] * state.players
    ids = rules.network.route_ids
    shared = [(ids[route], seat) for route, seats in state.shared.items() for seat in seats]
    for id, seat in [*state.owners.items(), *shared]:
        used[seat] += rules.route_cars[id]
        points[seat] += rules.route_points[id]
    assert [cars + gone for cars, gone in zip(state.cars, used, strict=True)] == (
        [state.rules.components.cars] * state.players
    ), "cars and routes do not add up (S1)"
    assert min(state.cars) >= 0
    assert list(state.scores) == points, "the scores are not what the routes are worth (P1)"
    for seat in range(state.players):
        assert told_open(state, seat) == open_routes(state, seat), f"the open routes of seat {seat}"
    if CardPiles in state.parts:
        piles = ttr.cards(state)
        assert all(count >= 0 for hand in piles.hands for count in hand.values())
        assert len(piles.face_up) == 5 or not piles.draw_pile, "the row has a gap though cards are there (R3)"
        assert piles.draw_pile or not piles.discards, "the pile was not rebuilt at once (D7)"
    tickets = tickets_everywhere(state)
    assert len(tickets) == len(set(tickets)), "a ticket is in two places"


# -- legal actions ---------------------------------------------------------------------------------------------


MANY = 1000


def check_many(game: ttr.Game, seat: int) -> None:
    """The same of so many legal actions that not all of them can be looked at."""
    choices = game.legal_actions(seat)
    random = Random(len(choices))
    picked = sorted({0, len(choices) - 1, *(random.randrange(len(choices)) for _ in range(60))})
    actions = [choices[index] for index in picked]
    assert len(set(actions)) == len(actions)
    assert choices[-1] == actions[-1] and choices[-len(choices)] == actions[0]
    assert isinstance(choices, LegalActions) and next(choices.sample(5)) in choices
    for action in actions:
        assert action.seat == seat and action in choices
        assert game.refusal(action) is None, f"offered but refused: {action}"


def check_choices(game: ttr.Game, seat: int, every: bool = True) -> None:
    """The legal actions of a seat are a proper sequence without duplicates, and the validator agrees with all of them."""
    choices = game.legal_actions(seat)
    if len(choices) > MANY:
        check_many(game, seat)
        return
    listed = list(choices)
    assert listed, f"seat {seat} is asked but has no legal action"
    assert len(choices) == len(listed)
    assert [choices[index] for index in range(len(choices))] == listed
    assert choices[-1] == listed[-1] and choices[-len(listed)] == listed[0]
    assert list(choices[1:3]) == listed[1:3]
    for index in (len(listed), -len(listed) - 1):
        try:
            choices[index]
        except IndexError:
            continue
        raise AssertionError(f"there are {len(listed)} choices, but one at index {index}")
    assert len(set(listed)) == len(listed), f"offered twice: {[a for a, n in Counter(listed).items() if n > 1]}"
    assert list(game.legal_actions(seat)) == listed, "the order is not stable"
    for action in listed if every else listed[:1] + listed[-1:]:
        assert action.seat == seat
        refusal = game.refusal(action)
        assert refusal is None, f"offered but refused: {action}: {refusal}"


def mutants(game: ttr.Game, action: ttr.Action, random: Random) -> list[ttr.Action]:
    """Actions like `action` with one thing changed, as the kit makes them, and answers to other questions."""
    made, seat = Mutants(game, random), action.seat
    if "dice" in game.rules.stack:
        made.cards += DICE_WORDS
    made.learn([action, *game.legal_actions(seat)[:20]])
    return [*made.near(action), ttr.PayTunnel(seat, {}), *(ttr.DrawFaceUp(seat, card) for card in made.cards)]


def check_mutants(game: ttr.Game, action: ttr.Action, random: Random) -> None:
    """A changed action is legal exactly when it is offered; a refused one changes nothing."""
    before, moves = frozen(game.state), len(game.moves)
    offered: dict[object, Sequence[ttr.Action]] = {}
    refused: list[ttr.Action] = []
    for mutant in mutants(game, action, random):
        seat = mutant.seat
        if type(seat) is int and 0 <= seat < len(game.players):
            if seat not in offered:
                choices = game.legal_actions(seat)
                offered[seat] = choices if len(choices) > MANY else list(choices)
            there = mutant in offered[seat]
        else:
            there = False
        refusal = game.refusal(mutant)
        assert (refusal is None) == there, f"{mutant} is {'' if there else 'not '}offered; the validator: {refusal}"
        if refusal is not None:
            assert refusal.rule and refusal.reason
            refused.append(mutant)
    for mutant in random.sample(refused, min(2, len(refused))):
        try:
            game.play(mutant)
        except ttr.IllegalActionError as error:
            assert error.action == mutant and error.refusal == game.refusal(mutant)
        else:
            raise AssertionError(f"{mutant} was played though it is refused")
    assert frozen(game.state) == before and len(game.moves) == moves, "a refused action changed the game"


# -- a whole game ----------------------------------------------------------------------------------------------


class Watch:
    """Follows a game: a folded shadow, saved games that are played on, copies that are kept."""

    def __init__(self, game: ttr.Game) -> None:
        self.game = game
        self.shadow = fresh(game)
        self.told = 0
        self.step = 0
        self.resumed: list[ttr.Game] = []
        self.kept: list[tuple[ttr.State, str]] = []
        self.copies: list[tuple[ttr.Game, str, int]] = []
        self.in_play: Counter[str] | None = None
        self.cards = cards_everywhere(game.state) if CardPiles in game.state.parts else None
        self.row_stays = False
        self.check()

    def play(self, action: ttr.Action) -> Sequence[ttr.Event]:
        """Play an action on the game and on every game that was loaded from it, and check them all."""
        events = self.game.play(action)
        for other in self.resumed:
            assert other.play(action) == events, "a loaded game goes on in another way"
        self.step += 1
        self.check()
        return events

    def check(self) -> None:
        """The invariants that hold after every action."""
        game, state = self.game, self.game.state
        new = game.events[self.told :]
        self.told += len(new)
        fold(self.shadow, new, game.moves[-1].chance_calls)
        assert self.shadow == state, "folding the events gives another state"
        check_state(state)
        self.check_tickets(state)
        self.check_cards(state, new)
        assert game.to_act == state.to_act
        assert game.is_over == (game.to_act == ()) == (game.final_scores is not None)
        for seat in range(len(game.players)):
            assert (game.decision(seat) is not None) == (seat in game.to_act)
            if seat not in game.to_act:
                assert tuple(game.legal_actions(seat)) == ()
        if self.step & (self.step - 1) == 0 or game.is_over:
            self.save_and_keep(state)

    def check_tickets(self, state: ttr.State) -> None:
        """No ticket is lost in play."""
        if any(isinstance(decision, TicketSetup) for decision in state.pending):
            return
        now = Counter(tickets_everywhere(state))
        if self.in_play is not None and state.rules.draw_counts.unkept is Unkept.BOX:
            assert now <= self.in_play, "a ticket came into the game"
            gone = self.in_play - now
            assert not gone or isinstance(self.game.last_move.action, ttr.KeepTickets), "a ticket left the game"
            assert gone.total() < state.rules.draw_counts.drawn, "nobody kept a ticket"
            self.in_play = now
        if self.in_play is None:
            self.in_play = now
        assert now == self.in_play, "a ticket left the game or came into it"

    def check_cards(self, state: ttr.State, new: Sequence[ttr.Event]) -> None:
        """No train card is lost or made (S2), and no row of locomotives is left lying (S4, R1)."""
        if self.cards is None:
            return
        assert cards_everywhere(state) == self.cards, "train cards were lost or made"
        # R1: after ten sweeps in a row the row stays as it is.
        self.row_stays |= sum(type(event).__name__ == "RowSwept" for event in new) >= 10
        piles = ttr.cards(state)
        others = sum(card != "locomotive" for card in (*piles.face_up, *piles.draw_pile, *piles.discards))
        sweep_at = getattr(state.rules.economy, "sweep_at", None)
        if sweep_at and piles.face_up.count("locomotive") >= sweep_at and piles.draw_pile and others >= 3:
            assert self.row_stays, f"the row was not swept: {piles.face_up}"

    def save_and_keep(self, state: ttr.State) -> None:
        game = self.game
        text = ttr.dumps(game)
        loaded = ttr.loads(text, rules=game.rules)
        assert loaded == game and loaded.events == game.events, "a loaded game is another game"
        assert ttr.dumps(loaded) == text
        self.resumed = [*self.resumed[-1:], loaded]
        self.kept.append((state, frozen(state)))
        self.copies.append((game.copy(), frozen(state), len(game.moves)))
        if not game.is_over:
            branch = game.copy()
            branch.play(branch.legal_actions(game.to_act[-1])[-1])
            assert frozen(game.state) == frozen(state), "playing on a copy changed the game"
        again = fresh(game)
        fold(again, game.events, game.moves[-1].chance_calls)
        assert again == state

    def end(self) -> None:
        """What holds at the end, and of everything that was kept on the way."""
        game = self.game
        assert game.is_over
        sheet = game.final_scores
        assert sheet is not None
        assert [player.name for player in sheet.players] == list(game.players)
        for seat, player in enumerate(sheet.players):
            assert player.route_points == game.state.scores[seat]
        best = max(player.total for player in sheet.players)
        assert sheet.winners and all(player.total == best for player in sheet.players if player.rank == 1)
        for other in self.resumed:
            assert other == game and other.final_scores == sheet
        for state, value in self.kept:
            assert frozen(state) == value, "a state that somebody kept was changed by later play"
        for copy, value, moves in self.copies:
            assert frozen(copy.state) == value and len(copy.moves) == moves, "a copied game was changed by later play"
        text = repr(game.events)
        for _ in range(2):
            assert repr(game.events) == text


def any_action(game: ttr.Game, seat: int, random: Random) -> ttr.Action:
    """Any legal action of a seat."""
    choices = game.legal_actions(seat)
    return choices[random.randrange(len(choices))]


def follow(
    game: ttr.Game,
    random: Random,
    pick: Callable[[ttr.Game, int, Random], ttr.Action] = any_action,
    *,
    look_every: int = 16,
    look_at: tuple[type[ttr.Decision], ...] = (),
    each: Callable[[ttr.Game], None] = lambda game: None,
) -> Watch:
    """Play a game to its end and check all that must hold; choices every so often, and whenever something is asked.

    `each` is called before every action and after the last.
    """
    watch = Watch(game)
    while game.to_act:
        assert watch.step < MOST_ACTIONS, "this game does not end"
        each(game)
        seat = random.choice(game.to_act)
        action = pick(game, seat, random)
        if watch.step % look_every == 0 or isinstance(game.decision(seat), look_at):
            check_choices(game, seat, every=watch.step % (4 * look_every) == 0)
            check_mutants(game, action, random)
        watch.play(action)
    each(game)
    watch.end()
    return watch
