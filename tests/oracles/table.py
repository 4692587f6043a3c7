"""Tables in plain Python, on `Hand`: what the compiled ones must give, number for number.

Players are functions of a hand, whose turn it is, and of their luck.
"""

from collections.abc import Callable, Iterator, Sequence

from pokerlab.core.random_numbers import draw_stream_key
from pokerlab.holdem.betting_structure import Structure
from pokerlab.holdem.cards import deal_hands, deal_tournament_hand
from pokerlab.holdem.hand import CALL, FOLD, Hand

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
    return FOLD if hand.legal_actions.can_fold else CALL


def raises(hand: Hand, luck: float) -> int:
    return hand.legal_actions.min_raise_to or CALL


def draws(hand: Hand, luck: float) -> int:
    legal = hand.legal_actions
    choices = ["call", *(["fold"] if legal.can_fold else []), *(["raise"] * legal.can_raise)]
    choice, rest = divmod(luck * len(choices), 1)
    name = choices[int(choice)]
    if name == "raise":
        assert legal.min_raise_to is not None
        assert legal.max_raise_to is not None
        return legal.min_raise_to + int(rest * (legal.max_raise_to - legal.min_raise_to + 1))
    return CALL if name == "call" else FOLD


def played_out(hand: Hand, seated: Sequence[Plain], random_key: int) -> Hand:
    """Return a hand when it is over."""
    while hand.actor is not None:
        luck = (number_at(random_key, len(hand.actions)) >> 11) * 2.0**-53
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
    deals = deal_hands(seed, num_deals, n)
    key = int(draw_stream_key(seed, "luck"))
    for number in range(num_deals):
        for rotation in range(rotations):
            seated = [players[(seat - rotation) % n] for seat in range(n)]
            hand = Hand.begin(structure, held[rotation], number % n, deals[number])
            payoffs = played_out(hand, seated, number_at(key, number)).payoffs
            if carried:
                pairs = zip(held[rotation], payoffs.tolist(), strict=True)
                held[rotation] = [had + won or stacks for had, won in pairs]
            yield [int(payoffs[(player + rotation) % n]) for player in range(n)]


def dealt_at_table(seed: int, tournament: int) -> Callable[[int, int, int], Sequence[int]]:
    """Return a function from a table, its number of seats and a hand to the cards of that hand."""
    return lambda table, seats, hand: deal_tournament_hand(
        seed, tournament, (table << TABLE_BITS) + hand, seats
    ).tolist()


def luck_at_table(seed: int, tournament: int) -> Callable[[int, int, int], float]:
    """Return a function from a table, a hand and the place of an action in it to the luck of the action."""
    key = number_at(int(draw_stream_key(seed, "luck")), tournament)

    def luck(table: int, hand: int, action: int) -> float:
        number = number_at(number_at(key, (table << TABLE_BITS) + hand), action)
        return (number >> 11) * 2.0**-53

    return luck
