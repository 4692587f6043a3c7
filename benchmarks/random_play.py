"""Hands of random legal actions in one kernel: the engine at its full speed."""

from collections.abc import Sequence

import numpy as np

from pokerlab.core.arrays import Ints
from pokerlab.core.compiler import kernel
from pokerlab.core.random_numbers import (
    compute_random_bits,
    convert_bits_to_fraction,
    draw_stream_key,
)
from pokerlab.holdem import betting_engine
from pokerlab.holdem.betting_engine import fill_hand_payoffs
from pokerlab.holdem.betting_structure import Structure
from pokerlab.holdem.cards import NUM_CARDS, deal_cards
from pokerlab.holdem.players import choose_random_action
from pokerlab.holdem.table_play import validate_seat_stacks


def random_play(
    structure: Structure, stacks: Sequence[int], num_hands: int, *, seed: int, first: int = 0
) -> Ints:
    """Return what each seat wins, shape (num_hands, seats): what `play` gives for players `RANDOM`."""
    seats = validate_seat_stacks(len(stacks), stacks)
    words = np.zeros(betting_engine.NUM_WORDS, np.int64)
    words[: betting_engine.SEATS] = betting_engine.encode_structure(structure)
    words[betting_engine.SEATS] = len(seats)
    words[betting_engine.STARTING_STACKS : betting_engine.STARTING_STACKS + len(seats)] = seats
    payoffs = np.empty((num_hands, len(seats)), np.int64)
    fill_payoffs(
        words, draw_stream_key(seed, "deal"), draw_stream_key(seed, "luck"), first, payoffs
    )
    return payoffs


@kernel
def fill_payoffs(
    hand: Ints, deal_key: np.uint64, luck_key: np.uint64, first: int, out_payoffs: Ints
) -> None:
    """Play the hands `first`, `first` + 1, ... and write what each seat wins.

    Nobody looks at cards before the showdown, and they depend on the hand's number alone: so they are
    dealt there.
    """
    num_seats = out_payoffs.shape[1]
    deck = np.empty(NUM_CARDS, np.uint8)
    deal = np.empty(2 * num_seats + 5, np.uint8)
    button = first % num_seats
    for row in range(out_payoffs.shape[0]):
        number = first + row
        luck = compute_random_bits(luck_key, number)
        draw = convert_bits_to_fraction(compute_random_bits(luck, 0))
        decision = 1
        betting_engine.begin_hand(hand, button)
        button = button + 1 if button + 1 < num_seats else 0
        while hand[betting_engine.ACTOR] != betting_engine.NOBODY:
            can_fold, _, least, most = betting_engine.find_legal_actions(hand)
            action = choose_random_action(can_fold, least, most, draw)
            # On its way while it is still unknown where the action leads.
            draw = convert_bits_to_fraction(compute_random_bits(luck, decision))
            decision += 1
            betting_engine.apply_action(hand, action)
        if betting_engine.has_at_least_two_seats(hand[betting_engine.LIVE]):
            deal_cards(compute_random_bits(deal_key, number), deck, deal, deal.size)
        fill_hand_payoffs(hand, deal, out_payoffs[row])
