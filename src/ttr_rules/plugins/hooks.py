"""The hooks: every way in which a plugin shapes the rules, on one page.

A plugin is a module, or a frozen instance, with an `info` (`PluginInfo`) and functions marked `@hookimpl` that have
the names below; a function may take fewer arguments than listed. When a stack is compiled each hook is
called once and the answers become frozen `Rules`.

*Value hooks* have one answer. A plain implementation **replaces** what lies below it; None leaves it.
A wrapper (`@hookimpl(wrapper=True)`) **adjusts**: it takes the answer from below with `yield` and returns a changed
one; one that cannot adjust what it is given raises a `PluginError`. Two plugins that replace the same value conflict,
unless one requires the other; or one, and only one, is marked `@hookimpl(tryfirst=True)`: it means to replace what any
map decides. Wrappers adjust whatever was decided so; one that is marked `tryfirst` adjusts last.

*Collecting hooks* have many answers: what all plugins return is put together.

The order in which a stack is named means nothing. The plugins of the map come first, then those built on it, then the
others; of these whoever requires less, then by name; and what a plugin requires always comes before it.

How Europe becomes Europe. It replaces four values: `board` (the map), `ticket_deck` (the cards of its set), `setup` (one
long ticket and three regular ones) and `tie_break`. Ferries and tunnels need no hook: they are columns of the map's
routes, and the core knows them. Stations are Europe's own, put together from six collections: `state_parts` (who built
where), `action_rules` (build one; choose what it lends), `event_types` (the events of both), `scoring_terms` (points for
those not built), `ticket_links` (what they lend) and `endings` (the question who lends what, where that is asked).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.extensions import (
    AfterClaim,
    ClaimCondition,
    CostChange,
    Ending,
    FollowUp,
    Guard,
    PartSpec,
    TurnHook,
)
from ttr_rules.kernel.hints import BotHint
from ttr_rules.kernel.plugin import hookspec
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import Bonus, ScoringTerm, TicketLink, TieBreak
from ttr_rules.model.board import Board
from ttr_rules.model.components import Components
from ttr_rules.model.rulebook import RuleFile
from ttr_rules.model.tickets import DrawCounts, Setup, TicketDeck

# -- values: a plain implementation replaces, a wrapper adjusts ------------------------------------------------


@hookspec(firstresult=True)
def board() -> Board | None:
    """The map."""


@hookspec(firstresult=True)
def components(board: Board) -> Components | None:
    """Cars, numbers of players, from how many players doubles are open, when the last round begins."""


@hookspec(firstresult=True)
def route_cars(board: Board) -> Mapping[str, int] | None:
    """How many train cars a claim takes, by route: the spaces of the route. A wrapper adds to it."""


@hookspec(firstresult=True)
def route_points(board: Board) -> Mapping[str, int] | None:
    """What a claim scores at once, by route: the points of the board for its length. A wrapper changes some."""


@hookspec(firstresult=True)
def ticket_deck(board: Board) -> TicketDeck | None:
    """Which of the board's tickets are in the game, in which piles."""


@hookspec(firstresult=True)
def setup(board: Board, deck: TicketDeck) -> Setup | None:
    """What is dealt before the first turn, what must be kept, where the rest goes; stage by stage."""


@hookspec(firstresult=True)
def draw_counts() -> DrawCounts | None:
    """How many tickets are drawn in play, and how many of them kept."""


@hookspec(firstresult=True)
def economy(board: Board, components: Components) -> Economy | None:
    """What pays for things: train cards, or something else."""


@hookspec(firstresult=True)
def bonuses() -> tuple[Bonus, ...] | None:
    """The bonuses at the end, such as the longest path: a line of the score sheet each."""


@hookspec(firstresult=True)
def tie_break() -> tuple[TieBreak, ...] | None:
    """What decides between players with equal points, the first first."""


# -- contributions: collected from all plugins, the base first ---------------------------------------------------


@hookspec
def action_rules(economy: Economy, board: Board) -> Iterable[ActionRule[Any, Any]] | None:
    """More actions, each an answer to one kind of decision."""


@hookspec
def state_parts() -> Iterable[PartSpec] | None:
    """More state, each part with its own type."""


@hookspec
def event_types() -> Iterable[type[Event]] | None:
    """The events that the plugin's actions make, so that saved games know them."""


@hookspec
def scoring_terms() -> Iterable[ScoringTerm] | None:
    """More points, for each player alone: a line of the score sheet each, which `points_in_play` fills during play."""


@hookspec
def ticket_links() -> Iterable[TicketLink] | None:
    """Routes of others that a player may use for tickets (B3)."""


@hookspec
def after_claims() -> Iterable[AfterClaim] | None:
    """What follows a claim before the turn ends: it may ask something first, and goes on with `after_claim` (M4)."""


@hookspec
def claim_conditions() -> Iterable[ClaimCondition] | None:
    """Who may not claim which route now, and why: it governs what is offered, refused and planned."""


@hookspec
def cost_changes() -> Iterable[CostChange] | None:
    """What a claim costs a seat at this moment, where that is not what the board says."""


@hookspec
def guards() -> Iterable[Guard] | None:
    """Conditions on any kind of action."""


@hookspec
def follow_ups() -> Iterable[FollowUp] | None:
    """What follows any kind of action, at once."""


@hookspec
def turn_begins() -> Iterable[TurnHook] | None:
    """What happens when a turn begins, before the economy opens it."""


@hookspec
def turn_ends() -> Iterable[TurnHook] | None:
    """What happens when a turn ends, before the economy closes it."""


@hookspec
def endings() -> Iterable[Ending] | None:
    """Questions asked after the last turn, before the scores."""


@hookspec
def problems(rules: Rules) -> Iterable[str] | None:
    """The final checks: what is wrong with this stack, in sentences."""


@hookspec
def notes(rules: Rules) -> Iterable[str] | None:
    """What people should know of this stack though it can be played, in sentences: `explain` shows them."""


@hookspec
def bot_hints() -> Iterable[BotHint] | None:
    """What bots should think of the plugin's actions and routes; without any they take its actions by chance."""


@hookspec
def rulebooks() -> Iterable[RuleFile] | None:
    """The texts of the rules that the plugin implements, by the ids that its refusals cite."""
