"""The bench of evolved networks: shares on scales from zero, and every group of columns drawn."""

from collections.abc import Iterator

import pytest

from pokerlab.papers import nicolai2009
from pokerlab.papers.nicolai2009 import Config
from pokerlab.workbench.benches import declaration_of
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.views.curves import nice_limits
from tests.unit.workbench.conftest import Notebook

SMALL = Config(
    agents=12, hall="elites", hall_size=6, tournaments=4, hands_a_level=4, hidden=3, seed=1
)


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(declaration_of(nicolai2009.evolved_networks), SMALL, first=3, screen=Notebook())
    yield made
    made.close()


def test_shares_and_ranks_stand_on_a_scale_from_zero_and_weights_on_a_logarithmic_one(
    bench: Bench,
) -> None:
    scales = {}
    for label, _ in bench.controls.choices["Show"].options:
        bench.controls.choices["Show"].label = label
        assert bench.error is None
        axes = bench.views[0].curves.axes
        scales[label] = axes.get_yscale()
        if axes.get_yscale() == "linear":
            assert axes.get_ylim()[0] == 0.0
    logarithmic = {label for label, scale in scales.items() if scale == "log"}
    assert logarithmic == {"weights", "hands a tournament"}
    assert {"actions of champions", "actions of everybody", "ages in the hall"} <= scales.keys()


@pytest.mark.parametrize(("values", "limits"), [([0.0, 0.0], (0.0, 1.0)), ([-1.0, 2.0], (-2, 3))])
def test_limits_are_round_numbers_around_the_values(
    values: list[float], limits: tuple[float, float]
) -> None:
    assert nice_limits(values) == limits
