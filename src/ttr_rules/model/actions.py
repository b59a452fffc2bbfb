"""What a seat can do. Every action names its seat; the rules refuse it or turn it into events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from attrs import field, frozen

from ttr_rules.errors import InvalidInputError
from ttr_rules.model.cards import Counts
from ttr_rules.text import brief


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
    if not isinstance(ids, str) and isinstance(ids, Iterable):
        found = tuple(ids)
        if all(isinstance(id, str) for id in found):
            return tuple(sorted(found))
    raise InvalidInputError(f"tickets are given as a list of ids, not {brief(ids)}")


@frozen
class Action:
    """Something that one seat does. Plugins add their own.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> action = game.legal_actions(1)[0]
    >>> isinstance(action, Action), action.seat, game.is_legal(action)
    (True, 1, True)
    """

    #: The menu text for this type of action: "Build a station".
    message: ClassVar[str | None] = None
    #: The action that this one replaces in another economy: guards and follow-ups for that action apply to this one too.
    instead_of: ClassVar[type[Action] | None] = None

    seat: int


@frozen
class ClaimRoute(Action):
    """Claim a whole route and pay for it (C3).

    >>> ClaimRoute(0, "frankfurt-paris-white", {"white": 2, "locomotive": 1})
    ClaimRoute(seat=0, route='frankfurt-paris-white', payment=Counts(white=2, locomotive=1))
    """

    route: str
    payment: Counts = field(converter=to_counts)


@frozen
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

    payment: Counts = field(converter=to_counts)


@frozen
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


@frozen
class DrawTickets(Action):
    """Draw tickets from the top of the pile (K1). A `TicketChoice` follows; with several piles, a `TicketMix` comes first.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Isambard"}]})
    >>> _ = game.play(DrawTickets(0))
    >>> game.decision(0)
    TicketChoice(seat=0, tickets=('zurich-brindisi', 'paris-wien', 'zurich-budapest'))
    """


@frozen
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

    mix: Counts = field(converter=to_counts)


@frozen
class KeepTickets(Action):
    """Keep these of the tickets dealt or drawn (K1); their order does not matter.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> dealt = game.decision(0).tickets
    >>> print(game.refusal(KeepTickets(0, dealt[:1])))
    [V2] at least 2 of the 4 tickets must be kept, not 1
    >>> _ = game.play(KeepTickets(0, dealt[:2]))
    >>> sorted(game.view(0).tickets) == sorted(dealt[:2])
    True
    """

    tickets: tuple[str, ...] = field(converter=to_ids)


@frozen
class Pass(Action):
    """Do nothing: legal only when nothing else is (R4), or where a plugin allows it.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Isambard"}]})
    >>> print(game.refusal(Pass(0)))
    [R4] passing is legal only when nothing else is; DrawBlind is legal for seat 0
    """
