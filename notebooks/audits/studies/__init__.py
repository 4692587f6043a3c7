"""What the audits alone run, a folder a paper; functions return rows and numbers, and `drawings` alone draw.

Audits find this package by their folder, `notebooks/audits`. Workers elsewhere cannot: what they are sent from here
travels whole, not by its name.
"""

import sys

from cloudpickle import register_pickle_by_value

register_pickle_by_value(sys.modules[__name__])
