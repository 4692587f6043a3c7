"""The protocol of encodings, which read a strategy for every seat from one vector of genes."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import Floats, GameError, SettingError, ShapeError, UnknownNameError
from pokerlab.core.arrays import checked_numbers
from pokerlab.core.errors import quote_value
from pokerlab.core.old_names import reject_renamed_methods
from pokerlab.core.settings import check_attributes, check_kind, describe_range
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.symmetric import find_asymmetry

PROBABILITY, RANK, AMOUNT, FLAG = range(4)
"""The kinds of genes: a real number, a whole number on a short scale, a whole amount, and 0 or 1.

Mutation has a width of its own for each of the first three, and flips flags.
"""
SEATS = ("own", "shared")  # whether each seat has genes of its own, or all seats read the same ones


class Encoding(Protocol):
    """Turns genomes, which are vectors of genes, into profiles of its game.

    Optional methods: `rescale_genome(genome)`, which returns a genome of usual size and the same strategy.
    """

    @property
    def game(self) -> Any:
        """The game that is played."""

    @property
    def num_genes(self) -> int:
        """The length of a genome, G."""

    @property
    def gene_labels(self) -> tuple[str, ...]:
        """The label of each gene."""

    @property
    def start(self) -> Floats:
        """The first genome of an evolution where none is given."""

    def make_profile(self, genome: ArrayLike) -> Any:
        """Return the profile of the game that a genome means."""


class BehaviorEncoding(Encoding, Protocol):
    """An encoding for compiled games, which computes the profiles of a whole population at once."""

    @property
    def game(self) -> SequenceForm:
        """The game that is played."""

    def make_profile(self, genome: ArrayLike) -> Profile:
        """Return the profile of the game that a genome means."""

    def compute_behaviors(self, genomes: Floats) -> Floats:
        """Return the probabilities of the profiles that genomes mean.

        Parameters
        ----------
        genomes : array of shape (k, G)
            One genome in each row.

        Returns
        -------
        array of shape (k, S - n)
            The `probabilities` of one `Profile` in each row.
        """


def checked_genomes(
    genomes: ArrayLike,
    size: int,
    owner: str,
    *,
    kind: type | None = np.float64,
    low: ArrayLike = -np.inf,
    high: ArrayLike = np.inf,
    is_whole: ArrayLike = False,
    names: Sequence[str] = (),
) -> NDArray[Any]:
    """Return one genome or several as rows of finite genes; raise if a gene is outside its range.

    Parameters
    ----------
    genomes : array_like of shape (G,) or (k, G)
        The genomes that a user gave.
    size : int
        The number of genes that a genome must have, G.
    owner : str
        The encoding, as errors call it.
    kind : type, optional
        The type of the rows; None for the type given.
    low, high, is_whole : array_like of shape () or (G,)
        The range of each gene, and whether it must be a whole number.
    names : sequence of str
        The labels of the genes, for errors.

    Returns
    -------
    array of shape (k, G)
        One genome in each row.

    Raises
    ------
    SettingError
        If a gene is no number, not finite, out of range or not whole.
    ShapeError
        If there are not G genes.
    """
    known = type(genomes) is np.ndarray and genomes.dtype.kind in "biuf"
    try:
        given: Any = genomes if known else checked_numbers(genomes, "genes")
    except SettingError:
        raise SettingError(
            f"a genome is {quote_value(genomes)}; give {size} numbers for {owner}."
        ) from None
    with np.errstate(over="ignore"):  # numbers that are too large become infinite, and are refused
        given = np.asarray(given, dtype=kind)
    if given.ndim not in (1, 2) or given.shape[-1] != size:
        raise ShapeError(
            f"the genomes have shape {given.shape}; {owner} has {size} genes, so give shape ({size},), or"
            f" (k, {size}) for k genomes."
        )
    rows = np.atleast_2d(given)
    is_right = np.isfinite(rows) & (rows >= low) & (rows <= high)
    is_right &= (rows == np.floor(rows)) | ~np.asarray(is_whole)
    if not is_right.all():
        row, gene = np.argwhere(~is_right)[0]
        least, most, must_be_whole = (
            np.broadcast_to(each, size)[gene] for each in (low, high, is_whole)
        )
        name = f" ('{names[gene]}')" if names else ""
        kind_of_number = "whole number" if must_be_whole else "number"
        allowed = (
            f"{kind_of_number} from {describe_range(least, most)}"
            if np.isfinite(most)
            else f"finite {kind_of_number}"
        )
        raise SettingError(
            f"gene {gene}{name} of genome {row} is {rows[row, gene]:g}; give a {allowed}."
        )
    return rows


def checked_genome(encoding: Encoding, genome: ArrayLike) -> Floats:
    """Return one genome of an encoding as an array of finite numbers; raise if it is none."""
    owner = f"{type(encoding).__name__} of {encoding.game.name}"
    rows = checked_genomes(genome, encoding.num_genes, owner, names=encoding.gene_labels)
    if np.ndim(genome) > 1:
        raise ShapeError(f"{len(rows)} genomes are given; give one, of shape ({rows.shape[1]},).")
    return np.asarray(rows[0])


def rescale_genome(encoding: Encoding, genome: Floats) -> Floats:
    """Return a genome of usual size and the same strategy; the genome itself if its encoding cannot rescale it."""
    rescale = getattr(encoding, "rescale_genome", None)
    return genome if rescale is None else np.asarray(rescale(genome))


def check_encoding(encoding: Any, game: Any) -> None:
    """Raise if `encoding` is not an encoding of `game`."""
    instead = "one such as strategies.DirectEncoding(game)"
    reject_renamed_methods("encoding", encoding, ("compute_behaviors", "rescale_genome"))
    check_attributes("encoding", encoding, ("make_profile",), instead)
    if getattr(game, "fingerprint", None) != encoding.game.fingerprint:
        raise GameError(
            f"the encoding is for {encoding.game.name}, the coevolution for"
            f" {getattr(game, 'name', quote_value(game))}. Make both with the same game."
        )


def check_compiled(game: Any, encoding: str) -> None:
    """Raise if `game` is not a compiled game."""
    instead = "a compiled one, such as games.kuhn()"
    check_kind(f"the game of {encoding}", game, SequenceForm, instead, GameError)


def check_can_share_genes(game: SequenceForm) -> None:
    """Raise if a game is not symmetric, so that its seats cannot share genes."""
    if difference := find_asymmetry(game):
        raise GameError(
            f"the seats of {game.name} cannot share genes, because it is not symmetric: {difference}. Use"
            " seats='own'."
        )


def has_shared_genes(seats: str) -> bool:
    """Return whether all seats read the same genes; raise if `seats` is neither 'own' nor 'shared'."""
    UnknownNameError.check("division of seats", seats, SEATS)
    return seats == "shared"
