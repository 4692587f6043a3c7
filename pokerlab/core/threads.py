"""Work shared among threads; no result depends on their number."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Protocol, TypeVar

Part = TypeVar("Part")
MOST_WORKERS = 256


class Share(Protocol):
    """Divides work: `partial(shared, workers=2)` among threads, `partial(shared_on, client)` on a cluster."""

    def __call__(self, part: Callable[[int, int], Part], begin: int, end: int) -> tuple[Part, ...]:
        """Return `part(low, high)` for ranges that cover `begin` to `end` - 1, in their order."""


def shared(
    part: Callable[[int, int], Part], begin: int, end: int, *, workers: int
) -> tuple[Part, ...]:
    """Return `part(low, high)` for ranges that cover `begin` to `end` - 1, one a thread."""
    ranges = ranges_of(begin, end, workers)
    if len(ranges) == 1:
        return (part(*ranges[0]),)
    with ThreadPoolExecutor(len(ranges)) as threads:
        return tuple(threads.map(part, *zip(*ranges, strict=True)))


def one_after_another(part: Callable[[int, int], Part], begin: int, end: int) -> tuple[Part, ...]:
    """Return `part(begin, end)`: all of it in the present thread."""
    return shared(part, begin, end, workers=1)


def ranges_of(begin: int, end: int, count: int) -> list[tuple[int, int]]:
    """Return at most `count` ranges of nearly equal length that cover `begin` to `end` - 1."""
    edges = [begin + (end - begin) * number // count for number in range(count + 1)]
    return [(low, high) for low, high in pairwise(edges) if low < high]
