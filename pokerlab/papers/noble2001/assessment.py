"""What strategies win from groups that they never met: fixed deals and fixed luck, the same for all.

Each strategy sits at a table with one group, alone among them, for a fixed sequence of hands. One
sequence's luck is in every strategy's result and in no standard error over strategies or runs, so
the sequence is drawn anew several times.
"""

from collections.abc import Sequence

import numpy as np

from pokerlab.core import SettingError
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import whole
from pokerlab.core.streams import stream
from pokerlab.evolution.population import PlayerEncoding
from pokerlab.holdem import Played, RingGame
from pokerlab.papers.noble2001.opponents import Opponent, split

GROUPS = dict(zip(("alpha", "beta"), split(), strict=True))
"""The groups of the default split, by name."""
PER = 1000.0
"""Profits are in chips per 1,000 hands."""
MOST_HANDS, MOST_SEQUENCES = 10**6, 10**4


def assess(
    game: RingGame,
    encoding: PlayerEncoding,
    genomes: Floats,
    group: Sequence[Opponent],
    *,
    hands: int = 1000,
    sequences: int = 1,
    seed: int = 0,
    workers: int = 1,
) -> Floats:
    """Return what each strategy wins at a table with a group.

    Parameters
    ----------
    game : RingGame
        What is played. If the table has fewer seats than the group fills, each sequence of hands
        has opponents drawn from the group, the same for all strategies.
    encoding : PlayerEncoding
        What genomes mean, those of the group included.
    genomes : ndarray of float64, shape (N, 42)
        The strategies to be judged.
    group : sequence of Opponent
        Whom they meet.
    hands : int
        In a sequence, 1 to 10**6; the paper has one sequence. The button goes round.
    sequences : int
        How many sequences of hands, 1 to 10**4.
    seed : int
        Of the deals, the luck, and the opponents drawn.
    workers : int
        Threads that share the hands; results do not depend on it.

    Returns
    -------
    ndarray of float64, shape (sequences, N)
        Chips per 1,000 hands.

    Raises
    ------
    SettingError
        If a number is out of range, or the group does not fill the table.

    References
    ----------
    .. [1] J. Noble, R. Watson, "Pareto coevolution: Using performance against coevolved opponents in a
       game as dimensions for Pareto selection", GECCO 2001, section "Measuring effectiveness"
    """
    whole("sequences", sequences, 1, MOST_SEQUENCES)
    played = [
        at_tables(game, encoding, genomes, group, hands=hands, seed=seed, number=k, workers=workers)
        for k in range(sequences)
    ]
    return np.array([of_one.won[: len(genomes)] * (PER / hands) for of_one in played])


def at_tables(
    game: RingGame,
    encoding: PlayerEncoding,
    genomes: Floats,
    group: Sequence[Opponent],
    *,
    hands: int,
    seed: int,
    number: int = 0,
    workers: int = 1,
) -> Played:
    """Let each strategy play a sequence of hands with a group; parameters as in `assess`.

    `number` is that of the sequence. The strategies are the first players of the result, the group
    the last; at each table the strategy that is judged has the first place of the line-up.
    """
    whole("hands", hands, 1, MOST_HANDS)
    others = game.num_seats - 1
    if len(group) < others:
        raise SettingError(
            f"a group of {len(group)} does not fill a table of {game.num_seats} seats beside the strategy"
            f" that is judged; give at least {others}."
        )
    many = len(genomes)
    met = stream(seed, "assessed against", number).permutation(len(group))[:others]
    opponents = np.tile(many + np.sort(met), (many, 1))
    return game.play(
        encoding.players(np.concatenate([genomes, [member.genome for member in group]])),
        hands,
        seed=seed,
        first=number * hands,
        lineups=np.column_stack([np.arange(many), opponents]),
        same_deals=True,
        won_from=True,
        workers=workers,
    )


def in_big_blinds(chips: Floats, game: RingGame) -> Floats:
    """Return chips per 1,000 hands as thousandths of a big blind a hand (mbb/hand)."""
    return chips / game.structure.big_blind
