"""Drawings that stand still, in SVG: game trees, beliefs, tables and hands of cards, Kuhn poker, networks.

The map of the field, which lessons end with, is one in matplotlib.
"""
