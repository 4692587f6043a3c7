"""What to play in a game restricted to the strategies encountered so far.

Begin with `mixture`: what a subgame solver is, and the two simplest. `equilibria` solves games of two players,
`projected_replicator` learns instead of solving, for any number.
"""
