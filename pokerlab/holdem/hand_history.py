"""Hand histories: the blinds and actions of a hand one after the other, each with its words.

`replay_actions` goes through a hand again, action by action. `iterate_posts` and `describe_action` say in words what
each seat does, as `pokerlab.workbench.draw_hand` shows it street by street.
"""

from collections.abc import Iterator, Sequence

from pokerlab.core.errors import SettingError
from pokerlab.holdem.betting_structure import (
    FROM_BIG_BLIND,
    LIMIT,
    Structure,
    compute_stacks_after_blinds,
    find_blind_seats,
)
from pokerlab.holdem.hand import CALL, FOLD, Hand


def replay_actions(hand: Hand) -> Iterator[tuple[Hand, int]]:
    """Yield each action of a hand, together with the hand as it was before this action.

    Parameters
    ----------
    hand : Hand
        The hand, which need not be over.

    Yields
    ------
    hand_before : Hand
        The hand before the action.
    action : int
        FOLD, CALL, or the total number of chips to raise to.
    """
    hand_before = rewind_hand(hand)
    for action in hand.actions:
        yield hand_before, action
        hand_before = hand_before.after(action)


def rewind_hand(hand: Hand) -> Hand:
    """Return a hand as it was before its first action, when antes and blinds had been posted.

    Parameters
    ----------
    hand : Hand
        The hand after any number of actions. It is not changed.

    Returns
    -------
    Hand
        A new hand with the same stacks, button, cards and number.
    """
    return Hand.begin(
        hand.structure, hand.starting_stacks, hand.button, hand.deal, number=hand.number
    )


def list_dealt_in_seats(hand: Hand, first_seat: int) -> list[int]:
    """Return the seats that have cards, clockwise from a given seat.

    Parameters
    ----------
    hand : Hand
        The hand. Seats without chips at its beginning have no cards.
    first_seat : int
        The seat from which to count, which is the first in the list if it has cards. A number beyond the last seat
        means the seats from 0 on again.

    Returns
    -------
    list of int
        The seats, each once.
    """
    num_seats = hand.num_seats
    clockwise = [(first_seat + distance) % num_seats for distance in range(num_seats)]
    return [seat for seat in clockwise if hand.starting_stacks[seat] > 0]


def validate_names(hand: Hand, names: Sequence[str] | None) -> list[str]:
    """Return the name of the player in each seat, after checking that there is one for each.

    Parameters
    ----------
    hand : Hand
        The hand, which gives the number of seats.
    names : sequence of str or None
        The names by seat. If None, the result is 'player 1', 'player 2', and so on.

    Returns
    -------
    list of str
        The names by seat.

    Raises
    ------
    SettingError
        If the number of names is not that of the seats.
    """
    if names is None:
        return [f"player {seat + 1}" for seat in range(hand.num_seats)]
    if len(names) != hand.num_seats:
        raise SettingError(f"{len(names)} names are given for {hand.num_seats} seats.")
    return list(names)


def describe_structure(structure: Structure) -> str:
    """Return a betting structure in words.

    Parameters
    ----------
    structure : Structure
        The structure: the kind of betting, blinds, bets and antes.

    Examples
    --------
    >>> from pokerlab.holdem import limit, no_limit
    >>> describe_structure(limit(2))
    "limit 2/4 hold'em, blinds 1/2"
    >>> describe_structure(no_limit(1, 2, ante=2, ante_payer="big blind"))
    "no-limit hold'em, blinds 1/2, ante 2 from the big blind"
    """
    bets = f" {structure.small_bet}/{structure.big_bet}" if structure.kind == LIMIT else ""
    parts = [
        f"{structure.kind}{bets} hold'em",
        f"blinds {structure.small_blind}/{structure.big_blind}",
    ]
    if structure.ante:
        payer = " from the big blind" if structure.ante_payer == FROM_BIG_BLIND else ""
        parts.append(f"ante {structure.ante}{payer}")
    return ", ".join(parts)


def iterate_posts(hand: Hand) -> Iterator[tuple[int, str]]:
    """Yield each ante and blind of a hand in words, such as 'posts 2', together with the seat that posts it.

    The antes of all players come first, then the blinds, then an ante of the big blind for the whole table.

    Parameters
    ----------
    hand : Hand
        The hand.

    Yields
    ------
    seat : int
        The seat that posts.
    post : str
        What it does. The text ends with ', all-in' if the seat has no chips left.
    """
    stacks = hand.starting_stacks
    stacks_left, blinds = compute_stacks_after_blinds(hand.structure, stacks, hand.button)
    big_blind_antes = hand.big_blind_antes
    small_blind_seat, _ = find_blind_seats(stacks, hand.button)
    seats = list_dealt_in_seats(hand, small_blind_seat)

    for seat in seats:
        ante = stacks[seat] - stacks_left[seat] - blinds[seat] - big_blind_antes[seat]
        if ante:
            all_in = ", all-in" if ante == stacks[seat] else ""
            yield seat, f"posts an ante of {ante}{all_in}"

    for seat in seats:
        blind = blinds[seat]
        if blind:
            left_after_blind = stacks_left[seat] + big_blind_antes[seat]
            all_in = "" if left_after_blind else ", all-in"
            yield seat, f"posts {blind}{all_in}"

    for seat, ante in enumerate(big_blind_antes):
        if ante:
            all_in = "" if stacks_left[seat] else ", all-in"
            yield seat, f"posts an ante of {ante} for all{all_in}"


def get_actor(hand: Hand) -> int:
    """Return the seat that is to act in a hand that is not over.

    Parameters
    ----------
    hand : Hand
        The hand. That it is not over is only asserted.
    """
    assert hand.actor is not None
    return hand.actor


def describe_action(hand: Hand, action: int) -> str:
    """Return an action in words, such as 'raises to 6' or 'calls 4, all-in'.

    Parameters
    ----------
    hand : Hand
        The hand before the action.
    action : int
        A legal action of the seat that is to act: FOLD, CALL, or the total number of chips to raise to.
    """
    if action == FOLD:
        return "folds"
    seat = get_actor(hand)
    if action == CALL:
        chips = hand.legal_actions.to_call
        text = f"calls {chips}" if chips else "checks"
    else:
        chips = action - hand.bets[seat]
        text = f"raises to {action}" if hand.bet else f"bets {action}"
    is_all_in = chips == hand.stacks[seat]
    return f"{text}, all-in" if is_all_in else text
