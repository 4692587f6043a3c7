"""Sets of pure strategies that grow: a search finds what beats the present mix, a subgame finds the next mix.

Begin with `memory`, the rounds that most share. `nash_memory` is the paper's symmetric one, which `memory_heuristic`
searches for; `parallel_nash_memory` has one for each player, and PSRO, which keeps every reply. `double_oracle` works
in the sequence form. The searches are in `solvers.search`, and the mixes come from `solvers.subgame`.
"""
