"""The state as one seat may see it. It is a type of its own, into which fields are copied one by one (S6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar
from weakref import ReferenceType

from attrs import field, frozen

from ttr_rules.errors import InvalidInputError
from ttr_rules.loading import Shown
from ttr_rules.model.decisions import Decision, ToDo
from ttr_rules.sequences import FrozenMap

P = TypeVar("P")


class Drawable(Shown):
    """Attachments of tools to a view. They are not compared, copied, pickled or saved, and so never sent to a player.

    `drawn_with` are the rules of the game that made it, for pictures. `sampled_with` are those that `determinize`
    has checked it against. `world` is a state sampled for it, to ask what its seat can pay.
    `evaluations` are what bots' plans are made from.
    """

    __slots__ = ("drawn_with", "evaluations", "sampled_with", "world")
    drawn_with: ReferenceType[object]
    sampled_with: ReferenceType[object]


@frozen(repr=False)
class View(Drawable):
    """A game as one seat sees it (S6, R18). `seat` is None for a spectator.

    Everybody sees routes, cars, scores, whose turn it is, the sizes of the ticket piles, and how many tickets each seat
    holds (not during set-up, S7). The tickets of others are secret.

    - `owners` gives the owner of each claimed route, and `shared` the seats that hold a route besides its owner.
    - `pending` holds the pending decisions as far as they are public, and `decision` is the seat's own. `todo` holds the
      work that waits for the answers, as in a state, with a `HiddenAction` for an action that this seat may not know yet.
    - `tickets` are the seat's own, and `rejects` those that it gave back in this stage of set-up. `ticket_counts` has the
      number of tickets of each seat, None if that is secret. `open_tickets` are the tickets of each seat that everybody
      knows: all of them once they are revealed (`tickets_revealed`), at the end or, where tickets are open, after set-up.
      `team_tickets` has, for each seat, the tickets of this seat's partners (`Components.ticket_teams`). It is () without a
      partner, and while tickets are chosen at set-up. `seen_tickets` combines the two.
    - `stage` counts the completed stages of set-up, and `first_tickets` has the number of tickets that each seat kept
      there, () before all have chosen.
    - `scores` are the points so far: `route_points`, and those of plugins' terms that count in play. `points` holds those
      scored in play by term (`points_in_play`), from the start.
    - `barred` holds the open routes that a plugin (`claim_refusal`) does not let this seat claim now, by id, whether it could
      pay or not, and in the turns of others too: `{"paris-zurich-gray": False}`. The value is true if that lasts
      (`Refusal.lasting`). Routes that the rules themselves close, such as the other track of a double, are not in it. A
      spectator has none.
    - `turn_number` counts the turns of the game. `turns_granted` is the number of those that were granted, less those that
      were skipped because a round was ended, so it may be negative. `extra_turns` are the granted turns still to come for
      the seat whose turn it is. `seats_to_skip` is -1, unless a plugin ends the round with this turn: then it is the
      number of seats that are skipped after it.
    - `last_round_turn` is the number of the turn in or after which the last round began, 0 until then.
    - `passes` counts consecutive passes, below 0 in a turn that has gone on after an action. `passed` is true while a turn that
      was a pass waits for an answer before it ends.
    - `parts` holds what the economy and the plugins show to this seat, by the name of their part. `part` reads it by type.

    >>> from ttr_rules import new_game
    >>> view = new_game("europe", players=2, seed=1).view(0)
    >>> len(view.tickets), view.ticket_counts
    (0, (0, None))
    >>> new_game("united-kingdom", players=2, seed=1).view(0).barred["aberdeen-dundee-white"]
    False
    """

    seat: int | None
    players: tuple[str, ...]
    to_act: tuple[int, ...]
    turn: int
    turns_left: int
    pending: tuple[Decision, ...]
    decision: Decision | None
    todo: tuple[ToDo, ...]
    owners: Mapping[str, int] = field(converter=FrozenMap[str, int])
    shared: Mapping[str, tuple[int, ...]] = field(converter=FrozenMap[str, tuple[int, ...]])
    cars: tuple[int, ...]
    scores: tuple[int, ...]
    route_points: tuple[int, ...]
    points: Mapping[str, tuple[int, ...]] = field(converter=FrozenMap[str, tuple[int, ...]])
    barred: Mapping[str, bool] = field(converter=FrozenMap[str, bool])
    tickets: tuple[str, ...]
    ticket_counts: tuple[int | None, ...]
    open_tickets: tuple[tuple[str, ...], ...]
    team_tickets: tuple[tuple[str, ...], ...]
    tickets_revealed: bool
    ticket_pile_sizes: Mapping[str, int] = field(converter=FrozenMap[str, int])
    rejects: tuple[str, ...]
    stage: int
    first_tickets: tuple[int, ...]
    passes: int
    passed: bool
    turn_number: int
    turns_granted: int
    extra_turns: int
    seats_to_skip: int
    last_round_turn: int
    parts: Mapping[str, object] = field(hash=False)

    def __repr__(self) -> str:
        acting = " and ".join(self.players[seat] for seat in self.to_act) or "nobody"
        if self.seat is None:
            return f"<View of a spectator: scores {list(self.scores)}, {acting} to act>"
        own = f"{self.scores[self.seat]} points, {self.cars[self.seat]} cars, {len(self.tickets)} tickets"
        return f"<View of {self.players[self.seat]}, seat {self.seat}: {own}; {acting} to act>"

    @property
    def seen_tickets(self) -> tuple[tuple[str, ...], ...]:
        """The tickets of each seat that everybody or only this seat's team knows.

        The seat's own are included only if they are open.

        >>> from ttr_rules import new_game
        >>> new_game("europe", players=2, seed=1).view(0).seen_tickets
        ((), ())
        """
        if not self.team_tickets:
            return self.open_tickets
        return tuple([team or shown for team, shown in zip(self.team_tickets, self.open_tickets, strict=True)])

    @property
    def in_last_round(self) -> bool:
        """True in the turns of the last round: see `State.in_last_round`."""
        return self.turns_left > 0 and self.turn_number > self.last_round_turn

    @property
    def is_last_turn(self) -> bool:
        """True during the last turn of a seat (E1): see `State.is_last_turn`."""
        return 0 < self.turns_left <= len(self.players)

    @property
    def round(self) -> int:
        """The number of the round, starting at 1, 0 at set-up: see `State.round`."""
        return (self.turn_number - self.turns_granted + len(self.players) - 1) // len(self.players)

    @property
    def turns_left_in_round(self) -> int:
        """The number of turns that follow the current one in its round: see `State.turns_left_in_round`."""
        return (self.turns_granted - self.turn_number) % len(self.players)

    @property
    def actions_taken(self) -> int:
        """The number of actions of the current turn after which it has gone on: see `State.actions_taken`."""
        return max(-self.passes, 0)

    def routes(self, seat: int) -> list[str]:
        """The ids of the routes that a seat holds, alone or with others.

        >>> from ttr_rules import arrange
        >>> players = [{"name": "Ada", "routes": [["Paris", "Zürich"]]}, {"name": "Bo"}]
        >>> arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).view(1).routes(0)
        ['paris-zurich-gray']
        """
        return [id for id, owner in self.owners.items() if seat in (owner, *self.shared.get(id, ()))]

    def part(self, kind: type[P]) -> P:
        """A part of the state as this seat sees it, by its type. Raises `InvalidInputError` if the view has none.

        >>> from ttr_rules import new_game
        >>> from ttr_variants.europe import Stations
        >>> new_game("europe", players=2, seed=1).view(0).part(Stations).left
        [3, 3]
        """
        form = self._form(kind)
        if isinstance(form, kind):
            return form
        if form is not None:
            name = type(form).__name__
            raise InvalidInputError(f"this view shows {kind.__name__} in the form of {name}: use part({name})")
        raise InvalidInputError(f"this view shows no {kind.__name__}; it shows {', '.join(self.parts) or 'no parts'}")

    def has_part(self, kind: type[object]) -> bool:
        """True if the view has a part of this type, or shows it in another form, as the piles of cards are."""
        return self._form(kind) is not None

    def _form(self, kind: type[object]) -> object:
        """The form in which the view shows a part of this type, or None if it shows none."""
        for shown in self.parts.values():
            if isinstance(shown, kind):
                return shown
        rules: Any = getattr(self, "drawn_with", lambda: None)()
        return self.parts.get(kind.__name__ if rules is None else rules.part_names.get(kind))
