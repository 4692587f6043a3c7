"""pokerkit as an outside witness: the same actors, legal actions, chips and payoffs, hand by hand.

Where it differs, the difference must be one of those known, and exactly as large as known.
"""

import random

import pytest

pytest.importorskip("pokerkit")
pytest.importorskip("phevaluator")

from pokerkit import FixedLimitTexasHoldem

from pokerlab.holdem.betting_structure import limit, no_limit
from pokerlab.holdem.hand import CALL, FOLD, Hand, LegalActions
from tests.external.pokerkit_table import AUTOMATIONS, PokerkitTable
from tests.random_hands import random_action, random_hand, random_structure

pytestmark = pytest.mark.external

OWN_HANDS_EVERY = 100
"""So many hands are shown down by pokerkit's own, slow, comparison of hands."""

SHORT_BLIND = "a call of a short big blind costs what is posted, and raises start from there"
SHORT_BLIND_END = "a short big blind: from here on the hands differ"
SHORT_RAISE = "the first raise of a round counts as a full one even if it is short"
SHORT_COUNTS = "a short all-in counts against the cap"
SHORT_FORGOTTEN = "short all-ins that add up to a full raise count no more when one more follows"
ASKED_ALONE = "the last seat with chips is asked for a check"
ODD_CHIPS = "pots with the same winners are one, and its odd chips go to the first of them"
EVERYWHERE = {SHORT_BLIND, SHORT_BLIND_END, SHORT_RAISE, ASKED_ALONE, ODD_CHIPS}
RARE = {SHORT_FORGOTTEN}
"""Results once in some ten thousand hands."""
DIFFERENCES = {"no-limit": EVERYWHERE, "limit": EVERYWHERE | {SHORT_COUNTS}}


class Together:
    """One hand played at both tables, and which of the known differences it met."""

    def __init__(self, hand: Hand, luck: random.Random) -> None:
        self.hand = hand
        self.found: set[str] = set()
        self.luck = luck
        self.table = PokerkitTable(hand, own_hands=hand.number % OWN_HANDS_EVERY == 0)
        self.state = self.table.state
        # How far the posted blinds fall short of the big blind.
        self.shortfall = hand.bet - max(hand.bets)
        self.first = hand

    def play(self) -> None:
        """Play random actions that are legal at both tables, comparing all the way."""
        while not self.hand.is_over:
            assert self.table.actor == self.hand.actor
            assert list(self.state.bets) == self.table.mine(self.hand.bets)
            assert list(self.state.stacks) == self.table.mine(self.hand.stacks)
            action = self.shared_action()
            if action is None:
                self.found.add(SHORT_BLIND_END)
                return
            self.hand = self.hand.after(action)
            self.table.act(action)
        self.check_end()

    def shared_action(self) -> int | None:
        """Return an action that both allow, or None, once every difference is explained."""
        ours, seat = self.hand.legal_actions, self.hand.actor
        assert seat is not None
        theirs = (
            self.state.min_completion_betting_or_raising_to_amount,
            self.state.max_completion_betting_or_raising_to_amount,
        )
        if (ours.min_raise_to, ours.max_raise_to) != theirs:
            self.explain_raises(ours, theirs)
        calls_agree = ours.to_call == self.state.checking_or_calling_amount
        if not calls_agree:
            self.explain_call(ours)
        can_fold = ours.can_fold and self.state.can_fold()
        assert can_fold == ours.can_fold or not calls_agree
        raises = self.shared_raises(ours, theirs)
        if calls_agree:
            return random_action(self.luck, LegalActions(can_fold, ours.to_call, *raises))
        if raises[0] is not None:
            return self.luck.randint(*raises)
        return FOLD if can_fold else None

    def shared_raises(self, ours: LegalActions, theirs: tuple) -> tuple:
        """Return the smallest and the largest raise that both allow, or twice None."""
        if ours.min_raise_to is None or theirs[0] is None:
            return None, None
        least, most = max(ours.min_raise_to, theirs[0]), min(ours.max_raise_to, theirs[1])
        return (least, most) if least <= most else (None, None)

    def explain_call(self, ours: LegalActions) -> None:
        """Hold that only a short big blind makes calls differ, and by how much."""
        hand, seat = self.hand, self.hand.actor
        assert hand.street == 0
        assert self.shortfall > 0
        assert hand.bet == hand.structure.big_blind
        owed = max(hand.bets) - hand.bets[seat]
        assert self.state.checking_or_calling_amount == min(owed, hand.stacks[seat])
        assert ours.to_call == min(hand.bet - hand.bets[seat], hand.stacks[seat])
        self.found.add(SHORT_BLIND)

    def explain_raises(self, ours: LegalActions, theirs: tuple) -> None:
        """Hold that the legal raises differ for a known reason."""
        hand, seat = self.hand, self.hand.actor
        smallest = hand.structure.find_smallest_bet(hand.street)
        if hand.street == 0:
            smallest = self.first.full_raise
        their_raise = self.state.completion_betting_or_raising_amount
        blind_bets = self.first.num_bets if hand.street == 0 else 0
        their_bets = self.state.completion_betting_or_raising_count + blind_bets
        if hand.street == 0 and self.shortfall > 0 and their_raise != hand.full_raise:
            untouched = their_bets == blind_bets and hand.bet == hand.structure.big_blind
            if untouched and theirs[0] is not None:
                all_in = hand.bets[seat] + hand.stacks[seat]
                assert theirs[0] == min(max(hand.bets) + smallest, all_in)
            assert untouched or their_raise <= hand.full_raise + self.shortfall
            self.found.add(SHORT_BLIND)
        elif not ours.can_raise:
            assert hand.answered_bets[seat] >= 0
            assert their_raise < smallest == hand.full_raise
            assert their_raise <= hand.bet - hand.answered_bets[seat] < hand.full_raise
            self.found.add(SHORT_RAISE)
        elif hand.structure.cap is None or their_bets < hand.structure.cap:
            assert theirs == (None, None)
            assert 0 <= hand.answered_bets[seat] <= hand.bet - hand.full_raise
            assert 0 < sum(self.state.consecutive_short_all_in_amounts) < their_raise
            self.found.add(SHORT_FORGOTTEN)
        else:
            assert theirs == (None, None)
            assert their_bets == hand.structure.cap > hand.num_bets
            self.found.add(SHORT_COUNTS)

    def check_end(self) -> None:
        """Compare payoffs, once nobody is asked any more."""
        hand = self.hand
        while not self.table.is_over:
            assert hand.seats_able_to_act == (self.table.actor,)
            assert self.state.checking_or_calling_amount == 0
            assert not self.state.can_complete_bet_or_raise_to()
            self.found.add(ASKED_ALONE)
            self.table.act(CALL)
        theirs = list(self.state.payoffs)
        assert theirs == self.table.expected_payoffs(hand)
        if theirs != self.table.mine(hand.payoffs):
            self.found.add(ODD_CHIPS)


A_MILLION = [pytest.param(seed, 50_000, marks=pytest.mark.slow) for seed in range(100, 110)]


@pytest.mark.parametrize(("seed", "num_hands"), [(0, 500), (1, 500), *A_MILLION])
@pytest.mark.parametrize("kind", list(DIFFERENCES))
def test_random_hands_differ_in_known_ways_only(kind: str, seed: int, num_hands: int) -> None:
    luck, found = random.Random(seed), set[str]()
    for number in range(num_hands):
        together = Together(random_hand(luck, random_structure(luck, kind), number), luck)
        together.play()
        found |= together.found
    assert DIFFERENCES[kind] <= found <= DIFFERENCES[kind] | RARE


def test_heads_up_raising_without_a_cap_differs_in_known_ways_only() -> None:
    luck = random.Random(2)
    structure = limit(5, unlimited_heads_up=True)
    for number in range(250):
        stacks = [luck.randint(1, 150) for _ in range(2)]
        deal = luck.sample(range(52), 9)
        hand = Hand.begin(structure, stacks, luck.randrange(2), deal, number=number)
        together = Together(hand, luck)
        together.play()
        assert together.found <= DIFFERENCES["limit"] - {SHORT_COUNTS}


def test_pokerkit_allows_one_raise_more_before_the_flop() -> None:
    state = FixedLimitTexasHoldem.create_state(
        AUTOMATIONS, True, 0, (1, 2), 2, 4, (100, 100, 100), 3
    )
    hand = Hand.begin(limit(2), [100, 100, 100], button=2, deal=range(11))
    while state.can_deal_hole():
        state.deal_hole("????")
    for action in (4, 6, 8):
        hand = hand.after(action)
        state.complete_bet_or_raise_to(action)
    assert hand.legal_actions == LegalActions(can_fold=True, to_call=4)
    assert state.min_completion_betting_or_raising_to_amount == 10


def test_pokerkit_lets_the_big_blind_open_heads_up_where_the_blinds_are_equal() -> None:
    hand = Hand.begin(no_limit(2, 2), [50, 50], button=0, deal=range(9))
    assert hand.actor == 0
    assert PokerkitTable(hand).actor == 1


def test_nobody_raises_what_nobody_could_call_at_either_table() -> None:
    hand = Hand.begin(no_limit(1, 2), [100, 7, 7], button=0, deal=range(11))
    table = PokerkitTable(hand)
    for action in (CALL, 7, CALL):
        hand = hand.after(action)
        table.act(action)
    assert table.actor == hand.actor == 0
    assert hand.legal_actions == LegalActions(can_fold=True, to_call=5)
    assert not table.state.can_complete_bet_or_raise_to()


def test_pokerkit_forgets_short_all_ins_that_have_added_up_when_one_more_follows() -> None:
    # 10 is a raise by 8; 15, 20 and 23 all-in are 13 more for seat 0, who raised to 10.
    stacks = [100, 15, 20, 23, 100]
    hand = Hand.begin(no_limit(1, 2), stacks, button=2, deal=range(15))
    table = PokerkitTable(hand)
    for action in (10, 15, 20, 23, CALL):
        hand = hand.after(action)
        table.act(action)
    assert table.actor == hand.actor == 0
    assert hand.legal_actions == LegalActions(
        can_fold=True, to_call=13, min_raise_to=31, max_raise_to=100
    )
    assert not table.state.can_complete_bet_or_raise_to()
    assert table.state.consecutive_short_all_in_amounts == [3]
