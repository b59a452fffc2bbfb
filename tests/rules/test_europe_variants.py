"""The three variants of Europe that have other tickets: Europa 1912, Mega Europa, Big Cities (V3–V5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations

import pytest
from helpers import AS_IS, Expect, ScriptedChance, Top, arranged, chance_of, happened, keep_all, play, refused, rules_of

import ttr_rules as ttr
from ttr_rules.errors import PluginConflictError
from ttr_rules.events import SetupRevealed, TicketsBoxed, TicketsDealt, TicketsReturned
from ttr_rules.model import TicketChoice, TicketSetup
from ttr_variants.europe import BuildStation, Europe, Stations

VARIANTS = ("europa-1912", "mega-europa", "big-cities")


def pile(stack: str, kind: str) -> list[str]:
    """The tickets of a pile in the order of the deck."""
    return [ticket.id for ticket in rules_of(stack).deck.piles[kind]]


def new(stack: str, players: int = 2, *answers: object) -> ttr.Game:
    """A new game; train cards, then the piles of tickets, lie in the order in which they are handed over."""
    chance = ScriptedChance(AS_IS, *answers, otherwise=AS_IS)
    return ttr.new_game(rules=rules_of(stack), players=players, chance=chance, first_seat=0)


def asked(game: ttr.Game, seat: int) -> tuple[str, ...]:
    decision = game.decision(seat)
    assert isinstance(decision, TicketSetup)
    return decision.tickets


def keep(game: ttr.Game, seat: int, *numbers: int) -> Sequence[ttr.Event]:
    """Keep the tickets with these numbers among those on offer."""
    tickets = asked(game, seat)
    return game.play(ttr.KeepTickets(seat, [tickets[number] for number in numbers]))


# -- decks -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("V2", "V3", "V4", "V5")
@pytest.mark.parametrize(
    ("stack", "count", "long"),
    [("europe", 46, 6), ("europa-1912", 55, 6), ("mega-europa", 101, 12), ("big-cities", 45, 0)],
)
def test_decks(stack: str, count: int, long: int) -> None:
    rules = rules_of(stack)
    kinds = Counter(ticket.kind for ticket in rules.deck.tickets)
    assert len(rules.deck.tickets) == len({ticket.id for ticket in rules.deck.tickets}) == count
    assert (kinds["long"], kinds["regular"]) == (long, count - long)
    assert list(rules.deck.piles) == (["long", "regular"] if long else ["regular"])
    assert rules.stack == (("europe",) if stack == "europe" else ("europe", stack))


@pytest.mark.rule("V3", "V4", "V5")
def test_which_tickets_they_are() -> None:
    europe, later, mega, big = (set(rules_of(stack).deck.tickets) for stack in ("europe", *VARIANTS))
    assert {ticket.id for ticket in mega} == {ticket.id for ticket in europe | later}
    assert not {t.id for t in europe} & {t.id for t in later}
    assert {ticket.id for ticket in big} == {t.id for t in mega if "big_city" in t.logos}
    assert {ticket.set for ticket in big} == {"europe", "europa_1912"}
    assert not any(ticket.kind == "long" for ticket in big)


@pytest.mark.parametrize("stack", VARIANTS)
def test_all_else_is_as_in_europe(stack: str) -> None:
    rules, europe = rules_of(stack), rules_of("europe")
    assert rules.board is europe.board
    assert (rules.components, rules.plugin(Europe), rules.tie_break) == (europe.components, Europe(), europe.tie_break)
    game = arranged(stack, {"hand": {"red": 1}}, {})
    game.play(BuildStation(0, "wien", {"red": 1}))
    assert game.state.part(Stations).built == {"wien": 0}


@pytest.mark.rule("V3", "V4", "V5")
@pytest.mark.parametrize("one", VARIANTS)
@pytest.mark.parametrize("other", VARIANTS)
def test_two_of_them_do_not_go_together(one: str, other: str) -> None:
    if one != other:
        with pytest.raises(PluginConflictError):
            ttr.compile_rules(one, other)


# -- V3 ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("V3")
def test_1912_one_long_and_three_regular_tickets_each() -> None:
    long, regular = pile("europa-1912", "long"), pile("europa-1912", "regular")
    game = new("europa-1912", 3, Expect(long), Expect(regular))
    for seat in range(3):
        assert asked(game, seat) == (long[seat], *regular[3 * seat : 3 * seat + 3])
    assert happened(game.events, TicketsBoxed) == [TicketsBoxed("long")]
    assert game.state.ticket_piles == {"regular": tuple(regular[9:])}


@pytest.mark.rule("V3")
def test_1912_two_at_least_are_kept_and_the_others_leave_the_game() -> None:
    game = new("europa-1912")
    dealt = asked(game, 0)
    for size in range(5):
        for some in combinations(dealt, size):
            assert game.is_legal(ttr.KeepTickets(0, some)) is (size >= 2)
    assert refused(game, ttr.KeepTickets(0, dealt[:1])) == "V3"
    regular = game.state.ticket_pile
    keep(game, 0, 1, 2)
    keep(game, 1, 0, 3)
    assert game.state.ticket_pile == regular
    assert set(game.state.ticket_piles) == {"regular"}
    assert happened(game.events, TicketsReturned) == []
    assert [len(tickets) for tickets in game.state.tickets] == [2, 2]


# -- V4 ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("V4")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_mega_two_long_tickets_each_before_anything_regular_is_dealt(players: int) -> None:
    long, regular = pile("mega-europa", "long"), pile("mega-europa", "regular")
    game = new("mega-europa", players, Expect(long), Expect(regular))
    calls = len(chance_of(game).calls)
    assert calls == 3
    for seat in range(players):
        assert asked(game, seat) == tuple(long[2 * seat : 2 * seat + 2])
    assert game.to_act == tuple(range(players))
    assert game.state.ticket_piles == {"regular": tuple(regular)}  # the other long ones are in the box
    for seat in reversed(range(players)):
        keep(game, seat)
    for seat in range(players):
        assert asked(game, seat) == tuple(regular[5 * seat : 5 * seat + 5])
        assert isinstance(game.decision(seat), TicketSetup)
    assert game.state.ticket_piles == {"regular": tuple(regular[5 * players :])}
    assert len(chance_of(game).calls) == calls


@pytest.mark.rule("V4")
def test_mega_one_long_ticket_at_most() -> None:
    game = new("mega-europa")
    first, second = asked(game, 0)
    assert [action.tickets for action in game.legal_actions(0) if isinstance(action, ttr.KeepTickets)] == [
        (),
        (first,),
        (second,),
    ]
    assert refused(game, ttr.KeepTickets(0, (first, second))) == "V4"
    assert refused(game, ttr.KeepTickets(0, pile("mega-europa", "long")[2:3])) == "V4"


@pytest.mark.rule("V4")
@pytest.mark.parametrize("long", [(), (0,), (1,)])
def test_mega_what_must_be_kept_depends_on_what_was_kept(long: tuple[int, ...]) -> None:
    game = new("mega-europa")
    keep(game, 0, *long)
    keep(game, 1)
    dealt = asked(game, 0)
    least = 2 if long else 3
    for size in range(6):
        for some in combinations(dealt, size):
            assert game.is_legal(ttr.KeepTickets(0, some)) is (size >= least)
    offered = list(game.legal_actions(0))
    assert len(offered) == (26 if long else 16)
    assert refused(game, ttr.KeepTickets(0, dealt[: least - 1])) == "V4"
    assert refused(game, ttr.KeepTickets(1, asked(game, 1)[:2])) == "V4"


@pytest.mark.rule("V4", "R9")
def test_mega_regular_tickets_not_kept_are_shuffled_in_one_go_under_the_pile() -> None:
    regular = pile("mega-europa", "regular")
    game = new("mega-europa", 3)
    for seat in range(3):
        keep(game, seat, 0)
    chance = chance_of(game)
    kept = {0: (0, 1), 1: (1, 2, 4), 2: (0, 1, 2, 3, 4)}
    rejects = [regular[2], regular[3], regular[4], regular[5], regular[8]]
    chance.script(Expect(rejects, Top(rejects[4], rejects[0])))
    for seat in (2, 0):
        keep(game, seat, *kept[seat])
    assert chance.calls == []
    keep(game, 1, *kept[1])
    chance.done()
    order = (rejects[4], rejects[0], *rejects[1:4])
    assert game.state.ticket_pile == (*regular[15:], *order)
    assert [event.tickets for event in happened(game.events, TicketsReturned)] == [order]
    assert game.decision(0) == ttr.Turn(0)
    assert len([id for tickets in game.state.tickets for id in tickets]) == 3 + 10


@pytest.mark.rule("V4")
def test_mega_with_nothing_put_back_there_is_nothing_to_shuffle() -> None:
    game = new("mega-europa")
    for seat in (0, 1):
        keep(game, seat)
    chance = chance_of(game)
    chance.script()
    keep_all(game)
    assert chance.calls == []
    assert game.state.ticket_pile == tuple(pile("mega-europa", "regular")[10:])


@pytest.mark.rule("S7", "V4")
def test_mega_how_many_each_kept_shows_only_when_all_is_chosen() -> None:
    game = new("mega-europa", 3)
    keep(game, 0, 0)
    keep(game, 1)
    keep(game, 2, 1)
    # The long stage is over, the whole choice is not.
    for seat in range(3):
        own = len(game.state.tickets[seat])
        counts = [None] * 3
        counts[seat] = own  # type: ignore[call-overload]
        assert list(game.view(seat).ticket_counts) == counts
    assert game.view(None).ticket_counts == (None, None, None)
    assert [event.held for event in happened(game.events, SetupRevealed)] == [()]
    other = new("mega-europa", 3)
    for seat in range(3):
        keep(other, seat)
    told = [[event.seen_by(None) for event in each.events] for each in (game, other)]
    assert told[0] == told[1]
    for seat in range(3):
        keep(game, seat, 0, 1, 2, *range(3, 3 + seat))
    assert [event.held for event in happened(game.events, SetupRevealed)] == [(), (4, 4, 6)]
    assert game.view(0).ticket_counts == (4, 4, 6)


@pytest.mark.rule("S7", "V4")
def test_mega_any_order_of_answers_gives_the_same_game() -> None:
    games = []
    for order in permutations(range(3)):
        game = ttr.new_game(rules=rules_of("mega-europa"), players=3, seed=4, first_seat=0)
        for number in (1, 2):
            for seat in order:
                keep(game, seat, *range(number + (number == 2)))
        games.append(game.state)
    assert all(state == games[0] for state in games)
    events = happened(game.events, TicketsDealt)
    assert [(event.seat, event.stage) for event in events] == [(seat, stage) for stage in (0, 1) for seat in range(3)]


@pytest.mark.rule("V3", "V4")
@pytest.mark.parametrize("stack", ["europa-1912", "mega-europa"])
def test_three_are_drawn_in_play_and_one_is_kept(stack: str) -> None:
    game = arranged(stack, {}, {})
    top = game.state.ticket_pile
    game.play(ttr.DrawTickets(0))
    assert game.decision(0) == TicketChoice(0, top[:3])
    assert refused(game, ttr.KeepTickets(0, ())) == "K1"
    game.play(ttr.KeepTickets(0, top[1:2]))
    assert game.state.ticket_pile == (*top[3:], top[0], top[2])


# -- V5 ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("V5")
@pytest.mark.parametrize("players", [2, 5])
def test_big_cities_five_each(players: int) -> None:
    regular = pile("big-cities", "regular")
    game = new("big-cities", players, Expect(regular))
    for seat in range(players):
        assert asked(game, seat) == tuple(regular[5 * seat : 5 * seat + 5])
    assert game.state.ticket_pile == tuple(regular[5 * players :])
    for size in range(6):
        for some in combinations(asked(game, 0), size):
            assert game.is_legal(ttr.KeepTickets(0, some)) is (size >= 2)
    assert refused(game, ttr.KeepTickets(0, regular[:1])) == "V5"


@pytest.mark.rule("V5", "R9")
def test_big_cities_tickets_not_kept_are_shuffled_under_the_pile() -> None:
    regular = pile("big-cities", "regular")
    game = new("big-cities")
    chance = chance_of(game)
    rejects = [regular[0], regular[2], regular[3], regular[7], regular[8], regular[9]]
    chance.script(Expect(rejects, list(reversed(rejects))))
    keep(game, 1, 0, 1)
    keep(game, 0, 1, 4)
    chance.done()
    assert game.state.ticket_pile == (*regular[10:], *reversed(rejects))


@pytest.mark.rule("V5", "K1")
@pytest.mark.parametrize("left", [2, 4, 9])
def test_big_cities_four_are_drawn_and_one_is_kept(left: int) -> None:
    regular = pile("big-cities", "regular")
    game = arranged("big-cities", {}, {"tickets": regular[left:]}, ticket_pile=regular[:left])
    game.play(ttr.DrawTickets(0))
    drawn = regular[: min(left, 4)]
    assert game.decision(0) == TicketChoice(0, tuple(drawn))
    assert refused(game, ttr.KeepTickets(0, ())) == "K1"
    assert len(game.legal_actions()) == 2 ** len(drawn) - 1
    play(game, ttr.KeepTickets(0, drawn[-1:]))
    assert game.state.ticket_pile == (*regular[4:left], *drawn[:-1])
