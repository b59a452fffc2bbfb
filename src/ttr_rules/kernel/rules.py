"""`Rules`: everything a game needs to know that does not change while it is played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from ttr_rules.errors import InvalidInputError, Refusal
from ttr_rules.kernel import engine
from ttr_rules.kernel.played import Played
from ttr_rules.kernel.plugin import PluginInfo, options_of
from ttr_rules.kernel.state import State
from ttr_rules.kernel.tables import RuleTables
from ttr_rules.model.board import Ticket
from ttr_rules.model.decisions import Action


@frozen(eq=False, repr=False, kw_only=True)
class Rules(RuleTables):
    """The rules of a stack, made by `compile_rules`. They hold no game state and can be shared.

    Two are equal if they are of equal plugins, with the same options, and have the same fingerprint. A process has one
    object for each.

    >>> from ttr_rules import compile_rules
    >>> rules = compile_rules("europe", "dice")
    >>> rules
    <Rules europe + dice>
    >>> compile_rules("europe:station_choice=ask") is compile_rules("europe", rulings={"station_choice": "ask"})
    True
    """

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Rules):
            return NotImplemented
        return (
            self.fingerprint == other.fingerprint
            and (self.requested, self.more_tickets) == (other.requested, other.more_tickets)
            and (self.plugins, self.own_board) == (other.plugins, other.own_board)
        )

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def with_tickets(self, more: Iterable[Ticket]) -> Rules:
        """These rules with additional known tickets, for tables with tickets that are not in the decks."""
        return evolve(self, more_tickets=(*self.more_tickets, *more))

    def __copy__(self) -> Rules:
        return self  # they never change

    def __deepcopy__(self, _memo: object) -> Rules:
        return self

    def agrees_with(self, names: Iterable[str]) -> bool:
        """Whether these rules come from the stack of these names, with or without required plugins."""
        given = {name.partition(":")[0] for name in names}
        given = {self.aliases.get(name, name) for name in given}
        return set(self.requested) <= given <= set(self.stack)

    def explain(self) -> str:
        """Which plugin decided what: one line per hook, then the options of the plugins and their notes."""
        lines = [f"Stack: {' + '.join(self.stack)}", *map(str, self.provenance), "options:"]
        shown: set[int] = set()
        # A map may bring an economy of its own that builds on train cards: their options apply there too.
        active = self.contributing | {tag.partition(".")[0] for tag in self.types}
        for plugin in self.plugins.values():
            info: object = getattr(plugin, "info", None)
            if id(plugin) not in shown and isinstance(info, PluginInfo) and info.name in active:
                lines += [f"  {info.name}: {each}" for each in options_of(plugin).values()]
            shown.add(id(plugin))
        if self.notes:
            lines += ["notes:", *(f"  {note}" for note in self.notes)]
        return "\n".join(lines)

    # -- the engine, as methods --------------------------------------------------------------------------------

    def legal_actions(self, state: State, seat: int) -> Sequence[Action]:
        """Every legal action of `seat` in a state, in a stable order; none if it has no pending decision."""
        return engine.legal_actions(self._own(state), seat)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """None if `action` is legal in a state, else which rule refuses it and why."""
        return engine.refusal(self._own(state), engine.an_action(action))

    def is_legal(self, state: State, action: Action) -> bool:
        """Whether `action` is legal in a state."""
        return self.refusal(state, action) is None

    def play(self, state: State, action: Action) -> Played:
        """Return a new state and the events; the given state is unchanged, for searches and puzzles.

        Raises `IllegalActionError` for an action that the rules refuse.
        """
        return engine.play(self._own(state), engine.an_action(action))

    def _own(self, state: State) -> State:
        if state.rules.same_as(self):
            return state
        raise InvalidInputError(f"this state is of {state.rules}, not of {self}")
