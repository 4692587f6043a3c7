"""Players at a table: cash games, tournaments, what came of them, and hands as text and as files.

Begin with `players` (what a player is), `view` (what it sees) and `play` (cash games); `tournament`
plays down to a winner by a `schedule`, `shoot_out` table by table, and `game` makes games of all, with a
name and a fingerprint. `steps` is what all share: seats, and one loop. What comes of them is in `results`
and `tournament_results`, and `replay` goes through a recorded tournament round by round.

A tournament of many tables is in `rounds`; who changes tables is `balancing`. How aggressive a decision is
says `aggressiveness`, who knows it of whom `impressions`. `history` tells a hand in words, `phh` writes and
reads the PHH format.
"""
