"""What waits for the answer to a question: views show it as far as a seat may know it, and sampled worlds go on with it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations_with_replacement
from math import comb
from random import Random

import pytest
from attrs import evolve
from helpers import all_but, arranged, rules_of
from hypothesis import given, settings, strategies as st
from playing import PLAYED, check_state
from plugins import excursions
from plugins.made import giving, plugin

import ttr_rules as ttr
from ttr_rules import Event, State, determinize
from ttr_rules.actions import ClaimRule, economy_of
from ttr_rules.clients import to_json, view_from_json
from ttr_rules.engine import refusal
from ttr_rules.errors import InvalidInputError, SaveError
from ttr_rules.events import Asked, Unknown
from ttr_rules.hidden import missing
from ttr_rules.model import AnnounceMix, Dealer, Decision, HiddenAction, HiddenDecision, TicketSetup, ToDo
from ttr_rules.model.decisions import replace
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Choice,
    Part,
    Question,
    Rules,
    Transaction,
    Variant,
    by_seat,
    hookimpl,
    known,
    public,
    secret,
)
from ttr_rules.train_cards import DrawBlind, DrawFaceUp, TrainCards
from ttr_rules.train_cards.multisets import hand_with
from ttr_tools.testing import VariantError, check_variant
from ttr_variants.europe import BuildStation


class Nod(Choice[int]):
    """A question that changes nothing."""

    public = True

    def options(self, state: State) -> Sequence[int]:
        return (1, 2)

    def chosen(self, tx: Transaction, option: int) -> None:
        """The game goes on."""


class Wink(Nod):
    """Another one."""


class Guess(Choice[int]):
    """A secret number of each seat, asked of all at once before the first turn, and opened when all have guessed."""

    public = True
    concurrent = True

    def options(self, state: State) -> Sequence[int]:
        return range(10)

    def chosen(self, tx: Transaction, option: int) -> None:
        tx.emit(Guessed, self.seat, option)
        if all(tx.state.part(Guesses).made):
            tx.emit(GuessesOpened)


class Guesses(Part):
    made: list[tuple[int, ...] | Unknown] = by_seat()

    def redeal(self, view: ttr.View, dealer: Dealer, world: State) -> None:
        for seat, made in enumerate(self.made):
            if isinstance(made, Unknown):
                self.made[seat] = (dealer.below(10),) if made.count else ()


class Guessed(Event):
    seat: int
    guess: int | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.part(Guesses).made[self.seat] = (known(self.guess),)


class GuessesOpened(Event):
    reveals = Guess

    def apply(self, state: State) -> None:
        state.part(Guesses).made = [() for _ in range(state.players)]


class Asking(Variant, name="asking"):
    """Asking: the next seat is asked before every action, the seat itself and then all are asked after it."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Guesses,)

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        watched = (
            ttr.ClaimRoute, ttr.KeepTickets, ttr.DrawTickets, ttr.Pass, AnnounceMix, DrawBlind, DrawFaceUp,
            BuildStation, Guess.action, excursions.KeepPostcard,
        )  # fmt: skip
        for kind in watched:
            yield Around(kind, before=self.seat_after, after=self.seat_itself)
            yield Around(kind, after=self.everybody)
        yield Around(Nod.action, after=self.again)

    def seat_after(self, tx: Transaction, action: ttr.Action) -> Question:
        return Nod((action.seat + 1) % tx.state.players)

    def seat_itself(self, tx: Transaction, action: ttr.Action) -> Question:
        return Nod(action.seat)

    def everybody(self, tx: Transaction, action: ttr.Action) -> Question:
        return [Wink(seat) for seat in range(tx.state.players)]

    def again(self, tx: Transaction, action: ttr.Action) -> Question | None:
        return Wink(action.seat) if getattr(action, "option", 1) == 2 else None

    @hookimpl
    def on_deal(self, tx: Transaction) -> Question:
        return [Nod(seat) for seat in range(tx.state.players)]

    @hookimpl
    def on_game_start(self, tx: Transaction) -> Question:
        return [Guess(seat) for seat in range(tx.state.players)]

    @hookimpl
    def on_round_start(self, tx: Transaction, number: int) -> Question:
        return Wink(number % tx.state.players)

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> Question:
        return Nod(seat)

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> Question:
        return Nod(seat)

    @hookimpl
    def on_turn_end(self, tx: Transaction, seat: int) -> Question:
        return Nod(seat)

    @hookimpl
    def on_game_end(self, tx: Transaction) -> Question:
        return Wink(0)


#: The official stacks cover all economies, set-ups with several stages, and tickets that are mixed.
BOARDS = (
    ("europe",), ("europe", excursions), ("mega-europa",), ("germany-tickets",), ("pennsylvania",),
    ("united-kingdom",), ("europe", "dice"),
)  # fmt: skip


def moments(game: ttr.Game, random: Random) -> Iterator[None]:
    """The moments of a game at which something waits."""
    while game.to_act:
        if game.state.todo:
            yield
        choices = game.legal_actions(random.choice(game.to_act))
        game.play(choices[random.randrange(len(choices))])


def play_on(world: ttr.Game, random: Random, *, to_the_end: bool) -> None:
    """Answer what is asked until nothing waits, or until the game is over."""
    while world.to_act and (to_the_end or world.state.todo):
        choices = world.legal_actions(random.choice(world.to_act))
        world.play(choices[random.randrange(len(choices))])


def check_world(game: ttr.Game, seat: int | None, random: Random) -> ttr.Game:
    """A world sampled for a seat waits for the same, and whatever waits can be done."""
    view = game.view(seat)
    world = determinize(view, game.rules, random.randrange(2**32))
    assert world.view(seat) == view
    assert missing(world.state) == missing(game.state)
    check_state(world.state)
    for mine, theirs in zip(game.state.todo, world.state.todo, strict=True):
        assert [type(each) for each in theirs.pending] == [type(each) for each in mine.pending]
        assert known_to_all(theirs) == known_to_all(mine)
        if theirs.hook == "before":
            before = world.state
            before.pending = theirs.pending
            assert theirs.action is not None and refusal(before, theirs.action) is None
    return world


def known_to_all(item: ToDo) -> tuple[object, ...]:
    """What everybody knows of something that waits."""
    return item.hook, item.after, item.seat, item.what


@pytest.mark.slow
@pytest.mark.thorough_but("europe+plugins.excursions")
@pytest.mark.parametrize("stack", BOARDS, ids=lambda stack: "+".join(getattr(each, "__name__", each) for each in stack))
@given(seed=st.integers(0, 2**32))
@settings(PLAYED, max_examples=1)
def test_worlds_of_whole_games_go_on_with_what_waits(stack: tuple[object, ...], seed: int) -> None:
    rules, random = ttr.compile_rules(*stack, Asking), Random(seed)
    game = ttr.new_game(rules=rules, players=3, seed=seed)
    waited: Counter[str] = Counter()
    for _ in moments(game, random):
        if random.random() < 0.08 or not all(waited[item.hook] for item in game.state.todo):
            world = check_world(game, random.choice([None, 0, 1, 2]), random)
            play_on(world, random, to_the_end=random.random() < 0.05)
            waited.update(item.hook for item in game.state.todo)
    hooks = {"on_deal", "on_game_start", "on_round_start", "on_turn_start", "on_claim", "on_turn_end"}
    assert {"before", "after", *hooks} <= waited.keys()


# -- claims --------------------------------------------------------------------------------------------------------

CLAIM = ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 2, "locomotive": 1})


def asked_before_a_claim() -> ttr.Game:
    hand = {"white": 2, "locomotive": 1, "red": 3}
    game = ttr.arrange(ttr.compile_rules("europe", Asking), {"seed": 1, "players": [{"hand": hand}, {}, {}]})
    game.play(Nod(0).choose(1))
    game.play(CLAIM)
    return game


def announced(game: ttr.Game) -> ToDo | None:
    """What others see in the last question of what waits for its answer."""
    asked = game.last_move.events[-1].seen_by(1).event
    assert isinstance(asked, Asked)
    return None if isinstance(asked.todo, Unknown) else asked.todo[-1]


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_a_claim_that_waits_is_made_in_every_world(seat: int | None) -> None:
    game = asked_before_a_claim()
    for seed in range(20):
        world = determinize(game.view(seat), game.rules, seed)
        hand = ttr.cards(world.state).hands[0]
        assert hand.total == 6 and hand["white"] >= 2 and hand["locomotive"] >= 1
        world.play(Nod(1).choose(1))
        assert world.state.owners == {CLAIM.route: 0}


def test_who_cannot_see_a_hand_still_sees_the_payment_on_the_table() -> None:
    game = asked_before_a_claim()
    (item,) = game.view(1).todo
    assert item == game.state.todo[0] and item.action == CLAIM
    assert announced(game) == ToDo("before", seat=0, action=CLAIM)


class Again(Decision):
    """Claim a route before the one that was announced."""

    public = True


class ClaimAgain(ClaimRule[Again]):
    """The rule for that claim."""


def test_a_hand_can_pay_for_each_of_two_claims_that_wait() -> None:
    def before(tx: Transaction, claim: ttr.ClaimRoute) -> Question:
        return Again(claim.seat) if isinstance(tx.state.decision(claim.seat), ttr.Turn) else Nod(1)

    asking = plugin(
        "again", (), __name__, actions=lambda rules: [ClaimAgain()],
        around=lambda rules: [Around(ttr.ClaimRoute, before=before)],
    )  # fmt: skip
    game = arranged(ttr.compile_rules("europe", asking), {"hand": {"white": 3, "red": 3, "blue": 2}}, {})
    first = ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3})
    game.play(first)
    claims = [action for action in game.legal_actions(0) if isinstance(action, ttr.ClaimRoute)]
    second = next(claim for claim in claims if "red" in claim.payment)
    game.play(second)
    assert [item.action for item in game.state.todo] == [first, second]
    for seed in range(20):
        hand = ttr.cards(determinize(game.view(1), game.rules, seed).state).hands[0]
        assert hand.total == 8 and hand["white"] >= 3 and hand["red"] >= second.payment["red"]


@pytest.mark.parametrize(
    ("cards", "least", "size"), [((3, 2, 4), (1, 0, 1), 4), ((2, 2), (2, 0), 3), ((4, 0, 3), (0, 0, 2), 3)]
)
def test_every_hand_that_can_pay_is_equally_likely(cards: Sequence[int], least: Sequence[int], size: int) -> None:
    dealer, drawn = Dealer(1), 4000
    dealt = Counter(tuple(hand_with(cards, least, size, dealer) or ()) for _ in range(drawn))
    ways = {hand: 1 for hand in dealt}
    for hand in ways:
        assert sum(hand) == size and all(
            low <= here <= most for low, here, most in zip(least, hand, cards, strict=True)
        )
        for count, here in zip(cards, hand, strict=True):
            ways[hand] *= comb(count, here)
    for hand, seen in dealt.items():
        expected = drawn * ways[hand] / sum(ways.values())
        assert abs(seen - expected) < 5 * expected**0.5


def test_a_payment_that_no_unseen_hand_can_make_is_refused_when_the_world_goes_on() -> None:
    """As a view that was changed by hand may say: its seat decides again."""
    game = asked_before_a_claim()
    view = game.view(1)
    (item,) = view.todo
    changed = replace_todo(
        view, ToDo("before", item.after, 0, item.what, item.pending, replace(CLAIM, payment={"white": 9}))
    )
    world = determinize(changed, game.rules, 1)
    world.play(Nod(1).choose(1))
    assert world.decision(0) == ttr.Turn(0) and world.state.owners == {}


# -- secrets -------------------------------------------------------------------------------------------------------


def begun(*plugins: object) -> ttr.Game:
    """A game in which the first tickets are to be chosen."""
    game = ttr.new_game("europe", *plugins, players=3, seed=1)
    for seat in (0, 1, 2):
        if isinstance(game.decision(seat), Nod):  # at the deal
            game.play(Nod(seat).choose(1))
    return game


def test_tickets_that_a_seat_is_about_to_keep_are_its_secret() -> None:
    game = begun(Asking)
    action = game.legal_actions(0)[0]
    game.play(action)
    assert game.view(0).todo[0].action == action
    for seat in (1, 2, None):
        (item,) = game.view(seat).todo
        assert item.action == HiddenAction(0, "KeepTickets")
        assert item.pending[0] == HiddenDecision(0, "TicketSetup", 4)
        kept = set()
        for seed in range(20):
            (waiting,) = determinize(game.view(seat), game.rules, seed).state.todo
            setup = waiting.pending[0]
            assert isinstance(waiting.action, ttr.KeepTickets) and isinstance(setup, TicketSetup)
            assert set(waiting.action.tickets) <= set(setup.tickets)
            kept.add(len(waiting.action.tickets))
        assert kept == {2, 3, 4}


def test_how_many_tickets_were_kept_is_told_once_all_have_chosen() -> None:
    game = begun(Asking)
    counts = []
    for seat in (0, 1, 2):
        game.play(game.legal_actions(seat)[0])
        game.play(game.legal_actions((seat + 1) % 3)[0])
        assert isinstance(game.state.todo[-1].action, ttr.KeepTickets)
        counts += [item.action.count for item in game.view(None).todo if isinstance(item.action, HiddenAction)]
        while isinstance(game.state.todo[-1].action if game.state.todo else None, ttr.KeepTickets):
            game.play(game.legal_actions(game.to_act[0])[0])
    assert counts == [None, None, 2]


def test_a_sealed_answer_stays_sealed_while_a_question_comes_before_it() -> None:
    game = begun(Asking)
    while not isinstance(game.decision(0), Guess):
        game.play(game.legal_actions(game.to_act[0])[0])
    game.play(Guess(0).choose(7))
    assert game.view(0).todo[-1].action == Guess(0).choose(7)
    assert game.view(1).todo[-1].action == HiddenAction(0, "ChooseGuess")
    worlds = [determinize(game.view(1), game.rules, seed) for seed in range(30)]
    guesses = {world.state.todo[-1].action for world in worlds}
    assert len(guesses) > 5 and guesses <= {Guess(0).choose(number) for number in range(10)}


class Whisper(ttr.Action):
    """An action with a secret field."""

    word: str | Unknown = secret("seat")


class Whispers(Variant, name="whispers"):
    """Whispers: a word to oneself, in place of a turn."""

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[WhisperRule]:
        return (WhisperRule(),)

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (
            Around(Whisper, before=lambda tx, action: Nod(1), after=lambda tx, action: Nod(1)),
            Around(Whisper, after=lambda tx, action: Nod(1)),
        )


class WhisperRule(ActionRule[ttr.Turn, Whisper]):
    def offers(self, state: State, decision: ttr.Turn) -> Sequence[Whisper]:
        return [Whisper(decision.seat, word) for word in ("red", "blue")]

    def perform(self, tx: Transaction, decision: ttr.Turn, action: Whisper) -> None:
        """The turn is over."""


def test_a_secret_field_hides_an_action_and_what_nobody_can_make_up_stays_hidden() -> None:
    game = ttr.arrange(ttr.compile_rules("europe", Whispers), {"seed": 1, "players": [{}, {}]})
    game.play(Whisper(0, "red"))
    assert game.view(1).todo[0].action == HiddenAction(0, "Whisper") and announced(game) is None
    assert {determinize(game.view(1), game.rules, seed).state.todo[0].action for seed in range(9)} == {
        Whisper(0, "red"),
        Whisper(0, "blue"),
    }
    game.play(Nod(1).choose(1))
    world = determinize(game.view(1), game.rules, 1)
    assert world.state.todo[0].action == HiddenAction(0, "Whisper"), "it has been done, and nothing says what it was"
    world.play(Nod(1).choose(1))
    assert world.decision(1) == ttr.Turn(1)


# -- clients and the kit -------------------------------------------------------------------------------------------


def test_clients_read_what_waits() -> None:
    game = begun(Asking)
    game.play(game.legal_actions(0)[0])
    for seat in (0, 1, None):
        view = game.view(seat)
        assert view_from_json(game.rules, to_json(game.rules, view)) == view


def replace_todo(view: ttr.View, *items: ToDo) -> ttr.View:
    return evolve(view, todo=items)


@pytest.mark.parametrize(
    ("item", "problem"),
    [
        (ToDo("afterwards"), "no hook or step is called 'afterwards'"),
        (ToDo("on_claim", "", 0, "nowhere"), "has no route 'nowhere'"),
        (ToDo("on_turn_end", "nobody", 0), "'nobody' has no method on_turn_end"),
        (ToDo("turn", "", 7), "no seat 7"),
        (ToDo("before", "asking", 0, "1"), "it has no action of seat 0"),
        (ToDo("on_turn_start", "asking", -1), "no seat -1"),
        (ToDo("before", "asking", 0, "1", (), CLAIM), "seat 0 was asked nothing"),
        (ToDo("after", "asking", 0, "x", (), CLAIM), "'x' is not the number of a question"),
        (ToDo("after", "asking", 0, "1" * 9, (), CLAIM), "is not the number of a question"),
        (ToDo("before", "asking", 0, "1", (HiddenDecision(0, "Fly"),), CLAIM), "has no decision 'Fly'"),
    ],
)
def test_what_cannot_go_on_is_told(item: ToDo, problem: str) -> None:
    game = asked_before_a_claim()
    with pytest.raises(InvalidInputError, match=problem):
        determinize(replace_todo(game.view(1), item), game.rules, 1)


@pytest.mark.parametrize(
    "changes", [{"hook": "on_turn_end", "after": "nobody"}, {"hook": "turn", "seat": 9}, {"what": "x"}, {"pending": []}]
)
def test_a_saved_game_that_cannot_go_on_is_refused(changes: dict[str, object]) -> None:
    game = asked_before_a_claim()
    document = json.loads(ttr.dumps(game))
    asked = document["moves"][-1]["events"][-1]
    assert ttr.loads(json.dumps(document), rules=game.rules).state.todo == game.state.todo != ()
    asked["todo"][-1].update(changes)
    with pytest.raises(SaveError, match=r"the events of this game do not fit together: todo\[0\]: "):
        ttr.loads(json.dumps(document), rules=game.rules)


HIDDEN = {"type": "core.HiddenDecision", "kind": "Turn", "count": None}


@pytest.mark.parametrize("changes", [{"seat": -1}, HIDDEN])
@pytest.mark.parametrize("waits", [False, True])
def test_a_saved_game_in_which_nobody_is_asked_is_refused(changes: dict[str, object], waits: bool) -> None:
    game = asked_before_a_claim()
    document = json.loads(ttr.dumps(game))
    asked = document["moves"][-1]["events"][-1]
    (asked["todo"][-1]["pending"] if waits else asked["decisions"])[0].update(changes)
    with pytest.raises(SaveError, match="is asked of nobody"):
        ttr.loads(json.dumps(document), rules=game.rules)


class Peek(Choice[str]):
    """Which of some words to say; they are secret."""

    language: str = "English"

    def options(self, state: State) -> Sequence[str]:
        return {"English": ("yes", "no")}[self.language]

    def chosen(self, tx: Transaction, option: str) -> None:
        """The game goes on."""


class Peeking(Part):
    def sample_decision(self, hidden: HiddenDecision, view: ttr.View, dealer: Dealer, rules: Rules) -> Peek | None:
        if hidden.kind != "Peek":
            return None
        return Peek(hidden.seat, "English" if hidden in view.pending else "Elvish")


class Wonder(ttr.Action):
    """Say a word, in place of a turn."""


class WonderRule(ActionRule[ttr.Turn, Wonder]):
    def offers(self, state: State, decision: ttr.Turn) -> Sequence[Wonder]:
        return [Wonder(decision.seat)]

    def perform(self, tx: Transaction, decision: ttr.Turn, action: Wonder) -> Question:
        return Peek(action.seat)


class Peeks(Variant, name="peeks"):
    """Peeks: a nod before a secret word; while the word waits, its part makes up a question that raises an error."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Peeking,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[WonderRule]:
        return (WonderRule(),)

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around(Wonder, after=lambda tx, action: Nod(action.seat)),)


def test_the_kit_tells_of_a_world_that_cannot_go_on() -> None:
    with pytest.raises(VariantError, match=r"world that determinize deals for .* cannot go on .*Elvish"):
        check_variant("europe", Peeks, players=2, games=1, skip=all_but("secrets"))


@pytest.mark.thorough
def test_the_kit_samples_worlds_that_wait() -> None:
    """What waits is asked about, dealt anew, copied, sent and saved; what may be paid and how bots play stays as it is."""
    sampled = all_but("course", "counts", "values", "events", "copies", "secrets", "saving", "replay", "clients")
    check_variant("germany-tickets", Asking, players=2, games=1, skip=sampled)


def test_nothing_waits_in_an_ordinary_game() -> None:
    game = ttr.new_game(rules=rules_of("europe"), players=2, seed=1)
    assert not list(chain(*(game.view(seat).todo for seat in (0, 1, None))))


class PickCards(Choice[tuple[str, ...]]):
    """Two cards of the hand, chosen by all in secret."""

    public = True
    secret_answer = True
    sealed = True

    def options(self, state: State) -> Sequence[tuple[str, ...]]:
        hand = ttr.cards(state).hands[self.seat]
        pairs = combinations_with_replacement(hand, min(2, hand.total))
        return [pair for pair in pairs if all(pair.count(card) <= hand[card] for card in pair)]

    def all_chosen(self, tx: Transaction, answers: Mapping[int, tuple[str, ...]]) -> None:
        for seat, some in sorted(answers.items()):
            gift = ttr.Counts(Counter(some))
            economy_of(tx.rules.economy, TrainCards).give(tx, seat, (seat + 1) % tx.state.players, gift)


class Handing(Variant, name="handing"):
    """Handing: after every third round everybody hands two cards to the left."""

    @hookimpl
    def on_turn_end(self, tx: Transaction, seat: int) -> Question:
        state = tx.state
        asked = state.ends_round and state.round % 3 == 0
        return [PickCards(each) for each, size in enumerate(ttr.cards(state).hand_sizes) if asked and size]


@pytest.mark.slow
def test_cards_that_all_hand_over_in_secret_stay_in_hand_in_the_worlds_that_are_compared() -> None:
    assert check_variant("europe", Handing, players=[2, 4], games=1, skip=all_but("secrets")).games == 2


class Offer(Choice[str]):
    """A question that shows that its seat holds a card of a kind."""

    public = True
    card: str

    def options(self, state: ttr.State) -> Sequence[str]:
        return ("yes", "no")

    def chosen(self, tx: Transaction, option: str) -> None: ...


class Offered(Part):
    def fits(self, state: ttr.State) -> bool:
        hands = ttr.cards(state).hands
        return all(hands[asked.seat][asked.card] for asked in state.pending if isinstance(asked, Offer))


def test_worlds_fit_what_a_question_shows() -> None:
    variant = plugin(
        "offering",
        (),
        __name__,
        parts=giving([Offered]),
        on_turn_end=lambda tx, seat: Offer(1 - seat, "white") if not seat else (),
    )
    table = {"seed": 1, "players": [{}, {"hand": {"white": 1, "red": 3}}]}
    game = ttr.arrange(ttr.compile_rules("europe", variant), table)
    game.play(ttr.DrawBlind(0))
    game.play(ttr.DrawBlind(0))
    assert isinstance(game.decision(1), Offer)
    view = game.view(0)
    for seed in range(20):
        world = ttr.determinize(view, game.rules, seed).state
        assert ttr.cards(world).hands[1]["white"] and world.decision(1) == game.decision(1)


class Known(Part):
    """Everybody knows that the first seat holds one of some tickets, or none of them."""

    one_of: tuple[str, ...] = public(default=())
    none_of: bool = public(default=False)

    def fits(self, state: ttr.State) -> bool:
        return bool({*self.one_of} & {*state.tickets[0]}) is not self.none_of


@pytest.mark.parametrize("none_of", [False, True])
def test_worlds_fit_what_all_know_of_hands(none_of: bool) -> None:
    rules = ttr.compile_rules("north-america", plugin("known", parts=giving([Known])))
    game = ttr.new_game(rules=rules, players=2, seed=1)
    while game.state.stage < len(rules.setup):
        game.play(game.legal_actions(game.to_act[0])[0])
    held = game.state.tickets[0]
    others = [ticket for ticket in rules.tickets if ticket not in held and ticket not in game.state.tickets[1]]
    state = game.state  # a copy
    part = state.part(Known)
    part.one_of, part.none_of = tuple(others[:12] if none_of else [*held, *others[:4]]), none_of
    view = ttr.Game(state, game.players, game.seed, game.moves).view(1)
    worlds = [ttr.determinize(view, rules, seed) for seed in range(20)]
    assert all(world.state.part(Known).fits(world.state) for world in worlds)
    assert len({world.state.tickets[0] for world in worlds}) > 5
