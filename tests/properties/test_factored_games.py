"""A game that is compiled from its factors is the game that a walk over its tree compiles, bit for bit."""

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.core import CHIPS, GameError, Unit, random_stream
from pokerlab.games import Chance, Decision, Terminal, check_rules, compile_rules
from pokerlab.games.factored_games import BettingPosition, Deals, Factors
from pokerlab.games.rules import Number, Turn
from pokerlab.games.small_poker import TwoRoundPoker, make_leduc_rules, make_two_round_rules
from tests.random_games import Choose, chooser, drawing_from
from tests.same_arrays import assert_same_arrays


class WalkedPoker(TwoRoundPoker):
    """The same rules, of which the compiler knows no factors."""


def walked(rules: TwoRoundPoker) -> TwoRoundPoker:
    copy = object.__new__(WalkedPoker)
    vars(copy).update(vars(rules))
    return copy


@pytest.mark.parametrize(
    "rules",
    [
        make_leduc_rules(2),
        make_leduc_rules(2, isomorphic=True),
        make_two_round_rules("ranks"),
        make_two_round_rules("paired"),
        make_two_round_rules("paired", 1, isomorphic=True),
        pytest.param(make_leduc_rules(3, isomorphic=True), marks=pytest.mark.slow),
        pytest.param(make_leduc_rules(3), marks=pytest.mark.slow),
    ],
    ids=lambda rules: f"{rules.name} {len(rules.deck)}",
)
def test_the_two_round_games_are_those_of_a_walk(rules: TwoRoundPoker) -> None:
    assert_same_arrays(compile_rules(rules), compile_rules(walked(rules)))


@st.composite
def two_round_rules(draw: st.DrawFn) -> TwoRoundPoker:
    num_players, most_cards, most_bets = draw(st.sampled_from([(2, 5, 2), (3, 5, 1), (4, 5, 0)]))
    copies = draw(
        st.lists(st.integers(1, 3), min_size=1, max_size=most_cards).filter(
            lambda each: num_players < sum(each) <= most_cards
        )
    )
    return TwoRoundPoker(
        "some poker",
        num_players,
        dict(zip("23456789TJQKA", copies, strict=False)),
        (draw(st.integers(1, 5)), draw(st.integers(1, 5))),
        draw(st.integers(0, most_bets)),
        isomorphic=draw(st.booleans()),
    )


@given(two_round_rules())
def test_any_two_round_game_is_that_of_a_walk(rules: TwoRoundPoker) -> None:
    assert_same_arrays(compile_rules(rules), compile_rules(walked(rules)))


def test_a_deck_with_too_few_cards_is_refused() -> None:
    poker = TwoRoundPoker("no board", 2, {"J": 1, "K": 1}, (1, 1), 1, isomorphic=False)
    with pytest.raises(GameError, match=r"0 deals of round 2 of no board .* sum to 0, not to 1"):
        compile_rules(poker)
    with pytest.raises(GameError, match="list_factors of no board raises KeyError"):
        compile_rules(TwoRoundPoker("no board", 2, {"J": 1, "10": 2}, (1, 1), 1, isomorphic=True))


class OtherFactors(TwoRoundPoker):
    """Rules that list the factors of a game with other bets."""

    def list_factors(self) -> Factors:
        return make_two_round_rules("paired", 1).list_factors()


def test_check_rules_refuses_the_factors_of_another_game() -> None:
    rules = make_two_round_rules("paired", 1)
    assert check_rules(rules).warnings == ()
    other = OtherFactors("other", 2, dict.fromkeys("JQK", 2), (1, 2), 1, isomorphic=False)
    with pytest.raises(GameError, match="list_factors of other gives another game than start"):
        check_rules(other)


@dataclass(frozen=True)
class Dealt:
    """The cards of a random game up to some round: what each player has seen, and what may be dealt next."""

    seen: tuple[tuple[int, ...], ...]
    strengths: tuple[int, ...]
    chance: Fraction  # of this deal after the one before
    following: tuple["Dealt", ...] = ()


class History(NamedTuple):
    """A history of a random card game: the cards, the rounds that they cover, and the node of the betting tree."""

    dealt: Dealt
    num_rounds: int
    node: int


@dataclass(frozen=True)
class RandomCardGame:
    """A game with random deals, a random betting tree, and random payoffs."""

    num_players: int
    undealt: Dealt
    betting: tuple[BettingPosition, ...]
    stakes: tuple[int, ...]
    name: str = "some card game"
    unit: Unit = CHIPS
    zero_sum: bool = False

    def start(self) -> History:
        return History(self.undealt, 0, 0)

    def turn(self, history: History) -> Turn:
        dealt, num_rounds, index = history
        node = self.betting[index]
        if num_rounds <= node.round:
            return Chance({f"deal {k}": each.chance for k, each in enumerate(dealt.following)})
        if node.player >= 0:
            label = self.label(dealt.seen[node.player], node.history)
            return Decision(node.player, label, node.actions)
        best = max(dealt.strengths[player] for player in node.contenders)
        winners = (player for player in node.contenders if dealt.strengths[player] == best)
        return Terminal(self.pay(tuple(winners), node.history))

    def after(self, history: History, action: str) -> History:
        dealt, num_rounds, index = history
        node = self.betting[index]
        if num_rounds <= node.round:
            return History(dealt.following[int(action[5:])], num_rounds + 1, index)
        choice = node.actions.index(action)
        (below,) = (
            k for k, n in enumerate(self.betting) if (n.parent, n.action) == (index, choice)
        )
        return History(dealt, num_rounds, below)

    def label(self, seen: tuple[int, ...], history: str) -> str:
        return f"{history}:{seen}"

    def pay(self, winners: tuple[int, ...], history: str) -> tuple[Number, ...]:
        stake = self.stakes[len(history) % len(self.stakes)]
        won = Fraction(stake, len(winners))
        return tuple(
            won if player in winners else -stake - player for player in range(self.num_players)
        )


class ListedCardGame(RandomCardGame):
    """The same game with its factors listed."""

    def list_factors(self) -> Factors:
        rounds = []
        present = [(self.undealt, Fraction(1))]
        while present[0][0].following:
            after = [
                (place, each, chance * each.chance)
                for place, (before, chance) in enumerate(present)
                for each in before.following
            ]
            rounds.append(
                Deals(
                    probabilities=[float(chance) for *_, chance in after],
                    earlier_deals=[place for place, *_ in after] if rounds else [],
                    views=[each.seen for _, each, _ in after],
                )
            )
            present = [(each, chance) for _, each, chance in after]
        strengths = [each.strengths for each, _ in present]
        return Factors(self.betting, rounds, strengths, self.pay, self.label)


def deal_on(
    choose: Choose, before: tuple[tuple[int, ...], ...], chance: Fraction, rounds: int
) -> Dealt:
    strengths = tuple(choose(3) for _ in before)
    if rounds == 0:
        return Dealt(before, strengths, chance)
    weights = [1 + choose(3) for _ in range(1 + choose(3))]
    following = tuple(
        deal_on(
            choose,
            tuple((*seen, choose(3)) for seen in before),
            Fraction(weight, sum(weights)),
            rounds - 1,
        )
        for weight in weights
    )
    return Dealt(before, strengths, chance, following)


def grow_betting(choose: Choose, num_players: int, num_rounds: int) -> tuple[BettingPosition, ...]:
    nodes: list[BettingPosition] = []

    def grow(number: int, parent: int, action: int, history: str, depth: int) -> None:
        number += number + 1 < num_rounds and parent >= 0 and choose(3) == 1
        index = len(nodes)
        if depth == 0 or choose(4) == 0:
            left = [choose(num_players)]
            if number == num_rounds - 1:
                left += [player for player in range(num_players) if choose(2)]
            contenders = tuple(sorted({*left}))
            nodes.append(BettingPosition(number, parent, action, -1, (), contenders, history))
            return
        actions, everyone = tuple("abc"[: 1 + choose(3)]), tuple(range(num_players))
        player = choose(num_players)
        nodes.append(BettingPosition(number, parent, action, player, actions, everyone, history))
        for choice, name in enumerate(actions):
            grow(number, index, choice, history + name, depth - 1)

    grow(0, -1, -1, "start ", 4)
    return tuple(nodes)


def make_card_game(choose: Choose, num_players: int, num_rounds: int) -> ListedCardGame:
    return ListedCardGame(
        num_players,
        deal_on(choose, ((),) * num_players, Fraction(1), num_rounds),
        grow_betting(choose, num_players, num_rounds),
        (choose(3), choose(5)),
    )


@st.composite
def card_games(draw: st.DrawFn) -> ListedCardGame:
    choose = chooser(draw)
    num_players, num_rounds = 1 + choose(3), 1 + choose(3)
    return make_card_game(choose, num_players, num_rounds)


def assert_same_as_a_walk(rules: ListedCardGame) -> None:
    as_walked = RandomCardGame(**{one.name: getattr(rules, one.name) for one in fields(rules)})
    assert_same_arrays(compile_rules(rules), compile_rules(as_walked))


@given(card_games())
def test_any_card_game_is_that_of_a_walk(rules: ListedCardGame) -> None:
    assert_same_as_a_walk(rules)


def skips_two_rounds(betting: tuple[BettingPosition, ...]) -> bool:
    """Return whether some player acts in the first round and not again before an end in the third round."""
    for end in betting:
        node, last_rounds = end, dict[int, int]()
        while node.parent >= 0:
            node = betting[node.parent]
            last_rounds.setdefault(node.player, node.round)
        if end.player < 0 and end.round == 2 and 0 in last_rounds.values():
            return True
    return False


def test_card_games_of_three_rounds_are_those_of_a_walk() -> None:
    """Drawn games are mostly tiny. In these, deals of the third round lead back to views of the first round."""
    num_games = 0
    for seed in range(100):
        choose = drawing_from(random_stream(seed, "card game of three rounds"))
        rules = make_card_game(choose, 1 + choose(3), num_rounds=3)
        if skips_two_rounds(rules.betting):
            assert_same_as_a_walk(rules)
            num_games += 1
    assert num_games >= 10
