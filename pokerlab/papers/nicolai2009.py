"""Nicolai & Hilderman (2009): networks for no-limit hold'em, evolved by the ranks of tournaments.

G. Nicolai, R. J. Hilderman, "No-Limit Texas Hold'em Poker Agents Created with Evolutionary Neural Networks", IEEE
Symposium on Computational Intelligence and Games 2009.

**The settings.** The text leaves open what decides most: how outputs are read, how parents are weighted, how blinds
rise. G. Nicolai's thesis of 2008 (*thesis*) tells of the same experiments, with the same ranks, and so does a paper
of 2010 (*sequel*): the defaults are theirs, and what they leave open is ours. `EARLIER` has what we took before we
had read them. None of these values was chosen by the ranks that the paper prints.

**What is recorded.** Beside a champion's rank stand its first places, the hands that it wins and what it does, since
elimination rewards folding.

**Evaluation.** Within a population, ranks cannot show progress, because their mean is the same in every generation. So
a champion plays duplicate tables: each agent takes each seat once with the same cards, until one has all chips. Its
opponents are five agents that follow a script, and three that Beattie et al. (2007) evolved. The paper has Random and
Folder fold "at each decision point", and does not say by how much Random, Raiser and CallOrRaise raise. By G.
Nicolai's thesis (5.1.1) Folder checks where that is free, and raises are small, medium and large alike, as networks
make them. OldBest, OldScratch and OldStart, the agents of Beattie et al. (2007), were evolved anew, once, and are
kept. All three are matrices over hand strength and cost. OldStart is an expert's head start as it stands; OldBest is
the best evolved from it, OldScratch the best evolved from uniform weights.

**Forgetting.** Champions of several generations meet in pairs: who loses to its own ancestors has forgotten something.

**Use of the cards.** An input is replaced by a constant. A network that plays as before did not use it.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from tqdm import tqdm

from pokerlab.core import Checked, ShapeError, UnknownNameError, setting, stream
from pokerlab.core.arrays import Bools, Floats, Ints, freeze
from pokerlab.core.kept import Kept
from pokerlab.core.settings import same_as, seed_setting, sized, unprinted, whole
from pokerlab.evolution.population import (
    NO_HALL,
    Elites,
    HallOfElites,
    HandsWon,
    InfiniteHall,
    MeanRank,
    Profit,
    WeightedSum,
)
from pokerlab.evolution.population.fitness import AMONG
from pokerlab.evolution.population.hall import EMPTY, ONE_BY_ONE, PAIRINGS, STARTS
from pokerlab.evolution.population.protocol import (
    KINDS_OF_ACTION,
    FitnessFunction,
    Genomes,
    HallRule,
    PlayerEncoding,
)
from pokerlab.evolution.population.variation import (
    BIASES,
    EXPONENTIAL,
    LARGEST_RATE,
    LEAST_RATE,
    PARENTS,
)
from pokerlab.holdem import (
    Aggressiveness,
    CompiledPlayer,
    MatrixEncoding,
    Placed,
    Schedule,
    TableNetwork,
    Tournament,
    Tournaments,
    doubling,
    inputs_at,
    ladder,
    no_limit,
    tournament,
)
from pokerlab.holdem import table_view as table_view
from pokerlab.holdem.hand import MOST_SEATS
from pokerlab.holdem.matrix_genome import Weights
from pokerlab.holdem.players import (
    AMOUNTS,
    CALLS,
    CALLS_OR_RAISES,
    DRAWN,
    DRAWS,
    FOLDS,
    RAISES,
    rote,
)
from pokerlab.holdem.tournament_game import FORMS, HANDS_A_LEVEL, SMALLEST_BROKEN
from pokerlab.metrics import PairedSums, holm
from pokerlab.papers.experiment import RUNS, Experiment, part
from pokerlab.runs import Column
from pokerlab.solvers import PopulationCoevolution, PopulationState

__all__ = [
    "EARLIER",
    "EARLIER_TABLES",
    "PAPER",
    "PAPER_EXPERIMENTS",
    "SCALES",
    "Config",
    "DuplicateTables",
    "encoding",
    "encounters",
    "evolved_networks",
    "game",
    "panel",
    "solver",
    "static_agents",
]

HALLS = NONE, ELITES, INFINITE = "none", "elites", "infinite"
WORTHS = SURVIVAL, HANDS, CHIPS = "mean rank", "hands won", "chips a hand"
BLINDS = DOUBLING, LADDER = "doubling", "ladder"
MOST_AGENTS = 2000
left_open = partial(setting, silent=True, rare=True)
"""A setting on which the text is silent and that is rarely changed."""
of_elites = partial(setting, silent=True, needs=lambda config: config.hall == ELITES)
of_impressions = partial(same_as, Aggressiveness)
of_network = partial(same_as, TableNetwork, rare=True)


@dataclass(frozen=True, kw_only=True)
class Config(Checked):
    """Settings of one evolution; the defaults are the paper's Control."""

    agents: int = sized(
        1000,
        "Networks in each population.",
        source="section IV.A: 1,000; 500 and 250 in two and four populations",
        log=(MOST_SEATS, MOST_AGENTS),
    )
    populations: int = sized(
        1,
        "They play in the same tournaments, and are ranked and bred apart.",
        source="section IV.B",
        within=(1, 10),
    )
    tournaments: int = sized(
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
    among: str = left_open(
        "everybody",
        "Its place among its own population and hall, or among all entrants.",
        label="Ranked among",
        source="thesis 4.2.5: in the joint field",
        choices=AMONG,
        needs=lambda config: config.populations > 1 and config.fitness == SURVIVAL,
    )
    fitness: str = setting(
        SURVIVAL,
        "The paper's mean rank, or what the authors compared it with in 2010.",
        label="Judged by",
        source="section III.A",
        choices=WORTHS,
    )
    parents: str = left_open(
        EXPONENTIAL,
        "Of a child, all different.",
        source="thesis 4.2.3: by an exponential law, two the likeliest",
        choices=tuple(PARENTS),
    )
    parent_rate: float = left_open(
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
        choices=BIASES,
    )
    bias_spread: float = left_open(
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
    bound: float = left_open(
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
    hall_start: str = of_elites(
        "empty",
        "New random networks, or nobody.",
        label="Hall at first",
        source="sequel 4.5.1: elites enter until it is full",
        choices=STARTS,
    )
    hall_pairing: str = of_elites(
        ONE_BY_ONE,
        "The best elite against the lowest member and so on, or one by one.",
        label="Elites and members",
        source="sequel, figure 6; by the thesis, figure 4.12, it ends with the first who holds",
        choices=PAIRINGS,
    )
    hall_copies: bool = of_elites(
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
    stacks: int = left_open(
        1000,
        "Chips of each entrant at the start.",
        source="thesis 4.1.6",
        unit="chips",
        log=(10, 100_000),
    )
    blinds: str = left_open(
        LADDER,
        "They double at each level, or rise by the ladder of 2008 from 10/20, with antes.",
        source="thesis, table 2.2, as values of the game played online; that they were played is our reading",
        choices=BLINDS,
    )
    small_blind: int = left_open(
        5,
        "At the start; the big blind is twice as much.",
        unit="chips",
        needs=lambda config: config.blinds == DOUBLING,
        log=(1, 1000),
    )
    hands_a_level: int = left_open(
        HANDS_A_LEVEL,
        "After which the blinds rise.",
        source="thesis, table 2.2",
        unit="hands",
        log=(1, 500),
    )
    seats: int = left_open(10, "At a table.", source="sequel 4.4", within=(2, MOST_SEATS))
    form: str = left_open(
        SMALLEST_BROKEN,
        "Broken up to refill others, or the smallest as soon as the others have seats for its players.",
        label="Tables",
        source="sequel 4.4",
        choices=FORMS,
    )
    shared: bool = of_impressions(
        "shared",
        default=True,
        source="thesis 4.1.3.8: one mean a player; that it goes on at a new table is our reading",
    )
    score: str = of_impressions("score")
    raised: str = of_impressions(
        "raised", default="all put in", source="thesis, eq. 4.8: the whole bet"
    )
    window: int = of_impressions("window")
    hidden: int = of_network("hidden")
    scale: str = of_network(
        "scale", default="as they are", source="thesis 4.1.2: inputs pass unchanged"
    )
    against: str = of_network(
        "against",
        default="all hands",
        source="thesis, table 4.1: that many opponents; the power is our reading of 4.1.3.4",
    )
    read_out: str = of_network("read_out", source="sequel 4.3")
    small_raise: float = of_network("small_raise")
    medium_raise: float = of_network("medium_raise")
    large_raise: float = of_network("large_raise")
    raise_unit: str = of_network(
        "raise_unit",
        default="drawn share",
        source="thesis, figure 4.7 and table 4.9, and sequel, table 3; large deviations are our reading",
    )
    free_folds: bool = of_network("free_folds")
    start: str = of_network(
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
    """A choice that the paper leaves open and that no setting changes: its name, ours, and whose it is."""

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
"""What is always as it is; the rest is in `Config`."""
EARLIER: Mapping[str, Any] = {
    "among": "own population",
    "parents": "two",
    "parent_biases": "weighted average",
    "hall_start": "random",
    "hall_pairing": PAIRINGS[0],
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
"""Our guesses before we had read the thesis: the reading 'earlier defaults', under which much is recorded."""


def entrants(config: Any) -> int:
    """Return how many play in a tournament once halls are full."""
    in_hall = 0 if config.hall == NONE else config.hall_size
    many: int = config.populations * (config.agents + in_hall)
    return many


def blinds_of(settings: Any, num_entrants: int, *, free_folds: bool) -> Schedule:
    """Return blinds as they are set, which rise until the big blind has the chips of all entrants."""
    if settings.blinds == LADDER:
        chips = num_entrants * settings.stacks
        return ladder(settings.hands_a_level, chips=chips, free_folds=free_folds)
    betting = no_limit(settings.small_blind, 2 * settings.small_blind, free_folds=free_folds)
    return doubling(betting, settings.hands_a_level, chips=num_entrants * settings.stacks)


PAPER = "nicolai-2009"


def of_champions(state: PopulationState, numbers: NDArray[Any]) -> NDArray[Any]:
    """Return what `numbers`, (P, N, ...), say of each population's champion, (P, ...)."""
    best = np.argmax(state.fitness, axis=1)
    said: NDArray[Any] = numbers[np.arange(len(best)), best]
    return said


def rank_of_champion(state: PopulationState) -> float:
    """Return the champion's mean rank among all entrants, 1 being best; the mean of the populations."""
    return float(of_champions(state, state.mean_rank).mean())


def hands_won_by_champion(state: PopulationState) -> float:
    """Return the share of its hands in which the champion won chips; 0 before anybody has played."""
    won, played = (of_champions(state, numbers).sum() for numbers in (state.hands_won, state.hands))
    return float(won / max(played, 1))


def spread(populations: Genomes) -> float:
    """Return how networks of one population differ: the root of the mean variance of a weight.

    `populations`, (P, N, G). Sums of parents make it small, and noise alone keeps it from zero.
    """
    return float(np.sqrt(np.var(populations, axis=1, dtype=np.float64).mean()))


def age_in_hall(state: PopulationState, of: Callable[[Ints], Any]) -> float:
    """Return for how many generations those in the halls have been there: the mean, or by np.min the longest."""
    there = state.hall.since[state.hall.since != EMPTY]
    return float(state.iteration - of(there)) if there.size else 0.0


def game(config: Config) -> Tournament:
    """Return the tournament that is played."""
    return tournament(
        blinds_of(config, entrants(config), free_folds=config.free_folds),
        entrants=entrants(config),
        seats=config.seats,
        stacks=config.stacks,
        form=config.form,
        aggressiveness=part(Aggressiveness, config),
    )


def encoding(config: Config) -> TableNetwork:
    """Return what genomes mean."""
    return part(TableNetwork, config)


def fitness(config: Config) -> FitnessFunction:
    """Return the fitness function."""
    if config.fitness == SURVIVAL:
        return MeanRank(among=config.among)
    return HandsWon(per="a hand") if config.fitness == HANDS else Profit(per="a hand")


def hall(config: Config) -> HallRule:
    """Return who of the past plays."""
    if config.hall == NONE:
        return NO_HALL
    kind: Callable[..., HallRule] = HallOfElites if config.hall == ELITES else InfiniteHall
    return part(kind, config, "hall_")


def solver(config: Config, *, workers: Any = 1) -> PopulationCoevolution:
    """Return the coevolution that `config` describes; no number depends on `workers`."""
    return PopulationCoevolution(
        game(config),
        encoding(config),
        seed=config.seed,
        size=config.agents,
        pairings=Tournaments(count=config.tournaments),
        fitness=fitness(config),
        selection=Elites(share=config.elites),
        variation=part(WeightedSum, config, biases=config.parent_biases),
        populations=config.populations,
        hall_of_fame=hall(config),
        workers=workers,
    )


def columns(solver: PopulationCoevolution) -> tuple[Column, ...]:
    """Return what a run is about: the champion, who does what, how weights differ, how far halls remember."""

    def shares(whose: str, counted: Callable[[PopulationState], Ints]) -> list[Column]:
        def share(state: PopulationState, action: int) -> float:
            counts = counted(state)
            return float(counts[action] / max(counts.sum(), 1))

        return [
            Column(f"{whose}_{kind}", kind, "of decisions", partial(share, action=action))
            for action, kind in enumerate(KINDS_OF_ACTION)
        ]

    def root_mean_square(state: PopulationState) -> float:
        return float(np.sqrt(np.mean(np.square(state.population, dtype=np.float64))))

    of_hall = [
        Column("hall_age", "mean age in the hall", "generations", partial(age_in_hall, of=np.mean)),
        Column("hall_eldest", "eldest in the hall", "generations", partial(age_in_hall, of=np.min)),
    ]
    count = solver.pairings.count  # type: ignore[attr-defined]
    return (
        Column("rank", "champion's mean rank", "", rank_of_champion),
        Column(
            "first", "champion's first places", "", lambda s: of_champions(s, s.first_places).mean()
        ),
        Column("won", "champion's hands won", "of its hands", hands_won_by_champion),
        *shares("champion", lambda s: of_champions(s, s.actions).sum(axis=0)),
        *shares("everybody", lambda s: s.actions.sum(axis=(0, 1))),
        Column("rms", "weights, root mean square", "", root_mean_square),
        Column("spread", "spread between agents", "", lambda s: spread(s.population)),
        Column("hands", "hands a tournament", "hands", lambda s: s.num_hands / count),
        *(of_hall if solver.hall_of_fame.size else []),
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
    "Evolved networks", Config, SCALES, solver, columns, per_decade=1000, paper=PAPER_EXPERIMENTS
)


NUM_SEATS = 9
HALVES = 2
"""Ranks are whole or, where an even number share a place, end in a half: they are counted in halves."""
MOST_DUPLICATES, MOST_CHAMPIONS = 10**7, 1000
SEATINGS = ("drawn", "as given")
LEVEL = 0.05  # the chance of any false finding of forgetting
AHEAD = (-1, 1)  # of ranks the lower is ahead, of tables won the higher

OLD_AGENTS, GENOMES_FORMAT = "nicolai-2009-opponents", "pokerlab genomes 1"
OLD = OLD_BEST, OLD_SCRATCH, OLD_START = "OldBest", "OldScratch", "OldStart"
SCRIPTS = {
    "Random": DRAWS,
    "Raiser": RAISES,
    "Folder": FOLDS,
    "Caller": CALLS,
    "CallOrRaise": CALLS_OR_RAISES,
}
RANDOM, RAISER, FOLDER, CALLER, CALL_OR_RAISE = SCRIPTS
PANEL = (*SCRIPTS, *OLD)  # the eight other agents of an evaluation, by name
SIGHTS: Mapping[str, tuple[int, ...]] = {
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
"""What a network sees, by the numbers of its inputs."""


def static_agents(raises: str = AMOUNTS[DRAWN]) -> dict[str, CompiledPlayer]:
    """Return the five agents that look at nothing but what is legal, by name.

    `raises` says by how much Random, Raiser and CallOrRaise raise: 'a drawn bet', as networks make them, small, medium
    and large with equal chance, as G. Nicolai's thesis has it (5.1.1); or that bet by a continuous law; 'any amount'
    from the least to all-in, each as likely; 'the least'; 'up to three times the least'; 'all-in'. The paper says "some
    random value".

    Examples
    --------
    >>> list(static_agents())
    ['Random', 'Raiser', 'Folder', 'Caller', 'CallOrRaise']
    """
    UnknownNameError.check("amount to raise by", raises, AMOUNTS)
    amount = AMOUNTS.index(raises)
    return {name: rote(script, amount, name=name) for name, script in SCRIPTS.items()}


def old_agents(genomes: Mapping[str, Weights] | None = None) -> dict[str, CompiledPlayer]:
    """Return OldBest, OldScratch and OldStart, by name, from their genomes: those that are kept if not given."""
    kept = genomes or Kept.load(RUNS / f"{OLD_AGENTS}.npz", GENOMES_FORMAT).arrays
    players = MatrixEncoding().players([kept[name] for name in OLD], OLD)
    return dict(zip(OLD, players, strict=True))


def panel(raises: str = AMOUNTS[DRAWN]) -> Mapping[str, CompiledPlayer]:
    """Return the eight other agents of an evaluation, by name: `static_agents` and `old_agents`."""
    return static_agents(raises) | old_agents()


@dataclass(frozen=True, kw_only=True)
class DuplicateTables(Checked):
    """What champions are evaluated by; what the paper leaves out, G. Nicolai's thesis tells (see `Config`)."""

    duplicates: int = setting(
        100_000,
        "Each is nine tournaments with the same cards, one for each seat.",
        label="Duplicate tables",
        source="section IV.A",
        log=(2, MOST_DUPLICATES),
    )
    stacks: int = same_as(Config, "stacks")
    blinds: str = same_as(Config, "blinds")
    small_blind: int = same_as(Config, "small_blind")
    hands_a_level: int = same_as(Config, "hands_a_level")
    free_folds: bool = setting(
        False,
        "Whether a player may fold where it could check.",
        label="Folds for free",
        source="thesis 5.1.1.2: Folder checks; that Random does is our reading",
    )
    raises: str = unprinted(
        AMOUNTS[DRAWN],
        "By how much Random, Raiser and CallOrRaise raise; amounts of a range are equally likely.",
        label="Raises of scripted agents",
        source="thesis 5.1.1: small, medium and large alike, as networks do; Random's are our reading",
        choices=AMOUNTS,
    )
    seating: str = unprinted(
        SEATINGS[0],
        "Drawn for each duplicate table, or always as the agents are given.",
        label="Order of the seats",
        choices=SEATINGS,
    )
    score: str = same_as(Config, "score")
    raised: str = same_as(Config, "raised")
    window: int = same_as(Config, "window")
    seed: int = seed_setting("Decides cards, luck and seats.")

    def lineups(self, first: int, count: int) -> Ints:
        """Return who has which seat in the first rotation, (count, 9), from duplicate `first` on."""
        if self.seating == SEATINGS[1]:
            return np.tile(np.arange(NUM_SEATS), (count, 1))
        numbers = range(first, first + count)
        return np.array([stream(self.seed, "seats", k).permutation(NUM_SEATS) for k in numbers])

    def play(self, players: Sequence[CompiledPlayer], lineups: ArrayLike, **how: Any) -> Placed:
        """Play a tournament for each line-up, (T, n), or n; `how` is `duplicates`, and as for `Tournament.play`."""
        entrants = np.shape(lineups)[1]
        game = tournament(
            blinds_of(self, entrants, free_folds=self.free_folds),
            entrants,
            duplicates=how.pop("duplicates", False),
            stacks=self.stacks,
            aggressiveness=part(Aggressiveness, self),
        )
        return game.play(players, lineups, seed=self.seed, **how)

    def evaluate(
        self,
        champion: CompiledPlayer,
        others: Mapping[str, CompiledPlayer] | None = None,
        **how: Any,
    ) -> Placed:
        """Play all duplicate tables of a champion, who comes first, and eight others, `panel` if not given."""
        met = panel(self.raises) if others is None else others
        lineups = self.lineups(0, self.duplicates)
        return self.play([champion, *met.values()], lineups, duplicates=True, **how)


EARLIER_TABLES: Mapping[str, Any] = {
    **{name: EARLIER[name] for name in ("blinds", "hands_a_level", "raised")},
    "free_folds": True,
    "raises": AMOUNTS[0],
}
"""The evaluation by the reading 'earlier defaults'."""


@dataclass(frozen=True, eq=False)
class Advantages:
    """By how much each champion of a row is ahead of each of a column, by one measure; all (C, D).

    On average, the standard error over pairs of tables with the same cards, and p of the two-tailed paired t-test that
    there is no difference; 1 where a champion meets itself.
    """

    advantage: Floats
    error: Floats
    p: Floats

    def __post_init__(self) -> None:
        freeze(*vars(self).values())

    def lost_to_ancestors(self) -> Bools:
        """Return who is clearly behind which earlier champion, (C, C), where the row is the later one.

        The champions must be of one line, in the order of their generations. By Holm's correction over all
        pairs the chance of any false finding is at most `LEVEL`.
        """
        if self.p.shape[0] != self.p.shape[1]:
            raise ShapeError(
                f"the encounters are {self.p.shape}; ancestors are of one line, (C, C)."
            )
        later = np.tril_indices(len(self.p), k=-1)
        forgets = np.zeros(self.p.shape, np.bool_)
        forgets[later] = (holm(self.p[later]) < LEVEL) & (self.advantage[later] < 0.0)
        return forgets


class Encounters(NamedTuple):
    """Champions against each other, each pair at tables that the two share evenly, by two measures.

    By how many ranks the seats of the row end before those of the column, from -5 to 5, and the share of tables that
    the row wins less that of the column. They need not agree: who folds ends ahead of many and wins no table.
    """

    ranks: Advantages
    tables_won: Advantages


def encounters(
    encoding: PlayerEncoding,
    genomes: Genomes,
    against: Genomes | None = None,
    *,
    tables: DuplicateTables,
    workers: int = 1,
    progress: bool = True,
) -> Encounters:
    """Return how champions fare against each other, or against those of another line.

    Each pair meets at tables of ten, whose seats belong to one and the other in turn, and again with the same cards and
    the seats exchanged. Champions were evolved at full tables; heads-up, whoever folds always loses.

    Parameters
    ----------
    encoding : PlayerEncoding
        What genomes mean.
    genomes : ndarray, shape (C, G)
        The champions, in the order of their generations; 2 to 1,000 if they meet each other.
    against : ndarray, shape (D, G), optional
        Those of another line; each other if not given.
    tables : DuplicateTables
        Its `duplicates` are played by each pair, each twice.
    workers : int
        Threads; results do not depend on it.
    progress : bool
        Whether to show what is done.
    """
    rows = players_of(encoding, genomes)
    columns = rows if against is None else players_of(encoding, against)
    for players in (rows, columns):
        fewest = 2 if against is None else 1
        whole("the number of champions", len(players), fewest, MOST_CHAMPIONS)
    shape = len(rows), len(columns)
    found = np.zeros((2, 3, *shape))
    found[:, 2] = 1.0
    meet = np.ones(shape, np.bool_) if against is not None else np.tri(*shape, -1, np.bool_).T
    for row, column in tqdm(np.argwhere(meet), unit=" pairs", disable=not progress):
        for measure, sums in enumerate(duel((rows[row], columns[column]), tables, workers)):
            tests = sums.tests()
            difference = tests.difference[0] * AHEAD[measure]
            found[measure, :, row, column] = difference, tests.error[0], tests.p[0]
            if against is None:
                found[measure, :, column, row] = -difference, tests.error[0], tests.p[0]
    return Encounters(*(Advantages(*one) for one in found))


def duel(
    pair: Sequence[CompiledPlayer], tables: DuplicateTables, workers: int
) -> tuple[PairedSums, PairedSums]:
    """Return the mean ranks of two players' seats, and the share of tables won, over pairs of tables."""
    ranks, firsts = np.zeros((2, tables.duplicates, 2), np.int64)
    for begins in (0, 1):
        lineup = [begins, 1 - begins] * (MOST_SEATS // 2)
        placed = tables.play(pair, np.tile(lineup, (tables.duplicates, 1)), workers=workers)
        halves = np.rint(HALVES * placed.ranks[:, 0]).astype(np.int64)
        for player in (0, 1):
            own = halves[:, np.equal(lineup, player)]
            ranks[:, player] += own.sum(axis=1)
            firsts[:, player] += (own == HALVES).sum(axis=1)
    return PairedSums.of(ranks, HALVES * MOST_SEATS), PairedSums.of(firsts, 2)


def players_of(encoding: PlayerEncoding, genomes: Any) -> Sequence[CompiledPlayer]:
    """Return the players of genomes, once these have the encoding's length."""
    given = np.asarray(genomes)
    if given.ndim != 2 or given.shape[1] != encoding.num_genes:
        raise ShapeError(
            f"the champions' genomes have shape {given.shape}; give (C, {encoding.num_genes}), a row for each."
        )
    return encoding.players(given)


def inputs_seen(
    network: TableNetwork,
    genome: Genomes,
    others: Mapping[str, CompiledPlayer] | None = None,
    *,
    tables: DuplicateTables,
) -> Floats:
    """Return what a champion, (G,), saw at all its decisions at duplicate tables, (D, 35)."""
    views: list[Ints] = []

    def watch(at: Any, asked: Ints) -> None:
        mine = asked[at.views[asked, table_view.PLAYER] == 0]
        views.append(at.views[mine].copy())

    (player,) = network.players(genome[None], ["champion"])
    tables.evaluate(player, others, watchers=[watch])
    return inputs_at(network, np.concatenate(views)).astype(np.float64)


def hold_inputs(
    network: TableNetwork, genome: Genomes, inputs: Sequence[int], values: ArrayLike
) -> Genomes:
    """Return a network, (G,), that sees some inputs as if they always had these values.

    Their weights go into the bias of each hidden unit, and are then zero.
    """
    changed = genome.astype(np.float64)
    num_inputs, rows = len(SIGHTS["anything"]), list(inputs)
    first = changed[: (num_inputs + 1) * network.hidden].reshape(num_inputs + 1, network.hidden)
    first[num_inputs] += np.asarray(values, np.float64) @ first[rows]
    first[rows] = 0.0
    return changed.astype(genome.dtype)
