"""The teachers' page: every number of an answer is computed, and points add up."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.evolution.population import selection
from pokerlab.papers import samothrakis2011_holdem
from pokerlab.solvers import NashMemory, find_rest_points
from pokerlab.workbench.drawings.kuhn_picture import kuhn_character
from pokerlab.workbench.views.strategies import list_card_bands

PAGE = (Path(__file__).resolve().parents[2] / "notebooks" / "teaching.md").read_text(
    encoding="utf-8"
)
QUESTION = re.compile(
    r"^\*\*(\d+)\.\*\*.*?^<details><summary>Answer</summary>\n(.*?)</details>",
    re.DOTALL | re.MULTILINE,
)
NUMBER = re.compile(r"(−?\d[\d,]*(?:\.\d+|/\d+)?%?)(?:\*\*)?(?:<!--(.*?)-->)?")
ANSWERS = dict(QUESTION.findall(PAGE))


def breed(shares: Any, earned: Any, shift: float) -> Any:
    fitness = np.array(earned) + shift
    return shares * fitness / (shares @ fitness)


def sigmoid(total: float) -> float:
    return 1 / (1 + np.exp(-total))


def matched(regrets: Any) -> Any:
    return np.maximum(regrets, 0) / np.maximum(regrets, 0).sum()


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What the expressions of the page may name."""
    kuhn, rps = pl.games.kuhn(), pl.games.rock_paper_scissors()
    kings, six = kuhn_character("kings only"), samothrakis2011_holdem.make_six_bucket_game()
    equilibrium, tent_solved = (
        pl.solvers.SequenceFormLP(game).solve().profile for game in (kuhn, pl.games.biased_rps())
    )
    bluff, tip = (
        equilibrium.action_probabilities(1, "J, pass")["bet"],
        tent_solved.get_behavior(0),
    )
    dynamics = pl.solvers.ReplicatorDynamics(kuhn, payoff_shift=3.0, order="alternating")
    early, late = (dynamics.step(dynamics.init(), count) for count in (100, 1000))
    slope = np.log10(0.1)
    hawk_dove = np.array([[-3, 2], [0, 1]])  # two hawks: one wins 2, the other loses 8
    (rest,) = find_rest_points(hawk_dove).stable
    earned = np.array(rest.shares) @ hawk_dove @ np.array(rest.shares)
    remember = NashMemory(rps, start=np.array([1, 1, 0, 0]))
    memory = remember.step(remember.init(), 9)
    even, tent = np.full(3, 1 / 3), np.array([[0, 25, -50], [-25, 0, 5], [50, -5, 0]])
    bluffs = np.array([1 / 4, 0, 0, 0, 0, 1])  # how often each bucket bets
    belief = bluffs[0] / bluffs.sum()
    better = selection.count_better_results(
        np.array([[3, 0, 1], [2, 2, 0], [2, 0, 1], [1, 1, 1]]), slice(0, 4)
    )
    circle = np.array([[0, 2, -3], [-2, 0, 1], [3, -1, 0]])
    circle_mix = pl.solvers.ZeroSumProgram().solve(np.stack([circle, -circle])).mixtures[0]
    hands = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    pot = pl.games.one_card_poker(18, bet=2, second_can_bet=False)
    pot_solved = pl.solvers.SequenceFormLP(pot).solve().profile
    pot_bets, pot_calls = (pot_solved.probabilities[b.index] for b in list_card_bands(pot))
    before, after = (
        pl.metrics.rate_players(hands[np.ix_(who, who)]) for who in ([0, 1, 2], [0, 1, 2, 0])
    )
    return globals() | locals()


def is_shown(text: str, value: float) -> bool:
    """Whether a text is what a value is: to its last digit, or exactly if it is a fraction or whole."""
    plain = text.replace("−", "-").replace(",", "").rstrip("%")
    scale = 100 if "%" in text else 1
    digits = len(plain.partition(".")[2])
    off = abs(scale * value - float(Fraction(plain)))
    return off <= (0.5 * 10.0**-digits if digits or scale > 1 else 0.0) + 1e-9


@pytest.mark.parametrize("number", ANSWERS)
def test_every_number_of_an_answer_is_computed(number: str, names: dict[str, Any]) -> None:
    for text, expression in NUMBER.findall(re.sub(r"<details>|\]\([^)]*\)", "", ANSWERS[number])):
        assert expression, f"{text} is only typed"
        value = float(eval(expression, names))
        assert is_shown(text, value), f"{text}: {expression} is {value}"


def test_there_are_questions_from_all_lessons_in_their_order() -> None:
    assert list(ANSWERS) == [str(number) for number in range(1, 25)]
    assert PAGE.count("<details>") == len(ANSWERS)
    lessons = re.findall(r"^\*\*\d+\.\*\* \(\[(\d\d[b-z]?)\]", PAGE, re.MULTILINE)
    assert lessons == sorted(lessons)
    assert len({lesson[:2] for lesson in lessons}) == 16


def test_the_points_of_each_project_add_up_to_twenty() -> None:
    rubrics = PAGE.split("| points | for |")[1:]
    totals = [sum(map(int, re.findall(r"^\| (\d+) \|", one, re.MULTILINE))) for one in rubrics]
    assert totals == [20, 20, 20]


@pytest.mark.parametrize(
    ("text", "value"), [("1/3", 0.334), ("53%", 0.536), ("0.171", 0.1716), ("2", 2.6)]
)
def test_a_wrong_number_is_found(text: str, value: float) -> None:
    assert not is_shown(text, value)
