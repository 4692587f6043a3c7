"""How strong a hand of five, six or seven cards is: a number from 0 to 7461, bigger is better.

Begin with `evaluation`, which looks hands up, sorts and counts them; `tables` makes what it looks up
from the rules of poker.
"""
