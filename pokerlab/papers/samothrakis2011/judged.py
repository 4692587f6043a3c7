"""Samothrakis & Lucas (2011), limit hold'em: evolutions with the paper's budget, recorded, by their judge.

The judge is the exact best response, or the paper's own tree search.

`python -m pokerlab.papers.samothrakis2011.judged` runs the experiment as the paper describes it, with
buckets from sampled deals and states kept apart: seven hours of one core. It may be stopped at any time
and goes on from its checkpoint.
"""

import math
from dataclasses import replace

from pokerlab.core import UnknownNameError
from pokerlab.papers.recorded import RUNS, recorded
from pokerlab.papers.samothrakis2011.holdem import (
    BY_SEARCH,
    PAPER_CONFIG,
    Config,
    evolving_holdem,
)
from pokerlab.runs import History

PER_DECADE = 40
WIDE = 48.0 * math.sqrt(2.0)
"""The C of eq. 4 that is right for results between 0 and 1, times the range of a hand's results."""
STEP_SIZES = {"absolute": 0.3, "clipped": 0.3, "square": 0.3, "sigmoid": 1.0, "softmax": 1.0}
"""For each way to make genes positive the first step size, of the order of the range that matters."""
JUDGED: dict[str, Config] = {
    **{
        f"exact-{kind}": Config(positive=kind, step_size=s, seed=1)
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
