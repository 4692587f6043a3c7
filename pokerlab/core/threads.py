"""Work shared among threads; no result depends on their number."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

Part = TypeVar("Part")
MOST_WORKERS = 256


def shared(
    part: Callable[[int, int], Part], begin: int, end: int, *, workers: int
) -> tuple[Part, ...]:
    """Return `part(low, high)` for ranges that cover `begin` to `end` - 1, one a thread."""
    edges = [begin + (end - begin) * worker // workers for worker in range(workers + 1)]
    ranges = [(low, high) for low, high in pairwise(edges) if low < high]
    if len(ranges) == 1:
        return (part(*ranges[0]),)
    with ThreadPoolExecutor(len(ranges)) as threads:
        return tuple(threads.map(part, *zip(*ranges, strict=True)))
