"""Pictures that stand still, in matplotlib or SVG: trees, tables, cards, networks; and how figures are kept."""
