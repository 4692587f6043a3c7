"""A program that compiles all kernels, so that the first run need not wait: `python -m pokerlab.warm`.

It runs each solver for two steps on small games, and makes the tables of equities that hold'em needs. With
`--first-lesson` it compiles only the few kernels that the first lesson needs.
"""

import argparse
import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from itertools import product
from multiprocessing import get_context
from typing import Any

import numpy as np

from pokerlab import games, holdem, solvers, strategies
from pokerlab.core.arrays import freeze
from pokerlab.core.cache import remove_unused_files
from pokerlab.core.compiler import MISSING, get_kernel_cache_folder
from pokerlab.core.fixed_arrays import remove_corrupt_arrays, share_fixed_arrays
from pokerlab.evolution.population import AllPairs
from pokerlab.evolution.population.selection import count_better_results
from pokerlab.games import Profile
from pokerlab.games.tree_passes import compute_counterfactual_values
from pokerlab.holdem import bucket_counts, network_genome, network_habits, real_player
from pokerlab.holdem.batched_tree import make_public_nodes
from pokerlab.holdem.buckets import BucketTables
from pokerlab.holdem.cards import NUM_HOLDINGS, NUM_SUITS, RIVER, deal_tournament_hand
from pokerlab.holdem.draws import find_hand_features
from pokerlab.holdem.equity import compute_all_win_probabilities, load_win_probability_tables
from pokerlab.holdem.equity_tables import (
    FIXED_TABLES,
    add_weighted_river_counts,
    fill_flop_table_rows,
    fill_river_table_rows,
    fill_turn_table_rows,
    load_river_table,
)
from pokerlab.holdem.hand_classes import RENAMED_HOLDINGS, build_hand_classes, list_canonical_boards
from pokerlab.holdem.hand_expectations import (
    SampledExpectations,
    find_river_kinds,
    list_street_boards,
)
from pokerlab.holdem.hand_rankings import count_hands_by_strength
from pokerlab.holdem.lbr import (
    allocate_opponent_hands,
    allocate_search_workspace,
    fill_winnings_of_deals,
)
from pokerlab.holdem.matrix_genome import NUM_WEIGHTS, MatrixDecisionFunction, write_matrix_actions
from pokerlab.holdem.network_passes import compute_network_outputs
from pokerlab.holdem.real_card_responses import RealCardResponse
from pokerlab.holdem.river_comparisons import allocate_river_workspace
from pokerlab.holdem.table_view import NUM_VIEW_WORDS, draw_hand_random_number
from pokerlab.solvers.beliefs import make_belief_tree

SEARCH = solvers.TreeSearch(depth=1, iterations=2)


def warm_first_lesson() -> None:
    """Compile the kernels that lesson 00 needs: best responses in Kuhn poker, and the replicator dynamics."""
    game = games.kuhn()
    uniform = game.uniform()
    game.best_response(uniform, 0)
    game.nash_conv(uniform)
    compute_counterfactual_values(game.block, uniform.probabilities)
    dynamics = solvers.ReplicatorDynamics(game, payoff_shift=3.0)
    game.nash_conv(dynamics.step(dynamics.init(), 2).average)


def warm_games() -> None:
    """Compile the kernels of games, metrics, solvers and encodings, by using each of them on Kuhn poker."""
    game = games.kuhn()
    uniform = game.uniform()
    game.gains(uniform)
    game.nash_conv(uniform)
    Profile.from_plans(game, [uniform.plan(0), uniform.plan(1)])
    compute_counterfactual_values(game.block, uniform.probabilities)
    direct: Any = strategies.DirectEncoding(game)
    each: list[Any] = [
        solvers.ReplicatorDynamics(game, payoff_shift=3.0),
        solvers.CFR(game),
        solvers.FictitiousPlay(game),
        solvers.ContinuousReplicator(game, time_step=0.1),
        solvers.ParallelNashMemory(game, heuristic=solvers.BestResponse(ties="evenly")),
        solvers.DoubleOracle(game),
        solvers.PopulationCoevolution(game, direct, seed=1, size=2, pairings=AllPairs()),
    ]
    for solver in each:
        solver.step(solver.init(), 2)
    count_better_results(np.eye(2), slice(2))  # whole numbers
    solvers.SequenceFormLP(game).solve()
    tiny = np.array([[[3.0, 0.0], [2.0, 2.0]], [[3.0, 2.0], [0.0, 2.0]]])
    solvers.ProjectedReplicator().solve(tiny)
    if find_spec("quantecon"):
        solvers.LemkeHowson().solve(tiny)
    replies: list[Any] = [solvers.ExactWorstCase(), solvers.InnerEvolution(generations=1)]
    for kind, reply in product((strategies.DirectEncoding, strategies.NetworkEncoding), replies):
        solvers.MinimaxCoevolution(game, seed=1, encoding=kind(game), worst_case=reply).init()
    weights, inputs = np.zeros((1, 4), np.float32), np.zeros((1, 1), np.float32)
    compute_network_outputs(weights, np.zeros(1, np.int64), inputs, num_hidden=1, num_outputs=1)
    SEARCH.exploitability(game, uniform, seed=1)
    assert make_belief_tree(game, 0).compute_beliefs(uniform).value
    warm_card_games()


def warm_card_games() -> None:
    """Compile the kernels that games by cards need, which are other ones than those of compiled games."""
    game = games.one_card_poker(20)
    game.gains(game.uniform())
    each: list[Any] = [solvers.CFR(game), solvers.ReplicatorDynamics(game, payoff_shift=3.0)]
    for solver in each:
        game.nash_conv(solver.step(solver.init(), 2).average)


def warm_buckets() -> None:
    """Compile the kernels of bucketed hold'em and its solvers, by using each on a game with one bucket."""
    one = np.ones((1, 1))
    half = (np.full(1, 0.5),) * 4
    none = (np.empty(0),) * 4
    buckets = holdem.Buckets((1, 1, 1, 1), one[0], (one,) * 3, one / 2, none, half, half)
    game = holdem.bucketed_limit_holdem(buckets, raise_cap=1)
    descent, cfr = holdem.ExploitabilityDescent(game), holdem.BucketedCFR(game)
    descent.step(descent.init(), 2)
    game.best_response(cfr.step(cfr.init(), 2).average, 0)
    SEARCH.exploitability(game, game.uniform(), seed=1)
    compile_real_card_kernels(game.uniform())


def warm_holdem() -> None:
    """Compile the kernels of cards, equities, and games at tables, by a few small calls of each."""
    cards = deal_tournament_hand(1, 0, 0, 1)
    hole, board = cards[:2], cards[2:]
    counts = np.zeros(holdem.NUM_STRENGTHS, np.int64)
    for size in (5, 6, 7):
        holdem.evaluate_hand(cards[:size])
        count_hands_by_strength(size, size, counts)
    build_hand_classes(2).find_renamings(hole)
    find_hand_features(hole, board)
    holdem.win_probability(hole, board)
    compute_all_win_probabilities(board)
    for num_known in (0, 3):
        holdem.count_showdowns(hole, board[:2], board[2 : 2 + num_known])
    holdem.estimate_win_probability(hole, board, 2, num_samples=2, seed=1)
    compile_equity_table_kernels()
    compile_bucket_counting_kernels()
    betting = holdem.no_limit(1, 2)
    pair = [holdem.RANDOM, holdem.ALWAYS_CALL]
    for carried in (False, True):
        holdem.ring_game(betting, 2, 20, stacks_carried=carried).play(pair, 1, seed=1)
    draw_hand_random_number(np.zeros(NUM_VIEW_WORDS, np.int64), 0)
    blinds = holdem.make_doubling_schedule(betting, 1, chips=80)
    known = holdem.Aggressiveness()
    holdem.tournament(blinds, 2, stacks=20).play(pair, seed=1)
    holdem.tournament(blinds, 4, 3, 20, aggressiveness=known).play(pair * 2, seed=1)
    rules = holdem.RuleEncoding()
    holdem.ring_game(holdem.limit(2), 2, 20).play(rules.make_players(rules.low) * 2, 1, seed=1)
    compile_network_kernels()
    compile_matrix_strategy_kernel()


def compile_equity_table_kernels() -> None:
    """Compile the kernels that sum counts of wins over the cards to come, by calling each with one board."""
    counts, wide = np.empty((1, NUM_HOLDINGS), np.uint32), np.zeros((1, NUM_HOLDINGS), np.uint64)
    fill_turn_table_rows(load_river_table(), list_canonical_boards(4)[0][:1], counts)
    freeze(counts)
    fill_flop_table_rows(
        counts, np.zeros((1, 1), np.int64), np.zeros((1, 1, NUM_SUITS), np.uint8), wide
    )
    add_weighted_river_counts(
        load_river_table(), list_canonical_boards(5)[0][:1], np.ones(1, np.int64), wide[0]
    )
    rows = np.zeros(load_river_table().shape, np.uint32)
    fill_river_table_rows(list_canonical_boards(5)[0][:1], allocate_river_workspace(), rows)


def compile_network_kernels() -> None:
    """Compile the kernels of networks at a table, by calling each without any decision to make."""
    network = holdem.TableNetwork(hidden=1)
    (player,) = network.make_players(np.zeros(network.num_genes, np.float32))
    views = np.zeros((1, NUM_VIEW_WORDS), np.int64)
    rows_to_act = np.empty(0, np.intp)
    weights = player.parameters[None]
    uniforms = np.zeros(1)
    network_genome.write_network_actions(
        load_win_probability_tables(),
        tuple(network.decision_function),
        views,
        rows_to_act,
        weights,
        uniforms,
        uniforms,
    )
    inputs = np.empty((0, network_genome.NUM_INPUTS), np.float32)
    network_habits.fill_network_inputs(network.decision_function, views[:0], uniforms[:0], inputs)


def compile_real_card_kernels(profile: holdem.BucketedProfile) -> None:
    """Compile the kernels of bucketed strategies with real cards, by calling each with no hands or one flop."""
    tables = BucketTables(load_win_probability_tables(), np.zeros((4, 1)))
    tree = make_public_nodes(profile.game.tree, profile.pointer)
    views, nodes = (np.zeros((1, size), np.int64) for size in (NUM_VIEW_WORDS, 2))
    uniforms = np.zeros(1)
    rows_to_act = np.empty(0, np.intp)
    real_player.write_profile_actions(
        views,
        rows_to_act,
        tree,
        tables,
        profile.table,
        nodes,
        real_player.STRICT,
        uniforms,
        uniforms,
    )
    cards = np.empty((0, 7), np.uint8)
    labels = np.empty((0, 4, NUM_HOLDINGS), np.uint8)
    work = allocate_search_workspace(tree, profile.table)
    fill_winnings_of_deals(
        cards, labels, np.uint64(1), 0, 1, 0, allocate_opponent_hands(), work, np.empty((0, 2))
    )
    RealCardResponse(profile).compute_flop_winnings(list_canonical_boards(3)[0][0])


def compile_matrix_strategy_kernel() -> None:
    """Compile the kernel of matrix strategies, by calling it without any decision to make."""
    views, weights = np.zeros((1, NUM_VIEW_WORDS), np.int64), np.zeros((1, NUM_WEIGHTS), np.float32)
    uniforms = np.zeros(1)
    rows_to_act = np.empty(0, np.intp)
    settings = MatrixDecisionFunction(tie=0.5, free_folds=False)
    write_matrix_actions(
        load_win_probability_tables(), settings, views, rows_to_act, weights, uniforms, uniforms
    )


def compile_bucket_counting_kernels() -> None:
    """Compile the kernels that count hands in buckets, by calling each with one board and one bucket."""
    boards = list_street_boards(RIVER)[0][:1]
    once = np.ones(1, np.int64)
    one = np.zeros((1, 1), np.int64)
    labels = np.zeros((1, NUM_HOLDINGS), np.uint8)
    before = bucket_counts.find_previous_boards(boards)
    fewer = np.zeros_like(before.boards)
    steps = np.zeros((2, 2), np.int64)
    bucket_counts.add_transitions(
        labels, fewer, before.renamings, RENAMED_HOLDINGS, labels, once, steps
    )
    of_class = np.zeros(find_river_kinds().hands_of_type_pairs.shape, np.uint8)
    bucket_counts.add_buckets_on_rivers(of_class, find_river_kinds().kind_of_row, boards, 1, labels)
    bucket_counts.count_showdowns_by_bucket(
        boards, of_class[:1], once, allocate_river_workspace(), one, one
    )
    SampledExpectations((1, 1, 1, 1), seed=1).draw_half_pots(RIVER, once, once, once)


GROUPS = (warm_games, warm_holdem, warm_buckets)
"""The groups of kernels, in the order of the lessons. They have few kernels in common, so that separate processes can
compile them."""


def compile_group(group: Callable[[], None]) -> None:
    """Compile a group of kernels by calling its function, and print how long this took."""
    begin = time.perf_counter()
    group()
    print(f"  {group.__name__}: {time.perf_counter() - begin:.1f} s", flush=True)


def main() -> None:
    """Compile all kernels, check and share the tables of equities, and remove files that were not used for a month.

    With `--first-lesson` only the kernels of the first lesson are compiled.
    """
    parser = argparse.ArgumentParser(
        prog="python -m pokerlab.warm", description="Compile the kernels."
    )
    parser.add_argument(
        "--first-lesson", action="store_true", help="compile only those of the first lesson"
    )
    only_first_lesson = parser.parse_args().first_lesson
    if MISSING:
        print(f"{MISSING}: there is nothing to compile.")
        return
    print(f"compiled kernels are kept in {get_kernel_cache_folder()}", flush=True)
    if only_first_lesson:
        compile_group(warm_first_lesson)
        return
    remove_unused_files()
    remove_corrupt_arrays(FIXED_TABLES.values())
    begin = time.perf_counter()
    count = min(len(GROUPS), os.cpu_count() or 1)
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as processes:
        list(processes.map(compile_group, GROUPS))
    if folder := share_fixed_arrays(FIXED_TABLES.values()):
        print(f"tables of equities are in {folder}, for all who use this installation")
    print(f"ready after {time.perf_counter() - begin:.1f} s")


if __name__ == "__main__":
    main()
