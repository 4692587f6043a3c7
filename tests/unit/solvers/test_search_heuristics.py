"""Search heuristics: what they propose, what decides ties, and what they refuse."""

from typing import Any

import numpy as np
import pytest

from pokerlab import games
from pokerlab.core import GameError, SettingError, ShapeError, UnknownNameError, random_stream
from pokerlab.core.arrays import Floats
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.tree_passes import compute_gradients, compute_plans
from pokerlab.solvers import (
    CFR,
    PSRO,
    BestResponse,
    DoubleOracle,
    EvolutionarySearch,
    Mutants,
    NashMemory,
    ParallelNashMemory,
    RandomSearch,
    ZeroSumProgram,
)
from pokerlab.solvers.search_heuristics import (
    compute_pure_utilities,
    make_pure_behavior,
    mutate_choices,
)
from pokerlab.solvers.subgame import InteriorPointProgram
from tests.random_games import random_profile
from tests.refusals import refused

KUHN = games.kuhn()
EIGHT = games.one_card_poker(8)


def plan_of(profile: Profile) -> Floats:
    return compute_plans(profile.game.block, profile.probabilities)


def won(profile: Profile, behavior: Floats) -> list[float]:
    """What each player wins by switching to the own part of `behavior`."""
    game = profile.game
    reply = Profile(game, behavior)
    return [
        float(game.values(profile.replace(p, reply))[p] - game.values(profile)[p])
        for p in range(game.num_players)
    ]


def always(game: SequenceForm, action: int) -> Profile:
    return Profile(game, make_pure_behavior(game, np.full(len(game.num_actions), action)))


@pytest.mark.parametrize("game", [KUHN, games.kuhn(3), games.two_round_poker()], ids=repr)
def test_pure_utilities_are_the_values_of_the_profiles(game: SequenceForm) -> None:
    rng = np.random.default_rng(4)
    profile = random_profile(game, 4)
    gradient = compute_gradients(game.block, plan_of(profile))
    choices = rng.integers(game.num_actions, size=(5, len(game.num_actions)))
    for player in range(game.num_players):
        utilities = compute_pure_utilities(game, player, gradient, choices)
        for utility, strategy in zip(utilities, choices, strict=True):
            own = Profile(game, make_pure_behavior(game, strategy))
            assert np.isclose(utility, game.values(profile.replace(player, own))[player])


@pytest.mark.parametrize("ties", ["first", "evenly"])
@pytest.mark.parametrize("unreached", ["uniform", "first", "random"])
@pytest.mark.parametrize(
    "game", [KUHN, EIGHT, games.kuhn(3), games.two_round_poker(), games.leduc()], ids=repr
)
def test_best_response_gains_what_the_game_allows(
    game: SequenceForm, unreached: str, ties: str
) -> None:
    """Also against pure strategies, and where actions are tied."""
    reply = BestResponse(unreached=unreached, ties=ties, seed=1)
    drawn = (random_profile(game, seed) for seed in range(3))
    for profile in (game.uniform(), always(game, 0), always(game, 1), *drawn):
        behavior = reply.propose_behavior(game, plan_of(profile), 0)
        assert ties == "evenly" or set(behavior.tolist()) <= {0.0, 1.0}
        assert won(profile, behavior) == pytest.approx(game.gains(profile).tolist(), abs=1e-12)


def test_best_response_at_unreached_sets_follows_its_rule() -> None:
    """Nobody ever bets: what the best card does when bet at is tied, until a slip is thought of."""
    passing = always(KUHN, 0)
    proposals = {
        rule: Profile(
            KUHN, BestResponse(unreached=rule).propose_behavior(KUHN, plan_of(passing), 0)
        )
        for rule in ("uniform", "first")
    }
    first, second = KUHN.infoset_label[:6], KUHN.infoset_label[6:]
    facing = next(label for label in second if label.startswith("K") and "bet" in label)
    assert len(first) == len(second) == 6
    assert list(proposals["first"].action_probabilities(1, facing).values()) == [1.0, 0.0]
    assert list(proposals["uniform"].action_probabilities(1, facing).values()) == [0.0, 1.0]


def test_random_slips_depend_on_the_round_alone() -> None:
    game, reply = games.leduc(), BestResponse(unreached="random", seed=1)
    plan = plan_of(always(game, 0))
    proposals = [reply.propose_behavior(game, plan, round_).tobytes() for round_ in range(5)]
    assert len(set(proposals)) > 1
    assert reply.propose_behavior(game, plan, 3).tobytes() == proposals[3]


def test_best_response_with_even_ties_mixes_equally_good_actions() -> None:
    """Against a dealer who chooses at random the best card wins as much by a bet as by a check; a king does not."""
    plan = plan_of(EIGHT.uniform())
    even = Profile(EIGHT, BestResponse(ties="evenly").propose_behavior(EIGHT, plan, 0))
    assert even.action_probabilities(0, "A") == {"pass": 0.5, "bet": 0.5}
    assert even.action_probabilities(0, "K") == {"pass": 0.0, "bet": 1.0}
    first = Profile(EIGHT, BestResponse().propose_behavior(EIGHT, plan, 0))
    assert first.action_probabilities(0, "A") == {"pass": 1.0, "bet": 0.0}
    passing = plan_of(always(EIGHT, 0))
    nobody = Profile(
        EIGHT, BestResponse(unreached="first", ties="evenly").propose_behavior(EIGHT, passing, 0)
    )
    assert nobody.action_probabilities(1, "A, bet") == {"pass": 0.5, "bet": 0.5}


@pytest.mark.parametrize("unit", [1, 2**20])
def test_even_ties_of_large_payoffs_ignore_rounding(unit: int) -> None:
    """All three rows win 0.3 units, but the sum of 0.1 and 0.2 is rounded to a larger number than 0.3."""
    payoffs = unit * np.array([[0, 0, 1, 0], [1, 1, 0, 0], [3, 0, 0, 0]])
    game = games.bimatrix(payoffs, -payoffs)
    profile = Profile(game, [1, 0, 0, 0.1, 0.2, 0.3, 0.4])
    reply = BestResponse(ties="evenly", unreached="first")
    behavior = reply.propose_behavior(game, plan_of(profile), 0)
    assert behavior[:3].tolist() == [1 / 3, 1 / 3, 1 / 3]


def test_best_response_with_large_tremble_shrinks_it() -> None:
    """Row 2 wins 100 after a slip and loses 0.0001 without: a slip must not decide between them."""
    game = games.bimatrix([[0, 0], [-0.0001, 100]], [[0, 0], [0.0001, -100]])
    behavior = BestResponse(tremble=0.1).propose_behavior(game, plan_of(always(game, 0)), 0)
    assert behavior[:2].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("unit", [1, 2**20])
def test_tremble_decides_between_rows_equal_up_to_rounding(unit: int) -> None:
    """Both rows win 0.3 units, row 1 after rounding more. Row 2 wins more against a column player who trembles."""
    payoffs = unit * np.array([[1, 1, 0, 0], [2, 1, 1, -1]])
    game = games.bimatrix(payoffs, -payoffs)
    profile = Profile(game, [1, 0, 0.1, 0.2, 0.3, 0.4])
    behavior = BestResponse().propose_behavior(game, plan_of(profile), 0)
    assert behavior[:2].tolist() == [0.0, 1.0]


def test_evolutionary_search_improves_with_generations() -> None:
    profile, gains = random_profile(EIGHT, 1), []
    for generations in (1, 10, 200):
        search = EvolutionarySearch(seed=3, generations=generations)
        gains.append(sum(won(profile, search.propose_behavior(EIGHT, plan_of(profile), 0))))
    assert gains == sorted(gains)
    assert gains[-1] == pytest.approx(EIGHT.gains(profile).sum(), abs=0.02)


def test_evolutionary_search_drifts_where_all_win_the_same() -> None:
    """Where everything wins the same a population still drifts."""
    game = games.bimatrix(np.zeros((50, 2)), np.zeros((50, 2)))
    plan = plan_of(always(game, 0))
    proposals = {
        EvolutionarySearch(seed=1, generations=count).propose_behavior(game, plan, 0).tobytes()
        for count in range(1, 6)
    }
    assert len(proposals) == 5


def test_mutate_choices_draws_at_least_one_choice_anew() -> None:
    parents, actions = np.zeros((40, 100), dtype=np.int64), np.full(100, 10**6)
    mutants = mutate_choices(random_stream(1, "mutants"), parents, actions)
    changed = np.count_nonzero(mutants, axis=1)
    assert changed.min() == 1
    assert 1.5 < changed.mean() < 2.5  # one for sure, and one of a hundred on average


def test_random_search_keeps_its_share_of_best_responses() -> None:
    profile = random_profile(EIGHT, 1)
    plan, reply = plan_of(profile), BestResponse().propose_behavior(EIGHT, plan_of(profile), 0)

    def share(asked: float) -> float:
        search = RandomSearch(seed=2, best_response_share=asked)
        return float(
            np.mean([(search.propose_behavior(EIGHT, plan, r) == reply).all() for r in range(400)])
        )

    assert share(0.0) == 0.0
    assert share(1.0) == 1.0
    assert share(0.25) == pytest.approx(0.25, abs=4 * np.sqrt(0.25 * 0.75 / 400))


def test_search_heuristics_draw_by_seed_and_round_alone() -> None:
    plan = plan_of(EIGHT.uniform())
    for search in (RandomSearch, EvolutionarySearch):
        once, again = search(seed=1), search(seed=1)
        assert (
            once.propose_behavior(EIGHT, plan, 7) == again.propose_behavior(EIGHT, plan, 7)
        ).all()
        assert (
            once.propose_behavior(EIGHT, plan, 7) != once.propose_behavior(EIGHT, plan, 8)
        ).any()
        assert (
            once.propose_behavior(EIGHT, plan, 7) != search(seed=2).propose_behavior(EIGHT, plan, 7)
        ).any()


INFINITE, NAN = float("inf"), float("nan")
test_search_heuristics_reject_bad_parameters = refused(
    (lambda: BestResponse(unreached="bold"), UnknownNameError, "rule for unreached information"),
    (lambda: BestResponse(ties="both"), UnknownNameError, "no rule for ties 'both'"),
    (lambda: BestResponse(unreached="random"), "seed is None; it must be an integer"),
    (lambda: BestResponse(unreached="first", seed=-1), "seed is -1; it must be an integer"),
    (lambda: RandomSearch(seed=1, best_response_share=1.5), "best_response_share is 1.5; it must"),
    (lambda: EvolutionarySearch(seed=1, generations=0), "generations is 0; it must be an integer"),
    *(
        ((lambda t=t: BestResponse(tremble=t)), "it must be a number from 1e-15 to 0.1")
        for t in (0.0, 1e-16, -1e-6, 0.2, NAN, "much", None)
    ),
    *(
        (
            (lambda s=s: RandomSearch(seed=s).propose_behavior(KUHN, plan_of(KUHN.uniform()), 0)),
            "seed is ",
        )
        for s in (None, 1.5, NAN, "one")
    ),
    *(
        ((lambda k=k, v=v: EvolutionarySearch(seed=1, **{k: v})), f"{k} is {v}; it must be an int")
        for k in ("generations", "offspring")
        for v in (1.5, NAN, INFINITE, None)
    ),
    *(
        ((lambda p=p, t=t: p(tolerance=t)), "it must be a number from 0 to")
        for p in (ZeroSumProgram, InteriorPointProgram)
        for t in (NAN, INFINITE, -1.0, "small")
    ),
)


def first_actions(game: SequenceForm) -> Floats:
    return make_pure_behavior(game, np.zeros_like(game.num_actions))


RUBBISH: dict[str, Any] = {
    "too few": lambda game: np.ones(3),
    "a row": lambda game: first_actions(game)[None, :],
    "nothing": lambda game: None,
    "a word": lambda game: "fold",
    "a profile": lambda game: game.uniform(),
    "NaN": lambda game: np.full(game.num_probabilities, np.nan),
    "infinite": lambda game: np.full(game.num_probabilities, np.inf),
    "almost pure": lambda game: first_actions(game) * (1.0 - 1e-9),
    "no action": lambda game: np.zeros(game.num_probabilities),
    "every action": lambda game: np.ones(game.num_probabilities),
    "negative": lambda game: -first_actions(game),
}
"""What no search heuristic may return."""


@pytest.mark.parametrize("rubbish", RUBBISH)
def test_memory_rejects_invalid_tests_of_a_heuristic(rubbish: str) -> None:
    def careless(state: Any) -> Any:
        return RUBBISH[rubbish](state.game)

    memories: list[Any] = [
        ParallelNashMemory(KUHN, heuristic=careless),
        PSRO(KUHN, subgame=ZeroSumProgram(), heuristic=careless),
        DoubleOracle(KUHN, heuristic=careless),
    ]
    for memory in memories:
        with pytest.raises((ShapeError, SettingError), match=r"function proposed .* in KP\(2\)"):
            memory.step(memory.init(), 2)


@pytest.mark.parametrize("rubbish", [None, "fold", [1, 2], np.ones((2, 26)), np.full(26, np.nan)])
def test_symmetric_memory_rejects_invalid_tests_of_a_heuristic(rubbish: Any) -> None:
    memory = NashMemory(games.compound(KUHN), heuristic=lambda state: rubbish)
    with pytest.raises((ShapeError, SettingError), match=r"strateg.* compound KP\(2\)"):
        memory.step(memory.init(), 2)


def test_memory_of_pure_strategies_rejects_mixed_ones() -> None:
    mixed = BestResponse(unreached="first", ties="evenly")
    for memory in (
        DoubleOracle(EIGHT, heuristic=mixed),
        NashMemory(games.compound(EIGHT), heuristic=mixed),
    ):
        with pytest.raises(SettingError, match="proposed mixed strategies in 8-card poker, where"):
            memory.step(memory.init(), 2)  # type: ignore[attr-defined]


def test_memory_rejects_parts_that_do_not_fit() -> None:
    """A class instead of an instance, or a heuristic for another kind of game."""
    pair, numbers = games.compound(KUHN), games.intransitive_numbers()
    makes = (
        lambda part: ParallelNashMemory(KUHN, heuristic=part),
        lambda part: PSRO(KUHN, subgame=ZeroSumProgram(), heuristic=part),
        lambda part: DoubleOracle(KUHN, heuristic=part),
    )
    for make in (*makes, lambda part: NashMemory(pair, heuristic=part)):
        for wrong in (BestResponse, "best response", lambda game, plan, round_: None):
            with pytest.raises(SettingError, match=r"not a search heuristic.*with state\."):
                make(wrong)
    for make in makes:
        with pytest.raises(GameError, match=r"Mutants are of .*; KP\(2\) is neither"):
            make(Mutants(seed=1))
    for wrong in (RandomSearch(seed=1), EvolutionarySearch(seed=1)):
        with pytest.raises(GameError, match="is not made from a compiled game"):
            NashMemory(numbers, heuristic=wrong)
    for wrong in (ZeroSumProgram, BestResponse, None, 3):
        with pytest.raises(SettingError, match=r"give a subgame solver.*LemkeHowson\(\)"):
            PSRO(KUHN, subgame=wrong)  # type: ignore[arg-type]


def test_step_rejects_the_state_of_another_solver() -> None:
    memory, oracle = ParallelNashMemory(KUHN), DoubleOracle(KUHN)
    pairs: list[tuple[Any, Any]] = [(memory, oracle), (oracle, memory), (memory, CFR(KUHN))]
    for solver, other in pairs:
        with pytest.raises(GameError, match=r"another solver's, a \w+; this one's are \w+States"):
            solver.step(other.init())


@pytest.mark.parametrize("kind", [np.bool_, np.int64, np.float32])
def test_memory_accepts_tests_of_any_numeric_type(kind: Any) -> None:
    memory = ParallelNashMemory(KUHN, heuristic=lambda state: BestResponse()(state).astype(kind))
    end, usual = memory.step(memory.init(), 20), ParallelNashMemory(KUHN)
    assert end.converged
    assert (end.payoffs == usual.step(usual.init(), 20).payoffs).all()
