"""The study of Samothrakis & Lucas (2011): what its audit runs and no lesson does.

Small games: `ends` runs coevolutions of several seeds to their ends, `small_games` compares interpretations of the text
by such runs, `kuhn_code` has Kuhn's notation for his solution, `open_cards` makes games of perfect information, and
`printed_search` has the paper's search as it is printed.

Limit hold'em: `long_run` records evolutions that take hours, `local_judge` evolves agents against an opponent who sees
real cards, and `real_run` measures what agents lose to such an opponent. `tables` has the recorded tables of results,
and `holdem_runs` shows them beside the recorded evolutions. `drawings` has all figures.
"""
