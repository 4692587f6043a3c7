"""What a champion has learned: inputs as it saw them, networks that see some of them held still, exploiters."""

import numpy as np
import pytest

from pokerlab.core import UnknownNameError
from pokerlab.papers.nicolai2009 import (
    EARLIER_TABLES,
    DuplicateTables,
    encoding,
    static_agents,
)
from pokerlab.papers.nicolai2009.experiment import CONFIGS, EARLIER_CONFIGS
from pokerlab.papers.nicolai2009.learned import SIGHTS, held, seen
from pokerlab.papers.nicolai2009.progress import duel
from pokerlab.papers.recorded import RUNS
from pokerlab.strategies import activations
from studies.nicolai2009 import exploiters as study
from studies.nicolai2009.champions import EARLIER_WHOLE, Champions, file_of
from studies.nicolai2009.evaluation import evaluate
from studies.nicolai2009.exploiters import MEASURES, exploited, exploiter, exploiters, leads
from studies.nicolai2009.readings import standings

NETWORK = encoding(CONFIGS["Control"])
CHAMPION = Champions.load(file_of(1)).genomes["Control"]
STATIC = static_agents()
OTHERS = {**STATIC, **{f"{name} again": STATIC[name] for name in ("Random", "Caller", "Folder")}}


def test_sights_are_all_inputs_each_once() -> None:
    *each, everything = SIGHTS.values()
    assert sorted(sum(each, ())) == [*everything] == [*range(35)]


def test_a_champion_is_seen_at_its_own_decisions() -> None:
    inputs = seen(NETWORK, CHAMPION, OTHERS, tables=DuplicateTables(duplicates=2, seed=3))
    assert inputs.shape[1] == 35
    first = inputs[0]
    # Ten players' chips, the pot and the empty seat: nine began with 1,000.
    assert first[5:15].sum() + first[0] == 9000.0
    assert ((inputs[:, 3] > 0) & (inputs[:, 3] < 1)).all()
    assert (inputs[:, 14] == 0).all()


def test_what_is_held_is_not_seen_and_the_rest_is() -> None:
    generator = np.random.default_rng(1)
    genome = NETWORK.random(generator, 1)[0]
    inputs = generator.random(35)
    blind = held(NETWORK, genome, (3, 7), (0.5, 0.25))
    same = inputs.copy()
    same[[3, 7]] = 0.5, 0.25
    known = activations(NETWORK, genome, same).outputs
    for changed in (0.0, 1.0, 40.0):
        inputs[[3, 7]] = changed
        found = activations(NETWORK, blind, inputs).outputs
        np.testing.assert_allclose(found, known, rtol=1e-5)


def test_leads_are_those_of_duels() -> None:
    tables = DuplicateTables(duplicates=40, seed=2)
    (champion,) = NETWORK.players(CHAMPION[None], ["champion"])
    for rival in (STATIC["Raiser"], STATIC["Folder"]):
        found = leads([rival], champion, tables, 0)
        ranks, won = (one.tests().difference[0] for one in duel((rival, champion), tables, 1))
        assert [found[name][0] for name in MEASURES] == pytest.approx([-ranks, won])


def test_an_exploiter_gets_ahead_of_what_it_was_bred_against() -> None:
    tables = DuplicateTables(duplicates=10, seed=1)
    (champion,) = NETWORK.players(CHAMPION[None], ["champion"])
    bred = exploiter(NETWORK, CHAMPION, "tables won", tables=tables, generations=2)
    fresh = DuplicateTables(duplicates=40, seed=9)
    found = leads(NETWORK.players(bred[None]), champion, fresh, 0)
    assert found["tables won"][0] > 0.3
    with pytest.raises(UnknownNameError, match="measure"):
        exploiter(NETWORK, CHAMPION, "chips", tables=tables)


def test_exploiters_stand_beside_agents_by_rote(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "TABLES_OF_EACH", 2)
    setting = {"champion": "Control", "seed": 1, "generations": 1, "duplicates": 5}
    rows = exploited(setting)
    assert [row["rival"] for row in rows] == [*STATIC, *(f"bred by {name}" for name in MEASURES)]
    with pytest.raises(UnknownNameError, match="3Pop"):
        exploiters(names=["3Pop"])


def test_champions_stand_otherwise_where_tables_are_read_otherwise() -> None:
    found = standings(readings=["as it is", "raise all-in"], duplicates=4)
    genomes = Champions.load(RUNS / f"{EARLIER_WHOLE}.npz").genomes
    assert found["champion"].tolist() == [name for name in genomes for _ in range(2)]
    one = genomes["4Pop-2"]
    (player,) = encoding(EARLIER_CONFIGS["4Pop"]).players(one[None], ["4Pop-2"])
    tables = DuplicateTables(duplicates=4, seed=1, **{**EARLIER_TABLES, "raises": "all-in"})
    ranks = evaluate(player, tables=tables, progress=False).mean_rank
    row = 2 * [*genomes].index("4Pop-2") + 1
    assert found["rank"][row] == ranks["4Pop-2"] != found["rank"][row - 1]
    assert found["place"][row] == sum(rank <= ranks["4Pop-2"] for rank in ranks.values())
    assert found["folder_rank"][row] == ranks["Folder"]
    assert found["oldbest_rank"][row] == ranks["OldBest"]
    with pytest.raises(UnknownNameError, match="upside down"):
        standings(readings=["upside down"])
