"""Compile rules to the sequence form: walk the tree once, then number what was found.

Read `SequenceForm` first for what comes out. The walk visits each history once, counts, and refuses rules that
contradict themselves; then the counts become arrays in an order that suits the sweeps: information sets by depth, so
that parents come first, and below one sequence next to each other.
"""

import sys
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, GameError, PokerlabError
from pokerlab.games.matrix import MatrixGame
from pokerlab.games.rules import EQUAL_SUMS, MOST_PLAYERS, Chance, Decision, Number, Rules, Terminal
from pokerlab.games.sequence_form.compiled import SequenceForm

LONGEST_HISTORY = 500  # actions, chance's included; the walk calls itself once for each
LARGEST = int(
    sys.float_info.max
)  # fractions are compared with whole numbers faster than with floats


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
            if not -LARGEST <= utility <= LARGEST:
                raise GameError(
                    f"utility of player {player + 1} at {self.where()} is not a finite number of at"
                    f" most {LARGEST:.1e}."
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
    payoff = np.stack([each.cells.ravel() for each in rules.given], axis=1)
    cells = np.indices(rules.given[0].cells.shape).reshape(2, -1)
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
