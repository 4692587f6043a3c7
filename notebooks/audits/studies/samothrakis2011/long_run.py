"""Evolutions of limit hold'em agents (section 4.2) that are judged by search, and take from minutes to hours.

    PYTHONPATH=notebooks/audits python -m studies.samothrakis2011.long_run drawn-1

starts one of the evolutions in `LONG_EVOLUTIONS`, or continues it after an interruption. When it is complete, it is
recorded in `data/runs`. Until then its checkpoint is in the folder `UNFINISHED`.
"""

import argparse
from pathlib import Path

from pokerlab.papers.experiment import RUNS, load_or_run
from pokerlab.papers.samothrakis2011_holdem import RECORDED, evolving_holdem
from pokerlab.runs import History

UNFINISHED = RUNS / "unfinished"
"""The folder of the checkpoints."""
RECORD_INTERVAL = 45
"""The number of generations between two points of Figure 6, at which a run is recorded in any case."""
RECORDS_PER_DECADE = 40
LONG_EVOLUTIONS = {name: config for name, config in RECORDED.items() if config.deals == "sampled"}
"""The recorded evolutions whose buckets are from sampled deals, by name.

Some follow Figures 1, 4 and 6. Others follow the text, with equal states merged, by two evolution strategies. One
follows the text without merging, which takes seven hours of one core.
"""


def run_evolution(
    name: str,
    *,
    runs: Path = RUNS,
    unfinished: Path = UNFINISHED,
    until: int | None = None,
    workers: int = 1,
) -> History:
    """Run one of the `LONG_EVOLUTIONS` to its end, record it, and return its history.

    Parameters
    ----------
    name : str
        The name of the evolution.
    runs : Path
        The folder in which it is recorded.
    unfinished : Path
        The folder of its checkpoint, which is deleted when it is complete.
    until : int, optional
        A generation at which the run stops before its end. It is then not recorded, and continues at the next call.
    workers : int
        The number of threads. The results do not depend on it.
    """
    config = LONG_EVOLUTIONS[name]
    checkpoint = unfinished / f"samothrakis-2011-{name}.npz"
    last = until or config.iterations
    run = evolving_holdem.run(
        config, per_decade=RECORDS_PER_DECADE, checkpoint=checkpoint, workers=workers
    )
    while run.iteration < last:
        next_record = RECORD_INTERVAL * (run.iteration // RECORD_INTERVAL + 1)
        run.to(min(last, next_record), progress=False)
    if last < config.iterations:
        return run.history
    history = load_or_run(f"samothrakis-2011-judged-{name}", run, last, folder=runs)
    checkpoint.unlink()
    return history


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=LONG_EVOLUTIONS)
    parser.add_argument("--workers", type=int, default=1, help="threads, which change no number")
    given = parser.parse_args()
    run_evolution(given.name, workers=given.workers)
