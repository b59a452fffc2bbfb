"""Seeded games that checks follow, and the problems that they find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from random import Random
from typing import ClassVar, TypeAlias, TypeVar

from attrs import field, frozen

from ttr_rules import Rules, State, compile_rules
from ttr_rules.engine import LegalActions, advance, legal_actions, sampled
from ttr_rules.errors import IllegalActionError, InvalidInputError, TTRError
from ttr_rules.events import CarsArranged, Event, FleetsSet
from ttr_rules.hidden import missing
from ttr_rules.model import Action, ClaimRoute, Counts, Decision, DrawTickets, Pass, Turn
from ttr_rules.play import Game, new_game
from ttr_rules.plugins import Choice, options_of
from ttr_rules.sequences import spread
from ttr_rules.train_cards import CardPiles, DrawBlind, DrawFaceUp
from ttr_tools.bots.planner import group_actions
from ttr_tools.bots.playing import MOST_ACTIONS
from ttr_tools.testing.names import describe_error, plugin_name, rule_name, short, spell_stack
from ttr_tools.testing.positions import arrange_last_turns, arrange_long_routes

T = TypeVar("T")
NOTHING = Counts()
#: Of very many legal actions only a sample is read: `MOST_READ` at every `READ_EVERY`-th action, else `FEW_READ`.
MOST_READ, READ_EVERY, FEW_READ = 5000, 8, 500
_SAMPLE_OF_A_TYPE = 20
#: The position in which the last round is near, and the keys of parts hold something.
LAST_TURNS = "last turns"
#: The position in which seats have the cards for long routes, and seldom claim others.
LONG_ROUTES = "long routes"
#: The positions in which seats have few train cars left, and how many.
LATE: Mapping[str, int] = {"late": 3, **{f"late, cars: {count}": count for count in (1, 2, 4, 5, 6)}}
#: The positions that are arranged, not reached by play.
ARRANGED = (LAST_TURNS, LONG_ROUTES)
#: Positions that random games seldom reach, and what is then hardly played.
POSITIONS: Mapping[str, tuple[type[Action], ...]] = {
    "spending": (DrawBlind, DrawFaceUp, DrawTickets),
    **dict.fromkeys(LATE, (ClaimRoute,)),
    LONG_ROUTES: (ClaimRoute,),
    LAST_TURNS: (),
}
#: The number of actions of a game before such a position, and after it.
BEFORE_POSITION, AFTER_POSITION = 20, 80
_MORE_CARDS, _LOOKED_AT = 12, 5
_MOST_ANSWERS = 5
#: The least length of a long route.
_LONG = 5


#: The end of a message about a key from which other faults follow.
INTO_KEY = "into claim_key"


class CheckFailed(Exception):  # noqa: N818 (never leaves this package)
    """A violation of a property. The message is for the author of a variant. `where` is the game in which it was found.

    A game is its number of players, its seed, the number of the action as in `Problem`, and how to play it again.
    """

    def __init__(
        self, message: str, players: int = 0, seed: int = 0, action: int | None = None, again: str = ""
    ) -> None:
        super().__init__(message)
        self.where = players, seed, action, again


@contextmanager
def blaming(what: str, cure: str = "") -> Generator[None]:
    """Fail a check if something of a plugin fails: say `what`, the error, and a `cure`."""
    try:
        yield
    except Exception as error:
        raise CheckFailed(f"{what}: {describe_error(error)}{cure}") from error


@frozen
class Problem:
    """A violated property: which one, what to fix, and the game in which it was found.

    `action` is the number of the action in the game, counted from 1, 0 for the set-up, or None if no game is needed.

    >>> print(Problem("offers", "MyRule.offers lists an action twice", players=3, seed=17, action=4))
    [offers] MyRule.offers lists an action twice
        at action 4 of the game with 3 players and seed 17
    """

    check: str
    message: str
    players: int | None = None
    seed: int | None = None
    action: int | None = None
    again: str = ""

    def __str__(self) -> str:
        lines = [f"[{self.check}] {self.message}"]
        if self.action is not None:
            place = f"at action {self.action}" if self.action else "at the set-up"
            lines.append(f"    {place} of the game with {self.players} players and seed {self.seed}")
        if self.again:
            lines.append(f"    the position: {self.again}")
        return "\n".join(lines)


class VariantError(TTRError):
    """A variant violates properties that every variant must have. `problems` lists all violations.

    >>> print(VariantError("europe + mine", [Problem("offers", "MyRule.offers lists an action twice")]))
    europe + mine: 1 problem
    [offers] MyRule.offers lists an action twice
    """

    def __init__(self, what: str, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        count = "1 problem" if len(self.problems) == 1 else f"{len(self.problems)} problems"
        super().__init__("\n".join([f"{what}: {count}", *map(str, self.problems)]))


@frozen
class VariantReport:
    """Report on a variant in which no problem was found.

    `stack` names the plugins as they are typed, with their options. `checks` names the properties that hold, `skipped`
    those that the caller excluded. `advice` says what makes games slow, and what never came up in them.

    >>> from ttr_tools.testing import check_variant
    >>> report = check_variant("london", players=2, games=1, skip=["secrets", "bots"])
    >>> report.games, report.skipped, "offers" in report.checks
    (1, ('secrets', 'bots'), True)
    """

    stack: tuple[str, ...]
    games: int
    actions: int
    checks: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()

    def __str__(self) -> str:
        games = "1 game" if self.games == 1 else f"{self.games} games"
        text = f"{' + '.join(self.stack)}: {games}, {self.actions} actions, {len(self.checks)} properties hold"
        skipped = [f"not checked: {name}" for name in self.skipped]
        return "\n  ".join([text, *skipped, *(f"advice: {advice}" for advice in self.advice)])


# -- random games ----------------------------------------------------------------------------------------------------


def sample_actions(choices: Sequence[Action], most: int = MOST_READ) -> list[Action]:
    """All legal actions of a seat as a list. If there are very many, it is a sample that is stable between runs."""
    if len(choices) <= most:
        return list(choices)
    few = list(sampled(choices, _SAMPLE_OF_A_TYPE))
    return few[:: len(few) // most + 1]


class Picks:
    """The choices of a seeded game: any legal action, but every other time rare types as often as common ones."""

    def __init__(self, seed: int | str) -> None:
        self._random = Random(f"picks {seed!r}").random  # the only method whose results Python guarantees not to change

    def pick(self, some: Sequence[T]) -> T:
        """Pick one of some things."""
        return some[int(self._random() * len(some))]

    def seat(self, game: Game) -> int:
        """Pick one of the seats that may act. Raises `InvalidInputError` for a game that does not end."""
        if game.played >= MOST_ACTIONS:
            raise InvalidInputError(f"this game does not end: {MOST_ACTIONS} actions were played")
        seats = game.to_act
        return seats[0] if len(seats) == 1 else self.pick(seats)

    def action(self, choices: Sequence[Action]) -> Action:
        """Pick one of the legal actions."""
        if len(choices) == 0:
            raise InvalidInputError("there is no legal action")
        if self._random() < 0.5:
            return self.pick(choices)
        if isinstance(choices, LegalActions) and len(choices) <= MOST_READ:
            kinds: list[Sequence[Action]] = choices.groups
        else:
            by_kind: dict[type[Action], list[Action]] = {}
            for action in sample_actions(choices):
                by_kind.setdefault(type(action), []).append(action)
            kinds = [*by_kind.values()]
        return self.pick(self.pick(kinds))

    def next(self, game: Game) -> Action:
        """Pick the next action of a game that is not over."""
        return self.action(game.legal_actions(self.seat(game)))


class PositionPicks(Picks):
    """The choices in a position: the most expensive of a few actions, but hardly those that would soon end it."""

    def __init__(self, seed: int | str, position: str) -> None:
        super().__init__(f"{seed} {position}")
        self._avoid = POSITIONS[position]

    def few(self, choices: Sequence[Action]) -> list[Action]:
        """A few of the actions, with those to avoid only if there are no others."""
        kinds = group_actions(choices)
        wanted = [action for kind in kinds if not isinstance(kind[0], self._avoid) for action in self.read(kind)]
        return wanted or [action for kind in kinds for action in sampled(kind, _SAMPLE_OF_A_TYPE)]

    def read(self, kind: Sequence[Action]) -> Iterator[Action]:
        """The actions of a type to choose from."""
        return sampled(kind, _SAMPLE_OF_A_TYPE)

    def action(self, choices: Sequence[Action]) -> Action:
        few = self.few(choices)
        return max((self.pick(few) for _ in range(_LOOKED_AT)), key=lambda action: payment_of(action).total)


class LongPicks(PositionPicks):
    """The choices in the position of long routes: the length claimed least often so far, the longest first."""

    def __init__(self, seed: int | str, rules: Rules) -> None:
        super().__init__(seed, LONG_ROUTES)
        lengths = {id: route.length for id, route in rules.board.routes.items()}
        least = min(_LONG, max(lengths.values(), default=0))
        self._lengths = {id: length for id, length in lengths.items() if length >= least}
        self._claimed = Counter[int]()

    def action(self, choices: Sequence[Action]) -> Action:
        kinds = [kind for kind in group_actions(choices) if isinstance(kind[0], ClaimRoute)]
        claims: dict[int, Action] = {}
        for action in chain.from_iterable(map(sample_actions, kinds)):
            if isinstance(action, ClaimRoute) and action.route in self._lengths:
                claims.setdefault(self._lengths[action.route], action)
        if not claims:
            return super().action(choices)
        length = min(claims, key=lambda length: (self._claimed[length], -length))
        self._claimed[length] += 1
        return claims[length]


class StallingPicks(PositionPicks):
    """The choices of players who avoid claiming routes and pass as often as they can (`passing`), or as seldom."""

    def __init__(self, seed: int | str, passing: bool) -> None:
        super().__init__(f"{seed} {passing}", "late")
        self._passing = passing

    def read(self, kind: Sequence[Action]) -> Iterator[Action]:
        return spread(kind, FEW_READ)  # more than of claims, of which there may be thousands

    def action(self, choices: Sequence[Action]) -> Action:
        few = self.few(choices)
        wanted = [action for action in few if isinstance(action, Pass) == self._passing] or few
        return self.pick(wanted)

    def least(self, decision: Decision | None, choices: Sequence[Action]) -> Action:
        """Pick an action, but decline a plugin's choice or take the least: 0, False, None, else what comes first."""
        if not isinstance(decision, Choice):
            return self.action(choices)
        few = sample_actions(choices, FEW_READ)
        return next((action for action in few if isinstance(action, Pass) or not decision.option_in(action)), few[0])


def payment_of(action: Action | None) -> Counts:
    """What is paid by an action, nothing if it has no payment."""
    payment: object = getattr(action, "payment", None)
    return payment if isinstance(payment, Counts) else NOTHING


def played(
    *stack: object,
    players: int,
    seed: int = 1,
    actions: int | None = None,
    rulings: Mapping[str, object] | None = None,
    rules: Rules | None = None,
    position: str | None = None,
) -> Game:
    """Play the seeded game of `check_variant` up to a number of actions, or to its end.

    Use it to reproduce a problem reported by `check_variant`, in one of its `POSITIONS` too.

    >>> game = played("europe", players=3, seed=17, actions=3)
    >>> len(game.moves) - 1, game.to_act == ()
    (3, False)
    """
    rules = compile_rules(*stack, rulings=rulings) if rules is None else rules
    game, picks = begin(rules, players, seed, position)
    while game.to_act and (actions is None or len(game.moves) <= actions):
        game.play(picks.next(game))
    return game


def begin(rules: Rules, players: int, seed: int, position: str | None) -> tuple[Game, Picks]:
    """A seeded game at its beginning, or at that of a position, with the choices that are played in it."""
    if position is None:
        return new_game(rules=rules, players=players, seed=seed), Picks(seed)
    if position == LAST_TURNS:
        return arrange_last_turns(rules, players, seed)[0], Picks(f"{seed} {position}")
    if position == LONG_ROUTES:
        return arrange_long_routes(rules, players, seed), LongPicks(seed, rules)
    return arrange_position(rules, players, seed, position), PositionPicks(seed, position)


def arrange_position(rules: Rules, players: int, seed: int, position: str) -> Game:
    """The seeded game after some actions, at the start of a turn, with larger hands or few train cars left.

    In the position "drained", with train cards, the row and the piles of cards and tickets are empty, in "stuck" all hands,
    too, in "poor" the hands alone.
    """
    game = played(rules=rules, players=players, seed=seed, actions=BEFORE_POSITION)
    picks = Picks(f"{seed} {position}")
    while game.to_act and not isinstance(game.state.pending[0], Turn):
        game.play(picks.next(game))
    state, fleets, few = game.state, rules.components.fleets, LATE.get(position)
    piles = state.part(CardPiles) if state.has_part(CardPiles) else None
    for seat in range(players):
        if few and fleets:
            FleetsSet(seat, Counts({kind: min(state.left(seat, kind), few) for kind in fleets})).apply(state)
        elif few:
            CarsArranged(seat, min(state.cars[seat], few)).apply(state)
        elif piles and position == "stuck":
            piles.hand[seat] = [0] * len(piles.kinds)
        elif piles and position == "poor":
            deal_hand(state, seat, {})
        elif piles and position == "spending":
            pile = sorted(piles.draw_pile)  # many of a kind pay for long routes
            more = pile[len(pile) - min(_MORE_CARDS, len(pile) // (players + 1)) :]
            deal_hand(state, seat, Counter(piles.counts(seat)) + Counter(more))
    if piles and position in ("drained", "stuck"):
        piles.discarded = []
        piles.lay_row([])
        piles.lay_piles([])
        state.ticket_piles = dict.fromkeys(state.ticket_piles, ())
    return Game(state, game.players, seed, game.moves)


def play_through(state: State, action: Action) -> None:
    """Play an action and the first answers to the questions that follow it, up to `_MOST_ANSWERS`."""
    advance(state, action)
    for _ in range(_MOST_ANSWERS):
        if state.to_act and not isinstance(state.pending[0], Turn):
            advance(state, legal_actions(state, state.to_act[0])[0])


def cannot_be_played(game: Game, action: Action, error: Exception) -> str:
    """Say that a legal action of a game cannot be played, and what may cure it."""
    beginning = f"{short(action)}, which is legal, cannot be played: "
    if isinstance(error, IllegalActionError) and isinstance(action, ClaimRoute):
        keyed = [repr(condition.name) for condition in game.rules.claim_conditions if condition.key is not None]
        cure = f". Put everything that the refusal depends on into claim_key of {' or '.join(keyed)}" if keyed else ""
        return f"{beginning}{describe_error(error)}{cure}"
    if not isinstance(error.__cause__ or error, RecursionError):
        return beginning + describe_error(error)
    return (
        f"{beginning}rules call each other without end. A hook for turns or claims must return a question or nothing. It must not "
        "begin or end the turn itself"
    )


def deal_hand(state: State, seat: int, cards: Mapping[str, int]) -> bool:
    """Exchange a seat's hand for these cards with the draw pile. Returns whether they are there."""
    piles = state.part(CardPiles)
    pile = [*piles.undrawn, *(card for card, count in enumerate(piles.hand[seat]) for _ in range(count))]
    hand = [cards.get(kind, 0) for kind in piles.kinds]
    for card, count in enumerate(hand):
        if pile.count(card) < count:
            return False
        for _ in range(count):
            pile.remove(card)
    piles.hand[seat] = hand
    piles.lay_piles(pile)
    return True


# -- checks ----------------------------------------------------------------------------------------------------------


#: The type of a decision, and that of an action that answered it.
Answered: TypeAlias = tuple[type[Decision | None], type[Action]]


@frozen
class Trial:
    """A stack on trial, as its author gave it, with its rules, the numbers of players to check, and the first seed."""

    stack: tuple[object, ...]
    rules: Rules
    players: tuple[int, ...]
    seed: int = 1
    #: What came up in its games.
    played: set[Answered] = field(factory=set[Answered], eq=False, repr=False)

    @property
    def rulings(self) -> dict[str, object]:
        """The options of its plugins that differ from their defaults."""
        options = [option for plugin in self.rules.plugins.values() for option in options_of(plugin).values()]
        return {each.name: each.value for each in options if each.alternatives and each.value != each.default}

    @property
    def last_turns(self) -> tuple[tuple[int, int], ...]:
        """The fewest and the most players, each with a seed: of what is played twice, not for every number of players."""
        return (self.players[0], self.seed), (self.players[-1], self.seed + 1)

    def fail_for(self, problems: Sequence[Problem]) -> None:
        """Raise `VariantError` if there are problems."""
        if problems:
            raise VariantError(" + ".join(spell_stack(self.rules)), problems)

    def again(self, players: int, seed: int, actions: int, position: str | None = None) -> str:
        """The code that plays a game of it up to an action."""
        stack = ", ".join(map(plugin_name, self.stack))
        more = f", rulings={self.rulings}" if self.rulings else ""
        more += f", position={position!r}" if position else ""
        return f"ttr_tools.testing.played({stack}, players={players}, seed={seed}, actions={actions}{more})"


@frozen
class StackCheck:
    """One property of a whole stack. `look` returns all that is wrong with it, or raises `CheckFailed` for the first of it.

    It raises `SkipTest` if that cannot be checked here.
    """

    name: str
    look: Callable[[Trial], Iterable[str] | None]

    def find(self, trial: Trial) -> list[Problem]:
        """The problems of a stack."""
        try:
            return [Problem(self.name, message) for message in self.look(trial) or ()]
        except CheckFailed as failed:
            players, seed, action, again = failed.where
            if not players:
                players, seed = trial.players[0], trial.seed
            return [Problem(self.name, str(failed), players, seed, action, again)]


class Run:
    """A game in play together with what checks need: their own chance, and how to reproduce a problem."""

    def __init__(self, trial: Trial, players: int, seed: int, position: str | None = None) -> None:
        self.trial = trial
        self.rules = trial.rules
        self.players = players
        self.seed = seed
        self.position = position
        self.game, self.picks = begin(self.rules, players, seed, position)
        self.random = Random(f"checks {seed!r}")
        self._stop = None if position is None else self.number + AFTER_POSITION
        #: The action that is played (None: the set-up), the state before it, which nobody changes, and the decision it answers.
        self.action: Action | None = None
        self.before = State(self.rules, players, self.game.state.chance)
        self.asked: Decision | None = None
        #: The pools that begin with all that is in their box.
        self.complete_pools = [pool for pool, items in missing(self.game.state).items() if not items]
        self.is_first = True  #: True if no action of its type was played before.
        self._types: set[type[Action]] = set()
        self._offered: dict[tuple[int, int], list[Action]] = {}

    @property
    def number(self) -> int:
        """The number of actions played."""
        return len(self.game.moves) - 1

    @property
    def goes_on(self) -> bool:
        """True while another action is to be played: until the game is over, or for some actions in a position."""
        return bool(self.game.to_act) and (self._stop is None or self.number < self._stop)

    def begin(self, action: Action) -> None:
        """Note an action, the state before it, and the decision that it answers."""
        self.action, self.before, self.asked = action, self.game.state, self.game.decision(action.seat)
        self.is_first = type(action) not in self._types
        self._types.add(type(action))
        self.trial.played.add((type(self.asked), type(action)))

    def sample_legal_actions(self, seat: int) -> list[Action]:
        """The legal actions of a seat now, or a sample of them, read once for all checks."""
        now = self.number, seat
        if now not in self._offered:
            self._offered = {at: actions for at, actions in self._offered.items() if at[0] == self.number}
            self._offered[now] = self.sample(self.game.legal_actions(seat))
        return self._offered[now]

    def sample(self, choices: Sequence[Action]) -> list[Action]:
        """Legal actions as a list: all, or a sample if they are too many to be read at this action."""
        return sample_actions(choices, MOST_READ if self.number % READ_EVERY == 0 else FEW_READ)

    def steps(self, events: Sequence[Event]) -> Iterator[tuple[Event, State]]:
        """Events since the last action, each with the state before it. The caller applies it to that state."""
        state = self.before.copy()
        for event in events:
            yield event, state

    @property
    def told(self) -> str:
        """The action with the rule that performed it, for a message."""
        if self.action is None:
            return "the set-up"
        return f"{short(self.action)}, played by {rule_name(self.rules, self.asked, self.action)}"

    def problem(self, check: str, message: str, action: int) -> Problem:
        """A problem found at an action of this game."""
        again = self.trial.again(self.players, self.seed, max(action - 1, 0), self.position)
        return Problem(check, message, self.players, self.seed, action, again)


class Check:
    """One property, followed through one game. A method raises `CheckFailed` when the property does not hold."""

    #: The name shown in problems and tests.
    name: ClassVar[str]

    def __init__(self, run: Run) -> None:
        self.run = run
        self.game = run.game
        self.rules = run.rules
        self.random = run.random

    def rule(self, action: Action, seat: int | None = None) -> str:
        """The rule that lets an action answer the decision of its seat, or of another."""
        asked = action.seat if seat is None else seat
        decision = self.game.decision(asked) if asked in self.game.to_act else None
        return rule_name(self.rules, decision, action)

    def other_offer(self, seat: int, choices: Sequence[Action]) -> str:
        """The rule and an action, of a rare type if possible, that only one of two lists of a seat's legal actions has.

        If both have the same actions, the first place where they differ. An empty text if the lists are equal.
        """
        mine, theirs = self.run.sample_legal_actions(seat), self.run.sample(choices)
        if mine == theirs:
            return ""
        here, there = frozenset(mine), frozenset(theirs)
        alone = [action for action in (*mine, *theirs) if (action in here) != (action in there)]
        # The lists may be samples, which also differ in types of which there are many.
        often = Counter(type(action) for action in (*mine, *theirs))
        alone.sort(key=lambda action: often[type(action)])
        places = [action for action, other in zip(mine, theirs, strict=False) if action != other]
        action = [*alone, *places, *mine, *theirs][0]
        return f"{self.rule(action, seat)}, at {short(action)}"

    def start(self) -> None:
        """Note what the game is compared with, before any other check looks at it."""

    def before(self, action: Action) -> None:
        """Check the game before a legal action is played."""

    def after(self, events: Sequence[Event]) -> None:
        """Check the game after its set-up, and after each legal action that was played."""

    def end(self) -> None:
        """Check the game after its end."""
