"""Sets of pure strategies that grow: a search finds what beats the present mix, a subgame finds the next mix.

Begin with `memory`, the rounds that most share. `nash_memory` is the paper's symmetric one and
`parallel_nash_memory` has one for each player. `double_oracle` works in the sequence form, and `psro` keeps
every reply. The searches are in `solvers.search`, and the mixes come from `solvers.subgame`.
"""
