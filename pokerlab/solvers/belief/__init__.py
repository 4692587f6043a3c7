"""Search against a fixed strategy: a replier's beliefs as states, Algorithm 1 of Samothrakis & Lucas (2011)."""
