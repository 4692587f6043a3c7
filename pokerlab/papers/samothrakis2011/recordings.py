"""Samothrakis & Lucas (2011), recorded: where coevolutions of different settings and seeds end, and at what cost.

In limit hold'em evolutions with the paper's budget are recorded, by their judge: the exact best response, or
the paper's own tree search.

`python -m pokerlab.papers.samothrakis2011.recordings` runs the experiment as the paper describes it, with
buckets from sampled deals and states kept apart: seven hours of one core. It may be stopped at any time
and goes on from its checkpoint.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from pokerlab.core import UnknownNameError
from pokerlab.papers.recorded import RUNS, WHAT_DECIDES, kept_history, recorded
from pokerlab.papers.samothrakis2011.experiment import Config, columns, solver
from pokerlab.papers.samothrakis2011.holdem import BY_SEARCH, PAPER_CONFIG, evolving_holdem
from pokerlab.papers.samothrakis2011.holdem import Config as HoldemConfig
from pokerlab.runs import History, sweep
from pokerlab.runs.provenance import provenance

PER_DECADE = 40
WIDE = 48.0 * math.sqrt(2.0)
"""The C of eq. 4 that is right for results between 0 and 1, times the range of a hand's results."""
STEP_SIZES = {"absolute": 0.3, "clipped": 0.3, "square": 0.3, "sigmoid": 1.0, "softmax": 1.0}
"""For each way to make genes positive the first step size, of the order of the range that matters."""
JUDGED: dict[str, HoldemConfig] = {
    **{
        f"exact-{kind}": HoldemConfig(positive=kind, step_size=s, seed=1)
        for kind, s in STEP_SIZES.items()
    },
    "playouts-100-1": replace(BY_SEARCH, playouts=100),
    "playouts-100-2": replace(BY_SEARCH, playouts=100, seed=2),
    "playouts-100-3": replace(BY_SEARCH, playouts=100, seed=3),
    "playouts-1000-1": BY_SEARCH,
    "playouts-1000-2": replace(BY_SEARCH, seed=2),
    "sampled-1000-1": replace(PAPER_CONFIG, merged=True),
}
"""What has been recorded, searches with equal states merged: the end of a file's name, and its settings."""
AS_PRINTED = "samothrakis-2011-judged-as-printed"


def ends_of_seeds(
    config: Config,
    seeds: Iterable[int],
    *,
    target: float = 0.0,
    varied: Mapping[str, Sequence[Any]] | None = None,
) -> History:
    """Run a coevolution with each seed, and return where it ends.

    Parameters
    ----------
    config : Config
        Its seed does not matter.
    seeds : iterable of int
        Each makes a row.
    target : float
        Exploitability, by exact best responses, at which a run ends before its last generation.
    varied : mapping, optional
        Settings with the values to combine; each combination is run with each seed.

    Returns
    -------
    History
        Columns of what is varied, 'seed', 'iteration' (generations done), those of the experiment, and
        'seconds' of computing time.
    """
    given, choices, measure = list(seeds), dict(varied or {}), partial(end_of, target=target)
    units = {c.name: c.unit for c in columns(solver(config))}
    units |= {"seed": "", "iteration": "iterations", "seconds": "seconds"} | dict.fromkeys(
        choices, ""
    )
    ends = sweep(measure, choices, config=config, seeds=given, units=units, progress=False)
    about = about_seeds(config, given, target, choices)
    return replace(ends, provenance={**ends.provenance, **about})


def end_of(config: Config, target: float) -> dict[str, float]:
    """Return where a coevolution ends."""
    coevolution = solver(config)
    begin = process_time()
    state = coevolution.init()
    while state.exact_value > target and state.iteration < config.iterations:
        state = coevolution.step(state)
    seconds = process_time() - begin
    measured = {column.name: column.measure(state) for column in columns(coevolution)}
    return {"iteration": state.iteration, **measured, "seconds": seconds}


def recorded_ends(
    name: str,
    config: Config,
    seeds: Iterable[int],
    *,
    target: float = 0.0,
    varied: Mapping[str, Sequence[Any]] | None = None,
    folder: str | Path = RUNS,
) -> History:
    """Return `ends_of_seeds` from `data/runs`; if it is not there, it is run now and kept.

    Raises
    ------
    CheckpointError
        If the file was recorded with another setting.
    FileFormatError
        If it is damaged.
    """
    given, choices = list(seeds), dict(varied or {})
    about = about_seeds(config, given, target, choices)
    return kept_history(
        name,
        lambda: ends_of_seeds(config, given, target=target, varied=choices),
        {key: about[key] for key in (*WHAT_DECIDES, "seeds", "target", "varied")},
        folder=folder,
    )


def about_seeds(
    config: Config, seeds: list[int], target: float, varied: dict[str, Any]
) -> dict[str, object]:
    """Return where the numbers come from; the settings are those of the first seed."""
    first = replace(config, seed=seeds[0])
    about = provenance(solver(first), dict(vars(first)))
    return {**about, "seeds": seeds, "target": target, "varied": varied}


def judged(name: str) -> History:
    """Return the recorded evolution of a name in `JUDGED`.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    UnknownNameError.check("recorded evolution", name, tuple(JUDGED))
    run = evolving_holdem.run(JUDGED[name], per_decade=PER_DECADE)
    return recorded(f"samothrakis-2011-judged-{name}", run, JUDGED[name].iterations)


def as_printed() -> History:
    """Return the paper's experiment from its recording, or run it, going on where it was stopped."""
    checkpoint = RUNS / "unfinished" / f"{AS_PRINTED}.npz"
    run = evolving_holdem.run(PAPER_CONFIG, per_decade=PER_DECADE, checkpoint=checkpoint)
    return recorded(AS_PRINTED, run, PAPER_CONFIG.iterations)


if __name__ == "__main__":
    as_printed()
