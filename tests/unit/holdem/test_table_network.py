"""Networks at a table: what the weights may be, and what is decided in situations worked out by hand."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pokerlab.core import ShapeError, UnknownNameError, random_stream
from pokerlab.holdem import (
    CALL,
    FOLD,
    TableNetwork,
    estimate_win_probability,
    no_limit,
    parse_cards,
)
from pokerlab.holdem import table_view as at
from pokerlab.holdem.network_genome import INPUTS, OUTPUTS
from pokerlab.holdem.network_habits import describe_inputs
from pokerlab.holdem.network_passes import count_network_weights
from pokerlab.holdem.players import Roster
from pokerlab.holdem.table_view import SeatView
from tests.at_tables import cash
from tests.refusals import refused

NETWORK = TableNetwork()
LUCK_OF = {"fold": 0.05, "call": 0.3, "small": 0.65, "medium": 0.85, "large": 0.95}
"""Which output they draw, of `BY_HAND`."""
BY_HAND = (0.1, 0.5, 0.2, 0.1, 0.1)


def constant(outputs: tuple[float, ...]) -> Any:
    """Return a network whose outputs are these, whatever it sees: all weights are 0 but the biases."""
    genome = np.zeros(NETWORK.num_genes, np.float32)
    genome[-5:] = np.log(outputs) - np.log1p(-np.array(outputs))
    return genome


def view(*, owed: int = 20, pot: int = 40, least: int = 40, most: int = 500, **more: int) -> Any:
    """Return what seat 0 of two sees before the flop, with 500 chips behind."""
    words = np.zeros(at.NUM_VIEW_WORDS, np.int64)
    words[[at.SEATS, at.BIG_BLIND, at.TO_CALL, at.BET, at.POT]] = 2, 10, owed, owed, pot
    words[[at.MIN_RAISE_TO, at.MAX_RAISE_TO, at.CAN_FOLD]] = (
        least,
        most,
        more.get("can_fold", owed > 0),
    )
    words[at.STACKS : at.STACKS + 2], words[at.PAID + 1], words[at.LIVE : at.LIVE + 2] = 500, pot, 1
    words[at.HOLE : at.HOLE + 2] = parse_cards("Ah Ac")
    return words


def decided(words: Any, luck: float, network: TableNetwork = NETWORK, genome: Any = None) -> int:
    """Return what a network does; by default the one with the outputs `BY_HAND`."""
    (player,) = network.make_players(constant(BY_HAND) if genome is None else genome)
    out = np.full(1, np.nan)
    row = np.zeros(1, np.intp)
    player.decision_function(words[None], row, player.parameters[None], np.array([luck]), out)
    return int(out[0])


def test_an_output_is_drawn_in_proportion() -> None:
    found = {name: decided(view(), luck) for name, luck in LUCK_OF.items()}
    # A call makes the pot 60; half of it, all, and three times more than the 20 to match.
    assert found == {"fold": FOLD, "call": CALL, "small": 50, "medium": 80, "large": 200}
    ends = [0.0999, 0.1001, 0.5999, 0.6001, 0.7999, 0.8001, 0.8999, 0.9001]
    drawn = [decided(view(), luck) for luck in ends]
    assert drawn == [FOLD, CALL, CALL, 50, 50, 80, 80, 200]
    assert [decided(view(), luck) for luck in (0.0, np.nextafter(1.0, 0.0))] == [FOLD, 200]


def test_choose_action_of_a_huge_raise_is_all_in() -> None:
    deep = view(pot=2 * 10**15, most=10**15)
    assert decided(deep, LUCK_OF["large"], replace(NETWORK, large_raise=1000.0)) == 10**15


def test_inputs_of_two_aces_before_the_flop() -> None:
    words = view(pot=30, owed=10)
    words[at.STACKS : at.STACKS + 2] = 500, 470
    found = dict(describe_inputs(NETWORK, SeatView(words, 0.0)))
    assert list(found) == list(INPUTS)
    # A thousand chips at the table: the mean is 500. Aces win 84.9% and tie 0.5% of the time.
    named = {"pot": 0.06, "call": 0.02, "opponents": 1 / 9, "win percent": 0.85473}
    named |= {"chips, own": 1.0, "chips, 1 to the left": 0.94, "chips, 2 to the left": 0.0}
    assert {name: found[name] for name in named} == pytest.approx(named, abs=1e-4)
    words[at.STREET], words[at.BOARD : at.BOARD + 3] = 1, parse_cards("As Ad 2c")
    quads = dict(describe_inputs(NETWORK, SeatView(words, 0.0)))["win percent"]
    assert quads > 0.999


@pytest.mark.parametrize(
    ("hole", "board", "power", "sampled"),
    [("Ac Ad", "", 0.24, 0.31), ("Qd Qc", "Kh 8d 4s 3s 2h", 0.09, 0.06)],
)
def test_win_chance_against_all_has_the_documented_error(
    hole: str, board: str, power: float, sampled: float
) -> None:
    words = view()
    dealt = parse_cards(board)
    words[[at.SEATS, at.STREET]] = 10, 3 if board else 0
    words[at.LIVE : at.LIVE + 10] = words[at.PAID : at.PAID + 10] = 1
    words[at.HOLE : at.HOLE + 2], words[at.BOARD : at.BOARD + len(dealt)] = parse_cards(hole), dealt
    seen = dict(describe_inputs(replace(NETWORK, against="all hands"), SeatView(words, 0.0)))
    assert seen["win percent"] == pytest.approx(power, abs=0.005)
    cards = parse_cards(hole), dealt
    found = estimate_win_probability(*cards, 9, num_samples=20_000, seed=1, ties="win")
    assert found.value == pytest.approx(sampled, abs=0.005 + 5 * found.standard_error)


def test_num_genes_follows_the_settings() -> None:
    for hidden in (1, 7, 20, 64):
        network = TableNetwork(hidden=hidden)
        assert network.num_genes == count_network_weights(35, hidden, 5)
        (genome,) = network.draw_genomes(random_stream(1, "weights"), 1)
        (player,) = network.make_players(genome)
        # Each weight has a place in what kernels read, and the rest is zero.
        placed = player.parameters[player.parameters != 0]
        assert np.sort(genome).tolist() == np.sort(placed).tolist()
    assert len(INPUTS) == 35
    assert len(OUTPUTS) == 5


def test_first_weights_are_normal() -> None:
    normal = NETWORK.draw_genomes(random_stream(1, "weights"), 400)
    narrow = replace(NETWORK, start="narrow normal").draw_genomes(random_stream(1, "weights"), 400)
    assert (normal.dtype, narrow.dtype) == (np.float32, np.float32)
    assert (narrow == normal / 2).all()
    assert (normal == NETWORK.draw_genomes(random_stream(1, "weights"), 400)).all()
    # Means of 330,000 weights: five standard errors.
    assert abs(normal.mean()) < 5 / np.sqrt(330_000)
    assert normal.std() == pytest.approx(1.0, abs=5 / np.sqrt(2 * 330_000))


def test_networks_of_one_encoding_are_asked_together() -> None:
    genomes = NETWORK.draw_genomes(random_stream(1, "weights"), 6)
    players = [*NETWORK.make_players(genomes[:4]), *TableNetwork().make_players(genomes[4:])]
    assert Roster(players)._is_one_group
    other = replace(NETWORK, hidden=21)
    mixed = [*players[:2], *other.make_players(other.draw_genomes(random_stream(2, "weights"), 2))]
    played = cash(no_limit(5, 10), mixed, 50, seed=1, stacks=1000)
    assert int(played.won.sum()) == 0
    again = pickle.loads(pickle.dumps(players[0]))
    assert again.decision_function == players[0].decision_function
    assert [player.name for player in NETWORK.make_players(genomes, list("abcdef"))] == list(
        "abcdef"
    )


def test_no_networks_are_no_players() -> None:
    for network in (NETWORK, TableNetwork(hidden=7)):
        assert network.make_players(network.draw_genomes(random_stream(1, "weights"), 0)) == []


def test_numbers_do_not_depend_on_rows_or_workers() -> None:
    players = NETWORK.make_players(NETWORK.draw_genomes(random_stream(1, "weights"), 6))
    games = [
        cash(no_limit(5, 10), players, 200, seed=3, stacks=1000, workers=w, side_by_side=s)
        for w, s in ((1, 512), (2, 7), (1, 1))
    ]
    assert (games[0].chips == games[1].chips).all()
    assert (games[0].chips == games[2].chips).all()


def changed(place: int, value: float) -> Any:
    """Return two networks, one weight of the second changed."""
    genomes = NETWORK.draw_genomes(random_stream(1, "weights"), 2)
    genomes[1, place] = value
    return genomes


test_what_makes_no_sense_is_refused = refused(
    (
        lambda: NETWORK.validate_genomes(np.zeros(824, np.float32)),
        ShapeError,
        "shape (824,); a network of 35 inputs, 20 hidden units and 5 outputs has 825 genes",
    ),
    (
        lambda: NETWORK.validate_genomes(np.zeros(825)),
        ShapeError,
        "weights are float64; networks compute",
    ),
    (lambda: NETWORK.validate_genomes(np.zeros(825, np.int32)), ShapeError, "weights are int32"),
    (
        lambda: NETWORK.make_players(changed(7, np.nan)),
        "1 is nan; give a number from -1e+09 to 1e+09",
    ),
    (lambda: NETWORK.make_players(changed(824, -np.inf)), "824 of genome 1 is -inf"),
    (lambda: NETWORK.make_players(changed(0, 2e9)), "is 2e+09; give a number"),
    (lambda: NETWORK.make_players(changed(0, 1.0), ["a"]), ShapeError, "1 names are given for 2"),
    (lambda: NETWORK.draw_genomes(random_stream(1, "a"), -1), "count is -1"),
    (lambda: TableNetwork(hidden=0), "hidden is 0; Hidden units allows 1 to"),
    (lambda: TableNetwork(large_raise=-0.5), "large_raise is -0.5"),
    (lambda: TableNetwork(scale="mean stacks"), UnknownNameError, "Did you mean 'mean stack'"),
)


def test_the_largest_weights_and_stacks_still_decide() -> None:
    genome = np.full(825, 1e9, np.float32)
    genome[::2] = -1e9
    network = TableNetwork(scale="as they are")
    words = view(pot=10**15, owed=10**15, least=0, most=0)
    words[at.STACKS : at.STACKS + 2] = 10**15
    for luck in np.linspace(0.0, 0.999, 7):
        assert decided(words, luck, network, genome) in (FOLD, CALL)
