"""Hands of random legal actions in one kernel: the engine at its full speed."""

from collections.abc import Sequence

import numpy as np

from pokerlab.core.arrays import Ints
from pokerlab.core.kernel import kernel
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.holdem.betting import engine
from pokerlab.holdem.betting.engine_showdown import pay_out
from pokerlab.holdem.betting.structure import Structure
from pokerlab.holdem.cards.dealing import deal_hand, fraction, key_of, number_at
from pokerlab.holdem.cards.deck import MOST_DEALS, NUM_CARDS
from pokerlab.holdem.table.players import random_action
from pokerlab.holdem.table.steps import stacks_of


def random_play(
    structure: Structure, stacks: Sequence[int], num_hands: int, *, seed: int, first: int = 0
) -> Ints:
    """Play hands in which everybody folds, calls and raises with equal chance.

    Parameters
    ----------
    structure : Structure
        From `limit` or `no_limit`.
    stacks : sequence of int, length n
        Chips of each seat at the start of every hand.
    num_hands : int
        How many hands, 0 to 10**8; the button moves on one seat with each.
    seed : int
        Of cards and actions.
    first : int
        Number of the first hand.

    Returns
    -------
    ndarray of int64, shape (num_hands, n)
        Chips that each seat won: what `play` gives for players `RANDOM`, from the same luck. A row
        sums to 0.

    Raises
    ------
    SettingError
        If a number is out of range.
    """
    seats = stacks_of(len(stacks), stacks)
    whole("num_hands", num_hands, 0, MOST_DEALS)
    whole("first", first, 0, LARGEST_COUNT)
    words = np.zeros(engine.NUM_WORDS, np.int64)
    words[: engine.SEATS] = engine.structure_words(structure)
    words[engine.SEATS] = len(seats)
    words[engine.START : engine.START + len(seats)] = seats
    payoffs = np.empty((num_hands, len(seats)), np.int64)
    keys = key_of(seed, "deal"), key_of(seed, "luck")
    fill_payoffs(words, keys[0], keys[1], first, payoffs)
    return payoffs


@kernel
def fill_payoffs(
    hand: Ints, deal_key: np.uint64, luck_key: np.uint64, first: int, out_payoffs: Ints
) -> None:
    """Play the hands `first`, `first` + 1, ... and write what each seat wins.

    Nobody looks at cards before the showdown, and they hang on nothing but the hand's number: so
    they are dealt there.
    """
    num_seats = out_payoffs.shape[1]
    deck = np.empty(NUM_CARDS, np.uint8)
    deal = np.empty(2 * num_seats + 5, np.uint8)
    button = first % num_seats
    for row in range(out_payoffs.shape[0]):
        number = first + row
        luck = number_at(luck_key, number)
        draw = fraction(number_at(luck, 0))
        decision = 1
        engine.begin(hand, button)
        button = button + 1 if button + 1 < num_seats else 0
        while hand[engine.ACTOR] != engine.NOBODY:
            can_fold, _, least, most = engine.legal(hand)
            action = random_action(can_fold, least, most, draw)
            # On its way while it is still unknown where the action leads.
            draw = fraction(number_at(luck, decision))
            decision += 1
            engine.act(hand, action)
        if engine.has_two(hand[engine.LIVE]):
            deal_hand(number_at(deal_key, number), deck, deal, deal.size)
        pay_out(hand, deal, out_payoffs[row])
