"""The rows of the table: tasks, games, who takes part, and the goals that pokerlab set itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field

LITEEFG, OPENSPIEL, POKERLAB = "LiteEFG", "OpenSpiel", "pokerlab"
PEERS = (LITEEFG, OPENSPIEL)
SVAL, PHEVALUATOR, RLCARD, POKERKIT = "sval", "phevaluator", "rlcard", "pokerkit"
HOLDEM_PEERS = (SVAL, PHEVALUATOR, RLCARD, POKERKIT)
MODULES = {
    POKERLAB: "tests.benchmarks.pokerlab_side",
    LITEEFG: "tests.benchmarks.peers.liteefg_peer",
    OPENSPIEL: "tests.benchmarks.peers.openspiel_peer",
    SVAL: "tests.benchmarks.peers.sval_peer",
    PHEVALUATOR: "tests.benchmarks.peers.phevaluator_peer",
    RLCARD: "tests.benchmarks.peers.rlcard_peer",
    POKERKIT: "tests.benchmarks.peers.pokerkit_peer",
}
GAMES = {
    "kp2": "KP(2)",
    "kp3": "KP(3)",
    "kp4": "KP(4)",
    "kp5": "KP(5)",
    "kp6": "KP(6)",
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
TARGETS = (1e-2, 1e-3, 1e-6)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One quantity in one game.

    Attributes
    ----------
    what : str
        The quantity, in words.
    task, game : str
        What a contestant is asked.
    peers : tuple of str
        Who is asked besides pokerlab.
    faster : mapping
        Goal by peer: at least so many times faster.
    within : float
        Goal in seconds; with `against`, the goal of the ratio.
    below_bytes : float
        Goal in bytes, for the most memory that the process held.
    against : str
        Another task of pokerlab, by whose time this row's is divided.
    targets : tuple of float
        NashConvs on the way to an equilibrium; the time to each of them is told.
    fresh : bool
        Ask a new process each round, for what happens once in a process.
    smoke : bool
        Part of the short run without peers.
    """

    what: str
    task: str
    game: str = ""
    peers: tuple[str, ...] = ()
    faster: Mapping[str, float] = field(default_factory=dict)
    within: float | None = None
    below_bytes: float | None = None
    against: str = ""
    targets: tuple[float, ...] = ()
    fresh: bool = False
    smoke: bool = False

    @property
    def where(self) -> str:
        """The game as a reader knows it; nothing where no game takes part."""
        return GAMES.get(self.game, "")


def against_peers(what: str, task: str, goals: Mapping[str, Mapping[str, float]]) -> list[Row]:
    """Return a row for each game of `goals`: how many times faster pokerlab means to be."""
    return [
        Row(what=what, task=task, game=game, peers=PEERS, faster=faster, smoke=game == "kp2")
        for game, faster in goals.items()
    ]


def goal(liteefg: float, openspiel: float | None = None) -> Mapping[str, float]:
    """Return goals by peer."""
    return {LITEEFG: liteefg} | ({} if openspiel is None else {OPENSPIEL: openspiel})


PER_ITERATION = [
    *against_peers(
        "CFR, an iteration",
        "cfr",
        {
            "kp2": goal(15, 50),
            "kp3": goal(12, 50),
            "kp4": goal(12, 50),
            "leduc": goal(30, 50),
        },
    ),
    *against_peers("CFR+, an iteration", "cfr_plus", {"kp2": goal(25, 50), "leduc": goal(40, 50)}),
    *against_peers(
        "NashConv of a profile", "nash_conv", {"kp2": goal(2), "kp3": goal(4), "leduc": goal(10)}
    ),
]

SOLVING = [
    Row(
        what="to NashConv 0.001",
        task="to_1e-3",
        game="leduc",
        peers=PEERS,
        within=0.010,
        smoke=True,
    ),
    Row(what="to NashConv 0.0001", task="to_1e-4", game="leduc", peers=PEERS, within=0.040),
    Row(
        what="linear program",
        task="linear_program",
        game="leduc",
        peers=(OPENSPIEL,),
        within=0.060,
        smoke=True,
    ),
    Row(
        what="setting up the game",
        task="build",
        game="leduc",
        peers=PEERS,
        fresh=True,
        smoke=True,
    ),
]


def ways(game: str, cfr_plus_peers: tuple[str, ...]) -> list[Row]:
    """Return a row for each algorithm that goes all the way to an equilibrium of `game`."""
    algorithms = {
        "linear program": ("way_of_linear_program", (OPENSPIEL,)),
        "double oracle": ("way_of_double_oracle", ()),
        "parallel Nash memory": ("way_of_nash_memory", (OPENSPIEL,)),
        "CFR+": ("way_of_cfr_plus", cfr_plus_peers),
        "fictitious play": ("way_of_fictitious_play", (OPENSPIEL,)),
    }
    return [
        Row(
            what=what,
            task=task,
            game=game,
            peers=peers,
            targets=TARGETS,
            smoke=game == "leduc" and what in ("linear program", "double oracle"),
        )
        for what, (task, peers) in algorithms.items()
    ]


WAYS = [*ways("leduc", PEERS), *ways("six_paired", (OPENSPIEL,))]

ALONE = [
    *(
        Row(
            what="replicator step : CFR iteration",
            task="sfrd",
            game=game,
            against="cfr",
            within=1.3,
            smoke=game == "kp2",
        )
        for game in ("kp2", "kp3", "leduc")
    ),
    Row(what="NashConv of a profile", task="nash_conv", game="kp6", within=0.060),
    Row(what="NashConv of a profile", task="nash_conv", game="leduc3", within=0.020),
    Row(
        what="150 rounds of the Nash memory",
        task="memory_rounds",
        game="six_ranks",
        within=0.5,
        smoke=True,
    ),
    *(
        Row(
            what="compiling the game",
            task="build",
            game=game,
            fresh=True,
            within=30.0,
            below_bytes=1e9,
        )
        for game in ("kp6", "leduc3")
    ),
    Row(what="import pokerlab", task="import", within=0.5, smoke=True),
    Row(what="first solve", task="first_solve", within=0.5, smoke=True),
    Row(what="first solve, nothing compiled", task="first_solve_empty_cache", within=6.0),
]

SCALE = [Row(what="CFR, an iteration", task="cfr", game=f"kp{players}") for players in range(2, 7)]
