"""Matrix strategies: the head start, situations decided by hand, random genomes, bad ones refused."""

from typing import Any

import numpy as np
import pytest

from pokerlab.core import ShapeError, UnknownNameError, stream
from pokerlab.holdem import CALL, FOLD, parse_cards, win_probability
from pokerlab.holdem.table import view as at
from pokerlab.strategies import MatrixEncoding
from pokerlab.strategies.players.matrix_encoding import NUM_WEIGHTS, SHAPE
from tests.refusals import refused

MATRICES = MatrixEncoding()
NUTS = "As Ks|Qs Js Ts 2h 3d"


def decided(
    genome: Any,
    cards: str,
    *,
    owed: int = 0,
    pot: int = 100,
    bet: int = 0,
    least: int = 0,
    most: int = 0,
    players: int = 6,
    luck: float = 0.5,
    encoding: MatrixEncoding = MATRICES,
) -> int:
    """Return what a genome does with 'hole | board' in seat 0, where everybody has 1,000 chips left."""
    hole, _, board = cards.partition("|")
    dealt = [int(card) for card in parse_cards(board)]
    view = np.zeros((1, at.NUM_VIEW_WORDS), np.int64)
    view[0, at.HOLE : at.HOLE + 2] = parse_cards(hole)
    view[0, at.BOARD : at.BOARD + len(dealt)] = dealt
    view[0, at.STREET] = {0: 0, 3: 1, 4: 2, 5: 3}[len(dealt)]
    view[0, [at.TO_CALL, at.POT, at.BET, at.MIN_RAISE_TO, at.MAX_RAISE_TO]] = (
        owed,
        pot,
        bet,
        least,
        most,
    )
    view[0, at.SEATS] = 10
    view[0, at.STACKS : at.STACKS + players] = 1000
    (player,) = encoding.players(genome)
    out = np.full(1, np.nan)
    weights = np.asarray(player.parameters)[None]
    player.answer(view, np.zeros(1, np.intp), weights, np.array([luck]), out)
    return int(out[0])


def only(street: int, table: int, strength: int, cost: int, action: int) -> np.ndarray:
    """Return a genome that folds everywhere but in one cell, where it does something else."""
    weights = np.zeros(SHAPE, np.float32)
    weights[..., 0] = 1.0
    weights[street, table, strength, cost] = np.arange(3) == action
    return weights.ravel()


def test_the_head_start_is_what_its_lines_say() -> None:
    weights = MATRICES.matrices(MATRICES.head_start())
    assert (weights == weights[0, 0]).all()
    fold, call, raising = np.moveaxis(weights[0, 0], -1, 0)
    # On the line of folding, at a strength of 0.3 where a call is free and of 0.7 all-in.
    for strength, cost in [(6, 0), (14, 20)]:
        assert fold[strength, cost] == pytest.approx(0.5, abs=1e-6)
        assert call[strength, cost] == pytest.approx(1.0, abs=1e-6)
    # On the line of raising, 0.55 where a call is free; a fold is 2.5 spreads away, 0.2 a width.
    assert raising[11, 0] == pytest.approx(0.5, abs=1e-6)
    assert fold[11, 0] == pytest.approx(0.00620967, abs=1e-6)
    assert call[10, 0] == pytest.approx(np.exp(-0.5), abs=1e-6)
    assert (np.diff(fold, axis=0) <= 0).all()
    assert (np.diff(raising, axis=0) >= 0).all()
    assert (np.diff(fold, axis=1) >= 0).all()


def test_strength_cost_street_and_table_say_which_cell_counts() -> None:
    # A royal flush has a strength of 1; 250 of 1,000 chips are the sixth of 21 levels of cost.
    for street, table, strength, cost, calls in [
        (3, 1, 20, 5, True),
        (3, 0, 20, 5, False),
        (2, 1, 20, 5, False),
        (3, 1, 19, 5, False),
        (3, 1, 20, 4, False),
    ]:
        done = decided(only(street, table, strength, cost, 1), NUTS, owed=250)
        assert done == (CALL if calls else FOLD)
    assert decided(only(3, 0, 20, 5, 1), NUTS, owed=250, players=4) == CALL
    aces = round(20 * win_probability(parse_cards("Ah Ad"), []))
    assert aces == 17
    assert decided(only(0, 1, aces, 20, 1), "Ah Ad", owed=1000) == CALL


@pytest.mark.parametrize(
    ("weights", "often"), [([0.1, 0.3, 0.2], [100, 300, 200]), ([0.0, 0.0, 0.0], [200, 200, 200])]
)
def test_one_weight_of_three_is_drawn_in_proportion_and_of_zeros_any(
    weights: list[float], often: list[int]
) -> None:
    genome = np.tile(np.float32(weights), NUM_WEIGHTS // 3)
    actions = [
        decided(genome, NUTS, owed=100, bet=100, least=200, most=900, luck=(k + 0.5) / 600)
        for k in range(600)
    ]
    assert [min(action, 1) for action in actions] == np.repeat([FOLD, CALL, 1], often).tolist()


def test_a_fold_for_nothing_is_a_check_unless_free_folds_stand() -> None:
    folds = np.tile(np.float32([1, 0, 0]), NUM_WEIGHTS // 3)
    assert decided(folds, NUTS) == CALL
    assert decided(folds, NUTS, encoding=MatrixEncoding(free_folds=True)) == FOLD
    assert decided(folds, NUTS, owed=10) == FOLD


def test_raises_grow_with_the_margin_from_the_least_to_the_pot() -> None:
    raises = np.tile(np.float32([0, 0, 1]), NUM_WEIGHTS // 3)
    # With 100 in the pot and 50 to call, a raise of the pot is by 150, to 200.
    wanted = {"owed": 50, "bet": 50, "least": 100}
    assert decided(raises, NUTS, **wanted, most=1000) == 200
    assert decided(raises, NUTS, **wanted, most=170) == 170
    assert decided(raises, "2c 7d|As Ks Qs 9h 8h", **wanted, most=1000) == 100
    strength = win_probability(parse_cards("Ah Ad"), [])
    assert decided(raises, "Ah Ad", **wanted, most=1000) == 100 + int(100 * (2 * strength - 1))
    assert decided(raises, NUTS, owed=50, bet=50) == CALL
    # A pot smaller than the least raise is raised by the least.
    assert decided(raises, NUTS, owed=50, bet=50, pot=10, least=500, most=900) == 500


@pytest.mark.parametrize("start", ["head start", "scratch"])
def test_random_genomes_have_a_meaning_and_a_type(start: str) -> None:
    encoding = MatrixEncoding(start=start)
    genomes = encoding.random(stream(1, "matrices"), 20)
    assert genomes.shape == (20, NUM_WEIGHTS)
    assert genomes.dtype == np.float32
    assert (encoding.checked(genomes) == genomes).all()
    if start == "scratch":
        assert abs(genomes.mean() - 0.5) < 5 * np.sqrt(1 / 12 / genomes.size)
        return
    inside = (encoding.head_start() > 0.3) & (encoding.head_start() < 0.7)
    noise = (genomes - encoding.head_start())[:, inside]
    assert noise.std() == pytest.approx(0.1, rel=0.02)
    assert np.abs(genomes.min(axis=1)).max() == 0.0


test_genomes_and_settings_without_a_meaning_are_refused = refused(
    (lambda: MATRICES.checked(np.zeros(825)), ShapeError, "shape (825,); a matrix strategy has"),
    (lambda: MATRICES.checked(np.full(NUM_WEIGHTS, np.nan)), "0 is nan; give a number from 0 to 1"),
    (lambda: MATRICES.checked(np.linspace(0, 1.5, NUM_WEIGHTS)), "; give a number from 0 to 1"),
    (
        lambda: MATRICES.matrices(np.zeros((2, NUM_WEIGHTS))),
        ShapeError,
        "matrices of one at a time",
    ),
    (lambda: MatrixEncoding(start="expert"), UnknownNameError, "no start 'expert'"),
    (lambda: MatrixEncoding(spread=0.0), "spread is 0.0"),
)
