"""A step of the optimizer Adam, by which evolution strategies and descents follow a gradient.

Source: D. P. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015, Algorithm 1.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.core import Floats

FIRST_DECAY, SECOND_DECAY, ADAM_EPSILON = 0.9, 0.999, 1e-8
"""Adam's beta_1, beta_2 and epsilon (Kingma & Ba 2015, Algorithm 1)."""


class AdamStep(NamedTuple):
    """A step of the optimizer Adam, which is the learning rate times direction / scale.

    Attributes
    ----------
    first_moment, second_moment : array of shape (n,)
        The two moments of each of n genes after the step.
    direction, scale : array of shape (n,)
        The numerator and the denominator of the step.
    """

    first_moment: Floats
    second_moment: Floats
    direction: Floats
    scale: Floats


def compute_adam_step(
    first_moment: Floats, second_moment: Floats, gradient: Floats, time: int
) -> AdamStep:
    """Return a step of the optimizer Adam and its moments after the step (Kingma & Ba 2015, Algorithm 1).

    Parameters
    ----------
    first_moment, second_moment : array of shape (n,)
        The exponential averages of earlier gradients and of their squares, for each of n genes. They are not changed.
    gradient : array of shape (n,)
        The new gradient.
    time : int
        The index of the step, counted from 1.

    Returns
    -------
    AdamStep
        The new moments, and the numerator and denominator of the step without the learning rate.
    """
    first_moment = FIRST_DECAY * first_moment + (1.0 - FIRST_DECAY) * gradient
    second_moment = SECOND_DECAY * second_moment + (1.0 - SECOND_DECAY) * gradient**2

    # Averages that begin at 0 are too small at first, which these divisions correct.
    direction = first_moment / (1.0 - FIRST_DECAY**time)
    scale = np.sqrt(second_moment / (1.0 - SECOND_DECAY**time)) + ADAM_EPSILON
    return AdamStep(first_moment, second_moment, direction, scale)
