"""Win probabilities: exact against a random hand, a hand or a range, and sampled against several.

Begin with `exact` (one hand or everybody's on a board) and `match_up` (hand against hand). On the
river everybody's chances follow from one sweep (`river`); `street_sums` adds rivers up to earlier
streets, `tables` keeps the sums. In kernels, `lookup` finds the win probability of one hand,
`draws` what it makes and lacks, and `run_outs` its chances against each hand that it may meet.
"""
