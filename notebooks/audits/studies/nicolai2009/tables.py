"""The tables of the audit of Nicolai & Hilderman (2009): heads and rows, with numbers as text.

Evaluations of champions, tables of measurements, and settings go in. The audit shows what comes out beside the paper's
claims.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pokerlab.core import CheckedSettings
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import list_settings
from pokerlab.papers.nicolai2009 import METHODS, NONE, PAPER_EXPERIMENTS, Config, count_entrants
from pokerlab.papers.nicolai2009_agents import FOLDER, OLD_BEST, OLD_SCRATCH, OLD_START
from pokerlab.runs import History
from studies.audit import Table
from studies.nicolai2009 import comparison, methods
from studies.nicolai2009.evaluation import Evaluation
from studies.nicolai2009.verdicts import count_elites

OPPONENTS = (*comparison.POOREST, FOLDER, OLD_BEST, OLD_SCRATCH, OLD_START)
"""The eight opponents of a champion, in the order of the paper's figures."""
AVERAGED_GENERATIONS = 50
"""The number of successive generations whose places in a field are averaged."""
AGENT_HEADS = ("agent", "mean rank", "first", "hands won", "fold", "check", "call", "raise")
SHOWN_AGENTS = (comparison.BASELINE, FOLDER, OLD_BEST, OLD_SCRATCH)
"""The agents whose ranks at Control's tables are shown for each interpretation."""


def format_signed(number: float, digits: int) -> str:
    """Return a number as text with its sign, such as '+1.20' or '−0.35'; a number that rounds to zero has no sign.

    The minus is the character of typography, and not a hyphen.

    Parameters
    ----------
    number : float
        The number.
    digits : int
        The number of digits after the point.
    """
    text = f"{number:+.{digits}f}".replace("-", "\u2212")
    is_rounded_to_zero = not any(digit in text for digit in "123456789")
    return text[1:] if is_rounded_to_zero else text


def average_places_over_fifty_generations(places: Floats) -> Floats:
    """Return the mean of each 50 successive places of a series.

    Parameters
    ----------
    places : ndarray, shape (T,)
        The mean places of the champions (best agents) of T successive generations. T must be a multiple of 50.

    Returns
    -------
    ndarray, shape (T / 50,)
        The means, from the first 50 generations to the last 50.
    """
    means: Floats = places.reshape(-1, AVERAGED_GENERATIONS).mean(axis=1)
    return means


def format_agent_results(name: str, evaluation: Evaluation) -> list[str]:
    """Return the results of an agent at duplicate tables as the cells of a row of a table.

    Parameters
    ----------
    name : str
        The name of the agent.
    evaluation : Evaluation
        The results of nine agents, one of which it is.

    Returns
    -------
    list of str
        The cells under `AGENT_HEADS` without the first: the mean rank with half the width of its 95% interval, the
        shares of tournaments and of hands that the agent won, and the shares of folds, checks, calls and raises among
        its decisions.
    """
    rank = evaluation.mean_rank[name]
    half_widths = evaluation.label_by_agent(evaluation.ranks.compute_half_width())
    return [
        f"{rank:.3f} ± {half_widths[name]:.3f}",
        f"{evaluation.first_places[name]:.2%}",
        f"{evaluation.hands_won_share[name]:.1%}",
        *(f"{share:.0%}" for share in evaluation.action_shares[name]),
    ]


def tabulate_leads_of_rivals(exploiters: History) -> Table:
    """Return a table of how far each rival leads over each champion, on average over seeds.

    A *champion* is the best agent of an evolution. Its rivals are agents that were bred to beat it, and scripted
    agents.

    Parameters
    ----------
    exploiters : History
        The table of `exploiters.sweep_exploiters`, with a row for each champion, each rival and each seed.

    Returns
    -------
    heads : sequence of str
        'champion', and the name of each rival.
    rows : list
        A row for each champion. A cell such as '+1.2 / +15%' has the ranks by which the rival is ahead, and the share
        of tables that it wins minus the share that the champion wins.
    """
    # Each name once, in the order of the table.
    champions = list(dict.fromkeys(exploiters["champion"].tolist()))
    rivals = list(dict.fromkeys(exploiters["rival"].tolist()))

    rows: list[Sequence[object]] = []
    for champion in champions:
        cells = [champion]
        for rival in rivals:
            is_of_pair = (exploiters["champion"] == champion) & (exploiters["rival"] == rival)
            ranks_ahead = exploiters["ranks_ahead"][is_of_pair].mean()
            percent_ahead = 100 * exploiters["tables_ahead"][is_of_pair].mean()
            cells.append(f"{format_signed(ranks_ahead, 1)} / {format_signed(percent_ahead, 0)}%")
        rows.append(cells)
    return ["champion", *rivals], rows


def tabulate_interpretations(
    evaluations_by_interpretation: Mapping[str, Mapping[str, Evaluation]],
) -> Table:
    """Return a table of how the mean ranks of agents depend on the interpretation of the paper.

    An *interpretation* chooses the settings that the paper leaves open. It consists of the source of the settings, and
    possibly of a variant of the tables that changes one thing.

    Parameters
    ----------
    evaluations_by_interpretation : mapping of str to mapping of str to Evaluation
        The evaluations by interpretation, as `load_evaluations_by_interpretation` returns them, and by champion, the
        best agent of an evolution.

    Returns
    -------
    heads : sequence of str
        The source of the settings; the variant of the tables; the champion with the best mean rank; the largest change
        of a champion's rank by the variant; and the ranks of four agents at the tables of the champion Control.
    rows : list
        A row for each interpretation.
    """
    rows: list[Sequence[object]] = []
    for interpretation, evaluations in evaluations_by_interpretation.items():
        # The name of an interpretation is a source, or a source and a variant of the tables.
        source, _, variant = interpretation.partition(", ")
        evaluations_without_change = evaluations_by_interpretation[source]

        ranks = {name: evaluation.champion_rank for name, evaluation in evaluations.items()}
        best_champion = min(ranks, key=lambda name: ranks[name])
        changes = [
            rank - evaluations_without_change[name].champion_rank for name, rank in ranks.items()
        ]
        largest_change = max(changes, key=abs)
        ranks_at_control = evaluations[comparison.BASELINE].mean_rank
        rows.append(
            [
                source,
                variant or "as they are",
                f"{best_champion} ({ranks[best_champion]:.2f})",
                format_signed(largest_change, 2),
                *(f"{ranks_at_control[agent]:.2f}" for agent in SHOWN_AGENTS),
            ]
        )
    return ["champions by", "tables", "best", "most moved", *SHOWN_AGENTS], rows


def tabulate_method_sizes() -> Table:
    """Return a table of the sizes of the paper's six methods of evolution, and of their elites in our smaller studies.

    An *elite* is an agent that stays unchanged in the next generation.

    Returns
    -------
    heads : sequence of str
        The method; its numbers of populations, and of agents and elites in each; the size of its hall of fame; the
        number of entrants of a tournament; the number of tournaments; the numbers of elites in studies at a fifth and
        at a tenth of the size; and where the paper describes the method.
    rows : list
        A row for each method.
    """
    heads = [
        "method",
        "populations",
        "agents",
        "elites",
        "hall",
        "entrants",
        "tournaments",
        "elites, a fifth",
        "elites, a tenth",
        "where",
    ]
    rows: list[Sequence[object]] = []
    for (place, config), method in zip(PAPER_EXPERIMENTS.items(), METHODS, strict=True):
        rows.append(
            [
                method,
                config.populations,
                config.agents,
                count_elites(config),
                config.hall_size if config.hall != NONE else NONE,
                count_entrants(config),
                config.tournaments,
                count_elites_after_shrinking(config, methods.STAGES_DIVISOR),
                count_elites_after_shrinking(config, methods.METHODS_DIVISOR),
                place,
            ]
        )
    return heads, rows


def count_elites_after_shrinking(config: Config, divisor: int) -> int:
    """Return the number of elites in each population of an experiment that is several times smaller than the paper's.

    An *elite* is an agent that stays unchanged in the next generation.

    Parameters
    ----------
    config : Config
        The settings of the experiment at its full size.
    divisor : int
        By what the number of agents is divided. The quotient is rounded down.
    """
    small = methods.shrink_config(config, divisor, iterations=1, seed=0)
    return count_elites(small)


def tabulate_settings(settings: CheckedSettings, earlier: Mapping[str, Any]) -> Table:
    """Return a table of all settings of an experiment, with their values and sources.

    Parameters
    ----------
    settings : CheckedSettings
        The settings.
    earlier : mapping of str to any
        The value that we used before we had read the thesis, by the name of the setting, for those settings that
        differ.

    Returns
    -------
    heads : sequence of str
        The label of the setting; its value with its unit; its source; whether the paper does not mention it ('silent');
        the earlier value; and what the setting does.
    rows : list
        A row for each setting.
    """
    rows: list[Sequence[object]] = []
    for name, declared in list_settings(settings).items():
        value = f"{getattr(settings, name)} {declared.unit}".strip()
        rows.append(
            [
                declared.label,
                value if declared.has_effect(settings) else "not used",
                declared.source,
                "silent" if declared.silent else "",
                earlier.get(name, ""),
                declared.help.replace("|", "\\|"),
            ]
        )
    return ["setting", "value", "source", "paper", "earlier", "what it does"], rows
