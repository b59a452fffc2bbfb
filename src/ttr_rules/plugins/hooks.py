"""The hooks: every way in which a plugin can change the rules.

A plugin is a module, or a frozen instance, with an `info` (`PluginInfo`) and functions marked `@hookimpl` that have
the names below; a function may take fewer arguments than listed. When a stack is compiled, each hook is
called once, and the answers become frozen `Rules`: during play no hook is called, only the functions contained in
the answers.

*Value hooks* have one answer. A plain implementation **replaces** the answer of the plugins below; returning None keeps
it. A wrapper (`@hookimpl(wrapper=True)`) **adjusts**: it receives the answer from below with `yield` and returns a
changed one, or raises a `PluginError` if it cannot adjust it. Two plugins that replace the same value conflict, unless
one requires the other, or exactly one is marked `@hookimpl(tryfirst=True)`, which means that it overrides any map.
Wrappers adjust whichever answer was chosen; one that is marked `tryfirst` adjusts last.

*Collecting hooks* have many answers: the results of all plugins are combined.

The order in which a stack is named does not matter. The plugins of the map come first, then those built on it, then the
others, sorted by how little they require, then by name; what a plugin requires always comes before it.

An example: the plugin Europe replaces four values: `board` (the map), `ticket_deck` (the cards of its set), `setup`
(one long ticket and three regular ones) and `tie_break`. Ferries and tunnels need no hook: they are columns of the
map's routes, and the core knows them. Stations are Europe's own, built from six collecting hooks: `state_parts` (who
built where), `action_rules` (build one; choose what it lends), `event_types` (the events of both), `scoring_terms`
(points for those not built), `ticket_links` (what they lend) and `endings` (the choice of what they lend, if players
make it).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ttr_rules._internal.catalogs import Catalog
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
from ttr_rules.kernel.map_marks import MapMarks
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
    """The map: cities, routes, tickets, points for lengths.

    The plugin of a map replaces it. A wrapper changes the map below it, such as the colours of routes. There is no
    default: a stack needs a map. Not called if the caller passes a board: that one is used unchanged.
    """


@hookspec(firstresult=True)
def components(board: Board) -> Components | None:
    """Train cars, numbers of players, from how many players doubles are open, when the last round begins.

    Maps replace it, variants for fewer cars or more players adjust it. By default 45 cars, two to five players.
    """


@hookspec(firstresult=True)
def route_cars(board: Board) -> Mapping[str, int] | None:
    """How many train cars a claim takes, by route: by default the length of the route. A wrapper changes some.

    This does not change the cost: see `cost_changes`. Cars in addition to those of a claim are taken by `tx.use_cars`.
    """


@hookspec(firstresult=True)
def route_points(board: Board) -> Mapping[str, int] | None:
    """What a claim scores immediately, by route: by default the board's points for its length. A wrapper changes some.

    Points that depend on more than the route are scored in `after_claims`.
    """


@hookspec(firstresult=True)
def ticket_deck(board: Board) -> TicketDeck | None:
    """Which of the board's tickets are in the game, in which piles: by default all of them, one pile for each kind.

    Editions of a map replace it; a wrapper adds tickets of its own, or takes some out.
    """


@hookspec(firstresult=True)
def setup(board: Board, deck: TicketDeck) -> Setup | None:
    """What is dealt before the first turn, what must be kept, where the rest goes; stage by stage.

    By default three regular tickets, of which two are kept. Maps and editions replace it; a wrapper changes stages,
    such as what must be kept. To deal anything other than tickets, give a state part a `set_up` (`state_parts`).
    """


@hookspec(firstresult=True)
def draw_counts() -> DrawCounts | None:
    """How many tickets are drawn in play, and how many must be kept: by default three, and at least one.

    A wrapper changes some of its fields, and leaves the others to the plugins below.
    """


@hookspec(firstresult=True)
def economy(board: Board, components: Components) -> Economy | None:
    """What players pay with, and the actions to get it: by default train cards.

    Maps with cards of their own replace it. So does an economy that can replace the cards of any map; it is
    marked `tryfirst`. A wrapper returns an `EconomyLayer` on the one below, if changing what claims cost
    (`cost_changes`) is not enough: a layer sees every cost and every payment, including those of stations and of what
    plugins sell.
    """


@hookspec(firstresult=True)
def bonuses() -> tuple[Bonus, ...] | None:
    """The bonuses at the end, for the best at something: by default ten points for the longest path.

    They are computed from the players' sheets, after all other points. A wrapper adds one; `ranked_bonus` makes one
    with several amounts. Points that do not depend on other players are a scoring term.
    """


@hookspec(firstresult=True)
def tie_break() -> tuple[TieBreak, ...] | None:
    """Tie-breaks between players with equal points, in order: by default P5."""


# -- contributions: collected from all plugins, the base first ---------------------------------------------------


@hookspec
def action_rules(economy: Economy, board: Board) -> Iterable[ActionRule[Any, Any]] | None:
    """More actions, each an answer to one kind of decision: to `Turn`, or to a decision that the plugin itself opens.

    In play a rule is asked for its offers whenever its decision is pending. With `free = True` its action leaves the
    turn as it is; with `replaces = True` it replaces the rule for the same decision and action. `economy`
    is the one of the whole stack.
    """


@hookspec
def state_parts() -> Iterable[PartSpec] | None:
    """More state: parts, each a type of its own whose fields declare who may see them.

    A part is created when a game begins. Its `set_up` is called once the economy has dealt, before the first tickets,
    and may use chance; its `arrange` reads it from a score file or a position.
    """


@hookspec
def event_types() -> Iterable[type[Event]] | None:
    """The events that the plugin emits, so that saved games know them. Unlisted events cannot be loaded."""


@hookspec
def scoring_terms() -> Iterable[ScoringTerm] | None:
    """More points for each player, each term on its own line of the score sheet.

    Called for each player when a game is over or a table is scored. `points_in_play` declares points that are scored
    during play; they count in the scores that all players see.
    """


@hookspec
def ticket_links() -> Iterable[TicketLink] | None:
    """Routes of other players that a player may use for tickets.

    Called when a game is over; the best choice among the possible loans is found automatically.
    """


@hookspec
def after_claims() -> Iterable[AfterClaim] | None:
    """What follows a claim before the turn ends: it may open a decision first, which continues with `after_claim`.

    Called after each claim that is paid, with the seat and the route; the cars and points of the route are accounted
    for by then. It may emit events, score, use cars, grant a turn, or open a decision; if it does the last, it returns
    True.
    """


@hookspec
def claim_conditions() -> Iterable[ClaimCondition] | None:
    """Who may not claim which route now, and why: this governs what is offered, refused and planned.

    Called whenever claims are offered or refused, so it should be fast: see `closed`. It may depend on public
    information and on what the seat itself knows. A condition can only close routes; it cannot open what the rules have
    closed.
    """


@hookspec
def cost_changes() -> Iterable[CostChange] | None:
    """Changes to what a claim currently costs a seat.

    Called whenever claims are offered, refused and paid, for each different cost of the board, with any economy. Each
    change receives the cost that the previous one returned. At least one space is paid, and at least
    one for every locomotive symbol.
    """


@hookspec
def guards() -> Iterable[Guard] | None:
    """Conditions on actions of one type: why such an action may not be taken now.

    Called for every offered action of exactly that type, and for its refusal, after its own rule. An economy may
    replace one of the core's types with another: guard that too.
    """


@hookspec
def follow_ups() -> Iterable[FollowUp] | None:
    """What immediately follows actions of one type: it emits events and opens no decision.

    Called after the action, before the turn ends if the action ends it.
    """


@hookspec
def turn_begins() -> Iterable[TurnHook] | None:
    """What happens when a turn begins, before the economy opens it.

    Called at the beginning of every turn, granted ones too, in the order of the stack. It may open a decision; then the
    rule that takes the answer continues with `begin_turn`.
    """


@hookspec
def turn_ends() -> Iterable[TurnHook] | None:
    """What happens when a turn ends, before the economy closes it.

    Called after every action that ends a turn, and after a pass, in the order of the stack. It may open a decision;
    then the rule that takes the answer continues with `end_turn`.
    """


@hookspec
def endings() -> Iterable[Ending] | None:
    """Decisions after the last turn, before scoring.

    Called when the tickets have been revealed, and again each time an answer calls `end_game`, until none of them
    opens a decision.
    """


@hookspec
def problems(rules: Rules) -> Iterable[str] | None:
    """The final checks: what is wrong with this stack, in sentences. If there are any, the stack is not compiled."""


@hookspec
def notes(rules: Rules) -> Iterable[str] | None:
    """Remarks about a stack that can be played, in sentences: `explain` shows them."""


@hookspec
def bot_hints() -> Iterable[BotHint] | None:
    """Values of the plugin's actions and routes for bots; without hints they choose its actions at random.

    Called with a view, never with a state, whenever a bot decides.
    """


@hookspec
def map_marks() -> Iterable[MapMarks] | None:
    """What pictures of the board show of the plugin: notes at cities and routes, and the pieces of players.

    Called with the rules and a view, never with a state, whenever a board or a position is drawn.
    """


@hookspec
def rulebooks() -> Iterable[RuleFile] | None:
    """The texts of the rules that the plugin implements, by id; its refusals cite these ids."""


@hookspec
def catalogs() -> Iterable[Catalog] | None:
    """Where the translations of the plugin's texts are: gettext catalogues in its package, a folder for each language.

    They are read when somebody wants to see the game in that language. A plugin's own catalogues come before those of
    the plugins below, and before the library's.
    """
