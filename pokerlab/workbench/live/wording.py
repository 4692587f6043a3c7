"""Numbers and settings in words, as people write them."""

from typing import Any

from pokerlab.core.settings import settings_of

MILLION = 1_000_000


def worded_value(value: Any) -> str:
    """Return a value as people write it: 1e-300, 100,000 and 10 M."""
    if isinstance(value, float):
        return f"{value:g}"
    if not isinstance(value, int) or isinstance(value, bool):
        return str(value)
    return f"{value:,}" if value % MILLION or not value else f"{value // MILLION:,} M"


def differences(one: Any, other: Any) -> str:
    """Return the settings of the Config `other` where the two differ, as in 'payoff shift 10'."""
    told = [
        f"{about.label.lower()} {worded_value(getattr(other, name))}"
        for name, about in settings_of(one).items()
        if getattr(one, name) != getattr(other, name)
    ]
    more = f" and {len(told) - 2} more" if len(told) > 2 else ""
    return ", ".join(told[:2]) + more


def shortened(number: float) -> str:
    """Return a large number in three digits: 2.1 M."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"
