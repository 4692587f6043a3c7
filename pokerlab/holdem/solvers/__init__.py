"""Solvers of bucketed hold'em: regret minimization by passes over the public tree, descent of the exact gradient."""
