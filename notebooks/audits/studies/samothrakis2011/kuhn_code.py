"""Samothrakis & Lucas (2011) print Kuhn's solution in Kuhn's own code: mixtures of pure strategies, a digit a card."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pokerlab.core import Floats, ProbabilityError, SettingError, ShapeError, freeze
from pokerlab.games import Profile, kuhn
from pokerlab.games.sequence_form import SUM_TOLERANCE


class KuhnCode:
    """A mixture of player 2's pure strategies in Kuhn poker, in Kuhn's code: a digit for each of the cards 1, 2, 3.

    Player 2 sees a pass or a bet, and answers it by pass or bet. So a pure strategy has two bits for each card: whether
    to bet after a pass, whether to bet (call) after a bet. They are read as a number: 0 = 00, 1 = 01, 2 = 10, 3 = 11.

    Parameters
    ----------
    codes : sequence of (int, int, int)
        A digit from 0 to 3 for each card; card 1 is the jack.
    weights : sequence of float, optional
        How often each is played; equally often if left out.

    References
    ----------
    .. [1] H. W. Kuhn, "A Simplified Two-Person Poker", Contributions to the Theory of Games I, 1950

    Examples
    --------
    >>> from studies.samothrakis2011.kuhn_code import KuhnCode
    >>> solution = KuhnCode([(0, 0, 3), (0, 1, 3), (2, 0, 3)])
    >>> print(solution)
    1/3 (0, 0, 3) + 1/3 (0, 1, 3) + 1/3 (2, 0, 3)
    >>> solution.chances[0].round(3), solution.chances[1].round(3)  # to bet after a pass, after a bet
    (array([0.333, 0.   , 1.   ]), array([0.   , 0.333, 1.   ]))
    """

    def __init__(self, codes: Sequence[Sequence[int]], weights: Sequence[float] | None = None):
        self.codes = tuple(tuple(code) for code in codes)
        for code in self.codes:
            if len(code) != 3 or not all(digit in range(4) for digit in code):
                raise SettingError(
                    f"{code!r} is not a strategy in Kuhn's code; give a digit from 0 to 3 for each card, such"
                    " as (2, 0, 3)."
                )
        many = len(self.codes)
        mix = np.array([1.0 / max(many, 1)] * many if weights is None else weights, np.float64)
        if mix.shape != (many,) or not many:
            raise ShapeError(f"{many} codes have weights of shape {mix.shape}; give one each.")
        if not (mix >= 0.0).all() or not abs(mix.sum() - 1.0) <= SUM_TOLERANCE:
            raise ProbabilityError(
                f"the weights are {mix.tolist()} and sum to {mix.sum():.12g}; they must be 0 or more and sum to 1."
            )
        bits = np.array([[d >> 1 for d in code] + [d & 1 for d in code] for code in self.codes])
        self.weights: Floats = mix
        self.chances: Floats = (mix @ bits).reshape(2, 3)
        """The probability to bet, (2, 3): after a pass and after a bet, by card."""
        freeze(self.weights, self.chances)

    def profile(self) -> Profile:
        """Return the profile of Kuhn poker in which player 2 plays this, and player 1 at random."""
        table = kuhn().uniform().to_table()
        for seen, chances in zip(("pass", "bet"), self.chances.clip(0.0, 1.0), strict=True):
            for card, chance in zip("JQK", chances.tolist(), strict=True):
                table[1, f"{card}, {seen}"] = {"pass": 1.0 - chance, "bet": chance}
        return Profile.from_table(kuhn(), table)

    def __str__(self) -> str:
        return self.written("d")

    def bits(self) -> str:
        """Return the mixture as the paper prints it beside the digits: 1/3 (00, 00, 11) + ..."""
        return self.written("02b")

    def written(self, digit: str) -> str:
        """Return the mixture with digits in a format; weights as fractions where they are short ones."""
        terms = []
        for code, weight in zip(self.codes, self.weights.tolist(), strict=True):
            short = Fraction(weight).limit_denominator(12)
            share = str(short) if abs(short - weight) < SUM_TOLERANCE else f"{weight:.3g}"
            terms.append(f"{share} ({', '.join(format(d, digit) for d in code)})")
        return " + ".join(terms)
