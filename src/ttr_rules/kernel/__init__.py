"""The kernel: what a game is, how it goes on, what it was worth. It knows the nouns of the model and no variant.

`state`, `part` and `fields` hold what is remembered, and `events` is all that changes it. `action_rule`, `engine` and `turn` play
actions (S5, S8, E1, R4); `economy` says what pays for them. `scores` and `scoring` add up (P1–P6), and `sheet` prints it: a line of
the score sheet is a `ScoringTerm` or a `Bonus` of `scores`. `view` is what a seat sees (S6). `rules` is what a stack compiles to.
"""
