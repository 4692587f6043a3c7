"""The texts of the audit's tables: heads and rows."""

from collections.abc import Mapping
from typing import Any

from pokerlab.core import CheckedSettings
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import list_settings
from pokerlab.papers.nicolai2009 import METHODS, NONE, PAPER_EXPERIMENTS, count_entrants
from pokerlab.papers.nicolai2009_agents import FOLDER
from pokerlab.runs import History
from studies.nicolai2009 import comparison, methods
from studies.nicolai2009.evaluation import Evaluation

OTHERS = (*comparison.POOREST, FOLDER, "OldBest", "OldScratch", "OldStart")
"""The eight others at a table, in the order of the figures."""
FIFTY = 50
"""Champions of so many generations are averaged in a field."""


def format_signed(number: float, digits: int) -> str:
    """Return a number with its sign, a true minus, and none before zero."""
    words = f"{number:+.{digits}f}".replace("-", "\u2212")
    return words if any(letter in "123456789" for letter in words) else words[1:]


def average_by_fifty(places: Floats) -> Floats:
    """Return the means of fifty places each."""
    means: Floats = places.reshape(-1, FIFTY).mean(axis=1)
    return means


def describe_agent(name: str, one: Evaluation) -> list[str]:
    """Return what an agent reaches and does at an evaluation, as a row of `AGENT_HEADS` after its name."""
    shares = [f"{share:.0%}" for share in one.action_shares[name]]
    width = one.by_name(one.ranks.compute_half_width())[name]
    won = f"{one.first_places[name]:.2%}", f"{one.hands_won_share[name]:.1%}"
    return [f"{one.mean_rank[name]:.3f} ± {width:.3f}", *won, *shares]


AGENT_HEADS = ("agent", "mean rank", "first", "hands won", "fold", "check", "call", "raise")


def describe_rivals(prey: History) -> tuple[list[str], list[list[str]]]:
    """Return heads and rows of how rivals do against each champion: ranks ahead, and tables won less lost."""
    names, rivals = (dict.fromkeys(prey[which].tolist()) for which in ("champion", "rival"))
    rows = [[name] for name in names]
    for row in rows:
        for rival in rivals:
            there = (prey["champion"] == row[0]) & (prey["rival"] == rival)
            ahead, won = (prey[column][there].mean() for column in ("ranks_ahead", "tables_ahead"))
            row.append(f"{format_signed(ahead, 1)} / {format_signed(100 * won, 0)}%")
    return ["champion", *rivals], rows


def describe_tables(
    recorded: Mapping[str, Mapping[str, Evaluation]],
) -> tuple[list[str], list[list[str]]]:
    """Return heads and rows of what each interpretation changes at the tables."""
    rows, own = [], comparison.find_champion_rank
    for interpretation, ones in recorded.items():
        source, _, what = interpretation.partition(", ")
        now = {name: own(one) for name, one in ones.items()}
        moved = [now[name] - own(recorded[source][name]) for name in ones]
        best = min(now, key=lambda name: now[name])
        ranks = ones["Control"].mean_rank
        beside = [f"{ranks[a]:.2f}" for a in ("Control", FOLDER, "OldBest", "OldScratch")]
        row = [source, what or "as they are", f"{best} ({now[best]:.2f})"]
        rows.append([*row, format_signed(max(moved, key=abs), 2), *beside])
    heads = ["champions by", "tables", "best", "most moved"]
    return [*heads, "Control", FOLDER, "OldBest", "OldScratch"], rows


def describe_methods() -> tuple[list[str], list[list[object]]]:
    """Return heads and rows of the six evolutions, with the elites that they have at smaller sizes, too."""
    heads = ["method", "populations", "agents", "elites", "hall", "entrants", "tournaments"]
    rows: list[list[object]] = []
    for (where, one), method in zip(PAPER_EXPERIMENTS.items(), METHODS, strict=True):
        smaller = (methods.shrink_config(one, k, 1, 0) for k in (methods.FIFTH, methods.SMALLER))
        elites = [round(size.elites * size.agents) for size in (one, *smaller)]
        hall = one.hall_size if one.hall != NONE else NONE
        row = [method, one.populations, one.agents, elites[0], hall, count_entrants(one)]
        rows.append([*row, one.tournaments, *elites[1:], where])
    return [*heads, "elites, a fifth", "elites, a tenth", "where"], rows


def describe_settings(
    settings: CheckedSettings, earlier: Mapping[str, Any]
) -> tuple[list[str], list[list[object]]]:
    """Return heads and rows of all settings, whose they are, and on which the paper's text is silent."""
    rows: list[list[object]] = []
    for name, declared in list_settings(settings).items():
        value = f"{getattr(settings, name)} {declared.unit}".strip()
        value = value if declared.has_effect(settings) else "not used"
        about = declared.source, "silent" * declared.silent, earlier.get(name, "")
        rows.append([declared.label, value, *about, declared.help.replace("|", "\\|")])
    return ["setting", "value", "source", "paper", "earlier", "what it does"], rows
