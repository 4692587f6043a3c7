"""All compiler policy in one place: exact arithmetic, one thread, and what was compiled is kept.

Without numba, as in a browser, kernels are the Python functions they are written as: the same numbers, slowly.

A compiled kernel is kept under a digest of everything that it was compiled from: its bytecode, the
constants and kernels that it refers to, the types of its arguments, the compiler and the processor.
So an edit compiles again exactly the kernels that it changes, and an edit of a comment or a
docstring compiles none. A file that does not match its checksum is never loaded: it is made again.
"""

import hashlib
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dis import get_instructions
from functools import cache
from pathlib import Path
from time import thread_time
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numpy as np

from pokerlab.core.cache import mark_as_used, user_cache
from pokerlab.core.errors import StorageError
from pokerlab.core.files import whole_file

try:
    import numba
    from numba.core.caching import _Cache
    from numba.core.compiler import CompileResult
    from numba.core.dispatcher import Dispatcher
    from numba.core.serialize import dumps
except ImportError as error:
    _Cache, Dispatcher = object, ()  # type: ignore[assignment, misc]
    COMPILES, NUMBA, MISSING = False, "absent", str(error)
else:
    # NUMBA_DISABLE_JIT turns it off.
    COMPILES = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
    NUMBA, MISSING = numba.__version__, ""

F = TypeVar("F", bound=Callable[..., Any])
POLICY: dict[str, Any] = {"error_model": "numpy", "nogil": True, "forceinline": True}
WITHOUT_REFERENCE_COUNTS: dict[str, Any] = {"_nrt": False}
COMPILER = f"numba {NUMBA}, numpy {np.__version__}, {sys.implementation.cache_tag}"
LOOK_SECONDS = 0.2
"""Of computing, after which a first look stops at what it has, however busy the machine is."""
INTERPRETED: ContextVar[list[float] | None] = ContextVar("times of a first look", default=None)
CHECKSUM_BYTES = hashlib.sha256().digest_size


def kernel(function: F) -> F:
    """Compile `function`, called from Python, on first use for the types it is called with.

    No fastmath: sums keep the order they are written in, so that every way of pausing a run gives
    the same numbers. No threads inside a kernel: parallel work is divided above it. The
    interpreter's lock is released, so that a notebook stays responsive.
    """
    return cast(F, compiled(function, POLICY))


def inlined(function: F) -> F:
    """Compile `function`, called only from kernels, into its callers.

    It may neither allocate nor return arrays, and so needs no reference counts: counting them
    costs more than a whole pass over Kuhn poker.
    """
    return cast(F, compiled(function, POLICY | WITHOUT_REFERENCE_COUNTS))


def compiled(function: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Any]:
    """Return the kernel of `function`, whose machine code will be kept."""
    if not COMPILES:
        # Compiled code wraps around and divides by zero without a word.
        made: Any = np.errstate(all="ignore")(function)
        made.py_func = function
        return cast(Callable[..., Any], made if options is POLICY else function)
    made = numba.njit(**options)(function)
    compiles = made._compile_for_args
    vars(made)["_cache"] = KernelCache(made.py_func, repr(sorted(options.items())))
    vars(made)["_compile_for_args"] = lambda *given: answering(made, given) or compiles(*given)
    return cast(Callable[..., Any], made)


@contextmanager
def first_look(wanted: bool) -> Iterator[list[float]]:
    """Let kernels that nobody has compiled yet run interpreted, if that is wanted; lend the times when any did.

    What was computed then is for a look, and has to be computed again: interpreted kernels may round otherwise.
    """
    times: list[float] = []
    token = INTERPRETED.set(times if wanted else None)
    try:
        with np.errstate(all="ignore"):
            yield times
    finally:
        INTERPRETED.reset(token)


def has_looked() -> bool:
    """Return whether a first look with interpreted kernels has taken `LOOK_SECONDS`."""
    times = INTERPRETED.get() or [np.inf]
    return thread_time() - times[0] > LOOK_SECONDS


def answering(kernel: Any, given: tuple[Any, ...]) -> Callable[..., Any] | None:
    """Return what answers for a kernel without compiling, in a first look; None if it is kept, or there is none."""
    times = INTERPRETED.get()
    types = () if times is None else tuple(map(kernel.typeof_pyval, given))
    if times is None or kernel._cache.path(types, kernel.targetctx.codegen()).exists():
        return None
    times.append(thread_time())
    return interpreted(kernel.py_func)


@cache
def interpreted(function: FunctionType) -> FunctionType:
    """Return a copy of what a kernel is compiled from, which calls such copies of other kernels."""
    called = {
        name: interpreted(value.py_func)
        for name, value in function.__globals__.items()
        if name in function.__code__.co_names and isinstance(value, Dispatcher)
    }
    named = (function.__globals__ | called, function.__name__)
    return FunctionType(function.__code__, *named, function.__defaults__, function.__closure__)


def is_compiled(function: Any) -> bool:
    """Return whether kernels can call `function`."""
    return isinstance(function, Dispatcher)


@cache
def kernel_folder() -> Path:
    """Return the folder of compiled kernels in the user's cache."""
    return user_cache() / "kernels"


class KernelCache(_Cache):
    """The machine code of one kernel, one file for the types of its arguments.

    The files are pickles, so the folder must be the user's alone; `user_cache` ensures that.
    """

    def __init__(self, function: FunctionType, options: str) -> None:
        self.function, self.options = function, options

    @property
    def cache_path(self) -> str:
        """The folder, as numba's statistics show it."""
        return str(kernel_folder())

    def flush(self) -> None:
        """Do nothing: a digest never names outdated machine code, and it is always kept."""

    enable = disable = flush

    def path(self, signature: Any, codegen: Any) -> Path:
        """Return where the machine code for these types lies."""
        name = name_of(self.function)
        types = [type_text(kind) for kind in getattr(signature, "args", signature)]
        parts = (COMPILER, self.options, name, *types, repr(codegen.magic_tuple()))
        digest = hashlib.sha256("\n".join((*parts, fingerprint(self.function))).encode())
        return (
            kernel_folder() / f"{name.removeprefix('pokerlab.')}-{digest.hexdigest()[:24]}.kernel"
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for the types in `sig`, or None."""
        target_context.refresh()
        payload = checked(self.path(sig, target_context.codegen()))
        if payload is None:
            return None
        return CompileResult._rebuild(target_context, *pickle.loads(payload))  # type: ignore[no-untyped-call]

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code for the types in `sig`, if that is possible."""
        if data.lifted or data.library.has_dynamic_globals:
            return
        payload: bytes = dumps(data._reduce())  # type: ignore[no-untyped-call]
        try:
            with whole_file(self.path(sig, data.codegen)) as file:
                file.write(hashlib.sha256(payload).digest() + payload)
        except StorageError as error:
            warnings.warn(f"{error} Until then kernels are compiled at every start.", stacklevel=2)


def type_text(kind: Any) -> str:
    """Return a type of an argument as a text, with the modules of the classes in it."""
    parts = ", ".join(type_text(part) for part in getattr(kind, "types", ()))
    home = getattr(getattr(kind, "instance_class", None), "__module__", "")
    return f"{kind!r} {home} ({parts})"


def checked(path: Path) -> bytes | None:
    """Return what a file of machine code holds; None if there is none, or it is damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    payload = content[CHECKSUM_BYTES:]
    if hashlib.sha256(payload).digest() != content[:CHECKSUM_BYTES]:
        warnings.warn(f"{path} is damaged; it is made again.", stacklevel=2)
        return None
    mark_as_used(path)
    return payload


@cache
def fingerprint(function: FunctionType) -> str:
    """Return a digest of what `function` does, with all the kernels that it calls, directly or not."""
    texts: dict[FunctionType, str] = {}
    waiting = [function]
    while waiting:
        caller = waiting.pop()
        if caller not in texts:
            texts[caller], called = source(caller)
            waiting.extend(called)
    return hashlib.sha256("\n\n".join(sorted(texts.values())).encode()).hexdigest()


@cache
def source(function: FunctionType) -> tuple[str, list[FunctionType]]:
    """Return the bytecode of `function` and the values it refers to as a text; and what it calls."""
    called, lines = [], [code_text(function)]
    for name, value in referred(function):
        if isinstance(value, Dispatcher):
            called.append(value.py_func)
        lines.append(f"{name}: {described(value)}")
    return "\n".join(lines), called


def referred(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of what `function` refers to outside itself, but for builtins."""
    code, outside = function.__code__, function.__globals__
    for name in sorted(globals_in(code) & outside.keys()):
        value = outside[name]
        yield name, value
        if isinstance(value, ModuleType) and value.__name__.startswith("pokerlab"):
            there = [attribute for attribute in code.co_names if hasattr(value, attribute)]
            yield from ((f"{name}.{attribute}", getattr(value, attribute)) for attribute in there)
    cells = function.__closure__ or ()
    yield from zip(code.co_freevars, (c.cell_contents for c in cells), strict=True)
    yield from (function.__kwdefaults__ or {}).items()


def globals_in(code: CodeType) -> set[str]:
    """Return the names that a code, or one inside it, looks for in its module."""
    inner = [globals_in(part) for part in code.co_consts if isinstance(part, CodeType)]
    own = {i.argval for i in get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    return own.union(*inner)


def code_text(function: FunctionType) -> str:
    """Return a function's name and code as a text, without its docstring, its file and numbers of lines."""
    code = function.__code__
    consts = code.co_consts[function.__doc__ is not None :]  # The docstring is the first.
    return f"{name_of(function)}: {code_parts(code, consts)}"


def code_parts(code: CodeType, consts: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what makes a code; of a set its parts in the order of their texts, for it has none of its own."""
    inner = [
        code_parts(c, c.co_consts)
        if isinstance(c, CodeType)
        else sorted(map(repr, c))
        if isinstance(c, frozenset)
        else c
        for c in consts
    ]
    return (code.co_code, code.co_names, code.co_varnames, code.co_freevars, inner)


def name_of(function: FunctionType) -> str:
    """Return where a function stands."""
    return f"{function.__module__}.{function.__qualname__}"


def described(value: Any) -> str:
    """Return a text that differs wherever a kernel that refers to `value` would differ."""
    if isinstance(value, Dispatcher):
        return name_of(value.py_func)
    if isinstance(value, np.ndarray):
        content = hashlib.sha256(np.ascontiguousarray(value).data).hexdigest()
        return f"{value.dtype} {value.shape} {content}"
    if isinstance(value, (bool, int, float, str, bytes, np.generic, np.dtype)):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, tuple):
        return f"{type(value).__name__} {[described(part) for part in value]}"
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', ())}"
    if isinstance(value, (ModuleType, BuiltinFunctionType, np.ufunc)):
        return value.__name__
    raise TypeError(
        f"a kernel refers to {value!r}; kernels may refer to numbers, strings, tuples, arrays,"
        " types, modules and other kernels."
    )
