"""Where a memory's new strategies come from: one search heuristic a file."""
