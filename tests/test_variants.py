"""A plugin is a class: its description, options and hooks, what the compile says of mistakes, and questions that go on."""

from __future__ import annotations

import pickle
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal

import pytest
from attrs import evolve
from plugins.made import plugin as made_plugin

import ttr_rules as ttr
from ttr_rules import Refusal, State
from ttr_rules.errors import HookTypeError, PluginConflictError, PluginError
from ttr_rules.events import fold
from ttr_rules.language import Message, Seat
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Below,
    Bonus,
    DrawCounts,
    Part,
    Question,
    Rules,
    Score,
    ScoringTerm,
    Transaction,
    Variant,
    hookimpl,
    option,
    points_in_play,
    public,
    tryfirst,
    trylast,
)
from ttr_rules.scores import Detail
from ttr_tools.narration import sheet_text


class Purse(Part):
    coins: int = public()


class FourTickets(Variant, name="four-tickets"):
    """Four tickets: who draws tickets draws one more."""

    more: Literal[1, 2] = option(1, 2, meaning="how many more tickets are drawn")

    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
        counts = below()
        return evolve(counts, drawn=counts.drawn + self.more)


class FiveTickets(Variant, name="five-tickets"):
    """Five tickets: whatever the others say."""

    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
        return DrawCounts(drawn=5)


# -- what a class says ---------------------------------------------------------------------------------------------


def test_a_plugin_is_given_as_its_class_or_with_options_as_an_instance() -> None:
    assert ttr.compile_rules("europe", FourTickets).draw_counts.drawn == 4
    assert ttr.compile_rules("europe", FourTickets(more=2)).draw_counts.drawn == 5
    assert ttr.compile_rules("europe", FourTickets, rulings={"more": 2}).draw_counts.drawn == 5
    assert ttr.compile_rules("europe", FourTickets).plugin(FourTickets).more == 1


def test_title_and_summary_come_from_the_docstring() -> None:
    class Titled(Variant, name="titled", title="A title: with a colon", requires=("europe",), aliases=("former",)):
        """Its summary: all of it.

        Not this.
        """

    assert (FourTickets.info.title, FourTickets.info.summary) == ("Four tickets", "Who draws tickets draws one more.")
    assert (Titled.info.title, Titled.info.summary) == ("A title: with a colon", "Its summary: all of it.")
    assert (Titled.info.requires, Titled.info.aliases) == (("europe",), ("former",))


def test_a_class_without_a_name_is_a_base() -> None:
    class Base(Variant):
        """Hooks that several share."""

        @hookimpl
        def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
            return DrawCounts(drawn=6)

    class Six(Base, name="six"):
        """Six: tickets."""

    assert ttr.compile_rules("europe", Six).draw_counts.drawn == 6
    with pytest.raises(PluginError, match="Base has no name, and is a base for variants"):
        ttr.compile_rules("europe", Base)


def test_an_option_has_only_its_values() -> None:
    with pytest.raises(ttr.InvalidInputError, match="'more' is 1 or 2, not 3"):
        FourTickets(more=3)  # type: ignore[arg-type]


# -- values ----------------------------------------------------------------------------------------------------------


def test_who_calls_below_adjusts_and_who_does_not_replaces() -> None:
    rules = ttr.compile_rules("europe", FourTickets, FiveTickets)
    assert rules.draw_counts.drawn == 6, "what replaces comes first, whatever the names"
    assert "draw_counts: five-tickets (replaces core) ⟵ adjusted by four-tickets" in rules.explain()
    assert "\nunused: claim_cars, around, claim_key, " in rules.explain()


def test_two_that_replace_conflict_unless_one_is_built_on_the_other_or_comes_first() -> None:
    class Seven(Variant, name="seven"):
        """Seven: tickets."""

        @hookimpl
        def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
            return DrawCounts(drawn=7)

    class Eight(Variant, name="eight", requires=("five-tickets",)):
        """Eight: tickets."""

        @hookimpl
        def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
            return DrawCounts(drawn=8)

    class First(Variant, name="a-first"):
        """First: nine tickets."""

        @tryfirst
        @hookimpl
        def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
            return DrawCounts(drawn=9)

    with pytest.raises(PluginConflictError, match="'five-tickets' and 'seven' both replace 'draw_counts'"):
        ttr.compile_rules("europe", Seven, FiveTickets)
    assert ttr.compile_rules("europe", Eight, FiveTickets).draw_counts.drawn == 8
    assert ttr.compile_rules("europe", First, FiveTickets).draw_counts.drawn == 9


def test_one_that_gives_back_what_is_below_decides_nothing() -> None:
    class Silent(Variant, name="silent"):
        """Silent: says nothing."""

        @hookimpl
        def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
            return below()

    silent, plain = ttr.compile_rules("europe", Silent), ttr.compile_rules("europe")
    assert silent.fingerprint == plain.fingerprint
    assert next(each for each in silent.provenance if each.hook == "draw_counts").unchanged == ("silent",)


def test_trylast_adjusts_before_the_others() -> None:
    class Doubled(Variant, name="zz-doubled"):
        """Doubled: tickets."""

        @trylast
        @hookimpl
        def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
            return evolve(below(), drawn=2 * below().drawn)

    assert ttr.compile_rules("europe", FourTickets, Doubled).draw_counts.drawn == 7


def test_one_that_cannot_give_a_value_is_heard_unless_another_built_on_it_gives_it() -> None:
    class Needy(Variant, name="needy"):
        """Needy: has no tickets."""

        @hookimpl
        def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
            raise PluginError("give me tickets")

    class Giver(Variant, name="giver", requires=("needy",)):
        """Giver: has tickets."""

        @hookimpl
        def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
            return DrawCounts(drawn=2)

    with pytest.raises(PluginError, match="give me tickets"):
        ttr.compile_rules("europe", Needy, FiveTickets)
    assert ttr.compile_rules("europe", Needy, Giver).draw_counts.drawn == 2


# -- mistakes --------------------------------------------------------------------------------------------------------


def broken(name: str, function: Any) -> type[Variant]:
    """A variant with one method."""

    class Broken(Variant, name="broken"):
        """Broken: has a mistake."""

    setattr(Broken, name, function)
    return Broken


@pytest.mark.parametrize(
    ("name", "function", "message"),
    [
        (
            "on_claims",
            hookimpl(lambda self, tx, seat, route, points: ()),
            "no hook 'on_claims'.*did you mean 'on_claim'",
        ),
        ("on_claim", lambda self, tx, seat, route, points: (), "'on_claim' is a hook: mark it @hookimpl"),
        (
            "on_claim",
            hookimpl(lambda self, tx, route, seat, points: ()),
            r"takes \(self, tx, seat, route, points\), not \(self, tx, route",
        ),
        ("draw_counts", hookimpl(lambda self, board: DrawCounts()), r"takes \(self, below, board\)"),
        ("parts", hookimpl(lambda self: ()), r"takes \(self, rules\)"),
        (
            "draw_counts",
            hookimpl(lambda self, below, board: below.drawn),
            r"'draw_counts' of plugin 'broken': below is a function: write below\(\)",
        ),
        (
            "bonuses",
            hookimpl(lambda self, below, board: (*below, 1)),
            r"'bonuses' of plugin 'broken': below is a function: write below\(\)",
        ),
        (
            "draw_counts",
            hookimpl(lambda self, below, board: DrawCounts(**dict[str, Any](drwan=4))),
            "'draw_counts' of plugin 'broken': DrawCounts has no drwan: write drawn=",
        ),
    ],
)
def test_a_mistake_in_a_hook_is_told_with_what_to_write(name: str, function: Any, message: str) -> None:
    with pytest.raises(PluginError, match=message):
        ttr.compile_rules("europe", broken(name, function))


@pytest.mark.parametrize(
    ("name", "function", "message"),
    [
        ("draw_counts", lambda self, below, board: 4, "'draw_counts' of plugin 'broken' must give a DrawCounts, not 4"),
        ("bonuses", lambda self, below, board: [below()], "must give a tuple of Bonus"),
        (
            "scoring",
            lambda self, rules: ("x",),
            "'scoring' of plugin 'broken' must give several of ScoringTerm, not 'x'",
        ),
        (
            "parts",
            lambda self, rules: (int,),
            "'parts' of plugin 'broken' must give several of Part, not the class int",
        ),
        ("parts", lambda self, rules: (Purse(coins=0),), r"not Purse\(coins=0\): write Purse, the class"),
        ("parts", lambda self, rules: Purse, r"not the class Purse: write \(…,\), a tuple of it"),
        ("draw_counts", lambda self, below, board: below, r"must give a DrawCounts, not .*: write below\(\)"),
    ],
)
def test_an_answer_of_another_type_is_told(name: str, function: Any, message: str) -> None:
    with pytest.raises(HookTypeError, match=message):
        ttr.compile_rules("europe", broken(name, hookimpl(function)))


def test_what_two_plugins_call_the_same_is_a_conflict_that_names_them() -> None:
    class One(Variant, name="one"):
        """One: scores."""

        @hookimpl
        def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
            return (points_in_play("same", "Same"),)

        @hookimpl
        def bonuses(self, below: Below[tuple[Bonus, ...]], board: ttr.Board) -> tuple[Bonus, ...]:
            return (*below(), Bonus("prize", 1, lambda state, players: []))

    class Two(Variant, name="two"):
        """Two: scores."""

        @hookimpl
        def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
            return (points_in_play("same", "Same too"),)

    class Three(Variant, name="three"):
        """Three: a bonus."""

        @hookimpl
        def bonuses(self, below: Below[tuple[Bonus, ...]], board: ttr.Board) -> tuple[Bonus, ...]:
            return (*below(), Bonus("prize", 2, lambda state, players: []))

    class Four(Variant, name="four"):
        """Four: a line and a bonus."""

        @hookimpl
        def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
            return (points_in_play("tokens", "Tokens left"),)

        @hookimpl
        def bonuses(self, below: Below[tuple[Bonus, ...]], board: ttr.Board) -> tuple[Bonus, ...]:
            return (*below(), Bonus("tokens", 2, lambda state, players: [], label="Most tokens"))

    with pytest.raises(
        PluginConflictError, match="plugin 'one' and plugin 'two' both bring the bonus or scoring term 'same'"
    ):
        ttr.compile_rules("europe", One, Two)
    with pytest.raises(
        PluginConflictError, match="plugin 'one' and plugin 'three' both bring the bonus or scoring term 'prize'"
    ):
        ttr.compile_rules("europe", One, Three)
    with pytest.raises(PluginConflictError, match="'four' brings two things of one name: .* 'tokens'"):
        ttr.compile_rules("europe", Four)


def replacing(name: str, plugin: str, points: int) -> type[Variant]:
    term = ScoringTerm(name, lambda state, seat: Score(points), label="Others", replaces=True)
    return made_plugin(plugin, scoring=lambda rules: (term,))


def test_a_term_takes_the_place_of_another_one() -> None:
    table = {"players": [{"name": "Ada", "tickets": [["Paris", "Wien"]]}, {"name": "Bo", "stations": ["Paris"]}]}
    plain, rules = (
        ttr.compile_rules("europe", "dice"),
        ttr.compile_rules("europe", replacing("stations", "others", 3), "dice"),
    )
    assert [term.name for term in rules.scoring_terms] == [term.name for term in plain.scoring_terms]
    sheets = ttr.score(rules, table).players
    assert [sheet.terms["stations"].points for sheet in sheets] == [3, 3]
    assert [sheet.total for sheet in sheets] == [3 - 8, 3]
    assert "  others replaces the scoring term 'stations'" in rules.explain().splitlines()
    assert "Others" in str(ttr.score(rules, table)) and "Stations left" not in str(ttr.score(rules, table))


def test_routes_that_stations_borrow_are_shown_below_the_term_in_their_place() -> None:
    routes = [["Zürich", "München"], ["München", "Wien"]]
    players = [
        {"name": "Ada", "stations": ["Paris"], "routes": routes, "tickets": [["Paris", "Wien"]]},
        {"name": "Bo", "routes": [["Paris", "Zürich"]]},
    ]
    scores = ttr.score(ttr.compile_rules("europe", replacing("stations", "others", 8)), {"players": players})
    assert dict(scores.players[0].lends) == {"paris": "paris-zurich-gray"}
    lines = [line.split() for line in str(scores).splitlines()]
    assert lines[lines.index(["Others", "8"]) + 1] == ["Paris", "lends", "Paris–Zürich"]


def test_a_term_that_replaces_nothing_or_what_another_replaces_is_refused() -> None:
    with pytest.raises(PluginError, match="'nothing' of plugin 'others' has replaces=True, but no other plugin"):
        ttr.compile_rules("europe", replacing("nothing", "others", 1))
    with pytest.raises(
        PluginConflictError,
        match="plugin 'one' and plugin 'two' both replace the scoring term 'stations': use one of them",
    ):
        ttr.compile_rules("europe", replacing("stations", "one", 1), replacing("stations", "two", 1))


def test_a_bonus_by_rank_counts_zero_and_leaves_out_who_has_none() -> None:
    held = {0: 5, 1: 0, 2: None, 3: 5}
    bonus = Bonus.ranked("tokens", (9, 4, 2), lambda state, player: held[player.seat])
    players = [{"name": name} for name in "ABCD"]
    rules = ttr.compile_rules("europe")
    state = ttr.arrange(rules, {"seed": 1, "players": players}).state
    assert bonus.points_of(state, ttr.score(rules, {"players": players}).players) == {0: 6, 3: 6, 1: 2}


# -- in play ---------------------------------------------------------------------------------------------------------


def test_claims_are_refused_and_kept_by_their_key() -> None:
    asked: list[str] = []

    class NoGray(Variant, name="no-gray"):
        """No gray: gray routes are closed in the first three turns."""

        @hookimpl
        def claim_refusal(self, state: State, seat: int, route: ttr.Route) -> Refusal | None:
            asked.append(route.id)
            early = state.turn_number <= 3 and route.color == "gray"
            return Refusal("X1", "no gray route yet") if early else None

        @hookimpl
        def claim_key(self, state: State, seat: int) -> Hashable:
            return state.turn_number <= 3

    table = {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada", "hand": {"red": 9}}, {"name": "Bo"}]}
    game = ttr.arrange(ttr.compile_rules("europe", NoGray), {key: table[key] for key in ("seed", "players")})
    colors = {
        game.rules.board.routes[each.route].color for each in game.legal_actions(0) if isinstance(each, ttr.ClaimRoute)
    }
    assert "gray" not in colors and colors
    refused = game.refusal(ttr.ClaimRoute(0, "amsterdam-london-gray", {"red": 2}))
    assert refused is not None and refused.rule == "X1"
    before = len(asked)
    _ = len(game.legal_actions(0))
    assert len(asked) == before, "the answers are kept while the key is equal"


def test_actions_of_others_are_refused_and_followed() -> None:
    class Fee(Variant, name="fee"):
        """Fee: who draws tickets pays a point; not twice."""

        def refuse(self, state: State, action: ttr.DrawTickets) -> Refusal | None:
            paid = state.points["fee"]
            return Refusal("X2", "only once") if paid[action.seat] else None

        def pay(self, tx: Transaction, action: ttr.DrawTickets) -> None:
            tx.score(action.seat, -1, "fee")

        @hookimpl
        def around(self, rules: Rules) -> Iterable[Around]:
            return (Around(ttr.DrawTickets, refuse=self.refuse, after=self.pay),)

        @hookimpl
        def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
            return (points_in_play("fee", "Fees"),)

    players = [{"name": "Ada"}, {"name": "Bo"}]
    game = ttr.arrange(ttr.compile_rules("europe", Fee), {"seed": 1, "players": players})
    game.play(ttr.DrawTickets(0))
    assert game.state.points["fee"] == [-1, 0]
    game.play(ttr.KeepTickets(0, game.decision(0).tickets[:1]))  # type: ignore[union-attr]
    assert game.is_legal(ttr.DrawTickets(1))
    game.play(ttr.DrawBlind(1))
    game.play(ttr.DrawBlind(1))
    assert not game.is_legal(ttr.DrawTickets(0))


# -- questions ---------------------------------------------------------------------------------------------------------


class Whistle(ttr.Decision):
    """Whether to whistle."""

    public = True
    passing = "Be silent"
    where: str


class WhistleLoudly(ttr.Action):
    """Whistle."""

    message = "Whistle"
    times: int


class WhistleRule(ActionRule[Whistle, WhistleLoudly]):
    """Whistle once, or twice, which is asked for again."""

    on = Whistle
    action = WhistleLoudly

    def offers(self, state: State, decision: Whistle) -> Sequence[WhistleLoudly]:
        return [WhistleLoudly(decision.seat, times) for times in (1, 2)]

    def perform(self, tx: Transaction, decision: Whistle, action: WhistleLoudly) -> Question:
        tx.score(action.seat, action.times, "whistles")
        return Whistle(decision.seat, "again") if action.times == 2 else ()


class Whistles(Variant, name="whistles"):
    """Whistles: asked before the game, at each turn, after each claim, and at the end."""

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (WhistleRule(),)

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (points_in_play("whistles", "Whistles"),)

    @hookimpl
    def on_game_start(self, tx: Transaction) -> Question:
        return [Whistle(seat, "start") for seat in range(tx.state.players)]

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> Question:
        return Whistle(seat, "turn")

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> Question:
        return Whistle(seat, route.id)

    @hookimpl
    def on_turn_end(self, tx: Transaction, seat: int) -> Question:
        return Whistle(seat, "end of turn")

    @hookimpl
    def on_game_end(self, tx: Transaction) -> Question:
        return Whistle(0, "end")


def where(game: ttr.Game) -> list[tuple[int, str]]:
    """Who is asked what."""
    return [
        (each.seat, each.where if isinstance(each, Whistle) else type(each).__name__) for each in game.state.pending
    ]


def answered(game: ttr.Game, *actions: ttr.Action) -> list[tuple[int, str]]:
    for action in actions:
        game.play(action)
    return where(game)


def test_questions_are_asked_and_the_game_goes_on_by_itself() -> None:
    game = ttr.new_game("europe", Whistles, players=2, seed=1, first_seat=0)
    for seat in game.to_act:
        game.play(ttr.KeepTickets(seat, game.decision(seat).tickets))  # type: ignore[union-attr]
    assert where(game) == [(0, "start"), (1, "start")], "all at once"
    assert answered(game, WhistleLoudly(1, 1)) == [(0, "start")], "answered in any order"
    assert answered(game, WhistleLoudly(0, 2)) == [(0, "again")]
    assert answered(game, ttr.Pass(0)) == [(0, "turn")]
    assert answered(game, WhistleLoudly(0, 1)) == [(0, "Turn")]
    assert game.state.todo == ()
    assert answered(game, ttr.DrawBlind(0), ttr.DrawBlind(0)) == [(0, "end of turn")]
    assert answered(game, ttr.Pass(0)) == [(1, "turn")]
    assert game.state.points["whistles"] == [3, 1]


def test_after_a_claim_it_is_asked_before_the_turn_ends() -> None:
    table = {
        "seed": 1,
        "turns_left": 1,
        "players": [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}],
    }
    game = ttr.arrange(ttr.compile_rules("europe", Whistles), table)
    game.play(ttr.Pass(0))
    assert where(game) == [(0, "Turn")]
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    assert where(game) == [(0, "frankfurt-paris-white")]
    assert answered(game, ttr.Pass(0)) == [(0, "end of turn")]
    assert answered(game, ttr.Pass(0)) == [(0, "end")]
    assert answered(game, ttr.Pass(0)) == [] and game.is_over


def test_a_game_with_questions_is_folded_copied_pickled_and_saved_at_every_moment() -> None:
    game = ttr.new_game("europe", Whistles, players=2, seed=3)
    rules = game.rules
    stops = 0
    for number in range(120):
        legal = game.legal_actions(game.to_act[0])
        game.play(legal[number * 7 % len(legal)])
        stops += bool(game.state.todo)
        if number % 10 == 0:
            state = State(rules, 2, game.state.chance)
            fold(state, game.events)
            assert (state.todo, state.pending) == (game.state.todo, game.state.pending)
            assert game.state.copy().todo == game.state.todo
            assert pickle.loads(pickle.dumps(game.state)) == game.state  # noqa: S301 (our own)
            again = ttr.loads(ttr.dumps(game), rules=rules)
            assert again.state == game.state
    assert stops > 20, "or nothing was tested"


def test_what_is_still_to_do_is_seen_by_nobody() -> None:
    game = ttr.new_game("europe", Whistles, players=2, seed=1, first_seat=0)
    for seat in game.to_act:
        game.play(ttr.KeepTickets(seat, game.decision(seat).tickets))  # type: ignore[union-attr]
    (event,) = [each for each in game.events if type(each).__name__ == "Asked"]
    seen = [event.seen_by(seat).event for seat in (0, 1, None)]
    assert all("todo=Unknown" in repr(each) for each in seen)
    assert "todo" not in repr(game.view(0))


def test_a_question_that_is_none_is_told() -> None:
    class Wrong(Variant, name="wrong"):
        """Wrong: asks a string."""

        @hookimpl
        def on_turn_start(self, tx: Transaction, seat: int) -> Any:
            return "who goes there"

    game = ttr.new_game("europe", Wrong, players=2, seed=1)
    with pytest.raises(PluginError, match="a question is a decision"):
        for seat in game.to_act:
            game.play(ttr.KeepTickets(seat, game.decision(seat).tickets))  # type: ignore[union-attr]


def test_no_call_goes_through_pluggy_in_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ttr.compile_rules("europe", Whistles, FourTickets)

    def called(*_: object, **__: object) -> Mapping[str, object]:
        raise AssertionError("a hook was called through pluggy")

    monkeypatch.setattr("pluggy._manager.PluginManager._hookexec", called)
    game = ttr.new_game(rules=rules, players=2, seed=1)
    for number in range(60):
        legal = game.legal_actions(game.to_act[0])
        game.play(legal[number * 7 % len(legal)])


@pytest.mark.parametrize(("language", "line"), [("en", "for Bo"), ("de", "for Bo")])
def test_a_detail_names_a_player(language: str, line: str) -> None:
    def named(state: ttr.State, seat: int) -> Score:
        return Score(0, details=(Detail(Message("for {seat}", seat=Seat(1 - seat))),))

    wager = made_plugin("wager", scoring=lambda rules: [ScoringTerm("wager", named)])
    scores = ttr.score(ttr.compile_rules("europe", wager), {"players": [{"name": "Ada"}, {"name": "Bo"}]})
    lines = [text.strip() for text in sheet_text(scores, language).splitlines()]
    assert line in lines and "for Ada" in lines
    assert str(scores.players[0].terms["wager"].details[0].what) == "for seat 1"


def test_a_detail_names_what_the_ids_in_its_message_stand_for() -> None:
    inner = Message("in {city}", city="zurich")
    what = Message(
        "{routes} {inner}, {note}", routes=("berlin-wien-green", "paris-zurich-gray"), inner=inner, note="as built"
    )
    line = "Berlin–Wien and Paris–Zürich in Zürich, as built"
    tolls = made_plugin(
        "tolls", scoring=lambda rules: [ScoringTerm("tolls", lambda state, seat: Score(0, details=(Detail(what),)))]
    )
    scores = ttr.score(ttr.compile_rules("europe", tolls), {"players": [{"name": "Ada"}, {"name": "Bo"}]})
    for sheet in (scores, pickle.loads(pickle.dumps(scores))):  # with only the names that occur on it
        assert line in [text.strip() for text in sheet_text(sheet).splitlines()]
