"""Texas hold'em with real cards: cards, the strength of hands, and what is built on them."""

from pokerlab.holdem.betting.hand import (
    CALL,
    FOLD,
    Hand,
    Legal,
    Pot,
    Structure,
    limit,
    no_limit,
)
from pokerlab.holdem.betting.history import hand_text
from pokerlab.holdem.bucketed import (
    BucketedHoldem,
    BucketedProfile,
    Buckets,
    bucketed_limit_holdem,
    bucketed_player,
    local_best_response,
    make_buckets,
    versus,
)
from pokerlab.holdem.cards.deck import (
    HOLDINGS,
    NUM_CARDS,
    RANKS,
    SUITS,
    Cards,
    card_symbols,
    card_text,
    check_cards,
    deal,
    parse_cards,
)
from pokerlab.holdem.cards.suits import canonical_boards
from pokerlab.holdem.equity.against import Sampled, sampled_win_probability, showdowns
from pokerlab.holdem.equity.draws import Standing, standing
from pokerlab.holdem.equity.exact import Comparisons, comparisons, everybody, win_probability
from pokerlab.holdem.strength.evaluation import (
    NUM_STRENGTHS,
    category,
    count_all_hands,
    strength,
)
from pokerlab.holdem.strength.tables import CATEGORIES
from pokerlab.holdem.table.aggressiveness import Aggressiveness
from pokerlab.holdem.table.game import RingGame, ring_game
from pokerlab.holdem.table.play import play
from pokerlab.holdem.table.players import (
    ALWAYS_CALL,
    ALWAYS_FOLD,
    ALWAYS_RAISE,
    CALL_OR_RAISE,
    RAISE_BY_ANY,
    RANDOM,
    CompiledPlayer,
    Player,
    PythonPlayer,
)
from pokerlab.holdem.table.random_play import random_play
from pokerlab.holdem.table.results import Played
from pokerlab.holdem.table.view import SeatView
from pokerlab.holdem.tournaments.game import Tournament, tournament
from pokerlab.holdem.tournaments.results import Placed
from pokerlab.holdem.tournaments.schedule import Schedule, doubling, ladder
from pokerlab.holdem.tournaments.tournament import play_tournaments

__all__ = [
    "ALWAYS_CALL",
    "ALWAYS_FOLD",
    "ALWAYS_RAISE",
    "CALL",
    "CALL_OR_RAISE",
    "CATEGORIES",
    "FOLD",
    "HOLDINGS",
    "NUM_CARDS",
    "NUM_STRENGTHS",
    "RAISE_BY_ANY",
    "RANDOM",
    "RANKS",
    "SUITS",
    "Aggressiveness",
    "BucketedHoldem",
    "BucketedProfile",
    "Buckets",
    "Cards",
    "Comparisons",
    "CompiledPlayer",
    "Hand",
    "Legal",
    "Placed",
    "Played",
    "Player",
    "Pot",
    "PythonPlayer",
    "RingGame",
    "Sampled",
    "Schedule",
    "SeatView",
    "Standing",
    "Structure",
    "Tournament",
    "bucketed_limit_holdem",
    "bucketed_player",
    "canonical_boards",
    "card_symbols",
    "card_text",
    "category",
    "check_cards",
    "comparisons",
    "count_all_hands",
    "deal",
    "doubling",
    "everybody",
    "hand_text",
    "ladder",
    "limit",
    "local_best_response",
    "make_buckets",
    "no_limit",
    "parse_cards",
    "play",
    "play_tournaments",
    "random_play",
    "ring_game",
    "sampled_win_probability",
    "showdowns",
    "standing",
    "strength",
    "tournament",
    "versus",
    "win_probability",
]


def __dir__() -> list[str]:
    return sorted(__all__)
