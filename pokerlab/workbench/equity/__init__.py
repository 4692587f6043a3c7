"""What hands are worth, in the notebook.

Begin with `equity_explorer`: two hands, and their equity as a board is dealt, drawn by `equity_picture`.
`starting_hands` is the table of the 169 starting hands.
"""
