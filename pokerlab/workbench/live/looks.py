"""Looks at a run, kept so that it can be seen again: some hundred pictures, evenly spaced on a logarithmic axis."""

import math
from typing import Any

MOST_LOOKS = 300
MOST_BYTES = 8_000_000
"""Of the numbers of all looks of a bench; with larger pictures fewer looks are kept."""


class Looks:
    """The pictures that a run has shown, as they went to the page; the first and the last are always among them."""

    def __init__(self) -> None:
        self.iterations: list[int] = []
        self.pictures: list[dict[str, Any]] = []
        self.bytes = 0

    def __len__(self) -> int:
        return len(self.pictures)

    def add(self, iteration: int, encoded: dict[str, Any]) -> None:
        """Keep the picture at an iteration, in place of an earlier one at the same or a later iteration."""
        while self.iterations and self.iterations[-1] >= iteration:
            self.drop(len(self) - 1)
        self.iterations.append(iteration)
        self.pictures.append(encoded)
        self.bytes += count_bytes(encoded)
        while len(self) > 2 and (len(self) > MOST_LOOKS or self.bytes > MOST_BYTES):
            self.drop(self.find_closest())

    def find_closest(self) -> int:
        """Return which look is closest to its neighbors on a logarithmic axis: the one that is missed least."""
        places = [math.log1p(iteration) for iteration in self.iterations]
        return min(range(1, len(self) - 1), key=lambda i: places[i + 1] - places[i - 1])

    def drop(self, index: int) -> None:
        """Forget a look."""
        self.bytes -= count_bytes(self.pictures[index])
        del self.iterations[index], self.pictures[index]

    def flatten(self) -> tuple[list[dict[str, Any]], list[memoryview]]:
        """Return all looks as JSON, and their arrays one after the other."""
        looks = []
        buffers = []
        for encoded in self.pictures:
            about = [
                {name: part for name, part in array.items() if name != "data"}
                for array in encoded["arrays"]
            ]
            looks.append({"picture": encoded["picture"], "arrays": about})
            buffers += [array["data"] for array in encoded["arrays"]]
        return looks, buffers


def count_bytes(encoded: dict[str, Any]) -> int:
    """Return the bytes of a picture's numbers."""
    return sum(len(array["data"]) for array in encoded["arrays"])
