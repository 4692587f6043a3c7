"""What a function is known by: where it stands, its code, and what it refers to.

Contests and sweeps recognize a user's function by it in another process or session. `code_text` is the function's own
bytecode, without its docstring and the numbers of its lines; `referred` yields the values that it uses from outside.
Both together identify a function, under one version of Python.
"""

from collections.abc import Iterator
from dis import get_instructions
from types import CodeType, FunctionType, ModuleType
from typing import Any


def name_of(function: FunctionType) -> str:
    """Return where a function stands."""
    return f"{function.__module__}.{function.__qualname__}"


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
