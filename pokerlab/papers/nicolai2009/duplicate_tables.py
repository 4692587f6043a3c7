"""Duplicate tables: nine agents meet, every one in every seat, with the same cards; as long as it takes.

The paper evaluates each champion by 100,000 of them, against the eight other agents. That is 900,000
tournaments, so they are played in batches, and what is finished can be kept in a file.
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
from pokerlab.core.arrays import Ints
from pokerlab.core.settings import same_as, seed_setting, whole
from pokerlab.core.workers import share_of
from pokerlab.holdem import Aggressiveness, CompiledPlayer, Placed, play_tournaments
from pokerlab.holdem.table.players import AMOUNTS, DRAWN
from pokerlab.holdem.table.steps import Watcher
from pokerlab.papers.nicolai2009.config import EARLIER, Config, blinds_of
from pokerlab.papers.nicolai2009.evaluation import NUM_SEATS, Evaluation
from pokerlab.papers.nicolai2009.opponents import panel
from pokerlab.runs.kept import Kept, check_identity, claim
from pokerlab.runs.provenance import made_with, plain

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

    def play(
        self,
        players: Sequence[CompiledPlayer],
        lineups: ArrayLike,
        *,
        first: int = 0,
        duplicates: bool = False,
        record: bool = False,
        watchers: Sequence[Watcher] = (),
        workers: int = 1,
    ) -> Placed:
        """Play a tournament at one table for each line-up, (T, n), or n with the same cards.

        Parameters are those of `pokerlab.holdem.play_tournaments`.
        """
        return play_tournaments(
            blinds_of(self, np.shape(lineups)[1], free_folds=self.free_folds),
            players,
            lineups,
            seed=self.seed,
            stacks=self.stacks,
            aggressiveness=Aggressiveness(**{name: getattr(self, name) for name in WATCHED}),
            first=first,
            duplicates=duplicates,
            record=record,
            watchers=watchers,
            workers=workers,
        )


EARLIER_TABLES: Mapping[str, Any] = {
    **{name: EARLIER[name] for name in ("blinds", "hands_a_level", "raised")},
    "free_folds": True,
    "raises": AMOUNTS[0],
}
"""The evaluation by the reading 'earlier defaults'."""


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
    """Return how a champion fares against eight others at duplicate tables.

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

    Returns
    -------
    Evaluation
        The champion has the first place.

    Raises
    ------
    SettingError
        If there are not eight others, two have one name, one is not a compiled player, a number is out
        of range, or there is no cluster.
    ClusterError
        If the cluster is lost; a file then keeps the batch before.
    CheckpointError
        If the file keeps another evaluation, or one with more duplicate tables, or another process
        is at work on it.
    StorageError
        If the file cannot be written; it then keeps the batch before.
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
    about = about_of(tables, names, players)

    def part(low: int, high: int) -> Evaluation:
        lineups = tables.lineups(low, high - low)
        return Evaluation.of(tables.play(players, lineups, first=low, duplicates=True), names)

    done = Evaluation.none(names)
    with ExitStack() as stack:
        if file is not None:
            stack.callback(claim(Path(file)).release)
            done = read(Path(file), about) if Path(file).exists() else done
        if done.duplicates > tables.duplicates:
            raise CheckpointError(
                f"{file} keeps {done.duplicates:,} duplicate tables; asked for are {tables.duplicates:,}."
                " Ask for as many or more, or choose another file."
            )
        every = {"total": tables.duplicates, "initial": done.duplicates, "unit": " tables"}
        bar = stack.enter_context(tqdm(**every, disable=not progress))
        while done.duplicates < tables.duplicates:
            first = done.duplicates
            done = sum(share(part, first, min(first + batch, tables.duplicates)), done)
            if file is not None:
                write(Path(file), about, done)
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
        raise SettingError(
            f"the champion has the name '{champion.name}' of one of the others; give it another."
        )
    return (champion.name, *others)


def about_of(
    tables: DuplicateTables, names: Sequence[str], players: Sequence[CompiledPlayer]
) -> dict[str, Any]:
    """Return what decides an evaluation: the settings but for how many, and a digest of each agent."""
    settings = {name: value for name, value in plain(tables).items() if name != "duplicates"}
    agents = {name: digest(player) for name, player in zip(names, players, strict=True)}
    return {"tables": settings, "agents": agents}


def digest(player: CompiledPlayer) -> str:
    """Return the beginning of a SHA-256 of what answers for a player, and of its numbers."""
    numbers = np.ascontiguousarray(player.parameters)
    answer = getattr(player.answer, "__qualname__", player.answer)
    text = f"{type(answer).__name__} {answer} {numbers.dtype} {numbers.shape}"
    return hashlib.sha256(text.encode() + numbers.tobytes()).hexdigest()[:16]


def write(path: Path, about: Mapping[str, Any], done: Evaluation) -> None:
    """Keep an evaluation, whole or not at all."""
    wanted = {"format": FORMAT, **about, "names": done.names, "made_with": made_with()}
    Kept(wanted, done.arrays()).save(path)


def read(path: Path, about: dict[str, Any]) -> Evaluation:
    """Return the evaluation that a file keeps, once it is of these agents and settings."""
    found, arrays = Kept.load(path, FORMAT)
    check_identity(path, found, about)
    return Evaluation.from_arrays(tuple(found["names"]), arrays)
