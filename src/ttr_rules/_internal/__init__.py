"""Helpers of the library alone, which import nothing of it; no plugin imports them.

`limits` says how much of a document is read, `exact` reads it by exact types, `messages` shortens values for people, `wording` has small pieces
of English; `frozenmap` and `sequences` are containers.
"""
