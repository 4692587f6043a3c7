"""Rule genomes and networks at every engine's table: the same Python functions decide.

Rules are strategies that pokerlab has written by hand; networks have weights as an evolution begins,
and numpy's forward pass in float32. An engine shows them its table as a `View`. It first plays the
same deals as pokerlab, if it can, and tells a number that depends on who lost what in which of them;
then hands that it deals itself.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count as numbers
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from benchmarks.contestant import Task
from benchmarks.hands import BETS, NUM_CHECKED, SEED, STACK, TABLES
from benchmarks.stopwatch import Answer, Measure, per_count
from pokerlab.core.arrays import Floats
from pokerlab.core.random_numbers import (
    compute_random_bits,
    convert_bits_to_fraction,
    draw_stream_key,
    random_stream,
)
from pokerlab.holdem import TableNetwork
from pokerlab.holdem.cards import deal_hands
from pokerlab.holdem.equity import load_win_probability_tables, look_up_win_probability
from pokerlab.holdem.hand import CALL, LegalActions
from pokerlab.holdem.table_view import NUM_VIEW_WORDS, RANDOM_KEY, SEAT, draw_hand_random_number
from pokerlab.papers.noble2001 import REASONABLE
from tests.oracles.players import network_decision, rule_decision, sigmoid

GENOMES = [one.genome.tolist() for one in reversed(REASONABLE)]
SIZES = (BETS[0], *BETS, BETS[1])
ENCODING = TableNetwork()
WEIGHTS = ENCODING.draw_genomes(random_stream(SEED, "networks"), 10)
LUCK = draw_stream_key(SEED, "luck")
Cards = Sequence[int]


class View:
    """A hand at an engine's table, as rule genomes and networks see it.

    An engine's view has `goes_on`, which deals what is due, sets `seat` and `legal_actions` for who is to act,
    and returns whether anybody is; `act` and `won`; and what is seen: `street`, `hole_cards`, `board`, and
    by seat `bets`, `paid`, `stacks` and `is_live`.
    """

    street: int
    hole_cards: Cards
    board: Cards
    bets: Sequence[int]
    paid: Sequence[int]
    stacks: Sequence[int]
    is_live: Sequence[bool]
    seat: int
    legal_actions: LegalActions

    def __init__(self, number: int, seats: int) -> None:
        self.num_seats, self.decisions = seats, 0
        self.checked: set[tuple[int, int]] = set()
        self.words = np.zeros(NUM_VIEW_WORDS, np.int64)
        self.key = np.uint64(compute_random_bits(LUCK, number))
        self.words[RANDOM_KEY] = self.key.astype(np.int64)
        # The first of an engine's players is on the left of the button.
        self.at = [(number + 1 + player) % seats for player in range(seats)]
        self.in_order = [self.at.index(seat) for seat in range(seats)]

    @property
    def button(self) -> int:
        """The last of the engine's players."""
        return self.at[-1]

    @property
    def has_checked(self) -> bool:
        """Whether the seat has checked in this round."""
        return (self.street, self.seat) in self.checked

    @property
    def hand_random_number(self) -> float:
        """A random number in [0, 1) that belongs to the seat for the whole hand."""
        return draw_hand_random_number(self.words, 0)

    @property
    def random_number(self) -> float:
        """A random number in [0, 1), pokerlab's for this decision."""
        return float(
            convert_bits_to_fraction(np.uint64(compute_random_bits(self.key, self.decisions)))
        )

    @property
    def pot(self) -> int:
        """All chips put in."""
        return sum(self.paid)

    def goes_on(self) -> bool:
        """Deal what is due; return whether somebody is to act."""
        raise NotImplementedError

    def act(self, action: int) -> None:
        """Fold (-1), call (0), or raise to so many chips."""
        raise NotImplementedError

    def won(self) -> Sequence[float]:
        """Return what each seat has won."""
        raise NotImplementedError

    def limited(self, bet: int, own_bet: int, can_raise: bool) -> LegalActions:
        """Return what may be done where bets are limited."""
        to = bet + SIZES[self.street] if can_raise else None
        return LegalActions(bet > own_bet, bet - own_bet, to, to)


Decide = Callable[[Any], int]


def by_rules(view: Any) -> int:
    view.words[SEAT] = view.seat
    action = rule_decision(GENOMES[view.seat], view)
    if action == CALL and not view.legal_actions.to_call:
        view.checked.add((view.street, view.seat))
    return action


def inputs_of(view: Any) -> Floats:
    """Return the inputs where all begin the hand with STACK chips, as fast as Python allows."""
    seat, seats = view.seat, view.num_seats
    hole, board = (np.asarray(cards, np.uint8) for cards in (view.hole_cards, view.board))
    inputs, stacks = np.zeros(35, np.float32), view.stacks
    inputs[:5] = (
        view.pot / STACK,
        view.legal_actions.to_call / STACK,
        (sum(view.is_live) - 1) / 9,
        look_up_win_probability(load_win_probability_tables(), hole, board, 1.0),
        (seat - view.button) % seats / 9,
    )
    inputs[5 : 5 + seats] = np.array([*stacks[seat:], *stacks[:seat]]) / STACK
    return inputs


class Network:
    """A network as its matrices."""

    def __init__(self, genome: Floats) -> None:
        first, second = np.split(genome, [36 * 20])
        self.first, self.of_hidden = np.split(first.reshape(36, 20), [35])
        self.second, self.of_outputs = np.split(second.reshape(21, 5), [20])

    def outputs(self, view: Any) -> Floats:
        """Return the five outputs."""
        hidden = sigmoid(inputs_of(view) @ self.first + self.of_hidden[0])
        return sigmoid(hidden @ self.second + self.of_outputs[0])

    def decide(self, view: Any) -> int:
        """Return fold (-1), call (0), or the chips to raise to."""
        return network_decision(self.outputs(view), view)


NETWORKS = [Network(genome) for genome in WEIGHTS]


def by_networks(view: Any) -> int:
    return NETWORKS[view.seat].decide(view)


def timed_players(
    begin: Callable[[int, Cards | None], View], decide: Decide, game: str, same_deals: bool
) -> Measure:
    """Return the measure of hands that `begin` begins, after some whose decisions are counted.

    If an engine can play the `same_deals` by the same rules, who lost what is told as well.
    """

    def play(number: int, cards: Cards | None = None) -> tuple[int, Sequence[float]]:
        view = begin(number, cards)
        while view.goes_on():
            action = decide(view)
            view.decisions += 1
            view.act(action)
        return view.decisions, view.won()

    random.seed(SEED)
    deals = deal_hands(SEED, NUM_CHECKED, TABLES[game].seats).tolist()
    played = [play(number, cards if same_deals else None) for number, cards in enumerate(deals)]
    decisions, won = zip(*played, strict=True)
    seen = outcome(sum(decisions), won)
    if not same_deals:
        del seen["lost"]
    hands = numbers(NUM_CHECKED)

    def advance(count: int) -> None:
        for number in islice(hands, count):
            play(number)

    return per_count(advance, **seen)


def outcome(decisions: int, won: ArrayLike) -> Answer:
    """Return decisions a hand and, from who `won` what, (hands, seats), who lost what in one number.

    Winners may share an odd chip in different ways.
    """
    lost = np.minimum(won, 0)
    hand, seat = np.indices(lost.shape)
    weights = 1 + seat + lost.shape[1] * hand
    return {"decisions": decisions / len(lost), "lost": float((weights * lost).sum())}


def player_tasks(
    engine: Callable[[str], Callable[[int, Cards | None], View]],
    *,
    same_rules: bool = True,
    same_networks: bool = True,
    by_networks: Decide = by_networks,
) -> Mapping[str, Task]:
    """Return the tasks of an engine: from a game to how a hand of it begins.

    `same_rules` and `same_networks` say with whom it can play pokerlab's deals.
    """

    def task(game: str, decide: Decide, same: bool) -> Measure:
        return timed_players(engine(game), decide, game, same)

    rules = partial(task, decide=by_rules, same=same_rules)
    networks = partial(task, decide=by_networks, same=same_networks)
    return {
        f"hands_by_{who}{how}": asked
        for who, asked in (("rules", rules), ("networks", networks))
        for how in ("", "_in_python")
    }
