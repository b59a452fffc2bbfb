"""The OpenSpiel game `ttr_rules`, with the extra `openspiel`: import this module, then load the game by name.

>>> import pyspiel
>>> import ttr_tools.learning.spiel
>>> game = pyspiel.load_game("ttr_rules(stack=london+dice,players=3)")
>>> game.num_players(), game.num_distinct_actions(), game.max_chance_outcomes()
(3, 1039, 10000)
>>> state = game.new_initial_state()
>>> state.is_chance_node(), state.apply_action(7), state.current_player() in (0, 1, 2)
(True, None, True)

The first node is a chance node: which of `deals` games is played. The number of the deal is the seed of a game, which
decides all shuffles and rolls that follow, so every other node belongs to a player. Actions are those of `Choices`, the
tensor of an observation is that of `Encoder`, and what players get is `Table.rewards` for "win": the sum is 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ttr_rules import Rules, State
from ttr_rules.engine import final_scores, player_names, view_of
from ttr_rules.errors import InvalidInputError
from ttr_rules.play import new_game
from ttr_rules.plugins import compile_rules
from ttr_tools.extras import extra
from ttr_tools.learning.choices import Choices
from ttr_tools.learning.encoding import Encoder
from ttr_tools.learning.showing import lines
from ttr_tools.learning.table import shared_win

with extra("openspiel"):
    import numpy as np
    import pyspiel as _pyspiel

if TYPE_CHECKING:
    from numpy.typing import NDArray

pyspiel: Any = _pyspiel  # it says nothing of its types
NAME = "ttr_rules"
#: No game takes so many actions.
LONGEST = 20_000
DEFAULTS: dict[str, Any] = {"stack": "europe", "players": 2, "deals": 10_000}

TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="ttr-rules",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=10,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification=DEFAULTS,
)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A stack as an OpenSpiel game: its parameters are `stack` (names joined by +), `players` and `deals`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**DEFAULTS, **(params or {})}
        if given["deals"] < 1:
            raise InvalidInputError(f"deals is a whole number of at least 1, not {given['deals']}")
        self.rules: Rules = compile_rules(*given["stack"].split("+"))
        self.names = player_names(given["players"], self.rules)
        self.deals: int = given["deals"]
        self.choices = Choices(self.rules)
        self.encoder = Encoder(self.rules, len(self.names))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.choices.size,
            max_chance_outcomes=self.deals,
            num_players=len(self.names),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(TYPE, info, params or {})  # pyright: ignore[reportUnknownMemberType]

    def new_initial_state(self) -> SpielState:
        """The state before the deal is chosen."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> SpielObserver:
        """What observes states: what one seat sees at the moment, without what it saw before."""
        if params:
            raise InvalidInputError(f"an observer has no parameters, such as {', '.join(params)}")
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if wanted.perfect_recall or wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise InvalidInputError("an observer shows what one seat sees at the moment, nothing else")
        return SpielObserver(self.encoder)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position of a game of OpenSpiel."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)  # pyright: ignore[reportUnknownMemberType]
        self.names = game.names
        self.choices = game.choices
        self.encoder = game.encoder
        self.deals = game.deals
        self.deal = 0
        self.table: State | None = None  # None before the deal
        self._legal: dict[int, int] | None = None

    def current_player(self) -> int:
        """The seat that acts: the first of those that may."""
        if self.table is None:
            return int(pyspiel.PlayerId.CHANCE)
        pending = self.table.pending
        return pending[0].seat if pending else int(pyspiel.PlayerId.TERMINAL)

    def legal(self) -> dict[int, int]:
        """The legal choices of the seat that acts; see `Choices.legal`."""
        if self._legal is None:
            assert self.table is not None
            self._legal = self.choices.legal(self.table, self.current_player())
        return self._legal

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.legal()) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, all with the same probability."""
        return [(deal, 1 / self.deals) for deal in range(self.deals)]

    def _apply_action(self, action: int) -> None:
        if self.table is None:
            self.deal = action
            self.table = new_game(rules=self.choices.rules, players=len(self.names), seed=action).state
        else:
            self.choices.numbers.perform(self.table, self.current_player(), self.legal()[action])
        self._legal = None

    def _action_to_string(self, player: int, action: int) -> str:
        if self.table is None or player < 0:
            return f"deal {action}"
        number = self.legal().get(action)
        return f"choice {action}" if number is None else repr(self.choices.numbers.action(self.table, player, number))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.table is not None and not self.table.pending

    def returns(self) -> list[float]:
        """What each seat gets: 0 until the game is over."""
        if self.table is None or self.table.pending:
            return [0.0] * len(self.names)
        return shared_win([player.rank == 1 for player in final_scores(self.table, self.names).players])

    def seen_by(self, seat: int) -> NDArray[np.float32]:
        """What a seat sees, encoded; zeros before the deal."""
        if self.table is None:
            return np.zeros(self.encoder.size, dtype=np.float32)
        return self.encoder.encode(view_of(self.table, self.names, seat))

    def told_to(self, seat: int) -> str:
        """What a seat sees, in a few lines."""
        if self.table is None:
            return "before the deal"
        view = view_of(self.table, self.names, seat)
        rules = self.choices.rules
        return "\n".join(
            [*lines(view, rules), f"tickets: {', '.join(view.tickets) or 'none'}", f"parts: {view.parts!r}"]
        )

    def __str__(self) -> str:
        if self.table is None:
            return "before the deal"
        return "\n".join([f"deal {self.deal}", *lines(view_of(self.table, self.names, None), self.choices.rules)])


class SpielObserver:
    """Observes states of `SpielGame` for a player: `tensor` is what its seat sees, encoded."""

    def __init__(self, encoder: Encoder) -> None:
        self.tensor: NDArray[np.float32] = np.zeros(encoder.size, dtype=np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Set the tensor to what a player observes of a state."""
        self.tensor[:] = state.seen_by(player)

    def string_from(self, state: SpielState, player: int) -> str:
        """What a player observes of a state, in words."""
        return state.told_to(player)


pyspiel.register_game(TYPE, SpielGame)
