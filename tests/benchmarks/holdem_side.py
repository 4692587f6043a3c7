"""pokerlab's tasks of hold'em: strength, tables of equity, whole hands, compiling it all."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count as numbers
from itertools import repeat
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.kernel import kernel
from pokerlab.core.streams import stream
from pokerlab.holdem import (
    RANDOM,
    Player,
    PythonPlayer,
    Structure,
    count_all_hands,
    everybody,
    limit,
    no_limit,
    play,
    random_play,
)
from pokerlab.holdem.equity.river import river_table
from pokerlab.holdem.equity.tables import equity_table
from pokerlab.holdem.strength.evaluation import (
    CARD_BITS,
    CARD_KEYS,
    EIGHTS,
    TO_EIGHT,
    WEAKEST,
    fill_strengths,
    strength,
    strength_of_seven,
)
from pokerlab.papers import nicolai2009, noble2001
from pokerlab.papers.nicolai2009.champions import earlier_name_of
from pokerlab.papers.recorded import RUNS
from pokerlab.strategies import RuleEncoding
from tests.benchmarks.contestant import Task
from tests.benchmarks.fresh_interpreter import KernelCache
from tests.benchmarks.network_hands import ENCODING as NETWORK
from tests.benchmarks.network_hands import GENOMES as WEIGHTS
from tests.benchmarks.network_hands import NETWORKS
from tests.benchmarks.random_cards import NUM_HANDS, order, random_hands
from tests.benchmarks.rule_hands import GENOMES, outcome
from tests.benchmarks.stopwatch import Answer, Measure, Once, PerCall
from tests.benchmarks.whole_hands import (
    BIG_BET,
    BIG_BLIND,
    MOST_BETS,
    NUM_CHECKED,
    NUM_COUNTED,
    SEED,
    SMALL_BET,
    SMALL_BLIND,
    STACK,
    TABLES,
)
from tests.oracles.players import rule_decision

Numbers = NDArray[np.int64]
NUM_PLAYERS = 100
"""Who may sit at the many tables."""
Narrow = NDArray[np.uint16]
"""As narrow as strengths can be, so that writing them does not hide the reading."""

HANDS_BY_CATEGORY = (
    *(23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020),
    *(4_047_644, 3_473_184, 224_848, 41_584),
)
NUM_ALL_HANDS = sum(HANDS_BY_CATEGORY)
NUM_BOARDS = 1_000
HANDS_AT_ONCE = {"random_play": 20_000, "play": 5_000}
BRED_HANDS_AT_ONCE = {"compiled": 5_000, "in Python": 50}
"""Hands of rule genomes and of networks."""
NUM_NETWORKS = 1_000
"""Who may sit at the tables of networks: no processor's nearest cache has all of their weights."""

WARM = """
from time import perf_counter
start = perf_counter()
from pokerlab import warm
for group in {groups}:
    group()
print(perf_counter() - start)
"""
HOLDEM, EVERYTHING = (
    KernelCache(WARM.format(groups=name)) for name in ("[warm.warm_holdem]", "warm.GROUPS")
)


@kernel
def fill_from_keys(keys: Numbers, bits: Numbers, out_strengths: Narrow) -> None:
    """Write the strength of hands of seven from the sums of their keys and of their bits.

    Bits are read for flushes only, which saves a third of the memory's work.
    """
    for row in range(keys.size):
        is_flush = (keys[row] + TO_EIGHT) & EIGHTS
        out_strengths[row] = strength_of_seven(keys[row], bits[row] if is_flush else np.int64(0))


def strengths(call: Callable[[NDArray[np.uint8]], Callable[[], Numbers | Narrow]]) -> Task:
    """Return the task of timing what `call` makes ready, on the hands of the row."""

    def task(game: str) -> Measure:
        hands = random_hands(NUM_HANDS[game])
        work = call(hands)
        timed = PerCall(repeated(work), size=len(hands))
        seen = {"order": order(work())}
        return lambda seconds: timed(seconds) | seen

    return task


def repeated(work: Callable[[], object]) -> Callable[[int], None]:
    """Return what does `work` so many times."""

    def advance(count: int) -> None:
        for _ in repeat(None, count):
            work()

    return advance


def from_cards(hands: NDArray[np.uint8]) -> Callable[[], Numbers]:
    """Return the kernel's work on card indices, with its output made beforehand."""
    written = np.empty(len(hands), np.int64)

    def work() -> Numbers:
        fill_strengths(hands, written)
        return written

    return work


def from_keys(hands: NDArray[np.uint8]) -> Callable[[], Narrow]:
    """Return the kernel's work on keys and bits that were summed beforehand."""
    keys, bits = CARD_KEYS[hands].sum(axis=1), CARD_BITS[hands].sum(axis=1)
    written = np.empty(len(hands), np.uint16)

    def work() -> Narrow:
        fill_from_keys(keys, bits, written)
        return written

    return work


def all_hands(game: str) -> Measure:
    """Return the measure of counting all hands of seven, right to the last hand."""

    def work() -> Answer:
        counts = np.add.reduceat(count_all_hands(7), WEAKEST)
        assert tuple(counts) == HANDS_BY_CATEGORY
        return {}

    return Once(work)


@contextmanager
def no_tables() -> Iterator[None]:
    """Forget the tables in memory; let those on disk be looked for in an empty folder."""
    for table in (river_table, equity_table):
        table.cache_clear()
    with tempfile.TemporaryDirectory() as empty, patch.dict(os.environ, POKERLAB_CACHE=empty):
        yield


def table(num_cards: int) -> Task:
    """Return the task of making the equities for boards of so many cards, from nothing."""

    def work() -> Answer:
        with no_tables():
            equity_table(num_cards)
        return {}

    return lambda game: Once(work)


def everybody_on_rivers(game: str) -> Measure:
    """Return the measure of everybody's equity on random rivers; seconds are a board's."""
    boards = random_hands(NUM_BOARDS)[:, :5]
    return PerCall(repeated(lambda: everybody(boards)), size=NUM_BOARDS)


def structure(game: str) -> tuple[Structure, int]:
    """Return the betting and the number of seats."""
    seats, is_limit = TABLES[game]
    if not is_limit:
        return no_limit(SMALL_BLIND, BIG_BLIND), seats
    rules = limit(SMALL_BET, BIG_BET, small_blind=SMALL_BLIND, big_blind=BIG_BLIND, cap=MOST_BETS)
    return rules, seats


def whole_hands(way: str) -> Task:
    """Return the task of playing whole hands, in one kernel or with players at a table."""

    def task(game: str) -> Measure:
        rules, seats = structure(game)
        seeds = numbers(SEED)
        size = HANDS_AT_ONCE[way]

        def some() -> None:
            if way == "play":
                play(rules, [RANDOM] * seats, size, seed=next(seeds), stacks=STACK)
            else:
                random_play(rules, [STACK] * seats, size, seed=next(seeds))

        # Both play the same hands.
        counted = play(rules, [RANDOM] * seats, NUM_COUNTED, seed=SEED, stacks=STACK)
        seen = {"decisions": float(counted.actions.sum()) / NUM_COUNTED}
        timed = PerCall(repeated(some), size=size)
        return lambda seconds: timed(seconds) | seen

    return task


def many_tables(game: str) -> Measure:
    """Return the measure of a hand at 200 tables of ten out of 100 players, all in one call."""
    rules, lineups = structure("heads_up")[0], random_lineups()
    players, seeds = [RANDOM] * NUM_PLAYERS, numbers(SEED)

    def some() -> None:
        play(rules, players, 100, seed=next(seeds), stacks=STACK, lineups=lineups)

    some()  # compiled
    return PerCall(repeated(some), size=100 * len(lineups))


def per_decision(play_all: Callable[[], tuple[Numbers, int]]) -> Measure:
    """Return the measure of a decision in what `play_all` plays; it returns the actions, and how many hands."""
    actions, num_hands = play_all()
    timed = PerCall(repeated(play_all), size=int(actions.sum()))
    seen = {"decisions": float(actions.sum() / num_hands)}
    return lambda seconds: timed(seconds) | seen


def decisions_by_rules(game: str) -> Measure:
    """Return the measure of a decision where all ten are rule genomes that evolved for ten generations."""
    rules = noble2001.solver(noble2001.Config(seed=SEED))
    players = rules.encoding.players(rules.step(rules.init(), 10).population[0])
    lineups = random_lineups()

    def same() -> tuple[Numbers, int]:
        played = rules.game.play(players, 50, seed=SEED, lineups=lineups)
        return played.actions, len(played.chips)

    return per_decision(same)


def rule_players(way: str, seats: int) -> Sequence[Player]:
    """Return rule genomes, compiled or as a function in Python."""
    genomes = GENOMES[:seats]
    if way == "in Python":
        return [PythonPlayer(partial(rule_decision, genome)) for genome in genomes]
    return RuleEncoding().players(np.array(genomes))


def network_players(way: str, seats: int) -> Sequence[Player]:
    """Return networks, compiled or as a function in Python."""
    if way == "in Python":
        return [PythonPlayer(network.decide) for network in NETWORKS[:seats]]
    return NETWORK.players(WEIGHTS[:seats])


def hands_by(bred: Callable[[str, int], Sequence[Player]], way: str) -> Task:
    """Return the task of hands of rule genomes or networks, compiled or as a function in Python."""

    def task(game: str) -> Measure:
        rules, seats = structure(game)
        players = bred(way, seats)
        checked = play(rules, players, NUM_CHECKED, seed=SEED, stacks=STACK)
        seen = outcome(int(checked.actions.sum()), checked.chips[:, 0])
        seeds, size = numbers(SEED), BRED_HANDS_AT_ONCE[way]

        def some() -> None:
            play(rules, players, size, seed=next(seeds), stacks=STACK)

        timed = PerCall(repeated(some), size=size)
        return lambda seconds: timed(seconds) | seen

    return task


def decisions_by_networks(game: str) -> Measure:
    """Return the measure of a decision at 200 tables of six out of 1,000 networks, in a cash game."""
    players = NETWORK.players(NETWORK.random(stream(SEED, "networks"), NUM_NETWORKS))
    lineups, rules = random_lineups(NUM_NETWORKS, 6), no_limit(SMALL_BLIND, BIG_BLIND)

    def same() -> tuple[Numbers, int]:
        played = play(rules, players, 50, seed=SEED, stacks=STACK, lineups=lineups)
        return played.actions, len(played.chips)

    return per_decision(same)


def evolved_networks() -> NDArray[np.float32]:
    """Return Control's last 50 champions, 20 of each: nearly all of an evolution is played by their like."""
    control = nicolai2009.Evolution.load(RUNS / f"{earlier_name_of('Control')}.npz")
    champions = control.champions[-50:, 0]
    return np.repeat(champions, NUM_NETWORKS // len(champions), axis=0)


def decisions_by_ten_networks(game: str) -> Measure:
    """Return the measure of a decision in the first 50 hands of 200 tournaments of ten networks."""
    return tournaments_of(evolved_networks(), random_lineups(NUM_NETWORKS), most_hands=50)


def decisions_in_a_tournament(game: str) -> Measure:
    """Return the measure of a decision among 1,000 evolved networks."""
    return tournaments_of(evolved_networks(), lineups_of_all())


def decisions_in_a_first_tournament(game: str) -> Measure:
    """Return the same for random networks, who are out so fast that seating and moving them counts."""
    return tournaments_of(NETWORK.random(stream(SEED, "networks"), NUM_NETWORKS), lineups_of_all())


def tournaments_of(
    networks: NDArray[np.float32], lineups: NDArray[np.int64], **options: int
) -> Measure:
    """Return the measure of a decision of networks that see each other's aggressiveness."""
    rules = nicolai2009.game(nicolai2009.Config(seed=SEED, agents=lineups.shape[1]))
    players = NETWORK.players(networks)

    def same() -> tuple[Numbers, int]:
        placed = rules.play(players, lineups, seed=SEED, **options)
        return placed.actions, int(placed.hands.sum())

    return per_decision(same)


def lineups_of_all() -> NDArray[np.int64]:
    """Return in which order 1,000 sit down to each of twenty tournaments."""
    return np.array([stream(SEED, "seats", k).permutation(NUM_NETWORKS) for k in range(20)])


def random_lineups(players: int = NUM_PLAYERS, seats: int = 10) -> NDArray[np.int64]:
    """Return who sits at 200 tables."""
    rng = np.random.default_rng(SEED)
    return np.array([rng.permutation(players)[:seats] for _ in range(200)])


TASKS: Mapping[str, Task] = {
    "strength": strengths(from_cards),
    "strength_from_keys": strengths(from_keys),
    "strength_checked": strengths(lambda hands: lambda: strength(hands)),
    "all_hands": all_hands,
    "starting_hands": table(0),
    "flops": table(3),
    "turns": table(4),
    "everybody": everybody_on_rivers,
    "hands": whole_hands("random_play"),
    "hands_of_players": whole_hands("play"),
    "hands_at_many_tables": many_tables,
    "decisions_by_rules": decisions_by_rules,
    "hands_by_rules": hands_by(rule_players, "compiled"),
    "hands_by_rules_in_python": hands_by(rule_players, "in Python"),
    "hands_by_networks": hands_by(network_players, "compiled"),
    "hands_by_networks_in_python": hands_by(network_players, "in Python"),
    "decisions_by_ten_networks": decisions_by_ten_networks,
    "decisions_by_six_networks": decisions_by_networks,
    "decisions_in_a_tournament": decisions_in_a_tournament,
    "decisions_in_a_first_tournament": decisions_in_a_first_tournament,
    "compile_holdem": lambda game: HOLDEM.compiling,
    "compiled_holdem": lambda game: HOLDEM.loading,
    "compile_all": lambda game: EVERYTHING.compiling,
    "compiled_all": lambda game: EVERYTHING.loading,
}
