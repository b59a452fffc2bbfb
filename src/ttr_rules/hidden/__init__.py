"""Hidden information: worlds that fit what a seat can see."""

from ttr_rules.hidden.sampling import determinize

__all__ = ["determinize"]
