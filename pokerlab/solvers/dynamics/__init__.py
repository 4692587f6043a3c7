"""Learning dynamics: everybody's behavior changes a little at each step, and its average is the answer.

Begin with `dynamics`, the state that most of them share and the two shortest. `replicator` has the dynamics
in discrete and continuous time, for which `flow` integrates. `cfr` minimizes regret, and `bucketed_cfr` does so in
bucketed hold'em. `stability` says where the flow of a small symmetric game rests, and `finite_population` lets chance
breed. `exploitability_descent` follows the gradient of what best responses win.
"""
