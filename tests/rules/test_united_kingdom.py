"""United Kingdom, the basic game: U1 to U20 and their rulings, but for payments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from helpers import AS_IS, Expect, ScriptedChance, arranged, happened, legal, play, refused, rules_of

import ttr_maps
import ttr_rules as ttr
from ttr_rules.errors import InvalidTableError, PluginError
from ttr_rules.events import LastRoundBegun, RouteShared, RowSwept, TicketsReturned
from ttr_rules.model import TicketChoice, TicketSetup
from ttr_rules.train_cards import NextCard
from ttr_tools.bots import play_game
from ttr_variants.united_kingdom import (
    TECHNOLOGIES,
    BuyTechnology,
    SharedClaim,
    ShareRoute,
    Technologies,
    TechnologyBought,
    UnitedKingdom,
)
from ttr_variants.united_kingdom.technologies import requirements

UK = rules_of("united-kingdom")
LOCO = "locomotive"
COLORS = ["purple", "blue", "orange", "white", "green", "yellow", "black", "red"]
CONCESSIONS = ["wales_concession", "scotland_concession", "ireland_france_concession"]
STOKER, BOILER, PROPELLERS = "mechanical_stoker", "superheated_steam_boiler", "propellers"
OPENERS = [*CONCESSIONS, STOKER, BOILER, PROPELLERS]
LONDON_READING = "london-reading-green"
NEW_YORK = "new_york-southampton-gray"
LONDONDERRY = "londonderry-stranraer-gray"
PILE = ["red", "blue", "green"]


def table(hand: dict[str, int], *technologies: str, **more: Any) -> ttr.Game:
    """A position in which A owns technologies and nobody has routes."""
    owned = {"technologies": list(technologies)} if technologies else {}
    return arranged("united-kingdom", {"hand": hand, **owned}, {}, **{"draw_pile": PILE, **more})


def buy(technology: str, payment: Mapping[str, int], seat: int = 0) -> BuyTechnology:
    return BuyTechnology(seat, technology, payment)


def sheet(*players: dict[str, Any], stack: str = "united-kingdom") -> ttr.FinalScores:
    return ttr.score(rules_of(stack), {"players": [{"name": "ABC"[n], **each} for n, each in enumerate(players)]})


def claimable(*technologies: str) -> set[str]:
    """The routes that are not barred on the empty board to who owns these, cars aside."""
    return {id for id, needs in UK.derived(requirements).items() if set(needs) <= set(technologies)}


# -- set-up -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("U1", "U2", "U3", "UR1")
@pytest.mark.parametrize(("players", "left"), [(2, 18), (3, 17), (4, 16)])
def test_four_cards_and_a_locomotive_from_a_deck_of_its_own(players: int, left: int) -> None:
    deck = [*(color for color in COLORS for _ in range(12)), *[LOCO] * left]
    chance = ScriptedChance(Expect(deck), otherwise=AS_IS)
    game = ttr.new_game(rules=UK, players=players, chance=chance, first_seat=0)
    cards = ttr.cards(game.state)
    assert game.state.cars == [35] * players
    assert [hand[LOCO] for hand in cards.hands] == [1] * players
    assert [hand.total for hand in cards.hands] == [5] * players
    assert (*cards.draw_pile, *cards.face_up).count(LOCO) == left
    assert UK.economy.fingerprint_data()["cards"] == {**dict.fromkeys(COLORS, 12), LOCO: 20}
    for wrong in (1, 5):
        with pytest.raises(ttr.InvalidInputError, match="2 to 4"):
            ttr.new_game(rules=UK, players=wrong, seed=1)


@pytest.mark.rule("U1")
def test_doubles_are_open_from_three_players_on() -> None:
    taken, beside = "london-southampton-black", "london-southampton-red"
    claim = ttr.ClaimRoute(0, beside, {"red": 2})
    hand = {"hand": {"red": 2}}
    assert refused(arranged("united-kingdom", hand, {"routes": [taken]}), claim) == "C6"
    assert arranged("united-kingdom", hand, {"routes": [taken]}, {}).is_legal(claim)
    assert refused(arranged("united-kingdom", {**hand, "routes": [taken]}, {}, {}), claim) == "C5"


@pytest.mark.rule("U4")
def test_five_tickets_of_which_three_are_kept_and_the_others_go_under_the_pile() -> None:
    game = ttr.new_game(rules=UK, players=2, seed=1, first_seat=0)
    assert len(UK.deck.tickets) == 57 and len(game.state.ticket_pile) == 47
    dealt: list[tuple[str, ...]] = []
    for seat in (0, 1):
        decision = game.decision(seat)
        assert isinstance(decision, TicketSetup) and len(decision.tickets) == 5
        assert refused(game, ttr.KeepTickets(seat, decision.tickets[:2])) == "U4"
        dealt.append(decision.tickets)
    events = play(game, *(ttr.KeepTickets(seat, dealt[seat][:3]) for seat in (0, 1)))
    assert [event.tickets for event in happened(events, TicketsReturned)] == [(*dealt[0][3:], *dealt[1][3:])]


@pytest.mark.rule("U4")
def test_three_tickets_are_drawn_in_play_and_one_is_kept() -> None:
    game = table({})
    before = game.state.ticket_pile
    game.play(ttr.DrawTickets(0))
    decision = game.decision(0)
    assert isinstance(decision, TicketChoice) and decision.tickets == before[:3]
    game.play(ttr.KeepTickets(0, before[1:2]))
    assert game.state.ticket_pile == (*before[3:], before[0], before[2])


@pytest.mark.rule("U6")
def test_locomotives_in_the_row_stay_but_cost_a_card_as_always() -> None:
    row = [LOCO, LOCO, "blue", "green", "black"]
    game = table({}, face_up=row, draw_pile=[LOCO, LOCO, "red", "red"])
    assert not happened(game.play(ttr.DrawFaceUp(0, "blue")), RowSwept)
    assert ttr.cards(game.state).face_up.count(LOCO) == 3
    assert isinstance(game.decision(0), NextCard)
    assert refused(game, ttr.DrawFaceUp(0, LOCO)) == "D3"
    game = table({}, face_up=row, draw_pile=["red", "red"])
    game.play(ttr.DrawFaceUp(0, LOCO))
    assert game.to_act == (1,)


# -- which routes are open ----------------------------------------------------------------------------------------


@pytest.mark.rule("U7", "U8", "U10", "U11", "U12")
@pytest.mark.parametrize(
    ("technologies", "count"),
    [
        ([], 43),
        (["wales_concession"], 48),
        (["scotland_concession"], 55),
        (["ireland_france_concession"], 61),
        ([STOKER], 44),
        ([BOILER], 45),
        ([PROPELLERS], 44),
        ([STOKER, PROPELLERS], 46),
        ([BOILER, PROPELLERS], 48),
        (CONCESSIONS, 78),
        ([*CONCESSIONS, STOKER], 94),
        ([*CONCESSIONS, STOKER, BOILER], 96),
        (OPENERS, 125),
    ],
)
def test_how_many_of_the_125_tracks_are_open_on_the_empty_board(technologies: list[str], count: int) -> None:
    found = claimable(*technologies)
    assert len(found) == count
    view = arranged("united-kingdom", {"technologies": technologies}, {}).view(0)
    assert found == set(UK.board.routes) - set(view.barred)


@pytest.mark.rule("U7", "U8")
def test_without_technology_short_routes_in_england_and_new_york() -> None:
    regions = {city: region for region, cities in UK.board.extra["regions"].items() for city in cities}
    assert Counter(regions.values()) == {"england": 21, "scotland": 10, "ireland": 10, "wales": 5, "france": 2}
    found = claimable()
    english = {id for id in found if id != NEW_YORK}
    assert sum(UK.board.routes[id].length for id in english) == 60
    for id, route in UK.board.routes.items():
        short = route.length <= 2 and not route.ferry_locomotives
        assert (id in english) == (short and all(regions.get(city) == "england" for city in route.cities))
    assert NEW_YORK in found


@pytest.mark.rule("U10")
def test_the_worked_examples() -> None:
    needs = UK.derived(requirements)
    assert set(needs[LONDONDERRY]) == {"scotland_concession", "ireland_france_concession", STOKER, PROPELLERS}
    assert set(needs["edinburgh-newcastle-green"]) == {"scotland_concession", STOKER}
    assert needs[NEW_YORK] == ()
    assert Counter(len(each) for each in needs.values())[4] == 7
    assert max(len(each) for each in needs.values()) == 4


@pytest.mark.rule("U10", "U11")
def test_a_route_needs_the_concession_of_each_region_and_ireland_and_france_have_one_card() -> None:
    cards = dict(zip(("wales", "scotland", "ireland", "france"), (*CONCESSIONS, CONCESSIONS[-1]), strict=True))
    card_of = {city: cards.get(region) for region, cities in UK.board.extra["regions"].items() for city in cities}
    needs = UK.derived(requirements)
    for id, route in UK.board.routes.items():
        if id != NEW_YORK:
            assert set(needs[id]) & set(CONCESSIONS) == {card_of[city] for city in route.cities} - {None}


@pytest.mark.rule("U10", "U11", "U12")
@pytest.mark.parametrize("lacking", ["scotland_concession", "ireland_france_concession", STOKER, PROPELLERS])
def test_each_technology_of_stranraer_to_londonderry_is_needed(lacking: str) -> None:
    owned = ["scotland_concession", "ireland_france_concession", STOKER, PROPELLERS]
    claim = ttr.ClaimRoute(0, LONDONDERRY, {"red": 2, LOCO: 1})
    assert table({"red": 2, LOCO: 1}, *owned).is_legal(claim)
    owned.remove(lacking)
    game = table({"red": 2, LOCO: 1}, *owned)
    assert refused(game, claim) == "U10"
    refusal = game.refusal(claim)
    assert refusal is not None and f"no {TECHNOLOGIES[lacking].name}" in refusal.reason
    assert LONDONDERRY in game.view(0).barred


@pytest.mark.rule("U10")
def test_the_technologies_of_another_player_are_of_no_use() -> None:
    game = arranged("united-kingdom", {"hand": {"red": 2, LOCO: 1}}, {"technologies": OPENERS})
    assert refused(game, ttr.ClaimRoute(0, LONDONDERRY, {"red": 2, LOCO: 1})) == "U10"
    assert game.view(1).barred == {}


@pytest.mark.rule("U12")
def test_the_boiler_is_not_for_routes_of_three() -> None:
    needs = UK.derived(requirements)
    for id, route in UK.board.routes.items():
        if id != NEW_YORK:
            assert (STOKER in needs[id]) == (route.length == 3)
            assert (BOILER in needs[id]) == (route.length in (4, 5, 6))
            assert (PROPELLERS in needs[id]) == bool(route.ferry_locomotives)


@pytest.mark.rule("U20", "UR5")
def test_penzance_and_plymouth_are_no_double_unless_the_ruling_says_so() -> None:
    land, ferry = "penzance-plymouth-black", "penzance-plymouth-gray"
    mine = {"hand": {"red": 3}, "technologies": OPENERS, "routes": [land]}
    claim = ttr.ClaimRoute(0, ferry, {"red": 2, LOCO: 1})
    mine["hand"] = {"red": 2, LOCO: 1}
    theirs = {**mine, "routes": []}
    assert arranged("united-kingdom", mine, {}).is_legal(claim)
    assert arranged("united-kingdom", theirs, {"routes": [land]}).is_legal(claim)
    double = "united-kingdom:unequal_double=true"
    assert refused(arranged(double, mine, {}, {}), claim) == "C5"
    assert refused(arranged(double, theirs, {"routes": [land]}), claim) == "C6"
    assert rules_of(double).board.routes[LONDON_READING].double_group is None


# -- buying -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("U11", "U12", "U13", "U14", "U15", "U16", "U21")
def test_prices_and_copies() -> None:
    basic = {card.id: (card.price, card.copies) for card in TECHNOLOGIES.values() if not card.advanced}
    assert basic == {
        "wales_concession": (1, 4), "scotland_concession": (1, 4), "ireland_france_concession": (1, 4),
        STOKER: (1, 4), BOILER: (2, 4), PROPELLERS: (2, 4), "booster": (2, 4), "boiler_lagging": (2, 4),
        "steam_turbines": (2, 4), "double_heading": (4, 4), "right_of_way": (4, 1),
    }  # fmt: skip
    advanced = {card.id: (card.price, card.copies) for card in TECHNOLOGIES.values() if card.advanced}
    assert advanced == {
        "thermocompressor": (1, 1), "water_tenders": (2, 2), "risky_contracts": (2, 1), "equalising_beam": (2, 1),
        "diesel_power": (3, 1),
    }  # fmt: skip
    part = table({}).state.part(Technologies)
    assert part.left == {id: copies for id, (_, copies) in basic.items()}


@pytest.mark.rule("U9")
def test_one_technology_a_turn_before_the_action_and_it_counts_at_once() -> None:
    game = table({LOCO: 3, "purple": 3})
    claim = ttr.ClaimRoute(0, "aberdeen-dundee-white", {LOCO: 1})
    assert refused(game, claim) == "U10"
    events = game.play(buy("scotland_concession", {LOCO: 1}))
    assert [type(event).__name__ for event in events] == ["TechnologyBought", "CardsSpent"]
    assert ttr.cards(game.state).discards == (LOCO,)
    part = game.state.part(Technologies)
    assert (part.owned, part.left["scotland_concession"]) == ([("scotland_concession",), ()], 3)
    assert game.decision(0) == ttr.Turn(0)
    assert refused(game, buy("wales_concession", {LOCO: 1})) == "U9"
    assert not legal(game, BuyTechnology)
    game.play(claim)
    assert game.to_act == (1,)


@pytest.mark.rule("U9")
def test_in_the_next_turn_another_one_may_be_bought_but_not_after_a_card_was_drawn() -> None:
    game = table({LOCO: 3}, draw_pile=["red"] * 9)
    play(game, buy("scotland_concession", {LOCO: 1}), ttr.DrawBlind(0))
    assert refused(game, buy("wales_concession", {LOCO: 1})) == "S8"
    play(game, ttr.DrawBlind(0), ttr.DrawBlind(1), ttr.DrawBlind(1))
    game.play(buy("wales_concession", {LOCO: 1}))
    assert game.state.part(Technologies).owned[0] == ("scotland_concession", "wales_concession")


@pytest.mark.rule("U9", "U5")
@pytest.mark.parametrize(
    ("technology", "payment", "allowed"),
    [
        (STOKER, {LOCO: 1}, True),
        (STOKER, {"red": 2, "blue": 2}, True),
        (STOKER, {"red": 2, "blue": 1}, False),
        (STOKER, {"red": 1}, False),
        (STOKER, {LOCO: 2}, False),
        (BOILER, {LOCO: 2}, True),
        (BOILER, {LOCO: 1, "red": 2, "blue": 2}, True),
        (BOILER, {LOCO: 1}, False),
        (BOILER, {LOCO: 1, "red": 1}, False),
        ("double_heading", {LOCO: 4}, True),
        ("diesel_power", {LOCO: 3}, False),
        ("engine", {LOCO: 1}, False),
        (7, {LOCO: 1}, False),
    ],
)
def test_what_a_technology_costs(technology: Any, payment: dict[str, int], allowed: bool) -> None:
    game = table({LOCO: 4, "red": 2, "blue": 2})
    if allowed:
        assert game.is_legal(buy(technology, payment))
    else:
        assert refused(game, buy(technology, payment)) in ("U9", "S8")


@pytest.mark.rule("U11", "UR3")
def test_copies_run_out_and_nobody_owns_two() -> None:
    owner = {"technologies": [STOKER]}
    game = arranged("united-kingdom", {"hand": {LOCO: 1}}, *[owner] * 3, draw_pile=PILE)
    assert refused(arranged("united-kingdom", {"hand": {LOCO: 1}, **owner}, {}), buy(STOKER, {LOCO: 1})) == "UR3"
    game.play(buy(STOKER, {LOCO: 1}))
    assert game.state.part(Technologies).left[STOKER] == 0
    four = {"technologies": [STOKER] * 4}
    copies = arranged("united-kingdom:copies=true", {"hand": {LOCO: 1}}, four)
    assert refused(copies, buy(STOKER, {LOCO: 1})) == "U9"
    more = arranged("united-kingdom:copies=true", {"hand": {LOCO: 1}, **owner}, {})
    assert more.is_legal(buy(STOKER, {LOCO: 1}))


@pytest.mark.rule("U9", "UR15", "R4")
def test_buying_is_no_action_and_passing_stays_legal() -> None:
    everything = [ticket.id for ticket in UK.deck.tickets]
    position: dict[str, Any] = {"face_up": [], "draw_pile": []}
    game = arranged(
        "united-kingdom",
        {"hand": {LOCO: 1}, "cars": 0, "tickets": everything},
        {"hand": {LOCO: 1}, "cars": 0},
        **position,
    )
    assert {type(action) for action in game.legal_actions(0)} == {ttr.Pass, BuyTechnology}
    bought = game.copy()
    bought.play(buy(STOKER, {LOCO: 1}))
    assert {type(action) for action in bought.legal_actions(0)} == {ttr.Pass}
    game.play(ttr.Pass(0))
    assert game.to_act == (1,)


@pytest.mark.rule("UR16")
def test_everybody_sees_who_owns_what() -> None:
    game = arranged("united-kingdom", {"technologies": [STOKER]}, {"technologies": OPENERS})
    for seat in (None, 0, 1):
        shown = game.view(seat).part(Technologies)
        assert shown.owned == [(STOKER,), tuple(OPENERS)]
        assert shown.left[STOKER] == 2
    event = TechnologyBought(0, STOKER)
    assert event.seen_by(1).event == event


# -- points in play -----------------------------------------------------------------------------------------------


@pytest.mark.rule("U14", "U18", "UR6")
@pytest.mark.parametrize(
    ("technologies", "points"),
    [([], 40), (["boiler_lagging"], 41), (["steam_turbines"], 42), (["boiler_lagging", "steam_turbines"], 43)],
)
def test_new_york_with_lagging_and_turbines(technologies: list[str], points: int) -> None:
    hand = {"red": 7, LOCO: 3}
    game = table(hand, *technologies)
    game.play(ttr.ClaimRoute(0, NEW_YORK, hand))
    assert game.view(1).scores[0] == points
    assert game.state.scores[0] == 40
    no_ferry = {"hand": hand, "technologies": technologies}
    game = arranged("united-kingdom:new_york_ferry=false", no_ferry, {}, draw_pile=PILE)
    game.play(ttr.ClaimRoute(0, NEW_YORK, hand))
    assert game.view(1).scores[0] == 40 + ("boiler_lagging" in technologies)


@pytest.mark.rule("U14", "UR18")
def test_a_point_for_each_route_claimed_from_then_on() -> None:
    mine = {"hand": {"green": 1, LOCO: 2}, "routes": ["brighton-london-gray"]}
    game = arranged("united-kingdom", mine, {}, draw_pile=PILE)
    game.play(buy("boiler_lagging", {LOCO: 2}))
    assert game.view(0).scores[0] == 1
    game.play(ttr.ClaimRoute(0, LONDON_READING, {"green": 1}))
    assert game.view(0).scores[0] == 1 + 1 + 1
    assert game.state.points == {"boiler_lagging": [1, 0]}


@pytest.mark.rule("U14")
def test_both_bring_three_on_a_ferry_and_turbines_nothing_on_land() -> None:
    both = ["boiler_lagging", "steam_turbines", PROPELLERS]
    game = table({"green": 1, LOCO: 1}, *both)
    game.play(ttr.ClaimRoute(0, "barrow-liverpool-gray", {LOCO: 1}))
    assert game.view(0).scores[0] == 1 + 3
    game = table({"green": 1}, "steam_turbines")
    game.play(ttr.ClaimRoute(0, LONDON_READING, {"green": 1}))
    assert game.view(0).scores[0] == 1


@pytest.mark.rule("UR3", "U14")
def test_points_of_several_copies_add_up() -> None:
    owned = ["boiler_lagging"] * 3 + ["steam_turbines"] * 2 + [PROPELLERS]
    for route, payment, points in (
        (LONDON_READING, {"green": 1}, 1 + 3),
        ("barrow-liverpool-gray", {LOCO: 1}, 1 + 3 + 4),
    ):
        player = {"hand": {"green": 1, LOCO: 1}, "technologies": owned}
        game = arranged("united-kingdom:copies=true", player, {}, draw_pile=PILE)
        game.play(ttr.ClaimRoute(0, route, payment))
        assert game.view(0).scores[0] == points


@pytest.mark.rule("U18")
def test_points() -> None:
    assert dict(UK.board.points) == {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 10: 40}


# -- right of way -------------------------------------------------------------------------------------------------

FOUR = {LOCO: 4}
THEIRS = "bristol-southampton-green"


def right_of_way(
    hand: dict[str, int], *mine: str, theirs: tuple[str, ...] = (THEIRS,), players: int = 2, **own: Any
) -> ttr.Game:
    return arranged(
        "united-kingdom", {"hand": hand, "routes": list(mine), **own}, {"routes": list(theirs)}, *[{}] * (players - 2),
        draw_pile=["white"] * 9,
    )  # fmt: skip


@pytest.mark.rule("U16")
def test_a_right_of_way_is_a_claim_of_a_route_that_another_player_holds() -> None:
    game = right_of_way({**FOUR, "green": 2})
    game.play(buy("right_of_way", FOUR))
    assert game.decision(0) == SharedClaim(0)
    assert legal(game, ShareRoute) == [ShareRoute(0, THEIRS, {"green": 2})]
    assert [type(action) for action in game.legal_actions(0)] == [ShareRoute]
    events = game.play(ShareRoute(0, THEIRS, {"green": 2}))
    assert happened(events, RouteShared) == [RouteShared(0, THEIRS, 2)]
    state = game.state
    assert (state.owners, state.scores, state.cars) == ({THEIRS: 1}, [2, 2], [33, 33])
    assert game.view(1).shared == {THEIRS: (0,)}
    assert state.part(Technologies).left["right_of_way"] == 1
    assert state.part(Technologies).owned[0] == ()
    assert game.to_act == (1,)


@pytest.mark.rule("U16")
def test_a_shared_route_counts_for_tickets_of_both() -> None:
    ticket = {"tickets": [["bristol", "southampton"]]}
    first, second = sheet({"right_of_way": [THEIRS], **ticket}, {"routes": [THEIRS]}).players
    assert (first.completed_tickets, first.route_points, first.longest_path.length) == (1, 2, 2)
    assert (second.route_points, second.longest_path.length) == (2, 2)


@pytest.mark.rule("U16", "U14")
def test_it_brings_the_points_of_lagging_too() -> None:
    game = right_of_way({**FOUR, "green": 2}, technologies=["boiler_lagging"])
    play(game, buy("right_of_way", FOUR), ShareRoute(0, THEIRS, {"green": 2}))
    assert game.view(0).scores[0] == 3


@pytest.mark.rule("U16")
def test_several_may_hold_a_route_and_the_card_can_be_bought_again() -> None:
    hand = {"hand": {**FOUR, "green": 2}}
    game = arranged("united-kingdom", hand, {"routes": [THEIRS]}, hand, draw_pile=["red"] * 9)
    play(game, buy("right_of_way", FOUR), ShareRoute(0, THEIRS, {"green": 2}), ttr.DrawBlind(1), ttr.DrawBlind(1))
    play(game, buy("right_of_way", FOUR, seat=2), ShareRoute(2, THEIRS, {"green": 2}))
    assert game.view(0).shared == {THEIRS: (0, 2)}


@pytest.mark.rule("U16", "U10", "C3")
def test_what_a_right_of_way_does_not_allow() -> None:
    game = right_of_way({**FOUR, "green": 3, "red": 1}, LONDON_READING, theirs=(THEIRS, LONDONDERRY), cars=3)
    game.play(buy("right_of_way", FOUR))
    assert refused(game, ShareRoute(0, LONDON_READING, {"green": 1})) == "U16"  # one's own
    assert refused(game, ShareRoute(0, "brighton-london-gray", {"green": 1})) == "U16"  # nobody's
    assert refused(game, ShareRoute(0, LONDONDERRY, {"green": 3})) == "U10"
    assert refused(game, ShareRoute(0, THEIRS, {"green": 1, "red": 1})) == "C1"
    assert refused(game, ShareRoute(0, THEIRS, {"green": 1})) == "U5"
    assert refused(game, ShareRoute(0, "nowhere", {"green": 1})) == "S8"
    assert refused(game, ttr.ClaimRoute(0, "brighton-london-gray", {"green": 1})) == "S8"
    assert refused(game, ttr.DrawBlind(0)) == "S8"
    few = right_of_way({**FOUR, "green": 4, "red": 1}, theirs=(THEIRS, "leeds-manchester-blue"), cars=1)
    few.play(buy("right_of_way", FOUR))
    assert refused(few, ShareRoute(0, THEIRS, {"green": 2})) == "C3"


@pytest.mark.rule("UR7")
@pytest.mark.parametrize(
    ("hand", "mine", "theirs", "cars"),
    [
        ({**FOUR, "green": 2}, (), (), 35),  # nobody holds a route
        ({**FOUR, "green": 1}, (), (THEIRS,), 35),  # not the cards
        ({**FOUR, "green": 2}, (), (THEIRS,), 1),  # not the cars
        ({LOCO: 5, "green": 2}, (), (LONDONDERRY,), 35),  # not the technologies
    ],
)
def test_a_right_of_way_to_nowhere_cannot_be_bought(
    hand: dict[str, int], mine: tuple[str, ...], theirs: tuple[str, ...], cars: int
) -> None:
    game = right_of_way(hand, *mine, theirs=theirs, cars=cars)
    assert refused(game, buy("right_of_way", FOUR)) == "UR7"
    assert refused(game, buy("right_of_way", {LOCO: 3})) == "U9"


@pytest.mark.rule("UR7")
def test_only_payments_that_leave_enough_for_the_claim() -> None:
    game = right_of_way({LOCO: 4, "green": 2, "red": 4})
    payments = {action.payment for action in legal(game, BuyTechnology) if action.technology == "right_of_way"}
    assert payments == {
        ttr.Counts(payment) for payment in ({LOCO: 4}, {LOCO: 3, "red": 4}, {LOCO: 3, "red": 3, "green": 1})
    }
    for payment in payments:
        branch = game.copy()
        branch.play(buy("right_of_way", payment))
        assert legal(branch, ShareRoute)
    assert refused(game, buy("right_of_way", {LOCO: 3, "red": 2, "green": 2})) == "UR7"


@pytest.mark.rule("UR8", "C5", "C6")
def test_a_right_of_way_does_not_lead_beside_ones_own_track() -> None:
    mine, theirs = "london-southampton-black", "london-southampton-red"
    game = right_of_way({**FOUR, "red": 2, "green": 2}, mine, theirs=(theirs, THEIRS), players=3)
    game.play(buy("right_of_way", FOUR))
    assert refused(game, ShareRoute(0, theirs, {"red": 2})) == "C5"
    closed = right_of_way({**FOUR, "red": 2, "black": 2}, theirs=(mine,))
    closed.play(buy("right_of_way", FOUR))
    assert refused(closed, ShareRoute(0, theirs, {"red": 2})) == "U16"
    assert closed.is_legal(ShareRoute(0, mine, {"black": 2}))


# -- tickets to France, the end ------------------------------------------------------------------------------------


@pytest.mark.rule("U17", "UR9")
@pytest.mark.parametrize("entry", [["country_france_1", "southampton"], ["country_france_2", "dover"]])
def test_a_ticket_to_france_is_completed_at_either_entry(entry: list[str]) -> None:
    routes = [entry, ["london", "southampton"], ["dover", "london"]]
    player = sheet({"routes": routes, "tickets": [["london", "France"]]}, {}).players[0]
    assert player.tickets[0].signed == 7
    assert sheet({"routes": routes[1:], "tickets": [["london", "France"]]}, {}).players[0].tickets[0].signed == -7


@pytest.mark.rule("U17")
def test_nothing_leads_through_france() -> None:
    routes = [["country_france_1", "southampton"], ["country_france_2", "dover"]]
    player = sheet({"routes": routes, "tickets": [["southampton", "london"]]}, {}).players[0]
    assert player.completed_tickets == 0 and player.longest_path.length == 3


@pytest.mark.rule("U15", "UR3")
def test_double_heading_brings_two_points_a_ticket() -> None:
    tickets = {
        "routes": [["london", "brighton"], ["leeds", "manchester"]],
        "tickets": [["london", "brighton"], ["leeds", "manchester"], ["wick", "dundee"]],
    }
    plain, headed = sheet(tickets, {}).players[0], sheet({**tickets, "technologies": ["double_heading"]}, {}).players[0]
    assert (plain.bonuses, headed.bonuses) == ({}, {"double_heading": 4})
    assert headed.total == plain.total + 4
    twice = sheet({**tickets, "technologies": ["double_heading"] * 2}, {}, stack="united-kingdom:copies=true").players[
        0
    ]
    assert twice.bonuses == {"double_heading": 8}
    assert sheet({"technologies": ["double_heading"]}, {}).players[0].bonuses == {}


@pytest.mark.rule("U19")
def test_no_bonus_and_ties_go_to_tickets_alone() -> None:
    short = {"routes": [["london", "brighton"], ["leeds", "manchester"]]}
    long = {"routes": [["bristol", "southampton"]]}
    scores = sheet(short, long)
    assert [player.total for player in scores.players] == [2, 2]
    assert [player.longest_path.length for player in scores.players] == [1, 2]
    assert all(player.bonuses == {} for player in scores.players)
    assert scores.winners == ("A", "B")
    assert sheet(short, long, stack="united-kingdom:tie_break=path").winners == ("B",)
    ticket = {"routes": [["london", "cambridge"]], "tickets": [["birmingham", "cambridge"]]}
    done = {"routes": [["leeds", "manchester"]], "tickets": [["leeds", "manchester"]]}
    assert [player.total for player in sheet(ticket, done).players] == [-1, 2]
    level = sheet(done, {"routes": [["london", "southampton"]]})
    assert [player.total for player in level.players] == [2, 2] and level.winners == ("A",)


@pytest.mark.rule("U1", "E1")
@pytest.mark.parametrize(("cars", "begins"), [(3, True), (4, False)])
def test_the_last_round_begins_with_two_cars(cars: int, begins: bool) -> None:
    game = table({"green": 1})
    game = arranged("united-kingdom", {"hand": {"green": 1}, "cars": cars}, {}, draw_pile=PILE)
    assert bool(happened(game.play(ttr.ClaimRoute(0, LONDON_READING, {"green": 1})), LastRoundBegun)) == begins


# -- score files, stacks ------------------------------------------------------------------------------------------


@pytest.mark.rule("U14")
def test_the_points_of_technologies_are_told_in_a_score_file() -> None:
    player = {
        "routes": [LONDON_READING, ["barrow", "liverpool"]],
        "technologies": ["boiler_lagging", "steam_turbines", "booster"],
    }
    told = sheet({**player, "technology_points": {"boiler_lagging": 1, "steam_turbines": 2}}, {}).players[0]
    assert told.terms["technologies"].points == 3 and told.terms["technologies"].count == 3
    assert [(detail.what, detail.points) for detail in told.terms["technologies"].details] == [
        ("Boiler Lagging", 1), ("Steam Turbines", 2), ("Booster", 0),
    ]  # fmt: skip
    assert told.total == 2 + 3


@pytest.mark.rule("U14")
def test_technologies_in_a_score_file_may_have_their_printed_names() -> None:
    player = {
        "routes": [LONDON_READING],
        "technologies": ["Boiler Lagging", "Double heading"],
        "technology_points": {"Boiler Lagging": 1},
    }
    told = sheet(player, {}).players[0].terms["technologies"]
    assert [detail.what for detail in told.details] == ["Boiler Lagging", "Double Heading"] and told.points == 1


@pytest.mark.rule("U11", "U14", "U16", "UR3")
@pytest.mark.parametrize(
    ("player", "problem"),
    [
        ({"technologies": ["boiler_lagging"]}, "technology_points: boiler_lagging is missing"),
        ({"technologies": ["boiler_lagging"], "technology_points": {"boiler_lagging": 2}}, "0 to 1 points"),
        ({"technologies": ["boiler_lagging"], "technology_points": {"boiler_lagging": True}}, "0 to 1 points"),
        ({"technology_points": {"boiler_lagging": 1}}, "no routes that it brings points for"),
        ({"technology_points": 3}, "expected a table"),
        (
            {
                "routes": [["barrow", "liverpool"]],
                "technologies": ["steam_turbines"],
                "technology_points": {"steam_turbines": 1},
            },
            "0 to 2 points, 2 a route",
        ),
        ({"technologies": ["engine"]}, "no technology 'engine' in this game"),
        ({"technologies": ["diesel_power"]}, "no technology 'diesel_power' in this game"),
        ({"technologies": ["right_of_way"]}, "used up at once"),
        ({"technologies": [STOKER, STOKER]}, "owns mechanical_stoker already"),
        ({"right_of_way": [LONDON_READING]}, r"is not held by others alone: .* \(U16\)"),
        ({"right_of_way": ["brighton-london-gray"]}, r"is not held by others alone: .* \(U16\)"),
        ({"right_of_way": ["nowhere"]}, "no route"),
        ({"technologies": 3}, "expected a list"),
    ],
)
def test_mistakes_in_a_score_file_are_told(player: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidTableError, match=problem):
        sheet({"routes": [LONDON_READING], **player}, {})


@pytest.mark.rule("U11", "UR3", "C3", "C5")
def test_more_mistakes_in_a_score_file() -> None:
    with pytest.raises(InvalidTableError, match="no more than 4 of mechanical_stoker can be owned"):
        sheet({"technologies": [STOKER] * 5}, {}, stack="united-kingdom:copies=true")
    with pytest.raises(InvalidTableError, match=r"holds the other half of the double route .* \(C5\)"):
        sheet({"routes": ["london-southampton-black"], "right_of_way": ["london-southampton-red"]}, {"routes": ["london-southampton-red"]}, {})  # fmt: skip
    with pytest.raises(InvalidTableError, match=r"train cars, seat 0 has 3 \(C3\)"):
        ttr.arrange(UK, {"players": [{"routes": [NEW_YORK, ["cork", "penzance"], ["aberdeen", "newcastle"], ["hull", "newcastle"], ["stornoway", "wick"]], "right_of_way": [["fort_william", "stornoway"]]}, {"routes": [["fort_william", "stornoway"]]}]})  # fmt: skip


@pytest.mark.rule("U9")
def test_with_dice_there_is_nothing_to_buy_with() -> None:
    with pytest.raises(PluginError, match=r"bought with locomotives .*U9"):
        ttr.compile_rules("united-kingdom", "dice")


@pytest.mark.rule("U7")
def test_a_map_without_regions_asks_for_no_concessions() -> None:
    rules = ttr.compile_rules(UnitedKingdom(), board=ttr_maps.load("north_america"))
    needs = rules.derived(requirements)
    assert {each for needed in needs.values() for each in needed} == {STOKER, BOILER}


@pytest.mark.slow
def test_bots_buy_what_opens_their_tickets() -> None:
    game = ttr.new_game(rules=UK, players=3, seed=3)
    play_game(game)
    owned = game.state.part(Technologies).owned
    assert all("boiler_lagging" in each for each in owned)
    assert all(set(each) & set(OPENERS) for each in owned)
    assert all(player.total > 40 for player in game.final_scores.players)  # type: ignore[union-attr]
