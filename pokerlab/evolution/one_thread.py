"""Linear algebra on one thread: pycma's matrices are small.

Several threads take as long for them, at several times the work, and they round differently. How
many there are holds for the whole process; so whoever wants one has it alone. Otherwise one of two
workers that evolve side by side would lift the limit of the other, and results would depend on how
many workers there are.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from threadpoolctl import ThreadpoolController

LIBRARIES = ThreadpoolController()
"""Those loaded by now: numpy's, which pycma calls, among them."""
ALONE = Lock()


@contextmanager
def on_one_thread() -> Iterator[None]:
    """Limit linear algebra to one thread meanwhile, as a decorator or in a with statement."""
    with ALONE, LIBRARIES.limit(limits=1, user_api="blas"):
        yield
