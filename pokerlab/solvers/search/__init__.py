"""Where a memory's new strategies come from: one search heuristic a file.

Begin with `heuristic`, what a search heuristic is, and `best_response`, the usual one. `random_search` and
`evolutionary_search` look without the exact answer; `memory_heuristic` serves symmetric memories, with one mix.
"""
