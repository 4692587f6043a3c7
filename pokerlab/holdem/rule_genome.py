"""The rule genome: a limit player in 42 genes, as Noble & Watson (2001) evolve it.

Two genes are probabilities, of a bluff and of a check-raise. Each street has ten more: the least
cards to play on with, the cards to call strong, the amount to bet, the most to call, and four flags
(section 3). The copy of the paper that we have lost its digits and its small words, so that
parts of the rule are open; `RuleEncoding` has a setting for each.

A rule genome rates the cards, compares the price with two amounts, and maybe lies. `rating` looks at the cards: too
weak to stay, good enough, or strong; a bluffer says strong without a look. `decision` bets: good cards raise until
the betting reaches the preferred amount, call up to the maximum, and fold to more; strong cards never fold, and may
raise forever. Who means to check-raise checks cards that it would have bet, and raises when a bet comes round.

The numbers of a player are the 42 genes, then one for each reading of the paper that the text leaves open.

`street` and `rules` write rule genomes by hand, and `in_words` reads them aloud as a player would say them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, Ints, SettingError, ShapeError, UnknownNameError, inlined, kernel
from pokerlab.core.arrays import checked_numbers
from pokerlab.core.errors import in_short
from pokerlab.core.settings import Checked, checked_bool, number, unprinted, whole
from pokerlab.holdem import table_view as at
from pokerlab.holdem.cards import BOARD_SIZES, NUM_CARDS, NUM_RANKS, PREFLOP, RIVER, STREETS, TURN
from pokerlab.holdem.draws import (
    HIGH_CARD,
    PAIR,
    STRAIGHT_FLUSH,
    made_of,
    needs_flush,
    needs_straight,
    standing,
)
from pokerlab.holdem.hand import CALL, FOLD
from pokerlab.holdem.hand_rankings import CARD_BITS, CATEGORIES
from pokerlab.holdem.players import CompiledPlayer, Rows, compiled_players
from pokerlab.holdem.table_view import Luck, hand_luck
from pokerlab.strategies.encoding import AMOUNT, FLAG, PROBABILITY, RANK, read_genomes

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
    >>> from pokerlab.holdem import RuleEncoding
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
    genes = checked_numbers(given, f"genes of {name}")
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
    flags = checked_bool("bets_all", bets_all), checked_bool("board_bit", board_bit)
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
    has_board, bit = index > 0, bool(genes[BOARD_BIT])
    beating = " that beats the board" if has_board and board_bit == "veto" and not bit else ""
    least, strong = (
        or_better(genes[place], genes[place + 1], has_board) + beating
        for place in (MINIMUM_CATEGORY, STRONG_CATEGORY)
    )
    good = []
    if tuple(genes[:STRONG_CATEGORY]) < tuple(genes[STRONG_CATEGORY:PREFERRED]):
        good.append(f"with {least}")
    if has_board and board_bit == "license" and bit:
        good.append("with whatever beats the board")
    waits = {"a straight": WAITS_FOR_STRAIGHT, "a flush": WAITS_FOR_FLUSH}
    short = [hand for hand, place in waits.items() if index in (1, 2) and genes[place]]
    if short:
        good.append(f"in any event one card short of {' or '.join(short)}")
    betting, most = bets_in_words(genes[PREFERRED], genes[MAXIMUM], amount)
    how = "bet as much as possible" if genes[BETS_ALL] else "call any bet"
    if not good:
        how = how if genes[BETS_ALL] else f"{betting}, {how}"
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


BOARD_BITS, DRAWS = ("veto", "license", "ignored"), ("hand", "round")
CARDS, AMOUNTS = ("any", "strong"), ("round", "price", "hand")
"""The readings, in the order of their numbers in the kernels."""
STARTS = ("dealt", "uniform")
HIGHEST_RANK = LOWEST_RANK + NUM_RANKS - 1


class Locus(NamedTuple):
    """A place in the genome."""

    name: str  # what its gene says
    street: str | None  # where it counts; None for the two probabilities
    kind: int  # a `RANK` is a category, or a rank from 2 to ace = 14


OF_A_STREET = (
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
    *(Locus(name, street, kind) for street in STREETS for name, kind in OF_A_STREET),
)


@dataclass(frozen=True, kw_only=True)
class RuleEncoding(Checked):
    """What the 42 genes of a rule genome mean, and where they begin.

    Where the paper loses a sentence's negations, is silent, or can be read in several ways, a setting says how.

    Examples
    --------
    >>> encoding = RuleEncoding()
    >>> genomes = encoding.random(np.random.default_rng(1), count=10)
    >>> genomes.shape, encoding.loci[2].name, encoding.loci[2].street
    ((10, 42), 'least category to stay', 'preflop')
    >>> from pokerlab.holdem import limit, ring_game
    >>> game = ring_game(limit(2), seats=len(genomes), stacks=200)
    >>> played = game.play(encoding.players(genomes), 20, seed=1)
    >>> int(played.won.sum())
    0
    >>> print(encoding.describe(genomes[0]).split(". ")[0])
    Bluff in 68.1% of the hands, check-raise in 44% of the hands
    """

    board_bit: str = unprinted(
        "veto",
        "After the flop, a hand no better than the board: with 'veto' it does not stay if the second flag of the"
        " street is off, however strong it is (a bluff may); with 'license' only a hand below the minimum that"
        " beats the board stays if the flag is on.",
        source="our completion of Noble & Watson 2001, section 3",
        choices=BOARD_BITS,
    )
    check_raise_draw: str = unprinted(
        "hand",
        "How often a player draws whether it check-raises; a round is all that one opportunity can change.",
        label="Check-raise drawn each",
        source="Noble & Watson 2001, section 3, is silent",
        choices=DRAWS,
    )
    check_raise_cards: str = unprinted(
        "any",
        "Whether a player check-raises with any hand that it would bet, or with strong ones.",
        label="Check-raise with",
        source="Noble & Watson 2001, section 3, is silent",
        choices=CARDS,
    )
    amount: str = unprinted(
        "round",
        "Chips put into this round, the price of the call, or chips put into the hand.",
        label="Amounts are",
        source="our reading of Noble & Watson 2001, section 3",
        choices=AMOUNTS,
    )
    start: str = unprinted(
        "dealt",
        "What cards dealt for each street make, or category and rank drawn by themselves.",
        label="Start of thresholds",
        choices=STARTS,
    )
    largest_early: int = unprinted(
        16,
        "The most chips that an amount gene can say before the turn: twice what a round can cost.",
        label="Largest amount before the turn",
        unit="chips",
        within=(1, LARGEST_AMOUNT),
    )
    largest_late: int = unprinted(
        32,
        "The most chips that an amount gene can say from the turn on.",
        label="Largest amount from the turn on",
        unit="chips",
        within=(1, LARGEST_AMOUNT),
    )

    @property
    def num_genes(self) -> int:
        """G: 42."""
        return NUM_GENES

    @property
    def loci(self) -> tuple[Locus, ...]:
        """What each gene is, (G,)."""
        return LOCI

    @property
    def kinds(self) -> Ints:
        """The kind of each gene, (G,)."""
        return np.array([locus.kind for locus in LOCI])

    @property
    def low(self) -> Floats:
        """The smallest value of each gene, (G,)."""
        low = np.zeros(NUM_GENES)
        low[of_streets(MINIMUM_CATEGORY + 1, STRONG_CATEGORY + 1)] = LOWEST_RANK
        return low

    @property
    def high(self) -> Floats:
        """The largest value of each gene, (G,); two cards before the flop make a pair at best."""
        high = np.ones(NUM_GENES)
        high[of_streets(MINIMUM_CATEGORY, STRONG_CATEGORY)] = STRAIGHT_FLUSH
        high[of_streets(MINIMUM_CATEGORY, STRONG_CATEGORY)[0]] = PAIR
        high[of_streets(MINIMUM_CATEGORY + 1, STRONG_CATEGORY + 1)] = HIGHEST_RANK
        amounts = of_streets(PREFERRED, PREFERRED + 1)
        high[amounts[:TURN]] = self.largest_early
        high[amounts[TURN:]] = self.largest_late
        return high

    def random(self, generator: np.random.Generator, count: int) -> Floats:
        """Return `count` genomes, (count, G), as an evolution begins with.

        Probabilities, amounts and flags are uniform; thresholds as `start` says.
        """
        whole("count", count, 0)
        places = self.high + 1.0 - self.low
        genomes = np.floor(self.low + places * generator.random((count, NUM_GENES)))
        genomes[:, :FIRST_OF_STREETS] = generator.random((count, FIRST_OF_STREETS))
        if self.start == "dealt":
            decks = generator.random((count, len(STREETS), 2, NUM_CARDS)).argsort(axis=-1)
            for street, board_size in enumerate(BOARD_SIZES):
                cards = decks[:, street]
                stands = standing(cards[..., :2], cards[..., 2 : 2 + board_size])
                categories = of_streets(MINIMUM_CATEGORY, STRONG_CATEGORY)[street]
                genomes[:, categories] = stands.category
                genomes[:, categories + 1] = stands.rank + LOWEST_RANK
        return genomes

    def checked(self, genomes: ArrayLike) -> Floats:
        """Return genomes, (G,) or (k, G), of genes that have a meaning as rows, (k, G)."""
        rows: Floats = read_genomes(
            genomes,
            NUM_GENES,
            "a rule genome",
            low=self.low,
            high=self.high,
            is_whole=self.kinds != PROBABILITY,
            names=[f"{street}: {name}" if street else name for name, street, _ in LOCI],
        )
        return rows

    def players(
        self, genomes: ArrayLike, names: Sequence[str] | None = None
    ) -> list[CompiledPlayer]:
        """Return the players, k of them, of genomes, (G,) or (k, G); called 'rules 0' and so on."""
        readings = (
            BOARD_BITS.index(self.board_bit),
            DRAWS.index(self.check_raise_draw),
            CARDS.index(self.check_raise_cards),
            AMOUNTS.index(self.amount),
        )
        rows = [np.append(row, readings) for row in self.checked(genomes)]
        return compiled_players(follow_rules, rows, names, word="rules", made_of="genomes")

    def describe(self, genome: ArrayLike) -> str:
        """Return what a genome, (G,), does, as a paragraph."""
        rows = self.checked(genome)
        if len(rows) != 1:
            raise ShapeError(f"{len(rows)} genomes are given; describe one at a time.")
        return in_words(
            rows[0].tolist(),
            board_bit=self.board_bit,
            draw=self.check_raise_draw,
            cards=self.check_raise_cards,
            amount=self.amount,
        )


def of_streets(*places: int) -> Ints:
    """Return where these genes of a street stand in the genome, (4, places)."""
    first = range(FIRST_OF_STREETS, NUM_GENES, GENES_A_STREET)
    return np.array([[of_street + place for place in places] for of_street in first])
