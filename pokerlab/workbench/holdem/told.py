"""A hand told in the table's words: who did what on which street, and what was seen by whom."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pokerlab.core import SettingError
from pokerlab.holdem.betting import CALL, FOLD, Hand
from pokerlab.holdem.cards import card_text
from pokerlab.holdem.hand_state import BOARD_SIZES
from pokerlab.holdem.pots import uncalled, winners
from pokerlab.holdem.seating import blind_seats
from pokerlab.holdem.structure import LIMIT
from pokerlab.workbench.drawings.cards import FACE_DOWN


@dataclass(frozen=True)
class Step:
    """What a seat did.

    Attributes
    ----------
    street, seat : int
        When, and who.
    words : str
        What is said at the table: 'checks', 'raises to 6, all-in'.
    pot : int
        Chips on the table afterwards, but for those of a bet that nobody else has matched.
    """

    street: int
    seat: int
    words: str
    pot: int


def beginning(hand: Hand) -> Hand:
    """Return the hand as it was when antes and blinds were posted."""
    return Hand.begin(
        hand.structure, hand.starting_stacks, hand.button, hand.deal, number=hand.number
    )


def steps(hand: Hand) -> list[Step]:
    """Return what was posted and done, in order."""
    now = beginning(hand)
    told = []
    small_blind, _ = blind_seats(now.starting_stacks, now.button)
    for turn in range(now.num_seats):
        seat = (small_blind + turn) % now.num_seats
        ante = now.paid[seat] - now.bets[seat]
        posted = [f"posts an ante of {ante}"] if ante else []
        posted += [f"posts {now.bets[seat]}"] if now.bets[seat] else []
        if posted:
            told.append(Step(0, seat, all_in(" and ".join(posted), now, seat), matched(now)))
    for action in hand.actions:
        actor, street, words = now.actor, now.street, verb(now, action)
        assert actor is not None
        now = now.after(action)
        told.append(Step(street, actor, all_in(words, now, actor), matched(now)))
    return told


def matched(hand: Hand) -> int:
    """Return the chips on the table that are matched, or in the pots already."""
    return sum(hand.paid) - sum(uncalled(hand.paid, hand.folded))


def verb(hand: Hand, action: int) -> str:
    """Return an action, about to be done, in words."""
    if action == FOLD:
        return "folds"
    if action == CALL:
        return f"calls {hand.legal.to_call}" if hand.legal.to_call else "checks"
    return f"raises to {action}" if hand.bet else f"bets {action}"


def all_in(words: str, hand: Hand, seat: int) -> str:
    """Return the words, and that they were the last of the seat's chips."""
    return f"{words}, all-in" if seat in hand.live and not hand.stacks[seat] else words


def played(hand: Hand) -> list[int]:
    """Return the seats that were dealt in, by their numbers."""
    return [seat for seat, chips in enumerate(hand.starting_stacks) if chips]


def is_shown_down(hand: Hand) -> bool:
    """Return whether two hands or more were compared at the end."""
    return hand.is_over and len(hand.live) > 1


def hole_names(hand: Hand, seat: int, shown: Collection[int] | None) -> list[str]:
    """Return the cards of a seat as they are seen: 'As', or '?' face down.

    Parameters
    ----------
    hand : Hand
        At any moment.
    seat : int
        Whose cards.
    shown : collection of int, optional
        The seats whose cards lie open all the time; a showdown opens those of all who have not
        folded. None opens all.
    """
    is_open = shown is None or seat in shown or (is_shown_down(hand) and seat in hand.live)
    return card_text(hand.hole(seat)).split() if is_open else [FACE_DOWN] * 2


def board_names(hand: Hand, street: int) -> list[str]:
    """Return the five places of the board on a street; '' is a card to come."""
    cards = hand.deal[2 * hand.num_seats :][: BOARD_SIZES[street]]
    return [card_text(card) for card in cards] + [""] * (5 - len(cards))


def terms(hand: Hand) -> str:
    """Return what is played for, in words: 'no-limit, blinds 1/2'."""
    rules = hand.structure
    sizes = f" {rules.small_bet}/{rules.big_bet}" if rules.kind == LIMIT else ""
    ante = f", ante {rules.ante}" if rules.ante else ""
    return f"{rules.kind}{sizes}, blinds {rules.small_blind}/{rules.big_blind}{ante}"


def names_of(hand: Hand, names: Sequence[str] | None) -> list[str]:
    """Return what the seats are called.

    Raises
    ------
    SettingError
        If there are not as many names as seats.
    """
    if names is None:
        return [f"player {seat + 1}" for seat in range(hand.num_seats)]
    if len(names) != hand.num_seats:
        raise SettingError(f"{len(names)} names are given for {hand.num_seats} seats.")
    return list(names)


def pot_lines(hand: Hand, names: Sequence[str]) -> list[str]:
    """Return a line for each pot: its chips, and who can win it or has."""
    lines = []
    for k, pot in enumerate(hand.pots):
        name = "pot" if len(hand.pots) == 1 else "main pot" if k == 0 else f"side pot {k}"
        who, verb = pot.seats, "for"
        if hand.is_over:
            who = winners(pot, hand.strengths)
            verb = "won by" if len(who) == 1 else "shared by"
        says_who = hand.is_over or len(hand.pots) > 1
        takers = f", {verb} {' and '.join(names[seat] for seat in who)}"
        lines.append(f"{name}: {pot.chips:,}{takers * says_who}")
    return lines
