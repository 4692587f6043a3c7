"""Neural networks: a multi-layer perceptron at every information set (Samothrakis & Lucas 2011, eq. 6).

Its inputs are a few numbers from -1 to 1 for each information set.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, GameError, Ints, SettingError, ShapeError, freeze, kernel
from pokerlab.core.arrays import checked_numbers, view_read_only
from pokerlab.core.old_names import explain_renamed_methods
from pokerlab.core.settings import check_callable, check_items, check_kind, whole
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.small_poker import OneCardPoker
from pokerlab.games.variants import LockedRules, RakedRules
from pokerlab.strategies.direct_encoding import SIGMOID, make_positive
from pokerlab.strategies.encoding import (
    check_can_share_genes,
    check_compiled,
    checked_genome,
    has_shared_genes,
)

NONE, BET, PASS = 0.0, 1.0, -1.0  # how a previous action is encoded; the paper does not say


@dataclass(frozen=True, eq=False, init=False)
class Inputs:
    """The inputs of a network at each information set: finite `values`, (I, inputs), and their `names`.

    Rows are in the order of `game.infoset_label`.
    """

    names: tuple[str, ...]
    values: Floats

    def __init__(self, names: tuple[str, ...], values: ArrayLike) -> None:
        check_items("names", names, str, "a tuple of texts, one for each input")
        table = checked_numbers(values, "inputs", ShapeError)
        if table.ndim != 2 or table.shape[1] != len(names):
            raise ShapeError(
                f"inputs have shape {table.shape}; with the names {names} give (I, {len(names)}): a row"
                " for each information set."
            )
        if not np.isfinite(table).all():
            row, column = np.argwhere(~np.isfinite(table))[0]
            raise SettingError(
                f"input '{names[column]}' of information set {row} is {table[row, column]}; give finite"
                " numbers, from -1 to 1 where possible."
            )
        freeze(table)
        object.__setattr__(self, "names", tuple(names))
        object.__setattr__(self, "values", table)

    @classmethod
    def seen_by(
        cls, game: SequenceForm, names: tuple[str, ...], see: Callable[[int, str], ArrayLike]
    ) -> "Inputs":
        """Return the inputs that `see(player, infoset label)` gives, one number a name."""
        check_compiled(game, "Inputs")
        check_callable(
            see,
            "view of information sets",
            ("player", "label"),
            "Give a function that returns a row of numbers.",
        )
        rows: Any = [see(player, label) for player, label in game.infoset_index]
        return cls(names, rows if rows else np.empty((0, len(names))))


def derive_inputs(game: SequenceForm) -> Inputs:
    """Return the inputs of a network in a game whose hands a few numbers describe; raise for other games."""
    if max(game.num_infosets) == 1:
        return Inputs((), np.empty((len(game.infoset_label), 0)))
    rules = game.rules
    while isinstance(rules, LockedRules | RakedRules):
        rules = rules.rules
    if isinstance(rules, OneCardPoker):
        return derive_one_card_inputs(game, rules)
    raise GameError(
        f"what a network is to see of {game.name} cannot be derived. Give inputs=Inputs(names, values),"
        " a row of numbers for each information set, or Inputs.seen_by(game, names, see)."
    )


def derive_one_card_inputs(game: SequenceForm, rules: OneCardPoker) -> Inputs:
    """Return the card, lowest -1 to highest 1, and the previous action of each player (section 4.1)."""
    n, ranks = rules.num_players, rules.ranks
    cards = {rules.card_name(card): 2.0 * card / (ranks - 1) - 1.0 for card in range(ranks)}

    def see(player: int, label: str) -> list[float]:
        card, _, actions = label.partition(", ")
        previous = [NONE] * n
        for turn, action in enumerate(filter(None, actions.split("-"))):
            previous[turn % n] = BET if action == "bet" else PASS
        return [cards[card], *previous]

    names = ("card", *(f"previous action of player {p + 1}" for p in range(n)))
    return Inputs.seen_by(game, names, see)


@explain_renamed_methods
@dataclass(frozen=True, eq=False)
class NetworkEncoding:
    """Genes that are the weights of a network from a player's inputs to the probabilities of actions.

    f(x) = G2(b2 + W2 G1(b1 + W1 x)) with G1 = tanh and G2 the sigmoid; then Eq. 5 divides the outputs of
    the actions at hand by their sum. The genes are W1 row by row, b1, W2 row by row and b2, net after
    net. Source: Samothrakis & Lucas (2011), sections 3.2.1 and 4.1.

    Parameters
    ----------
    game : SequenceForm
        What is played.
    hidden : int
        Hidden neurons, 1 to 10,000.
    seats : str
        'shared': one net for all seats, which tells them apart by its inputs, or else in symmetric games.
        'own': one a seat.
    inputs : Inputs, optional
        What the net sees at each information set. Derived where left out: nothing in games of one choice, where the
        net is a vector; the card and everybody's previous action in Kuhn and one-card poker, as in the paper.

    Raises
    ------
    GameError
        If inputs cannot be derived; or if a net without inputs, which is a vector, is to give seats the
        probabilities of the same actions in a game that is not symmetric.

    Examples
    --------
    >>> from pokerlab.games import kuhn
    >>> encoding = NetworkEncoding(kuhn())
    >>> encoding.num_genes, encoding.gene_labels[0], encoding.gene_labels[-1]
    (26, 'card to hidden 1', 'bias of bet')
    """

    game: SequenceForm
    hidden: int = 4
    seats: str = "shared"
    inputs: Inputs | None = None

    def __post_init__(self) -> None:
        check_compiled(self.game, "NetworkEncoding")
        has_shared_genes(self.seats)
        whole("hidden", self.hidden, 1, 10_000)
        instead = "Inputs(names, values), which names them"
        check_kind("inputs", self.inputs, Inputs | None, instead)
        wanted = (len(self.game.infoset_label), len(self.seen.names))
        if self.seen.values.shape != wanted:
            raise ShapeError(
                f"the inputs have shape {self.seen.values.shape}; {self.game.name} needs {wanted}: a"
                " row for each information set, a column for each name."
            )
        if has_shared_genes(self.seats) and not self.seen.names and self.has_common_actions:
            check_can_share_genes(self.game)

    @cached_property
    def seen(self) -> Inputs:
        """The inputs given, or those derived."""
        return derive_inputs(self.game) if self.inputs is None else self.inputs

    @property
    def has_common_actions(self) -> bool:
        """Whether an action of one player is called like an action of another."""
        game = self.game
        named = [
            {a for actions in game.action_label[slice(*ends)] for a in actions}
            for ends in pairwise(game.infoset_start)
        ]
        return sum(map(len, named)) > len(set().union(*named))

    @cached_property
    def net_of(self) -> Ints:
        """The net of each information set, (I,)."""
        seats = np.repeat(np.arange(self.game.num_players), self.game.num_infosets)
        return np.zeros_like(seats) if has_shared_genes(self.seats) else seats

    @cached_property
    def outputs(self) -> tuple[tuple[str, ...], ...]:
        """The actions that each net has an output for."""
        nets: list[dict[str, None]] = [{} for _ in range(self.net_of.max(initial=0) + 1)]
        for net, actions in zip(self.net_of, self.game.action_label, strict=True):
            nets[net] |= dict.fromkeys(actions)
        return tuple(map(tuple, nets))

    @cached_property
    def output_of(self) -> Ints:
        """The output of its net that each probability of a profile is read from, (S - n,)."""
        pairs = zip(self.net_of, self.game.action_label, strict=True)
        return np.array([self.outputs[net].index(a) for net, many in pairs for a in many], np.int64)

    @cached_property
    def net_start(self) -> Ints:
        """The first gene of each net, and the end of the last one's, (nets + 1,)."""
        width, hidden = len(self.seen.names), self.hidden
        sizes = [(width + 1 + len(out)) * hidden + len(out) for out in self.outputs]
        return np.cumsum([0, *sizes])

    @property
    def num_genes(self) -> int:
        """G: the weights and biases of all nets."""
        return int(self.net_start[-1])

    @cached_property
    def gene_labels(self) -> tuple[str, ...]:
        """The two neurons that each weight connects."""
        labels: list[str] = []
        hidden = [f"hidden {h + 1}" for h in range(self.hidden)]
        for seat, outputs in enumerate(self.outputs):
            whose = "" if has_shared_genes(self.seats) else f"player {seat + 1}, "
            labels += [f"{whose}{name} to {h}" for h in hidden for name in self.seen.names]
            labels += [f"{whose}bias of {h}" for h in hidden]
            labels += [f"{whose}{h} to {action}" for action in outputs for h in hidden]
            labels += [f"{whose}bias of {action}" for action in outputs]
        return tuple(labels)

    @property
    def start(self) -> Floats:
        """The genome, (G,), of zeros: the uniform profile."""
        return np.zeros(self.num_genes)

    def compute_behaviors(self, genomes: Floats) -> Floats:
        """Return the probabilities, (k, S - n), of genomes, (k, G), which are not checked."""
        game = self.game
        return compute_policies(
            view_read_only(genomes),
            self.seen.values,
            self.net_of,
            self.net_start,
            game.first_sequence - game.num_players,
            game.num_actions,
            self.output_of,
            self.hidden,
        )

    def make_profile(self, genome: ArrayLike) -> Profile:
        """Return the profile of a genome, (G,)."""
        rows = checked_genome(self, genome)[None]
        return Profile.computed(self.game, self.compute_behaviors(rows)[0])


@kernel
def compute_policies(
    genomes: Floats,
    inputs: Floats,
    net_of: Ints,
    net_start: Ints,
    first: Ints,
    size: Ints,
    output_of: Ints,
    hidden: int,
) -> Floats:
    """Return the probabilities, (k, S - n), of Eq. 5 and 6 by networks with the weights `genomes`, (k, G).

    `inputs` are (I, width); `net_of`, (I,), is the net of each information set, `net_start` the first gene of each
    net; `first` and `size`, (I,), are the first probability of each information set and their number; `output_of`,
    (S - n,), is the output of each probability.
    """
    width = inputs.shape[1]
    out = np.empty((genomes.shape[0], output_of.size))
    active = np.empty(hidden)
    for row in range(out.shape[0]):
        for infoset in range(first.size):
            net = net_of[infoset]
            genes = genomes[row, net_start[net] : net_start[net + 1]]
            bias = hidden * width
            for h in range(hidden):
                total = genes[bias + h]
                for i in range(width):
                    total += genes[h * width + i] * inputs[infoset, i]
                active[h] = np.tanh(total)  # eq. 6: G1(b1 + W1 x)
            weight = bias + hidden
            biases = weight + hidden * ((genes.size - weight) // (hidden + 1))
            begin, end = first[infoset], first[infoset] + size[infoset]
            largest = -np.inf
            for q in range(begin, end):
                output = output_of[q]
                total = genes[biases + output]
                for h in range(hidden):
                    total += genes[weight + output * hidden + h] * active[h]
                out[row, q] = total
                largest = max(largest, total)
            total = 0.0
            for q in range(begin, end):
                out[row, q] = make_positive(out[row, q], largest, SIGMOID)  # eq. 6: G2
                total += out[row, q]
            for q in range(begin, end):
                out[row, q] /= total  # eq. 5
    return out
