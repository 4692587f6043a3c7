"""Duplicate tables: agents meet, every one in every seat, with the same cards; as long as it takes.

Beside a champion sit five agents that play by rote, and three of the paper before. The paper has Random and Folder
fold "at each decision point", and does not say by how much Random, Raiser and CallOrRaise raise. By G. Nicolai's
thesis (5.1.1) Folder checks where that is free, and raises are small, medium and large alike, as networks make them.
OldBest, OldScratch and OldStart, the agents of Beattie et al. (2007), were evolved anew, once, and are kept. All
three are matrices over hand strength and cost. OldStart is an expert's head start as it stands; OldBest is the best
evolved from it, OldScratch the best evolved from uniform weights.

Ranks within a population cannot show progress: its mean rank is the same in every generation. So champions of several
generations meet in pairs: who loses to its own ancestors has forgotten something. And a network has learned to look
at its cards only if it plays otherwise once it cannot see them: inputs are held still.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from pokerlab.core import Checked, ShapeError, UnknownNameError, setting, stream
from pokerlab.core.arrays import Bools, Floats, Ints, freeze
from pokerlab.core.kept import Kept
from pokerlab.core.settings import same_as, seed_setting, unprinted, whole
from pokerlab.evolution.population.parts import Genomes, PlayerEncoding
from pokerlab.holdem import (
    Aggressiveness,
    CompiledPlayer,
    MatrixEncoding,
    Placed,
    TableNetwork,
    inputs_at,
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
from pokerlab.metrics import PairedSums, holm
from pokerlab.papers.experiment import RUNS, part
from pokerlab.papers.nicolai2009.config import EARLIER, Config, blinds_of

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
    recent: str = same_as(Config, "recent")
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


def seen(
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


def held(
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
