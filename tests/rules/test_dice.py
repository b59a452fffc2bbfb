"""Dice in place of train cards: the roll, claims, tickets (X1–X5, X13, R15)."""

from __future__ import annotations

from itertools import combinations

import pytest
from dicing import DOUBLE, SINGLE, TRAIN_DIE, claim, draw, faces, leave_tokens, most, plain, rolled
from helpers import Expect, ScriptedChance, chance_of, happened, keep_all, legal, refused, rules_of

import ttr_maps
import ttr_rules as ttr
from ttr_rules.errors import PluginError
from ttr_rules.events import TicketsDrawn, TicketsReturned
from ttr_rules.model import AnnounceMix, Cost, TicketChoice, TicketMix, TicketSetup
from ttr_rules.train_cards import CardPiles, SeenCards
from ttr_variants.dice import (
    DrawTicketsWithDice,
    Reroll,
    RerollChoice,
    TokenChoice,
    TokenReturn,
)
from ttr_variants.dice.state import Dice, DiceFound, DiceRerolled, DiceRolled, DiceSpent
from ttr_variants.europe.stations import BuildStation

EUROPE = rules_of("europe", "dice")
ROUTES = EUROPE.board.routes


# -- X1, X2, V8: what is there ------------------------------------------------------------------------------------------


@pytest.mark.rule("X1", "V8")
@pytest.mark.parametrize("stack", ["north-america", "europe", "mega-europa"])
def test_there_are_no_train_cards(stack: str) -> None:
    game = ttr.new_game(stack, "dice", players=2, seed=1, first_seat=0)
    assert CardPiles not in game.state.parts and not game.view(0).has_part(SeenCards)
    with pytest.raises(PluginError, match="no part CardPiles, only Dice"):
        ttr.cards(game.state)
    with pytest.raises(ttr.InvalidInputError, match="shows no SeenCards; it shows Dice"):
        ttr.cards(game.view(0))
    while isinstance(game.decision(game.to_act[0]), TicketSetup):
        keep_all(game) if stack != "mega-europa" else game.play(game.legal_actions(game.to_act[0])[0])
    game.play(Reroll(0, {}))
    assert refused(game, ttr.DrawBlind(0)) == "S8"
    assert refused(game, ttr.DrawFaceUp(0, "red")) == "S8"
    assert refused(game, ttr.DrawTickets(0)) == "S8"
    assert game.state.cars == [45, 45]


@pytest.mark.rule("V8", "S5", "S7")
def test_set_up_is_that_of_the_game_below_without_cards() -> None:
    tickets = {kind: [t.id for t in EUROPE.deck.piles[kind]] for kind in ("long", "regular")}
    chance = ScriptedChance(
        [1, 0], Expect(tickets["long"]), Expect(tickets["regular"]), *[Expect(TRAIN_DIE, "station")] * 5
    )
    game = ttr.new_game(rules=EUROPE, players=2, chance=chance)
    assert game.decision(0) == TicketSetup(0, (tickets["long"][0], *tickets["regular"][:3]))
    assert len(chance.calls) == 3  # nothing is rolled before the first turn
    keep_all(game)
    chance.done()
    assert game.decision(1) == RerollChoice(1, ("station",) * 5)


@pytest.mark.rule("X1")
def test_colors_mean_nothing() -> None:
    ways: dict[object, set[frozenset[ttr.Counts]]] = {}
    colors: dict[object, set[str]] = {}
    offered = legal(rolled("europe", "sddww"), ttr.ClaimRoute)
    for id, route in ROUTES.items():
        like = (route.length, route.double_group is not None, route.ferry_locomotives)
        ways.setdefault(like, set()).add(frozenset(action.payment for action in offered if action.route == id))
        colors.setdefault(like, set()).add(route.color)
    assert all(len(each) == 1 for each in ways.values())
    assert len(colors[2, False, 0]) == 8
    assert ways[4, False, 0] == {
        frozenset({ttr.Counts(single=1, locomotive=2, single_token=1)}),
    }


@pytest.mark.rule("X2", "X7", "S6")
def test_everything_is_open_to_all() -> None:
    game = rolled("europe", "ssdtw", {}, {}, tokens=[{SINGLE: 1}, {DOUBLE: 3}])
    for seat in (0, 1, None):
        view = game.view(seat)
        assert view.part(Dice).faces == tuple(faces("ssdtw"))
        assert view.part(Dice).tokens == [{SINGLE: 1}, {DOUBLE: 3}]
        assert view.part(Dice).unused == {"single": 2, "double": 1, "station": 1, "locomotive": 1}
        assert view.part(Dice).may_gain is True
    assert game.state.part(Dice).tokens == [{SINGLE: 1}, {DOUBLE: 3}]
    for event in game.events:
        if type(event).__module__.startswith("ttr_variants.dice"):
            assert event.seen_by(None).event == event


# -- X3: the roll --------------------------------------------------------------------------------------------------------


def to_first_roll(*rolls: object) -> ttr.Game:
    """A game at its first turn; the script of rolls."""
    return rolled("europe", "", chance=[Expect(TRAIN_DIE, face) for face in rolls])


@pytest.mark.rule("X3")
def test_a_turn_begins_with_a_roll_of_five_left_to_right() -> None:
    game = to_first_roll(*faces("sdwtd"))
    assert happened(game.events, DiceRolled) == [DiceRolled(0, tuple(faces("sdwtd")))]
    assert game.decision(0) == RerollChoice(0, tuple(faces("sdwtd")))
    assert refused(game, claim(plain(1), single=1)) == "S8"
    assert refused(game, ttr.Pass(0)) == "S8"


@pytest.mark.rule("X3")
def test_any_of_the_dice_may_be_rolled_again() -> None:
    game = to_first_roll(*faces("sdwsd"))
    offered = [action.dice for action in legal(game, Reroll)]
    held = faces("sdwsd")
    subsets = {ttr.Counts({f: some.count(f) for f in some}) for n in range(6) for some in combinations(held, n)}
    assert len(offered) == len(subsets) == 18
    assert set(offered) == subsets
    assert [dice.total for dice in offered] == sorted(dice.total for dice in offered)
    for dice in ({"station": 1}, {"single": 3}, {"locomotive": 2}, {"tunnel": 1}, {"single": 1, "blank": 1}):
        assert refused(game, Reroll(0, dice)) == "X3"


@pytest.mark.rule("X3")
def test_dice_are_rolled_again_left_to_right_in_their_places() -> None:
    again = [Expect(TRAIN_DIE, face) for face in ("station", "locomotive", "double")]
    game = rolled("europe", "", chance=[*faces("sdsds"), *again])
    events = game.play(Reroll(0, {"single": 2, "double": 1}))
    after = ("station", "locomotive", "double", "double", "single")
    assert happened(events, DiceRerolled) == [DiceRerolled(0, ttr.Counts(single=2, double=1), after)]
    assert game.view(1).part(Dice).faces == after
    assert game.decision(0) == ttr.Turn(0)
    chance_of(game).done()


@pytest.mark.rule("X3")
def test_only_once_and_not_at_all_if_nothing_is_rolled_again() -> None:
    for dice in ({}, {"single": 1}):
        game = rolled("europe", "", chance=faces("sdsds"))
        game.play(Reroll(0, dice))
        assert len(chance_of(game).calls) == len(dice)
        assert game.decision(0) == ttr.Turn(0)
        assert refused(game, Reroll(0, {"single": 1})) == "S8"


@pytest.mark.rule("X3", "S5")
def test_then_the_next_seat_rolls() -> None:
    game = rolled("europe", "stttt", chance=faces("wwwww"))
    game.play(claim(plain(1), single=1))
    leave_tokens(game)
    assert game.decision(1) == RerollChoice(1, tuple(faces("wwwww")))


# -- X4, X5, X13, R15: claims --------------------------------------------------------------------------------------------


@pytest.mark.rule("X4", "X5")
@pytest.mark.parametrize(
    ("letters", "length", "double", "payment"),
    [
        ("sddtt", 1, False, {"single": 1}),
        ("wddtt", 1, False, {"locomotive": 1}),
        ("sswtt", 3, False, {"single": 2, "locomotive": 1}),
        ("ddwtt", 3, True, {"double": 2, "locomotive": 1}),
        ("sssst", 4, False, {"single": 4}),
        ("ddddt", 4, True, {"double": 4}),
        ("wwwwt", 4, True, {"locomotive": 4}),
        ("wwwwt", 4, False, {"locomotive": 4}),
    ],
)
def test_faces_fill_spaces(letters: str, length: int, double: bool, payment: dict[str, int]) -> None:
    game = rolled("europe", letters)
    route = plain(length, double=double)
    events = game.play(claim(route, **payment))
    assert happened(events, DiceSpent) == [DiceSpent(0, ttr.Counts(payment), ttr.Counts())]
    assert game.state.owners == {route: 0}
    assert game.state.scores[0] == EUROPE.board.points[length]
    assert game.state.cars[0] == 45 - length
    leave_tokens(game)
    assert game.to_act == (1,)


@pytest.mark.rule("X4", "X6")
@pytest.mark.parametrize(
    ("payment", "rule"),
    [
        ({"double": 3}, "X4"),  # a single route
        ({"double": 1, "single": 2}, "X4"),
        ({"station": 1, "single": 2}, "X4"),
        ({"red": 3}, "X4"),
        ({"double_token": 1, "single": 2}, "X4"),
        ({"single": 3}, "X4"),  # two singles lie there
        ({"single": 1, "locomotive": 2}, "X4"),
        ({"single": 2}, "X4"),
        ({"single": 2, "locomotive": 1, "single_token": 1}, "X4"),
        ({}, "X4"),
        ({"single_token": 3}, "X6"),
        ({"single_token": 9}, "X4"),
    ],
)
def test_what_does_not_fill_the_spaces(payment: dict[str, int], rule: str) -> None:
    assert refused(rolled("europe", "ssdtw"), claim(plain(3), **payment)) == rule


@pytest.mark.rule("X5", "S8")
def test_one_action_a_turn() -> None:
    game = rolled("europe", "ssttt")
    game.play(claim(plain(1), single=1))
    assert isinstance(game.decision(0), TokenChoice)
    assert refused(game, claim(plain(2), single=1)) == "S8"
    assert refused(game, draw(station=1)) == "S8"


@pytest.mark.rule("X5", "X4")
def test_the_kinds_of_action() -> None:
    kinds = {type(action) for action in rolled("europe", "sdtwt").legal_actions()}
    assert kinds == {ttr.ClaimRoute, DrawTicketsWithDice, BuildStation}
    kinds = {type(action) for action in rolled("north-america", "sdtwt").legal_actions()}
    assert kinds == {ttr.ClaimRoute, DrawTicketsWithDice}


@pytest.mark.rule("X13", "C5", "C6", "C3", "E1")
def test_closed_routes_stay_closed() -> None:
    mine, other = {"routes": ["berlin-frankfurt-red"], "cars": 3}, {"routes": ["frankfurt-paris-orange"]}
    for more, beside in ((0, False), (2, True)):
        game = rolled("europe", "ddddd", mine, other, *[{}] * more)
        offered = {action.route for action in legal(game, ttr.ClaimRoute)}
        assert ("frankfurt-paris-white" in offered) is beside
        assert refused(game, claim("berlin-frankfurt-black", double=3)) == "C5"
        assert refused(game, claim("frankfurt-paris-orange", double=3)) == "C3"
        assert refused(game, claim(plain(4, double=True), double=4)) == "C3"
        if not beside:
            assert refused(game, claim("frankfurt-paris-white", double=3)) == "C6"


@pytest.mark.rule("R15", "X13")
def test_a_route_of_a_double_stays_one_when_its_partner_is_taken() -> None:
    game = rolled("europe", "dddss", {}, {"routes": ["frankfurt-paris-orange"]}, {}, {})
    assert refused(game, claim("frankfurt-paris-white", single=2, single_token=1)) == "X4"
    game.play(claim("frankfurt-paris-white", double=3))
    assert game.state.owners["frankfurt-paris-white"] == 0


@pytest.mark.rule("X13")
def test_a_triple_route_is_a_double_one() -> None:
    marklin = ttr_maps.load("marklin")
    groups = [route.double_group for route in marklin.routes.values()]
    triple = next(
        route for route in marklin.routes.values() if groups.count(route.double_group) == 3 and route.double_group
    )
    cost = Cost.of_route(triple)
    assert cost.kind == "double"
    state = rolled("europe", "ddddd").state
    assert next(iter(EUROPE.economy.payments(state, 0, Cost("double", 2, "red")))) == {"double": 2}
    assert EUROPE.economy.refusal(state, 0, cost, ttr.Counts(single=cost.spaces)) is not None


# -- X4: tickets ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("X4")
def test_a_station_or_a_wild_die_for_each_ticket() -> None:
    game = rolled("europe", "sttww")
    ways = [{"station": s, "locomotive": w} for s in range(3) for w in range(3) if s + w]
    assert {action.payment for action in legal(game, DrawTicketsWithDice)} == set(map(ttr.Counts, ways))
    for payment in ({}, {"station": 3}, {"single": 1}, {"locomotive": 2, "single": 1}, {SINGLE: 1}):
        assert refused(game, draw(**payment)) == "X4"


@pytest.mark.rule("X4", "K1", "K2", "R9")
@pytest.mark.parametrize("kept", [0, 1, 2, 3])
def test_tickets_are_drawn_together_and_any_number_kept(kept: int) -> None:
    game = rolled("europe", "ttwss")
    top = game.state.ticket_pile
    events = game.play(draw(station=2, locomotive=1))
    assert happened(events, TicketsDrawn) == [TicketsDrawn(0, top[:3])]
    decision = game.decision(0)
    assert decision == TicketChoice(0, top[:3])
    assert len(legal(game, ttr.KeepTickets)) == 8
    events = game.play(ttr.KeepTickets(0, top[:kept]))
    assert game.state.tickets[0] == top[:kept]
    assert game.state.ticket_pile == (*top[3:], *top[kept:3])
    assert [event.tickets for event in happened(events, TicketsReturned)] == ([top[kept:3]] if kept < 3 else [])
    assert most(game) == 1


@pytest.mark.rule("X4", "K3")
@pytest.mark.parametrize("left", [0, 1, 2])
def test_fewer_tickets_if_the_pile_holds_fewer(left: int) -> None:
    regular = [ticket.id for ticket in EUROPE.deck.piles["regular"]]
    game = rolled("europe", "ttwss", {}, {"tickets": regular[left:]}, ticket_pile=regular[:left])
    if left:
        game.play(draw(station=2, locomotive=1))
        assert game.decision(0) == TicketChoice(0, tuple(regular[:left]))
    else:
        assert legal(game, DrawTicketsWithDice) == []
        assert refused(game, draw(station=1)) == "K3"


@pytest.mark.rule("X4", "V5")
def test_the_numbers_of_the_game_below_do_not_apply() -> None:
    game = rolled("big-cities", "ttwww")
    game.play(draw(station=2, locomotive=3))
    decision = game.decision(0)
    assert isinstance(decision, TicketChoice)
    assert len(decision.tickets) == 5
    assert ttr.KeepTickets(0, ()) in game.legal_actions()


@pytest.mark.rule("X4", "X6")
@pytest.mark.parametrize("letters", ["tsssd", "twsdd", "ttwss", "ttwww", "wwwww"])
def test_every_number_of_tickets_can_be_named_for_no_more_dice_than_it_takes(letters: str) -> None:
    """A player who puts in more faces than tickets are named gains nothing: the same number costs fewer dice, and leaves tokens."""
    game = rolled("europe", letters)
    there = sum(letters.count(letter) for letter in "tw")
    left: dict[int, set[int]] = {}
    for action in legal(game, DrawTicketsWithDice):
        after = game.copy()
        after.play(action)
        decision = after.decision(0)
        assert isinstance(decision, TicketChoice)
        after.play(ttr.KeepTickets(0, ()))
        left.setdefault(len(decision.tickets), set()).add(most(after))
    assert left == {number: {(5 - number) // 2} for number in range(1, there + 1)}
    assert refused(game, draw()) == "X4"
    assert refused(game, draw(station=letters.count("t") + 1)) == "X4"


UNDER, BOX = "under the pile", "out of the game"


@pytest.mark.rule("X4", "R9", "N2", "H2", "M2", "K2")
@pytest.mark.parametrize(
    ("base", "where"),
    [
        ("north-america", UNDER), ("europe", UNDER), ("europa-1912", UNDER), ("mega-europa", UNDER), ("grossstaedte", UNDER),
        ("nordic-countries", BOX), ("switzerland", BOX), ("germany-tickets", UNDER),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kept", [0, 1, 2])
def test_tickets_not_kept_go_where_those_of_the_map_go(base: str, where: str, kept: int) -> None:
    game = rolled(base, "ttdds")
    before = game.state.ticket_piles
    game.play(draw(station=2))
    if isinstance(game.decision(0), TicketMix):
        game.play(AnnounceMix(0, {"short": 1, "long": 1}))
    decision = game.decision(0)
    assert isinstance(decision, TicketChoice)
    mine, others = decision.tickets[:kept], decision.tickets[kept:]
    game.play(ttr.KeepTickets(0, mine))
    assert game.state.tickets[0] == mine
    for name, pile in game.state.ticket_piles.items():
        rest = tuple(ticket for ticket in before[name] if ticket not in decision.tickets)
        back = tuple(ticket for ticket in others if ticket in before[name]) if where == UNDER else ()
        assert pile == rest + back


@pytest.mark.rule("X3")
def test_an_arranged_roll_is_told_as_one() -> None:
    game = rolled("europe", "ssdtw")
    assert happened(game.events, DiceFound) == [DiceFound(0, tuple(faces("ssdtw")))]
    assert game.decision(0) == ttr.Turn(0)


@pytest.mark.rule("X3", "X6", "X7")
def test_what_is_decided_about_dice_and_tokens_is_seen_by_all() -> None:
    for decision in (RerollChoice(0, ("wild",)), TokenChoice(0, 2), TokenReturn(0)):
        assert decision.seen_by(1) == decision.seen_by(None) == decision
