"""Old names: parameters of pokerlab 1.0 are answered with the new ones, and its files are read."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from pokerlab.core import SettingError, old_names
from pokerlab.core.old_names import (
    explain_renamed_attributes,
    find_new_name_of_attribute,
    reject_function_with_old_parameters,
    reject_renamed_parameters,
    rename_keys,
    rename_old_settings,
)
from pokerlab.core.saved_files import check_file_description
from pokerlab.core.settings import check_attributes
from pokerlab.evolution.population import EquilibriumMixture, ParetoFront
from pokerlab.holdem import ALWAYS_CALL, limit, no_limit
from pokerlab.holdem.betting_tree import PublicTree
from pokerlab.holdem.bucketed_holdem import BucketedHoldem
from pokerlab.papers.noble2001 import Config
from pokerlab.solvers.beliefs import BeliefNode
from pokerlab.solvers.worst_case import InnerState
from pokerlab.workbench.drawings.network_drawing import NetworkDecision
from pokerlab.workbench.tables.holdem import HoldemTable
from pokerlab.workbench.tables.kuhn import Match
from pokerlab.workbench.tables.match import LimitMatch, SitAndGo
from pokerlab.workbench.views.security import Security


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(old_names, "PARAMETERS", {"width": "breadth"})
    monkeypatch.setattr(old_names, "KINDS", {"Box": "Crate"})


def test_function_with_old_parameter_raises_error_with_new_one() -> None:
    @reject_renamed_parameters
    def measure(breadth: int) -> int:
        return breadth

    assert measure(3) == measure(breadth=3) == 3
    with pytest.raises(SettingError, match=r"measure was given width=, which is called breadth= s"):
        measure(width=3)  # type: ignore[call-arg]


def test_class_with_old_parameter_raises_error_with_new_one() -> None:
    @reject_renamed_parameters
    @dataclass(frozen=True, kw_only=True)
    class Crate:
        breadth: int

    assert Crate(breadth=3).breadth == 3
    with pytest.raises(SettingError, match=r"Crate was given width="):
        Crate(width=3)  # type: ignore[call-arg]


def test_parameter_that_keeps_its_name_is_taken() -> None:
    @reject_renamed_parameters
    def measure(width: int, breadth: int) -> int:
        return width * breadth

    assert measure(width=2, breadth=3) == 6


def test_file_with_old_parameter_and_kind_is_read() -> None:
    said = {"part": {"kind": "Box", "width": 3}}
    wanted = {"part": {"kind": "Crate", "breadth": 3}}
    assert rename_old_settings(said, wanted) == wanted
    check_file_description("a file", {"parameters": said}, {"parameters": wanted})


def test_key_is_renamed_only_where_the_new_name_is_expected() -> None:
    assert rename_keys({"width": 1}, {"width": 1}, {"width": "breadth"}) == {"width": 1}
    assert rename_keys({"width": 1, "breadth": 2}, {"breadth": 2}, {"width": "breadth"}) == {
        "width": 1,
        "breadth": 2,
    }
    assert rename_keys({"width": 1}, {}, {"width": "breadth"}) == {"width": 1}


class Coder:
    def draw(self) -> int:
        return 1


def test_method_of_a_part_with_its_old_name_raises_error_with_new_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(old_names, "METHODS", {"draw": "draw_numbers"})
    with pytest.raises(SettingError, match=r"whose method draw is called draw_numbers since pok"):
        check_attributes("coder", Coder(), ("draw_numbers",), "a Coder")


class NewCoder:
    def draw_numbers(self) -> int:
        return 2


class OldCoder(NewCoder):
    """What it defines under the old name would be ignored, because it inherits the new one."""

    def draw(self) -> int:
        return 1


class CoderOfBoth(OldCoder):
    def draw_numbers(self) -> int:
        return self.draw()


def test_method_that_only_overrides_the_old_name_raises_error_with_new_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(old_names, "METHODS", {"draw": "draw_numbers"})
    with pytest.raises(SettingError, match=r"whose method draw is called draw_numbers since pok"):
        check_attributes("coder", OldCoder(), ("draw_numbers",), "a Coder")
    for coder in (NewCoder(), CoderOfBoth()):
        check_attributes("coder", coder, ("draw_numbers",), "a Coder")


def test_call_of_a_method_by_its_old_name_raises_error_with_new_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(old_names, "METHODS", {"paint": "draw", "write": "print"})
    coder: Any = explain_renamed_attributes(Coder)()
    with pytest.raises(AttributeError, match=r"Coder\.paint is Coder\.draw since pokerlab 2"):
        coder.paint()
    with pytest.raises(AttributeError, match="'Coder' object has no attribute 'write'"):
        coder.write()


@explain_renamed_attributes
class Painter(Coder):
    def mix(self) -> int:
        return 2


@explain_renamed_attributes
class Apprentice(Painter):
    pass


@pytest.mark.parametrize("kind", [Painter, Apprentice])
def test_attribute_of_one_class_by_its_old_name_raises_error_with_new_one(
    kind: type[Painter], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(old_names, "ATTRIBUTES", {"Painter": {"blend": "mix"}})
    painter: Any = kind()
    with pytest.raises(
        AttributeError, match=rf"{kind.__name__}\.blend is {kind.__name__}\.mix since"
    ):
        _ = painter.blend
    coder: Any = explain_renamed_attributes(Coder)()
    with pytest.raises(AttributeError, match="'Coder' object has no attribute 'blend'"):
        _ = coder.blend


def test_renamed_attribute_of_a_player_raises_error_with_new_name() -> None:
    player: Any = ALWAYS_CALL
    with pytest.raises(AttributeError, match=r"CompiledPlayer\.answer is CompiledPlayer\.decision"):
        _ = player.answer


NONE = np.zeros((1, 1), dtype=bool)


@pytest.mark.parametrize(
    ("value", "old", "new"),
    [
        (InnerState(np.zeros(1), 0.5, 0.1, 7), "value", "gain"),
        (Security((1,), ("rock",), NONE, NONE, np.ones((1, 1))), "secure", "is_secure"),
        (Security((1,), ("rock",), NONE, NONE, np.ones((1, 1))), "met", "is_stored"),
        (Security((1,), ("rock",), NONE, NONE, np.ones((1, 1))), "lost", "is_lost"),
        (no_limit(1, 2), "ante_from", "ante_payer"),
        (limit(2), "folds_lift_cap", "unlimited_after_folds"),
        (ParetoFront(), "most", "largest_share"),
        (EquilibriumMixture(), "most", "largest_share"),
    ],
)
def test_renamed_field_by_its_old_name_raises_error_with_new_one(
    value: Any, old: str, new: str
) -> None:
    kind = type(value).__name__
    with pytest.raises(AttributeError, match=rf"{kind}\.{old} is {kind}\.{new} since pokerlab 2"):
        getattr(value, old)
    assert getattr(value, new) is not None


@pytest.mark.parametrize(
    ("owner", "old", "new"),
    [
        (BeliefNode, "hypotheses", "hypothesis_indices"),
        (BucketedHoldem, "legal", "is_legal"),
        (HoldemTable, "thoughts", "list_thoughts"),
        (LimitMatch, "name", "opponent_name"),
        (LimitMatch, "names", "seat_names"),
        (Match, "met", "num_visited_infosets"),
        (Match, "observed", "observed_profile"),
        (Match, "worth", "compute_value"),
        (NetworkDecision, "likely", "action_probabilities"),
        (PublicTree, "legal", "is_legal"),
        (SitAndGo, "decisions", "iterate_decisions"),
        (SitAndGo, "is_out", "is_reader_out"),
    ],
)
def test_old_name_of_an_attribute_leads_to_the_new_one(owner: type, old: str, new: str) -> None:
    assert find_new_name_of_attribute(owner, old) == new
    assert not hasattr(owner, old)
    assert hasattr(owner, "__getattr__")


@pytest.mark.parametrize(
    ("function", "old", "new"),
    [
        (lambda **how: no_limit(1, 2, **how), "ante_from", "ante_payer"),
        (lambda **how: limit(2, **how), "folds_lift_cap", "unlimited_after_folds"),
        (ParetoFront, "most", "largest_share"),
        (EquilibriumMixture, "most", "largest_share"),
        (Config, "most", "largest_share"),
    ],
)
def test_renamed_setting_by_its_old_name_raises_error_with_new_one(
    function: Any, old: str, new: str
) -> None:
    with pytest.raises(SettingError, match=f"was given {old}=, which is called {new}= since"):
        function(**{old: 0.5})


def test_function_of_a_user_with_an_old_argument_raises_error_with_new_one() -> None:
    reject_function_with_old_parameters("pairs", lambda breadth: breadth, ("breadth",))
    reject_function_with_old_parameters("pairs", lambda width: width, ("height",))
    reject_function_with_old_parameters("pairs", max, ("breadth",))
    with pytest.raises(SettingError, match=r"whose argument width is called breadth since pok"):
        reject_function_with_old_parameters("pairs", lambda width: width, ("breadth",))
