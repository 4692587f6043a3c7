"""Hold'em in the notebook: a match to play, hands drawn street by street, rules and buckets to explore.

Begin with `table_play`, a match against an agent, which `limit_match` decides.
`table_drawing` draws a moment and `hand_drawing` a whole hand, with the words of `narration` and the cards of
`small_cards`. `rule_explorer` takes a rule genome apart, and `bucket_graph` draws buckets.
"""
