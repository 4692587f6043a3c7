"""Players at a table: cash games, tournaments, what came of them, and hands as text and as files.

Begin with `players` (what a player is), `view` (what it sees) and `play` (cash games); `tournament`
plays down to a winner by a `schedule`, and `game` makes games of both, with a name and a fingerprint.
`steps` is what both share: seats, and one loop. What comes of them is in `results` and
`tournament_results`. `history` tells a hand in words, `phh` writes and reads the PHH format.
"""
