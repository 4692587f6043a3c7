"""The PHH format: hands written for other programs, and hands of other programs replayed here.

PHH is the poker hand history of the University of Toronto [1]_: a TOML file with the players from the
left of the button on, their antes, blinds, straddles and stacks, and every card and action. pokerkit
reads and writes it; its rules differ from the ones here at a few points: see `phh`.

What PHH has no field for (the rake, the cap, a straddle that nobody had the chips for) is written in
fields that begin with an underscore, as the format allows, and only where a hand needs them.

References
----------
.. [1] Juho Kim, "Recording and describing poker hands", IEEE Conference on Games, 2024;
   https://phh.readthedocs.io.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from numpy.typing import ArrayLike

from pokerlab.core.errors import FileFormatError, PokerlabError
from pokerlab.holdem.betting.actions import CALL, FOLD
from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.betting.hand_state import winners
from pokerlab.holdem.betting.seating import FEWEST_SEATS, MOST_SEATS, post
from pokerlab.holdem.betting.structure import FROM_EVERYBODY, LIMIT
from pokerlab.holdem.cards.cards import BOARD_SIZES, NUM_CARDS, STREETS, card_text
from pokerlab.holdem.histories.history import dealt_in, moments, names_of, seat_of
from pokerlab.holdem.histories.phh_fields import (
    Actions,
    Section,
    options_in,
    own_fields,
    parsed,
    read_actions,
    read_names,
    read_seats,
    read_structure,
    shortened,
)

MOST_CHARACTERS, MOST_CHARACTERS_OF_MANY = 10**6, 5 * 10**7


class ReadHand(NamedTuple):
    """A hand from a file.

    Attributes
    ----------
    hand : Hand
        The hand, replayed. Cards that the file does not tell are filled in from the rest of the
        deck, lowest first; nothing that the file tells depends on them.
    names : tuple of str
        The players', one for each seat.
    known : tuple of int
        The seats whose hole cards the file tells: what `shown` is to be in a drawing.
    """

    hand: Hand
    names: tuple[str, ...]
    known: tuple[int, ...]


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
    - The format has no field for a rake; `finishing_stacks` are those after it.

    All other hands are read as they were.
    """
    called, rules = names_of(hand, names), hand.structure
    posted = post(rules, hand.starting_stacks, hand.button)
    seats = dealt_in(hand, hand.button + 1)
    stacks = [hand.starting_stacks[seat] for seat in seats]
    blinds = [rules.small_blind, rules.big_blind, *(posted.blinds[seat] for seat in seats[2:])]
    own_ante = rules.ante_from == FROM_EVERYBODY
    antes = [rules.ante if own_ante else posted.dead[seat] for seat in seats]
    sizes: dict[str, object] = {"min_bet": rules.small_bet}
    if rules.kind == LIMIT:
        sizes = {"small_bet": rules.small_bet, "big_bet": rules.big_bet}
    fields: dict[str, object] = {
        "variant": "FT" if rules.kind == LIMIT else "NT",
        "ante_trimming_status": own_ante,
        # With two players the format lists the blinds' order, not the players'.
        "antes": antes if own_ante or len(seats) > 2 else antes[::-1],
        "blinds_or_straddles": blinds,
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
    fields |= own_fields(rules, options_in(Section("the hand", fields)))
    # The values of JSON used here are values of TOML as well.
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in fields.items())


def phhs(hands: Iterable[Hand], names: Sequence[str] | None = None) -> str:
    """Write many hands as one PHH file, numbered sections from 1."""
    sections = (f"[{number}]\n{phh(hand, names)}" for number, hand in enumerate(hands, start=1))
    return "\n".join(sections)


def read_phh(source: str | Path) -> ReadHand:
    """Read a hand of Texas hold'em in the PHH format, and replay it by the rules here.

    Parameters
    ----------
    source : str or Path
        The file's path, or its text.

    Returns
    -------
    ReadHand
        The hand as far as it was played, the players' names, and whose cards are known. Players
        have the seats that the file tells, otherwise seat 0, 1, ... with the button at the last.

    Raises
    ------
    FileFormatError
        If there is no such file, it is longer than a million characters or is not in the format,
        or the hand cannot be replayed: another game, chips that are not whole numbers, an action
        that is not legal here, unknown cards at a showdown, or other chips at the end than the file
        tells (odd chips aside). The message names the line or the field.

    Notes
    -----
    Limit is read with at most four bets a round, unless the field `_cap` says otherwise.

    Examples
    --------
    >>> from pokerlab.holdem import hand_text, no_limit, parse_cards
    >>> deal = parse_cards("As Ad Ks Kd 2c 3d 7h 8s Jc")
    >>> hand = Hand.begin(no_limit(1, 2), [100, 50], button=0, deal=deal).after(50).after(CALL)
    >>> read = read_phh(phh(hand, ["Ann", "Bob"]))
    >>> read.hand == hand, read.names, read.known
    (True, ('Ann', 'Bob'), (0, 1))
    """
    where, table = parsed(source, MOST_CHARACTERS)
    if "actions" not in table and any(isinstance(value, dict) for value in table.values()):
        raise FileFormatError(f"{where} has several hands; read it with read_phhs.")
    return replayed(Section(where, table))


def read_phhs(source: str | Path) -> list[ReadHand]:
    """Read a file of several hands in the PHH format, one a section; see `read_phh`.

    Raises
    ------
    FileFormatError
        As in `read_phh`; the message names the section too. A file may have 50 million characters.
    """
    where, table = parsed(source, MOST_CHARACTERS_OF_MANY)
    for name, value in table.items():
        if not isinstance(value, dict):
            raise FileFormatError(
                f"{where} has the field {name} outside of a section; for a single hand use read_phh."
            )
    return [replayed(Section(f"{where}, hand [{name}]", hand)) for name, hand in table.items()]


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
        cards = hand.deal[start + BOARD_SIZES[street - 1] : start + BOARD_SIZES[street]]
        yield f"d db {joined(cards)}"


def joined(cards: ArrayLike) -> str:
    """Return cards without blanks between."""
    return card_text(cards).replace(" ", "")


def replayed(section: Section) -> ReadHand:
    """Return the hand of a section, played again."""
    stacks = section.numbers("starting_stacks")
    num_players = len(stacks)
    if not FEWEST_SEATS <= num_players <= MOST_SEATS or min(stacks) == 0:
        section.refuse(
            "starting_stacks",
            f"they are {stacks}; give {FEWEST_SEATS} to {MOST_SEATS} players with chips.",
        )
    for field in ("antes", "blinds_or_straddles"):
        if len(section.numbers(field)) != num_players:
            section.refuse(field, f"it has not one entry for each of {num_players} players.")
    structure = read_structure(section)
    seats, num_seats = read_seats(section, num_players)
    names = read_names(section, seats, num_seats)
    actions = read_actions(section, num_players)
    at_seats = [0] * num_seats
    for seat, stack in zip(seats, stacks, strict=True):
        at_seats[seat] = stack
    number = section.fields.get("hand", 0)
    try:
        hand = Hand.begin(
            structure,
            at_seats,
            seats[-1],
            filled_deal(actions, seats, num_seats),
            number=number if type(number) is int else 0,
        )
    except PokerlabError as error:
        section.refuse("cards and stacks", error)
    check_posts(section, hand, seats)
    for place, player, action, num_cards in actions.done:
        field = f"action {place}, {shortened(section.get('actions')[place - 1])}"
        if not 0 <= player < num_players:
            section.refuse(field, f"there are players p1 to p{num_players}.")
        if hand.is_over and action == CALL and hand.able == (seats[player],):
            # A check of the last seat with chips, which is not asked here.
            continue
        if hand.actor != seats[player]:
            due = (
                "the hand is over"
                if hand.actor is None
                else f"p{seats.index(hand.actor) + 1} is to act"
            )
            section.refuse(field, f"{due}.")
        if num_cards != BOARD_SIZES[hand.street]:
            section.refuse(
                field, f"on the {STREETS[hand.street]}, the board has {num_cards} cards."
            )
        try:
            hand = hand.after(action)
        except PokerlabError as error:
            section.refuse(field, error)
    check_end(section, hand, actions, seats)
    known = (
        seat for seat, hole in zip(seats, actions.holes.values(), strict=True) if is_known(hole)
    )
    return ReadHand(hand, names, tuple(sorted(known)))


def is_known(hole: Sequence[int]) -> bool:
    """Return whether both cards are known."""
    return len(hole) == 2 and min(hole) >= 0


def filled_deal(actions: Actions, seats: Sequence[int], num_seats: int) -> list[int]:
    """Return a deal with the cards that the file gives, and others of the deck where none are."""
    deal = [-1] * (2 * num_seats + BOARD_SIZES[-1])
    for seat, hole in zip(seats, actions.holes.values(), strict=True):
        deal[2 * seat : 2 * seat + len(hole)] = hole
    deal[2 * num_seats : 2 * num_seats + len(actions.board)] = actions.board
    rest = iter(sorted(set(range(NUM_CARDS)) - set(deal)))
    return [next(rest) if card < 0 else card for card in deal]


def check_posts(section: Section, hand: Hand, seats: Sequence[int]) -> None:
    """Refuse a hand in which a short stack posts by other rules than here."""
    posted = post(hand.structure, hand.starting_stacks, hand.button)
    antes, blinds = section.numbers("antes"), section.numbers("blinds_or_straddles")
    if len(seats) == FEWEST_SEATS:
        antes, blinds = antes[::-1], blinds[::-1]
    if len({ante > 0 for ante in antes}) > 1 and section.switch("ante_trimming_status"):
        section.refuse("ante_trimming_status", "with an ante from one player it must be false.")
    for player, seat in enumerate(seats):
        ante = min(antes[player], hand.starting_stacks[seat])
        blind = min(blinds[player], hand.starting_stacks[seat] - ante)
        paid = hand.starting_stacks[seat] - posted.stacks[seat]
        own = paid - posted.blinds[seat], posted.blinds[seat]
        if own != (ante, blind):
            section.refuse(
                "blinds_or_straddles",
                f"p{player + 1} posts an ante of {ante} and {blind}; by the rules here"
                f" {own[0]} and {own[1]}.",
            )
    untrimmed = any(antes) and len(set(antes)) == 1 and not section.switch("ante_trimming_status")
    if untrimmed and min(filter(None, hand.starting_stacks)) < antes[0]:
        section.refuse("ante_trimming_status", "a player is short of the ante; it must be true.")


def check_end(section: Section, hand: Hand, actions: Actions, seats: Sequence[int]) -> None:
    """Refuse a hand whose end the file does not tell, or tells otherwise."""
    if not hand.is_over:
        return
    if len(hand.live) > 1:
        if len(actions.board) < BOARD_SIZES[-1]:
            section.refuse(
                "actions", f"a showdown needs five cards; the board has {len(actions.board)}."
            )
        for player, seat in enumerate(seats):
            if not hand.folded[seat] and not is_known(actions.holes[player]):
                section.refuse(
                    "actions", f"the cards of p{player + 1} are unknown at the showdown."
                )
    if "finishing_stacks" not in section.fields:
        return
    finishing = section.numbers("finishing_stacks")
    ours = [hand.starting_stacks[seat] + int(hand.payoffs[seat]) for seat in seats]
    odd = sum(len(winners(pot, hand.strengths)) - 1 for pot in hand.pots)
    if len(finishing) != len(ours) or any(
        abs(their - own) > odd for their, own in zip(finishing, ours, strict=False)
    ):
        section.refuse(
            "finishing_stacks", f"they are {finishing}; by the rules here they are {ours}."
        )
