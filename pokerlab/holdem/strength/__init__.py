"""How strong a hand of five, six or seven cards is: a number from 0 to 7461, bigger is better.

Begin with `evaluation`, which looks hands up; `tables` makes the tables from the rules of poker, and
`all_hands` counts every hand there is, as a check.
"""
