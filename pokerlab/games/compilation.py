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
        The number of sequences, including the n empty ones.
    infosets : dict of (int, str) to int
        The index of each information set, by player and label.
    actions : list of tuple of str
        The actions at each information set.
    parent, first : list of int
        The sequence that leads to each information set, and the sequence that ends with its first action.
    found_at : list of str
        The history at which each information set was found, for error messages.
    utilities : dict of tuple to int
        The index of each different tuple of utilities.
    sequence : array of int
        The sequences of all n players at each terminal history, one history after the other.
    chance : array of float
        The product of the probabilities of all chance outcomes before each terminal history.
    utility_index : array of int
        The index of the utilities at each terminal history.
    """

    rules: Rules
    path: list[str] = field(default_factory=list)
    num_sequences: int = 0
    infosets: dict[tuple[int, str], int] = field(default_factory=dict)
    actions: list[tuple[str, ...]] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    found_at: list[str] = field(default_factory=list)
    utilities: dict[tuple[Number, ...], int] = field(default_factory=dict)
    sequence: "array[int]" = field(default_factory=lambda: array("i"))
    chance: "array[float]" = field(default_factory=lambda: array("d"))
    utility_index: "array[int]" = field(default_factory=lambda: array("i"))

    def describe_present_history(self) -> str:
        """Return the name of the present history, to which `path` leads, for an error message."""
        return describe_history(self.rules, self.path)

    def visit_history(
        self, history: Any, sequences: tuple[int, ...], chance: Fraction, reach: float
    ) -> None:
        """Visit a history and, by recursion, all histories after it, and add what is found to this walk.

        All three kinds of histories are treated in this one function, because a call of another function would double
        the depth of the recursion.

        Parameters
        ----------
        history : Any
            A history of the rules, to which `path` leads.
        sequences : tuple of int
            The sequence of each player at this history.
        chance, reach : Fraction, float
            The product of the probabilities of all chance outcomes before this history, exactly and as a float.

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
            first = self.first[infoset]
            sequences_of_earlier_players = sequences[: turn.player]
            sequences_of_later_players = sequences[turn.player + 1 :]
            for index, action in enumerate(turn.actions):
                self.path.append(action)
                following = self.rules.after(history, action)
                following_sequences = (
                    *sequences_of_earlier_players,
                    first + index,
                    *sequences_of_later_players,
                )
                self.visit_history(following, following_sequences, chance, reach)
                self.path.pop()
        elif isinstance(turn, Terminal):
            self.utility_index.append(self.find_or_add_utilities(turn))
            self.chance.append(reach)
            self.sequence.extend(sequences)
        elif isinstance(turn, Chance):
            self.check_outcomes(turn)
            for outcome, probability in turn.outcomes.items():
                self.path.append(outcome)
                product = chance * probability
                product_reach = self.validate_chance_probability(product)
                following = self.rules.after(history, outcome)
                self.visit_history(following, sequences, product, product_reach)
                self.path.pop()
        else:
            raise GameError(
                f"turn at {self.describe_present_history()} is {turn!r}; return a Chance, a Decision or a Terminal."
            )

    def find_or_add_infoset(self, turn: Decision, sequences: tuple[int, ...]) -> int:
        """Return the index of the information set of a decision, after adding the information set if it is new.

        Parameters
        ----------
        turn : Decision
            The decision.
        sequences : tuple of int
            The sequence of each player at the decision.

        Raises
        ------
        GameError
            If the player has imperfect recall, or if other actions were possible at this information set before. Also
            if the information set is new and not valid; `add_infoset` lists the reasons.
        """
        try:
            index = self.infosets[turn.player, turn.infoset]
        except (KeyError, TypeError):  # it is new, or its label cannot be hashed
            return self.add_infoset(turn, sequences)

        if self.parent[index] != sequences[turn.player]:
            raise GameError(
                f"player {turn.player + 1} has imperfect recall at '{turn.infoset}':"
                f" {self.describe_present_history()} and history '{self.found_at[index]}' differ in the player's own"
                " earlier choices. Put what the player knew and did into the label."
            )

        # The first comparison is faster. The second one accepts a list of the same actions.
        known_actions = self.actions[index]
        if known_actions != turn.actions and known_actions != self.validate_actions(turn.actions):
            raise GameError(
                f"information set '{turn.infoset}' of player {turn.player + 1} offers"
                f" {known_actions} at history '{self.found_at[index]}' but {turn.actions} at"
                f" {self.describe_present_history()}. A player who may do different things knows more: use two labels."
            )

        return index

    def add_infoset(self, turn: Decision, sequences: tuple[int, ...]) -> int:
        """Add a new information set and its sequences, and return the index of the information set.

        Parameters
        ----------
        turn : Decision
            The first decision at this information set.
        sequences : tuple of int
            The sequence of each player at the decision.

        Raises
        ------
        GameError
            If the player is not an index of a player, if the label is not a non-empty string, or if the actions are not
            at least one different non-empty strings.
        """
        if not is_integer(turn.player):
            raise GameError(
                f"the player at {self.describe_present_history()} is {turn.player!r}; use an index from 0, an int."
            )
        if not 0 <= turn.player < self.rules.num_players:
            raise GameError(
                f"player index {turn.player} moves at {self.describe_present_history()}; it must be from 0 to"
                f" {self.rules.num_players - 1}."
            )
        if not is_label(turn.infoset):
            raise GameError(
                f"the label of the information set at {self.describe_present_history()} is {turn.infoset!r}; use a"
                " non-empty string."
            )
        actions = self.validate_actions(turn.actions)
        if len(set(actions)) != len(actions) or not actions:
            raise GameError(
                f"actions {actions} at {self.describe_present_history()}; at least one is needed, each once."
            )

        index = len(self.infosets)
        self.infosets[turn.player, turn.infoset] = index
        self.actions.append(actions)
        self.parent.append(sequences[turn.player])
        self.first.append(self.num_sequences)
        self.found_at.append(" ".join(self.path) or "start")
        self.num_sequences += len(actions)
        return index

    def validate_actions(self, actions: Any) -> tuple[str, ...]:
        """Return the actions of a decision, a tuple or list of non-empty strings, as a tuple.

        A GameError is raised if `actions` is something else. An empty tuple is checked elsewhere.
        """
        if not isinstance(actions, tuple | list) or not all(map(is_label, actions)):
            raise GameError(
                f"actions at {self.describe_present_history()} are {actions!r}; use a tuple of non-empty strings."
            )
        return tuple(actions)

    def validate_chance_probability(self, chance: Fraction) -> float:
        """Return the probability of the present history as a float; raise a GameError if it rounds to 0."""
        reach = float(chance)
        if reach == 0:
            raise GameError(
                f"chance leads to {self.describe_present_history()} with a probability that is too small: as a float"
                " it is 0. Leave out what hardly ever happens, or make it likelier."
            )
        return reach

    def check_outcomes(self, turn: Chance) -> None:
        """Raise a GameError unless the outcomes of chance are labels with positive probabilities that sum to one."""
        outcomes: Any = turn.outcomes
        if not isinstance(outcomes, Mapping) or not all(map(is_label, outcomes)):
            raise GameError(
                f"outcomes of chance at {self.describe_present_history()} are {turn.outcomes!r}; map labels, which are"
                " non-empty strings, to probabilities."
            )

        probabilities = [*turn.outcomes.values()]
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

    def find_or_add_utilities(self, turn: Terminal) -> int:
        """Return the index of the utilities at a terminal history, after adding these utilities if they are new.

        Raises
        ------
        GameError
            If the utilities are not a number for each player, not finite, or do not sum to zero although the rules
            state that the game is zero-sum.
        """
        try:
            return self.utilities[turn.utilities]
        except (KeyError, TypeError):  # they are new, or a list
            pass

        numbers: Any = turn.utilities
        if not isinstance(numbers, tuple | list) or not all(isinstance(u, Real) for u in numbers):
            raise GameError(
                f"utilities at {self.describe_present_history()} are {numbers!r}; use a tuple with a number for"
                " each player, int or fractions.Fraction."
            )

        utilities = tuple(numbers)
        if utilities not in self.utilities:
            self.check_utilities(utilities)
            self.utilities[utilities] = len(self.utilities)

        return self.utilities[utilities]

    def check_utilities(self, utilities: tuple[Number, ...]) -> None:
        """Raise a GameError if the utilities at a terminal history are not allowed.

        There must be one finite number for each player. If the rules state that the game is zero-sum, they must sum to
        zero.
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
    """Return whether a value is an integer, where True and False do not count as integers."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_label(label: Any) -> bool:
    """Return whether a label is a non-empty string."""
    return isinstance(label, str) and label != ""


RULE_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The errors that rules may raise when they are called with a history that they do not expect."""


def compile_rules(rules: Rules) -> SequenceForm:
    """Return the sequence form of a game, which is compiled from its rules.

    Every history of the rules is visited once, and the rules are checked. Rules whose class defines `list_factors`,
    such as those of Leduc hold'em, are compiled from their `Factors` instead. That these give the same game as a visit
    of every history is left to `check_rules`.

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
    name, n = getattr(rules, "name", None), getattr(rules, "num_players", None)
    if not is_label(name):
        raise GameError(f"name of {type(rules).__name__} is {name!r}; use a non-empty string.")
    if n is None or not is_integer(n):
        raise GameError(f"num_players of {name} is {n!r}; use an int.")
    if not 1 <= n <= MOST_PLAYERS:
        raise GameError(f"{rules.name} has {n} players; a game has 1 to {MOST_PLAYERS}.")

    if can_list_factors(rules):
        return compile_factored_game(rules)
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
    sequence = np.frombuffer(walk.sequence, dtype=np.int32).reshape(-1, n)
    chance = np.frombuffer(walk.chance)
    utility_index = np.frombuffer(walk.utility_index, dtype=np.int32)

    # Each different tuple of utilities is converted to floats only once.
    different_utilities = [list(map(float, utilities)) for utilities in walk.utilities]
    payoff = np.array(different_utilities).reshape(-1, n)[utility_index]
    return build_sequence_form(walk, sequence, chance, payoff)


def can_list_factors(rules: Rules) -> TypeGuard[FactoredRules]:
    """Return whether the class of some rules defines `list_factors`, so that they are compiled without a walk.

    An inherited method does not count, because a subclass may have changed the rules.
    """
    return "list_factors" in vars(type(rules))


def compile_factored_game(rules: FactoredRules) -> SequenceForm:
    """Return the sequence form of a card game without visiting its histories one by one.

    The histories of such a game are all combinations of two factors: the deals of cards, and the nodes of a betting
    tree (`factored_games`). So its arrays are computed by a few operations on arrays.

    Parameters
    ----------
    rules : FactoredRules
        Rules whose method `list_factors` returns the deals and the betting tree.

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
    del terminals  # to free memory before `from_arrays` copies all arrays into one block
    return SequenceForm.from_arrays(
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
        A walk over these rules that has found nothing yet. The information sets of the two players are added to it.

    Raises
    ------
    GameError
        If the names of the actions are not different non-empty strings.
    """
    # One history with both decisions is enough to find the two information sets.
    history = rules.start()
    sequences = (0, 1)  # the empty sequences of both players
    for actions in (rules.row_actions, rules.column_actions):
        turn = rules.turn(history)
        assert isinstance(turn, Decision)
        infoset = walk.find_or_add_infoset(turn, sequences)
        walk.path.append(actions[0])
        history = rules.after(history, actions[0])
        sequences = (walk.first[infoset], 1)

    # Each cell is a terminal, whose sequences are its row and its column.
    payoff = np.stack([matrix.floats.ravel() for matrix in rules.matrices], axis=1)
    shape = rules.matrices[0].floats.shape
    rows_and_columns = np.indices(shape).reshape(2, -1).T  # of shape (cells, 2)
    sequence = rows_and_columns + np.array(walk.first)
    chance = np.ones(len(payoff))
    return build_sequence_form(walk, sequence, chance, payoff)


def build_sequence_form(
    walk: TreeWalk, sequence: NDArray[Any], chance: Floats, payoff: Floats
) -> SequenceForm:
    """Return the sequence form of a game whose histories have all been visited by a walk.

    Information sets are ordered by player, and then by depth, and sequences get new indices in this order.

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
    """
    # A game without decisions has no information sets, and then `order` is empty.
    parent = np.array(walk.parent, dtype=np.int64)
    first = np.array(walk.first, dtype=np.int64)
    num_actions = np.array([len(actions) for actions in walk.actions], dtype=np.int64)
    order, infoset_start, new_index = order_infosets(walk, parent, first, num_actions)
    labels = [label for _, label in walk.infosets]

    utility_range = np.stack([payoff.min(axis=0), payoff.max(axis=0)], axis=1)
    num_histories_ended = len(sequence)
    sequence, chance, payoff = merge_terminals(new_index[sequence], chance, payoff)
    return SequenceForm.from_arrays(
        rules=walk.rules,
        num_histories_ended=num_histories_ended,
        infoset_start=np.array(infoset_start, dtype=np.int64),
        infoset_label=tuple(labels[i] for i in order),
        action_label=tuple(walk.actions[i] for i in order),
        parent_sequence=new_index[parent[order]] if order else parent,
        first_sequence=new_index[first[order]] if order else first,
        num_actions=num_actions[order] if order else num_actions,
        chance=chance,
        sequence=sequence,
        payoff=payoff,
        utility_range=utility_range,
    )


class InfosetOrder(NamedTuple):
    """The order of the information sets of a sequence form, by player and depth.

    Attributes
    ----------
    order : list of int
        The information sets, as the walk has numbered them.
    infoset_start : list of int
        The number of information sets before those of each player, and the number of all at the end.
    new_index : ndarray of int64, shape (S,)
        The index in the sequence form of each sequence that the walk has found.
    """

    order: list[int]
    infoset_start: list[int]
    new_index: Ints


def order_infosets(walk: TreeWalk, parent: Ints, first: Ints, num_actions: Ints) -> InfosetOrder:
    """Return the order of the information sets in the sequence form, and the new index of each sequence.

    Information sets are ordered by player and by depth. Those of one depth are ordered by their parent sequence, so
    that those below the same sequence are neighbors, and then as the walk has found them. The sequences get new indices
    in the order of their information sets.

    Parameters
    ----------
    walk : TreeWalk
        The finished walk.
    parent, first, num_actions : ndarray of int64, shape (I,)
        The parent sequence, the first sequence and the number of actions of each information set.
    """
    n = walk.rules.num_players
    player_of = np.array([player for player, _ in walk.infosets], dtype=np.int64)
    depth = compute_infoset_depths(walk, parent, num_actions)
    order: list[int] = []
    infoset_start = [0]
    new_index = np.arange(walk.num_sequences, dtype=np.int64)  # right for the n empty sequences
    next_sequence = n
    for player in range(n):
        own_infosets = np.flatnonzero(player_of == player)
        for level in range(depth[own_infosets].max(initial=-1) + 1):
            infosets = own_infosets[depth[own_infosets] == level]
            # A stable sort keeps the order of the walk. The parents have their new indices already.
            by_parent = infosets[np.argsort(new_index[parent[infosets]], kind="stable")]
            for infoset in by_parent:
                order.append(int(infoset))
                own_sequences = slice(first[infoset], first[infoset] + num_actions[infoset])
                end = next_sequence + num_actions[infoset]
                new_index[own_sequences] = np.arange(next_sequence, end)
                next_sequence = end
        infoset_start.append(len(order))

    return InfosetOrder(order, infoset_start, new_index)


def compute_infoset_depths(walk: TreeWalk, parent: Ints, num_actions: Ints) -> Ints:
    """Return the depth of each information set, which is the number of earlier decisions of its player.

    Parameters
    ----------
    walk : TreeWalk
        The information sets and sequences, in the order in which the walk found them.
    parent, num_actions : array of shape (I,)
        The sequence that leads to each of I information sets, and the number of actions there.

    Returns
    -------
    array of shape (I,)
        The depth of each information set.
    """
    n = walk.rules.num_players
    num_infosets = len(parent)
    infoset_of_sequence = np.full(walk.num_sequences, -1)
    infoset_of_sequence[n:] = np.repeat(np.arange(num_infosets), num_actions)
    depth = np.zeros(num_infosets, dtype=np.int64)
    for infoset, q in enumerate(parent):  # parents were found before their children
        if q >= n:  # else q is an empty sequence, and the depth is 0
            depth[infoset] = depth[infoset_of_sequence[q]] + 1
    return depth


def merge_terminals(
    sequence: np.ndarray[tuple[int, int], np.dtype[np.int64]],
    chance: np.ndarray[tuple[int], np.dtype[np.float64]],
    payoff: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> tuple[Ints, Floats, Floats]:
    """Return the sequences, probabilities and payoffs of terminals, after merging those with the same sequences.

    Terminals are merged if they have the same sequences of all players. The probability of a merged terminal is the sum
    of the probabilities of its terminals, and its payoff is their expected payoff.

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
    # The last key decides first, so the players are reversed.
    order = np.lexsort(narrow_sequence.T[::-1])
    sequence, chance, payoff = sequence[order], chance[order], payoff[order]

    # Each merged terminal begins at a row whose sequences differ from those of the row before.
    is_new = np.ones(len(sequence), dtype=bool)
    is_new[1:] = (sequence[1:] != sequence[:-1]).any(axis=1)
    starts = np.flatnonzero(is_new)
    if len(starts) == len(sequence):
        return sequence, chance, payoff

    total_chance = np.add.reduceat(chance, starts)
    expected_payoff = np.add.reduceat(chance[:, None] * payoff, starts) / total_chance[:, None]
    return sequence[starts], total_chance, expected_payoff
