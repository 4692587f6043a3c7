"""What to play in a game restricted to the strategies encountered so far.

Begin with `mixture`: what a subgame solver is, and the two simplest. `zero_sum` has the linear programs
for two-player zero-sum games, `lemke_howson` takes any two players; `projected_replicator` learns instead of
solving, for any number.
"""
