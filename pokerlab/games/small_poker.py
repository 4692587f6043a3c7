"""Small poker games: n-player Kuhn poker, one-card poker, two-round poker and Leduc.

In the first two everybody has one card, and there is one bet. The others are limit poker with a private card, a
public card and two rounds.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from pokerlab.core import CHIPS, Unit, UnknownNameError
from pokerlab.core.settings import switch, whole
from pokerlab.games.rules import Chance, Decision, Number, Terminal, Turn

RANKS = "23456789TJQKA"
MOST_RANKS = 200
"""Most ranks of one-card poker: hands, and so time and memory, grow with the square of the ranks."""
AFTER_CARD, BETWEEN_ACTIONS, BETWEEN_ROUNDS = ", ", "-", " | "
"""What stands between the parts of the name of an information set: 'K, pass-bet'."""


class OneCardHand(NamedTuple):
    """What has happened: the cards dealt, lowest rank 0, and everybody's actions in order."""

    cards: tuple[int, ...]
    actions: tuple[str, ...]


class OneCardPoker:
    """Everybody antes one chip, gets one card, and may put in one more.

    Players act in turn, 'pass' or 'bet'. Until somebody bets, a pass is a check; from then on everybody still to act
    calls by 'bet' or folds by 'pass', once round the table. The highest card among those who have not folded takes
    the pot. With `num_players + 1` ranks this is KP(n) of Lanctot (2014), section 4.1; with two players and 3, 8 or
    13 ranks it is Kuhn poker, 8-card poker, and Gordon's one-card poker.
    """

    unit: Unit = CHIPS
    zero_sum = True

    def __init__(self, num_players: int, ranks: int, name: str) -> None:
        self.num_players = num_players
        self.name = name
        self.cards = RANKS[-ranks:] if 3 < ranks <= len(RANKS) else "JQK" if ranks == 3 else None
        self.ranks = ranks

    def card_name(self, card: int) -> str:
        """Return what `card` is called: 'J', 'Q', 'K' for three ranks, up to 'A' for more."""
        return self.cards[card] if self.cards else str(card + 1)

    def start(self) -> OneCardHand:
        """Return the hand before the first card."""
        return OneCardHand((), ())

    def turn(self, history: OneCardHand) -> Turn:
        """Return whose turn it is: the dealer's, a player's, or nobody's."""
        cards, actions = history
        if len(cards) < self.num_players:
            left = [card for card in range(self.ranks) if card not in cards]
            chance = Fraction(1, len(left))
            return Chance({self.card_name(card): chance for card in left})
        player = player_to_act(self.num_players, actions)
        if player is not None:
            known = card_label(self.card_name(cards[player]), actions)
            return Decision(player, known, ("pass", "bet"))
        paid, showdown = paid_and_showdown(self.num_players, actions)
        winner = max(showdown, key=cards.__getitem__)
        return Terminal(won_by(winner, paid))

    def after(self, history: OneCardHand, action: str) -> OneCardHand:
        """Return the hand after a card or a player's action."""
        cards, actions = history
        if len(cards) < self.num_players:
            card = next(card for card in range(self.ranks) if self.card_name(card) == action)
            return OneCardHand((*cards, card), ())
        return OneCardHand(cards, (*actions, action))


@cache
def player_to_act(num_players: int, actions: tuple[str, ...]) -> int | None:
    """Return who acts after `actions`, or None when the betting is over."""
    if "bet" not in actions:
        return len(actions) if len(actions) < num_players else None
    still_to_act = actions.index("bet") + num_players - len(actions)
    return len(actions) % num_players if still_to_act > 0 else None


@cache
def paid_and_showdown(
    num_players: int, actions: tuple[str, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what everybody has put into the pot, and who is still in at the end."""
    bettors = {turn % num_players for turn, action in enumerate(actions) if action == "bet"}
    paid = tuple(2 if player in bettors else 1 for player in range(num_players))
    return paid, tuple(sorted(bettors)) or tuple(range(num_players))


@cache
def won_by(winner: int, paid: tuple[int, ...]) -> tuple[int, ...]:
    """Return everybody's utility when `winner` takes a pot of `paid`."""
    pot = sum(paid)
    return tuple(pot - chips if p == winner else -chips for p, chips in enumerate(paid))


def kuhn_rules(num_players: int = 2) -> OneCardPoker:
    """Return the rules of KP(n), n-player Kuhn poker with n + 1 cards."""
    num_players = whole("num_players", num_players, 2, 6)
    return OneCardPoker(num_players, num_players + 1, f"KP({num_players})")


def one_card_rules(ranks: int) -> OneCardPoker:
    """Return the rules of two-player one-card poker with `ranks` ranks, 3 to 200."""
    ranks = whole("ranks", ranks, 3, MOST_RANKS)
    return OneCardPoker(2, ranks, f"{ranks}-card poker")


def card_label(card: str, actions: Sequence[str]) -> str:
    """Return 'K' for a card at first, 'K, pass-bet' after actions."""
    return AFTER_CARD.join(filter(None, (card, BETWEEN_ACTIONS.join(actions))))


def card_and_situation(label: str) -> tuple[str, str]:
    """Return a label's card, and what has happened; '' if nothing has.

    Of two rounds, 'Ks, check-bet | Qh, check', the situation is 'check-bet | Qh, check'. A label of
    another game is a card in which nothing has happened.
    """
    card, _, situation = label.partition(AFTER_CARD)
    return card, situation


def table_word(action: str, before: Sequence[str]) -> str:
    """Return what an action is called at the table, after the actions `before` it in the same round.

    In one-card poker a 'pass' is a check, or a fold where somebody has bet; a 'bet' is then a call.
    """
    words = {"pass": "fold", "bet": "call"} if "bet" in before else {"pass": "check"}
    return words.get(action, action)


def table_words(situation: str) -> list[str]:
    """Return a situation of one-card poker, '' or actions in a row, as said at the table."""
    actions = situation.split(BETWEEN_ACTIONS) if situation else []
    return [table_word(action, actions[:k]) for k, action in enumerate(actions)]


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
