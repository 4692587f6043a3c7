"""An equilibrium of a subgame with any number of players, by the logit path (McKelvey & Palfrey 1995).

Players who respond with a precision lambda play every strategy with a probability proportional to
exp(lambda times what it wins). At lambda = 0 they are uniform; from there a path of such mixes leads, as
lambda grows, to an equilibrium. It is followed as Turocy (2005) does, in logarithms of probabilities
and along its own length, since lambda need not grow all the way. Newton's method then turns a mix near
the end of the path into the equilibrium on the same strategies.

Oliehoek et al. (2006, section 8) leave more than two players open; this is our rule for them. McLennan and
Tourky's imitation games were tried first: they stall on a third of 40 x 40 x 40 subgames of three-player
Kuhn poker, where the path ends in a tenth of a second.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from pokerlab.core import ConvergenceError
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import LARGEST_COUNT, number, whole
from pokerlab.games import SequenceForm
from pokerlab.solvers.highs import Statuses
from pokerlab.solvers.subgame.mixture import Mixture
from pokerlab.solvers.subgame.payoffs import allowed_gain, largest_gain, own_payoffs, tidy_mix

NEAR = 1e-3
"""Gain, in parts of the spread of payoffs, below which Newton's method may find the equilibrium."""
PLAYED = (1e-6, 1e-4, 1e-3, 1e-2)
"""What counts as played on the path, in parts of the likeliest strategy; tried in turn."""
CLOSE = 0.02
"""Largest difference between probabilities of the equilibrium and on the path; beyond lies another end."""
FIRST_LENGTH = 0.1
SHORTEST = 1e-10
"""A path that cannot be followed by steps of this length has a kink there."""
MOST_CORRECTIONS = 5
LARGEST_CORRECTIONS = (0.5, 0.1, 0.02)
"""Of a logarithm of a probability after a step, in parts of itself where it is large; tried in turn, for
a step too long can meet another branch."""
TOO_LIKELY = 1.0
"""The logarithm of a probability that no correction may pass, lest exp overflow."""
LARGEST_PRECISION = 1e14
"""In one over the spread of payoffs: there lambda times rounding shows."""
SETTLED = 1e-8
"""Corrections below this part of the largest number are rounding: it is lambda times a payoff."""
MOST_NEWTON_STEPS = 20
"""Newton's method doubles its digits each time; where it has not ended by then it will not."""
RANK = 1e-10
"""Singular values below this part of the largest are zero: equilibria can form a continuum."""
STRAIGHT = 0.9
"""Cosine of the largest angle between the directions before and after a step."""


@dataclass(frozen=True, kw_only=True)
class LogitPath:
    """Follow the logit path until the equilibrium at its end is known to the tolerance.

    When nobody gains much any more, Newton's method looks for the equilibrium on the strategies that are
    still played; if it finds none, the path goes on. A path that does not end well is followed again, in
    shorter steps.

    Attributes
    ----------
    tolerance : float
        Most that a player may gain in the subgame by leaving the mixes, in units of the largest
        utility (at least 1): epsilon.
    most_steps : int
        Steps along the path, each time.

    References
    ----------
    .. [1] R. D. McKelvey and T. R. Palfrey, "Quantal response equilibria for normal form games", Games
       and Economic Behavior 10, 1995
    .. [2] T. L. Turocy, "A dynamic homotopy interpretation of the logistic quantal response equilibrium
       correspondence", Games and Economic Behavior 51, 2005

    Examples
    --------
    >>> import numpy as np
    >>> row, column = np.array([[3, 0], [2, 2]]), np.array([[3, 2], [0, 2]])  # a stag hunt
    >>> LogitPath()("stag hunt", np.array([row, column], dtype=float), ()).mixes[0]
    array([0., 1.])
    """

    tolerance: float = 1e-9
    most_steps: int = 500

    def __post_init__(self) -> None:
        number("tolerance", self.tolerance, 0.0, 1e9)
        whole("most_steps", self.most_steps, 1, LARGEST_COUNT)

    def check(self, game: SequenceForm) -> None:
        """Accept every game."""

    def __call__(self, name: str, payoffs: Floats, basis: tuple[Statuses, ...]) -> Mixture:
        """Return an equilibrium of `payoffs`, (n, K_1, ..., K_n).

        Raises
        ------
        ConvergenceError
            If the path does not come within the tolerance.
        """
        spread = np.array([np.ptp(payoff) or 1.0 for payoff in payoffs])
        relative = payoffs / spread.reshape(-1, *[1] * (payoffs.ndim - 1))
        least, allowed = np.inf, allowed_gain(payoffs, self.tolerance)
        for largest_correction in LARGEST_CORRECTIONS:
            near = NEAR
            for mixes in islice(logit_path(relative, largest_correction), self.most_steps):
                gain = largest_gain(relative, mixes)
                ends = [mixes]
                if gain <= near:
                    sharp = (sharpened_mixes(relative, mixes, played) for played in PLAYED)
                    ends += [end for end in sharp if farthest(end, mixes) <= CLOSE]
                    near = gain / 2.0
                for end in ends:
                    least = min(least, largest_gain(payoffs, end))
                    if least <= allowed:
                        return Mixture(end)
        size = " x ".join(map(str, payoffs.shape[1:]))
        raise ConvergenceError(
            f"the logit path of the {size} subgame of {name} leaves {least:.3g} to gain, with payoffs up"
            f" to {np.abs(payoffs).max():g}; allowed is {allowed:.3g}. Allow a larger tolerance"
            f" or more than {self.most_steps} steps, or begin with other strategies."
        )


class Point(NamedTuple):
    """A place on the path.

    Attributes
    ----------
    logarithms : tuple of ndarray of shape (K_i,)
        Of everybody's probabilities.
    offsets : ndarray of shape (n,)
        What makes each player's probabilities sum to one: log of the sum of exp(lambda u).
    precision : float
        lambda, in one over the spread of payoffs.
    """

    logarithms: tuple[Floats, ...]
    offsets: Floats
    precision: float

    @property
    def vector(self) -> Floats:
        """All numbers in a row, (K + n + 1,)."""
        return np.concatenate([*self.logarithms, self.offsets, [self.precision]])

    def plus(self, step: Floats) -> "Point":
        """Return the point a step, (K + n + 1,), away."""
        ends = np.cumsum([*map(len, self.logarithms), len(self.offsets)])
        *parts, offsets, precision = np.split(step, ends)
        logarithms = tuple(p + q for p, q in zip(self.logarithms, parts, strict=True))
        return Point(logarithms, self.offsets + offsets, self.precision + float(precision[0]))


def logit_path(payoffs: Floats, largest_correction: float) -> Iterator[tuple[Floats, ...]]:
    """Yield the mixes along the path, from uniform ones; end where it cannot be followed.

    Parameters
    ----------
    payoffs : ndarray of shape (n, K_1, ..., K_n)
        What each player wins, with a spread of about one.
    largest_correction : float
        How far from the path a step may lead, in logarithms of probabilities.
    """
    sizes = payoffs.shape[1:]
    logarithms = tuple(np.full(size, -np.log(size)) for size in sizes)
    point = Point(logarithms, np.log(sizes), 0.0)
    ahead = np.eye(1, sum(sizes) + len(sizes) + 1, sum(sizes) + len(sizes))[0]
    ahead = direction(payoffs, point, ahead)
    length = FIRST_LENGTH
    while (
        length > SHORTEST and 0.0 <= point.precision <= LARGEST_PRECISION
    ):  # below 0: another path
        yield tuple(tidy_mix(np.exp(part)) for part in point.logarithms)
        while length > SHORTEST:
            away = point.plus(length * ahead)
            found, corrections = point_on_path(payoffs, away, ahead, largest_correction)
            if found is not None:
                new = direction(payoffs, found, ahead)
                if new @ ahead >= STRAIGHT:
                    point, ahead = found, new
                    length *= 2.0 if corrections <= 3 else 1.0
                    break
            length /= 2.0


def point_on_path(
    payoffs: Floats, point: Point, ahead: Floats, largest_correction: float
) -> tuple[Point | None, int]:
    """Return the point of the path beside `point`, across `ahead`, and after how many corrections.

    No point if Newton's method goes far or does not settle.
    """
    last = largest_correction
    for corrections in range(1, MOST_CORRECTIONS + 1):
        if max(float(part.max()) for part in point.logarithms) > TOO_LIKELY:
            return None, corrections
        excess, slope = logit_excess(payoffs, point)
        step = -solution(slope, ahead, np.append(excess, 0.0))
        size = np.maximum(1.0, np.abs(point.vector))
        relative = float(np.abs(step / size).max())
        if not relative <= last:
            return None, corrections
        point, last = point.plus(step), 2.0 * relative
        if np.abs(step).max() < SETTLED * size.max():
            return point, corrections
    return None, MOST_CORRECTIONS


def direction(payoffs: Floats, point: Point, ahead: Floats) -> Floats:
    """Return the path's direction at a point, of length one, on the side of `ahead`; NaN at a kink."""
    _, slope = logit_excess(payoffs, point)
    tangent = solution(slope, ahead, np.append(np.zeros(len(slope)), 1.0))
    return np.asarray(tangent / np.linalg.norm(tangent))


def solution(slope: Floats, ahead: Floats, right: Floats) -> Floats:
    """Solve for a step across the path, or along it; NaN where that is not determined."""
    try:
        return np.asarray(np.linalg.solve(np.vstack([slope, ahead]), right))
    except np.linalg.LinAlgError:
        return np.full(len(ahead), np.nan)


def farthest(mixes: Sequence[Floats], others: Sequence[Floats]) -> float:
    """Return the largest difference between two probabilities of a strategy."""
    return max(float(np.abs(x - y).max()) for x, y in zip(mixes, others, strict=True))


def logit_excess(payoffs: Floats, point: Point) -> tuple[Floats, Floats]:
    """Return what must be zero on the path, (K + n,), and its derivatives, (K + n, K + n + 1).

    That is log pi_i(k) - lambda u_i(k, pi_-i) + offset_i, and each player's sum of pi_i less one.
    """
    mixes = [np.exp(part) for part in point.logarithms]
    won = [own_payoffs(u, mixes, p) for p, u in enumerate(payoffs)]
    ends = np.cumsum([0, *map(len, mixes)])
    n, total = len(mixes), int(ends[-1])
    slope = np.zeros((total + n, total + n + 1))
    slope[:total, :total] = (
        -point.precision * pairwise_payoffs(payoffs, mixes) * np.concatenate(mixes)
    )
    slope[:total, :total] += np.eye(total)
    slope[:total, -1] = -np.concatenate(won)
    excess = []
    for player, logarithms in enumerate(point.logarithms):
        mine = slice(ends[player], ends[player + 1])
        excess.append(logarithms - point.precision * won[player] + point.offsets[player])
        slope[mine, total + player] = 1.0
        slope[total + player, mine] = mixes[player]
    sums = np.array([mix.sum() for mix in mixes])
    return np.concatenate([*excess, sums - 1.0]), slope


def sharpened_mixes(payoffs: Floats, mixes: Sequence[Floats], least: float) -> tuple[Floats, ...]:
    """Return mixes that make everybody's likelier strategies equally good, if Newton's method finds them.

    The caller must check that they are an equilibrium: these strategies may not be the right support.

    Parameters
    ----------
    payoffs : ndarray of shape (n, K_1, ..., K_n)
        What each player wins.
    mixes : sequence of ndarray of shape (K_i,)
        Where to begin.
    least : float
        Strategies with less than this part of the likeliest one's probability are dropped.
    """
    supports = [np.flatnonzero(mix > least * mix.max()) for mix in mixes]
    played = payoffs[np.ix_(np.arange(len(mixes)), *supports)]
    weights = [tidy_mix(mix[support]) for mix, support in zip(mixes, supports, strict=True)]
    ends = np.cumsum([len(mix) for mix in weights])
    values = np.array([own_payoffs(u, weights, p).mean() for p, u in enumerate(played)])
    for _ in range(MOST_NEWTON_STEPS):
        excess, slope = indifference(played, weights, values)
        step = np.linalg.lstsq(slope, excess, rcond=RANK)[0]
        moves = np.split(step, ends)
        weights = [mix - move for mix, move in zip(weights, moves[:-1], strict=True)]
        values = values - moves[-1]
        if np.abs(step).max() <= np.finfo(float).eps:
            break
    sharp = []
    for mix, support, weight in zip(mixes, supports, weights, strict=True):
        full = np.zeros_like(mix)
        full[support] = np.maximum(weight, 0.0)
        sharp.append(tidy_mix(full) if full.any() else mix)
    return tuple(sharp)


def indifference(payoffs: Floats, mixes: Sequence[Floats], values: Floats) -> tuple[Floats, Floats]:
    """Return by how much each strategy wins more than its player's value, and each sum exceeds one.

    Also the derivatives of these, (K + n,) with K = K_1 + ... + K_n, in all weights and values.
    """
    ends = np.cumsum([0, *(len(mix) for mix in mixes)])
    n, total = len(mixes), int(ends[-1])
    won = [own_payoffs(u, mixes, p) for p, u in enumerate(payoffs)]
    sums = np.array([mix.sum() for mix in mixes])
    excess = np.concatenate([*(w - v for w, v in zip(won, values, strict=True)), sums - 1.0])
    slope = np.zeros((total + n, total + n))
    slope[:total, :total] = pairwise_payoffs(payoffs, mixes)
    for player in range(n):
        mine = slice(ends[player], ends[player + 1])
        slope[mine, total + player] = -1.0
        slope[total + player, mine] = 1.0
    return excess, slope


def pairwise_payoffs(payoffs: Floats, mixes: Sequence[Floats]) -> Floats:
    """Return what each strategy wins against each strategy of another player, (K, K).

    The remaining players mix. Blocks of a player against itself are zero.
    """
    ends = np.cumsum([0, *(len(mix) for mix in mixes)])
    table = np.zeros((ends[-1], ends[-1]))
    for player, payoff in enumerate(payoffs):
        for other in range(len(mixes)):
            if other != player:
                won = np.moveaxis(payoff, (player, other), (0, 1))
                rest = [mix for p, mix in enumerate(mixes) if p not in (player, other)]
                for mix in reversed(rest):
                    won = won @ mix
                mine, theirs = (slice(ends[p], ends[p + 1]) for p in (player, other))
                table[mine, theirs] = won
    return table
