"""How a rule genome plays: rate the cards, compare the price with two amounts, maybe lie.

How to read it. `rating` looks at the cards: too weak to stay, good enough, or strong; a bluffer says
strong without a look. `decision` bets: good cards raise until the betting reaches the preferred
amount, call up to the maximum, and fold to more; strong cards never fold, and may raise forever. Who
means to check-raise checks cards that it would have bet, and raises when a bet comes round.

The numbers of a player are the 42 genes, then one for each reading of the paper that the text leaves
open; `pokerlab.holdem.genomes.rule_genome` explains both.
"""

from pokerlab.core import Floats, Ints, inlined, kernel
from pokerlab.holdem.betting.actions import CALL, FOLD
from pokerlab.holdem.cards.deck import BOARD_SIZES, NUM_RANKS, PREFLOP, RIVER
from pokerlab.holdem.equity.draws import made_of, needs_flush, needs_straight
from pokerlab.holdem.strength.evaluation import CARD_BITS
from pokerlab.holdem.table import view as at
from pokerlab.holdem.table.players import Rows
from pokerlab.holdem.table.view import Luck, hand_luck

BLUFF, CHECK_RAISE, FIRST_OF_STREETS = range(3)
MINIMUM_CATEGORY, MINIMUM_RANK, STRONG_CATEGORY, STRONG_RANK, PREFERRED, MAXIMUM = range(6)
BETS_ALL, BOARD_BIT, WAITS_FOR_STRAIGHT, WAITS_FOR_FLUSH, GENES_A_STREET = range(6, 11)
"""The genes of a street, counted from its first."""
NUM_GENES = FIRST_OF_STREETS + 4 * GENES_A_STREET
LOWEST_RANK = 2  # genes count ranks as players do, from two to ace = 14; the kernels from 0

READING_OF_BOARD_BIT, READING_OF_DRAW, READING_OF_CARDS, READING_OF_AMOUNT, NUM_PARAMETERS = range(
    NUM_GENES, NUM_GENES + 5
)
VETO, LICENSE, IGNORED = range(3)
A_HAND, A_ROUND = range(2)
ANY, STRONG_ONLY = range(2)
IN_ROUND, PRICE, IN_HAND = range(3)

WEAK, GOOD, STRONG = range(3)
LUCK_OF_BLUFF, LUCK_OF_CHECK_RAISE = range(2)
"""Places of a seat's luck for the hand; a check-raise drawn each round has one for each street."""


@kernel
def follow_rules(
    views: Ints, asked: Rows, parameters: Floats, luck: Luck, out_actions: Luck
) -> None:
    """Answer for players whose numbers are rule genomes with their readings."""
    for row in asked:
        out_actions[row] = decision(views, row, parameters)


@inlined
def decision(views: Ints, row: int, parameters: Floats) -> int:
    """Return what the player at a row does: FOLD, CALL (or check), or the chips to raise to."""
    view = views[row]
    genes = parameters[view[at.PARAMETERS]]
    first = FIRST_OF_STREETS + GENES_A_STREET * view[at.STREET]
    price = view[at.TO_CALL]
    cards = rating(view, genes, first)
    if cards == WEAK:
        return FOLD if price > 0 else CALL
    bets_all = cards == STRONG and genes[first + BETS_ALL] != 0.0
    already = chips_in(view, genes)
    would_bet = bets_all or already < genes[first + PREFERRED]
    lies = would_bet and (cards == STRONG or genes[READING_OF_CARDS] == ANY)
    if price == 0:
        if lies and means_to_check_raise(view, genes):
            return CALL
        return raise_to(view, bets_all) if would_bet else CALL
    if bets_all or already + price < genes[first + PREFERRED]:
        return raise_to(view, bets_all)
    if cards == GOOD and already + price > genes[first + MAXIMUM]:
        return FOLD
    # Only who meant to check-raise has checked cards that it would bet. It raises once.
    has_just_checked = view[at.HAS_CHECKED] != 0 and view[at.BETS + view[at.SEAT]] == 0
    return raise_to(view, False) if lies and has_just_checked else CALL


@inlined
def rating(view: Ints, genes: Floats, first: int) -> int:
    """Return what the player thinks of its cards: WEAK, GOOD or STRONG."""
    if hand_luck(view, LUCK_OF_BLUFF) < genes[BLUFF]:
        return STRONG
    street = view[at.STREET]
    hole = CARD_BITS[view[at.HOLE]] | CARD_BITS[view[at.HOLE + 1]]
    board = hole & 0
    for place in range(BOARD_SIZES[street]):
        board |= CARD_BITS[view[at.BOARD + place]]
    made = made_of(hole | board)
    is_strong = made >= threshold(genes, first + STRONG_CATEGORY)
    stays = is_strong or made >= threshold(genes, first + MINIMUM_CATEGORY)
    if street != PREFLOP:
        reading, bit = genes[READING_OF_BOARD_BIT], genes[first + BOARD_BIT] != 0.0
        is_vetoed = stays and reading == VETO and not bit
        is_licensed = not stays and reading == LICENSE and bit
        if is_vetoed or is_licensed:
            stays = made > made_of(board)
    if stays:
        return STRONG if is_strong else GOOD
    if street != PREFLOP and street != RIVER:
        if genes[first + WAITS_FOR_STRAIGHT] != 0.0 and needs_straight(hole, board):
            return GOOD
        if genes[first + WAITS_FOR_FLUSH] != 0.0 and needs_flush(hole, board):
            return GOOD
    return WEAK


@inlined
def threshold(genes: Floats, category: int) -> float:
    """Return the hand that a category gene and the rank gene behind it name, as `made_of` does."""
    return float(genes[category] * NUM_RANKS + genes[category + 1] - LOWEST_RANK)


@inlined
def chips_in(view: Ints, genes: Floats) -> int:
    """Return which chips, put in before this decision, count in the amounts."""
    if genes[READING_OF_AMOUNT] == IN_ROUND:
        return int(view[at.BETS + view[at.SEAT]])
    return int(view[at.PAID + view[at.SEAT]]) if genes[READING_OF_AMOUNT] == IN_HAND else 0


@inlined
def means_to_check_raise(view: Ints, genes: Floats) -> bool:
    """Return whether the player has drawn to check-raise."""
    place = LUCK_OF_CHECK_RAISE
    if genes[READING_OF_DRAW] == A_ROUND:
        place += view[at.STREET]
    return bool(hand_luck(view, place) < genes[CHECK_RAISE])


@inlined
def raise_to(view: Ints, as_much_as_possible: bool) -> int:
    """Return the raise, or a call where no raise is allowed."""
    if view[at.MIN_RAISE_TO] == 0:
        return CALL
    return int(view[at.MAX_RAISE_TO] if as_much_as_possible else view[at.MIN_RAISE_TO])
