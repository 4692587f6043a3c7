"""Texas hold'em with real cards: cards, the strength of hands, and what is built on them."""

from pokerlab.holdem.abstraction.buckets import Buckets
from pokerlab.holdem.abstraction.made_buckets import make_buckets
from pokerlab.holdem.betting.hand import CALL, FOLD, Hand, Structure, limit, no_limit
from pokerlab.holdem.betting.history import hand_text
from pokerlab.holdem.cards.deck import card_symbols, card_text, parse_cards
from pokerlab.holdem.equity.against import sampled_win_probability, showdowns
from pokerlab.holdem.equity.exact import comparisons, win_probability
from pokerlab.holdem.limit_game.bucketed_holdem import (
    BucketedHoldem,
    BucketedProfile,
    bucketed_limit_holdem,
)
from pokerlab.holdem.limit_game.lbr import local_best_response
from pokerlab.holdem.limit_game.real_player import versus
from pokerlab.holdem.strength.evaluation import NUM_STRENGTHS, category, count_all_hands, strength
from pokerlab.holdem.strength.tables import CATEGORIES
from pokerlab.holdem.table.aggressiveness import Aggressiveness
from pokerlab.holdem.table.cash_game import RingGame, ring_game, round_robin
from pokerlab.holdem.table.players import (
    ALWAYS_CALL,
    ALWAYS_FOLD,
    ALWAYS_RAISE,
    RANDOM,
    CompiledPlayer,
)
from pokerlab.holdem.table.results import Played
from pokerlab.holdem.table.view import SeatView
from pokerlab.holdem.tournaments.freezeout import Tournament, tournament
from pokerlab.holdem.tournaments.results import Placed
from pokerlab.holdem.tournaments.schedule import Schedule, doubling, ladder

__all__ = [
    "ALWAYS_CALL",
    "ALWAYS_FOLD",
    "ALWAYS_RAISE",
    "CALL",
    "CATEGORIES",
    "FOLD",
    "NUM_STRENGTHS",
    "RANDOM",
    "Aggressiveness",
    "BucketedHoldem",
    "BucketedProfile",
    "Buckets",
    "CompiledPlayer",
    "Hand",
    "Placed",
    "Played",
    "RingGame",
    "Schedule",
    "SeatView",
    "Structure",
    "Tournament",
    "bucketed_limit_holdem",
    "card_symbols",
    "card_text",
    "category",
    "comparisons",
    "count_all_hands",
    "doubling",
    "hand_text",
    "ladder",
    "limit",
    "local_best_response",
    "make_buckets",
    "no_limit",
    "parse_cards",
    "ring_game",
    "round_robin",
    "sampled_win_probability",
    "showdowns",
    "strength",
    "tournament",
    "versus",
    "win_probability",
]


def __dir__() -> list[str]:
    return sorted(__all__)
