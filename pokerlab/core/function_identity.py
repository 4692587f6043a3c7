"""The identity of a function: its name, its code, and what it refers to.

Contests and sweeps recognize a user's function by it in another process or session. `describe_code` has the function's
own bytecode, without its docstring and line numbers. `find_references` yields the values that it uses from outside.
Together they identify a function under one version of Python.
"""

from collections.abc import Iterator
from dis import get_instructions
from types import CodeType, FunctionType, ModuleType
from typing import Any


def get_qualified_name(function: FunctionType) -> str:
    """Return the module and the qualified name of a function."""
    return f"{function.__module__}.{function.__qualname__}"


def describe_code(function: FunctionType) -> str:
    """Return a function's name and code as a text, without its docstring, its file and line numbers."""
    code = function.__code__
    consts = code.co_consts[function.__doc__ is not None :]  # The docstring is the first.
    return f"{get_qualified_name(function)}: {list_code_parts(code, consts)}"


def list_code_parts(code: CodeType, consts: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the parts that identify a code object, with those of the functions inside it.

    `consts` are the constants that count, of the code's own.
    """
    parts: list[Any] = []
    for constant in consts:
        if isinstance(constant, CodeType):
            parts.append(list_code_parts(constant, constant.co_consts))
        elif isinstance(constant, frozenset):
            parts.append(sorted(map(repr, constant)))  # a set has no order of its own
        else:
            parts.append(constant)
    return (code.co_code, code.co_names, code.co_varnames, code.co_freevars, parts)


def find_references(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the names and values that `function` uses from outside itself, without builtins.

    These are global names, attributes of pokerlab's modules, variables of enclosing functions, and defaults.
    """
    code, global_values = function.__code__, function.__globals__
    for name in sorted(find_global_names(code) & global_values.keys()):
        value = global_values[name]
        yield name, value
        if isinstance(value, ModuleType) and value.__name__.startswith("pokerlab"):
            for attribute in code.co_names:
                if hasattr(value, attribute):
                    yield f"{name}.{attribute}", getattr(value, attribute)
    cells = function.__closure__ or ()
    yield from zip(code.co_freevars, (cell.cell_contents for cell in cells), strict=True)
    yield from (function.__kwdefaults__ or {}).items()


def find_global_names(code: CodeType) -> set[str]:
    """Return the names that a code object, or one inside it, looks up in its module."""
    inner = [find_global_names(part) for part in code.co_consts if isinstance(part, CodeType)]
    own = {i.argval for i in get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    return own.union(*inner)
