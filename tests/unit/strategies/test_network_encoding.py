"""Networks: their sizes in the paper, what they see, and what does not fit."""

import math

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, ShapeError, UnknownNameError
from pokerlab.games.matrix_games import MatrixGame
from pokerlab.strategies import Inputs, NetworkEncoding
from tests.refusals import refused

KUHN = pl.games.kuhn()
PENNIES = pl.games.compile_rules(
    MatrixGame(
        "matching pennies", [[1, -1], [-1, 1]], [[-1, 1], [1, -1]], *[("heads", "tails")] * 2
    )
)


def test_network_encoding_has_the_papers_sizes() -> None:
    assert NetworkEncoding(KUHN).num_genes == 26
    assert NetworkEncoding(pl.games.one_card_poker(13)).num_genes == 26
    assert NetworkEncoding(KUHN, seats="own").num_genes == 52
    rps = NetworkEncoding(pl.games.biased_rps(), hidden=1)
    assert rps.num_genes == 1 + 3 + 3
    assert rps.network_inputs.names == ()
    assert NetworkEncoding(pl.games.kuhn(3)).num_genes == 4 * 4 + 4 + 4 * 2 + 2
    for encoding in (NetworkEncoding(KUHN, hidden=3, seats="own"), rps):
        assert len(encoding.gene_labels) == len(set(encoding.gene_labels)) == encoding.num_genes


def test_default_inputs_are_card_and_previous_actions() -> None:
    net = NetworkEncoding(KUHN)
    seen = dict(zip(KUHN.infoset_index, net.network_inputs.values.tolist(), strict=True))
    assert seen[0, "J"] == [-1, 0, 0]
    assert seen[1, "Q, pass"] == [0, -1, 0]
    assert seen[1, "K, bet"] == [1, 1, 0]
    assert seen[0, "Q, pass-bet"] == [0, -1, 1]
    three = pl.games.kuhn(3)
    seen = dict(
        zip(three.infoset_index, NetworkEncoding(three).network_inputs.values.tolist(), strict=True)
    )
    assert seen[1, "J, pass-pass-bet-pass"] == [-1, -1, -1, 1]
    assert seen[1, "J, pass-pass-bet-bet"] == [-1, 1, -1, 1]  # the last action of player 1 counts
    assert seen[2, "A, pass-bet"] == [1, -1, 1, 0]
    raked = NetworkEncoding(pl.games.rake_game(KUHN, 0.05))
    assert (raked.network_inputs.values == net.network_inputs.values).all()


def test_gene_labels_name_what_weights_do() -> None:
    """Only the path card, hidden 2, bet is open: high cards bet more."""
    net = NetworkEncoding(KUHN)
    genome = np.zeros(26)
    genome[net.gene_labels.index("card to hidden 2")] = 1.5
    genome[net.gene_labels.index("hidden 2 to bet")] = -2.0
    genome[net.gene_labels.index("bias of pass")] = 0.25
    chance = net.make_profile(genome).action_probabilities(1, "K, bet")["bet"]
    bet, stay = 1 / (1 + math.exp(2 * math.tanh(1.5))), 1 / (1 + math.exp(-0.25))
    assert chance == pytest.approx(bet / (bet + stay), abs=1e-15)


def test_bias_of_an_action_acts_wherever_it_is_legal() -> None:
    """Also where there are fewer actions than the net has outputs."""
    leduc = pl.games.leduc()
    rank = Inputs.seen_by(leduc, ("card",), lambda player, label: ["JQK".index(label[0]) - 1.0])
    net = NetworkEncoding(leduc, inputs=rank)
    share = 1 / (1 + math.exp(-1.5))
    for action in net.output_actions[0]:
        genome = np.zeros(net.num_genes)
        genome[net.gene_labels.index(f"bias of {action}")] = 1.5
        profile = net.make_profile(genome)
        for player, infoset in leduc.infoset_index:
            chances = profile.action_probabilities(player, infoset)
            favored = action in chances
            total = share * favored + 0.5 * (len(chances) - favored)
            wanted = {a: (share if a == action else 0.5) / total for a in chances}
            assert chances == pytest.approx(wanted, abs=1e-15)


def test_saturated_outputs_differ() -> None:
    net = NetworkEncoding(pl.games.rock_paper_scissors(), hidden=1)
    shares = net.make_profile([0.0, 0.0, 0.0, 0.0, -1000.0, -1001.0, -1002.0]).get_behavior(0)
    wanted = np.exp([0.0, -1.0, -2.0])
    assert shares == pytest.approx(wanted / wanted.sum(), abs=1e-15)


def test_default_inputs_of_other_game_raises() -> None:
    leduc = pl.games.leduc()
    rank = Inputs.seen_by(leduc, ("card",), lambda player, label: ["JQK".index(label[0]) - 1.0])
    net = NetworkEncoding(leduc, inputs=rank)
    assert net.output_actions == (("check", "bet", "fold", "call", "raise"),)
    assert net.num_genes == 4 + 4 + 4 * 5 + 5
    pl.games.Profile(leduc, net.make_profile(np.linspace(-2.0, 2.0, net.num_genes)).probabilities)


def test_network_without_inputs_gives_each_seat_its_probabilities() -> None:
    """A net for each seat, or one whose seats have actions of their own."""
    bimatrix = pl.games.bimatrix([[1, -1], [-1, 1]], [[-1, 1], [1, -1]])
    for encoding in (NetworkEncoding(PENNIES, seats="own"), NetworkEncoding(bimatrix)):
        genome = encoding.default_start
        genome[-2:] = 3.0, -3.0
        profile = encoding.make_profile(genome)
        assert profile.get_behavior(0).tolist() == [0.5, 0.5]
        assert profile.get_behavior(1)[0] > 0.9


test_what_does_not_fit_is_refused = refused(
    (
        lambda: NetworkEncoding(KUHN, inputs=Inputs(("a", "b", "c"), np.zeros((2, 3)))),
        ShapeError,
        "inputs have shape (2, 3); KP(2) needs (12, 3)",
    ),
    (lambda: Inputs(("a", "b"), np.zeros((12, 3))), ShapeError, "a row for each information set"),
    (lambda: Inputs(("a",), [[0.0], [math.nan]]), "input 'a' of information set 1 is nan"),
    (
        lambda: NetworkEncoding(KUHN, inputs=np.zeros((12, 3))),  # type: ignore[arg-type]
        "give Inputs(names, values)",
    ),
    (lambda: NetworkEncoding(pl.games.leduc()), GameError, "the inputs of a network in Leduc"),
    (lambda: NetworkEncoding(KUHN, hidden=0), "hidden is 0; it must be an integer from 1"),
    (lambda: NetworkEncoding(KUHN, seats="each"), UnknownNameError, "own"),
    (lambda: NetworkEncoding(PENNIES), GameError, "matching pennies cannot share genes"),
    (lambda: NetworkEncoding(KUHN).make_profile(np.zeros(25)), ShapeError, "26 genes"),
    (lambda: NetworkEncoding(KUHN).make_profile([math.nan] * 26), "card to hidden 1"),
)
