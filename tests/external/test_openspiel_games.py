"""OpenSpiel as an outside witness: the same trees, values and NashConv of random profiles."""

from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import random_stream
from pokerlab.games import Chance, Decision, Profile, SequenceForm, Terminal

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.external

ROUNDING = 1e-12
"""Both sum in double precision, in different orders."""

GAMES = {
    "kuhn_poker(players=2)": lambda: pl.games.kuhn(2),
    "kuhn_poker(players=3)": lambda: pl.games.kuhn(3),
    "kuhn_poker(players=4)": lambda: pl.games.kuhn(4),
    "leduc_poker(players=2)": lambda: pl.games.leduc(2),
}
Labels = dict[tuple[int, str], tuple[str, list[int]]]


def walk_together(game: SequenceForm, other: Any) -> Labels:
    """Compare both trees; return OpenSpiel's label and actions of each information set.

    Outcomes and actions correspond by position: cards lie in the same order, pass or fold comes
    before call or check, and bet or raise comes last.
    """
    rules = game.rules
    labels: Labels = {}
    waiting = [(rules.start(), other.new_initial_state())]
    while waiting:
        history, state = waiting.pop()
        turn = rules.turn(history)
        if isinstance(turn, Terminal):
            assert state.is_terminal()
            assert state.returns() == [float(u) for u in turn.utilities]
            continue
        if isinstance(turn, Chance):
            assert state.is_chance_node()
            ours = list(turn.outcomes)
            theirs = [outcome for outcome, _ in state.chance_outcomes()]
            chances = [chance for _, chance in state.chance_outcomes()]
            assert chances == pytest.approx([float(p) for p in turn.outcomes.values()])
        else:
            assert isinstance(turn, Decision)
            assert state.current_player() == turn.player
            ours, theirs = list(turn.actions), state.legal_actions()
            label = (state.information_state_string(), theirs)
            assert labels.setdefault((turn.player, turn.infoset), label) == label
        waiting += [
            (rules.after(history, a), state.child(b)) for a, b in zip(ours, theirs, strict=True)
        ]
    keys = [(player, label) for (player, _), (label, _) in labels.items()]
    assert len(set(keys)) == len(labels)
    return labels


def as_policy(profile: Profile, labels: Labels) -> Any:
    table = {
        label: list(zip(actions, profile.action_probabilities(*key).values(), strict=True))
        for key, (label, actions) in labels.items()
    }
    return pyspiel.TabularPolicy(table)


def random_profile(game: SequenceForm, seed: int) -> Profile:
    """Return a profile in which some actions are certain and some never chosen."""
    weights = random_stream(seed, "weights").integers(3, size=game.num_probabilities)
    first = game.first_sequence - game.num_players
    weights[first] += np.add.reduceat(weights, first) == 0
    return Profile(game, weights / np.repeat(np.add.reduceat(weights, first), game.num_actions))


@pytest.fixture(scope="module", params=GAMES)
def pair(request: pytest.FixtureRequest) -> tuple[SequenceForm, Any, Labels]:
    game, other = GAMES[request.param](), pyspiel.load_game(request.param)
    return game, other, walk_together(game, other)


@pytest.mark.parametrize("seed", range(3))
def test_values_and_nash_conv_agree(pair: tuple[SequenceForm, Any, Labels], seed: int) -> None:
    game, other, labels = pair
    profile = random_profile(game, seed)
    policy = as_policy(profile, labels)
    values = pyspiel.expected_returns(other.new_initial_state(), policy, -1, False)
    assert game.values(profile) == pytest.approx(values, abs=ROUNDING)
    assert game.nash_conv(profile) == pytest.approx(pyspiel.nash_conv(other, policy), abs=ROUNDING)


def test_best_responses_agree(pair: tuple[SequenceForm, Any, Labels]) -> None:
    game, other, labels = pair
    profile = random_profile(game, 5)
    policy = as_policy(profile, labels)
    for player in range(game.num_players):
        reply = pyspiel.TabularBestResponse(other, player, policy)
        value = reply.value_from_state(other.new_initial_state())
        assert game.best_response(profile, player).value == pytest.approx(value, abs=ROUNDING)


@pytest.mark.slow
def test_leduc_for_three_is_the_same_tree_and_has_the_same_values() -> None:
    game, other = pl.games.leduc(3), pyspiel.load_game("leduc_poker(players=3)")
    labels = walk_together(game, other)
    assert len(labels) == 3 * 8600
    profile = random_profile(game, 1)
    policy = as_policy(profile, labels)
    values = pyspiel.expected_returns(other.new_initial_state(), policy, -1, False)
    assert game.values(profile) == pytest.approx(values, abs=ROUNDING)


@pytest.mark.parametrize(
    "game", [pl.games.kuhn(2), pl.games.kuhn(3), pl.games.leduc(2, isomorphic=True)], ids=repr
)
def test_openspiel_reads_our_files(game: SequenceForm, tmp_path: Any) -> None:
    text = pl.games.write_efg(game, tmp_path / "game.efg").read_text(encoding="utf-8")
    theirs = pyspiel.load_efg_game(text)
    nash_conv = pyspiel.nash_conv(theirs, pyspiel.UniformRandomPolicy(theirs))
    assert nash_conv == pytest.approx(game.nash_conv(game.uniform()), abs=ROUNDING)


def test_openspiels_export_is_read_once_its_thirds_are_written_exactly(tmp_path: Any) -> None:
    from open_spiel.python.algorithms.gambit import export_gambit

    text, path = export_gambit(pyspiel.load_game("kuhn_poker")), tmp_path / "kuhn.efg"
    path.write_text(text, encoding="utf-8")
    wanted = "kuhn.efg, line 2, column 11: probabilities of chance sum to .*, not 1.*such as 1/3"
    with pytest.raises(pl.core.FileFormatError, match=wanted):
        pl.games.read_efg(path)
    path.write_text(text.replace("0.3333333333333333", "1/3"), encoding="utf-8")
    game, kuhn = pl.games.read_efg(path), pl.games.kuhn()
    assert game.zero_sum
    assert game.num_infosets == (6, 6)
    assert game.values(game.uniform()) == pytest.approx(kuhn.values(kuhn.uniform()), abs=ROUNDING)
    assert game.nash_conv(game.uniform()) == pytest.approx(11 / 12, abs=ROUNDING)
