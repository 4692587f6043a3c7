"""Games by cards: one-card poker as a betting tree with a vector over cards at each sequence.

`compile_by_cards` converts the rules of one-card poker to a `CardGame`. It has the information sets and sequences of
the compiled game, with the same labels and in the same order, so the same profiles fit. But terminals are not listed.
The block of the game has the ends of the betting instead, and kernels sum over cards, as `card_sums` describes. So
one-card poker with a thousand ranks, or Kuhn poker for seven players, is as easy to solve as a small game.

What needs terminals one by one, such as the linear program, still gets them, up to a million of them. They are listed
when they are first used.
"""

import hashlib
import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import Floats, GameError, Ints, freeze
from pokerlab.core.old_names import FINGERPRINTS
from pokerlab.games.card_sums import count_scratch
from pokerlab.games.compilation import merge_terminals
from pokerlab.games.game_block import pack_card_game
from pokerlab.games.sequence_form import SequenceForm
from pokerlab.games.small_poker import (
    RANKS,
    OneCardPoker,
    find_paid_and_showdown,
    find_player_to_act,
    format_label,
)

MOST_TERMINALS = 1_000_000
"""The largest number of terminal histories that are listed. KP(6) has 972,720."""


class BettingNode(NamedTuple):
    """A decision in a betting tree.

    Attributes
    ----------
    actions : tuple of str
        All actions before the decision.
    legal_actions : tuple of str
        The two actions.
    parent : tuple of (int, int)
        The number of the player's last decision before this one, in the order in which a walk finds the player's
        decisions, and the action there. If there is none, it is (-1, 0).
    """

    actions: tuple[str, ...]
    legal_actions: tuple[str, str]
    parent: tuple[int, int]


class BettingEnd(NamedTuple):
    """An end of the betting.

    Attributes
    ----------
    paid : tuple
        What each player has paid, in chips.
    showdown : tuple of int
        The players in the showdown.
    last : tuple of (int, int)
        For each player the number of the last decision and the action there, or (-1, 0) if the player had no decision.
    """

    paid: tuple[Any, ...]
    showdown: tuple[int, ...]
    last: tuple[tuple[int, int], ...]


@dataclass
class BettingTree:
    """The decisions of each player and the ends in the betting tree of one-card poker, found by a walk.

    Attributes
    ----------
    rules : OneCardPoker
        The rules.
    nodes : list of list of BettingNode
        The decisions of each player, in the order in which the walk finds them.
    ends : list of BettingEnd
        The ends of the betting.
    """

    rules: OneCardPoker
    nodes: list[list[BettingNode]] = field(init=False)
    ends: list[BettingEnd] = field(init=False)

    def __post_init__(self) -> None:
        n = self.rules.num_players
        self.nodes = [[] for _ in range(n)]
        self.ends = []
        self.visit((), ((-1, 0),) * n)

    def visit(self, actions: tuple[str, ...], last: tuple[tuple[int, int], ...]) -> None:
        """Visit the betting after some actions, and all betting that follows.

        Parameters
        ----------
        actions : tuple of str
            The actions so far.
        last : tuple of (int, int)
            For each player the last decision and the action there.
        """
        rules = self.rules
        player = find_player_to_act(rules.num_players, actions, rules.second_can_bet)
        if player is None:
            paid, showdown = find_paid_and_showdown(rules.num_players, actions, rules.bet)
            self.ends.append(BettingEnd(paid, showdown, last))
            return
        number = len(self.nodes[player])
        legal_actions = rules.list_actions(actions)
        self.nodes[player].append(BettingNode(actions, legal_actions, last[player]))
        for index, action in enumerate(legal_actions):
            self.visit((*actions, action), (*last[:player], (number, index), *last[player + 1 :]))


def is_faster_by_cards(rules: OneCardPoker) -> bool:
    """Return whether an iteration of CFR by cards takes at most half of the time that it takes over terminals.

    Smaller games are compiled. Their terminals are few, and their fingerprints and runs stay those of earlier versions.
    """
    return rules.num_players >= 5 or (rules.num_players == 2 and rules.ranks > len(RANKS))


def find_positions(cards: Ints, player: Ints | int, ranks: int) -> Ints:
    """Return the positions of cards in the order in which a walk through all deals finds the cards of a player."""
    return np.where(cards >= player, cards - player, ranks - 1 - cards)


@dataclass(frozen=True, eq=False, repr=False)
class CardGame(SequenceForm):
    """One-card poker in sequence form, whose terminals are summed over cards and only listed when they are used.

    There are R cards, n players, and T ends of the betting. The other attributes are those of `SequenceForm`.

    Attributes
    ----------
    betting : BettingTree
        The betting tree.
    at_ends : array of shape (T, n, 2)
        For each end and player the numbers `first` and `step`, from which the player's sequence follows; see
        `card_sums`.
    """

    chance: Floats = field(init=False)
    sequence: Ints = field(init=False)
    payoff: Floats = field(init=False)
    betting: BettingTree
    at_ends: Ints

    def __getattr__(self, name: str) -> Any:
        """Return `chance`, `sequence` or `payoff`, after listing the terminals if this is the first use."""
        if name not in ("chance", "sequence", "payoff"):
            raise AttributeError(
                f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self
            )
        self.check_can_be_listed()
        arrays = list_terminals(self.betting, self.at_ends)
        freeze(*arrays)
        for attribute, array in zip(("sequence", "chance", "payoff"), arrays, strict=True):
            object.__setattr__(self, attribute, array)
        return getattr(self, name)

    def check_can_be_listed(self) -> None:
        """Raise a GameError if the game has too many terminals to list."""
        if self.num_histories_ended > MOST_TERMINALS:
            raise GameError(
                f"{self.name} has {self.num_histories_ended:,} terminal histories, and at most {MOST_TERMINALS:,}"
                " can be listed, which linear programs, memories, files and changed rules need. Use a method that sums"
                " over cards, such as solvers.CFR, or a game with fewer cards."
            )

    @property
    def payoff_sum(self) -> float:
        """The sum of all players' utilities, which is zero."""
        return 0.0

    @property
    def lowest_payoff(self) -> float:
        """The smallest utility of a player at a terminal."""
        return float(self.utility_range.min())

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the name, the labels and the payoffs of the game, which is the same for equal games.

        Games whose terminals were listed in earlier versions keep the digest of their terminals.
        """
        if self.name in FINGERPRINTS:
            return FINGERPRINTS[self.name]
        payoffs = [(list(map(str, end.paid)), end.showdown) for end in self.betting.ends]
        text = repr((self.name, self.infoset_label, self.action_label, payoffs))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def list_terminals(betting: BettingTree, at_ends: Ints) -> tuple[Ints, Floats, Floats]:
    """Return the sequences, probabilities and payoffs of the terminals, like `compilation.merge_terminals`.

    `CardGame` describes the parameters.
    """
    n, ranks = betting.rules.num_players, betting.rules.ranks
    deals = np.array(list(permutations(range(ranks), n)), dtype=np.int64)
    positions = find_positions(deals, np.arange(n), ranks)
    first, step = at_ends[:, None, :, 0], at_ends[:, None, :, 1]
    sequence = (first + step * positions).reshape(-1, n)
    chance = np.full(len(sequence), float(Fraction(1, len(deals))))
    payoff = np.concatenate([compute_end_payoffs(end, deals) for end in betting.ends])
    return merge_terminals(sequence, chance, payoff)


def compute_end_payoffs(end: BettingEnd, deals: Ints) -> Floats:
    """Return the payoffs of all players at an end of the betting with each of several deals.

    Parameters
    ----------
    end : BettingEnd
        What each of n players has paid, and who is left at the showdown.
    deals : array of shape (D, n)
        The card of each player in each of D deals. All cards of a deal are different, so one player has the highest.

    Returns
    -------
    array of shape (D, n)
        The payoffs: the winner gains what the others have paid, and each other player loses what it has paid.
    """
    paid = np.array([float(chips) for chips in end.paid])
    gains = np.array([float(sum(end.paid) - chips) for chips in end.paid])
    cards_at_showdown = deals[:, end.showdown]
    winner = np.array(end.showdown)[cards_at_showdown.argmax(axis=1)]

    payoff = np.tile(-paid, (len(deals), 1))
    payoff[np.arange(len(deals)), winner] = gains[winner]
    return payoff


class PlayerLayout(NamedTuple):
    """The information sets and sequences of one player in a game by cards.

    Attributes
    ----------
    labels : list of str
        The labels of the player's information sets.
    actions : list of tuple of str
        The actions at each of them.
    parent, first : array
        The sequence that leads to each information set, and the sequence that ends with its first action.
    vectors : dict of (int, int) to (int, int)
        For each decision in the betting tree and each action there, the numbers `first` and `step` of the sequence:
        with the card at position p it is `first + step * p`. For (-1, 0) they are those of the empty sequence.
    """

    labels: list[str]
    actions: list[tuple[str, ...]]
    parent: Ints
    first: Ints
    vectors: dict[tuple[int, int], tuple[int, int]]


def lay_out_player(
    rules: OneCardPoker, player: int, nodes: list[BettingNode], num_sequences: int
) -> PlayerLayout:
    """Return the information sets and sequences of a player in the order of the compiled game.

    They are ordered by the depth of the decision, then by card, and then by the order of decisions in the betting tree,
    where those with the same parent sequence are neighbors.

    Parameters
    ----------
    rules : OneCardPoker
        The rules.
    player : int
        The player.
    nodes : list of BettingNode
        The player's decisions in the betting tree, in the order in which a walk finds them.
    num_sequences : int
        The number of sequences before the player's first non-empty one.
    """
    ranks = rules.ranks
    positions = find_positions(np.arange(ranks), player, ranks)
    names = [rules.name_card(int(card)) for card in np.argsort(positions)]
    depths: list[int] = []
    for node in nodes:
        depths.append(depths[node.parent[0]] + 1 if node.parent[0] >= 0 else 0)

    labels: list[str] = []
    actions: list[tuple[str, ...]] = []
    parents, firsts = [], []
    vectors = {(-1, 0): (player, 0)}
    for depth in range(max(depths) + 1):
        numbers = [number for number in range(len(nodes)) if depths[number] == depth]
        numbers.sort(key=lambda number: vectors[nodes[number].parent])
        level = [nodes[number] for number in numbers]
        parent = np.array([vectors[node.parent] for node in level])
        parents.append((parent[:, 0] + parent[:, 1] * np.arange(ranks)[:, None]).ravel())
        firsts.append(num_sequences + 2 * np.arange(ranks * len(level)))
        labels += [format_label(name, node.actions) for name in names for node in level]
        actions += [node.legal_actions for node in level] * ranks
        for place, number in enumerate(numbers):
            for action in range(2):
                vectors[number, action] = num_sequences + 2 * place + action, 2 * len(level)
        num_sequences += 2 * ranks * len(level)
    return PlayerLayout(labels, actions, np.concatenate(parents), np.concatenate(firsts), vectors)


def compile_by_cards(rules: OneCardPoker) -> CardGame:
    """Return the sequence form of one-card poker as a game by cards.

    Its information sets, sequences and labels are those of the game that `compile_rules` returns.
    """
    betting = BettingTree(rules)
    layouts: list[PlayerLayout] = []
    num_sequences = rules.num_players
    for player, nodes in enumerate(betting.nodes):
        layouts.append(lay_out_player(rules, player, nodes, num_sequences))
        num_sequences += 2 * len(layouts[-1].labels)

    labels = [label for layout in layouts for label in layout.labels]
    infosets = (
        np.cumsum([0, *(len(layout.labels) for layout in layouts)]),
        np.concatenate([layout.parent for layout in layouts]),
        np.concatenate([layout.first for layout in layouts]),
        np.full(len(labels), 2),
    )
    at_ends = np.array(
        [
            [layout.vectors[last] for layout, last in zip(layouts, end.last, strict=True)]
            for end in betting.ends
        ]
    )
    utility_range = find_utility_range(betting)
    freeze(*infosets, utility_range, at_ends)
    return CardGame(
        rules=rules,
        num_histories_ended=len(betting.ends) * math.perm(rules.ranks, rules.num_players),
        infoset_start=infosets[0],
        infoset_label=tuple(labels),
        action_label=tuple(action for layout in layouts for action in layout.actions),
        parent_sequence=infosets[1],
        first_sequence=infosets[2],
        num_actions=infosets[3],
        utility_range=utility_range,
        betting=betting,
        at_ends=at_ends,
        block=pack_card_game(
            infosets,
            *tabulate_end_payoffs(betting, at_ends),
            num_ranks=rules.ranks,
            scratch_size=count_scratch(rules.num_players, rules.ranks),
        ),
    )


def find_utility_range(betting: BettingTree) -> Floats:
    """Return the smallest and the largest utility of each of n players, an array of shape (n, 2)."""
    utilities: list[list[float]] = [[] for _ in range(betting.rules.num_players)]
    for end in betting.ends:
        for player, chips in enumerate(end.paid):
            can_win = player in end.showdown
            can_lose = end.showdown != (player,)  # nobody else is left to win
            if can_win:
                utilities[player].append(float(sum(end.paid) - chips))
            if can_lose:
                utilities[player].append(float(-chips))
    return np.array([[min(each), max(each)] for each in utilities])


def tabulate_end_payoffs(betting: BettingTree, at_ends: Ints) -> tuple[Ints, Floats]:
    """Return what the sums over cards (`card_sums`) need to know of each end of the betting.

    Parameters
    ----------
    betting : BettingTree
        The betting tree of n players, which has T ends.
    at_ends : array of shape (T, n, 2)
        The numbers `first` and `step` of the sequence of each player at each end.

    Returns
    -------
    ends : array of shape (T, 1 + 2 n)
        In the first column, the players at the showdown as a set of bits: bit i is 1 if player i is left. Then
        `first` and `step` of each player.
    amount : array of shape (T, 1 + n)
        In the first column the pot, then what each player has paid, all times the probability of a deal.
    """
    rules = betting.rules
    num_deals = math.perm(rules.ranks, rules.num_players)
    in_showdown = [sum(1 << player for player in end.showdown) for end in betting.ends]
    ends = np.column_stack([in_showdown, at_ends.reshape(len(at_ends), -1)])
    amount = [
        [float(Fraction(chips) / num_deals) for chips in (sum(end.paid), *end.paid)]
        for end in betting.ends
    ]
    return ends, np.array(amount)
