"""Limit hold'em for two with hands put into buckets: small enough to solve, near enough to play.

Begin with `public_tree` (the betting) and `bucketed_holdem` (the tree and `holdem.buckets` as an exact game,
its profiles in `bucketed_profile`). `layouts`, `reach` and `sweep` are how the tree is swept. `real_player` and
`local_best_response` play with real cards.
"""

from pokerlab.holdem.bucketed.bucketed_holdem import (
    BucketedHoldem,
    BucketedReply,
    bucketed_limit_holdem,
)
from pokerlab.holdem.bucketed.bucketed_profile import BucketedProfile
from pokerlab.holdem.bucketed.local_best_response import LocalBestResponse, local_best_response
from pokerlab.holdem.bucketed.public_tree import PublicTree, Situation, public_tree
from pokerlab.holdem.bucketed.real_player import Winnings, bucketed_player, versus
from pokerlab.holdem.buckets.buckets import Buckets
from pokerlab.holdem.buckets.made_buckets import (
    CardTables,
    bucket_of,
    bucket_on,
    card_tables,
    make_buckets,
)

__all__ = [
    "BucketedHoldem",
    "BucketedProfile",
    "BucketedReply",
    "Buckets",
    "CardTables",
    "LocalBestResponse",
    "PublicTree",
    "Situation",
    "Winnings",
    "bucket_of",
    "bucket_on",
    "bucketed_limit_holdem",
    "bucketed_player",
    "card_tables",
    "independent",
    "local_best_response",
    "make_buckets",
    "public_tree",
    "versus",
]


def __dir__() -> list[str]:
    return sorted(__all__)
