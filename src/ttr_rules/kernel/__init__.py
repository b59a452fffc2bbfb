"""The kernel: what a game is, how it proceeds, how it is scored. It knows the data types of the model and no variant.

`state`, `part` and `fields` hold the state, and only `events` change it. `action_rule`, `engine` and `turn` play
actions (S5, S8, E1, R4); `economy` says what pays for them. `scores` and `scoring` add up (P1–P5), and `sheet` prints
it: a line of the score sheet is a `ScoringTerm` or a `Bonus` of `scores`. `view` is what a seat sees (S6). `rules` is
what a stack compiles to.
"""
