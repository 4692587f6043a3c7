"""The public tree, profiles and exploitability of bucketed hold'em."""

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from pokerlab.core import GameError, ProbabilityError, SettingError, ShapeError, UnknownNameError
from pokerlab.holdem import CALL, FOLD, Hand, limit
from pokerlab.holdem.batched_tree import make_chance_matrices, normalize_to_exact_sum
from pokerlab.holdem.betting_tree import DEAL, DECISION, NODE_KINDS, SHOWDOWN, make_public_tree
from pokerlab.holdem.bucketed_holdem import BucketedHoldem, BucketedProfile, bucketed_limit_holdem
from pokerlab.holdem.hand import ACTIONS, RAISING
from tests.random_bucketed import random_buckets, random_profile, random_table
from tests.refusals import refused

CHIPS_A_SMALL_BET = 2
ROUNDING = 1e-12


@pytest.fixture(scope="module")
def game() -> BucketedHoldem:
    return bucketed_limit_holdem(random_buckets(6))


@pytest.mark.parametrize(
    ("counts", "words"),
    [(1, "1 bucket"), (6, "6 buckets"), ((2, 3, 4, 5), "2-3-4-5 buckets"), ((1, 1, 1, 2), "1-1-1-2 buckets")],
)  # fmt: skip
def test_game_name_counts_buckets_by_round(counts: Any, words: str) -> None:
    assert bucketed_limit_holdem(random_buckets(counts)).name == f"limit hold'em in {words}"


def test_bucketed_limit_holdem_rejects_true_after_one() -> None:
    buckets = random_buckets(2)
    assert bucketed_limit_holdem(buckets, raise_cap=1).tree.raise_cap == 1
    for strange in (True, 1.0, [1], None):
        with pytest.raises(SettingError, match="raise_cap is"):
            bucketed_limit_holdem(buckets, raise_cap=strange)  # type: ignore[arg-type]


def test_the_tree_has_the_known_size() -> None:
    tree = make_public_tree()
    assert tree.num_nodes == 17_221
    kinds = Counter(NODE_KINDS[kind] for kind in tree.kind)
    assert kinds == {"decision": 6_378, "deal": 637, "fold": 5_103, "showdown": 5_103}
    assert tree.num_starts == (1, 7, 63, 567)
    assert Counter(key.street for key in tree.situations) == {0: 8, 1: 10, 2: 10, 3: 10}
    assert len(set(tree.situations)) == 38


@pytest.mark.parametrize("cap", [1, 2, 4])
def test_public_tree_allows_the_actions_of_hands(cap: int) -> None:
    tree = make_public_tree(cap)
    rules = limit(CHIPS_A_SMALL_BET, cap=cap)
    seen = 0

    def walk(node: int, hand: Hand) -> None:
        nonlocal seen
        seen += 1
        if tree.kind[node] == DEAL:
            seen += 1
            node += 1
        assert tuple(CHIPS_A_SMALL_BET * tree.paid[node]) == hand.paid
        if tree.kind[node] != DECISION:
            assert hand.is_over
            assert (tree.kind[node] == SHOWDOWN) == (not any(hand.folded))
            assert tree.kind[node] == SHOWDOWN or hand.folded[tree.actor[node]]
            return
        assert (hand.actor, hand.street) == (tree.actor[node], tree.street[node])
        legal = hand.legal_actions
        fold, call, more = tree.child[node]
        assert (fold >= 0, more >= 0) == (legal.can_fold, legal.max_raise_to is not None)
        for child, action in ((fold, FOLD), (call, CALL), (more, legal.min_raise_to)):
            if child >= 0:
                walk(int(child), hand.after(action))

    walk(0, Hand.begin(rules, [1000, 1000], button=0, deal=np.arange(9)))
    assert seen == tree.num_nodes


def test_decisions_are_numbered_by_situation_and_start() -> None:
    tree = make_public_tree()
    at = tree.decision_node
    assert (tree.decision[at] == np.arange(6_378)).all()
    assert (np.diff(tree.situation) >= 0).all()
    for index, key in enumerate(tree.situations):
        mine = at[tree.situation == index]
        assert (tree.start[mine] == np.arange(tree.num_starts[key.street])).all()
        assert (tree.street[mine] == key.street).all()
        assert (tree.actor[mine] == (0 if key.button else 1)).all()
        seat = int(not key.button)
        assert (tree.num_raises[mine, seat] == key.own_raises).all()
        assert (tree.num_raises[mine, 1 - seat] == key.other_raises).all()


def test_fixed_profiles_take_their_actions(game: BucketedHoldem) -> None:
    legal = game.is_legal
    for action, profile in enumerate((game.always_fold(), game.always_call(), game.always_raise())):
        chances = profile.table
        assert (chances[legal[:, action], :, action] == 1.0).all()
        assert (chances[~legal[:, action], :, ACTIONS.index("call")] == 1.0).all()
    assert game.uniform().table[0, 0].tolist() == [1 / 3, 1 / 3, 1 / 3]


def test_best_response_of_ties_takes_the_first_action() -> None:
    """In one bucket every showdown is shared: nobody wins by raising who only calls."""
    game = bucketed_limit_holdem(random_buckets(1))
    reply = game.best_response(game.always_call(), 0).profile
    mine = game.tree.actor[game.tree.decision_node] == 0
    assert not reply.decision_probabilities[mine, 0, RAISING].any()


def test_rows_of_and_table_of_are_inverse() -> None:
    buckets = random_buckets((2, 3, 1, 4))
    game = bucketed_limit_holdem(buckets)
    given = random_profile(game, 3).decision_probabilities
    back = game.layout.convert_rows_to_table(game.layout.convert_table_to_rows(given))
    streets = np.array([key.street for key in game.tree.situations])[game.tree.situation]
    exists = np.arange(4) < np.array(buckets.counts)[streets][:, None]
    assert (back == np.where(exists[..., None], given, 0.0)).all()


def test_normalize_exactly_has_running_sums_of_one() -> None:
    rng = np.random.default_rng(1)
    for size in range(1, 40):
        chances = rng.dirichlet(np.full(size, 0.3))
        rounded = normalize_to_exact_sum(chances)
        assert np.add.accumulate(rounded)[-1] == 1.0
        assert rounded == pytest.approx(chances, abs=1e-15)
        assert (rounded >= 0.0).all()
    chance_matrices = make_chance_matrices(random_buckets((2, 3, 4, 5)))
    assert chance_matrices.shape == (5, 5, 5)
    assert not chance_matrices[0, 2:].any()
    assert np.add.accumulate(chance_matrices[4, 0])[-1] == 1.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.__setitem__((0, 2, 1), np.nan), "before the flop, button.*bucket 2.*0 to 1"),
        (lambda t: t.__setitem__((0, 2), [-0.5, 1.0, 0.5]), "fold -0.5.*numbers from 0 to 1"),
        (
            lambda t: t.__setitem__((8, 0), [0.5, 0.5, 0.0]),
            "on the flop, big blind.*needs something",
        ),
        (
            lambda t: t.__setitem__((13, 1), [0.0, 0.5, 0.5]),
            "on the flop, button, 2 own.*room below",
        ),
        (lambda t: t.__setitem__((37, 5), [0.5, 0.4, 0.0]), "on the river, big blind.*normalize"),
    ],
)
def test_impossible_tables_are_refused(game: BucketedHoldem, change: object, message: str) -> None:
    table = np.array(game.uniform().table)
    assert callable(change)
    change(table)
    with pytest.raises(ProbabilityError, match=message):
        BucketedProfile(game, table)
    with pytest.raises(ProbabilityError, match=message):
        BucketedProfile(game, table[game.tree.situation])


def test_numbers_of_buckets_that_a_street_lacks_are_not_read() -> None:
    game = bucketed_limit_holdem(random_buckets((1, 3, 3, 3)))
    table = np.array(game.uniform().table)
    table[0, 1] = 7.0
    profile = BucketedProfile(game, table)
    assert game.nash_conv(profile) == game.nash_conv(game.uniform())


def test_profile_pointer_may_join_situations(game: BucketedHoldem) -> None:
    first_river = [key.street for key in game.tree.situations].index(3)
    first_turn = [key.street for key in game.tree.situations].index(2)
    joined = np.where(
        game.tree.situation >= first_river,
        game.tree.situation - (first_river - first_turn),
        game.tree.situation,
    )
    table = random_table(game, 4).table
    profile = BucketedProfile(game, table, joined)
    spread = BucketedProfile(game, table[joined])
    assert not profile.is_by_situation
    assert game.nash_conv(profile) == pytest.approx(game.nash_conv(spread), abs=ROUNDING)


@pytest.mark.parametrize("first", [random_table, random_profile])
@pytest.mark.parametrize("second", [random_table, random_profile])
def test_replace_takes_one_seat_of_another_profile(
    game: BucketedHoldem, first: Any, second: Any
) -> None:
    one, two = first(game, 1), second(game, 2)
    actor = game.tree.actor[game.tree.decision_node]
    for player in range(2):
        mixed = one.replace(player, two)
        assert (
            mixed.decision_probabilities[actor == player]
            == two.decision_probabilities[actor == player]
        ).all()
        assert (
            mixed.decision_probabilities[actor != player]
            == one.decision_probabilities[actor != player]
        ).all()
        assert mixed.is_by_situation == (first is second is random_table)


def test_all_chances_and_the_cap_are_in_the_fingerprint() -> None:
    buckets, other = (random_buckets(2, seed=seed) for seed in (1, 2))
    each = [replace(buckets, **{n: vars(other)[n]}) for n in ("start", "transitions", "showdown")]
    games = [bucketed_limit_holdem(b, raise_cap=1) for b in (buckets, *each)]
    games.append(bucketed_limit_holdem(buckets, raise_cap=2))
    games.append(bucketed_limit_holdem(buckets, raise_cap=1, betting="as drawn"))
    assert len({game.fingerprint for game in games}) == len(games)


def test_check_profile_accepts_an_equal_game(game: BucketedHoldem) -> None:
    again = bucketed_limit_holdem(random_buckets(6))
    assert again.nash_conv(game.uniform()) == game.nash_conv(game.uniform())


GAME, OTHER = (bucketed_limit_holdem(random_buckets(6, seed=seed), raise_cap=2) for seed in (1, 2))
UNIFORM = GAME.uniform()
TABLE, WHERE = UNIFORM.table, GAME.tree.situation
test_what_does_not_fit_is_refused = refused(
    *((partial(make_public_tree, cap), "raise_cap is") for cap in (0, 7, True, 2.0)),
    (lambda: make_public_tree(2, "freely"), UnknownNameError, "betting"),
    (lambda: BucketedHoldem(GAME.buckets, 4), "Use bucketed_limit_holdem"),  # type: ignore[arg-type]
    (lambda: BucketedProfile(GAME, TABLE[:, :5]), ShapeError, "5, 3); limit hold'em in 6 buckets"),
    (lambda: BucketedProfile(GAME, TABLE[:-1]), ShapeError, "Start from game.uniform"),
    (lambda: BucketedProfile(GAME, 1.0), ShapeError, "shape ()"),
    (lambda: BucketedProfile(GAME, TABLE, WHERE + 1), ShapeError, f"0 to {len(TABLE) - 1}"),
    (lambda: BucketedProfile(GAME, TABLE, WHERE[:5]), ShapeError, "integers of shape"),
    (lambda: UNIFORM.replace(2, UNIFORM), "player index in limit hold'em in 6 buckets is 2"),
    (lambda: UNIFORM.replace(0, OTHER.uniform()), GameError, "belongs to"),
    (lambda: GAME.nash_conv(OTHER.uniform()), GameError, "belongs to"),
    (lambda: GAME.nash_conv(TABLE), GameError, "give game.uniform(), or BucketedProfile"),  # type: ignore[arg-type]
    (lambda: GAME.best_response(UNIFORM, 2), "an integer from 0 to 1"),
)
