"""A champion beside its ancestors on the bench: the numbers are those of encounters, and a loss is marked."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.papers.nicolai2009 import Config, encounters, evolved_networks, met_ancestors
from pokerlab.papers.nicolai2009.duplicate_tables import FEW
from pokerlab.workbench.benches import declaration_of
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.views.networks import AncestorsView
from tests.unit.workbench.conftest import Notebook

SMALL = Config(agents=12, tournaments=3, hands_a_level=3, populations=2, iterations=5, seed=1)


@pytest.fixture
def bench() -> Iterator[Bench]:
    declared = replace(
        declaration_of(evolved_networks), views=lambda config: [AncestorsView(met_ancestors)]
    )
    made = Bench(declared, SMALL, first=4, screen=Notebook())
    yield made
    made.close()


def test_a_champion_meets_the_earlier_ones_as_at_their_encounters(bench: Bench) -> None:
    for which in (0, 1):
        bench.controls.choices["Champion of"].label = f"population {which + 1}"
        line = np.array([champions[which] for at, champions in bench.run.kept if at > 0])
        apart = encounters(bench.state.encoding, line, tables=FEW, progress=False)
        generations, ahead = bench.painted["ancestors"]["ahead"]
        assert generations.tolist() == [1, 2, 3]
        assert np.array_equal(ahead, apart.ranks.advantage[-1, :-1])


def test_the_first_generation_has_no_ancestors(bench: Bench) -> None:
    bench.reset()
    for _ in range(2):
        assert bench.painted["ancestors"]["ahead"].shape == (2, 0)
        assert bench.views[0].title.get_text() == "No ancestor yet"  # type: ignore[attr-defined]
        bench.step()
    assert bench.painted["ancestors"]["ahead"][0].tolist() == [1]
