"""Explorers for the site, where no Python runs: Kuhn poker by twelve sliders, the flow of three strategies, hands.

`page_explorers.js` has the formulas of the first two, which are small; names, characters, equilibria and games are the
library's. The third shows how often a starting hand wins against another one, from a file of counts. Tests in a
browser hold the page's numbers to the library's.
"""

import json
from collections.abc import Mapping
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


def format_kuhn_explorer() -> str:
    """Return the HTML of the explorer of Kuhn poker.

    The page gets the names of the twelve sliders, the probabilities to bet in each profile that has a name, and the
    range of each probability over all equilibria.
    """
    profiles = {
        name: kuhn_equilibrium() if name == NAMES[-1] else kuhn_character(name) for name in NAMES
    }
    bet_probabilities = {
        name: [profile.action_probabilities(*infoset)["bet"] for infoset in KEYS.values()]
        for name, profile in profiles.items()
    }
    content = {
        "keys": [*KEYS],
        "profiles": bet_probabilities,
        "ranges": [EQUILIBRIUM_RANGES[infoset] for infoset in KEYS.values()],
    }
    return format_explorer("kuhn", content)


def format_population_explorer() -> str:
    """Return the HTML of the explorer of a population with three strategies.

    The page gets the payoffs and the names of strategies of each game of three strategies that has a name.
    """
    games = {}
    for name, (payoffs, comma_separated_names) in GAMES.items():
        strategy_names = comma_separated_names.split(", ")
        if comma_separated_names.count(",") == 2:  # the page has room for three strategies
            table = [[float(number) for number in row] for row in read_payoffs(payoffs)]
            games[name] = {"payoffs": table, "names": strategy_names}
    return format_explorer("population", {"games": games})


def format_hands_explorer() -> str:
    """Return the HTML of the explorer of starting hands, which opens with the two hands of lesson 10.

    The page gets the names of the hands, and where the file with their counts of wins is.
    """
    content = {
        "names": starting_hands.NAMES,
        "file": starting_hands.RUN,
        "folder": f"../_static/{recorded_runs.FOLDER}",
        "opened": ["AA", "87s"],
    }
    return format_explorer("hands", content)


def format_explorer(kind: str, content: Mapping[str, object]) -> str:
    """Return the HTML element that the page's script turns into an explorer.

    Parameters
    ----------
    kind : {'kuhn', 'population', 'hands'}
        The kind of the explorer.
    content : mapping
        What the script needs to draw it, which is written as JSON.
    """
    data = escape(json.dumps(content))
    return f'<div class="pokerlab-explorer" data-kind="{kind}" data-about="{data}"></div>'


EXPLORERS = {
    "kuhn_explorer(": format_kuhn_explorer,
    "population_explorer(": format_population_explorer,
    "equity_explorer(": format_hands_explorer,
}
"""What stands in place of an explorer, by the call in the cell that opens it."""
