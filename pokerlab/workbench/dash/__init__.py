"""Benches, explorers and tables as pages without code: `python -m pokerlab.workbench.dash`."""
