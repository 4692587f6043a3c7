"""Nicolai & Hilderman (2009), networks evolved by tournaments: every number of an evolution, and whose it is.

The text leaves open what decides most: how outputs are read, how parents are weighted, how blinds rise.
G. Nicolai's thesis of 2008 (*thesis*) tells of the same experiments, with the same ranks, and so does a paper
of 2010 (*sequel*): the defaults are theirs, and what they leave open is ours. `EARLIER` has what we took
before we had read them. None of these values was chosen by the ranks that the paper prints.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from pokerlab.core import Checked, setting
from pokerlab.core.settings import same_as, seed_setting, sized
from pokerlab.evolution.population.hall import ONE_BY_ONE, PAIRINGS, STARTS
from pokerlab.evolution.population.variation import (
    BIASES,
    EXPONENTIAL,
    LARGEST_RATE,
    LEAST_RATE,
    PARENTS,
)
from pokerlab.evolution.population.worth import AMONG
from pokerlab.holdem import Aggressiveness, Schedule, TableNetwork, doubling, ladder, no_limit
from pokerlab.holdem.hand import MOST_SEATS
from pokerlab.holdem.tournament_game import FORMS, HANDS_A_LEVEL, SMALLEST_BROKEN

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
        needs=lambda config: config.populations > 1 and config.worth == SURVIVAL,
    )
    worth: str = setting(
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
        "|N(1, spread)| over their sum, (1 + N(0, 1)) / 2 each, N(0, 1) each, or U(0, 1) over their sum.",
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
        "New random networks, copies of the first generation, or nobody.",
        label="Hall at first",
        source="sequel 4.5.1: elites enter until it is full",
        choices=STARTS,
    )
    hall_pairing: str = of_elites(
        ONE_BY_ONE,
        "The best elite against the lowest member and so on, against all of the lowest, or one by one.",
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
    recent: str = of_impressions("recent")
    window: int = of_impressions("window")
    kept: bool = of_impressions("kept")
    hidden: int = of_network("hidden")
    biases: bool = of_network("biases", source="thesis 4.1.2: 825 weights")
    sigmoid_inputs: bool = of_network(
        "sigmoid_inputs", source="thesis 4.1.2: inputs pass unchanged"
    )
    last_input: str = of_network(
        "last_input", source="thesis, table 4.1, and sequel, table 1: position"
    )
    scale: str = of_network(
        "scale", default="as they are", source="thesis 4.1.2: inputs pass unchanged"
    )
    opponents: str = of_network("opponents", source="thesis, table 4.1, and sequel, table 1")
    against: str = of_network(
        "against",
        default="all hands",
        source="thesis, table 4.1: that many opponents; the power is our reading of 4.1.3.4",
    )
    ties: str = of_network("ties")
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
