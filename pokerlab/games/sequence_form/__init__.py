"""The sequence form: what rules are compiled to, for every solver and metric.

Begin with `compiled`: the arrays, and everybody's behavior over them, a profile. A player's part of them is its
`treeplex`. `compile` makes the arrays from what it finds in the tree. `sweeps` are the passes over them, and `worth`
is what the passes say: values, best responses, possible gains.
"""
