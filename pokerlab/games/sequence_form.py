"""The sequence form of a game, on which every solver and metric works, and profiles of strategies.

A game consists of a few flat arrays over sequences and information sets, in which parents come before children. The
sequences of all players have common indices: 0 to n - 1 are the empty sequences of the n players. Then come the
non-empty sequences of player 1, of player 2, and so on. So a vector over all non-empty sequences, such as a profile, is
the tail of a vector over all sequences. Information sets are ordered by player, and then by depth. The part of a single
player is its treeplex: the player's sequences, and the constraints on realization plans over them.

In this module n is the number of players, S the number of sequences of all players, and I the number of information
sets. Z is the number of terminals, after those with the same sequences of all players have been merged. Player i has
S_i sequences and I_i information sets.
"""

import csv
import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import (
    FileFormatError,
    Floats,
    GameError,
    Ints,
    KindError,
    ProbabilityError,
    SettingError,
    ShapeError,
    Unit,
    UnknownNameError,
)
from pokerlab.core.arrays import freeze, validate_numbers
from pokerlab.core.errors import quote_value
from pokerlab.core.files import open_replacement_file, validate_path
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import check_kind, validate_integer
from pokerlab.games.game_block import pack_game
from pokerlab.games.rules import (
    EQUAL_SUMS,
    Rules,
)
from pokerlab.games.tree_passes import (
    PlayerResponse,
    compute_behavior,
    compute_best_responses,
    compute_nash_conv,
    compute_plans,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SUM_TOLERANCE = 1e-9
"""The largest error of a sum of probabilities. The rounding errors of a few hundred additions are smaller."""
PLAN_TOLERANCE = 1e-6
"""The largest error in the constraints of a realization plan. Linear programs satisfy them up to 1e-7."""


class Treeplex(NamedTuple):
    """One player's sequences and information sets.

    Sequence 0 is the player's empty sequence, and parents come before their children. I_i is the number of information
    sets of the player.

    Attributes
    ----------
    parent_sequence : array of shape (I_i,)
        The sequence that leads to each information set.
    first_sequence : array of shape (I_i,)
        The sequence that ends with the first action at each information set. The sequences of the other actions follow
        it directly.
    num_actions : array of shape (I_i,)
        The number of actions at each information set.
    """

    parent_sequence: Ints
    first_sequence: Ints
    num_actions: Ints

    @property
    def num_sequences(self) -> int:
        """The number of the player's sequences, S_i, including the empty sequence."""
        return 1 + int(self.num_actions.sum())

    def make_constraint_matrix(self) -> "csr_array":
        """Return the matrix of the linear constraints that make a vector of weights a realization plan.

        A vector x >= 0 is a realization plan if and only if E x = (1, 0, ..., 0). Row 0 of E means that the empty
        sequence has weight one. Each other row means that the weights of the sequences at an information set sum to the
        weight of its parent sequence (Koller, Megiddo & von Stengel 1994).

        Returns
        -------
        sparse array of shape (I_i + 1, S_i)
            The matrix E, where the player has I_i information sets and S_i sequences.
        """
        from scipy.sparse import csr_array

        num_infosets = len(self.num_actions)
        infoset_rows = 1 + np.arange(num_infosets)
        own_rows = np.repeat(infoset_rows, self.num_actions)
        own_columns = np.arange(1, self.num_sequences)

        # The 1 of the empty sequence, then 1 for each other sequence, then -1 for each parent sequence.
        rows = np.concatenate([[0], own_rows, infoset_rows])
        columns = np.concatenate([[0], own_columns, self.parent_sequence])
        values = np.concatenate([[1.0], np.ones(len(own_columns)), -np.ones(num_infosets)])
        return csr_array((values, (rows, columns)), shape=(num_infosets + 1, self.num_sequences))

    def check_plan(self, plan: Floats, owner: str, labels: Sequence[str]) -> None:
        """Raise a ProbabilityError unless the given weights of the player's sequences are a realization plan.

        Parameters
        ----------
        plan : array of shape (S_i,)
            The weight of each of the player's S_i sequences.
        owner : str
            The name of the player in error messages, such as 'player 1'.
        labels : sequence of str
            The label of each of the player's information sets.

        Raises
        ------
        ProbabilityError
            If a weight is negative or NaN, if the empty sequence does not have weight 1, or if the weights of the
            sequences at an information set do not sum to the weight of its parent sequence.
        """
        if not (plan >= -SUM_TOLERANCE).all():
            raise ProbabilityError(
                f"plan of {owner} has weights down to {np.min(plan)}; they must be from 0 to 1."
            )
        if abs(plan[0] - 1.0) > PLAN_TOLERANCE:
            raise ProbabilityError(
                f"plan of {owner} gives the empty sequence {plan[0]}, not 1. Divide the plan by it."
            )

        # The total weight of the actions at each information set.
        starts = self.first_sequence
        totals = np.add.reduceat(plan, starts) if starts.size else plan[:0]
        is_violated = np.abs(totals - plan[self.parent_sequence]) > PLAN_TOLERANCE
        if is_violated.any():
            infoset = int(np.argmax(is_violated))  # the first one
            raise ProbabilityError(
                f"plan of {owner} sums to {totals[infoset]:.12g} at '{labels[infoset]}', whose own"
                f" sequence has weight {plan[self.parent_sequence[infoset]]:.12g}; both must agree."
            )


@dataclass(frozen=True, eq=False, repr=False)
class SequenceForm:
    """A game in sequence form, as arrays, which `compile_rules` makes from the game's rules.

    There are n players, I information sets, S sequences and Z terminals. Terminals with the same sequences of all
    players are merged. Vectors over sequences begin with the n empty sequences.

    Attributes
    ----------
    rules : Rules
        The rules that were compiled.
    num_histories_ended : int
        The number of terminal histories of the game tree, before terminals are merged.
    infoset_start : array of shape (n + 1,)
        The information sets of player i are `infoset_start[i]` up to but not including `infoset_start[i + 1]`.
    infoset_label : tuple of str
        The label of each information set.
    action_label : tuple of tuple of str
        The labels of the actions at each information set.
    parent_sequence : array of shape (I,)
        The player's sequence that leads to each information set.
    first_sequence : array of shape (I,)
        The sequence that ends with the first action at each information set. The sequences of the other actions follow
        it directly.
    num_actions : array of shape (I,)
        The number of actions at each information set.
    chance : array of shape (Z,)
        The product of the probabilities of all chance outcomes on the path to each terminal.
    sequence : array of shape (Z, n)
        The sequence of each player at each terminal.
    payoff : array of shape (Z, n)
        The utility of each player at each terminal. At merged terminals it is the expected utility.
    utility_range : array of shape (n, 2)
        The smallest and the largest utility of each player at a terminal history, before terminals are merged.
    block : array
        The same arrays in one piece of memory, for the kernels. It is writable, because numba needs less time to accept
        a writable array.
    """

    rules: Rules
    num_histories_ended: int
    infoset_start: Ints
    infoset_label: tuple[str, ...]
    action_label: tuple[tuple[str, ...], ...]
    parent_sequence: Ints
    first_sequence: Ints
    num_actions: Ints
    chance: Floats
    sequence: Ints
    payoff: Floats
    utility_range: Floats
    block: Floats

    @classmethod
    def from_arrays(
        cls,
        *,
        rules: Rules,
        num_histories_ended: int,
        infoset_start: Ints,
        infoset_label: tuple[str, ...],
        action_label: tuple[tuple[str, ...], ...],
        parent_sequence: Ints,
        first_sequence: Ints,
        num_actions: Ints,
        chance: Floats,
        sequence: Ints,
        payoff: Floats,
        utility_range: Floats,
    ) -> Self:
        """Return the game with the given arrays, which become read-only and are packed into a block for the kernels.

        The parameters are the attributes of a `SequenceForm`, of which `block` is computed here.
        """
        infosets = (infoset_start, parent_sequence, first_sequence, num_actions)
        freeze(*infosets, chance, sequence, payoff, utility_range)
        return cls(
            rules=rules,
            num_histories_ended=num_histories_ended,
            infoset_start=infoset_start,
            infoset_label=infoset_label,
            action_label=action_label,
            parent_sequence=parent_sequence,
            first_sequence=first_sequence,
            num_actions=num_actions,
            chance=chance,
            sequence=sequence,
            payoff=payoff,
            utility_range=utility_range,
            block=pack_game(infosets, sequence, chance, payoff),
        )

    @property
    def name(self) -> str:
        """The game's name."""
        return self.rules.name

    @property
    def num_players(self) -> int:
        """The number of players, n."""
        return self.rules.num_players

    @property
    def unit(self) -> Unit:
        """The unit of utilities."""
        return self.rules.unit

    @cached_property
    def payoff_sum(self) -> float | None:
        """The sum of all players' utilities if it is the same at every terminal, otherwise None.

        Utilities are rounded, so sums count as equal if they differ by at most a billionth of the largest absolute
        utility. A sum whose absolute value is at most that counts as zero.
        """
        rounding = EQUAL_SUMS * float(np.abs(self.utility_range).max())
        with np.errstate(over="ignore"):
            sums = self.payoff.sum(axis=1)
        least, most = float(sums.min()), float(sums.max())
        # If a sum is infinite, the difference is NaN, and the comparison is False.
        are_equal = most - least <= rounding
        if not are_equal:
            return None
        middle = (least + most) / 2.0
        return 0.0 if abs(middle) <= rounding else middle

    @property
    def zero_sum(self) -> bool:
        """Whether utilities sum to zero at every terminal, up to rounding."""
        return self.payoff_sum == 0.0

    @property
    def lowest_payoff(self) -> float:
        """The smallest utility of a player at a terminal, after terminals have been merged."""
        return float(self.payoff.min())

    @cached_property
    def num_infosets(self) -> tuple[int, ...]:
        """The number of information sets of each player."""
        return tuple(int(k) for k in np.diff(self.infoset_start))

    @cached_property
    def num_sequences(self) -> tuple[int, ...]:
        """The number of sequences of each player, including the empty sequence."""
        return tuple(1 + s.stop - s.start for s in self.player_sequences)

    @cached_property
    def num_probabilities(self) -> int:
        """The length of a profile: the number of non-empty sequences of all players, S - n."""
        return int(self.num_actions.sum())

    @cached_property
    def first_probability_indices(self) -> Ints:
        """The index of each information set's first probability in a profile, array of shape (I,)."""
        first = self.first_sequence - self.num_players  # a profile has no empty sequences
        freeze(first)
        return first

    @cached_property
    def player_sequences(self) -> tuple[slice, ...]:
        """The slice of each player's non-empty sequences in a profile."""
        ends = np.concatenate([[0], np.cumsum(self.num_actions)])[self.infoset_start]
        return tuple(slice(int(a), int(b)) for a, b in pairwise(ends))

    @cached_property
    def infoset_index(self) -> dict[tuple[int, str], int]:
        """The index of each information set, by player and label."""
        players = np.repeat(np.arange(self.num_players), self.num_infosets).tolist()
        keys = zip(players, self.infoset_label, strict=True)
        return {key: index for index, key in enumerate(keys)}

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the name, the labels and all arrays of the game, which is the same for equal games."""
        digest = hashlib.sha256(repr((self.name, self.infoset_label, self.action_label)).encode())
        for numbers in (self.parent_sequence, self.chance, self.sequence, self.payoff):
            digest.update(np.ascontiguousarray(numbers).tobytes())
        return digest.hexdigest()[:16]

    def make_treeplex(self, player: int) -> Treeplex:
        """Return one player's sequences and information sets, with 0 as the index of the empty sequence.

        Parameters
        ----------
        player : int
            The player, counted from 0.
        """
        self.check_player(player)
        infosets = slice(self.infoset_start[player], self.infoset_start[player + 1])
        parent = self.parent_sequence[infosets]
        # The player's first non-empty sequence gets the index 1.
        first_non_empty = self.num_players + self.player_sequences[player].start
        shift = first_non_empty - 1
        return Treeplex(
            parent_sequence=np.where(parent < self.num_players, 0, parent - shift),
            first_sequence=self.first_sequence[infosets] - shift,
            num_actions=self.num_actions[infosets],
        )

    def payoff_matrix(self, player: int) -> "csr_array":
        """Return the payoff matrix of one player in the sequence form of a two-player game.

        An entry is the player's payoff at the terminal of both sequences, times the probability of chance. If the
        players have realization plans x and y, the player's expected utility is x^T U y (Lanctot 2014, section 2.1).

        Parameters
        ----------
        player : int
            The player whose payoffs are returned, 0 or 1.

        Returns
        -------
        sparse array of shape (S_1, S_2)
            The payoff matrix U, over the S_1 sequences of the first player and the S_2 of the second.

        Raises
        ------
        GameError
            If the game does not have two players.
        """
        if self.num_players != 2:
            raise GameError(
                f"payoff_matrix is for two players; {self.name} has {self.num_players}."
            )
        self.check_player(player)
        return self.payoff_matrices[player].copy()

    @cached_property
    def payoff_matrices(self) -> "tuple[csr_array, csr_array]":
        """The payoff matrices of both players, which solvers share and do not change; see `payoff_matrix`."""
        from scipy.sparse import csr_array

        rows, columns = self.find_sequences_at_terminals(0), self.find_sequences_at_terminals(1)
        weights = self.payoff * self.chance[:, None]
        first = csr_array((weights[:, 0], (rows, columns)), shape=self.num_sequences)
        second = csr_array((weights[:, 1], (rows, columns)), shape=self.num_sequences)
        return first, second

    def find_sequences_at_terminals(self, player: int) -> Ints:
        """Return a player's sequence at each of the Z terminals, with 0 as the index of the player's empty sequence.

        Parameters
        ----------
        player : int
            The player, counted from 0.

        Returns
        -------
        array of int, shape (Z,)
            The indices, from 0 to S_i - 1 for a player with S_i sequences.
        """
        first_non_empty = self.num_players + self.player_sequences[player].start
        own_index = self.sequence[:, player] - first_non_empty + 1
        return np.asarray(np.maximum(own_index, 0))  # the empty sequence comes before all others

    def find_infoset(self, player: int, label: str) -> int:
        """Return the index of a player's information set among all information sets of the game.

        Parameters
        ----------
        player : int
            The player, counted from 0.
        label : str
            The label of the information set.

        Raises
        ------
        UnknownNameError
            If the player has no information set with this label.
        """
        self.check_player(player)
        check_kind("label", label, str, "the name of an information set, such as 'J'")
        index = self.infoset_index.get((player, label))
        if index is None:
            allowed = [name for p, name in self.infoset_index if p == player]
            raise UnknownNameError.from_allowed_names(
                f"information set of player {player + 1} in {self.name}", label, allowed
            )
        return index

    def find_action_slice(self, player: int, label: str) -> tuple[slice, tuple[str, ...]]:
        """Return the slice of a profile that belongs to an information set, and the labels of the actions there.

        Parameters
        ----------
        player : int
            The player, counted from 0.
        label : str
            The label of the information set. An UnknownNameError is raised if the player has none with this label.
        """
        infoset = self.find_infoset(player, label)
        begin = int(self.first_sequence[infoset]) - self.num_players
        end = begin + int(self.num_actions[infoset])
        return slice(begin, end), self.action_label[infoset]

    def uniform(self) -> "Profile":
        """Return the profile in which all players choose all actions with equal probabilities."""
        return Profile.from_unchecked(self, np.repeat(1.0 / self.num_actions, self.num_actions))

    def values(self, profile: "Profile") -> Floats:
        """Return the expected utility of each player when all players follow a profile, an array of shape (n,)."""
        utilities, _, _ = self.compute_best_responses(profile)
        return utilities

    def best_response(self, profile: "Profile", player: int) -> PlayerResponse:
        """Return a best response of one player to a profile, and its expected utility.

        It is computed by one backward pass over the player's information sets, from the deepest ones up. If several
        actions are equally good, the first of them is taken.

        Parameters
        ----------
        profile : Profile
            A profile of this game; the player's own part does not matter.
        player : int
            The player, counted from 0.
        """
        self.check_player(player)
        vector = self.validate_probabilities(profile)
        _, best, responses = compute_best_responses(self.block, vector, player, player + 1)
        return PlayerResponse(float(best[player]), responses[self.player_sequences[player]])

    def best_values(self, profile: "Profile") -> Floats:
        """Return the expected utility of each player's best response to a profile, an array of shape (n,)."""
        _, best, _ = self.compute_best_responses(profile)
        return best

    def gains(self, profile: "Profile") -> Floats:
        """Return the increase of each player's utility by a best response to a profile, an array of shape (n,)."""
        utilities, best, _ = self.compute_best_responses(profile)
        return best - utilities

    def nash_conv(self, profile: "Profile") -> float:
        """Return NashConv: the sum over all players of the gain from a best response to a profile."""
        return compute_nash_conv(self.block, self.validate_probabilities(profile))

    def compute_best_responses(self, profile: "Profile") -> tuple[Floats, Floats, Floats]:
        """Compute the utilities of a profile and the best responses of all players to it.

        Returns
        -------
        utilities : array of shape (n,)
            Each player's expected utility.
        values : array of shape (n,)
            The expected utility of each player's best response.
        responses : array of shape (S - n,)
            The probabilities of the best responses, player after player.
        """
        return compute_best_responses(
            self.block, self.validate_probabilities(profile), 0, self.num_players
        )

    def check_terminals_can_be_listed(self) -> None:
        """Raise a GameError if the game has too many terminals to list, which only a game by cards can have."""

    def check_player(self, player: Any) -> None:
        """Raise a SettingError unless `player` is the index of a player, counted from 0."""
        validate_integer(f"player index in {self.name}", player, 0, self.num_players - 1)

    def validate_probabilities(self, profile: "Profile") -> Floats:
        """Return the probabilities of a profile, of shape (S - n,), after checking that it is one of this game.

        They have the order of the non-empty sequences, in which kernels read them.

        Raises
        ------
        KindError
            If `profile` is not a `Profile`.
        GameError
            If the profile belongs to another game.
        """
        if type(profile) is not Profile or profile.game is not self:  # else it has been checked
            check_profile(self, profile)
        return profile.vector

    def __repr__(self) -> str:
        sizes = " + ".join(map(str, self.num_infosets))
        return f"<{self.name}: {self.num_players} players, {sizes} information sets, {self.num_histories_ended} ends>"


PROFILE_COLUMNS = ("player", "information set", "action", "probability")
"""The columns of a profile's CSV file."""


@explain_renamed_attributes
@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """A strategy for each player: the probabilities of all actions at all information sets.

    Parameters
    ----------
    game : SequenceForm
        The game that the profile belongs to.
    probabilities : array_like of shape (S - n,)
        The probability of each action, which is one for each non-empty sequence, in the order of `game.action_label`.
        S is the number of sequences of all n players. The probabilities at an information set sum to one.
    """

    game: SequenceForm
    probabilities: Floats
    vector: Floats = field(init=False)

    def __init__(self, game: SequenceForm, probabilities: ArrayLike) -> None:
        check_game(game)
        vector = validate_numbers(probabilities, "probabilities", ShapeError)
        check_probabilities(game, vector)
        self.set_probabilities(game, vector)

    def set_probabilities(self, game: SequenceForm, vector: Floats) -> None:
        """Set the attributes of the profile, where two of them are the same probabilities.

        `probabilities` is a read-only view for the user. `vector` is writable and meant for the kernels, because numba
        needs less time to accept a writable array. A frozen dataclass can only be changed by `object.__setattr__`.

        Parameters
        ----------
        game : SequenceForm
            The game of n players and S sequences.
        vector : array of shape (S - n,)
            The probability of each non-empty sequence.
        """
        read_only_view = vector.view()
        read_only_view.setflags(write=False)
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "probabilities", read_only_view)
        object.__setattr__(self, "vector", vector)

    @classmethod
    def from_unchecked(cls, game: SequenceForm, probabilities: Floats) -> Self:
        """Return a profile of probabilities that pokerlab has computed itself, without checking them."""
        profile = object.__new__(cls)
        profile.set_probabilities(game, probabilities)
        return profile

    @classmethod
    def from_plans(cls, game: SequenceForm, plans: Sequence[ArrayLike]) -> Self:
        """Return the profile that is equivalent to the given realization plans.

        It is uniform at information sets that a player's own plan does not reach.

        Parameters
        ----------
        game : SequenceForm
            The game.
        plans : sequence of array_like of shape (S_i,)
            The realization plan of each player, over its S_i sequences, beginning with the empty sequence.

        Raises
        ------
        ShapeError
            If there is not a plan for each player with the player's number of sequences.
        ProbabilityError
            If a plan violates the constraints on realization plans.
        """
        check_game(game)
        check_kind("plans", plans, Iterable, "a list of one for each player")
        arrays = [validate_numbers(plan, "weights of a plan", ShapeError) for plan in plans]
        shapes = [plan.shape for plan in arrays]
        needed = [(size,) for size in game.num_sequences]
        if shapes != needed:
            raise ShapeError(f"plans have shapes {shapes}; {game.name} needs {needed}.")
        for player, plan in enumerate(arrays):
            labels = game.infoset_label[game.infoset_start[player] : game.infoset_start[player + 1]]
            game.make_treeplex(player).check_plan(plan, f"player {player + 1}", labels)

        empty_sequences = [plan[0] for plan in arrays]
        other_sequences = [plan[1:] for plan in arrays]
        weights = np.concatenate([empty_sequences, *other_sequences])
        return cls(game, compute_behavior(game.block, weights))

    @classmethod
    def from_table(
        cls, game: SequenceForm, table: Mapping[tuple[int, str], Mapping[str, float]]
    ) -> Self:
        """Return the profile with given probabilities of actions, which are named by their labels.

        Parameters
        ----------
        game : SequenceForm
            The game.
        table : mapping of (int, str) to mapping of str to float
            For each pair of a player and the label of an information set, the probability of each action. An
            information set that is left out is uniform. An action that is left out has probability 0.

        Raises
        ------
        SettingError
            If the table does not map pairs to dictionaries.
        UnknownNameError
            If the game does not have an information set or an action of the table.
        ProbabilityError
            If the probabilities at an information set are negative or do not sum to 1.
        """
        check_game(game)
        check_kind("table", table, Mapping, "a dictionary, such as {(0, 'J'): {'bet': 1.0}}")
        vector = np.array(game.uniform().probabilities)
        items: Any = table.items()
        for key, probability_of_action in items:
            if (
                not isinstance(key, tuple)
                or len(key) != 2
                or not isinstance(probability_of_action, Mapping)
            ):
                raise SettingError(
                    f"table holds {quote_value(key)}: {quote_value(probability_of_action)}; give (player, information"
                    " set) and a dictionary from actions to probabilities, such as (0, 'J'): {'bet': 1.0}."
                )
            _, label = key
            infoset_slice, actions = game.find_action_slice(*key)  # checks the player and the label
            for action in probability_of_action:
                UnknownNameError.check(f"action at '{label}'", action, actions)
            probabilities = [probability_of_action.get(action, 0.0) for action in actions]
            vector[infoset_slice] = validate_numbers(probabilities, f"probabilities at '{label}'")

        return cls(game, vector)

    @classmethod
    def from_csv(cls, game: SequenceForm, path: str | Path) -> Self:
        """Return a profile that is read from a CSV file, which `to_csv` has written or which you have edited.

        Parameters
        ----------
        game : SequenceForm
            The game.
        path : str or Path
            The file. Its columns are those of `PROFILE_COLUMNS`; players are counted from 1. An information set
            that is left out is uniform; an action that is left out has probability 0.

        Raises
        ------
        FileFormatError
            If the file has other columns, if a row has no player of the game or no probability, or if an action stands
            in two rows.
        UnknownNameError
            If a row has an information set or an action that the game does not have.
        ProbabilityError
            If the probabilities at an information set do not sum to 1.
        """
        check_game(game)
        source = validate_path("path", path)
        with source.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) != PROFILE_COLUMNS:
                raise FileFormatError(
                    f"{source} has the columns {reader.fieldnames}; give {', '.join(PROFILE_COLUMNS)}."
                )
            table: dict[tuple[int, str], dict[str, float]] = {}
            for row in reader:
                line = f"line {reader.line_num} of {source}"
                try:
                    player, probability = int(row["player"]), float(row["probability"])
                except (TypeError, ValueError):
                    player, probability = 0, np.nan  # no player has this number
                if not 1 <= player <= game.num_players:
                    raise FileFormatError(
                        f"{line} is {list(row.values())}; give a player, 1 to {game.num_players}, an information"
                        " set, an action and a probability."
                    )

                infoset, action = row["information set"], row["action"]
                probabilities = table.setdefault((player - 1, infoset), {})
                if action in probabilities:
                    raise FileFormatError(
                        f"{line} gives '{action}' at '{infoset}' of player {player} a second"
                        " probability; leave one of the two rows out."
                    )
                probabilities[action] = probability

        return cls.from_table(game, table)

    def to_csv(self, path: str | Path) -> Path:
        """Write the profile to a CSV file, a row for each action, and return the file's path; see `from_csv`."""
        target = validate_path("path", path)
        with open_replacement_file(target) as file:
            file.write(format_profile_csv(self).encode())
        return target

    def get_behavior(self, player: int) -> Floats:
        """Return one player's part of the profile: the probabilities of the player's non-empty sequences."""
        self.game.check_player(player)
        return self.probabilities[self.game.player_sequences[player]]

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return the probability of each action at one information set of a player."""
        infoset_slice, actions = self.game.find_action_slice(player, infoset)
        return dict(zip(actions, self.probabilities[infoset_slice].tolist(), strict=True))

    def plan(self, player: int) -> Floats:
        """Return one player's realization plan: the weights of its sequences, beginning with the empty sequence.

        Parameters
        ----------
        player : int
            The player i, counted from 0.

        Returns
        -------
        array of shape (S_i,)
            The weight of each of the player's S_i sequences, from 0 to 1.
        """
        self.game.check_player(player)
        weights = compute_plans(self.game.block, self.probabilities)
        non_empty = weights[self.game.num_players :]
        return np.concatenate([[1.0], non_empty[self.game.player_sequences[player]]])

    def replace(self, player: int, behavior: "ArrayLike | Profile") -> "Profile":
        """Return this profile with another behavior of one player.

        Parameters
        ----------
        player : int
            The player, counted from 0.
        behavior : array_like of shape (S_i - 1,) or Profile
            The new probabilities of the player's S_i - 1 non-empty sequences, or a profile from which this player's
            part is taken.

        Raises
        ------
        ShapeError
            If there is not one probability for each of these sequences.
        ProbabilityError
            If the probabilities at an information set are negative or do not sum to 1.
        GameError
            If the given profile belongs to another game.
        """
        self.game.check_player(player)
        if isinstance(behavior, Profile):
            check_profile(self.game, behavior)
            behavior = behavior.get_behavior(player)

        vector = np.array(self.probabilities)
        player_slice = self.game.player_sequences[player]
        probabilities = validate_numbers(
            behavior, f"probabilities of player {player + 1}", ShapeError
        )
        if probabilities.shape != vector[player_slice].shape:
            raise ShapeError(
                f"behavior of player {player + 1} has shape {probabilities.shape};"
                f" {self.game.name} needs {vector[player_slice].shape}."
            )

        vector[player_slice] = probabilities
        return Profile(self.game, vector)

    def to_table(self) -> dict[tuple[int, str], dict[str, float]]:
        """Return all probabilities as a dictionary, which `from_table` accepts.

        For each pair of a player and the label of an information set, it has the probability of each action.
        """
        return {key: self.action_probabilities(*key) for key in self.game.infoset_index}

    def __repr__(self) -> str:
        return f"<profile of {self.game.name}: {self.probabilities.size} probabilities>"


def format_profile_csv(profile: Profile) -> str:
    """Return a profile as the text of a CSV file, with the columns `PROFILE_COLUMNS`."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(PROFILE_COLUMNS)
    for (player, infoset), probabilities in profile.to_table().items():
        for action, probability in probabilities.items():
            writer.writerow((player + 1, infoset, action, repr(probability)))
    return buffer.getvalue()


def classify_payoff_sum(payoff_sum: float | None) -> str:
    """Return the kind of a game by the sum of all players' payoffs: 'zero-sum', 'constant-sum' or 'general-sum'.

    It is 'zero-sum' for 0, 'constant-sum' for another number, and 'general-sum' for None, which means that the sum is
    not the same at every terminal.
    """
    if payoff_sum is None:
        return "general-sum"
    return "constant-sum" if payoff_sum else "zero-sum"


def check_game(game: Any) -> None:
    """Raise a GameError unless `game` is a compiled game."""
    check_kind("game", game, SequenceForm, "a compiled one, such as games.kuhn()", GameError)


def check_probabilities(game: SequenceForm, vector: Floats) -> None:
    """Raise an error unless a vector is a profile of the game: the probabilities of its S - n non-empty sequences.

    Parameters
    ----------
    game : SequenceForm
        The game.
    vector : array
        The numbers to check.

    Raises
    ------
    ShapeError
        If the vector has another length than S - n, where S is the number of sequences of all n players.
    ProbabilityError
        If a probability is negative or NaN, or if the probabilities at an information set do not sum to 1.
    """
    if vector.shape != (game.num_probabilities,):
        raise ShapeError(
            f"profile has shape {vector.shape}; {game.name} needs ({game.num_probabilities},)."
            " Start from game.uniform()."
        )
    first = game.first_probability_indices
    is_wrong = ~(vector >= 0.0)  # also for NaN
    if is_wrong.any():
        index = int(np.argmax(is_wrong))
        infoset = int(np.searchsorted(first, index, side="right")) - 1
        player, label = list(game.infoset_index)[infoset]
        action = game.action_label[infoset][index - first[infoset]]
        raise ProbabilityError(
            f"probability of '{action}' at '{label}' of player {player + 1} is {vector[index]}; it must be from 0 to 1."
        )

    totals = np.add.reduceat(vector, first) if vector.size else vector
    is_wrong = ~(np.abs(totals - 1.0) <= SUM_TOLERANCE)
    if is_wrong.any():
        infoset = int(np.argmax(is_wrong))
        player, label = list(game.infoset_index)[infoset]
        raise ProbabilityError(
            f"probabilities at '{label}' of player {player + 1} sum to {totals[infoset]:.12g}, not 1."
            " Normalize them first."
        )


def check_profile(game: SequenceForm, profile: Profile) -> None:
    """Raise an error unless an object is a profile of this game, or of another game with equal rules.

    Games with equal rules have the same fingerprint, which is compared.

    Parameters
    ----------
    game : SequenceForm
        The game.
    profile : object
        The object to check.

    Raises
    ------
    KindError
        If `profile` is not a `Profile`.
    GameError
        If the profile belongs to a game with another fingerprint.
    """
    if not isinstance(profile, Profile):
        raise KindError(
            f"profile is a {type(profile).__name__}; give a profile of {game.name}, such as game.uniform()."
        )
    if profile.game is not game and profile.game.fingerprint != game.fingerprint:
        raise GameError(
            f"profile belongs to {profile.game.name}, not to {game.name}."
            " Make one with game.uniform() or Profile(game, probabilities)."
        )
