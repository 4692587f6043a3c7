"""Players at a table: cash games, tournaments, what came of them, and hands as text and as files.

Begin with `players` (what a player is), `view` (what it sees) and `play` (cash games); `tournament`
plays down to a winner, and `game` makes games of both, with a name and a fingerprint. `steps` is the
one loop that both share. `history` tells a hand in words, `phh` writes and reads the PHH format.
"""
