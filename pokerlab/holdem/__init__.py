"""Texas hold'em with real cards, on top of what small games have: nothing below knows a card of it.

Begin with `cards`, `hand_rankings` and `equity`: what hands are worth. `hand` has the rules of betting, and
`betting_engine` has them again for kernels. `players` see a `table_view`, and play many hands in a `cash_game` or a
`tournament_game`; `rule_genome`, `matrix_genome` and `network_genome` are players that evolve. `buckets` are hands of
like strength, and `bucketed_holdem` is the limit game in buckets, with exact worst cases, searched by `bucketed_search`
and solved by `bucketed_cfr` and `exploitability_descent`. `real_player` takes its strategies to real cards, where `lbr`
and `real_worst_cases` say what they lose.
"""

from pokerlab.core.faces import load_on_first_use

__getattr__, __dir__, __all__ = load_on_first_use(__name__, __file__)
