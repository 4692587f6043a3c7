"""Hands written in a line: who holds what, and what everybody does."""

from pokerlab.holdem.betting_structure import Structure
from pokerlab.holdem.cards import parse_cards
from pokerlab.holdem.hand import CALL, FOLD, Hand

WORDS = {"fold": FOLD, "call": CALL, "check": CALL}
ANY_CARDS = "2c 7d 3c 8d 4c 9d 5c Td 6c Jd 2h 7s 3h 8s 4h 9s 5h Ts 6h Js"
ANY_BOARD = "Kc Qd Ac Kh 2s"


def start(
    structure: Structure, stacks: list[int], *, button: int = 0, holes: str = "", board: str = ""
) -> Hand:
    """Begin a hand; cards that do not matter are left out."""
    cards = parse_cards(holes or " ".join(ANY_CARDS.split()[: 2 * len(stacks)]))
    deal = [*cards.tolist(), *parse_cards(board or ANY_BOARD).tolist()]
    return Hand.begin(structure, stacks, button, deal)


def after(hand: Hand, line: str) -> Hand:
    """Return the hand after 'call 10 fold check': a number is a bet or raise to it.

    With '2:fold' the action is also held to be that of seat 2.
    """
    for word in line.split():
        seat, _, action = word.rpartition(":")
        assert not seat or hand.actor == int(seat)
        hand = hand.after(WORDS[action] if action in WORDS else int(action))
    return hand
