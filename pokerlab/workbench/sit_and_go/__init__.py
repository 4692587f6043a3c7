"""A tournament of one table to play at in the notebook, and what the opponents thought; see `tournament_table`."""
