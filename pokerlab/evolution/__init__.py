"""Evolution strategies whose states are plain arrays: ask for offspring, tell how fit they are.

One seed is one evolution on one machine; on another processor linear algebra rounds differently.
"""

from pokerlab.core.faces import load_on_first_use

__getattr__, __dir__, __all__ = load_on_first_use(__name__, __file__)
