"""The messages between a server and its clients: what they say, and to whom."""

from __future__ import annotations

import json
from typing import Any

import pytest

import ttr_rules as ttr
from ttr_rules.clients import (
    Act,
    Actions,
    Hello,
    Join,
    ListActions,
    Over,
    Refused,
    Update,
    read_client_message,
    read_server_message,
    rules_from_json,
)
from ttr_rules.errors import OutdatedActionError
from ttr_tools.bots import play_game


@pytest.fixture
def game() -> ttr.Game:
    return ttr.new_game("europe", players=["Ada", "Bo", "Cy"], seed=3, first_seat=0)


def test_an_update_is_for_one_seat(game: ttr.Game) -> None:
    """Nobody else's tickets and cards are in it, nor what others can do."""
    for seat in (None, 0, 1, 2):
        text = json.dumps(ttr.to_json(game.rules, Update.of(game, seat)))
        for other in range(3):
            decision: Any = game.decision(other)
            assert all((ticket in text) == (other == seat) for ticket in decision.tickets)
        assert (json.loads(text)["offer"] is None) == (seat is None)
        assert json.loads(text)["view"]["parts"]["CardPiles"]["hand"] == (
            None if seat is None else dict(ttr.cards(game.view(seat)).hand or {})
        )


def test_an_action_for_an_earlier_moment_is_refused_with_what_is_allowed_now(game: ttr.Game) -> None:
    for seat in range(3):
        game.play(game.legal_actions(seat)[0])
    action = ttr.DrawBlind(0)
    with pytest.raises(OutdatedActionError) as caught:
        game.play(action, expected=2)
    refused = Refused.of(game, action, caught.value, id=7)
    assert (refused.rules, refused.number, refused.expected, refused.id) == ((), 3, 3, 7)
    assert refused.allowed == game.offer(0)
    assert read_server_message(game.rules, ttr.to_json(game.rules, refused)) == refused
    with pytest.raises(ttr.IllegalActionError) as illegal:
        game.play(ttr.DrawBlind(1))
    assert Refused.of(game, ttr.DrawBlind(1), illegal.value).allowed is None, "it is not that seat's turn"


def test_every_legal_action_is_on_a_page(game: ttr.Game) -> None:
    pages = [Actions.of(game, 0, first, limit=4) for first in range(0, 12, 4)]
    assert [action for page in pages for action in page.actions] == list(game.legal_actions(0))
    for first, limit in ((-1, 4), (0, 0), (0, 101)):
        with pytest.raises(ttr.InvalidInputError, match="a page begins at 0 or later and has 1 to 100 actions"):
            Actions.of(game, 0, first, limit)


def test_messages_are_made_for_seats_and_games_that_fit(game: ttr.Game) -> None:
    with pytest.raises(ttr.InvalidInputError, match="a seat is one of 0 to 2, not 3"):
        Hello.of(game, 3)
    with pytest.raises(ttr.InvalidInputError, match="0 actions were played, not 5"):
        Update.of(game, 0, since=5)
    with pytest.raises(ttr.InvalidInputError, match="the game is not over: seats 0, 1, 2 have to decide"):
        Over.of(game)


def test_a_token_stays_out_of_logs() -> None:
    join = read_client_message(ttr.compile_rules("europe"), b'{"type": "join", "token": "geheim"}')
    assert isinstance(join, Join) and join.token == "geheim"
    assert "geheim" not in repr(join) and "geheim" not in str(join)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "^not a message: not JSON at column 1$"),
        ('{"type":\n "join"', "^not a message: not JSON at line 2, column 8$"),
        ('"\\x"', "^not a message: not JSON at column 2$"),
        ("\ufeff{}", "^not a message: not JSON at column 1$"),
        ("[" * 100_000, r"^not a message: nested too deeply \(limit 40\)$"),
        (f'{"[" * 41}{"]" * 41}', r"^not a message: nested too deeply \(limit 40\)$"),
        (f'{{"since": {"9" * 5000}}}', "^not a message: a number in it is too long$"),
        (b"\xff\xfe\xfa", "^not a message: not UTF-8 at byte 1$"),
        (b'{"type": "\xff"}', "^not a message: not UTF-8 at byte 11$"),
        ('{"type": "join"}'.encode("utf-16"), "^not a message: not UTF-8 at byte 1$"),
        ('{"type": "join", "type": "act"}', "not a message: the key 'type' occurs twice in one object"),
        ("[]", r"expected an object with a type, got \[\]"),
        ('{"type": "update"}', "the messages are join, act, list_payments, list_actions: there is none of the type 'update'"),
        ('{"type": "join", "since": 1.5}', "message.since: expected a whole number, got 1.5"),
        ('{"type": "join", "since": NaN}', "message.since: expected a whole number, got nan"),
        ('{"type": "list_actions"}', "message.first: missing"),
        ('{"type": "act", "expected": 1, "action": 3}', "message.action: expected an object with a type, got 3"),
        (json.dumps([[]] * 2000), r"too many values \(limit 1000\)"),
    ],
)  # fmt: skip
def test_what_is_no_message_is_refused_in_words(text: str | bytes, problem: str) -> None:
    with pytest.raises(ttr.InvalidInputError, match=problem):
        read_client_message(ttr.compile_rules("europe"), text)


def test_requests_have_defaults_and_come_back_as_they_went(game: ttr.Game) -> None:
    assert read_client_message(game.rules, '{"type": "list_actions", "first": 3}') == ListActions(3, limit=20)
    act = Act(game.legal_actions(1)[2], expected=0, id=4)
    assert read_client_message(game.rules, json.dumps(ttr.to_json(game.rules, act))) == act


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"fingerprint": "x"}, r"plays by other rules than europe here: their fingerprints differ"),
        ({"stack": []}, "hello.stack: the stack .* has no map"),
        ({"stack": [{"name": "eruope", "options": {}}]}, "no plugin 'eruope' is installed; did you mean 'europe'"),
        ({"stack": [{"name": "europe", "options": {"tie_break": "P9"}}]}, "hello.stack: .*tie_break"),
        ({"stack": [{"name": 3, "options": {}}]}, "expected a string, got 3"),
    ],
)
def test_a_bot_far_away_is_told_why_it_cannot_play_by_the_rules(
    game: ttr.Game, change: dict[str, Any], problem: str
) -> None:
    hello = ttr.to_json(game.rules, Hello.of(game, 0))
    with pytest.raises(ttr.InvalidInputError, match=problem):
        rules_from_json(json.dumps(hello | change))


def test_a_sheet_that_does_not_add_up_is_refused() -> None:
    game = ttr.new_game("london", players=["Ada", "Bo"], seed=1)
    play_game(game)
    over = ttr.to_json(game.rules, Over.of(game))
    read = read_server_message(game.rules, over)
    assert isinstance(read, Over) and str(read.scores).splitlines()[0] == "Ada"
    over["scores"]["players"][0]["total"] += 1
    with pytest.raises(ttr.InvalidInputError, match="message.scores: the points of 'Ada' do not add up to 6"):
        read_server_message(game.rules, over)


# -- views of strangers ---------------------------------------------------------------------------------------------

ODD_VIEWS: dict[str, tuple[dict[str, Any], str]] = {
    "too many players": ({"players": list("abcdef")}, "players: europe is for 2 to 5 players, not 6"),
    "too few players": ({"players": ["a"]}, "players: europe is for 2 to 5 players, not 1"),
    "cars of another table": ({"cars": [45, 45]}, "cars: expected one for each of 3 players, got 2"),
    "first tickets of another table": ({"first_tickets": [2]}, "first_tickets: expected one for each of 3 players, got 1"),
    "open tickets of another table": ({"open_tickets": [[]] * 4}, "open_tickets: expected one for each of 3 players, got 4"),
    "points of another table": ({"points": {"tolls": [1, 2]}}, "tolls: expected one for each of 3 players, got 2"),
    "a seat that is not there": ({"seat": 3}, "seat: no seat 3 at a table of 3"),
    "a negative seat": ({"to_act": [-1]}, "seat: no seat -1 at a table of 3"),
    "an owner who is not there": ({"owners": {"paris-zurich-gray": 5}}, "seat: no seat 5 at a table of 3"),
    "a holder who is not there": ({"shared": {"paris-zurich-gray": [4]}}, "seat: no seat 4 at a table of 3"),
    "a turn of another seat": ({"decision": {"type": "core.Turn", "seat": 0}}, "decision: it is of seat 0"),
    "a turn of a later seat": ({"decision": {"type": "core.Turn", "seat": 2}}, "decision: it is of seat 2"),
    "a decision that is not there": ({"pending": [{"type": "core.HiddenDecision", "seat": 0, "kind": "Fly"}]}, "pending: europe has no decision 'Fly'"),
    "a route that is not there": ({"owners": {"paris-roma": 0}}, "owners: europe has no route 'paris-roma'"),
    "a barred route that is not there": ({"barred": {"x": True}}, "owners: europe has no route 'x'"),
    "a ticket that is not there": ({"tickets": ["paris-paris"]}, "tickets: europe has no ticket 'paris-paris'"),
    "no pile of tickets": ({"ticket_pile_sizes": {}}, "ticket_pile_sizes: there is no pile of regular tickets"),
    "a pile that is not there": ({"ticket_pile_sizes": {"regular": 1, "long": 1, "blue": 1}}, "ticket_pile_sizes: europe has no pile 'blue'"),
    "more tickets than there are": ({"ticket_pile_sizes": {"regular": 47, "long": 0}}, "ticket_counts: europe has 46 tickets"),
    "a choice among others": ({"decision": {"type": "core.TicketChoice", "seat": 1, "tickets": ["x"]}}, "tickets: europe has no ticket 'x'"),
    "no parts": ({"parts": {}}, "view.parts: missing CardPiles, Stations"),
    "parts of other rules": ({"parts": {"Dice": {}, "Wings": {}}}, "view.parts: these rules have no part 'Dice'"),
}  # fmt: skip


@pytest.mark.parametrize("case", ODD_VIEWS)
def test_a_view_that_cannot_be_of_these_rules_is_refused(game: ttr.Game, case: str) -> None:
    change, problem = ODD_VIEWS[case]
    data = ttr.to_json(game.rules, game.view(1))
    assert ttr.view_from_json(game.rules, data) == game.view(1)
    with pytest.raises(ttr.InvalidInputError) as caught:
        ttr.view_from_json(game.rules, data | change)
    assert problem in str(caught.value) and str(caught.value).startswith(("view.", problem))


def test_tables_of_every_size_are_read() -> None:
    rules = ttr.compile_rules("europe")
    for players in (2, 5):
        view = ttr.new_game(rules=rules, players=players, seed=1).view(None)
        assert ttr.view_from_json(rules, ttr.to_json(rules, view)) == view


def test_positions_of_cities_are_numbers(game: ttr.Game) -> None:
    data = ttr.to_json(game.rules, Hello.of(game, 0))
    city = data["board"]["cities"][0]
    for good in (0, 1, -0.5, 2.0**53, -(2.0**53)):
        city["x"] = good
        hello = read_server_message(game.rules, data)
        assert isinstance(hello, Hello) and hello.board.cities[0].x == good
    for bad in ("0.5", None, True, float("nan"), float("inf"), 2.0**54, -(2.0**54)):
        city["x"] = bad
        with pytest.raises(ttr.InvalidInputError, match=r"message.board.cities\[0\].x: expected a number, got"):
            read_server_message(game.rules, data)
