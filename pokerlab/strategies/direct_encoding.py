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
    check_can_share_genes,
    check_compiled,
    checked_genome,
    has_shared_genes,
)

ABSOLUTE, CLIPPED, SQUARE, SIGMOID, SOFTMAX = range(5)
POSITIVE = {
    "absolute": ABSOLUTE,
    "clipped": CLIPPED,
    "square": SQUARE,
    "sigmoid": SIGMOID,
    "softmax": SOFTMAX,
}
"""The names of the functions that make a gene non-negative, and the numbers that stand for them in kernels."""
NEUTRAL = {"absolute": 1.0, "clipped": 1.0, "square": 1.0, "sigmoid": 0.0, "softmax": 0.0}
"""The value of all genes at the start of an evolution. All actions are equally likely, and genes can move both ways."""
WIDE = 4.0
"""The largest magnitude of a random sigmoid or softmax gene. For the sigmoid, -4 means 1 / (1 + exp(4)), about 0.02."""
LEAST_RATIO = 1e-12
"""The smallest ratio of an action's probability to that of the likeliest action that a logarithm is taken of."""
SATURATED = -40.0
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
        check_compiled(self.game, "DirectEncoding")
        UnknownNameError.check("positivity", self.positive, POSITIVE)
        if has_shared_genes(self.seats):
            check_can_share_genes(self.game)

    @cached_property
    def gene_of(self) -> Ints:
        """The index of the gene from which each probability of a profile is computed."""
        gene_of: Ints = np.arange(self.game.num_probabilities)
        if has_shared_genes(self.seats):
            starts = [mine.start for mine in self.game.player_sequences]
            lengths = [mine.stop - mine.start for mine in self.game.player_sequences]
            gene_of -= np.repeat(starts, lengths)
        freeze(gene_of)
        return gene_of

    @cached_property
    def seat_genes(self) -> tuple[Ints, ...]:
        """The indices of the genes of each seat."""
        if has_shared_genes(self.seats):
            raise GameError(
                f"the seats of {self.game.name} share genes, which cannot be judged seat by seat. Use"
                " DirectEncoding(game, seats='own')."
            )
        return tuple(self.gene_of[mine] for mine in self.game.player_sequences)

    @property
    def num_genes(self) -> int:
        """The number of genes: one for each action of all seats, or of the first seat if seats share genes."""
        return int(self.gene_of.max(initial=-1)) + 1

    @cached_property
    def gene_labels(self) -> tuple[str, ...]:
        """The label of each gene: its information set, unless there is only one, and its action."""
        shared = has_shared_genes(self.seats)
        labels = []
        for player in range(1 if shared else self.game.num_players):
            for infoset in range(*self.game.infoset_start[player : player + 2]):
                name = self.game.infoset_label[infoset]
                where = "" if shared and self.game.num_infosets[0] == 1 else f"{name}: "
                labels += [where + action for action in self.game.action_label[infoset]]
        return tuple(labels)

    @property
    def default_start(self) -> Floats:
        """The genome of the uniform profile."""
        return np.full(self.num_genes, NEUTRAL[self.positive])

    @property
    def low(self) -> float:
        """The smallest gene of a random genome: 0, or -4 for sigmoid and softmax."""
        return 0.0 if NEUTRAL[self.positive] else -WIDE

    @property
    def high(self) -> float:
        """The largest gene of a random genome: 1, or 4 for sigmoid and softmax."""
        return 1.0 if NEUTRAL[self.positive] else WIDE

    @property
    def kinds(self) -> Ints:
        """The kind of each gene: all are real numbers."""
        return np.zeros(self.num_genes, np.int64)

    def draw_genomes(self, generator: np.random.Generator, count: int) -> Floats:
        """Return `count` random genomes, one in each row, whose genes are uniform from `low` to `high`."""
        return generator.uniform(self.low, self.high, (count, self.num_genes))

    def compute_behaviors(self, genomes: Floats) -> Floats:
        """Return the profiles of several genomes, which are not checked.

        Parameters
        ----------
        genomes : array of shape (k, G)
            k genomes of G genes each.

        Returns
        -------
        array of shape (k, S - n)
            The profile of each genome: the probabilities of all nonempty sequences in a game of n players and S
            sequences.
        """
        genes = view_read_only(genomes)
        num_actions = self.game.num_actions
        positive = POSITIVE[self.positive]
        return normalize_genes(
            genes, self.gene_of, self.game.first_probability, num_actions, positive
        )

    def rescale_genome(self, genome: Floats) -> Floats:
        """Return a genome of the same strategy whose genes are not large.

        Only the ratios of genes matter (or their differences for 'softmax'), so genes can become large during an
        evolution. Another evolution that begins from this genome would have steps that are too small in comparison.

        For 'sigmoid' and 'softmax' genes are clipped to the range from -4 to 4. This changes the strategy if a gene is
        outside this range. With 'softmax' this can happen even if all genes of an information set have merely been
        shifted by the same number.
        """
        if self.positive in ("sigmoid", "softmax"):
            return np.clip(genome, -WIDE, WIDE)
        return self.find_genome(self.compute_behaviors(genome[None, :])[0])

    def find_genome(self, behavior: Floats) -> Floats:
        """Return a genome that encodes given probabilities; the likeliest action at each information set has gene 1.

        For 'sigmoid' and 'softmax' the likeliest action has gene 0, and probabilities below 1e-12 of it become 1e-12.

        Parameters
        ----------
        behavior : array of shape (S - n,)
            The probabilities of all nonempty sequences. If seats share genes, those of the last seat are taken.
        """
        largest = np.maximum.reduceat(behavior, self.game.first_probability)
        genes = np.empty(self.num_genes)
        genes[self.gene_of] = behavior / np.repeat(largest, self.game.num_actions)
        if self.positive == "square":
            return np.sqrt(genes)
        if self.positive == "softmax":
            return np.log(np.maximum(genes, LEAST_RATIO))
        if self.positive == "sigmoid":
            values = np.maximum(genes, LEAST_RATIO) / 2.0  # the largest is 1/2, the sigmoid of 0
            return np.log(values / (1.0 - values))
        return genes

    def make_profile(self, genome: ArrayLike) -> Profile:
        """Return the profile of the game that a genome encodes."""
        rows = checked_genome(self, genome)[None]
        return Profile.from_unchecked(self.game, self.compute_behaviors(rows)[0])


@inlined
def make_positive(gene: float, largest: float, positive: int) -> float:
    """Return the non-negative value of a gene, up to a factor that is the same for all actions of an information set.

    Parameters
    ----------
    gene : float
        The gene of one action.
    largest : float
        The largest gene of the information set, or the largest absolute value for 'absolute' and 'square'. The result
        is scaled by it, so that very large and very small genes neither overflow nor underflow.
    positive : int
        The number of the function, from `POSITIVE`.
    """
    if positive == SOFTMAX or (positive == SIGMOID and largest < SATURATED):
        return float(np.exp(gene - largest))
    if positive == SIGMOID:
        return float(np.exp(gene) if gene < SATURATED else 1.0 / (1.0 + np.exp(-gene)))
    if largest <= 0.0:
        return 0.0
    if positive == CLIPPED:
        return max(gene, 0.0) / largest
    ratio = gene / largest
    return ratio * ratio if positive == SQUARE else abs(ratio)


@kernel
def normalize_genes(
    genomes: Floats, gene_of: Ints, first: Ints, num_actions: Ints, positive: int
) -> Floats:
    """Return the probabilities of actions by eq. 5: non-negative genes divided by their sum at each information set.

    Parameters
    ----------
    genomes : array of shape (k, G)
        k genomes of G genes each.
    gene_of : array of shape (S - n,)
        The index of the gene of each probability, in a game of n players and S sequences.
    first, num_actions : array of shape (I,)
        The index of the first probability of each of I information sets, and the number of actions there.
    positive : int
        The number of the function that makes genes non-negative, from `POSITIVE`.

    Returns
    -------
    array of shape (k, S - n)
        The probabilities of each genome.
    """
    out = np.empty((genomes.shape[0], gene_of.size))
    for row in range(out.shape[0]):
        for infoset in range(first.size):
            begin = first[infoset]
            end = first[infoset] + num_actions[infoset]
            largest = -np.inf
            for q in range(begin, end):
                gene = genomes[row, gene_of[q]]
                unsigned = positive in (ABSOLUTE, SQUARE)
                largest = max(largest, abs(gene) if unsigned else gene)
            total = 0.0
            for q in range(begin, end):
                out[row, q] = make_positive(genomes[row, gene_of[q]], largest, positive)
                total += out[row, q]
            for q in range(begin, end):
                out[row, q] = (
                    out[row, q] / total if total > 0.0 else 1.0 / num_actions[infoset]
                )  # eq. 5
    return out
