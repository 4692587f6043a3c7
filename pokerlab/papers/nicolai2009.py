"""Nicolai & Hilderman (2009): networks for no-limit hold'em, evolved by the ranks of tournaments.

G. Nicolai, R. J. Hilderman, "No-Limit Texas Hold'em Poker Agents Created with Evolutionary Neural Networks", IEEE
Symposium on Computational Intelligence and Games 2009.

**The settings.** The text leaves open what matters most: how outputs are read, how parents are weighted, how blinds
rise. G. Nicolai's thesis of 2008 (*thesis*) describes the same experiments, with the same ranks, and so does a paper
of 2010 (*sequel*). So the defaults are theirs, and what they leave open is ours. `EARLIER` has the values that we used
before we had read them. None of these values was chosen by the ranks that the paper prints.

**What is recorded.** Elimination rewards folding. Therefore a champion's first places, the hands that it wins, and how
often it takes each action are recorded beside its rank.

**Evaluation.** Within a population, ranks cannot show progress, because their mean is the same in every generation. So
a champion plays duplicate tables: each agent takes each seat once with the same cards, until one has all chips. Its
opponents are five agents that follow a script, and three that Beattie et al. (2007) evolved. The paper has Random and
Folder fold "at each decision point", and does not say by how much Random, Raiser and CallOrRaise raise. By G.
Nicolai's thesis (5.1.1) Folder checks where that is free, and raises are small, medium or large with equal
probability, as networks make them. OldBest, OldScratch and OldStart, the agents of Beattie et al. (2007), were evolved
once more for this project, and their genomes are kept. All three are matrices over hand strength and cost. OldStart is
an expert's first matrix, unchanged. OldBest is the best that evolved from it, and OldScratch the best that evolved
from uniform weights.

**Forgetting.** Champions of several generations play against each other in pairs (`compare_champions`). A champion
that loses to its own ancestors has forgotten something.

**Use of the cards.** An input is replaced by a constant (`fix_inputs`). A network that plays as before did not use it.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from pokerlab.core import CheckedSettings, random_stream, setting
from pokerlab.core.arrays import Ints
from pokerlab.core.old_names import reject_missing_name
from pokerlab.core.settings import (
    copy_setting,
    seed_setting,
    sized_setting,
    unprinted_setting,
    validate_integer,
)
from pokerlab.evolution.population import (
    Elites,
    HallOfElites,
    HandsWon,
    InfiniteHall,
    MeanRank,
    Profit,
    WeightedSum,
)
from pokerlab.evolution.population.fitness import RANKING_GROUPS
from pokerlab.evolution.population.hall import ELITE_PAIRINGS, HALL_STARTS, NO_HALL, ONE_BY_ONE
from pokerlab.evolution.population.protocol import (
    FitnessFunction,
    Genomes,
    HallRule,
    PlayerEncoding,
)
from pokerlab.evolution.population.variation import (
    BIAS_DISTRIBUTIONS,
    EXPONENTIAL,
    LARGEST_RATE,
    LEAST_RATE,
    PARENT_COUNTS,
)
from pokerlab.holdem import (
    Aggressiveness,
    CompiledPlayer,
    TableNetwork,
    Tournaments,
    make_doubling_schedule,
    no_limit,
    tournament,
)
from pokerlab.holdem.betting_structure import MOST_SEATS
from pokerlab.holdem.players import (
    RAISE_SIZES,
    SIZED_BET,
)
from pokerlab.holdem.tournament_game import (
    FORMS,
    HANDS_A_LEVEL,
    SMALLEST_BROKEN,
    Schedule,
    Tournament,
    TournamentResult,
    make_pokerstars_schedule,
)
from pokerlab.metrics import PairedSums
from pokerlab.papers.experiment import Experiment, make_from_settings
from pokerlab.papers.nicolai2009_agents import make_panel
from pokerlab.papers.nicolai2009_measurements import INPUT_GROUPS as INPUT_GROUPS
from pokerlab.papers.nicolai2009_measurements import Advantages as Advantages
from pokerlab.papers.nicolai2009_measurements import Encounters as Encounters
from pokerlab.papers.nicolai2009_measurements import collect_inputs as collect_inputs
from pokerlab.papers.nicolai2009_measurements import fix_inputs as fix_inputs
from pokerlab.papers.nicolai2009_measurements import make_columns
from pokerlab.solvers import PopulationCoevolution

__all__ = [
    "EARLIER",
    "EARLIER_TABLES",
    "PAPER",
    "PAPER_EXPERIMENTS",
    "SCALES",
    "Config",
    "DuplicateTables",
    "compare_champions",
    "evolved_networks",
    "make_encoding",
    "make_game",
    "make_solver",
]

HALLS = NONE, ELITES, INFINITE = "none", "elites", "infinite"
FITNESSES = SURVIVAL, HANDS, CHIPS = "mean rank", "hands won", "chips a hand"
BLINDS = DOUBLING, LADDER = "doubling", "ladder"
MOST_AGENTS = 2000
open_setting = partial(setting, silent=True, rare=True)
"""A setting on which the text is silent and that is rarely changed. The next three are of one part each."""
elite_hall_setting = partial(setting, silent=True, needs=lambda config: config.hall == ELITES)
aggressiveness_setting = partial(copy_setting, Aggressiveness)
network_setting = partial(copy_setting, TableNetwork, rare=True)


@dataclass(frozen=True, kw_only=True)
class Config(CheckedSettings):
    """Settings of one evolution; the defaults are the paper's Control."""

    agents: int = sized_setting(
        1000,
        "Networks in each population.",
        source="section IV.A: 1,000; 500 and 250 in two and four populations",
        log=(MOST_SEATS, MOST_AGENTS),
    )
    populations: int = sized_setting(
        1,
        "They play in the same tournaments, and are ranked and bred apart.",
        source="section IV.B",
        within=(1, 10),
    )
    tournaments: int = sized_setting(
        500,
        "In a generation; everybody takes part in all of them.",
        source="section IV.A: 500 for Control; thesis 5.2.3: for the others, too",
        log=(1, 10_000),
    )
    elites: float = setting(
        0.1,
        "The share of a population that stays unchanged, and alone breeds.",
        source="section IV.A: 100 of 1,000",
        within=(0.01, 0.9),
    )
    among: str = open_setting(
        "everybody",
        "Its place among its own population and hall, or among all entrants.",
        label="Ranked among",
        source="thesis 4.2.5: in the joint field",
        choices=RANKING_GROUPS,
        needs=lambda config: config.populations > 1 and config.fitness == SURVIVAL,
    )
    fitness: str = setting(
        SURVIVAL,
        "The paper's mean rank, or what the authors compared it with in 2010.",
        label="Judged by",
        source="section III.A",
        choices=FITNESSES,
    )
    parents: str = open_setting(
        EXPONENTIAL,
        "Of a child, all different.",
        source="thesis 4.2.3: by an exponential law, two the likeliest",
        choices=tuple(PARENT_COUNTS),
    )
    parent_rate: float = open_setting(
        0.5,
        "Of the exponential law; two parents are the likeliest below 0.962.",
        label="Rate of the number of parents",
        log=(LEAST_RATE, LARGEST_RATE),
        needs=lambda config: config.parents == EXPONENTIAL,
    )
    parent_biases: str = setting(
        "uniform",
        "|N(1, spread)| over their sum, N(0, 1) each, or U(0, 1) over their sum.",
        label="Biases of parents",
        source="section III.A: normally distributed; the thesis's program, figure 4.10, and sequel, figure 4: uniform",
        rare=True,
        choices=BIAS_DISTRIBUTIONS,
    )
    bias_spread: float = open_setting(
        0.3,
        "Standard deviation of the numbers whose shares are the biases.",
        label="Spread of biases",
        needs=lambda config: config.parent_biases == "weighted average",
        within=(0.0, 10.0),
    )
    mutation: float = setting(
        0.1,
        "The chance of each weight of a child to mutate.",
        source="section III.A",
        within=(0.0, 1.0),
    )
    noise: float = setting(
        0.1,
        "Standard deviation of what is added to a weight that mutates.",
        source="section III.A",
        within=(0.0, 10.0),
    )
    noise_mean: float = setting(
        0.0,
        "The paper's future work.",
        label="Mean of the noise",
        source="section III.A",
        rare=True,
        within=(-10.0, 10.0),
    )
    bound: float = open_setting(
        1000.0,
        "Larger ones are cut: normal biases would let them grow without end.",
        label="Largest weight",
        log=(1.0, 1e6),
    )
    hall: str = setting(
        NONE,
        "None, elites that replace the lowest members, or all champions, some of them drawn to play.",
        label="Hall of fame",
        source="section III.B; the infinite hall is its future work, section V",
        choices=HALLS,
    )
    hall_size: int = setting(
        1000,
        "Members of each population's hall that play; at most as many as the population.",
        source="section IV.C: 1,000 or 500, as large as the population",
        needs=lambda config: config.hall != NONE,
        log=(1, MOST_AGENTS),
        adapts=lambda config: {"high": MOST_AGENTS if config.hall == NONE else config.agents},
    )
    hall_start: str = elite_hall_setting(
        "empty",
        "New random networks, or nobody.",
        label="Hall at first",
        source="sequel 4.5.1: elites enter until it is full",
        choices=HALL_STARTS,
    )
    hall_pairing: str = elite_hall_setting(
        ONE_BY_ONE,
        "The best elite against the lowest member and so on, or one by one.",
        label="Elites and members",
        source="sequel, figure 6; by the thesis, figure 4.12, it ends with the first who holds",
        choices=ELITE_PAIRINGS,
    )
    hall_copies: bool = elite_hall_setting(
        True,
        "Whether an elite that is in the hall already may enter it again.",
        label="Copies in the hall",
        source="sequel, figure 6: whoever ranks better enters",
        rare=True,
    )
    hall_breeds: bool = setting(
        False,
        "Whether members are parents, too; the paper's future work.",
        source="section III.B: they are not allowed to",
        rare=True,
        needs=lambda config: config.hall != NONE,
    )
    stacks: int = open_setting(
        1000,
        "Chips of each entrant at the start.",
        source="thesis 4.1.6",
        unit="chips",
        log=(10, 100_000),
    )
    blinds: str = open_setting(
        LADDER,
        "They double at each level, or rise by the ladder of 2008 from 10/20, with antes.",
        source="thesis, table 2.2, as values of the game played online; that they were played is our reading",
        choices=BLINDS,
    )
    small_blind: int = open_setting(
        5,
        "At the start; the big blind is twice as much.",
        unit="chips",
        needs=lambda config: config.blinds == DOUBLING,
        log=(1, 1000),
    )
    hands_a_level: int = open_setting(
        HANDS_A_LEVEL,
        "After which the blinds rise.",
        source="thesis, table 2.2",
        unit="hands",
        log=(1, 500),
    )
    seats: int = open_setting(10, "At a table.", source="sequel 4.4", within=(2, MOST_SEATS))
    form: str = open_setting(
        SMALLEST_BROKEN,
        "Broken up to refill others, or the smallest as soon as the others have seats for its players.",
        label="Tables",
        source="sequel 4.4",
        choices=FORMS,
    )
    shared: bool = aggressiveness_setting(
        "shared",
        default=True,
        source="thesis 4.1.3.8: one mean a player; that it goes on at a new table is our reading",
    )
    score: str = aggressiveness_setting("score")
    raised: str = aggressiveness_setting(
        "raised", default="all put in", source="thesis, eq. 4.8: the whole bet"
    )
    window: int = aggressiveness_setting("window")
    hidden: int = network_setting("hidden")
    scale: str = network_setting(
        "scale", default="as they are", source="thesis 4.1.2: inputs pass unchanged"
    )
    against: str = network_setting(
        "against",
        default="all hands",
        source="thesis, table 4.1: that many opponents; the power is our reading of 4.1.3.4",
    )
    read_out: str = network_setting("read_out", source="sequel 4.3")
    small_raise: float = network_setting("small_raise")
    medium_raise: float = network_setting("medium_raise")
    large_raise: float = network_setting("large_raise")
    raise_unit: str = network_setting(
        "raise_unit",
        default="drawn share",
        source="thesis, figure 4.7 and table 4.9, and sequel, table 3; large deviations are our reading",
    )
    free_folds: bool = network_setting("free_folds")
    start: str = network_setting(
        "start", default="narrow normal", source="thesis 4.1.4; sequel: uniform from -1 to 1"
    )
    iterations: int = setting(
        500,
        "After which the champion is the agent that the paper evaluates.",
        label="Generations",
        source="section III.A",
        log=(1, 100_000),
    )
    seed: int = seed_setting("Decides whatever is drawn.")


class Fixed(NamedTuple):
    """A choice that the paper does not specify and that is not a setting.

    Attributes
    ----------
    label, value : str
        The subject and the predicate of a sentence that states our choice.
    source : str
        Where the choice comes from.
    """

    label: str
    value: str
    source: str


FIXED = (
    Fixed("A new tournament", "begins without memories of players", "sequel: none of earlier ones"),
    Fixed("A player's aggressiveness", "is 0 before its first decision", "ours"),
    Fixed("A bet where nothing is owed", "is measured in big blinds", "ours"),
    Fixed(
        "Recent aggressiveness",
        "is that of the last hands, not of a pass of the button",
        "ours; section III.A: 'the most recent pass of 10 hands around the table'",
    ),
    Fixed(
        "Players who meet again",
        "know what they knew",
        "ours; section III.A: 'since a player began playing against a particular opponent'",
    ),
    Fixed("Hidden units and outputs", "have a bias each", "thesis 4.1.2: 825 weights"),
    Fixed("Inputs", "go through no sigmoid", "thesis 4.1.2: inputs pass unchanged"),
    Fixed(
        "The 35th input",
        "is after how many hands the player has the button",
        "thesis, table 4.1, and sequel, table 1: position",
    ),
    Fixed("Opponents", "are those in the hand", "thesis, table 4.1, and sequel, table 1"),
    Fixed("A tie", "counts as a win", "section III.A"),
    Fixed(
        "A drawn bet", "calls if no larger than the price; else at least the least raise", "ours"
    ),
    Fixed("Out in one hand or round", "who had more chips before it ranks higher", "thesis"),
    Fixed("Out with equally many", "share the mean rank", "ours"),
    Fixed("Tables of a tournament", "are in step, a hand at each in a round", "ours"),
    Fixed("The end of a tournament", "is one player with all chips, however late", "section IV"),
    Fixed("Empty seats", "are inputs of 0", "thesis, table 4.1"),
    Fixed("Who is elite among equals", "is drawn", "ours"),
    Fixed("Parents", "are any elites, with equal chances", "thesis 4.2.3"),
    Fixed("Cards while agents evolve", "are dealt anew for each tournament", "thesis"),
)
"""The choices that are the same in all runs. All others are settings of `Config`."""
EARLIER: Mapping[str, Any] = {
    "among": "own population",
    "parents": "two",
    "parent_biases": "weighted average",
    "hall_start": "random",
    "hall_pairing": ELITE_PAIRINGS[0],
    "hall_copies": False,
    "blinds": DOUBLING,
    "hands_a_level": 10,
    "form": FORMS[0],
    "raised": "above the call",
    "shared": False,
    "scale": "mean stack",
    "against": "one hand",
    "raise_unit": "pot",
    "start": "normal",
}
"""The values of settings that we guessed before we had read the thesis. The audit calls them 'earlier defaults', and
many of its recordings have them."""


def count_entrants(config: Config) -> int:
    """Return the number of players in a tournament once all halls of fame are full.

    They are the networks of all populations and the members of the populations' halls.

    Parameters
    ----------
    config : Config
        The settings of the evolution: the numbers of populations, of networks in each, and of members of a hall of
        fame.
    """
    hall_size = 0 if config.hall == NONE else config.hall_size
    return config.populations * (config.agents + hall_size)


class BlindSettings(Protocol):
    """The settings from which a schedule of blinds is made. `Config` and `DuplicateTables` have them."""

    @property
    def stacks(self) -> int:
        """The number of chips of each player at the start of a tournament."""

    @property
    def blinds(self) -> str:
        """How the blinds rise: 'doubling' at each level, or by the 'ladder' of an online poker room."""

    @property
    def small_blind(self) -> int:
        """The small blind at the start, if the blinds double."""

    @property
    def hands_a_level(self) -> int:
        """The number of hands of a level, after which the blinds rise."""


def make_blind_schedule(
    settings: BlindSettings, num_entrants: int, *, free_folds: bool
) -> Schedule:
    """Return the schedule of blinds of a tournament, which rise until the big blind equals the chips of all players.

    Parameters
    ----------
    settings : BlindSettings
        The chips of a player at the start, how the blinds rise, the first small blind, and the number of hands after
        which they rise. A `Config` and `DuplicateTables` have these settings.
    num_entrants : int
        The number of players of the tournament.
    free_folds : bool
        Whether a player may fold where it could check.

    Returns
    -------
    Schedule
        The blinds by the number of hands that have been played.
    """
    all_chips = num_entrants * settings.stacks
    if settings.blinds == LADDER:
        return make_pokerstars_schedule(
            settings.hands_a_level, chips=all_chips, free_folds=free_folds
        )

    betting = no_limit(settings.small_blind, 2 * settings.small_blind, free_folds=free_folds)
    return make_doubling_schedule(betting, settings.hands_a_level, chips=all_chips)


PAPER = "nicolai-2009"


def make_game(config: Config) -> Tournament:
    """Return the no-limit hold'em tournament that all networks play in each generation.

    Parameters
    ----------
    config : Config
        The settings of the evolution.

    Returns
    -------
    Tournament
        The game for all networks of all populations and their halls of fame.
    """
    num_entrants = count_entrants(config)
    return tournament(
        make_blind_schedule(config, num_entrants, free_folds=config.free_folds),
        entrants=num_entrants,
        seats=config.seats,
        stacks=config.stacks,
        form=config.form,
        aggressiveness=make_from_settings(Aggressiveness, config),
    )


def make_encoding(config: Config) -> TableNetwork:
    """Return the encoding that maps a genome, a vector of weights, to a network that plays hold'em.

    Parameters
    ----------
    config : Config
        The settings of the evolution, which include the settings of the network.

    Returns
    -------
    TableNetwork
        The encoding, from which also comes the number of weights.
    """
    return make_from_settings(TableNetwork, config)


def make_fitness(config: Config) -> FitnessFunction:
    """Return the fitness function: the mean rank in tournaments, or the hands or chips won per hand.

    Parameters
    ----------
    config : Config
        The settings of the evolution, whose `fitness` names the function.

    Returns
    -------
    FitnessFunction
        The function that computes each network's fitness from the results of a generation.
    """
    if config.fitness == SURVIVAL:
        return MeanRank(among=config.among)
    if config.fitness == HANDS:
        return HandsWon(per="a hand")
    return Profit(per="a hand")


def make_hall_of_fame(config: Config) -> HallRule:
    """Return the rule of the hall of fame, which decides which networks of earlier generations play.

    Parameters
    ----------
    config : Config
        The settings of the evolution. `hall` names the rule, and the settings that begin with 'hall_' are its
        parameters.

    Returns
    -------
    HallRule
        The rule. `NO_HALL` is the rule without any hall of fame.
    """
    if config.hall == NONE:
        return NO_HALL
    hall_class: Callable[..., HallRule] = HallOfElites if config.hall == ELITES else InfiniteHall
    return make_from_settings(hall_class, config, "hall_")


def make_solver(config: Config, *, workers: Any = 1) -> PopulationCoevolution:
    """Return the population coevolution of networks with given settings.

    Parameters
    ----------
    config : Config
        The settings of the evolution.
    workers : int, distributed.Client or str
        The number of threads. A cluster is given as a client or as the address of its scheduler. Results do not depend
        on it.

    Returns
    -------
    PopulationCoevolution
        The solver, whose method `init` draws the first networks.
    """
    return PopulationCoevolution(
        make_game(config),
        make_encoding(config),
        seed=config.seed,
        size=config.agents,
        pairings=Tournaments(count=config.tournaments),
        fitness=make_fitness(config),
        selection=Elites(share=config.elites),
        variation=make_from_settings(WeightedSum, config, biases=config.parent_biases),
        populations=config.populations,
        hall_of_fame=make_hall_of_fame(config),
        workers=workers,
    )


SCALES = {
    "quick": Config(agents=20, tournaments=4, hands_a_level=5, iterations=5, seed=0),
    "lab": Config(agents=100, tournaments=50, iterations=100, seed=0),
    "paper": Config(seed=0),
}
PAPER_EXPERIMENTS = {
    "Figure 1: Control": Config(seed=0),
    "Figure 2: two populations": Config(agents=500, populations=2, seed=0),
    "Figure 3: four populations": Config(agents=250, populations=4, seed=0),
    "Figure 4: LargeHOF": Config(hall=ELITES, hall_size=1000, seed=0),
    "Figure 4: SmallHOF": Config(agents=500, hall=ELITES, hall_size=500, seed=0),
    "Figure 5: two populations with halls": Config(
        agents=500, populations=2, hall=ELITES, hall_size=500, seed=0
    ),
}
"""The evolutions whose champions the paper evaluates, by the figure that shows them."""
METHODS = ("Control", "2Pop", "4Pop", "LargeHOF", "SmallHOF", "HOF2Pop")
"""The paper's names, in the order of `PAPER_EXPERIMENTS`."""
CONFIGS = dict(zip(METHODS, PAPER_EXPERIMENTS.values(), strict=True))
"""The paper's experiments by these names."""
EARLIER_CONFIGS = {name: dataclasses.replace(config, **EARLIER) for name, config in CONFIGS.items()}
"""By our earlier defaults."""
evolved_networks = Experiment(
    "Evolved networks",
    Config,
    SCALES,
    make_solver,
    make_columns,
    per_decade=1000,
    paper=PAPER_EXPERIMENTS,
)


NUM_SEATS = 9
HALVES = 2
"""The number of halves in a whole. Ranks are counted in halves, because players who share places get the mean rank."""
MOST_DUPLICATES, MOST_CHAMPIONS = 10**7, 1000
SEATINGS = ("drawn", "as given")
ADVANTAGE_SIGNS = (-1, 1)
"""The signs that turn differences of ranks and of tables won into advantages: a low rank is good, and a high number of
tables won."""


@dataclass(frozen=True, kw_only=True)
class DuplicateTables(CheckedSettings):
    """The duplicate tables at which champions are evaluated.

    What the paper leaves out is from G. Nicolai's thesis, as in `Config`.
    """

    duplicates: int = setting(
        100_000,
        "Each is nine tournaments with the same cards, one for each seat.",
        label="Duplicate tables",
        source="section IV.A",
        log=(2, MOST_DUPLICATES),
    )
    stacks: int = copy_setting(Config, "stacks")
    blinds: str = copy_setting(Config, "blinds")
    small_blind: int = copy_setting(Config, "small_blind")
    hands_a_level: int = copy_setting(Config, "hands_a_level")
    free_folds: bool = setting(
        False,
        "Whether a player may fold where it could check.",
        label="Folds for free",
        source="thesis 5.1.1.2: Folder checks; that Random does is our reading",
    )
    raises: str = unprinted_setting(
        RAISE_SIZES[SIZED_BET],
        "By how much Random, Raiser and CallOrRaise raise; amounts of a range are equally likely.",
        label="Raises of scripted agents",
        source="thesis 5.1.1: small, medium and large alike, as networks do; Random's are our reading",
        choices=RAISE_SIZES,
    )
    seating: str = unprinted_setting(
        SEATINGS[0],
        "Drawn for each duplicate table, or always as the agents are given.",
        label="Order of the seats",
        choices=SEATINGS,
    )
    score: str = copy_setting(Config, "score")
    raised: str = copy_setting(Config, "raised")
    window: int = copy_setting(Config, "window")
    seed: int = seed_setting("Decides cards, luck and seats.")

    def make_lineups(self, first_table: int, num_tables: int) -> Ints:
        """Return which of nine players has each of the nine seats, at several duplicate tables.

        A duplicate table is nine tournaments with the same cards. This is the order of the seats in the first of them.
        It depends only on the index of the table and on the seed.

        Parameters
        ----------
        first_table : int
            The index of the first duplicate table.
        num_tables : int
            The number of duplicate tables.

        Returns
        -------
        array of shape (num_tables, 9)
            The number of the player in each seat, from 0 to 8, with a row for each table.
        """
        if self.seating == SEATINGS[1]:  # always as the players are given
            return np.tile(np.arange(NUM_SEATS), (num_tables, 1))

        lineups = []
        for table in range(first_table, first_table + num_tables):
            generator = random_stream(self.seed, "seats", table)
            lineups.append(generator.permutation(NUM_SEATS))
        return np.array(lineups)

    def play(
        self,
        players: Sequence[CompiledPlayer],
        lineups: ArrayLike,
        *,
        duplicates: bool = False,
        **options: Any,
    ) -> TournamentResult:
        """Play a tournament for each order of seats, a line-up, and return the results.

        Parameters
        ----------
        players : sequence of CompiledPlayer
            The players.
        lineups : array_like of shape (tables, seats)
            The number of the player in each seat, with a row for each tournament.
        duplicates : bool
            Whether each line-up plays as many tournaments as it has seats, with the same cards, so that every player
            has every seat once.
        **options
            Other options of `Tournament.play`.

        Returns
        -------
        TournamentResult
            The ranks and winnings of all players in all tournaments.
        """
        num_entrants = np.shape(lineups)[1]
        game = tournament(
            make_blind_schedule(self, num_entrants, free_folds=self.free_folds),
            num_entrants,
            duplicates=duplicates,
            stacks=self.stacks,
            aggressiveness=make_from_settings(Aggressiveness, self),
        )
        return game.play(players, lineups, seed=self.seed, **options)

    def evaluate(
        self,
        champion: CompiledPlayer,
        others: Mapping[str, CompiledPlayer] | None = None,
        **options: Any,
    ) -> TournamentResult:
        """Let a champion play against eight other players at all duplicate tables, and return the results.

        Parameters
        ----------
        champion : CompiledPlayer
            The champion, who is the first player of the results.
        others : mapping of str to CompiledPlayer, optional
            The eight other players, by name. By default they are the agents of the paper, which `make_panel` returns.
        **options
            Options of `Tournament.play`.

        Returns
        -------
        TournamentResult
            The results of nine players. The champion has index 0, and the others follow in their order.
        """
        opponents = make_panel(self.raises) if others is None else others
        players = [champion, *opponents.values()]
        lineups = self.make_lineups(0, self.duplicates)
        return self.play(players, lineups, duplicates=True, **options)


EARLIER_TABLES: Mapping[str, Any] = {
    **{name: EARLIER[name] for name in ("blinds", "hands_a_level", "raised")},
    "free_folds": True,
    "raises": RAISE_SIZES[0],
}
"""The tables of the evaluation with our earlier defaults."""


def compare_champions(
    encoding: PlayerEncoding,
    genomes: Genomes,
    against: Genomes | None = None,
    *,
    tables: DuplicateTables,
    workers: int = 1,
    progress: bool = True,
) -> Encounters:
    """Let each pair of champions play at shared tables, and return who is ahead, by ranks and by tables won.

    A table has ten seats, which belong to the two champions in turn. It is played again with the same cards and the
    seats exchanged. A table for two would be another game: champions evolved at full tables, and a player who always
    folds always loses heads-up.

    Parameters
    ----------
    encoding : PlayerEncoding
        The encoding that makes players from genomes.
    genomes : ndarray, shape (C, G)
        The genomes of C champions, in the order of their generations; 2 to 1,000 if they play against each other.
    against : ndarray, shape (D, G), optional
        The genomes of D champions of another line of descent. By default the champions of `genomes` play against each
        other.
    tables : DuplicateTables
        The settings of the tables. Each pair plays `tables.duplicates` tables, each twice.
    workers : int
        The number of threads. Results do not depend on it.
    progress : bool
        Whether to show a progress bar.

    Returns
    -------
    Encounters
        The advantage of each champion in a row over each champion in a column, by ranks and by tables won.

    Raises
    ------
    ShapeError
        If genomes do not have the encoding's length.
    SettingError
        If there are too few or too many champions.
    """
    is_among_themselves = against is None
    row_players = encoding.make_players(genomes)
    column_players = row_players if against is None else encoding.make_players(against)
    fewest = 2 if is_among_themselves else 1
    for players in (row_players, column_players):
        validate_integer("the number of champions", len(players), fewest, MOST_CHAMPIONS)

    # For each of the two measures three matrices of shape (C, D): the advantage, its standard error, and the p-value.
    shape = len(row_players), len(column_players)
    results = np.zeros((2, 3, *shape))
    results[:, 2] = 1.0

    # Among themselves a pair plays once, above the diagonal, and its results are entered on both sides of it.
    is_above_diagonal = np.tri(*shape, -1, np.bool_).T
    is_played = is_above_diagonal if is_among_themselves else np.ones(shape, np.bool_)
    for row, column in tqdm(np.argwhere(is_played), unit=" pairs", disable=not progress):
        pair = (row_players[row], column_players[column])
        for measure, sums in enumerate(compare_two_players(pair, tables, workers)):
            tests = sums.compute_t_tests()
            # The single test is between the first and the second player of the pair.
            advantage = tests.difference[0] * ADVANTAGE_SIGNS[measure]
            results[measure, :, row, column] = advantage, tests.error[0], tests.p[0]
            if is_among_themselves:
                results[measure, :, column, row] = -advantage, tests.error[0], tests.p[0]

    by_ranks, by_tables_won = results
    return Encounters(Advantages(*by_ranks), Advantages(*by_tables_won))


def compare_two_players(
    pair: Sequence[CompiledPlayer], tables: DuplicateTables, workers: int
) -> tuple[PairedSums, PairedSums]:
    """Let two players play against each other at tables of ten, five seats each, and return their ranks and tables won.

    Each table is played twice with the same cards, the second time with the seats exchanged.

    Parameters
    ----------
    pair : sequence of two CompiledPlayer
        The players.
    tables : DuplicateTables
        The settings of the tables. `tables.duplicates` tables are played twice.
    workers : int
        The number of threads.

    Returns
    -------
    ranks : PairedSums
        The mean rank of each player's seats, over pairs of tables with the same cards.
    tables_won : PairedSums
        The share of tables that each player wins, over the same pairs.
    """
    rank_sums, first_places = np.zeros((2, tables.duplicates, 2), np.int64)
    for first_player in (0, 1):
        lineup = [first_player, 1 - first_player] * (MOST_SEATS // 2)
        lineups = np.tile(lineup, (tables.duplicates, 1))
        result = tables.play(pair, lineups, workers=workers)

        # In halves all ranks are whole numbers. The array has shape (tables, seats).
        half_ranks = np.rint(HALVES * result.ranks[:, 0]).astype(np.int64)
        for player in (0, 1):
            own_ranks = half_ranks[:, np.equal(lineup, player)]
            rank_sums[:, player] += own_ranks.sum(axis=1)
            first_places[:, player] += (own_ranks == HALVES).sum(axis=1)

    # A trial is a table that is played twice. Each player has five seats each time, ten in all.
    ranks = PairedSums.from_trials(rank_sums, HALVES * MOST_SEATS)
    tables_won = PairedSums.from_trials(first_places, 2)
    return ranks, tables_won


if not TYPE_CHECKING:
    __getattr__ = partial(reject_missing_name, __name__)
