"""The rule genome: a limit player in 42 genes, as Noble & Watson (2001) evolve it.

Two genes are probabilities, of a bluff and of a check-raise. Each street has ten more: the least
cards to stay with, the cards to call strong, the amount to bet, the most to call, and four flags
(section 3 of [1]_). The copy of the paper that we have lost its digits and its small words, so that
parts of the rule are open; `RuleEncoding` has a setting for each. `rule_decision` has the rule.

References
----------
.. [1] J. Noble, R. A. Watson, "Pareto Coevolution: Using Performance Against Coevolved Opponents in
   a Game as Dimensions for Pareto Selection", GECCO 2001, pages 493-500.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.errors import SettingError, ShapeError
from pokerlab.core.settings import check_settings, setting, span, whole
from pokerlab.holdem.cards.deck import BOARD_SIZES, NUM_CARDS, NUM_RANKS, STREETS, TURN
from pokerlab.holdem.equity.draws import PAIR, STRAIGHT_FLUSH, standing
from pokerlab.holdem.table.players import CompiledPlayer, compiled_players
from pokerlab.strategies.players.rule_decision import (
    FIRST_OF_STREETS,
    GENES_A_STREET,
    LOWEST_RANK,
    MINIMUM_CATEGORY,
    NUM_GENES,
    PREFERRED,
    STRONG_CATEGORY,
    follow_rules,
)
from pokerlab.strategies.players.rule_words import in_words

PROBABILITY, HAND, AMOUNT, FLAG = range(4)
"""What a gene is: mutation has a width of its own for each of the first three, and flips flags."""
BOARD_BITS, DRAWS = ("veto", "license", "ignored"), ("hand", "round")
CARDS, AMOUNTS = ("any", "strong"), ("round", "price", "hand")
"""The readings, in the order of their numbers in `rule_decision`."""
STARTS = ("dealt", "uniform")
HIGHEST_RANK = LOWEST_RANK + NUM_RANKS - 1
LARGEST_AMOUNT = 10**6
"""Of chips in a gene; a stack of limit hold'em is far smaller."""


class Locus(NamedTuple):
    """A place in the genome.

    Attributes
    ----------
    name : str
        What its gene says.
    street : str, optional
        Where it counts; None for the two probabilities.
    kind : int
        `PROBABILITY`, `HAND` (a category, or a rank from 2 to ace = 14), `AMOUNT` or `FLAG`.
    """

    name: str
    street: str | None
    kind: int


OF_A_STREET = (
    ("least category to stay", HAND),
    ("rank of it", HAND),
    ("least category called strong", HAND),
    ("rank of it", HAND),
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
class RuleEncoding:
    """What the 42 genes of a rule genome mean, and where they begin.

    Attributes
    ----------
    board_bit : {'veto', 'license', 'ignored'}
        What the second flag of a street does after the flop. 'veto' (our completion of a sentence
        that lost its negations): with it off, a hand must reach the minimum and beat the board,
        however strong it is; a bluff need not. 'license' (the other completion): with it on, beating
        the board is enough to stay below the minimum. 'ignored' (ours): nothing.
    check_raise_draw : {'hand', 'round'}
        How often a player draws whether it check-raises (the paper is silent). A seat that checks
        can bet no more until a bet comes, so that a draw at each opportunity is one a round.
    check_raise_cards : {'any', 'strong'}
        With what it check-raises (the paper is silent): any hand that it would bet, or strong ones.
    amount : {'round', 'price', 'hand'}
        What the amounts are compared with (the text is ambiguous): the chips that a player must
        have put into this round to stay, the price of the call, or its chips in the whole hand.
    start : {'dealt', 'uniform'}
        Where random thresholds come from (ours): each is what cards dealt for its street make, or
        category and rank are drawn by themselves.
    largest_early, largest_late : int
        The most chips that an amount gene can say before the turn, and from the turn on (ours):
        twice what a round can cost with bets of 2 and 4.

    Raises
    ------
    UnknownNameError
        If there is no such reading.
    SettingError
        If a largest amount is not a whole number from 1 to a million.

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

    board_bit: str = setting(
        "veto",
        label="Board bit",
        help="What the second flag of a street does to hands that are no better than the board.",
        source="our completion of Noble & Watson 2001, section 3",
        choices=BOARD_BITS,
        silent=True,
    )
    check_raise_draw: str = setting(
        "hand",
        label="Check-raise drawn each",
        help="How often a player draws whether it check-raises.",
        source="Noble & Watson 2001, section 3, is silent",
        choices=DRAWS,
        silent=True,
    )
    check_raise_cards: str = setting(
        "any",
        label="Check-raise with",
        help="Whether a player check-raises with any hand that it would bet, or with strong ones.",
        source="Noble & Watson 2001, section 3, is silent",
        choices=CARDS,
        silent=True,
    )
    amount: str = setting(
        "round",
        label="Amounts are",
        help="Chips put into this round, the price of the call, or chips put into the hand.",
        source="our reading of Noble & Watson 2001, section 3",
        choices=AMOUNTS,
        silent=True,
    )
    start: str = setting(
        "dealt",
        label="Start of thresholds",
        help="Hands that are dealt, or category and rank drawn by themselves.",
        source="ours",
        choices=STARTS,
        silent=True,
    )
    largest_early: int = setting(
        16,
        label="Largest amount before the turn",
        help="The most chips that an amount gene can say before the turn.",
        source="ours",
        unit="chips",
        low=1,
        high=LARGEST_AMOUNT,
        silent=True,
    )
    largest_late: int = setting(
        32,
        label="Largest amount from the turn on",
        help="The most chips that an amount gene can say from the turn on.",
        source="ours",
        unit="chips",
        low=1,
        high=LARGEST_AMOUNT,
        silent=True,
    )

    def __post_init__(self) -> None:
        check_settings(self)

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
        """Return genomes, (G,) or (k, G), as rows, (k, G).

        Raises
        ------
        ShapeError
            If a genome has another length.
        SettingError
            If a gene is no number, out of range, or not whole where it must be; its locus is named.
        """
        try:
            given = np.asarray(genomes, dtype=np.float64)
        except (TypeError, ValueError):
            raise SettingError(
                f"a genome is {genomes!r}; give {NUM_GENES} numbers, such as a row of"
                " encoding.random(generator, 1)."
            ) from None
        if given.ndim not in (1, 2) or given.shape[-1] != NUM_GENES:
            raise ShapeError(
                f"the genomes have shape {given.shape}; a rule genome has {NUM_GENES} genes, so give"
                f" shape ({NUM_GENES},), or (k, {NUM_GENES}) for k genomes."
            )
        rows = np.atleast_2d(given)
        is_whole = (rows == np.floor(rows)) | (self.kinds == PROBABILITY)
        right = (rows >= self.low) & (rows <= self.high) & is_whole
        if not right.all():
            row, gene = np.argwhere(~right)[0]
            name, street, kind = LOCI[gene]
            wanted = "a number" if kind == PROBABILITY else "a whole number"
            where = f"{street}: {name}" if street else name
            raise SettingError(
                f"gene {gene} ('{where}') of genome {row} is {rows[row, gene]:g}; give {wanted} from"
                f" {span(self.low[gene], self.high[gene])}."
            )
        return rows

    def players(
        self, genomes: ArrayLike, names: Sequence[str] | None = None
    ) -> list[CompiledPlayer]:
        """Return the players, k of them, of genomes, (G,) or (k, G).

        Parameters
        ----------
        genomes : array_like, shape (G,) or (k, G)
            Genomes that `checked` accepts.
        names : sequence of str, optional
            What results call the players; 'rules 0', 'rules 1' and so on if not given.

        Raises
        ------
        ShapeError
            If a genome has another length, or there are not as many names.
        SettingError
            If a gene has no meaning.
        """
        readings = (
            BOARD_BITS.index(self.board_bit),
            DRAWS.index(self.check_raise_draw),
            CARDS.index(self.check_raise_cards),
            AMOUNTS.index(self.amount),
        )
        rows = [np.append(row, readings) for row in self.checked(genomes)]
        return compiled_players(follow_rules, rows, names, word="rules", made_of="genomes")

    def describe(self, genome: ArrayLike) -> str:
        """Return what a genome, (G,), does, as a paragraph.

        Raises
        ------
        ShapeError
            If it is not one genome, or has another length.
        SettingError
            If a gene has no meaning.
        """
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
