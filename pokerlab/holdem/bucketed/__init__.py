"""Limit hold'em for two with hands put into buckets: small enough to solve, near enough to play."""

from pokerlab.holdem.bucketed.buckets import Buckets

__all__ = ["Buckets"]
