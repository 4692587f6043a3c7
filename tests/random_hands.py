"""Random tables and random legal actions, for the laws and the witnesses of betting."""

import random

from pokerlab.holdem.betting_structure import Structure, limit, no_limit
from pokerlab.holdem.hand import CALL, FOLD, Hand, LegalActions

NUM_CARDS = 52
MOST_SEATS = 10
DEPTHS = (3, 15, 100)
"""Deepest stacks in big blinds: hands full of short all-ins, some, and few."""


def random_structure(luck: random.Random, kind: str) -> Structure:
    """Return blinds, bets, antes and a cap that may meet at a table."""
    ante = luck.choice([0, 0, 0, 1, 3])
    if kind == "no-limit":
        return no_limit(*luck.choice([(1, 2), (5, 10), (1, 3), (2, 5)]), ante=ante)
    cap = luck.choice([1, 2, 4, None])
    return limit(luck.choice([2, 5, 10]), cap=cap, ante=ante)


def random_stacks(luck: random.Random, num_seats: int, big_blind: int) -> list[int]:
    """Return stacks down to one chip, some empty, at least two not."""
    deepest = big_blind * luck.choice(DEPTHS)
    ranges = ((0, 0), (1, big_blind), (1, deepest), (1, deepest), (deepest // 2, deepest))
    while True:
        stacks = [luck.randint(*luck.choice(ranges)) for _ in range(num_seats)]
        if sum(stack > 0 for stack in stacks) >= 2:
            return stacks


def random_hand(luck: random.Random, structure: Structure, number: int = 0) -> Hand:
    """Begin a hand of 2 to 10 seats."""
    num_seats = luck.randint(2, MOST_SEATS)
    stacks = random_stacks(luck, num_seats, structure.big_blind)
    button = luck.choice([seat for seat in range(num_seats) if stacks[seat]])
    deal = luck.sample(range(NUM_CARDS), 2 * num_seats + 5)
    return Hand.begin(structure, stacks, button, deal, number=number)


def random_action(luck: random.Random, legal: LegalActions) -> int:
    """Return one of the legal actions; the smallest and the largest raise more often than others."""
    choices = [CALL, CALL]
    if legal.can_fold:
        choices.append(FOLD)
    if legal.min_raise_to is not None and legal.max_raise_to is not None:
        between = luck.randint(legal.min_raise_to, legal.max_raise_to)
        choices += [legal.min_raise_to, between, legal.max_raise_to]
    return luck.choice(choices)


def played_out(luck: random.Random, hand: Hand) -> list[Hand]:
    """Return `hand` and all that follow it, by random actions, until it is over."""
    hands = [hand]
    while not hands[-1].is_over:
        hands.append(hands[-1].after(random_action(luck, hands[-1].legal_actions)))
    return hands
