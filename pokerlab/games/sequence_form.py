"""The sequence form, to which rules are compiled for every solver and metric, and profiles over it.

Flat arrays over sequences, parents before children. All players' sequences share one numbering: 0 to n - 1 are the n
empty sequences, then come the non-empty ones, player after player. So a vector over all non-empty sequences, such as
a profile, is the tail of a vector over all sequences, and no player needs a case of its own. Information sets are
numbered player after player, shallow ones first. A player's part of a game is its treeplex: its sequences and the
constraints on realization plans over them.

`S` is the number of sequences of all players, `I` of information sets, `Z` of terminals after
those that share all sequences have been merged, `n` of players.

`compile_rules` walks the tree of a game's rules, visits each history once, counts, and refuses rules that contradict
themselves; then the counts become arrays in an order that suits the passes: information sets by depth, so that
parents come first, and below one sequence next to each other.
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
from pokerlab.core.arrays import freeze, read_numbers
from pokerlab.core.errors import in_short
from pokerlab.core.settings import check_kind, whole
from pokerlab.games.matrix_games import MatrixGame
from pokerlab.games.rules import EQUAL_SUMS, MOST_PLAYERS, Chance, Decision, Number, Rules, Terminal
from pokerlab.games.tree_passes import (
    Reply,
    behavior_of,
    lay_out,
    plans_of,
    total_gain,
    utilities_and_replies,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SUM_TOLERANCE = 1e-9  # rounding of a few hundred additions stays below it; a wrong number does not
PLAN_TOLERANCE = 1e-6  # plans may come from a linear program, which keeps its constraints to 1e-7


class Treeplex(NamedTuple):
    """A player's decision problem: sequence 0 is the empty one, parents come before children."""

    parent_sequence: Ints  # (I_i,): for each information set the sequence that leads to it
    first_sequence: Ints  # (I_i,): the first of its own
    num_actions: Ints  # (I_i,): how many it has

    @property
    def num_sequences(self) -> int:
        """Sequences, the empty one included."""
        return 1 + int(self.num_actions.sum())

    def constraints(self) -> "csr_array":
        """Return E, (I_i + 1, S_i): the realization plans are the x >= 0 with E x = (1, 0, ...).

        Row 0 says that the empty sequence has weight one; each other row that the weights of an
        information set's sequences sum to its parent's (Koller, Megiddo & von Stengel 1994).
        """
        from scipy.sparse import csr_array

        infosets = len(self.num_actions)
        row = 1 + np.repeat(np.arange(infosets), self.num_actions)
        column = np.arange(1, self.num_sequences)
        rows = np.concatenate([[0], row, 1 + np.arange(infosets)])
        columns = np.concatenate([[0], column, self.parent_sequence])
        values = np.concatenate([[1.0], np.ones(len(column)), -np.ones(infosets)])
        return csr_array((values, (rows, columns)), shape=(infosets + 1, self.num_sequences))

    def check_plan(self, plan: Floats, owner: str, labels: Sequence[str]) -> None:
        """Refuse weights that are not a realization plan of `owner`, whose information sets `labels` name."""
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
        off = np.abs(totals - plan[self.parent_sequence])
        for infoset in np.flatnonzero(off > PLAN_TOLERANCE)[:1]:
            raise ProbabilityError(
                f"plan of {owner} sums to {totals[infoset]:.12g} at '{labels[infoset]}', whose own"
                f" sequence has weight {plan[self.parent_sequence[infoset]]:.12g}; both must agree."
            )


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
        for numbers in (self.parent_sequence, self.chance, self.sequence, self.payoff):
            digest.update(np.ascontiguousarray(numbers).tobytes())
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


LONGEST_HISTORY = 500  # actions, chance's included; the walk calls itself once for each
LARGEST_UTILITY = int(sys.float_info.max)
"""The largest float, as an int: fractions are compared with an int faster than with a float."""


@dataclass
class Walk:
    """What the walk over the tree has met so far; sequences are numbered as they are found."""

    rules: Rules
    path: list[str] = field(default_factory=list)
    infosets: dict[tuple[int, str], int] = field(default_factory=dict)
    actions: list[tuple[str, ...]] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    found_at: list[str] = field(default_factory=list)
    num_sequences: int = 0
    sequence: "array[int]" = field(default_factory=lambda: array("i"))
    chance: "array[float]" = field(default_factory=lambda: array("d"))
    ending: "array[int]" = field(default_factory=lambda: array("i"))
    endings: dict[tuple[Number, ...], int] = field(default_factory=dict)

    def where(self) -> str:
        """Return the present history in words."""
        return f"history '{' '.join(self.path) or 'start'}' of {self.rules.name}"

    def visit(self, history: Any, own: tuple[int, ...], chance: Fraction, reach: float) -> None:
        """Walk everything below `history`, reached by the sequences `own` and chance `chance`."""
        if len(self.path) > LONGEST_HISTORY:
            raise GameError(
                f"a history of {self.rules.name} that begins '{' '.join(self.path[:8])}' has more"
                f" than {LONGEST_HISTORY} actions. Make sure that every history comes to an end."
            )
        turn = self.rules.turn(history)
        if isinstance(turn, Decision):
            first = self.first[self.infoset(turn, own)]
            player = turn.player
            before, behind = own[:player], own[player + 1 :]
            for a, action in enumerate(turn.actions):
                self.path.append(action)
                after = self.rules.after(history, action)
                self.visit(after, (*before, first + a, *behind), chance, reach)
                self.path.pop()
        elif isinstance(turn, Terminal):
            try:
                ending = self.endings[turn.utilities]
            except (KeyError, TypeError):  # not met before, or a list
                ending = self.new_ending(turn)
            self.ending.append(ending)
            self.chance.append(reach)
            self.sequence.extend(own)
        elif isinstance(turn, Chance):
            self.check_chance(turn)
            for outcome, probability in turn.outcomes.items():
                self.path.append(outcome)
                product = chance * probability
                self.visit(self.rules.after(history, outcome), own, product, self.rounded(product))
                self.path.pop()
        else:
            raise GameError(
                f"turn at {self.where()} is {turn!r}; return a Chance, a Decision or a Terminal."
            )

    def infoset(self, turn: Decision, own: tuple[int, ...]) -> int:
        """Return the number of the information set that `turn` belongs to."""
        try:
            index = self.infosets[turn.player, turn.infoset]
        except (KeyError, TypeError):  # not met before, or no label
            return self.new_infoset(turn, own)
        if self.parent[index] != own[turn.player]:
            raise GameError(
                f"player {turn.player + 1} has imperfect recall at '{turn.infoset}':"
                f" {self.where()} and history '{self.found_at[index]}' differ in the player's own"
                " earlier choices. Put what the player knew and did into the label."
            )
        if self.actions[index] != turn.actions and self.actions[index] != self.labels(turn.actions):
            raise GameError(
                f"information set '{turn.infoset}' of player {turn.player + 1} offers"
                f" {self.actions[index]} at history '{self.found_at[index]}' but {turn.actions} at"
                f" {self.where()}. A player who may do different things knows more: use two labels."
            )
        return index

    def new_infoset(self, turn: Decision, own: tuple[int, ...]) -> int:
        """Give numbers to an information set met for the first time, and its sequences."""
        if not is_whole(turn.player):
            raise GameError(
                f"the player at {self.where()} is {turn.player!r}; use an index from 0, an int."
            )
        if not 0 <= turn.player < self.rules.num_players:
            raise GameError(
                f"player index {turn.player} moves at {self.where()}; it must be from 0 to"
                f" {self.rules.num_players - 1}."
            )
        if not is_label(turn.infoset):
            raise GameError(
                f"the label of the information set at {self.where()} is {turn.infoset!r}; use a non-empty string."
            )
        actions = self.labels(turn.actions)
        if len(set(actions)) != len(actions) or not actions:
            raise GameError(
                f"actions {actions} at {self.where()}; at least one is needed, each once."
            )
        index = len(self.infosets)
        self.infosets[turn.player, turn.infoset] = index
        self.actions.append(actions)
        self.parent.append(own[turn.player])
        self.first.append(self.num_sequences)
        self.found_at.append(" ".join(self.path) or "start")
        self.num_sequences += len(actions)
        return index

    def labels(self, actions: Any) -> tuple[str, ...]:
        """Return actions as a tuple; refuse anything but labels."""
        if not isinstance(actions, tuple | list) or not all(map(is_label, actions)):
            raise GameError(
                f"actions at {self.where()} are {actions!r}; use a tuple of non-empty strings."
            )
        return tuple(actions)

    def rounded(self, chance: Fraction) -> float:
        """Return the probability of a history as a float; refuse one that rounds to 0."""
        reach = float(chance)
        if reach == 0:
            raise GameError(
                f"chance leads to {self.where()} with a probability that is too small: as a float"
                " it is 0. Leave out what hardly ever happens, or make it likelier."
            )
        return reach

    def check_chance(self, turn: Chance) -> None:
        """Refuse outcomes that are not a distribution over labels."""
        outcomes: Any = turn.outcomes
        if not isinstance(outcomes, Mapping) or not all(map(is_label, outcomes)):
            raise GameError(
                f"outcomes of chance at {self.where()} are {turn.outcomes!r}; map labels, which are"
                " non-empty strings, to probabilities."
            )
        if not all(isinstance(probability, Real) for probability in turn.outcomes.values()):
            raise GameError(
                f"chance at {self.where()} has probabilities {[*turn.outcomes.values()]}, which are"
                " not all numbers. Use fractions.Fraction."
            )
        total = sum(turn.outcomes.values())
        if total != 1 or min(turn.outcomes.values()) <= 0:
            raise GameError(
                f"chance at {self.where()} has probabilities {[*map(str, turn.outcomes.values())]}, which sum to"
                f" {total}; they must be positive and sum to exactly 1. Use fractions.Fraction."
            )

    def new_ending(self, turn: Terminal) -> int:
        """Return the number of utilities that are met for the first time, or are a list."""
        given: Any = turn.utilities
        if not isinstance(given, tuple | list) or not all(isinstance(u, Real) for u in given):
            raise GameError(
                f"utilities at {self.where()} are {given!r}; use a tuple with a number for"
                " each player, int or fractions.Fraction."
            )
        utilities = tuple(given)
        if utilities is not given and utilities in self.endings:
            return self.endings[utilities]
        self.check_utilities(utilities)
        number = self.endings[utilities] = len(self.endings)
        return number

    def check_utilities(self, utilities: tuple[Number, ...]) -> None:
        """Refuse utilities that are too few, not finite, or not zero-sum where claimed."""
        if len(utilities) != self.rules.num_players:
            raise GameError(
                f"{len(utilities)} utilities at {self.where()}; one for each of"
                f" {self.rules.num_players} players is needed."
            )
        for player, utility in enumerate(utilities):
            if not -LARGEST_UTILITY <= utility <= LARGEST_UTILITY:
                raise GameError(
                    f"utility of player {player + 1} at {self.where()} is not a finite number of at"
                    f" most {LARGEST_UTILITY:.1e}."
                )
        total: Any = abs(sum(utilities)) if self.rules.zero_sum else 0
        if total and total > EQUAL_SUMS * max(abs(float(utility)) for utility in utilities):
            raise GameError(
                f"utilities at {self.where()} are {[*map(str, utilities)]} and sum to"
                f" {sum(utilities)}, but the rules claim zero_sum."
            )


def is_whole(number: Any) -> bool:
    """Return whether `number` is an integer; True and False do not count."""
    return isinstance(number, Integral) and not isinstance(number, bool)


def is_label(label: Any) -> bool:
    """Return whether `label` is a non-empty string."""
    return isinstance(label, str) and label != ""


STUMBLES = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The errors that rules may raise when they are asked about a history they do not know."""


def compile_rules(rules: Rules) -> SequenceForm:
    """Compile `rules` to the sequence form, checking them on the way.

    Parameters
    ----------
    rules : Rules
        The game; every history is visited once.

    Raises
    ------
    GameError
        If chance does not sum to one or becomes too rare for a float, a player forgets, utilities
        are missing or not finite, the game is not zero-sum though it claims to be, something is of
        another type than it should be, or the rules raise an error. The message names the history.
    """
    name, n = getattr(rules, "name", None), getattr(rules, "num_players", None)
    if not is_label(name):
        raise GameError(f"name of {type(rules).__name__} is {name!r}; use a non-empty string.")
    if n is None or not is_whole(n):
        raise GameError(f"num_players of {name} is {n!r}; use an int.")
    if not 1 <= n <= MOST_PLAYERS:
        raise GameError(f"{rules.name} has {n} players; a game has 1 to {MOST_PLAYERS}.")
    walk = Walk(rules, num_sequences=n)  # the n empty sequences are 0 to n - 1
    if type(rules) is MatrixGame:
        return compile_matrix(rules, walk)
    try:
        walk.visit(rules.start(), tuple(range(n)), Fraction(1), 1.0)
    except PokerlabError:
        raise
    except STUMBLES as error:
        raise GameError(
            f"the rules raise {type(error).__name__} at {walk.where()}: {error}. Give an answer for"
            " every history that they themselves lead to."
        ) from error
    chance, ending = np.frombuffer(walk.chance), np.frombuffer(walk.ending, dtype=np.int32)
    table = np.array([[float(u) for u in utilities] for utilities in walk.endings]).reshape(-1, n)
    sequence = np.frombuffer(walk.sequence, dtype=np.int32).reshape(-1, n)
    return arrange(walk, sequence, chance, table[ending])


def compile_matrix(rules: MatrixGame, walk: Walk) -> SequenceForm:
    """Compile a game of one simultaneous choice without visiting its cells one by one."""
    history, own = rules.start(), (0, 1)
    for actions in (rules.row_actions, rules.column_actions):
        turn = rules.turn(history)
        assert isinstance(turn, Decision)
        first = walk.first[walk.infoset(turn, own)]
        walk.path.append(actions[0])
        history, own = rules.after(history, actions[0]), (first, 1)
    payoff = np.stack([each.floats.ravel() for each in rules.matrices], axis=1)
    cells = np.indices(rules.matrices[0].floats.shape).reshape(2, -1)
    sequence = cells.T + np.array(walk.first)
    return arrange(walk, sequence, np.ones(len(payoff)), payoff)


def arrange(walk: Walk, sequence: NDArray[Any], chance: Floats, payoff: Floats) -> SequenceForm:
    """Order information sets by player and depth, and number sequences accordingly.

    The terminals' sequences, (Z, n), are numbered as the walk found them; `chance` is (Z,) and `payoff` (Z, n).
    """
    n = walk.rules.num_players
    utility_range = np.stack([payoff.min(axis=0), payoff.max(axis=0)], axis=1)
    keys = list(walk.infosets)
    player = np.array([p for p, _ in keys], dtype=np.int64)
    first, parent = np.array(walk.first, dtype=np.int64), np.array(walk.parent, dtype=np.int64)
    num_actions = np.array([len(actions) for actions in walk.actions], dtype=np.int64)
    owner = np.full(walk.num_sequences, -1)  # the information set a sequence ends in
    owner[n:] = np.repeat(np.arange(len(keys)), num_actions)
    depth = np.zeros(len(keys), dtype=np.int64)
    for i, q in enumerate(parent):  # parents are found before their children
        depth[i] = depth[owner[q]] + 1 if q >= n else 0

    order: list[int] = []
    place = np.arange(walk.num_sequences, dtype=np.int64)  # new number of each sequence
    start, next_sequence = [0], n
    for p in range(n):
        mine = np.flatnonzero(player == p)
        for d in range(depth[mine].max(initial=-1) + 1):
            level = mine[depth[mine] == d]
            for i in level[np.argsort(place[parent[level]], kind="stable")]:
                order.append(int(i))
                place[first[i] : first[i] + num_actions[i]] = next_sequence + np.arange(
                    num_actions[i]
                )
                next_sequence += num_actions[i]
        start.append(len(order))

    num_histories_ended = len(sequence)
    sequence, chance, payoff = merge_terminals(place[sequence], chance, payoff)
    return SequenceForm.build(
        rules=walk.rules,
        num_histories_ended=num_histories_ended,
        infoset_start=np.array(start, dtype=np.int64),
        infoset_label=tuple(keys[i][1] for i in order),
        action_label=tuple(walk.actions[i] for i in order),
        parent_sequence=place[parent[order]] if order else parent,
        first_sequence=place[first[order]] if order else first,
        num_actions=num_actions[order] if order else num_actions,
        chance=chance,
        sequence=sequence,
        payoff=payoff,
        utility_range=utility_range,
    )


def merge_terminals(
    sequence: np.ndarray[tuple[int, int], np.dtype[np.int64]],
    chance: np.ndarray[tuple[int], np.dtype[np.float64]],
    payoff: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> tuple[Any, Any, Any]:
    """Merge terminals that share all sequences: chance adds up, the payoff is the expected one."""
    order = np.lexsort(sequence.T[::-1])
    sequence, chance, payoff = sequence[order], chance[order], payoff[order]
    new = np.ones(len(sequence), dtype=bool)
    new[1:] = (sequence[1:] != sequence[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    if len(starts) == len(sequence):
        return sequence, chance, payoff
    total = np.add.reduceat(chance, starts)
    expected = np.add.reduceat(chance[:, None] * payoff, starts) / total[:, None]
    return sequence[starts], total, expected
