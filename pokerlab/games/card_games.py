"""Card games, in which sums over cards replace sums over terminals: one-card poker as a betting tree.

`compile_card_game` converts the rules of one-card poker to a `CardGame`. It has the information sets and sequences of
the game that `compile_rules` returns, with the same labels and in the same order, so the same profiles fit. But
terminals are not listed. The block of the game has the ends of the betting instead, and kernels sum over cards, as
`card_sums` describes. So one-card poker with a thousand ranks, or Kuhn poker for seven players, is as easy to solve as
a small game.

The linear program and other methods that need all terminals still get them, up to a million of them. They are listed
when they are first used.
"""

import hashlib
import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.core import Floats, GameError, Ints, freeze
from pokerlab.core.old_names import FINGERPRINTS
from pokerlab.games.card_sums import count_scratch_floats
from pokerlab.games.compilation import merge_terminals
from pokerlab.games.game_block import pack_card_game
from pokerlab.games.rules import Number
from pokerlab.games.sequence_form import SequenceForm
from pokerlab.games.small_poker import (
    RANKS,
    OneCardPoker,
    find_paid_chips_and_showdown,
    find_player_to_act,
    format_label,
)

MOST_TERMINALS = 1_000_000
"""The largest number of terminal histories that are listed. KP(6) has 972,720."""


DecisionAndAction: TypeAlias = tuple[int, int]
"""The number of a decision of one player in the betting tree, and the index of an action there.

The decisions of each player are numbered from 0, in the order in which a walk over the betting tree finds them.
"""
NO_DECISION: DecisionAndAction = (-1, 0)
"""The value that stands for the decision and action of a player who has not acted."""
ACTIONS_PER_DECISION = 2
"""The number of actions at each decision of one-card poker: pass or bet, or fold or bet."""


class BettingDecision(NamedTuple):
    """A decision of one player in the betting tree of one-card poker.

    Attributes
    ----------
    actions : tuple of str
        All actions before the decision, of all players.
    legal_actions : tuple of str
        The two actions from which the player chooses.
    previous_choice : tuple of (int, int)
        The player's previous decision and the action there, or `NO_DECISION` if this is the first one.
    """

    actions: tuple[str, ...]
    legal_actions: tuple[str, str]
    previous_choice: DecisionAndAction


class BettingEnd(NamedTuple):
    """An end of the betting in one-card poker.

    Attributes
    ----------
    paid : tuple of int or Fraction
        The chips that each player has put into the pot.
    showdown : tuple of int
        The players in the showdown. It is a single player if all others have folded.
    last_choices : tuple of (int, int)
        The last decision of each player and the action there, or `NO_DECISION` for a player who has not acted.
    """

    paid: tuple[Number, ...]
    showdown: tuple[int, ...]
    last_choices: tuple[DecisionAndAction, ...]


@dataclass
class BettingTree:
    """The decisions of each player and the ends in the betting tree of one-card poker, found by a walk over the tree.

    Attributes
    ----------
    rules : OneCardPoker
        The rules, for n players.
    decisions : list of list of BettingDecision
        The decisions of each of the n players, in the order in which the walk finds them.
    ends : list of BettingEnd
        The ends of the betting.
    """

    rules: OneCardPoker
    decisions: list[list[BettingDecision]] = field(init=False)
    ends: list[BettingEnd] = field(init=False)

    def __post_init__(self) -> None:
        n = self.rules.num_players
        self.decisions = [[] for _ in range(n)]
        self.ends = []
        self.add_nodes_after((), (NO_DECISION,) * n)

    def add_nodes_after(
        self, actions: tuple[str, ...], last_choices: tuple[DecisionAndAction, ...]
    ) -> None:
        """Add the node after some actions, and all nodes below it, to the decisions and ends of this betting tree.

        Parameters
        ----------
        actions : tuple of str
            All actions that lead to the node, of all players.
        last_choices : tuple of (int, int)
            The last decision of each player and the action there, or `NO_DECISION` for a player who has not acted.
        """
        rules = self.rules
        player = find_player_to_act(rules.num_players, actions, rules.second_can_bet)
        if player is None:
            paid, showdown = find_paid_chips_and_showdown(rules.num_players, actions, rules.bet)
            self.ends.append(BettingEnd(paid, showdown, last_choices))
            return

        number = len(self.decisions[player])
        legal_actions = rules.list_legal_actions(actions)
        decision = BettingDecision(actions, legal_actions, last_choices[player])
        self.decisions[player].append(decision)

        for index, action in enumerate(legal_actions):
            following_choices = list(last_choices)
            following_choices[player] = (number, index)
            self.add_nodes_after((*actions, action), tuple(following_choices))


def is_card_game_faster(rules: OneCardPoker) -> bool:
    """Return whether a game should be compiled to a `CardGame`, in which sums over cards replace sums over terminals.

    Then an iteration of counterfactual regret minimization takes at most half of the time that it takes over terminals.
    Smaller games have few terminals. They keep the arrays, fingerprints and recorded runs of earlier versions.

    Parameters
    ----------
    rules : OneCardPoker
        The rules.

    Returns
    -------
    bool
        True for 5 players or more, and for two players with more than 13 cards.
    """
    return rules.num_players >= 5 or (rules.num_players == 2 and rules.ranks > len(RANKS))


def compute_positions_in_walk(cards: Ints, player: Ints | int, num_cards: int) -> Ints:
    """Return the position of each card of a player in the order in which a walk over all deals finds these cards.

    A walk deals to player 0 first, then to player 1, and so on, and tries the cards that are left from the lowest to
    the highest. In its first deal player p gets card p. Then it finds, as new cards of player p, the higher ones p + 1
    to R - 1 of R cards, and at last the lower ones p - 1, ..., 1, 0. For example, it finds the four possible cards of
    player 1 in the order 1, 2, 3, 0.

    Parameters
    ----------
    cards : array of int
        Cards that the player may hold, from 0 for the lowest of R cards to R - 1.
    player : int or array of int
        The player p, counted from 0, or one player for each card.
    num_cards : int
        The number of cards in the deck, R.

    Returns
    -------
    array of int
        The position of each card, from 0 to R - 1.

    Examples
    --------
    >>> compute_positions_in_walk(np.array([0, 1, 2, 3]), 1, 4).tolist()
    [3, 0, 1, 2]
    """
    return np.where(cards >= player, cards - player, num_cards - 1 - cards)


class CardSequences(NamedTuple):
    """The sequences of one player that end with the same action, one for each card that the player may hold.

    With the card at position p (`compute_positions_in_walk`) the sequence has the index `first` + `step` * p.

    Attributes
    ----------
    first : int
        The index of the sequence with the card at position 0.
    step : int
        The difference between the indices for neighboring positions. It is 0 for the empty sequence, which does not
        depend on the card.
    """

    first: int
    step: int


@dataclass(frozen=True, eq=False, repr=False)
class CardGame(SequenceForm):
    """One-card poker in sequence form, whose terminals are summed over cards and only listed when they are used.

    There are R cards, n players, and T ends of the betting. The other parameters are the same as of `SequenceForm`.

    Parameters
    ----------
    block : array
        The arrays of the game in one piece of memory, for the kernels, from `pack_card_game`.
    betting : BettingTree
        The betting tree.
    sequences_at_ends : array of shape (T, n, 2)
        For each end and player the two numbers of `CardSequences`, from which the player's sequence follows.
    """

    chance: Floats = field(init=False)
    sequence: Ints = field(init=False)
    payoff: Floats = field(init=False)
    block: Floats
    betting: BettingTree
    sequences_at_ends: Ints

    def __post_init__(self) -> None:
        """Do nothing, because `compile_card_game` makes the arrays read-only and packs them."""

    def __getattr__(self, name: str) -> Any:
        """Return `chance`, `sequence` or `payoff`, after listing the terminals if this is the first use.

        Python calls this method only for attributes that do not exist. So each of the three is computed once.

        Parameters
        ----------
        name : str
            The name of the attribute.

        Returns
        -------
        array
            The array over terminals.

        Raises
        ------
        AttributeError
            If `name` is another name.
        GameError
            If the game has too many terminals to list.
        """
        if name not in ("chance", "sequence", "payoff"):
            raise AttributeError(
                f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self
            )
        self.check_terminals_can_be_listed()
        sequence, chance, payoff = compute_terminal_arrays(self.betting, self.sequences_at_ends)
        freeze(sequence, chance, payoff)
        # A frozen dataclass can only be changed by `object.__setattr__`.
        object.__setattr__(self, "sequence", sequence)
        object.__setattr__(self, "chance", chance)
        object.__setattr__(self, "payoff", payoff)
        return getattr(self, name)

    def check_terminals_can_be_listed(self) -> None:
        """Raise a GameError if the game has so many terminals that they cannot be listed.

        Raises
        ------
        GameError
            If the game has more than `MOST_TERMINALS` terminal histories.
        """
        if self.num_histories_ended > MOST_TERMINALS:
            raise GameError(
                f"{self.name} has {self.num_histories_ended:,} terminal histories, and at most {MOST_TERMINALS:,}"
                " can be listed, which linear programs, memories, files and changed rules need. Use a method that sums"
                " over cards, such as solvers.CFR, or a game with fewer cards."
            )

    @property
    def payoff_sum(self) -> float:
        """The sum of all players' utilities at every terminal, which is zero in poker without a rake."""
        return 0.0

    @property
    def lowest_payoff(self) -> float:
        """The smallest utility of any player at a terminal."""
        return float(self.utility_range.min())

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the name, the labels and the payoffs of the game, which is the same for equal games.

        Earlier versions listed the terminals of some of these games. They keep the digest of their terminals, which
        recorded runs contain.
        """
        if self.name in FINGERPRINTS:
            return FINGERPRINTS[self.name]
        payoffs = [(list(map(str, end.paid)), end.showdown) for end in self.betting.ends]
        text = repr((self.name, self.infoset_label, self.action_label, payoffs))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def compute_terminal_arrays(
    betting: BettingTree, sequences_at_ends: Ints
) -> tuple[Ints, Floats, Floats]:
    """Return the sequences, probabilities and payoffs at all terminals of one-card poker.

    There is a terminal for each end of the betting and each deal. Terminals at which all n players have the same
    sequences are merged (`merge_terminals`), which leaves Z terminals.

    Parameters
    ----------
    betting : BettingTree
        The betting tree, which has T ends.
    sequences_at_ends : array of shape (T, n, 2)
        For each end and player the two numbers of `CardSequences`, from which the player's sequence with each card
        follows.

    Returns
    -------
    sequence : array of shape (Z, n)
        The sequence of each player at each terminal.
    chance : array of shape (Z,)
        The probability of the deal.
    payoff : array of shape (Z, n)
        The utility of each player.
    """
    n, num_cards = betting.rules.num_players, betting.rules.ranks
    deals = np.array(list(permutations(range(num_cards), n)), dtype=np.int64)
    positions = compute_positions_in_walk(deals, np.arange(n), num_cards)

    # The axes are ends, deals, players.
    first_sequences, steps = sequences_at_ends[:, None, :, 0], sequences_at_ends[:, None, :, 1]
    sequence = (first_sequences + steps * positions).reshape(-1, n)
    chance = np.full(len(sequence), float(Fraction(1, len(deals))))
    payoff = np.concatenate([compute_end_payoffs(end, deals) for end in betting.ends])
    return merge_terminals(sequence, chance, payoff)


def compute_end_payoffs(end: BettingEnd, deals: Ints) -> Floats:
    """Return the payoffs of all players, in chips, at one end of the betting with each of several deals.

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
    losses = np.array([float(chips) for chips in end.paid])
    gains = np.array([float(sum(end.paid) - chips) for chips in end.paid])

    cards_at_showdown = deals[:, end.showdown]
    highest = cards_at_showdown.argmax(axis=1)  # in each deal, as an index in `end.showdown`
    winner = np.array(end.showdown)[highest]

    payoff = np.tile(
        -losses, (len(deals), 1)
    )  # as if every player lost; the winner's cell is overwritten
    payoff[np.arange(len(deals)), winner] = gains[winner]
    return payoff


class PlayerInfosets(NamedTuple):
    """The information sets of one player of one-card poker, as `compile_rules` orders them, and their sequences.

    Attributes
    ----------
    labels : list of str
        The label of each information set.
    actions : list of tuple of str
        The actions at each information set.
    parents : array of int
        The sequence that leads to each information set.
    firsts : array of int
        The sequence that ends with the first action at each information set.
    sequences_after : dict of (int, int) to CardSequences
        The sequences that end with each action at each decision of the betting tree. For `NO_DECISION` it is the empty
        sequence.
    """

    labels: list[str]
    actions: list[tuple[str, ...]]
    parents: Ints
    firsts: Ints
    sequences_after: dict[DecisionAndAction, CardSequences]


def build_infosets_of_player(
    rules: OneCardPoker, player: int, decisions: list[BettingDecision], first_sequence: int
) -> PlayerInfosets:
    """Return the information sets and sequences of one player of one-card poker, as `compile_rules` orders them.

    There is an information set for each decision of the betting tree and each card. The information sets are ordered by
    depth, which is the number of the player's earlier decisions, then by card, and then by decision. Decisions with the
    same parent sequence are neighbors.

    Parameters
    ----------
    rules : OneCardPoker
        The rules, with R cards.
    player : int
        The player, counted from 0.
    decisions : list of BettingDecision
        The player's decisions in the betting tree, in the order in which a walk over the tree finds them.
    first_sequence : int
        The index of the player's first non-empty sequence.

    Returns
    -------
    PlayerInfosets
        The labels, actions and sequences.
    """
    num_cards = rules.ranks
    positions = compute_positions_in_walk(np.arange(num_cards), player, num_cards)
    card_names = [rules.get_card_name(int(card)) for card in np.argsort(positions)]

    depths = count_earlier_decisions(decisions)
    labels: list[str] = []
    actions: list[tuple[str, ...]] = []
    parents: list[Ints] = []
    firsts: list[Ints] = []
    sequences_after = {NO_DECISION: CardSequences(first=player, step=0)}
    next_sequence = first_sequence
    for depth in range(max(depths) + 1):
        # The decisions of this depth, ordered by their parent sequences.
        numbers = [number for number in range(len(decisions)) if depths[number] == depth]
        numbers.sort(key=lambda number: sequences_after[decisions[number].previous_choice])
        decisions_of_depth = [decisions[number] for number in numbers]
        num_infosets = num_cards * len(decisions_of_depth)

        # The parent sequences, in a table with a row for each card and a column for each decision.
        parent_sequences = np.array(
            [sequences_after[decision.previous_choice] for decision in decisions_of_depth]
        )
        parent_firsts, parent_steps = parent_sequences[:, 0], parent_sequences[:, 1]
        card_positions = np.arange(num_cards)[:, None]
        parents_by_card = parent_firsts + parent_steps * card_positions
        parents.append(parents_by_card.ravel())

        firsts.append(next_sequence + ACTIONS_PER_DECISION * np.arange(num_infosets))
        for card_name in card_names:
            labels += [format_label(card_name, decision.actions) for decision in decisions_of_depth]
            actions += [decision.legal_actions for decision in decisions_of_depth]

        # From one card to the next, the index of a sequence grows by the number of all actions of this depth.
        sequences_per_card = ACTIONS_PER_DECISION * len(decisions_of_depth)
        for column, number in enumerate(numbers):
            for action in range(ACTIONS_PER_DECISION):
                first_of_action = next_sequence + ACTIONS_PER_DECISION * column + action
                sequences_after[number, action] = CardSequences(first_of_action, sequences_per_card)
        next_sequence += ACTIONS_PER_DECISION * num_infosets

    return PlayerInfosets(
        labels=labels,
        actions=actions,
        parents=np.concatenate(parents),
        firsts=np.concatenate(firsts),
        sequences_after=sequences_after,
    )


def count_earlier_decisions(decisions: list[BettingDecision]) -> list[int]:
    """Return for each decision of a player how many decisions the same player has made before.

    Parameters
    ----------
    decisions : list of BettingDecision
        The player's decisions in the betting tree, parents before their children.

    Returns
    -------
    list of int
        The numbers, in the order of `decisions`.
    """
    depths: list[int] = []
    for decision in decisions:
        previous_decision, _ = decision.previous_choice
        depths.append(
            0 if decision.previous_choice == NO_DECISION else depths[previous_decision] + 1
        )
    return depths


def compile_card_game(rules: OneCardPoker) -> CardGame:
    """Return one-card poker as a `CardGame`, in which sums over cards replace sums over terminals.

    Its information sets, sequences and labels are those of the game that `compile_rules` returns, but its terminals are
    not listed.

    Parameters
    ----------
    rules : OneCardPoker
        The rules, for n players and R cards.

    Returns
    -------
    CardGame
        The compiled game.
    """
    betting = BettingTree(rules)
    players: list[PlayerInfosets] = []
    num_sequences = rules.num_players  # the n empty sequences come first
    for player, decisions in enumerate(betting.decisions):
        players.append(build_infosets_of_player(rules, player, decisions, num_sequences))
        num_sequences += ACTIONS_PER_DECISION * len(players[-1].labels)

    # The arrays have the information sets of all players, player after player.
    labels: list[str] = []
    actions: list[tuple[str, ...]] = []
    infoset_starts = [0]
    for player_infosets in players:
        labels += player_infosets.labels
        actions += player_infosets.actions
        infoset_starts.append(len(labels))
    infoset_start = np.array(infoset_starts)
    parent_sequence = np.concatenate([player_infosets.parents for player_infosets in players])
    first_sequence = np.concatenate([player_infosets.firsts for player_infosets in players])
    num_actions = np.full(len(labels), ACTIONS_PER_DECISION)
    infosets = (infoset_start, parent_sequence, first_sequence, num_actions)

    sequences_at_ends = find_sequences_at_ends(betting, players)
    utility_range = compute_utility_range(betting)
    freeze(*infosets, utility_range, sequences_at_ends)

    betting_ends, end_amounts = build_betting_end_tables(betting, sequences_at_ends)
    game_block = pack_card_game(
        infosets,
        betting_ends,
        end_amounts,
        num_ranks=rules.ranks,
        scratch_size=count_scratch_floats(rules.num_players, rules.ranks),
    )
    return CardGame(
        rules=rules,
        num_histories_ended=len(betting.ends) * math.perm(rules.ranks, rules.num_players),
        infoset_start=infoset_start,
        infoset_label=tuple(labels),
        action_label=tuple(actions),
        parent_sequence=parent_sequence,
        first_sequence=first_sequence,
        num_actions=num_actions,
        utility_range=utility_range,
        betting=betting,
        sequences_at_ends=sequences_at_ends,
        block=game_block,
    )


def find_sequences_at_ends(betting: BettingTree, players: list[PlayerInfosets]) -> Ints:
    """Return the sequence of each player at each end of the betting, which ends with the player's last choice.

    Parameters
    ----------
    betting : BettingTree
        The betting tree of n players, which has T ends.
    players : list of PlayerInfosets
        The information sets and sequences of each player.

    Returns
    -------
    array of shape (T, n, 2)
        For each end and player the two numbers of `CardSequences`, from which the player's sequence with each card
        follows.
    """
    sequences_at_ends = []
    for end in betting.ends:
        last_choices = zip(players, end.last_choices, strict=True)
        sequences_at_ends.append(
            [player_infosets.sequences_after[choice] for player_infosets, choice in last_choices]
        )
    return np.array(sequences_at_ends)


def compute_utility_range(betting: BettingTree) -> Floats:
    """Return the smallest and the largest utility of each player at the ends of one-card poker, in chips.

    Parameters
    ----------
    betting : BettingTree
        The betting tree of n players.

    Returns
    -------
    array of shape (n, 2)
        For each player the smallest and the largest utility.
    """
    utilities: list[list[float]] = [[] for _ in range(betting.rules.num_players)]
    for end in betting.ends:
        for player, chips in enumerate(end.paid):
            can_win = player in end.showdown  # then some deal gives this player the highest card
            can_lose = end.showdown != (player,)  # unless all others have folded
            if can_win:
                utilities[player].append(float(sum(end.paid) - chips))
            if can_lose:
                utilities[player].append(float(-chips))
    return np.array([[min(own_utilities), max(own_utilities)] for own_utilities in utilities])


def build_betting_end_tables(betting: BettingTree, sequences_at_ends: Ints) -> tuple[Ints, Floats]:
    """Return two tables that describe the ends of the betting to the kernels that sum over cards.

    Parameters
    ----------
    betting : BettingTree
        The betting tree of n players, which has T ends.
    sequences_at_ends : array of shape (T, n, 2)
        For each end and player the two numbers of `CardSequences`.

    Returns
    -------
    betting_ends : array of shape (T, 1 + 2 n)
        In the first column, the players at the showdown as a set of bits: bit i is 1 if player i is in the showdown.
        Then the two numbers of `CardSequences` of each player.
    end_amounts : array of shape (T, 1 + n)
        In the first column the pot, then the chips that each player has paid, all times the probability of a deal.
    """
    rules = betting.rules
    num_deals = math.perm(rules.ranks, rules.num_players)  # all are equally likely
    showdown_bits = [sum(1 << player for player in end.showdown) for end in betting.ends]
    sequence_columns = sequences_at_ends.reshape(len(betting.ends), -1)
    betting_ends = np.column_stack([showdown_bits, sequence_columns])

    end_amounts = []
    for end in betting.ends:
        pot = sum(end.paid)
        end_amounts.append([float(Fraction(chips) / num_deals) for chips in (pot, *end.paid)])
    return betting_ends, np.array(end_amounts)
