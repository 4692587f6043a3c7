"""The protocol of encodings, which map a genome, a vector of genes, to a strategy for each seat."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import Floats, GameError, SettingError, ShapeError, UnknownNameError
from pokerlab.core.arrays import NUMBER_KINDS, validate_numbers
from pokerlab.core.errors import quote_value
from pokerlab.core.old_names import reject_object_with_old_methods
from pokerlab.core.settings import check_attributes, check_kind, describe_range
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.symmetric import describe_asymmetry

PROBABILITY, RANK, AMOUNT, FLAG = range(4)
"""The kinds of genes: a real number, an integer on a short scale, an integer amount, and a flag, which is 0 or 1.

Mutations of each of the first three kinds have their own standard deviation. A flag is flipped when it mutates.
"""
SEATS = ("own", "shared")  # whether each seat has its own genes, or all seats use the same genes


class Encoding(Protocol):
    """A map from genomes, which are vectors of genes, to profiles of a game.

    It may have a method `rescale_genome(genome)`, which returns a genome of the same strategy whose genes are not
    large.
    """

    @property
    def game(self) -> Any:
        """The game that is played."""

    @property
    def num_genes(self) -> int:
        """The number of genes of a genome."""

    @property
    def gene_labels(self) -> tuple[str, ...]:
        """The label of each gene."""

    @property
    def default_start(self) -> Floats:
        """The genome with which an evolution begins by default."""

    def make_profile(self, genome: ArrayLike) -> Any:
        """Return the profile of the game that a genome encodes.

        Parameters
        ----------
        genome : array_like of shape (G,)
            The genome, of G genes.

        Returns
        -------
        Any
            A profile of the game, such as a `Profile`.
        """


class BehaviorEncoding(Encoding, Protocol):
    """An encoding for compiled games, which computes the profiles of a whole population at once."""

    @property
    def game(self) -> SequenceForm:
        """The game that is played."""

    def make_profile(self, genome: ArrayLike) -> Profile:
        """Return the profile of the game that a genome encodes.

        Parameters
        ----------
        genome : array_like of shape (G,)
            The genome, of G genes.

        Returns
        -------
        Profile
            The strategies of all players.
        """

    def compute_behaviors(self, genomes: Floats) -> Floats:
        """Return the profiles that several genomes encode, as action probabilities.

        Parameters
        ----------
        genomes : array of shape (k, G)
            The k genomes, of G genes each.

        Returns
        -------
        array of shape (k, S - n)
            The profile of each genome: in a game of n players and S sequences, the probability of the last action of
            each sequence that is not empty.
        """


def validate_genomes(
    genomes: ArrayLike,
    num_genes: int,
    encoding_name: str,
    *,
    dtype: type | None = np.float64,
    low: ArrayLike = -np.inf,
    high: ArrayLike = np.inf,
    is_whole: ArrayLike = False,
    gene_labels: Sequence[str] = (),
) -> NDArray[Any]:
    """Return one or several genomes as the rows of an array, after checking them.

    Parameters
    ----------
    genomes : array_like of shape (G,) or (k, G)
        One genome of G genes, or k genomes.
    num_genes : int
        The number of genes that a genome must have, G.
    encoding_name : str
        The name of the encoding in error messages.
    dtype : type, optional
        The number type of the result; None for the type of `genomes`.
    low, high, is_whole : array_like of shape () or (G,)
        The range of each gene, and whether it must be an integer.
    gene_labels : sequence of str
        The labels of the genes, for error messages.

    Returns
    -------
    array of shape (k, G)
        One genome in each row.

    Raises
    ------
    SettingError
        If a gene is not a number, not finite, outside its range, or not an integer although it must be one.
    ShapeError
        If a genome does not have G genes.
    """
    # An array of numbers keeps its type, which `dtype` may want. All else is converted to floats.
    is_array_of_numbers = type(genomes) is np.ndarray and genomes.dtype.kind in NUMBER_KINDS
    try:
        array: Any = genomes if is_array_of_numbers else validate_numbers(genomes, "genes")
    except SettingError:
        raise SettingError(
            f"a genome is {quote_value(genomes)}; give {num_genes} numbers for {encoding_name}."
        ) from None

    with np.errstate(over="ignore"):  # numbers that are too large become infinite, and are refused
        array = np.asarray(array, dtype=dtype)
    if array.ndim not in (1, 2) or array.shape[-1] != num_genes:
        raise ShapeError(
            f"the genomes have shape {array.shape}; {encoding_name} has {num_genes} genes, so give shape"
            f" ({num_genes},), or (k, {num_genes}) for k genomes."
        )

    # Ranges are compared only if there are any, because genomes can have thousands of genes.
    rows = np.atleast_2d(array)
    is_allowed = np.isfinite(rows)
    has_bounds = np.any(low != -np.inf) or np.any(high != np.inf)
    if has_bounds:
        is_allowed &= (rows >= low) & (rows <= high)
    if np.any(is_whole):
        is_allowed &= (rows == np.floor(rows)) | ~np.asarray(is_whole)
    if is_allowed.all():
        return rows

    row, gene = np.argwhere(~is_allowed)[0]
    lowest = np.broadcast_to(low, num_genes)[gene]
    highest = np.broadcast_to(high, num_genes)[gene]
    must_be_whole = np.broadcast_to(is_whole, num_genes)[gene]
    name = f" ('{gene_labels[gene]}')" if gene_labels else ""
    raise SettingError(
        f"gene {gene}{name} of genome {row} is {rows[row, gene]:g};"
        f" give a {describe_allowed_numbers(lowest, highest, must_be_whole)}."
    )


def describe_allowed_numbers(lowest: float, highest: float, must_be_whole: bool) -> str:
    """Return a text that describes the numbers that a gene can have, such as 'whole number from 0 to 5'.

    Parameters
    ----------
    lowest, highest : float
        The range of the gene, which may be infinite. It is named only if it has an upper bound.
    must_be_whole : bool
        Whether the gene must be an integer.
    """
    kind_of_number = "whole number" if must_be_whole else "number"
    if np.isfinite(highest):
        return f"{kind_of_number} from {describe_range(lowest, highest)}"
    return f"finite {kind_of_number}"


def validate_genome(encoding: Encoding, genome: ArrayLike) -> Floats:
    """Return one genome of an encoding as an array of floats, after checking it.

    Parameters
    ----------
    encoding : Encoding
        The encoding, whose genomes have G genes.
    genome : array_like of shape (G,)
        The genome.

    Returns
    -------
    array of shape (G,)
        The genome.

    Raises
    ------
    SettingError
        If a gene is not a finite number.
    ShapeError
        If the genome does not have G genes, or if several genomes are given.
    """
    encoding_name = f"{type(encoding).__name__} of {encoding.game.name}"
    rows = validate_genomes(
        genome, encoding.num_genes, encoding_name, gene_labels=encoding.gene_labels
    )
    if np.ndim(genome) > 1:
        raise ShapeError(f"{len(rows)} genomes are given; give one, of shape ({rows.shape[1]},).")
    return np.asarray(rows[0])


def rescale_genome(encoding: Encoding, genome: Floats) -> Floats:
    """Return a genome of the same strategy whose genes are not large, with which another evolution can begin.

    Parameters
    ----------
    encoding : Encoding
        The encoding, whose genomes have G genes. Its method `rescale_genome` is called if it has one.
    genome : array of shape (G,)
        The genome.

    Returns
    -------
    array of shape (G,)
        The rescaled genome, or the given genome itself if the encoding has no such method.
    """
    rescale = getattr(encoding, "rescale_genome", None)
    return genome if rescale is None else np.asarray(rescale(genome))


def check_encoding(encoding: Any, game: Any) -> None:
    """Raise an error if an object is not an encoding of a game.

    Parameters
    ----------
    encoding : Any
        The object, which should have the methods of `Encoding`.
    game : Any
        The game for which the encoding is needed.

    Raises
    ------
    SettingError
        If the object lacks the method `make_profile`, or has a method only under a name of pokerlab 1.0.
    GameError
        If the encoding is for another game.
    """
    reject_object_with_old_methods("encoding", encoding, ("compute_behaviors", "rescale_genome"))
    expected = "one such as strategies.DirectEncoding(game)"
    check_attributes("encoding", encoding, ("make_profile",), expected)

    # Games with the same fingerprint have the same rules, so the game need not be the same object.
    if getattr(game, "fingerprint", None) != encoding.game.fingerprint:
        raise GameError(
            f"the encoding is for {encoding.game.name}, the coevolution for"
            f" {getattr(game, 'name', quote_value(game))}. Make both with the same game."
        )


def check_game_of_encoding(game: Any, class_name: str) -> None:
    """Raise a GameError if the game of an encoding is not compiled to the arrays of a `SequenceForm`.

    Parameters
    ----------
    game : Any
        The game that was given to the encoding, or to its inputs.
    class_name : str
        The class that needs a compiled game, such as 'DirectEncoding'. The error message names it.

    Raises
    ------
    GameError
        If the game is of another kind.
    """
    expected = "a compiled one, such as games.kuhn()"
    check_kind(f"the game of {class_name}", game, SequenceForm, expected, GameError)


def check_can_share_genes(game: SequenceForm) -> None:
    """Raise a GameError if the players of a game cannot use the same genes, because the game is not symmetric.

    Parameters
    ----------
    game : SequenceForm
        The game.

    Raises
    ------
    GameError
        If the game is not symmetric. The message says in what its players differ.
    """
    difference = describe_asymmetry(game)
    if difference:
        raise GameError(
            f"the seats of {game.name} cannot share genes, because it is not symmetric: {difference}. Use"
            " seats='own'."
        )


def has_shared_genes(seats: str) -> bool:
    """Return whether all players use the same genes, by the setting `seats` of an encoding.

    Parameters
    ----------
    seats : str
        The setting: 'shared' if all players use the same genes, or 'own' if each player has its own genes.

    Raises
    ------
    UnknownNameError
        If the setting has another value.
    """
    UnknownNameError.check("division of seats", seats, SEATS)
    return seats == "shared"
