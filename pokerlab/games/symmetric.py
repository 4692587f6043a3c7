"""Symmetric zero-sum games, in which both players choose from the same strategies and neither has an advantage.

A strategy is a vector, and payoffs are antisymmetric: E(x, y) = -E(y, x), where E(x, y) is the payoff of strategy x
against strategy y. So every strategy draws with itself, and the value of the game is zero. There are two ways to make a
symmetric game from a compiled one. `self_play` takes a game that is already symmetric. In `compound` both players play
both roles (the naive symmetrization of Oliehoek et al. 2006, section 4.1).
"""

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import Floats, GameError, SettingError, ShapeError, Unit
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.games.sequence_form import (
    Profile,
    SequenceForm,
    check_game_is_compiled,
    check_profile_fits_game,
)
from pokerlab.games.tree_passes import (
    compute_behavior,
    compute_plans,
    compute_utilities_and_best_responses,
)
from pokerlab.games.treeplex import Treeplex

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Strategies = NDArray[Any]
"""One strategy of d numbers, of shape (d,), or k strategies, of shape (k, d). They are integers except in contests."""
SYMMETRY_TOLERANCE = 1e-12
"""The largest difference between payoffs that count as equal, relative to the largest payoff."""


class SymmetricGame(Protocol):
    """The properties and methods that a Nash memory needs from a symmetric zero-sum game.

    A strategy is a vector of d numbers.
    """

    @property
    def name(self) -> str:
        """The game's name."""

    @property
    def unit(self) -> Unit:
        """The unit of payoffs."""

    @property
    def fingerprint(self) -> str:
        """A digest of everything that determines the payoffs, which is the same for equal games."""

    @property
    def has_best_responses(self) -> bool:
        """Whether the game can compute best responses to a mixture."""

    @property
    def default_start(self) -> Strategies:
        """The strategy with which a Nash memory or a search begins by default, of shape (d,)."""

    def validate_strategies(self, strategies: ArrayLike) -> Strategies:
        """Return one or several strategies as an array, after checking that the game has these strategies.

        Parameters
        ----------
        strategies : array_like of shape (d,) or (k, d)
            One strategy of d numbers, or k strategies.

        Returns
        -------
        array of shape (d,) or (k, d)
            The same strategies, in the type that the game uses.

        Raises
        ------
        ShapeError, SettingError
            If they are not strategies of the game.
        """

    def payoffs(self, row_strategies: Strategies, column_strategies: Strategies) -> Floats:
        """Return the payoff of each row strategy against each column strategy.

        Parameters
        ----------
        row_strategies : array of shape (k, d)
            The k strategies, of d numbers each, whose payoffs are returned.
        column_strategies : array of shape (m, d)
            The m strategies against which they play.

        Returns
        -------
        array of shape (k, m)
            The payoffs, in the game's unit.
        """

    def best_response(self, strategies: Strategies, mixture: Floats) -> Strategies:
        """Return a best response to a mixture, which plays each of several strategies with a given probability.

        Parameters
        ----------
        strategies : array of shape (k, d)
            The k strategies of the mixture, of d numbers each.
        mixture : array of shape (k,)
            The probability of each strategy.

        Returns
        -------
        array of shape (d,)
            The best response.

        Raises
        ------
        GameError
            If the game cannot compute best responses.
        """

    def draw_mutant(self, strategy: Strategies, rng: np.random.Generator) -> Strategies:
        """Return a mutated copy of a strategy.

        Parameters
        ----------
        strategy : array of shape (d,)
            The strategy.
        rng : Generator
            The source of random numbers.

        Returns
        -------
        array of shape (d,)
            The mutant.
        """


class RoleTreeplex(NamedTuple):
    """The treeplex of one role, and the part of a strategy that is the plan of this role.

    Attributes
    ----------
    begin, end : int
        The realization plan of the role is `strategy[begin:end]`.
    treeplex : Treeplex
        The sequences and information sets of the role.
    """

    begin: int
    end: int
    treeplex: Treeplex


@explain_renamed_attributes
class CompiledSymmetric:
    """A symmetric game that is made from a compiled two-player zero-sum game.

    A role is a player of the compiled game, 0 or 1. Either there is only role 0, because both players of the compiled
    game are equivalent, or both players of the symmetric game play both roles. A strategy consists of a pure
    realization plan for each role, one after the other, with entries 0 and 1. Each plan begins with the empty sequence.
    In a constant-sum game half of the sum is subtracted from each payoff, so that a strategy wins 0 against itself.

    Parameters
    ----------
    game : SequenceForm
        The compiled game, which is zero-sum or constant-sum.
    name : str
        The name of the symmetric game.
    roles : tuple of int
        The roles that each player plays: (0,) or (0, 1).
    """

    has_best_responses = True

    def __init__(self, game: SequenceForm, name: str, roles: tuple[int, ...]) -> None:
        self.game, self.name, self.roles = game, name, roles

    @property
    def unit(self) -> Unit:
        """The unit of payoffs, which is the unit of the compiled game."""
        return self.game.unit

    @property
    def fingerprint(self) -> str:
        """A digest of the compiled game and the roles, which is the same for equal games."""
        return hashlib.sha256(repr((self.game.fingerprint, self.roles)).encode()).hexdigest()[:16]

    @cached_property
    def strategy_payoff_matrix(self) -> "csr_array":
        """The antisymmetric matrix F, by which the payoff of strategy x against strategy y is x^T F y; of shape (d, d).

        With one role F is the payoff matrix A of player 1. With two roles F has the block A above the diagonal and the
        block -A^T below it. In a constant-sum game half of the sum is subtracted from each payoff.
        """
        from scipy.sparse import block_array, csr_array

        game = self.game
        assert game.payoff_sum is not None
        payoffs = (game.payoff[:, 0] - game.payoff_sum / 2.0) * game.chance
        rows, columns = (game.find_sequences_at_terminals(player) for player in range(2))
        matrix = csr_array((payoffs, (rows, columns)), shape=game.num_sequences)  # A
        if len(self.roles) == 1:
            return matrix
        return csr_array(block_array([[None, matrix], [-matrix.T, None]]))

    @property
    def default_start(self) -> Strategies:
        """The strategy that takes the first action at each information set, with which searches begin by default."""
        behavior = np.zeros(self.game.num_probabilities)
        behavior[self.game.first_probability_indices] = 1.0
        return self.make_strategy(behavior)

    def make_strategy(self, behavior: "Floats | Profile") -> Strategies:
        """Return the strategy that plays each role like a pure profile of the compiled game.

        Parameters
        ----------
        behavior : array of shape (S - 2,) or Profile
            The profile: the probability of each of the S - 2 non-empty sequences, which must be 0 or 1.

        Returns
        -------
        array of int8, shape (d,)
            The strategy: the realization plan of each role, one after the other.

        Raises
        ------
        SettingError
            If the profile mixes actions.
        GameError
            If a `Profile` is given that belongs to another game.
        """
        if isinstance(behavior, Profile):
            check_profile_fits_game(self.game, behavior)
            behavior = behavior.probabilities

        weights = compute_plans(self.game.block, behavior)
        non_empty = weights[2:]  # without the empty sequences of both players
        plans = [non_empty[self.game.player_sequences[role]] for role in self.roles]
        strategy = np.concatenate([np.append(1.0, plan) for plan in plans])
        if not np.isin(strategy, (0.0, 1.0)).all():
            raise SettingError(
                f"the profile mixes actions of {self.game.name}; a strategy is pure."
                " Give probabilities of zero and one."
            )

        return strategy.astype(np.int8)

    def validate_strategies(self, strategies: ArrayLike) -> Strategies:
        """Return pure strategies as an array of int8 of the same shape, after checking them.

        Parameters
        ----------
        strategies : array_like of shape (d,) or (k, d)
            One strategy or k strategies, each of d = `strategy_length` zeros and ones. A strategy consists of one pure
            realization plan for each role, one after the other.

        Returns
        -------
        array of int8, shape (d,) or (k, d)
            The same strategies.

        Raises
        ------
        ShapeError
            If a strategy does not have d numbers.
        SettingError
            If the part of a strategy for some role is not a pure realization plan, for example if it mixes actions.
        """
        array = np.asarray(strategies)
        length = self.strategy_length
        if array.ndim not in (1, 2) or array.shape[-1] != length:
            raise ShapeError(
                f"strategies have shape {array.shape}; {self.name} needs ({length},) or (k, {length})."
                " Make one with make_strategy(profile)."
            )
        if not self.are_pure_plans(np.atleast_2d(array)):
            raise SettingError(
                f"a strategy of {self.name} is not a pure realization plan: zeros and ones, one action at"
                " each information set that the plan reaches. Make one with make_strategy(profile)."
            )
        return array.astype(np.int8)

    @property
    def strategy_length(self) -> int:
        """The number of entries of a strategy, d, which is the number of sequences of all roles."""
        return sum(self.game.num_sequences[role] for role in self.roles)

    def are_pure_plans(self, strategies: Strategies) -> bool:
        """Return whether each of several strategies consists of a pure realization plan for each role.

        A plan is pure if its numbers are 0 and 1, its empty sequence has weight 1, and the weights of the sequences at
        each information set sum to the weight of its parent sequence.

        Parameters
        ----------
        strategies : array of shape (k, d)
            The k strategies, of d = `strategy_length` numbers each.

        Returns
        -------
        bool
            Whether this holds for all strategies.
        """
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
        """The sequences and information sets of each role, and where the plan of the role is in a strategy."""
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
            The k strategies, of d numbers each, whose payoffs are returned.
        column_strategies : array of shape (m, d)
            The m strategies against which they play.

        Returns
        -------
        array of shape (k, m)
            The payoffs, in the game's unit.
        """
        if len(row_strategies) <= len(column_strategies):  # the smaller product first
            return np.asarray((row_strategies @ self.strategy_payoff_matrix) @ column_strategies.T)
        return np.asarray(row_strategies @ (self.strategy_payoff_matrix @ column_strategies.T))

    def compute_mixture_plans(self, strategies: Strategies, mixture: Floats) -> Floats:
        """Return the realization plans of both players of the compiled game when both play the same mixture.

        Parameters
        ----------
        strategies : array of shape (k, d)
            The k strategies of the mixture, of d numbers each.
        mixture : array of shape (k,)
            The probability of each strategy.

        Returns
        -------
        array of shape (S,)
            The weight of each of the S sequences of the compiled game, beginning with the two empty sequences.
        """
        support = np.flatnonzero(mixture)
        average = mixture[support] @ strategies[support].astype(np.float64)
        # Without the empty sequence of each role. If there is a single role, both players have its plan.
        plans = [average[begin + 1 : end] for begin, end, _ in self.role_treeplexes]
        return np.concatenate([np.ones(2), plans[0], plans[-1]])

    def make_profile(self, strategies: Strategies, mixture: Floats) -> Profile:
        """Return the profile of the compiled game in which both players play the same mixture of strategies.

        Parameters
        ----------
        strategies : array of shape (k, d)
            The k strategies of the mixture, of d numbers each.
        mixture : array of shape (k,)
            The probability of each strategy.

        Returns
        -------
        Profile
            The profile, in which both players behave like the mixture.
        """
        plan = self.compute_mixture_plans(strategies, mixture)
        return Profile.from_unchecked(self.game, compute_behavior(self.game.block, plan))

    def best_response(self, strategies: Strategies, mixture: Floats) -> Strategies:
        """Return a pure best response to a mixture of strategies.

        Parameters
        ----------
        strategies : array of shape (k, d)
            The k strategies of the mixture, of d numbers each.
        mixture : array of shape (k,)
            The probability of each strategy.

        Returns
        -------
        array of int8, shape (d,)
            The best response, which takes the first of several equally good actions.
        """
        behavior = compute_behavior(
            self.game.block, self.compute_mixture_plans(strategies, mixture)
        )
        _, _, best_responses = compute_utilities_and_best_responses(self.game.block, behavior, 0, 2)
        return self.make_strategy(best_responses)

    def draw_mutant(self, strategy: Strategies, rng: np.random.Generator) -> Strategies:
        """Return a copy of a strategy with another action at one information set that it reaches.

        All such changes are equally likely. At information sets that are reached only after the new action, actions are
        drawn at random. If no information set can be changed, the result is an equal strategy.

        Parameters
        ----------
        strategy : array of shape (d,)
            The strategy, of d = `strategy_length` zeros and ones.
        rng : Generator
            The source of random numbers.

        Returns
        -------
        array of shape (d,)
            The mutant, which is a pure strategy, too.
        """
        # The information sets of all roles, with the indices that sequences have in the whole strategy.
        roles = self.role_treeplexes
        parent_sequence = np.concatenate(
            [role.treeplex.parent_sequence + role.begin for role in roles]
        )
        first_sequence = np.concatenate(
            [role.treeplex.first_sequence + role.begin for role in roles]
        )
        num_actions = np.concatenate([role.treeplex.num_actions for role in roles])

        is_reached = strategy[parent_sequence] > 0
        changeable_infosets = np.flatnonzero(is_reached & (num_actions > 1))
        changed_infoset = -1  # no information set
        if changeable_infosets.size:
            changed_infoset = int(rng.choice(changeable_infosets))

        mutant = np.zeros_like(strategy)
        mutant[[role.begin for role in roles]] = 1  # the empty sequences
        for infoset in range(len(parent_sequence)):  # parents come before their children
            if not mutant[parent_sequence[infoset]]:
                continue  # the mutant does not reach this information set
            begin, size = first_sequence[infoset], num_actions[infoset]
            old_action = np.argmax(strategy[begin : begin + size])
            if infoset == changed_infoset:
                action = (old_action + rng.integers(1, size)) % size  # any action but the old one
            elif strategy[parent_sequence[infoset]]:
                action = old_action
            else:
                action = rng.integers(size)
            mutant[begin + action] = 1
        return mutant

    def __repr__(self) -> str:
        return f"<{self.name}: symmetric, {self.strategy_length} sequences>"


def self_play(game: SequenceForm) -> CompiledSymmetric:
    """Return the symmetric game of a compiled game that is itself symmetric.

    In such a game both players have the same information sets and actions, in the same order, and u_1(x, y) = u_2(y,
    x). A strategy is a realization plan that both players can use.

    Parameters
    ----------
    game : SequenceForm
        A symmetric two-player game that is zero-sum or constant-sum.

    Returns
    -------
    CompiledSymmetric
        The symmetric game, with one role.

    Raises
    ------
    GameError
        If the game does not have two players, if it is not zero-sum or constant-sum, or if it favors one of them.
    """
    check_two_player_constant_sum(game)
    check_symmetric(game)
    return CompiledSymmetric(game, game.name, (0,))


def compound(game: SequenceForm) -> CompiledSymmetric:
    """Return the symmetric game in which two strategies play `game` twice, once in each role.

    A strategy x is a pair of plans x_1 and x_2 for the two roles, and its payoff against y is E(x, y) = u_1(x_1, y_2) +
    u_2(y_1, x_2). A mixture gives both plans of a pair the same probability. With a separate mixture for each role
    their probabilities could differ.

    Parameters
    ----------
    game : SequenceForm
        A two-player game that is zero-sum or constant-sum.

    Returns
    -------
    CompiledSymmetric
        The symmetric game, with two roles.

    Raises
    ------
    GameError
        If the game does not have two players, or is not zero-sum or constant-sum.

    References
    ----------
    .. [1] Oliehoek, de Jong & Vlassis (2006), section 4.1: the naive symmetrization
    """
    check_two_player_constant_sum(game)
    return CompiledSymmetric(game, f"compound {game.name}", (0, 1))


def check_two_player_constant_sum(game: SequenceForm) -> None:
    """Raise a GameError unless a game has two players, and their payoffs have the same sum at all terminals.

    Parameters
    ----------
    game : SequenceForm
        The game. A zero-sum game is accepted, too.

    Raises
    ------
    GameError
        If the game is not compiled, has more or fewer than two players, or is a general-sum game.
    """
    check_game_is_compiled(game)
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
    """Raise a GameError unless a game is symmetric.

    Parameters
    ----------
    game : SequenceForm
        The game, of two or more players.

    Raises
    ------
    GameError
        If players 1 and some other player differ. The message says how.
    """
    difference = describe_asymmetry(game)
    if difference:
        raise GameError(
            f"{game.name} is not symmetric: {difference}. Use games.compound(game), where both players play both"
            " roles, or solvers.ParallelNashMemory."
        )


def describe_asymmetry(game: SequenceForm) -> str | None:
    """Return a description of how player 1 and another player differ, or None if the game is symmetric.

    In a symmetric game all players have the same information sets and actions, in the same order. If player 1 and
    another player exchange their strategies, they exchange their payoffs, and all other payoffs do not change. So every
    player can use the same strategy, and there is a Nash equilibrium in which all players do so (Nash 1951).

    Parameters
    ----------
    game : SequenceForm
        The game, of two or more players.

    Returns
    -------
    str or None
        A part of a sentence for error messages, such as 'players 1 and 2 do not have the same choices (...)'.
    """
    # First compare the information sets and actions of the players, which are the arrays of their treeplexes.
    first_treeplex = game.make_treeplex(0)
    for player in range(1, game.num_players):
        treeplex = game.make_treeplex(player)
        has_same_choices = all(
            np.array_equal(first_array, array)
            for first_array, array in zip(first_treeplex, treeplex, strict=True)
        )
        if not has_same_choices:
            infosets, sequences = game.num_infosets, game.num_sequences
            return (
                f"players 1 and {player + 1} do not have the same choices ({infosets[0]} and {infosets[player]}"
                f" information sets, {sequences[0]} and {sequences[player]} sequences)"
            )

    # Then compare the payoffs after an exchange of strategies.
    for player in range(1, game.num_players):
        difference = describe_payoff_asymmetry(game, player)
        if difference is not None:
            return difference
    return None


def describe_payoff_asymmetry(game: SequenceForm, player: int) -> str | None:
    """Return a description of how payoffs change if two players exchange strategies, or None if they exchange payoffs.

    Parameters
    ----------
    game : SequenceForm
        The game.
    player : int
        The player who exchanges strategies with player 1, counted from 0. Both must have the same information sets and
        actions.

    Returns
    -------
    str or None
        A part of a sentence for error messages, which names the sequences of all players with the largest difference.
    """
    n = game.num_players
    exchanged_players = np.arange(n)  # the order of players after the exchange
    exchanged_players[[0, player]] = player, 0
    own_sequences = [game.find_sequences_at_terminals(p) for p in range(n)]
    sequences = np.stack(own_sequences, axis=1)  # of shape (Z, n)
    payoffs = game.payoff * game.chance[:, None]

    # In a symmetric game the payoffs of each terminal cancel those of the terminal with exchanged sequences. Both lists
    # are sorted together, so that equal sequences are neighbors, and their payoffs are added.
    both_sequences = np.concatenate([sequences, sequences[:, exchanged_players]])
    signed_payoffs = np.concatenate([payoffs, -payoffs[:, exchanged_players]])
    order = np.lexsort(
        both_sequences.T[::-1]
    )  # it sorts by its last key first, so the players are reversed
    both_sequences, signed_payoffs = both_sequences[order], signed_payoffs[order]
    is_new = (np.diff(both_sequences, axis=0) != 0).any(axis=1)
    starts = np.flatnonzero(np.append(True, is_new))
    differences = np.add.reduceat(signed_payoffs, starts)

    largest_index = int(np.argmax(np.abs(differences)))
    group, winner = np.unravel_index(largest_index, differences.shape)
    tolerance = SYMMETRY_TOLERANCE * np.abs(payoffs).max(initial=0.0)
    if abs(differences[group, winner]) <= tolerance:
        return None

    found_sequences = both_sequences[starts[group]]
    has_found_sequences = (sequences == found_sequences).all(axis=1)
    has_exchanged_sequences = (sequences == found_sequences[exchanged_players]).all(axis=1)
    other_winner = exchanged_players[winner]
    payoff = float(payoffs[has_found_sequences, winner].sum())
    exchanged_payoff = float(payoffs[has_exchanged_sequences, other_winner].sum())
    actions = " and ".join(describe_sequence(game, p, int(found_sequences[p])) for p in range(n))
    return (
        f"with {actions}, player {winner + 1} wins {payoff:g}; with the strategies of players 1 and {player + 1}"
        f" exchanged, player {other_winner + 1} wins {exchanged_payoff:g}"
    )


def describe_sequence(game: SequenceForm, player: int, sequence: int) -> str:
    """Return the last action of a player's sequence in words, such as "'bet' at 'K'".

    Parameters
    ----------
    game : SequenceForm
        The game.
    player : int
        The player, counted from 0.
    sequence : int
        The index of the sequence among the player's own ones. For the empty one, 0, the result is 'no choice'.

    Returns
    -------
    str
        The action and its information set.
    """
    if sequence == 0:
        return "no choice"
    first_sequence = game.make_treeplex(player).first_sequence
    own_infoset = int(np.searchsorted(first_sequence, sequence, side="right")) - 1
    infoset = int(game.infoset_start[player]) + own_infoset
    action = game.action_label[infoset][sequence - int(first_sequence[own_infoset])]
    return f"'{action}' at '{game.infoset_label[infoset]}'"
