"""Rule genomes in words: written by hand street by street, and read aloud as a player would say them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, SettingError, ShapeError, UnknownNameError
from pokerlab.core.arrays import read_numbers
from pokerlab.core.errors import in_short
from pokerlab.core.settings import number, switch, whole
from pokerlab.holdem.cards.deck import STREETS
from pokerlab.holdem.equity.draws import HIGH_CARD
from pokerlab.holdem.genomes import rule_decision as loci
from pokerlab.holdem.genomes.rule_decision import FIRST_OF_STREETS, GENES_A_STREET, LOWEST_RANK
from pokerlab.holdem.strength.tables import CATEGORIES

ONE = (
    *("two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)
"""A card of each rank, from `LOWEST_RANK` on."""
MANY = [f"{rank}es" if rank == "six" else f"{rank}s" for rank in ONE]
PATTERNS = (
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
"""How players name the hands of each of `CATEGORIES`."""
HANDS = {
    pattern.format(one=one, many=many): (category, rank)
    for category, pattern in enumerate(PATTERNS)
    for rank, (one, many) in enumerate(zip(ONE, MANY, strict=True), LOWEST_RANK)
}
"""For the name of a threshold its category gene and its rank gene."""
NAMES = {hand: name for name, hand in HANDS.items()}
LEAST_RANKS = (2, 2, 3, 2, 5, 7, 2, 2, 5)  # the lowest rank that hands of each category have
LARGEST_AMOUNT = 10**6  # of chips in a gene; a stack of limit hold'em is far smaller
ANYTHING = "anything"
BETS = {
    "round": "try to bet {:g} chips",
    "price": "try to make a call cost {:g} chips",
    "hand": "try to put {:g} chips into the hand",
}
"""The preferred amount, by `RuleEncoding.amount`."""


def rules(
    *,
    preflop: Sequence[float],
    flop: Sequence[float],
    turn: Sequence[float],
    river: Sequence[float],
    bluff: float = 0.0,
    check_raise: float = 0.0,
) -> Floats:
    """Return the genome, (42,), of rules written by hand.

    Parameters
    ----------
    preflop, flop, turn, river : sequence of float, length 10
        What to do on each street, from `street`.
    bluff, check_raise : float
        Probabilities, 0 to 1.

    Examples
    --------
    >>> from pokerlab.strategies import RuleEncoding
    >>> later = street("a pair of aces", "a pair of aces", bet=4, call=8, bets_all=True)
    >>> pairs = street("a pair of twos", "a pair of tens", bet=2, call=4)
    >>> genome = rules(preflop=pairs, flop=later, turn=later, river=later)
    >>> print(RuleEncoding().describe(genome).split(" Flop")[0])  # doctest: +NORMALIZE_WHITESPACE
    Bluff in 0% of the hands, check-raise in 0% of the hands. Preflop: play on with any pair: try to
    bet 2 chips, call up to 4. With a pair of tens or better, call any bet. Otherwise fold.
    """
    chances = [number("bluff", bluff, 0.0, 1.0), number("check_raise", check_raise, 0.0, 1.0)]
    streets = {"preflop": preflop, "flop": flop, "turn": turn, "river": river}
    genes = [genes_of_street(name, given) for name, given in streets.items()]
    return np.concatenate([chances, *genes])


def genes_of_street(name: str, given: ArrayLike) -> Floats:
    """Return the genes, (10,), of the street called `name`; refuse anything but ten numbers."""
    genes = read_numbers(given, f"genes of {name}")
    if genes.shape != (GENES_A_STREET,) or not np.isfinite(genes).all():
        raise ShapeError(
            f"{name} is {in_short(given)}; give {GENES_A_STREET} numbers, such as street() returns."
        )
    return genes


def street(
    stay: str,
    strong: str,
    *,
    bet: int,
    call: int,
    bets_all: bool = False,
    board_bit: bool = False,
    waits_for: Sequence[str] = (),
) -> tuple[float, ...]:
    """Return the ten genes of a street.

    Parameters
    ----------
    stay, strong : str
        The least hands to play on with and to call strong: 'king high', 'a pair of sixes', 'two pair, tens up',
        'three aces', 'a straight to the nine', 'a flush to the queen', 'a full house of twos', and so on.
    bet, call : int
        The amount up to which to raise, and the most to call, 0 to 1,000,000 chips.
    bets_all : bool
        Whether to bet strong hands as much as possible.
    board_bit : bool
        The flag that stands for staying, or not, when the board is as good.
    waits_for : sequence of str
        'straight', 'flush' or both: with what to stay when one card is missing.
    """
    for hand in (stay, strong):
        UnknownNameError.check("hand", hand, HANDS)
    whole("bet", bet, 0, LARGEST_AMOUNT)
    whole("call", call, 0, LARGEST_AMOUNT)
    if not isinstance(waits_for, list | tuple | set | frozenset):
        raise SettingError(f"waits_for is {in_short(waits_for)}; give a tuple, such as ('flush',).")
    for draw in waits_for:
        UnknownNameError.check("hand to wait for", draw, ("straight", "flush"))
    flags = switch("bets_all", bets_all), switch("board_bit", board_bit)
    waits = "straight" in waits_for, "flush" in waits_for
    return (*HANDS[stay], *HANDS[strong], bet, call, *flags, *waits)


def in_words(genome: Sequence[float], *, board_bit: str, draw: str, cards: str, amount: str) -> str:
    """Return a genome as a paragraph; the readings are those of `RuleEncoding`."""
    bluff, check_raise = (f"{round(100 * chance, 1):g}%" for chance in genome[:FIRST_OF_STREETS])
    only = ", only with strong cards" if cards == "strong" else ""
    lines = [f"Bluff in {bluff} of the hands, check-raise in {check_raise} of the {draw}s{only}."]
    for index, name in enumerate(STREETS):
        first = FIRST_OF_STREETS + GENES_A_STREET * index
        sentences = of_street(index, genome[first : first + GENES_A_STREET], board_bit, amount)
        lines.append(f"{name.capitalize()}: {'. '.join(sentences)}.")
    return " ".join(lines)


def of_street(index: int, genes: Sequence[float], board_bit: str, amount: str) -> list[str]:
    """Return what the ten genes of a street say, as sentences without their ends."""
    has_board, bit = index > 0, bool(genes[loci.BOARD_BIT])
    beating = " that beats the board" if has_board and board_bit == "veto" and not bit else ""
    least, strong = (
        or_better(genes[place], genes[place + 1], has_board) + beating
        for place in (loci.MINIMUM_CATEGORY, loci.STRONG_CATEGORY)
    )
    good = []
    if tuple(genes[: loci.STRONG_CATEGORY]) < tuple(genes[loci.STRONG_CATEGORY : loci.PREFERRED]):
        good.append(f"with {least}")
    if has_board and board_bit == "license" and bit:
        good.append("with whatever beats the board")
    waits = {"a straight": loci.WAITS_FOR_STRAIGHT, "a flush": loci.WAITS_FOR_FLUSH}
    short = [hand for hand, place in waits.items() if index in (1, 2) and genes[place]]
    if short:
        good.append(f"in any event one card short of {' or '.join(short)}")
    betting, most = bets_in_words(genes[loci.PREFERRED], genes[loci.MAXIMUM], amount)
    how = "bet as much as possible" if genes[loci.BETS_ALL] else "call any bet"
    if not good:
        how = how if genes[loci.BETS_ALL] else f"{betting}, {how}"
        told = [f"with {strong}, {how}"]
    else:
        told = [f"play on {', or '.join(good)}: {betting}, {most}", f"With {strong}, {how}"]
    return told if ANYTHING in (least, strong) else [*told, "Otherwise fold"]


def or_better(category: float, rank: float, has_board: bool) -> str:
    """Return in words which hands reach a threshold."""
    if category == HIGH_CARD and rank == LOWEST_RANK:
        return ANYTHING
    if category == HIGH_CARD and not has_board:
        one = ONE[int(rank) - LOWEST_RANK]
        return "an ace or a pair" if one == "ace" else f"{one} high or better"
    if rank <= LEAST_RANKS[int(category)]:
        return f"any {CATEGORIES[int(category)]}{' or better' if has_board else ''}"
    return f"{NAMES[int(category), int(rank)]} or better"


def bets_in_words(preferred: float, maximum: float, amount: str) -> tuple[str, str]:
    """Return in words what a player bets, and what it calls then."""
    if not preferred:
        return "never bet", f"call up to {maximum:g} chips" if maximum else "fold to any bet"
    most = f"call up to {maximum:g}" if maximum >= preferred else "fold to more"
    return BETS[amount].format(preferred), most
