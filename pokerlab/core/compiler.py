"""The compilation of kernels, by one policy: exact arithmetic, one thread, and numba's own cache of machine code.

`kernel` compiles a function that Python calls, and `inlined` one that only kernels call. Without numba, as in a
browser, both return the function as it is: the same numbers, slowly.

Numba's cache looks only at a kernel's own file, so it would miss a change of a constant or of an inlined kernel in
another file. Kernels use their own package and the packages below it. So the folder of a package's kernels is named by
a digest of all files of these packages. After an edit, the kernels of the edited package and of those above it are
compiled again when they are used.

The cache is not used if the digest would not show what a kernel is made of: in a process whose source files have
changed since it began, and for kernels in a notebook or in a user's own module.
"""

import hashlib
import pickle
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

from pokerlab.core.cache import find_user_cache, mark_as_used
from pokerlab.core.files import PACKAGE

try:
    import numba
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _Cache
    from numba.core.dispatcher import Dispatcher
    from numba.core.serialize import dumps
    from numba.core.sigutils import normalize_signature
except ImportError as error:
    CompileResultCacheImpl = FunctionCache = _Cache = object  # type: ignore[assignment, misc]
    Dispatcher = ()  # type: ignore[assignment, misc]
    COMPILES, NUMBA, MISSING = False, "absent", str(error)
else:
    # NUMBA_DISABLE_JIT turns it off.
    COMPILES = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
    NUMBA, MISSING = numba.__version__, ""

F = TypeVar("F", bound=Callable[..., Any])


COMPILE_OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "forceinline": True}
WITHOUT_REFERENCE_COUNTS: dict[str, Any] = {"_nrt": False}
COMPILER = f"numba {NUMBA}, numpy {np.__version__}, {sys.implementation.cache_tag}"
PACKAGES_WITH_KERNELS = ("core", "games", "strategies", "evolution", "metrics", "solvers", "holdem")
"""The packages that have kernels, from the lowest to the highest; each may use those before it."""
Stamps: TypeAlias = dict[Path, tuple[int, int]]
"""The size of each file, and the time of its last change in nanoseconds."""


def kernel(function: F) -> F:
    """Compile a function that is called from Python, on its first use, for the types of its arguments.

    There is no fastmath: sums keep the order in which they are written, so that every way of pausing a run gives the
    same numbers. There are no threads inside a kernel: parallel work is divided above it. The interpreter's lock is
    released, so that a notebook stays responsive.
    """
    return cast(F, attach_cache(compile_without_cache(function)))


def inlined(function: F) -> F:
    """Compile a function that is called only from kernels, into its callers.

    It may neither allocate nor return arrays, so it needs no reference counts: counting them takes longer than a whole
    pass over Kuhn poker.
    """
    if not COMPILES:
        return function
    return cast(F, attach_cache(compile_without_cache(function, **WITHOUT_REFERENCE_COUNTS)))


def compile_without_cache(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a function to a kernel whose machine code is lost when Python ends.

    This is for functions that are made in each session, such as a loop around a user's own function.

    Returns
    -------
    Dispatcher or callable
        Numba's compiled function, or without numba the function itself.
    """
    if COMPILES:
        return numba.njit(**COMPILE_OPTIONS, **options)(function)
    # Compiled code overflows and divides by zero without a warning.
    made: Any = np.errstate(all="ignore")(function)
    made.py_func = function
    return made


def attach_cache(made: Any) -> Any:
    """Give a kernel a cache for its machine code if it is one of pokerlab's own, and return it."""
    if COMPILES and find_subpackage(made.py_func.__code__.co_filename) in PACKAGES_WITH_KERNELS:
        vars(made)["_cache"] = KernelCache(made.py_func)
    return made


def is_compiled(function: Any) -> bool:
    """Return whether kernels can call `function`."""
    return isinstance(function, Dispatcher)


def find_subpackage(file: str) -> str:
    """Return the name of the package of pokerlab of a file, such as 'games'; an empty string for other files."""
    path = Path(file)
    parts = path.relative_to(PACKAGE).parts if path.is_relative_to(PACKAGE) else ()
    return parts[0] if len(parts) > 1 else ""


def stamp_sources(package: str) -> Stamps:
    """Return the stamps of all files from which the kernels of a package are compiled."""
    packages = PACKAGES_WITH_KERNELS[: PACKAGES_WITH_KERNELS.index(package) + 1]
    paths = sorted(path for name in packages for path in (PACKAGE / name).rglob("*.py"))
    abouts = [(path, path.stat()) for path in paths]
    return {path: (about.st_size, about.st_mtime_ns) for path, about in abouts}


STAMPS_AT_START = {package: stamp_sources(package) for package in PACKAGES_WITH_KERNELS}
"""The stamps of each package's sources when this process began."""


def are_sources_unchanged(package: str) -> bool:
    """Return whether the sources of a package's kernels have not changed since this process began."""
    try:
        return STAMPS_AT_START[package] == stamp_sources(package)
    except OSError:  # a file is just being replaced
        return False


@cache
def find_package_folder(package: str) -> Path:
    """Return the folder of a package's kernels in the user's cache, which is named by a digest of their sources.

    Its files are pickles, so it must be the user's alone; `find_user_cache` ensures that.
    """
    digest = hashlib.sha256(COMPILER.encode())
    for path in STAMPS_AT_START[package]:
        digest.update(path.read_bytes())
    folder = find_kernel_folder() / f"{package}-{digest.hexdigest()[:16]}"
    mark_as_used(folder)
    return folder


def find_kernel_folder() -> Path:
    """Return the folder of the kernels of all packages and versions."""
    return find_user_cache() / "kernels"


class KernelLocator:
    """The place where numba keeps one kernel: a locator of numba."""

    def __init__(self, function: FunctionType, file: str) -> None:
        self._py_file, self.line = file, function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, py_func: FunctionType, py_file: str) -> "KernelLocator":
        """Return the locator of a function in a file."""
        return cls(py_func, py_file)

    def get_cache_path(self) -> str:
        """Return the folder of the kernel's module, in the folder of its package."""
        package, *inside = Path(self._py_file).relative_to(PACKAGE).with_suffix("").parts
        return str(find_package_folder(package) / ".".join(inside))

    def ensure_cache_path(self) -> None:
        """Make the folder if it does not exist."""
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        """Return an empty stamp: the name of the folder has the digest of the sources."""
        return ""

    def get_disambiguator(self) -> str:
        """Return the line of the function, which distinguishes functions of one name in a file."""
        return str(self.line)


class CheckedResults(CompileResultCacheImpl):
    """The form in which numba writes and reads a compiled kernel, with a checksum."""

    _locator_classes: list[type[object]] = [KernelLocator]  # noqa: RUF012

    def reduce(self, cres: Any) -> tuple[bytes, bytes]:
        """Return the checksum and the bytes that are written."""
        payload: bytes = dumps(super().reduce(cres))  # type: ignore[no-untyped-call]
        return hashlib.sha256(payload).digest(), payload

    def rebuild(self, target_context: Any, payload: tuple[bytes, bytes]) -> Any:
        """Return the kernel from the checksum and the bytes that were read, or raise ValueError if they differ."""
        checksum, written = payload
        if hashlib.sha256(written).digest() != checksum:
            raise ValueError("it does not match its checksum")
        return super().rebuild(target_context, pickle.loads(written))  # type: ignore[no-untyped-call]


class CheckedCache(FunctionCache):
    """The files of one kernel."""

    _impl_class = CheckedResults


class KernelCache(_Cache):
    """The files of one kernel, which are opened when the kernel is first used.

    A file that is truncated or damaged is made again, with a warning. So is one for other types: two processes that
    compile a kernel at the same time may write under one name.
    """

    def __init__(self, function: FunctionType) -> None:
        self.function, self.package = function, find_subpackage(function.__code__.co_filename)

    @cached_property
    def files(self) -> Any:
        """Numba's cache, which reads and writes the files."""
        return CheckedCache(self.function)  # type: ignore[no-untyped-call]

    @property
    def cache_path(self) -> str:
        """The folder of the files, for numba's statistics."""
        return str(self.files.cache_path)

    def flush(self) -> None:
        """Remove the kernel from the cache."""
        self.files.flush()

    def enable(self) -> None:
        """Read and write files."""
        self.files.enable()

    def disable(self) -> None:
        """Read and write no files."""
        self.files.disable()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for the types in `sig`, or None."""
        if not are_sources_unchanged(self.package):
            return None
        try:
            found = self.files.load_overload(sig, target_context)
            if found is None or found.signature.args == normalize_signature(sig)[0]:  # type: ignore[no-untyped-call]
                return found
            reason = "it is of other types"
        except OSError:  # nothing can be read there
            return None
        except Exception as error:  # a damaged file may raise any error
            reason = str(error)
        warnings.warn(
            f"a compiled kernel in {self.cache_path} is damaged ({reason}); it is made again.",
            stacklevel=2,
        )
        with suppress(OSError):
            self.flush()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code for the types in `sig`, if that is possible."""
        if not are_sources_unchanged(self.package):
            return
        try:
            self.files.save_overload(sig, data)
        except OSError as error:
            warnings.warn(
                f"cannot write into {self.cache_path} ({error.strerror or error}). Make room there, or allow writing"
                " to the folder. Until then kernels are compiled at every start.",
                stacklevel=2,
            )
