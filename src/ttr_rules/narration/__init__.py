"""What happens in a game, told in sentences: for terminals, web pages and chat bots.

`narrate` tells a game, `narrator` events as they happen; `words` and `labels` name cards, places and players in sentences and in tables; `shown` is what
the parts of a view expose. All of them do so in one language, English or another: see `Rules.language`.

>>> from ttr_rules import new_game
>>> game = new_game("europe", players=["Ada", "Isambard"], seed=1)
>>> for line in Narrator(game.rules, game.players).tell(game.events):
...     print(line.text)
Ada and Isambard play; Ada begins.
Turned up: red, purple, green, red and green.
"""

from ttr_rules._internal.catalogs import chosen_language, languages
from ttr_rules._internal.language import Language, language
from ttr_rules.narration.narrator import Line, Narrator
from ttr_rules.narration.telling import narrate
from ttr_rules.narration.words import Names

__all__ = ["Language", "Line", "Names", "Narrator", "chosen_language", "language", "languages", "narrate"]
