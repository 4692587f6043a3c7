"""Kuhn's code for strategies in Kuhn poker, in which Samothrakis & Lucas (2011, section 4.1) print his solution.

Is the printed mixture a solution of the game? Digits and weights go in, as the paper prints them; the probabilities of
betting and a profile of the game come out, against which a best response can be computed.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pokerlab.core import Floats, ProbabilityError, SettingError, ShapeError, freeze
from pokerlab.games import Profile, kuhn
from pokerlab.games.treeplex import SUM_TOLERANCE

CARDS = "JQK"
"""The cards from the lowest, which Kuhn calls 1, 2 and 3."""
FIRST_ACTIONS = ("pass", "bet")
"""What player 1 may do before player 2 acts."""
MOST_DENOMINATOR = 12
"""Weights are printed as fractions if their denominator is at most this number."""


class KuhnCode:
    """A mixture of pure strategies of player 2 in Kuhn poker, each written by Kuhn's code: a digit for each card.

    Player 2 sees a pass or a bet of player 1, and answers with a pass or a bet; a bet after a bet is a call. A pure
    strategy has two bits for each card. The first says whether to bet after a pass, the second whether to bet after a
    bet. Together they are read as a binary number, a digit from 0 to 3.

    Parameters
    ----------
    codes : sequence of (int, int, int)
        The pure strategies; each has a digit from 0 to 3 for each card, the jack first.
    weights : sequence of float, optional
        The probability of each pure strategy; the same for all if left out.

    Attributes
    ----------
    codes : tuple of tuple of int
        The pure strategies.
    weights : ndarray, shape (n,)
        Their probabilities.
    bet_probabilities : ndarray, shape (2, 3)
        The probability with which the mixture bets after a pass (first row) and after a bet (second row), by card.

    Raises
    ------
    SettingError
        If a code does not have three digits from 0 to 3.
    ShapeError
        If there are no codes, or not one weight for each.
    ProbabilityError
        If a weight is negative, or if the weights do not sum to 1.

    References
    ----------
    .. [1] H. W. Kuhn, "A Simplified Two-Person Poker", Contributions to the Theory of Games I, 1950

    Examples
    --------
    >>> from studies.samothrakis2011.kuhn_code import KuhnCode
    >>> solution = KuhnCode([(0, 0, 3), (0, 1, 3), (2, 0, 3)])
    >>> print(solution)
    1/3 (0, 0, 3) + 1/3 (0, 1, 3) + 1/3 (2, 0, 3)
    >>> after_pass, after_bet = solution.bet_probabilities
    >>> after_pass.round(3), after_bet.round(3)
    (array([0.333, 0.   , 1.   ]), array([0.   , 0.333, 1.   ]))
    """

    def __init__(self, codes: Sequence[Sequence[int]], weights: Sequence[float] | None = None):
        self.codes = tuple(tuple(code) for code in codes)
        for code in self.codes:
            if len(code) != len(CARDS) or not all(digit in range(4) for digit in code):
                raise SettingError(
                    f"{code!r} is not a strategy in Kuhn's code; give a digit from 0 to 3 for each card, such"
                    " as (2, 0, 3)."
                )

        self.weights: Floats = validate_mixture(weights, len(self.codes))

        # A row for each code: the bits after a pass by card, and then the bits after a bet.
        bets_of_codes = []
        for code in self.codes:
            after_pass = [digit >> 1 for digit in code]
            after_bet = [digit & 1 for digit in code]
            bets_of_codes.append(after_pass + after_bet)
        bet_probabilities = self.weights @ np.array(bets_of_codes)
        self.bet_probabilities: Floats = bet_probabilities.reshape(2, len(CARDS))
        freeze(self.weights, self.bet_probabilities)

    def make_profile(self) -> Profile:
        """Return the profile of Kuhn poker in which player 2 plays this mixture, and player 1 plays uniformly."""
        table = kuhn().uniform().to_table()
        # Rounding may leave a sum of weights a little above 1.
        probabilities = self.bet_probabilities.clip(0.0, 1.0).tolist()
        for first_action, bets_by_card in zip(FIRST_ACTIONS, probabilities, strict=True):
            for card, bet in zip(CARDS, bets_by_card, strict=True):
                table[1, f"{card}, {first_action}"] = {"pass": 1.0 - bet, "bet": bet}
        return Profile.from_table(kuhn(), table)

    def __str__(self) -> str:
        """Return the mixture as text with a digit from 0 to 3 for each card: '1/3 (0, 0, 3) + 2/3 (0, 1, 3)'."""
        return self.format_mixture("d")

    def format_bits(self) -> str:
        """Return the mixture as text with two bits for each card, as the paper prints it.

        Examples
        --------
        >>> KuhnCode([(0, 0, 3), (2, 0, 3)], [0.25, 0.75]).format_bits()
        '1/4 (00, 00, 11) + 3/4 (10, 00, 11)'
        """
        return self.format_mixture("02b")

    def format_mixture(self, digit_format: str) -> str:
        """Return the mixture of pure strategies as text, such as '1/3 (0, 0, 3) + 2/3 (0, 1, 3)'.

        A weight is written as a fraction if its denominator is at most `MOST_DENOMINATOR`. Other weights have three
        digits.

        Parameters
        ----------
        digit_format : str
            How Python formats the digit of a card: 'd' (decimal) or '02b' (two bits).
        """
        terms = []
        for code, weight in zip(self.codes, self.weights.tolist(), strict=True):
            fraction = Fraction(weight).limit_denominator(MOST_DENOMINATOR)
            is_fraction = abs(fraction - weight) < SUM_TOLERANCE
            share = str(fraction) if is_fraction else f"{weight:.3g}"
            digits = ", ".join(format(digit, digit_format) for digit in code)
            terms.append(f"{share} ({digits})")
        return " + ".join(terms)


def validate_mixture(weights: Sequence[float] | None, count: int) -> Floats:
    """Return the weights of a mixture of `count` strategies as an array, shape (count,).

    Parameters
    ----------
    weights : sequence of float or None
        The probability of each strategy; None for equal probabilities.
    count : int
        The number of strategies.

    Raises
    ------
    ShapeError
        If there are no strategies, or not one weight for each.
    ProbabilityError
        If a weight is negative, or if the weights do not sum to 1.
    """
    if weights is None:
        weights = [1.0 / max(count, 1)] * count  # no division by zero; an error follows below
    mixture = np.array(weights, np.float64)
    if mixture.shape != (count,) or count == 0:
        raise ShapeError(f"{count} codes have weights of shape {mixture.shape}; give one each.")
    is_mixture = (mixture >= 0.0).all() and abs(mixture.sum() - 1.0) <= SUM_TOLERANCE
    if not is_mixture:  # also if a weight is NaN
        raise ProbabilityError(
            f"the weights are {mixture.tolist()} and sum to {mixture.sum():.12g}; they must be 0 or more and sum to"
            " 1."
        )
    return mixture
