"""What is served: of each page its title, what it is in a sentence, its lesson, and what opens it."""

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

NETWORKS = replace(nicolai2009.SCALES["lab"], **nicolai2009.EARLIER)
"""The settings of the networks that play and are looked into."""
ENCODING = nicolai2009.make_encoding(NETWORKS)
seed = partial(randbelow, 10_000)  # returns another seed for each visit


@cache
def networks() -> dict[str, Any]:
    """Return a recorded champion and networks that nobody has bred."""
    with np.load(RUNS / "nicolai-2009-champions-whole.npz") as kept:
        champion = kept["genome/LargeHOF"]
    newborn = enumerate(ENCODING.draw_genomes(random_stream(1, "newborn"), 3), 1)
    return {"Champion": champion, **{f"Newborn {number}": each for number, each in newborn}}


def against_networks() -> Any:
    """Open a tournament against these networks, one who folds and one who acts at random."""
    static, bred = nicolai2009_agents.make_static_agents(), networks()
    players = ENCODING.make_players(np.array([*bred.values()]), [*bred])
    return workbench.play_tournament([*players, static["Folder"], static["Random"]], seed=seed())


def watched() -> Any:
    """Open a tournament of a hundred, with one who only folds."""
    drawn = ENCODING.draw_genomes(random_stream(1, "entrants"), NETWORKS.agents - 1)
    players = [nicolai2009_agents.make_static_agents()["Folder"], *ENCODING.make_players(drawn)]
    seats = random_stream(seed(), "seats").permutation(len(players))
    field = nicolai2009.make_game(replace(NETWORKS, free_folds=True))
    placed = field.play(players, seats[None], seed=seed(), record=True)
    return workbench.watch_tournament(placed, follow=np.flatnonzero(seats == 0).tolist())


@cache
def rivals() -> Any:
    """Return what an evolution of strategies by rules has kept."""
    config = noble2001.SCALES["quick"]
    evolution = noble2001.pareto_coevolution.make_solver(config)
    return evolution.step(evolution.init(), config.iterations)


with (DATA / "pages.csv").open(encoding="utf-8", newline="") as rows:
    PAGES = {row["page"]: row for row in csv.DictReader(rows)}
"""What stands about each page in the file: shelf, title, sentence, lesson."""
BENCHES = [page for page, row in PAGES.items() if row["shelf"] == "Run a method"]
"""The pages of the benches, in the order of `DECLARED`."""
OPENS: dict[str, Callable[[], Any]] = {
    "kuhn": lambda: workbench.play_kuhn("an equilibrium", seed=seed()),
    "holdem": lambda: workbench.play_holdem(
        samothrakis2011_holdem.make_agent("evolved longer"), seed=seed()
    ),
    "tournament": against_networks,
    "predictions": lambda: LessonGuesses().open(),
    "habits": lambda: workbench.kuhn_explorer("an equilibrium"),
    "populations": lambda: workbench.population_explorer("hawks and doves", seed=seed()),
    "equity": lambda: workbench.equity_explorer("As Ac", "8d 7d", seed=seed()),
    "rules": lambda: workbench.rule_explorer(rivals(), seed=1),
    "network": lambda: workbench.network_explorer(networks(), ENCODING),
    "watch": watched,
    **{
        name: partial(workbench.bench, each.experiment, first=1)
        for name, each in zip(BENCHES, DECLARED, strict=True)
    },
}
"""What opens each page."""


def open_page(page: str, address: str = "") -> Any:
    """Open a page; a bench takes the settings that the end of the page's address names."""
    opened = OPENS[page]()
    if address and isinstance(opened, Bench):
        opened.open_at(address)
    return opened
