"""Tables in plain Python, on `Hand`: what the compiled ones must give, number for number.

Players are functions of a hand, whose turn it is, and of their luck.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from pokerlab.holdem.betting.hand import CALL, FOLD, Hand, Structure
from pokerlab.holdem.cards.dealing import dealt, dealt_in_match, key_of

TABLE_BITS = 44
"""Where the number of a table stands above that of a hand."""
MASK = (1 << 64) - 1
Plain = Callable[[Hand, float], int]


def scrambled(number: int) -> int:
    """Return SplitMix64's scrambling, in Python's integers."""
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & MASK
    number = (number ^ number >> 27) * 0x94D049BB133111EB & MASK
    return number ^ number >> 31


def number_at(key: int, place: int) -> int:
    return scrambled(key + (place + 1) * 0x9E3779B97F4A7C15 & MASK)


def calls(hand: Hand, luck: float) -> int:
    return CALL


def folds(hand: Hand, luck: float) -> int:
    return FOLD if hand.legal.can_fold else CALL


def raises(hand: Hand, luck: float) -> int:
    return hand.legal.min_raise_to or CALL


def draws(hand: Hand, luck: float) -> int:
    legal = hand.legal
    choices = ["call", *(["fold"] if legal.can_fold else []), *(["raise"] * legal.can_raise)]
    choice, rest = divmod(luck * len(choices), 1)
    name = choices[int(choice)]
    if name == "raise":
        assert legal.min_raise_to is not None
        assert legal.max_raise_to is not None
        return legal.min_raise_to + int(rest * (legal.max_raise_to - legal.min_raise_to + 1))
    return CALL if name == "call" else FOLD


def played_out(hand: Hand, seated: Sequence[Plain], luck_key: int) -> Hand:
    """Return a hand when it is over."""
    while hand.actor is not None:
        luck = (number_at(luck_key, len(hand.actions)) >> 11) * 2.0**-53
        hand = hand.after(seated[hand.actor](hand, luck))
    return hand


def cash(
    structure: Structure,
    players: Sequence[Plain],
    num_deals: int,
    *,
    seed: int,
    stacks: int,
    rotations: int = 1,
    carried: bool = False,
) -> Iterator[list[int]]:
    """Yield what each player wins, deal by deal and within a deal rotation by rotation.

    If stacks are carried, each rotation is a game; a seat without chips buys new ones.
    """
    n = len(players)
    held = [[stacks] * n for _ in range(rotations)]
    deals = dealt(seed, num_deals, n)
    key = int(key_of(seed, "luck"))
    for number in range(num_deals):
        for rotation in range(rotations):
            seated = [players[(seat - rotation) % n] for seat in range(n)]
            hand = Hand.begin(structure, held[rotation], number % n, deals[number])
            payoffs = played_out(hand, seated, number_at(key, number)).payoffs
            if carried:
                pairs = zip(held[rotation], payoffs.tolist(), strict=True)
                held[rotation] = [had + won or stacks for had, won in pairs]
            yield [int(payoffs[(player + rotation) % n]) for player in range(n)]


@dataclass
class PlainTournament:
    """One tournament, hand by hand."""

    seated: Sequence[Plain]
    stacks: list[int]
    big_blind: int
    rank: dict[int, float] = field(default_factory=dict)
    lasted: dict[int, int] = field(default_factory=dict)
    big_blinds: list[int] = field(default_factory=list)

    def play(self, structures: Sequence[Structure], seed: int, number: int) -> None:
        """Play a hand for each structure, until one player is left."""
        n = len(self.stacks)
        key = number_at(int(key_of(seed, "luck")), number)
        for hand_number, structure in enumerate(structures):
            self.big_blind = self.next_with_chips(self.big_blind)
            self.big_blinds.append(self.big_blind)
            deal = dealt_in_match(seed, number, hand_number, n)
            hand = Hand.begin(structure, self.stacks, self.button(), deal)
            hand = played_out(hand, self.seated, number_at(key, hand_number))
            self.settle(hand.payoffs.tolist())
            if len(self.rank) == n:
                return
        self.place([seat for seat in range(n) if self.stacks[seat]], self.stacks, 0)

    def settle(self, payoffs: list[int]) -> None:
        before = self.stacks
        self.stacks = [had + won for had, won in zip(before, payoffs, strict=True)]
        n = len(before)
        left = [seat for seat in range(n) if self.stacks[seat]]
        out = [seat for seat in range(n) if before[seat] and not self.stacks[seat]]
        self.place(out, before, len(left))
        if len(left) == 1:
            self.place(left, self.stacks, 0)

    def place(self, seats: list[int], chips: list[int], ahead: int) -> None:
        """Give ranks below `ahead` players by chips; who has equally many shares the mean."""
        for seat in seats:
            more = sum(chips[other] > chips[seat] for other in seats)
            equal = sum(chips[other] == chips[seat] for other in seats)
            self.lasted[seat] = len(self.big_blinds)
            self.rank[seat] = ahead + float(np.mean(range(more + 1, more + equal + 1)))

    def next_with_chips(self, seat: int) -> int:
        n = len(self.stacks)
        return next(s % n for s in range(seat + 1, seat + 1 + n) if self.stacks[s % n])

    def button(self) -> int:
        """Return the seat whose big blind is where it is to be."""
        n = len(self.stacks)
        seats = [s % n for s in range(self.big_blind, self.big_blind + n) if self.stacks[s % n]]
        return seats[1] if len(seats) == 2 else seats[-2]


def dealt_at_table(seed: int, tournament: int) -> Callable[[int, int, int], Sequence[int]]:
    """Return a function from a table, its number of seats and a hand to the cards of that hand."""
    return lambda table, seats, hand: dealt_in_match(
        seed, tournament, (table << TABLE_BITS) + hand, seats
    ).tolist()


def luck_at_table(seed: int, tournament: int) -> Callable[[int, int, int], float]:
    """Return a function from a table, a hand and the place of an action in it to the luck of the action."""
    key = number_at(int(key_of(seed, "luck")), tournament)

    def luck(table: int, hand: int, action: int) -> float:
        number = number_at(number_at(key, (table << TABLE_BITS) + hand), action)
        return (number >> 11) * 2.0**-53

    return luck
