"""Helpers of the library alone: limits, messages, immutable mappings. They import nothing of it and no plugin imports them."""
