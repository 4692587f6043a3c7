"""Texas hold'em with real cards, on top of what solves small games; nothing below imports it.

Begin with `cards`, and `hand_rankings`, `equity`, `equity_against` and `draws`: what hands are worth. `hand` has the
rules of betting, and `betting_engine` has them again for kernels. `players` see a `table_view`, keep `impressions` of
each other, and play many hands in a `cash_game` or a `tournament_game`, round by round in `tournament_rounds`.
`rule_genome`, `matrix_genome` and `network_genome` are players that evolve.

The limit game in buckets: `buckets` are hands of like strength, made from `hand_expectations`; `betting_tree` is the
betting, `bucket_passes` go over it, and `bucketed_holdem` is the game, with exact worst cases. It is searched by
`bucketed_search`, and solved by `bucketed_cfr` and `exploitability_descent`. `real_player` takes its strategies to real
cards, where `lbr` and `real_worst_cases` say what they lose.
"""

from pokerlab.core.public_names import load_on_first_use

__getattr__, __dir__, __all__ = load_on_first_use(__name__, __file__)
