"""The options of a seat, in a compact form: action types, the things to pay for, and payments a page at a time.

A seat may have millions of legal actions, nearly all of them ways to pay for the same few things. An offer lists the
things, each with its cheapest payment and the number of all payments, which are read a page at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from ttr_rules.errors import InvalidInputError
from ttr_rules.kernel.answers import LegalActions, legal_actions
from ttr_rules.kernel.economy import Economy, cheapest_first
from ttr_rules.kernel.state import State
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Action, replace
from ttr_rules.sequences import up_to
from ttr_rules.text import brief, cut

#: The most actions listed for one type.
MOST_LISTED = 100
#: A type with more actions than this is not searched for the things to pay for, and no more things than this are listed.
MOST_GROUPED = 1000
#: The most payments on one page.
LARGEST_PAGE = 100


@frozen(repr=False)
class Purchase:
    """A thing that a seat can pay for: the action with the cheapest payment, and the number of payments.

    `Game.payments(cheapest)` gives the others.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3, "locomotive": 1}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["north-america"], "seed": 1, "players": players})
    >>> claims = next(kind for kind in game.offer(0).kinds if kind.type == "core.ClaimRoute")
    >>> purchase = claims.purchases[0]
    >>> purchase.cheapest, purchase.payments
    (ClaimRoute(seat=0, route='atlanta-charleston-gray', payment=Counts(white=2)), 2)
    >>> [str(action.payment) for action in game.payments(purchase.cheapest).actions]
    ['2 white', '1 white, 1 locomotive']
    """

    cheapest: Action
    payments: int

    def __repr__(self) -> str:
        return cut(f"<Purchase: {self.payments} payments, {self.cheapest!r}>")


@frozen(repr=False)
class OfferedKind:
    """The legal actions of one type.

    `type` is its tag in JSON, `total` the number of actions, and `first` the index of the first of them in
    `Game.legal_actions`, where they are consecutive. Actions that pay for things, such as routes to claim, are in
    `purchases`, grouped by thing. Others are in `actions`. If there are more than `actions` holds, read the rest from
    `legal_actions`, a slice at a time.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> kind = game.offer(0).kinds[1]
    >>> kind.type, kind.total, kind.actions[0]
    ('train-cards.DrawFaceUp', 4, DrawFaceUp(seat=0, card='purple'))
    >>> game.legal_actions(0)[kind.first] == kind.actions[0]
    True
    """

    type: str
    total: int
    first: int
    actions: tuple[Action, ...]
    purchases: tuple[Purchase, ...]

    def __repr__(self) -> str:
        things = f" for {len(self.purchases)} things" if self.purchases else ""
        return f"<OfferedKind: {self.total} {self.type}{things}>"


@frozen(repr=False)
class Offer:
    """The legal actions of a seat: `total` of them, by type in the order of `Game.legal_actions`.

    >>> from ttr_rules import new_game
    >>> offer = new_game("europe", players=2, seed=1).offer(0)
    >>> [(kind.type, kind.total) for kind in offer.kinds]
    [('core.KeepTickets', 11)]
    """

    total: int
    kinds: tuple[OfferedKind, ...]

    def __repr__(self) -> str:
        kinds = ", ".join(f"{kind.total} {kind.type}" for kind in self.kinds)
        return cut(f"<Offer of {self.total}: {kinds or 'nothing'}>")


@frozen(repr=False)
class PaymentPage:
    """Some of the payments for one thing, each as the action that makes it, cheapest first.

    `total` is the number of payments, and `start` the number of those before this page.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 9, "locomotive": 9}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> page = game.payments(ttr.ClaimRoute(0, "frankfurt-paris-white", {}), start=1, limit=2)
    >>> page, [str(claim.payment) for claim in page.actions]
    (<PaymentPage: 2 to 3 of 4 payments>, ['2 white, 1 locomotive', '1 white, 2 locomotive'])
    """

    total: int
    start: int
    actions: tuple[Action, ...]

    def __repr__(self) -> str:
        return f"<PaymentPage: {self.start + 1} to {self.start + len(self.actions)} of {self.total} payments>"


def offer_of(state: State, seat: int) -> Offer:
    """The offer to a seat now, empty if it has no pending decision."""
    actions = legal_actions(state, seat)
    if not isinstance(actions, LegalActions):
        return Offer(0, ())
    tags = {kind: tag for tag, kind in state.rules.types.items()}
    kinds: list[OfferedKind] = []
    end = 0
    for group in actions.groups:
        end += len(group)
        tag, total = tags[type(group[0])], len(group)
        purchases = None if total <= MOST_LISTED and not _identify_thing(group[0]) else _purchases(group)
        if purchases is None:
            kinds.append(OfferedKind(tag, total, end - total, tuple(group[:MOST_LISTED]), ()))
        else:
            kinds.append(OfferedKind(tag, total, end - total, (), tuple(_cheapest(purchases, state.rules.economy))))
    return Offer(end, tuple(kinds))


def payments_of(state: State, action: Action, start: int, limit: int) -> PaymentPage:
    """A page of the payments for the thing that an action buys, empty if it cannot be paid for now."""
    kind = type(action)
    if not hasattr(action, "payment"):
        raise InvalidInputError(f"{kind.__name__} has no payment: give an action that pays for something")
    if type(start) is not int or start < 0:
        raise InvalidInputError(f"start is the number of payments to skip, 0 or more, not {brief(start)}")
    if type(limit) is not int or not 1 <= limit <= LARGEST_PAGE:
        raise InvalidInputError(f"limit is 1 to {LARGEST_PAGE} payments, not {brief(limit)}")
    asked = type(action.seat) is int and action.seat in state.to_act
    actions = legal_actions(state, action.seat) if asked else ()
    purchase = _find_purchase(actions, action) if isinstance(actions, LegalActions) else None
    if purchase is None:
        return PaymentPage(0, start, ())
    offered, payments = purchase
    page = cheapest_first(payments, state.rules.economy.payment_rank)[start : start + limit]
    return PaymentPage(len(payments), start, tuple([replace(offered, payment=payment) for payment in page]))


def _find_purchase(actions: LegalActions, action: Action) -> tuple[Action, Sequence[Counts]] | None:
    """A legal action that buys the same thing as `action`, and all payments for it, or None."""
    group = next((group for group in actions.groups if type(group[0]) is type(action)), None)
    if group is None:
        return None
    purchases = _purchases(group)
    if purchases is None:
        raise InvalidInputError(
            f"the {len(group)} legal actions {type(action).__name__} of seat {action.seat} are not grouped by what they pay "
            f"for: their rule has no method purchases, and they are more than {MOST_GROUPED} or have fields without a "
            "hash; read them from legal_actions, a slice at a time"
        )
    thing = _identify_thing(action)
    return next((purchase for purchase in purchases if _identify_thing(purchase[0]) == thing), None)


def _purchases(group: LegalActions) -> list[tuple[Action, Sequence[Counts]]] | None:
    """The things that some legal actions of one type buy, each with its payments, or None if that is unknown."""
    known = group.purchases()
    if known is not None:
        return up_to(known, MOST_GROUPED)
    if len(group) > MOST_GROUPED or not isinstance(getattr(group[0], "payment", None), Counts):
        return None
    by_thing: dict[object, tuple[Action, list[Counts]]] = {}
    try:
        for action in group:
            by_thing.setdefault(_identify_thing(action), (action, []))[1].append(action.payment)
    except TypeError:  # a field that cannot be hashed
        return None
    return list(by_thing.values())


def _identify_thing(action: Action) -> tuple[object, ...]:
    """A key for the thing that an action pays for: all its fields except the seat and the payment."""
    return tuple([getattr(action, name) for name in action.__match_args__ if name not in ("seat", "payment")])


def _cheapest(purchases: Iterable[tuple[Action, Sequence[Counts]]], economy: Economy) -> Iterable[Purchase]:
    cheapest: dict[int, Counts] = {}
    for action, payments in purchases:
        if id(payments) not in cheapest:  # things with the same price share their payments
            cheapest[id(payments)] = cheapest_first(payments, economy.payment_rank)[0]
        yield Purchase(replace(action, payment=cheapest[id(payments)]), len(payments))
