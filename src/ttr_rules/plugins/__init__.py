"""For authors of variants: the names that most plugins need.

A plugin is a class that derives from `Variant`. A hook is a method that overrides one of `Variant`'s and is marked
`@hookimpl`. Names that fewer plugins need are in modules by task: `ttr_rules.events`, `actions`, `parts`, `scores`,
`hints`, and `language` for texts.
"""

from ttr_rules.errors import PluginError as PluginError
from ttr_rules.kernel.action_rule import ActionRule as ActionRule
from ttr_rules.kernel.choices import Choice as Choice, Confirm as Confirm
from ttr_rules.kernel.economy import Economy as Economy, EconomyLayer as EconomyLayer
from ttr_rules.kernel.extensions import Around as Around
from ttr_rules.kernel.fields import by_seat as by_seat, hidden as hidden, public as public
from ttr_rules.kernel.paid_rule import PaidRule as PaidRule
from ttr_rules.kernel.part import Part as Part
from ttr_rules.kernel.player_score import Score as Score
from ttr_rules.kernel.plugin import (
    Option as Option,
    PluginInfo as PluginInfo,
    hookimpl as hookimpl,
    option as option,
    options_of as options_of,
)
from ttr_rules.kernel.rules import Rules as Rules
from ttr_rules.kernel.scores import (
    Bonus as Bonus,
    ScoringTerm as ScoringTerm,
    TieBreak as TieBreak,
    points_in_play as points_in_play,
)
from ttr_rules.kernel.transaction import Transaction as Transaction
from ttr_rules.kernel.variant import (
    Below as Below,
    Variant as Variant,
    always as always,
    tryfirst as tryfirst,
    trylast as trylast,
)
from ttr_rules.model import (
    Components as Components,
    Cost as Cost,
    Deal as Deal,
    DrawCounts as DrawCounts,
    KeepAtLeast as KeepAtLeast,
    KeepBetween as KeepBetween,
    KeepRule as KeepRule,
    Mix as Mix,
    Question as Question,
    Setup as Setup,
    Stage as Stage,
    TicketDeck as TicketDeck,
    Unkept as Unkept,
)
from ttr_rules.model.decisions import known as known, secret as secret
from ttr_rules.plugins.datafile import DataVariant as DataVariant, load_variant as load_variant
from ttr_rules.plugins.discovery import Installed as Installed, rulebook as rulebook
