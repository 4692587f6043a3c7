"""Poker with one card each and one bet: n-player Kuhn poker, and one-card poker."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from pokerlab.core import CHIPS, Unit, whole
from pokerlab.games.rules import Chance, Decision, Terminal, Turn

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
