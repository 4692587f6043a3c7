"""Games as files: Gambit's .efg format (EFG 2 R).

Begin with `efg_reader` and `efg_writer`. `efg_tokens` are the words and numbers of a file, and `game_tree` is
the game that the reader makes of them.
"""
