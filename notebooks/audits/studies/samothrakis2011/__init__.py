"""Samothrakis & Lucas (2011): where coevolutions of small games end, and tables of limit hold'em."""
