"""How a champion fares among nine at duplicate tables, played in batches, and kept in a file.

The paper plays 100,000 of them for each champion, 900,000 tournaments. Only sums of whole numbers are kept, so that
batches leave no trace in the results.
"""

import hashlib
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from pokerlab.core import CheckpointError, SettingError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.saved_files import SavedFile, acquire_lock
from pokerlab.core.settings import checked_integer
from pokerlab.core.workers import choose_work_divider
from pokerlab.evolution.population.protocol import KINDS_OF_ACTION, Genomes, PlayerEncoding
from pokerlab.holdem import CompiledPlayer
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.tournament_game import TournamentResult
from pokerlab.metrics import PairedSums
from pokerlab.metrics.paired_comparison import PairedTests
from pokerlab.papers.nicolai2009 import HALVES, MOST_DUPLICATES, NUM_SEATS, DuplicateTables
from pokerlab.papers.nicolai2009_agents import make_panel
from pokerlab.runs.history import convert_to_json_value, describe_versions

OWN_NUMBERS = ("squared_ranks", "actions", "hands_dealt", "hands_won", "hands", "unfinished")
BATCH = 1000
"""Duplicate tables between two savings."""
FORMAT = "pokerlab evaluation 1"


@dataclass(frozen=True, eq=False, kw_only=True)
class Evaluation:
    """What nine agents did at duplicate tables, the champion first; + joins batches.

    Sums over duplicate tables of mean ranks and of shares of tournaments won, of squares of single ranks in
    quarters, (9,), and of actions, (9, 4, 4), by street and kind; hands that each took part in, and in which it won
    chips, (9,); hands of all tables, and tournaments stopped before one agent had all chips.
    """

    names: tuple[str, ...]
    ranks: PairedSums
    wins: PairedSums
    squared_ranks: Ints
    actions: Ints
    hands_dealt: Ints
    hands_won: Ints
    hands: Ints
    unfinished: Ints

    @classmethod
    def from_places(cls, placed: TournamentResult, names: tuple[str, ...]) -> "Evaluation":
        """Return what came of duplicate tables at which all nine played, with ranks (T, 9, 9)."""
        halves = np.rint(HALVES * placed.ranks).astype(np.int64)
        return cls(
            names=names,
            ranks=PairedSums.from_trials(
                order_by_player(placed, halves.sum(axis=1)), HALVES * NUM_SEATS
            ),
            wins=PairedSums.from_trials(
                order_by_player(placed, (halves == HALVES).sum(axis=1)), NUM_SEATS
            ),
            squared_ranks=order_by_player(placed, (halves**2).sum(axis=1)).sum(axis=0),
            actions=placed.actions,
            hands_dealt=order_by_player(placed, placed.rounds_played.sum(axis=1)).sum(axis=0),
            hands_won=order_by_player(placed, placed.won.sum(axis=1)).sum(axis=0),
            hands=np.array(placed.hands.sum()),
            unfinished=np.array((~placed.is_finished).sum()),
        )

    def __add__(self, other: "Evaluation") -> "Evaluation":
        if self.names != other.names:
            raise SettingError(
                f"evaluations of {', '.join(self.names)} and of {', '.join(other.names)} do not add up."
            )
        summed = ("ranks", "wins", *OWN_NUMBERS)
        sums: dict[str, Any] = {k: getattr(self, k) + getattr(other, k) for k in summed}
        return Evaluation(names=self.names, **sums)

    @classmethod
    def make_empty(cls, names: tuple[str, ...]) -> "Evaluation":
        """Return the evaluation of agents that have not played."""
        nothing = np.zeros(NUM_SEATS, np.int64)
        return cls(
            names=names,
            ranks=PairedSums.zeros(NUM_SEATS, HALVES * NUM_SEATS),
            wins=PairedSums.zeros(NUM_SEATS, NUM_SEATS),
            squared_ranks=nothing,
            actions=np.zeros((NUM_SEATS, len(STREETS), len(KINDS_OF_ACTION)), np.int64),
            hands_dealt=nothing,
            hands_won=nothing,
            hands=np.zeros((), np.int64),
            unfinished=np.zeros((), np.int64),
        )

    @classmethod
    def from_arrays(cls, names: tuple[str, ...], arrays: Mapping[str, Any]) -> "Evaluation":
        """Return the evaluation whose numbers `arrays` gave."""
        count = int(arrays["duplicates"])
        return cls(
            names=names,
            ranks=PairedSums(count, arrays["ranks"], arrays["rank_products"], HALVES * NUM_SEATS),
            wins=PairedSums(count, arrays["wins"], arrays["win_products"], NUM_SEATS),
            **{name: arrays[name] for name in OWN_NUMBERS},
        )

    def arrays(self) -> dict[str, Any]:
        """Return all numbers by name, as a file can keep them."""
        return {
            "duplicates": self.duplicates,
            "ranks": self.ranks.sums,
            "rank_products": self.ranks.products,
            "wins": self.wins.sums,
            "win_products": self.wins.products,
            **{name: getattr(self, name) for name in OWN_NUMBERS},
        }

    @property
    def duplicates(self) -> int:
        """T, how many duplicate tables were played."""
        return self.ranks.count

    @property
    def mean_rank(self) -> dict[str, float]:
        """Each agent's mean rank, 1 to 9, by name."""
        return self.by_name(self.ranks.mean)

    @property
    def standard_deviation(self) -> dict[str, float]:
        """Of an agent's mean rank over the nine rotations of a duplicate table, by name."""
        return self.by_name(self.ranks.standard_deviation)

    @property
    def single_deviation(self) -> dict[str, float]:
        """The standard deviation of an agent's rank in one tournament, by name."""
        mean_square = self.squared_ranks / (HALVES**2 * NUM_SEATS * self.duplicates)
        return self.by_name(np.sqrt(mean_square - self.ranks.mean**2))

    @property
    def first_places(self) -> dict[str, float]:
        """The share of tournaments that an agent won, by name."""
        return self.by_name(self.wins.mean)

    @property
    def hands_won_share(self) -> dict[str, float]:
        """The share of its hands in which an agent won chips, by name."""
        return self.by_name(self.hands_won / self.hands_dealt)

    @property
    def action_shares(self) -> dict[str, Floats]:
        """How often an agent folds, checks, calls and raises, (4,), as shares of its decisions, by name."""
        counts = self.actions.sum(axis=1)
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        return dict(zip(self.names, shares, strict=True))

    @property
    def decisions_a_hand(self) -> float:
        """Decisions of all agents in a hand, on average."""
        return float(self.actions.sum() / self.hands)

    def by_name(self, numbers: Floats) -> dict[str, float]:
        """Return numbers of the nine agents by their names."""
        return dict(zip(self.names, numbers.tolist(), strict=True))

    def compute_t_tests(self) -> PairedTests:
        """Return the two-tailed paired t-tests of all 36 pairs, with Holm's correction."""
        return self.ranks.compute_t_tests()


def order_by_player(placed: TournamentResult, numbers: Ints) -> Ints:
    """Return numbers by place in the line-up, (T, 9), as numbers by player."""
    by_player = np.empty_like(numbers)
    np.put_along_axis(by_player, placed.lineups, numbers, axis=1)
    return by_player


def evaluate(
    champion: CompiledPlayer,
    others: Mapping[str, CompiledPlayer] | None = None,
    *,
    tables: DuplicateTables,
    file: str | Path | None = None,
    batch: int = BATCH,
    workers: Any = 1,
    progress: bool = True,
) -> Evaluation:
    """Return how a champion fares against eight others by name, `make_panel` if not given, at duplicate tables.

    With a `file`, which keeps what is finished after each `batch`, the same call goes on from there, also with
    more duplicate tables. No result depends on `batch` or `workers`.
    """
    checked_integer("batch", batch, 1, MOST_DUPLICATES)
    work_divider = choose_work_divider(workers)
    met = make_panel(tables.raises) if others is None else others
    names = check_agents(champion, met)
    players = [champion, *met.values()]
    about = {
        "tables": {
            name: value
            for name, value in convert_to_json_value(tables).items()
            if name != "duplicates"
        },
        "agents": {
            name: compute_digest(player) for name, player in zip(names, players, strict=True)
        },
    }

    def part(low: int, high: int) -> Evaluation:
        lineups = tables.make_lineups(low, high - low)
        return Evaluation.from_places(
            tables.play(players, lineups, first=low, duplicates=True), names
        )

    done = Evaluation.make_empty(names)
    with ExitStack() as stack:
        if file is not None:
            stack.callback(acquire_lock(Path(file)).release)
            if Path(file).exists():
                kept = SavedFile.load(file, FORMAT, like=about, names=list)
                done = Evaluation.from_arrays(tuple(kept.about["names"]), kept.arrays)
        if done.duplicates > tables.duplicates:
            raise CheckpointError(
                f"{file} keeps {done.duplicates:,} duplicate tables; asked for are {tables.duplicates:,}."
                " Ask for as many or more, or choose another file."
            )
        every = {"total": tables.duplicates, "initial": done.duplicates, "disable": not progress}
        bar = stack.enter_context(tqdm(**every, unit=" tables"))
        while done.duplicates < tables.duplicates:
            first = done.duplicates
            done = sum(work_divider(part, first, min(first + batch, tables.duplicates)), done)
            if file is not None:
                said = {"format": FORMAT, **about, "names": names, "made_with": describe_versions()}
                SavedFile(said, done.arrays()).save(file)
            bar.update(done.duplicates - first)
    return done


def rate_champions(
    encoding: PlayerEncoding,
    genomes: Genomes,
    others: Mapping[str, CompiledPlayer] | None = None,
    *,
    tables: DuplicateTables,
    workers: int = 1,
) -> list[Evaluation]:
    """Return how each of several champions, (C, G), fares against the same eight with the same cards."""
    return [
        evaluate(one, others, tables=tables, workers=workers, progress=False)
        for one in encoding.make_players(genomes)
    ]


def check_agents(champion: Any, others: Any) -> tuple[str, ...]:
    """Return the nine names, the champion's first, once they are nine players'."""
    if not isinstance(others, Mapping):
        raise SettingError(
            f"others are of type {type(others).__name__}; give {NUM_SEATS - 1} players by name, such as"
            " panel()."
        )
    for who, player in [("the champion", champion), *others.items()]:
        if not isinstance(player, CompiledPlayer):
            raise SettingError(
                f"{who} is of type {type(player).__name__}; give a compiled player, such as"
                " TableNetwork().make_players(genome)[0]."
            )
    if len(others) != NUM_SEATS - 1:
        raise SettingError(
            f"{len(others)} others are given: {', '.join(others)}. A champion is evaluated among"
            f" {NUM_SEATS - 1}; leave them out for the paper's, or give {NUM_SEATS - 1} by name."
        )
    if champion.name in others:
        name = champion.name
        raise SettingError(
            f"the champion has the name '{name}' of one of the others; give it another."
        )
    return (champion.name, *others)


def compute_digest(player: CompiledPlayer) -> str:
    """Return the beginning of a SHA-256 of what answers for a player, and of its numbers."""
    numbers = np.ascontiguousarray(player.parameters)
    function = player.decision_function
    name = getattr(function, "__qualname__", function)
    text = f"{type(name).__name__} {name} {numbers.dtype} {numbers.shape}"
    return hashlib.sha256(text.encode() + numbers.tobytes()).hexdigest()[:16]
