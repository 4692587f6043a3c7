"""Oliehoek et al. (2006): which six cards and betting rules the game of section 6.2 has, searched by its Figure 3.

F. Oliehoek, E. de Jong, N. Vlassis, "The Parallel Nash Memory for Asymmetric Games", GECCO 2006. Decks, ways to compare
hands and betting rules go in, and their distances from the curves of Figure 3 come out.

The paper does not say which six cards its second game has (section 6.2), but the bottom of its Figure 3 shows the
players' security levels: what each player's mixture wins at least. If the memory begins with players who choose at
random, as in 8-card poker, iteration 1 shows the security levels of random play. Random play does not look at the
cards, so a best response to it depends only on the probability to win with each card beside each public card. That
makes it fast to try many decks, ways to compare hands, and betting rules. Iteration 2 shows the security levels of the
best responses to random play, for which the whole game is compiled.

The first player is the gambler, and the second one the dealer.
"""

from collections.abc import Callable, Mapping
from itertools import permutations, product
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.games import compile_rules
from pokerlab.games.small_poker import SUITS, TwoRoundPoker
from pokerlab.runs import History, sweep
from pokerlab.solvers import BestResponse, ParallelNashMemory

READ_SECURITY_LEVELS = (-1.889, -1.739)
"""The security levels of gambler and dealer at iteration 1, as they were read from Figure 3, in chips."""
READING_ERROR = 0.0015
"""The error of reading, in chips."""
RANKS = "9TJQKA"
DECKS = {"six ranks": (6, 1), "three pairs": (3, 2), "two ranks, three suits": (2, 3)}
"""The numbers of ranks and of suits of each deck of six cards."""
Card = tuple[int, int]
"""The rank and the suit of a card, counted from zero."""
STRENGTHS: dict[str, Callable[[Card, Card], Any]] = {
    "the higher card": lambda card, board: card[0],
    "a pair with the board": lambda card, board: (card[0] == board[0], card[0]),
    "the board's suit": lambda card, board: (card[1] == board[1], card[0]),
    "a neighbor of the board": lambda card, board: (abs(card[0] - board[0]) == 1, card[0]),
    "the nearest to the board": lambda card, board: (-abs(card[0] - board[0]), card[0]),
    "the farthest from the board": lambda card, board: (abs(card[0] - board[0]), card[0]),
    "the better of card and board": lambda card, board: max(card[0], board[0]),
    "the first above the board": lambda card, board: (card[0] > board[0], -card[0]),
}
"""Functions that return how strong a private card is beside the public card (the board), by a description of what wins.
Larger values are stronger. In most of them the higher card decides among hands that are otherwise equal."""
HAND_RULES = list(product(DECKS, STRENGTHS))
"""All pairs of the name of a deck and the name of a way to compare hands."""


class BettingRules(NamedTuple):
    """The rules of betting in two rounds, and the probabilities with which random players choose actions.

    Attributes
    ----------
    ante : float
        What each player pays before the deal.
    sizes : tuple of float
        The size of a bet or raise in the first and in the second round.
    caps : tuple of int
        The largest number of bets and raises in each round.
    second_round_first : int
        The player who acts first in the second round: 0 for the gambler, 1 for the dealer.
    weights : tuple of float
        The probabilities of a random player's actions are proportional to four weights: of a fold, of a check or call
        if a bet or raise is allowed as well, of a bet or raise, and of a call if no raise is allowed.
    """

    ante: float = 1.0
    sizes: tuple[float, float] = (1.0, 1.0)
    caps: tuple[int, int] = (3, 3)
    second_round_first: int = 0
    weights: tuple[float, float, float, float] = (1, 1, 1, 1)


SIZES = ((1.0, 1.0), (1.0, 2.0), (2.0, 1.0), (2.0, 2.0))
WEIGHTS = ((1, 1, 1, 1), (1, 1, 2, 1), (2, 1, 1, 1), (1, 2, 1, 1), (1, 1, 1, 2))
BETTING_RULES = [
    BettingRules(ante, sizes, caps, second_round_first, weights)
    for ante, sizes, caps, second_round_first, weights in product(
        (0.5, 1.0, 1.5, 2.0), SIZES, product((2, 3, 4), (2, 3, 4)), (0, 1), WEIGHTS
    )
]
"""All sets of betting rules that are tried."""
NUM_CARDS = 6
"""The number of cards in each deck."""


class SixCardPoker(TwoRoundPoker):
    """The two-round poker of Oliehoek et al. (2006, section 6.2), with a deck of six cards and a way to compare hands.

    Parameters
    ----------
    deck : str
        The name of the deck, a key of `DECKS`.
    strength : str
        The name of the way to compare hands, a key of `STRENGTHS`.
    """

    def __init__(self, deck: str, strength: str) -> None:
        num_ranks, num_suits = DECKS[deck]
        super().__init__(
            name="six cards",
            num_players=2,
            deck=dict.fromkeys(RANKS[:num_ranks], num_suits),
            bet_sizes=(1, 1),
            max_bets=3,
            isomorphic=False,
        )
        self.compute_strength = STRENGTHS[strength]

    def find_winners(
        self, cards: tuple[str, ...], board: str, has_folded: tuple[bool, ...]
    ) -> tuple[int, ...]:
        """Return the players who share the pot at a showdown of two hands.

        Parameters
        ----------
        cards : tuple of two str
            The private cards of player 0, the gambler, and of player 1, the dealer.
        board : str
            The public card.
        has_folded : tuple of two bool
            Whether each player has folded. At a showdown no one has.

        Returns
        -------
        tuple of int
            The number of the player with the better hand, or both numbers if the hands are equally strong.
        """
        public_card = parse_card(board)
        first_strength, second_strength = (
            self.compute_strength(parse_card(card), public_card) for card in cards
        )
        if first_strength == second_strength:
            return (0, 1)
        return (0,) if first_strength > second_strength else (1,)


def parse_card(name: str) -> Card:
    """Return the rank and the suit of a card, both counted from zero.

    Parameters
    ----------
    name : str
        The letter of the rank, and in decks of several suits the letter of the suit. Without one the suit is 0.

    Examples
    --------
    >>> parse_card("9"), parse_card("Th")
    ((0, 0), (1, 2))
    """
    return RANKS.index(name[0]), SUITS.find(name[1:])


def compute_showdown_shares(rules: SixCardPoker) -> Floats:
    """Return the share of the pot that each private card wins at the showdown, for each public card.

    It is the mean over the cards that the opponent can have.

    Parameters
    ----------
    rules : SixCardPoker
        The rules, with the deck and the way to compare hands.

    Returns
    -------
    array of shape (6, 6)
        The shares, from 0 to 1. The rows are private cards and the columns public cards. A card cannot be both, so the
        diagonal is 0.
    """
    deck = list(rules.deck)
    shares = np.zeros((NUM_CARDS, NUM_CARDS))
    for (row, own_card), (column, public_card) in permutations(enumerate(deck), 2):
        shares_by_opponent = []
        for opponent_card in deck:
            if opponent_card in (own_card, public_card):
                continue
            winners = rules.find_winners((own_card, opponent_card), public_card, (False, False))
            shares_by_opponent.append((0 in winners) / len(winners))
        shares[row, column] = np.mean(shares_by_opponent)
    return shares


class BettingState(NamedTuple):
    """A decision in a hand of two-round poker: the player to act, and what the betting so far has led to.

    Attributes
    ----------
    betting_round : int
        The round, 0 or 1.
    player : int
        The player to act, 0 for the gambler or 1 for the dealer.
    paid : array of shape (2,)
        What each player has paid into the pot.
    num_bets : int
        The number of bets and raises in this round.
    can_end_round : bool
        Whether a check or call ends the round. It does not if the player is the first one to act in the round.
    """

    betting_round: int
    player: int
    paid: Floats
    num_bets: int
    can_end_round: bool


def compute_security_levels_of_random_play(
    win_shares: Floats, betting: BettingRules | None = None
) -> Floats:
    """Return what players who choose at random win from best responses in the poker of six cards.

    These are their security levels, or worst-case payoffs.

    Parameters
    ----------
    win_shares : array of shape (6, 6)
        The share of the pot that each private card (row) wins with each public card (column).
    betting : BettingRules, optional
        The betting rules. By default those of the text of Oliehoek et al. (2006), with equal weights of all actions.

    Returns
    -------
    array of shape (2,)
        The security levels of the gambler, who acts first, and of the dealer, in chips.
    """
    rules = BettingRules() if betting is None else betting
    start = BettingState(
        betting_round=0,
        player=0,
        paid=np.full(2, rules.ante),
        num_bets=0,
        can_end_round=False,
    )
    gambler, dealer = 0, 1
    won_by_dealer = compute_best_response_values(win_shares, rules, dealer, start).mean()
    won_by_gambler = compute_best_response_values(win_shares, rules, gambler, start).mean()
    # The game is zero-sum, so the random player loses what the best response wins.
    return -np.array([won_by_dealer, won_by_gambler])


def compute_best_response_values(
    win_shares: Floats, betting: BettingRules, responder: int, state: BettingState
) -> Floats:
    """Return what a best response to random play wins from a decision on, for each card of the responder.

    The function calls itself for the decisions that follow. If the responder acts, the value of a card is that of the
    best action. If the random player acts, it is the mean over all actions, weighted by their probabilities.

    Parameters
    ----------
    win_shares : array of shape (6, 6)
        The share of the pot that each private card (row) wins with each public card (column).
    betting : BettingRules
        The betting rules.
    responder : int
        The player who plays the best response, 0 or 1. The other player chooses at random.
    state : BettingState
        The decision.

    Returns
    -------
    array of shape (6, 6) or (6, 1)
        The values in chips, by private and public card. There is one column if the public card does not matter yet.
    """
    fold_weight, call_weight, raise_weight, last_call_weight = betting.weights
    player, opponent = state.player, 1 - state.player
    faces_bet = bool(state.paid[0] != state.paid[1])
    may_raise = state.num_bets < betting.caps[state.betting_round]

    choices = []  # of each possible action its weight in random play, and the values after it
    if faces_bet:
        payoff = -state.paid[player] if player == responder else state.paid[player]
        choices.append((fold_weight, np.full((NUM_CARDS, 1), payoff)))
    if may_raise:
        paid_after_raise = np.full(2, state.paid.max())
        paid_after_raise[player] += betting.sizes[state.betting_round]
        after_raise = BettingState(
            betting_round=state.betting_round,
            player=opponent,
            paid=paid_after_raise,
            num_bets=state.num_bets + 1,
            can_end_round=True,
        )
        values = compute_best_response_values(win_shares, betting, responder, after_raise)
        choices.append((raise_weight, values))
    values = compute_values_after_check_or_call(win_shares, betting, responder, state)
    is_last_call = faces_bet and not may_raise
    choices.append((last_call_weight if is_last_call else call_weight, values))

    if player == responder:
        values_of_actions = np.broadcast_arrays(*(values for _, values in choices))
        return np.asarray(np.max(values_of_actions, axis=0))
    total_weight = sum(weight for weight, _ in choices)
    return np.asarray(sum(weight * values for weight, values in choices) / total_weight)


def compute_values_after_check_or_call(
    win_shares: Floats, betting: BettingRules, responder: int, state: BettingState
) -> Floats:
    """Return what a best response to random play wins after a check or call, for each card of the responder.

    After the first check of a round the other player acts. Otherwise a check or call ends the round. Then the second
    round begins, or the hands are shown.

    Parameters
    ----------
    win_shares : array of shape (6, 6)
        The share of the pot that each private card (row) wins with each public card (column).
    betting : BettingRules
        The betting rules.
    responder : int
        The player who plays the best response, 0 or 1. The other player chooses at random.
    state : BettingState
        The decision at which a player checks or calls.

    Returns
    -------
    array of shape (6, 6) or (6, 1)
        The values in chips, by private and public card. There is one column if the public card does not matter yet.
    """
    paid_after_call = np.full(2, state.paid.max())
    if not state.can_end_round:
        after_check = BettingState(
            betting_round=state.betting_round,
            player=1 - state.player,
            paid=paid_after_call,
            num_bets=state.num_bets,
            can_end_round=True,
        )
        return compute_best_response_values(win_shares, betting, responder, after_check)

    is_last_round = state.betting_round == 1
    if is_last_round:
        # Both have paid the same. A share 1 of the pot wins that much, a share 0 loses it.
        return np.asarray((2 * win_shares - 1) * paid_after_call[0])

    second_round = BettingState(
        betting_round=1,
        player=betting.second_round_first,
        paid=paid_after_call,
        num_bets=0,
        can_end_round=False,
    )
    values = compute_best_response_values(win_shares, betting, responder, second_round)
    # The public card is one of the five cards that the responder does not hold.
    is_possible = 1 - np.eye(NUM_CARDS)
    return np.asarray((values * is_possible / (NUM_CARDS - 1)).sum(axis=1, keepdims=True))


def compare_betting_rules_with_figure_3(setting: Mapping[str, Any]) -> dict[str, float]:
    """Return how near all betting rules come to the first point of Figure 3 of Oliehoek et al. (2006).

    The point has the security levels of both players at iteration 1, which are those of random play. The deck and the
    way to compare hands are fixed.

    Parameters
    ----------
    setting : mapping
        'hand' is the number of the pair of a deck and a way to compare hands in `HAND_RULES`.

    Returns
    -------
    dict of str to float
        The entries are:

        - 'nearest', the number in `BETTING_RULES` of the rules that come nearest to `READ_SECURITY_LEVELS`.
        - 'gap', their distance in chips, which is the larger one of the two players.
        - 'within', how many betting rules come within `READING_ERROR`.
        - `level_<iteration>_<player>`, the security levels of a Nash memory at iterations 1 and 2 with the default
          betting rules.
    """
    rules = SixCardPoker(*HAND_RULES[setting["hand"]])
    game = compile_rules(rules)
    win_shares = compute_showdown_shares(rules)
    distances = []
    for betting in BETTING_RULES:
        levels_of_random_play = compute_security_levels_of_random_play(win_shares, betting)
        distances.append(np.abs(levels_of_random_play - READ_SECURITY_LEVELS).max())

    memory = ParallelNashMemory(game, heuristic=BestResponse(ties="evenly"), start=game.uniform())
    levels = {}
    for iteration in (1, 2):
        # The paper's iteration t measures the memory after round t - 1.
        state = memory.step(memory.init(), iteration - 1)
        for player in (0, 1):
            levels[f"level_{iteration}_{player + 1}"] = state.security_levels[player]
    return {
        "nearest": int(np.argmin(distances)),
        "gap": float(min(distances)),
        "within": int(np.sum(np.array(distances) <= READING_ERROR)),
        **levels,
    }


def compare_all_decks_with_figure_3(*, workers: int = 1) -> History:
    """Compare all betting rules with Figure 3, for each deck and way to compare hands. It takes some minutes.

    Parameters
    ----------
    workers : int
        The number of processes.

    Returns
    -------
    History
        A row for each of `HAND_RULES`, with the column 'hand' (its number) and the entries of
        `compare_betting_rules_with_figure_3`.
    """
    hands = range(len(HAND_RULES))
    return sweep(compare_betting_rules_with_figure_3, {"hand": [*hands]}, workers=workers)
