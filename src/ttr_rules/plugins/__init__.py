"""For authors of variants: what most plugins need.

A plugin is a class that derives from `Variant`; a hook is a method that overrides one of `Variant`'s and is marked
`@hookimpl`. What fewer plugins need is in a module for its task: `ttr_rules.events`, `actions`, `parts`, `scores`,
`hints`, and `language` for their words.
"""

from ttr_rules.errors import PluginError
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.choices import Choice, Confirm
from ttr_rules.kernel.economy import Economy, EconomyLayer
from ttr_rules.kernel.extensions import Around
from ttr_rules.kernel.fields import by_seat, hidden, public
from ttr_rules.kernel.paid_rule import PaidRule
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.player_score import Score
from ttr_rules.kernel.plugin import Option, PluginInfo, hookimpl, option, options_of
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import Bonus, ScoringTerm, TieBreak, points_in_play
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.variant import Below, Variant, always, tryfirst, trylast
from ttr_rules.model import (
    Components,
    Cost,
    Deal,
    DrawCounts,
    KeepAtLeast,
    KeepBetween,
    KeepRule,
    Mix,
    Question,
    Setup,
    Stage,
    TicketDeck,
    Unkept,
)
from ttr_rules.model.decisions import known, secret
from ttr_rules.plugins.datafile import DataVariant, load_variant
from ttr_rules.plugins.discovery import Installed, rulebook

__all__ = [
    "ActionRule",
    "Around",
    "Below",
    "Bonus",
    "Choice",
    "Components",
    "Confirm",
    "Cost",
    "DataVariant",
    "Deal",
    "DrawCounts",
    "Economy",
    "EconomyLayer",
    "Installed",
    "KeepAtLeast",
    "KeepBetween",
    "KeepRule",
    "Mix",
    "Option",
    "PaidRule",
    "Part",
    "PluginError",
    "PluginInfo",
    "Question",
    "Rules",
    "Score",
    "ScoringTerm",
    "Setup",
    "Stage",
    "TicketDeck",
    "TieBreak",
    "Transaction",
    "Unkept",
    "Variant",
    "always",
    "by_seat",
    "hidden",
    "hookimpl",
    "known",
    "load_variant",
    "option",
    "options_of",
    "points_in_play",
    "public",
    "rulebook",
    "secret",
    "tryfirst",
    "trylast",
]
