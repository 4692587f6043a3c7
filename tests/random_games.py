"""Random extensive games of perfect recall for 1 to 4 players, to hold laws against.

One builder, two sources of choices: hypothesis, which shrinks a failure to the smallest game that
shows it, and a seed, for games that stay the same. A choice of 0 is always the simplest.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from pokerlab.core import POINTS, Unit, random_stream
from pokerlab.games import Chance, Decision, Profile, SequenceForm, Terminal, compile_rules
from pokerlab.games.rules import Turn
from pokerlab.reference import uniform

Choose = Callable[[int], int]  # choose(k) is one of 0 .. k - 1
Sequence = tuple[tuple[str, str], ...]
Table = dict[tuple[int, str], dict[str, Fraction]]

UP_TO_FOUR = st.integers(1, 4)
ANY_PAYOFFS = st.sampled_from(["general", "zero", "identical"])


@dataclass(frozen=True)
class Tree:
    """A history of a random game: whose turn it is, and what follows."""

    turn: Turn
    below: Mapping[str, "Tree"]

    def __str__(self) -> str:
        match self.turn:
            case Terminal(utilities):
                return f"({', '.join(map(str, utilities))})"
            case Chance(outcomes):
                parts = [f"{p} {self.below[a]}" for a, p in outcomes.items()]
                return f"chance[{'; '.join(parts)}]"
            case Decision(player, infoset, actions):
                parts = [f"{a} {self.below[a]}" for a in actions]
                return f"{player}:{infoset}[{'; '.join(parts)}]"


@dataclass(frozen=True)
class RandomRules:
    """The rules of a tree; a history is the subtree that is left to play."""

    name: str
    num_players: int
    zero_sum: bool
    root: Tree
    unit: Unit = POINTS

    def start(self) -> Tree:
        return self.root

    def turn(self, history: Tree) -> Turn:
        return history.turn

    def after(self, history: Tree, action: str) -> Tree:
        return history.below[action]

    def __repr__(self) -> str:
        return f"<{self.name}, {self.num_players} players: {self.root}>"


@dataclass
class Builder:
    """Grows a tree by choices.

    Histories at which the same player has the same own past may share an information set; so
    everybody remembers what they knew and did, and nothing else is sure.
    """

    choose: Choose
    players: int
    payoffs: str
    largest: int
    alike: dict[tuple[int, Sequence], list[Decision]] = field(default_factory=dict)
    infosets: int = 0

    def tree(self, depth: int, own: tuple[Sequence, ...]) -> Tree:
        kind = self.choose(8) if depth else 0
        if kind == 0:
            return Tree(Terminal(self.utilities()), {})
        if kind <= 2:
            return self.deal(depth, own)
        return self.decide(depth, own)

    def deal(self, depth: int, own: tuple[Sequence, ...]) -> Tree:
        weights = [1 + self.choose(3) for _ in range(1 + self.choose(3))]
        outcomes = {f"c{k}": Fraction(w, sum(weights)) for k, w in enumerate(weights)}
        return Tree(Chance(outcomes), {c: self.tree(depth - 1, own) for c in outcomes})

    def decide(self, depth: int, own: tuple[Sequence, ...]) -> Tree:
        player = self.choose(self.players)
        shared = self.alike.setdefault((player, own[player]), [])
        which = self.choose(len(shared) + 1)
        if which == len(shared):
            self.infosets += 1
            actions = tuple("abc"[: 1 + self.choose(3)])
            shared.append(Decision(player, f"I{self.infosets}", actions))
        turn = shared[which]
        below = {}
        for action in turn.actions:
            longer = (*own[player], (turn.infoset, action))
            below[action] = self.tree(depth - 1, (*own[:player], longer, *own[player + 1 :]))
        return Tree(turn, below)

    def utilities(self) -> tuple[Fraction, ...]:
        first = self.payoff()
        if self.payoffs == "identical":
            return (first,) * self.players
        if self.payoffs == "general":
            return (first, *(self.payoff() for _ in range(self.players - 1)))
        others = [first, *(self.payoff() for _ in range(self.players - 2))][: self.players - 1]
        return (*others, -sum(others, Fraction(0)))

    def payoff(self) -> Fraction:
        # 0, 1, -1, 2, ...: the simplest first.
        k = self.choose(2 * self.largest + 1)
        return Fraction((k + 1) // 2 * (1 if k % 2 else -1), 1 + self.choose(3))


def drawing_from(source: np.random.Generator) -> Choose:
    return lambda k: int(source.integers(k))


def grow(
    choose: Choose, players: int, depth: int, payoffs: str, largest: int, name: str
) -> RandomRules:
    builder = Builder(choose, players, payoffs, largest)
    root = builder.tree(depth, ((),) * players)
    return RandomRules(name, players, payoffs == "zero", root)


def random_rules(
    seed: int,
    players: int = 2,
    depth: int = 5,
    payoffs: str = "general",
    largest: int = 10_000,
    fewest_infosets: int = 4,
) -> RandomRules:
    """Return the random game of `seed`, with at least so many information sets.

    `payoffs` is 'general', 'zero' (their sum) or 'identical'. They are k/1, k/2 or k/3 with |k| up
    to `largest`; where that is large no two actions are exactly equally good, so that rounding
    decides nothing.
    """
    for attempt in range(1000):
        source = random_stream(seed, "random game", players, depth, attempt)
        name = f"random game {seed}"
        rules = grow(drawing_from(source), players, depth, payoffs, largest, name)
        if len(uniform(rules)) >= fewest_infosets:
            return rules
    raise AssertionError(f"no game with {fewest_infosets} information sets; allow more depth")


def scaled(table: Mapping[tuple[int, str], Mapping[str, int]]) -> Table:
    """Return the behavior with these weights."""
    return {
        infoset: {a: Fraction(w, sum(weights.values())) for a, w in weights.items()}
        for infoset, weights in table.items()
    }


def random_table(rules: RandomRules, choose: Choose, *, interior: bool) -> Table:
    """Return a random behavior in small fractions; unless `interior`, many actions have none."""
    table = {}
    for infoset, sigma in uniform(rules).items():
        weights = [choose(4) + interior for _ in sigma]
        weights[0] += not any(weights)
        table[infoset] = dict(zip(sigma, weights, strict=True))
    return scaled(table)


def random_profile(game: SequenceForm, seed: int) -> Profile:
    """Return a profile of any game, probabilities in proportion to random numbers."""
    weights = random_stream(seed, "random profile").random(game.num_probabilities)
    totals = np.add.reduceat(weights, game.first_sequence - game.num_players)
    return Profile(game, weights / np.repeat(totals, game.num_actions))


def chooser(draw: st.DrawFn) -> Choose:
    return lambda k: draw(st.integers(0, k - 1))


@st.composite
def some_rules(
    draw: st.DrawFn,
    players: st.SearchStrategy[int] = UP_TO_FOUR,
    payoffs: st.SearchStrategy[str] = ANY_PAYOFFS,
    depth: int = 4,
) -> RandomRules:
    """Draw a random game, often a tiny one."""
    return grow(chooser(draw), draw(players), depth, draw(payoffs), 6, "drawn game")


@dataclass(frozen=True)
class Played:
    """A random game, compiled, and a behavior in it."""

    rules: RandomRules
    game: SequenceForm
    table: Table

    @property
    def profile(self) -> Profile:
        return Profile.from_table(self.game, self.table)

    def __repr__(self) -> str:
        chosen = {
            f"{p}:{label}": " ".join(f"{a} {w}" for a, w in s.items())
            for (p, label), s in self.table.items()
        }
        return f"{self.rules!r} with {chosen}"


@st.composite
def games_with_behavior(
    draw: st.DrawFn,
    players: st.SearchStrategy[int] = UP_TO_FOUR,
    payoffs: st.SearchStrategy[str] = ANY_PAYOFFS,
    *,
    interior: bool = False,
) -> Played:
    """Draw a random game with a random behavior of everybody in it."""
    rules = draw(some_rules(players, payoffs))
    table = random_table(rules, chooser(draw), interior=interior)
    return Played(rules, compile_rules(rules), table)
