"""The score sheet as people read it: what stands on it, what does not, in what order, in which words, at every width."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any

import pytest
from helpers import rules_of
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.clients import Over, read_server_message
from ttr_rules.graph import LongestPath, longest_path
from ttr_rules.play import SheetWords
from ttr_rules.plugins import Below, Bonus, Rules, Score, ScoringTerm, Variant, hookimpl
from ttr_rules.scores import Detail, Loan, TicketScore
from ttr_tools.narration.sheet import sheet_lines, sheet_text, victory

EUROPE = rules_of("europe")


def scored(stack: str, *players: dict[str, Any]) -> ttr.FinalScores:
    tables = [{"name": name, **player} for name, player in zip(("Ada", "Bo", "Cleo"), players, strict=False)]
    return ttr.score(rules_of(stack), {"players": tables})


def columns(scores: ttr.FinalScores) -> dict[str, list[list[str]]]:
    """The rows of each player's column as cells."""
    found: dict[str, list[list[str]]] = {}
    for part in re.split(r"\n\n", str(scores).split("\n\n Points")[0]):
        name, *lines = part.splitlines()
        found[name] = [[each for each in re.split(r"  +", line.strip()) if each] for line in lines]
    return found


WEST = (["Frankfurt", "Berlin"], ["Frankfurt", "Paris"])
EAST = (["Warszawa", "Wilno"], ["Wilno", "Smolensk"], ["Smolensk", "Moskva"])
LENDER = {"routes": ["berlin-wien-green", ["Roma", "Venezia"], ["Wien", "Budapest"]]}


# -- loans -----------------------------------------------------------------------------------------------------------


def test_a_loan_is_on_the_sheet_only_if_a_ticket_needs_it() -> None:
    """Every station with a route of others lends one; those that change nothing are not listed."""
    mine = {"routes": [["Frankfurt", "Berlin"], ["Frankfurt", "Paris"]], "stations": ["Berlin", "Roma"]}
    for tickets, needed in ([["Paris", "Wien"]], ("berlin",)), ([["Madrid", "Dieppe"]], ()), ([], ()):
        scores = scored("europe", {**mine, "tickets": tickets}, LENDER)
        player = scores.players[0]
        assert set(player.lends) == {"berlin", "roma"} and player.needed_loans == needed
        loans = [row[0] for row in columns(scores)["Ada"] if " lends " in row[0]]
        assert loans == [f"{EUROPE.board.place_name(city)} lends Berlin–Wien" for city in needed]


def test_of_loans_that_do_the_same_one_is_needed() -> None:
    """Both stations lend the same route, or one of two ways round: the ticket needs one of them."""
    mine = {"routes": [["Frankfurt", "Berlin"], ["Frankfurt", "Paris"]], "tickets": [["Paris", "Wien"]]}
    scores = scored("europe", {**mine, "stations": ["Berlin", "Wien"]}, LENDER)
    assert set(scores.players[0].lends) == {"berlin", "wien"} and len(scores.players[0].needed_loans) == 1


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_of_several_loans_at_a_city_the_sheet_names_one_that_is_needed(order: tuple[int, ...]) -> None:
    """Stations and the loans of another plugin, at one city: they lend a route each."""
    ways = ("berlin-wien-green", "berlin-danzig-gray", "berlin-warszawa-purple")
    loans = [Loan("berlin", (ways[number],)) for number in order]
    rules = ttr.compile_rules("europe", plugin("guests", loans=lambda state, seat: [] if seat else loans))
    lender = {"routes": [*ways]}
    for tickets, text in (
        ([["Paris", "Wien"]], "Berlin lends Berlin–Wien"),
        ([["Berlin", "Moskva"]], r"Berlin lends Berlin–Warszawa \(purple\)"),
        ([["Paris", "Wien"], ["Berlin", "Moskva"]], "Berlin lends Berlin–W.* and( others)?"),
    ):
        mine = {"routes": [*WEST, *EAST], "tickets": tickets}
        scores = ttr.score(rules, {"players": [{"name": "Ada", **mine}, {"name": "Bo", **lender}]})
        (told,) = [row[0] for row in columns(scores)["Ada"] if " lends " in row[0]]
        assert re.fullmatch(text, told)


def test_loans_stand_below_stations_whatever_terms_others_add() -> None:
    from plugins.flags import FlagsPlugin

    rules = ttr.compile_rules("europe", FlagsPlugin())
    mine = {
        "routes": [["Frankfurt", "Berlin"], ["Frankfurt", "Paris"]],
        "stations": ["Berlin"],
        "tickets": [["Paris", "Wien"]],
    }
    scores = ttr.score(rules, {"players": [{"name": "Ada", **mine}, {"name": "Bo", **LENDER}]})
    assert len(scores.players[0].terms) > 1
    rows = [" ".join(row) for row in columns(scores)["Ada"]]
    at = rows.index("Stations left 2 8")
    assert rows[at + 1] == "Berlin lends Berlin–Wien" and rows[at + 2].startswith("Flags"), rows


# -- the longest path ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stack", "routes", "shown"),
    [
        ("europe", [["Paris", "Zürich"], ["Zürich", "Venezia"]], "5 cars: WAY 10"),
        ("north-america", [["Duluth", "Omaha"]], "2 cars: WAY 10"),
        ("switzerland", [["Zug", "Luzern"]], "1 car: WAY 10"),
        ("nordic-countries", [["Oslo", "Bergen"]], "4 cars: WAY"),  # N9: it breaks ties
        ("germany-tickets", [["Berlin", "Leipzig"]], None),
    ],
)
def test_the_longest_path_is_listed_where_it_counts_for_something(
    stack: str, routes: list[list[str]], shown: str | None
) -> None:
    scores = scored(stack, {"routes": routes}, {})
    assert scores.players[0].longest_path.length > 0
    rows = [" ".join(row) for row in columns(scores)["Ada"] if row[0].startswith("Longest path")]
    assert len(rows) == (shown is not None)
    if shown is not None:
        names = [rules_of(stack).board.place_name(city) for city in scores.players[0].longest_path.cities]
        assert rows == [f"Longest path {shown}".replace("WAY", " – ".join(names))]


def test_a_path_has_its_cities_in_the_order_of_travel() -> None:
    routes = [
        ["Paris", "Zürich"],
        ["München", "Zürich"],
        ["München", "Wien"],
        ["Berlin", "Wien"],
        ["Frankfurt", "Berlin"],
    ]
    path = scored("europe", {"routes": routes}, {}).players[0].longest_path
    assert path.cities in (
        ("paris", "zurich", "munchen", "wien", "berlin", "frankfurt"),
        ("frankfurt", "berlin", "wien", "munchen", "zurich", "paris"),
    )
    board = EUROPE.board
    assert all(set(board.routes[id].cities) == set(path.cities[at : at + 2]) for at, id in enumerate(path.routes))
    assert longest_path(board, path.routes).cities in (path.cities, path.cities[::-1])
    assert scored("europe", {}, {}).players[0].longest_path.cities == ()


def test_a_path_that_passes_a_city_twice_names_it_twice() -> None:
    routes = [["Dieppe", "London"], ["Dieppe", "London"], ["Dieppe", "Brest"]]
    path = scored("europe", {"routes": routes[1:]}, {}, {}, {}).players[0].longest_path
    assert path.cities in (("london", "dieppe", "brest"), ("brest", "dieppe", "london"))
    loop = [["Paris", "Frankfurt"], ["Frankfurt", "Bruxelles"], ["Bruxelles", "Paris"], ["Paris", "Brest"]]
    path = scored("europe", {"routes": loop}, {}).players[0].longest_path
    assert path.length == 3 + 2 + 2 + 3 and len(path.cities) == 5 and path.cities.count("paris") == 2


# -- tickets ---------------------------------------------------------------------------------------------------------


def test_a_failed_country_ticket_names_all_its_goals_and_a_completed_one_that_which_counted() -> None:
    tickets = {"tickets": [["Bern", "countries"]]}
    (ticket,) = scored("switzerland", tickets, {}).players[0].tickets
    assert (ticket.id, ticket.cities) == ("bern-countries", ("bern", "country_austria"))
    assert ticket.goals == ("country_austria", "country_italy", "country_germany", "country_france")
    failed = columns(scored("switzerland", tickets, {}))["Ada"][1]
    assert failed == ["Tickets", "Bern–Österreich/Italia/Deutschland/France", "failed", "-5"]
    way = [["Bern", "Solothurn"], ["Solothurn", "Delémont"], ["Delémont", "France"]]
    scores = scored("switzerland", {**tickets, "routes": way}, {})
    assert columns(scores)["Ada"][1] == ["Tickets", "Bern–France", "completed", "5"]
    assert scores.players[0].tickets[0].goals == ticket.goals


@pytest.mark.slow
def test_a_sheet_has_one_language() -> None:
    """A country is called the same on its own and as the end of a route or ticket: as its board prints it."""
    way = [
        ["St. Gallen", "Austria"],
        ["Zürich", "Winterthur"],
        ["Winterthur", "Schaffhausen"],
        ["Schaffhausen", "Germany"],
    ]
    mine = {"routes": way, "tickets": [["Zürich", "countries"], ["St. Gallen", "Germany", 3]]}
    text = str(scored("switzerland", mine, {}))
    assert "Zürich–Deutschland" in text and "St. Gallen–Deutschland" in text
    assert not re.search("Germany|Austria|Country", text)
    assert rules_of("germany-tickets").board.place_name("country_netherlands") == "Niederlande"


def test_tickets_carry_their_ids() -> None:
    tickets = ["paris-wien", ["Roma", "Riga", 13], "berlin-moskva"]
    sheet = scored("mega-europa", {"tickets": tickets}, {}).players[0]
    assert [ticket.id for ticket in sheet.tickets] == ["paris-wien", "roma-riga", "berlin-moskva"]
    copies = scored("switzerland", {"tickets": [["Austria", "France"]] * 2}, {}).players[0]
    assert [ticket.id for ticket in copies.tickets] == ["country_austria-countries", "country_austria-countries-2"]


# -- the whole -------------------------------------------------------------------------------------------------------


def test_a_printed_sheet_is_plain_text_that_adds_up() -> None:
    mine = {
        "routes": [["Frankfurt", "Berlin"], ["Frankfurt", "Paris"]],
        "stations": ["Berlin"],
        "tickets": [["Paris", "Wien"], "berlin-moskva"],
    }
    scores = scored("europe", mine, LENDER, {})
    text = str(scores)
    assert text == sheet_text(scores) and "\x1b" not in text
    lines = text.splitlines()
    assert max(map(len, lines)) <= 76 and lines == [line.rstrip() for line in lines]
    for name, rows in columns(scores).items():
        numbers = [int(row[-1]) for row in rows if re.fullmatch(r"-?\d+", row[-1])]
        assert sum(numbers[:-1]) == numbers[-1], (name, rows)
    assert lines[-1] == victory(scores.players) == "Ada wins with 22 points."
    assert re.search(r"^ Total( +-?\d+){3}$", text, re.MULTILINE) and re.search(r"^ Rank( +\d){3}$", text, re.MULTILINE)


@pytest.mark.parametrize("width", [20, 36, 46, 60, 76, 80, 500])
def test_every_width_shows_every_word(width: int) -> None:
    long = "Wilhelmine von Hohenstein-Oberstdorf"
    mine = {"routes": [["Paris", "Zürich"], ["Zürich", "Venezia"]], "tickets": ["brest-petrograd", "paris-wien"]}
    others = [{"name": name} for name in ("東京の人", "Cy", "Di", "El")]
    scores = ttr.score(EUROPE, {"players": [{"name": long, **mine}, *others]})
    lines = ["".join(text for text, _ in line).rstrip() for line in sheet_lines(scores, width=width)]
    assert max(map(len, lines)) <= min(max(width, 36), 76)
    letters = re.sub(r"\s", "", "".join(lines))
    for text in (long, "5 cars: ", "Paris – Zürich – Venezia", "failed", "Longest path", "share the victory with"):
        assert text.replace(" ", "") in letters or width < 76, text
    assert len([line for line in lines if line.startswith("Total")]) == 5
    assert [line for line in lines if re.fullmatch(r" Total( +-?\d+){5}", line)]


def test_ties_and_victories_are_told() -> None:
    ada = {"routes": [["paris", "zurich"]], "tickets": [["paris", "zurich", 8]]}
    bo = {"routes": ["frankfurt-paris-white", "berlin-wien-green", "lisboa-madrid-purple"]}
    text = str(scored("europe", ada, bo))
    assert text.endswith("\nAda is ahead of Bo at equal points: more completed tickets.\nAda wins with 34 points.")
    path = {"routes": [["paris", "zurich"]], "stations": ["roma", "wien", "berlin"]}
    text = str(scored("europe", path, {"routes": [["munchen", "venezia"]]}))
    assert "Ada is ahead of Bo at equal points: holder of the longest path." in text, (
        "of two that could break it, the one that did"
    )
    both = str(scored("europe", {}, {}))
    assert both.endswith("\nAda and Bo share the victory with 12 points.") and "ahead" not in both
    one = scored("europe", {"tickets": [["paris", "wien"]]}, {})
    assert victory(one.players) == "Bo wins with 12 points."


def test_a_sheet_that_was_sent_elsewhere_reads_the_same() -> None:
    mine = {
        "routes": [["Frankfurt", "Berlin"], ["Frankfurt", "Paris"]],
        "stations": ["Berlin"],
        "tickets": [["Paris", "Wien"]],
    }
    scores = scored("europe", mine, LENDER)
    for again in (pickle.loads(pickle.dumps(scores)), copy.deepcopy(scores), copy.copy(scores)):
        assert again == scores and str(again) == str(scores) and hash(again) == hash(scores)
    assert len(pickle.dumps(scores)) < 4000  # the rules are not in it


def test_a_sheet_made_by_hand_goes_by_ids() -> None:
    player = ttr.PlayerScore(0, "Ada", 7, (TicketScore(("a", "b"), 3, completed=True),), LongestPath(4, ("x",)))
    text = str(ttr.FinalScores((player,)))
    assert re.search(r"^Tickets +a–b +completed +3$", text, re.MULTILINE) and text.endswith("Nobody has won yet.")
    assert re.search(r"^Longest path 4 cars +0$", text, re.MULTILINE)
    assert str(
        ttr.FinalScores((ttr.PlayerScore(0, "A\x1bda", 7, player.tickets, player.longest_path, rank=1),))
    ).endswith("A�da wins with 10 points.")


def test_terms_of_plugins_have_their_labels_and_say_what_they_count() -> None:
    terms = {"city_tokens": Score(9, 3), "luck": Score(1), "stations": Score(8, 2)}
    player = ttr.PlayerScore(0, "Ada", 0, (), LongestPath(0, ()), terms=terms, bonuses={"most_tickets": 10})
    words = SheetWords(labels={"stations": "Stations left", "most_tickets": "Globetrotter"})
    rows = columns(ttr.FinalScores((player,), words))["Ada"]
    assert rows[2:] == [
        ["City tokens", "3", "9"], ["Luck", "1"], ["Stations left 2", "8"], ["Globetrotter", "10"], ["Total", "28"],
    ]  # fmt: skip


def test_what_a_term_counted_is_listed_below_it_by_its_printed_name() -> None:
    def twice(state: ttr.State, seat: int) -> Score:
        return Score(12, 2, (Detail("paris-wien", 8), Detail("paris-zurich-gray", 4), Detail("and the stars")))

    class Twice(Variant, name="twice"):
        """Twice: something counts twice."""

        @hookimpl
        def scoring(self, rules: Rules) -> list[ScoringTerm]:
            return [ScoringTerm("twice", twice, label="Counted twice")]

    scores = ttr.score(ttr.compile_rules("europe", Twice), {"players": [{"name": "Ada"}, {"name": "Bo"}]})
    rows = [" ".join(row) for row in columns(scores)["Ada"]]
    at = rows.index("Counted twice 2 12")
    assert rows[at + 1 : at + 4] == ["Paris–Wien: 8", "Paris–Zürich: 4", "and the stars"]
    assert str(pickle.loads(pickle.dumps(scores))) == str(scores)


def test_what_a_bonus_is_for_is_listed_below_it_and_kept_in_json() -> None:
    def why(state: ttr.State, seat: int) -> list[Detail]:
        return [Detail("paris-zurich-gray"), Detail("wien", 2)]

    class Visits(Variant, name="visits"):
        """Visits: a bonus with its reasons."""

        @hookimpl
        def bonuses(self, below: Below[tuple[Bonus, ...]], board: ttr.Board) -> tuple[Bonus, ...]:
            return (*below(), Bonus.ranked("visits", (5,), lambda _, player: player.seat or None, details=why))

    rules = ttr.compile_rules("europe", Visits)
    scores = ttr.score(rules, {"players": [{"name": "Ada"}, {"name": "Bo"}]})
    rows = {name: [" ".join(row) for row in column] for name, column in columns(scores).items()}
    at = rows["Bo"].index("Visits 5")
    assert rows["Bo"][at + 1 : at + 3] == ["Paris–Zürich", "Wien: 2"]
    assert not any("Zürich" in row for row in rows["Ada"])
    assert ["bonus_details" in player for player in scores.to_json()["players"]] == [False, True]
    again = read_server_message(rules, ttr.to_json(rules, Over(1, scores)))
    assert isinstance(again, Over) and again.scores == scores
    assert str(again.scores) == str(scores) == str(pickle.loads(pickle.dumps(scores)))


def test_reprs_are_short() -> None:
    scores = scored("europe", {"routes": [["Paris", "Zürich"]]}, {})
    assert repr(scores) == "<FinalScores: Ada 26, Bo 12>"
    assert repr(scores.players[0]) == "<PlayerScore Ada: 26 points, rank 1>"
    assert repr(scores.players[0].longest_path) == "<LongestPath 3: paris–zurich>"
    long = LongestPath(40, (), tuple("abcdefghij"))
    assert repr(long) == "<LongestPath 40: a–b–c–…–j>"


def test_only_players_with_equal_points_need_a_tie_break() -> None:
    players: list[dict[str, Any]] = [
        {"name": "Ada", "routes": [["Paris", "Dieppe"]], "tickets": [["Paris", "Wien"]]},
        {"name": "Bo", "routes": [["Madrid", "Lisboa"]]},
        {"name": "Cleo", "routes": [["Stockholm", "Petrograd"]]},
    ]
    sheet = ttr.score(None, {"stack": ["europe"], "players": players})
    assert [(player.total, player.rank) for player in sheet.players] == [(5, 3), (16, 2), (43, 1)]
    assert sheet.ties == ()
    assert "equal points" not in str(sheet)
