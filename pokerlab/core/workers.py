"""Work divided among threads or over a cluster; no result depends on their number, nor on workers that die."""

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
from pokerlab.core.settings import whole

Part = TypeVar("Part")
GIVEN_UP: ContextVar[tuple[threading.Event, ...]] = ContextVar("given up", default=())
"""Of these one is set once nobody wants the work of a thread any more."""
A_LOOK = 1.5  # seconds in which what asks whether it is given up has asked
MOST_WORKERS = 256
SHOWN_AFTER = 1.0  # seconds after which work shows its progress
PATIENCE = 30  # seconds after which a cluster without scheduler or workers is given up
PIECES = 4
"""Pieces of work for each thread: while some take longer than others, nobody waits for long."""


class Stopped(KeyboardInterrupt):
    """Raised in the middle of work that has been given up."""


def heed_stop() -> None:
    """Raise Stopped if the present work has been given up; what takes long asks now and then."""
    if any(given_up.is_set() for given_up in GIVEN_UP.get()):
        raise Stopped


def heeded(pieces: Iterable[Part]) -> Iterator[Part]:
    """Yield pieces of work until it is given up."""
    for piece in pieces:
        heed_stop()
        yield piece


class Share(Protocol):
    """Divides work: `partial(shared, workers=2)` among threads, `partial(shared_on, cluster)` on a cluster."""

    def __call__(self, part: Callable[[int, int], Part], begin: int, end: int) -> tuple[Part, ...]:
        """Return `part(low, high)` for ranges that cover `begin` to `end` - 1, in their order."""


def shared(
    part: Callable[[int, int], Part], begin: int, end: int, *, workers: int
) -> tuple[Part, ...]:
    """Return `part(low, high)` for ranges that cover `begin` to `end` - 1, one a thread.

    A stop by the user stops the threads, at their next lines of Python, and has their notes.
    """
    ranges = ranges_of(begin, end, workers)
    if len(ranges) == 1:
        return (part(*ranges[0]),)
    running: dict[int, threading.Thread] = {}
    notes: list[str] = []
    futures: list[Future[Part]] = []
    threads = ThreadPoolExecutor(len(ranges))
    begin_all, stopped = threading.Event(), threading.Event()

    def run(low: int, high: int) -> Part:
        begin_all.wait()  # so that a stop while threads are made has none to end
        running[low] = threading.current_thread()
        try:
            GIVEN_UP.set((*GIVEN_UP.get(), stopped))
            heed_stop()
            return part(low, high)
        except KeyboardInterrupt as stop:
            notes.extend(getattr(stop, "__notes__", ()))
            raise
        finally:
            del running[low]

    try:
        for low, high in ranges:
            futures.append(threads.submit(copy_context().run, run, low, high))
        begin_all.set()
        return tuple(future.result() for future in futures)
    except KeyboardInterrupt as stop:
        stopped.set()
        begin_all.set()
        wait(futures, A_LOOK)
        for thread in list(running.values()):  # those that do not ask
            raise_in(thread, KeyboardInterrupt)
        threads.shutdown()
        for note in notes:
            stop.add_note(note)
        raise
    finally:
        begin_all.set()  # where no more threads can be made, too
        threads.shutdown()


def stopped_by_user() -> bool:
    """Return whether the user's stop comes here: to the main thread of the first process alone."""
    main = threading.current_thread() is threading.main_thread()
    return main and multiprocessing.parent_process() is None


def raise_in(thread: threading.Thread, error: type[BaseException]) -> None:
    """Raise an error in another thread, at its next line of Python, unless it has ended: others get its number."""
    if thread.is_alive():
        at = ctypes.c_ulong(thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(at, ctypes.py_object(error))


def settle(future: "Future[Part]", work: Callable[[], Part]) -> None:
    """Do work, and tell a future what comes of it."""
    try:
        future.set_result(work())
    except BaseException as error:
        future.set_exception(error)


def one_after_another(part: Callable[[int, int], Part], begin: int, end: int) -> tuple[Part, ...]:
    """Return `part(begin, end)`: all of it in the present thread."""
    return shared(part, begin, end, workers=1)


def ranges_of(begin: int, end: int, count: int) -> list[tuple[int, int]]:
    """Return at most `count` ranges of nearly equal length that cover `begin` to `end` - 1."""
    edges = [begin + (end - begin) * number // count for number in range(count + 1)]
    return [(low, high) for low, high in pairwise(edges) if low < high]


def on_cluster(workers: Any) -> bool:
    """Return whether `workers` are those of a cluster: a distributed.Client, or its scheduler's address."""
    # Whoever has a Client has imported what it is from.
    return isinstance(workers, (str, getattr(sys.modules.get("distributed"), "Client", str)))


def share_of(workers: Any) -> Share:
    """Return what divides work among so many threads, or on a cluster, which is tried once there is work."""
    if on_cluster(workers):
        return partial(shared_on, workers)
    return partial(shared, workers=whole("workers", workers, 1, MOST_WORKERS))


def shared_on(
    workers: Any, part: Callable[[int, int], Part], begin: int, end: int
) -> tuple[Part, ...]:
    """Return `part(low, high)` for ranges that cover `begin` to `end` - 1, in their order.

    `part` is sent once and passed from worker to worker. What a worker had when it died is computed
    again by the others.
    """
    with connected(workers) as cluster:
        from distributed import KilledWorker

        threads = max(1, sum(cluster.nthreads().values()))
        sent = cluster.submit(unchanged, part, pure=False)
        futures = [
            cluster.submit(called, sent, low, high, pure=False)
            for low, high in ranges_of(begin, end, PIECES * threads)
        ]
        try:
            return tuple(cluster.gather(futures))
        except (CancelledError, KilledWorker, OSError) as error:
            raise ClusterError(
                f"the cluster is lost, or a piece of work kills its workers ({error!r}). What a checkpoint or folder"
                " keeps is not lost: start the cluster again, with more memory if that was the cause, and run again."
            ) from error


def unchanged(part: Callable[[int, int], Part]) -> Callable[[int, int], Part]:
    """Return what is given: a task whose result workers pass on, and make again if it is lost."""
    return part


def called(part: Callable[[int, int], Part], low: int, high: int) -> Part:
    """Return what `part` does with a range."""
    return part(low, high)


@contextmanager
def connected(cluster: Any) -> Iterator[Any]:
    """Lend a client of a cluster, given as one or as its address, once it has workers."""
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
                with ThreadPoolExecutor(1) as thread:  # a notebook's own already runs an event loop
                    thread.submit(asyncio.run, greeted(cluster)).result()
                client = Client(cluster, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call, unused-ignore]
                stack.enter_context(client)
            client.wait_for_workers(1, timeout=PATIENCE)
        except Exception as error:  # anything that the bytes of another server may raise
            raise SettingError(
                f"workers is {cluster!r}, where no worker answers within {PATIENCE} seconds"
                f" ({type(error).__name__}: {error}). Start a scheduler and its workers, or give"
                " their address (of the scheduler, not of its dashboard)."
            ) from None
        yield client


async def greeted(address: str) -> None:
    """Return once a scheduler has greeted: a Client would wait for other servers without end."""
    import distributed

    dask: Any = distributed
    security = dask.Security().get_connection_args("client")
    greeting = dask.comm.connect(address, timeout=PATIENCE, **security)
    await (await asyncio.wait_for(greeting, PATIENCE)).close()
