"""A compiled game and the profiles over it: flat arrays over sequences, parents before children.

Numbering. All players' sequences share one numbering: 0 to n - 1 are the n empty sequences, then
come the non-empty ones, player after player. So a vector over all non-empty sequences, such as a
profile, is the tail of a vector over all sequences, and no player needs a case of its own.
Information sets are numbered player after player, shallow ones first.

`S` is the number of sequences of all players, `I` of information sets, `Z` of terminals after
those that share all sequences have been merged, `n` of players.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import (
    GameError,
    KindError,
    ProbabilityError,
    SettingError,
    ShapeError,
    Unit,
    UnknownNameError,
)
from pokerlab.core.arrays import Floats, Ints, freeze, read_numbers
from pokerlab.core.errors import in_short
from pokerlab.core.settings import check_kind, whole
from pokerlab.games.rules import EQUAL_SUMS, Rules
from pokerlab.games.sequence_form.sweeps import behavior_of, lay_out, plans_of
from pokerlab.games.sequence_form.treeplex import SUM_TOLERANCE, Treeplex
from pokerlab.games.sequence_form.worth import Reply, total_gain, utilities_and_replies

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False, repr=False)
class SequenceForm:
    """A game as arrays; made by `compile_rules`.

    Of the n players with S sequences in I information sets and Z merged terminals it has `infoset_label`,
    `action_label`, `parent_sequence`, `first_sequence` and `num_actions`, (I,), `chance`, (Z,), and `sequence` and
    `payoff`, (Z, n). Vectors over sequences begin with the n empty ones.
    """

    rules: Rules  # what was compiled
    num_histories_ended: int  # terminal histories of the tree, before merging
    infoset_start: Ints  # (n + 1,): player i's information sets are `infoset_start[i]` up to `infoset_start[i + 1]`
    infoset_label: tuple[str, ...]  # (I,): what each information set is called
    action_label: tuple[tuple[str, ...], ...]  # (I,): and each of its actions
    parent_sequence: Ints  # (I,): the player's sequence that leads there
    first_sequence: Ints  # (I,): the first of its own
    num_actions: Ints  # (I,): how many it has
    chance: Floats  # (Z,): chance's probability of the terminal
    sequence: Ints  # (Z, n): everybody's sequence there
    payoff: Floats  # (Z, n): everybody's (expected) utility there
    utility_range: Floats  # (n, 2): everybody's least and largest utility at an end, before merging
    block: Floats  # the same arrays in one piece, for the kernels; writable because numba accepts that faster

    @classmethod
    def build(cls, **arrays: Any) -> Self:
        """Make the game from its arrays: freeze them and lay them out for the kernels."""
        freeze(*arrays.values())
        infosets = ("infoset_start", "parent_sequence", "first_sequence", "num_actions")
        tables = tuple(arrays[key] for key in infosets)
        block = lay_out(tables, arrays["sequence"], arrays["chance"], arrays["payoff"])
        return cls(**arrays, block=block)

    @property
    def name(self) -> str:
        """The game's name."""
        return self.rules.name

    @property
    def num_players(self) -> int:
        """How many players there are."""
        return self.rules.num_players

    @property
    def unit(self) -> Unit:
        """What utilities count."""
        return self.rules.unit

    @cached_property
    def payoff_sum(self) -> float | None:
        """What all players win together, if that is the same at every end; otherwise None.

        Sums that differ by at most a billionth of the largest utility are the same; one that small is zero.
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
        """Whether utilities sum to zero, but for rounding."""
        return self.payoff_sum == 0.0

    @cached_property
    def num_infosets(self) -> tuple[int, ...]:
        """Information sets of each player."""
        return tuple(int(k) for k in np.diff(self.infoset_start))

    @cached_property
    def num_sequences(self) -> tuple[int, ...]:
        """Sequences of each player, the empty one included."""
        return tuple(1 + s.stop - s.start for s in self.player_sequences)

    @cached_property
    def num_probabilities(self) -> int:
        """Length of a profile: non-empty sequences of all players."""
        return int(self.num_actions.sum())

    @cached_property
    def player_sequences(self) -> tuple[slice, ...]:
        """Where each player's non-empty sequences lie in a profile."""
        ends = np.concatenate([[0], np.cumsum(self.num_actions)])[self.infoset_start]
        return tuple(slice(int(a), int(b)) for a, b in pairwise(ends))

    @cached_property
    def infoset_index(self) -> dict[tuple[int, str], int]:
        """Number of each information set, by player and label."""
        player = np.repeat(np.arange(self.num_players), self.num_infosets).tolist()
        return {key: i for i, key in enumerate(zip(player, self.infoset_label, strict=True))}

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything that decides the numbers; equal for equal games."""
        digest = hashlib.sha256(repr((self.name, self.infoset_label, self.action_label)).encode())
        for array in (self.parent_sequence, self.chance, self.sequence, self.payoff):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]

    def treeplex(self, player: int) -> Treeplex:
        """Return one player's sequences and constraints, numbered from the empty sequence."""
        self.check_player(player)
        mine = slice(*self.infoset_start[player : player + 2])
        shift = self.num_players + self.player_sequences[player].start - 1
        parent = self.parent_sequence[mine]
        return Treeplex(
            parent_sequence=np.where(parent < self.num_players, 0, parent - shift),
            first_sequence=self.first_sequence[mine] - shift,
            num_actions=self.num_actions[mine],
        )

    def payoff_matrix(self, player: int) -> "csr_array":
        """Return one player's payoffs in a two-player game, (S_1, S_2), times chance.

        With realization plans x and y the player's utility is x^T U y (Lanctot 2014, section 2.1).
        """
        if self.num_players != 2:
            raise GameError(
                f"payoff_matrix is for two players; {self.name} has {self.num_players}."
            )
        self.check_player(player)
        from scipy.sparse import csr_array

        own = tuple(self.own_sequences(p) for p in range(2))
        entries = self.payoff[:, player] * self.chance
        return csr_array((entries, own), shape=self.num_sequences)

    def own_sequences(self, player: int) -> Ints:
        """Return a player's sequence at each terminal, (Z,), numbered from the player's empty sequence."""
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
        """Return where an information set's actions lie in a profile, and their names."""
        index = self.infoset(player, label)
        at = int(self.first_sequence[index]) - self.num_players
        return slice(at, at + int(self.num_actions[index])), self.action_label[index]

    def uniform(self) -> "Profile":
        """Return the profile in which everybody chooses every action equally often."""
        return Profile.computed(self, np.repeat(1.0 / self.num_actions, self.num_actions))

    def values(self, profile: "Profile") -> Floats:
        """Return everybody's expected utility, (n,), when all follow `profile`."""
        return utilities_and_replies(self.block, self.owned(profile), 0, self.num_players)[0]

    def best_response(self, profile: "Profile", player: int) -> Reply:
        """Return the best `player` (0-based) can do when everybody else follows `profile`.

        One backward pass over the player's information sets, deepest first.
        """
        self.check_player(player)
        _, best, reply = utilities_and_replies(self.block, self.owned(profile), player, player + 1)
        return Reply(float(best[player]), reply[self.player_sequences[player]])

    def best_values(self, profile: "Profile") -> Floats:
        """Return what a best response to `profile` wins for each player, (n,)."""
        return utilities_and_replies(self.block, self.owned(profile), 0, self.num_players)[1]

    def gains(self, profile: "Profile") -> Floats:
        """Return what each player would gain by a best response, (n,)."""
        vector = self.owned(profile)
        utility, best, _ = utilities_and_replies(self.block, vector, 0, self.num_players)
        return best - utility

    def nash_conv(self, profile: "Profile") -> float:
        """Return the sum of all players' gains."""
        return total_gain(self.block, self.owned(profile))

    def check_player(self, player: Any) -> None:
        """Refuse an index that belongs to no player."""
        whole(f"player index in {self.name}", player, 0, self.num_players - 1)

    def owned(self, profile: "Profile") -> Floats:
        """Return the probabilities of `profile`, which must belong to this game, for the kernels."""
        if type(profile) is not Profile or profile.game is not self:
            check_profile(self, profile)
        return profile.vector

    def __repr__(self) -> str:
        sizes = " + ".join(map(str, self.num_infosets))
        return f"<{self.name}: {self.num_players} players, {sizes} information sets, {self.num_histories_ended} ends>"


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """Probabilities of all actions of all players.

    Parameters
    ----------
    game : SequenceForm
        The game it belongs to.
    probabilities : array_like of shape (S - n,)
        One for each non-empty sequence, player after player, in the order of `game.action_label`; those of an
        information set sum to one.
    """

    game: SequenceForm
    probabilities: Floats
    vector: Floats = field(init=False)

    def __init__(self, game: SequenceForm, probabilities: ArrayLike) -> None:
        check_game(game)
        vector = read_numbers(probabilities, "probabilities", ShapeError)
        check_probabilities(game, vector)
        self.hold(game, vector)

    def hold(self, game: SequenceForm, vector: Floats) -> None:
        """Keep `vector` for the kernels, with a read-only view: numba accepts a writable array faster."""
        shown = vector.view()
        shown.setflags(write=False)
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "probabilities", shown)
        object.__setattr__(self, "vector", vector)

    @classmethod
    def computed(cls, game: SequenceForm, probabilities: Floats) -> Self:
        """Bind probabilities that pokerlab has computed itself, without checking them."""
        profile = object.__new__(cls)
        profile.hold(game, probabilities)
        return profile

    @classmethod
    def from_plans(cls, game: SequenceForm, plans: Sequence[ArrayLike]) -> Self:
        """Return the behavior of one realization plan a player; uniform at zero reach."""
        check_game(game)
        check_kind("plans", plans, Iterable, "a list of one for each player")
        given = [read_numbers(plan, "weights of a plan", ShapeError) for plan in plans]
        wanted = [(size,) for size in game.num_sequences]
        if [plan.shape for plan in given] != wanted:
            raise ShapeError(
                f"plans have shapes {[plan.shape for plan in given]}; {game.name} needs {wanted}."
            )
        for player, plan in enumerate(given):
            labels = game.infoset_label[slice(*game.infoset_start[player : player + 2])]
            game.treeplex(player).check_plan(plan, f"player {player + 1}", labels)
        joined = np.concatenate([[plan[0] for plan in given], *(plan[1:] for plan in given)])
        return cls(game, behavior_of(game.block, joined))

    @classmethod
    def from_table(
        cls, game: SequenceForm, table: Mapping[tuple[int, str], Mapping[str, float]]
    ) -> Self:
        """Return the profile that `table` spells out; information sets it leaves out are uniform.

        `table` maps (player, information set) to the probabilities of actions; actions left out get 0.
        """
        check_game(game)
        check_kind("table", table, Mapping, "a dictionary, such as {(0, 'J'): {'bet': 1.0}}")
        vector = np.array(game.uniform().probabilities)
        entries_of_table: Any = table.items()
        for key, chosen in entries_of_table:
            if not isinstance(key, tuple) or len(key) != 2 or not isinstance(chosen, Mapping):
                raise SettingError(
                    f"table holds {in_short(key)}: {in_short(chosen)}; give (player, information set) and a"
                    " dictionary from actions to probabilities, such as (0, 'J'): {'bet': 1.0}."
                )
            entries, actions = game.choices(*key)
            for action in chosen:
                UnknownNameError.check(f"action at '{key[1]}'", action, actions)
            shares = [chosen.get(action, 0.0) for action in actions]
            vector[entries] = read_numbers(shares, f"probabilities at '{key[1]}'")
        return cls(game, vector)

    def of(self, player: int) -> Floats:
        """Return one player's probabilities, (S_i - 1,)."""
        self.game.check_player(player)
        return self.probabilities[self.game.player_sequences[player]]

    def at(self, player: int, infoset: str) -> dict[str, float]:
        """Return the probabilities at one information set, by action."""
        entries, actions = self.game.choices(player, infoset)
        return dict(zip(actions, self.probabilities[entries].tolist(), strict=True))

    def plan(self, player: int) -> Floats:
        """Return one player's realization plan, (S_i,), the empty sequence first."""
        self.game.check_player(player)
        weights = plans_of(self.game.block, self.probabilities)
        mine = self.game.player_sequences[player]
        n = self.game.num_players
        return np.concatenate([[1.0], weights[mine.start + n : mine.stop + n]])

    def replace(self, player: int, behavior: "ArrayLike | Profile") -> "Profile":
        """Return this profile with another `behavior`, (S_i - 1,), of one player.

        A profile stands for that player's part of it.
        """
        self.game.check_player(player)
        if isinstance(behavior, Profile):
            check_profile(self.game, behavior)
            behavior = behavior.of(player)
        vector = np.array(self.probabilities)
        mine = self.game.player_sequences[player]
        new = read_numbers(behavior, f"probabilities of player {player + 1}", ShapeError)
        if new.shape != (mine.stop - mine.start,):
            raise ShapeError(
                f"behavior of player {player + 1} has shape {new.shape};"
                f" {self.game.name} needs ({mine.stop - mine.start},)."
            )
        vector[mine] = new
        return Profile(self.game, vector)

    def table(self) -> dict[tuple[int, str], dict[str, float]]:
        """Return all probabilities by (player, information set) and action."""
        return {key: self.at(*key) for key in self.game.infoset_index}

    def __repr__(self) -> str:
        return f"<profile of {self.game.name}: {self.probabilities.size} probabilities>"


def sum_kind(payoff_sum: float | None) -> str:
    """Return the word for a game in which all players together win this."""
    if payoff_sum is None:
        return "general-sum"
    return "constant-sum" if payoff_sum else "zero-sum"


def check_game(game: Any) -> None:
    """Refuse what is not a compiled game."""
    check_kind("game", game, SequenceForm, "a compiled one, such as games.kuhn()", GameError)


def check_probabilities(game: SequenceForm, vector: Floats) -> None:
    """Refuse a vector that is not a profile of `game`."""
    if vector.shape != (game.num_probabilities,):
        raise ShapeError(
            f"profile has shape {vector.shape}; {game.name} needs ({game.num_probabilities},)."
            " Start from game.uniform()."
        )
    first = game.first_sequence - game.num_players
    for q in np.flatnonzero(~(vector >= 0.0))[:1]:
        infoset = int(np.searchsorted(first, q, side="right")) - 1
        player, label = list(game.infoset_index)[infoset]
        action = game.action_label[infoset][q - first[infoset]]
        raise ProbabilityError(
            f"probability of '{action}' at '{label}' of player {player + 1} is {vector[q]}; it must be from 0 to 1."
        )
    totals = np.add.reduceat(vector, first) if vector.size else vector
    for infoset in np.flatnonzero(~(np.abs(totals - 1.0) <= SUM_TOLERANCE))[:1]:
        player, label = list(game.infoset_index)[infoset]
        raise ProbabilityError(
            f"probabilities at '{label}' of player {player + 1} sum to {totals[infoset]:.12g}, not 1."
            " Normalize them first."
        )


def check_profile(game: SequenceForm, profile: Profile) -> None:
    """Refuse what is not a profile, and a profile that belongs to another game."""
    if not isinstance(profile, Profile):
        raise KindError(
            f"profile is a {type(profile).__name__}; give a profile of {game.name}, such as game.uniform()."
        ) from None
    if profile.game is not game and profile.game.fingerprint != game.fingerprint:
        raise GameError(
            f"profile belongs to {profile.game.name}, not to {game.name}."
            " Make one with game.uniform() or Profile(game, probabilities)."
        )
