"""Recorded runs show what a live bench would, and their files are small."""

import base64
import gzip
import json
import re

import numpy as np
import pytest

from pokerlab.workbench.views.strategies import CLICK_TO_START
from tools.recorded_runs import (
    BENCHES,
    FOLDER,
    RecordedBench,
    compute_run_name,
    format_recorded_bench,
    format_run_script,
    record_run,
)

MOST_BYTES = 100_000
IDS = [bench.lesson[:2] for bench in BENCHES]


@pytest.mark.parametrize("bench", BENCHES, ids=IDS)
def test_the_run_that_a_page_opens_with_is_among_its_choices(bench: RecordedBench) -> None:
    configs = list(bench.list_configs())
    names = [compute_run_name(bench.experiment, config) for config in configs]
    assert bench.config in configs
    assert len({*names}) == len(names)
    shown = format_recorded_bench(bench, FOLDER)
    assert shown.count("<option") == sum(map(len, bench.menus.values()))
    assert shown.count(" selected") == len(bench.menus)
    assert re.findall(r'data-runs="([^"]*)"', shown) == [" ".join(names)]


def test_a_packed_run_has_the_numbers_that_the_run_has() -> None:
    bench = BENCHES[1]
    looks = record_run(bench.experiment, bench.config)
    script = format_run_script("a-run", looks)
    assert len(script) < MOST_BYTES
    (packed,) = re.findall(r'pokerlabRuns.receive\("a-run", "(.*)"\);\n', script)
    head, _, arrays = gzip.decompress(base64.b64decode(packed)).partition(b"\n")
    about = json.loads(head)
    assert sum(about["sizes"]) == len(arrays)
    last = about["looks"][-1]
    curve = last["picture"]["strips"][0]["rows"][0][0]["curves"][0]
    start = sum(about["sizes"][: len(about["sizes"]) - len(last["arrays"]) + curve["y"]["a"]])
    size = about["sizes"][len(about["sizes"]) - len(last["arrays"]) + curve["y"]["a"]]
    values = np.frombuffer(arrays[start : start + size], "<f4")
    run = bench.experiment.run(bench.config).to(bench.config.iterations, progress=False)
    assert np.allclose(values[-1], run.history["nash_conv_average"][-1], rtol=1e-6)
    assert looks.iterations[-1] == last["picture"]["iteration"] == run.iteration


def test_recorded_run_with_a_triangle_asks_for_no_start() -> None:
    bench = next(bench for bench in BENCHES if bench.lesson == "09b_judges_that_err")
    looks, _ = record_run(bench.experiment, bench.config).flatten_pictures()
    panels = [
        panel
        for look in looks
        for strip in look["picture"]["strips"]
        for row in strip["rows"]
        for panel in row
    ]
    assert {panel["starts"] for panel in panels if panel["kind"] == "triangle"} == {False}
    assert not any(CLICK_TO_START in look["picture"]["words"] for look in looks)
