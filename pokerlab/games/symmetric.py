"""Symmetric zero-sum games, in which both players choose from the same strategies and neither is favored.

A strategy is a vector, and the payoff of one against another is antisymmetric: E(x, y) = -E(y, x). So every strategy
draws with itself, and the value of the game is zero. A compiled game becomes symmetric in two ways. `self_play` takes
a game that is symmetric already. `compound` makes both players play both roles (the naive symmetrization of Oliehoek
et al. 2006, section 4.1).

`d` is the length of a strategy; `k` and `m` are numbers of strategies.
"""

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import Floats, GameError, SettingError, ShapeError, Unit
from pokerlab.games.sequence_form import (
    Profile,
    SequenceForm,
    Treeplex,
    check_game,
    check_profile,
)
from pokerlab.games.tree_passes import compute_behavior, compute_best_responses, compute_plans

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Strategies = NDArray[Any]
"""One pure strategy, of shape (d,), or several, (k, d): integers in all games but contests."""
SYMMETRY_TOLERANCE = 1e-12
"""By how much payoffs that should be equal may differ, relative to the largest."""


class SymmetricGame(Protocol):
    """What a memory needs from a symmetric zero-sum game."""

    @property
    def name(self) -> str:
        """The game's name."""

    @property
    def unit(self) -> Unit:
        """The unit of payoffs."""

    @property
    def fingerprint(self) -> str:
        """A digest of everything that decides the payoffs."""

    @property
    def has_best_responses(self) -> bool:
        """Whether `best_response` can be computed."""

    @property
    def start(self) -> Strategies:
        """The first strategy of a memory that is given none."""

    def checked_strategies(self, strategies: ArrayLike) -> Strategies:
        """Return one strategy or several rows of them as integers, or raise if they are not strategies of the game."""

    def payoffs(self, row_strategies: Strategies, column_strategies: Strategies) -> Floats:
        """Return the payoff of each row strategy against each column strategy, as a matrix."""

    def best_response(self, strategies: Strategies, mixture: Floats) -> Strategies:
        """Return a best response to the mixture that plays each strategy with its probability in `mixture`."""

    def draw_mutant(self, strategy: Strategies, rng: np.random.Generator) -> Strategies:
        """Return a mutated copy of a strategy."""


class RoleTreeplex(NamedTuple):
    """The treeplex of one role, and where the role's plan lies in a strategy.

    Attributes
    ----------
    begin, end : int
        The plan is `strategy[begin:end]`.
    treeplex : Treeplex
        The sequences and information sets of the role.
    """

    begin: int
    end: int
    treeplex: Treeplex


class CompiledSymmetric:
    """A compiled two-player zero-sum game in which both players play all of `roles`: 0, or 0 and 1.

    A strategy consists of the pure realization plans of the roles, zeros and ones, one after the other. Each plan
    begins with its empty sequence, so d is the number of sequences. In a constant-sum game payoffs are counted from
    half of the sum, so that a strategy draws with itself at zero.
    """

    has_best_responses = True

    def __init__(self, game: SequenceForm, name: str, roles: tuple[int, ...]) -> None:
        self.game, self.name, self.roles = game, name, roles

    @property
    def unit(self) -> Unit:
        """The unit of payoffs."""
        return self.game.unit

    @property
    def fingerprint(self) -> str:
        """A digest of everything that decides the payoffs."""
        return hashlib.sha256(repr((self.game.fingerprint, self.roles)).encode()).hexdigest()[:16]

    @cached_property
    def payoff_form(self) -> "csr_array":
        """The antisymmetric matrix of the payoffs: strategy x earns x^T F y against strategy y.

        With one role it is player 1's payoff matrix A. With two roles it has A above the diagonal and -A^T below it.
        """
        from scipy.sparse import block_array, csr_array

        game = self.game
        assert game.payoff_sum is not None
        payoffs = (game.payoff[:, 0] - game.payoff_sum / 2.0) * game.chance
        cells = tuple(game.find_own_sequences(player) for player in range(2))
        matrix = csr_array((payoffs, cells), shape=game.num_sequences)  # A
        if len(self.roles) == 1:
            return matrix
        return csr_array(block_array([[None, matrix], [-matrix.T, None]]))

    @property
    def start(self) -> Strategies:
        """The strategy that takes the first action everywhere."""
        behavior = np.zeros(self.game.num_probabilities)
        behavior[self.game.first_sequence - self.game.num_players] = 1.0
        return self.make_strategy(behavior)

    def make_strategy(self, behavior: "Floats | Profile") -> Strategies:
        """Return the strategy that plays every role as a pure profile does.

        Parameters
        ----------
        behavior : array of shape (S - 2,) or Profile
            The profile's probabilities, all of them zero or one.

        Raises
        ------
        SettingError
            If the profile mixes actions.
        """
        if isinstance(behavior, Profile):
            check_profile(self.game, behavior)
            behavior = behavior.probabilities
        plan = compute_plans(self.game.block, behavior)
        plans = [plan[2:][self.game.player_sequences[role]] for role in self.roles]
        strategy = np.concatenate([np.append(1.0, role_plan) for role_plan in plans])
        if not np.isin(strategy, (0.0, 1.0)).all():
            raise SettingError(
                f"the profile mixes actions of {self.game.name}; a strategy is pure."
                " Give probabilities of zero and one."
            )
        return strategy.astype(np.int8)

    def checked_strategies(self, strategies: ArrayLike) -> Strategies:
        """Return strategies as zeros and ones, or raise if they are not pure realization plans.

        Parameters
        ----------
        strategies : array_like of shape (d,) or (k, d)
            One strategy, or one a row.
        """
        given = np.asarray(strategies)
        if given.ndim not in (1, 2) or given.shape[-1] != self.width:
            raise ShapeError(
                f"strategies have shape {given.shape}; {self.name} needs ({self.width},) or (k, {self.width})."
                " Make one with make_strategy(profile)."
            )
        if not self.are_pure_plans(np.atleast_2d(given)):
            raise SettingError(
                f"a strategy of {self.name} is not a pure realization plan: zeros and ones, one action at"
                " each information set that the plan reaches. Make one with make_strategy(profile)."
            )
        return given.astype(np.int8)

    @property
    def width(self) -> int:
        """The length d of a strategy: the number of sequences of all roles."""
        return sum(self.game.num_sequences[role] for role in self.roles)

    def are_pure_plans(self, strategies: Strategies) -> bool:
        """Return whether all strategies, one a row, consist of pure realization plans."""
        if not np.isin(strategies, (0, 1)).all():
            return False
        for begin, end, treeplex in self.role_treeplexes:
            plans = strategies[:, begin:end].astype(np.int64)
            starts = treeplex.first_sequence
            totals = np.add.reduceat(plans, starts, axis=1) if starts.size else plans[:, :0]
            if not (plans[:, 0] == 1).all():
                return False
            if not (totals == plans[:, treeplex.parent_sequence]).all():
                return False
        return True

    @cached_property
    def role_treeplexes(self) -> tuple[RoleTreeplex, ...]:
        """The treeplex of each role."""
        ends = np.cumsum([self.game.num_sequences[role] for role in self.roles]).tolist()
        begins = [0, *ends[:-1]]
        return tuple(
            RoleTreeplex(begin, end, self.game.make_treeplex(role))
            for begin, end, role in zip(begins, ends, self.roles, strict=True)
        )

    def payoffs(self, row_strategies: Strategies, column_strategies: Strategies) -> Floats:
        """Return the payoff of each row strategy against each column strategy.

        Parameters
        ----------
        row_strategies : array of shape (k, d)
            The strategies whose payoffs are returned, one a row.
        column_strategies : array of shape (m, d)
            The strategies that they play against, one a row.

        Returns
        -------
        array of shape (k, m)
            The payoffs, in the game's unit.
        """
        if len(row_strategies) <= len(column_strategies):  # the smaller product first
            return np.asarray((row_strategies @ self.payoff_form) @ column_strategies.T)
        return np.asarray(row_strategies @ (self.payoff_form @ column_strategies.T))

    def mix_pool_plans(self, strategies: Strategies, mixture: Floats) -> Floats:
        """Return the realization plans of both players when both play a mixture.

        Parameters
        ----------
        strategies : array of shape (k, d)
            The strategies of the mixture, one a row.
        mixture : array of shape (k,)
            Their probabilities.

        Returns
        -------
        array of shape (S,)
            The weights of both players' sequences, the two empty ones first.
        """
        support = np.flatnonzero(mixture)
        average = mixture[support] @ strategies[support].astype(np.float64)
        plans = [average[begin + 1 : end] for begin, end, _ in self.role_treeplexes]
        return np.concatenate([np.ones(2), plans[0], plans[-1]])

    def make_profile(self, strategies: Strategies, mixture: Floats) -> Profile:
        """Return the profile in which both players play a mixture; the parameters are those of `mix_pool_plans`."""
        plan = self.mix_pool_plans(strategies, mixture)
        return Profile.from_unchecked(self.game, compute_behavior(self.game.block, plan))

    def best_response(self, strategies: Strategies, mixture: Floats) -> Strategies:
        """Return a best response to a mixture; ties go to the first action.

        Parameters
        ----------
        strategies : array of shape (k, d)
            The strategies of the mixture, one a row.
        mixture : array of shape (k,)
            Their probabilities.
        """
        behavior = compute_behavior(self.game.block, self.mix_pool_plans(strategies, mixture))
        _, _, best_responses = compute_best_responses(self.game.block, behavior, 0, 2)
        return self.make_strategy(best_responses)

    def draw_mutant(self, strategy: Strategies, rng: np.random.Generator) -> Strategies:
        """Return a copy of a strategy with another action at one information set that it reaches.

        All such changes are equally likely. Actions at information sets that only the new action reaches are drawn.
        """
        parts = self.role_treeplexes
        parent = np.concatenate([part.treeplex.parent_sequence + part.begin for part in parts])
        first = np.concatenate([part.treeplex.first_sequence + part.begin for part in parts])
        num_actions = np.concatenate([part.treeplex.num_actions for part in parts])

        changeable = np.flatnonzero((strategy[parent] > 0) & (num_actions > 1))
        changed = int(rng.choice(changeable)) if changeable.size else -1

        mutant = np.zeros_like(strategy)
        mutant[[part.begin for part in parts]] = 1
        for infoset in range(len(parent)):
            if not mutant[parent[infoset]]:
                continue  # the mutant does not reach this information set
            begin, size = first[infoset], num_actions[infoset]
            old_action = np.argmax(strategy[begin : begin + size])
            if infoset == changed:
                action = (old_action + rng.integers(1, size)) % size
            elif strategy[parent[infoset]]:
                action = old_action
            else:
                action = rng.integers(size)
            mutant[begin + action] = 1
        return mutant

    def __repr__(self) -> str:
        return f"<{self.name}: symmetric, {self.width} sequences>"


def self_play(game: SequenceForm) -> CompiledSymmetric:
    """Return a compiled game that is symmetric already, with one strategy for both players.

    Both players have the same information sets and actions, by their order, and u_1(x, y) = u_2(y, x).

    Parameters
    ----------
    game : SequenceForm
        A symmetric two-player game that is zero-sum or constant-sum.

    Raises
    ------
    GameError
        If the game does not have two players, is not zero-sum or constant-sum, or favors one of them.
    """
    check_two_player_zero_sum(game)
    check_symmetric(game)
    return CompiledSymmetric(game, game.name, (0,))


def compound(game: SequenceForm) -> CompiledSymmetric:
    """Return the symmetric game in which two strategies play `game` twice, once in each role.

    A strategy x is a pair of plans, and E(x, y) = u_1(x_1, y_2) + u_2(y_1, x_2). In a mixture of pairs both plans of a
    pair have the same probability, unlike in a separate mixture for each role.

    Parameters
    ----------
    game : SequenceForm
        A two-player game that is zero-sum or constant-sum.

    Raises
    ------
    GameError
        If the game does not have two players, or is not zero-sum or constant-sum.

    References
    ----------
    .. [1] Oliehoek, de Jong & Vlassis (2006), section 4.1: the naive symmetrization
    """
    check_two_player_zero_sum(game)
    return CompiledSymmetric(game, f"compound {game.name}", (0, 1))


def check_two_player_zero_sum(game: SequenceForm) -> None:
    """Raise GameError unless a game has two players and is zero-sum or constant-sum."""
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
    """Raise GameError if the players' choices or payoffs differ; the message says how."""
    difference = find_asymmetry(game)
    if difference:
        raise GameError(
            f"{game.name} is not symmetric: {difference}. Use games.compound(game), where both players play both"
            " roles, or solvers.ParallelNashMemory."
        )


def find_asymmetry(game: SequenceForm) -> str | None:
    """Return in words how two players of a game differ, or None if the game is symmetric.

    In a symmetric game all players have the same information sets and actions, by their order. If player 1 and another
    player exchange their strategies, they exchange their payoffs, and the payoffs of the others stay. So one strategy
    can stand for all players, and some Nash equilibrium consists of one such strategy (Nash 1951).
    """
    for player in range(1, game.num_players):
        if not all(map(np.array_equal, game.make_treeplex(0), game.make_treeplex(player))):
            infosets, sequences = game.num_infosets, game.num_sequences
            return (
                f"players 1 and {player + 1} do not have the same choices ({infosets[0]} and {infosets[player]}"
                f" information sets, {sequences[0]} and {sequences[player]} sequences)"
            )
    for player in range(1, game.num_players):
        difference = find_payoff_asymmetry(game, player)
        if difference is not None:
            return difference
    return None


def find_payoff_asymmetry(game: SequenceForm, player: int) -> str | None:
    """Return in words how payoffs change if a player and player 1 exchange their strategies, or None if they do not.

    The two players must have the same treeplex.
    """
    n = game.num_players
    exchanged = np.arange(n)
    exchanged[[0, player]] = player, 0
    sequences = np.stack([game.find_own_sequences(p) for p in range(n)], axis=1)  # (Z, n)
    payoffs = game.payoff * game.chance[:, None]

    # In a symmetric game each terminal cancels the one with exchanged sequences. Sort both lists together, so that
    # equal sequences lie next to each other, and sum over them.
    both = np.concatenate([sequences, sequences[:, exchanged]])
    order = np.lexsort(both.T[::-1])
    is_new = (np.diff(both[order], axis=0) != 0).any(axis=1)
    starts = np.flatnonzero(np.append(True, is_new))
    signed_payoffs = np.concatenate([payoffs, -payoffs[:, exchanged]])[order]
    differences = np.add.reduceat(signed_payoffs, starts)

    largest = int(np.argmax(np.abs(differences)))
    terminal, winner = np.unravel_index(largest, differences.shape)
    tolerance = SYMMETRY_TOLERANCE * np.abs(payoffs).max(initial=0.0)
    if abs(differences[terminal, winner]) <= tolerance:
        return None

    here = both[order[starts[terminal]]]
    actions = " and ".join(describe_sequence(game, p, int(here[p])) for p in range(n))
    is_here = (sequences == here).all(axis=1)
    is_exchanged = (sequences == here[exchanged]).all(axis=1)
    other_winner = exchanged[winner]
    return (
        f"with {actions}, player {winner + 1} wins {float(payoffs[is_here, winner].sum()):g}; with the strategies of"
        f" players 1 and {player + 1} exchanged, player {other_winner + 1} wins"
        f" {float(payoffs[is_exchanged, other_winner].sum()):g}"
    )


def describe_sequence(game: SequenceForm, player: int, sequence: int) -> str:
    """Return the last action of a player's sequence and its information set, in words."""
    if sequence == 0:
        return "no choice"
    first_sequence = game.make_treeplex(player).first_sequence
    own_infoset = int(np.searchsorted(first_sequence, sequence, side="right")) - 1
    infoset = int(game.infoset_start[player]) + own_infoset
    action = game.action_label[infoset][sequence - int(first_sequence[own_infoset])]
    return f"'{action}' at '{game.infoset_label[infoset]}'"
