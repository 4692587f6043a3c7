"""The same hand at pokerkit's table: seats, streets, cards, and how it divides pots.

pokerkit numbers the players from the small blind to the button, heads-up from the big blind.
"""

from functools import lru_cache, total_ordering
from typing import Any

from phevaluator import evaluate_cards
from pokerkit import (
    Automation,
    BettingStructure,
    Card,
    Deck,
    Opening,
    StandardHighHand,
    State,
    Street,
)

from pokerlab.holdem.cards import format_cards
from pokerlab.holdem.hand import Hand

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
NEW_CARDS = (0, 3, 1, 1)
BOARD_SIZES = (0, 3, 4, 5)


@lru_cache
def rank_of(cards: tuple[Card, ...]) -> int:
    """Return phevaluator's rank of five to seven cards, 1 for the best."""
    return evaluate_cards(*map(repr, cards))


@total_ordering
class QuickHand:
    """A hand type for pokerkit, whose own takes most of its time."""

    low = False

    def __init__(self, rank: int) -> None:
        self.rank = rank

    @classmethod
    def from_game(cls, hole: Any, board: Any) -> "QuickHand":
        """Return the best hand of seven cards; pokerkit expects a ValueError for fewer than five."""
        return cls(rank_of((*Card.clean(hole), *Card.clean(board))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QuickHand) and self.rank == other.rank

    def __hash__(self) -> int:
        return self.rank

    def __lt__(self, other: "QuickHand") -> bool:
        return self.rank > other.rank


class PokerkitTable:
    """pokerkit's state of a hand, spoken to with the seats of ours."""

    def __init__(self, hand: Hand, *, own_hands: bool = False) -> None:
        n = hand.num_seats
        turns = ((hand.button + 1 + turn) % n for turn in range(n))
        self.seats = [seat for seat in turns if hand.starting_stacks[seat] > 0]
        self.board = hand.deal[2 * n :]
        rules = hand.structure
        limit = rules.kind == "limit"
        cap = None if rules.unlimited_heads_up and len(self.seats) == 2 else rules.cap
        # pokerkit does not count blinds and straddles as bets.
        caps = [
            None if cap is None else max(cap - (hand.num_bets if street == 0 else 0), 0)
            for street in range(4)
        ]
        streets = tuple(
            Street(
                card_burning_status=street > 0,
                hole_dealing_statuses=() if street else (False, False),
                board_dealing_count=NEW_CARDS[street],
                draw_status=False,
                opening=Opening.POSITION,
                min_completion_betting_or_raising_amount=(
                    rules.find_smallest_bet(street) if street else hand.full_raise
                ),
                max_completion_betting_or_raising_count=caps[street],
            )
            for street in range(4)
        )
        self.state = State(
            automations=AUTOMATIONS,
            deck=Deck.STANDARD,
            hand_types=(StandardHighHand if own_hands else QuickHand,),
            streets=streets,
            betting_structure=(
                BettingStructure.FIXED_LIMIT if limit else BettingStructure.NO_LIMIT
            ),
            ante_trimming_status=True,
            raw_antes=rules.ante,
            raw_blinds_or_straddles=(rules.small_blind, rules.big_blind),
            bring_in=0,
            raw_starting_stacks=tuple(hand.starting_stacks[seat] for seat in self.seats),
            player_count=len(self.seats),
        )
        while self.state.can_deal_hole():
            player = self.state.hole_dealee_index
            self.state.deal_hole(written(hand.get_hole_cards(self.seats[player])), player)
        self.deal()

    @property
    def is_over(self) -> bool:
        return not self.state.status

    @property
    def actor(self) -> int | None:
        player = self.state.actor_index
        return None if player is None else self.seats[player]

    def mine(self, entries: Any) -> list[int]:
        """Return one entry a seat of ours, in the order of pokerkit's players."""
        return [int(entries[seat]) for seat in self.seats]

    def act(self, action: int) -> None:
        """Fold, call or raise, and deal what is due."""
        if action < 0:
            self.state.fold()
        elif action == 0:
            self.state.check_or_call()
        else:
            self.state.complete_bet_or_raise_to(action)
        self.deal()

    def deal(self) -> None:
        """Burn and deal until somebody is to act, or the hand is over."""
        state = self.state
        while state.status and state.actor_index is None:
            if state.can_burn_card():
                state.burn_card("??")
            else:
                have, due = len(state.board_cards), BOARD_SIZES[state.street_index]
                state.deal_board(written(self.board[have:due]))

    def expected_payoffs(self, hand: Hand) -> list[int]:
        """Return what pokerkit will make of our pots and strengths.

        It sees only hands that win something when it makes the pots, so two pots with the same
        seats among those are one; and all odd chips go to the first winner.
        """
        num_seats = hand.num_seats
        best = [max(hand.strengths[seat] for seat in pot.seats) for pot in hand.pots]
        winning = {
            seat
            for pot, most in zip(hand.pots, best, strict=True)
            for seat in pot.seats
            if hand.strengths[seat] == most
        }
        merged: dict[tuple[int, ...], int] = {}
        for pot in hand.pots:
            seats = tuple(seat for seat in self.seats if seat in pot.seats and seat in winning)
            merged[seats] = merged.get(seats, 0) + pot.chips
        payoffs = [back - paid for back, paid in zip(hand.uncalled_chips, hand.paid, strict=True)]
        assert len(payoffs) == num_seats
        for seats, chips in merged.items():
            most = max(hand.strengths[seat] for seat in seats)
            takers = [seat for seat in seats if hand.strengths[seat] == most]
            share, odd = divmod(chips, len(takers))
            for seat in takers:
                payoffs[seat] += share + (odd if seat == takers[0] else 0)
        return self.mine(payoffs)


def written(cards: Any) -> str:
    """Return cards as pokerkit reads them."""
    return format_cards(cards).replace(" ", "")
