"""Auction: before the first turn, everybody in order bids points for the first seat."""

from collections.abc import Iterable, Sequence

from ttr_rules import Event, State
from ttr_rules.plugins import (
    Choice,
    Part,
    Question,
    Rules,
    ScoringTerm,
    Transaction,
    Variant,
    hookimpl,
    points_in_play,
    public,
)

MOST = 10


class Bids(Part):
    bids: dict[int, int] = public(label="")


class BidMade(Event):
    message = "{seat} bids {points}"
    seat: int
    points: int

    def apply(self, state: State) -> None:
        state.part(Bids).bids[self.seat] = self.points


class Bid(Choice[int]):
    public = True
    message = "What do you bid for the first turn?"

    def options(self, state: State) -> Sequence[int]:
        least = max(state.part(Bids).bids.values(), default=0) + 1
        return (0, *range(least, MOST + 1))

    def chosen(self, tx: Transaction, option: int) -> Question:
        tx.emit(BidMade, self.seat, option)
        return next_bid(tx)


def next_bid(tx: Transaction) -> Question:
    state, bids = tx.state, tx.state.part(Bids).bids
    order = [(state.turn + each) % state.players for each in range(state.players)]
    for seat in order:
        if seat not in bids:
            return Bid(seat)
    winner = max(order, key=lambda seat: bids[seat])
    tx.score(winner, -bids[winner], "auction")
    tx.first_seat(winner)
    return ()


class Auction(Variant, name="auction"):
    """Auction: the first seat goes to the highest bid."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Bids,)

    @hookimpl
    def on_game_start(self, tx: Transaction) -> Question:
        return next_bid(tx)

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (points_in_play("auction", "Auction"),)
