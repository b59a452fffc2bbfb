"""The data types of the game: cards, boards, tickets, actions, decisions, costs, chance.

Plain values, without rules. The kernel and everything above it are built on them.
"""

from ttr_rules.model.board import (
    Board as Board,
    City as City,
    Cost as Cost,
    Route as Route,
    Ticket as Ticket,
    networks as networks,
    plain as plain,
)
from ttr_rules.model.cards import (
    CARD_COLORS as CARD_COLORS,
    Card as Card,
    Color as Color,
    Counts as Counts,
    Unknown as Unknown,
)
from ttr_rules.model.chance import (
    Chance as Chance,
    Dealer as Dealer,
    SeededChance as SeededChance,
    checked_seed as checked_seed,
    new_seed as new_seed,
)
from ttr_rules.model.decisions import (
    AbandonTunnel as AbandonTunnel,
    Action as Action,
    AnnounceMix as AnnounceMix,
    CardDraw as CardDraw,
    ClaimRoute as ClaimRoute,
    Decision as Decision,
    DrawTickets as DrawTickets,
    HiddenAction as HiddenAction,
    HiddenDecision as HiddenDecision,
    InTurn as InTurn,
    KeepTickets as KeepTickets,
    Pass as Pass,
    PayTunnel as PayTunnel,
    Question as Question,
    TicketChoice as TicketChoice,
    TicketMix as TicketMix,
    TicketSetup as TicketSetup,
    ToDo as ToDo,
    TunnelDue as TunnelDue,
    Turn as Turn,
    to_counts as to_counts,
)
from ttr_rules.model.network import Network as Network, numbers as numbers
from ttr_rules.model.tickets import (
    Components as Components,
    Deal as Deal,
    DrawCounts as DrawCounts,
    KeepAtLeast as KeepAtLeast,
    KeepBetween as KeepBetween,
    KeepRule as KeepRule,
    Mix as Mix,
    Rule as Rule,
    RuleFile as RuleFile,
    Setup as Setup,
    Stage as Stage,
    TicketDeck as TicketDeck,
    Unkept as Unkept,
)
