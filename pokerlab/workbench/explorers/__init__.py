"""Pages with sliders that explain one thing: a strategy, a rule, an equity, a network, a tournament.

Each declares controls, a reading, and a drawing; `pokerlab.workbench.live.explorer` does the rest.
"""
