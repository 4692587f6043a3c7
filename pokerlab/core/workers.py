"""Functions that divide work among threads or over a cluster.

The work consists of items, which are counted. A function `compute_part(low, high)` does the work on the items from
`low` to `high` - 1. `run_in_threads` and `run_on_cluster` divide a range of items into smaller ranges, and return the
results of `compute_part` in their order. So no result depends on the number of workers, or on workers that die.
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
    """Raise Cancelled if the work of the present thread has been cancelled. Long computations call this regularly.

    Raises
    ------
    Cancelled
        If the work has been cancelled.
    """
    if any(event.is_set() for event in CANCEL_EVENTS.get()):
        raise Cancelled


def iterate_until_cancelled(pieces: Iterable[Part]) -> Iterator[Part]:
    """Yield items one after the other, such as pieces of work, until the work of the present thread is cancelled.

    Parameters
    ----------
    pieces : iterable
        The items.

    Yields
    ------
    Part
        The items themselves, in their order.

    Raises
    ------
    Cancelled
        Before the next item, if the work has been cancelled.
    """
    for piece in pieces:
        check_cancelled()
        yield piece


def can_start_threads() -> bool:
    """Return whether a thread can be started, by starting one that ends at once. In a browser none can be started."""
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
        """Do the work on the items from `begin` to `end` - 1, divided into ranges of items.

        Parameters
        ----------
        compute_part : callable
            The function that does the work: `compute_part(low, high)` does that on the items from `low` to `high` - 1.
        begin, end : int
            The range of all items, to which `end` does not belong.

        Returns
        -------
        tuple
            The results of `compute_part`, in the order of the ranges.
        """


def run_in_threads(
    compute_part: Callable[[int, int], Part], begin: int, end: int, *, workers: int
) -> tuple[Part, ...]:
    """Do the work on the items from `begin` to `end` - 1 in threads. Each thread gets a range of items.

    If the user stops the computation, threads that call `check_cancelled` end there. The other threads end at their
    next line of Python code.

    Parameters
    ----------
    compute_part : callable
        The function that does the work: `compute_part(first_item, end_item)` does that on the items from `first_item`
        to `end_item` - 1.
    begin, end : int
        The range of all items, to which `end` does not belong.
    workers : int
        The largest number of threads. If there is only one range, no thread is made. Where no thread can be started,
        the work on one range is done after the other.

    Returns
    -------
    tuple
        The results of `compute_part`, in the order of the ranges.

    Raises
    ------
    KeyboardInterrupt
        If the user stops the computation. The notes that `compute_part` has added to its own exceptions are added to
        this exception.
    """
    ranges = split_range(begin, end, workers)
    if len(ranges) == 1 or not can_start_threads():
        return tuple(compute_part(first_item, end_item) for first_item, end_item in ranges)

    # Each thread is registered while it works, by the first item of its range, so that it can be stopped.
    running: dict[int, threading.Thread] = {}
    notes: list[str] = []
    futures: list[Future[Part]] = []
    threads = ThreadPoolExecutor(len(ranges))
    all_are_submitted, is_stopped = threading.Event(), threading.Event()

    def run_in_thread(first_item: int, end_item: int) -> Part:
        """Return the result for one range, and collect the notes of the exception if the work is cancelled."""
        all_are_submitted.wait()  # so that no work has begun if the user stops while threads are made
        running[first_item] = threading.current_thread()
        try:
            CANCEL_EVENTS.set((*CANCEL_EVENTS.get(), is_stopped))
            check_cancelled()
            return compute_part(first_item, end_item)
        except KeyboardInterrupt as stop:
            notes.extend(getattr(stop, "__notes__", ()))
            raise
        finally:
            del running[first_item]

    try:
        for first_item, end_item in ranges:
            # The thread gets a copy of this thread's context, which has the events that cancel its work.
            futures.append(threads.submit(copy_context().run, run_in_thread, first_item, end_item))
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


def can_receive_keyboard_interrupt() -> bool:
    """Return whether Python raises a KeyboardInterrupt in the present thread if the user stops the program.

    This happens only in the main thread of a process that was not started by `multiprocessing`.
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
        thread_number = ctypes.c_ulong(thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(thread_number, ctypes.py_object(error))


def complete_future(future: "Future[Part]", compute: Callable[[], Part]) -> None:
    """Call a function, and set the result of a future, or its exception if the function raises one.

    Parameters
    ----------
    future : Future
        The future, which is changed.
    compute : callable
        A function without arguments that computes the result.
    """
    try:
        future.set_result(compute())
    except BaseException as error:
        future.set_exception(error)


def run_in_this_thread(
    compute_part: Callable[[int, int], Part], begin: int, end: int
) -> tuple[Part, ...]:
    """Do the work on the items from `begin` to `end` - 1 in the present thread, without dividing it.

    This function can be used where a `WorkDivider` is needed.

    Parameters
    ----------
    compute_part : callable
        The function that does the work: `compute_part(low, high)` does that on the items from `low` to `high` - 1.
    begin, end : int
        The range of all items, to which `end` does not belong.

    Returns
    -------
    tuple
        The single result of `compute_part(begin, end)`. The tuple is empty if there are no items.
    """
    return run_in_threads(compute_part, begin, end, workers=1)


def split_range(begin: int, end: int, num_parts: int) -> list[tuple[int, int]]:
    """Divide a range of integers into at most `num_parts` ranges whose lengths differ by at most 1.

    Parameters
    ----------
    begin, end : int
        The range from `begin` to `end` - 1.
    num_parts : int
        The largest number of ranges.

    Returns
    -------
    list of (int, int)
        The pair (begin, end) of each range, which contains the integers from `begin` to `end` - 1. Empty ranges are
        left out.

    Examples
    --------
    >>> split_range(0, 10, 3)
    [(0, 3), (3, 6), (6, 10)]
    """
    bounds = [begin + (end - begin) * index // num_parts for index in range(num_parts + 1)]
    return [
        (part_begin, part_end) for part_begin, part_end in pairwise(bounds) if part_begin < part_end
    ]


def is_cluster(workers: Any) -> bool:
    """Return whether the parameter `workers` is a cluster: a `distributed.Client` or the address of a scheduler.

    Any text counts as an address.

    Parameters
    ----------
    workers : Any
        The parameter of a solver or sweep that says where its work is done.
    """
    if isinstance(workers, str):
        return True
    # If `workers` is a Client, its package has been imported. Otherwise the import would only take time.
    distributed = sys.modules.get("distributed")
    return distributed is not None and isinstance(workers, distributed.Client)


def choose_work_divider(workers: Any) -> WorkDivider:
    """Return the function that divides work among workers, chosen by the parameter `workers` that a user has set.

    Parameters
    ----------
    workers : int, distributed.Client or str
        The number of threads, from 1 to 256. A cluster is given as a client or as the address of its scheduler.

    Returns
    -------
    callable
        A function such as `run_in_threads`, in the form of a `WorkDivider`.

    Raises
    ------
    SettingError
        If the parameter is neither such a number nor a cluster.
    """
    if is_cluster(workers):
        return partial(run_on_cluster, workers)
    return partial(run_in_threads, workers=validate_integer("workers", workers, 1, MOST_WORKERS))


def run_on_cluster(
    workers: Any, compute_part: Callable[[int, int], Part], begin: int, end: int
) -> tuple[Part, ...]:
    """Do the work on the items from `begin` to `end` - 1 on a cluster, divided into ranges of items.

    If a worker dies, other workers compute its results again.

    Parameters
    ----------
    workers : distributed.Client or str
        The client of a cluster, or the address of its scheduler.
    compute_part : callable
        The function that does the work: `compute_part(first_item, end_item)` does that on the items from `first_item`
        to `end_item` - 1. It is sent to the cluster once, and the workers pass it on to each other.
    begin, end : int
        The range of all items, to which `end` does not belong.

    Returns
    -------
    tuple
        The results of `compute_part`, in the order of the ranges.

    Raises
    ------
    ClusterError
        If the cluster is lost, or the work on a range kills its workers.
    SettingError
        If there is no cluster at the address, or dask.distributed is not installed.
    """
    with connect_to_cluster(workers) as client:
        from distributed import KilledWorker  # takes a while to import, and only a cluster needs it

        # The options `pure=False` make the cluster compute a task even if it has computed an equal one before.
        num_threads = max(1, sum(client.nthreads().values()))
        shared_function = client.submit(return_unchanged, compute_part, pure=False)
        futures = [
            client.submit(compute_part_on_worker, shared_function, part_begin, part_end, pure=False)
            for part_begin, part_end in split_range(begin, end, PIECES_PER_THREAD * num_threads)
        ]
        try:
            return tuple(client.gather(futures))
        except (CancelledError, KilledWorker, OSError) as error:
            raise ClusterError(
                f"the cluster is lost, or a piece of work kills its workers ({error!r}). What a checkpoint or folder"
                " keeps is not lost: start the cluster again, with more memory if that was the cause, and run again."
            ) from error


def return_unchanged(function: Callable[[int, int], Part]) -> Callable[[int, int], Part]:
    """Return the given function, as a task of a cluster, so that the function becomes the result of a task.

    Workers pass results on to each other, and the cluster computes the task again if its result is lost. So a large
    function is sent to the cluster only once.

    Parameters
    ----------
    function : callable
        The function `compute_part` of a computation, which does the work on a range of items.

    Returns
    -------
    callable
        The same function.
    """
    return function


def compute_part_on_worker(compute_part: Callable[[int, int], Part], begin: int, end: int) -> Part:
    """Return `compute_part(begin, end)`, as a task of a cluster.

    Parameters
    ----------
    compute_part : callable
        The function that does the work. The cluster passes the result of the task `return_unchanged` here.
    begin, end : int
        The range of items from `begin` to `end` - 1.

    Returns
    -------
    Part
        The result for this range. The worker sends it to the cluster.
    """
    return compute_part(begin, end)


@contextmanager
def connect_to_cluster(cluster: Any) -> Iterator[Any]:
    """Yield a client of a cluster that has at least one worker, for use in a with statement.

    Parameters
    ----------
    cluster : distributed.Client or str
        A client of the cluster, or the address of its scheduler.

    Yields
    ------
    distributed.Client
        The given client, or a new one for the address, which is closed when the block ends.

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
            thread.submit(asyncio.run, wait_for_scheduler(address)).result()
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


async def wait_for_scheduler(address: str) -> None:
    """Wait until the scheduler of a cluster has accepted a connection, or raise an error after 30 seconds.

    Without this check, a Client would wait forever if another kind of server is at the address.

    Parameters
    ----------
    address : str
        The address of the scheduler, such as 'tcp://127.0.0.1:8786'.

    Raises
    ------
    Exception
        Any error of the connection, such as TimeoutError.
    """
    import asyncio

    import distributed

    dask: Any = distributed
    security = dask.Security().get_connection_args("client")
    connection = dask.comm.connect(address, timeout=CLUSTER_TIMEOUT, **security)
    await (await asyncio.wait_for(connection, CLUSTER_TIMEOUT)).close()
