"""Copies, saved games and replays: copies are independent, saved games continue, the same seed gives the same game."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_rules.events import Event
from ttr_rules.model import Action
from ttr_rules.play import Game, new_game
from ttr_rules.saves import dumps, loads
from ttr_tools.testing.compare import changed, differing, text_of, texts_of
from ttr_tools.testing.game_run import Check, GameRun, some_of
from ttr_tools.testing.names import raised, rule_name, short
from ttr_tools.testing.problems import CheckFailed


class CopiesCheck(Check):
    """A stored state or view is not changed by later play, nor a game by play on its copy."""

    name = "copies"
    claim = "copies and views are independent of the game"

    def before(self, action: Action) -> None:
        game = self.game
        self.kept = game.state
        self.texts = texts_of(self.kept)
        self.view = game.view(action.seat)
        self.shown = text_of(self.view)
        if self.kept != game.state:
            where = differing(self.kept, game.state, "in one copy", "in another")
            raise CheckFailed(
                f"two copies of a state are not equal: {where}; a part's copy() must keep everything, and value() tell it"
            )
        branch = game.copy()
        choices = branch.legal_actions(action.seat)
        other = choices[self.random.randrange(len(choices))]
        branch.play(other)
        self._unchanged(f"playing {short(other)} on a copy changed the game it was copied from")

    def after(self, action: Action, events: Sequence[Event]) -> None:
        self._unchanged(f"playing {short(action)} changed a copy that was made before")
        if text_of(self.view) != self.shown:
            raise CheckFailed(
                f"playing {short(action)} changed a view that was made before: a part's seen_by() must return copies "
                "(tuple(…), dict(…)), not its own lists and tables"
            )

    def _unchanged(self, what: str) -> None:
        now = texts_of(self.kept)
        if now != self.texts:
            raise CheckFailed(
                f"{what}: {changed(self.texts, now)}. copy() of that part must copy its lists and tables, and effects must "
                "not change what is inside values"
            )


class SavingCheck(Check):
    """A game saved at any time is the same game when loaded, and continues in the same way."""

    name = "saving"
    claim = "a saved game is the same game, and goes on in the same way"

    def __init__(self, game_run: GameRun) -> None:
        super().__init__(game_run)
        self.resumed: list[Game] = []

    def start(self) -> None:
        self._save()

    def after(self, action: Action, events: Sequence[Event]) -> None:
        for other in self.resumed:
            if other.play(action) != tuple(events):
                raise CheckFailed(
                    f"in a game that was saved and loaded, {short(action)} gives other events: something that play depends "
                    "on is not in the state, or its order is lost"
                )
        if self.game_run.number & (self.game_run.number - 1) == 0:
            self._save()

    def _save(self) -> None:
        game = self.game
        try:
            text = dumps(game)
            loaded = loads(text, rules=self.rules)
        except Exception as error:
            raise CheckFailed(f"this game cannot be saved and loaded: {raised(error)}") from error
        if loaded != game:
            where = differing(game.state, loaded.state, "in the game", "when it is loaded")
            raise CheckFailed(f"a loaded game is another game: {where}")
        if dumps(loaded) != text:
            raise CheckFailed("a loaded game is saved as another text: a field's order is not stable")
        for seat in game.to_act:
            mine, theirs = some_of(game.legal_actions(seat)), some_of(loaded.legal_actions(seat))
            if mine != theirs:
                other = next((a for a, b in zip(mine, theirs, strict=False) if a != b), (mine or theirs)[-1])
                name = rule_name(self.rules, game.decision(seat), other)
                raise CheckFailed(f"{name}: a loaded game offers other actions, or in another order: sort them")
        self.resumed = [*self.resumed[-1:], loaded]

    def end(self) -> None:
        self._save()
        for other in self.resumed:
            if other.final_scores != self.game.final_scores:
                raise CheckFailed("a game that was saved and loaded ends with another score sheet")


class ReplayCheck(Check):
    """The same seed and the same actions give the same game."""

    name = "replay"
    claim = "the same seed and actions give the same game"

    def end(self) -> None:
        game = self.game
        again = new_game(rules=self.rules, players=self.game_run.players, seed=self.game_run.seed)
        cause = (
            "chance must come from tx.shuffled and tx.roll alone, and what is remembered must be in a part of the state"
        )
        if again.events != game.moves[0].events:
            raise CheckFailed(f"the same seed gives another set-up the second time: {cause}")
        for number, move in enumerate(game.moves[1:], start=1):
            action = move.action
            assert action is not None
            name = rule_name(self.rules, again.decision(action.seat), action)
            refused = again.refusal(action)
            if refused is not None:
                raise CheckFailed(
                    f"{name}: played a second time, action {number}, {short(action)}, is refused ({refused}): {cause}"
                )
            if again.play(action) != move.events:
                raise CheckFailed(
                    f"{name}: played a second time, action {number}, {short(action)}, gives other events: {cause}"
                )
