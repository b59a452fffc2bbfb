"""`SearchBot`: a search that tries actions in sampled worlds, by light playouts."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from attrs import define, field

from ttr_rules import Rules, View
from ttr_rules.errors import InvalidInputError
from ttr_rules.hidden import determinize
from ttr_rules.model import Action, KeepTickets, checked_seed
from ttr_rules.text import brief
from ttr_tools.bots.options import Options
from ttr_tools.bots.planner import Bot
from ttr_tools.bots.playouts import play_out
from ttr_tools.bots.proposals import proposals

WIN = 10.0  #: What winning is worth besides the points, and losing costs.
PER_POINT = 3  #: What a route's points are worth to its planner; see `Bot`.


class SearchBot:
    """A player that tries its best actions in worlds that fit its view, and takes the one that did best.

    The actions are those that the planner would take, and a few others. All are tried in the same worlds (see
    `determinize`); there every seat follows a plan to the end of the game. After each round the worse half drops out. As
    luck is most of a single result, another action than the planner's must have been better by more than luck explains;
    tickets to keep, on which most depends, by half as much.

    `iterations` is how many playouts it makes for a choice that it searches. More make it stronger and slower: its time
    depends on nothing else. The same seed, views and actions give the same choices.

    Raises `InvalidInputError`, a `ValueError`, for a seed that is neither a whole number nor a string, or a number of
    iterations below 1.

    >>> from ttr_rules import new_game
    >>> game = new_game("north-america", players=2, seed=7)
    >>> bot = SearchBot(seed=7, iterations=4)
    >>> game.is_legal(bot.choose(game.view(0), game.rules, game.legal_actions(0)))
    True
    """

    #: A game takes minutes: see `InstalledBot`.
    slow = True

    def __init__(self, seed: int | str, iterations: int = 100) -> None:
        self.seed = checked_seed(seed)
        if type(iterations) is not int or iterations < 1:
            raise InvalidInputError(f"iterations is a whole number of at least 1, not {brief(iterations)}")
        self.iterations = iterations
        checked_seed(f"{seed!r} {10**9} {10**9} 9")  # a text may be too long to add numbers
        self._planner = Bot(f"search {seed!r}", PER_POINT)
        self._choices = 0

    def __repr__(self) -> str:
        return f"SearchBot({self.seed!r}, iterations={self.iterations})"

    def choose(self, view: View, rules: Rules, actions: Sequence[Action]) -> Action:
        """Choose one of the legal `actions` of the seat that the view belongs to.

        Raises `InvalidInputError` if there is no action to choose, or for a spectator's view.
        """
        usual = self._planner.choose(view, rules, actions)
        self._choices += 1
        if len(actions) == 1:
            return usual
        trials = [Trial(action) for action in proposals(self._planner, view, rules, Options(actions, rules), usual)]
        return usual if len(trials) == 1 else self._race(view, rules, trials)

    def _race(self, view: View, rules: Rules, trials: list[Trial]) -> Action:
        """Try all actions, then the better half of them, and so on; the first one stays to the end."""
        usual, *others = trials
        rounds = len(others).bit_length()
        worlds = 0
        for _ in range(rounds):
            for _ in range(max(self.iterations // rounds // (len(others) + 1), 1)):
                self._try(view, rules, [usual, *others], f"{self.seed!r} {self._choices} {worlds}")
                worlds += 1
            others = sorted(others, key=lambda trial: -trial.mean)[: (len(others) + 1) // 2]
        best = others[0]
        luck = error_of_lead(best, usual) * (0.5 if isinstance(usual.action, KeepTickets) else 1)
        return best.action if best.mean - usual.mean > luck else usual.action

    def _try(self, view: View, rules: Rules, trials: Sequence[Trial], seed: str) -> None:
        """Try actions in one world."""
        seat = view.seat
        assert seat is not None, "the planner refuses the view of a spectator"
        world = determinize(view, rules, seed)
        for trial in trials:
            planners = [
                Bot(self._planner.seed if other == seat else f"{seed} {other}", PER_POINT)
                for other in range(len(world.players))
            ]
            totals = play_out(rules, world.state, world.players, trial.action, planners)
            lead = totals[seat] - max((total for other, total in enumerate(totals) if other != seat), default=0)
            trial.results.append(lead + (WIN if lead > 0 else -WIN if lead < 0 else 0.0))


@define(eq=False)
class Trial:
    """An action that is tried, and its results: the seat's lead at the end of each playout."""

    action: Action
    results: list[float] = field(factory=list[float])

    @property
    def mean(self) -> float:
        """The average result."""
        return sum(self.results) / len(self.results)


def error_of_lead(one: Trial, two: Trial) -> float:
    """The standard error of the difference of two means; both were tried in the same worlds, one perhaps in more."""
    leads = [a - b for a, b in zip(one.results, two.results, strict=False)]
    mean = sum(leads) / len(leads)
    return sqrt(sum((lead - mean) ** 2 for lead in leads)) / len(leads)
