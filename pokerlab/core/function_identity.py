"""The identity of a function: its name, its code, and the values to which it refers.

Contests and sweeps use it to recognize a user's function in another process or session. `describe_function_code`
describes the function's own bytecode, without its docstring and line numbers. `iterate_referenced_values` yields the
values that the function uses from outside itself. Together they identify a function, as long as the version of Python
is the same.
"""

from collections.abc import Iterator
from dis import get_instructions
from types import CodeType, FunctionType, ModuleType
from typing import Any


def get_qualified_name(function: FunctionType) -> str:
    """Return the name of a function with its module and class, such as 'module.Class.method'.

    Parameters
    ----------
    function : function
        A Python function or method. Only its name is read.
    """
    return f"{function.__module__}.{function.__qualname__}"


def describe_function_code(function: FunctionType) -> str:
    """Return a text that describes a function's name and bytecode, by which changes of the function are noticed.

    The docstring, the line numbers and the name of the file do not matter.

    Parameters
    ----------
    function : function
        The Python function. Code of other functions that it calls is not part of the text.
    """
    code = function.__code__
    constants = code.co_consts
    if function.__doc__ is not None:
        constants = constants[1:]  # the first one is the docstring
    return f"{get_qualified_name(function)}: {list_code_parts(code, constants)}"


def list_code_parts(code: CodeType, constants: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the parts that identify a code object: its bytecode, the names that it uses, and its constants.

    Parameters
    ----------
    code : CodeType
        The code object.
    constants : tuple
        The constants that belong to its identity: all of `code.co_consts` except a docstring.

    Returns
    -------
    tuple
        The bytecode, the tuples of global, local and enclosing names, and the list of constants. A constant that is
        itself the code of an inner function is replaced by its own parts.
    """
    identified_constants: list[Any] = []
    for constant in constants:
        if isinstance(constant, CodeType):
            identified_constants.append(list_code_parts(constant, constant.co_consts))
        elif isinstance(constant, frozenset):
            identified_constants.append(sorted(map(repr, constant)))  # a set has no fixed order
        else:
            identified_constants.append(constant)

    return (
        code.co_code,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        identified_constants,
    )


def iterate_referenced_values(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the names and values that a function uses from outside itself, except for builtins.

    Parameters
    ----------
    function : FunctionType
        The function.

    Yields
    ------
    name : str
        The name by which the function refers to the value.
    value : Any
        The value of a global name, of an attribute of one of pokerlab's modules, or of a variable of an enclosing
        function. The defaults of keyword-only parameters come last, under the names of the parameters.
    """
    code, global_values = function.__code__, function.__globals__
    for name in sorted(find_global_names(code) & global_values.keys()):
        value = global_values[name]
        yield name, value

        # A module says nothing about what the function uses of it. So those of its attributes are added whose names
        # occur in the code.
        is_own_module = isinstance(value, ModuleType) and value.__name__.startswith("pokerlab")
        if is_own_module:
            used_attributes = [
                attribute for attribute in code.co_names if hasattr(value, attribute)
            ]
            for attribute in used_attributes:
                yield f"{name}.{attribute}", getattr(value, attribute)

    enclosing_values = [cell.cell_contents for cell in function.__closure__ or ()]
    yield from zip(code.co_freevars, enclosing_values, strict=True)
    keyword_defaults = function.__kwdefaults__ or {}
    yield from keyword_defaults.items()


def find_global_names(code: CodeType) -> set[str]:
    """Return the global names that a code object uses, including those that the functions inside it use.

    Parameters
    ----------
    code : code object
        The compiled code of a Python function.

    Returns
    -------
    set of str
        The names, including those of functions and modules that the code uses.
    """
    names = {i.argval for i in get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):  # the code of an inner function
            names |= find_global_names(constant)
    return names
