"""Oliehoek et al. (2006): what the paper leaves open, where the time goes, payoffs that are estimated."""
