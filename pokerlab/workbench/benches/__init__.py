"""The papers' benches: one file a paper declares its experiments, their views, and what to keep of a state.

A new experiment is declared in its paper's file and listed in `open_bench.DECLARED`; nothing else
in the workbench needs to change.
"""
