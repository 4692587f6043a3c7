"""What do agents of limit hold'em lose to an opponent who sees real cards, and not buckets? Hours for some agents.

Samothrakis & Lucas (2011, section 4.2) play with six *buckets* of hands of similar strength. Their agent, and an
opponent in the same game, know only the bucket of their hand. Here the opponent knows its real hole cards and the real
board, and plays a best response to the agent.

    PYTHONPATH=notebooks/audits python -m studies.samothrakis2011.real_run "always call" --flops 100

takes the name of an agent, and prints what it loses, with the standard error: on a random sample of flops, or on all of
them without `--flops`. The results of flops that are done are kept in a folder of `UNFINISHED`, so that they are not
computed again. The strategy of the agent is kept there, too, because another machine might round it differently.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from pokerlab.core.files import open_replacement_file
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
"""The seeds of agents that are evolved as in lesson 11, but judged by an opponent who sees real cards, by name."""
SEED = 1
"""The seed of the sample of flops."""


def compute_agent_strategy(name: str, game: BucketedHoldem) -> BucketedProfile:
    """Compute the strategy of a named agent of limit hold'em, which sees only buckets of hands.

    A *bucket* is a set of hands of similar strength. The computation takes from seconds to minutes.

    Parameters
    ----------
    name : str
        A name in `CFR_AGENTS`, in `LOCALLY_JUDGED_AGENTS`, or in the paper's `AGENTS`.
    game : BucketedHoldem
        The game that CFR+ solves if the name is in `CFR_AGENTS`. All other agents have a game of their own, with six
        buckets.

    Returns
    -------
    BucketedProfile
        The strategy, in both seats.
    """
    if name in CFR_AGENTS:
        return run_cfr_plus(game)
    if name in LOCALLY_JUDGED_AGENTS:
        return evolve_with_local_judge(LOCALLY_JUDGED_AGENTS[name])
    return make_agent(name)


def load_or_compute_agent_strategy(
    name: str, agents_folder: Path = UNFINISHED
) -> tuple[BucketedProfile, Path]:
    """Return the strategy of a named agent of limit hold'em, and the folder in which everything about it is kept.

    The first time, the strategy is computed and written to the folder. Afterward it is read from there.

    Parameters
    ----------
    name : str
        A name in `CFR_AGENTS`, in `LOCALLY_JUDGED_AGENTS`, or in the paper's `AGENTS`.
    agents_folder : Path
        The folder that has a folder for each agent.

    Returns
    -------
    profile : BucketedProfile
        The strategy, in both seats.
    folder : Path
        The folder of the agent.
    """
    folder = agents_folder / name.replace(" ", "-").replace(",", "").replace("'", "")
    path = folder / "strategy.npz"
    num_buckets = CFR_AGENTS.get(name, BUCKETS)
    game = make_game(num_buckets)

    if not path.exists():
        computed = compute_agent_strategy(name, game)
        with open_replacement_file(path) as file:
            np.savez_compressed(file, table=computed.table, pointer=computed.pointer)

    with np.load(path) as saved:
        return BucketedProfile.make_unchecked(game, saved["table"], saved["pointer"]), folder


def compute_worst_case_with_real_cards(
    profile: BucketedProfile, folder: Path, num_flops: int | None, workers: int = 1
) -> RealWorstCase:
    """Compute what a best response that sees real cards wins from a strategy that sees only buckets of hands.

    A *bucket* is a set of hands of similar strength. The results of single flops are kept in files, so an interrupted
    call continues where it stopped.

    Parameters
    ----------
    profile : BucketedProfile
        The strategy, in both seats.
    folder : Path
        The folder of these files.
    num_flops : int or None
        The size of a random sample of flops; None for all flops.
    workers : int
        The number of threads. The results do not depend on it.

    Returns
    -------
    RealWorstCase
        The winnings, with their standard error and bias.
    """
    # Without a sample there is nothing to draw, and so no seed.
    seed = None if num_flops is None else SEED
    return find_real_worst_case(
        profile.game,
        profile,
        flops=num_flops,
        seed=seed,
        workers=workers,
        checkpoint=folder / "flops",
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=[*AGENTS, *CFR_AGENTS, *LOCALLY_JUDGED_AGENTS])
    parser.add_argument("--flops", type=int)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    strategy, strategy_folder = load_or_compute_agent_strategy(given.name)
    worst_case = compute_worst_case_with_real_cards(
        strategy, strategy_folder, given.flops, given.workers
    )
    sys.stdout.write(f"{given.name}: {worst_case}\n")
