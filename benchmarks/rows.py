"""The rows of the report: tasks, games, who takes part, and the goals that pokerlab set itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field

LITEEFG, OPENSPIEL, POKERLAB = "LiteEFG", "OpenSpiel", "pokerlab"
SVAL, PHEVALUATOR, RLCARD, POKERKIT = "sval", "phevaluator", "rlcard", "pokerkit"
MODULES = {POKERLAB: "benchmarks.pokerlab_side"} | {
    name: f"benchmarks.peers.{name.lower()}_peer"
    for name in (LITEEFG, OPENSPIEL, SVAL, PHEVALUATOR, RLCARD, POKERKIT)
}
SOLVERS, TABLES = (LITEEFG, OPENSPIEL), (OPENSPIEL, RLCARD, POKERKIT)
GAMES = {
    **{f"kp{players}": f"KP({players})" for players in range(2, 8)},
    **{f"one_card_{ranks}": f"{ranks}-card poker" for ranks in (200, 1000)},
    "leduc": "Leduc",
    "leduc3": "Leduc, 3 players",
    "six_ranks": "6 cards, ranks",
    "six_paired": "6 cards, paired",
    "in_cache": "8,192 hands, in cache",
    "in_memory": "1,000,000 hands, in memory",
    "six_seats": "no-limit, six seats",
    "heads_up": "limit, heads-up",
    "ten_seats": "limit, ten seats",
}
OPENSPIEL_NAME = {f"kp{n}": f"kuhn_poker(players={n})" for n in range(2, 6)} | {
    "leduc": "leduc_poker(players=2)",
    "leduc3": "leduc_poker(players=3)",
}
TARGETS = (1e-2, 1e-3, 1e-6)
SMOKE = {
    "": ("starting_hands", "everybody", "showdowns", "pairs_compiled", "import", "first_solve"),
    "kp2": ("cfr", "cfr_plus", "nash_conv", "sfrd"),
    "kp4": ("build",),
    "leduc3": ("build",),
    "one_card_200": ("cfr", "build"),
    "leduc": (
        *("to_1e-3", "linear_program", "build"),
        *("way_of_linear_program", "way_of_double_oracle"),
    ),
    "six_ranks": ("memory_rounds",),
    "in_cache": ("strength", "strength_from_keys"),
    "six_seats": ("hands", "hands_by_networks"),
    "heads_up": ("hands", "hands_by_rules", "hands_by_rules_in_python"),
}
"""The tasks of the short run without peers, by game."""


@dataclass(frozen=True)
class Row:
    """One quantity in one game, who is asked besides pokerlab, and pokerlab's goals."""

    what: str
    task: str
    game: str = ""
    peers: tuple[str, ...] = ()
    faster: Mapping[str, float] = field(default_factory=dict)  # at least so many times, by peer
    within: float | None = None  # seconds, or with `against` the ratio
    below_bytes: float | None = None  # the most memory that the process held
    against: str = ""  # another task of pokerlab, by whose time this row's is divided
    targets: tuple[float, ...] = ()  # NashConvs on the way; the time to each of them is told
    fresh: bool = False  # a new process each round, for what happens once in a process

    @property
    def where(self) -> str:
        """The game as a reader knows it; nothing where no game takes part."""
        return GAMES.get(self.game, "")

    @property
    def smoke(self) -> bool:
        """Whether it is part of the short run without peers."""
        return self.task in SMOKE.get(self.game, ())


def against_solvers(what: str, task: str, goals: Mapping[str, tuple[float, ...]]) -> list[Row]:
    """Return a row for each game: how many times faster than `SOLVERS` pokerlab means to be."""
    return [
        Row(what, task, game, SOLVERS, dict(zip(SOLVERS, faster, strict=False)))
        for game, faster in goals.items()
    ]


STRENGTH = {
    ("strength of 7 cards", "strength"): {SVAL: 1.4, PHEVALUATOR: 30},
    ("strength of 7 cards, from prebuilt keys", "strength_from_keys"): {SVAL: 2.4},
}
HANDS = {OPENSPIEL: 60, RLCARD: 600, POKERKIT: 5000}
RULES, IN_PYTHON = "a hand of rule genomes", "all of Python"
NETWORKS = "a hand of networks"
SETTING_UP = "setting up the game"

COMPARED = [
    *against_solvers(
        "CFR, an iteration",
        "cfr",
        {"kp2": (15, 50), "kp3": (12, 50), "kp4": (12, 50), "leduc": (30, 50)},
    ),
    *against_solvers("CFR+, an iteration", "cfr_plus", {"kp2": (25, 50), "leduc": (40, 50)}),
    *against_solvers(
        "NashConv of a profile", "nash_conv", {"kp2": (2,), "kp3": (4,), "leduc": (10,)}
    ),
    Row("to NashConv 0.001", "to_1e-3", "leduc", SOLVERS, within=0.010),
    Row("to NashConv 0.0001", "to_1e-4", "leduc", SOLVERS, within=0.040),
    Row("linear program", "linear_program", "leduc", (OPENSPIEL,), within=0.060),
    Row(SETTING_UP, "build", "kp4", SOLVERS, fresh=True),
    Row(SETTING_UP, "build", "leduc", SOLVERS, {OPENSPIEL: 0.33}, fresh=True),
    Row(SETTING_UP, "build", "leduc3", (OPENSPIEL,), within=3.0, below_bytes=0.5e9, fresh=True),
    *(
        Row(*named, game, tuple(goals), goals)
        for named, goals in STRENGTH.items()
        for game in ("in_cache", "in_memory")
    ),
    Row("strength of 7 cards, cards checked", "strength_checked", "in_memory", (PHEVALUATOR,)),
    Row("a whole hand", "hands", "six_seats", TABLES, HANDS, within=1 / 2e6),
    Row("a whole hand", "hands", "heads_up", TABLES, HANDS, within=1 / 6e6),
    Row(RULES, "hands_by_rules", "ten_seats", (OPENSPIEL, POKERKIT)),
    Row(RULES, "hands_by_rules", "heads_up", TABLES),
    Row(f"{RULES}, {IN_PYTHON}", "hands_by_rules_in_python", "ten_seats", (OPENSPIEL, POKERKIT)),
    Row(f"{RULES}, {IN_PYTHON}", "hands_by_rules_in_python", "heads_up", TABLES),
    Row(NETWORKS, "hands_by_networks", "six_seats", TABLES),
    Row(f"{NETWORKS}, {IN_PYTHON}", "hands_by_networks_in_python", "six_seats", TABLES),
]

WAYS = [
    Row(what, task, game, peers, targets=TARGETS)
    for game, cfr_plus_peers in {"leduc": SOLVERS, "six_paired": (OPENSPIEL,)}.items()
    for what, task, peers in (
        ("linear program", "way_of_linear_program", (OPENSPIEL,)),
        ("double oracle", "way_of_double_oracle", ()),
        ("parallel Nash memory", "way_of_nash_memory", (OPENSPIEL,)),
        ("CFR+", "way_of_cfr_plus", cfr_plus_peers),
        ("fictitious play", "way_of_fictitious_play", (OPENSPIEL,)),
    )
]

BY_CARDS = {
    "kp5": 100e-6,
    "kp6": 600e-6,
    "kp7": 4e-3,
    "one_card_200": 5e-6,
    "one_card_1000": 25e-6,
}
"""The games by cards, with the goal for an iteration of CFR."""

ALONE = [
    *(
        Row("replicator step : CFR iteration", "sfrd", game, against="cfr", within=1.3)
        for game in ("kp2", "kp3", "leduc")
    ),
    Row("NashConv of a profile", "nash_conv", "kp6", within=0.060),
    Row("NashConv of a profile", "nash_conv", "leduc3", within=0.020),
    Row("150 rounds of the Nash memory", "memory_rounds", "six_ranks", within=0.5),
    *(
        Row("CFR by cards, an iteration", "cfr", game, within=goal)
        for game, goal in BY_CARDS.items()
    ),
    *(
        Row("setting up the game by cards", "build", game, fresh=True, within=0.05, below_bytes=1e9)
        for game in BY_CARDS
    ),
    Row("import pokerlab", "import", within=0.5),
    Row("first solve", "first_solve", within=0.5),
    Row("first solve, nothing compiled", "first_solve_empty_cache", within=6.0),
    Row("all 133,784,560 hands of 7 counted", "all_hands", within=0.25),
    Row("equity of all starting hands", "starting_hands", within=0.7),
    Row("equity of all holdings on all flops", "flops", within=7.0),
    Row("equity of all holdings on all turns", "turns", within=3.0),
    Row("equity of all holdings on a river", "everybody", within=4e-6),
    Row("two hands before the flop on all 1,712,304 boards", "showdowns", within=1e-3),
    Row("a hand of players at a table", "hands_of_players", "six_seats"),
    Row("a hand of players at a table", "hands_of_players", "heads_up"),
    Row("a hand at 200 tables of ten out of 100 players", "hands_at_many_tables", within=5e-6),
    *(
        Row(f"a decision of {what}, table and all", f"decisions_{task}", within=goal)
        for what, task, goal in (
            ("a rule genome, ten seats", "by_rules", 180e-9),
            ("a random network, six seats, nobody watched", "by_six_networks", 500e-9),
            ("an evolved network, ten seats, all watched", "by_ten_networks", 500e-9),
            ("an evolved network among 1,000 entrants, all watched", "in_a_tournament", 500e-9),
            ("a random network among 1,000 entrants, all watched", "in_a_first_tournament", 500e-9),
        )
    ),
    Row("exploitability of a tuple table, six buckets", "bucketed_exploitability", within=0.5e-3),
    Row("exploitability of a profile by decision, six buckets", "bucketed_by_decision"),
    Row("gradient of a tuple table's exploitability", "bucketed_slope"),
    Row("CFR in six buckets, an iteration", "bucketed_cfr"),
    Row("CFR+ in six buckets, to NashConv 0.01", "bucketed_cfr_to_1e-2", within=60.0),
    Row("exploitability descent to 0.26", "bucketed_descent", within=5.0),
    Row("an evolution of 16 x 200 tuple tables", "bucketed_evolution", within=5.0),
    Row("local best response, a deal in both seats", "local_best_response", within=0.01),
    Row(
        "all pairs of 100 in a compiled contest : a bare double loop",
        "pairs_compiled",
        against="double_loop",
        within=1.3,
    ),
    *(
        Row(
            "all pairs of 100, genomes and all : two sparse products",
            "pairs_computed",
            game,
            against="sparse_products",
        )
        for game in ("kp2", "leduc")
    ),
    Row("a meeting in Python that does nothing", "pairs_in_python", within=3e-6),
    Row("compiling hold'em, nothing compiled", "compile_holdem", within=20.0),
    Row("loading compiled hold'em", "compiled_holdem", within=1.0),
    Row("compiling all of pokerlab, nothing compiled", "compile_all"),
    Row("loading all of pokerlab, compiled", "compiled_all"),
]

SCALE = [Row("CFR, an iteration", "cfr", game) for game in ("kp2", "kp3", "kp4", "leduc", "leduc3")]
