"""Pictures that stand still, in matplotlib: tables of shades, flows, curves, results; and how figures are kept."""
