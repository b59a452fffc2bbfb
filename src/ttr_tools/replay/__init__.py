"""A game as a web page to go through move by move: one HTML file that needs nothing else.

`recording` has the data of a page, a snapshot and patches from move to move, and puts it together with the picture of the
board, the style and the program, which are files of their own beside it, as are the texts of pages.
"""

from typing import TYPE_CHECKING

from ttr_rules.loading import lazily

if TYPE_CHECKING:
    from ttr_tools.replay.recording import Viewer as Viewer, page as page
else:
    __getattr__, __dir__, __all__ = lazily(__name__, {".recording": "Viewer page"})
