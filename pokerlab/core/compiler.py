"""The compilation of kernels, with the same rules for all: exact arithmetic, one thread, and cached machine code.

`kernel` compiles a function that Python calls, and `inlined` compiles one that only kernels call. Without numba, as in
a browser, both return the Python function, which gives the same numbers but is slow.

Numba's cache checks only the file in which a kernel is defined. It would miss a change of a constant, or of an inlined
kernel, in another file. A kernel uses only its own package and the packages below it, so the kernels of a package are
cached in a folder whose name contains a digest of all files of these packages. After an edit, the kernels of the edited
package and of the packages above it are compiled again when they are used.

Kernels write their results into arrays that they are given, and their names say how. A function `fill_x` overwrites
all of x, `write_x` overwrites only some rows of a larger array, and `add_x` adds to what is there. The parameters that
receive results come last, and their names begin with `out_`, unless they are workspaces: arrays for intermediate
results, which are allocated once and overwritten again and again.

The cache is not used where this digest does not identify the source of a kernel. That is the case in a process whose
source files have changed since it began, and for kernels in a notebook or in a user's own module.
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

from pokerlab.core.cache import get_user_cache_folder, mark_path_as_used
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
    COMPILES = False
    NUMBA = "absent"
    MISSING = str(error)
else:
    # The environment variable NUMBA_DISABLE_JIT turns compilation off.
    COMPILES = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
    NUMBA = numba.__version__
    MISSING = ""

F = TypeVar("F", bound=Callable[..., Any])


COMPILE_OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "forceinline": True}
WITHOUT_REFERENCE_COUNTS: dict[str, Any] = {"_nrt": False}
COMPILER_VERSIONS = f"numba {NUMBA}, numpy {np.__version__}, {sys.implementation.cache_tag}"
"""The versions of numba, NumPy and Python, on which compiled kernels depend."""
PACKAGES_WITH_KERNELS = ("core", "games", "strategies", "evolution", "metrics", "solvers", "holdem")
"""The subpackages of pokerlab that have kernels, from the lowest to the highest. Each one may use those before it."""
Stamps: TypeAlias = dict[Path, tuple[int, int]]
"""The stamp of each file: its size in bytes, and the time of its last change in nanoseconds."""


def kernel(function: F) -> F:
    """Compile a function that is called from Python, and return the compiled function, which is called a *kernel*.

    Numba compiles it on its first call, for the types of its arguments. Machine code of pokerlab's own kernels is
    saved in the user's cache.

    The option `fastmath` of numba is off, so sums are computed in the order in which they are written. A run therefore
    gives the same numbers wherever it is paused. A kernel starts no threads, because its callers divide parallel work.
    It releases the interpreter's lock, so that a notebook stays responsive.

    Parameters
    ----------
    function : callable
        The function.

    Returns
    -------
    Dispatcher or callable
        Numba's compiled function. If numba is missing or turned off, it is a wrapper that calls the Python function.
    """
    return cast(F, attach_kernel_cache(compile_without_cache(function)))


def inlined(function: F) -> F:
    """Compile a function that is called only from kernels, so that numba inserts its code where a kernel calls it.

    A kernel is a function that `kernel` compiles. The option `forceinline` of `COMPILE_OPTIONS` inserts the code. The
    function may neither allocate nor return arrays, because it is compiled without reference counting. Counting
    references at each call would take longer than the work itself in small games such as Kuhn poker.

    Parameters
    ----------
    function : callable
        The function.

    Returns
    -------
    Dispatcher or callable
        Numba's compiled function, or `function` itself if numba is missing or turned off.
    """
    if not COMPILES:
        return function
    return cast(F, attach_kernel_cache(compile_without_cache(function, **WITHOUT_REFERENCE_COUNTS)))


def compile_without_cache(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a function to a kernel whose machine code is not saved when Python ends.

    It is used for functions that each session makes anew, such as a loop that calls a user's own function.

    Parameters
    ----------
    function : callable
        The function to compile.
    **options
        Options of `numba.njit` beside `COMPILE_OPTIONS`.

    Returns
    -------
    Dispatcher or callable
        Numba's compiled function. If numba is missing or turned off, it is a wrapper that calls the Python function. In
        both cases the attribute `py_func` is the Python function.
    """
    if COMPILES:
        return numba.njit(**COMPILE_OPTIONS, **options)(function)
    # Compiled code gives no warning when it overflows or divides by zero, so the Python function gives none either.
    wrapper: Any = np.errstate(all="ignore")(function)
    wrapper.py_func = function
    return wrapper


def attach_kernel_cache(compiled_function: Any) -> Any:
    """Give a compiled function a cache for its machine code, in place, and return the function.

    A function gets a cache only if its source is in one of `PACKAGES_WITH_KERNELS`. Any other function, and any Python
    function if nothing is compiled, is returned unchanged.

    Parameters
    ----------
    compiled_function : Dispatcher or callable
        What `compile_without_cache` returns. Its attribute `py_func` is the Python function.

    Returns
    -------
    Dispatcher or callable
        The object that was given.
    """
    subpackage = get_subpackage_name(compiled_function.py_func.__code__.co_filename)
    if COMPILES and subpackage in PACKAGES_WITH_KERNELS:
        # Numba's own method `enable_caching` would use numba's cache, which misses changes in other files.
        vars(compiled_function)["_cache"] = KernelCache(compiled_function.py_func)
    return compiled_function


def is_compiled(function: Any) -> bool:
    """Return whether a function was compiled by numba, so that kernels can call it."""
    return isinstance(function, Dispatcher)


def get_subpackage_name(file: str) -> str:
    """Return the name of the subpackage of pokerlab that contains a file, such as 'games'.

    Parameters
    ----------
    file : str
        The path of the file.

    Returns
    -------
    str
        The name, or an empty string if no subpackage of pokerlab contains the file.
    """
    path = Path(file)
    if not path.is_relative_to(PACKAGE):
        return ""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def read_source_stamps(subpackage: str) -> Stamps:
    """Return the stamps of all files from which the kernels of a subpackage of pokerlab are compiled.

    These are the files of the subpackage itself and of all subpackages that it may import. The stamp of a file is its
    size together with the time of its last change.

    Parameters
    ----------
    subpackage : str
        The name of the subpackage, one of `PACKAGES_WITH_KERNELS`.

    Returns
    -------
    dict of Path to (int, int)
        For each file its size in bytes, and the time of its last change in nanoseconds.
    """
    subpackages = PACKAGES_WITH_KERNELS[: PACKAGES_WITH_KERNELS.index(subpackage) + 1]
    paths: list[Path] = []
    for name in subpackages:
        paths += (PACKAGE / name).rglob("*.py")

    stamps: Stamps = {}
    for path in sorted(paths):
        status = path.stat()
        stamps[path] = (status.st_size, status.st_mtime_ns)
    return stamps


SOURCE_STAMPS_AT_START = {name: read_source_stamps(name) for name in PACKAGES_WITH_KERNELS}
"""For each subpackage the stamps, by path, that the source files of its kernels had when this process began."""


def are_sources_unchanged(subpackage: str) -> bool:
    """Return whether the source files of a subpackage's kernels are the same as when this process began.

    Files are compared by their sizes and modification times. The result is False while a file is missing, because it
    is being replaced.

    Parameters
    ----------
    subpackage : str
        The name of the subpackage, one of `PACKAGES_WITH_KERNELS`.
    """
    try:
        return SOURCE_STAMPS_AT_START[subpackage] == read_source_stamps(subpackage)
    except OSError:  # a file is being replaced at this moment
        return False


@cache
def get_package_cache_folder(subpackage: str) -> Path:
    """Return the folder in the user's cache for the compiled kernels of one subpackage of pokerlab.

    The name of the folder contains a digest of the kernels' source files, so kernels of other sources have another
    folder. Its files are pickles, which can run any code when they are loaded. So no one but the user may be able to
    write there, which `get_user_cache_folder` ensures.

    Parameters
    ----------
    subpackage : str
        The name of the subpackage, one of `PACKAGES_WITH_KERNELS`.

    Returns
    -------
    Path
        The folder, which need not exist. If it exists, it is marked as used today, so that it is not removed as unused.
    """
    folder = get_kernel_cache_folder() / f"{subpackage}-{compute_kernel_digest(subpackage)}"
    mark_path_as_used(folder)
    return folder


def compute_kernel_digest(subpackage: str) -> str:
    """Return a digest of the source files of a subpackage's kernels, and of the versions of numba, NumPy and Python.

    Parameters
    ----------
    subpackage : str
        The name of the subpackage, one of `PACKAGES_WITH_KERNELS`.

    Returns
    -------
    str
        The first 16 hexadecimal digits of the SHA-256 digest.
    """
    digest = hashlib.sha256(COMPILER_VERSIONS.encode())

    # If a file has changed since the process began, kernels are not cached, so the present contents are those of then.
    for path in SOURCE_STAMPS_AT_START[subpackage]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def get_kernel_cache_folder() -> Path:
    """Return the folder in the user's cache that contains the kernels of all packages and versions.

    Returns
    -------
    Path
        The folder, which need not exist.
    """
    return get_user_cache_folder() / "kernels"


class KernelLocator:
    """The locator by which numba finds the cached files of one kernel."""

    def __init__(self, function: FunctionType, file: str) -> None:
        """Store the path `file` of the source of `function`, and the line at which the function begins."""
        self._py_file = file
        self.line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, py_func: FunctionType, py_file: str) -> "KernelLocator":
        """Return the locator of the function `py_func`, which is defined in the file `py_file`. Numba calls this.

        Parameters
        ----------
        py_func : function
            The Python function of the kernel.
        py_file : str
            The path of the file in which it is defined.

        Returns
        -------
        KernelLocator
            A new locator.
        """
        return cls(py_func, py_file)

    def get_cache_path(self) -> str:
        """Return the path of the folder in which numba saves the machine code of this kernel.

        The folder contains all kernels of one module. It is inside the folder of the module's subpackage.
        """
        subpackage, *module_parts = Path(self._py_file).relative_to(PACKAGE).with_suffix("").parts
        return str(get_package_cache_folder(subpackage) / ".".join(module_parts))

    def ensure_cache_path(self) -> None:
        """Create the folder for the machine code if it does not exist."""
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        """Return an empty text, where numba's own locators return the modification time of the source file.

        The name of the folder already contains a digest of all sources.
        """
        return ""

    def get_disambiguator(self) -> str:
        """Return the line at which the function begins, which distinguishes functions of the same name in a file."""
        return str(self.line)


class CheckedResults(CompileResultCacheImpl):
    """The conversion between a compiled kernel and the bytes that numba saves, to which a checksum is added."""

    _locator_classes: list[type[object]] = [KernelLocator]  # noqa: RUF012

    def reduce(self, cres: Any) -> tuple[bytes, bytes]:
        """Return what is pickled to save a compiled kernel: a checksum and the kernel as bytes.

        Parameters
        ----------
        cres : numba.core.compiler.CompileResult
            The compiled kernel, under the name that numba gives it.

        Returns
        -------
        checksum : bytes
            The SHA-256 digest of `payload`.
        payload : bytes
            The pickled parts of the kernel.
        """
        payload: bytes = dumps(super().reduce(cres))  # type: ignore[no-untyped-call]
        return hashlib.sha256(payload).digest(), payload

    def rebuild(self, target_context: Any, payload: tuple[bytes, bytes]) -> Any:
        """Return the compiled kernel from its saved checksum and bytes.

        Parameters
        ----------
        target_context : numba target context
            Numba's description of the machine, with which it makes the code ready to run.
        payload : tuple of two bytes
            The checksum and the bytes that `reduce` returned.

        Raises
        ------
        ValueError
            If the bytes do not match the checksum.
        """
        checksum, saved_code = payload
        if hashlib.sha256(saved_code).digest() != checksum:
            raise ValueError("it does not match its checksum")
        return super().rebuild(target_context, pickle.loads(saved_code))  # type: ignore[no-untyped-call]


class CheckedCache(FunctionCache):
    """Numba's cache of one kernel, whose files contain a checksum."""

    _impl_class = CheckedResults


class KernelCache(_Cache):
    """The cache of one kernel, whose files are opened when the kernel is first used.

    If a file is damaged, a warning is given and the kernel is compiled again. The same happens if the file is for other
    types of arguments, because two processes that compile a kernel at the same time may write to the same file.
    """

    def __init__(self, function: FunctionType) -> None:
        """Store the Python function of the kernel. No file is opened until the kernel is first used."""
        self.function = function
        self.subpackage = get_subpackage_name(function.__code__.co_filename)

    @cached_property
    def numba_cache(self) -> Any:
        """Numba's cache of the kernel, which reads and writes the files."""
        return CheckedCache(self.function)  # type: ignore[no-untyped-call]

    @property
    def cache_path(self) -> str:
        """The path of the folder that contains the kernel's files. Numba shows it in its statistics."""
        return str(self.numba_cache.cache_path)

    def flush(self) -> None:
        """Remove the kernel's machine code from the cache."""
        self.numba_cache.flush()

    def enable(self) -> None:
        """Allow numba to read and write the files of this kernel."""
        self.numba_cache.enable()

    def disable(self) -> None:
        """Stop numba from reading and writing the files of this kernel."""
        self.numba_cache.disable()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code that was saved for one signature of the kernel, or None.

        Numba calls this method by its name. An overload is the machine code of a kernel for one signature, the types of
        its arguments.

        Parameters
        ----------
        sig : numba.core.typing.Signature
            The types of the arguments for which the code is needed.
        target_context : numba target context
            Numba's description of the machine, with which it makes the code ready to run.

        Returns
        -------
        numba.core.compiler.CompileResult or None
            The machine code. The result is None if none is saved, if its file is damaged, or if the source files have
            changed since this process began. Numba then compiles the kernel.
        """
        if not are_sources_unchanged(self.subpackage):
            return None

        try:
            loaded_code = self.numba_cache.load_overload(sig, target_context)
            if loaded_code is None:
                return None
            needed_types, _ = normalize_signature(sig)  # type: ignore[no-untyped-call]
            if loaded_code.signature.args == needed_types:
                return loaded_code
            reason = "it is of other types"
        except OSError:  # the folder cannot be read
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
        """Save the machine code that was compiled for one signature of the kernel.

        Numba calls this method by its name, where an overload is the machine code for one signature. Nothing is saved
        if the sources have changed since the process began. A warning is given if writing fails.

        Parameters
        ----------
        sig : numba.core.typing.Signature
            The types of the arguments for which the code was compiled.
        data : numba.core.compiler.CompileResult
            The machine code.
        """
        if not are_sources_unchanged(self.subpackage):
            return
        try:
            self.numba_cache.save_overload(sig, data)
        except OSError as error:
            warnings.warn(
                f"cannot write into {self.cache_path} ({error.strerror or error}). Make room there, or allow writing"
                " to the folder. Until then kernels are compiled at every start.",
                stacklevel=2,
            )
