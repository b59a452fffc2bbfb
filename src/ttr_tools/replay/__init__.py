"""A game as a web page to go through move by move: one HTML file that needs nothing else.

`recording` is what the page knows, as `patches` from move to move; `writing` puts it together with the picture of the
board, the style and the program, which are files of their own beside it; `texts` are the words of the page.
"""

from ttr_tools.replay.moment import Viewer
from ttr_tools.replay.writing import page

__all__ = ["Viewer", "page"]
