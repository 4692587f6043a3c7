"""The sequence form: what rules are compiled to, for every solver and metric.

Begin with `sequence_form` (the arrays) and `profile` (everybody's behavior over them). `compile` makes the
arrays from what `walk` finds in the tree. `sweeps` are the passes over them, and `worth` is what the passes
say: values, best responses, possible gains.
"""
