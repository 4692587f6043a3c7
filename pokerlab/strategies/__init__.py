"""Forms of a strategy other than behavior: pure strategies, genes, networks, vectors.

Begin with `encoding` (how genes become a strategy) and `direct_encoding`, the simplest. `network_encoding` and
`vectors` are more of them, and `pure_strategies` lists those. Genomes that play real cards are hold'em's.
"""

from pokerlab.core.public_names import load_on_first_use

__getattr__, __dir__, __all__ = load_on_first_use(__name__, __file__)
