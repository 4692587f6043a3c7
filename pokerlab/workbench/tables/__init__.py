"""Tables at which a person plays: a match knows the state, a table its buttons and its picture.

Hold'em has one table, in `holdem`, for a limit match and for a tournament; Kuhn poker has its own.
"""
