"""The tree search of Algorithm 1 on small games: levels, playouts, errors."""

import math
from fractions import Fraction

import pytest

from pokerlab import games
from pokerlab.core import GameError
from pokerlab.games import Chance, Decision, SequenceForm, Terminal, compile_rules
from pokerlab.games.efg_reader import GameTree
from pokerlab.solvers import beliefs as beliefs_module
from pokerlab.solvers.beliefs import make_belief_tree
from pokerlab.solvers.tree_search import SearchSettings, repeat_search, search_best_response
from tests.oracles.search import NEAR, average_of_playouts, claimed_to_seen
from tests.random_games import random_profile
from tests.refusals import refused

KUHN = games.kuhn()
UNIFORM = make_belief_tree(KUHN, 1).compute_beliefs(KUHN.uniform())
ERRORS = 4.0  # standard errors; one seed in 30,000 lies further out


def test_belief_tree_of_kuhn_poker_is_as_by_hand() -> None:
    root = UNIFORM.root
    assert (root.kind, root.beliefs) == ("chance", {"": 1.0})
    (hidden,) = root.children  # player 1's card is dealt unseen
    assert (hidden.label, hidden.events) == ("", ("J", "Q", "K"))
    assert hidden.beliefs == pytest.approx({"J": 1 / 3, "Q": 1 / 3, "K": 1 / 3})
    assert [child.label for child in hidden.children] == ["J", "Q", "K"]
    queen = hidden.children[1]
    assert (queen.kind, queen.player, queen.probability) == ("other", 0, pytest.approx(1 / 3))
    bet = queen.children[1]
    assert (bet.label, bet.kind, bet.player, bet.infoset) == ("bet", "decision", 1, "Q, bet")
    assert [(child.label, child.kind) for child in bet.children] == [
        ("pass", "terminal"),
        ("bet", "terminal"),
    ]
    assert [child.value for child in bet.children] == pytest.approx([-1.0, 0.0])
    assert repr(bet) == "<decision 'bet': value 0; J 0.5, K 0.5>"


def test_belief_tree_hides_simultaneous_actions() -> None:
    game = games.biased_rps()
    root = make_belief_tree(game, 1).compute_beliefs(game.uniform()).root
    (decision,) = root.children
    assert decision.kind == "decision"
    assert list(decision.beliefs.values()) == pytest.approx([1 / 3] * 3)


def test_belief_tree_shows_a_public_card_when_it_is_dealt() -> None:
    game = games.leduc(isomorphic=True)
    root = make_belief_tree(game, 0).compute_beliefs(game.uniform()).root
    jack = next(iter(root.children))
    after_checks = jack.children[0].children[0].children[0]
    assert after_checks.kind == "chance"
    assert [child.label for child in after_checks.children] == ["J", "Q", "K"]
    # With a jack in hand a public jack says that the other has none: 2 + 2 queens and kings.
    assert after_checks.children[0].beliefs == pytest.approx({"Q": 0.5, "K": 0.5})
    assert after_checks.children[1].beliefs == pytest.approx({"J": 0.25, "Q": 0.25, "K": 0.5})


def test_search_depth_counts_levels_below_the_root() -> None:
    # Player 1 decides at level 2: with depth 1 that is played from, with depth 2 searched.
    game = deep_choice([3.0, 1.0, 2.0])
    beliefs = make_belief_tree(game, 0).compute_beliefs(game.uniform())
    once = [
        search_best_response(beliefs, SearchSettings(depth=d, iterations=2), seed=1).value
        for d in (1, 2)
    ]
    assert once == [2.0, 3.0]


def test_playouts_try_every_action_before_one_twice() -> None:
    game = deep_choice([3.0, 1.0, 2.0])
    beliefs = make_belief_tree(game, 0).compute_beliefs(game.uniform())
    greedy = {
        n: search_best_response(
            beliefs, SearchSettings(depth=1, iterations=n, exploration=1e-9), seed=1
        ).value
        for n in (1, 2, 3, 4, 300)
    }
    assert greedy == pytest.approx({1: 3.0, 2: 2.0, 3: 2.0, 4: 2.25, 300: 3.0 - 3.0 / 300})


def test_exploration_scales_with_the_payoff_range() -> None:
    small, large = (deep_choice([scale * u for u in (3.0, 1.0, 2.0)]) for scale in (1.0, 1000.0))
    settings = SearchSettings(depth=1, iterations=50)
    values = [
        search_best_response(
            make_belief_tree(game, 0).compute_beliefs(game.uniform()), settings, seed=1
        ).value
        for game in (small, large)
    ]
    assert values[1] == pytest.approx(1000.0 * values[0])
    # By hand: C = 2 sqrt(2); after 1, 2, 3 and ties by order.
    assert values[0] == pytest.approx(average_of_playouts([3.0, 1.0, 2.0], 50, 2.0 * math.sqrt(2)))


def deep_choice(payoffs: list[float]) -> SequenceForm:
    """Return a game for one in which a choice comes after two deals of a single card."""
    actions = "abc"[: len(payoffs)]
    deal = Chance({"card": Fraction(1)})
    turns = (deal, deal, Decision(0, "choice", tuple(actions)))
    ends = tuple(Terminal((Fraction(u),)) for u in payoffs)
    following = ({"card": 1}, {"card": 2}, {a: 3 + k for k, a in enumerate(actions)}, {}, {}, {})
    return compile_rules(GameTree("a choice", 1, False, turns + ends, following))


@pytest.mark.parametrize("player", [0, 1])
def test_search_with_more_playouts_finds_more(player: int) -> None:
    game = games.leduc(isomorphic=True)
    beliefs = make_belief_tree(game, player).compute_beliefs(random_profile(game, 5))
    deficits = []
    for iterations in (100, 1000, 10_000):
        settings = SearchSettings(depth=1, iterations=iterations, exploration=0.5)
        estimate = repeat_search(beliefs, settings, 20, seed=6)
        deficits.append(beliefs.value - estimate.value)
        assert deficits[-1] > ERRORS * estimate.standard_error
    assert deficits[0] > 1.5 * deficits[1] > 3.0 * deficits[2]


def test_standard_error_equals_the_spread_over_seeds() -> None:
    """Of one search from its playouts, and of several from how far they lie apart."""
    game = games.leduc(isomorphic=True)
    beliefs = make_belief_tree(game, 0).compute_beliefs(random_profile(game, 5))
    settings = SearchSettings(depth=2, iterations=30)
    once = [search_best_response(beliefs, settings, seed=seed) for seed in range(200)]
    several = [repeat_search(beliefs, settings, 10, seed=seed) for seed in range(200)]
    for estimates in (once, several):
        ratio = claimed_to_seen((found.value, found.standard_error) for found in estimates)
        assert NEAR[0] < ratio < NEAR[1]


def test_playout_adds_one_state_to_the_tree() -> None:
    """What comes after the new node is chosen by luck, and not remembered.

    In the third playout the root has tried both actions and returns to the better one. Below it
    the first action is new still, whichever the first playout went on with.
    """
    deal = Chance({"card": Fraction(1)})
    turns = (deal, deal, Decision(0, "first", ("a", "b")), Decision(0, "then", ("c", "d")))
    ends = tuple(Terminal((Fraction(u),)) for u in (-10, 1, 0))
    following = ({"card": 1}, {"card": 2}, {"a": 3, "b": 4}, {"c": 5, "d": 6}, {}, {}, {})
    game = compile_rules(GameTree("two choices", 1, False, turns + ends, following))
    beliefs = make_belief_tree(game, 0).compute_beliefs(game.uniform())
    one, three = (
        [
            n
            * search_best_response(beliefs, SearchSettings(depth=1, iterations=n), seed=seed).value
            for seed in range(20)
        ]
        for n in (1, 3)
    )
    assert set(one) == {0.0, 1.0}
    assert three == pytest.approx([first - 10.0 + 1.0 for first in one])


def test_search_deeper_than_all_choices_plays_nothing_out() -> None:
    game = games.kuhn(3)
    beliefs = make_belief_tree(game, 2).compute_beliefs(game.uniform())
    estimate = repeat_search(beliefs, SearchSettings(depth=8, iterations=1), 2, seed=1)
    assert estimate.runs == (beliefs.value, beliefs.value)
    assert estimate.standard_error == 0.0


def test_search_with_the_same_seed_repeats() -> None:
    settings = SearchSettings(depth=1, iterations=20)
    first, again, other = (
        search_best_response(UNIFORM, settings, seed=seed).value for seed in (1, 1, 2)
    )
    assert first == again != other
    assert search_best_response(UNIFORM, settings, seed=1, index=(0, 1)).value != first
    runs = repeat_search(UNIFORM, settings, 3, seed=1)
    assert runs.runs[2] == search_best_response(UNIFORM, settings, seed=1, index=(2, 0)).value
    assert math.isnan(repeat_search(UNIFORM, settings, 1, seed=1).standard_error)


test_search_rejects_bad_settings = refused(
    (lambda: SearchSettings(depth=0), "depth is 0; it must be an integer from 1"),
    (lambda: SearchSettings(depth=-1), "depth is -1; it must be an integer from 1"),
    (lambda: SearchSettings(depth=2.0), "depth is 2.0; it must be an integer"),
    (lambda: SearchSettings(iterations=0), "iterations is 0; it must be an integer"),
    (lambda: SearchSettings(iterations=True), "iterations is True; it must be"),
    (lambda: SearchSettings(exploration=0.0), "exploration is 0.0"),
    (lambda: SearchSettings(exploration=math.nan), "exploration is nan"),
    (lambda: SearchSettings(exploration="1"), "exploration is '1'"),
    (lambda: repeat_search(UNIFORM, SearchSettings(), 0, seed=1), "repeats is 0; it must be an"),
    (lambda: search_best_response(UNIFORM, SearchSettings(), seed=-1), "seed is -1"),
    (lambda: make_belief_tree(KUHN, 2), "player index in KP(2) is 2; it must be an"),
    (
        lambda: make_belief_tree(KUHN, 0).compute_beliefs(games.kuhn(3).uniform()),
        GameError,
        "profile belongs",
    ),
)


def test_belief_tree_rejects_games_with_too_many_histories(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beliefs_module, "MOST_TERMINALS", 779)
    with pytest.raises(GameError, match="780 histories of 13-card poker end the hand, too many"):
        make_belief_tree(games.one_card_poker(13), 0)
