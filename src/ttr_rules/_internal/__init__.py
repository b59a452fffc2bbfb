"""Internal helpers, which import nothing else of the library; plugins must not import them.

`limits` bounds the size of documents, `exact` reads them by exact types, `messages` shortens values for people,
`wording` has small pieces of English; `frozenmap` and `sequences` are containers.
"""
