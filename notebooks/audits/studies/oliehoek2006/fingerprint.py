"""Oliehoek et al. (2006): a search for the six cards and the rules of the game in section 6.2.

F. Oliehoek, E. de Jong, N. Vlassis, "The Parallel Nash Memory for Asymmetric Games", GECCO 2006.

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

READ = (-1.889, -1.739)
"""The security levels of gambler and dealer at iteration 1, as they were read from Figure 3, in chips."""
ERROR = 0.0015
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
HANDS = list(product(DECKS, STRENGTHS))
"""All pairs of a deck and a way to compare hands, by their names."""


class Betting(NamedTuple):
    """Betting rules, and how random players choose.

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
BETTINGS = [
    Betting(ante, sizes, caps, second_round_first, weights)
    for ante, sizes, caps, second_round_first, weights in product(
        (0.5, 1.0, 1.5, 2.0), SIZES, product((2, 3, 4), (2, 3, 4)), (0, 1), WEIGHTS
    )
]
"""All betting rules that are tried."""
NUM_CARDS = 6


class SixCards(TwoRoundPoker):
    """The two-round game of section 6.2 with another deck or another way to compare hands.

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
        """Return the players who share the pot at the showdown, where no player has folded."""
        public = parse_card(board)
        first, second = (self.strength(parse_card(card), public) for card in cards)
        if first == second:
            return (0, 1)
        return (0,) if first > second else (1,)


def parse_card(name: str) -> Card:
    """Return the rank and the suit of a card, counted from zero. The suit of a card without one is 0."""
    return RANKS.index(name[0]), SUITS.find(name[1:])


def compute_win_shares(rules: SixCards) -> Floats:
    """Return the share of the pot that each card wins beside each public card, (6, 6).

    It is the mean over the cards that the opponent can have. The rows are private cards and the columns public cards.
    A card cannot be both, so the diagonal is 0.
    """
    deck = list(rules.deck)
    shares = np.zeros((NUM_CARDS, NUM_CARDS))
    for (row, own), (column, board) in permutations(enumerate(deck), 2):
        own_shares = []
        for other in deck:
            if other in (own, board):
                continue
            winners = rules.find_winners((own, other), board, (False, False))
            own_shares.append((0 in winners) / len(winners))
        shares[row, column] = np.mean(own_shares)
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


def compute_random_play_levels(win_shares: Floats, betting: Betting | None = None) -> Floats:
    """Return the security levels of a gambler and of a dealer who choose at random, (2,), in chips.

    A security level is what the player wins from a best response.

    Parameters
    ----------
    win_shares : array of shape (6, 6)
        The share of the pot that each card wins beside each public card.
    betting : Betting, optional
        The betting rules. By default those of the text, with equal weights.
    """
    rules = Betting() if betting is None else betting
    paid = np.full(2, rules.ante)
    start = BettingHistory(betting_round=0, player=0, paid=paid, num_bets=0, closes=False)
    against_gambler, against_dealer = (
        compute_response_values(win_shares, rules, responder, start).mean() for responder in (1, 0)
    )
    return -np.array([against_gambler, against_dealer])


def compute_response_values(
    win_shares: Floats, betting: Betting, responder: int, history: BettingHistory
) -> Floats:
    """Return what a best response to random play wins from a history on, by the responder's cards.

    Parameters
    ----------
    win_shares : array of shape (6, 6)
        The share of the pot that each card wins beside each public card.
    betting : Betting
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
    called = np.full(2, history.paid.max())

    choices = []  # pairs of a weight and the values after an action
    if faces_bet:
        won_by_fold = -history.paid[player] if player == responder else history.paid[player]
        choices.append((fold_weight, np.full((NUM_CARDS, 1), won_by_fold)))
    if may_raise:
        raised = called.copy()
        raised[player] += betting.sizes[history.betting_round]
        after_raise = BettingHistory(
            history.betting_round, opponent, raised, history.num_bets + 1, closes=True
        )
        values = compute_response_values(win_shares, betting, responder, after_raise)
        choices.append((raise_weight, values))
    values = compute_values_after_call(win_shares, betting, responder, history)
    choices.append((call_weight if may_raise or not faces_bet else last_call_weight, values))

    if player == responder:
        return np.asarray(np.max(np.broadcast_arrays(*(values for _, values in choices)), axis=0))
    total_weight = sum(weight for weight, _ in choices)
    return np.asarray(sum(weight * values for weight, values in choices) / total_weight)


def compute_values_after_call(
    win_shares: Floats, betting: Betting, responder: int, history: BettingHistory
) -> Floats:
    """Return the values of `compute_response_values` after the player at a history has checked or called."""
    called = np.full(2, history.paid.max())
    if not history.closes:
        after_check = BettingHistory(
            history.betting_round, 1 - history.player, called, history.num_bets, closes=True
        )
        return compute_response_values(win_shares, betting, responder, after_check)
    if history.betting_round == 1:
        return np.asarray((2 * win_shares - 1) * called[0])

    second_round = BettingHistory(1, betting.second_round_first, called, num_bets=0, closes=False)
    values = compute_response_values(win_shares, betting, responder, second_round)
    # The public card is one of the five cards that the responder does not hold.
    is_possible = 1 - np.eye(NUM_CARDS)
    return np.asarray((values * is_possible / (NUM_CARDS - 1)).sum(axis=1, keepdims=True))


def try_bettings(setting: Mapping[str, Any]) -> dict[str, float]:
    """Return how near all betting rules come to the figure for one pair of `HANDS`, and its security levels.

    Parameters
    ----------
    setting : mapping
        The number of the pair as 'hand'.

    Returns
    -------
    dict
        `nearest`, the number of the betting rules whose security levels of random play are nearest to `READ`; `gap`,
        their distance, the larger one of both players; `within`, the number of betting rules that come within `ERROR`;
        and `level_<iteration>_<player>`, the security levels of a memory at iterations 1 and 2 with the default
        betting.
    """
    rules = SixCards(*HANDS[setting["hand"]])
    win_shares, game = compute_win_shares(rules), compile_rules(rules)
    gaps = np.array(
        [
            np.abs(compute_random_play_levels(win_shares, betting) - READ).max()
            for betting in BETTINGS
        ]
    )

    memory = ParallelNashMemory(game, heuristic=BestResponse(ties="evenly"), start=game.uniform())
    levels = {}
    for iteration in (1, 2):
        state = memory.step(memory.init(), iteration - 1)
        for player in (0, 1):
            levels[f"level_{iteration}_{player + 1}"] = state.security_levels[player]
    return {
        "nearest": int(gaps.argmin()),
        "gap": float(gaps.min()),
        "within": int((gaps <= ERROR).sum()),
        **levels,
    }


def try_all_hands(*, workers: int = 1) -> History:
    """Return what `try_bettings` returns for each pair of `HANDS`, in some minutes."""
    return sweep(try_bettings, {"hand": [*range(len(HANDS))]}, workers=workers)
