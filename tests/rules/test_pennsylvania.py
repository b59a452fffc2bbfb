"""Pennsylvania: Y1 to Y14, and the rulings YR1 to YR9."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs
import pytest
from helpers import Expect, Top, arranged, chance_of, happened, keep_all, legal, play, refused, rules_of

import ttr_rules as ttr
from ttr_rules.errors import InvalidInputError, InvalidTableError
from ttr_rules.events import GameEnded, TicketsReturned, TicketsRevealed, Unknown
from ttr_rules.model import TicketChoice, TicketSetup
from ttr_rules.scores import Detail
from ttr_tools.bots import Bot, play_game
from ttr_variants.pennsylvania import (
    DummyShareChoice,
    DummyShareTaken,
    Pennsylvania,
    ShareChoice,
    Shares,
    SharesTurnedUp,
    ShareTaken,
    TakeShare,
)

PENN = rules_of("pennsylvania")
ROUTES = PENN.board.routes
BO, PRR, ERIE = "baltimore_and_ohio", "pennsylvania_railroad", "erie_lackawanna"
WM, JCL = "western_maryland", "jersey_central_lines"
OIL_CITY = "oil_city-warren-orange"
ATLANTIC = "atlantic_city-new_york-black"


def hidden(count: int) -> Any:
    """What stands in a view for this many shares, whatever the field is said to hold."""
    return Unknown(count)


def sheet(*players: dict[str, Any], rules: ttr.Rules = PENN, **more: Any) -> tuple[ttr.PlayerScore, ...]:
    """The scores of players with these routes, tickets and shares."""
    table = {"players": [{"name": "ABCDE"[n], **each} for n, each in enumerate(players)], **more}
    return ttr.score(rules, table).players


def marked(company: str, *counts: int, without: Iterable[str] = ()) -> list[list[str]]:
    """So many routes that bear a company for each of some players, no two of a double, none beside those in `without`."""
    groups = {ROUTES[id].double_group or id: "" for id in without}
    for id, route in ROUTES.items():
        if company in route.marks:
            groups.setdefault(route.double_group or id, id)
    found = filter(None, groups.values())
    return [[next(found) for _ in range(count)] for count in counts]


def paid(company: str, *lots: list[int], dummy: list[int] | None = None, rules: ttr.Rules = PENN) -> list[int]:
    """The points of the players for these shares of one company, the dummy's shares turned up."""
    own = marked(company, *map(len, lots))
    players = [{"routes": routes, "shares": {company: lot}} for routes, lot in zip(own, lots, strict=True)]
    parts = {} if dummy is None else {"dummy": {company: dummy}}
    return [player.terms["shares"].points for player in sheet(*players, parts=parts, rules=rules)]


# -- set-up, tickets, routes --------------------------------------------------------------------------------------


@pytest.mark.rule("Y1", "Y2")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_to_five_players_with_forty_five_cars_and_five_tickets_each(players: int) -> None:
    game = ttr.new_game(rules=PENN, players=players, seed=1)
    assert game.state.cars == [45] * players
    cards = ttr.cards(game.state)
    assert sum(hand.total for hand in cards.hands) + len(cards.draw_pile) + len(cards.face_up) == 110
    assert {name: len(pile) for name, pile in PENN.deck.piles.items()} == {"regular": 50}
    dealt = [choice.tickets for choice in map(game.decision, range(players)) if isinstance(choice, TicketSetup)]
    assert [len(tickets) for tickets in dealt] == [5] * players


@pytest.mark.rule("Y1")
@pytest.mark.parametrize("players", [1, 6])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(InvalidInputError, match="2 to 5"):
        ttr.new_game(rules=PENN, players=players, seed=1)


@pytest.mark.rule("Y2")
def test_three_of_five_tickets_are_kept_and_one_of_four_in_play_the_others_go_under_the_pile() -> None:
    game = ttr.new_game(rules=PENN, players=2, seed=1, first_seat=0)
    first = game.decision(0)
    assert isinstance(first, TicketSetup)
    assert refused(game, ttr.KeepTickets(0, first.tickets[:2])) == "Y2"
    game.play(ttr.KeepTickets(0, first.tickets[:3]))
    keep_all(game)
    before = game.state.ticket_pile
    assert before[-2:] == first.tickets[3:] and len(before) == 42
    game.play(ttr.DrawTickets(0))
    choice = game.decision(0)
    assert isinstance(choice, TicketChoice) and choice.tickets == before[:4]
    assert refused(game, ttr.KeepTickets(0, ())) == "K1"
    events = game.play(ttr.KeepTickets(0, before[:1]))
    assert happened(events, TicketsReturned) and game.state.ticket_pile == (*before[4:], *before[1:4])


@pytest.mark.rule("Y3")
def test_ontario_has_two_entries_each_by_a_double_ferry() -> None:
    ferries = {
        (route.cities, route.length, route.ferry_locomotives)
        for route in ROUTES.values()
        if route.ferry_locomotives and route.double_group
    }
    assert ferries == {(("buffalo", "country_ontario_1"), 1, 1), (("country_ontario_2", "erie"), 3, 2)}
    assert sum(route.ferry_locomotives > 0 for route in ROUTES.values()) == 4
    game = arranged("pennsylvania", {"hand": {"red": 3, "locomotive": 2}}, {})
    ferry = "country_ontario_2-erie-gray-1"
    assert refused(game, ttr.ClaimRoute(0, ferry, {"red": 2, "locomotive": 1})) == "F1"
    assert game.is_legal(ttr.ClaimRoute(0, ferry, {"red": 1, "locomotive": 2}))


@pytest.mark.rule("Y4", "YR6")
def test_a_ticket_to_ontario_is_completed_at_either_entry_and_nothing_passes_through() -> None:
    ticket = [["Ontario", "Warren"]]
    by_erie = {"routes": [["Ontario", "Erie"], ["Erie", "Warren"]], "tickets": ticket}
    to_buffalo = ["buffalo-country_ontario_1-gray-1"]
    by_buffalo = {"routes": [*to_buffalo, ["Buffalo", "Warren"]], "tickets": ticket}
    for table in (by_erie, by_buffalo):
        assert sheet(table, {})[0].tickets[0].completed
    through = {"routes": [*to_buffalo, "country_ontario_2-erie-gray-1"], "tickets": [["Buffalo", "Erie", 3]]}
    player = sheet(through, {})[0]
    assert not player.tickets[0].completed
    assert player.longest_path.length == 3


@pytest.mark.rule("Y11")
def test_points_by_length() -> None:
    assert PENN.board.points == {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18}
    assert [route.cities for route in ROUTES.values() if route.length == 7] == [("baltimore", "cumberland")]
    assert sheet({"routes": [["Baltimore", "Cumberland"]]}, {})[0].route_points == 18


@pytest.mark.rule("YR1")
@pytest.mark.parametrize(
    ("players", "default", "two", "three"), [(2, "C6", None, "C6"), (3, "C6", None, None), (4, None, None, None)]
)
def test_doubles_with_few_players(players: int, default: str | None, two: str | None, three: str | None) -> None:
    assert Pennsylvania().doubles_from == 4
    claim = ttr.ClaimRoute(0, "albany-new_york-blue", {"blue": 6})
    tables: list[dict[str, Any]] = [{"hand": {"blue": 6}}, {"routes": ["albany-new_york-green"]}, {}, {}]
    for stack, rule in (
        ("pennsylvania", default),
        ("pennsylvania:doubles_from=2", two),
        ("pennsylvania:doubles_from=3", three),
    ):
        refusal = arranged(stack, *tables[:players]).refusal(claim)
        assert (refusal and refusal.rule) == rule


# -- shares -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("Y5", "Y9")
def test_sixty_shares_in_nine_companies_and_what_their_places_pay() -> None:
    companies = PENN.board.extra["companies"]
    assert [(row["short"], row["shares"], *row["pays"]) for row in companies] == [
        ("brp", 2, 7, 4),
        ("jcl", 3, 8, 5),
        ("wm", 4, 9, 5),
        ("nyc", 5, 10, 6, 3),
        ("lv", 6, 12, 7, 3),
        ("reading", 7, 14, 9, 5),
        ("erie", 8, 16, 10, 5, 1),
        ("bo", 10, 20, 14, 9, 5, 2),
        ("prr", 15, 30, 21, 14, 9, 6),
    ]
    piles = ttr.new_game(rules=PENN, players=2, seed=1).state.part(Shares).piles
    assert sum(map(len, piles.values())) == 60 and piles[WM] == (1, 2, 3, 4), "number 1 on top"
    assert sum(not route.marks for route in ROUTES.values()) == 7
    assert all(set(route.marks) <= set(piles) for route in ROUTES.values())


def after_claiming(
    route: str,
    hand: dict[str, int],
    *others: dict[str, Any],
    rules: ttr.Rules = PENN,
    dummy: dict[str, list[int]] | None = None,
    **own: Any,
) -> ttr.Game:
    """A game in which the first seat has just claimed a route."""
    parts = {"dummy": dummy or {}}
    game = arranged(rules, {"hand": hand, **own}, *(others or ({}, {})), draw_pile=["red"] * 4, parts=parts)
    game.play(ttr.ClaimRoute(0, route, hand))
    return game


@pytest.mark.rule("Y6")
def test_oil_city_warren_offers_the_pennsylvania_the_baltimore_and_ohio_or_the_erie() -> None:
    game = after_claiming(OIL_CITY, {"orange": 2})
    assert game.decision(0) == ShareChoice(0, OIL_CITY, (BO, ERIE, PRR))
    assert game.view(1).pending == (game.decision(0),), "everybody knows what is asked"
    assert {share.company for share in legal(game, TakeShare)} == {BO, ERIE, PRR}
    assert refused(game, TakeShare(0, WM)) == "S8"
    assert refused(game, ttr.DrawBlind(0)) == "S8"
    events = game.play(TakeShare(0, ERIE))
    assert happened(events, ShareTaken) == [ShareTaken(0, ERIE, 1)]
    assert game.decision(1) == ttr.Turn(1), "one share, then the turn is over"
    part = game.state.part(Shares)
    assert part.held == [((ERIE, 1),), (), ()] and part.piles[ERIE] == (2, 3, 4, 5, 6, 7, 8)


@pytest.mark.rule("YR7")
def test_a_share_may_be_declined() -> None:
    game = after_claiming(OIL_CITY, {"orange": 2})
    events = game.play(ttr.Pass(0))
    assert not happened(events, ShareTaken) and game.decision(1) == ttr.Turn(1)
    assert game.state.part(Shares).held == [(), (), ()]


@pytest.mark.rule("Y6")
def test_an_unmarked_route_gives_no_share() -> None:
    (unmarked, *_) = (route for route in ROUTES.values() if not route.marks and route.color != "gray")
    game = after_claiming(unmarked.id, {str(unmarked.color): unmarked.length})
    assert game.decision(1) == ttr.Turn(1)


@pytest.mark.rule("Y6")
def test_a_company_whose_shares_are_gone_cannot_be_chosen() -> None:
    route = ROUTES[ATLANTIC]
    assert route.marks == (JCL,)
    hand = {"black": route.length}
    routes = marked(JCL, 2, 1, without=[ATLANTIC])
    others = [{"routes": own, "shares": {"jcl": lot}} for own, lot in zip(routes, ([1, 2], [3]), strict=True)]
    game = after_claiming(ATLANTIC, hand, *others)
    assert game.decision(1) == ttr.Turn(1), "there is nothing to choose"
    game = after_claiming(ATLANTIC, hand, others[0], {})
    assert game.decision(0) == ShareChoice(0, ATLANTIC, (JCL,))
    assert happened(game.play(TakeShare(0, JCL)), ShareTaken) == [ShareTaken(0, JCL, 3)], "the top one of those left"


@pytest.mark.rule("Y7", "YR5")
def test_shares_are_seen_by_their_owner_and_counted_by_the_others() -> None:
    game = after_claiming(OIL_CITY, {"orange": 2})
    (taken,) = happened(game.play(TakeShare(0, PRR)), ShareTaken)
    assert taken.seen_by(1).event == taken.seen_by(None).event == taken, "everybody sees it being taken"
    own, other, nobody = (game.view(seat).part(Shares) for seat in (0, 1, None))
    assert own.held[0] == ((PRR, 1),) and own.held[1] == hidden(0)
    assert other.held[0] == nobody.held[0] == hidden(1)
    assert other.piles[PRR][0] == 2
    open_to_all = after_claiming(OIL_CITY, {"orange": 2}, rules=rules_of("pennsylvania:open_shares=true"))
    open_to_all.play(TakeShare(0, PRR))
    assert open_to_all.view(1).part(Shares).held[0] == ((PRR, 1),)
    assert not Pennsylvania().open_shares


@pytest.mark.rule("YR5", "Y12")
def test_the_shares_of_the_dummy_are_counted_too_unless_the_ruling_says_so() -> None:
    for options, seen in (("", Unknown(1)), (":open_shares=true", ((BO, 2),))):
        game = after_claiming(OIL_CITY, {"orange": 2}, {}, rules=rules_of(f"pennsylvania{options}"))
        play(game, TakeShare(0, BO), TakeShare(0, BO))
        assert [game.view(seat).part(Shares).dummy for seat in (0, 1, None)] == [seen] * 3


@pytest.mark.rule("Y7")
def test_another_deal_of_the_hidden_shares_looks_the_same_to_a_seat() -> None:
    first, second, third = marked(BO, 2, 1, 1)
    more, most = marked(PRR, 2, 1, without=[*first, *second, *third])
    game = arranged(
        "pennsylvania",
        {"routes": first, "shares": {"bo": [1, 4]}},
        {"routes": [*second, *more], "shares": {"bo": [2], "prr": [1, 2]}},
        {"routes": [*third, *most], "shares": {"bo": [3], "prr": [3]}},
    )
    worlds = [ttr.determinize(game.view(0), PENN, seed).state.part(Shares) for seed in range(40)]
    assert all(world.held[0] == game.state.part(Shares).held[0] for world in worlds)
    assert all((len(world.held[1]), len(world.held[2])) == (3, 2) for world in worlds)
    assert all(world.piles == game.state.part(Shares).piles and world.validate(game.rules) is None for world in worlds)
    everywhere = {(BO, 2), (BO, 3), (PRR, 1), (PRR, 2), (PRR, 3)}
    assert all({*world.held[1], *world.held[2]} == everywhere for world in worlds)
    assert len({world.held[1] for world in worlds}) == 10, "three of five shares: every way comes up"


# -- two players --------------------------------------------------------------------------------------------------


@pytest.mark.rule("Y12", "YR3")
def test_with_two_players_the_same_player_chooses_a_share_for_the_dummy() -> None:
    game = after_claiming(OIL_CITY, {"orange": 2}, {})
    game.play(TakeShare(0, BO))
    assert game.decision(0) == DummyShareChoice(0, OIL_CITY, (BO, ERIE, PRR)), "of the same company too"
    assert refused(game, ttr.Pass(0)) == "Y12"
    assert refused(game, TakeShare(0, WM)) == "S8"
    events = game.play(TakeShare(0, BO))
    assert happened(events, DummyShareTaken) == [DummyShareTaken(0, BO, 2)]
    part = game.state.part(Shares)
    assert (part.held, part.dummy, part.piles[BO][0]) == ([((BO, 1),), ()], ((BO, 2),), 3)
    assert game.decision(1) == ttr.Turn(1)
    assert game.view(0).part(Shares).dummy == game.view(None).part(Shares).dummy == hidden(1)


@pytest.mark.rule("Y12", "YR3")
def test_the_dummy_gets_none_when_the_player_took_none_or_none_is_left() -> None:
    game = after_claiming(OIL_CITY, {"orange": 2}, {})
    assert not happened(game.play(ttr.Pass(0)), DummyShareTaken) and game.decision(1) == ttr.Turn(1)
    (routes,) = marked(JCL, 2, without=[ATLANTIC])
    holder = {"routes": routes, "shares": {"jcl": [1, 2]}}
    game = after_claiming(ATLANTIC, {"black": 6}, holder, dummy={"reading": [1, 2]})
    events = game.play(TakeShare(0, JCL))
    assert happened(events, ShareTaken) == [ShareTaken(0, JCL, 3)] and game.decision(1) == ttr.Turn(1)


@pytest.mark.rule("YR3")
def test_a_ruling_lets_the_player_choose_none_for_the_dummy() -> None:
    assert Pennsylvania().dummy_share == "compulsory"
    game = after_claiming(OIL_CITY, {"orange": 2}, {}, rules=rules_of("pennsylvania:dummy_share=optional"))
    game.play(TakeShare(0, BO))
    assert len(legal(game, TakeShare)) == 3
    game.play(ttr.Pass(0))
    assert game.state.part(Shares).dummy == () and game.decision(1) == ttr.Turn(1)


@pytest.mark.rule("Y12")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_with_more_players_there_is_no_dummy(players: int) -> None:
    game = after_claiming(OIL_CITY, {"orange": 2}, *[{}] * (players - 1))
    game.play(TakeShare(0, BO))
    assert game.decision(1) == ttr.Turn(1) and game.state.part(Shares).dummy == ()


@pytest.mark.rule("Y13", "YR8")
@pytest.mark.parametrize(("count", "half"), [(0, 0), (1, 1), (5, 3), (6, 3)])
def test_half_of_the_dummys_shares_rounded_up_are_drawn_at_the_end(count: int, half: int) -> None:
    (routes,) = marked(PRR, count)
    lot = [(PRR, number) for number in range(2, 2 * count + 1, 2)]
    drawn = lot[::-1]
    taken, dummy = [number - 1 for _, number in lot], [number for _, number in lot]
    game = arranged(
        "pennsylvania", {"routes": routes, "shares": {"prr": taken}}, {}, parts={"dummy": {"prr": dummy}}, turns_left=1,
        draw_pile=["red", "red", "red"], chance=[Expect(lot, drawn)] if count > 1 else (),
    )  # fmt: skip
    assert game.view(0).part(Shares).turned_up is None
    events = play(game, ttr.DrawBlind(0), ttr.DrawBlind(0))
    chance_of(game).done()
    assert [event.dummy for event in happened(events, SharesTurnedUp)] == [tuple(sorted(drawn[:half]))]
    kinds = [type(event) for event in events]
    assert kinds.index(TicketsRevealed) < kinds.index(SharesTurnedUp) < kinds.index(GameEnded)
    shown = game.view(0).part(Shares)
    assert shown.turned_up == tuple(sorted(drawn[:half])) and shown.dummy == hidden(count), "the others stay unseen"


@pytest.mark.rule("Y13", "Y7", "YR8")
def test_what_is_not_turned_up_does_not_count_and_the_shares_of_players_are_shown() -> None:
    mine, other = marked(BO, 2, 1)
    tables = ({"routes": mine, "shares": {"bo": [1, 3]}}, {"routes": other, "shares": {"bo": [5]}})
    game = arranged(
        "pennsylvania",
        *tables,
        parts={"dummy": {"bo": [2, 4, 6]}},
        turns_left=1,
        draw_pile=["red"] * 3,
        chance=[Top((BO, 2))],
    )
    assert game.view(1).part(Shares).held[0] == hidden(2)
    play(game, ttr.DrawBlind(0), ttr.DrawBlind(0))
    assert game.final_scores is not None
    assert [player.terms["shares"].points for player in game.final_scores.players] == [20, 9], "two shares of the dummy"
    assert game.view(1).part(Shares).held == [((BO, 1), (BO, 3)), ((BO, 5),)]
    world = ttr.determinize(game.view(1), PENN, 1)
    assert world.state.part(Shares) == game.state.part(Shares)


# -- majorities ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("Y8", "Y9")
def test_more_shares_are_ahead_and_with_equal_numbers_the_lowest_one() -> None:
    assert paid(WM, [1, 4], [3], [2]) == [9, 0, 5], "more owners than places: the last gets nothing"
    assert paid(WM, [3], [1, 4], [2]) == [0, 9, 5]
    assert paid(PRR, [1], [2, 3], [4, 5, 6], [], [7, 8, 9, 10]) == [9, 14, 21, 0, 30]
    assert paid(PRR, [5], [4], [3], [2], [1]) == [6, 9, 14, 21, 30]
    assert paid(PRR, [2, 3], [1, 4], []) == [21, 30, 0]


@pytest.mark.rule("Y8")
def test_the_sheet_tells_every_company_and_place() -> None:
    own, other = marked(BO, 3, 1)
    term = sheet(
        {"routes": own, "shares": {"B&O": [2, 3, 4]}}, {"routes": other, "shares": {"Baltimore and Ohio": [1]}}, {}
    )[0].terms["shares"]
    assert (term.points, term.count) == (20, 3)
    assert term.details == (Detail("Baltimore and Ohio, 3 shares, 1st", 20),)


@pytest.mark.rule("Y12", "Y13")
def test_the_dummy_takes_its_place_and_its_points_go_to_nobody() -> None:
    assert paid(BO, [1, 3], [5], dummy=[2, 4]) == [20, 9]
    assert paid(BO, [3, 5], [1], dummy=[2, 4]) == [14, 9]
    assert paid(BO, [1, 3], [2], rules=rules_of("pennsylvania:dummy_share=optional")) == [20, 14]


@pytest.mark.rule("Y10", "YR9")
def test_fifteen_points_for_the_most_completed_tickets_to_all_tied() -> None:
    def player(first: str, second: str, *failed: list[object]) -> dict[str, Any]:
        return {"routes": [[first, second]], "tickets": [[first, second, 2], *failed]}

    one, other, third = sheet(
        player("Erie", "Warren"),
        player("Oil City", "Warren", ["Erie", "Reading", 9]),
        {"routes": [["Baltimore", "Cumberland"]]},
    )
    assert one.bonuses == other.bonuses == {"most_tickets": 15} and third.bonuses == {}
    assert [dict(player.bonuses) for player in sheet({"tickets": [["Erie", "Reading", 9]]}, {})] == [{}, {}]


@pytest.mark.rule("YR2")
def test_a_ruling_gives_ten_points_for_the_longest_path() -> None:
    players: list[dict[str, Any]] = [{"routes": [["Baltimore", "Cumberland"]]}, {"routes": [["Oil City", "Warren"]]}]
    assert not Pennsylvania().longest_path
    assert [dict(player.bonuses) for player in sheet(*players)] == [{}, {}]
    ruled = sheet(*players, rules=rules_of("pennsylvania:longest_path=true"))
    assert [dict(player.bonuses) for player in ruled] == [{"longest_path": 10}, {}]


@pytest.mark.rule("Y14", "YR4")
def test_a_tie_is_broken_by_completed_tickets_alone_or_under_a_ruling_by_the_longer_path() -> None:
    ticket = {"routes": [["Oil City", "Warren"]], "tickets": [["Oil City", "Warren", 2], ["Erie", "Reading", 17]]}
    plain, done = sheet({"routes": [["Baltimore", "York"]]}, ticket)
    assert (plain.total, done.total) == (2, 2) and (plain.rank, done.rank) == (2, 1)
    longer, shorter = tied_by_path()
    first, second = sheet(shorter, longer)
    assert (first.total, second.total) == (4, 4) and first.longest_path.length < second.longest_path.length
    assert (first.rank, second.rank) == (1, 1)
    first, second = sheet(shorter, longer, rules=rules_of("pennsylvania:tie_break=path"))
    assert (first.rank, second.rank) == (2, 1)


def tied_by_path() -> tuple[dict[str, Any], dict[str, Any]]:
    """Four points each: two routes of two that meet, or one of three."""
    twos = [route for route in ROUTES.values() if route.length == 2]
    pairs = [
        (one, other) for one in twos for other in twos if one.id < other.id and len({*one.cities, *other.cities}) == 3
    ]
    one, other = pairs[0]
    three = next(
        route for route in ROUTES.values() if route.length == 3 and not {*route.cities} & {*one.cities, *other.cities}
    )
    return {"routes": [one.id, other.id]}, {"routes": [three.id]}


def test_bots_take_shares_of_companies_that_they_have_and_give_the_dummy_others() -> None:
    (routes,) = marked(ERIE, 3, without=[OIL_CITY])
    game = after_claiming(
        OIL_CITY, {"orange": 2}, {}, routes=routes, shares={"erie": [1, 3, 5]}, dummy={"erie": [2, 4, 6]}
    )
    for asked in (ShareChoice, DummyShareChoice):
        assert isinstance(game.decision(0), asked)
        action = Bot(1).choose(game.view(0), PENN, game.legal_actions(0))
        assert isinstance(action, TakeShare) and (action.company == ERIE) == (asked is ShareChoice)
        game.play(action)


# -- score files --------------------------------------------------------------------------------------------------


def mistakes(*players: dict[str, Any], **more: Any) -> tuple[str, ...]:
    with pytest.raises(InvalidTableError) as caught:
        sheet(*players, **more)
    return tuple(caught.value.problems)


@pytest.mark.rule("Y5", "Y6", "Y12")
def test_mistakes_in_the_shares_of_a_table_are_all_told() -> None:
    own, other = marked(BO, 2, 1)
    assert mistakes(
        {"routes": own, "shares": {"bo": [1, 11], "xyz": [1]}}, {"routes": other, "shares": {"bo": [1]}}
    ) == (
        "players[0].shares.bo: the shares of Baltimore and Ohio are numbered 1 to 10, not 11 (Y5)",
        "players[0].shares: no company 'xyz'; there are brp, jcl, wm, nyc, lv, reading, erie, bo, prr",
        "players[1].shares.bo: share 1 of Baltimore and Ohio is taken already (Y5)",
    )
    unfit = "not all of these shares can have come with the routes: one for each, of a company on it (Y6)"
    assert mistakes({"routes": own[:1], "shares": {"bo": [1, 2]}}, {}) == (f"players[0].shares: {unfit}",)
    assert mistakes({"shares": {"bo": [1]}}, {}) == (f"players[0].shares: {unfit}",)
    assert mistakes({"routes": own}, {}, {}, parts={"dummy": {"bo": [1]}}) == (
        "parts.dummy: there is a dummy with two players only, not with 3 (Y12)",
    )
    assert mistakes({"routes": own, "shares": {"bo": [0, True]}}, {}) == tuple(
        f"players[0].shares.bo: the shares of Baltimore and Ohio are numbered 1 to 10, not {number} (Y5)"
        for number in (0, True)
    )
    assert mistakes({"routes": own, "shares": {"bo": [2, 2]}}, {}) == (
        "players[0].shares.bo: share 2 of Baltimore and Ohio is taken already (Y5)",
    )
    assert mistakes({"shares": 5}, {}) == ("players[0].shares: expected a table, got 5",)


@pytest.mark.rule("Y5", "Y6")
def test_shares_are_taken_from_the_top_of_a_pile() -> None:
    own, other = marked(BO, 2, 1)
    who = "shares are taken from the top of a pile: who has {} of Baltimore and Ohio? (Y5, Y6)".format
    assert mistakes({"routes": own, "shares": {"bo": [2]}}, {}, {}) == (who("1"),)
    tables: list[dict[str, Any]] = [{"routes": own, "shares": {"bo": [1, 5]}}, {"routes": other, "shares": {"bo": [3]}}]
    assert mistakes(*tables, {}) == (who("2, 4"),)
    assert mistakes(*tables) == (who("2, 4"),), "a dummy without shares has none that was not turned up"
    tables[0]["shares"] = {"bo": [1, 2]}
    assert [player.terms["shares"].count for player in sheet(*tables, {})] == [2, 1, 0]


@pytest.mark.rule("Y5", "Y12", "Y13")
def test_a_share_that_is_nowhere_may_be_one_of_the_dummys_that_were_not_turned_up() -> None:
    """As many as were turned up, or one fewer; in a position to arrange all of them are listed."""
    (own,) = marked(BO, 3)
    player: dict[str, Any] = {"routes": own, "shares": {"bo": [1, 3, 5]}}
    two = {"dummy": {"bo": [2, 6]}}
    assert sheet(player, {}, parts=two)[0].terms["shares"].points == 20
    (problem,) = mistakes({**player, "shares": {"bo": [1, 5, 8]}}, {}, parts=two)
    assert problem == "shares are taken from the top of a pile: who has 3, 4, 7 of Baltimore and Ohio? (Y5, Y6)"
    with pytest.raises(InvalidTableError, match="who has 4 of Baltimore and Ohio"):
        arranged("pennsylvania", player, {}, parts=two)
    arranged("pennsylvania", player, {}, parts={"dummy": {"bo": [2, 4, 6]}})
    fewer = {"routes": own[:1], "shares": {"bo": [3]}}
    (problem,) = mistakes(fewer, {}, parts={"dummy": {"bo": [2]}})
    assert "it has 1, of which 1 are turned up" in problem, "with the first share the dummy has two, and one was taken"


@pytest.mark.rule("Y12", "Y13", "YR3")
def test_the_dummy_has_as_many_shares_as_the_players_took_and_half_of_them_are_turned_up() -> None:
    (own,) = marked(BO, 3)
    one = {"routes": own[:1], "shares": {"bo": [1]}}
    three = {"routes": own, "shares": {"bo": [1, 3, 5]}}
    got = "parts.dummy: with each of the {} shares of the players the dummy got one (Y12, YR3): it has {}{}, not {}".format
    assert mistakes(one, {}) == (got(1, 1, ", of which 1 are turned up (Y13)", 0),)
    assert mistakes(three, {}, parts={"dummy": {"bo": [2]}}) == (got(3, 3, ", of which 2 are turned up (Y13)", 1),)
    assert mistakes(three, {}, parts={"dummy": {"bo": [2, 4, 6]}}) == (
        got(3, 3, ", of which 2 are turned up (Y13)", 3),
    )
    with pytest.raises(InvalidTableError) as caught:
        arranged("pennsylvania", three, {}, parts={"dummy": {"bo": [2, 4]}})
    assert caught.value.problems == (got(3, 3, "", 2),)
    optional = rules_of("pennsylvania:dummy_share=optional")
    assert sheet(one, {}, rules=optional)[0].terms["shares"].points == 20
    assert sheet(three, {}, parts={"dummy": {"bo": [2]}}, rules=optional)[0].terms["shares"].points == 20
    assert mistakes(three, {}, parts={"dummy": {"bo": [2, 4, 6]}}, rules=optional)


@pytest.mark.rule("Y12", "YR3")
def test_the_dummy_gets_no_share_of_a_route_that_has_none_left() -> None:
    """Atlantic City–Toms River bears the Jersey Central alone, which has three shares."""
    (routes,) = marked(JCL, 1, without=[ATLANTIC])
    own = {"routes": [ATLANTIC, *routes], "shares": {"jcl": [1, 3]}}
    arranged("pennsylvania", own, {}, parts={"dummy": {"jcl": [2]}})
    assert sheet(own, {}, parts={"dummy": {"jcl": [2]}})[0].terms["shares"].points == 8
    with pytest.raises(InvalidTableError, match="it has 2, not 0"):
        arranged("pennsylvania", {**own, "shares": {"jcl": [1, 2]}}, {})


@pytest.mark.rule("Y5", "Y12", "Y13")
@pytest.mark.parametrize("players", [2, 3])
def test_a_game_that_was_played_is_accepted_as_a_table(players: int) -> None:
    game = ttr.new_game(rules=PENN, players=players, seed=1)
    play_game(game)
    part = game.state.part(Shares)
    lots = [by_company(lot) for lot in part.held]
    owners = game.state.owners.items()
    tables = [
        {"routes": [id for id, owner in owners if owner == seat], "shares": lots[seat]} for seat in range(players)
    ]
    assert game.final_scores is not None and part.turned_up is not None
    assert bool(part.dummy) == (players == 2)
    expected = [player.terms["shares"].points for player in game.final_scores.players]
    scores = sheet(*tables, parts={"dummy": by_company(part.turned_up)})
    assert [player.terms["shares"].points for player in scores] == expected


def by_company(lot: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for company, number in lot:
        found.setdefault(company, []).append(number)
    return found


@pytest.mark.rule("Y6")
def test_shares_fit_routes_with_several_companies_in_any_order() -> None:
    """One of three routes bears both companies: whichever share is looked at first, all find a route."""
    (reading, york, both) = ("lancaster-reading-yellow", "lancaster-york-purple", "gettysburg-harrisburg-yellow")
    assert [set(ROUTES[id].marks) for id in (reading, york, both)] == [{"reading_lines"}, {PRR}, {"reading_lines", PRR}]
    for lot in ({"reading": [1, 2], "prr": [1]}, {"prr": [1, 2], "reading": [1]}):
        assert sheet({"routes": [both, reading, york], "shares": lot}, {}, {})[0].terms["shares"].count == 3
    for lot in ({"reading": [1], "prr": [1]}, {"prr": [1], "reading": [1]}):
        assert sheet({"routes": [both, reading], "shares": lot}, {}, {})[0].terms["shares"].count == 2
        assert sheet({"routes": [both, york], "shares": lot}, {}, {})[0].terms["shares"].count == 2
    assert mistakes({"routes": [both, reading, york], "shares": {"prr": [1, 2], "reading": [1, 2]}}, {}, {})


@pytest.mark.rule("Y5")
def test_a_share_is_in_one_place() -> None:
    part = Shares(piles={BO: (2, 3)}, held=[((BO, 1),), ()], dummy=())
    rules = rules_of("pennsylvania")
    assert part.validate(rules) is None
    for wrong in (
        Shares(piles={BO: (1, 2)}, held=[((BO, 1),), ()], dummy=()),
        Shares(piles={}, held=[((BO, 1),), ((BO, 1),)], dummy=()),
        Shares(piles={}, held=[((BO, 1),)], dummy=((BO, 1),)),
    ):
        assert wrong.validate(rules) == "a share is in two places (Y5)"


@pytest.mark.parametrize(("key", "value"), [("id", None), ("shares", "many"), ("pays", 5)])
def test_a_map_with_companies_that_are_none_is_refused(key: str, value: object) -> None:
    row = {"id": "bo", "short": "bo", "name": "Baltimore and Ohio", "shares": 2, "pays": [7, 4], key: value}
    if value is None:
        del row[key]
    with pytest.raises(InvalidInputError, match=rf"map pennsylvania: 1 problem\n  extra\.companies\[0\]\.{key}: "):
        ttr.compile_rules("pennsylvania", board=attrs.evolve(PENN.board, extra={"companies": [row]}))


def test_a_map_without_companies_has_no_shares() -> None:
    rules = ttr.compile_rules("pennsylvania", board=attrs.evolve(PENN.board, extra={}))
    game = after_claiming(OIL_CITY, {"orange": 2}, rules=rules)
    assert game.decision(1) == ttr.Turn(1)
