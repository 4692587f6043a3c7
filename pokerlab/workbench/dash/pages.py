"""The pages that are served: their titles, descriptions and lessons, and the functions that open them."""

import csv
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from secrets import randbelow
from typing import Any

import numpy as np

from pokerlab import workbench
from pokerlab.core import random_stream
from pokerlab.core.files import DATA
from pokerlab.papers import nicolai2009, nicolai2009_agents, noble2001, samothrakis2011_holdem
from pokerlab.papers.experiment import RUNS
from pokerlab.workbench.benches import DECLARED
from pokerlab.workbench.guess_controls import LessonGuesses
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.live.explorer import Explorer

NETWORKS = replace(nicolai2009.SCALES["lab"], **nicolai2009.EARLIER)
"""The settings of the recorded champions, which are those of all networks on the pages."""
ENCODING = nicolai2009.make_encoding(NETWORKS)
draw_seed = partial(randbelow, 10_000)  # returns another seed for each visit


RIVALS = ("Control", "2Pop-1", "4Pop-4", "SmallHOF", "LargeHOF", "HOF2Pop-1")
"""A champion of each of the six methods of Nicolai & Hilderman (2009)."""


@cache
def load_champions() -> dict[str, Any]:
    """Return the recorded champions of `RIVALS`, each the best network of 500 generations at the size of the paper.

    They are in `data/runs/nicolai-2009-champions-whole.npz`, with all settings and the seed.
    """
    with np.load(RUNS / "nicolai-2009-champions-whole.npz") as kept:
        return {name: kept[f"genome/{name}"] for name in RIVALS}


@cache
def load_networks() -> dict[str, Any]:
    """Return the genomes of a recorded champion and of three random networks, by their names."""
    newborn = enumerate(ENCODING.draw_genomes(random_stream(1, "newborn"), 3), 1)
    bred = {"Champion": load_champions()["LargeHOF"]}
    return bred | {f"Newborn {number}": each for number, each in newborn}


def open_champions_tournament() -> Any:
    """Open a tournament against the champions of six methods."""
    bred = load_champions()
    players = ENCODING.make_players(np.array([*bred.values()]), [*bred])
    return workbench.play_tournament(players, seed=draw_seed())


def open_watched_tournament() -> Any:
    """Open a tournament of a hundred players, which follows the one who always folds."""
    drawn = ENCODING.draw_genomes(random_stream(1, "entrants"), NETWORKS.agents - 1)
    players = [nicolai2009_agents.make_static_agents()["Folder"], *ENCODING.make_players(drawn)]
    seats = random_stream(draw_seed(), "seats").permutation(len(players))
    field = nicolai2009.make_game(replace(NETWORKS, free_folds=True))
    placed = field.play(players, seats[None], seed=draw_seed(), record=True)
    return workbench.watch_tournament(placed, follow=np.flatnonzero(seats == 0).tolist())


@cache
def load_rivals() -> Any:
    """Return the state of an evolution of rule-based strategies after all its iterations."""
    config = noble2001.SCALES["quick"]
    evolution = noble2001.pareto_coevolution.make_solver(config)
    return evolution.step(evolution.init(), config.iterations)


with (DATA / "pages.csv").open(encoding="utf-8", newline="") as rows:
    PAGES = {row["page"]: row for row in csv.DictReader(rows)}
"""The row of each page in the file, by its name: shelf, title, sentence, lesson and pictured cell."""
BENCHES = [page for page, row in PAGES.items() if row["shelf"] == "Run a method"]
"""The pages of the benches, in the order of `DECLARED`."""
PAGE_OPENERS: dict[str, Callable[[], Any]] = {
    "kuhn": lambda: workbench.play_kuhn("an equilibrium", seed=draw_seed()),
    "holdem": lambda: workbench.play_holdem(
        samothrakis2011_holdem.make_agent("evolved longer"), seed=draw_seed()
    ),
    "tournament": open_champions_tournament,
    "predictions": lambda: LessonGuesses().open(),
    "habits": lambda: workbench.kuhn_explorer("an equilibrium"),
    "populations": lambda: workbench.population_explorer("hawks and doves", seed=draw_seed()),
    "equity": lambda: workbench.equity_explorer("As Ac", "8d 7d", seed=draw_seed()),
    "rules": lambda: workbench.rule_explorer(load_rivals(), seed=1),
    "network": lambda: workbench.network_explorer(load_networks(), ENCODING),
    "watch": open_watched_tournament,
    **{
        name: partial(workbench.bench, each.experiment, first=1)
        for name, each in zip(BENCHES, DECLARED, strict=True)
    },
}
"""The function that opens each page, by the name of the page."""
PAGES_WITH_ADDRESS = ("habits", "populations")
"""The explorers whose controls can be set in the address of the page."""


def open_page(page: str, address: str = "") -> Any:
    """Open a page, and return its bench, explorer or table.

    Parameters
    ----------
    page : str
        The name of the page.
    address : str
        The end of its address, with settings of a bench or controls of an explorer. An explorer without settings in
        its address shows an error instead.
    """
    opened = PAGE_OPENERS[page]()
    if address and (isinstance(opened, Bench) or page in PAGES_WITH_ADDRESS):
        opened.open_address(address)
    elif address and isinstance(opened, Explorer):
        opened.show_error(
            f"This page takes nothing from its address, which ends with '{address}'. Use the controls."
        )
    return opened
