"""Rule genomes: what the genes may be, how they begin, and what they do in situations known by hand."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from pokerlab.core import ShapeError, UnknownNameError, random_stream
from pokerlab.core.arrays import Floats
from pokerlab.holdem import CALL, FOLD, RuleEncoding, parse_cards
from pokerlab.holdem import table_view as at
from pokerlab.holdem.rule_genome import (
    HAND_GENES,
    make_rule_genome,
    make_street_genes,
    write_rule_actions,
)
from pokerlab.strategies.encoding import AMOUNT, FLAG, PROBABILITY, RANK
from tests.refusals import refused

RULES = RuleEncoding()
FOLDS = make_street_genes("a pair of aces", "a pair of aces", bet=0, call=0)
FIVE_SIGMA = 5.0


def decided(
    cards: str,
    on: tuple[float, ...],
    *,
    owed: int,
    put_in: int = 0,
    earlier: int = 0,
    raise_to: int = 0,
    most: int = 0,
    has_checked: bool = False,
    encoding: RuleEncoding = RULES,
    luck: int = 1,
    **chances: float,
) -> int:
    """Return what rules `on` a street do with 'hole | board', for chips put in and owed by seat 0."""
    hole, _, board = cards.partition("|")
    dealt = [int(card) for card in parse_cards(board)]
    view = np.zeros((1, at.NUM_VIEW_WORDS), np.int64)
    view[0, at.HOLE : at.HOLE + 2] = parse_cards(hole)
    view[0, at.BOARD : at.BOARD + len(dealt)] = dealt
    view[0, at.STREET] = {0: 0, 3: 1, 4: 2, 5: 3}[len(dealt)]
    view[0, [at.TO_CALL, at.MIN_RAISE_TO, at.MAX_RAISE_TO]] = owed, raise_to, most or raise_to
    view[0, [at.BETS, at.PAID, at.HAS_CHECKED, at.RANDOM_KEY]] = (
        put_in,
        put_in + earlier,
        has_checked,
        luck,
    )
    genome = make_rule_genome(preflop=FOLDS, flop=FOLDS, turn=FOLDS, river=FOLDS, **chances)
    first = 2 + 10 * int(view[0, at.STREET])
    genome[first : first + 10] = on
    (player,) = encoding.make_players(genome)
    out = np.full(1, np.nan)
    write_rule_actions(view, np.zeros(1, np.intp), player.parameters[None], np.zeros(1), out)
    return int(out[0])


def test_a_genome_has_42_genes_of_four_kinds() -> None:
    counts = Counter(locus.kind for locus in RULES.loci)
    assert counts == {PROBABILITY: 2, RANK: 16, AMOUNT: 8, FLAG: 16}
    assert RULES.num_genes == len(RULES.loci) == 42
    assert RULES.kinds.tolist() == [locus.kind for locus in RULES.loci]
    assert Counter(locus.street for locus in RULES.loci)["turn"] == 10


def test_genes_lie_between_ends_that_the_largest_amounts_move() -> None:
    low, high = RULES.low, RuleEncoding(largest_early=5, largest_late=9).high
    assert low[2:12].tolist() == [0, 2, 0, 2, 0, 0, 0, 0, 0, 0]
    assert high[2:12].tolist() == [1, 14, 1, 14, 5, 5, 1, 1, 1, 1]
    assert high[32:].tolist() == [8, 14, 8, 14, 9, 9, 1, 1, 1, 1]
    assert [*low[:2], *high[:2]] == [0, 0, 1, 1]


@pytest.mark.parametrize("start", ["dealt", "uniform"])
def test_random_genomes_have_a_meaning_and_reach_all_ends(start: str) -> None:
    encoding = RuleEncoding(start=start)
    genomes = encoding.draw_genomes(random_stream(1, "genomes"), 20_000)
    assert (encoding.validate_genomes(genomes) == genomes).all()
    uniform = encoding.kinds != RANK if start == "dealt" else np.ones(42, bool)
    uniform[:2] = False
    assert (genomes.min(axis=0) == encoding.low)[uniform].all()
    assert (genomes.max(axis=0) == encoding.high)[uniform].all()
    again = encoding.draw_genomes(random_stream(1, "genomes"), 20_000)
    assert (genomes == again).all()


def test_dealt_thresholds_come_as_often_as_hands_do() -> None:
    count = 20_000
    genomes = RULES.draw_genomes(random_stream(2, "genomes"), count)
    # Of two cards, a pair: 1/17. Of seven, nothing and a flush: 23,294,460 and 4,047,644 of 133,784,560.
    for gene, category, chance in [
        (2, 1, 1 / 17),
        (4, 1, 1 / 17),
        (32, 0, 0.174119),
        (34, 5, 0.030255),
    ]:
        error = np.sqrt(chance * (1 - chance) / count)
        assert abs((genomes[:, gene] == category).mean() - chance) < FIVE_SIGMA * error
    together = (genomes[:, 2] == 1) & (genomes[:, 4] == 1)
    assert together.mean() < 0.02


def changed(gene: int, value: float) -> Floats:
    """Return two genomes, one gene of the second changed."""
    genomes = RULES.draw_genomes(random_stream(3, "genomes"), 2)
    genomes[1, gene] = value
    return genomes


test_what_makes_no_sense_is_refused = refused(
    (
        lambda: RULES.validate_genomes(changed(7, np.nan)),
        "'preflop: most to call') of genome 1 is nan",
    ),
    (
        lambda: RULES.validate_genomes(changed(0, 1.5)),
        "'bluffs') of genome 1 is 1.5; give a number from 0",
    ),
    (
        lambda: RULES.validate_genomes(changed(2, 2.0)),
        "of genome 1 is 2; give a whole number from 0 to 1",
    ),
    (
        lambda: RULES.validate_genomes(changed(13, 1.0)),
        "of genome 1 is 1; give a whole number from 2 to 14",
    ),
    (
        lambda: RULES.validate_genomes(changed(36, 3.5)),
        "to bet') of genome 1 is 3.5; give a whole number",
    ),
    (
        lambda: RULES.validate_genomes(changed(40, -1.0)),
        "straight') of genome 1 is -1; give a whole",
    ),
    (lambda: RULES.validate_genomes(np.zeros(41)), ShapeError, "shape (41,); a rule genome has 42"),
    (lambda: RULES.validate_genomes(np.zeros((1, 1, 42))), ShapeError, "(k, 42) for k genomes"),
    (lambda: RULES.validate_genomes("all in"), "a genome is 'all in'; give 42 numbers"),
    (lambda: RULES.validate_genomes([[0.0], [0.0, 1.0]]), "give 42 numbers"),
    (
        lambda: RULES.make_players(RULES.low, ["a", "b"]),
        ShapeError,
        "2 names are given for 1 genomes",
    ),
    (lambda: RULES.describe([RULES.low] * 2), ShapeError, "2 genomes are given; describe one"),
    (lambda: RULES.draw_genomes(random_stream(1, "a"), -1), "count is -1"),
    (lambda: RuleEncoding(board_bit="vetoes"), UnknownNameError, "Did you mean 'veto'"),
    (lambda: RuleEncoding(amount="round "), UnknownNameError, "round, price, hand"),
    (lambda: RuleEncoding(largest_late=0), "largest_late is 0"),
    (
        lambda: make_street_genes("pair of twos", "a pair of twos", bet=1, call=1),
        UnknownNameError,
        "Did you mean 'a pair of twos'",
    ),
    (
        lambda: make_street_genes("two high", "ace high", bet=1, call=1, waits_for=["gutshot"]),
        UnknownNameError,
        "no hand to wait for 'gutshot'; there are: straight, flush",
    ),
)


def test_good_cards_raise_up_to_one_amount_call_up_to_another_and_fold_to_more() -> None:
    on = make_street_genes("a pair of twos", "three twos", bet=4, call=6)

    def flop(owed: int, **more: Any) -> int:
        return decided("9h 8c | 9s 4d 2h", on, owed=owed, **more)

    assert [flop(0, raise_to=2), flop(2, raise_to=4)] == [2, 4]
    assert [flop(4, raise_to=6), flop(6, raise_to=8), flop(8)] == [CALL, CALL, FOLD]
    assert flop(2) == CALL  # no raise is left
    assert flop(4, put_in=2, raise_to=8) == CALL
    assert flop(6, put_in=2) == FOLD
    by_price = RuleEncoding(amount="price")
    assert flop(6, put_in=2, encoding=by_price) == CALL
    assert flop(2, put_in=6, raise_to=10, encoding=by_price) == 10
    in_hand = RuleEncoding(amount="hand")
    assert flop(2, earlier=1, raise_to=4, encoding=in_hand) == 4
    assert flop(2, earlier=4, raise_to=4, encoding=in_hand) == CALL
    assert flop(2, earlier=5, encoding=in_hand) == FOLD
    assert flop(0, earlier=4, raise_to=2, encoding=in_hand) == CALL


@pytest.mark.parametrize(
    ("reading", "board_bit", "with_board_pair", "with_ace_high"),
    [
        ("veto", False, FOLD, FOLD),
        ("veto", True, CALL, FOLD),
        ("license", False, CALL, FOLD),
        ("license", True, CALL, CALL),
        ("ignored", False, CALL, FOLD),
        ("ignored", True, CALL, FOLD),
    ],
)
def test_a_pair_that_lies_on_the_board_is_folded_unless_the_bit_says_otherwise(
    reading: str, board_bit: bool, with_board_pair: int, with_ace_high: int
) -> None:
    on = make_street_genes("a pair of twos", "three twos", bet=0, call=4, board_bit=board_bit)
    encoding = RuleEncoding(board_bit=reading)
    assert decided("Ah Kc | 9s 9d 2h", on, owed=4, encoding=encoding) == with_board_pair
    assert decided("Ah Kc | 9s 8d 2h", on, owed=4, encoding=encoding) == with_ace_high
    assert decided("Ah Ac | 9s 9d 2h", on, owed=4, encoding=encoding) == CALL


def test_a_check_raise_checks_what_it_would_bet_and_raises_once() -> None:
    on = make_street_genes("a pair of twos", "three twos", bet=2, call=6)
    pair = "9h 8c | 9s 4d 2h"
    assert decided(pair, on, owed=0, raise_to=2) == 2
    assert decided(pair, on, owed=0, raise_to=2, check_raise=1.0) == CALL
    back = {"owed": 2, "raise_to": 4, "check_raise": 1.0}
    assert decided(pair, on, has_checked=True, **back) == 4  # type: ignore[arg-type]
    assert decided(pair, on, has_checked=False, **back) == CALL  # type: ignore[arg-type]
    raised_again = {"owed": 2, "put_in": 4, "raise_to": 8, "check_raise": 1.0}
    assert decided(pair, on, has_checked=True, **raised_again) == CALL  # type: ignore[arg-type]
    assert decided(pair, on, owed=8, has_checked=True, check_raise=1.0) == FOLD
    only_calls = make_street_genes("a pair of twos", "three twos", bet=0, call=6)
    assert decided(pair, only_calls, has_checked=True, **back) == CALL  # type: ignore[arg-type]
    assert decided("9h 8c | As 4d 2h", on, has_checked=True, **back) == FOLD  # type: ignore[arg-type]


def test_every_threshold_has_one_name() -> None:
    assert len(HAND_GENES) == len(set(HAND_GENES.values())) == 9 * 13
    assert HAND_GENES["two pair, tens up"] == (2, 10)
    assert HAND_GENES["three sixes"] == (3, 6)
