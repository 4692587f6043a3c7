"""Values for a slider on which equal ratios matter: 1, 2, 5, 10, 20, ... or every so many decades."""

import math

FINEST = 40
"""Steps that a slider can still be set to by hand."""
DECADES_BELOW = 12
"""How far a slider reaches down that may stand at zero, if its value does not ask for more."""


def ladder(low: float, high: float, value: float, *, whole: bool) -> list[float]:
    """Return the steps of a logarithmic slider, `value` among them.

    Parameters
    ----------
    low, high : float
        The ends; `low` may be zero, which is then the first step.
    value : float
        What the slider must be able to show.
    whole : bool
        Whether steps are integers.
    """
    bottom = low if low > 0 else min(filter(None, (value, high * 10.0**-DECADES_BELOW)))
    bottom = max(bottom, 1) if whole else bottom
    first, last = math.floor(math.log10(bottom)), math.ceil(math.log10(high))
    digits = (1, 2, 5) if 3 * (last - first) <= FINEST else (1,)
    stride = math.ceil((last - first) / FINEST)
    powers = [10.0**exponent for exponent in range(first, last + 1, stride)]
    steps = {float(f"{digit * power:.12g}") for power in powers for digit in digits}
    steps = {step for step in steps if bottom <= step <= high} | {low, high, value}
    return sorted(int(step) if whole else step for step in steps)


def step_between(low: float, high: float) -> float:
    """Return a round step that divides a linear range into about a hundred."""
    return float(10.0 ** math.floor(math.log10((high - low) / 100)))
