"""A hand in words: who did what, which cards are visible to whom, and what an agent thought."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.betting.hand_state import uncalled, winners
from pokerlab.holdem.betting.history import beginning, moments, posts, seat_of, words
from pokerlab.holdem.cards.deck import BOARD_SIZES, card_text
from pokerlab.workbench.pictures.cards import FACE_DOWN


@dataclass(frozen=True)
class Step:
    """What a seat did."""

    street: int
    seat: int
    words: str  # what is said at the table: 'checks', 'raises to 6, all-in'
    pot: int  # chips on the table afterward, but for those of a bet that nobody else has matched


def steps(hand: Hand) -> list[Step]:
    """Return what was posted and done, in order."""
    posted: dict[int, list[str]] = {}
    for seat, said in posts(hand):
        posted.setdefault(seat, []).append(said)
    pot = matched_chips(beginning(hand))
    done = [Step(0, seat, " and ".join(said), pot) for seat, said in posted.items()]
    for now, action in moments(hand):
        done.append(
            Step(now.street, seat_of(now), words(now, action), matched_chips(now.after(action)))
        )
    return done


def matched_chips(hand: Hand) -> int:
    """Return the chips on the table that are matched, or in the pots already."""
    return sum(hand.paid) - sum(uncalled(hand.paid, hand.folded))


def is_shown_down(hand: Hand) -> bool:
    """Return whether two hands or more were compared at the end."""
    return hand.is_over and len(hand.live) > 1


def hole_names(hand: Hand, seat: int, shown: Collection[int] | None) -> list[str]:
    """Return the cards of a seat as they are seen: 'As', or '?' face down.

    Those of the seats `shown` lie open, of all if it is None; a showdown opens those of all who have not folded.
    """
    is_open = shown is None or seat in shown or (is_shown_down(hand) and seat in hand.live)
    return card_text(hand.hole(seat)).split() if is_open else [FACE_DOWN] * 2


def board_names(hand: Hand, street: int) -> list[str]:
    """Return the five places of the board on a street; '' is a card to come."""
    cards = hand.deal[2 * hand.num_seats :][: BOARD_SIZES[street]]
    return [card_text(card) for card in cards] + [""] * (5 - len(cards))


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
