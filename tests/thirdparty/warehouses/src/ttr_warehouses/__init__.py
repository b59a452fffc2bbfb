"""Warehouses: at the end of a turn its player may put one card aside, unseen; at the end of the game each one is worth a point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ttr_rules import Action, Counts, Decision, Event, Refusal, State
from ttr_rules.events import Unknown
from ttr_rules.plugins import (
    ActionRule,
    Part,
    Question,
    Rules,
    Score,
    ScoringTerm,
    Transaction,
    Variant,
    by_seat,
    hookimpl,
    known,
    secret,
)
from ttr_rules.train_cards import CardPiles

ROOM = 3


class Warehouses(Part):
    """What each seat has put aside."""

    stored: list[Counts] = by_seat(pool="cards")


class StoreChoice(Decision):
    """Whether to put a card aside."""

    public = True
    message = "Do you put a card into your warehouse?"


class Store(Action):
    """Put a card of this kind aside; "" for none."""

    message = "Put a card aside"
    card: str


class CardStored(Event):
    """A seat put a card aside; which one is its secret."""

    message = "{seat} puts a card into the warehouse"
    seat: int
    card: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.part(CardPiles).take(self.seat, Counts({known(self.card): 1}))
        store = state.part(Warehouses).stored
        store[self.seat] = Counts({**store[self.seat], known(self.card): store[self.seat][known(self.card)] + 1})


class StoreRule(ActionRule[StoreChoice, Store]):
    def offers(self, state: State, decision: StoreChoice) -> Sequence[Store]:
        held = state.part(CardPiles).counts(decision.seat)
        return [Store(decision.seat, card) for card in ("", *held)]

    def refusal(self, state: State, decision: StoreChoice, action: Store) -> Refusal | None:
        if action in self.offers(state, decision):
            return None
        return Refusal("warehouses", f"seat {action.seat} holds no such card")

    def perform(self, tx: Transaction, decision: StoreChoice, action: Store) -> None:
        if action.card:
            tx.emit(CardStored, action.seat, action.card)


def score(state: State, seat: int) -> Score:
    stored = state.part(Warehouses).stored[seat].total
    return Score(stored, stored)


class WarehousesVariant(Variant, name="warehouses"):
    """Warehouses: cards put aside, unseen, are worth a point each."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Warehouses,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (StoreRule(),)

    @hookimpl
    def on_turn_end(self, tx: Transaction, seat: int) -> Question:
        """Ask where there are cards, a hand to take one from, and room."""
        if not tx.state.has_part(CardPiles) or not sum(tx.state.part(CardPiles).hand[seat]):
            return ()
        return StoreChoice(seat) if tx.state.part(Warehouses).stored[seat].total < ROOM else ()

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (ScoringTerm("warehouses", score, label="Warehouses"),)
