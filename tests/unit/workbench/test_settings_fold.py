"""The settings that are folded away: a few stand open at a time, and a field finds the others."""

import pytest

from pokerlab.papers.lanctot2014 import replicator
from pokerlab.papers.nicolai2009 import evolved_networks
from pokerlab.workbench.benches import find_declaration
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.live.settings_fold import MOST_ROWS
from tests.unit.workbench.conftest import Maker


@pytest.fixture
def networks(make: Maker) -> Bench:
    """Return the bench with the most settings, as its declaration opens it."""
    bench = make(
        evolved_networks, knobs=find_declaration(evolved_networks).knobs, first_iterations=0
    )
    bench.controls.settings_fold.switch.value = True
    return bench


def list_open(bench: Bench) -> list[str]:
    """Return the settings whose rows stand open in the fold."""
    fold = bench.controls.settings_fold
    return [name for name in fold.names if bench.panel.rows[name].layout.display is None]


def test_fold_of_many_settings_shows_a_few_at_a_time(networks: Bench) -> None:
    fold, seen = networks.controls.settings_fold, []
    assert (
        fold.match_words.value.count(f"1 to {MOST_ROWS} of {len(fold.find_matches())} settings")
        == 1
    )
    assert fold.back_button.disabled
    while not fold.forward_button.disabled:
        seen += list_open(networks)
        fold.forward_button.click()
        assert 1 <= len(list_open(networks)) <= MOST_ROWS
    seen += list_open(networks)
    assert sorted(seen) == sorted(set(fold.names) & set(networks.panel.visible_names))
    assert len(seen) > 20


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("BLIND", ["blinds"]),  # its label
        ("parent_rate", ["parent_rate"]),  # its name in code
        ("hidden units", ["hidden"]),
        ("outputs drawn", ["read_out"]),  # words of its tooltip
    ],
)  # fmt: skip
def test_field_finds_settings_by_words_in_any_order(
    words: str, names: list[str], networks: Bench
) -> None:
    networks.controls.settings_fold.search_field.value = words
    assert set(names) <= set(list_open(networks))
    assert len(list_open(networks)) < MOST_ROWS
    assert f"with &#x27;{words}&#x27;" in networks.controls.settings_fold.match_words.value


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("<b>", "No setting has &#x27;&lt;b&gt;&#x27; in its name or description."),
        ("judged by", "&#x27;Judged by&#x27; is already shown above."),
        ("hall size", "&#x27;Hall size&#x27; has no effect with the current settings."),
    ],
)
def test_field_that_finds_nothing_says_why(words: str, answer: str, networks: Bench) -> None:
    fold = networks.controls.settings_fold
    fold.search_field.value = words
    assert list_open(networks) == []
    assert answer in fold.match_words.value
    fold.search_field.value = ""
    assert len(list_open(networks)) == MOST_ROWS


def test_setting_that_departs_from_the_paper_stands_open_first(networks: Bench) -> None:
    fold = networks.controls.settings_fold
    while "window" not in list_open(networks):
        fold.forward_button.click()
    beside = list_open(networks)
    networks.panel.rows["window"].value = 3
    assert list_open(networks) == beside  # nothing moves under the pointer
    assert fold.switch.description.endswith("▲")
    fold.switch.value = False
    fold.switch.value = True
    assert list_open(networks)[0] != beside[0]
    assert "window" in list_open(networks)


def test_departure_that_is_out_of_sight_comes_into_sight(networks: Bench) -> None:
    assert "window" not in list_open(networks)
    networks.set(window=3)
    assert "window" in list_open(networks)


def test_fold_of_few_settings_has_no_field(make: Maker) -> None:
    bench = make(replicator, knobs=("payoff_shift", "order"))
    assert bench.controls.settings_fold.search_field.layout.display == "none"
    assert bench.controls.settings_fold.page_row.layout.display == "none"
