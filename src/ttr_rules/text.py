"""Words for messages: untrusted values and texts made short and printable, identifiers as words, lists in a sentence.

>>> spaced("longest_path"), joined(["Ada", "Grace", "Otto"]), brief("x" * 1000)
('longest path', 'Ada, Grace and Otto', "'xxxxxxxxxxxx...xxxxxxxxxxxxx'")
"""

from ttr_rules._internal.messages import brief, line, reason_of
from ttr_rules._internal.wording import joined, printable, spaced, titled, with_article

__all__ = ["brief", "joined", "line", "printable", "reason_of", "spaced", "titled", "with_article"]
