"""Noble & Watson (2001): whether wins among poker strategies form cycles, and depend on who else is at the table.

J. Noble, R. A. Watson, "Pareto Coevolution: Using Performance Against Coevolved Opponents in a Game as Dimensions for
Pareto Selection", GECCO 2001, pages 493-500. The paper expects both. Strategies that were written by hand (styles) play
heads-up and at ten seats, and the numbers of cycles and of different winners come out.
"""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import scipy.stats

from pokerlab.core.arrays import Bools, Ints
from pokerlab.core.random_numbers import random_stream
from pokerlab.papers.noble2001 import (
    BAD,
    PRINTED,
    REASONABLE,
    Config,
    make_encoding,
    make_game,
)

CLEAR_ERRORS = 3
"""The number of standard errors beyond which a win of one strategy from another is clear."""
HANDS_PER_TABLE = 300
"""The number of hands at each table with ten seats."""


class StyleResults(NamedTuple):
    """How often the wins among poker strategies that were written by hand form cycles, or depend on the table.

    A win is clear if it is beyond three standard errors.

    Attributes
    ----------
    styles : int
        The number of strategies.
    hands : int
        The number of hands of each pair, heads-up.
    pairs, triples : int
        The numbers of pairs and of triples of strategies.
    cycles : int
        The number of triples in which each strategy wins from the next, heads-up.
    clear_cycles : int
        The number of triples in which each strategy clearly wins from the next.
    clear_in_both : int
        The number of pairs with a clear winner both heads-up and at ten seats.
    clear_with_other_winner : int
        The number of these pairs whose winner at ten seats is the loser heads-up.
    """

    styles: int
    hands: int
    pairs: int
    triples: int
    cycles: int
    clear_cycles: int
    clear_in_both: int
    clear_with_other_winner: int


def play_styles_against_each_other(
    seed: int, *, hands: int = 50_000, tables: int = 2000, parts: int = 20
) -> StyleResults:
    """Let strategies that were written by hand play heads-up and at ten seats, and compare who wins from whom.

    Parameters
    ----------
    seed : int
        Decides the cards and the tables.
    hands : int
        The number of hands of each pair, heads-up.
    tables : int
        The number of tables with ten seats, at each of which strategies drawn at random play 300 hands.
    parts : int
        The number of parts into which hands and tables are divided. Each has other cards. Standard errors are those of
        the mean over parts.

    Returns
    -------
    StyleResults
        How many wins form cycles, and how many winners change with the table.
    """
    config = Config(seed=0)
    opponents = (*REASONABLE[::2], *BAD[::2], PRINTED)  # every second opponent of each list
    styles = np.stack([opponent.genome for opponent in opponents])
    num_styles = len(styles)
    players = make_encoding(config).make_players(styles)
    pairs = np.array([(first, second) for first in range(num_styles) for second in range(first)])
    heads_up_game = replace(make_game(replace(config, seats=2)), won_from=True)
    full_game = replace(make_game(config), won_from=True)

    won_heads_up, won_at_full_tables = (
        [],
        [],
    )  # in each part, what each strategy wins from each other
    for part in range(parts):
        lineups = []  # of each table with ten seats, the strategies in its seats
        for table in range(tables // parts):
            generator = random_stream(seed, "ten", part, table)
            lineups.append(generator.permutation(num_styles)[: config.seats])

        part_seed = seed + part
        heads_up = heads_up_game.play(players, hands // parts, seed=part_seed, lineups=pairs)
        at_full_tables = full_game.play(
            players, HANDS_PER_TABLE, seed=part_seed, lineups=np.array(lineups)
        )
        won_heads_up.append(heads_up.won_from)
        won_at_full_tables.append(at_full_tables.won_from)

    return compare_wins_of_styles(
        np.array(won_heads_up, dtype=np.int64),
        np.array(won_at_full_tables, dtype=np.int64),
        num_hands=hands,
    )


def compare_wins_of_styles(
    won_heads_up: Ints, won_at_full_tables: Ints, num_hands: int
) -> StyleResults:
    """Return how many wins among strategies form cycles, and how many winners differ between two kinds of tables.

    Parameters
    ----------
    won_heads_up, won_at_full_tables : array of shape (parts, N, N)
        The chips that the strategy of the row wins from that of the column in each part of the hands, heads-up and at
        full tables.
    num_hands : int
        The number of hands of each pair, heads-up.
    """
    num_styles = won_heads_up.shape[1]
    heads_up_signs = find_signs_of_clear_wins(won_heads_up)
    full_table_signs = find_signs_of_clear_wins(won_at_full_tables)

    each_pair_once = np.triu_indices(num_styles, 1)
    pair_signs_heads_up = heads_up_signs[each_pair_once]
    pair_signs_at_full_tables = full_table_signs[each_pair_once]
    is_clear_in_both = (pair_signs_heads_up != 0) & (pair_signs_at_full_tables != 0)
    has_other_winner = pair_signs_heads_up * pair_signs_at_full_tables < 0
    return StyleResults(
        styles=num_styles,
        hands=num_hands,
        pairs=len(pair_signs_heads_up),
        triples=math.comb(num_styles, 3),
        cycles=count_cycles_of_three(won_heads_up.sum(axis=0) > 0),
        clear_cycles=count_cycles_of_three(heads_up_signs > 0),
        clear_in_both=int(np.sum(is_clear_in_both)),
        clear_with_other_winner=int(np.sum(has_other_winner)),
    )


def find_signs_of_clear_wins(won: Ints) -> Ints:
    """Return which strategy of each pair clearly wins from the other one.

    A win is clear if the mean over parts is beyond three standard errors.

    Parameters
    ----------
    won : array of shape (parts, N, N)
        The chips that the strategy of the row wins from that of the column in each part of the hands.

    Returns
    -------
    array of int of shape (N, N)
        1 if the strategy of the row clearly wins, -1 if that of the column does, and 0 if neither does.
    """
    mean, error = won.mean(axis=0), scipy.stats.sem(won, axis=0)
    is_clear = np.abs(mean) > CLEAR_ERRORS * error
    return np.where(is_clear, np.sign(mean), 0).astype(int)


def count_cycles_of_three(beats: Bools) -> int:
    """Return the number of cycles of three strategies, in which each beats the next.

    Parameters
    ----------
    beats : array of bool of shape (N, N)
        Whether the strategy of the row beats that of the column.
    """
    # The diagonal of the third power counts the closed walks of three steps from each style. Each cycle is such a walk
    # from each of its three styles.
    num_closed_walks = np.trace(np.linalg.matrix_power(beats.astype(int), 3))
    return int(num_closed_walks) // 3
