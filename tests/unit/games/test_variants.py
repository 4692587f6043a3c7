"""Games changed in one respect: what a rake leaves of the pots, and what open cards are worth."""

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, KindError, UnknownNameError
from pokerlab.games import Chance, Profile, Rules, Terminal
from studies.samothrakis2011.open_cards import open_cards
from tests.refusals import refused


def always(game: pl.games.SequenceForm, action: int) -> Profile:
    behavior = np.zeros(game.num_probabilities)
    behavior[game.first_sequence - game.num_players + action] = 1.0
    return Profile(game, behavior)


def test_raked_takes_a_share_from_the_winner() -> None:
    """Nobody bets: a pot of 2 chips, won by either half of the time. All bet: a pot of 4."""
    for action, pot in ((0, 2), (1, 4)):
        game = pl.games.rake_game(pl.games.kuhn(), 0.05)
        values = game.values(always(game, action))
        assert values.sum() == pytest.approx(-0.05 * pot, abs=1e-12)
        assert values[0] == pytest.approx(values[1], abs=1e-12)


def test_raked_with_zero_share_is_the_same_game() -> None:
    game = pl.games.rake_game(pl.games.kuhn(), 0)
    assert game.zero_sum
    assert pl.solvers.SequenceFormLP(game).solve().value == pytest.approx(-1 / 18, abs=1e-9)


def test_raked_rules_pass_check_rules() -> None:
    report = pl.games.check_rules(pl.games.rake_game(pl.games.kuhn(), Fraction(1, 20)).rules)
    assert (report.num_ends, report.zero_sum) == (30, False)
    assert (report.lowest, report.highest) == (-2, 2 - Fraction(4, 20))


test_what_cannot_be_raked_is_refused = refused(
    (lambda: pl.games.rake_game(pl.games.kuhn(3), 0.05), GameError, "KP(3) is not a zero-sum game"),
    *(
        (partial(pl.games.rake_game, pl.games.kuhn(), share), "the rake is")
        for share in (-0.01, 0.5, float("nan"), True, "5%")
    ),
)


def backward(rules: Rules, history: Any) -> tuple[Fraction, ...]:
    """Return what everybody gets where each decision is the best one for who makes it."""
    turn = rules.turn(history)
    if isinstance(turn, Terminal):
        return tuple(Fraction(utility) for utility in turn.utilities)
    if isinstance(turn, Chance):
        dealt = [(p, backward(rules, rules.after(history, o))) for o, p in turn.outcomes.items()]
        return tuple(
            sum((p * ends[player] for p, ends in dealt), Fraction(0))
            for player in range(rules.num_players)
        )
    choices = [backward(rules, rules.after(history, action)) for action in turn.actions]
    return max(choices, key=lambda ends: ends[turn.player])


@pytest.mark.parametrize(
    "game",
    [
        pl.games.kuhn(),
        pl.games.one_card_poker(5),
        pl.games.two_round_poker("paired", isomorphic=True),
    ],
    ids=lambda game: game.name,
)
def test_open_cards_values_equal_backward_induction(game: pl.games.SequenceForm) -> None:
    opened = open_cards(game)
    rules = opened.rules
    assert pl.games.check_rules(rules).num_ends == pl.games.check_rules(game.rules).num_ends
    expected = float(backward(rules, rules.start())[0])
    assert pl.solvers.SequenceFormLP(opened).solve().value == pytest.approx(expected, abs=1e-9)


def test_open_cards_have_one_history_an_infoset() -> None:
    opened = open_cards(pl.games.kuhn(3))
    deals = 4 * 3 * 2
    assert opened.num_infosets == (4 * deals, 4 * deals, 4 * deals)


def test_open_cards_labels_name_the_whole_history() -> None:
    rules = open_cards(pl.games.leduc()).rules
    history = rules.start()
    for action in ("Ks", "Qh", "bet", "call", "Qs", "check"):
        history = rules.after(history, action)
    turn = rules.turn(history)
    assert isinstance(turn, pl.games.Decision)
    assert (turn.player, turn.infoset) == (1, "Ks Qh, bet-call | Qs, check")


def test_network_encoding_rejects_open_cards() -> None:
    with pytest.raises(
        GameError, match=r"inputs of a network in KP\(2\), cards open cannot be derived"
    ):
        pl.strategies.NetworkEncoding(open_cards(pl.games.kuhn()))


KUHN = pl.games.kuhn()
NEVER_BLUFFS = Profile.from_table(KUHN, {(1, "J, pass"): {"pass": 1.0}})


def test_locked_without_bluffs_by_hand() -> None:
    """Player 2 never bets a jack after a check: then player 1 wins 1/18 instead of losing it.

    Player 1 bets kings always and jacks one time in three, checks queens, folds them to a bet (which is a king).
    Over the six deals it wins -1/3 -4/3 +1 -1 +1 +1 = 1/3 if queens fold to bets, and as much if they call; so
    1/18 a hand. Player 2 keeps it there: kings bet, queens call a third of the bets. Player 1's jacks then win -2 in
    their two deals, queens 0, kings 7/3: again 1/3.
    """
    game = pl.games.lock_infosets(KUHN, NEVER_BLUFFS, [(1, "J, pass")])
    solution = pl.solvers.SequenceFormLP(game).solve()
    assert solution.value == pytest.approx(1 / 18, abs=1e-12)
    assert solution.profile.action_probabilities(0, "K")["bet"] == pytest.approx(1.0)
    assert solution.profile.action_probabilities(0, "J")["bet"] == pytest.approx(1 / 3)
    assert solution.profile.action_probabilities(1, "Q, bet")["bet"] == pytest.approx(1 / 3)


def test_locked_player_plays_as_chance() -> None:
    """Who always folds loses the ante to who always bets, whatever the cards."""
    folds = Profile.from_table(KUHN, {key: {"pass": 1.0} for key in KUHN.infoset_index})
    game = pl.games.lock_infosets(KUHN, folds, 1)
    assert game.num_infosets == (3, 0)  # nobody bets after player 1's check, so no second choice
    assert game.best_response(game.uniform(), 0).value == pytest.approx(1.0)
    assert not pl.games.unlock_profile(game.uniform()).action_probabilities(1, "J, bet")["bet"]


def test_locked_reads_floats_as_simple_fractions() -> None:
    thirds = Profile.from_table(KUHN, {(0, "J"): {"pass": 2 / 3, "bet": 1 / 3}})
    game = pl.games.lock_infosets(KUHN, thirds, [(0, "J")])
    rules = game.rules
    odds = rules.turn(rules.after(rules.after(rules.start(), "J"), "Q"))
    assert odds == Chance({"pass": Fraction(2, 3), "bet": Fraction(1, 3)})


def test_locked_name_and_fingerprint_show_locked_infosets() -> None:
    games = [
        pl.games.lock_infosets(KUHN, profile, where)
        for profile in (KUHN.uniform(), NEVER_BLUFFS)
        for where in ([(1, "J, pass")], [(1, "J, pass"), (0, "J")], 0, 1)
    ]
    assert [game.name.removeprefix("KP(2), locked: ") for game in games[:4]] == [
        "player 2 at 'J, pass'",
        "player 1 at 'J'; player 2 at 'J, pass'",
        "player 1",
        "player 2",
    ]
    prints = [game.fingerprint for game in (KUHN, *games)]
    assert prints[3] == prints[7]  # player 1 plays uniformly in both profiles
    assert len(set(prints)) == len(prints) - 1
    many = [*pl.games.leduc().infoset_index][:9]
    name = pl.games.lock_infosets(pl.games.leduc(), pl.games.leduc().uniform(), many).name
    assert name.endswith("' and 6 more")


def lock(where: Any) -> pl.games.SequenceForm:
    return pl.games.lock_infosets(KUHN, KUHN.uniform(), where)


test_what_cannot_be_locked_is_refused = refused(
    (partial(lock, [(0, "A")]), UnknownNameError, "no information set of player 1 in KP(2) 'A'"),
    (partial(lock, []), "nothing is locked"),
    (
        lambda: pl.games.lock_infosets(pl.games.intransitive_numbers(), KUHN.uniform(), 0),  # type: ignore[arg-type]
        GameError,
        "give a compiled one",
    ),
    (partial(lock, 2), "where"),
    (partial(lock, True), "where"),
    (partial(lock, "J"), KindError, "give a player, or pairs"),
    (partial(lock, [("J", 0)]), KindError, "give a player, or pairs"),
    (partial(lock, None), KindError, "give a player, or pairs"),
    (
        lambda: pl.games.lock_infosets(KUHN, pl.games.kuhn(3).uniform(), 0),
        GameError,
        "belongs to KP(3)",
    ),
)
