"""The definitions walk the whole tree for every number; here each game's histories are listed once for each test."""

from collections.abc import Iterator
from typing import Any

import pytest

from pokerlab.reference import definitions

Histories = list[definitions.ReachedHistory]


@pytest.fixture(autouse=True)
def listed_histories(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the definitions read the histories of rules from a list, which `definitions.iterate_histories` makes."""
    listed: dict[int, tuple[Any, Histories]] = {}  # with the rules, so that no other gets their id
    walked = definitions.iterate_histories

    def histories(rules: Any) -> Iterator[definitions.ReachedHistory]:
        if id(rules) not in listed:
            listed[id(rules)] = rules, list(walked(rules))
        return iter(listed[id(rules)][1])

    monkeypatch.setattr(definitions, "iterate_histories", histories)
