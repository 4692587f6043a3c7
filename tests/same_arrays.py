"""Whether two compiled games are the same, bit for bit, apart from their rules."""

from dataclasses import fields

import numpy as np

from pokerlab.games import SequenceForm


def assert_same_arrays(game: SequenceForm, wanted: SequenceForm) -> None:
    """Assert that all attributes of two games but `rules` have the same types, shapes and bits."""
    for one in fields(SequenceForm):
        if one.name == "rules":
            continue
        mine, other = getattr(game, one.name), getattr(wanted, one.name)
        assert type(mine) is type(other), one.name
        if isinstance(mine, np.ndarray):
            assert (mine.dtype, mine.shape) == (other.dtype, other.shape), one.name
            assert mine.tobytes() == other.tobytes(), one.name
        else:
            assert mine == other, one.name
    assert game.fingerprint == wanted.fingerprint
