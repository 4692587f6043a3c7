"""The sequence form of a game, which every solver and metric works on, and profiles of strategies in it.

A game is a few flat arrays over sequences, parents before children. All players' sequences share one numbering: 0 to
n - 1 are the n empty sequences, and then come the non-empty ones, player after player. So a vector over all non-empty
sequences, such as a profile, is the tail of a vector over all sequences. Information sets are numbered player after
player, those of less depth first. One player's part of a game is its treeplex: the player's sequences and the
constraints on realization plans over them.

`S` is the number of sequences of all players, `I` of information sets, `Z` of terminals (those that share all
sequences are merged), and `n` of players; `S_i` and `I_i` are those of player i.

`compile_rules` visits each history of a game's rules once, numbers what it finds, and raises if the rules contradict
themselves. Then it arranges the numbers for the passes: information sets by depth, so that parents come first, and
those below one sequence next to each other.
"""

import hashlib
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import (
    Floats,
    GameError,
    Ints,
    KindError,
    PokerlabError,
    ProbabilityError,
    SettingError,
    ShapeError,
    Unit,
    UnknownNameError,
)
from pokerlab.core.arrays import checked_numbers, freeze
from pokerlab.core.errors import in_short
from pokerlab.core.settings import check_kind, whole
from pokerlab.games.matrix_games import MatrixGame
from pokerlab.games.rules import (
    EQUAL_SUMS,
    MOST_PLAYERS,
    Chance,
    Decision,
    Number,
    Rules,
    Terminal,
    describe_history,
)
from pokerlab.games.tree_passes import (
    Reply,
    compute_behavior,
    compute_best_responses,
    compute_plans,
    pack_game,
    sum_gains,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SUM_TOLERANCE = 1e-9
"""By how much probabilities may miss their sum: rounding of a few hundred additions stays below it."""
PLAN_TOLERANCE = 1e-6
"""By how much a realization plan may miss its constraints: linear programs keep theirs to 1e-7."""


class Treeplex(NamedTuple):
    """One player's sequences and information sets: sequence 0 is the empty one, parents come before children."""

    parent_sequence: Ints  # (I_i,): the sequence that leads to each information set
    first_sequence: Ints  # (I_i,): the sequence of its first action
    num_actions: Ints  # (I_i,): its number of actions

    @property
    def num_sequences(self) -> int:
        """The number of sequences S_i, the empty one included."""
        return 1 + int(self.num_actions.sum())

    def constraints(self) -> "csr_array":
        """Return the matrix E, (I_i + 1, S_i): the realization plans are the x >= 0 with E x = (1, 0, ...).

        Row 0 says that the empty sequence has weight one. Each other row says that the weights of an information set's
        sequences sum to the weight of its parent sequence (Koller, Megiddo & von Stengel 1994).
        """
        from scipy.sparse import csr_array

        num_infosets = len(self.num_actions)
        infoset_rows = 1 + np.arange(num_infosets)
        own_rows = np.repeat(infoset_rows, self.num_actions)
        own_columns = np.arange(1, self.num_sequences)

        rows = np.concatenate([[0], own_rows, infoset_rows])
        columns = np.concatenate([[0], own_columns, self.parent_sequence])
        values = np.concatenate([[1.0], np.ones(len(own_columns)), -np.ones(num_infosets)])
        return csr_array((values, (rows, columns)), shape=(num_infosets + 1, self.num_sequences))

    def check_plan(self, plan: Floats, owner: str, labels: Sequence[str]) -> None:
        """Raise ProbabilityError unless `plan`, (S_i,), is a realization plan.

        Parameters
        ----------
        plan : ndarray of shape (S_i,)
            Weights of the player's sequences.
        owner : str
            The player's name for the error message, such as 'player 1'.
        labels : sequence of str
            The labels of the player's information sets, (I_i,).
        """
        if not (plan >= -SUM_TOLERANCE).all():
            raise ProbabilityError(
                f"plan of {owner} has weights down to {np.min(plan)}; they must be from 0 to 1."
            )
        if abs(plan[0] - 1.0) > PLAN_TOLERANCE:
            raise ProbabilityError(
                f"plan of {owner} gives the empty sequence {plan[0]}, not 1. Divide the plan by it."
            )
        starts = self.first_sequence
        totals = np.add.reduceat(plan, starts) if starts.size else plan[:0]
        violations = np.abs(totals - plan[self.parent_sequence])
        for infoset in np.flatnonzero(violations > PLAN_TOLERANCE)[:1]:
            raise ProbabilityError(
                f"plan of {owner} sums to {totals[infoset]:.12g} at '{labels[infoset]}', whose own"
                f" sequence has weight {plan[self.parent_sequence[infoset]]:.12g}; both must agree."
            )


@dataclass(frozen=True, eq=False, repr=False)
class SequenceForm:
    """A game as arrays; `compile_rules` makes it.

    With n players, I information sets and Z merged terminals, the arrays are `infoset_label`, `action_label`,
    `parent_sequence`, `first_sequence` and `num_actions`, (I,), `chance`, (Z,), and `sequence` and `payoff`, (Z, n).
    Vectors over sequences, (S,), begin with the n empty sequences.
    """

    rules: Rules  # the rules that were compiled
    num_histories_ended: int  # terminal histories of the tree, before merging
    infoset_start: Ints  # (n + 1,): player i's information sets are `infoset_start[i]` up to `infoset_start[i + 1]`
    infoset_label: tuple[str, ...]  # (I,): the label of each information set
    action_label: tuple[tuple[str, ...], ...]  # (I,): the labels of its actions
    parent_sequence: Ints  # (I,): the player's sequence that leads there
    first_sequence: Ints  # (I,): the sequence of its first action
    num_actions: Ints  # (I,): its number of actions
    chance: Floats  # (Z,): chance's probability of each terminal
    sequence: Ints  # (Z, n): each player's sequence there
    payoff: Floats  # (Z, n): each player's (expected) utility there
    utility_range: (
        Floats  # (n, 2): each player's least and largest utility at an end, before merging
    )
    block: Floats  # the same arrays in one piece of memory, for the kernels; numba accepts a writable array faster

    @classmethod
    def build(cls, **arrays: Any) -> Self:
        """Return the game with these arrays: they are made read-only, and packed for the kernels."""
        freeze(*arrays.values())
        infoset_arrays = (
            arrays["infoset_start"],
            arrays["parent_sequence"],
            arrays["first_sequence"],
            arrays["num_actions"],
        )
        block = pack_game(infoset_arrays, arrays["sequence"], arrays["chance"], arrays["payoff"])
        return cls(**arrays, block=block)

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
        """The sum of all players' utilities if it is the same at every end, otherwise None.

        Sums that differ by at most a billionth of the largest utility count as equal; a sum that small counts as zero.
        """
        rounding = EQUAL_SUMS * float(np.abs(self.utility_range).max())
        with np.errstate(over="ignore"):
            sums = self.payoff.sum(axis=1)
        least, most = float(sums.min()), float(sums.max())
        if not most - least <= rounding:
            return None
        middle = (least + most) / 2.0
        return 0.0 if abs(middle) <= rounding else middle

    @property
    def zero_sum(self) -> bool:
        """Whether utilities sum to zero at every end, up to rounding."""
        return self.payoff_sum == 0.0

    @cached_property
    def num_infosets(self) -> tuple[int, ...]:
        """The number of information sets of each player."""
        return tuple(int(k) for k in np.diff(self.infoset_start))

    @cached_property
    def num_sequences(self) -> tuple[int, ...]:
        """The number of sequences of each player, the empty one included."""
        return tuple(1 + s.stop - s.start for s in self.player_sequences)

    @cached_property
    def num_probabilities(self) -> int:
        """The length of a profile: the number of non-empty sequences of all players, S - n."""
        return int(self.num_actions.sum())

    @cached_property
    def player_sequences(self) -> tuple[slice, ...]:
        """The slice of each player's non-empty sequences in a profile."""
        ends = np.concatenate([[0], np.cumsum(self.num_actions)])[self.infoset_start]
        return tuple(slice(int(a), int(b)) for a, b in pairwise(ends))

    @cached_property
    def infoset_index(self) -> dict[tuple[int, str], int]:
        """The number of each information set, by player and label."""
        player = np.repeat(np.arange(self.num_players), self.num_infosets).tolist()
        return {key: i for i, key in enumerate(zip(player, self.infoset_label, strict=True))}

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything that decides the numbers; equal for equal games."""
        digest = hashlib.sha256(repr((self.name, self.infoset_label, self.action_label)).encode())
        for numbers in (self.parent_sequence, self.chance, self.sequence, self.payoff):
            digest.update(np.ascontiguousarray(numbers).tobytes())
        return digest.hexdigest()[:16]

    def treeplex(self, player: int) -> Treeplex:
        """Return one player's sequences and constraints, numbered from the empty sequence."""
        self.check_player(player)
        infosets = slice(*self.infoset_start[player : player + 2])
        shift = self.num_players + self.player_sequences[player].start - 1
        parent = self.parent_sequence[infosets]
        return Treeplex(
            parent_sequence=np.where(parent < self.num_players, 0, parent - shift),
            first_sequence=self.first_sequence[infosets] - shift,
            num_actions=self.num_actions[infosets],
        )

    def payoff_matrix(self, player: int) -> "csr_array":
        """Return one player's payoff matrix U of a two-player game, (S_1, S_2), weighted by chance's probabilities.

        With realization plans x and y the player's utility is x^T U y (Lanctot 2014, section 2.1).
        """
        if self.num_players != 2:
            raise GameError(
                f"payoff_matrix is for two players; {self.name} has {self.num_players}."
            )
        self.check_player(player)
        from scipy.sparse import csr_array

        cells = tuple(self.own_sequences(p) for p in range(2))
        values = self.payoff[:, player] * self.chance
        return csr_array((values, cells), shape=self.num_sequences)

    def own_sequences(self, player: int) -> Ints:
        """Return a player's sequence at each terminal, (Z,), numbered from the player's empty sequence, 0."""
        begin = self.num_players + self.player_sequences[player].start
        return np.asarray(np.maximum(self.sequence[:, player] - begin + 1, 0))

    def infoset(self, player: int, label: str) -> int:
        """Return the number of a player's information set."""
        self.check_player(player)
        check_kind("label", label, str, "the name of an information set, such as 'J'")
        index = self.infoset_index.get((player, label))
        if index is None:
            allowed = [name for p, name in self.infoset_index if p == player]
            raise UnknownNameError.among(
                f"information set of player {player + 1} in {self.name}", label, allowed
            )
        return index

    def choices(self, player: int, label: str) -> tuple[slice, tuple[str, ...]]:
        """Return the slice of an information set's actions in a profile, and the names of the actions."""
        infoset = self.infoset(player, label)
        begin = int(self.first_sequence[infoset]) - self.num_players
        end = begin + int(self.num_actions[infoset])
        return slice(begin, end), self.action_label[infoset]

    def uniform(self) -> "Profile":
        """Return the profile in which all players choose all actions with equal probabilities."""
        return Profile.computed(self, np.repeat(1.0 / self.num_actions, self.num_actions))

    def values(self, profile: "Profile") -> Floats:
        """Return each player's expected utility, (n,), when all follow `profile`."""
        utilities, _, _ = self.compute_best_responses(profile)
        return utilities

    def best_response(self, profile: "Profile", player: int) -> Reply:
        """Return a best response of `player` (0-based) to `profile`, and its expected utility.

        It is found by one backward pass over the player's information sets, deepest first.
        """
        self.check_player(player)
        vector = self.owned(profile)
        _, best, responses = compute_best_responses(self.block, vector, player, player + 1)
        return Reply(float(best[player]), responses[self.player_sequences[player]])

    def best_values(self, profile: "Profile") -> Floats:
        """Return the expected utility of each player's best response to `profile`, (n,)."""
        _, best, _ = self.compute_best_responses(profile)
        return best

    def gains(self, profile: "Profile") -> Floats:
        """Return by how much each player's best response to `profile` increases its utility, (n,)."""
        utilities, best, _ = self.compute_best_responses(profile)
        return best - utilities

    def nash_conv(self, profile: "Profile") -> float:
        """Return the sum of all players' gains."""
        return sum_gains(self.block, self.owned(profile))

    def compute_best_responses(self, profile: "Profile") -> tuple[Floats, Floats, Floats]:
        """Return utilities, (n,), best response values, (n,), and best responses, (S - n,), of all players."""
        return compute_best_responses(self.block, self.owned(profile), 0, self.num_players)

    def check_player(self, player: Any) -> None:
        """Raise SettingError unless `player` is the index of a player."""
        whole(f"player index in {self.name}", player, 0, self.num_players - 1)

    def owned(self, profile: "Profile") -> Floats:
        """Return the probabilities of `profile` for the kernels, or raise if it belongs to another game."""
        if type(profile) is not Profile or profile.game is not self:
            check_profile(self, profile)
        return profile.vector

    def __repr__(self) -> str:
        sizes = " + ".join(map(str, self.num_infosets))
        return f"<{self.name}: {self.num_players} players, {sizes} information sets, {self.num_histories_ended} ends>"


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """A strategy for each player: the probabilities of all actions at all information sets.

    Parameters
    ----------
    game : SequenceForm
        The game that the profile belongs to.
    probabilities : array_like of shape (S - n,)
        One for each non-empty sequence, player after player, in the order of `game.action_label`. The probabilities at
        an information set sum to one.
    """

    game: SequenceForm
    probabilities: Floats
    vector: Floats = field(init=False)

    def __init__(self, game: SequenceForm, probabilities: ArrayLike) -> None:
        check_game(game)
        vector = checked_numbers(probabilities, "probabilities", ShapeError)
        check_probabilities(game, vector)
        self.set_probabilities(game, vector)

    def set_probabilities(self, game: SequenceForm, vector: Floats) -> None:
        """Set the attributes: `vector` for the kernels, because numba accepts a writable array faster, and a view."""
        read_only_view = vector.view()
        read_only_view.setflags(write=False)
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "probabilities", read_only_view)
        object.__setattr__(self, "vector", vector)

    @classmethod
    def computed(cls, game: SequenceForm, probabilities: Floats) -> Self:
        """Return the profile of probabilities that pokerlab has computed itself; they are not checked."""
        profile = object.__new__(cls)
        profile.set_probabilities(game, probabilities)
        return profile

    @classmethod
    def from_plans(cls, game: SequenceForm, plans: Sequence[ArrayLike]) -> Self:
        """Return the behavior of realization plans, one a player; it is uniform where the reach is zero.

        Parameters
        ----------
        game : SequenceForm
            The game.
        plans : sequence of array_like
            The realization plan of each player, (S_i,), the empty sequence first.
        """
        check_game(game)
        check_kind("plans", plans, Iterable, "a list of one for each player")
        arrays = [checked_numbers(plan, "weights of a plan", ShapeError) for plan in plans]
        shapes = [plan.shape for plan in arrays]
        needed = [(size,) for size in game.num_sequences]
        if shapes != needed:
            raise ShapeError(f"plans have shapes {shapes}; {game.name} needs {needed}.")
        for player, plan in enumerate(arrays):
            labels = game.infoset_label[slice(*game.infoset_start[player : player + 2])]
            game.treeplex(player).check_plan(plan, f"player {player + 1}", labels)

        empty_sequences = [plan[0] for plan in arrays]
        other_sequences = [plan[1:] for plan in arrays]
        weights = np.concatenate([empty_sequences, *other_sequences])
        return cls(game, compute_behavior(game.block, weights))

    @classmethod
    def from_table(
        cls, game: SequenceForm, table: Mapping[tuple[int, str], Mapping[str, float]]
    ) -> Self:
        """Return the profile with the probabilities in `table`.

        Parameters
        ----------
        game : SequenceForm
            The game.
        table : mapping of (int, str) to mapping of str to float
            For each (player, information set) the probabilities by action. An information set that is left out is
            uniform; an action that is left out has probability 0.
        """
        check_game(game)
        check_kind("table", table, Mapping, "a dictionary, such as {(0, 'J'): {'bet': 1.0}}")
        vector = np.array(game.uniform().probabilities)
        items: Any = table.items()
        for key, given in items:
            if not isinstance(key, tuple) or len(key) != 2 or not isinstance(given, Mapping):
                raise SettingError(
                    f"table holds {in_short(key)}: {in_short(given)}; give (player, information set) and a"
                    " dictionary from actions to probabilities, such as (0, 'J'): {'bet': 1.0}."
                )
            _, label = key
            place, actions = game.choices(*key)
            for action in given:
                UnknownNameError.check(f"action at '{label}'", action, actions)
            probabilities = [given.get(action, 0.0) for action in actions]
            vector[place] = checked_numbers(probabilities, f"probabilities at '{label}'")
        return cls(game, vector)

    def of(self, player: int) -> Floats:
        """Return one player's probabilities, (S_i - 1,)."""
        self.game.check_player(player)
        return self.probabilities[self.game.player_sequences[player]]

    def at(self, player: int, infoset: str) -> dict[str, float]:
        """Return the probabilities at one information set, by action."""
        place, actions = self.game.choices(player, infoset)
        return dict(zip(actions, self.probabilities[place].tolist(), strict=True))

    def plan(self, player: int) -> Floats:
        """Return one player's realization plan, (S_i,), the empty sequence first."""
        self.game.check_player(player)
        weights = compute_plans(self.game.block, self.probabilities)
        non_empty = weights[self.game.num_players :]
        return np.concatenate([[1.0], non_empty[self.game.player_sequences[player]]])

    def replace(self, player: int, behavior: "ArrayLike | Profile") -> "Profile":
        """Return this profile with another `behavior`, (S_i - 1,), of one player.

        Parameters
        ----------
        player : int
            The player, counted from 0.
        behavior : array_like of shape (S_i - 1,) or Profile
            The new probabilities; of a profile, those of this player.
        """
        self.game.check_player(player)
        if isinstance(behavior, Profile):
            check_profile(self.game, behavior)
            behavior = behavior.of(player)
        vector = np.array(self.probabilities)
        place = self.game.player_sequences[player]
        probabilities = checked_numbers(
            behavior, f"probabilities of player {player + 1}", ShapeError
        )
        if probabilities.shape != vector[place].shape:
            raise ShapeError(
                f"behavior of player {player + 1} has shape {probabilities.shape};"
                f" {self.game.name} needs {vector[place].shape}."
            )
        vector[place] = probabilities
        return Profile(self.game, vector)

    def table(self) -> dict[tuple[int, str], dict[str, float]]:
        """Return all probabilities by (player, information set) and action."""
        return {key: self.at(*key) for key in self.game.infoset_index}

    def __repr__(self) -> str:
        return f"<profile of {self.game.name}: {self.probabilities.size} probabilities>"


def name_sum(payoff_sum: float | None) -> str:
    """Return the kind of game in which all players' payoffs have this sum: 'zero-sum', and so on."""
    if payoff_sum is None:
        return "general-sum"
    return "constant-sum" if payoff_sum else "zero-sum"


def check_game(game: Any) -> None:
    """Raise GameError unless `game` is a compiled game."""
    check_kind("game", game, SequenceForm, "a compiled one, such as games.kuhn()", GameError)


def check_probabilities(game: SequenceForm, vector: Floats) -> None:
    """Raise unless `vector`, (S - n,), has the probabilities of a profile of `game`."""
    if vector.shape != (game.num_probabilities,):
        raise ShapeError(
            f"profile has shape {vector.shape}; {game.name} needs ({game.num_probabilities},)."
            " Start from game.uniform()."
        )
    first = (
        game.first_sequence - game.num_players
    )  # the place of each information set in the vector
    for place in np.flatnonzero(~(vector >= 0.0))[:1]:
        infoset = int(np.searchsorted(first, place, side="right")) - 1
        player, label = list(game.infoset_index)[infoset]
        action = game.action_label[infoset][place - first[infoset]]
        raise ProbabilityError(
            f"probability of '{action}' at '{label}' of player {player + 1} is {vector[place]}; it must be from 0 to 1."
        )
    totals = np.add.reduceat(vector, first) if vector.size else vector
    for infoset in np.flatnonzero(~(np.abs(totals - 1.0) <= SUM_TOLERANCE))[:1]:
        player, label = list(game.infoset_index)[infoset]
        raise ProbabilityError(
            f"probabilities at '{label}' of player {player + 1} sum to {totals[infoset]:.12g}, not 1."
            " Normalize them first."
        )


def check_profile(game: SequenceForm, profile: Profile) -> None:
    """Raise unless `profile` is a profile of `game` or of an equal game."""
    if not isinstance(profile, Profile):
        raise KindError(
            f"profile is a {type(profile).__name__}; give a profile of {game.name}, such as game.uniform()."
        ) from None
    if profile.game is not game and profile.game.fingerprint != game.fingerprint:
        raise GameError(
            f"profile belongs to {profile.game.name}, not to {game.name}."
            " Make one with game.uniform() or Profile(game, probabilities)."
        )


LONGEST_HISTORY = 500
"""The most actions of a history, those of chance included: visiting a tree calls itself once for each."""
LARGEST_UTILITY = int(sys.float_info.max)
"""The largest float, as an int: fractions are compared with an int faster than with a float."""


@dataclass
class TreeWalk:
    """The information sets, sequences and terminals that a walk over the tree of `rules` has found so far.

    Sequences are numbered as they are found, after the n empty ones. Each information set has one entry in `actions`,
    `parent`, `first` and `found_at`; each terminal history has n entries in `sequence` and one in `chance` and
    `utility_number`.
    """

    rules: Rules
    path: list[str] = field(default_factory=list)  # the choices that lead to the present history
    num_sequences: int = 0
    infosets: dict[tuple[int, str], int] = field(
        default_factory=dict
    )  # numbers, by player and label
    actions: list[tuple[str, ...]] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)  # the sequence that leads there
    first: list[int] = field(default_factory=list)  # the sequence of the first action
    found_at: list[str] = field(default_factory=list)  # the history at which it was found
    utilities: dict[tuple[Number, ...], int] = field(
        default_factory=dict
    )  # numbers of different ones
    sequence: "array[int]" = field(default_factory=lambda: array("i"))
    chance: "array[float]" = field(default_factory=lambda: array("d"))
    utility_number: "array[int]" = field(default_factory=lambda: array("i"))

    def describe_here(self) -> str:
        """Return the words by which an error names the present history."""
        return describe_history(self.rules, self.path)

    def visit(self, history: Any, own: tuple[int, ...], chance: Fraction, reach: float) -> None:
        """Walk over the tree below `history`.

        Parameters
        ----------
        history : Any
            A history of the rules, to which `path` leads.
        own : tuple of int
            Each player's sequence there.
        chance, reach : Fraction, float
            The probability that chance leads there, exactly and rounded.
        """
        if len(self.path) > LONGEST_HISTORY:
            raise GameError(
                f"a history of {self.rules.name} that begins '{' '.join(self.path[:8])}' has more"
                f" than {LONGEST_HISTORY} actions. Make sure that every history comes to an end."
            )
        turn = self.rules.turn(history)
        if isinstance(turn, Decision):
            first = self.first[self.find_infoset(turn, own)]
            player = turn.player
            before, behind = own[:player], own[player + 1 :]
            for number, action in enumerate(turn.actions):
                self.path.append(action)
                after = self.rules.after(history, action)
                self.visit(after, (*before, first + number, *behind), chance, reach)
                self.path.pop()
        elif isinstance(turn, Terminal):
            self.utility_number.append(self.find_utilities(turn))
            self.chance.append(reach)
            self.sequence.extend(own)
        elif isinstance(turn, Chance):
            self.check_chance(turn)
            for outcome, probability in turn.outcomes.items():
                self.path.append(outcome)
                product = chance * probability
                product_reach = self.checked_reach(product)
                self.visit(self.rules.after(history, outcome), own, product, product_reach)
                self.path.pop()
        else:
            raise GameError(
                f"turn at {self.describe_here()} is {turn!r}; return a Chance, a Decision or a Terminal."
            )

    def find_infoset(self, turn: Decision, own: tuple[int, ...]) -> int:
        """Return the number of the information set of `turn`, and add it if it is new."""
        try:
            number = self.infosets[turn.player, turn.infoset]
        except (KeyError, TypeError):  # it is new, or its label cannot be hashed
            return self.add_infoset(turn, own)
        if self.parent[number] != own[turn.player]:
            raise GameError(
                f"player {turn.player + 1} has imperfect recall at '{turn.infoset}':"
                f" {self.describe_here()} and history '{self.found_at[number]}' differ in the player's own"
                " earlier choices. Put what the player knew and did into the label."
            )
        known = self.actions[number]
        if known != turn.actions and known != self.checked_actions(turn.actions):
            raise GameError(
                f"information set '{turn.infoset}' of player {turn.player + 1} offers"
                f" {known} at history '{self.found_at[number]}' but {turn.actions} at"
                f" {self.describe_here()}. A player who may do different things knows more: use two labels."
            )
        return number

    def add_infoset(self, turn: Decision, own: tuple[int, ...]) -> int:
        """Give numbers to a new information set and its sequences; return that of the information set."""
        if not is_integer(turn.player):
            raise GameError(
                f"the player at {self.describe_here()} is {turn.player!r}; use an index from 0, an int."
            )
        if not 0 <= turn.player < self.rules.num_players:
            raise GameError(
                f"player index {turn.player} moves at {self.describe_here()}; it must be from 0 to"
                f" {self.rules.num_players - 1}."
            )
        if not is_label(turn.infoset):
            raise GameError(
                f"the label of the information set at {self.describe_here()} is {turn.infoset!r}; use a non-empty"
                " string."
            )
        actions = self.checked_actions(turn.actions)
        if len(set(actions)) != len(actions) or not actions:
            raise GameError(
                f"actions {actions} at {self.describe_here()}; at least one is needed, each once."
            )

        number = len(self.infosets)
        self.infosets[turn.player, turn.infoset] = number
        self.actions.append(actions)
        self.parent.append(own[turn.player])
        self.first.append(self.num_sequences)
        self.found_at.append(" ".join(self.path) or "start")
        self.num_sequences += len(actions)
        return number

    def checked_actions(self, actions: Any) -> tuple[str, ...]:
        """Return actions as a tuple, or raise GameError if they are not non-empty strings."""
        if not isinstance(actions, tuple | list) or not all(map(is_label, actions)):
            raise GameError(
                f"actions at {self.describe_here()} are {actions!r}; use a tuple of non-empty strings."
            )
        return tuple(actions)

    def checked_reach(self, chance: Fraction) -> float:
        """Return the probability of the present history as a float, or raise GameError if it rounds to 0."""
        reach = float(chance)
        if reach == 0:
            raise GameError(
                f"chance leads to {self.describe_here()} with a probability that is too small: as a float"
                " it is 0. Leave out what hardly ever happens, or make it likelier."
            )
        return reach

    def check_chance(self, turn: Chance) -> None:
        """Raise GameError unless the outcomes of chance are labels with positive probabilities that sum to one."""
        outcomes: Any = turn.outcomes
        if not isinstance(outcomes, Mapping) or not all(map(is_label, outcomes)):
            raise GameError(
                f"outcomes of chance at {self.describe_here()} are {turn.outcomes!r}; map labels, which are"
                " non-empty strings, to probabilities."
            )
        probabilities = [*turn.outcomes.values()]
        if not all(isinstance(probability, Real) for probability in probabilities):
            raise GameError(
                f"chance at {self.describe_here()} has probabilities {probabilities}, which are"
                " not all numbers. Use fractions.Fraction."
            )
        total = sum(probabilities)
        if total != 1 or min(probabilities) <= 0:
            raise GameError(
                f"chance at {self.describe_here()} has probabilities {[*map(str, probabilities)]}, which sum to"
                f" {total}; they must be positive and sum to exactly 1. Use fractions.Fraction."
            )

    def find_utilities(self, turn: Terminal) -> int:
        """Return the number of the utilities at an end, and add them if they are new."""
        try:
            return self.utilities[turn.utilities]
        except (KeyError, TypeError):  # they are new, or a list
            pass
        given: Any = turn.utilities
        if not isinstance(given, tuple | list) or not all(isinstance(u, Real) for u in given):
            raise GameError(
                f"utilities at {self.describe_here()} are {given!r}; use a tuple with a number for"
                " each player, int or fractions.Fraction."
            )
        utilities = tuple(given)
        if utilities not in self.utilities:
            self.check_utilities(utilities)
            self.utilities[utilities] = len(self.utilities)
        return self.utilities[utilities]

    def check_utilities(self, utilities: tuple[Number, ...]) -> None:
        """Raise GameError if utilities are too few, not finite, or not zero-sum though the rules claim it."""
        if len(utilities) != self.rules.num_players:
            raise GameError(
                f"{len(utilities)} utilities at {self.describe_here()}; one for each of"
                f" {self.rules.num_players} players is needed."
            )
        for player, utility in enumerate(utilities):
            if not -LARGEST_UTILITY <= utility <= LARGEST_UTILITY:
                raise GameError(
                    f"utility of player {player + 1} at {self.describe_here()} is not a finite number of at"
                    f" most {LARGEST_UTILITY:.1e}."
                )
        if self.rules.zero_sum:
            total: Any = sum(utilities)
            largest = max(abs(float(utility)) for utility in utilities)
            if total and abs(total) > EQUAL_SUMS * largest:
                raise GameError(
                    f"utilities at {self.describe_here()} are {[*map(str, utilities)]} and sum to"
                    f" {total}, but the rules claim zero_sum."
                )


def is_integer(number: Any) -> bool:
    """Return whether `number` is an integer; True and False do not count."""
    return isinstance(number, Integral) and not isinstance(number, bool)


def is_label(label: Any) -> bool:
    """Return whether `label` is a non-empty string."""
    return isinstance(label, str) and label != ""


RULE_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The errors that rules may raise when they are asked about a history that they do not expect."""


def compile_rules(rules: Rules) -> SequenceForm:
    """Compile `rules` to the sequence form, and check them.

    Parameters
    ----------
    rules : Rules
        The game; every history is visited once.

    Returns
    -------
    SequenceForm
        The game as arrays.

    Raises
    ------
    GameError
        If probabilities of chance do not sum to one or become too small for a float, a player has imperfect recall,
        utilities are missing or not finite, the game is not zero-sum though it claims to be, something is of another
        type than it should be, or the rules raise an error. The message names the history.
    """
    name, n = getattr(rules, "name", None), getattr(rules, "num_players", None)
    if not is_label(name):
        raise GameError(f"name of {type(rules).__name__} is {name!r}; use a non-empty string.")
    if n is None or not is_integer(n):
        raise GameError(f"num_players of {name} is {n!r}; use an int.")
    if not 1 <= n <= MOST_PLAYERS:
        raise GameError(f"{rules.name} has {n} players; a game has 1 to {MOST_PLAYERS}.")

    walk = TreeWalk(rules, num_sequences=n)  # the n empty sequences are 0 to n - 1
    if type(rules) is MatrixGame:
        return compile_matrix_game(rules, walk)
    try:
        walk.visit(rules.start(), tuple(range(n)), Fraction(1), 1.0)
    except PokerlabError:
        raise
    except RULE_ERRORS as error:
        raise GameError(
            f"the rules raise {type(error).__name__} at {walk.describe_here()}: {error}. Give an answer for"
            " every history that they themselves lead to."
        ) from error

    sequence = np.frombuffer(walk.sequence, dtype=np.int32).reshape(-1, n)
    chance = np.frombuffer(walk.chance)
    different = [[float(utility) for utility in utilities] for utilities in walk.utilities]
    utility_number = np.frombuffer(walk.utility_number, dtype=np.int32)
    payoff = np.array(different).reshape(-1, n)[utility_number]
    return build_sequence_form(walk, sequence, chance, payoff)


def compile_matrix_game(rules: MatrixGame, walk: TreeWalk) -> SequenceForm:
    """Compile a game of one simultaneous choice without visiting its cells one by one."""
    history, own = rules.start(), (0, 1)
    for actions in (rules.row_actions, rules.column_actions):
        turn = rules.turn(history)
        assert isinstance(turn, Decision)
        first = walk.first[walk.find_infoset(turn, own)]
        walk.path.append(actions[0])
        history, own = rules.after(history, actions[0]), (first, 1)

    payoff = np.stack([matrix.floats.ravel() for matrix in rules.matrices], axis=1)
    shape = rules.matrices[0].floats.shape
    rows_and_columns = np.indices(shape).reshape(2, -1).T  # of each cell
    sequence = rows_and_columns + np.array(walk.first)
    return build_sequence_form(walk, sequence, np.ones(len(payoff)), payoff)


def build_sequence_form(
    walk: TreeWalk, sequence: NDArray[Any], chance: Floats, payoff: Floats
) -> SequenceForm:
    """Return the sequence form, with information sets in the order of player and depth.

    Parameters
    ----------
    walk : TreeWalk
        The information sets and sequences, as the walk numbered them.
    sequence : ndarray of shape (Z, n)
        Each player's sequence at each terminal history, in the numbers of the walk.
    chance : ndarray of shape (Z,)
        Chance's probability of each terminal history.
    payoff : ndarray of shape (Z, n)
        Each player's utility there.
    """
    n = walk.rules.num_players
    keys = list(walk.infosets)
    player = np.array([player for player, _ in keys], dtype=np.int64)
    parent = np.array(walk.parent, dtype=np.int64)
    first = np.array(walk.first, dtype=np.int64)
    num_actions = np.array([len(actions) for actions in walk.actions], dtype=np.int64)

    depth = find_depths(walk, parent, num_actions)
    order: list[int] = []  # the information sets, by player and depth
    infoset_start = [0]
    new_number = np.arange(walk.num_sequences, dtype=np.int64)  # of each sequence
    next_sequence = n
    for p in range(n):
        own_infosets = np.flatnonzero(player == p)
        for d in range(depth[own_infosets].max(initial=-1) + 1):
            level = own_infosets[depth[own_infosets] == d]
            # Information sets below one sequence become neighbors.
            for i in level[np.argsort(new_number[parent[level]], kind="stable")]:
                order.append(int(i))
                end = next_sequence + num_actions[i]
                new_number[first[i] : first[i] + num_actions[i]] = np.arange(next_sequence, end)
                next_sequence = end
        infoset_start.append(len(order))

    utility_range = np.stack([payoff.min(axis=0), payoff.max(axis=0)], axis=1)
    num_histories_ended = len(sequence)
    sequence, chance, payoff = merge_terminals(new_number[sequence], chance, payoff)
    return SequenceForm.build(
        rules=walk.rules,
        num_histories_ended=num_histories_ended,
        infoset_start=np.array(infoset_start, dtype=np.int64),
        infoset_label=tuple(keys[i][1] for i in order),
        action_label=tuple(walk.actions[i] for i in order),
        parent_sequence=new_number[parent[order]] if order else parent,
        first_sequence=new_number[first[order]] if order else first,
        num_actions=num_actions[order] if order else num_actions,
        chance=chance,
        sequence=sequence,
        payoff=payoff,
        utility_range=utility_range,
    )


def find_depths(walk: TreeWalk, parent: Ints, num_actions: Ints) -> Ints:
    """Return the depth of each information set, (I,): the number of its player's earlier decisions."""
    n, num_infosets = walk.rules.num_players, len(parent)
    infoset_of_sequence = np.full(walk.num_sequences, -1)
    infoset_of_sequence[n:] = np.repeat(np.arange(num_infosets), num_actions)
    depth = np.zeros(num_infosets, dtype=np.int64)
    for infoset, q in enumerate(parent):  # parents were found before their children
        if q >= n:
            depth[infoset] = depth[infoset_of_sequence[q]] + 1
    return depth


def merge_terminals(
    sequence: np.ndarray[tuple[int, int], np.dtype[np.int64]],
    chance: np.ndarray[tuple[int], np.dtype[np.float64]],
    payoff: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> tuple[Any, Any, Any]:
    """Return sequences, (Z, n), chance, (Z,), and payoffs, (Z, n), with terminals that share all sequences merged.

    The probability of a merged terminal is their sum, its payoff the expected one.
    """
    order = np.lexsort(sequence.T[::-1])
    sequence, chance, payoff = sequence[order], chance[order], payoff[order]
    is_new = np.ones(len(sequence), dtype=bool)
    is_new[1:] = (sequence[1:] != sequence[:-1]).any(axis=1)
    starts = np.flatnonzero(is_new)
    if len(starts) == len(sequence):
        return sequence, chance, payoff
    total = np.add.reduceat(chance, starts)
    expected = np.add.reduceat(chance[:, None] * payoff, starts) / total[:, None]
    return sequence[starts], total, expected
