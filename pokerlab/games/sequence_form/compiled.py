"""A compiled game: flat arrays over sequences and information sets, parents before children.

Numbering. All players' sequences share one numbering: 0 to n - 1 are the n empty sequences, then
come the non-empty ones, player after player. So a vector over all non-empty sequences, such as a
profile, is the tail of a vector over all sequences, and no player needs a case of its own.
Information sets are numbered player after player, shallow ones first.

`S` is the number of sequences of all players, `I` of information sets, `Z` of terminals after
those that share all sequences have been merged, `n` of players.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from pokerlab.core import GameError, SettingError, Unit, UnknownNameError
from pokerlab.core.arrays import Floats, Ints, freeze
from pokerlab.core.settings import number, whole
from pokerlab.games.rules import Rules
from pokerlab.games.sequence_form.profile import Profile, check_profile
from pokerlab.games.sequence_form.sweeps import lay_out
from pokerlab.games.sequence_form.worth import Reply, total_gain, utilities_and_replies

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LARGEST_SHIFT = 1e9
"""With a larger shift, only rounding would be left of the utilities."""


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


@dataclass(frozen=True, eq=False, repr=False)
class SequenceForm:
    """A game as arrays; made by `compile_rules`.

    Attributes
    ----------
    rules : Rules
        What was compiled.
    num_histories_ended : int
        Terminal histories of the tree, before merging.
    infoset_start : ndarray of shape (n + 1,)
        Player i's information sets are `infoset_start[i]` up to `infoset_start[i + 1]`.
    infoset_label, action_label : tuple
        What each information set and each of its actions is called, I entries.
    parent_sequence, first_sequence, num_actions : ndarray of shape (I,)
        The player's sequence that leads to the information set, the first of its own, and their
        number.
    chance : ndarray of shape (Z,)
        Chance's probability of the terminal.
    sequence : ndarray of shape (Z, n)
        Every player's sequence there.
    payoff : ndarray of shape (Z, n)
        Every player's (expected) utility there.
    utility_range : ndarray of shape (n, 2)
        Every player's least and largest utility at an end, before merging.
    block : ndarray
        The same arrays in one piece, for the kernels, which only read it; left writable because
        numba accepts a writable array faster.
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
    def build(cls, **arrays: Any) -> Self:
        """Make the game from its arrays: freeze them and lay them out for the kernels."""
        freeze(*arrays.values())
        tables = tuple(
            arrays[key]
            for key in ("infoset_start", "parent_sequence", "first_sequence", "num_actions")
        )
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

    @property
    def zero_sum(self) -> bool:
        """Whether utilities sum to zero; checked at compilation."""
        return self.rules.zero_sum

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

        own = [
            np.where(self.sequence[:, p] < 2, 0, self.sequence[:, p] - 1 - mine.start)
            for p, mine in enumerate(self.player_sequences)
        ]
        entries = self.payoff[:, player] * self.chance
        return csr_array((entries, tuple(own)), shape=self.num_sequences)

    def infoset(self, player: int, label: str) -> int:
        """Return the number of a player's information set."""
        index = self.infoset_index.get((player, str(label)))
        if index is None:
            self.check_player(player)
            allowed = [name for p, name in self.infoset_index if p == player]
            raise UnknownNameError.among(
                f"information set of player {player + 1} in {self.name}", label, allowed
            )
        return index

    def uniform(self) -> Profile:
        """Return the profile in which everybody chooses every action equally often."""
        return Profile.computed(self, np.repeat(1.0 / self.num_actions, self.num_actions))

    def values(self, profile: Profile) -> Floats:
        """Return everybody's expected utility, (n,), when all follow `profile`."""
        vector = self.owned(profile)
        return utilities_and_replies(self.block, vector, 0, self.num_players)[0]

    def best_response(self, profile: Profile, player: int) -> Reply:
        """Return the best `player` (0-based) can do when everybody else follows `profile`.

        One backward pass over the player's information sets, deepest first.
        """
        self.check_player(player)
        vector = self.owned(profile)
        _, best, reply = utilities_and_replies(self.block, vector, player, player + 1)
        return Reply(float(best[player]), reply[self.player_sequences[player]])

    def best_values(self, profile: Profile) -> Floats:
        """Return what a best response to `profile` wins for each player, (n,)."""
        vector = self.owned(profile)
        return utilities_and_replies(self.block, vector, 0, self.num_players)[1]

    def gains(self, profile: Profile) -> Floats:
        """Return what each player would gain by a best response, (n,)."""
        vector = self.owned(profile)
        utility, best, _ = utilities_and_replies(self.block, vector, 0, self.num_players)
        return best - utility

    def nash_conv(self, profile: Profile) -> float:
        """Return the sum of all players' gains."""
        return total_gain(self.block, self.owned(profile))

    def check_player(self, player: Any) -> None:
        """Refuse an index that belongs to no player."""
        whole(f"player index in {self.name}", player, 0, self.num_players - 1)

    def check_shift(self, payoff_shift: Any, needs: str) -> None:
        """Refuse a shift that leaves utilities negative, or drowns them."""
        shift = number("payoff_shift", payoff_shift, -LARGEST_SHIFT, LARGEST_SHIFT)
        worst = float(self.payoff.min())
        if worst + shift < 0.0:
            raise SettingError(
                f"payoff_shift {payoff_shift} leaves utilities of {worst + shift:g} in {self.name};"
                f" {needs} needs them positive. Use at least {-worst:g}."
            )

    def owned(self, profile: Profile) -> Floats:
        """Return the probabilities of `profile`, which must belong to this game, for the kernels."""
        if type(profile) is not Profile or profile.game is not self:
            check_profile(self, profile)
        return profile.vector

    def __repr__(self) -> str:
        sizes = " + ".join(map(str, self.num_infosets))
        return f"<{self.name}: {self.num_players} players, {sizes} information sets, {self.num_histories_ended} ends>"
