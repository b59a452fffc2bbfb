"""Economies: how costs are paid.

Mechanics state a `Cost`, and the `Economy` of the stack offers payments for it. Neither knows the other, so every
economy works with every mechanic.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from ttr_rules._internal.native import overrides
from ttr_rules.errors import PluginError, Refusal
from ttr_rules.kernel.action_rule import AnyRule
from ttr_rules.kernel.fields import KeyHelp
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.prices import LayerPrices, Prices, add_pieces, held_pieces, spend_pieces
from ttr_rules.kernel.state import State
from ttr_rules.kernel.table import Position, Report
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.language import Message, Seat, join_or
from ttr_rules.model.board import Cost, changed_cost
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Action
from ttr_rules.reading import is_object, is_texts
from ttr_rules.sequences import FrozenMap, LazySequence, keep
from ttr_rules.text import brief, word

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Rules


class Economy(ABC):
    """A way to pay for things. An economy keeps its state in a `Part` and brings its own actions.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3, "locomotive": 1}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> cost, economy = Cost("single", 3, color="white"), game.rules.economy
    >>> [str(payment) for payment in economy.payments(game.state, 0, cost)]
    ['3 white', '2 white, 1 locomotive']
    >>> economy.refusal(game.state, 0, cost, Counts(white=2)).rule
    'C1'
    """

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    # -- called by mechanics --------------------------------------------------------------------------------

    @abstractmethod
    def payments(self, state: State, seat: int, cost: Cost) -> Iterable[Counts]:
        """Every distinct payment for `cost` that `seat` could make now, in a stable order.

        Where there can be very many, return `LazyPayments`: they are never listed.
        """

    @abstractmethod
    def refusal(self, state: State, seat: int, cost: Cost, payment: Counts) -> Refusal | None:
        """The refusal if `seat` may not pay `cost` with `payment` now, or None if it may.

        Write it independently of `payments`, so that each checks the other.
        """

    def refusal_under(self, rule: str, state: State, seat: int, cost: Cost, payment: Counts) -> Refusal | None:
        """As `refusal`, for something other than a route: cites `rule` instead of one of the `route_rules`."""
        refused = self.refusal(state, seat, cost, payment)
        if refused is None or refused.rule not in self.route_rules:
            return refused
        return Refusal(rule, refused.reason)

    @abstractmethod
    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        """Take a payment for a cost. It has already been checked."""

    def payment_rank(self, payment: Counts) -> tuple[int, ...]:
        """The sort key of a payment among those for the same thing: the cheapest ranks lowest.

        By default the number of cards or other items. An economy with wild cards ranks by the number of those first.
        """
        return (payment.total,)

    def wild_spaces(self, cost: Cost) -> int:
        """The number of spaces of a cost that wild cards may fill: all, or its `most_wilds`, unless a map says otherwise."""
        return cost.spaces if cost.most_wilds is None else min(cost.spaces, cost.most_wilds)

    def prices(self, costs: Sequence[Cost]) -> Prices:
        """Prices of the costs of one mechanic, made once, when the rules are compiled."""
        return Prices(self, costs)

    # -- tunnels ---------------------------------------------------------------------------------------------

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        """Lay down `payment` and resolve the tunnel by chance. Returns the cards or faces that came up, and any extra cost."""
        self.lay(tx, seat, cost, payment)
        return (), None

    def lay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        """Lay `payment` on the table: no longer held, but not spent yet either. By default it is spent at once."""
        self.pay(tx, seat, cost, payment)

    def spend_laid(self, tx: Transaction, seat: int, extra: Counts) -> None:
        """Spend the payment that was laid down together with `extra`, the payment for the extra cost, if any."""
        if extra:
            raise PluginError(f"{type(self).__name__} makes tunnels cost extra: it needs lay and spend_laid too")

    def take_back_laid(self, tx: Transaction, seat: int, laid: Counts) -> None:
        """Give back `laid`, the payment that was laid down (T4).

        A layer gives back its own pieces and passes on the rest. Train cards that it leaves out are discarded. Dice are
        given back whatever it passes on.
        """
        raise PluginError(f"{type(self).__name__} makes tunnels cost extra: it needs lay and take_back_laid too")

    # -- the course of a game --------------------------------------------------------------------------------

    def shuffle(self, tx: Transaction) -> None:
        """Shuffle cards or other items before the deal."""

    def deal(self, tx: Transaction) -> None:
        """Deal every seat's starting cards or items."""

    def open_turn(self, tx: Transaction, seat: int) -> None:
        """Open a turn. The decision `Turn` is already pending and may be replaced by another."""

    def close_turn(self, tx: Transaction, seat: int, passed: bool) -> bool:
        """True if a decision must be made before the turn can end. The rule that takes the answer calls `finish_turn`.

        That rule must pass `passed` on, or a round of passes would never end the game (R4).
        """
        return False

    def can_draw(self, state: State, seat: int) -> bool:
        """True if there is another card for `seat` to draw or take. Always false in an economy without cards."""
        return False

    def exhausted(self, state: State) -> bool:
        """True if passing changes nothing, so that a round of passes ends the game (R4)."""
        return True

    def fingerprint_data(self) -> Mapping[str, object]:
        """Data that distinguishes this economy from others of its type, for the fingerprint of rules."""
        return {}

    # -- parts, actions, events, rules -----------------------------------------------------------------------

    def part(self, rules: Rules, players: int) -> Part | None:
        """The state that this economy keeps, at the start of a game."""
        return None

    def action_rules(self) -> Iterable[AnyRule]:
        """The actions that this economy brings."""
        return ()

    #: The rules about paying for routes that `refusal` cites (see `refusal_under`).
    route_rules: tuple[str, ...] = ()
    #: The rule for the extra cost of a tunnel, cited if that is not paid.
    tunnel_rule: str = "T4"

    #: True if a seat may always pass, although it could act.
    may_pass: bool = False
    #: True if everybody sees the means of each seat, so that a pass reveals nothing new.
    open_purses: bool = False

    #: Action types that this economy leaves out because it has its own for the same purpose.
    replaces: tuple[type[Action], ...] = ()

    #: Names of card types and of a layer's pieces, in the singular, by id, if not the id itself: `{"mail": "mail bag"}`.
    card_words: Mapping[str, str] = FrozenMap[str, str]()

    #: The keys of a player, of a position and of its table `parts`, beyond the core's, that `arrange` reads. The part of an
    #: economy reads none by itself, so its fields have no `key`.
    player_keys: tuple[str, ...] = ()
    position_keys: tuple[str, ...] = ()
    part_keys: tuple[str, ...] = ()
    #: The keys of a player that `arrange` reads from a table to score as well, with help: for what rules score that is left.
    score_keys: Mapping[str, KeyHelp] = FrozenMap[str, KeyHelp]()

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        """Set up a position from plain data (see `ttr_rules.arrange`).

        If there are `score_keys`, it is called for a table to score, too (`position.to_score`): then no other key of
        the economy is in the table, and chance must not be used.
        """


E = TypeVar("E", bound=Economy)
T = TypeVar("T")


#: The methods behind operators, attributes, `len`, `in` and so on.
_READING_METHODS = {
    name
    for kind in (int, dict, str)
    for name, method in vars(kind).items()
    if name.startswith("__") and callable(method)
} - {"__new__", "__init__"} | {"__getattribute__", "__bool__", "__iter__", "__call__"}


def constant_answer(ask: Callable[[State, int], T]) -> T | None:
    """The answer of plugins that read neither the state nor the seat, so that it never changes. None if they read one.

    Any use of either counts as reading it, except comparing it by `is` and asking for its type.

    >>> constant_answer(lambda state, seat: 2), constant_answer(lambda state, seat: state.cars[seat])
    (2, None)
    """
    was_read = False

    def read(*_given: object) -> NoReturn:
        nonlocal was_read
        was_read = True  # recorded, as plugins may catch the error
        raise LookupError("a plugin reads the state or the seat")

    unseen: Any = type("Unseen", (), dict.fromkeys(_READING_METHODS, read))
    try:
        answer = ask(unseen(), unseen())
    except Exception:  # noqa: BLE001 (the error recurs in play, where it can be reported)
        return None
    return None if was_read else answer


#: A layer that overrides `payments` lists them. One that overrides `cost`, `alternatives` or a method in `PAYING` combines
#: prices of its own with those below. Any other layer uses the prices below. All other methods are always called, and may be
#: overridden, except those from `changed` to `split`, on which `LayerPrices` relies as they are.
PAYING = ("pay", "lay", "enter_tunnel")
NO_PIECES = Counts()
#: The most costs whose alternatives a layer caches.
MOST_COSTS = 1000
#: Tuples of a layer that are joined with those of the economy below; `card_words` and `score_keys` are merged, too.
_JOINED = ("route_rules", "replaces", "player_keys", "position_keys", "part_keys")
#: Attributes that a layer takes from the economy below, unless its own value differs from the default in `Economy`.
_TAKEN_FROM_BELOW = ("tunnel_rule", "may_pass", "open_purses")


class EconomyLayer(Economy):
    """An economy that delegates everything to the one `below`. Override what differs.

    Return it from the hook `economy`, over `below()`. To change costs, override `cost`, which applies to every payment
    of this economy. At least one space is always paid, and at least one for every locomotive symbol. Layers of several
    plugins combine in any order.

    >>> from attrs import evolve
    >>> class Cheaper(EconomyLayer):
    ...     def cost(self, state, seat, cost):
    ...         return evolve(cost, spaces=cost.spaces - 1)

    A layer may take `pieces` that the economy below does not know, such as coins. It defines which ones a seat has (`held`),
    how they pay for a cost (`alternatives`), how they are spent (`spend`) and how they return from a tunnel (`take_back`).
    Payments, prices and refusals follow from that, over any economy. In a tunnel only the cards that are paid count: override
    `enter_tunnel` if pieces stand for a color there.

    >>> class Coins(EconomyLayer):
    ...     pieces = ("coin",)
    ...     def held(self, state, seat):
    ...         return {"coin": 1}
    ...     def alternatives(self, cost):
    ...         return [(cost, Counts()), (evolve(cost, spaces=cost.spaces - 1), Counts(coin=1))]
    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"hand": {"white": 3}}, {}]})
    >>> layer = Coins(game.rules.economy)
    >>> [str(payment) for payment in layer.payments(game.state, 0, Cost("single", 3))]
    ['3 white', '2 white, 1 coin']
    >>> print(layer.refusal(game.state, 0, Cost("single", 3), Counts(white=1, coin=2)))
    [C1] 2 coin cannot be part of this payment; 1 coin can
    """

    #: The kinds of pieces that this layer takes.
    pieces: tuple[str, ...] = ()
    #: The `pieces` that a seat keeps when it pays with them, such as a permit: `spend` and `take_back` are not called for them.
    reusable: tuple[str, ...] = ()
    #: The rule that refuses pieces: by default the first of the `route_rules`, or else that of claims.
    payment_rule: str = ""

    def __init__(self, below: Economy) -> None:
        self.below = below
        words: object = self.card_words
        if not is_object(words) or not is_texts([*words.values()]):
            raise PluginError(
                f'{type(self).__name__}.card_words must be names by id, as {{"mail": "mail bag"}}, not {brief(words)}'
            )
        self.card_words = {**below.card_words, **self.card_words}
        keys: object = self.score_keys
        if not is_object(keys):
            raise PluginError(f"{type(self).__name__}.score_keys must be KeyHelp by key, not {brief(keys)}")
        self.score_keys = {**below.score_keys, **self.score_keys}
        for name in _JOINED:
            own: object = getattr(self, name)
            if not isinstance(own, tuple):
                raise PluginError(f"{type(self).__name__}.{name} must be a tuple, even of one, not {brief(own)}")
            setattr(self, name, (*own, *getattr(below, name)))
        if unknown := [kind for kind in self.reusable if kind not in self.pieces]:
            raise PluginError(f"{type(self).__name__}.reusable has {', '.join(unknown)}, which is not among its pieces")
        for name in _TAKEN_FROM_BELOW:
            if getattr(self, name) == getattr(Economy, name):
                setattr(self, name, getattr(below, name))
        self._alternatives: dict[Cost, list[tuple[Cost | None, Counts]]] = {}

    def cost(self, state: State, seat: int, cost: Cost) -> Cost:
        """The cost to pay instead of `cost`, unchanged by default.

        It must depend on its arguments alone. It is called once for each cost if it looks at neither `state` nor `seat`,
        otherwise whenever the things for sale are counted. A tunnel stays one, whatever the new cost says: only `claim_cost`
        can change that.
        """
        return cost

    # -- pieces of its own -----------------------------------------------------------------------------------

    def held(self, state: State, seat: int) -> Mapping[str, int]:
        """The pieces that a seat may pay with now."""
        return NO_PIECES

    def alternatives(self, cost: Cost) -> Sequence[tuple[Cost | None, Counts]]:
        """The ways to pay a cost: pairs of the cost left to pay below, or None for nothing, and the pieces paid with it.

        By default the cost itself and no pieces. It is called once for each cost, so it must depend on the cost alone.
        """
        return [(cost, NO_PIECES)]

    def spend(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        """Take pieces from a seat: they are spent, or laid down for a tunnel."""
        raise PluginError(f"{type(self).__name__} takes {pieces}: it needs a method spend")

    def take_back(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        """Give back to a seat the pieces that it laid down for a tunnel that it abandons."""
        raise PluginError(f"{type(self).__name__} gives back {pieces}: it needs a method take_back")

    def changed(self, state: State, seat: int, cost: Cost) -> Cost:
        """The result of `cost`, raised to the least that can be paid."""
        after = self.cost(state, seat, cost)
        return cost if after is cost else changed_cost(cost, after, f"{type(self).__name__}.cost")

    def constant_costs(self, costs: Sequence[Cost]) -> tuple[Cost, ...] | None:
        """The results of `changed` for some costs, or None if they depend on the position or the seat."""
        return constant_answer(lambda state, seat: tuple([self.changed(state, seat, cost) for cost in costs]))

    def checked_alternatives(self, cost: Cost) -> list[tuple[Cost | None, Counts]]:
        """The `alternatives` for a cost, cached.

        Raises `PluginError` for unknown pieces, for two alternatives with the same pieces, and for `pieces` that are a
        single text.
        """
        checked = self._alternatives.get(cost)
        if checked is None:
            kinds: object = self.pieces
            if not isinstance(kinds, tuple | list):
                raise PluginError(
                    f'{type(self).__name__}.pieces must be several kinds of pieces, as ("coin",), not {brief(kinds)}'
                )
            name = f"{type(self).__name__}.alternatives"
            try:
                alternatives = [(rest, Counts.of(pieces)) for rest, pieces in self.alternatives(cost)]
            except (TypeError, ValueError) as error:
                raise PluginError(
                    f"{name} must give pairs of a Cost, or None, and Counts for {cost}: {error}"
                ) from error
            checked = [
                (None if rest is None else changed_cost(cost, rest, name), pieces) for rest, pieces in alternatives
            ]
            for number, (_, pieces) in enumerate(checked):
                if unknown := [kind for kind in pieces if kind not in self.pieces]:
                    raise PluginError(
                        f"{name} takes {', '.join(unknown)}: name all kinds in {type(self).__name__}.pieces"
                    )
                if pieces in [others for _, others in checked[:number]]:
                    raise PluginError(f"{name} has two ways to pay {cost} with {pieces}: give one for all that it pays")
            keep(self._alternatives, cost, checked, MOST_COSTS)
        return checked

    def split(self, payment: Counts) -> tuple[Counts, Counts]:
        """The pieces of a payment, and the rest."""
        if not self.pieces or not any(kind in payment for kind in self.pieces):
            return NO_PIECES, payment
        rest = Counts({kind: count for kind, count in payment.items() if kind not in self.pieces})
        return Counts({kind: payment[kind] for kind in self.pieces}), rest

    def without_reusable(self, pieces: Counts) -> Counts:
        """The pieces of a payment without those that stay with the seat."""
        if not self.reusable:
            return pieces
        return Counts({kind: count for kind, count in pieces.items() if kind not in self.reusable})

    def _divide(self, state: State, seat: int, cost: Cost, payment: Counts) -> tuple[Counts, Cost | None, Counts]:
        """The pieces of a payment, the cost that is left to pay below, and the rest of the payment.

        The rest is paid first, as costs below may depend on the pieces.
        """
        pieces, rest = self.split(payment)
        for below, taken in self.checked_alternatives(self.changed(state, seat, cost)):
            if taken == pieces:
                return pieces, below, rest
        raise PluginError(f"{type(self).__name__} is paid {payment} for {cost}, which it would refuse")

    # -- called by mechanics --------------------------------------------------------------------------------

    def payments(self, state: State, seat: int, cost: Cost) -> Iterable[Counts]:
        held = held_pieces(self, state, seat)
        alternatives = self.checked_alternatives(self.changed(state, seat, cost))
        splits = [(rest, pieces) for rest, pieces in alternatives if pieces.within(held)]
        if len(splits) == 1 and splits[0][0] and not splits[0][1]:
            return self.below.payments(state, seat, splits[0][0])
        return self.join(
            [(self.below.payments(state, seat, rest) if rest else [NO_PIECES], pieces) for rest, pieces in splits]
        )

    def join(self, splits: Iterable[tuple[Iterable[Counts], Counts]]) -> Sequence[Counts]:
        """Join lists of payments to the economy below, each with the pieces to add to its payments."""
        known = [(listed if isinstance(listed, Sequence) else tuple(listed), pieces) for listed, pieces in splits]
        if any(isinstance(payments, LazyPayments) for payments, _ in known):
            return SplitPayments(known, self.below.payment_rank)
        return [add_pieces(payment, pieces) for payments, pieces in known for payment in payments]

    def refusal(self, state: State, seat: int, cost: Cost, payment: Counts) -> Refusal | None:
        alternatives = self.checked_alternatives(self.changed(state, seat, cost))
        pieces, rest = self.split(payment)
        rule = self.payment_rule or (*self.route_rules, "C3")[0]
        chosen = next((pair for pair in alternatives if pair[1] == pieces), None)
        if chosen is None:
            return Refusal(rule, _reason_against(pieces, [others for _, others in alternatives if others]))
        refused = refuse_not_held(rule, seat, payment, pieces, held_pieces(self, state, seat))
        if refused is not None:
            return refused
        below, _ = chosen
        if below is not None:
            return self.below.refusal(state, seat, below, rest)
        if rest:
            template = "with {pieces} nothing else is paid; leave out {rest}"
            return Refusal(rule, Message(template, pieces=pieces, rest=_show_cards(rest)))
        return None

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        pieces, below, rest = self._divide(tx.state, seat, cost, payment)
        if below is not None:
            self.below.pay(tx, seat, below, rest)
        spend_pieces(tx, self, seat, pieces)

    def payment_rank(self, payment: Counts) -> tuple[int, ...]:
        """As below, with payments in pieces after all others, those with few pieces first."""
        if not self.pieces:
            return self.below.payment_rank(payment)
        pieces, rest = self.split(payment)
        return (pieces.total, *self.below.payment_rank(rest))

    def wild_spaces(self, cost: Cost) -> int:
        return self.below.wild_spaces(cost)

    def prices(self, costs: Sequence[Cost]) -> Prices:
        """The prices below, unless this layer changes these costs or how they are paid."""
        if overrides(self, EconomyLayer, "payments"):
            return super().prices(costs)
        constant = self.constant_costs(costs) if overrides(self, EconomyLayer, "cost") else tuple(costs)
        paying = overrides(self, EconomyLayer, *PAYING)
        if constant != tuple(costs) or paying or overrides(self, EconomyLayer, "alternatives"):
            return LayerPrices(self, costs, constant, paying=paying)
        return self.below.prices(costs)

    # -- tunnels ---------------------------------------------------------------------------------------------

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        pieces, below, rest = self._divide(tx.state, seat, cost, payment)
        # If nothing is left to pay, an empty payment is laid down, so that the tunnel is entered.
        entered = self.below.enter_tunnel(tx, seat, below or cost, rest)
        spend_pieces(tx, self, seat, pieces)
        return entered

    def lay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        pieces, below, rest = self._divide(tx.state, seat, cost, payment)
        self.below.lay(tx, seat, below or cost, rest)
        spend_pieces(tx, self, seat, pieces)

    def spend_laid(self, tx: Transaction, seat: int, extra: Counts) -> None:
        pieces, rest = self.split(extra)
        spend_pieces(tx, self, seat, pieces)
        self.below.spend_laid(tx, seat, rest)

    def take_back_laid(self, tx: Transaction, seat: int, laid: Counts) -> None:
        pieces, rest = self.split(laid)
        taken = self.without_reusable(pieces)
        if taken:
            self.take_back(tx, seat, taken)
        self.below.take_back_laid(tx, seat, rest)

    # -- the course of a game --------------------------------------------------------------------------------

    def shuffle(self, tx: Transaction) -> None:
        self.below.shuffle(tx)

    def deal(self, tx: Transaction) -> None:
        self.below.deal(tx)

    def open_turn(self, tx: Transaction, seat: int) -> None:
        self.below.open_turn(tx, seat)

    def close_turn(self, tx: Transaction, seat: int, passed: bool) -> bool:
        return self.below.close_turn(tx, seat, passed)

    def can_draw(self, state: State, seat: int) -> bool:
        return self.below.can_draw(state, seat)

    def exhausted(self, state: State) -> bool:
        return self.below.exhausted(state)

    def fingerprint_data(self) -> Mapping[str, object]:
        return {"below": [type(self.below).__qualname__, self.below.fingerprint_data()]}

    # -- parts, actions, events, rules -----------------------------------------------------------------------

    def part(self, rules: Rules, players: int) -> Part | None:
        return self.below.part(rules, players)

    def action_rules(self) -> Sequence[AnyRule]:
        return tuple(self.below.action_rules())

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        self.below.arrange(tx, position, report)


def refuse_not_held(rule: str, seat: int, payment: Counts, part: Counts, held: Mapping[str, int]) -> Refusal | None:
    """The refusal of a payment if a seat does not hold one part of it, such as its pieces or all of it, or None."""
    for kind, count in part.items():
        if count > held.get(kind, 0):
            template = "{seat} does not hold {cards}; the payment was {payment}"
            lacking, paid = _show_cards(Counts({kind: count})), _show_cards(payment)
            return Refusal(rule, Message(template, seat=Seat(seat), cards=lacking, payment=paid))
    return None


def _show_cards(cards: Counts) -> Counts | str:
    """Cards for a message: as a text if what a caller gave has no fit words."""
    text = str(cards)
    return cards if word(text) == text else word(text)


def _reason_against(pieces: Counts, choices: Sequence[Counts]) -> str:
    """The reason for refusing these pieces, with those that are possible."""
    if not choices:
        template = "{pieces} cannot be part of this payment" if pieces else "this cannot be paid for now"
        return Message(template, pieces=pieces)
    template = (
        "{pieces} cannot be part of this payment; {choices} can" if pieces else "{choices} must be part of this payment"
    )
    return Message(template, pieces=pieces, choices=join_or(choices))


def economy_layers(economy: Economy) -> Iterator[Economy]:
    """The layers of an economy from the top down.

    >>> from ttr_rules.train_cards import TrainCards
    >>> list(economy_layers(EconomyLayer(TrainCards())))
    [<EconomyLayer>, <TrainCards>]
    """
    yield economy
    while isinstance(economy, EconomyLayer):
        economy = economy.below
        yield economy


def economy_of(economy: Economy, kind: type[E]) -> E:
    """The layer of an economy that is of a given type. Raises `PluginError` if there is none.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.train_cards import TrainCards
    >>> economy_of(ttr.compile_rules("nordic-countries").economy, TrainCards)
    <NordicCards>
    """
    layer = next((candidate for candidate in economy_layers(economy) if isinstance(candidate, kind)), None)
    if layer is None:
        raise PluginError(f"{type(economy).__name__} pays with no {kind.__name__}")
    return layer


def pays_with(economy: Economy, kind: type[Economy]) -> bool:
    """True if a layer of an economy is of a given type.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.train_cards import TrainCards
    >>> [pays_with(ttr.compile_rules("europe", *more).economy, TrainCards) for more in ((), ("dice",))]
    [True, False]
    """
    return any(isinstance(layer, kind) for layer in economy_layers(economy))


#: More payments than this are not sorted.
MOST_SORTED = 1000


class LazyPayments(LazySequence[Counts]):
    """Payments that are created as they are read, for costs that can be paid in very many ways.

    A subclass sets `_size` and defines `nth` and `cheapest_first`.

    >>> class Coins(LazyPayments):
    ...     def nth(self, index):
    ...         return Counts(copper=index, silver=self._size - 1 - index)
    ...     def cheapest_first(self):
    ...         return self
    >>> ways = Coins(1_000_000)
    >>> len(ways), ways[1]
    (1000000, Counts(copper=1, silver=999998))
    """

    __slots__ = ()

    @abstractmethod
    def cheapest_first(self) -> Sequence[Counts]:
        """The same payments, ordered as `Economy.payment_rank` orders them, without listing them all."""


class SplitPayments(LazyPayments):
    """Lists of payments of the economy below, each with the pieces of a layer that are paid as well.

    >>> [str(payment) for payment in SplitPayments([([Counts(red=2)], Counts(coin=1))], lambda payment: (0,))]
    ['2 red, 1 coin']
    """

    __slots__ = ("_rank", "_splits")

    def __init__(
        self, splits: Sequence[tuple[Sequence[Counts], Counts]], rank: Callable[[Counts], tuple[int, ...]]
    ) -> None:
        self._splits = splits
        self._rank = rank
        super().__init__(sum(len(payments) for payments, _ in self._splits))

    def nth(self, index: int) -> Counts:
        for payments, pieces in self._splits:
            if index < len(payments):
                return add_pieces(payments[index], pieces)
            index -= len(payments)
        raise IndexError("no such payment")

    def cheapest_first(self) -> SplitPayments:
        splits = sorted(self._splits, key=lambda split: split[1].total)
        return SplitPayments(
            [(cheapest_first(payments, self._rank), pieces) for payments, pieces in splits], self._rank
        )


def cheapest_first(payments: Sequence[Counts], rank: Callable[[Counts], tuple[int, ...]]) -> Sequence[Counts]:
    """Payments ordered by their rank (see `Economy.payment_rank`), those of equal rank in their original order.

    Very many payments that are not `LazyPayments` keep their order.

    >>> from ttr_rules import Counts
    >>> ways = [Counts(red=1, locomotive=2), Counts(red=3), Counts(blue=3)]
    >>> cheapest_first(ways, lambda payment: (payment["locomotive"], payment.total))
    [Counts(red=3), Counts(blue=3), Counts(red=1, locomotive=2)]
    """
    if isinstance(payments, LazyPayments):
        return payments.cheapest_first()
    return payments if len(payments) > MOST_SORTED else sorted(payments, key=rank)
