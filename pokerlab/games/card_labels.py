"""What card games call their information sets: 'K, pass-bet' is a card, and what has happened since."""

from collections.abc import Sequence

AFTER_CARD, BETWEEN_ACTIONS, BETWEEN_ROUNDS = ", ", "-", " | "


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
