"""Samothrakis & Lucas (2011), section 4.2: evolutions judged by search that take minutes to hours.

    PYTHONPATH=notebooks/audits python -m studies.samothrakis2011.long_run drawn-1

begins one, or goes on with it after a kill, and records it in data/runs when it is whole. Its checkpoint lies
in `GOING` until then. Which there are: `LONG`.
"""

import argparse
from pathlib import Path

from pokerlab.papers.experiment import RUNS, load_or_run
from pokerlab.papers.samothrakis2011_holdem import RECORDED, evolving_holdem
from pokerlab.runs import History

GOING = RUNS / "unfinished"
EVERY = 45
"""Generations between two points of Figure 6."""
LONG = {name: config for name, config in RECORDED.items() if config.deals == "sampled"}
"""As in the figures; as printed, equal states merged, by two strategies; and as printed, seven hours of one core."""


def evolve(
    name: str,
    *,
    runs: Path = RUNS,
    going: Path = GOING,
    until: int | None = None,
    workers: int = 1,
) -> History:
    """Return the recorded evolution of a name in `LONG`, run to its end if need be; `until` stops before."""
    config = LONG[name]
    checkpoint, last = going / f"samothrakis-2011-{name}.npz", until or config.iterations
    run = evolving_holdem.run(config, per_decade=40, checkpoint=checkpoint, workers=workers)
    while run.iteration < last:
        run.to(min(last, EVERY * (run.iteration // EVERY + 1)), progress=False)
    if last < config.iterations:
        return run.history
    history = load_or_run(f"samothrakis-2011-judged-{name}", run, last, folder=runs)
    checkpoint.unlink()
    return history


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=LONG)
    parser.add_argument("--workers", type=int, default=1, help="threads, which change no number")
    given = parser.parse_args()
    evolve(given.name, workers=given.workers)
