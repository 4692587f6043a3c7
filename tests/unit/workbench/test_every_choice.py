"""Whatever is chosen on the bench of a paper's experiment is drawn, or refused in words."""

import pytest

from pokerlab.core import PokerlabError, settings_of
from pokerlab.papers import lanctot2014, oliehoek2006, samothrakis2011, samothrakis2011_holdem
from pokerlab.papers.experiment import Experiment
from pokerlab.workbench.live.live_bench import Bench
from tests.unit.workbench.conftest import Notebook

EXPERIMENTS = (
    lanctot2014.replicator,
    oliehoek2006.nash_memory,
    samothrakis2011.minimax_coevolution,
    samothrakis2011_holdem.evolving_holdem,
)


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.title)
def test_every_choice_is_drawn_or_refused(experiment: Experiment) -> None:
    bench = Bench(experiment, experiment.scales["quick"], screen=Notebook())
    drawn = 0
    for name, about in settings_of(bench.config).items():
        for option in about.choices or ():
            bench.panel.rows[name].value = option
            if bench.error is not None:
                assert isinstance(bench.error, PokerlabError), (name, option)
                continue
            assert getattr(bench.config, name) == option
            bench.step()
            assert bench.error is None, (name, option)
            drawn += 1
        with bench.panel.held():
            bench.panel.rows[name].value = getattr(bench.defaults_config, name)
    bench.close()
    assert drawn > 5


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.title)
def test_everything_that_views_offer_is_drawn(experiment: Experiment) -> None:
    bench = Bench(experiment, experiment.scales["quick"], screen=Notebook())
    for words, row in bench.controls.choices.items():
        for label, _ in row.options:
            row.label = label
            assert bench.error is None, (words, label)
    bench.close()
