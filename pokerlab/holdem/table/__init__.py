"""Players at a table: what they see, what they are, and the hands of a cash game.

Begin with `players` (what a player is), `view` (what it sees) and `cash_game`; `cash_hands` deals its hands. `steps`
has what cash games and tournaments share: seats, and one loop over the hands. `results` is what came of them.
`aggressiveness` scores a decision, and `impressions` remembers the scores.
"""
