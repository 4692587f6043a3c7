"""Texas hold'em with real cards, on top of what small games have: nothing below knows a card of it.

Begin with `cards`, `strength` and `equity`: what hands are worth. `betting` has the rules of a hand; at a `table`
and in `tournaments` players play many. `genomes` are players that evolve: rules, matrices, networks. `abstraction`
puts hands in buckets, `limit_game` is the limit game in buckets, with exact worst cases, and `solvers` are its own.
"""

from pokerlab.core.faces import load_on_first_use

__getattr__, __dir__, __all__ = load_on_first_use(__name__, __file__)
