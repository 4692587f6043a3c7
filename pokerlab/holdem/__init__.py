"""Texas hold'em with real cards: cards, the strength of hands, and what is built on them."""

from pokerlab.core.faces import shown
from pokerlab.holdem.abstraction.buckets import Buckets as Buckets
from pokerlab.holdem.abstraction.made_buckets import make_buckets as make_buckets
from pokerlab.holdem.betting.hand import CALL as CALL
from pokerlab.holdem.betting.hand import FOLD as FOLD
from pokerlab.holdem.betting.hand import Hand as Hand
from pokerlab.holdem.betting.hand import Structure as Structure
from pokerlab.holdem.betting.hand import limit as limit
from pokerlab.holdem.betting.hand import no_limit as no_limit
from pokerlab.holdem.betting.history import hand_text as hand_text
from pokerlab.holdem.cards.deck import card_symbols as card_symbols
from pokerlab.holdem.cards.deck import card_text as card_text
from pokerlab.holdem.cards.deck import parse_cards as parse_cards
from pokerlab.holdem.equity.against import sampled_win_probability as sampled_win_probability
from pokerlab.holdem.equity.against import showdowns as showdowns
from pokerlab.holdem.equity.exact import comparisons as comparisons
from pokerlab.holdem.equity.exact import win_probability as win_probability
from pokerlab.holdem.limit_game.bucketed_holdem import BucketedHoldem as BucketedHoldem
from pokerlab.holdem.limit_game.bucketed_holdem import BucketedProfile as BucketedProfile
from pokerlab.holdem.limit_game.bucketed_holdem import (
    bucketed_limit_holdem as bucketed_limit_holdem,
)
from pokerlab.holdem.limit_game.lbr import local_best_response as local_best_response
from pokerlab.holdem.limit_game.real_cards import real_worst_case as real_worst_case
from pokerlab.holdem.limit_game.real_player import versus as versus
from pokerlab.holdem.strength.evaluation import NUM_STRENGTHS as NUM_STRENGTHS
from pokerlab.holdem.strength.evaluation import category as category
from pokerlab.holdem.strength.evaluation import count_all_hands as count_all_hands
from pokerlab.holdem.strength.evaluation import strength as strength
from pokerlab.holdem.strength.tables import CATEGORIES as CATEGORIES
from pokerlab.holdem.table.aggressiveness import Aggressiveness as Aggressiveness
from pokerlab.holdem.table.cash_game import RingGame as RingGame
from pokerlab.holdem.table.cash_game import ring_game as ring_game
from pokerlab.holdem.table.cash_game import round_robin as round_robin
from pokerlab.holdem.table.players import ALWAYS_CALL as ALWAYS_CALL
from pokerlab.holdem.table.players import ALWAYS_FOLD as ALWAYS_FOLD
from pokerlab.holdem.table.players import ALWAYS_RAISE as ALWAYS_RAISE
from pokerlab.holdem.table.players import RANDOM as RANDOM
from pokerlab.holdem.table.players import CompiledPlayer as CompiledPlayer
from pokerlab.holdem.table.results import Played as Played
from pokerlab.holdem.table.view import SeatView as SeatView
from pokerlab.holdem.tournaments.freezeout import Tournament as Tournament
from pokerlab.holdem.tournaments.freezeout import tournament as tournament
from pokerlab.holdem.tournaments.results import Placed as Placed
from pokerlab.holdem.tournaments.schedule import Schedule as Schedule
from pokerlab.holdem.tournaments.schedule import doubling as doubling
from pokerlab.holdem.tournaments.schedule import ladder as ladder

__all__, __dir__ = shown(globals())
