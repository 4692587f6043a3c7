"""The compiled network and Eq. 5 against their formulas, information set by information set."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.games import SequenceForm
from pokerlab.strategies import NetworkEncoding

ROUNDING = 1e-14


def by_formula(
    encoding: NetworkEncoding, genome: np.ndarray
) -> dict[tuple[int, str], dict[str, float]]:
    """Return the probabilities, Eq. 6 and 5 written out with matrices."""
    game, hidden, width = encoding.game, encoding.hidden, len(encoding.network_inputs.names)
    left, nets = genome, []
    for outputs in encoding.output_actions:
        sizes = [hidden * width, hidden, len(outputs) * hidden, len(outputs)]
        w1, b1, w2, b2, left = np.split(left, np.cumsum(sizes))
        nets.append((w1.reshape(hidden, width), b1, w2.reshape(len(outputs), hidden), b2))
    assert not len(left)
    table = {}
    for index, (player, label) in enumerate(game.infoset_index):
        net = 0 if len(nets) == 1 else player
        w1, b1, w2, b2 = nets[net]
        o = 1.0 / (
            1.0 + np.exp(-(b2 + w2 @ np.tanh(b1 + w1 @ encoding.network_inputs.values[index])))
        )
        actions = game.action_label[index]
        part = np.array([o[encoding.output_actions[net].index(action)] for action in actions])
        table[player, label] = dict(zip(actions, part / part.sum(), strict=True))
    return table


@pytest.mark.parametrize("seats", ["shared", "own"])
@pytest.mark.parametrize(
    "game",
    [pl.games.kuhn(), pl.games.kuhn(3), pl.games.biased_rps(), pl.games.one_card_poker(5)],
    ids=lambda game: game.name,
)
def test_the_kernel_computes_the_formula(game: SequenceForm, seats: str) -> None:
    encoding = NetworkEncoding(game, hidden=3, seats=seats)
    genomes = np.random.default_rng(7).normal(scale=3.0, size=(5, encoding.num_genes))
    together = encoding.compute_behaviors(genomes)
    for genome, row in zip(genomes, together, strict=True):
        profile = encoding.make_profile(genome)
        assert (row == profile.probabilities).all()
        for (player, label), wanted in by_formula(encoding, genome).items():
            assert profile.action_probabilities(player, label) == pytest.approx(
                wanted, abs=ROUNDING
            )
