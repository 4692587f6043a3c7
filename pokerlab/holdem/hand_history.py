"""Hand histories: the actions of a hand one after the other, and the hand as text, street by street.

`replay_actions` goes through a hand again, and `format_hand` writes it with all cards open, as people do.
"""

from collections.abc import Iterator, Sequence

from pokerlab.core.errors import SettingError
from pokerlab.holdem.betting_structure import (
    FROM_BIG_BLIND,
    LIMIT,
    compute_stacks_after_blinds,
    find_blind_seats,
)
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    STREETS,
    format_cards,
)
from pokerlab.holdem.hand import CALL, FOLD, Hand
from pokerlab.holdem.hand_rankings import name_category
from pokerlab.holdem.pots import find_pot_winners


def format_hand(hand: Hand, names: Sequence[str] | None = None) -> str:
    """Return a hand as text, street by street, with all cards open.

    Parameters
    ----------
    hand : Hand
        At any moment; later streets are left out.
    names : sequence of str, optional
        The names of the players by seat; 'player 1' and so on if not given.

    Raises
    ------
    SettingError
        If there is not a name for each seat.

    Examples
    --------
    >>> from pokerlab.holdem import CALL, FOLD, no_limit, parse_cards
    >>> deal = parse_cards("As Ad Ks Kd 2c 3d 7h 8s Jc")
    >>> hand = Hand.begin(no_limit(1, 2), [100, 50], button=0, deal=deal)
    >>> print(format_hand(hand.after(6).after(CALL).after(10).after(FOLD), ["Ann", "Bob"]))
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
    players = validate_names(hand, names)
    lines = [f"Hand {hand.number}: {describe_game(hand)}"]
    for seat in list_dealt_in_seats(hand, hand.button):
        on_button = ", on the button" if seat == hand.button else ""
        chips = hand.starting_stacks[seat]
        lines.append(
            f"{players[seat]} has {format_cards(hand.get_hole_cards(seat))} and {chips} chips{on_button}"
        )

    lines.append("Preflop")
    for seat, post in iterate_posts(hand):
        lines.append(f"  {players[seat]} {post}")
    last_street = 0
    for before, action in replay_actions(hand):
        while last_street < before.street:
            last_street += 1
            lines.append(describe_street(before, last_street))
        lines.append(f"  {players[get_actor(before)]} {describe_action(before, action)}")

    if hand.is_over:
        for street in range(last_street + 1, hand.street + 1):
            lines.append(describe_street(hand, street))
        lines.append("End")
        lines.extend(iterate_end_lines(hand, players))
    return "\n".join(lines)


def replay_actions(hand: Hand) -> Iterator[tuple[Hand, int]]:
    """Yield, for each action of a hand, the hand before it and the action."""
    before = rewind_hand(hand)
    for action in hand.actions:
        yield before, action
        before = before.after(action)


def rewind_hand(hand: Hand) -> Hand:
    """Return the hand as it was before its first action, once antes and blinds were posted."""
    return Hand.begin(
        hand.structure, hand.starting_stacks, hand.button, hand.deal, number=hand.number
    )


def list_dealt_in_seats(hand: Hand, first: int) -> list[int]:
    """Return the seats that have cards, in turn from the seat `first` on."""
    from_first = ((first + turn) % hand.num_seats for turn in range(hand.num_seats))
    return [seat for seat in from_first if hand.starting_stacks[seat] > 0]


def validate_names(hand: Hand, names: Sequence[str] | None) -> list[str]:
    """Return the names of the players by seat; raise SettingError if there is not one for each."""
    if names is None:
        return [f"player {seat + 1}" for seat in range(hand.num_seats)]
    if len(names) != hand.num_seats:
        raise SettingError(f"{len(names)} names are given for {hand.num_seats} seats.")
    return list(names)


def describe_game(hand: Hand) -> str:
    """Return the betting structure in words."""
    rules = hand.structure
    sizes = f" {rules.small_bet}/{rules.big_bet}" if rules.kind == LIMIT else ""
    parts = [f"{rules.kind}{sizes} hold'em", f"blinds {rules.small_blind}/{rules.big_blind}"]
    if rules.ante:
        payer = " from the big blind" if rules.ante_from == FROM_BIG_BLIND else ""
        parts.append(f"ante {rules.ante}{payer}")
    return ", ".join(parts)


def iterate_posts(hand: Hand) -> Iterator[tuple[int, str]]:
    """Yield the seats that post antes and blinds, each with its post in words.

    Own antes come first, then the blinds, then an ante for the whole table.
    """
    stacks = hand.starting_stacks
    stacks_left, blinds = compute_stacks_after_blinds(hand.structure, stacks, hand.button)
    small_blind_seat, _ = find_blind_seats(stacks, hand.button)
    in_turn = list_dealt_in_seats(hand, small_blind_seat)
    for seat in in_turn:
        ante = stacks[seat] - stacks_left[seat] - blinds[seat] - hand.big_blind_antes[seat]
        if ante:
            yield seat, f"posts an ante of {ante}{', all-in' if ante == stacks[seat] else ''}"
    for seat in in_turn:
        if blinds[seat]:
            is_all_in = not stacks_left[seat] and not hand.big_blind_antes[seat]
            yield seat, f"posts {blinds[seat]}{', all-in' if is_all_in else ''}"
    for seat, ante in enumerate(hand.big_blind_antes):
        if ante:
            all_in = "" if stacks_left[seat] else ", all-in"
            yield seat, f"posts an ante of {ante} for all{all_in}"


def get_actor(hand: Hand) -> int:
    """Return the seat to act in a hand that is not over."""
    assert hand.actor is not None
    return hand.actor


def describe_action(hand: Hand, action: int) -> str:
    """Return an action of the actor in words, such as 'raises to 6' or 'calls 4, all-in'.

    `hand` is the hand before the action: FOLD, CALL, or the chips to raise to.
    """
    seat = get_actor(hand)
    if action == FOLD:
        return "folds"
    if action == CALL:
        chips = hand.legal.to_call
        text = f"calls {chips}" if chips else "checks"
    else:
        chips = action - hand.bets[seat]
        text = f"raises to {action}" if hand.bet else f"bets {action}"
    is_all_in = chips == hand.stacks[seat]
    return f"{text}, all-in" if is_all_in else text


def describe_street(hand: Hand, street: int) -> str:
    """Return the heading of a street after the first: its board and the pot."""
    start = 2 * hand.num_seats
    board = hand.deal[start : start + BOARD_SIZES[street]]
    outside_pot = hand.uncalled_chips if hand.is_over else hand.bets
    pot = sum(hand.paid) - sum(outside_pot)
    return f"{STREETS[street].capitalize()}: {format_cards(board)}, {pot} in the pot"


def iterate_end_lines(hand: Hand, players: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the end of a hand: uncalled chips, hands at the showdown, and the winners of each pot."""
    for seat, chips in enumerate(hand.uncalled_chips):
        if chips:
            yield f"  {chips} go back to {players[seat]}"

    if len(hand.live_seats) > 1:
        for seat in list_dealt_in_seats(hand, hand.button + 1):
            if not hand.folded[seat]:
                made_hand = name_category(hand.strengths[seat])
                yield f"  {players[seat]} shows {format_cards(hand.get_hole_cards(seat))}: {made_hand}"

    for number, pot in enumerate(hand.pots):
        winners = [players[seat] for seat in find_pot_winners(pot, hand.strengths)]
        verb = "wins" if len(winners) == 1 else "share"
        where = ""
        if len(hand.pots) > 1:
            where = f" in side pot {number}" if number else " in the main pot"
        yield f"  {' and '.join(winners)} {verb} {pot.chips}{where}"
