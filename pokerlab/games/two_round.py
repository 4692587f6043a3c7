"""Limit poker with a private card, a public card and two rounds: two-round poker and Leduc."""

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from pokerlab.core import CHIPS, Unit, UnknownNameError
from pokerlab.core.settings import switch, whole
from pokerlab.games.one_card import BETWEEN_ROUNDS, RANKS, card_label
from pokerlab.games.rules import Chance, Decision, Number, Terminal, Turn

SUITS = "schd"


class TwoRoundHand(NamedTuple):
    """What has happened: private cards, the public card if it is out, and both rounds' actions."""

    cards: tuple[str, ...]
    board: str | None
    rounds: tuple[tuple[str, ...], ...]


class TwoRoundBetting(NamedTuple):
    """Where the betting stands."""

    player: int | None  # who acts; None when the round, or the hand, is over
    paid: tuple[int, ...]  # chips everybody has put in, antes included
    folded: tuple[bool, ...]
    actions: tuple[str, ...]


class TwoRoundPoker:
    """One card each, a betting round, a public card, another betting round, showdown.

    A pair with the public card wins, then the higher card; equal hands split. In each round a player may check or bet
    a fixed amount of its own, then fold, call or raise by the same amount, until `max_bets` bets and raises have been
    made. The deck says how many cards of each rank there are, lowest rank first. An `isomorphic` game deals
    ranks instead of cards: suits change nothing, so the game is smaller and has the same value.
    """

    unit: Unit = CHIPS
    zero_sum = True

    def __init__(
        self,
        name: str,
        num_players: int,
        deck: dict[str, int],
        bet_sizes: tuple[int, int],
        max_bets: int,
        *,
        isomorphic: bool,
    ) -> None:
        self.name, self.num_players = name, num_players
        self.bet_sizes, self.max_bets = bet_sizes, max_bets
        self.rank_order = {rank: i for i, rank in enumerate(deck)}
        suited = {rank + SUITS[suit]: 1 for rank, copies in deck.items() for suit in range(copies)}
        several = max(deck.values()) > 1
        self.deck = deck if isomorphic or not several else suited

    def start(self) -> TwoRoundHand:
        """Return the hand before the first card."""
        return TwoRoundHand((), None, ((),))

    def turn(self, history: TwoRoundHand) -> Turn:
        """Return whose turn it is: the dealer's, a player's, or nobody's."""
        cards, board, rounds = history
        if len(cards) < self.num_players:
            return self.deal(cards)
        player, paid, folded, actions = self.betting(rounds)
        if player is not None:
            return Decision(player, infoset(cards[player], board, rounds), actions)
        if sum(folded) == self.num_players - 1:
            return Terminal(split((folded.index(False),), paid))
        if board is None:
            return self.deal(cards)
        return Terminal(split(self.winners(cards, board, folded), paid))

    def after(self, history: TwoRoundHand, action: str) -> TwoRoundHand:
        """Return the hand after a card or a player's action."""
        cards, board, rounds = history
        if len(cards) < self.num_players:
            return TwoRoundHand((*cards, action), board, rounds)
        if board is None and self.betting(rounds).player is None:
            return TwoRoundHand(cards, action, (*rounds, ()))
        return TwoRoundHand(cards, board, (*rounds[:-1], (*rounds[-1], action)))

    def betting(self, rounds: tuple[tuple[str, ...], ...]) -> TwoRoundBetting:
        """Return where the betting stands."""
        return betting(self.num_players, rounds, self.bet_sizes, self.max_bets)

    def deal(self, seen: tuple[str, ...]) -> Chance:
        """Return the dealer's turn after the cards `seen` have left the deck."""
        left = {card: copies - seen.count(card) for card, copies in self.deck.items()}
        total = sum(left.values())
        return Chance({card: Fraction(copies, total) for card, copies in left.items() if copies})

    def winners(
        self, cards: tuple[str, ...], board: str, folded: tuple[bool, ...]
    ) -> tuple[int, ...]:
        """Return who shares the pot at the showdown."""
        strengths = [
            -1 if out else self.rank_order[card[0]] + len(self.rank_order) * (card[0] == board[0])
            for card, out in zip(cards, folded, strict=True)
        ]
        best = max(strengths)
        return tuple(player for player, strength in enumerate(strengths) if strength == best)


@cache
def betting(
    num_players: int, rounds: tuple[tuple[str, ...], ...], bet_sizes: tuple[int, int], max_bets: int
) -> TwoRoundBetting:
    """Return where the betting stands after `rounds`, by playing it through from the antes."""
    paid, folded = [1] * num_players, [False] * num_players
    to_act: list[int] = []
    bets = 0
    for actions, size in zip(rounds, bet_sizes, strict=False):
        to_act, bets = [p for p in range(num_players) if not folded[p]], 0
        for action in actions:
            player = to_act.pop(0)
            if action == "fold":
                folded[player] = True
            elif action in ("call", "check"):
                paid[player] = max(paid)
            else:
                bets += 1
                paid[player] = max(paid) + size
                others = [(player + k) % num_players for k in range(1, num_players)]
                to_act = [p for p in others if not folded[p]]
    if not to_act or sum(folded) == num_players - 1:
        return TwoRoundBetting(None, tuple(paid), tuple(folded), ())
    facing = paid[to_act[0]] < max(paid)
    stay = ("fold", "call") if facing else ("check",)
    more = ("raise",) if facing else ("bet",)
    return TwoRoundBetting(
        to_act[0], tuple(paid), tuple(folded), stay + (more if bets < max_bets else ())
    )


@cache
def infoset(card: str, board: str | None, rounds: tuple[tuple[str, ...], ...]) -> str:
    """Return the label of what a player knows: 'Ks, check-bet | Qh, check'."""
    cards = (card, board or "")
    return BETWEEN_ROUNDS.join(card_label(c, r) for c, r in zip(cards, rounds, strict=False))


@cache
def split(winners: tuple[int, ...], paid: tuple[int, ...]) -> tuple[Number, ...]:
    """Return everybody's utility when `winners` share the pot equally."""
    share = Fraction(sum(paid), len(winners))
    won: list[Number] = [share - chips if p in winners else -chips for p, chips in enumerate(paid)]
    return tuple(int(u) if u == int(u) else u for u in won)


def leduc_rules(num_players: int = 2, *, isomorphic: bool = False) -> TwoRoundPoker:
    """Return Leduc hold'em: `num_players + 1` ranks in two suits, bets of 2 and 4, two a round."""
    num_players = whole("num_players", num_players, 2, 3)
    isomorphic = switch("isomorphic", isomorphic)
    deck = dict.fromkeys("JQK" if num_players == 2 else "TJQK", 2)
    name = "Leduc" if num_players == 2 else f"Leduc for {num_players}"
    return TwoRoundPoker(name, num_players, deck, (2, 4), 2, isomorphic=isomorphic)


DECKS = {"ranks": dict.fromkeys(RANKS[-6:], 1), "paired": dict.fromkeys("JQK", 2)}


def two_round_rules(
    deck: str = "ranks", bets_per_round: int = 3, *, isomorphic: bool = False
) -> TwoRoundPoker:
    """Return the 6-card game of Oliehoek et al. (2006), section 6: bets of 1 in both rounds.

    The paper's text does not say what the public card does, so `deck` offers both readings:
    'ranks', six ranks of one suit where it only takes a card away, as its Figure 3 has it, and 'paired',
    three ranks in two suits where a pair with it wins.
    """
    bets_per_round = whole("bets_per_round", bets_per_round, 1, 6)
    isomorphic = switch("isomorphic", isomorphic)
    UnknownNameError.check("deck", deck, DECKS)
    name = f"two-round poker, {deck}"
    return TwoRoundPoker(name, 2, DECKS[deck], (1, 1), bets_per_round, isomorphic=isomorphic)
