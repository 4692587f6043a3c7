"""The parts of a population's coevolution: pairings, fitness, selection, variation, a hall of fame.

Begin with `protocol`: what each part is, and what it hands on to the next. Each other module has what can be chosen
for one part; ring games and tournaments are hold'em's pairings. `pokerlab.solvers.PopulationCoevolution` is the loop
that calls them.

In all these modules a word means the same:

- A *genome* is an array of genes. An *encoding* maps it to a *strategy*, which determines how to play the game. In
  evolutionary computation a strategy with its genome is called an individual.
- A *population* is a number of strategies that are selected and bred together. Several populations may play against
  each other.
- A *hall of fame* stores strategies of earlier generations, and belongs to one population.
- A *member* is a strategy that belongs to a group: a member of a population, or a member of a hall.
- A *player* is a strategy that plays in a generation: a member of any population, or a member of a hall that plays.
- An *opponent* of a player is another player in the same game. In a *pairing* there is one.
- A *seat* is a position in the game. Players of a two-player game have the first or the second seat.
- An *entrant* is a player in a tournament.
- A *candidate* is a strategy that may be chosen as a parent, or as a new member of a hall.
- The *champion* of a population is its fittest strategy in a generation. *Elites* are those that survive.
"""

from pokerlab.core.public_names import make_lazy_attributes

__getattr__, __dir__, __all__ = make_lazy_attributes(__name__, __file__)
