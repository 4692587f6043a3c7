"""Lanctot (2014): printed numbers as we read them, regret and its bounds, stability, KP(3)'s known equilibria."""
