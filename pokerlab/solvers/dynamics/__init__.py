"""Learning dynamics: everybody's behavior changes a little at each step, and its average is the answer.

Begin with `cfr` or `replicator`, the shortest; `dynamics` is the state that most of them share.
`polynomial_weights` and `fictitious_play` are two more of the kind. `continuous_replicator` and
`normal_form_replicator` vary the replicator, and `bucketed_cfr` takes regret minimization to bucketed hold'em.
`exploitability_descent` follows the gradient of what best responses win.
"""
