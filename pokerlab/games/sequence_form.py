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

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import (
    Floats,
    GameError,
    Ints,
    KindError,
    ProbabilityError,
    ShapeError,
    Unit,
    UnknownNameError,
)
from pokerlab.core.arrays import freeze, validate_numbers
from pokerlab.core.files import open_replacement_file, validate_path
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import check_kind, validate_integer
from pokerlab.games.game_block import pack_game
from pokerlab.games.profile_tables import check_table_entry, format_table_csv, read_table_csv
from pokerlab.games.rules import EQUAL_SUMS, Rules
from pokerlab.games.tree_passes import (
    PlayerResponse,
    compute_behavior,
    compute_nash_conv,
    compute_plans,
    compute_utilities_and_best_responses,
)
from pokerlab.games.treeplex import SUM_TOLERANCE, Treeplex

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False, repr=False)
class SequenceForm:
    """A game in sequence form, as arrays, which `compile_rules` makes from the game's rules.

    There are n players, I information sets, S sequences and Z terminals. Terminals with the same sequences of all
    players are merged. Vectors over sequences begin with the n empty sequences. All arrays become read-only.

    Parameters
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

    Attributes
    ----------
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
    block: Floats = field(init=False)

    def __post_init__(self) -> None:
        """Make the arrays read-only, and pack them into one block for the kernels."""
        infosets = (
            self.infoset_start,
            self.parent_sequence,
            self.first_sequence,
            self.num_actions,
        )
        freeze(*infosets, self.chance, self.sequence, self.payoff, self.utility_range)
        game_block = pack_game(infosets, self.sequence, self.chance, self.payoff)
        object.__setattr__(
            self, "block", game_block
        )  # a frozen dataclass can only be changed in this way

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

        Utilities are rounded, so two sums count as equal if they differ by at most a billionth of the largest absolute
        utility. A sum counts as zero if its absolute value is at most as large.
        """
        rounding = EQUAL_SUMS * float(np.abs(self.utility_range).max())
        with np.errstate(over="ignore"):
            sums = self.payoff.sum(axis=1)
        lowest_sum, highest_sum = float(sums.min()), float(sums.max())
        # If a sum is infinite, the difference is NaN, and the comparison is False.
        are_equal = highest_sum - lowest_sum <= rounding
        if not are_equal:
            return None
        middle = (lowest_sum + highest_sum) / 2.0
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
        """The number of information sets of each player, a tuple of n numbers."""
        return tuple(int(number) for number in np.diff(self.infoset_start))

    @cached_property
    def num_sequences(self) -> tuple[int, ...]:
        """The number of sequences of each player, including the empty sequence; a tuple of n numbers."""
        return tuple(1 + s.stop - s.start for s in self.player_sequences)

    @cached_property
    def num_probabilities(self) -> int:
        """The number of probabilities in a profile: one for each non-empty sequence of all players, S - n."""
        return int(self.num_actions.sum())

    @cached_property
    def first_probability_indices(self) -> Ints:
        """The index of each information set's first probability in a profile, an array of shape (I,)."""
        first_indices = self.first_sequence - self.num_players  # a profile has no empty sequences
        freeze(first_indices)
        return first_indices

    @cached_property
    def player_sequences(self) -> tuple[slice, ...]:
        """The slice of each player's probabilities in a profile, which are those of its non-empty sequences."""
        ends = np.concatenate([[0], np.cumsum(self.num_actions)])[self.infoset_start]
        return tuple(slice(int(a), int(b)) for a, b in pairwise(ends))

    @cached_property
    def infoset_index(self) -> dict[tuple[int, str], int]:
        """The index of each information set, by player and label."""
        players = np.repeat(np.arange(self.num_players), self.num_infosets).tolist()
        keys = zip(players, self.infoset_label, strict=True)
        return {player_and_label: index for index, player_and_label in enumerate(keys)}

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the name, the labels and all arrays of the game, which is the same for equal games."""
        digest = hashlib.sha256(repr((self.name, self.infoset_label, self.action_label)).encode())
        for numbers in (self.parent_sequence, self.chance, self.sequence, self.payoff):
            digest.update(np.ascontiguousarray(numbers).tobytes())
        return digest.hexdigest()[:16]

    def make_treeplex(self, player: int) -> Treeplex:
        """Return one player's sequences and information sets, where 0 is the index of the empty sequence.

        Parameters
        ----------
        player : int
            The player, counted from 0.

        Returns
        -------
        Treeplex
            The arrays over the player's information sets.

        Raises
        ------
        SettingError
            If the game does not have such a player.
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
        """The payoff matrices of both players of a two-player game, which solvers share and must not change.

        `payoff_matrix` describes them, and returns copies.
        """
        from scipy.sparse import csr_array

        rows, columns = self.find_sequences_at_terminals(0), self.find_sequences_at_terminals(1)
        weights = self.payoff * self.chance[:, None]
        first_matrix = csr_array((weights[:, 0], (rows, columns)), shape=self.num_sequences)
        second_matrix = csr_array((weights[:, 1], (rows, columns)), shape=self.num_sequences)
        return first_matrix, second_matrix

    def find_sequences_at_terminals(self, player: int) -> Ints:
        """Return a player's sequence at each of the Z terminals, where 0 is the player's empty sequence.

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

        Returns
        -------
        int
            The index, from 0 to I - 1.

        Raises
        ------
        UnknownNameError
            If the player has no information set with this label.
        SettingError
            If the game does not have such a player.
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
        """Return which probabilities of a profile belong to an information set, and the labels of the actions there.

        Parameters
        ----------
        player : int
            The player, counted from 0.
        label : str
            The label of the information set.

        Returns
        -------
        probabilities : slice
            The slice of a profile with the probabilities of the actions.
        actions : tuple of str
            The labels of the actions, in the same order.

        Raises
        ------
        SettingError
            If the game does not have such a player.
        UnknownNameError
            If the player has no information set with this label.
        """
        infoset = self.find_infoset(player, label)
        begin = int(self.first_sequence[infoset]) - self.num_players
        end = begin + int(self.num_actions[infoset])
        return slice(begin, end), self.action_label[infoset]

    def uniform(self) -> "Profile":
        """Return the uniform profile, in which all actions of an information set have the same probability.

        Returns
        -------
        Profile
            The profile, for all players.
        """
        return Profile.from_unchecked(self, np.repeat(1.0 / self.num_actions, self.num_actions))

    def values(self, profile: "Profile") -> Floats:
        """Return the expected utility of each player when all players follow a profile.

        Parameters
        ----------
        profile : Profile
            A profile of this game.

        Returns
        -------
        array of shape (n,)
            The expected utilities, in the game's unit.

        Raises
        ------
        KindError
            If `profile` is not a `Profile`.
        GameError
            If the profile belongs to another game.
        """
        utilities, _, _ = self.compute_utilities_and_best_responses(profile)
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

        Returns
        -------
        PlayerResponse
            The expected utility of the best response, and the player's probabilities of actions.

        Raises
        ------
        SettingError
            If the game does not have such a player.
        GameError
            If the profile belongs to another game.
        """
        self.check_player(player)
        vector = self.validate_probabilities(profile)
        _, best_utilities, responses = compute_utilities_and_best_responses(
            self.block, vector, player, player + 1
        )
        return PlayerResponse(
            float(best_utilities[player]), responses[self.player_sequences[player]]
        )

    def best_values(self, profile: "Profile") -> Floats:
        """Return the expected utility of each player's best response to a profile.

        Parameters
        ----------
        profile : Profile
            A profile of this game.

        Returns
        -------
        array of shape (n,)
            The expected utilities, in the game's unit, if only this player changes its strategy.

        Raises
        ------
        GameError
            If the profile belongs to another game.
        """
        _, best_utilities, _ = self.compute_utilities_and_best_responses(profile)
        return best_utilities

    def gains(self, profile: "Profile") -> Floats:
        """Return how much each player gains by deviating from a profile to a best response.

        Parameters
        ----------
        profile : Profile
            A profile of this game.

        Returns
        -------
        array of shape (n,)
            The increases of the expected utilities, in the game's unit, if only this player changes its strategy.

        Raises
        ------
        GameError
            If the profile belongs to another game.
        """
        utilities, best_utilities, _ = self.compute_utilities_and_best_responses(profile)
        return best_utilities - utilities

    def nash_conv(self, profile: "Profile") -> float:
        """Return NashConv, the sum of all players' gains from deviating from a profile to a best response.

        Parameters
        ----------
        profile : Profile
            A profile of this game.

        Returns
        -------
        float
            NashConv in the game's unit, which is 0 if and only if the profile is a Nash equilibrium.

        Raises
        ------
        GameError
            If the profile belongs to another game.
        """
        return compute_nash_conv(self.block, self.validate_probabilities(profile))

    def compute_utilities_and_best_responses(
        self, profile: "Profile"
    ) -> tuple[Floats, Floats, Floats]:
        """Return each player's utility in a profile, the utility of its best response, and this best response.

        Parameters
        ----------
        profile : Profile
            A profile of this game.

        Returns
        -------
        utilities : array of shape (n,)
            Each player's expected utility.
        best_utilities : array of shape (n,)
            The expected utility of each player's best response.
        responses : array of shape (S - n,)
            The probabilities of the best responses, player after player.

        Raises
        ------
        GameError
            If the profile belongs to another game.
        """
        return compute_utilities_and_best_responses(
            self.block, self.validate_probabilities(profile), 0, self.num_players
        )

    def check_terminals_can_be_listed(self) -> None:
        """Raise a GameError if the game has too many terminals to list.

        Here all terminals are stored, so nothing is raised. A `CardGame`, whose terminals are not stored, overrides
        this method.
        """

    def check_player(self, player: Any) -> None:
        """Raise a SettingError unless a number is the index of a player of the game.

        Parameters
        ----------
        player : Any
            The argument to check, which should be an integer from 0 to n - 1.

        Raises
        ------
        SettingError
            If it is something else.
        """
        validate_integer(f"player index in {self.name}", player, 0, self.num_players - 1)

    def validate_probabilities(self, profile: "Profile") -> Floats:
        """Return the probabilities of a profile, after checking that the profile belongs to this game.

        Parameters
        ----------
        profile : Profile
            The profile.

        Returns
        -------
        array of shape (S - n,)
            The probability of each non-empty sequence, in the order in which kernels read them. The array is not a
            copy.

        Raises
        ------
        KindError
            If `profile` is not a `Profile`.
        GameError
            If the profile belongs to another game.
        """
        if type(profile) is not Profile or profile.game is not self:  # else it has been checked
            check_profile_fits_game(self, profile)
        return profile.vector

    def __repr__(self) -> str:
        sizes = " + ".join(map(str, self.num_infosets))
        return f"<{self.name}: {self.num_players} players, {sizes} information sets, {self.num_histories_ended} ends>"


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

    Raises
    ------
    GameError
        If `game` is not a compiled game.
    ShapeError
        If there is not one probability for each action.
    ProbabilityError
        If a probability is negative or NaN, or if the probabilities at an information set do not sum to 1.
    """

    game: SequenceForm
    probabilities: Floats
    vector: Floats = field(init=False)

    def __init__(self, game: SequenceForm, probabilities: ArrayLike) -> None:
        check_game_is_compiled(game)
        vector = validate_numbers(probabilities, "probabilities", ShapeError)
        check_action_probabilities(game, vector)
        self.set_probabilities(game, vector)

    def set_probabilities(self, game: SequenceForm, vector: Floats) -> None:
        """Set the attributes of a new profile. Two of them, `probabilities` and `vector`, are the same numbers.

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
        """Return a profile of probabilities that are known to be valid, without checking them.

        Parameters
        ----------
        game : SequenceForm
            The game of n players and S sequences.
        probabilities : array of shape (S - n,)
            The probability of each non-empty sequence. The array is not copied.

        Returns
        -------
        Profile
            The profile.
        """
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

        Returns
        -------
        Profile
            The profile.

        Raises
        ------
        ShapeError
            If there is not a plan for each player with the player's number of sequences.
        ProbabilityError
            If a plan violates the constraints on realization plans.
        """
        check_game_is_compiled(game)
        check_kind("plans", plans, Iterable, "a list of one for each player")
        arrays = [validate_numbers(plan, "weights of a plan", ShapeError) for plan in plans]
        shapes = [plan.shape for plan in arrays]
        needed_shapes = [(size,) for size in game.num_sequences]
        if shapes != needed_shapes:
            raise ShapeError(f"plans have shapes {shapes}; {game.name} needs {needed_shapes}.")
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

        Returns
        -------
        Profile
            The profile.

        Raises
        ------
        SettingError
            If the table does not map pairs to dictionaries.
        UnknownNameError
            If the game does not have an information set or an action of the table.
        ProbabilityError
            If the probabilities at an information set are negative or do not sum to 1.
        """
        check_game_is_compiled(game)
        check_kind("table", table, Mapping, "a dictionary, such as {(0, 'J'): {'bet': 1.0}}")
        vector = np.array(game.uniform().probabilities)
        for player_and_label, probability_of_action in table.items():
            check_table_entry(player_and_label, probability_of_action)
            _, label = player_and_label
            # This also checks the player and the label.
            infoset_slice, actions = game.find_action_slice(*player_and_label)
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
            The file. Its columns are player, information set, action and probability, where players are counted from 1.
            An information set that is left out is uniform. An action that is left out has probability 0.

        Returns
        -------
        Profile
            The profile.

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
        check_game_is_compiled(game)
        return cls.from_table(game, read_table_csv(validate_path("path", path), game.num_players))

    def to_csv(self, path: str | Path) -> Path:
        """Write the profile to a CSV file, which `from_csv` can read, and return its path.

        Parameters
        ----------
        path : str or Path
            The file to write. Its columns are those of `PROFILE_COLUMNS`, and it has a row for each action of each
            information set. Players are counted from 1.

        Returns
        -------
        Path
            The path of the file.
        """
        target = validate_path("path", path)
        with open_replacement_file(target) as file:
            file.write(format_table_csv(self.to_table()).encode())
        return target

    def get_behavior(self, player: int) -> Floats:
        """Return the probabilities of one player's actions at all its information sets.

        Parameters
        ----------
        player : int
            The player i, counted from 0.

        Returns
        -------
        array of shape (S_i - 1,)
            The probability of each of the player's non-empty sequences, as a read-only view.

        Raises
        ------
        SettingError
            If the game does not have such a player.
        """
        self.game.check_player(player)
        return self.probabilities[self.game.player_sequences[player]]

    def action_probabilities(self, player: int, infoset: str) -> dict[str, float]:
        """Return the probability of each action at one information set.

        Parameters
        ----------
        player : int
            The player, counted from 0.
        infoset : str
            The label of the information set.

        Returns
        -------
        dict of str to float
            The probability of each action.

        Raises
        ------
        SettingError
            If the game does not have such a player.
        UnknownNameError
            If the player has no information set with this label.
        """
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

        Raises
        ------
        SettingError
            If the game does not have such a player.
        """
        self.game.check_player(player)
        weights = compute_plans(self.game.block, self.probabilities)
        non_empty = weights[self.game.num_players :]
        return np.concatenate([[1.0], non_empty[self.game.player_sequences[player]]])

    def replace(self, player: int, behavior: "ArrayLike | Profile") -> "Profile":
        """Return a copy of this profile in which one player behaves in another way.

        Parameters
        ----------
        player : int
            The player, counted from 0.
        behavior : array_like of shape (S_i - 1,) or Profile
            The new probabilities of the player's S_i - 1 non-empty sequences, or a profile from which this player's
            part is taken.

        Returns
        -------
        Profile
            The new profile. This profile does not change.

        Raises
        ------
        ShapeError
            If there is not one probability for each of these sequences.
        ProbabilityError
            If the probabilities at an information set are negative or do not sum to 1.
        GameError
            If the given profile belongs to another game.
        SettingError
            If the game does not have such a player.
        """
        self.game.check_player(player)
        if isinstance(behavior, Profile):
            check_profile_fits_game(self.game, behavior)
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

        Returns
        -------
        dict of (int, str) to dict of str to float
            The probability of each action, by player (counted from 0) and label of the information set, and then by
            action.
        """
        return {
            player_and_label: self.action_probabilities(*player_and_label)
            for player_and_label in self.game.infoset_index
        }

    def __repr__(self) -> str:
        return f"<profile of {self.game.name}: {self.probabilities.size} probabilities>"


def check_game_is_compiled(game: Any) -> None:
    """Raise a GameError unless an object is a compiled game.

    Parameters
    ----------
    game : Any
        The argument to check, which should be a `SequenceForm`.

    Raises
    ------
    GameError
        If it is something else, such as the rules of a game.
    """
    check_kind("game", game, SequenceForm, "a compiled one, such as games.kuhn()", GameError)


def check_action_probabilities(game: SequenceForm, vector: Floats) -> None:
    """Raise an error unless a vector has valid probabilities for all actions at all information sets of a game.

    Parameters
    ----------
    game : SequenceForm
        The game of n players and S sequences.
    vector : array
        The numbers to check: the probability of each non-empty sequence.

    Raises
    ------
    ShapeError
        If the vector does not have the shape (S - n,).
    ProbabilityError
        If a probability is negative or NaN, or if the probabilities at an information set do not sum to 1.
    """
    if vector.shape != (game.num_probabilities,):
        raise ShapeError(
            f"profile has shape {vector.shape}; {game.name} needs ({game.num_probabilities},)."
            " Start from game.uniform()."
        )
    first_indices = game.first_probability_indices
    is_wrong = ~(vector >= 0.0)  # also for NaN
    if is_wrong.any():
        index = int(np.argmax(is_wrong))
        infoset = int(np.searchsorted(first_indices, index, side="right")) - 1
        player, label = list(game.infoset_index)[infoset]
        action = game.action_label[infoset][index - first_indices[infoset]]
        raise ProbabilityError(
            f"probability of '{action}' at '{label}' of player {player + 1} is {vector[index]}; it must be from 0 to 1."
        )

    totals = np.add.reduceat(vector, first_indices) if vector.size else vector
    is_wrong = ~(np.abs(totals - 1.0) <= SUM_TOLERANCE)
    if is_wrong.any():
        infoset = int(np.argmax(is_wrong))
        player, label = list(game.infoset_index)[infoset]
        raise ProbabilityError(
            f"probabilities at '{label}' of player {player + 1} sum to {totals[infoset]:.12g}, not 1."
            " Normalize them first."
        )


def check_profile_fits_game(game: SequenceForm, profile: Profile) -> None:
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
