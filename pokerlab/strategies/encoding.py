"""The protocol of encodings: a way to read a strategy for every seat from one vector of genes."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import GameError, SettingError, ShapeError, UnknownNameError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.games import Profile, SequenceForm

SEATS = ("own", "shared")
"""Whether each seat has genes of its own, or all seats read the same ones."""


class Encoding(Protocol):
    """Turns genomes into profiles of its game."""

    @property
    def game(self) -> Any:
        """What is played."""

    @property
    def num_genes(self) -> int:
        """G, the length of a genome."""

    @property
    def gene_labels(self) -> tuple[str, ...]:
        """What each gene is called."""

    @property
    def start(self) -> Floats:
        """The genome, (G,), that an evolution begins with where none is given."""

    def profile(self, genome: ArrayLike) -> Any:
        """Return what everybody does by `genome`, (G,)."""


class SeatedEncoding(Encoding, Protocol):
    """An encoding that knows which seat reads which genes, so that a genome's halves can be judged apart."""

    @property
    def seat_genes(self) -> tuple[Ints, ...]:
        """The genes that are read in each seat; none is read in two.

        Raises
        ------
        GameError
            If seats share genes.
        """


class BehaviorEncoding(Encoding, Protocol):
    """An encoding for compiled games, which reads a whole population at once."""

    @property
    def game(self) -> SequenceForm:
        """What is played."""

    def profile(self, genome: ArrayLike) -> Profile:
        """Return what everybody does by `genome`, (G,)."""

    def behaviors(self, genomes: Floats) -> Floats:
        """Return the probabilities, (k, S - n), of genomes, (k, G), row by row."""


def checked_genomes(encoding: Encoding, genomes: ArrayLike) -> Floats:
    """Return genomes, (G,) or (k, G), as rows, (k, G).

    Raises
    ------
    ShapeError
        If a genome has another length.
    SettingError
        If a gene is not a finite number; its label is named.
    """
    try:
        given = np.asarray(genomes, dtype=np.float64)
    except (TypeError, ValueError):
        raise SettingError(
            f"a genome is {genomes!r}; give {encoding.num_genes} numbers, such as encoding.start."
        ) from None
    size = encoding.num_genes
    if given.ndim not in (1, 2) or given.shape[-1] != size:
        raise ShapeError(
            f"the genome has shape {given.shape}; {type(encoding).__name__} of {encoding.game.name}"
            f" has {size} genes. Begin with encoding.start."
        )
    rows = np.atleast_2d(given)
    if not np.isfinite(rows).all():
        row, gene = np.argwhere(~np.isfinite(rows))[0]
        raise SettingError(
            f"gene {gene} ('{encoding.gene_labels[gene]}') is {rows[row, gene]}; give finite numbers."
        )
    return rows


def in_scale(encoding: Encoding, genome: Floats) -> Floats:
    """Return genes of ordinary size, (G,), for the same strategy, if the encoding can find them."""
    scaled = getattr(encoding, "in_scale", None)
    return genome if scaled is None else np.asarray(scaled(genome))


def check_encoding(encoding: Any, game: Any) -> None:
    """Refuse anything but an encoding of `game`."""
    if isinstance(encoding, type) or not hasattr(encoding, "profile"):
        raise SettingError(
            f"{encoding!r} is not an encoding. Give one, such as strategies.DirectEncoding(game)."
        )
    if getattr(game, "fingerprint", None) != encoding.game.fingerprint:
        raise GameError(
            f"the encoding is for {encoding.game.name}, the coevolution for"
            f" {getattr(game, 'name', repr(game))}. Make both with the same game."
        )


def check_compiled(game: Any, encoding: str) -> None:
    """Refuse anything but a compiled game."""
    if not isinstance(game, SequenceForm):
        raise GameError(
            f"{encoding} reads strategies of compiled games; {game!r} is not one. Give one, such as"
            " games.kuhn()."
        )


def is_shared(seats: str) -> bool:
    """Return whether all seats read the same genes; refuse unknown words."""
    UnknownNameError.check("division of seats", seats, SEATS)
    return seats == "shared"
