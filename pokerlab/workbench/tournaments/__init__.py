"""Tournaments in the notebook, to play at and to watch.

Begin with `tournament_table`, one table to play at: `sit_and_go` is its match, `tournament_picture` what its
reader sees, and afterward what the opponents thought. `tournament_explorer` shows a recorded tournament round
by round, as `tournament_drawing` draws it.
"""
