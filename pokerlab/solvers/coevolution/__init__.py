"""Coevolution: genomes are judged by their worst case, or by the matches among them.

Begin with `minimax_coevolution`, which evolves the genome that loses least, all of it together or the genes of each
seat. `population_coevolution` lets a population play among itself. Worst cases are in `solvers.worst_case`.
"""
