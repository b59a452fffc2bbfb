"""What the kit says of questions: the cause of what goes wrong, nothing that follows from it, and nothing of what is sound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

import pytest
from attrs import evolve
from helpers import all_but, keep_all
from plugins.made import plugin
from plugins.unusual import SOUND, UNUSUAL
from test_decks import OWN as TWO_DECKS

import ttr_rules as ttr
from ttr_rules.actions import FREE, economy_of
from ttr_rules.errors import PluginError, Refusal
from ttr_rules.events import CarsArranged, Event, Unknown
from ttr_rules.model import Dealer
from ttr_rules.model.decisions import Action, Decision
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Below,
    Choice,
    Components,
    Part,
    Question,
    Rules,
    Transaction,
    Variant,
    by_seat,
    hidden,
    hookimpl,
    known,
    points_in_play,
    public,
)
from ttr_rules.train_cards import CardPiles, DrawFrom, TrainCards
from ttr_tools.testing import VariantError, check_variant
from ttr_tools.testing.secrets import Preview


class Nod(Decision):
    """A question at the end of every turn."""


class Nodded(Action):
    """Its only answer."""


class RepeatingRule(ActionRule[Nod, Nodded]):
    on = Nod
    action = Nodded

    def offers(self, state: ttr.State, decision: Nod) -> Sequence[Nodded]:
        return (Nodded(decision.seat),)

    def perform(self, tx: Transaction, decision: Nod, action: Nodded) -> Question:
        return Nod(action.seat)


class Asks(Variant, name="asks"):
    """Asks: a question that nothing answers."""

    @hookimpl
    def on_turn_end(self, tx: Transaction, seat: int) -> Question:
        return Nod(seat)


class Repeats(Asks, name="repeats"):
    """Repeats: a question that is asked without end."""

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (RepeatingRule(),)


def problems_of(*stack: object) -> VariantError:
    with pytest.raises(VariantError) as raised:
        check_variant(*stack, players=2, games=1)
    return raised.value


@pytest.mark.slow
def test_a_question_that_is_asked_without_end_is_told() -> None:
    (problem,) = problems_of("north-america", Repeats).problems
    assert problem.check == "course" and "Nod is asked again and again" in problem.message
    assert "in answer to it by one seat. Limit how often it is asked again" in problem.message


def test_a_question_without_a_rule_is_told_once() -> None:
    (problem,) = problems_of("north-america", Asks).problems
    assert problem.check == "course" and "Nod(seat=1), which no action rule answers" in problem.message


def test_a_stack_is_called_the_same_whether_it_holds_or_not() -> None:
    error = problems_of(Asks, "north-america")
    assert str(error).startswith("north-america + asks: ")


def test_a_question_without_a_rule_leaves_the_game_as_it_was() -> None:
    game = ttr.new_game("north-america", Asks, players=2, seed=1, first_seat=0)
    for seat in (0, 1):
        game.play(game.legal_actions(seat)[0])
    before = game.state.copy()
    with pytest.raises(PluginError, match=r"Nod\(seat=0\), which no action rule answers"):
        game.play(next(action for action in game.legal_actions(0) if isinstance(action, ttr.ClaimRoute)))
    assert game.state == before and ttr.loads(ttr.dumps(game), rules=game.rules).state == before


class Swapped(Event):
    """A card was swapped with somebody, who was asked before."""

    seat: int
    other_seat: int

    def apply(self, state: ttr.State) -> None:
        state.part(Swaps).made += 1
        state.part(Swaps).with_whom[self.seat] = self.other_seat + 1


class Swaps(Part):
    made: int = public(default=0)
    with_whom: list[int | Unknown] = by_seat(each=0, counted=False)

    def redeal(self, view: ttr.View, dealer: Dealer, world: ttr.State) -> None:
        self.with_whom = [0 if isinstance(number, Unknown) else number for number in self.with_whom]


class Agree(Choice[int]):
    """A question to another seat, which everybody sees."""

    public = True
    by: int

    def options(self, state: ttr.State) -> Sequence[int]:
        return (1,)

    def chosen(self, tx: Transaction, option: int) -> None:
        tx.emit(Swapped, self.by, self.seat)


class Offers(Variant, name="offers"):
    """Offers: after each claim the next seat is asked to swap."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Swaps,)

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> Question:
        return Agree((seat + 1) % tx.state.players, seat)


@pytest.mark.slow
def test_an_event_may_name_a_seat_that_everybody_saw_being_asked() -> None:
    """The table looks the same whoever agreed, but the question told who it was."""
    assert check_variant("north-america", Offers, players=3, games=1, skip=all_but("secrets")).games == 1


class Tile(Choice[tuple[int, int]]):
    """One of hundreds of options."""

    public = True
    listed = 0

    def options(self, state: ttr.State) -> Sequence[tuple[int, int]]:
        type(self).listed += 1
        return [(row, column) for row in range(20) for column in range(20)]

    def chosen(self, tx: Transaction, option: tuple[int, int]) -> None:
        """Nothing follows."""

    @classmethod
    def every(cls, rules: Rules) -> Sequence[tuple[int, int]]:
        return [(row, column) for row in range(20) for column in range(20)]


class Tiles(Variant, name="tiles"):
    """Tiles: four hundred options after each claim."""

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> Question:
        return Tile(seat)


def test_hundreds_of_options_are_listed_a_few_times_only() -> None:
    game = ttr.new_game("north-america", Tiles, players=2, seed=1)
    for seat in (0, 1):
        game.play(game.legal_actions(seat)[0])
    while not isinstance(game.decision(game.to_act[0]), Tile):
        claims = [action for action in game.legal_actions() if isinstance(action, ttr.ClaimRoute)]
        game.play(claims[0] if claims else ttr.DrawBlind(game.to_act[0]))
    Tile.listed = 0
    assert len(list(game.legal_actions())) == 400 and Tile.listed < 5


@pytest.mark.thorough
def test_the_kit_lists_hundreds_of_options_a_few_times_only_and_tells_how_far_it_is() -> None:
    Tile.listed = 0
    told: list[str] = []
    report = check_variant(
        "north-america", Tiles, players=2, games=1, skip=["bots", "planner"], on_progress=told.append
    )
    assert Tile.listed < 100 * report.actions
    assert told[-1] == "checking tables" and any("2 players, seed 1, whole game: action 9" in text for text in told)


@pytest.mark.parametrize("is_core", [True, False])
def test_a_leak_in_an_event_of_the_library_is_told_with_a_cure_that_an_author_can_follow(is_core: bool) -> None:
    def on_claim(tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
        other = (seat + 1) % tx.state.players
        red = tx.state.part(CardPiles).counts(other)["red"]
        if is_core:
            tx.score(seat, red, "guess")
        else:
            tx.emit(Guessed, seat, red)

    scoring = [points_in_play("guess", "Guess")]
    guess = plugin("guess", (), __name__, on_claim=on_claim, scoring=lambda rules: scoring)
    with pytest.raises(VariantError) as raised:
        check_variant("north-america", guess, players=3, games=2, skip=all_but("secrets"))
    (problem,) = raised.value.problems
    assert ("of the library comes there from a rule or hook that looks at what is hidden" in problem.message) == is_core
    assert ('declare the field secret("seat")' in problem.message) != is_core


class Guessed(Event):
    """The red cards that somebody else holds, told to all."""

    seat: int
    red: int


STONES = tuple(f"{color} stone {number}" for color in ("dull", "dark", "pale") for number in range(20))


class Stones(Part):
    held: list[tuple[str, ...] | Unknown] = by_seat(pool="stones")
    heap: tuple[str, ...] = public(default=STONES[:40], pool="stones")
    buried: tuple[str, ...] | Unknown = hidden(default=STONES[40:], pool="stones")

    def box(self, rules: Rules) -> dict[str, tuple[str, ...]]:
        return {"stones": STONES}


class StoneTaken(Event):
    """The top of the heap, which lies open, is put into a bag: everybody knows what it is."""

    seat: int
    stone: str
    place = "heap"

    def apply(self, state: ttr.State) -> None:
        stones = state.part(Stones)
        stones.held[self.seat] = (*known(stones.held[self.seat]), self.stone)
        setattr(stones, self.place, getattr(stones, self.place)[1:])


class StoneDug(StoneTaken):
    """Nobody but the one who digs knows what comes out, but all are told."""

    place = "buried"


@pytest.mark.slow
@pytest.mark.parametrize("kind", [StoneTaken, StoneDug])
def test_what_all_saw_leave_an_open_pile_is_no_secret_but_what_was_hidden_is(kind: type[StoneTaken]) -> None:
    def on_claim(tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
        if pile := getattr(tx.state.part(Stones), kind.place):
            tx.emit(kind, seat, pile[0])

    stones = plugin("stones", (), __name__, on_claim=on_claim, parts=lambda rules: [Stones])
    if kind is StoneTaken:
        assert check_variant("north-america", stones, players=2, games=1, skip=all_but("secrets")).games == 1
        return
    with pytest.raises(VariantError, match=r"StoneDug tells .* 'stone', .*or with (dull|dark|pale) stone \d+ there, "):
        check_variant("north-america", stones, players=2, games=1, skip=all_but("secrets"))


class Discarded(Event):
    """A ticket of a hand goes under the pile, open to all."""

    seat: int
    ticket: str

    def apply(self, state: ttr.State) -> None:
        state.return_ticket(state.take_ticket(self.ticket))


class Discard(Choice[str]):
    public = True
    shows = True
    message = "Which ticket do you show and put under the pile?"

    def options(self, state: ttr.State) -> Sequence[str]:
        return state.tickets[self.seat]

    def chosen(self, tx: Transaction, option: str) -> None:
        if self.shows:
            tx.reveal_ticket(self.seat, option)
        tx.emit(Discarded, self.seat, option)


class DiscardUnshown(Discard):
    shows = False


@pytest.mark.parametrize("kind", [Discard, DiscardUnshown])
def test_a_ticket_that_its_owner_chose_to_show_is_no_leak_wherever_it_goes(kind: type[Discard]) -> None:
    def on_claim(tx: Transaction, seat: int, route: ttr.Route, points: int) -> Question:
        return kind(seat) if tx.state.tickets[seat] else ()

    discards = plugin("discards", (), __name__, on_claim=on_claim)
    if kind.shows:
        assert check_variant("new-york", discards, players=3, games=1, skip=all_but("secrets")).games == 1
        return
    with pytest.raises(VariantError, match="Discarded tells"):
        check_variant("new-york", discards, players=3, games=2, skip=all_but("secrets"))


class Consent(Choice[int]):
    """A question before a claim of somebody else."""

    public = True

    def options(self, state: ttr.State) -> Sequence[int]:
        return (1,)

    def chosen(self, tx: Transaction, option: int) -> None:
        pass


@pytest.mark.slow
def test_what_a_claim_costs_is_held_in_every_world_while_it_waits() -> None:
    """Even if its seat gets as many cards back by it, so that its hand does not show what was paid."""

    def before(tx: Transaction, action: ttr.ClaimRoute) -> Question:
        return Consent((action.seat + 1) % tx.state.players)

    def on_claim(tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
        if tx.rules.economy.can_draw(tx.state, seat):
            economy_of(tx.rules.economy, TrainCards).draw(tx, seat)

    polite = plugin(
        "polite", (), __name__, around=lambda rules: [Around(ttr.ClaimRoute, on=ttr.Turn, before=before)],
        on_claim=on_claim,
    )  # fmt: skip
    assert check_variant("north-america", polite, players=3, games=1, skip=all_but("secrets")).games == 1


class Snow(Part):
    routes: tuple[str, ...] = public(label="Snow")


class Snowed(Event):
    route: str

    def apply(self, state: ttr.State) -> None:
        state.part(Snow).routes += (self.route,)


def test_hooks_need_not_bear_the_values_that_the_kit_makes_up() -> None:
    def snow(tx: Transaction, seat: int) -> None:
        if tx.state.turn_number < 16:
            tx.emit(
                Snowed, tx.roll([route for route in tx.rules.board.routes if route not in tx.state.part(Snow).routes])
            )

    def closed(state: ttr.State, seat: int) -> Iterable[int]:
        return [state.rules.network.route_ids.index(route) for route in state.part(Snow).routes]

    def refused(state: ttr.State, seat: int, route: ttr.Route) -> Refusal | None:
        return Refusal("snow", "there is snow") if route.id in state.part(Snow).routes else None

    hooks: dict[str, Any] = {"on_turn_end": snow, "closed_routes": closed, "claim_refusal": refused}
    variant = plugin("snow", (), __name__, parts=lambda rules: (Snow,), **hooks)
    assert check_variant("new-york", variant, players=3, games=1, skip=all_but("secrets")).games == 1


class Bet(Action):
    """Bet on a number."""

    value: int


class Betting(Decision):
    """Which number to bet on; everybody sees it."""

    public = True


class BetPlaced(Event):
    """A seat bet on a number."""

    seat: int
    value: int

    def apply(self, state: ttr.State) -> None:
        state.part(Bets).last[self.seat] = self.value


class Bets(Part):
    last: list[int] = public(each=0)


class BetRule(ActionRule[Betting, Bet]):
    """Bet on one of three numbers."""

    def offers(self, state: ttr.State, decision: Betting) -> Sequence[Bet]:
        return [Bet(decision.seat, value) for value in (1, 2, 3)]

    def refusal(self, state: ttr.State, decision: Betting, action: Bet) -> ttr.Refusal | None:
        return None if action in self.offers(state, decision) else ttr.Refusal("bets", "bet on 1, 2 or 3")

    def perform(self, tx: Transaction, decision: Betting, action: Bet) -> None:
        tx.emit(BetPlaced, decision.seat, action.value)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["refusals", "secrets"])
def test_an_action_and_an_event_may_have_a_field_named_value(name: str) -> None:
    bets = plugin(
        "bets",
        (),
        __name__,
        parts=lambda rules: (Bets,),
        actions=lambda rules: (BetRule(),),
        on_claim=lambda tx, seat, route, points: Betting(seat),
    )
    assert check_variant("north-america", bets, players=2, games=1, skip=all_but(name)).games == 1


class Demolished(Event):
    """A route has no owner any more, by the author's own hand."""

    seat: int
    route: str

    def apply(self, state: ttr.State) -> None:
        state.owner[state.rules.network.route_number[self.route]] = FREE


class Demolishes(Variant, name="demolishes"):
    """Demolishes: a claim costs its seat the route that it claimed before."""

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
        owned = [id for id, owner in tx.state.owners.items() if owner == seat and id != route.id]
        if owned:
            tx.emit(Demolished, seat, owned[0])


class Ships(Variant, name="ships"):
    """Ships: half of the pieces are ships, and a claim takes one more car, which no fleet knows of."""

    @hookimpl
    def components(self, below: Below[Components], board: ttr.Board) -> Components:
        return evolve(below(), fleets={"train": 25, "ship": 20})

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
        tx.emit(CarsArranged, seat, max(tx.state.cars[seat] - 1, 0))


def test_an_effect_that_frees_a_route_by_itself_is_told_of_free_route() -> None:
    with pytest.raises(VariantError, match=r"\[counts\] .*lists routes as open that are not.*tx\.free_route"):
        check_variant("north-america", Demolishes, players=2, games=1, skip=all_but("course", "counts", "scores"))


def test_cars_that_no_fleet_knows_of_are_found() -> None:
    with pytest.raises(VariantError, match=r"\[counts\] .* cars, but .* pieces in its fleets.*tx\.set_fleets"):
        check_variant("north-america", Ships, players=2, games=1, skip=all_but("course", "counts"))


class Tariff(Part):
    prices: tuple[int, ...] = public(default=(0, 0, 1), label="Prices")


@pytest.mark.slow
def test_numbers_that_are_not_those_of_seats_are_no_purses() -> None:
    """There are as many prices as players, but a tuple is not an entry for each seat."""

    class Fair(Variant, name="fair"):
        """Fair: prices that never change."""

        @hookimpl
        def parts(self, rules: Rules) -> Iterable[type[Part]]:
            return (Tariff,)

    check_variant("europe", Fair, players=3, games=1, skip=all_but("margins"))


class Losses(Variant):
    """In each round the next player discards a card, in front of everybody."""

    def pick(self, tx: Transaction, hand: Mapping[str, int]) -> str:
        raise NotImplementedError

    @hookimpl
    def on_round_start(self, tx: Transaction, number: int) -> None:
        seat = number % tx.state.players
        hand = ttr.cards(tx.state).hands[seat]
        if hand:
            economy_of(tx.rules.economy, TrainCards).discard(tx, seat, ttr.Counts({self.pick(tx, hand): 1}))


@pytest.mark.slow
def test_what_chance_picks_out_of_a_hand_may_be_seen_by_all() -> None:
    """It is no leak: chance could have picked it in any world in which it was in the hand."""

    class Robbers(Losses, name="robbers"):
        """Robbers: a random card is lost."""

        def pick(self, tx: Transaction, hand: Mapping[str, int]) -> str:
            return tx.shuffled(sorted(Counter(hand).elements()))[0]

    assert check_variant("europe", Robbers, players=2, games=1, seed=3, skip=all_but("secrets")).games == 1


@pytest.mark.slow
def test_what_a_rule_picks_out_of_a_hand_is_a_leak() -> None:
    class Misers(Losses, name="misers"):
        """Misers: a card of the color of which most are held is lost, even though something is shuffled too."""

        def pick(self, tx: Transaction, hand: Mapping[str, int]) -> str:
            tx.shuffled(sorted(Counter(hand).elements()))
            return Counter(hand).most_common(1)[0][0]

    with pytest.raises(VariantError, match="secrets"):
        check_variant("europe", Misers, players=2, games=2, skip=all_but("secrets"))


def peeking(hook: str, look: Callable[[Transaction, int], object]) -> type[Variant]:
    """A plugin with which a seat looks at cards of the draw pile; the hook is asked with a seat, and perhaps with more."""
    return plugin("peek", **{hook: lambda tx, seat, *_: look(tx, seat)})


@pytest.mark.slow
@pytest.mark.parametrize("hook", ["on_turn_start", "on_claim"])
def test_a_seat_may_look_at_cards_when_another_acts(hook: str) -> None:
    """They lie there in every world in which that looks the same to it."""

    def look(tx: Transaction, seat: int) -> None:
        watcher, count = (seat, 1) if hook == "on_turn_start" else (1 - seat, 2)
        economy_of(tx.rules.economy, TrainCards).look(tx, watcher, count)

    assert check_variant("europe", peeking(hook, look), players=2, games=1, skip=all_but("secrets")).games == 1


@pytest.mark.parametrize("deck", ["train", "ship"])
def test_what_a_seat_has_seen_of_one_deck_lies_there_in_other_worlds_and_what_is_drawn_blind_may_be_any(
    deck: str,
) -> None:
    game = ttr.new_game(rules=TWO_DECKS, players=2, seed=1, first_seat=0)
    keep_all(game)
    state = game.state
    economy_of(TWO_DECKS.economy, TrainCards).look(Transaction(state, []), 1, 2, "ship")
    game = ttr.Game(state, game.players, game.seed, game.moves)
    piles, trains = ttr.cards(state), ttr.cards(state).size(0)
    preview = Preview(game, DrawFrom(0, deck), 1)
    worlds = [preview.elsewhere(Random(number))[0] for number in range(40)]
    lying = [*zip(piles.draw_pile, *[ttr.cards(world.state).draw_pile for world in worlds], strict=True)]
    assert [place for place, cards in enumerate(lying) if len({*cards}) == 1] == [trains, trains + 1]


def test_what_a_variant_remembers_itself_is_told_with_the_cure() -> None:
    def remember(self: Any, tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
        self.last = route.id

    class Remembering(Variant, name="remembering"):
        on_claim = hookimpl(remember)

    *_, problem = problems_of("north-america", Remembering).problems
    assert "keep what a game changes in a field of a part" in problem.message


def test_a_lost_card_is_told_with_the_events_of_plugins() -> None:
    (problem, *_) = problems_of("north-america", UNUSUAL["a ticket that vanishes after a claim of six"][0]()).problems
    assert "with the events plugins.unusual." in problem.message


def test_questions_of_other_variants_in_the_module_are_no_advice() -> None:
    report = check_variant(
        "north-america", SOUND["a hint that promises nothing"](), players=2, games=1, skip=all_but("course")
    )
    assert not any("was never asked" in advice for advice in report.advice)
