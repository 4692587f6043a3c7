"""Looks at a run: some hundred of the pictures that it has shown, by which it can be seen again.

Their iterations are evenly spaced on a logarithmic axis.
"""

import math
from typing import Any

MOST_LOOKS = 300
MOST_BYTES = 8_000_000
"""The most bytes of the numbers in all looks of a bench. If pictures are larger, fewer looks are kept."""


class Looks:
    """Some of the pictures that a run has shown, as they were sent to the page, among them the first and the last."""

    def __init__(self) -> None:
        self.iterations: list[int] = []
        self.pictures: list[dict[str, Any]] = []
        self.num_bytes = 0

    def __len__(self) -> int:
        return len(self.pictures)

    def add_picture(self, iteration: int, encoded_picture: dict[str, Any]) -> None:
        """Add the picture at an iteration, and drop those at the same or a later iteration.

        If there are too many pictures, another one is dropped as well.
        """
        while self.iterations and self.iterations[-1] >= iteration:
            self.drop_picture(len(self) - 1)
        self.iterations.append(iteration)
        self.pictures.append(encoded_picture)
        self.num_bytes += count_bytes(encoded_picture)
        while len(self) > 2 and (len(self) > MOST_LOOKS or self.num_bytes > MOST_BYTES):
            self.drop_picture(self.find_most_redundant())

    def find_most_redundant(self) -> int:
        """Return the index of the look whose neighbors are closest to each other on a logarithmic axis."""
        positions = [math.log1p(iteration) for iteration in self.iterations]
        return min(range(1, len(self) - 1), key=lambda i: positions[i + 1] - positions[i - 1])

    def drop_picture(self, index: int) -> None:
        """Drop the picture with an index."""
        self.num_bytes -= count_bytes(self.pictures[index])
        del self.iterations[index], self.pictures[index]

    def flatten_pictures(self) -> tuple[list[dict[str, Any]], list[memoryview]]:
        """Return all pictures without the data of their arrays, and these data.

        Returns
        -------
        descriptions : list of dict
            The pictures, for JSON.
        buffers : list of memoryview
            The data of all arrays, in the order of the pictures.
        """
        descriptions = []
        buffers = []
        for picture in self.pictures:
            array_descriptions = [
                {name: value for name, value in array.items() if name != "data"}
                for array in picture["arrays"]
            ]
            descriptions.append({"picture": picture["picture"], "arrays": array_descriptions})
            buffers += [array["data"] for array in picture["arrays"]]
        return descriptions, buffers


def count_bytes(encoded_picture: dict[str, Any]) -> int:
    """Return the number of bytes of the numbers in a picture."""
    return sum(len(array["data"]) for array in encoded_picture["arrays"])
