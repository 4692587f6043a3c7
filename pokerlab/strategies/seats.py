"""Encodings whose genes belong to one seat each, so that a genome's halves can be judged apart."""

from typing import Protocol

from pokerlab.core.arrays import Ints
from pokerlab.strategies.encoding import Encoding


class SeatedEncoding(Encoding, Protocol):
    """An encoding that knows which seat reads which genes."""

    @property
    def seat_genes(self) -> tuple[Ints, ...]:
        """The genes that are read in each seat; none is read in two.

        Raises
        ------
        GameError
            If seats share genes.
        """
