"""Every number that Oliehoek et al. (2006) print, beside ours under the choices that come nearest."""

from typing import NamedTuple

from pokerlab import reference
from pokerlab.papers.experiment import Published, published_numbers
from pokerlab.papers.oliehoek2006.experiment import PAPER, Config, solver
from pokerlab.solvers import MemoryState

EIGHT_CARDS = Config(program="interior point", iterations=40, seed=1)
"""Until Nash; optimal mixes are interior, since corners use fewer strategies than are printed."""
SIX_CARDS = Config(game="6-card poker, paired", iterations=149, seed=1)
"""Until the program is 150 x 150, the start being one of the 150."""


class Compared(NamedTuple):
    """A printed number and ours.

    Attributes
    ----------
    row : Published
        The printed one.
    what : str
        What it counts.
    ours : tuple of float
        The same quantity here; two numbers where the players differ.
    remark : str
        How to read it.
    """

    row: Published
    what: str
    ours: tuple[float, ...]
    remark: str


def compare_all() -> list[Compared]:
    """Return all printed numbers beside ours, in about a second."""
    eight, six = end_of(EIGHT_CARDS), end_of(SIX_CARDS)
    histories = sum(1 for _ in reference.histories(six.game.rules))
    ours: dict[str, tuple[str, tuple[float, ...], str]] = {
        "8-card-nash-level": (
            "iteration of the Nash level",
            (eight.iteration + 1,),
            "as the paper counts: the start is the first",
        ),
        "8-card-support": ("strategies with weight", eight.support_sizes, "players 1 and 2"),
        "8-card-pool": ("strategies met", eight.pool_sizes, "players 1 and 2"),
        "6-card-worst-case": (
            "worst case",
            (sum(six.worst_cases),),
            "sum of both players'; paired deck",
        ),
        "6-card-support-1": ("support of player 1", six.support_sizes[:1], "paired deck"),
        "6-card-support-2": ("support of player 2", six.support_sizes[1:], "paired deck"),
        "6-card-pool": ("strategies met", six.pool_sizes, "players 1 and 2"),
        "6-card-histories": ("histories", (histories,), "cards dealt one by one"),
        "6-card-sequences": ("sequences", six.game.num_sequences, "the empty one is among them"),
    }
    return [Compared(row, *ours[row.key]) for row in published_numbers(PAPER)]


def end_of(config: Config) -> MemoryState:
    """Return where the memory of `config` stands after all its rounds."""
    memory = solver(config)
    return memory.step(memory.init(), config.iterations)
