"""Compile all kernels once, so that the first run need not wait: `python -m pokerlab.warm`."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from pokerlab import games, holdem, metrics, solvers, strategies
from pokerlab.core.cache import user_cache
from pokerlab.core.kernel import kernel_folder
from pokerlab.games import Profile
from pokerlab.games.sequence_form.worth import choice_values
from pokerlab.holdem.bucketed import real_player
from pokerlab.holdem.bucketed.layouts import public_nodes
from pokerlab.holdem.bucketed.local_best_response import exploit, line_workspace
from pokerlab.holdem.buckets import card_counts
from pokerlab.holdem.buckets.expectations import SampledExpectations, boards_of, rivers
from pokerlab.holdem.buckets.made_buckets import CardTables
from pokerlab.holdem.cards.dealing import dealt_in_match
from pokerlab.holdem.cards.deck import NUM_CARDS, NUM_HOLDINGS, NUM_SUITS, RIVER
from pokerlab.holdem.cards.suits import hand_classes
from pokerlab.holdem.equity.exact import fill_before
from pokerlab.holdem.equity.lookup import EquityTables, flop_classes, turn_classes
from pokerlab.holdem.equity.river import TIES, river_table, river_workspace
from pokerlab.holdem.equity.run_outs import new_hands
from pokerlab.holdem.equity.tables import KINDS, add_boards, fill_flops, fill_turns, paths
from pokerlab.holdem.strength.evaluation import CHECKSUM, add_hands
from pokerlab.holdem.strength.tables import name_in_cache
from pokerlab.holdem.table.view import NUM_VIEW_WORDS, hand_luck
from pokerlab.solvers.belief.belief_tree import belief_tree
from pokerlab.strategies.players import network_decision, network_insight
from pokerlab.strategies.players.matrix_decision import NUM_WEIGHTS, MatrixAnswer, follow_matrices

Task: TypeAlias = tuple[str, Callable[[], Any]]

MONTH = 30 * 24 * 3600.0
"""In seconds."""
TABLES = (
    "strength-*.npz",
    "equity-*.bytes",
    "buckets-*.npz",
    "bucket-noise-*.npz",
    "joint-buckets-*.npz",
)
MADE = ("kernels-*", "kernels/*.kernel", *TABLES, "**/.*.part")
"""What pokerlab keeps in the user's cache, earlier versions included, and what a kill left unfinished."""


def tasks() -> Iterator[Task]:
    """Yield what to do, with a word on it; together they use every kernel."""
    for group in GROUPS:
        yield from group()


def game_tasks() -> Iterator[Task]:
    """Yield what uses the kernels of games, metrics and solvers."""
    game = games.kuhn()
    uniform = game.uniform()
    plans = [uniform.plan(player) for player in range(2)]
    yield "values and best responses", partial(game.gains, uniform)
    yield "NashConv", partial(game.nash_conv, uniform)
    yield "realization plans", partial(Profile.from_plans, game, plans)
    yield "values of choices", partial(choice_values, game.block, uniform.probabilities)
    dynamics: dict[str, Any] = {
        "CFR and its descendants": solvers.CFR(game),
        "replicator dynamics": solvers.ReplicatorDynamics(game, payoff_shift=3.0),
        "polynomial weights": solvers.PolynomialWeights(game, payoff_shift=3.0),
        "fictitious play": solvers.FictitiousPlay(game),
        "replicator dynamics in continuous time": solvers.ContinuousReplicator(game, time_step=0.1),
        "replicator dynamics of the normal form": solvers.NormalFormReplicator(
            game, payoff_shift=3.0
        ),
    }
    memories: dict[str, Any] = {
        "the Nash memory": solvers.ParallelNashMemory(game),
        "the double oracle": solvers.DoubleOracle(game),
    }
    yield from coevolution_tasks(game)
    for name, solver in (dynamics | memories).items():
        yield name, partial(solver.step, solver.init(), 2)
    watched = metrics.Watched(dynamics["replicator dynamics"])
    yield "regret", lambda: metrics.theorem_five(watched.step(watched.init(), 2))
    yield "regret of the best plan", lambda: metrics.average_regret(watched.step(watched.init(), 2))
    yield "the linear program", solvers.SequenceFormLP(game).solve
    tiny = np.array([[[3.0, 0.0], [2.0, 2.0]], [[3.0, 2.0], [0.0, 2.0]]])
    yield "projected replicator dynamics", partial(solvers.ProjectedReplicator().solve, tiny)
    yield "Lemke-Howson pivoting", partial(solvers.LemkeHowson().solve, tiny)


def coevolution_tasks(game: games.SequenceForm) -> Iterator[Task]:
    """Yield what uses the kernels of encodings and worst cases."""
    encodings: dict[str, strategies.BehaviorEncoding] = {
        "direct encoding": strategies.DirectEncoding(game),
        "networks": strategies.NetworkEncoding(game),
    }
    for name, encoding in encodings.items():
        inner = solvers.InnerEvolution(generations=1)
        for worst_case in (solvers.ExactReply(), inner):
            coevolution = solvers.MinimaxCoevolution(
                game, seed=1, encoding=encoding, worst_case=worst_case
            )
            yield f"{name}, {type(worst_case).__name__}", coevolution.init
    search = solvers.TreeSearch(depth=1, iterations=2).exploitability
    weights, inputs = np.zeros((1, 4), np.float32), np.zeros((1, 1), np.float32)
    one = np.zeros(1, np.int64)
    networks = partial(strategies.perceptron, weights, one, inputs, hidden=1, outputs=1)
    yield "perceptrons", networks
    yield "tree search", partial(search, game, game.uniform(), seed=1)
    yield "beliefs", lambda: belief_tree(game, 0).against(game.uniform()).value


def bucketed_tasks() -> Iterator[Task]:
    """Yield what uses the kernels of bucketed hold'em and its solvers."""
    search = solvers.TreeSearch(depth=1, iterations=2).exploitability
    one, half, none = np.ones((1, 1)), (np.full(1, 0.5),) * 4, (np.empty(0),) * 4
    buckets = holdem.Buckets((1, 1, 1, 1), one[0], (one,) * 3, one / 2, none, half, half)
    hands = holdem.bucketed_limit_holdem(buckets, raise_cap=1)
    yield "bucketed hold'em", partial(hands.best_response, hands.uniform(), 0)
    descent, cfr = solvers.ExploitabilityDescent(hands), solvers.BucketedCFR(hands)
    yield "exploitability descent", lambda: descent.step(descent.init(), 1)
    yield "CFR in bucketed hold'em", lambda: cfr.step(cfr.init(), 1).average
    yield "tree search of bucketed hold'em", partial(search, hands, hands.uniform(), seed=1)
    yield "bucketed strategies with real cards", partial(follow_no_hands, hands.uniform())


def holdem_tasks() -> Iterator[Task]:
    """Yield what uses the kernels of hold'em; of its tables only that of starting hands is made."""
    cards = dealt_in_match(1, 0, 0, 1)
    hole, board = cards[:2], cards[2:]
    for size in (5, 6, 7):
        yield f"strength of {size} cards", partial(holdem.strength, cards[:size])
    yield "all hands", count_few_hands
    yield "classes of hands", partial(hand_classes(2).renaming, hole)
    yield "how hole cards stand", partial(holdem.standing, hole, board)
    yield "equity on the river", partial(holdem.win_probability, hole, board)
    yield "everybody's equity on the river", partial(holdem.everybody, board)
    yield "everybody's equity before the flop", partial(holdem.everybody, board[:0])
    yield "equity on flop and turn", sum_over_streets
    yield "buckets", count_few_buckets
    yield "hand against hand", partial(holdem.showdowns, board[:2], board[2:4], hole[:0])
    sample = partial(holdem.sampled_win_probability, num_samples=2, seed=1)
    yield "equity against several", partial(sample, hole, board, 2)
    betting, pair = holdem.no_limit(1, 2), [holdem.RANDOM, holdem.ALWAYS_CALL]
    yield "hands of random actions", partial(holdem.random_play, betting, (20, 20), 1, seed=1)
    table = partial(holdem.play, betting, pair, 1, seed=1, stacks=20)
    yield "a table", table
    yield "a table that carries stacks", partial(table, stacks_carried=True)
    tournament = partial(holdem.play_tournaments, holdem.doubling(betting, 1, chips=40), pair)
    yield "luck for a hand", partial(hand_luck, np.zeros(NUM_VIEW_WORDS, np.int64), 0)
    yield "a tournament", partial(tournament, [[0, 1]], seed=1, stacks=20)
    known = {"seats": 3, "aggressiveness": holdem.Aggressiveness()}
    yield (
        "a tournament of two tables",
        partial(tournament, [[0, 1, 0, 1]], seed=1, stacks=20, **known),
    )
    rules = strategies.RuleEncoding().players(strategies.RuleEncoding().low)
    yield "rule genomes", partial(holdem.play, holdem.limit(2), rules * 2, 1, seed=1, stacks=20)
    yield "networks at a table", follow_no_networks
    yield "matrix strategies", follow_no_matrices


GROUPS = (bucketed_tasks, game_tasks, holdem_tasks)
"""They share few kernels, so that each can be compiled by a process of its own; the longest first."""


def follow_no_networks() -> None:
    """Call the kernels of networks at a table for no decisions, without the tables."""
    network = strategies.TableNetwork(hidden=1)
    (player,) = network.players(np.zeros(network.num_genes, np.float32))
    views, asked = np.zeros((1, NUM_VIEW_WORDS), np.int64), np.empty(0, np.intp)
    weights, luck = player.parameters[None], np.zeros(1)
    network_decision.follow_networks(
        no_equity_tables(), tuple(network.answer), views, asked, weights, luck, luck
    )
    inputs = np.empty((0, network_decision.NUM_INPUTS), np.float32)
    network_insight.fill_inputs(network.answer, views[:0], luck[:0], inputs)


def no_equity_tables() -> EquityTables:
    """Return tables for kernels that look nothing up before the river; as those, they are read-only."""
    wide, narrow = (np.zeros((1, NUM_HOLDINGS), kind) for kind in (np.uint64, np.uint32))
    wide.flags.writeable = narrow.flags.writeable = False
    return EquityTables(wide, wide, narrow, river_table(), flop_classes(), turn_classes())


def follow_no_hands(profile: holdem.BucketedProfile) -> None:
    """Call the kernels of bucketed strategies with real cards for no hands, without the tables."""
    tables = CardTables(no_equity_tables(), np.zeros((4, 1)))
    tree = public_nodes(profile.game.tree, profile.pointer)
    views, nodes = (np.zeros((1, size), np.int64) for size in (NUM_VIEW_WORDS, 2))
    luck, asked = np.zeros(1), np.empty(0, np.intp)
    real_player.follow(views, asked, tree, tables, profile.table, nodes, luck, luck)
    cards, labels = np.empty((0, 7), np.uint8), np.empty((0, 4, NUM_HOLDINGS), np.uint8)
    line = line_workspace(tree, profile.table)
    exploit(cards, labels, np.uint64(1), 0, 1, 0, new_hands(), line, np.empty((0, 2)))


def follow_no_matrices() -> None:
    """Call the kernel of matrix strategies for no hands, without the tables."""
    views, weights = np.zeros((1, NUM_VIEW_WORDS), np.int64), np.zeros((1, NUM_WEIGHTS), np.float32)
    luck, asked = np.zeros(1), np.empty(0, np.intp)
    reading = MatrixAnswer(tie=0.5, free_folds=False)
    follow_matrices(no_equity_tables(), reading, views, asked, weights, luck, luck)


def count_few_hands() -> None:
    """Call the kernels that count all hands of five, six and seven cards with small decks."""
    counts = np.zeros(holdem.NUM_STRENGTHS, np.int64)
    for size in (5, 6, 7):
        add_hands(size, size, counts)


def sum_over_streets() -> None:
    """Call the kernels for boards of three to five cards with next to nothing."""
    rivers, times = np.empty((0, 5), np.uint8), np.empty(0, np.int64)
    add_boards(river_table(), rivers, times, np.zeros(NUM_HOLDINGS, np.uint64))
    boards = holdem.canonical_boards(4)[0][:1]
    turns, flops = (np.zeros((1, NUM_HOLDINGS), kind) for kind in (np.uint32, np.uint64))
    fill_turns(river_table(), boards, turns)
    # Whoever asks for the table of turns gets it read-only, which is another type for a kernel.
    turns.flags.writeable = False
    classes = np.zeros((1, NUM_CARDS - 3), np.int64)
    renamings = np.zeros((*classes.shape, NUM_SUITS), np.uint8)
    fill_flops(turns, classes, renamings, flops)
    values = np.empty((1, NUM_HOLDINGS))
    fill_before(turns, TIES, 1, boards, classes[:, 0], renamings[:, 0], 0.5, values)


def count_few_buckets() -> None:
    """Call the kernels that put hands into buckets with one board and one bucket."""
    boards, once, one = boards_of(RIVER)[0][:1], np.ones(1, np.int64), np.zeros((1, 1), np.int64)
    labels, before = np.zeros((1, NUM_HOLDINGS), np.uint8), card_counts.boards_before(boards)
    fewer, steps = np.zeros_like(before.boards), np.zeros((2, 2), np.int64)
    renamed = card_counts.RENAMED
    card_counts.add_steps(labels, fewer, before.renamings, renamed, labels, once, steps)
    of_class = np.zeros(rivers().hands.shape, np.uint8)
    card_counts.fill_river_labels(of_class, rivers().kind, boards, 1, labels)
    card_counts.add_showdowns(boards, of_class[:1], once, river_workspace(), one, one)
    SampledExpectations((1, 1, 1, 1), seed=1).drawn(RIVER, once, once, once)


def outdated(folder: Path) -> list[Path]:
    """Return what in the user's cache `folder` is of other versions or unfinished, unused for a month.

    It contains nothing that these sources use, and nothing that pokerlab has not made.
    """
    tables = [path for kind in KINDS.values() for path in paths(kind)]
    in_use = {folder / f"{name_in_cache(CHECKSUM)}.npz", *tables}
    month_ago = time.time() - MONTH
    made = [path for pattern in MADE for path in folder.glob(pattern)]
    return [path for path in made if path not in in_use and path.stat().st_mtime < month_ago]


def remove(path: Path) -> None:
    """Remove a folder or a file, if that is possible."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(OSError):
        path.unlink()


def main() -> None:
    """Compile everything, saying what and how long; remove what old versions have left."""
    print(f"compiled kernels are kept in {kernel_folder()}")
    for old in outdated(user_cache()):
        remove(old)
    begin = time.perf_counter()
    count = min(len(GROUPS), os.cpu_count() or 1)
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as processes:
        list(processes.map(compile_group, GROUPS))
    print(f"ready after {time.perf_counter() - begin:.1f} s")


def compile_group(group: Callable[[], Iterator[Task]]) -> None:
    """Do what a group yields, and say how long it took."""
    for name, task in group():
        before = time.perf_counter()
        task()
        print(f"  {name}: {time.perf_counter() - before:.1f} s", flush=True)


if __name__ == "__main__":
    main()
