"""A game told in sentences: for terminals, web pages and chat bots.

`telling` has the narrator and `narrate`, `words` names cards, places and players in sentences and in tables, `menus` puts
legal actions in words, `sheet` is the score sheet as text. All of them do so in one language, English or another: see
`Rules.language`.

>>> from ttr_rules import new_game
>>> game = new_game("europe", players=["Ada", "Isambard"], seed=1)
>>> for line in Narrator(game.rules, game.players).tell(game.events):
...     print(line.text)
Ada and Isambard play; Isambard begins.
Turned up: red, green, yellow, orange and purple.
"""

from ttr_tools.narration.sheet import sheet_text
from ttr_tools.narration.telling import Line, Narrator, narrate
from ttr_tools.narration.words import Names, choose_language, languages

__all__ = ["Line", "Names", "Narrator", "choose_language", "languages", "narrate", "sheet_text"]
