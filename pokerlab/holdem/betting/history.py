"""Hands as text for people, and what the text is made of: names, posts, actions, pots."""

from collections.abc import Iterator, Sequence

from pokerlab.core.errors import SettingError
from pokerlab.holdem.betting.actions import CALL, FOLD
from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.betting.hand_state import winners
from pokerlab.holdem.betting.structure import LIMIT, blind_seats, post
from pokerlab.holdem.cards.deck import BOARD_SIZES, STREETS, card_text
from pokerlab.holdem.strength.evaluation import category


def hand_text(hand: Hand, names: Sequence[str] | None = None) -> str:
    """Write a hand street by street, with all cards open.

    Parameters
    ----------
    hand : Hand
        At any moment; what is still to come is left out.
    names : sequence of str, optional
        What to call the seats; 'player 1' and so on if not given.

    Examples
    --------
    >>> from pokerlab.holdem import CALL, FOLD, no_limit, parse_cards
    >>> deal = parse_cards("As Ad Ks Kd 2c 3d 7h 8s Jc")
    >>> hand = Hand.begin(no_limit(1, 2), [100, 50], button=0, deal=deal)
    >>> print(hand_text(hand.after(6).after(CALL).after(10).after(FOLD), ["Ann", "Bob"]))
    Hand 0: no-limit hold'em, blinds 1/2
    Ann has As Ad and 100 chips, on the button
    Bob has Ks Kd and 50 chips
    Preflop
      Ann posts 1
      Bob posts 2
      Ann raises to 6
      Bob calls 4
    Flop: 2c 3d 7h, 12 in the pot
      Bob bets 10
      Ann folds
    End
      10 go back to Bob
      Bob wins 12
    """
    called = names_of(hand, names)
    lines = [f"Hand {hand.number}: {terms(hand)}"]
    for seat in dealt_in(hand, hand.button):
        on_button = ", on the button" if seat == hand.button else ""
        chips = hand.starting_stacks[seat]
        lines.append(
            f"{called[seat]} has {card_text(hand.hole(seat))} and {chips} chips{on_button}"
        )
    lines += ["Preflop", *(f"  {called[seat]} {said}" for seat, said in posts(hand))]
    reached = 0
    for now, action in moments(hand):
        while reached < now.street:
            reached += 1
            lines.append(street_line(now, reached))
        lines.append(f"  {called[seat_of(now)]} {words(now, action)}")
    if hand.is_over:
        lines += [street_line(hand, street) for street in range(reached + 1, hand.street + 1)]
        lines += ["End", *ending(hand, called)]
    return "\n".join(lines)


def moments(hand: Hand) -> Iterator[tuple[Hand, int]]:
    """Yield, for each action of a hand, the hand before it and the action."""
    now = beginning(hand)
    for action in hand.actions:
        yield now, action
        now = now.after(action)


def beginning(hand: Hand) -> Hand:
    """Return the hand as it was once antes and blinds were posted."""
    return Hand.begin(
        hand.structure, hand.starting_stacks, hand.button, hand.deal, number=hand.number
    )


def dealt_in(hand: Hand, first: int) -> list[int]:
    """Return the seats that have cards, from the seat `first` on."""
    turns = ((first + turn) % hand.num_seats for turn in range(hand.num_seats))
    return [seat for seat in turns if hand.starting_stacks[seat] > 0]


def names_of(hand: Hand, names: Sequence[str] | None) -> list[str]:
    """Return what the seats are called."""
    if names is None:
        return [f"player {seat + 1}" for seat in range(hand.num_seats)]
    if len(names) != hand.num_seats:
        raise SettingError(f"{len(names)} names are given for {hand.num_seats} seats.")
    return list(names)


def terms(hand: Hand) -> str:
    """Return what is played, in words."""
    rules = hand.structure
    sizes = f" {rules.small_bet}/{rules.big_bet}" if rules.kind == LIMIT else ""
    said = [f"{rules.kind}{sizes} hold'em", f"blinds {rules.small_blind}/{rules.big_blind}"]
    said += [f"ante {rules.ante}"] if rules.ante else []
    return ", ".join(said)


def posts(hand: Hand) -> Iterator[tuple[int, str]]:
    """Yield who posts what, in words: antes and blinds."""
    stacks = hand.starting_stacks
    left, blinds = post(hand.structure, stacks, hand.button)
    order = dealt_in(hand, blind_seats(stacks, hand.button)[0])
    for seat in order:
        ante = stacks[seat] - left[seat] - blinds[seat]
        if ante:
            yield seat, f"posts an ante of {ante}{', all-in' if ante == stacks[seat] else ''}"
    for seat in order:
        if blinds[seat]:
            yield seat, f"posts {blinds[seat]}{'' if left[seat] else ', all-in'}"


def seat_of(hand: Hand) -> int:
    """Return who is to act, where somebody is."""
    assert hand.actor is not None
    return hand.actor


def words(hand: Hand, action: int) -> str:
    """Return what the actor does, in words."""
    seat = seat_of(hand)
    if action == FOLD:
        return "folds"
    if action == CALL:
        chips = hand.legal.to_call
        said = f"calls {chips}" if chips else "checks"
    else:
        chips = action - hand.bets[seat]
        said = f"raises to {action}" if hand.bet else f"bets {action}"
    return f"{said}, all-in" if chips == hand.stacks[seat] else said


def street_line(hand: Hand, street: int) -> str:
    """Return the headline of a street after the first."""
    start = 2 * hand.num_seats
    board = hand.deal[start : start + BOARD_SIZES[street]]
    back = hand.uncalled if hand.is_over else hand.bets
    pot = sum(hand.paid) - sum(back)
    return f"{STREETS[street].capitalize()}: {card_text(board)}, {pot} in the pot"


def ending(hand: Hand, called: Sequence[str]) -> Iterator[str]:
    """Yield what goes back, what is shown, and who wins which pot."""
    for seat, chips in enumerate(hand.uncalled):
        if chips:
            yield f"  {chips} go back to {called[seat]}"
    if len(hand.live) > 1:
        for seat in dealt_in(hand, hand.button + 1):
            if hand.folded[seat]:
                continue
            shown = category(hand.strengths[seat])
            yield f"  {called[seat]} shows {card_text(hand.hole(seat))}: {shown}"
    for number, pot in enumerate(hand.pots):
        takers = [called[seat] for seat in winners(pot, hand.strengths)]
        verb = "wins" if len(takers) == 1 else "share"
        which = f" in side pot {number}" if number else " in the main pot"
        which = which if len(hand.pots) > 1 else ""
        yield f"  {' and '.join(takers)} {verb} {pot.chips}{which}"
