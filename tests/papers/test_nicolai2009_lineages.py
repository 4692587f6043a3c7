"""Champions of all generations: what is recorded of them, and how the audit takes it apart."""

import numpy as np
import pytest

from pokerlab.papers.nicolai2009 import INPUT_GROUPS
from studies.nicolai2009 import lineages
from studies.nicolai2009.comparison import (
    compute_rank_distance_between_methods,
    is_method_order_confirmed,
)
from studies.nicolai2009.interpretations import EARLIER, THESIS, load_evaluations_by_interpretation
from studies.nicolai2009.methods import is_within_margin
from studies.nicolai2009.verdicts import compare_champion_orders

MINE = load_evaluations_by_interpretation()[THESIS]


def test_places_in_a_field_have_the_mean_of_all_places() -> None:
    fields = lineages.split_table_by_lineage(lineages.load_or_measure_lineages("fields"))
    assert [source for source, _ in fields] == [THESIS] * 11
    for of in fields.values():
        assert of["generation"].tolist() == [*range(1, 501)]
        assert of["place"].mean() == pytest.approx(250.5)


def test_lines_are_split_by_source_and_champion() -> None:
    table = lineages.load_or_measure_lineages("blind")
    split = lineages.split_table_by_lineage(table)
    assert [*split] == [
        (one["source"], one["champion"]) for one in lineages.list_completed_lineages()
    ]
    assert sum(len(of["rank"]) for of in split.values()) == len(table)
    assert split[EARLIER, "LargeHOF"]["unseen"].tolist() == [lineages.NO_INPUTS, *INPUT_GROUPS]


def test_last_rating_is_near_the_evaluation_of_the_champion() -> None:
    """Fewer tables, with the same champion and the same strangers."""
    ratings = lineages.split_table_by_lineage(lineages.load_or_measure_lineages("ratings"))
    for name, one in MINE.items():
        last = {key: column[-1] for key, column in ratings[THESIS, name].items()}
        assert last["generation"] == 500
        assert abs(last["rank"] - one.ranks.mean[0]) < 4.5 * last["rank_error"] + 1e-9


def test_halls_are_no_older_than_their_evolution() -> None:
    for method in ("LargeHOF", "SmallHOF", "HOF2Pop"):
        hall = lineages.measure_age_of_hall_of_fame(THESIS, method)
        assert 0 < hall.mean_age < hall.largest_age <= hall.generations == 500
        assert 0 <= hall.share_from_first_generation <= 1
        assert hall.latest_entry <= 500
    within, both = lineages.measure_weight_spread_of_generation(THESIS, "4Pop", 500)
    assert 0 < within < both
    one, same = lineages.measure_weight_spread_of_generation(THESIS, "Control", 500)
    assert one == pytest.approx(same)


def test_methods_are_ahead_if_all_their_champions_are() -> None:
    ranks = {name: one.ranks.mean[0] for name, one in MINE.items()}
    assert is_method_order_confirmed(MINE, [("LargeHOF", "Control")]) == (
        ranks["LargeHOF"] < ranks["Control"]
    )
    worst = max(rank for name, rank in ranks.items() if name.startswith("4Pop"))
    assert is_method_order_confirmed(MINE, [("4Pop", "Control")]) == (worst < ranks["Control"])
    two = np.mean([ranks["2Pop-1"], ranks["2Pop-2"]])
    assert compute_rank_distance_between_methods(MINE, "2Pop", "Control") == pytest.approx(
        abs(two - ranks["Control"])
    )


def test_difference_is_open_if_its_interval_crosses_the_margin() -> None:
    assert is_within_margin((0.1, 0.2), 0.5) is True
    assert is_within_margin((-0.4, 0.2), 0.5) is None
    assert is_within_margin((-0.9, 0.2), 0.5) is False


def test_orders_agree_up_to_the_names_of_populations() -> None:
    theirs = {"A": 1.0, "B-1": 2.0, "B-2": 3.0, "C": 4.0}
    swapped = {"A": 1.0, "B-1": 3.0, "B-2": 2.0, "C": 4.0}
    same, other = compare_champion_orders(theirs, theirs), compare_champion_orders(swapped, theirs)
    assert (same.num_same, same.correlation) == (4, pytest.approx(1.0))
    assert (other.num_same, other.correlation) == (2, pytest.approx(0.8))
    assert other.best_correlation == pytest.approx(1.0)
