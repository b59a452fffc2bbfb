"""Faults that authors make with hooks: the kit finds each of them, says what to mend, and lets what is sound pass."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from attrs import evolve
from docs_pages import DOCS
from helpers import all_but
from plugins.arranged import (
    POSITIONED,
    SOUND as SOUND_IN_POSITIONS,
    Crafts,
    Hoards,
    Posts,
    SingleGems,
    Towers,
    building,
    dividing,
)
from plugins.faulty import FAULTY, SOUND
from plugins.kept import KEPT, TAKEN
from plugins.made import plugin
from plugins.unusual import SOUND as SOUND_TOO, UNUSUAL, Hashed, Keepers, KeepsGems, SameBack, bagging, paying
from test_planted_numbers import FAULTS as OF_NUMBERS
from test_testing_kit import FAULTS

import ttr_rules as ttr
from ttr_rules import Ticket
from ttr_rules.actions import economy_of
from ttr_rules.errors import PluginConflictError, PluginError
from ttr_rules.events import TurnEnded
from ttr_rules.model import Cost
from ttr_rules.parts import Position, Report, keys_of
from ttr_rules.plugins import (
    ActionRule,
    PaidRule,
    Part,
    Rules,
    TicketDeck,
    Transaction,
    Variant,
    known,
    points_in_play,
    public,
)
from ttr_rules.train_cards import TrainCards, cards
from ttr_tools.testing import VariantError, check_variant, played, playthrough
from ttr_tools.testing.names import short
from ttr_tools.testing.positions import Values
from ttr_tools.testing.runs import Check, Run, Trial
from ttr_variants.europe.stations import BuildStation


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FAULTY, *UNUSUAL, *POSITIONED])
def test_a_planted_fault_is_found_and_told(name: str) -> None:
    make, check, words = {**FAULTY, **UNUSUAL, **POSITIONED}[name]
    with pytest.raises(VariantError) as caught:
        check_variant("north-america", make(), players=2, games=1, skip=all_but(check))
    texts = [str(problem) for problem in caught.value.problems if problem.check == check]
    assert len(texts) == 1, caught.value
    for word in words:
        assert word in texts[0], texts[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", KEPT)
def test_what_stays_with_whoever_pays_is_told(name: str) -> None:
    make, check, words = KEPT[name]
    with pytest.raises(VariantError) as caught:
        check_variant("europe", make, players=2, games=2, skip=all_but(check))
    (problem,) = caught.value.problems
    for word in words:
        assert word in str(problem), problem


@pytest.mark.slow
@pytest.mark.parametrize("make", TAKEN)
def test_payments_that_leave_their_seat_pass(make: type[Variant]) -> None:
    check_variant("europe", make, players=2, games=2, skip=all_but("counts", "tables"))


@pytest.mark.slow
def test_pieces_that_an_abandoned_tunnel_takes_are_told() -> None:
    for make, words in (
        (Keepers, ["would lose the coin that it laid down", "Keepers.take_back does not give 1 back"]),
        (SameBack, ["would have 1 coin fewer than before", "SameBack.take_back does not give back what spend takes"]),
        (KeepsGems, []),
    ):
        skip = all_but("counts")
        try:
            check_variant("europe", paying(make), players=2, games=2, skip=skip)
        except VariantError as error:
            assert words and all(word in str(error) for word in words), error
        else:
            assert not words


@pytest.mark.slow
def test_a_count_below_zero_is_told_as_that_and_not_as_what_follows_from_it() -> None:
    """In a world with fewer than no letters left, seats hold other numbers of them."""
    for players in (2, [2, 3]):
        with pytest.raises(VariantError) as caught:
            check_variant("north-america", FAULTY["more taken than there is"][0](), players=players, games=2)
        assert [problem.check for problem in caught.value.problems] == ["counts"]


@pytest.mark.slow
@pytest.mark.thorough_but(
    "a store of cards",
    "what one seat has seen is turned up",
    "a refusal that does not last",
    "a draw that first asks",
    "sealed bids",
    "letters dealt in secret",
)
@pytest.mark.parametrize("name", [*SOUND, *SOUND_TOO, *SOUND_IN_POSITIONS])
def test_what_is_sound_passes(name: str) -> None:
    make = {**SOUND, **SOUND_TOO, **SOUND_IN_POSITIONS}[name]
    report = check_variant("north-america", make(), players=2, games=1, skip=["processes"])
    assert report.games == 1 and report.actions > 30


@pytest.mark.slow
def test_cards_of_sealed_answers_may_be_stored() -> None:
    report = check_variant("europe", bagging(), players=3, games=3, skip=all_but("course", "secrets"))
    assert report.games == 3


def test_a_position_can_be_played_again() -> None:
    with pytest.raises(VariantError) as caught:
        check_variant(
            "north-america", UNUSUAL["extra turns with 3 cars"][0](), players=2, games=1, skip=all_but("course")
        )
    (problem,) = caught.value.problems
    assert problem.action is not None and problem.again.endswith("position='late')")
    game = played(
        "north-america",
        UNUSUAL["extra turns with 3 cars"][0](),
        players=2,
        seed=1,
        actions=problem.action - 1,
        position="late",
    )
    assert len(game.moves) == problem.action and 3 in game.state.cars


def test_a_key_whose_values_are_refused_is_told() -> None:
    """The position before the last round is played without it."""
    report = check_variant("north-america", building(Towers), players=2, games=1, skip=all_but("course"))
    advice = report.advice[0]
    assert advice.startswith(
        "the check could not fill in the key 'towers' of plugins.arranged.Towers with 2 players: what was written"
    )
    assert ": there are no towers). So it was not checked there: declare the field with an example=" in advice
    arranged = played("north-america", building(Towers), players=2, actions=0, position="last turns")
    assert arranged.state.part(Towers).built == 0 and arranged.state.cars == [2, 2]


def test_the_example_of_a_field_is_written_if_other_values_are_refused() -> None:
    class Trades(Part):
        """Everybody is a smith."""

        trade: list[str] = public(
            each="", of=("baker", "miller", "smith"), key="trade", help="A trade.", example='"smith"'
        )

        def validate(self, rules: Rules) -> str | None:
            return "all must be smiths" if {*self.trade} - {"smith", ""} else None

    report = check_variant("north-america", building(Trades), players=3, games=1, skip=all_but("course"))
    assert [advice for advice in report.advice if "could not fill in" in advice] == []
    arranged = played("north-america", building(Trades), players=3, actions=0, position="last turns")
    assert arranged.state.part(Trades).trade == ["smith"] * 3 and keys_of(Trades)[0]["trade"].example == '"smith"'


@pytest.mark.parametrize("players", [2, 5])
def test_other_routes_and_ids_are_written_until_all_are_accepted(players: int) -> None:
    class Upgrades(Part):
        """Routes of three spaces or more that their players own, and others that nobody owns; a color for each player."""

        routes: dict[str, int] = public(of="routes", seats=True, key="upgraded", help="Upgraded routes.")
        blocked: list[str] = public(each="", of="routes", key="blocked", help="A blocked route.")
        color: list[str] = public(each="", of=("red", "blue", "green", "pink", "black"), key="color", help="A color.")

        def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
            super().arrange(tx, position, report)
            routes = tx.rules.board.routes
            for player in position.players:
                for place, id in player.locations("upgraded", report, of="routes"):
                    if tx.state.owners.get(id) != player.seat or routes[id].length < 3:
                        report.add(place, "it must be a long route of this player")
            if any(id in tx.state.owners for id in self.blocked):
                report.add("players", "a blocked route has an owner")

        def validate(self, rules: Rules) -> str | None:
            colors = [*filter(None, self.color)]
            return "two players have the same color" if len({*colors}) < len(colors) else None

    report = check_variant("north-america", building(Upgrades), players=players, games=1, skip=all_but("course"))
    assert [advice for advice in report.advice if "could not fill in" in advice] == []
    arranged = played("north-america", building(Upgrades), players=players, actions=0, position="last turns")
    upgrades = arranged.state.part(Upgrades)
    assert (
        {*upgrades.routes.values()} == {*range(players)} and len({*upgrades.color}) == players and all(upgrades.blocked)
    )


def test_a_problem_of_a_part_is_blamed_on_the_key_that_makes_it() -> None:
    class Stalls(Part):
        """Nobody has more than two of anything."""

        left: list[int] = public(each=2, key="left", help="Left.")
        shown: list[tuple[str, ...]] = public(each=(), key="shown", of=("a", "b"), help="Shown.", example='["a"]')

        def validate(self, rules: Rules) -> str | None:
            if any(len(shown) > 1 for shown in self.shown):
                return "more than one is shown"
            return "three are left" if any(left > 2 for left in self.left) else None

    report = check_variant("north-america", building(Stalls), players=4, games=1, skip=all_but("course"))
    told = [advice for advice in report.advice if "could not fill in" in advice]
    assert (
        len(told) == 1 and "the key 'left'" in told[0] and "with 4 players" in told[0] and "three are left" in told[0]
    )


def test_a_problem_of_two_keys_is_blamed_on_no_third() -> None:
    class Medals(Part):
        """Nobody has medals."""

        lucky: list[bool] = public(each=False, key="lucky", help="Lucky.")
        worn: list[int] = public(each=0, key="worn", help="Worn.")
        put_away: list[int] = public(each=0, key="put_away", help="Put away.")

        def validate(self, rules: Rules) -> str | None:
            return "too many medals" if any(self.worn) or any(self.put_away) else None

    report = check_variant("north-america", building(Medals), players=2, games=1, skip=all_but("course"))
    told = [advice.split("'")[1] for advice in report.advice if "could not fill in" in advice]
    assert told == ["worn", "put_away"]


def test_the_examples_of_keys_that_go_together_are_written_together() -> None:
    class Stalls(Part):
        wares: tuple[str, ...] = public(of=("mug", "fan"), key="wares", example='["mug", "fan"]', help="Wares.")
        owners: tuple[int, ...] = public(seats=True, key="owners", example="[0, 1]", help="Their owners.")

        def validate(self, rules: Rules) -> str | None:
            return None if len(self.wares) == len(self.owners) else "each ware has an owner"

    report = check_variant("north-america", building(Stalls), players=2, games=1, skip=all_but("course"))
    assert not any("could not fill in" in advice for advice in report.advice)
    stalls = played("north-america", building(Stalls), players=2, actions=0, position="last turns").state.part(Stalls)
    assert (stalls.wares, stalls.owners) == (("mug", "fan"), (0, 1))


def test_the_examples_of_keys_that_must_agree_are_written_together_even_if_one_value_is_accepted() -> None:
    class Chains(Part):
        most: list[int] = public(each=0, key="most", help="The most.", example="5")
        now: list[int] = public(each=0, key="now", help="At most the most.", example="4")

        def validate(self, rules: Rules) -> str | None:
            return "more than the most" if any(map(int.__gt__, self.now, self.most)) else None

    for players in (2, 3, 5):
        report = check_variant("north-america", building(Chains), players=players, games=1, skip=all_but("course"))
        assert not any("could not fill in" in advice for advice in report.advice)


def test_examples_that_agree_but_are_refused_elsewhere_are_given_up() -> None:
    class Debts(Part):
        shed: int = public(key="shed", help="What lies in the shed.", example="6")
        owed: list[int] = public(each=0, key="owed", help="What is owed.", example="0")

        def validate(self, rules: Rules) -> str | None:
            return None if self.shed + sum(self.owed) in (0, 6) and self.shed in (0, 6) else "six lie there or are owed"

        def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
            super().arrange(tx, position, report)
            if self.shed == 6:
                report.add("to_act", "nobody has the turn")

    report = check_variant("north-america", building(Debts), players=2, games=1, skip=all_but("course"))
    assert "shed" in [advice.split("'")[1] for advice in report.advice if "could not fill in" in advice]


@pytest.mark.parametrize("players", [2, 5])
def test_all_have_cards_for_long_routes_under_any_layer(players: int) -> None:
    stack = ("north-america", paying(KeepsGems))
    game = played(*stack, players=players, actions=0, position="long routes")
    hands = [cards(game.state).hands[seat] for seat in range(players)]
    assert all(max(hand.values()) >= 9 and hand["locomotive"] >= 2 for hand in hands)
    assert all(game.state.tickets) and [len(held) for held in game.state.tickets][:2] == [1, 2]
    played("new-york", players=2, actions=0, position="long routes")


def test_a_field_with_a_pool_and_kinds_holds_these_kinds_alone() -> None:
    class Sheds(Part):
        engines: list[ttr.Counts] = public(
            each=ttr.Counts(), pool="cards", of=("locomotive",), key="engines", help="Locomotives."
        )

    report = check_variant("north-america", building(Sheds), players=2, games=1, skip=all_but("course"))
    assert not any("could not fill in" in advice for advice in report.advice)
    arranged = played("north-america", building(Sheds), players=2, actions=0, position="last turns")
    assert all({*engines} == {"locomotive"} for engines in arranged.state.part(Sheds).engines)


def test_a_position_that_fails_for_some_number_of_players_is_told_as_that() -> None:
    with pytest.raises(VariantError) as caught:
        check_variant("north-america", dividing(5), players=(2, 5), games=1, skip=all_but("course"))
    (problem,) = caught.value.problems
    assert (problem.check, problem.players, problem.seed) == ("tables", 5, 2) and "ZeroDivisionError" in problem.message
    assert problem.again.endswith("players=5, seed=2, actions=0, position='last turns')")


def test_what_is_refused_for_some_number_of_players_is_told() -> None:
    """With two players a hoard may hold gems, with three none."""

    class Shared(Hoards):
        def validate(self, rules: Rules) -> str | None:
            return "nobody has gems" if len(self.held) == 3 and any(map(known, self.held)) else None

    for players, untold in ((2, []), ((2, 3), ["gems"]), ((3, 2), ["gems"])):
        report = check_variant("north-america", building(Shared), players=players, games=1, skip=all_but("course"))
        assert [advice.split("'")[1] for advice in report.advice if "could not fill in" in advice] == untold


def test_a_refusal_that_names_no_key_is_traced_to_one() -> None:
    """The others hold something still."""
    report = check_variant("north-america", building(Crafts), players=2, games=1, skip=all_but("course"))
    assert [advice.split("'")[1] for advice in report.advice if "could not fill in" in advice] == ["craft"]
    arranged = played("north-america", building(Crafts), players=2, actions=0, position="last turns")
    assert all(arranged.state.part(Crafts).town) and arranged.state.part(Crafts).craft == ["", ""]


def test_a_key_holds_one_item_where_several_are_refused() -> None:
    report = check_variant("north-america", building(SingleGems), players=2, games=1, skip=all_but("course"))
    assert not any("could not fill in" in advice for advice in report.advice)
    arranged = played("north-america", building(SingleGems), players=2, actions=0, position="last turns")
    assert [len(known(gems)) for gems in arranged.state.part(SingleGems).held] == [1, 1]


def test_seats_hold_single_and_short_routes_or_else_the_shortest_there_are() -> None:
    below = ttr.compile_rules("north-america").board
    single = [route for route in below.routes.values() if not route.double_group]
    boards = {
        "few short ones": [evolve(route, length=4 + (number > 0)) for number, route in enumerate(single[:6])],
        "only doubles": [route for route in below.routes.values() if route.double_group and route.length == 2],
    }
    for name, routes in boards.items():
        own = {route.id: route for route in routes}

        def board(below: Callable[[], ttr.Board], own: dict[str, ttr.Route] = own) -> ttr.Board:
            return evolve(below(), routes=own)

        few = plugin("few", (), __name__, board=board, parts=lambda rules: [Posts])
        arranged = played("north-america", few, players=2, actions=0, position="last turns")
        held = [own[id] for id in arranged.state.owners]
        assert len({route.double_group or route.id for route in held}) == 4, name
        assert name == "only doubles" or single[0].id in arranged.state.owners
    values = Values(ttr.compile_rules("north-america"), 5, 1)
    short = [below.routes[id] for held in values.routes for id in held]
    assert len(short) == 10 and not any(route.double_group or route.length > 3 for route in short)


def test_the_last_round_follows_the_turns_of_its_position() -> None:
    """It begins by the cars left, by the number of rounds, or has begun if only a plugin begins it."""
    for boxes, turns in (
        ({}, 3),
        ({"last_round_at": None, "rounds": 7}, 4),
        ({"last_round_at": 5, "rounds": 7}, 3),
        ({"last_round_at": None}, 2),
        ({"fleets": {"train": 25, "ship": 20}}, 3),
    ):
        box = plugin("box", components=lambda below, board, boxes=boxes: evolve(below(), **boxes))
        game = played(
            "north-america", box, plugin("wins", parts=lambda rules: [Hoards]), players=2, position="last turns"
        )
        ended = [event for event in game.events if isinstance(event, TurnEnded)]
        assert len(ended) == turns and game.is_over, boxes
        assert all(game.copy().state.part(Hoards).held), boxes


def test_what_another_process_cannot_import_is_told_as_not_checked() -> None:
    report = check_variant("north-america", SOUND["points in play"](), players=2, games=1, skip=all_but("processes"))
    assert "processes" in report.skipped and "not checked: processes" in str(report)


@pytest.mark.slow
def test_rules_that_another_process_compiles_otherwise_are_told() -> None:
    with pytest.raises(VariantError, match="compiled in another process, the stack gives other rules"):
        check_variant("north-america", Hashed, players=2, games=1, skip=all_but("processes"))


def test_a_game_with_a_million_actions_is_told_in_short() -> None:
    text = playthrough("north-america", SOUND["a million actions"](), players=2, seed=1, actions=8)
    assert re.search(r"10000\d\d legal, #[0-9a-f]{6} some of them: .*1000000 Bid", text), text
    assert len(text) < 30_000


def test_two_plugins_cannot_score_in_play_under_one_name() -> None:
    first, second = (plugin(name, scoring=lambda rules: [points_in_play("tolls")]) for name in ("tolls", "bridges"))
    with pytest.raises(
        PluginConflictError, match="plugin 'bridges' and plugin 'tolls' both bring the bonus or scoring term 'tolls'"
    ):
        ttr.compile_rules("north-america", first, second)


def test_a_deck_is_put_beside_another_under_ids_of_its_own() -> None:
    deck = TicketDeck({"regular": [Ticket("a-b", ("a", "b"), 5)]})
    more = deck.beside([Ticket("a-b", ("a", "b"), 7, set="mail"), Ticket("a-c", ("a", "c"), 4)], "mail")
    assert {name: [ticket.id for ticket in pile] for name, pile in more.piles.items()} == {
        "regular": ["a-b"],
        "mail": ["mail-a-b", "a-c"],
    }
    with pytest.raises(ttr.InvalidInputError, match="two tickets 'mail-a-b' already"):
        more.beside([Ticket("a-b", ("a", "b"), 9, set="mail")], "mail")


def test_bots_that_do_not_come_to_an_end_or_fail_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ttr_tools.bots.playing.MOST_ACTIONS", 5)
    with pytest.raises(VariantError, match=r"bots play 5 actions, in the end mostly .*, and the game does not end"):
        check_variant("north-america", players=2, games=1, skip=all_but("bots"))

    def choose(*_: object, **__: object) -> object:
        raise RuntimeError("out of order")

    monkeypatch.setattr("ttr_tools.testing.stack.play_game", choose)
    with pytest.raises(VariantError, match="a bot cannot play on: RuntimeError: out of order"):
        check_variant("north-america", players=2, games=1, skip=all_but("bots"))


# -- the page ------------------------------------------------------------------------------------------------------------


@pytest.mark.installed_tree
def test_the_page_says_what_each_message_means() -> None:
    """Every phrase on the page is in a message that a planted fault gives, and every fault's message has one."""
    page = (DOCS / "how-to" / "check-a-variant.md").read_text(encoding="utf-8")
    phrases = [phrase.replace("`", "") for phrase in re.findall(r"^\| \*\*(.+?)\*\* \|", page, re.MULTILINE)]
    words = {name: words for name, (_, _, words) in (FAULTY | UNUSUAL | POSITIONED | {**KEPT}).items()} | {
        name: each[1] for name, each in FAULTS.items()
    }
    words |= {name: each[2] for name, each in OF_NUMBERS.items()}
    words["told by other tests"] = ["compiled a second time", "determinize deals no world", "cannot play on"]
    words["told by another"] = ["the stack gives other rules"]
    words["told of open tickets by other tests"] = ["has it elsewhere", "let the player decide", "write secret_answer"]
    words["told of routes by other tests"] = ["lists routes as open that are not", "pieces in its fleets"]
    words["told of bots by other tests"] = ["the game does not end", "does not know how to play this variant"]
    unsaid = [phrase for phrase in phrases if not any(phrase in word for each in words.values() for word in each)]
    assert not unsaid, f"no message says {unsaid}"
    unexplained = [name for name in words if not any(phrase in word for phrase in phrases for word in words[name])]
    assert not unexplained, f"the page does not explain {unexplained}"


class Praise(ttr.Action):
    message = "Praise another player"


class PraiseRule(ActionRule[ttr.Turn, Praise]):
    """As often as a player likes, in place of the action of a turn, for a card."""

    own = False

    def offers(self, state: ttr.State, decision: ttr.Turn) -> list[Praise]:
        return [Praise(decision.seat)] if cards(state).hands[decision.seat] else []

    def perform(self, tx: Transaction, decision: ttr.Turn, action: Praise) -> None:
        card = next(iter(cards(tx.state).hands[action.seat]))
        economy_of(tx.rules.economy, TrainCards).discard(tx, action.seat, ttr.Counts({card: 1}))
        tx.score(action.seat if self.own else (action.seat + 1) % tx.state.players, 1, "praise")


class OwnPraiseRule(PraiseRule):
    own = True


class StealRule(OwnPraiseRule):
    """A point of the next player goes to whoever pays a card."""

    def perform(self, tx: Transaction, decision: ttr.Turn, action: Praise) -> None:
        super().perform(tx, decision, action)
        tx.score((action.seat + 1) % tx.state.players, -1, "praise")


@pytest.mark.parametrize("seed", range(3))
def test_points_that_a_player_gives_to_others_do_not_count_as_endless(seed: int) -> None:
    def praising(rule: PraiseRule) -> type[Variant]:
        return plugin(
            "praising", (), __name__, actions=lambda rules: (rule,), scoring=lambda rules: (points_in_play("praise"),)
        )

    def check(rule: PraiseRule) -> None:
        check_variant("north-america", praising(rule), players=2, games=1, seed=seed, skip=all_but("course", "ending"))

    check(PraiseRule())
    check(StealRule())
    with pytest.raises(VariantError, match="the game does not end, and is paid"):
        check(OwnPraiseRule())


class Purse(Part):
    """Coins, which are earned in play."""

    coins: list[int] = public(each=0, key="coins", help="The coins of this player.")


class CoinLost(ttr.Event):
    seat: int

    def apply(self, state: ttr.State) -> None:
        state.part(Purse).coins[self.seat] -= 1


def test_a_number_with_a_key_never_falls_below_zero_though_it_begins_there() -> None:
    losing = plugin(
        "purses",
        (),
        __name__,
        parts=lambda rules: (Purse,),
        on_claim=lambda tx, seat, route, points: tx.emit(CoinLost, seat),
    )
    with pytest.raises(VariantError, match=r"Purse.coins\[\d\] is -1 after .*; at the beginning it was 0"):
        check_variant("north-america", losing, players=2, games=1, skip=all_but("course", "counts"))


class Torn(ttr.Event):
    seat: int
    what: str


def test_an_event_in_the_set_up_that_lacks_a_field_is_told() -> None:
    torn = plugin("torn", (), __name__, on_deal=lambda tx: tx.emit(Torn, 0))
    with pytest.raises(VariantError, match="could not be checked to the end: TypeError"):
        check_variant("north-america", torn, players=2, games=1, skip=all_but("course", "events"))


def test_an_event_has_no_fields_of_parts() -> None:
    class Hidden(ttr.Event):
        __module__ = "hidden_too"  # no other plugin of this file has it
        seat: int
        what: list[str] = public(each="")

    hidden_too = plugin("hidden-too", (), "hidden_too", on_deal=lambda tx: tx.emit(Hidden, 0, []))
    with pytest.raises(PluginError, match=r"Hidden.what is declared like a field of a part: write secret"):
        ttr.compile_rules("europe", hidden_too)


def test_what_is_sold_has_a_payment() -> None:
    class Free(ttr.Action):
        message = "Buy"
        city: str

    class FreeRule(PaidRule[ttr.Turn, Free]):
        def every(self, rules: Rules) -> list[tuple[str, Cost]]:
            return [("paris", Cost("depot", 1))]

        def bought(self, tx: Transaction, seat: int, thing: str) -> None:
            raise AssertionError

    with pytest.raises(PluginError, match="FreeRule sells by Free, which has no payment: write payment: Counts in it"):
        ttr.compile_rules("europe", plugin("free", actions=lambda rules: (FreeRule(),)))


def test_a_difference_of_offers_is_blamed_on_the_rule_of_the_action_that_is_not_in_both() -> None:
    run = Run(Trial(("europe",), ttr.compile_rules("europe"), (2,)), 2, 1)
    while not isinstance(run.game.state.pending[0], ttr.Turn):
        run.game.play(run.picks.next(run.game))
    seat = run.game.to_act[0]
    check, mine = Check(run), run.sample_legal_actions(seat)
    assert check.other_offer(seat, mine) == ""
    for lost in (mine[0], mine[-1]):
        others = [action for action in mine if action != lost]
        assert check.other_offer(seat, others).endswith(f", at {short(lost)}")
    station = BuildStation(seat, "nowhere", ttr.Counts(red=1))
    assert check.other_offer(seat, [station, *mine]).endswith(f", at {short(station)}")
    assert "BuildStationRule" in check.other_offer(seat, [station, *mine])
    swapped = [mine[1], mine[0], *mine[2:]]
    assert check.other_offer(seat, swapped).endswith(f", at {short(mine[0])}")
