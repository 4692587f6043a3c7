"""Kuhn's notation for player 2's strategies in his poker (Kuhn 1950): a digit for each card.

Player 2 sees a pass or a bet, and answers it by pass or bet. So a pure strategy is two bits for each
of the cards 1 (jack), 2 and 3: whether to bet after a pass, whether to bet (call) after a bet. The
bits are read as a number: 0 = 00, 1 = 01, 2 = 10, 3 = 11.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from pokerlab.core import ProbabilityError, SettingError, ShapeError
from pokerlab.core.arrays import Floats, freeze
from pokerlab.games import Profile, kuhn
from pokerlab.games.sequence_form.profile import SUM_TOLERANCE

CARDS, SEEN = "JQK", ("pass", "bet")
PLAYER = 1
DIGITS = range(4)

Code = tuple[int, int, int]


@dataclass(frozen=True, eq=False, init=False)
class KuhnCode:
    """A mixture of player 2's pure strategies in Kuhn's code.

    Parameters
    ----------
    codes : sequence of (int, int, int)
        A digit from 0 to 3 for each of the cards 1, 2, 3: the first bit is whether player 2 bets after
        a pass, the second after a bet.
    weights : sequence of float, optional
        How often each is played; equally often if left out.

    Raises
    ------
    SettingError
        If a code is not valid.
    ProbabilityError
        If the weights are negative, or do not sum to one.

    References
    ----------
    .. [1] H. W. Kuhn, "A Simplified Two-Person Poker", Contributions to the Theory of Games I, 1950

    Examples
    --------
    >>> solution = KuhnCode([(0, 0, 3), (0, 1, 3), (2, 0, 3)])
    >>> print(solution)
    1/3 (0, 0, 3) + 1/3 (0, 1, 3) + 1/3 (2, 0, 3)
    >>> solution.chances[0].round(3), solution.chances[1].round(3)  # to bet after a pass, after a bet
    (array([0.333, 0.   , 1.   ]), array([0.   , 0.333, 1.   ]))
    """

    codes: tuple[Code, ...]
    weights: Floats

    def __init__(self, codes: Sequence[Code], weights: Sequence[float] | None = None) -> None:
        given = tuple(map(checked_code, codes))
        equal = [1.0 / max(len(given), 1)] * len(given)
        mix = np.array(equal if weights is None else weights, dtype=np.float64)
        if mix.shape != (len(given),) or not given:
            raise ShapeError(
                f"{len(given)} codes have weights of shape {mix.shape}; give one each."
            )
        if not (mix >= 0.0).all() or not abs(mix.sum() - 1.0) <= SUM_TOLERANCE:
            raise ProbabilityError(
                f"the weights are {mix.tolist()} and sum to {mix.sum():.12g}; they must be 0 or more"
                " and sum to 1."
            )
        freeze(mix)
        object.__setattr__(self, "codes", given)
        object.__setattr__(self, "weights", mix)

    @cached_property
    def chances(self) -> Floats:
        """The probability to bet, (2, 3): after a pass and after a bet, by card."""
        bits = np.array(
            [[digit >> 1 for digit in c] + [digit & 1 for digit in c] for c in self.codes]
        )
        return np.asarray((self.weights @ bits).reshape(2, 3))

    def profile(self) -> Profile:
        """Return the profile of Kuhn poker in which player 2 plays this, and player 1 at random."""
        table = kuhn().uniform().table()
        for seen, chances in zip(SEEN, self.chances.clip(0.0, 1.0).tolist(), strict=True):
            for card, chance in zip(CARDS, chances, strict=True):
                table[PLAYER, f"{card}, {seen}"] = {"pass": 1.0 - chance, "bet": chance}
        return Profile.from_table(kuhn(), table)

    def __str__(self) -> str:
        terms = [
            f"{Fraction(weight).limit_denominator(12)} {code}"
            if abs(Fraction(weight).limit_denominator(12) - weight) < SUM_TOLERANCE
            else f"{weight:.3g} {code}"
            for code, weight in zip(self.codes, self.weights.tolist(), strict=True)
        ]
        return " + ".join(terms)

    def bits(self) -> str:
        """Return the mixture as the paper prints it beside the digits: 1/3 (00, 00, 11) + ..."""
        text = str(self)
        for code in self.codes:
            text = text.replace(str(code), f"({', '.join(f'{digit:02b}' for digit in code)})")
        return text


def checked_code(code: object) -> Code:
    """Return three digits; refuse anything but a pure strategy of player 2."""
    digits = tuple(code) if isinstance(code, Sequence | np.ndarray) else ()
    if len(digits) != 3 or not all(digit in DIGITS for digit in digits):
        raise SettingError(
            f"{code!r} is not a strategy in Kuhn's code; give a digit from 0 to 3 for each card, such as"
            " (2, 0, 3)."
        )
    one, two, three = (int(digit) for digit in digits)
    return one, two, three
