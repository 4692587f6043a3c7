"""One file a paper: its Config, its experiment, its published numbers."""

from pokerlab.papers.experiment import Experiment, Published, published_numbers

__all__ = ["Experiment", "Published", "published_numbers"]
