"""Sentences with computed numbers, displayed in a notebook."""

from IPython.display import Markdown, display


def say(markdown: str) -> None:
    """Display a paragraph of Markdown, as a rule an f-string with computed numbers."""
    display(Markdown(markdown))  # type: ignore[no-untyped-call]
