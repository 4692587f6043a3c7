"""Files from before a setting was removed are read where they have what is left, and refused where they have not."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from pokerlab.core import CheckpointError, PokerlabError
from pokerlab.core.saved_files import (
    SavedFile,
    check_file_description,
    read_removed_settings,
    update_old_settings,
)
from pokerlab.evolution.population import HallOfElites, WeightedSum
from pokerlab.holdem import Aggressiveness, TableNetwork
from pokerlab.papers.nicolai2009 import (
    Config,
    DuplicateTables,
    evolved_networks,
)
from pokerlab.runs.checkpoint import FORMAT

KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (Aggressiveness, Config, DuplicateTables, HallOfElites, TableNetwork, WeightedSum)
}
BEFORE: Mapping[str, Mapping[str, Any]] = {
    "encoding": {
        "biases": True,
        "sigmoid_inputs": False,
        "last_input": "hands until the button",
        "tournament_chips": 20_000,
        "opponents": "in the hand",
        "ties": "win",
    },
}
"""What checkpoints had of an evolution, besides what they have."""
SMALL = Config(agents=20, tournaments=2, hands_a_level=2, hall="elites", hall_size=10, seed=1)
PARTS = {"TableNetwork": "encoding", "WeightedSum": "variation", "HallOfElites": "hall_of_fame"}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("retired") / "run.npz"
    evolved_networks.run(SMALL, checkpoint=path).to(1, progress=False)
    return path


def written_before(
    checkpoint: Path, tmp_path: Path, changes: Mapping[str, Mapping[str, Any]]
) -> Path:
    """Return a checkpoint whose solver also had these parameters of its parts."""
    kept = SavedFile.load(checkpoint, FORMAT)
    identity = kept.about["identity"]
    parameters = dict(identity["parameters"])
    for part, settings in changes.items():
        parameters[part] = {**parameters[part], **settings}
    about = {**kept.about, "identity": {**identity, "parameters": parameters}}
    return SavedFile(about, kept.arrays).save(tmp_path / "before.npz")


@pytest.mark.parametrize("row", read_removed_settings(), ids=lambda row: f"{row['setting']}")
def test_retired_setting_or_its_value_is_gone(row: dict[str, str]) -> None:
    kind, name = KINDS[row["kind"]], row["setting"]
    if name in {field.name for field in fields(kind)}:
        with pytest.raises(PokerlabError, match=f"'{row['value']}'; there are"):
            kind(**{name: row["value"]})


def test_checkpoint_with_retired_settings_goes_on(checkpoint: Path, tmp_path: Path) -> None:
    before = written_before(checkpoint, tmp_path, BEFORE)
    run = evolved_networks.run(SMALL, checkpoint=before)
    assert run.iteration == 1
    straight = evolved_networks.run(SMALL).to(2, progress=False)
    again = run.to(2, progress=False)
    assert again.state.population.tobytes() == straight.state.population.tobytes()


@pytest.mark.parametrize(
    "row",
    [row for row in read_removed_settings() if row["kind"] in PARTS and row["value"]],
    ids=lambda row: f"{row['setting']}-{row['value']}",
)
def test_checkpoint_with_retired_value_is_refused(
    row: dict[str, str], checkpoint: Path, tmp_path: Path
) -> None:
    name = row["setting"]
    value: Any = {"True": True, "False": False}.get(row["value"], row["value"])
    changed = {**BEFORE, PARTS[row["kind"]]: {**BEFORE.get(PARTS[row["kind"]], {}), name: value}}
    before = written_before(checkpoint, tmp_path, changed)
    expected = f"{name} {value!r}, which pokerlab no longer has. Use its commit {row['commit']}"
    with pytest.raises(CheckpointError, match=expected):
        evolved_networks.run(SMALL, checkpoint=before)


def test_settings_of_other_classes_with_retired_names_count() -> None:
    settings = {"start": "uniform", "ties": "half", "recent": "orbit"}
    assert update_old_settings("a file", settings, settings) == settings
    other = {"start": "first", "ties": "win", "recent": "hands"}
    with pytest.raises(CheckpointError, match="written with settings"):
        check_file_description("a file", {"settings": settings}, {"settings": other})
    part = {"kind": "RuleEncoding", "start": "uniform", "tournament_chips": 5}
    assert update_old_settings("a file", part, {"kind": "RuleEncoding", "start": "dealt"}) == part
