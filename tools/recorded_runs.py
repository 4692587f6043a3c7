"""Record runs of the benches for the site, where no Python runs.

On a lesson's page each bench of `BENCHES` stands as a run that has been recorded while the site was built: a reader
plays it again, drags the slider, and points at its pictures, which the page paints as a live bench does. Menus lead
to the runs with other settings. A run is a file of some ten kilobytes, loaded when it is chosen; it is a script,
since a page that is opened from a folder may load nothing else.
"""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import chain, product
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.core.settings import list_settings
from pokerlab.papers import (
    lanctot2014,
    nicolai2009,
    noble2001,
    oliehoek2006,
    samothrakis2011,
    samothrakis2011_holdem,
)
from pokerlab.papers.experiment import Experiment
from pokerlab.workbench import browser_painter
from pokerlab.workbench.benches import find_declaration
from pokerlab.workbench.browser_painter import encode_picture
from pokerlab.workbench.live.bench import describe_picture
from pokerlab.workbench.live.looks import Looks
from pokerlab.workbench.live.view import draw_picture, make_frame
from pokerlab.workbench.views.strategies import CLICK_TO_START

MOST_LOOKS = 60
"""At a run, evenly spaced on a logarithmic axis."""
FOLDER = "runs"
"""Of the site's static files."""
SCRIPT = Path(__file__).with_suffix(".js")
PAINTER_STYLE = Path(browser_painter.__file__).with_suffix(".css")
STYLE = """
:is(.pokerlab-recorded, .pokerlab-explorer) {
  --jp-layout-color0: var(--pst-color-background); --jp-layout-color2: var(--pst-color-surface);
  --jp-layout-color3: var(--pst-color-border); --jp-border-color1: var(--pst-color-border);
  --jp-ui-font-color0: var(--pst-color-text-base); --jp-ui-font-color1: var(--pst-color-text-base);
}
html[data-theme] .bd-content div.cell_output .text_html:not(:has(table.dataframe)):has(
    .pokerlab-recorded, .pokerlab-explorer) {
  background: none; color: inherit; padding: 0;
}
.pokerlab-menus { display: flex; flex-wrap: wrap; gap: 0.5em 1.5em; margin-bottom: 0.5em; }
.pokerlab-menus select { min-height: 2rem; }
"""


@dataclass(frozen=True)
class RecordedBench:
    """A bench of a lesson and its runs that are recorded.

    Attributes
    ----------
    lesson : str
        The lesson's file without its ending.
    index_in_lesson : int
        Which of the lesson's benches it is, from 0.
    experiment : Experiment
        What is run.
    config : Config
        The settings that the page opens with, among those of `menus`.
    menus : mapping of str to sequence
        The values of settings that can be chosen; each combination is recorded.
    """

    lesson: str
    index_in_lesson: int
    experiment: Experiment
    config: Any
    menus: Mapping[str, Sequence[Any]]

    def list_configs(self) -> Iterator[Any]:
        """Yield the settings of each run that is recorded: all combinations of the menus' values."""
        for values in product(*self.menus.values()):
            yield replace(self.config, **dict(zip(self.menus, values, strict=True)))


REPLICATOR = lanctot2014.Config(iterations=100_000, seed=1)
SHIFTS = {"game": ("KP(2)", "KP(3)", "KP(4)"), "payoff_shift": (3.0, 10.0, 30.0)}
ROCK_PAPER_SCISSORS = samothrakis2011.Config(
    game="biased rock-paper-scissors",
    representation="direct",
    worst_case="inner evolution",
    inner_generations=1,
    inner_growth=0.0,
    rechecked=False,
    iterations=40,
    seed=1,
)
FEW_NETWORKS = replace(
    nicolai2009.SCALES["lab"],
    **nicolai2009.EARLIER,
    agents=40,
    tournaments=10,
    hall_size=40,
    iterations=30,
    seed=1,
)
BENCHES = (
    RecordedBench(
        "00_start_here",
        0,
        lanctot2014.replicator,
        replace(REPLICATOR, iterations=1_000_000),  # the lesson reads a floor off the last rounds
        {"payoff_shift": SHIFTS["payoff_shift"]},
    ),
    RecordedBench("05_replicator_in_trees", 0, lanctot2014.replicator, REPLICATOR, SHIFTS),
    RecordedBench(
        "08_nash_memory",
        0,
        oliehoek2006.nash_memory,
        oliehoek2006.Config(seed=1),
        {
            "game": ("Kuhn poker", "8-card poker", "6-card poker, ranks"),
            "start": ("first action", "uniform"),
        },
    ),
    RecordedBench(
        "09b_judges_that_err",
        0,
        samothrakis2011.minimax_coevolution,
        ROCK_PAPER_SCISSORS,
        {"inner_generations": (1, 3, 10), "rechecked": (False, True)},
    ),
    RecordedBench(
        "11b_fooled_judges",
        1,
        samothrakis2011_holdem.evolving_holdem,
        samothrakis2011_holdem.BY_GRADIENT,
        {"learning_rate": (0.05, 0.2), "seed": (1, 2, 3)},
    ),
    RecordedBench(
        "13_pareto_coevolution",
        0,
        noble2001.pareto_coevolution,
        replace(noble2001.SCALES["lab"], seed=1),
        {"regime": ("Pareto", "roulette"), "largest_share": (0.25, 0.5)},
    ),
    RecordedBench(
        "14_neuroevolution",
        0,
        nicolai2009.evolved_networks,
        FEW_NETWORKS,
        {"hall": ("none", "elites"), "fitness": ("mean rank", "chips a hand")},
    ),
)
"""The benches that the site shows, in the order of lessons."""


def compute_run_name(experiment: Experiment, config: Any) -> str:
    """Return the name of a recorded run's file without its ending: the experiment's title, and a digest of settings."""
    title = re.sub(r"[^a-z0-9]+", "-", experiment.title.lower()).strip("-")
    digest = hashlib.sha256(repr(config).encode()).hexdigest()[:8]
    return f"{title}-{digest}"


def record_run(experiment: Experiment, config: Any) -> Looks:
    """Run an experiment to its end, and return the pictures that its bench would show on the way.

    Parameters
    ----------
    experiment : Experiment
        What is run.
    config : Config
        The settings of the run.

    Returns
    -------
    Looks
        At most 60 pictures with their iterations, evenly spaced on a logarithmic axis.
    """
    declaration = find_declaration(experiment)
    run = experiment.run(config, keep=declaration.keep)
    views = declaration.make_views(config)
    published = experiment.select_published_numbers(config)
    caption = " ".join(view.caption for view in views).replace(f" {CLICK_TO_START}", "")

    looks = Looks()
    spaced_iterations = np.geomspace(1, config.iterations + 1, MOST_LOOKS).round().astype(int) - 1
    for iteration in dict.fromkeys(spaced_iterations.tolist()):  # each once
        if iteration > 0:
            run.to(iteration, progress=False)
        frame = make_frame(run, config.iterations, published)
        first_choices = {
            view.name: next(iter(view.list_choices(frame).values()), None) for view in views
        }
        picture = draw_picture(views, frame, first_choices, describe_picture(frame, caption))
        encoded = remove_start_prompts(encode_picture(picture, most_exact=0))
        looks.add_picture(picture.iteration, encoded)
        has_ended_early = run.iteration < iteration
        if has_ended_early:
            break
    return looks


def remove_start_prompts(encoded: dict[str, Any]) -> dict[str, Any]:
    """Remove from an encoded picture the prompts to click on a start, in place, and return the picture.

    A recorded run cannot begin at another start.
    """
    for strip in encoded["picture"]["strips"]:
        for panel in chain.from_iterable(strip["rows"]):
            if "starts" in panel:
                panel["starts"] = False
    return encoded


def format_run_script(name: str, looks: Looks) -> str:
    """Return the script that hands the pictures of a recorded run over to the page's player."""
    return format_packed_script(name, *looks.flatten_pictures())


def format_packed_script(name: str, looks: Sequence[Any], arrays: Sequence[memoryview]) -> str:
    """Return a script that hands compressed looks and arrays over to the page's player.

    The compressed bytes are JSON with the looks and the sizes of the arrays, a line end, and the bytes of the arrays.

    Parameters
    ----------
    name : str
        The name of the file, by which the page asks for it.
    looks : sequence
        What can be written as JSON.
    arrays : sequence of memoryview
        The arrays to which the looks refer by their numbers.
    """
    sizes = [len(array) for array in arrays]
    head = json.dumps({"looks": looks, "sizes": sizes}, separators=(",", ":"))
    content = head.encode() + b"\n" + b"".join(arrays)
    compressed = gzip.compress(
        content, mtime=0
    )  # without the time, so that the file stays the same
    return f'pokerlabRuns.receive("{name}", "{base64.b64encode(compressed).decode()}");\n'


def write_runs(folder: Path) -> None:
    """Record the runs of all benches of the site, and write them as scripts into a new folder, each once."""
    folder.mkdir()
    for bench in BENCHES:
        for config in bench.list_configs():
            name = compute_run_name(bench.experiment, config)
            path = folder / f"{name}.js"
            if not path.exists():
                script = format_run_script(name, record_run(bench.experiment, config))
                path.write_text(script, encoding="ascii")


def format_player_script() -> str:
    """Return the script that plays recorded runs on a page: the painter of live benches, and the loader of runs."""
    painter = Path(browser_painter.__file__).with_suffix(".js").read_text(encoding="utf-8")
    # The painter is a module, and the page needs a plain script. So its body becomes that of a function.
    body = painter.replace("export default { render };", "return { render };")
    loader = SCRIPT.read_text(encoding="utf-8")
    return f"const pokerlabPainter = (() => {{\n{body}\n}})();\n{loader}"


def find_recorded_bench(lesson: str, index_in_lesson: int) -> RecordedBench | None:
    """Return the recorded bench that replaces a bench of a lesson, or None if there is none.

    `lesson` is the name of the lesson, and `index_in_lesson` the number of the bench in it, from 0.
    """
    for bench in BENCHES:
        if bench.lesson == lesson and bench.index_in_lesson == index_in_lesson:
            return bench
    return None


def format_recorded_bench(bench: RecordedBench, folder: str) -> str:
    """Return the HTML of a recorded bench: menus of settings, and a place for the player.

    `folder` is the address of the folder with recorded runs, seen from the page.
    """
    settings = list_settings(bench.config)
    menus = []
    for setting, values in bench.menus.items():
        first_value = getattr(bench.config, setting)
        options = ""
        for value in values:
            selected = " selected" if value == first_value else ""
            options += f"<option{selected}>{escape(format_choice(value))}</option>"
        menus.append(f"<label>{escape(settings[setting].label)} <select>{options}</select></label>")
    runs = [compute_run_name(bench.experiment, config) for config in bench.list_configs()]
    title = escape(bench.experiment.title)
    return (
        f'<div class="pokerlab-recorded" role="group" aria-label="A recorded run: {title}"'
        f' data-folder="{folder}" data-runs="{" ".join(runs)}">'
        f"<p>A recorded run: {title}. Drag the slider, press <em>Play again</em>, or point at the picture with"
        f' the pointer or the arrow keys.</p><div class="pokerlab-menus">{"".join(menus)}</div>'
        '<div class="pokerlab-run"></div><div class="pokerlab-spoken" role="status"></div></div>'
    )


def format_choice(value: Any) -> str:
    """Return the value of a setting as text for a menu, such as 'yes', '0.25' or 'Pareto'."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
