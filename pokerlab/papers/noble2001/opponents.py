"""Opponents written by hand: typical styles to judge evolved strategies by, and bad ones apart.

Noble & Watson wrote two groups of strategies in their own representation, "typical reasonable" and
by no means optimal: conservative ones, which bet quite strong cards only; deceptive ones, which hide
the strength of their cards until late in the hand; and callers, which call for long with a
reasonable hand. Their program is lost, so that these eighteen are ours. Their amounts are for blinds
of 1 and 2 and bets of 2 and 4, up to 8 and 16 a round, under the readings that `RuleEncoding` has if
not told otherwise.
"""

from typing import NamedTuple

from pokerlab.core import stream
from pokerlab.core.arrays import Floats
from pokerlab.strategies.players.rule_words import rules, street

CONSERVATIVE, DECEPTIVE, CALLER, POOR = "conservative", "deceptive", "caller", "bad"
DRAWS = ("straight", "flush")
ANYTHING, ANY_PAIR = "two high", "a pair of twos"
ROYAL_FLUSH = "a straight flush to the ace"
CAP = 8
"""The most that a round before the turn costs while three are left."""


class Opponent(NamedTuple):
    """A strategy written by hand.

    Attributes
    ----------
    name : str
        What it is called.
    style : str
        'conservative', 'deceptive', 'caller' or 'bad'.
    reason : str
        Why a player would play like this.
    genome : ndarray of float64, shape (42,)
        How it plays, for `RuleEncoding`.
    """

    name: str
    style: str
    reason: str
    genome: Floats


REASONABLE = (
    Opponent(
        "rock",
        CONSERVATIVE,
        "With nine opponents someone usually has a good hand, so it plays good pairs and gives up"
        " unless they stay ahead of the board.",
        rules(
            preflop=street("a pair of eights", "a pair of queens", bet=4, call=6),
            flop=street("a pair of eights", "a pair of queens", bet=2, call=4),
            turn=street("a pair of tens", "a pair of kings", bet=4, call=8),
            river=street("a pair of jacks", "a pair of aces", bet=4, call=8),
        ),
    ),
    Opponent(
        "aces and pairs",
        CONSERVATIVE,
        "An ace or a pair is ahead of most hands before the flop; later it needs a pair of its own"
        " to put in more.",
        rules(
            preflop=street("ace high", "a pair of jacks", bet=4, call=6),
            flop=street("a pair of sevens", "a pair of aces", bet=4, call=6),
            turn=street("a pair of nines", "a pair of aces", bet=4, call=8),
            river=street("a pair of tens", "two pair, tens up", bet=4, call=8),
        ),
    ),
    Opponent(
        "big pairs",
        CONSERVATIVE,
        "Big pairs win unimproved and lose value with every opponent, so it raises them early and"
        " asks for a high pair later.",
        rules(
            preflop=street("a pair of tens", "a pair of tens", bet=8, call=8, bets_all=True),
            flop=street("a pair of tens", "a pair of queens", bet=4, call=6),
            turn=street("a pair of tens", "a pair of kings", bet=4, call=8),
            river=street("a pair of tens", "two pair, tens up", bet=4, call=8),
        ),
    ),
    Opponent(
        "set seeker",
        CONSERVATIVE,
        "A pair becomes three of a kind on one flop in eight, and three of a kind wins big pots, so"
        " it sees flops cheaply and stays with little less.",
        rules(
            preflop=street("a pair of twos", "a pair of kings", bet=2, call=4),
            flop=street("a pair of queens", "three twos", bet=2, call=2, bets_all=True),
            turn=street("two pair, queens up", "three twos", bet=4, call=4, bets_all=True),
            river=street("two pair, queens up", "three sevens", bet=4, call=8),
        ),
    ),
    Opponent(
        "made hands only",
        CONSERVATIVE,
        "One pair seldom wins a pot that ten players began, so it looks at many flops for one bet and"
        " goes on with two pair.",
        rules(
            preflop=street("ace high", "a pair of aces", bet=2, call=2),
            flop=street("a pair of aces", "two pair, nines up", bet=4, call=4),
            turn=street("two pair, fives up", "two pair, aces up", bet=8, call=8),
            river=street("two pair, nines up", "two pair, aces up", bet=8, call=8),
        ),
    ),
    Opponent(
        "respects raises",
        CONSERVATIVE,
        "Most raises mean what they say, so it bets its pairs once and folds them to a raise.",
        rules(
            preflop=street("king high", "a pair of kings", bet=2, call=4),
            flop=street("a pair of eights", "two pair, tens up", bet=2, call=2),
            turn=street("a pair of nines", "two pair, jacks up", bet=4, call=4),
            river=street("a pair of tens", "three twos", bet=4, call=4),
        ),
    ),
    Opponent(
        "slow player",
        DECEPTIVE,
        "A bet on the flop chases customers away, so it checks and calls with everything and bets"
        " strong hands on the river.",
        rules(
            preflop=street("ace high", "a pair of queens", bet=2, call=6),
            flop=street("a pair of sevens", "a pair of aces", bet=0, call=4),
            turn=street("a pair of nines", "two pair, jacks up", bet=0, call=8),
            river=street("a pair of jacks", "two pair, jacks up", bet=4, call=8, bets_all=True),
        ),
    ),
    Opponent(
        "waits for dear bets",
        DECEPTIVE,
        "Bets double on the turn, so it shows three of a kind only where that costs the others twice"
        " as much.",
        rules(
            preflop=street("ace high", "a pair of kings", bet=2, call=4),
            flop=street("a pair of nines", "two pair, tens up", bet=2, call=4),
            turn=street("a pair of tens", "two pair, tens up", bet=4, call=8, bets_all=True),
            river=street("a pair of tens", "two pair, kings up", bet=4, call=8, bets_all=True),
        ),
    ),
    Opponent(
        "check-raiser",
        DECEPTIVE,
        "Whoever bets into a check seldom folds to the raise, so it checks most of what it would bet"
        " and raises.",
        rules(
            check_raise=0.7,
            preflop=street("ace high", "a pair of queens", bet=4, call=6),
            flop=street("a pair of nines", "a pair of aces", bet=4, call=6),
            turn=street("a pair of jacks", "two pair, jacks up", bet=8, call=8),
            river=street("a pair of jacks", "two pair, kings up", bet=8, call=8),
        ),
    ),
    Opponent(
        "trapper",
        DECEPTIVE,
        "Aces and kings earn more from players who do not know, so it only calls with them before the"
        " flop and raises the turn.",
        rules(
            check_raise=0.3,
            preflop=street("a pair of fives", "a pair of kings", bet=2, call=4),
            flop=street("a pair of nines", "a pair of aces", bet=0, call=4),
            turn=street("a pair of queens", "two pair, queens up", bet=8, call=8, bets_all=True),
            river=street("a pair of queens", "two pair, queens up", bet=8, call=8),
        ),
    ),
    Opponent(
        "changes gears",
        DECEPTIVE,
        "Opponents who cannot tell two pair from a small pair pay both off, so it bets them alike"
        " until the river.",
        rules(
            check_raise=0.2,
            preflop=street("ace high", "a pair of tens", bet=4, call=4),
            flop=street("a pair of sixes", "two pair, nines up", bet=2, call=4),
            turn=street("a pair of nines", "two pair, nines up", bet=4, call=8),
            river=street("a pair of kings", "two pair, nines up", bet=4, call=8, bets_all=True),
        ),
    ),
    Opponent(
        "bluffs now and then",
        DECEPTIVE,
        "Players who never bluff are never paid, so it represents a big hand once in fifty and plays"
        " soundly otherwise.",
        rules(
            bluff=0.02,
            check_raise=0.1,
            preflop=street("ace high", "a pair of queens", bet=4, call=4),
            flop=street("a pair of nines", "a pair of kings", bet=4, call=4),
            turn=street("a pair of tens", "two pair, jacks up", bet=4, call=8),
            river=street("a pair of queens", "two pair, jacks up", bet=4, call=8),
        ),
    ),
    Opponent(
        "draws to straights and flushes",
        CALLER,
        "Straights and flushes win the largest pots and four cards to them come in one time in three,"
        " so it calls for the missing one.",
        rules(
            preflop=street("king high", "a pair of aces", bet=2, call=4),
            flop=street("a pair of nines", "two pair, tens up", bet=2, call=4, waits_for=DRAWS),
            turn=street("a pair of jacks", "two pair, jacks up", bet=4, call=8, waits_for=DRAWS),
            river=street("a pair of queens", "two pair, aces up", bet=4, call=8),
        ),
    ),
    Opponent(
        "flush chaser",
        CALLER,
        "Nine cards complete a flush and only eight at best a straight, so it waits for flushes alone"
        " and never leads.",
        rules(
            preflop=street("king high", "a pair of aces", bet=2, call=4),
            flop=street("a pair of tens", "two pair, tens up", bet=0, call=4, waits_for=("flush",)),
            turn=street(
                "a pair of queens", "two pair, jacks up", bet=0, call=8, waits_for=("flush",)
            ),
            river=street("a pair of queens", "two pair, aces up", bet=4, call=8),
        ),
    ),
    Opponent(
        "calls with pairs",
        CALLER,
        "Once it has a pair, too many opponents bluff or bet draws for it to fold, so it calls one bet with"
        " low pairs and any bet with high ones.",
        rules(
            preflop=street("a pair of twos", "a pair of kings", bet=2, call=4),
            flop=street("a pair of sixes", "a pair of queens", bet=0, call=2),
            turn=street("a pair of eights", "a pair of kings", bet=0, call=4),
            river=street("a pair of eights", "a pair of kings", bet=4, call=4),
        ),
    ),
    Opponent(
        "calls with aces",
        CALLER,
        "An ace makes the best pair that the board allows, so it calls any bet with a pair of aces and"
        " raises only when the river is out.",
        rules(
            preflop=street("ace high", "a pair of aces", bet=2, call=6),
            flop=street("a pair of queens", "a pair of aces", bet=2, call=4),
            turn=street("a pair of kings", "a pair of aces", bet=0, call=8),
            river=street("a pair of aces", "a pair of aces", bet=8, call=8),
        ),
    ),
    Opponent(
        "calls big pairs down",
        CALLER,
        "A pot of ten players is worth one more bet with a high pair, so it calls to the end and lets"
        " others bet.",
        rules(
            preflop=street("a pair of sevens", "a pair of aces", bet=2, call=8),
            flop=street("a pair of nines", "a pair of jacks", bet=0, call=4),
            turn=street("a pair of tens", "a pair of queens", bet=0, call=8),
            river=street("a pair of tens", "a pair of queens", bet=0, call=8),
        ),
    ),
    Opponent(
        "pays one bet to look",
        CALLER,
        "Seeing a card for a single bet risks little of what the pot may bring, so it calls one bet"
        " with any fair hand and no more.",
        rules(
            preflop=street("king high", "a pair of kings", bet=2, call=2),
            flop=street("a pair of eights", "two pair, tens up", bet=0, call=2),
            turn=street("a pair of tens", "two pair, jacks up", bet=0, call=4),
            river=street("a pair of jacks", "two pair, aces up", bet=4, call=4),
        ),
    ),
)
"""Eighteen typical styles, none of them optimal."""

RAISES_ALL = street(ANYTHING, ANYTHING, bet=CAP, call=CAP, bets_all=True, board_bit=True)
CALLS_ALL = street(ANYTHING, ANYTHING, bet=0, call=0, board_bit=True)
ACES = street("a pair of aces", "a pair of aces", bet=0, call=0, bets_all=True)
NOTHING = street(ROYAL_FLUSH, ROYAL_FLUSH, bet=0, call=0, bets_all=True)
BAD = (
    Opponent(
        "maniac",
        POOR,
        "It bets and raises any two cards as often as it may, and pays off every better hand.",
        rules(preflop=RAISES_ALL, flop=RAISES_ALL, turn=RAISES_ALL, river=RAISES_ALL),
    ),
    Opponent(
        "never plays",
        POOR,
        "It raises with aces, gives them up on the flop, and pays the blinds while it waits for them.",
        rules(preflop=ACES, flop=NOTHING, turn=NOTHING, river=NOTHING),
    ),
    Opponent(
        "calling station",
        POOR,
        "It calls every bet with any two cards and bets nothing, whatever it has.",
        rules(preflop=CALLS_ALL, flop=CALLS_ALL, turn=CALLS_ALL, river=CALLS_ALL),
    ),
    Opponent(
        "pure bluffer",
        POOR,
        "It represents a royal flush in half of all hands, to the last chip, and folds nearly all others.",
        rules(bluff=0.5, preflop=ACES, flop=NOTHING, turn=NOTHING, river=NOTHING),
    ),
)
"""Styles that lose to the reasonable ones, as a group apart."""

PRINTED = Opponent(
    "printed",
    "evolved",
    "The evolved strategy that the paper prints in words; all its numbers are ours.",
    rules(
        bluff=0.02,
        check_raise=0.1,
        preflop=street("ace high", "ace high", bet=CAP, call=CAP, bets_all=True),
        flop=street(ANYTHING, "a straight to the five", bet=4, call=6, waits_for=DRAWS),
        turn=street(ANY_PAIR, "two pair, twos up", bet=4, call=8, waits_for=DRAWS),
        river=street("a pair of nines", "a pair of nines", bet=8, call=8, bets_all=True),
    ),
)
"""It wins against both groups in the paper."""

DEFAULT_SPLIT = 0


def split(seed: int = DEFAULT_SPLIT) -> tuple[tuple[Opponent, ...], tuple[Opponent, ...]]:
    """Return the reasonable opponents sorted at random into alpha and beta, nine each.

    Parameters
    ----------
    seed : int
        Which of the splits, at least 0.

    Raises
    ------
    SettingError
        If the seed is not a whole number of at least 0.

    Examples
    --------
    >>> alpha, beta = split()
    >>> len(alpha), len(beta), {one.name for one in alpha} & {one.name for one in beta}
    (9, 9, set())
    """
    order = stream(seed, "alpha and beta").permutation(len(REASONABLE))
    half = len(REASONABLE) // 2
    alpha, beta = (
        tuple(REASONABLE[i] for i in sorted(part)) for part in (order[:half], order[half:])
    )
    return alpha, beta
