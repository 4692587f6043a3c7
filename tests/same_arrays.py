"""Whether two compiled games are the same, bit for bit, apart from their rules."""

from dataclasses import fields
from typing import Any

import numpy as np

from pokerlab.games import SequenceForm


def assert_same_arrays(game: SequenceForm, wanted: SequenceForm) -> None:
    """Assert that all attributes of two games but `rules` have the same types, shapes and bits."""
    for one in fields(SequenceForm):
        if one.name != "rules":
            assert_same(one.name, getattr(game, one.name), getattr(wanted, one.name))
    assert game.fingerprint == wanted.fingerprint


def assert_same(name: str, mine: Any, other: Any) -> None:
    """Assert that two arrays, tuples or plain values are the same."""
    assert type(mine) is type(other), name
    if isinstance(mine, np.ndarray):
        assert (mine.dtype, mine.shape) == (other.dtype, other.shape), name
        assert mine.tobytes() == other.tobytes(), name
    elif isinstance(mine, tuple):
        assert len(mine) == len(other), name
        for part, other_part in zip(mine, other, strict=True):
            assert_same(name, part, other_part)
    else:
        assert mine == other, name
