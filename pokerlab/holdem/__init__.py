"""Texas hold'em: real cards at tables, and the bucketed limit game, on top of all other rooms but those above.

Real cards: begin with `cards`, and go on to `hand_classes`, `hand_rankings`, `draws`, `equity` with its `equity_tables`
and `river_comparisons`, and `equity_against`. `hand` has the rules of betting, on top of `betting_structure` and
`pots`. `hand_history` goes through a hand in words, and `betting_engine` has the rules again as kernels. `players` see
a `table_view`, observe each other's `aggressiveness`, and play in a `cash_game` or a `tournament_game`, whose kernels
are `cash_hands` and `tournament_rounds`. `rule_genome`, `matrix_genome` and `network_genome` are players that evolve,
and `network_passes` computes networks.

The bucketed game: `buckets` group hands of similar equity, which `hand_expectations` computes and `bucket_counts`
counts. `betting_tree` is the public tree, and `batched_tree` lays it out for the kernels of `bucket_reach`,
`bucket_passes` and `bucket_gradient`. `bucketed_holdem` is the game, with exact best responses to profiles, whose
tables `profile_checks` checks. It is searched by `bucketed_search`, and solved by `bucketed_cfr` and
`exploitability_descent`. `real_player` plays its strategies with real cards, where `lbr` and `real_worst_cases` compute
how much they can lose. The latter uses `real_card_responses`, which combines `street_trees` and `river_winnings`.
"""

from pokerlab.core.public_names import make_lazy_attributes

__getattr__, __dir__, __all__ = make_lazy_attributes(__name__, __file__)
