"""The worst case by tree search: Algorithm 1's second version, expectimax to a depth and UCT below it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.core import GameError
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import switch
from pokerlab.games import SequenceForm
from pokerlab.holdem.limit_game.bucketed_holdem import BucketedHoldem
from pokerlab.solvers.belief.belief_tree import belief_tree
from pokerlab.solvers.belief.search import (
    EXPLORATION,
    SearchResult,
    SearchSettings,
    bucketed_search,
    search,
)
from pokerlab.solvers.worst_case.worst_case import Measured
from pokerlab.strategies import Encoding


@dataclass(frozen=True)
class TreeSearch:
    """A search for the best response in each seat's belief MDP: exact to a depth, by playouts below it.

    What it finds falls short of the exact worst case where the playouts have yet to learn;
    `pokerlab.solvers.belief.search` says in which direction the number errs and why.

    Parameters
    ----------
    depth : int or None
        Levels of expectimax, at least 1; None for all, which is exact. The paper's is 9.
    iterations : int
        Playouts from each node below them, at least 1. The paper's are 1000.
    exploration : float
        C of eq. 4 in units of the replier's payoff range, 1e-12 to 1e12.
    merged : bool
        In bucketed hold'em, whether states that differ only in the replier's past buckets are searched
        once, as `bucketed_search` explains. Other games have no such states.

    Raises
    ------
    SettingError
        If one is out of range.

    Examples
    --------
    >>> from pokerlab.games import kuhn
    >>> game = kuhn()
    >>> round(TreeSearch(depth=None).exploitability(game, game.uniform(), seed=1).value, 6)  # 11/12
    0.916667
    """

    depth: int | None = 9
    iterations: int = 1000
    exploration: float = EXPLORATION
    merged: bool = False

    def __post_init__(self) -> None:
        switch("merged", self.merged)
        _ = self.settings  # which refuses what is out of range

    @property
    def settings(self) -> SearchSettings:
        """How deep to search and how long to play."""
        return SearchSettings(
            depth=self.depth, iterations=self.iterations, exploration=self.exploration
        )

    @property
    def exact(self) -> bool:
        """Whether all levels are searched."""
        return self.depth is None

    def reply_size(self, encoding: Encoding) -> int:
        """Return 0: what is found is a number, not a genome."""
        return 0

    def first_replies(self, genomes: Floats, best: Floats, last_reply: Floats) -> Floats:
        """Return nothing, (k, 0)."""
        return np.empty((len(genomes), 0))

    def exploitability(
        self, game: Any, profile: Any, *, seed: int, index: tuple[int, int] = (0, 0)
    ) -> SearchResult:
        """Return what searches in all seats find together.

        Parameters
        ----------
        game : SequenceForm or BucketedHoldem
            What is played.
        profile : Profile or BucketedProfile
            What all others follow.
        seed : int
            Of the playouts.
        index : tuple of two int
            Which of many searches, such as generation and individual.

        Returns
        -------
        SearchResult
            `value` is the sum over seats of what a replier wins, less what the profile itself wins
            there: exploitability, or NashConv, as far as it was found.

        Raises
        ------
        GameError
            If the game is of another kind, or the profile belongs to another game.
        """
        founds = [self.seat(game, profile, p, seed, index) for p in range(game.num_players)]
        own = 0.0 if game.zero_sum else float(game.values(profile).sum())
        values, variances, searched, played = zip(*founds, strict=True)
        return SearchResult(sum(values) - own, sum(variances), sum(searched), sum(played))

    def seat(
        self, game: Any, profile: Any, player: int, seed: int, index: tuple[int, int]
    ) -> SearchResult:
        """Return what a search finds that `player` can win."""
        if isinstance(game, SequenceForm):
            beliefs = belief_tree(game, player).against(profile)
            return search(beliefs, self.settings, seed=seed, index=index)
        if isinstance(game, BucketedHoldem):
            return bucketed_search(
                game, profile, player, self.settings, merged=self.merged, seed=seed, index=index
            )
        raise GameError(
            f"{game!r} is neither a compiled game nor bucketed hold'em, which a tree search needs."
            " Use solvers.ExactReply()."
        )

    def measure(
        self,
        encoding: Encoding,
        genomes: Floats,
        replies: Floats | None = None,
        *,
        seed: int,
        generation: int,
        individuals: Sequence[int],
    ) -> Measured:
        """Return the exploitability of genomes, (k, G), as far as searches find it, and the playouts."""
        founds = [
            self.exploitability(
                encoding.game, encoding.profile(genome), seed=seed, index=(generation, individual)
            )
            for genome, individual in zip(genomes, individuals, strict=True)
        ]
        return Measured(
            np.array([found.value for found in founds]),
            np.array([math.sqrt(found.variance) for found in founds]),
            np.empty((len(founds), 0)),
            sum(found.played for found in founds) * self.iterations,
        )
