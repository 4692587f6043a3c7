"""A player's view of the table when it is to act: the same numbers for compiled players and for Python functions.

A view is a row of int64 numbers, and the constants of this module are indices into it. With this module imported
`as at`, a compiled player reads the pot from `views[row, at.POT]` and the chips of a seat from
`views[row, at.STACKS + seat]`. A `SeatView` gives the same row to a Python function. A view does not contain cards that
the seat cannot see. `draw_hand_random_number(views[row], 0)` returns a random number that stays the same for a whole
hand; for more such numbers, pass 1, 2, and so on. `views[row, at.OVERALL + seat]` and `views[row, at.RECENT + seat]`
are the aggressiveness of a seat, as far as the seat to act has seen it, in tournaments that record it (see
`aggressiveness`). In other games they are 0.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, inlined
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.random_numbers import compute_random_bits, convert_bits_to_fraction
from pokerlab.holdem import betting_engine
from pokerlab.holdem.betting_structure import MOST_SEATS
from pokerlab.holdem.cards import BOARD_SIZES, STREETS, Cards, format_cards
from pokerlab.holdem.hand import LegalActions

# The indices of a view. From STACKS on there are ten numbers of each kind, one for each seat.
PLAYER, PARAMETERS, MATCH, HAND, SEAT, SEATS, BUTTON, STREET = range(8)
TO_CALL, MIN_RAISE_TO, MAX_RAISE_TO, BET, FULL_RAISE, NUM_BETS, BIG_BLIND, POT = range(8, 16)
CAN_FOLD, HAS_CHECKED, RANDOM_KEY = range(16, 19)
HOLE, BOARD = 19, 21
STACKS, BETS, PAID, LIVE, OVERALL, RECENT = range(26, 26 + 6 * MOST_SEATS, MOST_SEATS)
NUM_VIEW_WORDS = 26 + 6 * MOST_SEATS
MILLIONTHS = 1_000_000  # aggressiveness in a view is a whole number of millionths
HIDDEN = -1  # stands for a card of the board that is not dealt yet
FIRST_HAND_DRAW, DRAWS_PER_SEAT = 1 << 32, 1 << 20
"""The index in a hand's random stream, after those of all decisions, at which the random numbers for the whole hand
begin, and how many of them each seat has."""


class Tables(NamedTuple):
    """K tables at which hands are played at the same time; each table is a row of the arrays.

    Attributes
    ----------
    hands : ndarray of int64, shape (K, NUM_WORDS)
        The hands, as `pokerlab.holdem.betting_engine` plays them.
    deals : ndarray of uint8, shape (K, 2 * MOST_SEATS + 5)
        The cards of the hands: two for each seat, then the five cards of the board.
    lineup : ndarray of int64, shape (K, MOST_SEATS)
        The player in each seat.
    match : ndarray of int64, shape (K,)
        The match that is played at each table, which is a table of the game in one rotation of its seats.
    number : ndarray of int64, shape (K,)
        The index of the hand in the match.
    decision : ndarray of int64, shape (K,)
        The number of actions that have been done in the hand.
    random_key : ndarray of uint64, shape (K,)
        The key of the players' random numbers in the hand.
    views : ndarray of int64, shape (K, NUM_VIEW_WORDS)
        The view of the seat to act.
    uniforms : ndarray of shape (K,)
        A random number in [0, 1) for the decision of the seat to act.
    actions : ndarray of shape (K,)
        The action of the seat to act: a whole number, or NaN before the player has chosen.
    """

    hands: Ints
    deals: Cards
    lineup: Ints
    match: Ints
    number: Ints
    decision: Ints
    random_key: NDArray[np.uint64]
    views: Ints
    uniforms: Floats
    actions: Floats

    @classmethod
    def allocate(cls, num_tables: int) -> "Tables":
        """Return tables at which no hand has begun, with zeros in all other arrays.

        Parameters
        ----------
        num_tables : int
            The number K of tables.

        Returns
        -------
        Tables
            New arrays with a row for each table.
        """
        hands = np.zeros((num_tables, betting_engine.NUM_WORDS), np.int64)
        hands[:, betting_engine.ACTOR] = betting_engine.NOBODY
        return cls(
            hands=hands,
            deals=np.zeros((num_tables, 2 * MOST_SEATS + 5), np.uint8),
            lineup=np.zeros((num_tables, MOST_SEATS), np.int64),
            match=np.full(num_tables, betting_engine.NOBODY),
            number=np.zeros(num_tables, np.int64),
            decision=np.zeros(num_tables, np.int64),
            random_key=np.zeros(num_tables, np.uint64),
            views=np.zeros((num_tables, NUM_VIEW_WORDS), np.int64),
            uniforms=np.zeros(num_tables),
            actions=np.zeros(num_tables),
        )


@explain_renamed_attributes
@dataclass(frozen=True, slots=True, eq=False)
class SeatView:
    """The table as the seat that is to act sees it.

    A player whose only random numbers are `random_number` and `hand_random_number` plays the same hands whenever the
    game is played with the same seed.

    Attributes
    ----------
    words : ndarray of int64, shape (NUM_VIEW_WORDS,)
        The view as a row of integers; the constants of this module are indices into it.
    random_number : float
        A random number in [0, 1) that belongs to this decision.
    """

    words: Ints
    random_number: float

    @property
    def seat(self) -> int:
        """The seat that is to act, whose view this is."""
        return int(self.words[SEAT])

    @property
    def num_seats(self) -> int:
        """The number of seats of the table."""
        return int(self.words[SEATS])

    @property
    def button(self) -> int:
        """The seat with the button."""
        return int(self.words[BUTTON])

    @property
    def street(self) -> int:
        """The street, 0 (preflop) to 3 (river)."""
        return int(self.words[STREET])

    @property
    def hand_number(self) -> int:
        """The number of the hand, by which hands that are played at the same time can be distinguished."""
        return int(self.words[HAND])

    @property
    def match(self) -> int:
        """The index of the match that the hand belongs to.

        A match is a table of a tournament, or a table of a cash game in one rotation of its seats.
        """
        return int(self.words[MATCH])

    @property
    def hand_random_number(self) -> float:
        """A random number in [0, 1) that is the same in all decisions of the seat in this hand."""
        return draw_hand_random_number(self.words, 0)

    @property
    def has_checked(self) -> bool:
        """Whether the seat has checked in this betting round."""
        return bool(self.words[HAS_CHECKED])

    @property
    def num_bets(self) -> int:
        """The number of full bets and raises in this round, where the big blind is the first before the flop."""
        return int(self.words[NUM_BETS])

    @property
    def big_blind(self) -> int:
        """The big blind, in chips."""
        return int(self.words[BIG_BLIND])

    @property
    def pot(self) -> int:
        """All chips that have been put in during this hand, including those of the present round."""
        return int(self.words[POT])

    @property
    def hole_cards(self) -> Cards:
        """The two hole cards of the seat that is to act, an array of uint8."""
        return self.words[HOLE : HOLE + 2].astype(np.uint8)

    @property
    def board(self) -> Cards:
        """The cards on the board, an array of none, three, four or five uint8."""
        return self.words[BOARD : BOARD + BOARD_SIZES[self.street]].astype(np.uint8)

    @property
    def legal_actions(self) -> LegalActions:
        """The legal actions of the seat."""
        to_call, min_raise_to, max_raise_to = self.words[TO_CALL : MAX_RAISE_TO + 1].tolist()
        # 0 means that no raise is legal, for which `LegalActions` has None.
        return LegalActions(
            bool(self.words[CAN_FOLD]), to_call, min_raise_to or None, max_raise_to or None
        )

    @property
    def stacks(self) -> tuple[int, ...]:
        """The chips that each seat has left, one number for each seat."""
        return self._get_seat_words(STACKS)

    @property
    def bets(self) -> tuple[int, ...]:
        """The chips that each seat has put in during this betting round, one number for each seat."""
        return self._get_seat_words(BETS)

    @property
    def paid(self) -> tuple[int, ...]:
        """The chips that each seat has put in during the whole hand, one number for each seat."""
        return self._get_seat_words(PAID)

    @property
    def is_live(self) -> tuple[bool, ...]:
        """Whether each seat can still win the hand, because it was dealt in and has not folded."""
        return tuple(bool(word) for word in self._get_seat_words(LIVE))

    @property
    def overall_aggressiveness(self) -> tuple[float, ...]:
        """The aggressiveness of each seat: the mean score of all its actions that the seat to act has seen.

        `Aggressiveness` explains the scores. All entries are 0 if the game does not record aggressiveness.
        """
        return tuple(word / MILLIONTHS for word in self._get_seat_words(OVERALL))

    @property
    def recent_aggressiveness(self) -> tuple[float, ...]:
        """The aggressiveness of each seat in recent hands: the mean score of its actions in these hands.

        `Aggressiveness` explains the scores. All entries are 0 if the game does not record aggressiveness.
        """
        return tuple(word / MILLIONTHS for word in self._get_seat_words(RECENT))

    def __str__(self) -> str:
        """Return the hand, the cards that the seat sees, the pot and the legal actions in one line."""
        board = f" on {format_cards(self.board)}" if self.street else ""
        return (
            f"hand {self.hand_number}, {STREETS[self.street]}, seat {self.seat} with"
            f" {format_cards(self.hole_cards)}{board}, {self.pot} in the pot. Legal: {self.legal_actions}."
        )

    def _get_seat_words(self, first_word: int) -> tuple[int, ...]:
        """Return the numbers of one kind that a view has for each seat, such as the stacks.

        Parameters
        ----------
        first_word : int
            The index in the view at which the numbers begin, with that of seat 0: STACKS, BETS, PAID, LIVE, OVERALL or
            RECENT.

        Returns
        -------
        tuple of int
            The numbers by seat, one for each seat of the table.
        """
        return tuple(self.words[first_word : first_word + self.num_seats].tolist())


@inlined
def draw_hand_random_number(view: Ints, index: int) -> float:
    """Return a random number in [0, 1) that is the same in all decisions of the seat to act in this hand.

    Parameters
    ----------
    view : ndarray of int64, shape (NUM_VIEW_WORDS,)
        What the seat to act sees of the table.
    index : int
        Which of the random numbers of the seat is returned, from 0 to DRAWS_PER_SEAT - 1.
    """
    stream_index = FIRST_HAND_DRAW + DRAWS_PER_SEAT * view[SEAT] + index
    bits = compute_random_bits(np.uint64(view[RANDOM_KEY]), stream_index)
    return float(convert_bits_to_fraction(bits))


@inlined
def write_view(tables: Tables, row: int, parameter_rows: Ints) -> None:
    """Write what the seat to act sees of its table into `tables.views`, which is changed in place.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    row : int
        The index of the table among them.
    parameter_rows : ndarray of int64, shape (players,)
        The row of each player among the parameters of all players with the same kernel.
    """
    hand, view, deal = tables.hands[row], tables.views[row], tables.deals[row]
    num_seats = hand[betting_engine.SEATS]
    seat = hand[betting_engine.ACTOR]
    street = hand[betting_engine.STREET]

    # The player and the hand.
    player = tables.lineup[row, seat]
    view[PLAYER] = player
    view[PARAMETERS] = parameter_rows[player]
    view[MATCH] = tables.match[row]
    view[HAND] = tables.number[row]
    view[SEAT] = seat
    view[SEATS] = num_seats
    view[BUTTON] = hand[betting_engine.BUTTON]
    view[STREET] = street
    view[HAS_CHECKED] = hand[betting_engine.CHECKED] >> seat & 1
    view[RANDOM_KEY] = np.int64(tables.random_key[row])

    # The legal actions and the bet.
    legal = betting_engine.find_legal_actions(hand)
    view[CAN_FOLD] = legal.can_fold
    view[TO_CALL] = legal.to_call
    view[MIN_RAISE_TO] = legal.min_raise_to
    view[MAX_RAISE_TO] = legal.max_raise_to
    view[BET] = hand[betting_engine.BET]
    view[FULL_RAISE] = hand[betting_engine.FULL_RAISE]
    view[NUM_BETS] = hand[betting_engine.NUM_BETS]
    view[BIG_BLIND] = hand[betting_engine.BIG_BLIND]

    # The seat's own cards, and the board of this street.
    view[HOLE] = deal[2 * seat]
    view[HOLE + 1] = deal[2 * seat + 1]
    for index in range(5):
        is_open = index < BOARD_SIZES[street]
        view[BOARD + index] = np.int64(deal[2 * num_seats + index]) if is_open else HIDDEN

    # The chips of all seats.
    pot = 0
    for other_seat in range(num_seats):
        stack = hand[betting_engine.STACKS + other_seat]
        paid = hand[betting_engine.STARTING_STACKS + other_seat] - stack
        view[STACKS + other_seat] = stack
        view[BETS + other_seat] = hand[betting_engine.BETS + other_seat]
        view[PAID + other_seat] = paid
        view[LIVE + other_seat] = hand[betting_engine.LIVE] >> other_seat & 1
        pot += paid
    view[POT] = pot
