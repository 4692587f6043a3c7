"""A population evolves in a real JupyterLab while one watches its genes."""

from pathlib import Path

import pytest

from tests.browser.lab import Lab, wait_until
from tests.browser.test_bench import ANSWER

pytestmark = pytest.mark.browser


def test_a_population_evolves_and_is_paused(lab: Lab, screenshots: Path) -> None:
    lab.open("pareto.ipynb")
    lab.run_all()
    assert lab.errors() == []
    lab.to_the_bench()
    assert lab.status().startswith("t = 3 of 1,000")
    assert lab.sideways() == 0
    assert lab.clipped() == []
    still = lab.picture()
    lab.button("Run").click()
    wait_until(lambda: lab.picture() != still, ANSWER, "the picture moves")
    wait_until(lambda: not lab.status().startswith("t = 3 "), ANSWER, "generations pass")
    lab.button("Pause").click()
    wait_until(lambda: lab.button("Run").count() == 1, ANSWER, "the bench says it is paused")
    lab.screenshot(screenshots / "pareto.png")
