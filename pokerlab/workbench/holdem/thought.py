"""What an agent thinks of a hand when it acts: shown to the reader when the hand is over."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from pokerlab.holdem.betting.hand import Hand


class Thought(NamedTuple):
    """How an agent saw the table when it acted.

    Attributes
    ----------
    bucket : str
        What it took its cards for, such as '5 of 6'.
    fold, call, raise_ : float
        How likely it was to do what.
    """

    bucket: str
    fold: float
    call: float
    raise_: float


Explain: TypeAlias = Callable[[Hand], Thought]
"""From the moment at which the agent acts to how it sees it."""
