"""Players at a table: what they see, what they are, and the hands of a cash game.

Begin with `players` (what a player is), `view` (what it sees) and `play` (cash games). `game` gives games a
name and a fingerprint. `steps` has what cash games and tournaments share: seats, and one loop over the hands.
`results` is what came of them. `aggressiveness` scores a decision, and `impressions` remembers the scores.
`random_play` plays random legal actions without any player.
"""
