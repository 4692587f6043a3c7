"""Win probabilities: exact against a random or a known hand, and sampled against several.

Begin with `exact` (one hand or everybody's on a board) and `against` (a known hand, several random
ones). On the river everybody's chances follow from one sweep (`river`), on earlier
streets from sums over rivers (`tables`). In kernels, `lookup` finds the win probability of one
hand, `draws` what it makes and lacks, and `run_outs` its chances against each hand that it may meet.
"""
