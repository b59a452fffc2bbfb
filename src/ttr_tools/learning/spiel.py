"""The OpenSpiel game `ttr_rules`, with the extra `openspiel`: import this module, then load the game by name.

>>> import pyspiel
>>> import ttr_tools.learning.spiel
>>> game = pyspiel.load_game("ttr_rules(stack=london+dice,players=3)")
>>> game.num_players(), game.num_distinct_actions(), game.max_chance_outcomes()
(3, 694, 10000)
>>> state = game.new_initial_state()
>>> state.is_chance_node(), state.apply_action(7), state.current_player() in (0, 1, 2)
(True, None, True)

The first node is a chance node: which of `deals` games is played. The number of the deal is the seed of a game, which
decides all shuffles and rolls that follow, so every other node belongs to a player. Actions are those of `Choices`, the
tensor of an observation is that of `Encoder`, and what players get is `NumberedGame.rewards` for "win": the sum is 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any

from ttr_rules import compile_rules
from ttr_rules.errors import InvalidInputError
from ttr_tools.extras import extra
from ttr_tools.learning.encoding import Encoder
from ttr_tools.learning.table import NumberedGame

with extra("openspiel"):
    import numpy as np
    import pyspiel as _pyspiel

if TYPE_CHECKING:
    from numpy.typing import NDArray

pyspiel: Any = _pyspiel  # it says nothing of its types


#: The parameters of the game, and what they are by default: names of plugins joined by +, the number of players, and that of deals.
PARAMETERS = {"stack": "europe", "players": 2, "deals": 10_000}
#: No game takes so many actions.
LONGEST = 20_000

TYPE = pyspiel.GameType(
    short_name="ttr_rules",
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
    parameter_specification=PARAMETERS,
)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A stack as an OpenSpiel game: its parameters are `stack` (names joined by +), `players` and `deals`."""

    def __init__(self, params: Mapping[str, object] | None = None) -> None:
        parameters: dict[str, Any] = {**PARAMETERS, **(params or {})}
        self.deals: int = parameters["deals"]
        if self.deals < 1:
            raise InvalidInputError(f"deals is a whole number of at least 1, not {self.deals}")
        self.table = NumberedGame(compile_rules(*parameters["stack"].split("+")), parameters["players"])
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.choices.size,
            max_chance_outcomes=self.deals,
            num_players=self.table.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(TYPE, info, params or {})  # pyright: ignore[reportUnknownMemberType]

    def new_initial_state(self) -> SpielState:
        """The state before the deal is chosen."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, object] | None = None) -> SpielObserver:
        """An observer of the current view of one seat, without memory."""
        if params:
            raise InvalidInputError(f"an observer has no parameters, such as {', '.join(params)}")
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if wanted.perfect_recall or wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise InvalidInputError("an observer shows what one seat sees at the moment, nothing else")
        return SpielObserver(self.table.encoder)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position of a game of OpenSpiel: the choice of a deal, then a game at a table."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)  # pyright: ignore[reportUnknownMemberType]
        self.table = copy(game.table)
        self.deals = game.deals
        self.deal: int | None = None

    def current_player(self) -> int:
        """The seat that acts: the first of those that may."""
        if self.deal is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.table.seat
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.table.legal(player)) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, all with the same probability."""
        return [(deal, 1 / self.deals) for deal in range(self.deals)]

    def _apply_action(self, action: int) -> None:
        if self.deal is None:
            self.deal = action
            self.table.begin(action)
        else:
            self.table.play(self.current_player(), action)

    def _action_to_string(self, player: int, action: int) -> str:
        if self.deal is None or player < 0:
            return f"deal {action}"
        table = self.table
        number = table.legal(player).get(action)
        return f"choice {action}" if number is None else repr(table.choices.numbers.action(table.state, player, number))

    def is_terminal(self) -> bool:
        """True if the game is over."""
        return self.deal is not None and self.table.seat is None

    def returns(self) -> list[float]:
        """The reward of each seat: 0 until the game is over."""
        return self.table.rewards() if self.is_terminal() else [0.0] * self.table.players

    def observe(self, seat: int) -> NDArray[np.float32]:
        """The encoded view of a seat, zeros before the deal."""
        if self.deal is None:
            return np.zeros(self.table.encoder.size, dtype=np.float32)
        return self.table.observation(seat)

    def describe(self, seat: int) -> str:
        """The view of a seat in a few lines."""
        if self.deal is None:
            return "before the deal"
        return f"{self.table.describe(seat)}\nparts: {self.table.view(seat).parts!r}"

    def __str__(self) -> str:
        return "before the deal" if self.deal is None else f"deal {self.deal}\n{self.table.describe(None)}"


class SpielObserver:
    """Observes states of `SpielGame` for a player: `tensor` is what its seat sees, encoded."""

    def __init__(self, encoder: Encoder) -> None:
        self.tensor: NDArray[np.float32] = np.zeros(encoder.size, dtype=np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Set the tensor to the observation of a player."""
        self.tensor[:] = state.observe(player)

    def string_from(self, state: SpielState, player: int) -> str:
        """The observation of a player, in words."""
        return state.describe(player)


pyspiel.register_game(TYPE, SpielGame)
