"""What is measured of the networks of Nicolai & Hilderman (2009): columns of runs, forgetting, and the inputs in use.

G. Nicolai, R. J. Hilderman, "No-Limit Texas Hold'em Poker Agents Created with Evolutionary Neural Networks", IEEE
Symposium on Computational Intelligence and Games 2009.

- `make_columns` makes the columns that a run records. The champion of a population is its fittest network. Ranks cannot
  show progress, and elimination rewards folding, so what champions do is recorded beside their ranks.
- `Encounters` are the results of champions against each other, which `pokerlab.papers.nicolai2009.compare_champions`
  computes. A champion that loses to its own ancestors has forgotten something.
- `collect_inputs` returns what a network sees at a table. `fix_inputs` replaces an input by a constant. A network that
  plays as before did not use it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import ShapeError
from pokerlab.core.arrays import Bools, Floats, Ints, freeze
from pokerlab.evolution.population.hall import EMPTY
from pokerlab.evolution.population.protocol import KINDS_OF_ACTION, Genomes
from pokerlab.holdem import CompiledPlayer, TableNetwork, table_view
from pokerlab.holdem.network_habits import compute_view_inputs
from pokerlab.metrics import apply_holm_correction
from pokerlab.runs import Column
from pokerlab.solvers import PopulationCoevolution
from pokerlab.solvers.population_coevolution import PopulationState

__all__ = [
    "INPUT_GROUPS",
    "Advantages",
    "Encounters",
    "collect_inputs",
    "compute_champion_rank",
    "fix_inputs",
    "make_columns",
]

SIGNIFICANCE_LEVEL = 0.05  # the chance of any false finding of forgetting
INPUT_GROUPS: Mapping[str, tuple[int, ...]] = {
    "the pot": (0,),
    "the price of a call": (1,),
    "the number of opponents": (2,),
    "its chance to win": (3,),
    "its position": (4,),
    "its own chips": (5,),
    "the others' chips": tuple(range(6, 15)),
    "its own aggressiveness": (15, 25),
    "the others' aggressiveness": (*range(16, 25), *range(26, 35)),
    "anything": tuple(range(35)),
}
"""The network's 35 inputs, grouped by what they describe: the indices of each group."""


def make_columns(solver: PopulationCoevolution) -> tuple[Column, ...]:
    """Return the columns that a run of evolved networks records.

    - The mean rank, the first places and the hands won of the champion, the fittest network of its population.
    - The shares of the four kinds of action, for the champion and for all players.
    - The size of the weights and their spread between networks.
    - The number of hands of a tournament.
    - If there is a hall of fame, the mean and the largest age of its networks.

    Parameters
    ----------
    solver : PopulationCoevolution
        The solver of the run, whose pairings are tournaments.

    Returns
    -------
    tuple of Column
        The columns in this order.
    """
    columns = [
        Column("rank", "champion's mean rank", "", compute_champion_rank),
        Column("first", "champion's first places", "", compute_champion_first_places),
        Column("won", "champion's hands won", "of its hands", compute_champion_hands_won),
        *make_action_columns("champion", count_champion_actions),
        *make_action_columns("everybody", count_all_actions),
        Column("rms", "weights, root mean square", "", compute_weight_rms),
        Column("spread", "spread between agents", "", compute_weight_spread),
    ]

    num_tournaments = solver.pairings.count  # type: ignore[attr-defined]

    def compute_hands_per_tournament(state: PopulationState) -> float:
        """Return the mean number of hands of a tournament in the last generation."""
        return float(state.num_hands / num_tournaments)

    columns.append(Column("hands", "hands a tournament", "hands", compute_hands_per_tournament))
    if solver.hall_of_fame.size:
        columns += [
            Column("hall_age", "mean age in the hall", "generations", compute_mean_hall_age),
            Column("hall_eldest", "eldest in the hall", "generations", compute_largest_hall_age),
        ]
    return tuple(columns)


def make_action_columns(
    players: str, count_actions: Callable[[PopulationState], Ints]
) -> list[Column]:
    """Return four columns, which record the shares of the four kinds of action in all decisions of some players.

    Parameters
    ----------
    players : str
        The name of the players, such as 'champion', with which the names of the columns begin.
    count_actions : callable
        A function of a state that returns how often these players took each of the four kinds of action.

    Returns
    -------
    list of Column
        A column for each of `KINDS_OF_ACTION`.
    """

    def compute_action_share(state: PopulationState, action: int) -> float:
        """Return the share of all decisions in which the players took an action; 0 before the first decision."""
        counts = count_actions(state)
        return float(counts[action] / max(counts.sum(), 1))

    columns = []
    for action, kind in enumerate(KINDS_OF_ACTION):
        measure = partial(compute_action_share, action=action)
        columns.append(Column(f"{players}_{kind}", kind, "of decisions", measure))
    return columns


def select_champion_values(
    state: PopulationState, values_by_strategy: NDArray[Any]
) -> NDArray[Any]:
    """Return the values that belong to the champions, which are the fittest networks of their populations.

    Parameters
    ----------
    state : PopulationState
        The state of a run with P populations of N networks.
    values_by_strategy : array of shape (P, N, ...)
        One value, or an array of values, for each network.

    Returns
    -------
    array of shape (P, ...)
        The values of each population's champion.
    """
    champions = np.argmax(state.fitness, axis=1)
    populations = np.arange(len(champions))
    selected: NDArray[Any] = values_by_strategy[populations, champions]
    return selected


def compute_champion_rank(state: PopulationState) -> float:
    """Return the mean rank of the champions in the tournaments of the last generation, among all entrants.

    The winner of a tournament has rank 1. The champion of a population is its fittest network.

    Parameters
    ----------
    state : PopulationState
        The state of a run. Before the first generation the result is 0.
    """
    return float(select_champion_values(state, state.mean_rank).mean())


def compute_champion_first_places(state: PopulationState) -> float:
    """Return the share of tournaments that a champion wins, averaged over the populations.

    The champion of a population is its fittest network.

    Parameters
    ----------
    state : PopulationState
        The state of a run. Before the first generation the result is 0.
    """
    return float(select_champion_values(state, state.first_places).mean())


def compute_champion_hands_won(state: PopulationState) -> float:
    """Return the share of the champions' hands in which they won chips, or 0 before any hand has been played.

    The champion of a population is its fittest network.

    Parameters
    ----------
    state : PopulationState
        The state of a run. Hands of its last generation count.
    """
    hands_won = select_champion_values(state, state.hands_won).sum()
    hands_played = select_champion_values(state, state.hands).sum()
    return float(hands_won / max(hands_played, 1))


def count_champion_actions(state: PopulationState) -> Ints:
    """Return how often the champions of all populations took each of `KINDS_OF_ACTION`, array of shape (4,).

    Parameters
    ----------
    state : PopulationState
        The state of a run. Actions of its last generation count.

    Returns
    -------
    array of int, shape (4,)
        The number of actions of each kind, in the order of `KINDS_OF_ACTION`.
    """
    actions_by_champion = select_champion_values(state, state.actions)
    return np.asarray(actions_by_champion.sum(axis=0))


def count_all_actions(state: PopulationState) -> Ints:
    """Return how often the networks of all populations took each of `KINDS_OF_ACTION`, array of shape (4,).

    Parameters
    ----------
    state : PopulationState
        The state of a run. Actions of its last generation count.

    Returns
    -------
    array of int, shape (4,)
        The number of actions of each kind, in the order of `KINDS_OF_ACTION`.
    """
    return np.asarray(state.actions.sum(axis=(0, 1)))


def compute_weight_rms(state: PopulationState) -> float:
    """Return the root mean square of the weights of all networks.

    Parameters
    ----------
    state : PopulationState
        The state of a run. The weights of all its networks count equally.
    """
    return float(np.sqrt(np.mean(np.square(state.population, dtype=np.float64))))


def compute_weight_spread(state: PopulationState) -> float:
    """Return how much the networks of a population differ: the root of the mean variance of a weight.

    The variance of a weight is over the networks of a population. The mean is over the weights and the populations. If
    children are weighted sums of their parents, the spread becomes small, and only mutation keeps it from zero.

    Parameters
    ----------
    state : PopulationState
        The state of a run, whose `population` has shape (P, N, G): G weights of N networks in each of P populations.
    """
    variances = np.var(state.population, axis=1, dtype=np.float64)
    return float(np.sqrt(variances.mean()))


def list_generations_of_entry(state: PopulationState) -> Ints:
    """Return the generations in which the networks in the halls of fame have entered.

    The array has one entry for each network, and is empty while the halls are empty.

    Parameters
    ----------
    state : PopulationState
        The state of a run, with one hall of fame for each population.

    Returns
    -------
    array of int, shape (M,)
        The generations of the M networks in all halls, hall by hall.
    """
    is_occupied = state.hall.entered != EMPTY
    return np.asarray(state.hall.entered[is_occupied])


def compute_mean_hall_age(state: PopulationState) -> float:
    """Return the mean age of the networks in the halls of fame, in generations, or 0 while the halls are empty.

    Parameters
    ----------
    state : PopulationState
        The state of a run. A network's age is the number of generations since it entered the hall.
    """
    generations = list_generations_of_entry(state)
    return float(state.iteration - generations.mean()) if generations.size else 0.0


def compute_largest_hall_age(state: PopulationState) -> float:
    """Return the largest age of a network in the halls of fame, in generations, or 0 while the halls are empty.

    Parameters
    ----------
    state : PopulationState
        The state of a run. A network's age is the number of generations since it entered the hall.
    """
    generations = list_generations_of_entry(state)
    return float(state.iteration - generations.min()) if generations.size else 0.0


@dataclass(frozen=True, eq=False)
class Advantages:
    """The advantage of each champion (rows) over each other champion (columns), by one measure."""

    advantage: Floats
    """The mean differences, (C, D), for C champions in rows and D in columns."""
    error: Floats
    """Their standard errors over pairs of tables with the same cards, (C, D)."""
    p: Floats
    """The p-values, (C, D), of two-tailed paired t-tests that there is no difference. They are 1 where a champion would
    play against itself."""

    def __post_init__(self) -> None:
        """Make all arrays read-only."""
        freeze(*vars(self).values())

    def find_losses_to_ancestors(self) -> Bools:
        """Return whether each champion loses significantly to each champion of an earlier generation.

        The champions must be of one line of descent, in the order of their generations. With Holm's correction over all
        pairs, the probability that any of these findings is false is at most `SIGNIFICANCE_LEVEL`.

        Returns
        -------
        array of shape (C, C)
            Whether the champion of the row loses to the champion of the column. It is False on and above the diagonal.

        Raises
        ------
        ShapeError
            If rows and columns are champions of two lines of descent.
        """
        if self.p.shape[0] != self.p.shape[1]:
            raise ShapeError(
                f"the advantages have shape {self.p.shape}, but losses to ancestors are between champions of one line,"
                " (C, C). Call compare_champions without `against`."
            )
        below_diagonal = np.tril_indices(len(self.p), k=-1)  # the row is later than the column
        is_significant = apply_holm_correction(self.p[below_diagonal]) < SIGNIFICANCE_LEVEL
        is_behind = self.advantage[below_diagonal] < 0.0

        losses = np.zeros(self.p.shape, np.bool_)
        losses[below_diagonal] = is_significant & is_behind
        return losses


class Encounters(NamedTuple):
    """Results of champions against each other, each pair at tables that the two share evenly, by two measures.

    The measures need not agree: a player who always folds ends ahead of many, but wins no table.
    """

    ranks: Advantages
    """The mean number of ranks by which the row's champion is ahead of the column's champion, from -5 to 5."""
    tables_won: Advantages
    """The share of tables that the row's champion wins, minus the share that the column's champion wins."""


class EvaluationTables(Protocol):
    """Tables at which a network is evaluated, such as the duplicate tables of `pokerlab.papers.nicolai2009`."""

    def evaluate(
        self,
        champion: CompiledPlayer,
        others: Mapping[str, CompiledPlayer] | None = None,
        **options: Any,
    ) -> Any:
        """Let a champion play against eight other players at all tables, and return the results.

        Parameters
        ----------
        champion : CompiledPlayer
            The champion, who is the first player.
        others : mapping of str to CompiledPlayer, optional
            The eight other players, by name. By default they are the agents of the paper.
        **options
            Options of `Tournament.play`.

        Returns
        -------
        Any
            The results of all players, such as a `TournamentResult`. The champion is the first player.
        """


def collect_inputs(
    network: TableNetwork,
    genome: Genomes,
    others: Mapping[str, CompiledPlayer] | None = None,
    *,
    tables: EvaluationTables,
) -> Floats:
    """Let a network play at duplicate tables, and return its 35 inputs at each of its decisions.

    Parameters
    ----------
    network : TableNetwork
        The encoding that makes a network from a genome.
    genome : ndarray, shape (G,)
        The genome of the network.
    others : mapping of str to CompiledPlayer, optional
        The eight opponents, by name. By default they are the agents of the paper, which `make_panel` returns.
    tables : EvaluationTables
        The tables at which they play, such as `DuplicateTables`.

    Returns
    -------
    array of shape (decisions, 35)
        The inputs, with a row for each decision of the network.
    """
    views: list[Ints] = []

    def collect_views(play: Any, deciding: Ints) -> None:
        """Store the view of each table at which the network decides now.

        Parameters
        ----------
        play : object
            The tournaments that are played at the same time, with the view of the deciding player at each table.
        deciding : array of int
            The indices of the tables at which a player decides now.
        """
        is_network = play.views[deciding, table_view.PLAYER] == 0  # it is the first player
        views.append(play.views[deciding[is_network]].copy())

    (champion,) = network.make_players(genome[None], ["champion"])
    tables.evaluate(champion, others, watchers=[collect_views])
    return compute_view_inputs(network, np.concatenate(views)).astype(np.float64)


def fix_inputs(
    network: TableNetwork, genome: Genomes, inputs: Sequence[int], input_values: ArrayLike
) -> Genomes:
    """Return a genome whose network computes as if some inputs always had given values.

    The weights of these inputs times the values are added to the bias of each hidden unit, and are then set to zero.

    Parameters
    ----------
    network : TableNetwork
        The encoding that makes a network from a genome.
    genome : ndarray, shape (G,)
        The genome of the network, which is not changed.
    inputs : sequence of int
        The indices of the inputs, from 0 to 34; see `INPUT_GROUPS`.
    input_values : array_like, shape (len(inputs),)
        The value of each of these inputs.

    Returns
    -------
    ndarray, shape (G,)
        The changed genome, of the same number type.
    """
    changed_genome = genome.astype(np.float64)
    num_inputs = len(INPUT_GROUPS["anything"])
    input_indices = list(inputs)

    # The genome begins with the hidden units' weights: a row for each input, and then a row of biases. `hidden_weights`
    # is a view, so the assignments below change the genome `changed_genome`.
    bias_row = num_inputs
    size = (num_inputs + 1) * network.hidden
    hidden_weights = changed_genome[:size].reshape(num_inputs + 1, network.hidden)
    hidden_weights[bias_row] += np.asarray(input_values, np.float64) @ hidden_weights[input_indices]
    hidden_weights[input_indices] = 0.0
    return changed_genome.astype(genome.dtype)
