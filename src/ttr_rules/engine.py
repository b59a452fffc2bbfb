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

from ttr_rules.kernel.answers import (
    Answers as Answers,
    LegalActions as LegalActions,
    RuleEntry as RuleEntry,
    advance as advance,
    legal_actions as legal_actions,
    refusal as refusal,
    sampled as sampled,
)
from ttr_rules.kernel.events import Played as Played
from ttr_rules.kernel.numbering import ActionNumbers as ActionNumbers, action_numbers as action_numbers
from ttr_rules.kernel.scoring import (
    final_scores as final_scores,
    never_hidden as never_hidden,
    running_scores as running_scores,
)
from ttr_rules.kernel.state import open_routes as open_routes
from ttr_rules.kernel.views import check_seat as check_seat, view_of as view_of
from ttr_rules.mechanics.tickets import set_up as set_up
from ttr_rules.play.game import check_tickets as check_tickets, player_names as player_names
