"""Games: set up, played, arranged from any position, scored. Builds on compiled rules."""

from ttr_rules.kernel.offer import Offer, OfferedKind, PaymentPage, Purchase
from ttr_rules.play.game import Game
from ttr_rules.play.moves import Move, SeenMove
from ttr_rules.play.playouts import playout
from ttr_rules.play.positions import arrange, score
from ttr_rules.play.starting import new_game

__all__ = [
    "Game",
    "Move",
    "Offer",
    "OfferedKind",
    "PaymentPage",
    "Purchase",
    "SeenMove",
    "arrange",
    "new_game",
    "playout",
    "score",
]
