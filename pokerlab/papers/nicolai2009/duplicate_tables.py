"""Duplicate tables: nine agents meet, every one in every seat, with the same cards; as long as it takes.

The paper evaluates each champion by 100,000 of them, against the eight other agents. That is 900,000
tournaments, so they are played in batches, and what is finished can be kept in a file. Only sums of whole numbers are
kept, so that batches leave no trace in the results.
"""

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from pokerlab.core import CheckpointError, SettingError, check_settings, setting, stream
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.settings import same_as, seed_setting, whole
from pokerlab.core.workers import share_of
from pokerlab.holdem import Aggressiveness, CompiledPlayer, Placed, tournament
from pokerlab.holdem.cards.deck import STREETS
from pokerlab.holdem.table.players import AMOUNTS, DRAWN
from pokerlab.holdem.table.steps import KINDS_OF_ACTION
from pokerlab.metrics import PairedSums
from pokerlab.metrics.paired import PairedTests
from pokerlab.papers.nicolai2009.config import EARLIER, Config, blinds_of
from pokerlab.papers.nicolai2009.opponents import panel
from pokerlab.runs.kept import Kept, claim
from pokerlab.runs.provenance import made_with, plain

NUM_SEATS = 9
OWN_NUMBERS = ("squared_ranks", "actions", "hands_dealt", "hands_won", "hands", "unfinished")
HALVES = 2
"""Ranks are whole or, where an even number share a place, end in a half: they are counted in halves."""
MOST_DUPLICATES = 10**7
BATCH = 1000
"""Duplicate tables between two savings."""
FORMAT = "pokerlab evaluation 1"
SEATINGS = ("drawn", "as given")
WATCHED = ("score", "raised", "recent", "window")
"""What decides how aggressive players seem to each other."""


@dataclass(frozen=True, kw_only=True)
class DuplicateTables:
    """What champions are evaluated by; what the paper leaves out, G. Nicolai's thesis tells (see `Config`)."""

    duplicates: int = setting(
        100_000,
        label="Duplicate tables",
        help="Each is nine tournaments with the same cards, one for each seat.",
        source="section IV.A",
        log=(2, MOST_DUPLICATES),
    )
    stacks: int = same_as(Config, "stacks")
    blinds: str = same_as(Config, "blinds")
    small_blind: int = same_as(Config, "small_blind")
    hands_a_level: int = same_as(Config, "hands_a_level")
    free_folds: bool = setting(
        False,
        label="Folds for free",
        help="Whether a player may fold where it could check.",
        source="thesis 5.1.1.2: Folder checks; that Random does is our reading",
    )
    raises: str = setting(
        AMOUNTS[DRAWN],
        label="Raises of agents by rote",
        help="By how much Random, Raiser and CallOrRaise raise; amounts of a range are equally likely.",
        source="thesis 5.1.1: small, medium and large alike, as networks do; Random's are our reading",
        choices=AMOUNTS,
        silent=True,
    )
    seating: str = setting(
        SEATINGS[0],
        label="Order of the seats",
        help="Drawn for each duplicate table, or always as the agents are given.",
        source="ours",
        choices=SEATINGS,
        silent=True,
    )
    score: str = same_as(Config, "score")
    raised: str = same_as(Config, "raised")
    recent: str = same_as(Config, "recent")
    window: int = same_as(Config, "window")
    seed: int = seed_setting("Decides cards, luck and seats.")

    def __post_init__(self) -> None:
        check_settings(self)

    def lineups(self, first: int, count: int) -> Ints:
        """Return who has which seat in the first rotation, (count, 9), from duplicate `first` on."""
        if self.seating == SEATINGS[1]:
            return np.tile(np.arange(NUM_SEATS), (count, 1))
        numbers = range(first, first + count)
        return np.array([stream(self.seed, "seats", k).permutation(NUM_SEATS) for k in numbers])

    def play(self, players: Sequence[CompiledPlayer], lineups: ArrayLike, **how: Any) -> Placed:
        """Play a tournament for each line-up, (T, n), or n; `how` is `duplicates`, and as for `Tournament.play`."""
        entrants, duplicates = np.shape(lineups)[1], how.pop("duplicates", False)
        blinds = blinds_of(self, entrants, free_folds=self.free_folds)
        known = Aggressiveness(**{name: getattr(self, name) for name in WATCHED})
        given: dict[str, Any] = {"stacks": self.stacks, "aggressiveness": known}
        game = tournament(blinds, entrants, duplicates=duplicates, **given)
        return game.play(players, lineups, seed=self.seed, **how)


EARLIER_TABLES: Mapping[str, Any] = {
    **{name: EARLIER[name] for name in ("blinds", "hands_a_level", "raised")},
    "free_folds": True,
    "raises": AMOUNTS[0],
}
"""The evaluation by the reading 'earlier defaults'."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Evaluation:
    """What nine agents did at duplicate tables; + joins batches.

    Attributes
    ----------
    names : tuple of str
        The agents', the champion first.
    ranks : PairedSums
        Of the mean rank over the nine rotations of a duplicate table.
    wins : PairedSums
        Of the share of those nine tournaments that each won alone.
    squared_ranks : ndarray of int64, shape (9,)
        The sum of squares of the ranks in single tournaments, in quarters.
    actions : ndarray of int64, shape (9, 4, 4)
        How often each, on each street, did each of fold, check, call and raise.
    hands_dealt, hands_won : ndarray of int64, shape (9,)
        Hands that each took part in, and those in which it won chips.
    hands, unfinished : ndarray of int64, shape ()
        Hands in all, each counted once for a table; tournaments stopped before one agent had all chips.
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
    def of(cls, placed: Placed, names: tuple[str, ...]) -> "Evaluation":
        """Return what came of duplicate tables at which all nine played, with ranks (T, 9, 9)."""
        halves = np.rint(HALVES * placed.ranks).astype(np.int64)
        return cls(
            names=names,
            ranks=PairedSums.of(seated(placed, halves.sum(axis=1)), HALVES * NUM_SEATS),
            wins=PairedSums.of(seated(placed, (halves == HALVES).sum(axis=1)), NUM_SEATS),
            squared_ranks=seated(placed, (halves**2).sum(axis=1)).sum(axis=0),
            actions=placed.actions,
            hands_dealt=seated(placed, placed.lasted.sum(axis=1)).sum(axis=0),
            hands_won=seated(placed, placed.won.sum(axis=1)).sum(axis=0),
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
    def none(cls, names: tuple[str, ...]) -> "Evaluation":
        """Return the evaluation of agents that have not played."""
        nothing = np.zeros(NUM_SEATS, np.int64)
        return cls(
            names=names,
            ranks=PairedSums.none(NUM_SEATS, HALVES * NUM_SEATS),
            wins=PairedSums.none(NUM_SEATS, NUM_SEATS),
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

    def tests(self) -> PairedTests:
        """Return the two-tailed paired t-tests of all 36 pairs, with Holm's correction."""
        return self.ranks.tests()


def seated(placed: Placed, numbers: Ints) -> Ints:
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
    workers: int = 1,
    client: Any = None,
    progress: bool = True,
) -> Evaluation:
    """Return how a champion, who has the first place, fares against eight others at duplicate tables.

    Parameters
    ----------
    champion : CompiledPlayer
        Such as a network from `TableNetwork().players(genome, ["Control"])`.
    others : mapping of CompiledPlayer, optional
        Eight others by name; `panel`, with the tables' `raises`, if not given.
    tables : DuplicateTables
        How many, and how they are played.
    file : path, optional
        Where to keep what is finished, after each batch. The same call goes on from there, also with
        more duplicate tables.
    batch : int
        Duplicate tables at a time; results do not depend on it.
    workers : int
        Threads, 1 to 256; results do not depend on it.
    client : distributed.Client or str, optional
        A cluster that plays each batch instead, or the address of its scheduler.
    progress : bool
        Whether to show what is done and how long the rest will take.

    Raises
    ------
    SettingError
        If there are not eight others by different names, somebody is no compiled player, or a number is out of range.
    CheckpointError
        If the file keeps another evaluation or more tables, or another process is at work on it.
    FileFormatError
        If the file is damaged, or the old agents of `panel()` were not recorded.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL
    >>> from pokerlab.papers.nicolai2009.opponents import static_agents
    >>> from pokerlab.strategies import MatrixEncoding
    >>> (expert,) = MatrixEncoding().players(MatrixEncoding().head_start(), ["expert"])
    >>> others = static_agents() | {f"caller {k}": ALWAYS_CALL for k in range(3)}
    >>> tables = DuplicateTables(duplicates=20, seed=1)
    >>> found = evaluate(expert, others, tables=tables, progress=False)
    >>> round(sum(found.mean_rank.values()), 6), found.first_places["Folder"]
    (45.0, 0.0)
    """
    whole("batch", batch, 1, MOST_DUPLICATES)
    share = share_of(workers, client)
    met = panel(tables.raises) if others is None else others
    names = check_agents(champion, met)
    players = [champion, *met.values()]
    about = {
        "tables": {name: value for name, value in plain(tables).items() if name != "duplicates"},
        "agents": {name: digest(player) for name, player in zip(names, players, strict=True)},
    }

    def part(low: int, high: int) -> Evaluation:
        lineups = tables.lineups(low, high - low)
        return Evaluation.of(tables.play(players, lineups, first=low, duplicates=True), names)

    done = Evaluation.none(names)
    with ExitStack() as stack:
        if file is not None:
            stack.callback(claim(Path(file)).release)
            if Path(file).exists():
                kept = Kept.load(file, FORMAT, like=about, names=list)
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
            done = sum(share(part, first, min(first + batch, tables.duplicates)), done)
            if file is not None:
                said = {"format": FORMAT, **about, "names": names, "made_with": made_with()}
                Kept(said, done.arrays()).save(file)
            bar.update(done.duplicates - first)
    return done


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
                " TableNetwork().players(genome)[0]."
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


def digest(player: CompiledPlayer) -> str:
    """Return the beginning of a SHA-256 of what answers for a player, and of its numbers."""
    numbers = np.ascontiguousarray(player.parameters)
    answer = getattr(player.answer, "__qualname__", player.answer)
    text = f"{type(answer).__name__} {answer} {numbers.dtype} {numbers.shape}"
    return hashlib.sha256(text.encode() + numbers.tobytes()).hexdigest()[:16]
