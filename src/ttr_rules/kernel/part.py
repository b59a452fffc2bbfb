"""Parts: the state of one mechanic or economy, kept by the plugin that adds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import attrs

from ttr_rules._internal.frozen import FrozenMap
from ttr_rules._internal.native import mypyc_attr, set_state, state_of
from ttr_rules.kernel.fields import copier_of, seen, visible_fields
from ttr_rules.kernel.view import View
from ttr_rules.model.cards import Unknown
from ttr_rules.model.chance import Dealer
from ttr_rules.model.decisions import Decision, HiddenDecision
from ttr_rules.text import cut

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Rules
    from ttr_rules.kernel.table import Position, Report
    from ttr_rules.kernel.transaction import Transaction


@mypyc_attr(allow_interpreted_subclasses=True)
class Part:  # noqa: PLW1641 (parts change: they have no hash)
    """The state of one mechanic or economy. A plugin keeps its state in a part of its own.

    Declare it as an attrs class whose fields declare who may see them:

    >>> from attrs import define
    >>> from ttr_rules.kernel.fields import public, secret_by_seat
    >>> @define(eq=False)
    ... class Depots(Part):
    ...     built: dict[str, int] = public(factory=dict)
    ...     cards: list[tuple[str, ...]] = secret_by_seat(factory=list)
    >>> depots = Depots({"wien": 0}, [("red",), ("blue", "blue")])
    >>> depots.seen_by(0)
    Depots(built={'wien': 0}, cards=[('red',), Unknown(count=2)])
    >>> depots.copy() == depots
    True

    A field that is declared neither public nor secret is never shown. Copying, comparing and showing follow from the
    declaration; a part that stores its state differently overrides these methods. With `@define(eq=False, repr=False)`
    its repr is cut where it is long.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        kind: Any = type(self)
        names = [each.name for each in attrs.fields(kind)] if attrs.has(kind) else []
        return cut(f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})")

    def __getstate__(self) -> object:
        return state_of(self)

    def __setstate__(self, state: Any) -> None:
        set_state(self, state)

    #: The keys of a player in a table, and of the table `parts` of a position, that `arrange` reads.
    player_keys: ClassVar[tuple[str, ...]] = ()
    part_keys: ClassVar[tuple[str, ...]] = ()
    #: What the player keys are for, for people who write a score file; what people call the ids that the part holds.
    key_help: ClassVar[Mapping[str, Any]] = FrozenMap[str, Any]()
    names: ClassVar[Mapping[str, Any]] = FrozenMap[str, Any]()

    @classmethod
    def start(cls, rules: Rules, players: int) -> Self:
        """The part at the start of a game: by default with all fields as they are declared."""
        return cls()

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        """Read the keys of a table or position: emit events, or report what is wrong."""

    def copy(self) -> Self:
        """An independent copy, made often, so it must be cheap."""
        kind: Any = type(self)
        copied: Self = copier_of(kind)(self)
        return copied

    def value(self) -> object:
        """What makes two parts equal, as a plain value."""
        kind: Any = type(self)
        return [getattr(self, each.name) for each in attrs.fields(kind)]

    def seen_by(self, seat: int | None) -> object | None:
        """What `seat` (None: a spectator) may see of it, as a new value; None for nothing."""
        return seen(self, seat) if visible_fields(type(self)) else None

    def validate(self) -> str | None:
        """Why no game can have this part; None, the default, if it is valid.

        Called when a saved game is loaded, whose events may have been edited.
        """
        return None

    def sample_hidden(self, view: View, dealer: Dealer, rules: Rules) -> None:
        """Turn this part, fresh from the start of a game, into a sample that is consistent with `view`.

        What the view shows is copied; what it hides is dealt by `dealer`, each possibility equally likely. See
        `determinize`. Parts without secrets need not override this. The default raises `NotImplementedError` for a part
        that has some.
        """
        name = type(self).__name__
        shown = next((each for each in view.parts.values() if type(each) is type(self)), view.parts.get(name))
        if shown is None:
            return
        if not isinstance(shown, type(self)):
            raise NotImplementedError
        copy = shown.copy()
        for name in visible_fields(type(self)):
            value: object = getattr(copy, name)
            entries = cast("list[object]", value) if isinstance(value, list) else [value]
            if any(isinstance(entry, Unknown) for entry in entries):
                raise NotImplementedError
            setattr(self, name, value)

    def share_hidden(self, parts: Mapping[type[Part], Any]) -> None:
        """Take over what another part dealt for this one, after all were sampled: see `train_cards.CardStore`."""

    def sample_decision(self, hidden: HiddenDecision, view: View, dealer: Dealer, rules: Rules) -> Decision | None:
        """Sample another seat's pending decision, whose type `view` shows; None if it is not this part's."""
        return None

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Part) and other.value() == self.value()
