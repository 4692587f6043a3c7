"""Docstrings speak of what is there."""

import ast
from collections.abc import Iterator
from pathlib import Path

from numpydoc.docscrape import NumpyDocString

FOLDERS = ("pokerlab", "notebooks/audits/studies", "tools", "benchmarks")


def iterate_functions(root: Path) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield every function that has a docstring with a section on parameters, and where it stands."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and "Parameters\n" in str(
                    ast.get_docstring(node)
                ):
                    yield f"{path.relative_to(root)}:{node.lineno} {node.name}", node


def list_described_parameters(docstring: str) -> list[str]:
    """Return the names in the section on parameters of a docstring, which may stand several in a line."""
    described = NumpyDocString(docstring)["Parameters"]
    return [name.strip().lstrip("*") for entry in described for name in entry.name.split(",")]


def list_parameters(function: ast.FunctionDef) -> list[str]:
    """Return the names of the parameters of a function."""
    parameters = function.args
    several = [each for each in (parameters.vararg, parameters.kwarg) if each is not None]
    alone = [*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs]
    return [each.arg for each in (*alone, *several)]


def test_docstrings_describe_parameters_that_the_function_has(root: Path) -> None:
    wrong = {}
    for where, function in iterate_functions(root):
        described = list_described_parameters(str(ast.get_docstring(function)))
        if unknown := set(described) - set(list_parameters(function)):
            wrong[where] = unknown
    assert wrong == {}


def test_a_renamed_parameter_is_noticed() -> None:
    code = (
        'def f(hands):\n    """Return one.\n\n    Parameters\n    ----------\n'
        '    cards, hands : list\n        Some.\n    """'
    )
    (function,) = ast.parse(code).body
    assert isinstance(function, ast.FunctionDef)
    described = list_described_parameters(str(ast.get_docstring(function)))
    assert set(described) - set(list_parameters(function)) == {"cards"}
