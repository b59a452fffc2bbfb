"""Generator and validator: `offers` lists exactly what `refusal` accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import cast

from ttr_rules.engine import refusal as engine_refusal
from ttr_rules.errors import IllegalActionError, Refusal
from ttr_rules.model import Action, Decision, numbers
from ttr_tools.testing.compare import differing
from ttr_tools.testing.game_run import MOST_READ, Check, GameRun, some_of
from ttr_tools.testing.mutants import Mutants
from ttr_tools.testing.names import raised, rule_name, short
from ttr_tools.testing.problems import CheckFailed


class OffersCheck(Check):
    """Offered actions are legal, listed once, for the seat with the decision, and always in the same order."""

    name = "offers"
    claim = "what is offered is legal, once each, in a stable order"

    def before(self, action: Action) -> None:
        game = self.game
        if self.game_run.number % 4 == 0:
            self._conditions(action.seat)
        for seat in game.to_act:
            choices = game.legal_actions(seat)
            listed = some_of(choices)
            decision = game.decision(seat)
            self._listing(seat, decision, choices, listed)
            for each in listed:
                if each.seat != seat:
                    raise CheckFailed(
                        f"{rule_name(self.rules, decision, each)} offers seat {seat} an action of another: {each}"
                    )
            few = self.game_run.number % 3
            for each in (*listed[:2], *listed[-2:]) if few else listed:
                refused = game.refusal(each)
                if refused is not None:
                    rule = rule_name(self.rules, decision, each)
                    raise CheckFailed(
                        f"{rule}: offers lists {short(each)}, but refusal says {refused}: one of the two is wrong"
                    )

    def _conditions(self, seat: int) -> None:
        """A condition on claims is consistent about a route, and its mask agrees with its refusal."""
        state = self.game.state
        network = self.rules.network
        for condition in self.rules.claim_conditions:
            for route in numbers(state.open[seat]):
                id = network.route_ids[route]
                first, again = (condition.refusal(state, seat, id) for _ in range(2))
                if first != again:
                    raise CheckFailed(
                        f"claim_refusal of {condition.name!r} changes its mind: seat {seat} may {_may(first)} {id}, and when "
                        f"it is asked again may {_may(again)} it; it must depend on the state alone"
                    )
                mask = condition.mask(state, seat, 1 << route)
                if bool(mask >> route & 1) != (first is not None):
                    raise CheckFailed(
                        f"claim_refusal of {condition.name!r} says two things of {id} for seat {seat}: by its refusal it "
                        f"is {_open(first is None)}, by claim_key or closed_routes {_open(not mask >> route & 1)}"
                    )

    def _listing(
        self, seat: int, decision: Decision | None, choices: Sequence[Action], listed: Sequence[Action]
    ) -> None:
        repeated = [action for action, count in Counter(listed).items() if count > 1]
        if repeated:
            name = rule_name(self.rules, decision, repeated[0])
            raise CheckFailed(
                f"{name}: offers lists {short(repeated[0])} {Counter(listed)[repeated[0]]} times for seat {seat}"
            )
        again = some_of(self.game.legal_actions(seat))
        if again != listed:
            other = next((a for a, b in zip(listed, again, strict=False) if a != b), (listed or again)[-1])
            raise CheckFailed(
                f"{rule_name(self.rules, decision, other)}: offers gives another list when it is asked again; a list must "
                "have one order (sort the items of a set) and depend on the state alone"
            )
        if len(choices) > MOST_READ:
            same = choices[0] == next(iter(choices)) and all(
                choices[index] in choices for index in (-1, len(choices) // 2)
            )
        else:
            same = len(choices) == len(listed) and [choices[index] for index in range(len(choices))] == listed
        if not same:
            other = next((each for each, there in zip(listed, choices, strict=False) if each != there), listed[0])
            if len(choices) <= MOST_READ:
                other = next((each for index, each in enumerate(listed) if choices[index] != each), other)
            name = rule_name(self.rules, decision, other)
            raise CheckFailed(
                f"{name}: the sequence that offers returns is not the same when it is iterated and when it is indexed"
            )


def _may(refusal: Refusal | None) -> str:
    return "claim" if refusal is None else "not claim"


def _open(is_open: bool) -> str:
    return "open" if is_open else "closed"


class RefusalsCheck(Check):
    """Anything not offered is refused with a rule and a reason, and refusing changes nothing."""

    name = "refusals"
    claim = "what is not offered is refused, with a reason, and changes nothing"

    def __init__(self, game_run: GameRun) -> None:
        super().__init__(game_run)
        self.mutants = Mutants(self.game, self.random)

    def before(self, action: Action) -> None:
        game = self.game
        before = game.state
        moves = len(game.moves)
        all_of = {seat: game.legal_actions(seat) for seat in range(self.game_run.players)}
        # The sequence's own membership test is used only if it is too long to read completely.
        offered = {seat: all_of[seat] if len(all_of[seat]) > MOST_READ else some_of(all_of[seat]) for seat in all_of}
        firsts = {type(each): each for each in some_of(offered[action.seat])}
        others = [each for kind, each in firsts.items() if kind is not type(action)]
        some = [action, *self.random.sample(others, min(2, len(others)))]
        self.mutants.learn([*offered[action.seat][:3], *offered[action.seat][-3:], *some])
        refused: list[Action] = []
        listed = {seat: _quick_to_search(each) for seat, each in offered.items()}
        for each in some:
            for mutant in self.mutants.near(each):
                if self._is_refused(mutant, listed):
                    refused += [mutant]
        for mutant in self.random.sample(refused, min(3, len(refused))):
            self._play_refused(mutant)
        after = game.state
        if before != after or len(game.moves) != moves:
            raise CheckFailed(
                f"asking about actions changed the game: {differing(before, after, 'before', 'after')}; offers and refusal must only look at it"
            )

    def _is_refused(self, mutant: Action, offered: Mapping[int, Container[Action]]) -> bool:
        game = self.game
        seat = cast("object", mutant.seat)
        there = type(seat) is int and mutant in offered.get(seat, ())
        decision = game.decision(seat) if type(seat) is int and seat in game.to_act else None
        try:
            refusal: object = engine_refusal(game.state, mutant)
        except Exception as error:
            name = rule_name(self.rules, decision, mutant)
            raise CheckFailed(f"{name}: refusal fails for {mutant!r}, but must refuse it: {raised(error)}") from error
        if refusal is None and not there:
            name = rule_name(self.rules, decision, mutant)
            raise CheckFailed(
                f"{name}: refusal lets {short(mutant)} pass, but offers does not list it: one of the two is wrong"
            )
        if refusal is None:
            return False
        if not isinstance(refusal, Refusal) or not refusal.rule or not refusal.reason:
            name = rule_name(self.rules, decision, mutant)
            raise CheckFailed(
                f"{name}: refusal must give None or Refusal(rule, reason), both with text, not {refusal!r}"
            )
        if there:
            name = rule_name(self.rules, decision, mutant)
            raise CheckFailed(
                f"{name}: offers lists {short(mutant)}, but refusal says {refusal}: one of the two is wrong"
            )
        return True

    def _play_refused(self, mutant: Action) -> None:
        before = self.game.state
        try:
            self.game.play(mutant)
        except IllegalActionError:
            pass
        else:
            raise CheckFailed(f"{short(mutant)} was played though it is refused")
        after = self.game.state
        if after != before:
            raise CheckFailed(
                f"{short(mutant)} was refused, but changed the game: {differing(before, after, 'before', 'after')}; "
                "offers and refusal must only look at it"
            )


def _quick_to_search(actions: Sequence[Action]) -> Container[Action]:
    """The same actions as a set, if it is not too many and all can be hashed."""
    if len(actions) > MOST_READ:
        return actions
    try:
        return frozenset(actions)
    except TypeError:
        return actions
