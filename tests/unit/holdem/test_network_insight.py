"""What pictures show of a network is what it computes and does at a table."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.core import ShapeError, random_stream
from pokerlab.holdem import (
    ALWAYS_CALL,
    CALL,
    FOLD,
    TableNetwork,
    decision,
    habits,
    no_limit,
    parse_cards,
)
from pokerlab.holdem import table_view as at
from pokerlab.holdem.hand import Hand
from pokerlab.holdem.network_genome import WIN_CHANCE
from pokerlab.holdem.network_habits import compute_view_inputs
from pokerlab.holdem.table_view import SeatView
from tests.oracles.players import network_decision, network_inputs, network_outputs
from tests.refusals import refused

NETWORK = TableNetwork()
GENOMES = NETWORK.draw_genomes(random_stream(1, "networks"), 4)
ROUNDING = 3e-6
"""Of float32 through two layers."""


def situation(price: int, win: float, aggressiveness: float = 1.0) -> SeatView:
    """Return the view that `habits` speaks of: six seats with 300 chips, one opponent, 20 in the pot."""
    words = np.zeros(at.NUM_VIEW_WORDS, np.int64)
    words[[at.SEATS, at.BIG_BLIND, at.TO_CALL, at.BET, at.POT]] = 6, 4, price, price, 20 + price
    words[at.STACKS : at.STACKS + 6], words[at.LIVE : at.LIVE + 2] = 300, 1
    words[at.STACKS + 1], words[at.PAID + 1] = 280 - price, 20 + price
    if price < 280:
        words[[at.MIN_RAISE_TO, at.MAX_RAISE_TO]] = price + max(price, 4), 300
    words[at.OVERALL : at.OVERALL + 6] = words[at.RECENT : at.RECENT + 6] = round(
        1_000_000 * aggressiveness
    )
    return SeatView(words, win)


def test_decision_returns_all_units() -> None:
    for network in (NETWORK, TableNetwork(hidden=7)):
        (genome,) = network.draw_genomes(random_stream(2, "networks"), 1)
        (player,) = network.make_players(genome)
        units = decision(player, situation(10, 0.5), 0.25)
        assert (len(units.inputs), len(units.hidden), len(units.outputs)) == (35, network.hidden, 5)
        assert units.inputs[WIN_CHANCE] == 0.25
        expected = network_outputs(genome.tolist(), units.inputs.tolist(), network.hidden)
        assert units.outputs == pytest.approx(expected, abs=ROUNDING)


@pytest.mark.parametrize(("read_out", "seen"), [("sampled", 1.0), ("largest", 1), ("sampled", 7.5)])
def test_habits_equal_sampled_frequencies(read_out: str, seen: float) -> None:
    network = replace(NETWORK, read_out=read_out)
    told = {"seats": 6, "stack": 300, "big_blind": 4, "pot": 20}
    found = habits(network, GENOMES, **told, aggressiveness=seen)
    assert found.prices.tolist() == list(range(0, 281, 14))
    assert found.fold + found.call + found.bet == pytest.approx(np.ones((4, 21, 21)))
    draws = (np.arange(2_000) + 0.5) / 2_000
    for k, w, p in ((0, 0, 0), (1, 20, 5), (2, 10, 10), (3, 5, 20), (0, 15, 15)):
        view = situation(int(found.prices[p]), 0.0, seen)
        inputs = network_inputs_of(view, float(found.wins[w]))
        outputs = network_outputs(GENOMES[k].tolist(), inputs)
        taken = np.array(
            [
                network_decision(outputs, SeatView(view.words, luck), read_out=read_out)
                for luck in draws
            ]
        )
        shares = [(taken == FOLD).mean(), (taken == CALL).mean(), (taken > 0).mean()]
        likely = [found.fold[k, w, p], found.call[k, w, p], found.bet[k, w, p]]
        assert likely == pytest.approx(shares, abs=1e-3)


def network_inputs_of(view: SeatView, win: float) -> list[float]:
    """Return the inputs of a view with another chance to win than its cards have."""
    view.words[at.HOLE : at.HOLE + 2] = parse_cards("2c 2d")
    inputs = network_inputs(view)
    inputs[3] = win
    return inputs


def test_habits_against_an_all_in_never_raise() -> None:
    all_in = Hand.begin(no_limit(5, 10), [1000, 1000], 0, range(9)).after(1000)
    assert not all_in.legal_actions.can_raise
    alone = habits(NETWORK, GENOMES, pot=100)
    assert (alone.bet[:, :, -1] == 0).all()
    assert (alone.bet[:, :, :-1] > 0).all()
    assert alone.fold + alone.call + alone.bet == pytest.approx(np.ones(alone.bet.shape))


def test_habits_of_free_folds_and_impossible_raises() -> None:
    folds = habits(replace(NETWORK, free_folds=True), GENOMES)
    assert (folds.fold[:, :, 0] > 0).all()
    all_in = habits(NETWORK, GENOMES, pot=0)
    assert all_in.prices[-1] == 1000
    assert (all_in.bet[:, :, -1] == 0).all()
    assert (all_in.bet[:, :, :-1] > 0).all()


test_what_makes_no_sense_is_refused = refused(
    (lambda: decision(ALWAYS_CALL, situation(10, 0.5)), "give that of a network"),
    (lambda: habits(NETWORK, GENOMES[:, :800]), ShapeError, "825 genes"),
    (
        lambda: compute_view_inputs(NETWORK, situation(10, 0.5).words),
        ShapeError,
        f"give the words of views as int64, (R, {at.NUM_VIEW_WORDS})",
    ),
    (lambda: habits(NETWORK, GENOMES[:0]), "number of networks is 0"),
    (lambda: habits(NETWORK, GENOMES, pot=1000), "pot is 1000"),
    (lambda: habits(NETWORK, GENOMES, aggressiveness=11), "aggressiveness is 11"),
)
