"""What happens in a game, told in sentences: for terminals, web pages and chat bots.

`narrate` tells a game, `narrator` events as they happen; `words` and `labels` name cards, places and players in sentences and in tables; `shown` is what
the parts of a view expose; `sheet` is the score sheet as text. All of them do so in one language, English or another: see `Rules.language`.

>>> from ttr_rules import new_game
>>> game = new_game("europe", players=["Ada", "Isambard"], seed=1)
>>> for line in Narrator(game.rules, game.players).tell(game.events):
...     print(line.text)
Ada and Isambard play; Isambard begins.
Turned up: red, green, yellow, orange and purple.
"""

from ttr_tools.narration.choosing import chosen_language, languages
from ttr_tools.narration.narrator import Line, Narrator
from ttr_tools.narration.sheet import sheet_text
from ttr_tools.narration.telling import narrate
from ttr_tools.narration.words import Names

__all__ = ["Line", "Names", "Narrator", "chosen_language", "languages", "narrate", "sheet_text"]
