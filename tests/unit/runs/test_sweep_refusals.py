"""What a sweep refuses, and what it says of settings that cannot be measured."""

import socket
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from pokerlab.core import CheckpointError, SettingError, UnknownNameError, workers
from pokerlab.core.saved_files import SavedFile
from pokerlab.core.workers import Cancelled
from pokerlab.papers import oliehoek2006
from pokerlab.runs import SweepError, sweep
from pokerlab.runs.outcome_folder import FORMAT
from pokerlab.runs.sweeps import open_executor

quiet = partial(sweep, progress=False)
CONFIG = oliehoek2006.Config(seed=1)
FACTOR = {"twice": 2}


def inverse(setting: dict[str, Any]) -> dict[str, float]:
    return {"inverse": 1 / setting["a"]}


def scaled(setting: dict[str, Any], power: int = 1) -> dict[str, float]:
    return {"scaled": setting["a"] * FACTOR["twice"] ** power}


class Power(NamedTuple):
    power: int

    def scaled(self, setting: dict[str, Any]) -> dict[str, float]:
        return scaled(setting, self.power)


@pytest.mark.parametrize(
    ("settings", "also", "message"),
    [
        ({}, {}, "there are no settings"),
        ([], {}, "there are no settings"),
        ({"a": []}, {}, "there are no settings"),
        ({"a": [1]}, {"seeds": []}, "there are no settings"),
        ({"a": [1, 2, 1]}, {}, r"\{'a': 1\} is there 2 times"),
        ({"a": [1, 1.0]}, {}, "is there 2 times"),
        ({}, {"seeds": [1, 1]}, "is there 2 times"),
        ([CONFIG, CONFIG], {}, "is there 2 times"),
        ({"a": "word"}, {}, "a is 'word'; give a list of the values"),
        ({"a": 3}, {}, "a is 3; give a list of the values"),
        ({"a": [None]}, {}, "'a' is None; a table holds numbers and texts"),
        (
            {"a": [1, "one"]},
            {},
            r"a setting has 'a' \(a text\); the first one has 'a' \(a number\)",
        ),
        ({"a": [float("nan")]}, {}, "'a' is nan, which equals nothing"),
        ({"file": [1]}, {}, "a value is called 'file'"),
        ([3], {}, "a setting is 3; give a dictionary"),
        ([{"a": 1}, {"b": 1}], {}, "a setting has 'b'"),
        ([CONFIG], {"config": CONFIG}, "the settings are of the kinds Config"),
        ([CONFIG, {"a": 1}], {}, "the settings are of the kinds Config"),
        ({"a": [1]}, {"config": 3}, "config is 3"),
        ({}, {"seeds": [-1]}, "seed is -1"),
        ({"seed": [1]}, {"seeds": [1]}, "'seed' is a setting already"),
        ({"a": [1]}, {"workers": 0}, "workers is 0; it must be an integer from 1 to 256"),
        ({"a": [1]}, {"workers": 10**9}, "it must be an integer from 1 to 256"),
    ],
)
def test_bad_settings_are_refused(settings: Any, also: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        quiet(inverse, settings, **also)


def test_settings_that_a_config_does_not_have_are_refused_before_anything_is_measured() -> None:
    with pytest.raises(UnknownNameError, match=r"no setting 'programs'.*Did you mean 'program'"):
        quiet(inverse, {"programs": ["simplex"]}, config=CONFIG)
    with pytest.raises(UnknownNameError, match="no program 'complex'"):
        quiet(inverse, {"program": ["simplex", "complex"]}, config=CONFIG)


def test_what_fails_names_its_settings_and_leaves_the_others() -> None:
    with pytest.raises(SweepError) as caught:
        quiet(inverse, {"a": [2, 0, 4]})
    assert str(caught.value).startswith(
        "1 of 3 could not be measured: at {'a': 0}: ZeroDivisionError: division by zero. "
        "2 of 3 are finished"
    )
    assert "in inverse" in caught.value.__notes__[0]
    assert caught.value.finished is not None
    assert caught.value.finished["inverse"].tolist() == [0.5, 0.25]


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (lambda a: None, "None was measured; return a dictionary"),
        (lambda a: 3.0, "3.0 was measured; return a dictionary"),
        (lambda a: [], "[] was measured; return a dictionary"),
        (lambda a: {"x": None}, "'x' is None; a table holds numbers and texts"),
        (lambda a: {"x": np.zeros(2)}, "'x' is array"),
        (lambda a: {"x": 2**64}, "'x' is 18446744073709551616"),
        (
            lambda a: {"x" if a == 1 else "y": 1.0},
            "at {'a': 2}: it has 'y' (a number); others have 'x'",
        ),
        (
            lambda a: {"x": 1.0 if a == 1 else "1"},
            "at {'a': 2}: it has 'x' (a text); others have 'x' (a number)",
        ),
        (lambda a: {"about": 1.0}, "a value is called 'about'"),
    ],
)
def test_what_is_no_row_of_one_table_is_refused(found: Any, message: str) -> None:
    with pytest.raises(SweepError) as caught:
        quiet(lambda setting: found(setting["a"]), {"a": [1, 2]})
    assert message in str(caught.value)


def test_names_that_can_never_fit_end_the_sweep_at_once() -> None:
    calls = []

    def measure(setting: dict[str, Any]) -> dict[str, float]:
        calls.append(setting)
        return {"x": 1.0}

    with pytest.raises(SettingError, match="'x' is a setting and a value"):
        quiet(measure, {"x": [1, 2]})
    with pytest.raises(UnknownNameError, match="no column 'y'; there are: a, x"):
        quiet(measure, {"a": [1, 2]}, units={"y": "chips"})
    assert len(calls) == 2


def test_numbers_that_are_not_finite_are_measured() -> None:
    table = quiet(lambda s: {"x": float(s["a"])}, {"a": ["nan", "inf", "1"]})
    assert repr(table["x"].tolist()) == "[nan, inf, 1.0]"


@pytest.mark.filterwarnings("ignore:A worker stopped")
def test_a_lost_process_ends_the_sweep_and_what_is_finished_stays(tmp_path: Path) -> None:
    here = {"os": __import__("os"), "time": __import__("time")}

    def dies(setting: dict[str, Any]) -> dict[str, float]:
        if setting["a"] == 5:
            while len(list(tmp_path.iterdir())) < 4:
                here["time"].sleep(0.1)
            here["time"].sleep(1.0)  # the last of the others is on its way back
            here["os"]._exit(1)
        (tmp_path / str(setting["a"])).touch()
        return {"x": 1.0}

    with pytest.raises(SweepError, match="a worker was killed, or ran out of memory") as caught:
        quiet(dies, {"a": [1, 2, 3, 4, 5]}, workers=2)
    assert caught.value.finished is not None
    assert caught.value.finished["a"].tolist() == [1, 2, 3, 4]


def test_a_folder_keeps_apart_what_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    again = partial(quiet, settings={"a": [1, 2]})
    for place, (one, *others) in enumerate(
        (
            (partial(scaled, power=1), partial(scaled, power=2), partial(scaled)),
            (Power(1).scaled, Power(2).scaled),
            (scaled, inverse, partial(scaled), lambda setting: scaled(setting)),
        )
    ):
        folder = tmp_path / str(place)
        for _ in range(2):
            assert again(one, folder=folder)["scaled"].tolist() == [2, 4]
        for other in others:
            with pytest.raises(CheckpointError, match=r"npz was written with measure|fingerprint"):
                again(other, folder=folder)
    monkeypatch.setitem(FACTOR, "twice", 3)  # the code is the same, but what it refers to is not
    with pytest.raises(CheckpointError, match="was written with fingerprint"):
        again(scaled, folder=folder)


@dataclass(frozen=True)
class Scale:
    factor: float

    def __call__(self, setting: dict[str, Any]) -> dict[str, float]:
        return {"scaled": self.factor * setting["a"]}


@wraps(inverse)
def checked_inverse(setting: dict[str, Any]) -> dict[str, float]:
    return inverse(setting)


@pytest.mark.parametrize(
    ("measure", "name"),
    [
        (scaled, "scaled"),
        (partial(scaled, power=2), "scaled"),
        (Power(2).scaled, "Power.scaled"),
        (partial(Power(2).scaled), "Power.scaled"),
        (Scale(2.0), "Scale"),
        (partial(Scale(2.0)), "Scale"),
        (checked_inverse, "inverse"),
        (partial(checked_inverse), "inverse"),
    ],
)
def test_sweep_of_any_callable_records_its_name(measure: Any, name: str, tmp_path: Path) -> None:
    table = quiet(measure, {"a": [1, 2]}, folder=tmp_path)
    assert table.provenance["measure"] == f"{__name__}.{name}"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, Cancelled])
def test_open_executor_ends_processes_after_any_error(
    error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutdowns: list[dict[str, bool]] = []
    pool = SimpleNamespace(shutdown=lambda **how: shutdowns.append(how))
    monkeypatch.setattr("loky.get_reusable_executor", lambda **settings: pool)
    with open_executor(2) as opened:
        assert opened is pool
    assert shutdowns == []
    with pytest.raises(error), open_executor(2):
        raise error
    assert shutdowns == [{"kill_workers": True}]


def test_an_edited_function_is_another_one_unless_only_its_text_differs(tmp_path: Path) -> None:
    def made(text: str) -> Any:
        space: dict[str, Any] = {"__name__": "study"}
        exec(text, space)
        return space["measure"]

    again = partial(quiet, settings={"a": [1]}, folder=tmp_path)
    inner = "def part(a, b=3):\n    return a + 1\n\n"
    outer = "def measure(s):\n    '''Say it.'''\n    return {'x': [part(s['a']) for _ in 'a'][0]}\n"
    again(made(inner + outer))
    again(made("\n\n" + inner + "# more\n" + outer.replace("Say it", "Tell")))
    edits = (inner.replace("1", "2") + outer, inner.replace("3", "4") + outer)
    for edited in (*edits, inner + outer.replace("[0]", "[-1]")):
        with pytest.raises(CheckpointError, match="fingerprint"):
            again(made(edited))


def test_what_no_file_can_name_needs_no_folder(tmp_path: Path) -> None:
    thing = object()

    def measure(setting: dict[str, Any]) -> dict[str, float]:
        return {"x": float(thing is not None)}

    assert quiet(measure, {"a": [1]})["x"].tolist() == [1.0]
    with pytest.raises(SettingError, match="uses a value of type object, which no file can name"):
        quiet(measure, {"a": [1]}, folder=tmp_path)


def test_a_damaged_file_is_named_and_made_again(tmp_path: Path) -> None:
    again = partial(quiet, inverse, {"a": [2]}, folder=tmp_path)
    again()
    (path,) = tmp_path.glob("*.npz")
    path.write_bytes(path.read_bytes()[:-9])
    (tmp_path / f".{path.name}.012345.part").write_text("half", encoding="utf-8")
    with pytest.warns(UserWarning, match=rf"{path.name} is damaged"):
        assert again()["inverse"].tolist() == [0.5]
    assert list(tmp_path.iterdir()) == [path]
    assert again()["inverse"].tolist() == [0.5]


@pytest.mark.parametrize(
    "changes",
    [
        *({"rows": rows} for rows in ([], {}, None, 3, [3], [{"inverse": None}], [{"file": 0.5}])),
        *({"seconds": seconds} for seconds in (-5, float("nan"), "5", None)),
        *({"rows": [{"inverse": "0.5"}]}, {"rows": [{"other": 0.5}]}),
        {"rows": [{"inverse": 0.5}, {"inverse": 0.5, "more": 1}]},
    ],
)
@pytest.mark.parametrize("settings", [[4, 2, 1], [2, 4, 1]], ids=["second", "first"])
def test_a_whole_file_with_other_content_is_made_again(
    tmp_path: Path, changes: dict[str, Any], settings: list[int]
) -> None:
    again = partial(quiet, inverse, {"a": settings}, folder=tmp_path)
    again()
    (path,) = (p for p in tmp_path.glob("*.npz") if rows_in(p) == [{"inverse": 0.5}])
    kept = SavedFile.load(path, FORMAT)
    SavedFile({**kept.about, **changes}, kept.arrays).save(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert again()["inverse"].tolist() == [1 / a for a in settings]
    assert rows_in(path) == [{"inverse": 0.5}]


def rows_in(path: Path) -> Any:
    return SavedFile.load(path, FORMAT).about["rows"]


def test_a_file_of_another_setting_is_refused(tmp_path: Path) -> None:
    quiet(inverse, {"a": [2]}, folder=tmp_path)
    (path,) = tmp_path.glob("*.npz")
    quiet(inverse, {"a": [4]}, folder=tmp_path)
    (other,) = set(tmp_path.glob("*.npz")) - {path}
    other.replace(path)
    with pytest.raises(CheckpointError, match="was written with setting"):
        quiet(inverse, {"a": [2]}, folder=tmp_path)


def test_a_cluster_without_dask_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SettingError, match=r"pip install 'pokerlab\[cluster\]'"):
        quiet(inverse, {"a": [1]}, workers="tcp://127.0.0.1:8786")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nowhere"])
def test_a_cluster_that_is_missing_is_named(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "CLUSTER_TIMEOUT", 0.2)
    with pytest.raises(SettingError, match=f"workers is {address!r}"):
        quiet(inverse, {"a": [1]}, workers=address)


@pytest.mark.parametrize(
    "says", [b"", b"SSH-2.0-OpenSSH_9.6\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n"]
)
def test_another_server_at_a_cluster_s_address_is_not_waited_for(
    says: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A web server waits to be asked, and so would a client, without end."""
    pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "CLUSTER_TIMEOUT", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as thread:
        greeting = thread.submit(lambda: server.accept()[0])
        greeting.add_done_callback(lambda done: done.result().sendall(says))
        with pytest.raises(SettingError, match="not of its dashboard"):
            quiet(inverse, {"a": [1]}, workers=f"tcp://127.0.0.1:{server.getsockname()[1]}")
        greeting.result().close()


def test_sweep_with_folder_of_another_version_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet(inverse, {"a": [2]}, folder=tmp_path)
    monkeypatch.setattr("pokerlab.__version__", "0.0.1")
    with pytest.raises(CheckpointError, match="was written with pokerlab"):
        quiet(inverse, {"a": [2]}, folder=tmp_path)


def test_sweep_with_another_config_in_its_measure_is_refused(tmp_path: Path) -> None:
    def made_with(config: oliehoek2006.Config) -> Any:
        return lambda setting: {"seed times a": config.seed * setting["a"]}

    quiet(made_with(CONFIG), {"a": [2]}, folder=tmp_path)
    quiet(made_with(oliehoek2006.Config(seed=1)), {"a": [2]}, folder=tmp_path)
    with pytest.raises(CheckpointError, match="was written with fingerprint"):
        quiet(made_with(oliehoek2006.Config(seed=2)), {"a": [2]}, folder=tmp_path)


def test_sweep_with_edited_file_measures_again(tmp_path: Path) -> None:
    again = partial(quiet, inverse, {"a": [2]}, folder=tmp_path)
    again()
    (path,) = tmp_path.glob("*.npz")
    text = np.load(path)["about"].tobytes().replace(b"0.5", b"0.7")
    np.savez_compressed(path, about=np.frombuffer(text, dtype=np.uint8))
    with pytest.warns(UserWarning, match="do not match its digest"):
        assert again()["inverse"].tolist() == [0.5]


@pytest.mark.parametrize(
    ("also", "message"),
    [
        ({"seeds": b"x"}, "seeds are b'x'; give a list of integers"),
        ({"seeds": "12"}, "seeds are '12'; give a list of integers"),
        ({"folder": ""}, "folder is ''; give a path"),
        ({"folder": 3}, "folder is 3; give a path"),
    ],
)
def test_sweep_with_text_for_numbers_or_no_path_is_refused(
    also: dict[str, Any], message: str
) -> None:
    with pytest.raises(SettingError, match=message):
        quiet(inverse, {"a": [1]}, **also)
