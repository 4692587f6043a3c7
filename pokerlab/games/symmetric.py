"""Symmetric zero-sum games: both players choose from the same strategies, and nobody is favored.

A strategy is a vector, and what one wins against another is antisymmetric, E(x, y) = -E(y, x). So
every strategy draws with itself, and the value is zero. A compiled game becomes one in two ways:
`self_play` takes a game that is symmetric already; `compound` has everybody play both roles (the naive
symmetrization of Oliehoek et al. 2006, section 4.1).
"""

import hashlib
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import Floats, GameError, SettingError, ShapeError, Unit
from pokerlab.games.sequence_form import Profile, SequenceForm, check_game, check_profile
from pokerlab.games.tree_passes import behavior_of, plans_of, utilities_and_replies

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Strategies = NDArray[Any]
"""Pure strategies, (d,) or (k, d): whole numbers in all games but contests."""
ROUNDING = 1e-12  # by how much payoffs that should cancel may differ, relative to the largest


class SymmetricGame(Protocol):
    """What a memory needs from a symmetric zero-sum game."""

    @property
    def name(self) -> str:
        """The game's name."""

    @property
    def unit(self) -> Unit:
        """What payoffs count."""

    @property
    def fingerprint(self) -> str:
        """A digest of everything that decides the payoffs."""

    @property
    def has_best_responses(self) -> bool:
        """Whether `best_response` can be computed."""

    @property
    def start(self) -> Strategies:
        """The strategy, (d,), to begin with where none is given."""

    def checked(self, strategies: ArrayLike) -> Strategies:
        """Return `strategies`, (d,) or (k, d), as whole numbers; refuse anything else."""

    def payoffs(self, these: Strategies, those: Strategies) -> Floats:
        """Return what each of `these`, (k, d), wins against each of `those`, (m, d): (k, m)."""

    def best_response(self, strategies: Strategies, mix: Floats) -> Strategies:
        """Return a strategy, (d,), that wins most against `mix`, (k,), of `strategies`, (k, d)."""

    def mutant(self, strategy: Strategies, rng: np.random.Generator) -> Strategies:
        """Return a neighbor, (d,), of a strategy, (d,)."""


class CompiledSymmetric:
    """A compiled two-player zero-sum game whose players play all of `roles`, 0 or 1 or both.

    In a constant-sum game payoffs count from half of the sum, so that equal strategies draw with zero.

    A strategy is the realization plans of the roles, zeros and ones, one after the other, each with its empty sequence
    first: d is the number of sequences.
    """

    has_best_responses = True

    def __init__(self, game: SequenceForm, name: str, roles: tuple[int, ...]) -> None:
        self.game, self.name, self.roles = game, name, roles

    @property
    def unit(self) -> Unit:
        """What payoffs count."""
        return self.game.unit

    @property
    def fingerprint(self) -> str:
        """A digest of everything that decides the payoffs."""
        return hashlib.sha256(repr((self.game.fingerprint, self.roles)).encode()).hexdigest()[:16]

    @cached_property
    def form(self) -> "csr_array":
        """The antisymmetric F, (d, d): E(x, y) = x^T F y.

        With one role it is player 1's payoff matrix A; with two its blocks are A above the diagonal
        and -A^T below it.
        """
        from scipy.sparse import block_array, csr_array

        game = self.game
        assert game.payoff_sum is not None
        won = (game.payoff[:, 0] - game.payoff_sum / 2.0) * game.chance
        own = tuple(game.own_sequences(player) for player in range(2))
        payoff = csr_array((won, own), shape=game.num_sequences)
        if len(self.roles) == 1:
            return payoff
        return csr_array(block_array([[None, payoff], [-payoff.T, None]]))

    @property
    def start(self) -> Strategies:
        """The strategy that takes the first action everywhere."""
        behavior = np.zeros(self.game.num_probabilities)
        behavior[self.game.first_sequence - self.game.num_players] = 1.0
        return self.strategy(behavior)

    def strategy(self, behavior: "Floats | Profile") -> Strategies:
        """Return the strategy, (d,), that makes the roles' choices of a pure profile, (S - 2,)."""
        if isinstance(behavior, Profile):
            check_profile(self.game, behavior)
            behavior = behavior.probabilities
        plan = plans_of(self.game.block, behavior)
        mine = [plan[2:][self.game.player_sequences[role]] for role in self.roles]
        joined = np.concatenate([np.append(1.0, part) for part in mine])
        if not np.isin(joined, (0.0, 1.0)).all():
            raise SettingError(
                f"the profile mixes actions of {self.game.name}; a strategy is pure."
                " Give probabilities of zero and one."
            )
        return joined.astype(np.int8)

    def checked(self, strategies: ArrayLike) -> Strategies:
        """Return `strategies`, (d,) or (k, d), as zeros and ones; refuse anything but pure plans."""
        given = np.asarray(strategies)
        width = sum(self.game.num_sequences[role] for role in self.roles)
        if given.ndim not in (1, 2) or given.shape[-1] != width:
            raise ShapeError(
                f"strategies have shape {given.shape}; {self.name} needs ({width},) or (k, {width})."
                " Make one with strategy(profile)."
            )
        rows = np.atleast_2d(given)
        pure = bool(np.isin(rows, (0, 1)).all())
        for begin, end, parents, first, _ in self.parts if pure else ():
            plans = rows[:, begin:end].astype(np.int64)
            totals = np.add.reduceat(plans, first, axis=1) if first.size else plans[:, :0]
            pure = pure and bool((plans[:, 0] == 1).all() and (totals == plans[:, parents]).all())
        if not pure:
            raise SettingError(
                f"a strategy of {self.name} is not a pure realization plan: zeros and ones, one action at"
                " each information set that the plan reaches. Make one with strategy(profile)."
            )
        return given.astype(np.int8)

    @property
    def parts(self) -> Iterator[tuple[int, int, Any, Any, Any]]:
        """Yield for each role where its plan begins and ends, and its treeplex's arrays."""
        begin = 0
        for role in self.roles:
            end = begin + self.game.num_sequences[role]
            yield begin, end, *self.game.treeplex(role)
            begin = end

    def payoffs(self, these: Strategies, those: Strategies) -> Floats:
        """Return what each of `these`, (k, d), wins against each of `those`, (m, d): (k, m)."""
        if len(these) <= len(those):
            return np.asarray((these @ self.form) @ those.T)
        return np.asarray(these @ (self.form @ those.T))

    def plan(self, strategies: Strategies, mix: Floats) -> Floats:
        """Return the realization plans, (S,), of both players when both play `mix`, (k,)."""
        used = np.flatnonzero(mix)
        average = mix[used] @ strategies[used].astype(np.float64)
        plans = [average[begin + 1 : end] for begin, end, *_ in self.parts]
        return np.concatenate([np.ones(2), plans[0], plans[-1]])

    def profile(self, strategies: Strategies, mix: Floats) -> Profile:
        """Return the behavior in both roles when everybody plays `mix`, (k,), of `strategies`, (k, d)."""
        plan = self.plan(strategies, mix)
        return Profile.computed(self.game, behavior_of(self.game.block, plan))

    def best_response(self, strategies: Strategies, mix: Floats) -> Strategies:
        """Return a strategy, (d,), that wins most against `mix`; ties go to the first action."""
        behavior = behavior_of(self.game.block, self.plan(strategies, mix))
        return self.strategy(utilities_and_replies(self.game.block, behavior, 0, 2)[2])

    def mutant(self, strategy: Strategies, rng: np.random.Generator) -> Strategies:
        """Return a strategy, (d,), with another action at one information set that it reaches.

        All such changes are equally likely; choices below the new action are drawn.
        """
        parent, first, size = (
            np.concatenate(table)
            for table in zip(*((p + b, f + b, k) for b, _, p, f, k in self.parts), strict=True)
        )
        reached = np.flatnonzero((strategy[parent] > 0) & (size > 1))
        changed = int(rng.choice(reached)) if reached.size else -1
        new = np.zeros_like(strategy)
        new[[begin for begin, *_ in self.parts]] = 1
        for infoset, (before, start, actions) in enumerate(zip(parent, first, size, strict=True)):
            if not new[before]:
                continue
            if infoset == changed:
                action = (
                    np.argmax(strategy[start : start + actions]) + rng.integers(1, actions)
                ) % actions
            elif strategy[before]:
                action = np.argmax(strategy[start : start + actions])
            else:
                action = rng.integers(actions)
            new[start + action] = 1
        return new

    def __repr__(self) -> str:
        return f"<{self.name}: symmetric, {sum(self.game.num_sequences[r] for r in self.roles)} sequences>"


def self_play(game: SequenceForm) -> CompiledSymmetric:
    """Return a compiled game that is symmetric already, with one strategy for both players.

    Both have the same choices, by their order, whatever their names; and u_1(x, y) = u_2(y, x).

    Raises
    ------
    GameError
        If the game does not have two players, is not zero-sum or constant-sum, or favors one of them.
    """
    check_zero_sum(game)
    check_symmetric(game)
    return CompiledSymmetric(game, game.name, (0,))


def compound(game: SequenceForm) -> CompiledSymmetric:
    """Return the game that is two games of `game`, one in each role, with one strategy for both.

    A strategy is a pair of plans, E(x, y) = u_1(x_1, y_2) + u_2(y_1, x_2). In a mix of
    pairs both halves have the same weights, unlike in a separate mix for each role.

    Raises
    ------
    GameError
        If the game does not have two players, or is not zero-sum or constant-sum.
    """
    check_zero_sum(game)
    return CompiledSymmetric(game, f"compound {game.name}", (0, 1))


def check_zero_sum(game: SequenceForm) -> None:
    """Refuse games that are not for two, or neither zero-sum nor constant-sum."""
    check_game(game)
    if game.num_players != 2:
        raise GameError(
            f"{game.name} has {game.num_players} players; a symmetric memory is for two."
            " Try solvers.PSRO with subgame=solvers.ProjectedReplicator()."
        )
    if game.payoff_sum is None:
        raise GameError(
            f"{game.name} is a general-sum game; a symmetric memory is for zero-sum games."
            " Try solvers.ParallelNashMemory with subgame=solvers.LemkeHowson()."
        )


def check_symmetric(game: SequenceForm) -> None:
    """Refuse games in which the players' choices or payoffs differ; name what differs."""
    if difference := find_asymmetry(game):
        raise GameError(
            f"{game.name} is not symmetric: {difference}. Use games.compound(game), where everybody plays both"
            " roles, or solvers.ParallelNashMemory."
        )


def find_asymmetry(game: SequenceForm) -> str | None:
    """Return in words how two players of a game differ, or None if the game is symmetric.

    In a symmetric game all players have the same information sets and actions, by their order, whatever their names.
    If player 1 and another player exchange their strategies, they exchange their payoffs, and the others' payoffs stay.
    So one strategy can stand for all players, and some Nash equilibrium is such a strategy (Nash 1951).
    """
    n = game.num_players
    for player in range(1, n):
        if not all(map(np.array_equal, game.treeplex(0), game.treeplex(player))):
            infosets, sequences = game.num_infosets, game.num_sequences
            return (
                f"players 1 and {player + 1} do not have the same choices ({infosets[0]} and {infosets[player]}"
                f" information sets, {sequences[0]} and {sequences[player]} sequences)"
            )
    own = np.stack([game.own_sequences(player) for player in range(n)], axis=1)
    won = game.payoff * game.chance[:, None]
    allowed = ROUNDING * np.abs(won).max(initial=0.0)
    for player in range(1, n):
        exchanged = np.arange(n)
        exchanged[[0, player]] = player, 0
        both = np.concatenate([own, own[:, exchanged]])
        order = np.lexsort(both.T[::-1])
        starts = np.flatnonzero(np.append(True, (np.diff(both[order], axis=0) != 0).any(axis=1)))
        signed = np.concatenate([won, -won[:, exchanged]])[order]
        difference = np.add.reduceat(signed, starts)
        end, winner = np.unravel_index(int(np.argmax(np.abs(difference))), difference.shape)
        if abs(difference[end, winner]) > allowed:
            here = both[order[starts[end]]]
            where = " and ".join(action_of(game, p, int(here[p])) for p in range(n))
            mine, theirs = (
                float(won[(own == played).all(axis=1), p].sum())
                for played, p in ((here, winner), (here[exchanged], exchanged[winner]))
            )
            return (
                f"with {where}, player {winner + 1} wins {mine:g}; with the strategies of players 1 and"
                f" {player + 1} exchanged, player {exchanged[winner] + 1} wins {theirs:g}"
            )
    return None


def action_of(game: SequenceForm, player: int, sequence: int) -> str:
    """Return what a player's sequence is called: the last action and where it is taken."""
    if sequence == 0:
        return "no choice"
    treeplex = game.treeplex(player)
    infoset = int(np.searchsorted(treeplex.first_sequence, sequence, side="right")) - 1
    at = int(game.infoset_start[player]) + infoset
    action = game.action_label[at][sequence - int(treeplex.first_sequence[infoset])]
    return f"'{action}' at '{game.infoset_label[at]}'"
