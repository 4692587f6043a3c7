"""Bucketed strategies with real cards: each action is that of the profile, by the rules and by luck."""

from typing import Any

import numpy as np
import pytest

from pokerlab.core import SettingError, random_stream
from pokerlab.holdem import (
    ALWAYS_CALL,
    ALWAYS_FOLD,
    ALWAYS_RAISE,
    CALL,
    FOLD,
    RANDOM,
    limit,
    no_limit,
)
from pokerlab.holdem.betting_structure import Structure
from pokerlab.holdem.betting_tree import DEAL
from pokerlab.holdem.bucketed_holdem import (
    BucketedHoldem,
    BucketedProfile,
    bucketed_limit_holdem,
)
from pokerlab.holdem.buckets import find_bucket
from pokerlab.holdem.cash_game import CashGameResult
from pokerlab.holdem.hand import ACTIONS, RAISING
from pokerlab.holdem.hand_history import replay_actions
from pokerlab.holdem.players import Player
from pokerlab.holdem.real_player import (
    draw_profile_action,
    estimate_winnings,
    find_largest_loss,
    make_bucketed_player,
    make_structure,
)
from tests.at_tables import cash
from tests.oracles.search import NEAR, claimed_to_seen
from tests.random_bucketed import evenly_cut, random_profile, random_table

STANDARD_ERRORS = 5.0


def pure_profile(game: BucketedHoldem, seed: int) -> BucketedProfile:
    """Return a profile that does one thing at each decision with each bucket."""
    luck = random_stream(seed, "pure profile")
    size = game.tree.num_decisions, max(game.buckets.counts), len(ACTIONS)
    # Folding less, so that most hands go far.
    weights = luck.random(size) * [0.4, 1, 1] * game.tree.is_legal[:, None]
    return BucketedProfile(game, np.eye(len(ACTIONS))[weights.argmax(axis=2)])


def played_by(
    players: list[Player], profile: BucketedProfile, deals: int, **how: Any
) -> CashGameResult:
    return cash(
        make_structure(profile),
        players,
        deals,
        stacks=find_largest_loss(profile),
        duplicates=True,
        **how,
    )


@pytest.mark.parametrize("cap", [1, 2, 4, 6])
def test_every_action_is_what_the_profile_does_there_with_that_bucket(cap: int) -> None:
    game = bucketed_limit_holdem(evenly_cut((5, 2, 3, 4), seed=cap), raise_cap=cap)
    profile, tree = pure_profile(game, cap), game.tree
    played = played_by([make_bucketed_player(profile), RANDOM], profile, 60, seed=cap, record=True)
    deepest = 0
    for deal in range(60):
        for rotation in range(2):
            hand, node = played.replay_hand(deal, rotation), 0
            names = played.list_names_at_table(rotation=rotation)
            for moment, action in replay_actions(hand):
                node += tree.kind[node] == DEAL
                kind = {FOLD: 0, CALL: 1}.get(action, RAISING)
                if names[moment.actor] == "bucketed":
                    bucket = find_bucket(
                        game.buckets, moment.get_hole_cards(moment.actor), moment.board
                    )
                    assert profile.decision_probabilities[tree.decision[node], bucket, kind] == 1
                    deepest = max(deepest, moment.street)
                node = tree.child[node, kind]
    assert deepest == 3


@pytest.mark.parametrize("make", [random_table, random_profile])
def test_actions_are_as_frequent_as_the_profile_has_them(make: Any) -> None:
    game = bucketed_limit_holdem(evenly_cut((2, 1, 1, 1)))
    profile = make(game, 3)
    played = played_by(
        [make_bucketed_player(profile), ALWAYS_CALL], profile, 1000, seed=2, record=True
    )
    seen = np.zeros((2, 3))
    for deal in range(played.num_deals):
        hand = played.replay_hand(deal, deal % 2)
        moment, action = next(iter(replay_actions(hand)))
        if played.list_names_at_table(rotation=deal % 2)[moment.actor] == "bucketed":
            bucket = find_bucket(game.buckets, moment.get_hole_cards(moment.actor), moment.board)
            seen[bucket, {FOLD: 0, CALL: 1}.get(action, RAISING)] += 1
    for bucket in range(2):
        number, chances = seen[bucket].sum(), profile.decision_probabilities[0, bucket]
        assert number > 100
        error = np.sqrt(chances * (1 - chances) / number)
        assert (np.abs(seen[bucket] / number - chances) <= STANDARD_ERRORS * error).all()


def test_fixed_profiles_win_as_scripted_players_do() -> None:
    game = bucketed_limit_holdem(evenly_cut((2, 3, 1, 2)))
    ways = [
        (ALWAYS_CALL, game.always_call()),
        (ALWAYS_FOLD, game.always_fold()),
        (ALWAYS_RAISE, game.always_raise()),
    ]
    for rote, profile in ways:
        for opponent, _ in ways:
            chips = [
                played_by([player, opponent], profile, 50, seed=1).chips
                for player in (rote, make_bucketed_player(profile))
            ]
            assert (chips[0] == chips[1]).all()


def test_hands_of_a_bucketed_player_ignore_other_hands() -> None:
    game = bucketed_limit_holdem(evenly_cut(3))
    profile = random_profile(game, 1)
    other = random_profile(game, 2)
    pair: list[Player] = [make_bucketed_player(profile), make_bucketed_player(other)]
    expected = played_by(pair, profile, 400, seed=3)
    assert expected.chips.any()
    for how in ({"workers": 3}, {"side_by_side": 1}, {"side_by_side": 37}):
        assert (played_by(pair, profile, 400, seed=3, **how).chips == expected.chips).all()
    parts = [played_by(pair, profile, 200, seed=3, first=first).chips for first in (0, 200)]
    assert (np.concatenate(parts) == expected.chips).all()
    # One player in both seats, at the same tables.
    itself = make_bucketed_player(profile)
    assert not played_by([itself, itself], profile, 200, seed=3).chips.sum(axis=1).any()


def test_versus_of_fixed_profiles_wins_known_amounts() -> None:
    game = bucketed_limit_holdem(evenly_cut(2))
    folds = estimate_winnings(game.always_fold(), game.always_raise(), 40, seed=1)
    assert folds[:2] == (-0.75, 0.0)
    # Nobody folds, and with the cards exchanged the other wins as much.
    assert estimate_winnings(game.always_call(), ALWAYS_RAISE, 40, seed=1)[:2] == (0.0, 0.0)
    mixed = estimate_winnings(game.uniform(), ALWAYS_RAISE, 40, seed=1)
    assert mixed.standard_error > 0
    assert mixed == estimate_winnings(game.uniform(), ALWAYS_RAISE, 40, seed=1, workers=2)
    assert mixed != estimate_winnings(game.uniform(), ALWAYS_RAISE, 40, seed=2)
    assert str(folds) == ("-0.750 ± 0.000 small bets a hand, 40 deals in both seats, seed 1")


def test_the_standard_error_is_the_spread_of_repeated_matches() -> None:
    profile = bucketed_limit_holdem(evenly_cut(2)).uniform()
    won = [estimate_winnings(profile, ALWAYS_RAISE, 30, seed=seed)[:2] for seed in range(100)]
    assert NEAR[0] < claimed_to_seen(won) < NEAR[1]


@pytest.mark.parametrize(
    ("structure", "seats", "stack"),
    [
        (limit(2), 3, 100),
        (limit(2, cap=3), 2, 100),
        (limit(2, cap=None), 2, 100),
        (limit(2, big_bet=2), 2, 100),
        (limit(2, small_blind=2), 2, 100),
        (limit(2), 2, 47),
        (no_limit(1, 2), 2, 100),
    ],
)
def test_another_betting_is_refused(structure: Structure, seats: int, stack: int) -> None:
    profile = bucketed_limit_holdem(evenly_cut(2)).always_raise()
    players: list[Player] = [make_bucketed_player(profile)] * seats
    with pytest.raises(SettingError, match="Play heads-up with make_structure"):
        cash(structure, players, 20, seed=1, stacks=stack)


def test_a_betting_that_no_table_plays_is_refused() -> None:
    profile = bucketed_limit_holdem(evenly_cut(2), betting="as drawn").always_raise()
    for ask in (make_structure, make_bucketed_player):
        with pytest.raises(SettingError, match="which no table plays"):
            ask(profile)


def test_multiples_of_the_stakes_are_the_same_game() -> None:
    profile = random_table(bucketed_limit_holdem(evenly_cut(2)), 1)
    pair: list[Player] = [make_bucketed_player(profile), RANDOM]
    small = played_by(pair, profile, 50, seed=1).chips
    large = cash(limit(10), pair, 50, seed=1, stacks=1000, duplicates=True).chips
    assert (large == 5 * small).all()


def test_draw_profile_action_takes_no_impossible_action() -> None:
    top = np.nextafter(1.0, 0.0)
    short = np.array([0.3, 0.7 - 1e-15, 0.0])
    assert draw_profile_action(short, top) == 1
    assert draw_profile_action(np.array([1.0 - 1e-15, 0.0, 0.0]), top) == 0
    assert [
        draw_profile_action(np.array([0.25, 0.25, 0.5]), luck)
        for luck in (0, 0.2499, 0.25, 0.5, top)
    ] == [
        0,
        0,
        1,
        2,
        2,
    ]


def test_a_translated_player_is_the_same_at_its_own_table() -> None:
    game = bucketed_limit_holdem(evenly_cut((2, 3, 1, 2)))
    profile = random_profile(game, 4)
    chips = [
        played_by(
            [make_bucketed_player(profile, pot_multiple=pots), RANDOM], profile, 300, seed=3
        ).chips
        for pots in (None, 0.0, 1.0)
    ]
    assert (chips[0] == chips[1]).all()
    assert (chips[0] == chips[2]).all()


def translated_node(profile: BucketedProfile, kinds: list[list[int]], own: int) -> int:
    """Return the node where a translated player is, after the actions of each street, by the seats in turn.

    Written apart from the kernel: raises beyond the cap take back the own raise before, if there is one to take back.
    """
    tree, node = profile.game.tree, 0
    for street, actions in enumerate(kinds):
        if street:
            node += 1
        path = []
        for kind in actions:
            if tree.child[node, kind] < 0:
                node = path.pop()
                continue
            path.append(node)
            node = int(tree.child[node, kind])
    assert tree.actor[node] == own
    return node


@pytest.mark.parametrize("cap", [2, 3, 4])
def test_a_translated_player_acts_at_no_limit_as_where_its_raises_have_led(cap: int) -> None:
    game = bucketed_limit_holdem(evenly_cut((3, 2, 2, 2), seed=cap), raise_cap=cap)
    profile = pure_profile(game, cap + 10)
    players: list[Player] = [make_bucketed_player(profile, pot_multiple=0.5), RANDOM]
    played = cash(no_limit(1, 2), players, 150, stacks=1000, duplicates=True, seed=cap, record=True)
    met, beyond, deepest = 0, 0, 0
    for deal in range(150):
        for rotation in range(2):
            hand, names = (
                played.replay_hand(deal, rotation),
                played.list_names_at_table(rotation=rotation),
            )
            kinds: list[list[int]] = [[]]
            for moment, action in replay_actions(hand):
                while len(kinds) <= moment.street:
                    kinds.append([])
                kind = {FOLD: 0, CALL: 1}.get(action, RAISING)
                if names[moment.actor] == "bucketed":
                    own = int(moment.actor != moment.button)
                    node = translated_node(profile, kinds, own)
                    bucket = find_bucket(
                        game.buckets, moment.get_hole_cards(moment.actor), moment.board
                    )
                    wanted = int(
                        profile.decision_probabilities[game.tree.decision[node], bucket].argmax()
                    )
                    if wanted == RAISING and moment.legal_actions.min_raise_to is None:
                        wanted = 1
                    assert kind == wanted
                    if kind == RAISING:
                        half = moment.bet + (sum(moment.paid) + moment.legal_actions.to_call) / 2
                        low, high = (
                            moment.legal_actions.min_raise_to,
                            moment.legal_actions.max_raise_to,
                        )
                        assert action == int(min(max(half, low), high))
                    met, deepest = met + 1, max(deepest, moment.street)
                    beyond += kinds[-1].count(RAISING) >= cap
                kinds[-1].append(kind)
    assert met > 200
    assert beyond > 2
    assert deepest == 3


def test_make_bucketed_player_rejects_impossible_pot_multiple() -> None:
    profile = bucketed_limit_holdem(evenly_cut(2)).always_raise()
    with pytest.raises(SettingError, match="pot_multiple"):
        make_bucketed_player(profile, pot_multiple=-1.0)
