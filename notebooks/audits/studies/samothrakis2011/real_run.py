"""Samothrakis & Lucas (2011), section 4.2: what agents lose at most to whoever sees real cards, minutes to hours each.

    PYTHONPATH=notebooks/audits python -m studies.samothrakis2011.real_run "always call" --flops 100

measures it by so many flops, or by all of them if none are named, and says it. What is done lies in a folder of `GOING`
and is not done again. The strategy lies there too: computed again on another machine it would be rounded otherwise.
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

GOING = RUNS / "unfinished" / "real-cards"
SOLVED = {f"{count} buckets": count for count in (2, 4, 10, 20)}
"""CFR+'s averages with other numbers of buckets."""
LOCALLY = {f"judged locally, seed {seed}": seed for seed in (1, 2, 3)}
"""The lesson's evolution, whose seed 2 is the median, with a judge who sees real cards."""
SEED = 1


def load_agent(name: str, of: BucketedHoldem) -> BucketedProfile:
    """Return an agent."""
    if name in SOLVED:
        return run_cfr_plus(of)
    return evolve_with_local_judge(LOCALLY[name]) if name in LOCALLY else make_agent(name)


def load_strategy(name: str, going: Path = GOING) -> tuple[BucketedProfile, Path]:
    """Return an agent and the folder of what is done; the first time it is made and kept there."""
    home = going / name.replace(" ", "-").replace(",", "").replace("'", "")
    of, path = make_game(SOLVED.get(name, BUCKETS)), home / "strategy.npz"
    if not path.exists():
        new = load_agent(name, of)
        with replace_file(path) as file:
            np.savez_compressed(file, table=new.table, pointer=new.pointer)
    with np.load(path) as kept:
        return BucketedProfile.make_unchecked(of, kept["table"], kept["pointer"]), home


def measure_worst_case(
    profile: BucketedProfile, home: Path, flops: int | None, workers: int = 1
) -> RealWorstCase:
    """Return the worst case of an agent with real cards, going on with what is done."""
    seed = None if flops is None else SEED
    return find_real_worst_case(
        profile.game, profile, flops=flops, seed=seed, workers=workers, checkpoint=home / "flops"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=[*AGENTS, *SOLVED, *LOCALLY])
    parser.add_argument("--flops", type=int)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    found = measure_worst_case(*load_strategy(given.name), given.flops, given.workers)
    sys.stdout.write(f"{given.name}: {found}\n")
