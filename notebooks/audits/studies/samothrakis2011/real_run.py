"""What limit hold'em agents (section 4.2) lose to an opponent who sees real cards; minutes to hours for each agent.

    PYTHONPATH=notebooks/audits python -m studies.samothrakis2011.real_run "always call" --flops 100

measures an agent on a sample of flops, or on all of them without `--flops`, and prints the result. The results of
flops that are done are kept in a folder of `UNFINISHED`, so that they are not computed again. The strategy of the agent
is kept there, too, because another machine might round it differently.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from pokerlab.core.files import replace_file
from pokerlab.holdem.bucketed_holdem import BucketedHoldem, BucketedProfile
from pokerlab.holdem.real_worst_cases import RealWorstCase, find_real_worst_case
from pokerlab.papers.experiment import RUNS
from pokerlab.papers.samothrakis2011_holdem import (
    AGENTS,
    BUCKETS,
    make_agent,
    make_game,
    run_cfr_plus,
)
from studies.samothrakis2011.local_judge import evolve_with_local_judge

UNFINISHED = RUNS / "unfinished" / "real-cards"
"""The folder with a folder for each agent."""
CFR_AGENTS = {f"{count} buckets": count for count in (2, 4, 10, 20)}
"""The average strategies of CFR+ with other numbers of buckets than six, by name."""
LOCALLY_JUDGED_AGENTS = {f"judged locally, seed {seed}": seed for seed in (1, 2, 3)}
"""The seeds of agents that evolve as in lesson 11, but are judged by an opponent who sees real cards, by name."""
SEED = 1
"""The seed of the sample of flops."""


def compute_strategy(name: str, game: BucketedHoldem) -> BucketedProfile:
    """Return the strategy of an agent in a game, which takes from seconds to minutes.

    Parameters
    ----------
    name : str
        A name from `CFR_AGENTS`, `LOCALLY_JUDGED_AGENTS` or the paper's `AGENTS`.
    game : BucketedHoldem
        The game that CFR+ solves. Other agents have six buckets.
    """
    if name in CFR_AGENTS:
        return run_cfr_plus(game)
    if name in LOCALLY_JUDGED_AGENTS:
        return evolve_with_local_judge(LOCALLY_JUDGED_AGENTS[name])
    return make_agent(name)


def load_strategy(name: str, unfinished: Path = UNFINISHED) -> tuple[BucketedProfile, Path]:
    """Return the strategy of an agent, and the folder in which its results are kept.

    The strategy is computed and saved in the folder the first time, and read from there afterwards.
    """
    folder = unfinished / name.replace(" ", "-").replace(",", "").replace("'", "")
    path = folder / "strategy.npz"
    game = make_game(CFR_AGENTS.get(name, BUCKETS))
    if not path.exists():
        computed = compute_strategy(name, game)
        with replace_file(path) as file:
            np.savez_compressed(file, table=computed.table, pointer=computed.pointer)
    with np.load(path) as saved:
        return BucketedProfile.make_unchecked(game, saved["table"], saved["pointer"]), folder


def measure_worst_case(
    profile: BucketedProfile, folder: Path, flops: int | None, workers: int = 1
) -> RealWorstCase:
    """Return what a best response with real cards wins from a strategy.

    Parameters
    ----------
    profile : BucketedProfile
        The strategy.
    folder : Path
        The folder in which the results of single flops are kept. An interrupted call continues from there.
    flops : int or None
        The size of a random sample of flops, or None for all flops.
    workers : int
        The number of threads. The results do not depend on it.
    """
    seed = None if flops is None else SEED
    return find_real_worst_case(
        profile.game, profile, flops=flops, seed=seed, workers=workers, checkpoint=folder / "flops"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=[*AGENTS, *CFR_AGENTS, *LOCALLY_JUDGED_AGENTS])
    parser.add_argument("--flops", type=int)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    strategy, strategy_folder = load_strategy(given.name)
    worst_case = measure_worst_case(strategy, strategy_folder, given.flops, given.workers)
    sys.stdout.write(f"{given.name}: {worst_case}\n")
