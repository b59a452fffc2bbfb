"""A layer on top of another economy: the costs and payments that a plugin adjusts, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ttr_rules.errors import PluginError, Refusal
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.kernel.table import Position, Report
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.board import Cost, changed_cost
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Action
from ttr_rules.model.tickets import RuleFile

E = TypeVar("E", bound=Economy)


class EconomyLayer(Economy):
    """An economy that delegates everything to the one `below`; override what differs.

    Return it from the hook `economy`, over `below()`. To change costs, override `cost`, which every payment of this
    economy goes through; layers of several plugins combine in any order. Whatever
    it returns, at least one space is paid, and at least one for every locomotive symbol.

    >>> from attrs import evolve
    >>> class Cheaper(EconomyLayer):
    ...     def cost(self, state, seat, cost):
    ...         return evolve(cost, spaces=cost.spaces - 1)
    """

    def __init__(self, below: Economy) -> None:
        self.below = below
        self.route_rules = below.route_rules
        self.tunnel_rule = below.tunnel_rule
        self.replaces: tuple[type[Action], ...] = below.replaces
        self.card_words = below.card_words
        self.player_keys = below.player_keys
        self.position_keys = below.position_keys
        self.part_keys = below.part_keys

    def cost(self, state: State, seat: int, cost: Cost) -> Cost:
        """The cost to pay instead of `cost`; unchanged by default."""
        return cost

    def _changed(self, state: State, seat: int, cost: Cost) -> Cost:
        return changed_cost(cost, self.cost(state, seat, cost), f"{type(self).__name__}.cost")

    # -- called by mechanics --------------------------------------------------------------------------------

    def payments(self, state: State, seat: int, cost: Cost) -> Iterable[Counts]:
        return self.below.payments(state, seat, self._changed(state, seat, cost))

    def refusal(self, state: State, seat: int, cost: Cost, payment: Counts) -> Refusal | None:
        return self.below.refusal(state, seat, self._changed(state, seat, cost), payment)

    def pay(self, tx: Transaction, seat: int, payment: Counts) -> None:
        self.below.pay(tx, seat, payment)

    def payment_rank(self, payment: Counts) -> tuple[int, ...]:
        return self.below.payment_rank(payment)

    def wild_spaces(self, cost: Cost) -> int:
        return self.below.wild_spaces(cost)

    # -- tunnels ---------------------------------------------------------------------------------------------

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        return self.below.enter_tunnel(tx, seat, self._changed(tx.state, seat, cost), payment)

    def lay(self, tx: Transaction, seat: int, payment: Counts) -> None:
        self.below.lay(tx, seat, payment)

    def leave_tunnel(self, tx: Transaction, seat: int, extra: Counts | None) -> None:
        self.below.leave_tunnel(tx, seat, extra)

    # -- the course of a game --------------------------------------------------------------------------------

    def shuffle(self, tx: Transaction) -> None:
        self.below.shuffle(tx)

    def deal(self, tx: Transaction) -> None:
        self.below.deal(tx)

    def open_turn(self, tx: Transaction, seat: int) -> None:
        self.below.open_turn(tx, seat)

    def close_turn(self, tx: Transaction, seat: int, passed: bool) -> bool:
        return self.below.close_turn(tx, seat, passed)

    def can_draw(self, state: State, seat: int) -> bool:
        return self.below.can_draw(state, seat)

    def exhausted(self, state: State) -> bool:
        return self.below.exhausted(state)

    def data(self) -> Mapping[str, object]:
        return {"below": [type(self.below).__qualname__, self.below.data()]}

    # -- what it brings --------------------------------------------------------------------------------------

    def part(self, rules: Rules, players: int) -> Part | None:
        return self.below.part(rules, players)

    def action_rules(self) -> Sequence[ActionRule[Any, Any]]:
        return tuple(self.below.action_rules())

    def event_types(self) -> Iterable[type[Event]]:
        return self.below.event_types()

    def rulebooks(self) -> Iterable[RuleFile]:
        return self.below.rulebooks()

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        self.below.arrange(tx, position, report)


def economy_of(economy: Economy, kind: type[E]) -> E:
    """The economy of a type among the layers of another. Raises `PluginError` if there is none.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.train_cards import TrainCards
    >>> economy_of(ttr.compile_rules("nordic-countries").economy, TrainCards)
    <NordicCards>
    """
    found = economy
    while not isinstance(found, kind):
        if not isinstance(found, EconomyLayer):
            raise PluginError(f"{type(economy).__name__} pays with no {kind.__name__}")
        found = found.below
    return found


def pays_with(economy: Economy, kind: type[Economy]) -> bool:
    """Whether an economy of this type is among the layers of another.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.train_cards import TrainCards
    >>> [pays_with(ttr.compile_rules("europe", *more).economy, TrainCards) for more in ((), ("dice",))]
    [True, False]
    """
    while not isinstance(economy, kind) and isinstance(economy, EconomyLayer):
        economy = economy.below
    return isinstance(economy, kind)
