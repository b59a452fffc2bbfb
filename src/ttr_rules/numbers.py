"""Numbers in place of actions and routes, for rules that must be fast."""

from ttr_rules._internal.native import i64
from ttr_rules.kernel.action_rule import ListedRule, NumberedRule, SingleActionRule
from ttr_rules.kernel.state import FREE
from ttr_rules.mechanics.claims import not_barred

__all__ = [
    "FREE",
    "ListedRule",
    "NumberedRule",
    "SingleActionRule",
    "i64",
    "not_barred",
]
