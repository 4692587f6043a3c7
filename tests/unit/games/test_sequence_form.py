"""The compiled arrays and what they are worth, against numbers known from elsewhere."""

from fractions import Fraction

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.games import SequenceForm
from tests.random_games import random_profile

ROUNDING = 1e-12
PRINTED = 5e-7
"""Half a unit in the sixth digit, to which these numbers are known."""

KUHN = pl.games.kuhn()
GAMES = [
    KUHN,
    pl.games.kuhn(3),
    pl.games.kuhn(4),
    pl.games.one_card_poker(8),
    pl.games.leduc(isomorphic=True),
    pl.games.two_round_poker("paired", 2),
    pl.games.biased_rps(),
]


@pytest.mark.parametrize(
    ("game", "values", "nash_conv", "epsilon"),
    [
        (KUHN, (1 / 8, -1 / 8), 11 / 12, 13 / 24),
        (pl.games.kuhn(3), (0.234375, -0.046875, -0.1875), 2.0625, 0.822917),
        (pl.games.kuhn(4), (0.309896, 0.018229, -0.127604, -0.200521), 3.4760416667, 1.016146),
        (pl.games.leduc(), None, 4.7472222222, None),
        (pl.games.leduc(isomorphic=True), None, 4.7472222222, None),
    ],
    ids=lambda x: getattr(x, "name", None),
)
def test_the_uniform_profile(
    game: SequenceForm, values: tuple[float, ...] | None, nash_conv: float, epsilon: float | None
) -> None:
    uniform = game.uniform()
    assert game.nash_conv(uniform) == pytest.approx(nash_conv, abs=PRINTED / 1000)
    if values is not None:
        assert game.values(uniform) == pytest.approx(values, abs=PRINTED)
    if epsilon is not None:
        assert game.gains(uniform).max() == pytest.approx(epsilon, abs=PRINTED)


def test_ties_go_to_the_first_action() -> None:
    game = pl.games.bimatrix([[1, 1], [1, 1], [0, 2]], np.zeros((3, 2)))
    assert game.best_response(game.uniform(), 0).behavior.tolist() == [1.0, 0.0, 0.0]
    assert game.best_response(game.uniform(), 1).behavior.tolist() == [1.0, 0.0]


def test_the_treeplex_of_kuhn_poker_by_hand() -> None:
    """Sequences of the first player: empty, then pass and bet with J, Q, K, then the answers."""
    tree = KUHN.make_treeplex(0)
    assert KUHN.infoset_label[:6] == ("J", "Q", "K", "J, pass-bet", "Q, pass-bet", "K, pass-bet")
    assert tree.parent_sequence.tolist() == [0, 0, 0, 1, 3, 5]
    assert tree.first_sequence.tolist() == [1, 3, 5, 7, 9, 11]
    assert tree.num_actions.tolist() == [2] * 6
    assert tree.num_sequences == 13
    assert tree.make_constraint_matrix().toarray()[:2].tolist() == [
        [1] + [0] * 12,
        [-1, 1, 1] + [0] * 10,
    ]


def test_terminals_that_share_all_sequences_are_merged() -> None:
    class CoinAndGuess(pl.games.matrix_games.MatrixGame):
        """Matching pennies whose stake a coin decides after the choices."""

        zero_sum = True

        def turn(self, history: tuple[str, ...]) -> pl.games.rules.Turn:
            if len(history) < 2:
                return super().turn(history)
            if len(history) == 2:
                third = Fraction(1, 3)
                return pl.games.Chance({"small": 2 * third, "large": third})
            stake = 1 if history[2] == "small" else 4
            wins = stake if history[0][-1] == history[1][-1] else -stake
            return pl.games.Terminal((wins, -wins))

    zeros = [[0, 0], [0, 0]]
    rules = CoinAndGuess("coin and guess", zeros, zeros, ("row 1", "row 2"), ("col 1", "col 2"))
    game = pl.games.compile_rules(rules)
    assert game.num_histories_ended == 8
    assert game.chance == pytest.approx([1.0] * 4, abs=ROUNDING)
    assert game.payoff[:, 0] == pytest.approx([2.0, -2.0, -2.0, 2.0], abs=ROUNDING)
    assert game.utility_range.tolist() == [[-4.0, 4.0]] * 2  # of the ends, before they are merged


def test_repr_of_game_and_profile() -> None:
    assert repr(KUHN) == "<KP(2): 2 players, 6 + 6 information sets, 30 ends>"
    assert repr(KUHN.uniform()) == "<profile of KP(2): 24 probabilities>"


def test_fingerprints_of_different_games_differ() -> None:
    assert len({game.fingerprint for game in GAMES}) == len(GAMES)
    assert pl.games.compile_rules(KUHN.rules).fingerprint == KUHN.fingerprint


def test_the_payoff_matrix_gives_the_values() -> None:
    profile = random_profile(KUHN, 8)
    for player in range(2):
        value = profile.plan(0) @ (KUHN.payoff_matrix(player) @ profile.plan(1))
        assert KUHN.values(profile)[player] == pytest.approx(value, abs=ROUNDING)
    with pytest.raises(pl.core.GameError, match=r"two players; KP\(3\) has 3"):
        pl.games.kuhn(3).payoff_matrix(0)
