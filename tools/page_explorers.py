"""Explorers for the site, where no Python runs: Kuhn poker by twelve sliders, the flow of three strategies, hands.

`page_explorers.js` has the formulas of the first two, which are small; names, characters, equilibria and games are the
library's. The third shows how often a starting hand wins against another one, from a file of counts. Tests in a
browser hold the page's numbers to the library's.
"""

import json
from html import escape
from pathlib import Path

from pokerlab.workbench.drawings.kuhn_picture import (
    EQUILIBRIUM_RANGES,
    kuhn_character,
    kuhn_equilibrium,
)
from pokerlab.workbench.explorers.kuhn import KEYS, NAMES
from pokerlab.workbench.explorers.population import GAMES, read_payoffs
from tools import recorded_runs, starting_hands

SCRIPT = Path(__file__).with_suffix(".js")
STYLE = """
.pokerlab-explorer fieldset { border: 1px solid var(--pst-color-border); padding: 0.3em 0.8em; min-width: 0; }
.pokerlab-explorer legend { font-size: 1rem; margin: 0; float: none; width: auto; padding: 0 0.3em; }
.pokerlab-sliders { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 0.6em; }
.pokerlab-sliders label { display: grid; grid-template-columns: 1.2em 1fr 2.6em; gap: 0.4em; align-items: center; }
.pokerlab-sliders small { display: block; margin: -0.2em 0 0.4em 1.6em; }
.pokerlab-characters { display: flex; flex-wrap: wrap; gap: 0.5em; margin: 0.5em 0; }
.pokerlab-characters button { min-height: 2rem; }
.pokerlab-payoffs input { width: 4.5em; }
.pokerlab-hands { display: flex; flex-wrap: wrap; gap: 0.5em 1.5em; }
.pokerlab-hands :is(select, button) { min-height: 2rem; }
.pokerlab-shares { display: flex; height: 1rem; max-width: 34rem; border: 1px solid var(--pst-color-border); }
.pokerlab-shares :nth-child(1) { background: #0072b2; }
.pokerlab-shares :nth-child(2) { background: #999999; }
.pokerlab-shares :nth-child(3) { background: #e69f00; }
.pokerlab-explorer .pokerlab-square { table-layout: fixed; width: 100%; max-width: 34rem; border-spacing: 1px; }
.pokerlab-explorer .pokerlab-square td {
  padding: 0; height: 1.6rem; text-align: center; font: 0.65rem system-ui, sans-serif; color: #111111; cursor: pointer;
}
.pokerlab-square td:focus-visible { outline: 3px solid var(--pst-color-text-base); }
.pokerlab-square [aria-selected="true"] { box-shadow: inset 0 0 0 2px #111111; font-weight: bold; }
"""


def write_kuhn_explorer() -> str:
    """Return the HTML of Kuhn's explorer, with the profiles that have a name and the range of each equilibrium."""
    profiles = {
        name: kuhn_equilibrium() if name == NAMES[-1] else kuhn_character(name) for name in NAMES
    }
    about = {
        "keys": [*KEYS],
        "profiles": {
            name: [profile.action_probabilities(*key)["bet"] for key in KEYS.values()]
            for name, profile in profiles.items()
        },
        "ranges": [EQUILIBRIUM_RANGES[key] for key in KEYS.values()],
    }
    return write_explorer("kuhn", about)


def write_population_explorer() -> str:
    """Return the HTML of the explorer of three strategies, with the games that have a name."""
    games = {
        name: {
            "payoffs": [[float(number) for number in row] for row in read_payoffs(payoffs)],
            "names": names.split(", "),
        }
        for name, (payoffs, names) in GAMES.items()
        if names.count(",") == 2
    }
    return write_explorer("population", {"games": games})


def write_hands_explorer() -> str:
    """Return the HTML of the explorer of starting hands, which opens with those of lesson 10."""
    folder = f"../_static/{recorded_runs.FOLDER}"
    about = {
        "names": starting_hands.NAMES,
        "file": starting_hands.RUN,
        "folder": folder,
        "opened": ["AA", "87s"],
    }
    return write_explorer("hands", about)


def write_explorer(kind: str, about: object) -> str:
    """Return the HTML that a script turns into an explorer."""
    return f'<div class="pokerlab-explorer" data-kind="{kind}" data-about="{escape(json.dumps(about))}"></div>'


EXPLORERS = {
    "kuhn_explorer(": write_kuhn_explorer,
    "population_explorer(": write_population_explorer,
    "equity_explorer(": write_hands_explorer,
}
"""What stands in place of an explorer, by the call in the cell that opens it."""
