"""pokerlab's tasks of hold'em: strength, tables of equity, whole hands, buckets."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from itertools import count as numbers
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from benchmarks.contestant import Task
from benchmarks.hands import (
    BETS,
    BLINDS,
    MOST_BETS,
    NUM_CHECKED,
    NUM_COUNTED,
    NUM_HANDS,
    SEED,
    STACK,
    TABLES,
    order,
    random_hands,
)
from benchmarks.players import ENCODING, GENOMES, NETWORKS, WEIGHTS, outcome, rule_decision
from benchmarks.random_play import random_play
from benchmarks.stopwatch import Contender, Measure, once, per_call, per_count, to_targets
from pokerlab.core import fixed_arrays
from pokerlab.core.compiler import kernel
from pokerlab.core.random_numbers import random_stream
from pokerlab.holdem import (
    RANDOM,
    BucketedCFR,
    ExploitabilityDescent,
    RuleEncoding,
    bucketed_limit_holdem,
    count_all_hands,
    count_showdowns,
    limit,
    no_limit,
)
from pokerlab.holdem.betting_structure import Structure
from pokerlab.holdem.bucketed_holdem import BucketedHoldem
from pokerlab.holdem.equity import compute_all_win_probabilities
from pokerlab.holdem.equity_tables import load_equity_table, load_river_table
from pokerlab.holdem.hand_rankings import (
    CARD_BITS,
    CARD_KEYS,
    FLUSH_BITS,
    LOWEST_STRENGTHS,
    evaluate_hand,
    evaluate_seven,
    fill_strengths,
)
from pokerlab.holdem.lbr import local_best_response
from pokerlab.holdem.players import Player, PythonPlayer
from pokerlab.holdem.tournament_game import TournamentResult
from pokerlab.papers import nicolai2009, noble2001
from pokerlab.papers import samothrakis2011_holdem as evolving_holdem
from pokerlab.papers.experiment import RUNS
from tests.at_tables import cash
from tests.random_bucketed import random_profile, random_table

Numbers = NDArray[Any]
NUM_PLAYERS = 100
"""Who may sit at the many tables."""
HANDS_BY_CATEGORY = (
    *(23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020),
    *(4_047_644, 3_473_184, 224_848, 41_584),
)
NUM_BOARDS = 1_000
SHOWDOWNS = (1_410_336, 9_308, 292_660)
"""The boards on which As Ah wins, ties and loses against Ks Kh."""
HANDS_AT_ONCE = {"random_play": 20_000, "play": 5_000}
BRED_HANDS_AT_ONCE = {"compiled": 5_000, "in Python": 50}
"""Hands of rule genomes and of networks."""
NUM_NETWORKS = 1_000
"""Who may sit at the tables of networks: no processor's nearest cache has all of their weights."""
DESCENT_TARGET, CFR_TARGET = 0.26, 0.01
"""Small bets: what the paper's tuple table can be brought to, and what is near enough to 0."""


@kernel
def fill_from_keys(keys: Numbers, bits: Numbers, out_strengths: Numbers) -> None:
    """Write the strength of hands of seven from the sums of their keys and of their bits.

    Bits are read for flushes only, which saves a third of the memory's work.
    """
    for row in range(keys.size):
        is_flush = keys[row] & FLUSH_BITS
        out_strengths[row] = evaluate_seven(keys[row], bits[row] if is_flush else np.int64(0))


def strengths(call: Callable[[Numbers], Callable[[], Numbers]]) -> Task:

    def task(game: str) -> Measure:
        hands = random_hands(NUM_HANDS[game])
        work = call(hands)
        return per_call(work, len(hands), order=order(work()))

    return task


def from_cards(hands: Numbers) -> Callable[[], Numbers]:
    """Return the kernel's work on card indices, with its output made beforehand."""
    written = np.empty(len(hands), np.int64)

    def work() -> Numbers:
        fill_strengths(hands, written)
        return written

    return work


def from_keys(hands: Numbers) -> Callable[[], Numbers]:
    """Return the kernel's work on keys and bits that were summed beforehand.

    Strengths are written as narrow as they can be, so that it does not hide the reading.
    """
    keys, bits = CARD_KEYS[hands].sum(axis=1), CARD_BITS[hands].sum(axis=1)
    written = np.empty(len(hands), np.uint16)

    def work() -> Numbers:
        fill_from_keys(keys, bits, written)
        return written

    return work


def all_hands() -> None:
    """Count all hands of seven, right to the last hand."""
    assert tuple(np.add.reduceat(count_all_hands(7), LOWEST_STRENGTHS)) == HANDS_BY_CATEGORY


@contextmanager
def no_tables() -> Iterator[None]:
    """Forget the tables in memory; let those on disk be looked for in an empty folder."""
    for table in (load_river_table, load_equity_table):
        table.cache_clear()
    with (
        tempfile.TemporaryDirectory() as empty,
        patch.dict(os.environ, POKERLAB_CACHE=empty),
        patch.object(fixed_arrays, "find_trusted_shared_folder", return_value=None),
    ):
        yield


def made_table(num_cards: int) -> None:
    """Make the equities for boards of so many cards, from nothing."""
    with no_tables():
        load_equity_table(num_cards)


def everybody_on_rivers(game: str) -> Measure:
    boards = random_hands(NUM_BOARDS)[:, :5]
    return per_call(lambda: compute_all_win_probabilities(boards), NUM_BOARDS)


def two_hands(game: str) -> Measure:
    """Return the measure of comparing two hands before the flop, right to the last board."""
    work = partial(count_showdowns, "As Ah", "Ks Kh")
    assert work() == SHOWDOWNS
    return per_call(work)


def structure(game: str) -> tuple[Structure, int]:
    seats, is_limit = TABLES[game]
    if not is_limit:
        return no_limit(*BLINDS), seats
    rules = limit(*BETS, small_blind=BLINDS[0], big_blind=BLINDS[1], cap=MOST_BETS)
    return rules, seats


def whole_hands(way: str) -> Task:

    def task(game: str) -> Measure:
        rules, seats = structure(game)
        seeds, size = numbers(SEED), HANDS_AT_ONCE[way]

        def some() -> None:
            if way == "play":
                cash(rules, [RANDOM] * seats, size, seed=next(seeds), stacks=STACK)
            else:
                random_play(rules, [STACK] * seats, size, seed=next(seeds))

        # Both play the same hands.
        counted = cash(rules, [RANDOM] * seats, NUM_COUNTED, seed=SEED, stacks=STACK)
        return per_call(some, size, decisions=float(counted.actions.sum()) / NUM_COUNTED)

    return task


def many_tables(game: str) -> Measure:
    rules, lineups = structure("heads_up")[0], random_lineups()
    players, seeds = [RANDOM] * NUM_PLAYERS, numbers(SEED)

    def some() -> None:
        cash(rules, players, 100, seed=next(seeds), stacks=STACK, lineups=lineups)

    some()  # compiled
    return per_call(some, 100 * len(lineups))


def rule_players(way: str, seats: int) -> Sequence[Player]:
    genomes = GENOMES[:seats]
    if way == "in Python":
        return [PythonPlayer(partial(rule_decision, genome)) for genome in genomes]
    return RuleEncoding().make_players(np.array(genomes))


def network_players(way: str, seats: int) -> Sequence[Player]:
    if way == "in Python":
        return [PythonPlayer(network.decide) for network in NETWORKS[:seats]]
    return ENCODING.make_players(WEIGHTS[:seats])


def hands_by(bred: Callable[[str, int], Sequence[Player]], way: str) -> Task:

    def task(game: str) -> Measure:
        rules, seats = structure(game)
        players = bred(way, seats)
        checked = cash(rules, players, NUM_CHECKED, seed=SEED, stacks=STACK)
        seeds, size = numbers(SEED), BRED_HANDS_AT_ONCE[way]

        def some() -> None:
            cash(rules, players, size, seed=next(seeds), stacks=STACK)

        return per_call(some, size, **outcome(int(checked.actions.sum()), checked.chips[:, 0]))

    return task


def per_decision(play_all: Callable[[], Any]) -> Measure:
    played = play_all()
    decisions = int(played.actions.sum())
    num_hands = (
        int(played.hands.sum()) if isinstance(played, TournamentResult) else len(played.chips)
    )
    return per_call(play_all, decisions, decisions=decisions / num_hands)


def decisions_by_rules(game: str) -> Measure:
    rules = noble2001.make_solver(noble2001.Config(seed=SEED))
    players = rules.encoding.make_players(rules.step(rules.init(), 10).population[0])
    lineups = random_lineups()

    return per_decision(lambda: rules.game.play(players, 50, seed=SEED, lineups=lineups))


def decisions_by_networks(game: str) -> Measure:
    players = ENCODING.make_players(drawn_networks())
    lineups, rules = random_lineups(NUM_NETWORKS, 6), no_limit(*BLINDS)

    return per_decision(lambda: cash(rules, players, 50, seed=SEED, stacks=STACK, lineups=lineups))


def drawn_networks() -> Numbers:
    """Return networks as an evolution begins."""
    return ENCODING.draw_genomes(random_stream(SEED, "networks"), NUM_NETWORKS)


def evolved_networks() -> Numbers:
    """Return Control's last 50 champions, 20 of each: nearly all of an evolution is played by their like."""
    champions = np.load(RUNS / "nicolai-2009-control.npz")["champions"][-50:, 0]
    return np.repeat(champions, NUM_NETWORKS // len(champions), axis=0)


def tournaments_of(
    networks: Callable[[], Numbers], lineups: Callable[[], Numbers], **options: Any
) -> Task:

    def task(game: str) -> Measure:
        seated, players = lineups(), ENCODING.make_players(networks())
        config = nicolai2009.Config(seed=SEED, agents=seated.shape[1])
        rules = replace(nicolai2009.make_game(config), **options)

        return per_decision(lambda: rules.play(players, seated, seed=SEED))

    return task


def lineups_of_all() -> Numbers:
    """Return in which order 1,000 sit down to each of twenty tournaments."""
    return np.array([random_stream(SEED, "seats", k).permutation(NUM_NETWORKS) for k in range(20)])


def random_lineups(players: int = NUM_PLAYERS, seats: int = 10) -> Numbers:
    rng = np.random.default_rng(SEED)
    return np.array([rng.permutation(players)[:seats] for _ in range(200)])


@cache
def six_buckets() -> BucketedHoldem:
    return bucketed_limit_holdem(buckets=6)


def on_profile(made: Callable[..., Any], method: str) -> Task:

    def task(game: str) -> Measure:
        profile = made(six_buckets(), 1)
        return per_call(lambda: getattr(six_buckets(), method)(profile))

    return task


def iteration(game: str) -> Measure:
    cfr = BucketedCFR(six_buckets())
    return per_count(lambda count: cfr.step(cfr.init(), count))


def to_target(solver: type, name: str, target: float, value: Callable[[Any], float]) -> Task:

    def contender() -> Contender:
        solves = solver(six_buckets())
        states = [solves.init()]
        return Contender(
            lambda count: states.append(solves.step(states.pop(), count)), lambda: value(states[0])
        )

    return lambda game: to_targets([target], {name: contender})


def evolution(game: str) -> Measure:
    config = evolving_holdem.Config(seed=1)
    solver = evolving_holdem.make_solver(config)
    return per_call(lambda: solver.step(solver.init(), config.iterations))


def real_cards(game: str) -> Measure:
    profile = random_table(six_buckets(), 1)
    local_best_response(profile, 1, seed=1)  # compiles for longer than a chunk lasts
    return per_count(lambda count: local_best_response(profile, count, seed=1))


TASKS: Mapping[str, Task] = {
    "strength": strengths(from_cards),
    "strength_from_keys": strengths(from_keys),
    "strength_checked": strengths(lambda hands: lambda: evaluate_hand(hands)),
    "all_hands": lambda game: once(all_hands),
    "starting_hands": lambda game: once(partial(made_table, 0)),
    "flops": lambda game: once(partial(made_table, 3)),
    "turns": lambda game: once(partial(made_table, 4)),
    "everybody": everybody_on_rivers,
    "showdowns": two_hands,
    "hands": whole_hands("random_play"),
    "hands_of_players": whole_hands("play"),
    "hands_at_many_tables": many_tables,
    "decisions_by_rules": decisions_by_rules,
    "hands_by_rules": hands_by(rule_players, "compiled"),
    "hands_by_rules_in_python": hands_by(rule_players, "in Python"),
    "hands_by_networks": hands_by(network_players, "compiled"),
    "hands_by_networks_in_python": hands_by(network_players, "in Python"),
    "decisions_by_six_networks": decisions_by_networks,
    "decisions_by_ten_networks": tournaments_of(
        evolved_networks, partial(random_lineups, NUM_NETWORKS), most_hands=50
    ),
    "decisions_in_a_tournament": tournaments_of(evolved_networks, lineups_of_all),
    # Random networks are out so fast that seating and moving them counts.
    "decisions_in_a_first_tournament": tournaments_of(drawn_networks, lineups_of_all),
    "bucketed_exploitability": on_profile(random_table, "nash_conv"),
    "bucketed_by_decision": on_profile(random_profile, "nash_conv"),
    "bucketed_slope": on_profile(random_table, "compute_exploitability_gradient"),
    "bucketed_cfr": iteration,
    "bucketed_cfr_to_1e-2": to_target(
        BucketedCFR, "CFR+", CFR_TARGET, lambda state: six_buckets().nash_conv(state.average)
    ),
    "bucketed_descent": to_target(
        ExploitabilityDescent, "descent", DESCENT_TARGET, lambda state: state.best_value
    ),
    "bucketed_evolution": evolution,
    "local_best_response": real_cards,
}
