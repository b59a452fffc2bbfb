"""Tickets that a player holds openly: everybody sees them, they stay with their seat in sampled worlds, and checks know them."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

import attrs
import pytest
from helpers import all_but, keep_all
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules import Action, Event, KeepTickets, State, Turn
from ttr_rules.clients import to_json, view_from_json
from ttr_rules.errors import HookTypeError, InvalidInputError, InvalidTableError, PluginError, SaveError
from ttr_rules.events import Unknown
from ttr_rules.hidden import missing, sampling
from ttr_rules.model import Route, TicketDeck
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Below,
    Choice,
    Confirm,
    Part,
    Question,
    Rules,
    Score,
    ScoringTerm,
    Stage,
    Transaction,
    Variant,
    by_seat,
    hookimpl,
    known,
    public,
    secret,
    tryfirst,
)
from ttr_rules.scores import completed
from ttr_tools.bots import play_game
from ttr_tools.narration import Narrator
from ttr_tools.narration.words import Names, list_fields
from ttr_tools.render import draw_view
from ttr_tools.testing import VariantError, check_variant


class Show(Action):
    """Show a ticket."""

    ticket: str


class ShowRule(ActionRule[Turn, Show]):
    """Any ticket may be shown, at any moment of the own turn."""

    free = True

    def offers(self, state: State, decision: Turn) -> Sequence[Show]:
        held = state.tickets[decision.seat]
        return [Show(decision.seat, ticket) for ticket in held if ticket not in state.open_tickets]

    def perform(self, tx: Transaction, decision: Turn, action: Show) -> None:
        tx.reveal_ticket(action.seat, action.ticket)


class Showing(Variant, name="showing"):
    """Tickets may be shown."""

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (ShowRule(),)


def shown(base: str = "europe", players: int = 3) -> ttr.Game:
    """A game in which the first player to move has shown the first ticket."""
    game = ttr.new_game(base, Showing, players=players, seed=4)
    while game.state.stage < len(game.rules.setup):
        for seat in game.to_act:
            game.play(game.legal_actions(seat)[-1])
    seat = game.to_act[0]
    game.play(Show(seat, game.state.tickets[seat][0]))
    return game


def test_everybody_sees_a_ticket_that_was_shown() -> None:
    game = shown()
    seat = game.to_act[0]
    ticket = game.state.tickets[seat][0]
    for viewer in (None, 0, 1, 2):
        view = game.view(viewer)
        assert (
            view.open_tickets == tuple((ticket,) if other == seat else () for other in range(3))
            and not view.tickets_revealed
        )
        assert view_from_json(game.rules, to_json(game.rules, view)) == view
    assert Show(seat, ticket) not in game.legal_actions(seat)
    narrator = Narrator(game.rules, ("Ada", "Bo", "Cy"))
    narrator.tell(game.events)
    assert [line.text for line in narrator.unfinished()] == ["Cy shows the ticket Cádiz–Stockholm 21 (long)."]


@pytest.mark.parametrize("base", ["europe", "germany-tickets", "switzerland"])
def test_an_open_ticket_stays_with_its_seat_in_sampled_worlds(base: str) -> None:
    game = shown(base)
    seat = game.to_act[0]
    ticket = game.state.tickets[seat][0]
    for viewer in {None, 0, 1, 2} - {seat}:
        hands: set[tuple[str, ...]] = set()
        for seed in range(12):
            world = ttr.determinize(game.view(viewer), game.rules, seed=seed)
            assert world.state.tickets[seat][0] == ticket and world.view(viewer) == game.view(viewer)
            assert [*map(len, world.state.tickets)] == [*map(len, game.state.tickets)]
            assert missing(world.state)["tickets"] == {}
            hands.add(world.state.tickets[seat])
        assert len(hands) > 6, "the other tickets are dealt anew"


def test_a_long_ticket_that_is_open_leaves_no_other_one_to_its_seat() -> None:
    game = ttr.new_game("europe", Showing, players=2, seed=4)
    for seat in (0, 1):
        game.play(ttr.KeepTickets(seat, game.decision(seat).tickets))  # type: ignore[union-attr]
    seat = game.to_act[0]
    kinds = game.rules.tickets
    long = next(ticket for ticket in game.state.tickets[seat] if kinds[ticket].kind == "long")
    game.play(Show(seat, long))
    for seed in range(20):
        held = ttr.determinize(game.view(1 - seat), game.rules, seed=seed).state.tickets[seat]
        assert [ticket for ticket in held if kinds[ticket].kind == "long"] == [long]


def test_a_game_with_open_tickets_is_saved_and_copied() -> None:
    game = shown()
    seat = game.to_act[0]
    ticket = game.state.tickets[seat][0]
    assert ttr.loads(ttr.dumps(game), rules=game.rules) == game
    assert game.state.copy().open_tickets == {ticket}
    other = game.state.copy()
    other.open_tickets = frozenset()
    assert other != game.state
    wrong = game.state.tickets[(seat + 1) % 3][0]
    text = ttr.dumps(game).replace(
        f'TicketRevealed","seat":{seat},"ticket":"{ticket}"', f'TicketRevealed","seat":{seat},"ticket":"{wrong}"'
    )
    assert text != ttr.dumps(game)
    with pytest.raises(SaveError, match=f"reveals the ticket '{wrong}', which seat {seat} does not hold"):
        ttr.loads(text, rules=game.rules)


def test_views_that_were_changed_by_hand_are_refused() -> None:
    game = shown()
    seat = game.to_act[0]
    other = (seat + 1) % 3
    view = game.view(other)
    ticket = view.open_tickets[seat][0]
    odd: list[tuple[tuple[str, ...], ...]] = [
        ((ticket,),) * 3,
        tuple(("nosuch",) if number == seat else () for number in range(3)),
        tuple((view.tickets[0],) if number == seat else () for number in range(3)),
        tuple(tuple(game.rules.tickets)[:9] if number == seat else () for number in range(3)),
    ]
    for tickets in odd:
        with pytest.raises(InvalidInputError):
            ttr.determinize(attrs.evolve(view, open_tickets=tickets), game.rules, seed=1)


def test_open_tickets_of_a_position() -> None:
    players = [{"tickets": [["Paris", "Wien"]], "open_tickets": [["Berlin", "Roma"]]}, {}]
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    assert game.view(1).open_tickets == (("berlin-roma",), ()) and game.view(1).ticket_counts == (2, 0)
    twice = [{"tickets": [["Paris", "Wien"]], "open_tickets": [["Paris", "Wien"]]}, {}]
    with pytest.raises(
        InvalidTableError, match=r"players\[0\]\.open_tickets\[0\]: paris-wien is already held or placed elsewhere"
    ):
        ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": twice})
    with pytest.raises(InvalidTableError, match="open_tickets"):  # at the end all are counted alike
        ttr.score(None, {"stack": ["europe"], "players": players})


def test_tickets_move_openly_from_hand_to_hand() -> None:
    players = [{"tickets": [["Paris", "Wien"]]}, {}]
    state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state
    tx = Transaction(state, [])
    with pytest.raises(PluginError, match="reveals the ticket 'paris-wien', which seat 1 does not hold"):
        tx.reveal_ticket(1, "paris-wien")
    tx.reveal_ticket(0, "paris-wien")
    tx.reveal_ticket(0, "paris-wien")
    assert len(tx.log or ()) == 1 and state.open_tickets == {"paris-wien"}
    state.give_ticket(1, state.take_ticket("paris-wien"))
    assert state.tickets == [(), ("paris-wien",)] and not state.open_tickets
    state.give_ticket(0, state.take_ticket("paris-wien"), open=True)
    assert state.tickets == [("paris-wien",), ()] and state.open_tickets == {"paris-wien"}


@pytest.mark.parametrize("seat", [-3, 3])
def test_nobody_shows_a_ticket_at_no_seat(seat: int) -> None:
    tx = Transaction(shown().state, [])
    with pytest.raises(PluginError, match=f"reveals the ticket 'paris-wien', which seat {seat} does not hold"):
        tx.reveal_ticket(seat, "paris-wien")
    assert not tx.log


def revealing(when: Callable[[State, int], Sequence[str]]) -> type[Variant]:
    """A variant that reveals one of some tickets by itself after a claim."""

    class Revealing(Variant, name="revealing"):
        """A leak."""

        @hookimpl
        def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
            for ticket in when(tx.state, seat)[:1]:
                tx.reveal_ticket(seat, ticket)

    return Revealing


def first_unless_another_is_short(state: State, seat: int) -> Sequence[str]:
    """The first ticket, unless another one in the hand is worth few points."""
    tickets = state.rules.tickets
    first, *others = state.tickets[seat]
    return () if any(tickets[other].points < 8 for other in others) else (first,)


@pytest.mark.slow
@pytest.mark.parametrize("when", [completed, first_unless_another_is_short])
def test_what_is_revealed_by_itself_tells_about_the_rest_of_a_hand(when: Callable[[State, int], Sequence[str]]) -> None:
    with pytest.raises(VariantError, match=r"\[secrets\].*reveal_ticket"):
        check_variant("europe", revealing(when), players=2, games=6, skip=all_but("secrets"))


# -- tickets that a seat cannot hold in secret -------------------------------------------------------------------


FIVE = ("berlin-roma", "brest-marseille", "london-wien", "paris-wien", "zurich-brindisi")


class Shown(Variant, name="shown", requires=("europe",)):
    """Five tickets; seats 1 and 2 would have shown two of them each."""

    @tryfirst
    @hookimpl
    def ticket_deck(self, below: Below[TicketDeck], board: ttr.Board) -> TicketDeck:
        return TicketDeck({"regular": [ticket for ticket in below().piles["regular"] if ticket.id in FIVE]})

    @tryfirst
    @hookimpl
    def setup(self, below: Below[tuple[Stage, ...]], board: ttr.Board) -> tuple[Stage, ...]:
        return ()

    @hookimpl
    def never_hidden(self, state: State, seat: int) -> Iterable[str]:
        return ((), FIVE[:2], FIVE[1:3])[seat]


def worlds_of(hands: Sequence[int], never: Sequence[Sequence[str]]) -> set[tuple[frozenset[str], ...]]:
    """Every way to deal hands of these sizes without the tickets that each cannot hold."""
    if not hands:
        return {()}
    return {
        (frozenset(hand), *others)
        for others in worlds_of(hands[1:], never[1:])
        for hand in combinations(FIVE, hands[0])
        if {*hand}.isdisjoint({*never[0]}.union(*others))
    }


@pytest.mark.slow
@pytest.mark.parametrize("most_deals", [0, sampling.MOST_DEALS])
def test_every_world_without_tickets_that_would_have_been_shown_is_equally_likely(
    monkeypatch: pytest.MonkeyPatch, most_deals: int
) -> None:
    monkeypatch.setattr(sampling, "MOST_DEALS", most_deals)  # with 0 as if few worlds were possible
    rules = ttr.compile_rules("europe", Shown)
    players = [{}, {"tickets": [FIVE[2], FIVE[3]]}, {"tickets": [FIVE[0]]}]
    view = ttr.arrange(rules, {"seed": 1, "players": players}).view(0)
    samples = Counter(
        tuple(map(frozenset, ttr.determinize(view, rules, seed).state.tickets[1:])) for seed in range(750)
    )
    possible = worlds_of((2, 1), (FIVE[:2], FIVE[1:3]))
    assert samples.keys() == possible and len(possible) == 5
    assert all(abs(count - 750 / len(possible)) < 42 for count in samples.values())


@pytest.mark.parametrize("most_deals", [0, sampling.MOST_DEALS])
def test_if_no_seat_can_hold_what_is_left_no_world_is_dealt(monkeypatch: pytest.MonkeyPatch, most_deals: int) -> None:
    monkeypatch.setattr(sampling, "MOST_DEALS", most_deals)
    rules = ttr.compile_rules("europe", Shown)
    players = [{"tickets": [FIVE[3], FIVE[4]]}, {"tickets": [FIVE[2]]}, {"tickets": [FIVE[0]]}]
    view = ttr.arrange(rules, {"seed": 1, "players": players}).view(0)
    assert ttr.determinize(view, rules, 1).state.tickets[1:] == [(FIVE[2],), (FIVE[0],)]
    wrong = attrs.evolve(view, ticket_counts=(2, 2, 1), ticket_pile_sizes={"regular": 0})
    with pytest.raises(InvalidInputError, match="fit this view and never_hidden of shown"):
        ttr.determinize(wrong, rules, 1)


class Obliged(Variant, name="obliged"):
    """Completed tickets are shown at once, after a claim and when they are kept."""

    says: ClassVar[Callable[[State, int], Iterable[str]]] = lambda state, seat: completed(
        state, seat, state.rules.tickets
    )

    def show(self, tx: Transaction, seat: int) -> None:
        for ticket in completed(tx.state, seat):
            tx.reveal_ticket(seat, ticket)

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        self.show(tx, seat)

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around(KeepTickets, after=lambda tx, action: self.show(tx, action.seat)),)

    @hookimpl
    def never_hidden(self, state: State, seat: int) -> Iterable[str]:
        return type(self).says(state, seat)


@pytest.mark.slow
@pytest.mark.thorough_but("europe")
@pytest.mark.parametrize("base", ["europe", "united-kingdom"])
def test_completed_tickets_that_are_always_shown_at_once_tell_nothing_more(base: str) -> None:
    """Tickets are in hands, views, worlds and saves; nothing that is paid depends on them."""
    skip = ("processes", "offers", "refusals", "numbers", "margins", "pictures", "tables", "planner")
    check_variant(base, Obliged, players=2, games=1, skip=skip)


@pytest.mark.slow
def test_a_ticket_that_is_not_shown_although_it_cannot_be_hidden_is_found() -> None:
    class Forgetful(Obliged, name="forgetful"):
        def show(self, tx: Transaction, seat: int) -> None:
            pass

    with pytest.raises(VariantError, match="cannot hold the ticket .* in secret, but it does"):
        check_variant("europe", Forgetful, players=2, games=2, skip=all_but("secrets"))


def test_what_cannot_be_hidden_may_not_depend_on_secrets() -> None:
    class Peeking(Obliged, name="peeking"):
        says = lambda state, seat: [  # noqa: E731
            ticket
            for ticket in state.rules.tickets
            if len({*state.tickets[1 - seat]} - state.open_tickets) > len(ticket) - 12
        ]

    with pytest.raises(VariantError, match="never_hidden"):
        check_variant("europe", Peeking, players=2, games=1, skip=all_but("secrets"))


def test_the_hook_must_give_ids_of_tickets() -> None:
    class Wrong(Obliged, name="wrong"):
        says = lambda state, seat: ["paris"]  # noqa: E731

    game = ttr.new_game("europe", Wrong, players=2, seed=1)
    with pytest.raises(HookTypeError, match="never_hidden of plugin 'wrong' must give ids of tickets, not 'paris'"):
        ttr.determinize(game.view(0), game.rules, 1)


# -- what is shown, and what may have been kept -------------------------------------------------------------------


OPEN = ("berlin-roma", "paris-wien", "zurich-brindisi")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "Tickets shown: Bo: Berlin–Roma 9"),
        pytest.param("de", "Offene Zielkarten: Bo: Berlin–Rom 9", marks=pytest.mark.slow),
    ],
)
def test_a_player_reads_which_tickets_are_shown(lang: str, line: str) -> None:
    game = ttr.arrange(
        None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo", "open_tickets": OPEN[:1]}]}
    )
    names = Names(game.rules, game.players, lang)
    assert [f"{field.label}: {field.text}" for field in list_fields(game.view(0), names)][:1] == [line]
    assert line.replace("Bo: ", "") in draw_view(game.view(0), game.rules, lang=lang).svg


class Sure(Confirm):
    """Asked after tickets are kept."""

    def chosen(self, tx: Transaction, option: bool) -> None:
        pass


class Asking(Variant, name="asking"):
    """Who has kept tickets is asked something."""

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around(KeepTickets, after=lambda tx, action: Sure(action.seat)),)


def test_the_tickets_that_were_kept_are_rather_not_those_shown_before() -> None:
    rules = ttr.compile_rules("europe", Asking)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"open_tickets": OPEN}, {}]})
    game.play(ttr.DrawTickets(0))
    game.play(KeepTickets(0, game.decision(0).tickets[:2]))  # type: ignore[union-attr]
    for seed in range(20):
        world = ttr.determinize(game.view(1), rules, seed)
        (kept,) = [item.action for item in world.state.todo if isinstance(item.action, KeepTickets)]
        assert len(kept.tickets) == 2 and not {*kept.tickets}.intersection(OPEN)


class Notes(Part):
    taken: list[tuple[str, ...]] = public(each=())
    holders: dict[str, int] = public(seats=True)


class Noted(Event):
    """Everybody has seen what a seat drew, or the game says so."""

    seat: int
    ticket: str

    def apply(self, state: State) -> None:
        raise NotImplementedError


class TicketNoted(Noted):
    def apply(self, state: State) -> None:
        state.part(Notes).taken[self.seat] += (self.ticket,)
        state.give_ticket(self.seat, state.take_ticket(self.ticket))


class HolderNoted(Noted):
    def apply(self, state: State) -> None:
        state.part(Notes).holders[self.ticket] = self.seat
        state.give_ticket(self.seat, state.take_ticket(self.ticket))


class GivenOpenly(Noted):
    def apply(self, state: State) -> None:
        state.part(Notes).taken[self.seat] += (self.ticket,)
        state.give_ticket(self.seat, state.take_ticket(self.ticket), open=True)


def giving(event: type[Noted]) -> type[Variant]:
    """A variant in which every seat gets the top ticket when the game starts."""

    class Giving(Variant, name="giving"):
        """Everybody gets a ticket."""

        @hookimpl
        def parts(self, rules: Rules) -> Iterable[type[Part]]:
            return (Notes,)

        @hookimpl
        def on_game_start(self, tx: Transaction) -> None:
            for seat in range(tx.state.players):
                tx.emit(event, seat, tx.state.ticket_pile[0])

    return Giving


@pytest.mark.parametrize("event", [TicketNoted, HolderNoted])
def test_a_public_field_does_not_name_a_ticket_in_a_hand_that_worlds_deal_elsewhere(event: type[Noted]) -> None:
    with pytest.raises(
        VariantError, match=r"\[secrets\] .*Notes\.(taken|holders) tells everybody that seat . holds .* open=True"
    ):
        check_variant("new-york", giving(event), players=2, games=1, skip=all_but("secrets"))


def test_a_public_field_may_name_a_ticket_that_is_open() -> None:
    check_variant("new-york", giving(GivenOpenly), players=2, games=1, skip=all_but("secrets"))


class Shelf(Part):
    tickets: list[tuple[str, ...]] = public(each=(), pool="tickets", key="shelf", help="The tickets on the shelf.")


class Shelved(Event):
    seat: int
    ticket: str

    def apply(self, state: State) -> None:
        state.part(Shelf).tickets[self.seat] += (state.take_ticket(self.ticket),)


class Shelves(Variant, name="shelves"):
    """Each seat has a ticket on its shelf."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Shelf,)

    @hookimpl
    def on_game_start(self, tx: Transaction) -> None:
        for seat in range(tx.state.players):
            tx.emit(Shelved, seat, tx.state.ticket_pile[0])


def test_each_seat_may_have_tickets_that_all_see_in_a_field() -> None:
    check_variant("new-york", Shelves, players=2, games=1, skip=all_but("secrets"))
    rules = ttr.compile_rules("europe", Shelves)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"shelf": [["Paris", "Wien"]]}, {}]})
    assert game.view(1).part(Shelf).tickets == [("paris-wien",), ()]
    assert ttr.determinize(game.view(1), rules, seed=3).state.part(Shelf) == game.state.part(Shelf)
    assert view_from_json(rules, to_json(rules, game.view(1))) == game.view(1)


@pytest.mark.slow
@pytest.mark.thorough_but("Shelves-2")
@pytest.mark.parametrize(("variant", "players"), [(Showing, 3), (Shelves, 2), (giving(GivenOpenly), 2)])
def test_open_tickets_pass_every_check(variant: type[Variant], players: int) -> None:
    check_variant("europe", variant, players=players, games=1, skip=["processes"])


class Bury(Choice[int]):
    """Which number is noted, in secret."""

    public = True

    def options(self, state: State) -> Sequence[int]:
        return range(20, 40)

    def chosen(self, tx: Transaction, option: int) -> None:
        tx.emit(Buried, self.seat, option)


class Buried(Event):
    seat: int
    number: int | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        """Nothing comes of it."""


class Burying(Variant, name="burying"):
    """A number is noted in secret after every claim, by a question that says it is public."""

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> Question:
        return Bury(seat)


def test_a_public_choice_does_not_hide_its_answer() -> None:
    with pytest.raises(
        VariantError,
        match=r"\[secrets\] .*Bury is public, .* the event .*Buried hides it in 'number': write secret_answer = True",
    ):
        check_variant("new-york", Burying, players=2, games=1, skip=all_but("secrets"))


class TicketDiscarded(Event):
    seat: int
    ticket: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.return_ticket(state.take_ticket(known(self.ticket)))


class TicketNamed(TicketDiscarded):
    """A ticket is discarded, and everybody sees which."""

    def apply(self, state: State) -> None:
        super().apply(state)
        state.part(Notes).taken[self.seat] += (known(self.ticket),)


def discarding(event: type[TicketDiscarded]) -> type[Variant]:
    """A variant in which every seat discards a ticket when the game starts."""

    class Discard(Choice[str]):
        """The ticket to discard."""

        sealed = True

        def options(self, state: State) -> Sequence[str]:
            return state.tickets[self.seat]

        def all_chosen(self, tx: Transaction, answers: Mapping[int, str]) -> None:
            for seat, ticket in answers.items():
                tx.emit(event, seat, ticket)

    class Discarding(Variant, name="discarding"):
        """Everybody discards a ticket."""

        @hookimpl
        def parts(self, rules: Rules) -> Iterable[type[Part]]:
            return (Notes,)

        @hookimpl
        def on_game_start(self, tx: Transaction) -> Question:
            return [Discard(seat) for seat in range(tx.state.players)]

    return Discarding


def test_a_ticket_may_be_discarded_in_secret() -> None:
    check_variant("new-york", discarding(TicketDiscarded), players=3, games=1, skip=all_but("secrets"))


def test_a_ticket_that_everybody_sees_afterwards_is_not_discarded_in_secret() -> None:
    with pytest.raises(VariantError, match=r"\[secrets\] .*TicketNamed hides 'ticket' from"):
        check_variant("new-york", discarding(TicketNamed), players=3, games=1, skip=all_but("secrets"))


# -- where all tickets are open ---------------------------------------------------------------------------------------

ALL_OPEN = plugin("all-open", components=lambda below, board: attrs.evolve(below(), open_tickets=True))


def test_what_is_open_to_all_cannot_be_shown_again() -> None:
    game = ttr.new_game("europe", Showing, ALL_OPEN, players=2, seed=1, first_seat=0)
    keep_all(game)
    assert game.state.open_tickets == {*game.state.tickets[0], *game.state.tickets[1]}
    assert not any(isinstance(action, Show) for action in game.legal_actions(0))
    game.play(ttr.DrawTickets(0))
    game.play(game.legal_actions(0)[0])
    assert game.state.open_tickets == {*game.state.tickets[0], *game.state.tickets[1]}
    assert all({*game.view(seat).open_tickets[0]} == {*game.state.tickets[0]} for seat in (0, 1, None))


@pytest.mark.slow
def test_tickets_are_open_to_all_without_a_set_up_too() -> None:
    class Bare(Variant, name="bare"):
        """Nobody is dealt tickets."""

        setup = tryfirst(hookimpl(lambda self, below, board: ()))

    for all_open in (False, True):
        game = ttr.new_game("switzerland", Bare, *([ALL_OPEN] if all_open else []), players=2, seed=1, first_seat=0)
        assert game.view(0).tickets_revealed == all_open
        game.play(ttr.DrawTickets(0))
        game.play(game.legal_actions(0)[0])
        assert game.view(1).open_tickets[0] == (game.state.tickets[0] if all_open else ())


def test_at_the_end_worlds_agree_about_open_tickets() -> None:
    players = [{"tickets": [["Paris", "Wien"]], "hand": {"white": 3}}, {"open_tickets": [["Berlin", "Roma"]]}]
    game = ttr.arrange(ttr.compile_rules("europe", Showing), {"seed": 1, "turns_left": 1, "players": players})
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    assert game.is_over and game.state.open_tickets == {"paris-wien", "berlin-roma"}
    for seat in (0, 1, None):
        world = ttr.determinize(game.view(seat), game.rules, 1)
        assert world.state.open_tickets == game.state.open_tickets and world.view(seat) == game.view(seat)


class Letters(Part):
    """The letter of each seat, which is read at the end."""

    held: list[tuple[str, ...] | Unknown] = by_seat(pool="letters")
    are_read: bool = public()

    def hides(self, field: str, owner: int | None, seat: int | None) -> bool:
        return not self.are_read and super().hides(field, owner, seat)

    def box(self, rules: Rules) -> Mapping[str, Iterable[str]]:
        return {"letters": "abcdefgh"}

    def set_up(self, tx: Transaction) -> None:
        for seat, letter in zip(range(tx.state.players), tx.shuffled("abcdefgh"), strict=False):
            tx.emit(LetterDealt, seat, letter)


class LetterDealt(Event):
    seat: int
    letter: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.part(Letters).held[self.seat] = (known(self.letter),)


class LettersRead(Event):
    letters: tuple[str, ...]

    def apply(self, state: State) -> None:
        state.part(Letters).are_read = True


class LetterVariant(Variant, name="letters"):
    """Secret letters are read when the game is over."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Letters,)

    @hookimpl
    def on_game_end(self, tx: Transaction) -> None:
        tx.emit(LettersRead, tuple(known(held)[0] for held in tx.state.part(Letters).held))


@pytest.mark.slow
@pytest.mark.thorough_but("more1")
@pytest.mark.parametrize("more", [(), (ALL_OPEN,)])
def test_the_end_of_a_game_may_reveal_secrets_also_if_tickets_lay_open(more: tuple[type[Variant], ...]) -> None:
    check_variant("europe", LetterVariant, *more, players=2, games=3, skip=all_but("secrets"))


def test_all_tickets_lie_open_in_a_table_to_score_as_at_the_end_of_a_game() -> None:
    def shown(state: State, seat: int) -> Score:
        assert state.revealed and state.open_tickets == {ticket for held in state.tickets for ticket in held}
        return Score(sum(2 for ticket in completed(state, seat) if ticket in state.open_tickets))

    showing = plugin("showing", scoring=lambda rules: (ScoringTerm("shown", shown),))
    ada = {"name": "Ada", "routes": ["Paris–Dieppe"], "tickets": [["Paris", "Dieppe", 3], ["Paris", "Wien"]]}
    sheet = ttr.score(ttr.compile_rules("europe", showing), {"players": [ada, {"name": "Bo"}]})
    assert [player.terms["shown"].points for player in sheet.players] == [2, 0]

    game = ttr.new_game("europe", showing, players=2, seed=1)
    play_game(game)
    assert game.final_scores is not None and game.state.revealed


@pytest.mark.parametrize("base", ["europe", "mega-europa"])
@pytest.mark.parametrize(("players", "held", "allowed"), [(2, 3, 6), (3, 3, 4), (5, 2, 2), (5, 3, 6)])
def test_a_world_is_found_however_few_tickets_a_seat_can_hide(base: str, players: int, held: int, allowed: int) -> None:
    def all_but_few(state: State, seat: int) -> Iterable[str]:
        ids = list(state.rules.tickets)
        return set(ids) - set(ids[seat * allowed : (seat + 1) * allowed])

    rules = ttr.compile_rules(base, plugin("few", never_hidden=all_but_few))
    ids = list(rules.tickets)
    tickets = [ids[seat * allowed : seat * allowed + held] for seat in range(players)]
    game = ttr.arrange(rules, {"seed": 1, "players": [{"tickets": few} for few in tickets]})
    for seed in range(5):
        world = ttr.determinize(game.view(0), rules, seed)
        for seat in range(1, players):
            assert not {*world.state.tickets[seat]} & {*all_but_few(world.state, seat)}
