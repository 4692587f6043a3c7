"""Noble & Watson (2001): Pareto coevolution of rule genomes at the limit table.

Begin with `opponents`: the strategies written by hand that evolved ones are judged by.
"""

from pokerlab.papers.noble2001.opponents import BAD, PRINTED, REASONABLE, Opponent, split

__all__ = ["BAD", "PRINTED", "REASONABLE", "Opponent", "split"]
