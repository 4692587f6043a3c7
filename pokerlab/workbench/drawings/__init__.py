"""Drawings in SVG that stand still: game trees, beliefs, tables and hands of cards, Kuhn poker, networks."""
