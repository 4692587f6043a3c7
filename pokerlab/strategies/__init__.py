"""Encodings, which map genomes to strategies, and lists of pure strategies.

Begin with `encoding`, the protocol, and with `direct_encoding`, the simplest encoding. `network_encoding` and `vectors`
have other encodings, and `pure_strategies` lists the pure strategies of a player. Encodings for real cards are part of
`holdem`.
"""

from pokerlab.core.public_names import make_lazy_attributes

__getattr__, __dir__, __all__ = make_lazy_attributes(__name__, __file__)
