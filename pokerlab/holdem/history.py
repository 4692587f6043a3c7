"""Hands written down: as text for readers, and in the PHH format for other programs.

PHH, the poker hand history of the University of Toronto [1]_, is read by pokerkit, whose rules
differ from these at a few points: see `phh`.

References
----------
.. [1] Juho Kim, "Recording and describing poker hands", IEEE Conference on Games, 2024;
   https://phh.readthedocs.io.
"""

import json
from collections.abc import Iterable, Iterator, Sequence

from numpy.typing import ArrayLike

from pokerlab.core.errors import SettingError
from pokerlab.holdem.actions import CALL, FOLD
from pokerlab.holdem.betting import Hand
from pokerlab.holdem.cards import card_text
from pokerlab.holdem.hand_state import BOARD_SIZES
from pokerlab.holdem.pots import winners
from pokerlab.holdem.seating import blind_seats
from pokerlab.holdem.strength import category
from pokerlab.holdem.structure import LIMIT, STREETS

FIRST_CARD_OF_STREET = (0, 0, 3, 4)


def hand_text(hand: Hand, names: Sequence[str] | None = None) -> str:
    """Write a hand street by street, with all cards open.

    Parameters
    ----------
    hand : Hand
        At any moment; what is still to come is left out.
    names : sequence of str, optional
        What to call the seats; 'player 1' and so on if not given.

    Raises
    ------
    SettingError
        If there are not as many names as seats.

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
    told = 0
    for now, action in moments(hand):
        while told < now.street:
            told += 1
            lines.append(street_line(now, told))
        lines.append(f"  {called[seat_of(now)]} {words(now, action)}")
    if hand.is_over:
        lines += [street_line(hand, street) for street in range(told + 1, hand.street + 1)]
        lines += ["End", *ending(hand, called)]
    return "\n".join(lines)


def phh(hand: Hand, names: Sequence[str] | None = None) -> str:
    """Write a hand in the PHH format; numbers of players begin left of the button.

    Parameters
    ----------
    hand : Hand
        At any moment.
    names : sequence of str, optional
        What to call the seats.

    Raises
    ------
    SettingError
        If there are not as many names as seats.

    Notes
    -----
    The chips at the end are written as `finishing_stacks`. Compare them with those of pokerkit
    (0.7) once it has read a hand:

    - After a big blind posted short a call costs the full blind here, and what was posted there.
      pokerkit refuses most such hands, and reads some as others, with other chips.
    - A short all-in counts against the cap of limit there, not here; pokerkit refuses a hand with
      more bets than it would allow.
    - Where a pot is shared, odd chips may go to other winners.

    All other hands are read as they were.
    """
    called, rules = names_of(hand, names), hand.structure
    seats = dealt_in(hand, hand.button + 1)
    others = [0] * (len(seats) - 2)
    stacks = [hand.starting_stacks[seat] for seat in seats]
    sizes: dict[str, object] = {"min_bet": rules.small_bet}
    if rules.kind == LIMIT:
        sizes = {"small_bet": rules.small_bet, "big_bet": rules.big_bet}
    fields: dict[str, object] = {
        "variant": "FT" if rules.kind == LIMIT else "NT",
        "ante_trimming_status": True,
        "antes": [rules.ante for _ in seats],
        "blinds_or_straddles": [rules.small_blind, rules.big_blind, *others],
        **sizes,
        "starting_stacks": stacks,
        "actions": list(phh_actions(hand, seats)),
        "hand": hand.number,
        "seats": [seat + 1 for seat in seats],
        "seat_count": hand.num_seats,
        "players": [called[seat] for seat in seats],
    }
    if hand.is_over:
        payoffs = hand.payoffs
        fields["finishing_stacks"] = [
            stack + int(payoffs[seat]) for stack, seat in zip(stacks, seats, strict=True)
        ]
    # The values of JSON used here are values of TOML as well.
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in fields.items())


def phhs(hands: Iterable[Hand], names: Sequence[str] | None = None) -> str:
    """Write many hands as one PHH file, numbered sections from 1."""
    sections = (f"[{number}]\n{phh(hand, names)}" for number, hand in enumerate(hands, start=1))
    return "\n".join(sections)


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
    ante = f", ante {rules.ante}" if rules.ante else ""
    return f"{rules.kind}{sizes} hold'em, blinds {rules.small_blind}/{rules.big_blind}{ante}"


def posts(hand: Hand) -> Iterator[tuple[int, str]]:
    """Yield who posts what, in words: first the antes, then the blinds."""
    now = beginning(hand)
    order = dealt_in(hand, blind_seats(hand.starting_stacks, hand.button)[0])
    antes = {seat: now.paid[seat] - now.bets[seat] for seat in order}
    for seat in order:
        if antes[seat]:
            all_in = ", all-in" if antes[seat] == hand.starting_stacks[seat] else ""
            yield seat, f"posts an ante of {antes[seat]}{all_in}"
    for seat in order:
        if now.bets[seat]:
            yield seat, f"posts {now.bets[seat]}{'' if now.stacks[seat] else ', all-in'}"


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
        yield f"  {' and '.join(takers)} {verb} {pot.chips}{which if len(hand.pots) > 1 else ''}"


def phh_actions(hand: Hand, seats: Sequence[int]) -> Iterator[str]:
    """Yield the actions of PHH: dealing, folding, checking or calling, raising, showing."""
    player = {seat: f"p{number}" for number, seat in enumerate(seats, start=1)}
    for seat in seats:
        yield f"d dh {player[seat]} {joined(hand.hole(seat))}"
    street = 0
    for now, action in moments(hand):
        yield from boards(hand, street, now.street)
        street = now.street
        verb = {FOLD: "f", CALL: "cc"}.get(action, f"cbr {action}")
        yield f"{player[seat_of(now)]} {verb}"
    if hand.is_over and len(hand.live) > 1:
        # Who is all-in shows before the rest of the board comes.
        live = (seat for seat in seats if not hand.folded[seat])
        yield from (f"{player[seat]} sm {joined(hand.hole(seat))}" for seat in live)
    yield from boards(hand, street, hand.street)


def boards(hand: Hand, before: int, after: int) -> Iterator[str]:
    """Yield the dealing of the board from one street to another."""
    start = 2 * hand.num_seats
    for street in range(before + 1, after + 1):
        cards = hand.deal[start + FIRST_CARD_OF_STREET[street] : start + BOARD_SIZES[street]]
        yield f"d db {joined(cards)}"


def joined(cards: ArrayLike) -> str:
    """Return cards without blanks between."""
    return card_text(cards).replace(" ", "")
