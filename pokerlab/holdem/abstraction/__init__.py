"""Buckets: hands of like strength taken for one, and the chances between them.

Begin with `buckets` (what is kept of the cards) and `made_buckets` (made once, kept under a name, looked up
for real cards). `clustering` cuts hands into buckets by their `expectations`, and `card_counts` counts how
hands move between them.
"""
