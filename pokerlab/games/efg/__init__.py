"""Games as files: Gambit's .efg format (EFG 2 R).

Begin with `efg_reader`, which makes a `GameTree` of a file, and `efg_writer`. `efg_tokens` are the words and
numbers of a file.
"""
