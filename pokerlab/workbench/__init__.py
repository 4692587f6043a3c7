"""What draws: figures, the live bench, explorers; everything else in pokerlab only computes.

Parts load when they are first used, so that importing the workbench is quick.
"""

import importlib
from typing import TYPE_CHECKING, Any

from pokerlab.core.kinds import answering, front_door

if TYPE_CHECKING:
    from pokerlab.workbench.benches.open_bench import bench
    from pokerlab.workbench.drawings.beliefs import draw_beliefs
    from pokerlab.workbench.drawings.cards import card_row
    from pokerlab.workbench.drawings.nested_runs import plot_nested_runs
    from pokerlab.workbench.drawings.tree_drawing import tree
    from pokerlab.workbench.holdem.bucket_graph import plot_buckets
    from pokerlab.workbench.holdem.equity_explorer import equity_explorer
    from pokerlab.workbench.holdem.hand_drawing import draw_hand
    from pokerlab.workbench.holdem.starting_hands import plot_starting_hands, starting_hands
    from pokerlab.workbench.holdem.table_drawing import draw_table
    from pokerlab.workbench.holdem.table_play import play_holdem
    from pokerlab.workbench.holdem.told import Thought
    from pokerlab.workbench.kuhn.explorer import kuhn_explorer
    from pokerlab.workbench.kuhn.kuhn_profiles import kuhn_character, kuhn_equilibrium
    from pokerlab.workbench.kuhn.table_play import play_kuhn
    from pokerlab.workbench.live.bench import Bench
    from pokerlab.workbench.memory.payoff_picture import plot_payoff_matrix
    from pokerlab.workbench.memory.round_drawing import draw_round
    from pokerlab.workbench.memory.security import plot_security
    from pokerlab.workbench.plots import compare, convergence, heat_map, legend, published
    from pokerlab.workbench.style import figure, look, nth_look, show
    from pokerlab.workbench.text import as_fraction, say, signed, tabulate
    from pokerlab.workbench.views.exploitability import (
        plot_evolution,
        plot_exploitability,
        plot_genome,
    )
    from pokerlab.workbench.views.genome import evolved_of
    from pokerlab.workbench.views.intensity import plot_intensity
    from pokerlab.workbench.views.mixes import mixes_of, plot_mixes
    from pokerlab.workbench.views.worst_cases import plot_set_sizes, plot_worst_cases

_NAMES = {
    "benches.open_bench": "bench",
    "drawings.beliefs": "draw_beliefs",
    "drawings.cards": "card_row",
    "drawings.nested_runs": "plot_nested_runs",
    "drawings.tree_drawing": "tree",
    "holdem.bucket_graph": "plot_buckets",
    "holdem.equity_explorer": "equity_explorer",
    "holdem.hand_drawing": "draw_hand",
    "holdem.starting_hands": "plot_starting_hands starting_hands",
    "holdem.table_drawing": "draw_table",
    "holdem.table_play": "play_holdem",
    "holdem.told": "Thought",
    "kuhn.explorer": "kuhn_explorer",
    "kuhn.kuhn_profiles": "kuhn_character kuhn_equilibrium",
    "kuhn.table_play": "play_kuhn",
    "live.bench": "Bench",
    "memory.payoff_picture": "plot_payoff_matrix",
    "memory.round_drawing": "draw_round",
    "memory.security": "plot_security",
    "plots": "compare convergence heat_map legend published",
    "style": "figure look nth_look show",
    "text": "as_fraction say signed tabulate",
    "views.exploitability": "plot_evolution plot_exploitability plot_genome",
    "views.genome": "evolved_of",
    "views.intensity": "plot_intensity",
    "views.mixes": "mixes_of plot_mixes",
    "views.worst_cases": "plot_set_sizes plot_worst_cases",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}
__all__ = [
    "Bench",
    "Thought",
    "as_fraction",
    "bench",
    "card_row",
    "compare",
    "convergence",
    "draw_beliefs",
    "draw_hand",
    "draw_round",
    "draw_table",
    "equity_explorer",
    "evolved_of",
    "figure",
    "heat_map",
    "kuhn_character",
    "kuhn_equilibrium",
    "kuhn_explorer",
    "legend",
    "look",
    "mixes_of",
    "nth_look",
    "play_holdem",
    "play_kuhn",
    "plot_buckets",
    "plot_evolution",
    "plot_exploitability",
    "plot_genome",
    "plot_intensity",
    "plot_mixes",
    "plot_nested_runs",
    "plot_payoff_matrix",
    "plot_security",
    "plot_set_sizes",
    "plot_starting_hands",
    "plot_worst_cases",
    "published",
    "say",
    "show",
    "signed",
    "starting_hands",
    "tabulate",
    "tree",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        home = importlib.import_module(f"pokerlab.workbench.{_HOMES[name]}")
        globals()[name] = answering(getattr(home, name))
        return globals()[name]
    raise AttributeError(f"module 'pokerlab.workbench' has no attribute '{name}'")


__dir__ = front_door(globals())
