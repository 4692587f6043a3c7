"""Evaluations: how a champion and eight opponents fare at duplicate tables, and the file that keeps an evaluation.

Which of nine agents lasts longest in a tournament? A champion, its eight opponents, and settings of the tables go in;
an `Evaluation` comes out, with the mean ranks, wins and actions of all nine agents and with their errors.

At a *duplicate table* nine agents play nine tournaments with the same cards, called its *rotations*. In each rotation
every agent has another seat, so that each agent has each seat once. Nicolai & Hilderman (2009, section IV.A), *the
paper*, play 100,000 duplicate tables for each champion, which are 900,000 tournaments.

Tables are played in batches. An `Evaluation` holds only sums of whole numbers, which are exact. Therefore the result
does not depend on how the tables are divided into batches.
"""

import hashlib
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from pokerlab.core import CheckpointError, SettingError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.saved_files import SavedFile, acquire_file_lock
from pokerlab.core.settings import validate_integer
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

CHAMPION = 0
"""The index of the champion in every array of an `Evaluation`; its eight opponents have the indices 1 to 8."""
NUM_OPPONENTS = NUM_SEATS - 1
SUMMED_ARRAYS = ("squared_ranks", "actions", "hands_dealt", "hands_won", "hands", "unfinished")
"""The fields of an `Evaluation` that are plain arrays of sums."""
BATCH = 1000
"""The number of duplicate tables that are played before the results are saved."""
FORMAT = "pokerlab evaluation 1"
DIGEST_LENGTH = 16
"""The number of hexadecimal digits in the digest of a player."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Evaluation:
    """The results of a champion and its eight opponents at T duplicate tables, as exact sums over the tables.

    At a *duplicate table* nine agents play nine tournaments with the same cards, its *rotations*. In each rotation
    every agent has another seat. The operator + returns the results at the tables of both evaluations.

    Attributes
    ----------
    names : tuple of str
        The names of the nine agents, the champion's first. All arrays have the agents in this order.
    ranks : PairedSums
        The mean rank of each agent over the nine rotations of a table; a trial is a table.
    wins : PairedSums
        The share of the nine rotations of a table that each agent won; a trial is a table.
    squared_ranks : ndarray of int64, shape (9,)
        The sum over all tournaments of each agent's squared rank, in units of 1/4, because ranks are counted in halves.
    actions : ndarray of int64, shape (9, 4, 4)
        How often each agent took each kind of action (fold, check, call, raise; the last axis) on each street.
    hands_dealt, hands_won : ndarray of int64, shape (9,)
        The number of hands in which each agent had cards, and of those in which it won chips.
    hands : ndarray of int64, shape ()
        The number of hands at all tables.
    unfinished : ndarray of int64, shape ()
        The number of tournaments that were stopped before one agent had won all chips.
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
    def from_tournaments(cls, result: TournamentResult, names: tuple[str, ...]) -> "Evaluation":
        """Return the evaluation of nine agents from the results of their tournaments at T duplicate tables.

        Parameters
        ----------
        result : TournamentResult
            The results. Their ranks have the shape (T, 9, 9): the table, the rotation (one of its nine tournaments with
            the same cards), and the place in the line-up.
        names : tuple of str
            The names of the nine agents, the champion's first.
        """
        # Ranks are whole numbers or end in a half, so twice a rank is a whole number.
        half_ranks = np.rint(HALVES * result.ranks).astype(np.int64)
        is_winner = half_ranks == HALVES  # rank 1

        # Each sum is over the rotations of a table, shape (T, 9).
        rank_sums = reorder_by_player(result, half_ranks.sum(axis=1))
        win_counts = reorder_by_player(result, is_winner.sum(axis=1))
        squared_rank_sums = reorder_by_player(result, (half_ranks**2).sum(axis=1))
        hands_dealt = reorder_by_player(result, result.rounds_played.sum(axis=1))
        hands_won = reorder_by_player(result, result.won.sum(axis=1))

        return cls(
            names=names,
            ranks=PairedSums.from_trials(rank_sums, HALVES * NUM_SEATS),
            wins=PairedSums.from_trials(win_counts, NUM_SEATS),
            squared_ranks=squared_rank_sums.sum(axis=0),
            actions=result.actions,
            hands_dealt=hands_dealt.sum(axis=0),
            hands_won=hands_won.sum(axis=0),
            hands=np.array(result.hands.sum()),
            unfinished=np.array((~result.is_finished).sum()),
        )

    def __add__(self, other: "Evaluation") -> "Evaluation":
        """Return the results at the tables of this evaluation and of another one, together.

        Parameters
        ----------
        other : Evaluation
            The results of the same nine agents at other tables.

        Raises
        ------
        SettingError
            If the evaluations are of different agents, or have them in another order.
        """
        if self.names != other.names:
            raise SettingError(
                f"evaluations of {', '.join(self.names)} and of {', '.join(other.names)} do not add up."
            )
        summed_fields = ("ranks", "wins", *SUMMED_ARRAYS)
        sums: dict[str, Any] = {
            field: getattr(self, field) + getattr(other, field) for field in summed_fields
        }
        return Evaluation(names=self.names, **sums)

    @classmethod
    def make_empty(cls, names: tuple[str, ...]) -> "Evaluation":
        """Return an evaluation of nine agents at no tables, to which results can be added; all of its sums are 0.

        Parameters
        ----------
        names : tuple of str
            The names of the nine agents, the champion's first.
        """
        zeros = np.zeros(NUM_SEATS, np.int64)
        return cls(
            names=names,
            ranks=PairedSums.zeros(NUM_SEATS, HALVES * NUM_SEATS),
            wins=PairedSums.zeros(NUM_SEATS, NUM_SEATS),
            squared_ranks=zeros,
            actions=np.zeros((NUM_SEATS, len(STREETS), len(KINDS_OF_ACTION)), np.int64),
            hands_dealt=zeros,
            hands_won=zeros,
            hands=np.zeros((), np.int64),
            unfinished=np.zeros((), np.int64),
        )

    @classmethod
    def from_arrays(
        cls, names: tuple[str, ...], arrays: Mapping[str, NDArray[Any]]
    ) -> "Evaluation":
        """Return an evaluation from the arrays in its file.

        Parameters
        ----------
        names : tuple of str
            The names of the nine agents, the champion's first.
        arrays : mapping of str to ndarray
            The arrays by name, as `to_arrays` returns them: the number of tables ('duplicates'), the sums of 'ranks'
            and of 'wins' with those of products ('rank_products', 'win_products'), and the fields in `SUMMED_ARRAYS`.
        """
        num_tables = int(arrays["duplicates"])
        return cls(
            names=names,
            ranks=PairedSums(
                num_tables, arrays["ranks"], arrays["rank_products"], HALVES * NUM_SEATS
            ),
            wins=PairedSums(num_tables, arrays["wins"], arrays["win_products"], NUM_SEATS),
            **{field: arrays[field] for field in SUMMED_ARRAYS},
        )

    def to_arrays(self) -> dict[str, Any]:
        """Return all sums of the evaluation by their names in a file, from which `from_arrays` restores it.

        Returns
        -------
        dict of str to int or ndarray
            The number of tables ('duplicates'), the sums of 'ranks' and of 'wins' with those of products
            ('rank_products', 'win_products'), and the fields in `SUMMED_ARRAYS`.
        """
        return {
            "duplicates": self.duplicates,
            "ranks": self.ranks.sums,
            "rank_products": self.ranks.products,
            "wins": self.wins.sums,
            "win_products": self.wins.products,
            **{field: getattr(self, field) for field in SUMMED_ARRAYS},
        }

    @property
    def duplicates(self) -> int:
        """The number of duplicate tables that were played, T; each has nine tournaments with the same cards."""
        return self.ranks.count

    @property
    def champion_rank(self) -> float:
        """The champion's mean rank over all tournaments, from 1 (best) to 9."""
        return float(self.ranks.mean[CHAMPION])

    @property
    def mean_rank(self) -> dict[str, float]:
        """The mean rank of each agent over all tournaments, from 1 (best) to 9, by the name of the agent."""
        return self.label_by_agent(self.ranks.mean)

    @property
    def rank_deviations_over_tables(self) -> dict[str, float]:
        """The standard deviation, over tables, of an agent's mean rank in the nine tournaments of a table, by agent."""
        return self.label_by_agent(self.ranks.standard_deviation)

    @property
    def rank_deviations_over_tournaments(self) -> dict[str, float]:
        """The standard deviation of each agent's rank, over single tournaments, by agent.

        If the nine tournaments of a table were independent, it would be three times `rank_deviations_over_tables`.
        """
        num_tournaments = NUM_SEATS * self.duplicates
        # Ranks are counted in halves, so their squares are in quarters.
        mean_squared_rank = self.squared_ranks / (HALVES**2 * num_tournaments)
        variance = mean_squared_rank - self.ranks.mean**2
        return self.label_by_agent(np.sqrt(variance))

    @property
    def first_places(self) -> dict[str, float]:
        """The share of all tournaments that each agent won, from 0 to 1, by the name of the agent."""
        return self.label_by_agent(self.wins.mean)

    @property
    def hands_won_share(self) -> dict[str, float]:
        """The share of an agent's hands in which it won chips, from 0 to 1, by the name of the agent."""
        return self.label_by_agent(self.hands_won / self.hands_dealt)

    @property
    def action_shares(self) -> dict[str, Floats]:
        """The shares of folds, checks, calls and raises among each agent's decisions, by the name of the agent.

        Each value is an array of shape (4,) that sums to 1, or four zeros if the agent made no decision.
        """
        counts = self.actions.sum(
            axis=1
        )  # over streets: a row for each agent, a column for each kind
        num_decisions = counts.sum(axis=1, keepdims=True)
        shares = counts / np.maximum(num_decisions, 1)  # an agent without decisions gets zeros
        return dict(zip(self.names, shares, strict=True))

    @property
    def decisions_per_hand(self) -> float:
        """The mean number of decisions in a hand, of all nine agents together."""
        return float(self.actions.sum() / self.hands)

    def label_by_agent(self, values: Floats) -> dict[str, float]:
        """Return values of the nine agents as a dictionary by their names.

        Parameters
        ----------
        values : ndarray, shape (9,)
            A value for each agent, in the order of `names`.

        Returns
        -------
        dict of str to float
            The value of each agent, by its name.
        """
        return dict(zip(self.names, values.tolist(), strict=True))

    def compute_t_tests(self) -> PairedTests:
        """Return two-tailed paired t-tests of the mean ranks of all 36 pairs of agents, with Holm's correction.

        The pairs of a test are the mean ranks of two agents at the same duplicate table.

        Returns
        -------
        PairedTests
            The difference of each pair with its standard error and its p-value.
        """
        return self.ranks.compute_t_tests()


def reorder_by_player(result: TournamentResult, values: Ints) -> Ints:
    """Rearrange values of the places in line-ups, so that the columns are players instead of places.

    Parameters
    ----------
    result : TournamentResult
        The result of T tables. Its `lineups`, shape (T, 9), have the player at each place of each table's line-up.
    values : ndarray of int, shape (T, 9)
        A value for each table (row) and each place in its line-up (column).

    Returns
    -------
    ndarray of int, shape (T, 9)
        The value of each table (row) and each player (column). `values` stays as it is.
    """
    by_player = np.empty_like(values)
    np.put_along_axis(by_player, result.lineups, values, axis=1)
    return by_player


def evaluate_champion(
    champion: CompiledPlayer,
    opponents: Mapping[str, CompiledPlayer] | None = None,
    *,
    tables: DuplicateTables,
    file: str | Path | None = None,
    batch: int = BATCH,
    workers: Any = 1,
    progress: bool = True,
) -> Evaluation:
    """Play duplicate tables of a champion and eight opponents, and return the results of these nine agents.

    A *champion* is the best agent of an evolution. At a *duplicate table* nine agents play nine tournaments with the
    same cards, and each agent has each seat once. Tables are played in batches. If a `file` is given, the results are
    saved after each batch, so an interruption costs at most one batch.

    Parameters
    ----------
    champion : CompiledPlayer
        The agent that is evaluated.
    opponents : mapping of str to CompiledPlayer, optional
        Its eight opponents by name; those of `make_panel` if not given.
    tables : DuplicateTables
        The settings of the tables, and how many are played.
    file : str or Path, optional
        The file of the results. If it exists, the evaluation continues from there, and `tables` may ask for more tables
        than before.
    batch : int
        The number of tables in a batch. The results do not depend on it.
    workers : int or other
        The number of threads, or another value that `choose_work_divider` accepts. The results do not depend on it.
    progress : bool
        Whether to show a progress bar.

    Returns
    -------
    Evaluation
        The results. The champion is the first of the nine agents.

    Raises
    ------
    SettingError
        If a number is out of range, if there are not eight opponents, if an agent is not a compiled player, or if an
        opponent has the champion's name.
    CheckpointError
        If the file holds an evaluation of other agents or tables, or of more tables than are requested.
    """
    validate_integer("batch", batch, 1, MOST_DUPLICATES)
    divide_work = choose_work_divider(workers)
    opponents = make_panel(tables.raises) if opponents is None else opponents
    check_champion_and_opponents(champion, opponents)
    names = (champion.name, *opponents)
    players = [champion, *opponents.values()]
    identity = build_evaluation_identity(tables, dict(zip(names, players, strict=True)))

    def play_tables(first_table: int, end: int) -> Evaluation:
        """Return the results at the duplicate tables from number `first_table` to number `end`, exclusive."""
        lineups = tables.make_lineups(first_table, end - first_table)
        result = tables.play(players, lineups, first=first_table, duplicates=True)
        return Evaluation.from_tournaments(result, names)

    evaluation = Evaluation.make_empty(names)
    with ExitStack() as stack:
        # The file stays locked until all tables are played, so that no other program continues it.
        if file is not None:
            stack.callback(acquire_file_lock(Path(file)).release)
            if Path(file).exists():
                evaluation = load_evaluation(file, identity)
        if evaluation.duplicates > tables.duplicates:
            raise CheckpointError(
                f"{file} holds {evaluation.duplicates:,} duplicate tables, but {tables.duplicates:,} were requested."
                " Request as many or more, or choose another file."
            )

        bar = tqdm(
            total=tables.duplicates,
            initial=evaluation.duplicates,
            disable=not progress,
            unit=" tables",
        )
        stack.enter_context(bar)
        while evaluation.duplicates < tables.duplicates:
            first_table = evaluation.duplicates
            end = min(first_table + batch, tables.duplicates)

            # Each worker plays a part of the batch, and returns the results of its part.
            results_of_workers = divide_work(play_tables, first_table, end)
            evaluation = sum(results_of_workers, evaluation)

            if file is not None:
                save_evaluation(file, evaluation, identity)
            bar.update(evaluation.duplicates - first_table)
    return evaluation


def load_evaluation(file: str | Path, identity: Mapping[str, Any]) -> Evaluation:
    """Return the results of a champion and its opponents from a file that `save_evaluation` wrote.

    Parameters
    ----------
    file : str or Path
        The file.
    identity : mapping of str to any
        The tables and agents that the file must have, from `build_evaluation_identity`.

    Raises
    ------
    CheckpointError
        If the file holds an evaluation of other agents or tables.
    """
    saved = SavedFile.load(file, FORMAT, expected_entries=identity, names=list)
    return Evaluation.from_arrays(tuple(saved.about["names"]), saved.arrays)


def save_evaluation(file: str | Path, evaluation: Evaluation, identity: Mapping[str, Any]) -> None:
    """Write the results of a champion and its opponents to a file, from which an evaluation can be continued.

    Parameters
    ----------
    file : str or Path
        The file. If it exists, it is replaced.
    evaluation : Evaluation
        The results at the tables that have been played so far.
    identity : mapping of str to any
        The tables and agents of the evaluation, from `build_evaluation_identity`.
    """
    about = {
        "format": FORMAT,
        **identity,
        "names": evaluation.names,
        "made_with": describe_versions(),
    }
    SavedFile(about, evaluation.to_arrays()).save(file)


def build_evaluation_identity(
    tables: DuplicateTables, players: Mapping[str, CompiledPlayer]
) -> dict[str, Any]:
    """Return what distinguishes an evaluation from others: the settings of its tables, and digests of its agents.

    A file with results is continued only if it has the same. The number of tables is left out, because a file may be
    continued with more of them.

    Parameters
    ----------
    tables : DuplicateTables
        The settings of the tables.
    players : mapping of str to CompiledPlayer
        The nine agents by name.

    Returns
    -------
    dict of str to any
        The settings of the tables by name ('tables'), and a digest of each agent by name ('agents'), all as JSON has
        them.
    """
    table_settings = convert_to_json_value(tables)
    del table_settings["duplicates"]
    digests = {name: compute_player_digest(player) for name, player in players.items()}
    return {"tables": table_settings, "agents": digests}


def evaluate_genomes(
    encoding: PlayerEncoding,
    genomes: Genomes,
    opponents: Mapping[str, CompiledPlayer] | None = None,
    *,
    tables: DuplicateTables,
    workers: int = 1,
) -> list[Evaluation]:
    """Return the results of several champions at duplicate tables, with the same opponents and the same cards.

    At a *duplicate table* nine agents play nine tournaments with the same cards, and each agent has each seat once.

    Parameters
    ----------
    encoding : PlayerEncoding
        The encoding, which makes players of genomes.
    genomes : ndarray, shape (C, G)
        The genomes of the champions, of G numbers each, for C champions.
    opponents : mapping of str to CompiledPlayer, optional
        The eight opponents by name; those of `make_panel` if not given.
    tables : DuplicateTables
        The settings of the tables, and how many are played for each champion.
    workers : int
        The number of threads. The results do not depend on it.

    Returns
    -------
    list of Evaluation
        The results of each champion, in the order of `genomes`.

    Raises
    ------
    SettingError
        If there are not eight opponents, or if one of them is not a compiled player or has the name of a champion.
    """
    return [
        evaluate_champion(champion, opponents, tables=tables, workers=workers, progress=False)
        for champion in encoding.make_players(genomes)
    ]


def check_champion_and_opponents(
    champion: CompiledPlayer, opponents: Mapping[str, CompiledPlayer]
) -> None:
    """Raise a SettingError unless a champion and its opponents are nine compiled players with different names.

    Parameters
    ----------
    champion : CompiledPlayer
        The agent that is to be evaluated.
    opponents : mapping of str to CompiledPlayer
        The opponents by name, of which there must be eight.
    """
    if not isinstance(opponents, Mapping):
        raise SettingError(
            f"opponents are of type {type(opponents).__name__}; give {NUM_OPPONENTS} players by name, such as"
            " make_panel()."
        )
    for name, player in [("the champion", champion), *opponents.items()]:
        if not isinstance(player, CompiledPlayer):
            raise SettingError(
                f"{name} is of type {type(player).__name__}; give a compiled player, such as"
                " TableNetwork().make_players(genome)[0]."
            )
    if len(opponents) != NUM_OPPONENTS:
        raise SettingError(
            f"{len(opponents)} opponents are given: {', '.join(opponents)}. A champion is evaluated against"
            f" {NUM_OPPONENTS}; leave them out for the paper's, or give {NUM_OPPONENTS} by name."
        )
    if champion.name in opponents:
        raise SettingError(
            f"the champion has the name '{champion.name}' of one of its opponents; give it another."
        )


def compute_player_digest(player: CompiledPlayer) -> str:
    """Return a digest that identifies a player by its decision function and its parameters.

    Parameters
    ----------
    player : CompiledPlayer
        The player. Its decision function is identified by its qualified name only, and not by its code.

    Returns
    -------
    str
        The first 16 hexadecimal digits of a SHA-256.
    """
    parameters = np.ascontiguousarray(player.parameters)
    function = player.decision_function
    # A callable object without a qualified name is identified by its text.
    identifier = getattr(function, "__qualname__", function)
    text = f"{type(identifier).__name__} {identifier} {parameters.dtype} {parameters.shape}"
    digest = hashlib.sha256(text.encode() + parameters.tobytes())
    return digest.hexdigest()[:DIGEST_LENGTH]
