"""All compiler policy in one place: cached on disk, exact arithmetic, one thread.

Numba's cache looks only at the file a kernel stands in. Kernels here call kernels of other files,
so the cache lives in a folder named after the sources of all kernels: an edit to any of them
starts a fresh one.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

from pokerlab.core.files import user_cache

F = TypeVar("F", bound=Callable[..., Any])
POLICY: dict[str, Any] = {
    "cache": True,
    "error_model": "numpy",
    "nogil": True,
    "forceinline": True,
}
WITHOUT_REFERENCE_COUNTS: dict[str, Any] = {"_nrt": False}
PACKAGE = Path(__file__).resolve().parents[1]


def cache_folder() -> Path:
    """Return the folder of compiled kernels for exactly these sources, in the user's cache."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(PACKAGE.rglob("*.py")):
        if "core.kernel import" in (text := source.read_text(encoding="utf-8")):
            digest.update(text.encode())
    return user_cache() / f"kernels-{digest.hexdigest()[:16]}"


def kernel(function: F) -> F:
    """Compile `function`, called from Python, on first use for the types it is called with.

    No fastmath: sums keep the order they are written in, so that every way of pausing a run gives
    the same numbers. No threads inside a kernel: parallel work is divided above it. The
    interpreter's lock is released, so that a notebook stays responsive.
    """
    return cast(F, numba.njit(**POLICY)(function))


def inlined(function: F) -> F:
    """Compile `function`, called only from kernels, into its callers.

    It may neither allocate nor return arrays, and so needs no reference counts: counting them
    costs more than a whole pass over Kuhn poker.
    """
    return cast(F, numba.njit(**POLICY, **WITHOUT_REFERENCE_COUNTS)(function))


setattr(numba.config, "CACHE_DIR", str(cache_folder()))  # noqa: B010 (unknown to its stubs)
