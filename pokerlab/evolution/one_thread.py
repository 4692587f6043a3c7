"""Linear algebra on one thread: pycma's matrices are small.

Several threads take as long for them, at several times the work, and they round differently. The
limit holds for the whole process, so only one worker at a time may set it: if two evolved side by side,
one would lift the other's limit, and results would depend on the number of workers.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from threadpoolctl import ThreadpoolController

LIBRARIES = ThreadpoolController()
"""The libraries loaded so far, among them numpy's, which pycma calls."""
ALONE = Lock()


@contextmanager
def on_one_thread() -> Iterator[None]:
    """Limit linear algebra to one thread, as a decorator or in a with statement."""
    with ALONE, LIBRARIES.limit(limits=1, user_api="blas"):
        yield
