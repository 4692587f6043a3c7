"""Every method of the series on the same games, with its lesson's settings.

The page of all methods, `notebooks/methods.ipynb`, and the scoreboard run what is here.

`METHODS` are for compiled games, such as Kuhn poker, and `IN_BUCKETS` for bucketed hold'em. Each state of a method
proposes a profile, such as the average of all iterations. `score_profiles` compares the profiles that methods propose
at the end.

Two methods are translated, since Noble & Watson (2001) and Nicolai & Hilderman (2009) bred players for tables of ten.
Here all strategies play against all others in both seats, over all deals at once. They have the genes of lessons 09 and
11, and children by crossover and mutation. Noble & Watson's population keeps its Pareto front and proposes a mixture:
one strategy of the front is drawn for each hand. Nicolai & Hilderman's population keeps the tenth with the largest
profit, since a mean rank says nothing where two play. It proposes the champion, the first of these.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from pokerlab import evolution, games, solvers
from pokerlab.core.arrays import Floats, Ints
from pokerlab.evolution.population import AllPairs, Elites, Profit
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.small_poker import AFTER_CARD
from pokerlab.holdem import BucketedCFR, BucketedProfile, TupleTable
from pokerlab.holdem.bucket_reach import fill_reach_rows
from pokerlab.holdem.bucketed_cfr import BucketedRegretState, make_profile_from_weights
from pokerlab.holdem.bucketed_holdem import BucketedHoldem
from pokerlab.papers import samothrakis2011_holdem
from pokerlab.papers.experiment import load_or_make_history
from pokerlab.runs import History, sweep
from pokerlab.solvers import PopulationCoevolution
from pokerlab.solvers.cfr import RegretSchedule
from pokerlab.solvers.dynamics import DynamicsState
from pokerlab.solvers.minimax_coevolution import MinimaxState
from pokerlab.solvers.parallel_memories import ParallelMemoryState
from pokerlab.solvers.population_coevolution import PopulationState
from pokerlab.strategies import DirectEncoding, RealVector

POPULATION_SIZE, POPULATION_SIZE_IN_BUCKETS = 100, 40
"""The number of strategies of a population in compiled games and in bucketed hold'em."""
ELITE_SHARE = 0.1
"""The share of a population that is kept by profit, as by Nicolai & Hilderman (2009)."""
GENE_BOUND = 3.0
"""The genes of a lookup table for bucketed hold'em begin between plus and minus this number, and stay there."""
PLAIN_CFR = RegretSchedule(alpha=math.inf, beta=math.inf, gamma=0.0, optimism=0.0)
"""CFR without discounts of regrets, and with equal weights of all plans in the average."""
MAX_POINTS = 40
"""The largest number of points of a curve."""
GENERATIONS = (1, 2, 5, 10, 20, 50, 100, 150, 200)
"""The generations at which populations in bucketed hold'em are recorded."""
RECORDED, SEEDS = "populations-in-buckets", (1, 2, 3)
"""The name of the recording of these populations, and their seeds."""
POPULATIONS = ("Pareto coevolution", "elites by profit")
"""The names of the methods with populations."""
CARD_CHARACTERS = ("never bet", "always bet", "toss a coin", "bet the best card only")
"""The names of players with a simple habit in games with one private card."""
BUCKET_CHARACTERS = ("always fold", "always call", "always raise", "uniform")
"""The names of players with a simple habit in bucketed hold'em."""
RECORDED_RIVALS = ("CFR+", "minimax coevolution")
"""The methods whose agents play against the recorded populations."""


class TracedProfile(NamedTuple):
    """The profile that a method proposes at an iteration, with the computing effort so far.

    Attributes
    ----------
    evaluations : int
        The number of payoff evaluations up to this iteration.
    profile : Profile or BucketedProfile
        The profile.
    """

    evaluations: int
    profile: Any


@dataclass(frozen=True)
class Method:
    """A way to solve a game: a solver with its settings, and the profile that its states propose as the solution.

    Attributes
    ----------
    make_solver : callable
        A function of a game and a seed that returns the solver.
    select_profile : callable
        A function of a state of the solver that returns the proposed profile.
    count_evaluations : callable
        A function of a state of the solver that returns the number of payoff evaluations so far.
    iterations : int
        The number of iterations that the method runs.
    is_random : bool
        Whether the method draws random numbers, so that its results depend on the seed.
    """

    make_solver: Callable[[Any, int], Any]
    select_profile: Callable[[Any], Any]
    count_evaluations: Callable[[Any], int]
    iterations: int
    is_random: bool = False

    def list_seeds(self, num_seeds: int) -> range:
        """Return the seeds with which the method is run: 1 to `num_seeds`, or only 1 if it draws no random numbers.

        Parameters
        ----------
        num_seeds : int
            The number of seeds of a method that draws random numbers.
        """
        last_seed = num_seeds if self.is_random else 1
        return range(1, last_seed + 1)

    def iterate_profiles(
        self, game: Any, iterations: Iterable[int], *, seed: int = 1
    ) -> Iterator[TracedProfile]:
        """Run the method in a game, and yield the profile that it proposes at each of the given iterations.

        Parameters
        ----------
        game : SequenceForm or BucketedHoldem
            The game that is played.
        iterations : iterable of int
            The iterations, which must be in ascending order.
        seed : int
            The seed of the method's random numbers.

        Yields
        ------
        TracedProfile
            The profile, and the number of payoff evaluations so far.

        Raises
        ------
        SettingError
            If the iterations are not in ascending order. The solver raises it.
        """
        solver = self.make_solver(game, seed)
        state = solver.init()
        last_iteration = 0
        for iteration in iterations:
            state = solver.step(state, iteration - last_iteration)
            last_iteration = iteration
            yield TracedProfile(self.count_evaluations(state), self.select_profile(state))

    def run(self, game: Any, *, seed: int = 1) -> TracedProfile:
        """Run the method in a game, and return the profile that it proposes after its last iteration.

        Parameters
        ----------
        game : SequenceForm or BucketedHoldem
            The game that is played.
        seed : int
            The seed of the method's random numbers.

        Returns
        -------
        TracedProfile
            The profile, and the number of payoff evaluations.
        """
        (traced_profile,) = self.iterate_profiles(game, [self.iterations], seed=seed)
        return traced_profile

    def trace_runs(self, game: Any, seeds: Iterable[int] = (1,)) -> list[list[TracedProfile]]:
        """Run the method in a game with each seed, and return the profiles that it proposes along each run.

        The iterations at which profiles are recorded are evenly spaced on a logarithmic scale, from 1 to the last
        iteration of the method. They are the same for all seeds.

        Parameters
        ----------
        game : SequenceForm or BucketedHoldem
            The game that is played.
        seeds : iterable of int
            The seeds, such as those that `list_seeds` returns.

        Returns
        -------
        list of lists of TracedProfile
            For each seed the profiles in the order of their iterations. There are at most `MAX_POINTS` of them, and
            fewer if several points of the scale round to the same iteration.
        """
        points = np.geomspace(1, self.iterations, MAX_POINTS).astype(np.int64)
        iterations = np.unique(points)  # small numbers occur several times among the points
        return [list(self.iterate_profiles(game, iterations, seed=seed)) for seed in seeds]


def measure_nash_conv(game: Any, runs: Sequence[Sequence[TracedProfile]]) -> tuple[Ints, Floats]:
    """Return NashConv of the profiles along the runs of a method, with the number of payoff evaluations so far.

    Parameters
    ----------
    game : SequenceForm or BucketedHoldem
        The game that was played.
    runs : sequence of S sequences of T TracedProfile
        The profiles along each of S runs, as `Method.trace_runs` returns them. All runs must have profiles at the same
        T iterations.

    Returns
    -------
    evaluations : ndarray of int64, shape (T,)
        The number of payoff evaluations up to each of the T profiles of a run.
    nash_conv : ndarray of float64, shape (S, T)
        NashConv of each profile of each run, in the unit of the game.
    """
    evaluations = np.array([traced.evaluations for traced in runs[0]])
    nash_conv = np.array([[game.nash_conv(traced.profile) for traced in run] for run in runs])
    return evaluations, nash_conv


def count_dynamics_evaluations(state: DynamicsState | BucketedRegretState) -> int:
    """Return the number of payoff evaluations up to a state of learning dynamics or CFR.

    Both players are updated once in each iteration, and each update counts as one evaluation.

    Parameters
    ----------
    state : DynamicsState or BucketedRegretState
        The state of a method in a game of two players.
    """
    return 2 * state.iteration


def count_memory_evaluations(state: ParallelMemoryState) -> int:
    """Return the number of payoff evaluations up to a state of a Parallel Nash Memory.

    Each round finds two best responses. The payoffs of each stored strategy are one more evaluation.

    Parameters
    ----------
    state : ParallelMemoryState
        The state of the memory.
    """
    num_best_responses = 2 * state.iteration
    return num_best_responses + sum(state.pool_sizes)


def count_minimax_evaluations(state: MinimaxState) -> int:
    """Return the number of payoff evaluations up to a state of minimax coevolution, which are two for each genome.

    A genome is evaluated by a best response in either seat.

    Parameters
    ----------
    state : MinimaxState
        The state of the coevolution.
    """
    return 2 * state.evaluations


def count_population_evaluations(state: PopulationState) -> int:
    """Return the number of payoff evaluations up to a state of a population whose strategies all play each other.

    Each ordered pair of different strategies is evaluated once in each generation, the first one in the first seat.

    Parameters
    ----------
    state : PopulationState
        The state of one population.
    """
    size = state.population.shape[1]
    pairings_a_generation = size * (size - 1)
    return int(state.iteration * pairings_a_generation)


def make_coevolution_arguments(selection: str, seed: int, population_size: int) -> dict[str, Any]:
    """Return keyword arguments for `PopulationCoevolution`: all but the game and the encoding.

    Parameters
    ----------
    selection : {'by dominance', 'by profit'}
        Which strategies survive: the Pareto front, which is the default of `PopulationCoevolution`, or the tenth
        (`ELITE_SHARE`) with the largest profit.
    seed : int
        The seed of the population's random numbers.
    population_size : int
        The number of strategies.

    Returns
    -------
    dict of str to Any
        The arguments by name.
    """
    arguments: dict[str, Any] = {"seed": seed, "size": population_size, "pairings": AllPairs()}
    if selection == "by profit":
        arguments |= {"fitness": Profit(), "selection": Elites(share=ELITE_SHARE)}
    return arguments


def make_population_factory(
    selection: str,
) -> Callable[[SequenceForm, int], PopulationCoevolution]:
    """Return a function that makes a population coevolution from a compiled game and a seed.

    Parameters
    ----------
    selection : {'by dominance', 'by profit'}
        Which strategies survive: the Pareto front, or the tenth (`ELITE_SHARE`) with the largest profit.

    Returns
    -------
    callable
        A function of the game and the seed, as `Method.make_solver` must be.
    """

    def make_population(game: SequenceForm, seed: int) -> PopulationCoevolution:
        """Return the population coevolution in a compiled game, for a seed of its random numbers."""
        encoding: Any = DirectEncoding(game)
        arguments = make_coevolution_arguments(selection, seed, POPULATION_SIZE)
        return PopulationCoevolution(game, encoding, **arguments)

    return make_population


def make_front_mixture(state: PopulationState) -> Profile:
    """Return the profile of the mixture in which all members of the Pareto front have equal probabilities.

    One member is drawn for each hand. So the realization plans of the profile are the means of the members' plans.

    Parameters
    ----------
    state : PopulationState
        The state of one population in a compiled game of two players.

    Returns
    -------
    Profile
        The behavior that is realization equivalent to the mixture, in both seats.
    """
    encoding: Any = state.encoding
    front_genomes = state.population[0, state.front[0]]
    member_profiles = [encoding.make_profile(genome) for genome in front_genomes]
    mean_plans = []
    for seat in (0, 1):
        plans = [profile.plan(seat) for profile in member_profiles]
        mean_plans.append(np.mean(plans, axis=0))
    return Profile.from_plans(encoding.game, mean_plans)


def select_champion(state: PopulationState) -> Profile:
    """Return the profile of the champion of a population, which is its genome with the largest fitness.

    Parameters
    ----------
    state : PopulationState
        The state of one population in a compiled game.

    Returns
    -------
    Profile
        The profile of both players. If several genomes have the largest fitness, it is that of the first one.
    """
    encoding: Any = state.encoding
    profile: Profile = encoding.make_profile(state.champions[0])
    return profile


def make_averaging_method(
    solver_class: Callable[..., Any], iterations: int, **settings: Any
) -> Method:
    """Return the method of a solver that draws no random numbers, and that proposes the average profile of its run.

    Parameters
    ----------
    solver_class : callable
        The class of the solver, for games of two players.
    iterations : int
        The number of iterations.
    **settings
        Parameters of the solver.

    Returns
    -------
    Method
        The method. It counts two payoff evaluations in each iteration.
    """
    return Method(
        make_solver=lambda game, seed: solver_class(game, **settings),  # such a solver has no seed
        select_profile=lambda state: state.average,
        count_evaluations=count_dynamics_evaluations,
        iterations=iterations,
    )


METHODS: Mapping[str, Method] = {
    "replicator dynamics": make_averaging_method(
        solvers.ReplicatorDynamics, 10_000, payoff_shift=3.0, order="alternating"
    ),
    "fictitious play": make_averaging_method(solvers.FictitiousPlay, 10_000),
    "CFR": make_averaging_method(solvers.CFR, 10_000),
    "CFR+": make_averaging_method(solvers.CFRPlus, 10_000),
    "parallel Nash memory": Method(
        make_solver=lambda game, seed: solvers.ParallelNashMemory(game),
        select_profile=lambda state: state.profile,
        count_evaluations=count_memory_evaluations,
        iterations=30,
    ),
    "minimax coevolution": Method(
        make_solver=lambda game, seed: solvers.MinimaxCoevolution(
            game, seed=seed, evolution=evolution.CMAES(population=10)
        ),
        select_profile=lambda state: state.profile,
        count_evaluations=count_minimax_evaluations,
        iterations=100,
        is_random=True,
    ),
    "Pareto coevolution": Method(
        make_solver=make_population_factory("by dominance"),
        select_profile=make_front_mixture,
        count_evaluations=count_population_evaluations,
        iterations=100,
        is_random=True,
    ),
    "elites by profit": Method(
        make_solver=make_population_factory("by profit"),
        select_profile=select_champion,
        count_evaluations=count_population_evaluations,
        iterations=100,
        is_random=True,
    ),
}
"""The methods in compiled games, by name. The linear program is not among them, because it has no iterations."""


@dataclass(frozen=True)
class SeatAveragedPayoff:
    """The exact payoff of a genome of bucketed hold'em against another one, mean of both seats.

    It is the function by which a contest, a game that is given by a payoff of two genomes, is played.

    Attributes
    ----------
    encoding : TupleTable
        The encoding that makes strategies from genomes, with the game.
    """

    encoding: TupleTable

    def __call__(self, genome: Floats, opponent: Floats, seed: int) -> float:
        """Return the expected payoff of a genome against an opponent, in small bets per hand.

        Parameters
        ----------
        genome, opponent : array of float
            The genomes.
        seed : int
            Not used, because the payoff is exact. Other contests draw random numbers.
        """
        game = self.encoding.game
        second_seat_genes = self.encoding.seat_genes[1]

        def compute_first_payoff(first_genome: Floats, second_genome: Floats) -> float:
            """Return the payoff of a genome that plays the first seat against one that plays the second seat."""
            joined_genome = first_genome.copy()
            joined_genome[second_seat_genes] = second_genome[second_seat_genes]
            return float(game.values(self.encoding.make_profile(joined_genome))[0])

        payoff = compute_first_payoff(genome, opponent) - compute_first_payoff(opponent, genome)
        return payoff / 2.0  # the mean over both seats

    def __repr__(self) -> str:
        return f"meetings in {self.encoding.game.name}, genes by {self.encoding.positive}"


def make_bucketed_population_factory(
    selection: str,
) -> Callable[[BucketedHoldem, int], PopulationCoevolution]:
    """Return a function that makes a population coevolution from bucketed hold'em and a seed.

    Parameters
    ----------
    selection : {'by dominance', 'by profit'}
        Which strategies survive: the Pareto front, or the tenth (`ELITE_SHARE`) with the largest profit.

    Returns
    -------
    callable
        A function of the game and the seed, as `Method.make_solver` must be. The populations of its solvers have
        `POPULATION_SIZE_IN_BUCKETS` genomes, whose payoffs are means over both seats.
    """

    def make_population(game: BucketedHoldem, seed: int) -> PopulationCoevolution:
        """Return the population coevolution in bucketed hold'em, for a seed of its random numbers."""
        encoding = TupleTable(game, positive="softmax")
        contest = games.contest(SeatAveragedPayoff(encoding), name=game.name, unit=game.unit)
        genes: Any = RealVector(encoding.num_genes, low=-GENE_BOUND, high=GENE_BOUND)
        arguments = make_coevolution_arguments(selection, seed, POPULATION_SIZE_IN_BUCKETS)
        return PopulationCoevolution(contest, genes, **arguments)

    return make_population


def make_bucketed_profiles(state: PopulationState, genomes: Floats) -> list[BucketedProfile]:
    """Return the profiles of genomes of a population in bucketed hold'em.

    Parameters
    ----------
    state : PopulationState
        The state of the population, with the encoding.
    genomes : array of shape (N, genes)
        The genomes.

    Returns
    -------
    list of N BucketedProfile
        The profiles, in the order of the genomes.
    """
    game: Any = state.game
    return [game.play.encoding.make_profile(genome) for genome in genomes]


def make_bucketed_front_mixture(state: PopulationState) -> BucketedProfile:
    """Return the profile of the mixture in which all members of the Pareto front have equal probabilities.

    One member is drawn for each hand. So an action probability of the profile is the mean of the members' action
    probabilities, weighted by the probabilities with which the members reach the decision.

    Parameters
    ----------
    state : PopulationState
        The state of one population in bucketed hold'em.

    Returns
    -------
    BucketedProfile
        The behavior that is realization equivalent to the mixture, in both seats. It is uniform at decisions that no
        member reaches.
    """
    members = make_bucketed_profiles(state, state.population[0, state.front[0]])
    game = members[0].game
    # The sum over the members of their reach probabilities times their action probabilities.
    plan_sum, reach = game.layout.allocate_rows(), game.layout.allocate_rows()
    for member in members:
        # Each call overwrites the part of `reach` that belongs to the decisions of one seat.
        for seat in (0, 1):
            fill_reach_rows(
                game.batched_tree, game.chance_matrices, member.kernel_strategy, seat, reach
            )
        plan_sum += reach * game.layout.convert_table_to_rows(member.decision_probabilities)

    return make_profile_from_weights(game, plan_sum)


IN_BUCKETS: Mapping[str, Method] = {
    "CFR": make_averaging_method(
        BucketedCFR, samothrakis2011_holdem.CFR_ITERATIONS, schedule=PLAIN_CFR
    ),
    "CFR+": make_averaging_method(BucketedCFR, samothrakis2011_holdem.CFR_ITERATIONS),
    "minimax coevolution": Method(
        make_solver=lambda game, seed: samothrakis2011_holdem.make_solver(
            replace(samothrakis2011_holdem.MEDIAN, seed=seed)
        ),
        select_profile=lambda state: state.profile,
        count_evaluations=count_minimax_evaluations,
        iterations=samothrakis2011_holdem.MEDIAN.iterations,
        is_random=True,
    ),
    "Pareto coevolution": Method(
        make_solver=make_bucketed_population_factory("by dominance"),
        select_profile=make_bucketed_front_mixture,
        count_evaluations=count_population_evaluations,
        iterations=GENERATIONS[-1],
        is_random=True,
    ),
    "elites by profit": Method(
        make_solver=make_bucketed_population_factory("by profit"),
        select_profile=lambda state: make_bucketed_profiles(state, state.champions)[0],
        count_evaluations=count_population_evaluations,
        iterations=GENERATIONS[-1],
        is_random=True,
    ),
}
"""The methods in bucketed hold'em with six buckets or fewer, by name. Populations take minutes there, so they are
recorded."""


def make_characters(game: Any) -> dict[str, Any]:
    """Return the profiles of four players with a simple habit, which the lessons call characters.

    In bucketed hold'em they always fold, always call, always raise, or choose at random. In a game with one private
    card they never bet or call, always do, do so with probability 1/2, or do so with the best card only.

    Parameters
    ----------
    game : SequenceForm or BucketedHoldem
        A game of two players. A compiled game must have two actions at each information set, passing first, and labels
        of information sets that begin with the card, as in Kuhn poker.

    Returns
    -------
    dict of str to Profile or BucketedProfile
        The profiles by the names of `CARD_CHARACTERS` or `BUCKET_CHARACTERS`.
    """
    if isinstance(game, BucketedHoldem):
        profiles = (game.always_fold(), game.always_call(), game.always_raise(), game.uniform())
        return dict(zip(BUCKET_CHARACTERS, profiles, strict=True))

    # The card at each information set. The first player has one set for each card before it acts, in ascending order,
    # and as many after a pass and a bet.
    cards = [label.split(AFTER_CARD)[0] for _, label in game.infoset_index]
    best_card = cards[game.num_infosets[0] // 2 - 1]

    # The probability to bet or call at each information set, of each player.
    bet_probabilities_by_player = (
        np.zeros(len(cards)),
        np.ones(len(cards)),
        np.full(len(cards), 0.5),
        np.array([float(card == best_card) for card in cards]),
    )
    characters = {}
    for name, bet_probabilities in zip(CARD_CHARACTERS, bet_probabilities_by_player, strict=True):
        probabilities = np.column_stack([1.0 - bet_probabilities, bet_probabilities])
        characters[name] = Profile(game, probabilities.ravel())
    return characters


def compute_payoff_against(game: Any, profile: Any, opponent: Any) -> float:
    """Return the expected payoff of a profile against another one in two hands, one in each seat.

    Parameters
    ----------
    game : SequenceForm or BucketedHoldem
        A game of two players.
    profile, opponent : Profile or BucketedProfile
        The profile whose payoff is returned, and its opponent. Each one has strategies for both seats.

    Returns
    -------
    float
        The payoff, in the game's unit.
    """
    first_payoff = game.values(profile.replace(1, opponent))[0]
    second_payoff = game.values(opponent.replace(1, profile))[1]
    return float(first_payoff + second_payoff)


def run_methods(game: SequenceForm, num_seeds: int = 1) -> dict[str, list[Profile]]:
    """Run all methods in a compiled game, and return the profiles that they propose at the end.

    Parameters
    ----------
    game : SequenceForm
        A two-player zero-sum game.
    num_seeds : int
        The number of seeds of a method that draws random numbers. Any other method is run once.

    Returns
    -------
    dict of str to list of Profile
        By the name of the method, a profile for each seed. The linear program comes first, with the exact equilibrium.
    """
    profiles = {"linear program": [solvers.SequenceFormLP(game).solve().profile]}
    for name, method in METHODS.items():
        seeds = method.list_seeds(num_seeds)
        profiles[name] = [method.run(game, seed=seed).profile for seed in seeds]
    return profiles


class Scores(NamedTuple):
    """How well a profile plays in a game of two players, in the unit of the game.

    Payoffs are totals of two hands, one in each seat.

    Attributes
    ----------
    exploitability : float
        The sum over both players of what a best response gains against the profile.
    mean_payoff : float
        The mean payoff against the players with a simple habit that `make_characters` returns.
    lowest_payoff : float
        The lowest payoff against any of these and of the profiles that other methods propose.
    """

    exploitability: float
    mean_payoff: float
    lowest_payoff: float


def score_profiles(game: Any, profiles: Mapping[str, Sequence[Any]]) -> dict[str, list[Scores]]:
    """Return the scores of the profiles that methods propose.

    Each profile plays against the four players of `make_characters`, and against the first profile of each other
    method.

    Parameters
    ----------
    game : SequenceForm or BucketedHoldem
        The game that is played.
    profiles : mapping of str to sequence of Profile or BucketedProfile
        The profiles by the name of the method, such as those of `run_methods`.

    Returns
    -------
    dict of str to list of Scores
        The scores of each profile, by the name of the method.
    """
    characters = make_characters(game)
    first_profiles = {
        method: proposed_profiles[0] for method, proposed_profiles in profiles.items()
    }
    opponents = characters | first_profiles

    def score_profile(method: str, profile: Any) -> Scores:
        """Return the scores of one profile of a method."""
        payoffs = {}
        for name, opponent in opponents.items():
            if name != method:
                payoffs[name] = compute_payoff_against(game, profile, opponent)
        return Scores(
            exploitability=game.nash_conv(profile),
            mean_payoff=float(np.mean([payoffs[name] for name in characters])),
            lowest_payoff=min(payoffs.values()),
        )

    scores = {}
    for method, proposed_profiles in profiles.items():
        scores[method] = [score_profile(method, profile) for profile in proposed_profiles]
    return scores


def score_profiles_in_six_buckets(
    profiles: Mapping[str, Sequence[BucketedProfile]] | None = None,
) -> dict[str, list[Scores]]:
    """Return the scores of the profiles of all methods in hold'em with six buckets.

    The scores of the methods with populations are read from their recording.

    Parameters
    ----------
    profiles : mapping of str to sequence of BucketedProfile, optional
        The profiles of CFR, CFR+ and minimax coevolution. If they are not given, CFR and CFR+ are run, and minimax
        coevolution proposes the median agent of lesson 11.

    Returns
    -------
    dict of str to list of Scores
        The scores of each profile, by the name of the method.
    """
    game = samothrakis2011_holdem.make_six_bucket_game()
    if profiles is None:
        profiles = {name: [IN_BUCKETS[name].run(game).profile] for name in ("CFR", "CFR+")}
        median_agent = samothrakis2011_holdem.make_agent(samothrakis2011_holdem.OURS)
        profiles["minimax coevolution"] = [median_agent]
    scores = score_profiles(game, profiles)

    history = load_or_make_recorded_populations()
    for method in POPULATIONS:
        scores[method] = read_scores_of_population(history, method)
    return scores


def read_scores_of_population(history: History, method: str) -> list[Scores]:
    """Return the scores of the profiles that a recorded population in six buckets proposes at the end.

    Parameters
    ----------
    history : History
        The recording of `trace_population_in_six_buckets`.
    method : str
        The method of the population, one of `POPULATIONS`.

    Returns
    -------
    list of Scores
        The scores of each seed.
    """
    is_end = (history["method"] == method) & (history["generation"] == GENERATIONS[-1])
    opponents = (*BUCKET_CHARACTERS, *RECORDED_RIVALS)
    payoffs = np.array([history[opponent][is_end] for opponent in opponents])  # (6, seeds)
    payoffs_against_characters = payoffs[: len(BUCKET_CHARACTERS)]
    scores_by_seed = zip(
        history["nash_conv"][is_end],
        payoffs_against_characters.mean(axis=0),
        payoffs.min(axis=0),
        strict=True,
    )
    return [
        Scores(float(exploitability), float(mean_payoff), float(lowest_payoff))
        for exploitability, mean_payoff, lowest_payoff in scores_by_seed
    ]


def trace_population_in_six_buckets(settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Run a population in hold'em with six buckets, and return a row for each recorded generation.

    `runs.sweep` calls this function.

    Parameters
    ----------
    settings : mapping
        'method' is one of `POPULATIONS`, and 'seed' the seed of the population. 'records' is the number of recorded
        generations, which are the first ones of `GENERATIONS`.

    Returns
    -------
    list of dict
        The columns are:

        - 'generation', and 'evaluations', the number of payoff evaluations so far.
        - 'nash_conv', NashConv of the profile that the population proposes, in small bets.
        - For each of `BUCKET_CHARACTERS` and `RECORDED_RIVALS`, by its name, the payoff of that profile against it in
          two hands, one in each seat, in small bets. The rivals are the agents that CFR+ and minimax coevolution found.
    """
    game = samothrakis2011_holdem.make_six_bucket_game()
    agents = (
        samothrakis2011_holdem.make_agent("regret minimization"),
        samothrakis2011_holdem.make_agent(samothrakis2011_holdem.OURS),
    )
    opponents = make_characters(game) | dict(zip(RECORDED_RIVALS, agents, strict=True))
    method = IN_BUCKETS[settings["method"]]
    generations = GENERATIONS[: settings["records"]]
    traced_profiles = method.iterate_profiles(game, generations, seed=settings["seed"])

    rows = []
    for generation, traced in zip(generations, traced_profiles, strict=True):
        row: dict[str, Any] = {
            "generation": generation,
            "evaluations": traced.evaluations,
            "nash_conv": game.nash_conv(traced.profile),
        }
        for name, opponent in opponents.items():
            row[name] = compute_payoff_against(game, traced.profile, opponent)
        rows.append(row)
    return rows


def load_or_make_recorded_populations() -> History:
    """Return the recording of `trace_population_in_six_buckets` for both populations and three seeds.

    If there is no recording in `data/runs`, it is made, which takes half an hour on one core.

    Returns
    -------
    History
        A row for each method of `POPULATIONS`, seed and generation, with the columns that
        `trace_population_in_six_buckets` describes.
    """
    settings: dict[str, Any] = {"method": POPULATIONS, "records": [len(GENERATIONS)]}
    return load_or_make_history(
        RECORDED, lambda: sweep(trace_population_in_six_buckets, settings, seeds=SEEDS), {}
    )
