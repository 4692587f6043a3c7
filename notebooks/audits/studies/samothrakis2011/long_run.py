"""Do agents of limit hold'em that are judged by a search become hard to exploit? Evolutions that take up to hours.

Samothrakis & Lucas (2011, section 4.2) evolve an agent whose fitness is what a tree search wins from it. The paper
leaves parts of the procedure open, so several interpretations are recorded (`LONG_EVOLUTIONS`).

    PYTHONPATH=notebooks/audits python -m studies.samothrakis2011.long_run drawn-1

starts one of these evolutions, given by its name, or continues it after an interruption. When it is complete, its
history is written to `data/runs`, with a row for each recorded generation. Until then its checkpoint is in the folder
`UNFINISHED`.
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
"""How often a run is recorded besides: this number of times while the number of generations grows tenfold."""
LONG_EVOLUTIONS = {name: config for name, config in RECORDED.items() if config.deals == "sampled"}
"""The recorded evolutions whose buckets are from sampled deals, by name.

Some follow Figures 1, 4 and 6. Others follow the text, with equal states merged, by two evolution strategies. One
follows the text without merging, which takes seven hours of one core.
"""


def run_and_record_evolution(
    name: str,
    *,
    records_folder: Path = RUNS,
    checkpoint_folder: Path = UNFINISHED,
    until: int | None = None,
    workers: int = 1,
) -> History:
    """Run an evolution of limit hold'em agents to its end, or continue it, and return its history.

    When the evolution is complete, its history is written to a file, and its checkpoint is deleted.

    Parameters
    ----------
    name : str
        The name of the evolution in `LONG_EVOLUTIONS`, such as 'drawn-1'.
    records_folder : Path
        The folder to which the complete history is written.
    checkpoint_folder : Path
        The folder of the checkpoint, from which an interrupted evolution continues.
    until : int, optional
        A generation before the last one, at which this call stops. Then no history is written, and the next call
        continues from there.
    workers : int
        The number of threads. The results do not depend on it.

    Returns
    -------
    History
        The columns of the experiment, with a row for each recorded generation up to the present one.

    Raises
    ------
    KeyError
        If there is no evolution of that name.
    """
    config = LONG_EVOLUTIONS[name]
    checkpoint = checkpoint_folder / f"samothrakis-2011-{name}.npz"
    last_generation = until or config.iterations
    run = evolving_holdem.run(
        config, per_decade=RECORDS_PER_DECADE, checkpoint=checkpoint, workers=workers
    )

    # A generation is recorded wherever the run stops, so it stops at each multiple of the interval.
    while run.iteration < last_generation:
        next_multiple = RECORD_INTERVAL * (run.iteration // RECORD_INTERVAL + 1)
        run.to(min(last_generation, next_multiple), progress=False)

    is_complete = last_generation >= config.iterations
    if not is_complete:
        return run.history
    history = load_or_run(
        f"samothrakis-2011-judged-{name}", run, last_generation, folder=records_folder
    )
    checkpoint.unlink()
    return history


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=LONG_EVOLUTIONS)
    parser.add_argument("--workers", type=int, default=1, help="threads, which change no number")
    given = parser.parse_args()
    run_and_record_evolution(given.name, workers=given.workers)
