"""Direct encoding: a gene for every action at every information set (Samothrakis & Lucas 2011, eq. 5)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, GameError, Ints, UnknownNameError, inlined, kernel
from pokerlab.core.arrays import freeze, view_read_only
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.games import Profile, SequenceForm
from pokerlab.strategies.encoding import (
    PROBABILITY,
    check_can_share_genes,
    check_game_of_encoding,
    has_shared_genes,
    validate_genome,
)

ABSOLUTE, CLIPPED, SQUARE, SIGMOID, SOFTMAX = range(5)
POSITIVITY_RULES = {
    "absolute": ABSOLUTE,
    "clipped": CLIPPED,
    "square": SQUARE,
    "sigmoid": SIGMOID,
    "softmax": SOFTMAX,
}
"""The names of the functions that make a gene non-negative, and the numbers that stand for them in kernels."""
NEUTRAL_GENES = {"absolute": 1.0, "clipped": 1.0, "square": 1.0, "sigmoid": 0.0, "softmax": 0.0}
"""The value of all genes at the start of an evolution. All actions are equally likely, and genes can move both ways."""
FUNCTIONS_OF_SIGNED_GENES = ("sigmoid", "softmax")
"""The functions whose genes are exponents, so that they may be negative."""
LARGEST_EXPONENT = 4.0
"""The largest magnitude of a random sigmoid or softmax gene. For the sigmoid, -4 means 1 / (1 + exp(4)), about 0.02."""
LEAST_RATIO = 1e-12
"""The smallest ratio of an action's probability to that of the likeliest action that a logarithm is taken of."""
SATURATION_GENE = -40.0
"""For a smaller gene g the sigmoid 1 / (1 + exp(-g)) equals exp(g) to the last bit."""


@explain_renamed_attributes
@dataclass(frozen=True, eq=False)
class DirectEncoding:
    """The direct encoding, which has a gene for the probability of each action at each information set.

    The probability of action k is p(k) = o_k / sum_i o_i, where o_k is gene k after it has been made non-negative, and
    the sum is over all actions of the information set. If all o_i are zero, all actions are equally likely. The
    encoding is that of Samothrakis & Lucas (2011), section 3.2.1.

    Parameters
    ----------
    game : SequenceForm
        The game that is played.
    positive : str
        The function that makes a gene g non-negative, which the paper does not specify: 'absolute' is abs(g), 'clipped'
        is max(g, 0), 'square' is g^2, 'sigmoid' is 1 / (1 + exp(-g)), and 'softmax' is exp(g). Only with 'clipped' a
        whole region of genomes gives an action the probability zero. So evolution can get stuck before it reaches an
        equilibrium that needs this action, which does not happen with 'absolute'.
    seats : str
        With 'own' each seat has its own genes. With 'shared' all seats use the same genes, which is possible in
        symmetric games such as rock-paper-scissors.

    Raises
    ------
    GameError
        If seats share genes in a game that is not symmetric.

    Examples
    --------
    >>> from pokerlab.games import biased_rps
    >>> encoding = DirectEncoding(biased_rps(), seats="shared")
    >>> encoding.gene_labels
    ('rock', 'paper', 'scissors')
    >>> encoding.make_profile([1.0, 10.0, 5.0]).action_probabilities(0, "row")
    {'rock': 0.0625, 'paper': 0.625, 'scissors': 0.3125}
    """

    game: SequenceForm
    positive: str = "clipped"
    seats: str = "own"

    def __post_init__(self) -> None:
        """Raise an error if the game is not compiled, if a name is not allowed, or if the seats cannot share genes."""
        check_game_of_encoding(self.game, "DirectEncoding")
        UnknownNameError.check("positivity", self.positive, POSITIVITY_RULES)
        if has_shared_genes(self.seats):
            check_can_share_genes(self.game)

    @cached_property
    def gene_index(self) -> Ints:
        """The index of the gene that each probability of a profile is computed from, array of shape (S - n,).

        In a game of n players and S sequences, a profile has a probability for each of the S - n sequences that are not
        empty. If seats share genes, the same action of each player is computed from the same gene.
        """
        gene_index: Ints = np.arange(self.game.num_probabilities)
        if has_shared_genes(self.seats):
            starts = [sequences.start for sequences in self.game.player_sequences]
            lengths = [sequences.stop - sequences.start for sequences in self.game.player_sequences]
            gene_index -= np.repeat(starts, lengths)  # counted from each player's first gene
        freeze(gene_index)
        return gene_index

    @cached_property
    def seat_genes(self) -> tuple[Ints, ...]:
        """The indices of the genes of each player, an array for each of them.

        Raises
        ------
        GameError
            If seats share genes, so that no gene belongs to a single player.
        """
        if has_shared_genes(self.seats):
            raise GameError(
                f"the seats of {self.game.name} share genes, which cannot be judged seat by seat. Use"
                " DirectEncoding(game, seats='own')."
            )
        return tuple(self.gene_index[sequences] for sequences in self.game.player_sequences)

    @property
    def num_genes(self) -> int:
        """The number of genes: one for each action of all players, or of the first player if seats share genes."""
        return int(self.gene_index.max(initial=-1)) + 1

    @cached_property
    def gene_labels(self) -> tuple[str, ...]:
        """The label of each gene, such as 'J, bet: pass': its information set and its action.

        The information set is left out if there is only one, as in rock-paper-scissors.
        """
        game = self.game
        is_shared = has_shared_genes(self.seats)
        num_players_with_genes = 1 if is_shared else game.num_players
        is_single_infoset = is_shared and game.num_infosets[0] == 1

        labels = []
        for player in range(num_players_with_genes):
            for infoset in range(game.infoset_start[player], game.infoset_start[player + 1]):
                prefix = "" if is_single_infoset else f"{game.infoset_label[infoset]}: "
                labels += [prefix + action for action in game.action_label[infoset]]
        return tuple(labels)

    @property
    def default_start(self) -> Floats:
        """The genome with which an evolution begins by default, which encodes the uniform profile."""
        return np.full(self.num_genes, NEUTRAL_GENES[self.positive])

    @property
    def low(self) -> float:
        """The lowest gene of a random genome: 0, or -4 for sigmoid and softmax."""
        return -LARGEST_EXPONENT if self.positive in FUNCTIONS_OF_SIGNED_GENES else 0.0

    @property
    def high(self) -> float:
        """The highest gene of a random genome: 1, or 4 for sigmoid and softmax."""
        return LARGEST_EXPONENT if self.positive in FUNCTIONS_OF_SIGNED_GENES else 1.0

    @property
    def kinds(self) -> Ints:
        """The kind of each gene, which decides how it mutates: `PROBABILITY`, since all genes are real numbers."""
        return np.full(self.num_genes, PROBABILITY, np.int64)

    def draw_genomes(self, generator: np.random.Generator, count: int) -> Floats:
        """Return random genomes, whose genes are uniform from `low` to `high`.

        Parameters
        ----------
        generator : Generator
            The source of all random numbers.
        count : int
            The number of genomes.

        Returns
        -------
        array of shape (count, G)
            The genomes, of G genes each.
        """
        return generator.uniform(self.low, self.high, (count, self.num_genes))

    def compute_behaviors(self, genomes: Floats) -> Floats:
        """Return the profiles that several genomes encode, as action probabilities. The genomes are not checked.

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
        return normalize_genes(
            view_read_only(genomes),
            self.gene_index,
            self.game.first_probability_indices,
            self.game.num_actions,
            POSITIVITY_RULES[self.positive],
        )

    def rescale_genome(self, genome: Floats) -> Floats:
        """Return a genome of the same strategy whose genes are not large, with which another evolution can begin.

        Only the ratios of genes matter (or their differences for 'softmax'), so genes can become large during an
        evolution. If another evolution began from such a genome, its steps would be too small in comparison.

        For 'sigmoid' and 'softmax' genes are clipped to the range from -4 to 4. This changes the strategy if a gene is
        outside this range. With 'softmax' this can happen even if all genes of an information set have merely been
        shifted by the same number.

        Parameters
        ----------
        genome : array of shape (G,)
            The genome, of G genes, which is not changed.

        Returns
        -------
        array of shape (G,)
            The rescaled genome.
        """
        if self.positive in FUNCTIONS_OF_SIGNED_GENES:
            return np.clip(genome, -LARGEST_EXPONENT, LARGEST_EXPONENT)
        (behavior,) = self.compute_behaviors(genome[None, :])
        return self.find_genome(behavior)

    def find_genome(self, behavior: Floats) -> Floats:
        """Return a genome that encodes given action probabilities.

        The likeliest action of each information set gets the gene 1, or 0 for 'sigmoid' and 'softmax', which take
        logarithms. To avoid the logarithm of zero, an action whose probability is below 1e-12 times that of the
        likeliest action is treated as if its probability were that product.

        Parameters
        ----------
        behavior : array of shape (S - n,)
            The probability of the last action of each sequence that is not empty, in a game of n players and S
            sequences. If seats share genes, the probabilities of the last player are used.

        Returns
        -------
        array of shape (G,)
            The genome, of G genes.
        """
        # The largest probability at each information set.
        largest_probabilities = np.maximum.reduceat(behavior, self.game.first_probability_indices)
        ratios = np.empty(self.num_genes)
        ratios[self.gene_index] = behavior / np.repeat(largest_probabilities, self.game.num_actions)

        # The inverse of the function that makes genes non-negative.
        if self.positive == "square":
            return np.sqrt(ratios)
        if self.positive == "softmax":
            return np.log(np.maximum(ratios, LEAST_RATIO))
        if self.positive == "sigmoid":
            sigmoids = np.maximum(ratios, LEAST_RATIO) / 2.0  # the largest is 1/2, the sigmoid of 0
            return np.log(sigmoids / (1.0 - sigmoids))
        return ratios

    def make_profile(self, genome: ArrayLike) -> Profile:
        """Return the profile of the game that a genome encodes, after checking the genome.

        Parameters
        ----------
        genome : array_like of shape (G,)
            The genome, of G genes.

        Returns
        -------
        Profile
            The strategies of all players. The genome is not changed.

        Raises
        ------
        SettingError
            If a gene is not a finite number.
        ShapeError
            If it is not a single genome of G genes.
        """
        genomes = validate_genome(self, genome)[None]
        (behavior,) = self.compute_behaviors(genomes)
        return Profile.from_unchecked(self.game, behavior)


@inlined
def make_positive(gene: float, largest_gene: float, positivity_rule: int) -> float:
    """Return the non-negative value of a gene, up to a factor that is the same for all actions of an information set.

    Parameters
    ----------
    gene : float
        The gene of one action.
    largest_gene : float
        The largest gene of the information set, or the largest absolute value for 'absolute' and 'square'. The result
        is scaled by it, so that very large and very small genes neither overflow nor underflow.
    positivity_rule : int
        The number of the function that makes genes non-negative, from `POSITIVITY_RULES`.
    """
    # With a very small gene the sigmoid is exp(gene), which would underflow to 0 for all actions.
    if positivity_rule == SOFTMAX or (
        positivity_rule == SIGMOID and largest_gene < SATURATION_GENE
    ):
        return float(np.exp(gene - largest_gene))
    if positivity_rule == SIGMOID:
        return float(np.exp(gene) if gene < SATURATION_GENE else 1.0 / (1.0 + np.exp(-gene)))

    if largest_gene <= 0.0:  # all genes are zero, or negative ones are clipped
        return 0.0
    if positivity_rule == CLIPPED:
        return max(gene, 0.0) / largest_gene
    ratio = gene / largest_gene
    return ratio * ratio if positivity_rule == SQUARE else abs(ratio)


@kernel
def normalize_genes(
    genomes: Floats,
    gene_index: Ints,
    first_probability: Ints,
    num_actions: Ints,
    positivity_rule: int,
) -> Floats:
    """Return the action probabilities that genomes encode: non-negative genes divided by their sum.

    The sum is over all actions of an information set (Samothrakis & Lucas 2011, eq. 5). If all non-negative genes of an
    information set are zero, its actions are equally likely.

    Parameters
    ----------
    genomes : array of shape (k, G)
        The k genomes, of G genes each.
    gene_index : array of shape (S - n,)
        The index of the gene of each probability. In a game of n players and S sequences, only the n empty sequences
        have no probability.
    first_probability, num_actions : array of shape (I,)
        The index of the first probability of each of I information sets, and the number of actions there.
    positivity_rule : int
        The number of the function that makes genes non-negative, from `POSITIVITY_RULES`.

    Returns
    -------
    array of shape (k, S - n)
        The probabilities of each genome: the last action of each sequence that is not empty, in the order of
        `gene_index`.
    """
    probabilities = np.empty((genomes.shape[0], gene_index.size))
    for row in range(probabilities.shape[0]):
        for infoset in range(first_probability.size):
            begin = first_probability[infoset]
            end = begin + num_actions[infoset]

            # The largest gene, by which all genes are scaled, so that their sum is neither 0 nor infinite by rounding.
            is_sign_ignored = positivity_rule in (ABSOLUTE, SQUARE)
            largest_gene = -np.inf
            for entry in range(begin, end):
                gene = genomes[row, gene_index[entry]]
                largest_gene = max(largest_gene, abs(gene) if is_sign_ignored else gene)

            # The array of results has the non-negative genes first, and then their shares (eq. 5).
            gene_sum = 0.0
            for entry in range(begin, end):
                probabilities[row, entry] = make_positive(
                    genomes[row, gene_index[entry]], largest_gene, positivity_rule
                )
                gene_sum += probabilities[row, entry]
            for entry in range(begin, end):
                if gene_sum > 0.0:
                    probabilities[row, entry] = probabilities[row, entry] / gene_sum  # eq. 5
                else:
                    probabilities[row, entry] = 1.0 / num_actions[infoset]
    return probabilities
