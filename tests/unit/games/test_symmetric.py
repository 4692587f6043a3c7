"""Symmetric games made from compiled ones: what a strategy is, what it wins, what is refused."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import POINTS, GameError, ShapeError, Unit, random_stream
from pokerlab.games import Chance, Decision, Profile, Terminal, compile_rules
from pokerlab.games.rules import Turn
from pokerlab.games.symmetric import CompiledSymmetric, compound, describe_asymmetry, self_play
from tests.refusals import refused

ROCK, PAPER, SCISSORS = ([1, *hand] for hand in np.eye(3, dtype=int))
KUHN = pl.games.kuhn()
EIGHT = pl.games.one_card_poker(8)
ROUNDING = 1e-12  # sums of a few hundred products


def some_strategies(game: CompiledSymmetric, count: int) -> np.ndarray:
    """Return a walk of mutants from the start, (count, d)."""
    rng = random_stream(1, "walk")
    walk = [game.default_start]
    while len(walk) < count:
        walk.append(game.draw_mutant(walk[-1], rng))
    return np.array(walk)


def test_rock_paper_scissors_has_the_papers_table() -> None:
    game = self_play(pl.games.rock_paper_scissors())
    hands = game.validate_strategies([ROCK, PAPER, SCISSORS])
    assert game.payoffs(hands, hands).tolist() == [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    assert game.default_start.tolist() == ROCK


@pytest.mark.parametrize(
    "game", [compound(KUHN), compound(EIGHT), self_play(pl.games.biased_rps())]
)
def test_payoffs_are_antisymmetric(game: CompiledSymmetric) -> None:
    pool = some_strategies(game, 20)
    payoffs = game.payoffs(pool, pool)
    assert np.abs(payoffs + payoffs.T).max() <= ROUNDING
    assert payoffs[:3] == pytest.approx(game.payoffs(pool[:3], pool), abs=ROUNDING)
    assert payoffs[:, :3] == pytest.approx(game.payoffs(pool, pool[:3]), abs=ROUNDING)


def test_compound_sums_both_roles() -> None:
    game = compound(KUHN)
    pool = some_strategies(game, 12)
    profiles = [game.make_profile(strategy[None, :], np.ones(1)) for strategy in pool]
    for x, y in [(0, 5), (3, 11), (7, 2)]:
        first = KUHN.values(profiles[y].replace(0, profiles[x]))[0]
        second = KUHN.values(profiles[x].replace(0, profiles[y]))[1]
        won = game.payoffs(pool[[x]], pool[[y]])[0, 0]
        assert won == pytest.approx(first + second, abs=ROUNDING)


@pytest.mark.parametrize("game", [compound(EIGHT), self_play(pl.games.biased_rps())])
def test_no_mutant_beats_the_best_response(game: CompiledSymmetric) -> None:
    pool = some_strategies(game, 60)
    mix = np.append(np.full(4, 0.25), np.zeros(56))
    reply = game.best_response(pool, mix)
    best = game.payoffs(reply[None, :], pool)[0] @ mix
    assert best >= (game.payoffs(pool, pool) @ mix).max() - ROUNDING
    assert game.validate_strategies(reply).tolist() == reply.tolist()


def test_the_best_response_in_a_compound_game_gains_nash_conv() -> None:
    game = compound(KUHN)
    pool = some_strategies(game, 8)
    mix = np.full(8, 1 / 8)
    reply = game.best_response(pool, mix)
    won = game.payoffs(reply[None, :], pool)[0] @ mix
    assert won == pytest.approx(KUHN.nash_conv(game.make_profile(pool, mix)), abs=ROUNDING)


def test_plan_of_mixture_is_the_average_plan() -> None:
    game = compound(KUHN)
    pool, mix = some_strategies(game, 6), np.array([0.5, 0.0, 0.25, 0.0, 0.125, 0.125])
    profile = game.make_profile(pool, mix)
    average = mix @ pool
    assert profile.plan(0) == pytest.approx(average[:13], abs=ROUNDING)
    assert profile.plan(1) == pytest.approx(average[13:], abs=ROUNDING)


def test_strategy_and_profile_are_inverse() -> None:
    game = compound(EIGHT)
    for strategy in some_strategies(game, 10):
        profile = game.make_profile(strategy[None, :], np.ones(1))
        plans = [profile.plan(0), profile.plan(1)]
        assert np.concatenate(plans).tolist() == strategy.tolist()
    always_bet = Profile(EIGHT, [0.0, 1.0] * 32)
    assert game.make_strategy(always_bet).sum() == 2 + 8 + 16  # the gambler bets at once


@pytest.mark.parametrize("game", [compound(KUHN), compound(EIGHT)])
def test_mutant_draws_actions_below_a_new_action(game: CompiledSymmetric) -> None:
    """Who has always bet and passes for once may be bet at, and then folds or calls."""
    parent, rng = (
        game.make_strategy(np.tile([0.0, 1.0], len(game.game.num_actions))),
        random_stream(3, "mutants"),
    )
    drawn = 0
    mutants = np.array([game.draw_mutant(parent, rng) for _ in range(400)])
    for begin, _, (parents, first, size) in game.role_treeplexes:
        for before, start, actions in zip(parents + begin, first + begin, size, strict=True):
            if not parent[before] and mutants[:, before].any():
                assert mutants[:, start : start + actions].any(axis=0).all()
                drawn += 1
    assert drawn == game.game.num_infosets[0] / 2


@pytest.mark.parametrize("game", [compound(KUHN), compound(pl.games.leduc())])
def test_mutant_differs_from_parent_at_one_infoset(game: CompiledSymmetric) -> None:
    rng = random_stream(2, "mutants")
    parent = game.default_start
    for _ in range(20):
        mutant = game.draw_mutant(parent, rng)
        game.validate_strategies(mutant)
        left = sum(
            int(parent[b + f : b + f + k].any() and mutant[b + p])
            and int((parent[b + f : b + f + k] != mutant[b + f : b + f + k]).any())
            for b, _, (parents, first, sizes) in game.role_treeplexes
            for p, f, k in zip(parents, first, sizes, strict=True)
        )
        assert left == 1
        parent = mutant


@dataclass(frozen=True)
class Simultaneous:
    """Everybody chooses 'a' or 'b' without seeing the others; `payoffs` are by player, then by choices."""

    payoffs: np.ndarray
    name: str = "simultaneous game"
    unit: Unit = POINTS
    zero_sum: bool = False

    @property
    def num_players(self) -> int:
        return len(self.payoffs)

    def start(self) -> str:
        return ""

    def turn(self, history: str) -> Turn:
        if len(history) < self.num_players:
            return Decision(len(history), f"choice {len(history)}", ("a", "b"))
        return Terminal(tuple(int(p[tuple(map("ab".index, history))]) for p in self.payoffs))

    def after(self, history: str, action: str) -> str:
        return history + action


def symmetric_payoffs(players: int, seed: int) -> np.ndarray:
    """Return what each wins, decided by its own choice and the number of all who choose 'b'."""
    table = random_stream(seed, "payoffs").integers(-5, 6, (2, players + 1))
    choices = np.indices((2,) * players)
    return table[choices, choices.sum(axis=0)]


def is_symmetric(payoffs: np.ndarray) -> bool:
    """Return whether the game stays the same however players are renumbered: the definition."""
    return all(
        np.array_equal(payoffs[list(order)].transpose(0, *(1 + p for p in order)), payoffs)
        for order in permutations(range(len(payoffs)))
    )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_find_asymmetry_agrees_with_the_definition(players: int) -> None:
    payoffs = symmetric_payoffs(players, players)
    assert is_symmetric(payoffs)
    assert describe_asymmetry(compile_rules(Simultaneous(payoffs))) is None
    for cell in np.ndindex(payoffs.shape):
        changed = payoffs.copy()
        changed[cell] += 1
        assert not is_symmetric(changed)
        assert "wins" in str(describe_asymmetry(compile_rules(Simultaneous(changed))))


def test_find_asymmetry_of_payoffs_that_are_all_zero_finds_none() -> None:
    assert describe_asymmetry(pl.games.bimatrix([[0, 0], [0, 0]], [[0, 0], [0, 0]])) is None


@pytest.mark.parametrize("scale", [1e-14, 1.0, 1e14])
def test_find_asymmetry_does_not_depend_on_the_unit(scale: float) -> None:
    first, second = np.array([[0.1 + 0.2, 3], [-1, 0]]), np.array([[0.3, -1], [3, 0]])
    assert describe_asymmetry(pl.games.bimatrix(scale * first, scale * second)) is None
    first[0, 1] += 1e-6
    assert describe_asymmetry(pl.games.bimatrix(scale * first, scale * second)) is not None


class PublicCoin:
    """A duel by chances to win, (2, 2, 2): both see a coin, and then choose 'a' or 'b' at once."""

    name, num_players, unit, zero_sum = "public coin", 2, POINTS, False

    def __init__(self, chances: np.ndarray) -> None:
        self.chances = chances

    def start(self) -> str:
        return ""

    def turn(self, history: str) -> Turn:
        if not history:
            return Chance({"0": Fraction(1, 4), "1": Fraction(3, 4)})
        if len(history) < 3:
            return Decision(len(history) - 1, f"coin {history[0]}", ("a", "b"))
        coin, one, other = ("01ab".index(word) % 2 for word in history)
        wins = Fraction(int(self.chances[coin, one, other]), 100)
        return Terminal((wins, 1 - wins))

    def after(self, history: str, action: str) -> str:
        return history + action


def test_payoffs_of_a_constant_sum_game_with_chance_count_from_a_half() -> None:
    beyond = random_stream(1, "chances").integers(-25, 26, (2, 2, 2))
    beyond -= beyond.transpose(0, 2, 1)
    game = self_play(compile_rules(PublicCoin(50 + beyond)))
    strategies = some_strategies(game, 6)
    mixes = strategies[:, 1:].reshape(-1, 2, 2)
    wanted = np.einsum("c,mca,cab,ncb->mn", [0.25, 0.75], mixes, beyond / 100, mixes)
    assert wanted.any()
    assert game.payoffs(strategies, strategies) == pytest.approx(wanted, abs=ROUNDING)


def of(row: list[list[float]], column: list[list[float]]) -> Callable[[], Any]:
    return lambda: self_play(pl.games.bimatrix(row, column))


def checked(*strategy: float) -> Callable[[], Any]:
    return lambda: self_play(pl.games.rock_paper_scissors()).validate_strategies(strategy)


test_what_is_not_symmetric_or_no_strategy_is_refused = refused(
    (lambda: self_play(KUHN), GameError, "do not have the same choices (6 and 6 information sets"),
    (lambda: self_play(KUHN), GameError, "Use games.compound(game)"),
    (
        of([[1, -1], [-1, 1]], [[-1, 1], [1, -1]]),
        GameError,
        "with 'row 1' at 'row' and 'column 1' at 'column', player 1 wins 1; with the strategies of players"
        " 1 and 2 exchanged, player 2 wins -1.",
    ),
    (
        of([[0, 1], [-0.99, 0]], [[0, -1], [0.99, 0]]),
        GameError,
        "'column 2' at 'column', player 1 wins 1; with the strategies of players 1 and 2 exchanged, player 2"
        " wins 0.99.",
    ),
    (of([[1, -1, 0]], [[-1, 1, 0]]), GameError, "1 and 1 information sets, 2 and 4 seq"),
    *(
        (partial(make, game), GameError, words)
        for make in (self_play, compound)
        for game, words in (
            (pl.games.kuhn(3), "KP(3) has 3 players"),
            (pl.games.identical_payoffs([[1, 0], [0, 1]]), "is a general-sum game"),
        )
    ),
    (checked(1, 1, 0), ShapeError, "needs (4,) or (k, 4)"),
    (checked(1, 1, 1, 0), "not a pure realization plan"),
    (checked(0, 0, 0, 0), "not a pure realization plan"),
    (checked(1, 0.5, 0.5, 0), "zeros and ones"),
    (checked(1, -1, 1, 1), "zeros and ones"),
    (lambda: compound(KUHN).make_strategy(KUHN.uniform()), "a strategy is pure"),
)


def test_equal_games_have_equal_fingerprints_and_roles_count() -> None:
    rps = pl.games.rock_paper_scissors()
    assert compound(rps).fingerprint == compound(rps).fingerprint
    assert len({compound(rps).fingerprint, self_play(rps).fingerprint, rps.fingerprint}) == 3
