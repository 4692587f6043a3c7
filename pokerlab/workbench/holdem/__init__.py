"""Hold'em in the notebook: a match to play, hands drawn street by street, rules and buckets to explore.

Begin with `table_play`, a match against an agent: `limit_match` decides it and `match_picture` shows it.
`table_drawing` draws a moment and `hand_drawing` a whole hand, with the words of `narration` and the cards of
`small_cards`. `rule_explorer` takes a rule genome apart, and `bucket_graph` draws buckets.
"""
