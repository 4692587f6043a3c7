"""The rule genome: a limit player in 42 genes, as Noble & Watson (2001) evolve it.

Two genes are the probabilities of a bluff and of a check-raise. Each street has ten more genes: a threshold for staying
in the hand, a threshold for strong cards, the amount to bet, the most to call, and four flags (section 3). A
*threshold* is a made hand, described by a category gene and a rank gene. One of the flags, the *board bit*, is about
hands that are no better than the board. Our copy of the paper lacks digits and small words, so parts of the rule are
not known. `RuleEncoding` has a setting for each of them.

A player rates its cards, and compares the cost of a call with two amounts. `rate_cards` rates the cards as too weak to
stay, good enough, or strong; a player that bluffs acts as if they were strong. `choose_rule_action` chooses the action.
With good cards the player raises until the betting reaches the preferred amount, calls up to the maximum, and folds to
more. With strong cards it never folds, and may raise without limit. A player that check-raises checks cards that it
would have bet, and raises if another player bets.

The parameters of a player are the 42 genes, followed by one number for each setting of `RuleEncoding` that changes how
they are used. `make_street_genes` and `make_rule_genome` make genomes by hand, and `describe_genome` describes a genome
in words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, Ints, SettingError, ShapeError, UnknownNameError, inlined, kernel
from pokerlab.core.arrays import validate_numbers
from pokerlab.core.errors import quote_value
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import (
    CheckedSettings,
    unprinted_setting,
    validate_bool,
    validate_integer,
    validate_number,
)
from pokerlab.holdem import table_view as at
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    FLOP,
    NUM_CARDS,
    NUM_RANKS,
    PREFLOP,
    RIVER,
    STREETS,
    TURN,
)
from pokerlab.holdem.draws import (
    HIGH_CARD,
    PAIR,
    STRAIGHT_FLUSH,
    find_hand_features,
    find_made_hand,
    has_flush_draw,
    has_straight_draw,
)
from pokerlab.holdem.hand import CALL, FOLD
from pokerlab.holdem.hand_rankings import CARD_BITS, CATEGORIES
from pokerlab.holdem.players import CompiledPlayer, Rows, make_compiled_players
from pokerlab.holdem.table_view import draw_hand_random_number
from pokerlab.strategies.encoding import AMOUNT, FLAG, PROBABILITY, RANK, validate_genomes

BLUFF, CHECK_RAISE, FIRST_OF_STREETS = range(3)
MINIMUM_CATEGORY, MINIMUM_RANK, STRONG_CATEGORY, STRONG_RANK, PREFERRED, MAXIMUM = range(6)
BETS_ALL, BOARD_BIT, WAITS_FOR_STRAIGHT, WAITS_FOR_FLUSH, GENES_A_STREET = range(6, 11)
"""The indices of a street's genes, counted from its first gene."""
NUM_GENES = FIRST_OF_STREETS + 4 * GENES_A_STREET
LOWEST_RANK = 2  # in genes, ranks are 2 to 14 (an ace); in kernels they are 0 to 12

BOARD_BIT_SETTING, DRAW_SETTING, CARDS_SETTING, AMOUNT_SETTING, NUM_PARAMETERS = range(
    NUM_GENES, NUM_GENES + 5
)
VETO, LICENSE, IGNORED = range(3)
ONCE_A_HAND, ONCE_A_ROUND = range(2)
ANY_CARDS, STRONG_CARDS = range(2)
IN_ROUND, CALL_COST, IN_HAND = range(3)
"""The values of the four parameters that follow the genes, which represent settings, in their order."""

WEAK, GOOD, STRONG = range(3)  # ratings of cards
BLUFF_DRAW, CHECK_RAISE_DRAW = range(2)
"""Indices of a seat's random numbers for the hand. If a check-raise is drawn in each round, it has one index for each
street, from CHECK_RAISE_DRAW on."""


@kernel
def write_rule_actions(
    views: Ints, rows_to_act: Rows, parameters: Floats, uniforms: Floats, out_actions: Floats
) -> None:
    """Write the actions of rule players at the tables where they are to act.

    Parameters
    ----------
    views : ndarray of int64, shape (tables, NUM_VIEW_WORDS)
        What the seat to act sees at each table, in the layout of `pokerlab.holdem.table_view`.
    rows_to_act : ndarray of int, shape (n,)
        The indices of the n tables at which rule players are to act.
    parameters : ndarray of shape (players, NUM_PARAMETERS)
        The genomes of all players, each followed by the numbers of its settings. Each view has the row of the player
        that acts.
    uniforms : ndarray of shape (tables,)
        Not used, because bluffs and check-raises are drawn once for a hand or a round, and not for each decision.
    out_actions : ndarray of shape (tables,)
        Overwritten at the indices `rows_to_act` with FOLD, CALL, or the chips to raise to.
    """
    for row in rows_to_act:
        out_actions[row] = choose_rule_action(views, row, parameters)


@inlined
def choose_rule_action(views: Ints, row: int, parameters: Floats) -> int:
    """Return the action of a rule player: FOLD, CALL, or the chips to raise to.

    Parameters
    ----------
    views : ndarray of int64, shape (tables, NUM_VIEW_WORDS)
        What the seat to act sees at each table, in the layout of `pokerlab.holdem.table_view`.
    row : int
        The index of the table at which the player is to act.
    parameters : ndarray of shape (players, NUM_PARAMETERS)
        The genomes of all players, each followed by the numbers of its settings.
    """
    view = views[row]
    genes = parameters[view[at.PARAMETERS]]
    first_gene = FIRST_OF_STREETS + GENES_A_STREET * view[at.STREET]
    cost = view[at.TO_CALL]
    rating = rate_cards(view, genes, first_gene)
    if rating == WEAK:
        return FOLD if cost > 0 else CALL

    bets_all = rating == STRONG and genes[first_gene + BETS_ALL] != 0.0
    chips_in = count_chips_put_in(view, genes)
    preferred_amount = genes[first_gene + PREFERRED]
    would_bet = bets_all or chips_in < preferred_amount
    may_check_raise = would_bet and (rating == STRONG or genes[CARDS_SETTING] == ANY_CARDS)

    # If nothing is owed, the player bets, or checks.
    if cost == 0:
        if may_check_raise and will_check_raise(view, genes):
            return CALL
        return choose_limit_raise(view, bets_all) if would_bet else CALL

    # If a call costs something, the player raises up to the preferred amount, and calls up to the maximum.
    chips_after_call = chips_in + cost
    if bets_all or chips_after_call < preferred_amount:
        return choose_limit_raise(view, bets_all)
    if rating == GOOD and chips_after_call > genes[first_gene + MAXIMUM]:
        return FOLD

    # A player that checked cards it would bet has planned to check-raise. It raises once.
    has_just_checked = view[at.HAS_CHECKED] != 0 and view[at.BETS + view[at.SEAT]] == 0
    return choose_limit_raise(view, False) if may_check_raise and has_just_checked else CALL


@inlined
def rate_cards(view: Ints, genes: Floats, first_gene: int) -> int:
    """Return the rating of the cards by which the player decides: WEAK, GOOD or STRONG.

    A player that bluffs in this hand rates any cards as STRONG. Otherwise the made hand is compared with the two
    thresholds of the street, and on the flop and the turn a draw may be GOOD. From the flop on, the flag called board
    bit may require that the made hand beats the board.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player sees, in the layout of `pokerlab.holdem.table_view`.
    genes : ndarray of shape (NUM_PARAMETERS,)
        The player's genes, followed by the numbers of settings.
    first_gene : int
        The index of the first gene of the street.
    """
    is_bluff = draw_hand_random_number(view, BLUFF_DRAW) < genes[BLUFF]
    if is_bluff:
        return STRONG

    # Compare the made hand with the thresholds. Cards are sets of bits.
    street = view[at.STREET]
    hole = CARD_BITS[view[at.HOLE]] | CARD_BITS[view[at.HOLE + 1]]
    board = hole & 0  # an empty set of the same type
    for i in range(BOARD_SIZES[street]):
        board |= CARD_BITS[view[at.BOARD + i]]
    made_hand = find_made_hand(hole | board)
    is_strong = made_hand >= encode_threshold(genes, first_gene + STRONG_CATEGORY)
    stays = is_strong or made_hand >= encode_threshold(genes, first_gene + MINIMUM_CATEGORY)

    # With a veto, a hand that stays must also beat the board if the bit is off. With a license, a hand below the
    # minimum stays, too, if the bit is on and the hand beats the board.
    if street != PREFLOP:
        setting = genes[BOARD_BIT_SETTING]
        board_bit = genes[first_gene + BOARD_BIT] != 0.0
        is_veto_possible = stays and setting == VETO and not board_bit
        is_license_possible = not stays and setting == LICENSE and board_bit
        if is_veto_possible or is_license_possible:
            stays = made_hand > find_made_hand(board)
    if stays:
        return STRONG if is_strong else GOOD

    # On the flop and the turn, a hand that lacks one card for a straight or a flush may stay.
    if street != PREFLOP and street != RIVER:
        if genes[first_gene + WAITS_FOR_STRAIGHT] != 0.0 and has_straight_draw(hole, board):
            return GOOD
        if genes[first_gene + WAITS_FOR_FLUSH] != 0.0 and has_flush_draw(hole, board):
            return GOOD
    return WEAK


@inlined
def encode_threshold(genes: Floats, category_gene: int) -> float:
    """Return a threshold as a number that can be compared with the numbers of made hands.

    The number is 13 times the category plus the rank from 0 to 12, as `find_made_hand` computes it for cards.

    Parameters
    ----------
    genes : ndarray of shape (NUM_PARAMETERS,)
        The player's genes.
    category_gene : int
        The index of the threshold's category gene. The next gene is its rank, from 2 to 14.
    """
    rank = genes[category_gene + 1] - LOWEST_RANK
    return float(genes[category_gene] * NUM_RANKS + rank)


@inlined
def count_chips_put_in(view: Ints, genes: Floats) -> int:
    """Return the chips put in before this decision that count toward the player's amounts to bet and to call.

    The setting `amount` decides whether the chips of the round count, the chips of the hand, or none, so that only the
    cost of the call is compared with the amounts.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player sees, in the layout of `pokerlab.holdem.table_view`.
    genes : ndarray of shape (NUM_PARAMETERS,)
        The player's genes, followed by the numbers of settings.
    """
    seat = view[at.SEAT]
    if genes[AMOUNT_SETTING] == IN_ROUND:
        return int(view[at.BETS + seat])
    if genes[AMOUNT_SETTING] == IN_HAND:
        return int(view[at.PAID + seat])
    return 0


@inlined
def will_check_raise(view: Ints, genes: Floats) -> bool:
    """Return whether the player check-raises, with the probability that its gene has.

    A setting decides whether one random number is drawn for the whole hand, or one for each round, so for each street.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player sees, in the layout of `pokerlab.holdem.table_view`.
    genes : ndarray of shape (NUM_PARAMETERS,)
        The player's genes, followed by the numbers of settings.
    """
    index = CHECK_RAISE_DRAW
    if genes[DRAW_SETTING] == ONCE_A_ROUND:
        index += view[at.STREET]
    return bool(draw_hand_random_number(view, index) < genes[CHECK_RAISE])


@inlined
def choose_limit_raise(view: Ints, is_largest: bool) -> int:
    """Return the largest or the smallest legal total to raise to, or CALL if no raise is legal.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the player sees, in the layout of `pokerlab.holdem.table_view`.
    is_largest : bool
        Whether the raise is the largest and not the smallest.
    """
    if view[at.MIN_RAISE_TO] == 0:
        return CALL
    return int(view[at.MAX_RAISE_TO] if is_largest else view[at.MIN_RAISE_TO])


RANK_WORDS = (
    *("two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)
"""The names of the ranks, from two to ace."""
RANK_PLURALS = [f"{rank}es" if rank == "six" else f"{rank}s" for rank in RANK_WORDS]
HAND_PATTERNS = (
    "{one} high",
    "a pair of {many}",
    "two pair, {many} up",
    "three {many}",
    "a straight to the {one}",
    "a flush to the {one}",
    "a full house of {many}",
    "four {many}",
    "a straight flush to the {one}",
)
"""The names of hands in each of `CATEGORIES`, as players use them."""
HAND_GENES = {
    pattern.format(one=one, many=many): (category, rank)
    for category, pattern in enumerate(HAND_PATTERNS)
    for rank, (one, many) in enumerate(zip(RANK_WORDS, RANK_PLURALS, strict=True), LOWEST_RANK)
}
"""The category gene and the rank gene of each threshold, by the name of the hand."""
HAND_NAMES = {hand: name for name, hand in HAND_GENES.items()}
LEAST_RANKS = (2, 2, 3, 2, 5, 7, 2, 2, 5)  # the lowest rank that hands of each category have
LARGEST_AMOUNT = 10**6  # of chips in a gene; a stack of limit hold'em is far smaller
ANYTHING = "anything"
BET_PHRASES = {
    "round": "try to bet {:g} chips",
    "price": "try to make a call cost {:g} chips",
    "hand": "try to put {:g} chips into the hand",
}
"""The preferred amount in words, by `RuleEncoding.amount`."""


def make_rule_genome(
    *,
    preflop: Sequence[float],
    flop: Sequence[float],
    turn: Sequence[float],
    river: Sequence[float],
    bluff: float = 0.0,
    check_raise: float = 0.0,
) -> Floats:
    """Return the genome of a rule player that is written by hand.

    Parameters
    ----------
    preflop, flop, turn, river : sequence of float, length 10
        The ten genes of each street, such as `make_street_genes` returns.
    bluff, check_raise : float
        The probabilities of a bluff and of a check-raise, 0 to 1.

    Returns
    -------
    ndarray of shape (42,)
        The two probabilities, followed by the genes of the four streets.

    Raises
    ------
    SettingError
        If a probability is out of range.
    ShapeError
        If a street does not have ten numbers.

    Examples
    --------
    >>> from pokerlab.holdem import RuleEncoding
    >>> later = make_street_genes("a pair of aces", "a pair of aces", bet=4, call=8, bets_all=True)
    >>> pairs = make_street_genes("a pair of twos", "a pair of tens", bet=2, call=4)
    >>> genome = make_rule_genome(preflop=pairs, flop=later, turn=later, river=later)
    >>> print(RuleEncoding().describe(genome).split(" Flop")[0])  # doctest: +NORMALIZE_WHITESPACE
    Bluff in 0% of the hands, check-raise in 0% of the hands. Preflop: play on with any pair: try to
    bet 2 chips, call up to 4. With a pair of tens or better, call any bet. Otherwise fold.
    """
    probabilities = [
        validate_number("bluff", bluff, 0.0, 1.0),
        validate_number("check_raise", check_raise, 0.0, 1.0),
    ]
    streets = {"preflop": preflop, "flop": flop, "turn": turn, "river": river}
    genes_by_street = [validate_street_genes(street, genes) for street, genes in streets.items()]
    return np.concatenate([probabilities, *genes_by_street])


def validate_street_genes(street: str, genes: ArrayLike) -> Floats:
    """Return the ten genes of one street as an array, after checking that they are ten finite numbers.

    Parameters
    ----------
    street : str
        The name of the street in the error message.
    genes : array_like of shape (10,)
        The genes.

    Returns
    -------
    ndarray of shape (10,)
        The genes.

    Raises
    ------
    ShapeError
        If they are not GENES_A_STREET = 10 finite numbers.
    """
    numbers = validate_numbers(genes, f"genes of {street}")
    if numbers.shape != (GENES_A_STREET,) or not np.isfinite(numbers).all():
        raise ShapeError(
            f"{street} is {quote_value(genes)}; give {GENES_A_STREET} numbers, such as make_street_genes() returns."
        )
    return numbers


def make_street_genes(
    stay: str,
    strong: str,
    *,
    bet: int,
    call: int,
    bets_all: bool = False,
    board_bit: bool = False,
    waits_for: Sequence[str] = (),
) -> tuple[float, ...]:
    """Return the ten genes of a street of a rule genome.

    Parameters
    ----------
    stay, strong : str
        The weakest hand with which the player stays, and the weakest hand that counts as strong. Hands are written as
        'king high', 'a pair of sixes', 'two pair, tens up', 'three aces', 'a straight to the nine',
        'a flush to the queen', 'a full house of twos', and so on.
    bet, call : int
        The amount up to which the player raises, and the most that it calls, 0 to 1,000,000 chips.
    bets_all : bool
        Whether the player bets strong hands as much as possible.
    board_bit : bool
        The flag for hands that do not beat the board. The setting `board_bit` of `RuleEncoding` decides its effect.
    waits_for : sequence of str
        'straight', 'flush' or both: the player stays with a hand that lacks one card for these.

    Returns
    -------
    tuple of 10 float
        The category and the rank of both thresholds, the two amounts, and the four flags.

    Raises
    ------
    SettingError
        If an amount is out of range, or a flag is not a bool.
    UnknownNameError
        If a hand or a draw has an unknown name.
    """
    for hand in (stay, strong):
        UnknownNameError.check("hand", hand, HAND_GENES)
    validate_integer("bet", bet, 0, LARGEST_AMOUNT)
    validate_integer("call", call, 0, LARGEST_AMOUNT)
    if not isinstance(waits_for, list | tuple | set | frozenset):
        raise SettingError(
            f"waits_for is {quote_value(waits_for)}; give a tuple, such as ('flush',)."
        )
    for draw in waits_for:
        UnknownNameError.check("hand to wait for", draw, ("straight", "flush"))
    minimum_category, minimum_rank = HAND_GENES[stay]
    strong_category, strong_rank = HAND_GENES[strong]
    return (
        minimum_category,
        minimum_rank,
        strong_category,
        strong_rank,
        bet,
        call,
        validate_bool("bets_all", bets_all),
        validate_bool("board_bit", board_bit),
        "straight" in waits_for,
        "flush" in waits_for,
    )


def describe_genome(
    genome: Sequence[float],
    *,
    board_bit: str,
    check_raise_draw: str,
    check_raise_cards: str,
    amount: str,
) -> str:
    """Return a paragraph that describes the rules of a genome.

    Parameters
    ----------
    genome : sequence of 42 float
        The genome.
    board_bit : {'veto', 'license', 'ignored'}
        The meaning of the flag about hands that are no better than the board.
    check_raise_draw : {'hand', 'round'}
        Whether a check-raise is drawn once a hand or once a round.
    check_raise_cards : {'any', 'strong'}
        Whether a player check-raises with any hand that it would bet, or with strong ones only.
    amount : {'round', 'price', 'hand'}
        What the two amounts of a street count: the chips of the round, the cost of a call, or the chips of the hand.

    Returns
    -------
    str
        A sentence about bluffs and check-raises, then the rules of each street.
    """
    bluff, check_raise = (f"{round(100 * gene, 1):g}%" for gene in genome[:FIRST_OF_STREETS])
    condition = ", only with strong cards" if check_raise_cards == "strong" else ""
    paragraphs = [
        f"Bluff in {bluff} of the hands, check-raise in {check_raise} of the {check_raise_draw}s{condition}."
    ]
    for street, name in enumerate(STREETS):
        first_gene = FIRST_OF_STREETS + GENES_A_STREET * street
        genes = genome[first_gene : first_gene + GENES_A_STREET]
        sentences = describe_street_genes(street, genes, board_bit, amount)
        paragraphs.append(f"{name.capitalize()}: {'. '.join(sentences)}.")
    return " ".join(paragraphs)


def describe_street_genes(
    street: int, genes: Sequence[float], board_bit: str, amount: str
) -> list[str]:
    """Return sentences, without full stops, that describe the ten genes of a street.

    Parameters
    ----------
    street : int
        0 (preflop) to 3 (river).
    genes : sequence of 10 float
        The genes of the street.
    board_bit : {'veto', 'license', 'ignored'}
        The meaning of the flag about hands that are no better than the board.
    amount : {'round', 'price', 'hand'}
        What the two amounts count: the chips of the round, the cost of a call, or the chips of the hand.

    Returns
    -------
    list of str
        What the player does with hands that are good enough to stay, with strong hands, and with all others. A sentence
        that does not apply is left out.
    """
    has_board = street > PREFLOP
    bit = bool(genes[BOARD_BIT])
    must_beat_board = has_board and board_bit == "veto" and not bit
    condition = " that beats the board" if must_beat_board else ""
    minimum = describe_threshold(genes[MINIMUM_CATEGORY], genes[MINIMUM_RANK], has_board)
    strong = describe_threshold(genes[STRONG_CATEGORY], genes[STRONG_RANK], has_board)
    minimum, strong = minimum + condition, strong + condition

    # The hands that stay without being strong.
    staying_hands = []
    minimum_threshold = tuple(genes[MINIMUM_CATEGORY:STRONG_CATEGORY])
    strong_threshold = tuple(genes[STRONG_CATEGORY:PREFERRED])
    if minimum_threshold < strong_threshold:
        staying_hands.append(f"with {minimum}")
    if has_board and board_bit == "license" and bit:
        staying_hands.append("with whatever beats the board")
    awaited_hands = list_awaited_hands(genes) if street in (FLOP, TURN) else []
    if awaited_hands:
        staying_hands.append(f"in any event one card short of {' or '.join(awaited_hands)}")

    bet, call = describe_bet_and_call(genes[PREFERRED], genes[MAXIMUM], amount)
    when_strong = "bet as much as possible" if genes[BETS_ALL] else "call any bet"
    if staying_hands:
        sentences = [
            f"play on {', or '.join(staying_hands)}: {bet}, {call}",
            f"With {strong}, {when_strong}",
        ]
    elif genes[BETS_ALL]:
        sentences = [f"with {strong}, {when_strong}"]
    else:
        sentences = [f"with {strong}, {bet}, {when_strong}"]
    if ANYTHING not in (minimum, strong):
        sentences.append("Otherwise fold")
    return sentences


def describe_threshold(category: float, rank: float, has_board: bool) -> str:
    """Return the words for all hands that reach a threshold.

    Parameters
    ----------
    category, rank : float
        The two genes of the threshold: an index in `CATEGORIES`, and a rank from 2 to 14.
    has_board : bool
        Whether there is a board, so that hands above a pair are possible.
    """
    if category == HIGH_CARD and rank == LOWEST_RANK:
        return ANYTHING
    if category == HIGH_CARD and not has_board:
        rank_word = RANK_WORDS[int(rank) - LOWEST_RANK]
        return "an ace or a pair" if rank_word == "ace" else f"{rank_word} high or better"
    if rank <= LEAST_RANKS[int(category)]:
        return f"any {CATEGORIES[int(category)]}{' or better' if has_board else ''}"
    return f"{HAND_NAMES[int(category), int(rank)]} or better"


def list_awaited_hands(genes: Sequence[float]) -> list[str]:
    """Return the hands for which a player stays on a street if it lacks one card: a straight, a flush, both or none.

    Parameters
    ----------
    genes : sequence of 10 float
        The genes of the street, which have a flag for each of the two hands.

    Returns
    -------
    list of str
        The names of the hands, none to two.
    """
    flags = {"a straight": WAITS_FOR_STRAIGHT, "a flush": WAITS_FOR_FLUSH}
    return [hand for hand, flag in flags.items() if genes[flag]]


def describe_bet_and_call(preferred: float, maximum: float, amount: str) -> tuple[str, str]:
    """Return in words how much a player bets on a street, and how much it calls.

    Parameters
    ----------
    preferred, maximum : float
        The genes of the amount to bet and of the most to call, in chips.
    amount : {'round', 'price', 'hand'}
        What the two amounts count: the chips of the round, the cost of a call, or the chips of the hand.

    Returns
    -------
    bet, call : str
        Two parts of a sentence, such as 'try to bet 2 chips' and 'call up to 4'.
    """
    if not preferred:
        return "never bet", f"call up to {maximum:g} chips" if maximum else "fold to any bet"
    call = f"call up to {maximum:g}" if maximum >= preferred else "fold to more"
    return BET_PHRASES[amount].format(preferred), call


BOARD_BITS = ("veto", "license", "ignored")
CHECK_RAISE_DRAWS = ("hand", "round")
CHECK_RAISE_CARDS = ("any", "strong")
AMOUNT_KINDS = ("round", "price", "hand")
"""The names of the choices of settings, in the order of their values in kernels."""
STARTS = ("dealt", "uniform")
ACE_GENE = LOWEST_RANK + NUM_RANKS - 1


class Locus(NamedTuple):
    """The place of a gene in the rule genome, with the meaning of the gene.

    Attributes
    ----------
    name : str
        The meaning of the gene.
    street : str or None
        The street on which it counts; None for the two probabilities.
    kind : int
        PROBABILITY, RANK, AMOUNT or FLAG. A RANK is the category of a hand, or a rank from 2 to ace = 14.
    """

    name: str
    street: str | None
    kind: int


STREET_LOCI = (
    ("least category to stay", RANK),
    ("rank of it", RANK),
    ("least category called strong", RANK),
    ("rank of it", RANK),
    ("amount to bet", AMOUNT),
    ("most to call", AMOUNT),
    ("bets as much as possible when strong", FLAG),
    ("board bit", FLAG),
    ("waits one card short of a straight", FLAG),
    ("waits one card short of a flush", FLAG),
)
LOCI = (
    Locus("bluffs", None, PROBABILITY),
    Locus("check-raises", None, PROBABILITY),
    *(Locus(name, street, kind) for street in STREETS for name, kind in STREET_LOCI),
)


@explain_renamed_attributes
@dataclass(frozen=True, kw_only=True)
class RuleEncoding(CheckedSettings):
    """The encoding of rule genomes: the meanings of their 42 genes, and random first genomes.

    Our copy of the paper lacks some words, such as negations, and other parts of the text are missing or can be
    understood in several ways. The settings choose among the possible meanings.

    Examples
    --------
    >>> encoding = RuleEncoding()
    >>> genomes = encoding.draw_genomes(np.random.default_rng(1), count=10)
    >>> genomes.shape, encoding.loci[2].name, encoding.loci[2].street
    ((10, 42), 'least category to stay', 'preflop')
    >>> from pokerlab.holdem import limit, ring_game
    >>> game = ring_game(limit(2), seats=len(genomes), stacks=200)
    >>> played = game.play(encoding.make_players(genomes), 20, seed=1)
    >>> int(played.won.sum())
    0
    >>> print(encoding.describe(genomes[0]).split(". ")[0])
    Bluff in 68.1% of the hands, check-raise in 44% of the hands
    """

    board_bit: str = unprinted_setting(
        "veto",
        "After the flop, a hand no better than the board: with 'veto' it does not stay if the second flag of the"
        " street is off, however strong it is (a bluff may); with 'license' only a hand below the minimum that"
        " beats the board stays if the flag is on.",
        source="our completion of Noble & Watson 2001, section 3",
        choices=BOARD_BITS,
    )
    check_raise_draw: str = unprinted_setting(
        "hand",
        "How often a player draws whether it check-raises; a round is all that one opportunity can change.",
        label="Check-raise drawn each",
        source="Noble & Watson 2001, section 3, is silent",
        choices=CHECK_RAISE_DRAWS,
    )
    check_raise_cards: str = unprinted_setting(
        "any",
        "Whether a player check-raises with any hand that it would bet, or with strong ones.",
        label="Check-raise with",
        source="Noble & Watson 2001, section 3, is silent",
        choices=CHECK_RAISE_CARDS,
    )
    amount: str = unprinted_setting(
        "round",
        "Chips put into this round, the price of the call, or chips put into the hand.",
        label="Amounts are",
        source="our reading of Noble & Watson 2001, section 3",
        choices=AMOUNT_KINDS,
    )
    start: str = unprinted_setting(
        "dealt",
        "What cards dealt for each street make, or category and rank drawn by themselves.",
        label="Start of thresholds",
        choices=STARTS,
    )
    largest_early: int = unprinted_setting(
        16,
        "The most chips that an amount gene can say before the turn: twice what a round can cost.",
        label="Largest amount before the turn",
        unit="chips",
        within=(1, LARGEST_AMOUNT),
    )
    largest_late: int = unprinted_setting(
        32,
        "The most chips that an amount gene can say from the turn on.",
        label="Largest amount from the turn on",
        unit="chips",
        within=(1, LARGEST_AMOUNT),
    )

    @property
    def num_genes(self) -> int:
        """The number of genes of a genome, 42."""
        return NUM_GENES

    @property
    def loci(self) -> tuple[Locus, ...]:
        """The meaning, the street and the kind of each gene, a tuple of 42 `Locus`."""
        return LOCI

    @property
    def kinds(self) -> Ints:
        """The kind of each gene, an array of shape (42,): PROBABILITY, RANK, AMOUNT or FLAG."""
        return np.array([locus.kind for locus in LOCI])

    @property
    def low(self) -> Floats:
        """The smallest value of each gene, an array of shape (42,): 2 for ranks, and 0 for all other genes."""
        low = np.zeros(NUM_GENES)
        low[find_street_loci(MINIMUM_RANK, STRONG_RANK)] = LOWEST_RANK
        return low

    @property
    def high(self) -> Floats:
        """The largest value of each gene, an array of shape (42,).

        A gene that holds a category of hands is at most a straight flush. Before the flop it is at most a pair, because
        two cards make nothing better. Amounts have one limit up to the flop, and another one from the turn on.
        """
        high = np.ones(NUM_GENES)
        categories = find_street_loci(MINIMUM_CATEGORY, STRONG_CATEGORY)
        high[categories] = STRAIGHT_FLUSH
        high[categories[PREFLOP]] = PAIR
        high[find_street_loci(MINIMUM_RANK, STRONG_RANK)] = ACE_GENE
        amounts = find_street_loci(PREFERRED, MAXIMUM)
        high[amounts[:TURN]] = self.largest_early
        high[amounts[TURN:]] = self.largest_late
        return high

    def draw_genomes(self, generator: np.random.Generator, count: int) -> Floats:
        """Return `count` random genomes for a first generation, one in each row.

        Probabilities, amounts and flags are uniformly distributed. The setting `start` decides whether thresholds are
        hands that are dealt, or have a uniformly distributed category and rank.

        Parameters
        ----------
        generator : Generator
            The source of random numbers.
        count : int
            The number of genomes.

        Returns
        -------
        ndarray of shape (count, 42)
            The genomes.

        Raises
        ------
        SettingError
            If `count` is negative or not a whole number.
        """
        validate_integer("count", count, 0)
        num_values = self.high + 1.0 - self.low
        genomes = np.floor(self.low + num_values * generator.random((count, NUM_GENES)))
        genomes[:, :FIRST_OF_STREETS] = generator.random((count, FIRST_OF_STREETS))
        if self.start == "uniform":
            return genomes

        # For each genome, street and threshold a shuffled deck: first the hole cards, then the board.
        num_thresholds = 2
        decks_shape = (count, len(STREETS), num_thresholds, NUM_CARDS)
        decks = generator.random(decks_shape).argsort(axis=-1)
        for street, board_size in enumerate(BOARD_SIZES):
            cards = decks[:, street]
            made_hands = find_hand_features(cards[..., :2], cards[..., 2 : 2 + board_size])
            category_genes = find_street_loci(MINIMUM_CATEGORY, STRONG_CATEGORY)[street]
            genomes[:, category_genes] = made_hands.category
            genomes[:, category_genes + 1] = made_hands.rank + LOWEST_RANK
        return genomes

    def validate_genomes(self, genomes: ArrayLike) -> Floats:
        """Return one genome or several as the rows of an array, after checking that genes are in their ranges.

        Parameters
        ----------
        genomes : array_like of shape (42,) or (n, 42)
            One genome, or n genomes.

        Returns
        -------
        ndarray of shape (n, 42)
            The genomes.

        Raises
        ------
        ShapeError
            If a genome does not have 42 genes.
        SettingError
            If a gene is out of its range, or is not a whole number although it is not a probability.
        """
        rows: Floats = validate_genomes(
            genomes,
            NUM_GENES,
            "a rule genome",
            low=self.low,
            high=self.high,
            is_whole=self.kinds != PROBABILITY,
            gene_labels=[f"{street}: {name}" if street else name for name, street, _ in LOCI],
        )
        return rows

    def make_players(
        self, genomes: ArrayLike, names: Sequence[str] | None = None
    ) -> list[CompiledPlayer]:
        """Return a player for each genome.

        Parameters
        ----------
        genomes : array_like of shape (42,) or (n, 42)
            One genome, or n genomes.
        names : sequence of str, optional
            The names of the players. By default they are 'rules 0', 'rules 1', ...

        Returns
        -------
        list of CompiledPlayer
            The players, in the order of the genomes.

        Raises
        ------
        ShapeError
            If a genome does not have 42 genes, or there is not one name for each.
        SettingError
            If a gene is out of its range.
        """
        setting_numbers = (
            BOARD_BITS.index(self.board_bit),
            CHECK_RAISE_DRAWS.index(self.check_raise_draw),
            CHECK_RAISE_CARDS.index(self.check_raise_cards),
            AMOUNT_KINDS.index(self.amount),
        )
        rows = [np.append(row, setting_numbers) for row in self.validate_genomes(genomes)]
        return make_compiled_players(
            write_rule_actions, rows, names, name_prefix="rules", parameters_noun="genomes"
        )

    def describe(self, genome: ArrayLike) -> str:
        """Return a paragraph that describes the rules of one genome.

        Parameters
        ----------
        genome : array_like of shape (42,)
            The genome.

        Raises
        ------
        ShapeError
            If it is not one genome of 42 genes.
        SettingError
            If a gene is out of its range.
        """
        rows = self.validate_genomes(genome)
        if len(rows) != 1:
            raise ShapeError(f"{len(rows)} genomes are given; describe one at a time.")
        return describe_genome(
            rows[0].tolist(),
            board_bit=self.board_bit,
            check_raise_draw=self.check_raise_draw,
            check_raise_cards=self.check_raise_cards,
            amount=self.amount,
        )


def find_street_loci(*gene_indices: int) -> Ints:
    """Return where some genes of a street are in the genome, for all streets.

    Parameters
    ----------
    *gene_indices : int
        The indices of k genes among the ten genes of a street, such as PREFERRED and MAXIMUM.

    Returns
    -------
    ndarray of int64, shape (4, k)
        The indices in the genome, with a row for each street.
    """
    first_of_streets = np.arange(FIRST_OF_STREETS, NUM_GENES, GENES_A_STREET)
    loci: Ints = first_of_streets[:, None] + np.array(gene_indices)
    return loci
