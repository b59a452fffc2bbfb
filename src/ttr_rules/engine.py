"""The rules applied to states: legal actions, their effect, views and scores, for whoever needs no `Game`.

Searches and learning environments play millions of actions: they copy a state and advance the copy.

>>> import ttr_rules as ttr
>>> game = ttr.new_game("london", players=2, seed=1)
>>> state = game.state.copy()
>>> seat = state.to_act[0]
>>> advance(state, legal_actions(state, seat)[0])
>>> seat in state.to_act, seat in game.to_act
(False, True)
"""

from ttr_rules.kernel.answers import Answers, LegalActions, advance, legal_actions, refusal, sampled
from ttr_rules.kernel.events import Played
from ttr_rules.kernel.numbering import ActionNumbers, action_numbers
from ttr_rules.kernel.scoring import final_scores, never_hidden, running_scores
from ttr_rules.kernel.state import open_routes
from ttr_rules.kernel.views import check_seat, view_of
from ttr_rules.mechanics.tickets import set_up
from ttr_rules.play.game import check_tickets, player_names

__all__ = [
    "ActionNumbers",
    "Answers",
    "LegalActions",
    "Played",
    "action_numbers",
    "advance",
    "check_seat",
    "check_tickets",
    "final_scores",
    "legal_actions",
    "never_hidden",
    "open_routes",
    "player_names",
    "refusal",
    "running_scores",
    "sampled",
    "set_up",
    "view_of",
]
