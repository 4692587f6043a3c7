"""Work that is divided among threads or over a cluster.

A `part` is a function that does the work of a range, `part(low, high)`. `run_in_threads` and `run_on_cluster` divide a
range into parts and return their results in order, so no result depends on the number of workers, nor on workers that
die. `choose_work_divider` chooses one of the two by a parameter `workers`. Long work calls `check_cancelled` now and
then, so that a user can stop it.
"""

import asyncio
import ctypes
import multiprocessing
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar, copy_context
from functools import partial
from itertools import pairwise
from typing import Any, Protocol, TypeVar

from pokerlab.core.errors import ClusterError, SettingError
from pokerlab.core.settings import checked_integer

Part = TypeVar("Part")
CANCEL_EVENTS: ContextVar[tuple[threading.Event, ...]] = ContextVar("given up", default=())
"""The events of which one is set once the work of the present thread is cancelled."""
CANCEL_SECONDS = 1.5
"""The seconds within which cancelled work that calls `check_cancelled` has ended."""
MOST_WORKERS = 256
PROGRESS_AFTER = 1.0
"""The seconds after which work shows its progress."""
CLUSTER_TIMEOUT = 30
"""The seconds to wait for a cluster's scheduler and workers."""
PIECES_PER_THREAD = 4
"""The pieces of work for each thread of a cluster: with several no thread is idle for long, if some take longer."""


class Cancelled(KeyboardInterrupt):
    """Raised in the middle of work that has been cancelled."""


def check_cancelled() -> None:
    """Raise Cancelled if the present work has been cancelled."""
    if any(event.is_set() for event in CANCEL_EVENTS.get()):
        raise Cancelled


def iterate_until_cancelled(pieces: Iterable[Part]) -> Iterator[Part]:
    """Yield pieces of work, and raise Cancelled before the next piece once the work is cancelled."""
    for piece in pieces:
        check_cancelled()
        yield piece


class WorkDivider(Protocol):
    """A function that divides work, such as `partial(run_in_threads, workers=2)`."""

    def __call__(self, part: Callable[[int, int], Part], begin: int, end: int) -> tuple[Part, ...]:
        """Return the results of `part(low, high)` for ranges that cover `begin` to `end` - 1, in their order."""


def run_in_threads(
    part: Callable[[int, int], Part], begin: int, end: int, *, workers: int
) -> tuple[Part, ...]:
    """Divide the range from `begin` to `end` - 1 among threads, and return the results of the parts in their order.

    A stop by the user ends the threads at their next lines of Python; its exception carries their notes.

    Parameters
    ----------
    part : callable
        The work of a range: `part(low, high)` is called for ranges that cover the whole.
    begin, end : int
        The whole range; `end` is not part of it.
    workers : int
        The number of threads.
    """
    ranges = split_range(begin, end, workers)
    if len(ranges) == 1:
        return (part(*ranges[0]),)
    running: dict[int, threading.Thread] = {}
    notes: list[str] = []
    futures: list[Future[Part]] = []
    threads = ThreadPoolExecutor(len(ranges))
    all_made, stopped = threading.Event(), threading.Event()

    def run(low: int, high: int) -> Part:
        all_made.wait()  # so that no thread has begun if a stop comes while threads are made
        running[low] = threading.current_thread()
        try:
            CANCEL_EVENTS.set((*CANCEL_EVENTS.get(), stopped))
            check_cancelled()
            return part(low, high)
        except KeyboardInterrupt as stop:
            notes.extend(getattr(stop, "__notes__", ()))
            raise
        finally:
            del running[low]

    try:
        for low, high in ranges:
            futures.append(threads.submit(copy_context().run, run, low, high))
        all_made.set()
        return tuple(future.result() for future in futures)
    except KeyboardInterrupt as stop:
        stopped.set()
        all_made.set()
        wait(futures, CANCEL_SECONDS)
        for thread in list(running.values()):  # those that do not call check_cancelled
            raise_in_thread(thread, KeyboardInterrupt)
        threads.shutdown()
        for note in notes:
            stop.add_note(note)
        raise
    finally:
        all_made.set()  # also if a thread cannot be made
        threads.shutdown()


def receives_interrupts() -> bool:
    """Return whether the user's stop reaches this thread: it must be the main thread of the first process."""
    is_main_thread = threading.current_thread() is threading.main_thread()
    is_first_process = multiprocessing.parent_process() is None
    return is_main_thread and is_first_process


def raise_in_thread(thread: threading.Thread, error: type[BaseException]) -> None:
    """Raise an error in another thread, at its next line of Python, unless the thread has ended."""
    if thread.is_alive():  # the number of a thread that has ended may belong to another one
        identifier = ctypes.c_ulong(thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(identifier, ctypes.py_object(error))


def set_future(future: "Future[Part]", work: Callable[[], Part]) -> None:
    """Do the work and set the future's result or exception."""
    try:
        future.set_result(work())
    except BaseException as error:
        future.set_exception(error)


def run_in_this_thread(part: Callable[[int, int], Part], begin: int, end: int) -> tuple[Part, ...]:
    """Do all work in the present thread, as one part; a work divider that does not divide."""
    return run_in_threads(part, begin, end, workers=1)


def split_range(begin: int, end: int, count: int) -> list[tuple[int, int]]:
    """Divide the range from `begin` to `end` - 1 into at most `count` ranges of nearly equal length."""
    bounds = [begin + (end - begin) * index // count for index in range(count + 1)]
    return [(low, high) for low, high in pairwise(bounds) if low < high]


def is_cluster(workers: Any) -> bool:
    """Return whether `workers` is a cluster: a distributed.Client, or its scheduler's address."""
    distributed = sys.modules.get("distributed")  # imported already if `workers` is a Client
    client_type = getattr(distributed, "Client", str)
    return isinstance(workers, (str, client_type))


def choose_work_divider(workers: Any) -> WorkDivider:
    """Return the function that divides work among this number of threads, or over this cluster."""
    if is_cluster(workers):
        return partial(run_on_cluster, workers)
    return partial(run_in_threads, workers=checked_integer("workers", workers, 1, MOST_WORKERS))


def run_on_cluster(
    workers: Any, part: Callable[[int, int], Part], begin: int, end: int
) -> tuple[Part, ...]:
    """Divide the range from `begin` to `end` - 1 over a cluster, and return the results of the parts in their order.

    If a worker dies, the others compute its results again.

    Parameters
    ----------
    workers : distributed.Client or str
        The cluster, or the address of its scheduler.
    part : callable
        The work of a range, `part(low, high)`. It is sent once and passed from worker to worker.
    begin, end : int
        The whole range; `end` is not part of it.
    """
    with connect_cluster(workers) as cluster:
        from distributed import KilledWorker

        threads = max(1, sum(cluster.nthreads().values()))
        sent = cluster.submit(return_unchanged, part, pure=False)
        futures = [
            cluster.submit(call_part, sent, low, high, pure=False)
            for low, high in split_range(begin, end, PIECES_PER_THREAD * threads)
        ]
        try:
            return tuple(cluster.gather(futures))
        except (CancelledError, KilledWorker, OSError) as error:
            raise ClusterError(
                f"the cluster is lost, or a piece of work kills its workers ({error!r}). What a checkpoint or folder"
                " keeps is not lost: start the cluster again, with more memory if that was the cause, and run again."
            ) from error


def return_unchanged(part: Callable[[int, int], Part]) -> Callable[[int, int], Part]:
    """Return the function itself: as a task's result it is passed between workers, and sent again if it is lost."""
    return part


def call_part(part: Callable[[int, int], Part], low: int, high: int) -> Part:
    """Return the result of a part's work for one range."""
    return part(low, high)


@contextmanager
def connect_cluster(cluster: Any) -> Iterator[Any]:
    """Yield a client of a cluster that has workers; the cluster is given as a client or by its address."""
    try:
        from distributed import Client
    except ImportError:
        raise SettingError(
            f"workers is {cluster!r}; a cluster needs dask.distributed. Install it: pip install 'pokerlab[cluster]'."
        ) from None
    with ExitStack() as stack:
        try:
            client = cluster
            if isinstance(cluster, str):
                with ThreadPoolExecutor(
                    1
                ) as thread:  # a notebook's own thread already runs an event loop
                    thread.submit(asyncio.run, wait_for_greeting(cluster)).result()
                client = Client(cluster, timeout=CLUSTER_TIMEOUT, set_as_default=False)  # type: ignore[no-untyped-call, unused-ignore]
                stack.enter_context(client)
            client.wait_for_workers(1, timeout=CLUSTER_TIMEOUT)
        except Exception as error:  # anything that the bytes of another server may raise
            raise SettingError(
                f"workers is {cluster!r}, where no worker answers within {CLUSTER_TIMEOUT} seconds"
                f" ({type(error).__name__}: {error}). Start a scheduler and its workers, or give"
                " their address (of the scheduler, not of its dashboard)."
            ) from None
        yield client


async def wait_for_greeting(address: str) -> None:
    """Wait until a scheduler has greeted: a Client would wait for another kind of server without end."""
    import distributed

    dask: Any = distributed
    security = dask.Security().get_connection_args("client")
    greeting = dask.comm.connect(address, timeout=CLUSTER_TIMEOUT, **security)
    await (await asyncio.wait_for(greeting, CLUSTER_TIMEOUT)).close()
