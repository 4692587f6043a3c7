"""The compilation of a game's rules to its sequence form.

`compile_rules` visits each history of the rules once, and gives an index to each information set and sequence that it
finds. It raises a GameError if the rules contradict themselves. Then it arranges the arrays: information sets are
ordered by depth, so that parents come before children, and information sets below the same sequence are neighbors.
Rules that list their factors, a betting tree and the deals of cards, need no walk: `factored_games` gives the same
arrays several times faster.

In this module n is the number of players, S the number of sequences of all players, I the number of information sets,
and Z the number of terminals.
"""

import sys
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, GameError, Ints, PokerlabError
from pokerlab.games.factored_games import FactoredRules, build_arrays_from_factors
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
from pokerlab.games.sequence_form import SequenceForm

LONGEST_HISTORY = 500
"""The largest number of actions in a history, including chance: the recursive walk is one call deeper for each."""
LARGEST_UTILITY = int(sys.float_info.max)
"""The largest float, as an int, because a fraction is compared faster with an int than with a float."""


@dataclass
class TreeWalk:
    """A walk over the game tree of some rules, with the information sets, sequences and terminals found so far.

    The n empty sequences have the indices 0 to n - 1. Other sequences have indices in the order in which they are
    found.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    path : list of str
        The choices that lead to the present history.
    num_sequences : int
        The number of sequences found so far, including the n empty ones.
    infoset_indices : dict of (int, str) to int
        The index of each information set, by player and label.
    actions_by_infoset : list of tuple of str
        The actions at each information set.
    parent_sequences, first_sequences : list of int
        For each information set the sequence that leads to it, and the sequence that ends with its first action. The
        sequences of its other actions follow directly.
    first_histories : list of str
        The first history of each information set, for error messages.
    utility_indices : dict of tuple to int
        The index of each different tuple of utilities.
    terminal_sequences : array of int
        The sequences of all n players at each terminal history, one history after the other.
    terminal_chances : array of float
        The product of the probabilities of all chance outcomes before each terminal history.
    terminal_utilities : array of int
        The index of the tuple of utilities at each terminal history.
    """

    rules: Rules
    path: list[str] = field(default_factory=list)
    num_sequences: int = 0
    infoset_indices: dict[tuple[int, str], int] = field(default_factory=dict)
    actions_by_infoset: list[tuple[str, ...]] = field(default_factory=list)
    parent_sequences: list[int] = field(default_factory=list)
    first_sequences: list[int] = field(default_factory=list)
    first_histories: list[str] = field(default_factory=list)
    utility_indices: dict[tuple[Number, ...], int] = field(default_factory=dict)
    terminal_sequences: "array[int]" = field(default_factory=lambda: array("i"))
    terminal_chances: "array[float]" = field(default_factory=lambda: array("d"))
    terminal_utilities: "array[int]" = field(default_factory=lambda: array("i"))

    def describe_present_history(self) -> str:
        """Return the name of the history that the walk visits now, for an error message."""
        return describe_history(self.rules, self.path)

    def visit_history(
        self, history: Any, sequences: tuple[int, ...], chance: Fraction, float_chance: float
    ) -> None:
        """Visit a history and, by recursion, all histories after it.

        The information sets, sequences and terminals that are found are added to this walk. All three kinds of
        histories are treated in this one function, because a call of another function would double the depth of the
        recursion.

        Parameters
        ----------
        history : Any
            A history of the rules, to which `path` leads.
        sequences : tuple of int
            The sequence of each player at this history.
        chance : Fraction
            The product of the probabilities of all chance outcomes before this history.
        float_chance : float
            The same product as a float.

        Raises
        ------
        GameError
            If the rules are not valid; `compile_rules` lists the reasons.
        """
        if len(self.path) > LONGEST_HISTORY:
            raise GameError(
                f"a history of {self.rules.name} that begins '{' '.join(self.path[:8])}' has more"
                f" than {LONGEST_HISTORY} actions. Make sure that every history comes to an end."
            )

        turn = self.rules.turn(history)
        if isinstance(turn, Decision):
            infoset = self.find_or_add_infoset(turn, sequences)
            first_sequence = self.first_sequences[infoset]
            sequences_of_earlier_players = sequences[: turn.player]
            sequences_of_later_players = sequences[turn.player + 1 :]
            for index, action in enumerate(turn.actions):
                self.path.append(action)
                next_history = self.rules.after(history, action)
                next_sequences = (
                    *sequences_of_earlier_players,
                    first_sequence + index,
                    *sequences_of_later_players,
                )
                self.visit_history(next_history, next_sequences, chance, float_chance)
                self.path.pop()
        elif isinstance(turn, Terminal):
            self.terminal_utilities.append(self.find_or_add_utilities(turn))
            self.terminal_chances.append(float_chance)
            self.terminal_sequences.extend(sequences)
        elif isinstance(turn, Chance):
            self.check_outcomes(turn)
            for outcome, probability in turn.outcomes.items():
                self.path.append(outcome)
                next_chance = chance * probability
                next_float_chance = self.convert_chance_to_float(next_chance)
                next_history = self.rules.after(history, outcome)
                self.visit_history(next_history, sequences, next_chance, next_float_chance)
                self.path.pop()
        else:
            raise GameError(
                f"turn at {self.describe_present_history()} is {turn!r}; return a Chance, a Decision or a Terminal."
            )

    def find_or_add_infoset(self, decision: Decision, sequences: tuple[int, ...]) -> int:
        """Return the index of a decision's information set, after adding the information set to this walk if it is new.

        Parameters
        ----------
        decision : Decision
            The decision.
        sequences : tuple of int
            The sequence of each player at the decision.

        Returns
        -------
        int
            The index of the information set, in the order in which the walk finds information sets.

        Raises
        ------
        GameError
            If the player has imperfect recall, or if other actions were possible at this information set before. Also
            if the information set is new and not valid; `add_infoset` lists the reasons.
        """
        try:
            index = self.infoset_indices[decision.player, decision.infoset]
        except (KeyError, TypeError):  # it is new, or its label cannot be hashed
            return self.add_infoset(decision, sequences)

        if self.parent_sequences[index] != sequences[decision.player]:
            raise GameError(
                f"player {decision.player + 1} has imperfect recall at '{decision.infoset}':"
                f" {self.describe_present_history()} and history '{self.first_histories[index]}' differ in the"
                " player's own earlier choices. Put what the player knew and did into the label."
            )

        # The first comparison is faster. The second one accepts a list of the same actions.
        known_actions = self.actions_by_infoset[index]
        if known_actions != decision.actions and known_actions != self.validate_actions(
            decision.actions
        ):
            raise GameError(
                f"information set '{decision.infoset}' of player {decision.player + 1} offers"
                f" {known_actions} at history '{self.first_histories[index]}' but {decision.actions} at"
                f" {self.describe_present_history()}. A player who may do different things knows more: use two labels."
            )

        return index

    def add_infoset(self, decision: Decision, sequences: tuple[int, ...]) -> int:
        """Add a new information set and its sequences to this walk, and return the index of the information set.

        Parameters
        ----------
        decision : Decision
            The first decision at this information set.
        sequences : tuple of int
            The sequence of each player at the decision.

        Returns
        -------
        int
            The index of the information set, in the order in which the walk finds information sets.

        Raises
        ------
        GameError
            If the player is not the index of a player, if the label is not a non-empty string, if there are no actions,
            or if the actions are not different non-empty strings.
        """
        if not is_integer(decision.player):
            raise GameError(
                f"the player at {self.describe_present_history()} is {decision.player!r}; use an index from 0, an int."
            )
        if not 0 <= decision.player < self.rules.num_players:
            raise GameError(
                f"player index {decision.player} moves at {self.describe_present_history()}; it must be from 0 to"
                f" {self.rules.num_players - 1}."
            )
        if not is_label(decision.infoset):
            raise GameError(
                f"the label of the information set at {self.describe_present_history()} is {decision.infoset!r}; use a"
                " non-empty string."
            )
        actions = self.validate_actions(decision.actions)
        if len(set(actions)) != len(actions) or not actions:
            raise GameError(
                f"actions {actions} at {self.describe_present_history()}; at least one is needed, each once."
            )

        index = len(self.infoset_indices)
        self.infoset_indices[decision.player, decision.infoset] = index
        self.actions_by_infoset.append(actions)
        self.parent_sequences.append(sequences[decision.player])
        self.first_sequences.append(self.num_sequences)
        self.first_histories.append(" ".join(self.path) or "start")
        self.num_sequences += len(actions)
        return index

    def validate_actions(self, actions: Any) -> tuple[str, ...]:
        """Return the actions of a decision as a tuple, after checking that they are non-empty strings.

        Whether there are any, and whether they are different, is checked in `add_infoset`.

        Parameters
        ----------
        actions : Any
            The actions, which should be a tuple or a list of strings.

        Returns
        -------
        tuple of str
            The actions.

        Raises
        ------
        GameError
            If `actions` is not a tuple or list of non-empty strings.
        """
        if not isinstance(actions, tuple | list) or not all(map(is_label, actions)):
            raise GameError(
                f"actions at {self.describe_present_history()} are {actions!r}; use a tuple of non-empty strings."
            )
        return tuple(actions)

    def convert_chance_to_float(self, chance: Fraction) -> float:
        """Return the chance probability of the present history as a float, after checking that the float is not zero.

        Parameters
        ----------
        chance : Fraction
            The product of the probabilities of all chance outcomes before the history.

        Returns
        -------
        float
            The nearest float.

        Raises
        ------
        GameError
            If the product is so small that the nearest float is 0.
        """
        reach = float(chance)
        if reach == 0:
            raise GameError(
                f"chance leads to {self.describe_present_history()} with a probability that is too small: as a float"
                " it is 0. Leave out what hardly ever happens, or make it likelier."
            )
        return reach

    def check_outcomes(self, chance_node: Chance) -> None:
        """Raise a GameError unless a chance node has labels with positive probabilities that sum to one.

        Parameters
        ----------
        chance_node : Chance
            The chance node at the present history.

        Raises
        ------
        GameError
            If the outcomes do not map labels to numbers, if a probability is not positive, or if they do not sum to
            exactly 1.
        """
        outcomes: Any = chance_node.outcomes
        if not isinstance(outcomes, Mapping) or not all(map(is_label, outcomes)):
            raise GameError(
                f"outcomes of chance at {self.describe_present_history()} are {outcomes!r}; map labels, which"
                " are non-empty strings, to probabilities."
            )

        probabilities = [*chance_node.outcomes.values()]
        if not all(isinstance(probability, Real) for probability in probabilities):
            raise GameError(
                f"chance at {self.describe_present_history()} has probabilities {probabilities}, which are"
                " not all numbers. Use fractions.Fraction."
            )

        total = sum(probabilities)
        if total != 1 or min(probabilities) <= 0:
            raise GameError(
                f"chance at {self.describe_present_history()} has probabilities {[*map(str, probabilities)]}, which"
                f" sum to {total}; they must be positive and sum to exactly 1. Use fractions.Fraction."
            )

    def find_or_add_utilities(self, terminal: Terminal) -> int:
        """Return the index of a terminal's utilities, after adding the utilities to this walk if they are new.

        Parameters
        ----------
        terminal : Terminal
            The terminal at the present history.

        Returns
        -------
        int
            The index among all different tuples of utilities, in the order in which the walk finds them.

        Raises
        ------
        GameError
            If the utilities are not a number for each player, are not finite, or do not sum to zero although the rules
            state that the game is zero-sum.
        """
        # Most terminals have utilities that another terminal has, too. This case is decided without checks.
        try:
            return self.utility_indices[terminal.utilities]
        except (KeyError, TypeError):
            pass  # the utilities are new, or they are a list, which is not hashable

        numbers: Any = terminal.utilities
        if not isinstance(numbers, tuple | list) or not all(isinstance(u, Real) for u in numbers):
            raise GameError(
                f"utilities at {self.describe_present_history()} are {numbers!r}; use a tuple with a number for"
                " each player, int or fractions.Fraction."
            )

        utilities = tuple(numbers)
        if utilities not in self.utility_indices:
            self.check_utilities(utilities)
            self.utility_indices[utilities] = len(self.utility_indices)

        return self.utility_indices[utilities]

    def check_utilities(self, utilities: tuple[Number, ...]) -> None:
        """Raise a GameError unless utilities are one finite number for each player, and sum to zero if they must.

        Parameters
        ----------
        utilities : tuple of int or Fraction
            The utility of each player at the present history. Other numbers, such as floats, are accepted, too.

        Raises
        ------
        GameError
            If there are more or fewer utilities than players, if one is not finite, or if the rules state that the game
            is zero-sum and the utilities do not sum to zero.
        """
        if len(utilities) != self.rules.num_players:
            raise GameError(
                f"{len(utilities)} utilities at {self.describe_present_history()}; one for each of"
                f" {self.rules.num_players} players is needed."
            )

        for player, utility in enumerate(utilities):
            if not -LARGEST_UTILITY <= utility <= LARGEST_UTILITY:
                raise GameError(
                    f"utility of player {player + 1} at {self.describe_present_history()} is not a finite number of at"
                    f" most {LARGEST_UTILITY:.1e}."
                )

        if self.rules.zero_sum:
            total: Any = sum(utilities)
            largest = max(abs(float(utility)) for utility in utilities)
            if total and abs(total) > EQUAL_SUMS * largest:
                raise GameError(
                    f"utilities at {self.describe_present_history()} are {[*map(str, utilities)]} and sum to"
                    f" {total}, but the rules claim zero_sum."
                )


def is_integer(value: Any) -> bool:
    """Return whether a value is an integer of Python or NumPy. True and False do not count as integers."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_label(label: Any) -> bool:
    """Return whether a value is a non-empty string, which labels of actions and information sets must be."""
    return isinstance(label, str) and label != ""


RULE_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The errors that rules may raise when they are called with a history that they do not expect."""


def compile_rules(rules: Rules) -> SequenceForm:
    """Return the sequence form of a game, which is compiled from its rules.

    Every history of the rules is visited once, and the rules are checked. The rules of some card games, such as those
    of Leduc hold'em, have a method `list_factors` that returns a betting tree and the deals of cards. They are compiled
    faster from these two factors of the game tree. Only `check_rules` checks that the factors give the same game.

    Parameters
    ----------
    rules : Rules
        The rules of the game.

    Returns
    -------
    SequenceForm
        The game as arrays.

    Raises
    ------
    GameError
        If the rules are not valid: the probabilities of chance do not sum to one, or become too small for a float; a
        player has imperfect recall; utilities are missing or not finite; the rules state that the game is zero-sum and
        it is not; something has a wrong type; or the rules raise an error themselves. The message names the history.
    """
    check_name_and_num_players(rules)
    if has_factored_rules(rules):
        return compile_factored_game(rules)

    n = rules.num_players
    walk = TreeWalk(rules, num_sequences=n)  # the n empty sequences are 0 to n - 1
    if type(rules) is MatrixGame:
        return compile_matrix_game(rules, walk)

    try:
        empty_sequences = tuple(range(n))
        walk.visit_history(rules.start(), empty_sequences, Fraction(1), 1.0)
    except PokerlabError:
        raise
    except RULE_ERRORS as error:
        raise GameError(
            f"the rules raise {type(error).__name__} at {walk.describe_present_history()}: {error}. Give an answer for"
            " every history that they themselves lead to."
        ) from error

    # The lists of the walk are converted to arrays without copying them.
    sequence = np.frombuffer(walk.terminal_sequences, dtype=np.int32).reshape(-1, n)
    chance = np.frombuffer(walk.terminal_chances)
    utility_index = np.frombuffer(walk.terminal_utilities, dtype=np.int32)

    # Each different tuple of utilities is converted to floats only once.
    different_utilities = [list(map(float, utilities)) for utilities in walk.utility_indices]
    payoff = np.array(different_utilities).reshape(-1, n)[utility_index]
    return build_sequence_form(walk, sequence, chance, payoff)


def check_name_and_num_players(rules: Rules) -> None:
    """Raise a GameError unless rules have a name and a number of players, from 1 to `MOST_PLAYERS`.

    Parameters
    ----------
    rules : Rules
        The rules, which a user may have written.

    Raises
    ------
    GameError
        If one of both is missing, has a wrong type, or is not allowed.
    """
    name = getattr(rules, "name", None)
    if not is_label(name):
        raise GameError(f"name of {type(rules).__name__} is {name!r}; use a non-empty string.")

    num_players = getattr(rules, "num_players", None)
    if num_players is None or not is_integer(num_players):
        raise GameError(f"num_players of {name} is {num_players!r}; use an int.")
    if not 1 <= num_players <= MOST_PLAYERS:
        raise GameError(f"{name} has {num_players} players; a game has 1 to {MOST_PLAYERS}.")


def has_factored_rules(rules: Rules) -> TypeGuard[FactoredRules]:
    """Return whether rules can list a betting tree and deals, so that they are compiled without visiting every history.

    Parameters
    ----------
    rules : Rules
        The rules.

    Returns
    -------
    bool
        Whether the class of the rules itself defines the method `list_factors`. An inherited method does not count,
        because a subclass may have changed the rules.
    """
    return "list_factors" in vars(type(rules))


def compile_factored_game(rules: FactoredRules) -> SequenceForm:
    """Return the sequence form of a card game that is given by a betting tree and by the deals of cards.

    Each history of such a game is a combination of a deal and a node of the betting tree, which are the two factors of
    the game (`factored_games`). So a few operations on arrays replace the visit of every history.

    Parameters
    ----------
    rules : FactoredRules
        Rules whose method `list_factors` returns the deals and the betting tree.

    Returns
    -------
    SequenceForm
        The game as arrays.

    Raises
    ------
    GameError
        If `list_factors` raises an error, or if the probabilities of its deals do not sum to one.
    """
    try:
        factors = rules.list_factors()
    except RULE_ERRORS as error:
        raise GameError(
            f"list_factors of {rules.name} raises {type(error).__name__}: {error}. Check the deck and the bets."
        ) from error
    infosets, terminals = build_arrays_from_factors(rules.name, rules.num_players, factors)

    num_histories_ended = len(terminals.payoff)
    lowest, highest = terminals.payoff.min(axis=0), terminals.payoff.max(axis=0)
    utility_range = np.stack([lowest, highest], axis=1)
    sequence, chance, payoff = merge_terminals(
        terminals.sequence, terminals.chance, terminals.payoff
    )
    del terminals  # to free memory before `SequenceForm` copies all arrays into one block
    return SequenceForm(
        rules=rules,
        num_histories_ended=num_histories_ended,
        **infosets._asdict(),
        chance=chance,
        sequence=sequence,
        payoff=payoff,
        utility_range=utility_range,
    )


def compile_matrix_game(rules: MatrixGame, walk: TreeWalk) -> SequenceForm:
    """Return the sequence form of a matrix game, without visiting its cells one by one.

    Parameters
    ----------
    rules : MatrixGame
        The rules.
    walk : TreeWalk
        A new walk over these rules. The information sets of both players are added to it.

    Returns
    -------
    SequenceForm
        The game as arrays.

    Raises
    ------
    GameError
        If the names of the actions are not different non-empty strings.
    """
    # One history with both decisions is enough to find the two information sets.
    history = rules.start()
    sequences = (0, 1)  # the empty sequences of both players
    for actions in (rules.row_actions, rules.column_actions):
        decision = rules.turn(history)
        assert isinstance(decision, Decision)
        infoset = walk.find_or_add_infoset(decision, sequences)
        walk.path.append(actions[0])  # for error messages
        history = rules.after(history, actions[0])
        sequences = (walk.first_sequences[infoset], 1)

    # Each cell is a terminal, whose sequences are its row and its column.
    payoff = np.stack([matrix.floats.ravel() for matrix in rules.matrices], axis=1)
    shape = rules.matrices[0].floats.shape
    rows_and_columns = np.indices(shape).reshape(2, -1).T  # of shape (cells, 2)
    sequence = rows_and_columns + np.array(walk.first_sequences)
    chance = np.ones(len(payoff))
    return build_sequence_form(walk, sequence, chance, payoff)


def build_sequence_form(
    walk: TreeWalk, sequence: NDArray[Any], chance: Floats, payoff: Floats
) -> SequenceForm:
    """Return the sequence form of a game, after a walk has found all its information sets and terminals.

    Information sets are ordered by player and then by depth, and sequences get new indices in this order. Terminals
    with the same sequences of all players are merged.

    Parameters
    ----------
    walk : TreeWalk
        The information sets and sequences, in the order in which the walk found them.
    sequence : ndarray of shape (Z, n)
        The sequence of each of n players at each of Z terminal histories, as indices of the walk.
    chance : ndarray of shape (Z,)
        The product of the probabilities of all chance outcomes before each terminal history.
    payoff : ndarray of shape (Z, n)
        The utility of each player at each terminal history.

    Returns
    -------
    SequenceForm
        The game as arrays.
    """
    parent_of_infoset = np.array(walk.parent_sequences, dtype=np.int64)
    first_sequence = np.array(walk.first_sequences, dtype=np.int64)
    num_actions = np.array([len(actions) for actions in walk.actions_by_infoset], dtype=np.int64)
    order, infoset_start, new_indices = order_infosets(
        walk, parent_of_infoset, first_sequence, num_actions
    )
    labels = [label for _, label in walk.infoset_indices]

    utility_range = np.stack([payoff.min(axis=0), payoff.max(axis=0)], axis=1)
    num_histories_ended = len(sequence)
    sequence, chance, payoff = merge_terminals(new_indices[sequence], chance, payoff)
    return SequenceForm(
        rules=walk.rules,
        num_histories_ended=num_histories_ended,
        infoset_start=infoset_start,
        infoset_label=tuple(labels[i] for i in order),
        action_label=tuple(walk.actions_by_infoset[i] for i in order),
        parent_sequence=new_indices[parent_of_infoset[order]],
        first_sequence=new_indices[first_sequence[order]],
        num_actions=num_actions[order],
        chance=chance,
        sequence=sequence,
        payoff=payoff,
        utility_range=utility_range,
    )


class InfosetOrder(NamedTuple):
    """The order of the information sets of a sequence form, by player and depth.

    Attributes
    ----------
    order : ndarray of int64, shape (I,)
        The information sets, as the walk has numbered them.
    infoset_start : ndarray of int64, shape (n + 1,)
        The number of information sets before those of each player, and the number of all at the end.
    new_indices : ndarray of int64, shape (S,)
        The index in the sequence form of each sequence that the walk has found.
    """

    order: Ints
    infoset_start: Ints
    new_indices: Ints


def order_infosets(
    walk: TreeWalk, parent_of_infoset: Ints, first_sequence: Ints, num_actions: Ints
) -> InfosetOrder:
    """Return the order of the information sets in the sequence form, and the new index of each sequence.

    Information sets are ordered by player and by depth, which is the number of the player's earlier decisions.
    Information sets of one depth are ordered by their parent sequences, so that those with the same parent are
    neighbors, and then in the order of the walk. Sequences are numbered in the order of their information sets.

    Parameters
    ----------
    walk : TreeWalk
        The walk that has found I information sets.
    parent_of_infoset, first_sequence, num_actions : ndarray of int64, shape (I,)
        For each information set the sequence that leads to it, the sequence that ends with its first action, and the
        number of its actions. Sequences are indices of the walk.

    Returns
    -------
    InfosetOrder
        The order of the information sets, where each player's begin, and the new indices of all sequences.
    """
    n = walk.rules.num_players
    player_of = np.array([player for player, _ in walk.infoset_indices], dtype=np.int64)
    depths = compute_infoset_depths(walk, parent_of_infoset, num_actions)
    order: list[int] = []
    infoset_start = [0]
    new_indices = np.arange(walk.num_sequences, dtype=np.int64)  # right for the n empty sequences
    next_sequence = n
    for player in range(n):
        own_infosets = np.flatnonzero(player_of == player)
        own_depths = depths[own_infosets]
        for depth in range(own_depths.max(initial=-1) + 1):
            infosets = own_infosets[own_depths == depth]
            # A stable sort keeps the order of the walk. The parents have their new indices already.
            infosets_by_parent = infosets[
                np.argsort(new_indices[parent_of_infoset[infosets]], kind="stable")
            ]
            for infoset in infosets_by_parent:
                order.append(int(infoset))
                own_sequences = slice(
                    first_sequence[infoset], first_sequence[infoset] + num_actions[infoset]
                )
                end = next_sequence + num_actions[infoset]
                new_indices[own_sequences] = np.arange(next_sequence, end)
                next_sequence = end
        infoset_start.append(len(order))

    # A game without decisions has no information sets, and NumPy would make an array of floats from an empty list.
    return InfosetOrder(
        order=np.array(order, dtype=np.int64),
        infoset_start=np.array(infoset_start, dtype=np.int64),
        new_indices=new_indices,
    )


def compute_infoset_depths(walk: TreeWalk, parent_of_infoset: Ints, num_actions: Ints) -> Ints:
    """Return the depth of each information set, which is the number of earlier decisions of its player.

    Parameters
    ----------
    walk : TreeWalk
        The walk that has found I information sets, parents before their children.
    parent_of_infoset, num_actions : array of shape (I,)
        The sequence that leads to each information set, and the number of actions there.

    Returns
    -------
    array of shape (I,)
        The depth of each information set, from 0.
    """
    n = walk.rules.num_players
    num_infosets = len(parent_of_infoset)
    infoset_of_sequence = np.full(walk.num_sequences, -1)
    infoset_of_sequence[n:] = np.repeat(np.arange(num_infosets), num_actions)
    depths = np.zeros(num_infosets, dtype=np.int64)
    # Parents were found before their children.
    for infoset, parent_sequence in enumerate(parent_of_infoset):
        is_empty_sequence = parent_sequence < n  # then the depth is 0
        if not is_empty_sequence:
            depths[infoset] = depths[infoset_of_sequence[parent_sequence]] + 1
    return depths


def merge_terminals(
    sequence: np.ndarray[tuple[int, int], np.dtype[np.int64]],
    chance: np.ndarray[tuple[int], np.dtype[np.float64]],
    payoff: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> tuple[Ints, Floats, Floats]:
    """Merge terminals at which all players have the same sequences, and return the arrays of the merged terminals.

    The probability of a merged terminal is the sum of the probabilities of its terminals, and its payoff is their
    expected payoff.

    Parameters
    ----------
    sequence : array of shape (Z, n)
        The sequence of each of n players at each of Z terminals.
    chance : array of shape (Z,)
        The product of the probabilities of all chance outcomes before each terminal.
    payoff : array of shape (Z, n)
        The utility of each player at each terminal.

    Returns
    -------
    sequence, chance, payoff : array
        The same arrays for the merged terminals, in lexicographic order of sequences.
    """
    # A narrow type is sorted faster.
    narrow_sequence = sequence.astype(np.min_scalar_type(sequence.max(initial=0)))
    # `lexsort` sorts by its last key first, so the players are reversed.
    order = np.lexsort(narrow_sequence.T[::-1])
    sequence, chance, payoff = sequence[order], chance[order], payoff[order]

    # Each merged terminal begins at a row whose sequences differ from those of the row before.
    is_new = np.ones(len(sequence), dtype=bool)
    is_new[1:] = (sequence[1:] != sequence[:-1]).any(axis=1)
    starts = np.flatnonzero(is_new)
    if len(starts) == len(sequence):
        return sequence, chance, payoff

    chance_of_groups = np.add.reduceat(chance, starts)
    weighted_payoff = np.add.reduceat(chance[:, None] * payoff, starts)
    expected_payoff = weighted_payoff / chance_of_groups[:, None]
    return sequence[starts], chance_of_groups, expected_payoff
