"""A network as a player of no-limit hold'em at a full table, as Nicolai & Hilderman (2009) evolve it.

The 35 inputs of Table I go through 20 hidden units to five outputs (section III-A of [1]_). That these are fold,
call, and a small, a medium and a large raise stands in G. Nicolai's thesis [2]_. The paper says little more, so that
nearly everything is a setting of `TableNetwork`; `network_decision` has the kernel.

References
----------
.. [1] G. Nicolai, R. J. Hilderman, "No-Limit Texas Hold'em Poker Agents Created with Evolutionary Neural
   Networks", IEEE Symposium on Computational Intelligence and Games 2009.
.. [2] G. Nicolai, "Evolutionary methods for learning no-limit Texas hold'em poker", MSc thesis, University of
   Regina, 2008, section 4.1.5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.errors import ShapeError
from pokerlab.core.settings import Checked, setting, unprinted, whole
from pokerlab.holdem.betting.structure import MOST_CHIPS, MOST_SEATS
from pokerlab.holdem.equity.exact import TIES_WON
from pokerlab.holdem.genomes.network_decision import NUM_INPUTS, NUM_OUTPUTS, NetworkAnswer
from pokerlab.holdem.genomes.perceptron import Floats32, laid_out, num_weights
from pokerlab.holdem.table.players import CompiledPlayer, compiled_players
from pokerlab.strategies.encoding import checked_rows

LAST_INPUTS = ("hands until the button", "one", "zero")
SCALES = (
    *("mean stack", "chips of the table", "chips of the tournament", "big blinds", "chips"),
    "as they are",
)
OPPONENTS = ("in the hand", "at the table")
AGAINST = ("one hand", "all hands")
TIES = ("win", "half", "lose")
READ_OUTS = ("sampled", "largest")
RAISE_UNITS = ("pot", "stack", "drawn share", "drawn share, continuous")
STARTS = ("normal", "uniform", "narrow normal")
"""The readings, in the order of their numbers in `network_decision`."""
MOST_HIDDEN = 1_000
LARGEST_RAISE = 1_000.0
LARGEST_WEIGHT = 1e9
"""So that no sum of weighted inputs leaves float32, even where these are single chips."""

SEATS = ("own", *(f"{seat} to the left" for seat in range(1, MOST_SEATS)))
INPUTS = (
    *("pot", "call", "opponents", "win percent", "last input"),
    *(f"{what}, {seat}" for what in ("chips", "overall", "recent") for seat in SEATS),
)
"""What each input is."""
OUTPUTS = ("fold", "call", "small raise", "medium raise", "large raise")  # what each output is


def silent(default: Any, label: str, help: str, **about: Any) -> Any:
    """Return a setting on which the paper is silent."""
    source = "Nicolai & Hilderman 2009, section III-A, does not say"
    return unprinted(default, help, label=label, source=source, **about)


def raise_of(default: float, label: str, help: str = "How much it raises above the call.") -> Any:
    """Return the size of a raise, in the unit of raises."""
    return silent(
        default,
        label,
        help,
        low=0.0,
        high=LARGEST_RAISE,
        needs=lambda network: network.raise_unit in RAISE_UNITS[:2],
    )


@dataclass(frozen=True, kw_only=True)
class TableNetwork(Checked):
    """What a network sees at a table, how large it is, and what its outputs mean.

    A decision by hand. The inputs are, in this order: the pot, the price of a call, the number of opponents over 9,
    the chance to win, and `last_input`; then for each of ten seats, the player's own first and the others as they sit
    on its left, the chips behind; in the same order everybody's overall aggressiveness, and everybody's recent one,
    cut at 10 and divided by 10. Seats that are empty or without chips are 0. Amounts are divided as `scale` says.
    Each hidden unit adds up the inputs times its weights, and its bias, and turns the sum s into 1 / (1 + exp(-s)) (a
    polynomial in float32, right to 2e-7 of its value); each output does the same with the hidden units. Say that the
    outputs are 0.1, 0.5, 0.2, 0.1 and 0.1, and that the table's luck for this decision is 0.75: of their sum, 1, the
    first 0.1 belong to fold, the next 0.5 to call, the next 0.2 to a small raise, and there 0.75 lies. With 60 in the
    pot after a call and a bet of 20 to match, half the pot more is a raise to 50, or to the least or the most allowed
    if that is nearer.

    Examples
    --------
    >>> encoding = TableNetwork()
    >>> genomes = encoding.random(np.random.default_rng(1), count=10)
    >>> genomes.shape, str(genomes.dtype), TableNetwork(biases=False).num_genes
    ((10, 825), 'float32', 800)
    >>> from pokerlab.holdem import no_limit, ring_game
    >>> game = ring_game(no_limit(5, 10), seats=len(genomes))
    >>> played = game.play(encoding.players(genomes), 20, seed=1)
    >>> int(played.won.sum())
    0
    """

    hidden: int = setting(
        20,
        "Units of the hidden layer.",
        label="Hidden units",
        source="Nicolai & Hilderman 2009, section III-A",
        within=(1, MOST_HIDDEN),
    )
    biases: bool = silent(True, "Biases", "Whether each hidden unit and each output has a bias.")
    sigmoid_inputs: bool = unprinted(
        False,
        "Whether inputs go through a sigmoid as well ('applied at each level').",
        label="Sigmoid on inputs",
        source="our reading of Nicolai & Hilderman 2009, section III-A",
    )
    last_input: str = unprinted(
        "hands until the button",
        "What the network sees besides the 34 inputs of Table I; hands until the button are over 9.",
        label="The 35th input",
        source="ours; Nicolai & Hilderman 2009, Table I, has one input too few",
        choices=LAST_INPUTS,
    )
    scale: str = silent(
        "mean stack",
        "Unit of chips",
        "What chips, pot and call are divided by: the mean of who is dealt in at the table, what they have put in"
        " included; the chips of all of them or of the tournament; the big blind; or nothing. 'as they are': nor is"
        " anything else divided or cut.",
        choices=SCALES,
    )
    tournament_chips: int = setting(
        1_000_000,
        "What amounts are divided by if they are divided by all chips of a tournament.",
        label="Chips of the tournament",
        unit="chips",
        log=(1, MOST_CHIPS),
        needs=lambda network: network.scale == "chips of the tournament",
    )
    opponents: str = unprinted(
        "in the hand",
        "Who counts as an opponent: who has not folded, or who was dealt in.",
        source="our reading of Nicolai & Hilderman 2009, Table I",
        choices=OPPONENTS,
    )
    against: str = silent(
        "one hand",
        "Win percentage against",
        "One random hand, or that number to the power of the opponents in the hand, as if their hands were"
        " independent: of aces against nine hands it says 24 %, and they win 31 %.",
        choices=AGAINST,
    )
    ties: str = setting(
        "win",
        "What a tie counts in the win percentage.",
        label="A tie counts as",
        source="Nicolai & Hilderman 2009, section III-A",
        choices=TIES,
    )
    read_out: str = silent(
        "sampled",
        "Outputs are",
        "Drawn in proportion to their values, or the largest decides.",
        choices=READ_OUTS,
    )
    small_raise: float = raise_of(
        0.5,
        "Small raise",
        "How much it raises above the call, in whole chips between the least and the most allowed.",
    )
    medium_raise: float = raise_of(1.0, "Medium raise")
    large_raise: float = raise_of(3.0, "Large raise")
    raise_unit: str = silent(
        "pot",
        "Raises are times the",
        "The pot or the chips behind, after the call; or a share of them is drawn.",
        choices=RAISE_UNITS,
    )
    free_folds: bool = silent(
        False,
        "Networks fold for free",
        "Whether they fold where they owe nothing, if the structure allows it; or check.",
    )
    start: str = silent(
        "normal",
        "First weights",
        "Normal with deviation 1, uniform from -1 to 1, or normal with deviation 0.5.",
        choices=STARTS,
    )

    @property
    def num_genes(self) -> int:
        """G: the number of weights, 825 by default, in the order of `perceptron`."""
        return num_weights(NUM_INPUTS, self.hidden, NUM_OUTPUTS, biases=self.biases)

    @property
    def answer(self) -> NetworkAnswer:
        """What answers for these networks at a table; equal for equal settings."""
        return NetworkAnswer(
            hidden=self.hidden,
            sigmoid_inputs=self.sigmoid_inputs,
            free_folds=self.free_folds,
            last_input=LAST_INPUTS.index(self.last_input),
            scale=SCALES.index(self.scale),
            opponents=OPPONENTS.index(self.opponents),
            against=AGAINST.index(self.against),
            read_out=READ_OUTS.index(self.read_out),
            raise_unit=RAISE_UNITS.index(self.raise_unit),
            tie=TIES_WON[self.ties],
            tournament_chips=float(self.tournament_chips),
            small_raise=float(self.small_raise),
            medium_raise=float(self.medium_raise),
            large_raise=float(self.large_raise),
        )

    def random(self, generator: np.random.Generator, count: int) -> Floats32:
        """Return `count` networks, (count, G), as an evolution begins with."""
        shape = (whole("count", count, 0), self.num_genes)
        if self.start != "uniform":
            deviation = np.float32(0.5 if self.start == "narrow normal" else 1.0)
            return deviation * generator.standard_normal(shape, np.float32)
        return 2 * generator.random(shape, np.float32) - 1

    def checked(self, genomes: ArrayLike) -> Floats32:
        """Return networks, (G,) or (k, G), as rows, (k, G), of float32 weights up to a billion in size."""
        of = f"a network of {NUM_INPUTS} inputs, {self.hidden} hidden units and {NUM_OUTPUTS} outputs"
        of += "" if self.biases else " without biases"
        rows: Floats32 = checked_rows(
            genomes, self.num_genes, of, kind=None, low=-LARGEST_WEIGHT, high=LARGEST_WEIGHT
        )
        if rows.dtype != np.float32:
            raise ShapeError(
                f"the weights are {rows.dtype}; networks compute in float32, so give weights.astype(numpy.float32)."
            )
        return rows

    def players(
        self, genomes: ArrayLike, names: Sequence[str] | None = None
    ) -> list[CompiledPlayer]:
        """Return the players, k of them, of networks, (G,) or (k, G); called 'network 0' and so on."""
        rows = self.checked(genomes)
        weights = laid_out(rows, NUM_INPUTS, self.hidden, NUM_OUTPUTS, biases=self.biases)
        return compiled_players(self.answer, weights, names, word="network", made_of="networks")
