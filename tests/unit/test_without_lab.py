"""Without the extra `lab`, everything computes and plots, and what needs it says so."""

import subprocess
import sys

CODE = """
import sys
sys.modules |= dict.fromkeys(("ipywidgets", "IPython", "jupyterlab", "voila", "nbformat", "nbclient"))

import pokerlab as pl

kuhn = pl.games.kuhn()
cfr = pl.solvers.CFR(kuhn)
measure = pl.runs.Column("gap", "NashConv", "chips", lambda s: pl.metrics.nash_conv(kuhn, s.average))
run = pl.runs.Run(cfr, [measure]).to(100, progress=False)
_, axes = pl.workbench.figure(3.0, 2.0)
pl.workbench.convergence(axes, run.history, "gap")
print(run.history["gap"][-1] < 0.1)
sys.modules["ipykernel"] = sys  # as in a kernel without widgets
print(pl.predict("01b.2", ...))
for name in pl.workbench.__all__:
    try:
        getattr(pl.workbench, name)
    except pl.core.PokerlabError as error:
        print(error)
"""
NEED_LAB = """
    bench equity_explorer field_map kuhn_explorer network_explorer play_holdem play_kuhn play_tournament
    population_explorer reserve rule_explorer say scoreboard show show_guesses watch_tournament
"""


def test_benches_tables_and_explorers_alone_need_the_lab() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE], stdout=subprocess.PIPE, check=True, encoding="utf-8"
    )
    converged, question, *errors = done.stdout.splitlines()
    assert converged == "True"
    assert question.endswith("Your guess: 'yes' or 'no'?")
    assert [error.split()[0] for error in errors] == [f"workbench.{n}" for n in NEED_LAB.split()]
    assert all(error.endswith("install it: pip install 'pokerlab[lab]'.") for error in errors)
