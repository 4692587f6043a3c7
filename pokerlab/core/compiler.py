"""How kernels are compiled and kept: exact arithmetic, one thread, and numba's own cache of machine code.

Without numba, as in a browser, kernels are the Python functions they are written as: the same numbers, slowly.

Numba's cache looks at a kernel's own file alone, so it would miss that a constant or an inlined kernel of another file
has changed. Kernels use what stands in their own package and in the packages below it. So the folder of a package's
kernels is named by a digest of all files of these packages. After an edit, kernels of the edited package and of those
above it are compiled again when they are used.

Nothing is read or kept where the digest would not tell what a kernel is made of: in a process whose source files have
changed since it began, and for kernels that stand elsewhere, in a notebook or in a user's own module.
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

from pokerlab.core.cache import mark_as_used, user_cache
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


POLICY: dict[str, Any] = {"error_model": "numpy", "nogil": True, "forceinline": True}
WITHOUT_REFERENCE_COUNTS: dict[str, Any] = {"_nrt": False}
COMPILER = f"numba {NUMBA}, numpy {np.__version__}, {sys.implementation.cache_tag}"
PACKAGES_WITH_KERNELS = ("core", "games", "strategies", "evolution", "metrics", "solvers", "holdem")
"""From the lowest to the highest; each may use those before it."""
Stamps: TypeAlias = dict[Path, tuple[int, int]]
"""Files, each with its size and the time of its last change in nanoseconds."""


def kernel(function: F) -> F:
    """Compile `function`, called from Python, on first use for the types it is called with.

    No fastmath: sums keep the order they are written in, so that every way of pausing a run gives
    the same numbers. No threads inside a kernel: parallel work is divided above it. The
    interpreter's lock is released, so that a notebook stays responsive.
    """
    return cast(F, keep_compiled(compile_without_cache(function)))


def inlined(function: F) -> F:
    """Compile `function`, called only from kernels, into its callers.

    It may neither allocate nor return arrays, and so needs no reference counts: counting them
    costs more than a whole pass over Kuhn poker.
    """
    if not COMPILES:
        return function
    return cast(F, keep_compiled(compile_without_cache(function, **WITHOUT_REFERENCE_COUNTS)))


def compile_without_cache(function: Callable[..., Any], **options: Any) -> Any:
    """Return the kernel of `function`, whose machine code is lost when Python ends.

    It suits what is made anew in each session, such as a loop around a user's own function.
    """
    if COMPILES:
        return numba.njit(**POLICY, **options)(function)
    # Compiled code wraps around and divides by zero without a word.
    made: Any = np.errstate(all="ignore")(function)
    made.py_func = function
    return made


def keep_compiled(made: Any) -> Any:
    """Return a kernel after telling numba where its machine code is kept, if it is one of pokerlab's own."""
    if COMPILES and package_of(made.py_func.__code__.co_filename) in PACKAGES_WITH_KERNELS:
        vars(made)["_cache"] = KernelCache(made.py_func)
    return made


def is_compiled(function: Any) -> bool:
    """Return whether kernels can call `function`."""
    return isinstance(function, Dispatcher)


def package_of(file: str) -> str:
    """Return the package of pokerlab in which a file stands; an empty text if it stands elsewhere."""
    path = Path(file)
    return path.relative_to(PACKAGE).parts[0] if path.is_relative_to(PACKAGE) else ""


def stamps_of(package: str) -> Stamps:
    """Return the stamps of the files from which the kernels of a package are compiled."""
    packages = PACKAGES_WITH_KERNELS[: PACKAGES_WITH_KERNELS.index(package) + 1]
    paths = sorted(path for name in packages for path in (PACKAGE / name).rglob("*.py"))
    abouts = [(path, path.stat()) for path in paths]
    return {path: (about.st_size, about.st_mtime_ns) for path, about in abouts}


AT_THE_START = {package: stamps_of(package) for package in PACKAGES_WITH_KERNELS}
"""What this process was made of when it began."""


def is_as_it_was(package: str) -> bool:
    """Return whether the sources of a package's kernels have not changed since this process began."""
    try:
        return AT_THE_START[package] == stamps_of(package)
    except OSError:  # a file is just being replaced
        return False


@cache
def package_folder(package: str) -> Path:
    """Return the folder of a package's kernels in the user's cache, named by what they are compiled from.

    Its files are pickles, so it must be the user's alone; `user_cache` ensures that.
    """
    digest = hashlib.sha256(COMPILER.encode())
    for path in AT_THE_START[package]:
        digest.update(path.read_bytes())
    folder = kernel_folder() / f"{package}-{digest.hexdigest()[:16]}"
    mark_as_used(folder)
    return folder


def kernel_folder() -> Path:
    """Return the folder of the kernels of all packages and versions."""
    return user_cache() / "kernels"


class KernelPlace:
    """Where numba keeps one kernel; what numba calls a locator."""

    def __init__(self, function: FunctionType, file: str) -> None:
        self._py_file, self.line = file, function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, py_func: FunctionType, py_file: str) -> "KernelPlace":
        """Return the place of a function that stands in a file."""
        return cls(py_func, py_file)

    def get_cache_path(self) -> str:
        """Return the folder: that of a module, in that of its package."""
        package, *inside = Path(self._py_file).relative_to(PACKAGE).with_suffix("").parts
        return str(package_folder(package) / ".".join(inside))

    def ensure_cache_path(self) -> None:
        """Make the folder if it does not exist."""
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        """Return what must not have changed since the kernel was compiled: nothing, as the folder's name says it."""
        return ""

    def get_disambiguator(self) -> str:
        """Return what tells functions of one name in a file apart."""
        return str(self.line)


class CheckedResults(CompileResultCacheImpl):
    """What numba writes and reads of a compiled kernel, with a checksum."""

    _locator_classes: list[type[object]] = [KernelPlace]  # noqa: RUF012

    def reduce(self, cres: Any) -> tuple[bytes, bytes]:
        """Return what is written."""
        payload: bytes = dumps(super().reduce(cres))  # type: ignore[no-untyped-call]
        return hashlib.sha256(payload).digest(), payload

    def rebuild(self, target_context: Any, payload: tuple[bytes, bytes]) -> Any:
        """Return the kernel of what was read."""
        checksum, written = payload
        if hashlib.sha256(written).digest() != checksum:
            raise ValueError("it does not match its checksum")
        return super().rebuild(target_context, pickle.loads(written))  # type: ignore[no-untyped-call]


class CheckedCache(FunctionCache):
    """The files of one kernel."""

    _impl_class = CheckedResults


class KernelCache(_Cache):
    """The files of one kernel, which are looked for when the kernel is first used.

    A file that is cut or damaged is made again, with a warning, as is one that belongs to other types: two
    processes that compile a kernel at the same time may write under one name.
    """

    def __init__(self, function: FunctionType) -> None:
        self.function, self.package = function, package_of(function.__code__.co_filename)

    @cached_property
    def files(self) -> Any:
        """What reads and writes them."""
        return CheckedCache(self.function)  # type: ignore[no-untyped-call]

    @property
    def cache_path(self) -> str:
        """Their folder, as numba's statistics show it."""
        return str(self.files.cache_path)

    def flush(self) -> None:
        """Forget what is kept of the kernel."""
        self.files.flush()

    def enable(self) -> None:
        """Read and write files."""
        self.files.enable()

    def disable(self) -> None:
        """Read and write no files."""
        self.files.disable()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for the types in `sig`, or None."""
        if not is_as_it_was(self.package):
            return None
        try:
            found = self.files.load_overload(sig, target_context)
            if found is None or found.signature.args == normalize_signature(sig)[0]:  # type: ignore[no-untyped-call]
                return found
            reason = "it is of other types"
        except OSError:  # nothing can be read there
            return None
        except Exception as error:  # whatever a damaged file makes its readers say
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
        if not is_as_it_was(self.package):
            return
        try:
            self.files.save_overload(sig, data)
        except OSError as error:
            warnings.warn(
                f"cannot write into {self.cache_path} ({error.strerror or error}). Make room there, or allow writing"
                " to the folder. Until then kernels are compiled at every start.",
                stacklevel=2,
            )
