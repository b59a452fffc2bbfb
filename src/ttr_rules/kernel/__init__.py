"""The kernel: the state of a game, its course and its scores. It knows the data types of the model and no variant.

- `state`, `part`, `fields`, `copying`: the state
- `events`, `effects`, `transaction`: all changes of the state
- `action_rule`, `paid_rule`, `choices`, `answers`, `numbering`, `offer`: legal actions
- `turn`: the course of a game (S5, S8, E1, R4)
- `economy`, `prices`: costs and payments
- `scores`, `scoring`, `column`, `player_score`: the score sheet (P1–P5)
- `view`, `views`: the game as a seat sees it (S6)
- `table`: games and positions written by people
- `variant`, `plugin`, `extensions`, `hints`: plugins and their hooks
- `rules`: the result of compiling a stack
"""
