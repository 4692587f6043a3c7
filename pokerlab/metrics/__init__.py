"""Numbers that say how good a profile is: pure functions of a game and a profile."""

from pokerlab.metrics.baseline import performance
from pokerlab.metrics.equilibrium import epsilon, exploitability, nash_conv

__all__ = ["epsilon", "exploitability", "nash_conv", "performance"]
