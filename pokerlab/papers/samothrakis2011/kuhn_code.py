"""Kuhn's notation for player 2's strategies in his poker (Kuhn 1950): a digit for each card.

Player 2 sees a pass or a bet, and answers it by pass or bet. So a pure strategy is two bits for each
of the cards 1 (jack), 2 and 3: whether to bet after a pass, whether to bet (call) after a bet. The
bits are read as a number: 0 = 00, 1 = 01, 2 = 10, 3 = 11.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import GameError, ProbabilityError, SettingError, ShapeError
from pokerlab.core.arrays import Floats, freeze
from pokerlab.games import Profile, SequenceForm, kuhn
from pokerlab.games.sequence_form.profile import SUM_TOLERANCE, check_profile

CARDS, SEEN = "JQK", ("pass", "bet")
PLAYER = 1
SMALLEST_WEIGHT = 1e-12
"""What rounding may leave over; a strategy with less weight is not written down."""

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
        given = checked_codes(codes)
        equal = [1.0 / max(len(given), 1)] * len(given)
        try:
            mix = np.array(equal if weights is None else weights, dtype=np.float64)
        except (TypeError, ValueError):
            raise ProbabilityError(f"the weights are {weights!r}; give a number a code.") from None
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

    @classmethod
    def of(cls, profile: Profile) -> "KuhnCode":
        """Return a mixture that does what player 2 does in a profile of Kuhn poker.

        Many do. This one draws a point of a circle on which the six chances to bet lie end to end as
        arcs, and bets where the point is on the arc: at most seven strategies. Kuhn's solution comes
        back as he wrote it.
        """
        game = kuhn()
        check_kuhn(profile.game)
        check_profile(game, profile)
        chances = [profile.at(PLAYER, f"{card}, {seen}")["bet"] for card, seen in SITUATIONS]
        begins = np.concatenate([[0.0], np.cumsum([p % 1.0 for p in chances])])[:-1] % 1.0
        cuts = np.unique(np.concatenate([[0.0, 1.0], begins, (begins + chances) % 1.0]))
        lengths = np.diff(cuts)
        middles = cuts[:-1] + lengths / 2.0
        mix: dict[Code, float] = {}
        for middle, length in zip(middles, lengths, strict=True):
            bits = [(middle - begin) % 1.0 < p for begin, p in zip(begins, chances, strict=True)]
            code = code_of(bits)
            mix[code] = mix.get(code, 0.0) + float(length)
        mix = {code: weight for code, weight in mix.items() if weight > SMALLEST_WEIGHT}
        total = math.fsum(mix.values())
        codes = sorted(mix)
        return cls(codes, [mix[code] / total for code in codes])

    @cached_property
    def chances(self) -> Floats:
        """The probability to bet, (2, 3): after a pass and after a bet, by card."""
        bits = np.array(
            [[digit >> 1 for digit in c] + [digit & 1 for digit in c] for c in self.codes]
        )
        return np.asarray((self.weights @ bits).reshape(2, 3))

    def profile(self, others: Profile | None = None) -> Profile:
        """Return the profile in which player 2 plays this, and player 1 as in `others`.

        Player 1 is uniform if `others` is left out.
        """
        game = kuhn()
        before = game.uniform() if others is None else others
        check_kuhn(before.game)
        table = before.table()
        for card, seen in SITUATIONS:
            chance = float(np.clip(self.chances[SEEN.index(seen), CARDS.index(card)], 0.0, 1.0))
            table[PLAYER, f"{card}, {seen}"] = {"pass": 1.0 - chance, "bet": chance}
        return Profile.from_table(game, table)

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


SITUATIONS = tuple((card, seen) for card in CARDS for seen in SEEN)
"""What player 2 can see, in the order of the bits."""


def code_of(bits: Sequence[bool] | NDArray[np.bool_]) -> Code:
    """Return the digits of six bits, in the order of `SITUATIONS`."""
    one, two, three = (2 * int(bits[i]) + int(bits[i + 1]) for i in (0, 2, 4))
    return one, two, three


def checked_codes(codes: object) -> tuple[Code, ...]:
    """Return strategies, three digits each; refuse anything but a list of them."""
    if not isinstance(codes, Sequence | np.ndarray):
        raise SettingError(
            f"codes are {codes!r}; give a list of strategies in Kuhn's code, such as [(2, 0, 3)]."
        )
    return tuple(map(checked_code, codes))


def checked_code(code: object) -> Code:
    """Return three digits; refuse anything but a pure strategy of player 2."""
    digits = tuple(code) if isinstance(code, Sequence | np.ndarray) else ()
    if len(digits) != 3 or not all(digit in range(4) for digit in digits):
        raise SettingError(
            f"{code!r} is not a strategy in Kuhn's code; give a digit from 0 to 3 for each card, such as"
            " (2, 0, 3)."
        )
    one, two, three = (int(digit) for digit in digits)
    return one, two, three


def check_kuhn(game: SequenceForm) -> None:
    """Refuse other games than Kuhn poker for two."""
    if game is not kuhn() and game.fingerprint != kuhn().fingerprint:
        raise GameError(
            f"Kuhn's code is for Kuhn poker, games.kuhn(); the profile is of {game.name}."
        )
