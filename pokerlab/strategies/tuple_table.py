"""The tuple table: genes of a bucketed hold'em agent, three for each bucket and situation.

Samothrakis & Lucas's agent (2011, section 4.2) looks up what to do by bucket, street, button, and the two players'
raises on this street; what happened on earlier streets it forgets. With six buckets there are 38
situations x 6 buckets x 3 actions = 684 genes. A table with a row for every public decision, which
forgets nothing but earlier buckets, is read by the same code.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from pokerlab.core import Floats, GameError, Ints, UnknownNameError
from pokerlab.core.settings import check_kind
from pokerlab.holdem.betting.actions import ACTIONS
from pokerlab.holdem.limit_game.bucketed_holdem import BucketedHoldem, BucketedProfile
from pokerlab.strategies.direct_encoding import NEUTRAL, POSITIVE, WIDE, shares
from pokerlab.strategies.encoding import checked_genome

KNOWS = ("situation", "betting")


@dataclass(frozen=True, eq=False)
class TupleTable:
    """Genes for fold, call and raise, in proportion to which an agent acts (Eq. 5).

    Genes of impossible actions (a fold with nothing to call, a raise at the cap, a bucket that the
    street does not have) exist, so that a genome is a table, but are not read.

    Parameters
    ----------
    game : BucketedHoldem
        What is played.
    positive : str
        How a gene becomes a number that is not negative, as in `DirectEncoding`.
    knows : {'situation', 'betting'}
        Whether there is a row for each situation, as in the paper, or for each public decision.

    Examples
    --------
    >>> from pokerlab import holdem
    >>> encoding = TupleTable(holdem.bucketed_limit_holdem(buckets=6))
    >>> encoding.num_genes
    684
    >>> encoding.gene_labels[0]
    'before the flop, button, 0 own raises, 0 of the opponent, bucket 0: fold'
    """

    game: BucketedHoldem
    positive: str = "softmax"
    knows: str = "situation"

    def __post_init__(self) -> None:
        instead = "bucketed hold'em, from bucketed_limit_holdem()"
        check_kind("the game of a TupleTable", self.game, BucketedHoldem, instead, GameError)
        UnknownNameError.check("positivity", self.positive, POSITIVE)
        UnknownNameError.check("knowledge", self.knows, KNOWS)

    @cached_property
    def pointer(self) -> Ints:
        """The row of each decision, (D,)."""
        tree = self.game.tree
        return tree.situation if self.knows == "situation" else np.arange(tree.num_decisions)

    @cached_property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the table: rows, buckets B, actions."""
        return int(self.pointer.max()) + 1, max(self.game.buckets.counts), len(ACTIONS)

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """Which genes are read, of the table's shape."""
        tree, counts = self.game.tree, np.array(self.game.buckets.counts)
        first = np.unique(self.pointer, return_index=True)[1]
        exists = np.arange(self.shape[1]) < counts[tree.street[tree.decision_node[first]]][:, None]
        return np.asarray(exists[:, :, None] & tree.legal[first, None, :])

    @cached_property
    def choices(self) -> tuple[Ints, Ints, Ints]:
        """The genes that are read, and where among them each choice begins and how many it has."""
        size = self.possible.sum(axis=2).ravel()
        size = size[size > 0]
        return np.flatnonzero(self.possible), np.cumsum(size) - size, size

    @cached_property
    def seat_genes(self) -> tuple[Ints, ...]:
        """The genes that are read in each seat: a row belongs to the seat that acts."""
        tree = self.game.tree
        first = np.unique(self.pointer, return_index=True)[1]
        seat = tree.actor[tree.decision_node[first]][:, None, None]
        return tuple(np.flatnonzero(self.possible & (seat == s)) for s in range(2))

    @property
    def num_genes(self) -> int:
        """G: rows x buckets x 3."""
        return int(np.prod(self.shape))

    @cached_property
    def gene_labels(self) -> tuple[str, ...]:
        """Situation, bucket and action; by betting also what was done until then."""
        tree = self.game.tree
        if self.knows == "situation":
            rows = list(map(str, tree.situations))
        else:
            rows = [", ".join(tree.actions_to(int(node))) or "start" for node in tree.decision_node]
        return tuple(
            f"{row}, bucket {bucket}: {action}"
            for row in rows
            for bucket in range(self.shape[1])
            for action in ACTIONS
        )

    @property
    def start(self) -> Floats:
        """The genome, (G,), of the uniform profile."""
        return np.full(self.num_genes, NEUTRAL[self.positive])

    def profile(self, genome: ArrayLike) -> BucketedProfile:
        """Return what both seats do by `genome`, (G,)."""
        table = self.table(checked_genome(self, genome))
        return BucketedProfile.computed(self.game, table, self.pointer)

    def table(self, genome: Floats) -> Floats:
        """Return the probabilities, (rows, B, 3), of a genome, (G,), which is not checked."""
        table = np.zeros(self.num_genes)
        read, first, size = self.choices
        table[read] = shares(genome[None], read, first, size, POSITIVE[self.positive])[0]
        return table.reshape(self.shape)

    def pullback(self, genome: Floats, gradient: Floats) -> Floats:
        """Return the derivative in the genes, (G,), of what has `gradient` in the probabilities.

        With p_k = o_k / sum_i o_i it is sum_k G_k dp_k/dg_j = (do_j/dg_j) (G_j - sum_k p_k G_k) / sum_i o_i, where
        gene j alone decides o_j. `gradient`, (rows, B, 3), is as `exploitability_slope` returns it at `genome`, (G,).
        """
        table = self.table(genome)
        advantage = gradient - (gradient * table).sum(axis=2, keepdims=True)
        return np.where(self.possible, self.steepness(genome, table) * advantage, 0.0).ravel()

    def steepness(self, genome: Floats, table: Floats) -> Floats:
        """Return (do_j/dg_j) / sum_i o_i, (rows, B, 3), for probabilities `table`."""
        genes = np.where(self.possible, genome.reshape(self.shape), 0.0)
        if self.positive == "softmax":
            return table
        if self.positive == "sigmoid":
            return np.asarray(table * expit(-genes))
        part, steepness = {
            "absolute": (abs(genes), np.sign(genes)),
            "clipped": (np.maximum(genes, 0.0), np.sign(genes) * (genes > 0.0)),
            "square": (genes**2, 2.0 * genes),
        }[self.positive]
        total = part.sum(axis=2, keepdims=True)
        return np.asarray(steepness / np.where(total > 0.0, total, np.inf))

    def in_scale(self, genome: Floats) -> Floats:
        """Return genes of ordinary size, (G,), for the same strategy; for 'sigmoid', 'softmax' nearly the same."""
        if self.positive in ("sigmoid", "softmax"):
            return np.clip(genome, -WIDE, WIDE)
        table = self.table(genome)
        largest = table.max(axis=2, keepdims=True)
        genes = np.asarray(table / np.where(largest > 0.0, largest, 1.0)).ravel()
        return np.sqrt(genes) if self.positive == "square" else genes
