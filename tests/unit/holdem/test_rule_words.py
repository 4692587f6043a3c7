"""Rule genomes read aloud say what they do, under each reading."""

import numpy as np
import pytest

from pokerlab.core import ShapeError
from pokerlab.holdem import RuleEncoding
from pokerlab.holdem.rule_genome import make_rule_genome, make_street_genes
from tests.refusals import refused

QUIET = make_street_genes("a pair of aces", "a pair of aces", bet=0, call=0)


def told(number: int, genes: tuple[float, ...], encoding: RuleEncoding) -> str:
    """Return what is said of one street."""
    names = ("preflop", "flop", "turn", "river")
    streets = dict.fromkeys(names, QUIET) | {names[number]: genes}
    paragraph = encoding.describe(make_rule_genome(**streets))  # type: ignore[arg-type]
    begin = paragraph.index(f"{names[number].capitalize()}: ")
    later = (f" {name.capitalize()}: " for name in names[number + 1 : number + 2])
    return paragraph[begin : paragraph.find(next(later)) if number < 3 else None]


@pytest.mark.parametrize(
    ("number", "genes", "readings", "words"),
    [
        (
            0,
            make_street_genes("ace high", "ace high", bet=8, call=8, bets_all=True),
            {},
            "Preflop: with an ace or a pair, bet as much as possible. Otherwise fold.",
        ),
        (
            0,
            make_street_genes("two high", "a pair of tens", bet=0, call=0),
            {},
            "Preflop: play on with anything: never bet, fold to any bet. With a pair of tens or better,"
            " call any bet.",
        ),
        (
            0,
            make_street_genes("a pair of twos", "a pair of sixes", bet=4, call=2),
            {},
            "Preflop: play on with any pair: try to bet 4 chips, fold to more. With a pair of sixes or"
            " better, call any bet. Otherwise fold.",
        ),
        (
            1,
            make_street_genes(
                "king high", "three twos", bet=4, call=6, waits_for=("straight", "flush")
            ),
            {},
            "Flop: play on with king high or better that beats the board, or in any event one card short"
            " of a straight or a flush: try to bet 4 chips, call up to 6. With any three of a kind or"
            " better that beats the board, call any bet. Otherwise fold.",
        ),
        (
            3,
            make_street_genes(
                "ace high", "ace high", bet=4, call=6, waits_for=("flush",), board_bit=True
            ),
            {"amount": "price"},
            "River: with ace high or better, try to make a call cost 4 chips, call any bet."
            " Otherwise fold.",
        ),
        (
            2,
            make_street_genes(
                "two pair, tens up", "a straight to the nine", bet=0, call=6, board_bit=True
            ),
            {"board_bit": "license", "amount": "hand"},
            "Turn: play on with two pair, tens up or better, or with whatever beats the board: never bet,"
            " call up to 6 chips. With a straight to the nine or better, call any bet. Otherwise fold.",
        ),
        (
            2,
            make_street_genes("ace high", "three twos", bet=9, call=9),
            {"board_bit": "ignored", "amount": "hand"},
            "Turn: play on with ace high or better: try to put 9 chips into the hand, call up to 9. With"
            " any three of a kind or better, call any bet. Otherwise fold.",
        ),
    ],
)
def test_describe_genome_writes_each_street(
    number: int, genes: tuple[float, ...], readings: dict[str, str], words: str
) -> None:
    assert told(number, genes, RuleEncoding(**readings)) == words  # type: ignore[arg-type]


def test_describe_genome_writes_probabilities_first() -> None:
    genome = make_rule_genome(
        preflop=QUIET, flop=QUIET, turn=QUIET, river=QUIET, bluff=0.0237, check_raise=1.0
    )
    hand = "Bluff in 2.4% of the hands, check-raise in 100% of the "
    assert RuleEncoding().describe(genome).startswith(f"{hand}hands. Preflop")
    seldom = RuleEncoding(check_raise_draw="round", check_raise_cards="strong")
    assert seldom.describe(genome).startswith(f"{hand}rounds, only with strong cards. Preflop")


PAIRS = make_street_genes("a pair of twos", "a pair of tens", bet=2, call=4)
STREETS = dict.fromkeys(("preflop", "flop", "turn", "river"), PAIRS)
test_rules_and_street_with_bad_arguments_are_refused = refused(
    (
        lambda: make_rule_genome(**{**STREETS, "turn": []}),
        ShapeError,
        "turn is []; give 10 numbers",
    ),
    (lambda: make_rule_genome(**{**STREETS, "turn": [np.nan] * 10}), ShapeError, "give 10 numbers"),
    (
        lambda: make_rule_genome(**{**STREETS, "river": "x"}),
        "genes of river are not an array of real numbers",
    ),
    (
        lambda: make_rule_genome(**STREETS, bluff=None),  # type: ignore[arg-type]
        "bluff is None; it must be a number from 0 to 1",
    ),
    (lambda: make_rule_genome(**STREETS, bluff=np.nan), "bluff is nan"),
    (lambda: make_rule_genome(**STREETS, check_raise=-1), "check_raise is -1"),
    (lambda: make_street_genes("king high", "king high", bet=-1, call=0), "bet is -1"),
    (lambda: make_street_genes("king high", "king high", bet=0, call=2.5), "call is 2.5"),  # type: ignore[arg-type]
)
