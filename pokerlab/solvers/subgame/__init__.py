"""What to play in a game restricted to the strategies encountered so far.

Begin with `mixture`: what a subgame solver is, and the two simplest. `zero_sum` has the linear programs
for two-player zero-sum games, `lemke_howson` and `enumeration` take any two players, `logit_path` any
number; `projected_replicator` learns instead of solving. `payoffs` says what strategies and mixes win.
"""
