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
"""All pairs of a deck and a way to compare hands, by their names."""


class BettingRules(NamedTuple):
    """BettingRules rules, and how random players choose.

    Attributes
    ----------
    ante : float
        What each player pays before the deal.
    sizes : tuple of float
        The size of a bet or raise in the first and in the second round.
    caps : tuple of int
        The largest number of bets and raises in each round.
    second_round_first : int
        The player who begins the second round: 0 for the gambler, 1 for the dealer.
    weights : tuple of float
        Random players choose among the possible actions in proportion to these weights: of a fold, of a check or call
        where a bet or raise is allowed, of a bet or raise, and of a call where no raise is allowed.
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
"""All betting rules that are tried."""
NUM_CARDS = 6


class SixCards(TwoRoundPoker):
    """The two-round poker of Oliehoek et al. (2006, section 6.2) with one of several decks of six cards.

    Parameters
    ----------
    deck : str
        The name of the deck, a key of `DECKS`.
    strength : str
        What wins, a key of `STRENGTHS`.
    """

    def __init__(self, deck: str, strength: str) -> None:
        num_ranks, num_suits = DECKS[deck]
        copies = dict.fromkeys(RANKS[:num_ranks], num_suits)
        super().__init__("six cards", 2, copies, (1, 1), 3, isomorphic=False)
        self.strength = STRENGTHS[strength]

    def find_winners(
        self, cards: tuple[str, ...], board: str, folded: tuple[bool, ...]
    ) -> tuple[int, ...]:
        """Return the players who share the pot at a showdown of two hands.

        Parameters
        ----------
        cards : tuple of two str
            The private cards of player 0, the gambler, and of player 1, the dealer.
        board : str
            The public card.
        folded : tuple of two bool
            Whether each player has folded. At a showdown no one has.
        """
        public_card = parse_card(board)
        first_strength, second_strength = (
            self.strength(parse_card(card), public_card) for card in cards
        )
        if first_strength == second_strength:
            return (0, 1)
        return (0,) if first_strength > second_strength else (1,)


def parse_card(name: str) -> Card:
    """Return the rank and the suit of a card, counted from zero. The suit of a card without one is 0."""
    return RANKS.index(name[0]), SUITS.find(name[1:])


def compute_showdown_shares(rules: SixCards) -> Floats:
    """Return the share of the pot that each private card wins at the showdown, beside each public card, (6, 6).

    It is the mean over the cards that the opponent can have. The rows are private cards and the columns public cards.
    A card cannot be both, so the diagonal is 0.
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


class BettingHistory(NamedTuple):
    """A history of betting actions.

    Attributes
    ----------
    betting_round : int
        The round, 0 or 1.
    player : int
        The player whose turn it is.
    paid : array of shape (2,)
        What each player has paid into the pot.
    num_bets : int
        The number of bets and raises in this round.
    closes : bool
        Whether a check or call ends the round. It does not if the player is the first one to act.
    """

    betting_round: int
    player: int
    paid: Floats
    num_bets: int
    closes: bool


def compute_security_levels_of_random_play(
    win_shares: Floats, betting: BettingRules | None = None
) -> Floats:
    """Return what a gambler and a dealer who choose at random win from best responses, (2,), in chips.

    These are the security levels of random play in the poker of six cards.

    Parameters
    ----------
    win_shares : array of shape (6, 6)
        The share of the pot that each card wins beside each public card.
    betting : BettingRules, optional
        The betting rules. By default those of the text, with equal weights.
    """
    rules = BettingRules() if betting is None else betting
    paid = np.full(2, rules.ante)
    start = BettingHistory(betting_round=0, player=0, paid=paid, num_bets=0, closes=False)
    gambler, dealer = 0, 1
    against_gambler = compute_best_response_values(win_shares, rules, dealer, start).mean()
    against_dealer = compute_best_response_values(win_shares, rules, gambler, start).mean()
    return -np.array([against_gambler, against_dealer])


def compute_best_response_values(
    win_shares: Floats, betting: BettingRules, responder: int, history: BettingHistory
) -> Floats:
    """Return what a best response to random play wins from a history of betting on, by the responder's cards, in chips.

    The function calls itself for the histories that follow. At a turn of the responder it takes the best action for
    each card, and at a turn of the random player it takes the mean of all actions.

    Parameters
    ----------
    win_shares : array of shape (6, 6)
        The share of the pot that each card wins beside each public card.
    betting : BettingRules
        The betting rules.
    responder : int
        The player who plays the best response. The other player chooses at random.
    history : BettingHistory
        The history.

    Returns
    -------
    array of shape (6, 6) or (6, 1)
        The values by private and public card, or by private card where the public card does not matter yet.
    """
    fold_weight, call_weight, raise_weight, last_call_weight = betting.weights
    player, opponent = history.player, 1 - history.player
    faces_bet = bool(history.paid[0] != history.paid[1])
    may_raise = history.num_bets < betting.caps[history.betting_round]
    paid_after_call = np.full(2, history.paid.max())

    choices = []  # of each possible action its weight in random play, and the values after it
    if faces_bet:
        won_by_fold = -history.paid[player] if player == responder else history.paid[player]
        choices.append((fold_weight, np.full((NUM_CARDS, 1), won_by_fold)))
    if may_raise:
        raised = paid_after_call.copy()
        raised[player] += betting.sizes[history.betting_round]
        after_raise = BettingHistory(
            history.betting_round, opponent, raised, history.num_bets + 1, closes=True
        )
        values = compute_best_response_values(win_shares, betting, responder, after_raise)
        choices.append((raise_weight, values))
    values = compute_values_after_check_or_call(win_shares, betting, responder, history)
    choices.append((call_weight if may_raise or not faces_bet else last_call_weight, values))

    if player == responder:
        values_of_actions = np.broadcast_arrays(*(values for _, values in choices))
        return np.asarray(np.max(values_of_actions, axis=0))
    total_weight = sum(weight for weight, _ in choices)
    return np.asarray(sum(weight * values for weight, values in choices) / total_weight)


def compute_values_after_check_or_call(
    win_shares: Floats, betting: BettingRules, responder: int, history: BettingHistory
) -> Floats:
    """Return the values of `compute_best_response_values` after the player whose turn it is has checked or called.

    The first check of a round leaves the turn to the other player. Otherwise a check or call ends the round: then the
    second round begins, or the hands are shown.
    """
    paid_after_call = np.full(2, history.paid.max())
    if not history.closes:
        after_check = BettingHistory(
            betting_round=history.betting_round,
            player=1 - history.player,
            paid=paid_after_call,
            num_bets=history.num_bets,
            closes=True,
        )
        return compute_best_response_values(win_shares, betting, responder, after_check)
    is_last_round = history.betting_round == 1
    if is_last_round:  # the winner gets what the other player has paid
        return np.asarray((2 * win_shares - 1) * paid_after_call[0])

    second_round = BettingHistory(
        betting_round=1,
        player=betting.second_round_first,
        paid=paid_after_call,
        num_bets=0,
        closes=False,
    )
    values = compute_best_response_values(win_shares, betting, responder, second_round)
    # The public card is one of the five cards that the responder does not hold.
    is_possible = 1 - np.eye(NUM_CARDS)
    return np.asarray((values * is_possible / (NUM_CARDS - 1)).sum(axis=1, keepdims=True))


def compare_betting_rules_with_figure_3(setting: Mapping[str, Any]) -> dict[str, float]:
    """Return how near all betting rules come to the first point of Figure 3, with one deck and way to compare hands.

    Parameters
    ----------
    setting : mapping
        As 'hand' the number of the pair of a deck and a way to compare hands in `HAND_RULES`.

    Returns
    -------
    dict
        `nearest`, the number in `BETTING_RULES` of the rules whose security levels of random play are nearest to
        `READ_SECURITY_LEVELS`; `gap`, their distance in chips, the larger one of both players; `within`, the number of
        betting rules that come within `READING_ERROR`; and `level_<iteration>_<player>`, the security levels of a Nash
        memory at iterations 1 and 2 with the default betting.
    """
    rules = SixCards(*HAND_RULES[setting["hand"]])
    game = compile_rules(rules)
    win_shares = compute_showdown_shares(rules)
    distances = []
    for betting in BETTING_RULES:
        levels_of_random_play = compute_security_levels_of_random_play(win_shares, betting)
        distances.append(np.abs(levels_of_random_play - READ_SECURITY_LEVELS).max())
    gaps = np.array(distances)

    memory = ParallelNashMemory(game, heuristic=BestResponse(ties="evenly"), start=game.uniform())
    levels = {}
    for iteration in (1, 2):
        state = memory.step(memory.init(), iteration - 1)
        for player in (0, 1):
            levels[f"level_{iteration}_{player + 1}"] = state.security_levels[player]
    return {
        "nearest": int(gaps.argmin()),
        "gap": float(gaps.min()),
        "within": int((gaps <= READING_ERROR).sum()),
        **levels,
    }


def compare_all_decks_with_figure_3(*, workers: int = 1) -> History:
    """Compare all betting rules with Figure 3 for each deck and way to compare hands, which takes some minutes.

    Returns
    -------
    History
        A row for each of `HAND_RULES`, with the columns of `compare_betting_rules_with_figure_3`.
    """
    return sweep(
        compare_betting_rules_with_figure_3, {"hand": [*range(len(HAND_RULES))]}, workers=workers
    )
