"""Tables of what is refused, and in which words: one test a module."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from pokerlab.core import SettingError


def refused(*cases: tuple[Any, ...]) -> Callable[..., None]:
    """Return a test of cases (call, kind, words): an error of this kind has these words in it.

    A case of (call, words) is for a SettingError.
    """
    full = [(case[0], case[1] if len(case) > 2 else SettingError, case[-1]) for case in cases]

    @pytest.mark.parametrize(("call", "kind", "words"), full)
    def test(call: Callable[[], Any], kind: type[Exception], words: str) -> None:
        with pytest.raises(kind, match=re.escape(words)):
            call()

    return test
