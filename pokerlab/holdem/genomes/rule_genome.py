"""The rule genome: a limit player in 42 genes, as Noble & Watson (2001) evolve it.

Two genes are probabilities, of a bluff and of a check-raise. Each street has ten more: the least
cards to play on with, the cards to call strong, the amount to bet, the most to call, and four flags
(section 3). The copy of the paper that we have lost its digits and its small words, so that
parts of the rule are open; `RuleEncoding` has a setting for each. `rule_decision` has the rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, Ints, ShapeError
from pokerlab.core.settings import Checked, unprinted, whole
from pokerlab.holdem.cards.deck import BOARD_SIZES, NUM_CARDS, NUM_RANKS, STREETS, TURN
from pokerlab.holdem.equity.draws import PAIR, STRAIGHT_FLUSH, standing
from pokerlab.holdem.genomes.rule_decision import (
    FIRST_OF_STREETS,
    GENES_A_STREET,
    LOWEST_RANK,
    MINIMUM_CATEGORY,
    NUM_GENES,
    PREFERRED,
    STRONG_CATEGORY,
    follow_rules,
)
from pokerlab.holdem.genomes.rule_words import LARGEST_AMOUNT, in_words
from pokerlab.holdem.table.players import CompiledPlayer, compiled_players
from pokerlab.strategies.encoding import AMOUNT, FLAG, PROBABILITY, RANK, checked_rows

BOARD_BITS, DRAWS = ("veto", "license", "ignored"), ("hand", "round")
CARDS, AMOUNTS = ("any", "strong"), ("round", "price", "hand")
"""The readings, in the order of their numbers in `rule_decision`."""
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
        rows: Floats = checked_rows(
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
