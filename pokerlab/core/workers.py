"""Functions that divide work among threads or over a cluster.

The work on the items of a range is done by a function `compute_part`, where `compute_part(low, high)` does the work on
the items from `low` to `high` - 1. `run_in_threads` and `run_on_cluster` divide a range into smaller ranges and return
the results of `compute_part` in their order. So no result depends on the number of workers, or on workers that die.
`choose_work_divider` chooses one of the two functions by the parameter `workers` that a user has set. Long computations
call `check_cancelled` regularly, so that a user can stop them.
"""

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
from pokerlab.core.settings import validate_integer

Part = TypeVar("Part")
CANCEL_EVENTS: ContextVar[tuple[threading.Event, ...]] = ContextVar("cancel events", default=())
"""The events of the present thread. Its work is cancelled as soon as one of them is set."""
WAKE_SECONDS = 0.5
"""The seconds after which a waiting thread looks for a signal that came just before it began to wait."""
CANCEL_SECONDS = 1.5
"""The seconds to wait for cancelled work to end by itself, as work that calls `check_cancelled` does."""
MOST_WORKERS = 256
PROGRESS_AFTER = 1.0
"""The seconds after which a computation begins to show its progress."""
CLUSTER_TIMEOUT = 30
"""The seconds to wait for a cluster's scheduler and workers."""
PIECES_PER_THREAD = 4
"""The number of pieces of work for each thread of a cluster.

With several pieces for each thread, no thread is idle for long if some pieces take longer than others.
"""


class Cancelled(KeyboardInterrupt):
    """The exception that ends work which has been cancelled."""


def check_cancelled() -> None:
    """Raise Cancelled if the work of the present thread has been cancelled."""
    if any(event.is_set() for event in CANCEL_EVENTS.get()):
        raise Cancelled


def iterate_until_cancelled(pieces: Iterable[Part]) -> Iterator[Part]:
    """Yield the given pieces of work one after the other, and raise Cancelled as soon as the work has been cancelled.

    It is checked before each piece whether the work has been cancelled.
    """
    for piece in pieces:
        check_cancelled()
        yield piece


def can_start_threads() -> bool:
    """Return whether a thread can be started, which is tried. In a browser none can."""
    thread = threading.Thread(target=int)
    try:
        thread.start()
    except RuntimeError:
        return False
    thread.join()
    return True


class WorkDivider(Protocol):
    """A function that divides work, such as `partial(run_in_threads, workers=2)`."""

    def __call__(
        self, compute_part: Callable[[int, int], Part], begin: int, end: int
    ) -> tuple[Part, ...]:
        """Divide the range from `begin` to `end` - 1, and return the results of `compute_part` in their order."""


def run_in_threads(
    compute_part: Callable[[int, int], Part], begin: int, end: int, *, workers: int
) -> tuple[Part, ...]:
    """Divide the range from `begin` to `end` - 1 among threads, and return the results of the parts in their order.

    If the user stops the computation, threads that call `check_cancelled` end there. The other threads end at their
    next line of Python code. The notes of the exceptions in the threads are added to the exception that is raised here.

    Parameters
    ----------
    compute_part : callable
        A function such that `compute_part(low, high)` does the work on the items from `low` to `high` - 1.
    begin, end : int
        The whole range, to which `end` does not belong.
    workers : int
        The largest number of threads. If there is only one range, no thread is made. Where no thread can be started,
        the parts are done one after the other.
    """
    ranges = split_range(begin, end, workers)
    if len(ranges) == 1 or not can_start_threads():
        return tuple(compute_part(low, high) for low, high in ranges)

    # Each thread is registered while it works, so that it can be stopped.
    running: dict[int, threading.Thread] = {}
    notes: list[str] = []
    futures: list[Future[Part]] = []
    threads = ThreadPoolExecutor(len(ranges))
    all_are_submitted, is_stopped = threading.Event(), threading.Event()

    def run_in_thread(low: int, high: int) -> Part:
        """Do the work on one range in a thread, and collect the notes of the exception if it is cancelled."""
        all_are_submitted.wait()  # so that no work has begun if the user stops while threads are made
        running[low] = threading.current_thread()
        try:
            CANCEL_EVENTS.set((*CANCEL_EVENTS.get(), is_stopped))
            check_cancelled()
            return compute_part(low, high)
        except KeyboardInterrupt as stop:
            notes.extend(getattr(stop, "__notes__", ()))
            raise
        finally:
            del running[low]

    try:
        for low, high in ranges:
            futures.append(threads.submit(copy_context().run, run_in_thread, low, high))
        all_are_submitted.set()
        # A signal that came just before the wait does not end it, but is handled between two waits.
        while wait(futures, WAKE_SECONDS).not_done:
            pass
        return tuple(future.result() for future in futures)
    except KeyboardInterrupt as stop:
        is_stopped.set()
        all_are_submitted.set()
        wait(futures, CANCEL_SECONDS)
        for thread in list(running.values()):  # those that do not call check_cancelled
            raise_in_thread(thread, KeyboardInterrupt)
        threads.shutdown()
        for note in notes:
            stop.add_note(note)
        raise
    finally:
        all_are_submitted.set()  # also if a thread cannot be made
        threads.shutdown()


def receives_keyboard_interrupt() -> bool:
    """Return whether this thread is the one that receives the KeyboardInterrupt if the user stops the program.

    Only the main thread receives it, and only in a process that was not started by `multiprocessing`.
    """
    is_main_thread = threading.current_thread() is threading.main_thread()
    is_first_process = multiprocessing.parent_process() is None
    return is_main_thread and is_first_process


def raise_in_thread(thread: threading.Thread, error: type[BaseException]) -> None:
    """Raise an exception in another thread when it reaches its next line of Python code.

    Nothing happens if the thread has ended.

    Parameters
    ----------
    thread : Thread
        The thread.
    error : type
        The type of the exception, such as KeyboardInterrupt.
    """
    if thread.is_alive():  # after it has ended, a new thread may have the same number
        identifier = ctypes.c_ulong(thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(identifier, ctypes.py_object(error))


def complete_future(future: "Future[Part]", work: Callable[[], Part]) -> None:
    """Call the function `work`, and set the result of a future, or its exception if `work` raises one."""
    try:
        future.set_result(work())
    except BaseException as error:
        future.set_exception(error)


def run_in_this_thread(
    compute_part: Callable[[int, int], Part], begin: int, end: int
) -> tuple[Part, ...]:
    """Return the result of all the work, which is done in the present thread without dividing it.

    This function can be used where a `WorkDivider` is needed. The result is a tuple with one item, the result
    of `compute_part(begin, end)`.
    """
    return run_in_threads(compute_part, begin, end, workers=1)


def split_range(begin: int, end: int, count: int) -> list[tuple[int, int]]:
    """Divide the range from `begin` to `end` - 1 into at most `count` ranges whose lengths differ by at most 1.

    Each range is a pair (low, high) and contains the numbers from `low` to `high` - 1. Empty ranges are left out, so
    the result is an empty list if there is nothing to divide.
    """
    bounds = [begin + (end - begin) * index // count for index in range(count + 1)]
    return [(low, high) for low, high in pairwise(bounds) if low < high]


def is_cluster(workers: Any) -> bool:
    """Return whether `workers` is a `distributed.Client`, or a text, which is the address of a cluster's scheduler."""
    distributed = sys.modules.get("distributed")  # imported already if `workers` is a Client
    client_type = getattr(distributed, "Client", str)
    return isinstance(workers, (str, client_type))


def choose_work_divider(workers: Any) -> WorkDivider:
    """Return the function that divides work as the parameter `workers` demands.

    The parameter is a number of threads, from 1 to 256, or a cluster, as a `distributed.Client` or the address of its
    scheduler. SettingError is raised if it is neither.
    """
    if is_cluster(workers):
        return partial(run_on_cluster, workers)
    return partial(run_in_threads, workers=validate_integer("workers", workers, 1, MOST_WORKERS))


def run_on_cluster(
    workers: Any, compute_part: Callable[[int, int], Part], begin: int, end: int
) -> tuple[Part, ...]:
    """Divide the range from `begin` to `end` - 1 over a cluster, and return the results of the parts in their order.

    If a worker dies, other workers compute its results again.

    Parameters
    ----------
    workers : distributed.Client or str
        The cluster, or the address of its scheduler.
    compute_part : callable
        A function such that `compute_part(low, high)` does the work on the items from `low` to `high` - 1. It is sent
        to the cluster once, and the workers pass it on to each other.
    begin, end : int
        The whole range, to which `end` does not belong.

    Raises
    ------
    ClusterError
        If the cluster is lost, or a piece of work kills its workers.
    SettingError
        If there is no cluster at the address, or dask.distributed is not installed.
    """
    with connect_cluster(workers) as cluster:
        from distributed import KilledWorker

        threads = max(1, sum(cluster.nthreads().values()))
        shared_function = cluster.submit(return_unchanged, compute_part, pure=False)
        futures = [
            cluster.submit(call_part, shared_function, low, high, pure=False)
            for low, high in split_range(begin, end, PIECES_PER_THREAD * threads)
        ]
        try:
            return tuple(cluster.gather(futures))
        except (CancelledError, KilledWorker, OSError) as error:
            raise ClusterError(
                f"the cluster is lost, or a piece of work kills its workers ({error!r}). What a checkpoint or folder"
                " keeps is not lost: start the cluster again, with more memory if that was the cause, and run again."
            ) from error


def return_unchanged(function: Callable[[int, int], Part]) -> Callable[[int, int], Part]:
    """Return the given function.

    This is a task for a cluster. The function becomes the result of a task. So workers pass it on to each other, and
    the cluster computes the task again if its result is lost.
    """
    return function


def call_part(compute_part: Callable[[int, int], Part], low: int, high: int) -> Part:
    """Return `compute_part(low, high)`. This is a task for a cluster."""
    return compute_part(low, high)


@contextmanager
def connect_cluster(cluster: Any) -> Iterator[Any]:
    """Yield a client of a cluster that has at least one worker, for use in a with statement.

    Parameters
    ----------
    cluster : distributed.Client or str
        A client of the cluster, or the address of its scheduler. A client that is made for an address is closed when
        the block ends.

    Raises
    ------
    SettingError
        If dask.distributed is not installed, or no worker answers within 30 seconds.
    """
    try:
        from distributed import Client
    except ImportError:
        raise SettingError(
            f"workers is {cluster!r}; a cluster needs dask.distributed. Install it: pip install 'pokerlab[cluster]'."
        ) from None

    def connect_to_address(address: str) -> Any:
        """Return a new client of the scheduler at an address."""
        import asyncio  # which takes a while to import, and only a cluster needs it

        # In a thread of its own, because a notebook's thread already runs an event loop.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, wait_for_greeting(address)).result()
        return Client(address, timeout=CLUSTER_TIMEOUT, set_as_default=False)  # type: ignore[no-untyped-call, unused-ignore]

    with ExitStack() as stack:
        try:
            client = cluster
            if isinstance(cluster, str):
                client = stack.enter_context(connect_to_address(cluster))
            client.wait_for_workers(1, timeout=CLUSTER_TIMEOUT)
        except Exception as error:  # the bytes of another kind of server may raise any error
            raise SettingError(
                f"workers is {cluster!r}, where no worker answers within {CLUSTER_TIMEOUT} seconds"
                f" ({type(error).__name__}: {error}). Start a scheduler and its workers, or give"
                " their address (of the scheduler, not of its dashboard)."
            ) from None
        yield client


async def wait_for_greeting(address: str) -> None:
    """Wait until the scheduler at an address has answered a connection, or raise an error after 30 seconds.

    Without this check, a Client would wait forever if another kind of server is at the address.
    """
    import asyncio

    import distributed

    dask: Any = distributed
    security = dask.Security().get_connection_args("client")
    greeting = dask.comm.connect(address, timeout=CLUSTER_TIMEOUT, **security)
    await (await asyncio.wait_for(greeting, CLUSTER_TIMEOUT)).close()
