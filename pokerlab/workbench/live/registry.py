"""Which benches stand where, so that running a cell again closes the bench it made before."""

from typing import Any, Protocol

from IPython.core.getipython import get_ipython


class Closable(Protocol):
    """What can be closed when its place is taken."""

    def close(self) -> None:
        """Stop working and give back threads and widgets."""


standing: dict[str, tuple[int, list[Any]]] = {}


def take_place(newcomer: Closable, key: str | None) -> None:
    """Register `newcomer`; close what stood in its place.

    Without a key its place is the notebook's cell: several things made by one execution of a cell stand beside
    each other, the next execution replaces them all.
    """
    execution = execution_count()
    place = key if key is not None else present_cell() or f"execution {execution}"
    made_by, before = standing.get(place, (execution, []))
    if key is not None or made_by != execution:
        for old in before:
            old.close()
        before = []
    standing[place] = (execution, [*before, newcomer])


def leave_place(leaver: Closable) -> None:
    """Forget what has been closed."""
    for place, (execution, things) in list(standing.items()):
        kept = [thing for thing in things if thing is not leaver]
        if kept:
            standing[place] = (execution, kept)
        else:
            del standing[place]


def present_cell() -> str:
    """Return what identifies the cell that runs; empty where cells have no identity."""
    shell = get_ipython()
    if shell is None or not hasattr(shell, "get_parent"):
        return ""
    return str(shell.get_parent().get("metadata", {}).get("cellId", ""))


def execution_count() -> int:
    """Return the number of the execution under way; 0 outside IPython."""
    shell = get_ipython()
    return 0 if shell is None else int(shell.execution_count)
