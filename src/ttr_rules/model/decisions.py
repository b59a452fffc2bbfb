"""Decisions that a seat has to make, and the actions that answer them. A game is over if and only if none is pending.

They are values: a subclass declares its fields, and that makes it a frozen class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, TypeVar, cast, dataclass_transform

import attrs
from attrs import field, frozen

from ttr_rules.errors import InvalidInputError, PluginError, Refusal
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts, Unknown
from ttr_rules.text import brief

T = TypeVar("T")
V = TypeVar("V", bound="Value")

#: The key of a field's metadata that makes it secret.
SECRET = "secret"  # noqa: S105 (a key, not a password)


def secret(*to: str, counted: bool = True) -> Any:
    """A field of an event, annotated `X | Unknown`, that only the seats in the fields `to` see.

    Without `to` no seat sees it. With `counted=False` not even the number of items is shown. An action with a secret
    field is hidden from other seats while it waits for the answer to a question.

    >>> from ttr_rules import Event
    >>> class PostcardDrawn(Event):
    ...     seat: int
    ...     card: str | Unknown = secret("seat")
    >>> PostcardDrawn(0, "Lisboa").seen_by(1)
    SeenEvent(PostcardDrawn(seat=0, card=Unknown(count=1)))
    """
    return field(repr=brief, metadata={SECRET: (to, counted)})


def known(value: T | Unknown) -> T:
    """A value that is visible here, as in `Event.apply`. Raises `PluginError` for an `Unknown`.

    >>> known("red")
    'red'
    """
    if isinstance(value, Unknown):
        raise PluginError("this value is hidden from whoever asks for it")
    return value


@dataclass_transform(frozen_default=True, field_specifiers=(secret, field))
class Value:
    """The base of actions, decisions and events: frozen, compared by their fields, made by subclassing alone."""

    if TYPE_CHECKING:  # what attrs adds
        __attrs_attrs__: ClassVar[Any]
        __match_args__: ClassVar[tuple[str, ...]]

        def __attrs_init__(self, *values: object) -> None: ...

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__attrs_attrs__" in vars(cls):  # a class with slots is created twice
            raise PluginError(f"{cls.__name__} needs no decorator: leave out @frozen or @define")
        attrs.frozen(slots=False)(cls)


def replace(value: V, /, **changes: object) -> V:
    """A copy of a value with other fields.

    >>> from ttr_rules import DrawBlind
    >>> replace(DrawBlind(0), seat=1)
    DrawBlind(seat=1)
    """
    changed: V = attrs.evolve(cast("Any", value), **changes)
    return changed


class Decision(Value):
    """Something that a seat has to decide now. Plugins add their own.

    Its fields are visible to that seat only, unless the class sets `public = True`. Then its answer is public too, unless an
    event has yet to reveal it (`Event.reveals`), or the class sets `secret_answer = True`.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> type(game.decision(0)).__name__, type(game.decision(0).seen_by(1)).__name__
    ('TicketSetup', 'HiddenDecision')
    >>> [decision.seat for decision in game.state.pending]
    [0, 1]
    """

    #: True if all players may see all fields, and the answer. Otherwise the others see a `HiddenDecision`.
    public: ClassVar[bool] = False

    #: With `public`: True if the answer stays its seat's secret. Everybody sees what is asked, not what is answered.
    secret_answer: ClassVar[bool] = False

    #: The prompt for people, with the decision's fields in braces: "Which dice do you roll again? They show {faces}."
    message: ClassVar[str | None] = None

    #: The words for `Pass` in a menu, such as `marked("Build nothing")`, if passing is an answer. None if it is not.
    passing: ClassVar[str | None] = None

    #: True if it is asked after the other questions of a list, and by itself: an answer may take the last card or route.
    one_at_a_time: ClassVar[bool] = False

    #: True if actions of other seats cannot affect the answer, as when all choose at once: see `Game.moment`.
    concurrent: ClassVar[bool] = False

    seat: int

    def pass_refusal(self, state: Any) -> Refusal | None:
        """With `passing`, the refusal if the seat may not pass in this `State`, or None, the default, if it may."""
        return None

    def on_pass(self, tx: Any) -> Question | None:
        """With `passing`: what follows a pass, by this `Transaction`. What it returns is asked next."""
        return None

    def seen_by(self, seat: int | None) -> Decision:
        """The decision as `seat` may see it. None is a spectator."""
        return self if self.public or seat == self.seat else HiddenDecision(self.seat, type(self).__name__)


class HiddenDecision(Decision):
    """A decision of another seat: it shows only the `kind`, the name of its class.

    `count` is how many tickets it is about, if it is about tickets: the number is public.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> game.view(1).pending[0]
    HiddenDecision(seat=0, kind='TicketSetup', count=4)
    """

    public = True

    kind: str
    count: int | None = None


class TicketSetup(Decision):
    """Choose the tickets to keep of those dealt at set-up. All seats decide simultaneously (S7).

    `stage` counts the rounds of dealing from 0: most games have one. The tickets are secret to the seat.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> for seat in game.to_act:
    ...     decision = game.decision(seat)
    ...     assert isinstance(decision, TicketSetup)
    ...     _ = game.play(ttr.KeepTickets(seat, decision.tickets))
    >>> game.state.turn_number
    1
    """

    concurrent = True

    tickets: tuple[str, ...]
    stage: int = 0

    def seen_by(self, seat: int | None) -> Decision:
        return self if seat == self.seat else HiddenDecision(self.seat, type(self).__name__, len(self.tickets))


class Turn(Decision):
    """Take exactly one action (S8).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Isambard"}]})
    >>> game.decision(0), game.decision(1)
    (Turn(seat=0), None)
    >>> _ = game.play(ttr.DrawTickets(0))
    >>> isinstance(game.decision(0), Turn)
    False
    """

    public = True
    one_at_a_time = True


class TicketChoice(Decision):
    """Choose the tickets to keep of those just drawn (K1). The tickets are secret to the seat.

    >>> from ttr_rules import arrange
    >>> game = arrange(None, {"stack": ["europe"], "seed": 1, "players": [{}, {}]})
    >>> _ = game.play(DrawTickets(0))
    >>> game.decision(0).tickets, game.view(1).pending
    (('zurich-brindisi', 'paris-wien', 'zurich-budapest'), (HiddenDecision(seat=0, kind='TicketChoice', count=3),))
    """

    one_at_a_time = True

    tickets: tuple[str, ...]

    def seen_by(self, seat: int | None) -> Decision:
        return self if seat == self.seat else HiddenDecision(self.seat, type(self).__name__, len(self.tickets))


class TicketMix(Decision):
    """Choose how many tickets to draw from each of several piles, `count` in all.

    `stage` is None except at set-up.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("germany-tickets", players=2, seed=1)
    >>> game.decision(0)
    TicketMix(seat=0, count=4, stage=0)
    >>> [action.mix for action in game.legal_actions(0)]
    [Counts(short=4), Counts(short=3, long=1), Counts(short=2, long=2), Counts(short=1, long=3), Counts(long=4)]
    """

    public = True
    concurrent = True
    one_at_a_time = True
    message = "You draw {count} tickets. How many from each pile?"

    count: int
    stage: int | None = None


class TunnelDue(Decision):
    """Pay the extra cost of a tunnel, or abandon it (T4). All of this is public. `claim_refusal` is not asked again.

    `laid` is the payment already on the table, `revealed` the cards turned up for the tunnel, `extra` the resulting
    extra cost. `sold_by` is the class of the rule that sells the route, "" for a claim in a turn.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "draw_pile": ["red", "blue", "green"], "players": [
    ...     {"name": "Ada", "hand": {"red": 4}}, {"name": "Isambard"}]})
    >>> _ = game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    >>> due = game.decision(0)
    >>> due.route, str(due.laid), due.revealed, due.extra.spaces
    ('paris-zurich-gray', '3 red', ('red', 'blue', 'green'), 1)
    """

    public = True
    one_at_a_time = True

    route: str
    laid: Counts
    revealed: tuple[str, ...]
    extra: Cost
    sold_by: str = field(default="", repr=False)


class InTurn(tuple[Decision, ...]):
    """Decisions that are asked one after the other, where a list of them is asked at once: see `Transaction.in_turn`.

    >>> InTurn([Turn(1), Turn(0)])
    (Turn(seat=1), Turn(seat=0))
    """

    __slots__ = ()


class OnClaim(tuple[Decision, ...]):  # noqa: SLOT001 (slots of a tuple can hold nothing)
    """The question of a plugin about a claim at no cost, and what goes on after the answer: see `claim_route`.

    >>> OnClaim([Turn(1)], in_turn=False, todo=()).todo
    ()
    """

    in_turn: bool
    todo: tuple[ToDo, ...]

    def __new__(cls, decisions: Iterable[Decision], in_turn: bool, todo: tuple[ToDo, ...]) -> Self:
        made = super().__new__(cls, decisions)
        made.in_turn = in_turn
        made.todo = todo
        return made


#: The next question: `()` for none, one decision, or several for different seats at once (`InTurn`: one after another).
Question: TypeAlias = Decision | Sequence[Decision]


@frozen
class ToDo:
    """Something that goes on once nothing is asked any more: plain data, so that copies and saved games have it.

    `hook` is a hook whose methods of the plugins after `after` have yet to be called, or "turn" for the action of a
    turn, "end of turn" for its end, "next" for the decisions `pending` one after the other. `seat` is whose turn or
    claim it is, `what` the route or the reason, `points` what the claim scored. With "before", the game goes on with an
    `action` that answers one of the decisions `pending`, from the question with the number `what` on. With "after", it
    goes on with what follows an `action`, by the numbers in `what`, and then with the decisions `pending`, or the end
    of the turn. With "sealed", it goes on with the `action` that answered the decision in `pending`, once all have
    answered.

    >>> ToDo("on_claim", "depots", 0, "paris-zurich-gray").hook
    'on_claim'
    """

    hook: str
    after: str = ""
    seat: int = -1
    what: str = ""
    pending: tuple[Decision, ...] = ()
    action: Action | None = None
    points: int = field(default=0, repr=False)


def to_counts(payment: Mapping[str, int]) -> Counts:
    """A payment given as any mapping. Raises `InvalidInputError` for anything else.

    >>> to_counts({"red": 2, "locomotive": 1}).total
    3
    >>> to_counts("2 red")
    Traceback (most recent call last):
        ...
    ttr_rules.errors.InvalidInputError: a payment reads like {'red': 2, 'locomotive': 1}, not '2 red'
    """
    if type(payment) is Counts:  # usually
        return payment
    if isinstance(payment, Mapping):
        return Counts(payment)
    raise InvalidInputError(f"a payment reads like {{'red': 2, 'locomotive': 1}}, not {brief(payment)}")


def to_ids(ids: Iterable[str]) -> tuple[str, ...]:
    """Ids, sorted, because their order does not matter. Raises `InvalidInputError` for anything else."""
    if isinstance(ids, tuple) or (isinstance(ids, Iterable) and not isinstance(ids, str)):
        items = list(ids)
        if not [id for id in items if not isinstance(id, str)]:
            items.sort()
            return tuple(items)
    raise InvalidInputError(f"tickets are given as a list of ids, not {brief(ids)}")


class Action(Value):
    """Something that one seat does. Plugins add their own.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> action = game.legal_actions(1)[0]
    >>> isinstance(action, Action), action.seat, game.is_legal(action)
    (True, 1, True)
    """

    #: The menu text for this type of action: "Build a station".
    message: ClassVar[str | None] = None
    #: The text of one such action below that, with its fields in braces: "{card} for {other}". By default their values.
    label: ClassVar[str | None] = None
    #: The action that this one replaces in another economy: guards, follow-ups and values for that action apply to this one too.
    instead_of: ClassVar[type[Action] | None] = None

    seat: int


class CardDraw(Action):
    """The base class of actions that draw or take train cards. They are illegal for a seat that may take none (`Variant.card_refusal`).

    `Around(CardDraw, …)` follows them all, also those of other plugins.

    >>> import ttr_rules as ttr
    >>> issubclass(ttr.DrawBlind, CardDraw), issubclass(ttr.DrawTickets, CardDraw)
    (True, False)
    """


class HiddenAction(Action):
    """A secret action of another seat that waits for the answer to a question: only its `kind`, the name of its class.

    An action is as public as the decision that it answers, and secret as long as an event has yet to reveal it. `count`
    is the number of tickets kept, once it is public.

    >>> HiddenAction(1, "KeepTickets")
    HiddenAction(seat=1, kind='KeepTickets', count=None)
    """

    kind: str
    count: int | None = None


class ClaimRoute(Action):
    """Claim a whole route and pay for it (C3).

    >>> ClaimRoute(0, "frankfurt-paris-white", {"white": 2, "locomotive": 1})
    ClaimRoute(seat=0, route='frankfurt-paris-white', payment=Counts(white=2, locomotive=1))
    """

    route: str
    payment: Counts

    def __init__(self, seat: int, route: str, payment: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, route, to_counts(payment))


class PayTunnel(Action):
    """Pay the extra cost of a tunnel (T4).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "draw_pile": ["red", "blue", "green"], "players": [
    ...     {"name": "Ada", "hand": {"red": 4}}, {"name": "Isambard"}]})
    >>> _ = game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    >>> game.decision(0).extra.spaces
    1
    >>> game.refusal(PayTunnel(0, {"red": 1})), game.refusal(PayTunnel(0, {})).rule
    (None, 'T2')
    """

    payment: Counts

    def __init__(self, seat: int, payment: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, to_counts(payment))


class AbandonTunnel(Action):
    """Take the cards back and claim nothing (T4).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "draw_pile": ["red", "blue", "green"], "players": [
    ...     {"name": "Ada", "hand": {"red": 3}}, {"name": "Isambard"}]})
    >>> _ = game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    >>> game.legal_actions()
    <LegalActions of 1: AbandonTunnel(seat=0)>
    >>> _ = game.play(AbandonTunnel(0))
    >>> ttr.cards(game.state).hands[0], game.to_act
    (Counts(red=3), (1,))
    """


class DrawTickets(Action):
    """Draw tickets from the top of the pile (K1). A `TicketChoice` follows.

    With several piles, a `TicketMix` comes first.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Isambard"}]})
    >>> _ = game.play(DrawTickets(0))
    >>> game.decision(0)
    TicketChoice(seat=0, tickets=('zurich-brindisi', 'paris-wien', 'zurich-budapest'))
    """


class AnnounceMix(Action):
    """Announce how many tickets to draw from each pile, by name.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("germany-tickets", players=2, seed=1)
    >>> game.decision(0)
    TicketMix(seat=0, count=4, stage=0)
    >>> print(game.refusal(AnnounceMix(0, {"short": 5})))
    [M2] 4 tickets are drawn in all, not 5
    >>> _ = game.play(AnnounceMix(0, {"short": 3, "long": 1}))
    """

    mix: Counts

    def __init__(self, seat: int, mix: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, to_counts(mix))


class KeepTickets(Action):
    """Keep these of the tickets dealt or drawn (K1). Their order does not matter.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> dealt = game.decision(0).tickets
    >>> print(game.refusal(KeepTickets(0, dealt[:1])))
    [V2] at least 2 of the 4 tickets must be kept, not 1
    >>> _ = game.play(KeepTickets(0, dealt[:2]))
    >>> sorted(game.view(0).tickets) == sorted(dealt[:2])
    True
    """

    tickets: tuple[str, ...]

    def __init__(self, seat: int, tickets: Iterable[str]) -> None:
        self.__attrs_init__(seat, to_ids(tickets))


class Pass(Action):
    """Do nothing: legal only when nothing else is (R4), or where a plugin allows it.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Isambard"}]})
    >>> print(game.refusal(Pass(0)))
    [R4] passing is legal only when nothing else is; DrawBlind is legal for seat 0
    """
