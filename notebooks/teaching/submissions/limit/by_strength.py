"""Raises strong hands and folds weak ones to a bet."""


def strategy(street, bucket, button, own_raises, other_raises):
    """Return the chances to fold, call and raise."""
    if bucket >= 4:
        return 0, 0.2, 0.8
    if bucket >= 2 or not other_raises:
        return 0, 0.9, 0.1
    return 0.7, 0.3, 0
