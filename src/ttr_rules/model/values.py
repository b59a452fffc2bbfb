"""The base of small values: a subclass declares its fields, and that makes it a frozen class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, dataclass_transform

import attrs
from attrs import field

from ttr_rules.errors import PluginError
from ttr_rules.model.cards import Unknown
from ttr_rules.text import brief

T = TypeVar("T")
V = TypeVar("V", bound="Value")

#: The key of a field's metadata that makes it secret.
SECRET = "secret"  # noqa: S105 (a key, not a password)


def secret(*to: str, counted: bool = True) -> Any:
    """A field of an event, annotated `X | Unknown`: only the seats in the fields `to` see it; no seat if none is named.

    With `counted=False` not even the number of items is shown. An action with a secret field is hidden from other seats
    while it waits for the answer to a question.

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

        def __attrs_init__(self, *values: object) -> None: ...

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__attrs_attrs__" in vars(cls):  # a class with slots is created twice
            raise PluginError(f"{cls.__name__} needs no decorator: leave out @frozen or @define")
        attrs.frozen(slots=False)(cls)


def replace(value: V, **changes: object) -> V:
    """A copy of a value with other fields.

    >>> from ttr_rules import DrawBlind
    >>> replace(DrawBlind(0), seat=1)
    DrawBlind(seat=1)
    """
    changed: V = attrs.evolve(cast("Any", value), **changes)
    return changed
