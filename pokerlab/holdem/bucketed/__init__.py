"""Limit hold'em for two with hands put into buckets: small enough to solve, near enough to play.

Begin with `buckets` (what is kept of the cards), `public_tree` (the betting) and `bucketed_holdem` (both
as an exact game, its profiles in `bucketed_profile`). Buckets are cut in `abstraction` by `expectations`,
counted in `card_counts`, kept and looked up in `made_buckets`. `layouts`, `reach` and `sweep` are how the
tree is swept. `real_player` and `local_best_response` play with real cards; `joint_buckets` and
`joint_holdem` undo the independence of the two players' buckets.
"""

from pokerlab.core.kinds import front_door
from pokerlab.holdem.bucketed.bucketed_holdem import (
    BucketedHoldem,
    BucketedReply,
    bucketed_limit_holdem,
)
from pokerlab.holdem.bucketed.bucketed_profile import BucketedProfile
from pokerlab.holdem.bucketed.buckets import Buckets
from pokerlab.holdem.bucketed.joint_buckets import JointBuckets, joint_buckets
from pokerlab.holdem.bucketed.joint_holdem import JointHoldem, independent
from pokerlab.holdem.bucketed.local_best_response import LocalBestResponse, local_best_response
from pokerlab.holdem.bucketed.made_buckets import (
    CardTables,
    bucket_of,
    bucket_on,
    card_tables,
    make_buckets,
)
from pokerlab.holdem.bucketed.public_tree import PublicTree, Situation, public_tree
from pokerlab.holdem.bucketed.real_player import Winnings, bucketed_player, versus

__all__ = [
    "BucketedHoldem",
    "BucketedProfile",
    "BucketedReply",
    "Buckets",
    "CardTables",
    "JointBuckets",
    "JointHoldem",
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
    "joint_buckets",
    "local_best_response",
    "make_buckets",
    "public_tree",
    "versus",
]

__dir__ = front_door(globals())
