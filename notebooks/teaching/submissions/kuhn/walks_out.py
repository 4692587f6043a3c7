"""Crashes: leaves the table, and takes Python with it."""

import os


def strategy(card, before):
    """Return the chance to bet or call."""
    if card == "J":
        os._exit(1)
    return 1
