"""Pages with sliders that explain one thing: a strategy, a rule, an equity, a network, a tournament."""
