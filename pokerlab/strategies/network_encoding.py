"""The encoding of strategies as the weights of a multi-layer perceptron (Samothrakis & Lucas 2011, eq. 6).

The inputs of the network are a few numbers, from -1 to 1, that describe an information set.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import (
    Floats,
    GameError,
    Ints,
    SettingError,
    ShapeError,
    freeze,
    inlined,
    kernel,
)
from pokerlab.core.arrays import checked_numbers, view_read_only
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import check_callable, check_items, check_kind, checked_integer
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

# The inputs for a previous action, which the paper does not specify.
NONE, BET, PASS = 0.0, 1.0, -1.0


@dataclass(frozen=True, eq=False, init=False)
class Inputs:
    """The inputs of a network at each information set of a game.

    Attributes
    ----------
    names : tuple of str
        The name of each input.
    values : array of shape (I, inputs)
        The inputs at each of the I information sets, in the order of `game.infoset_label`. They must be finite.
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
        """Return the inputs that a function computes from the player and the label of each information set.

        Parameters
        ----------
        game : SequenceForm
            The game that is played.
        names : tuple of str
            The names of the inputs.
        see : callable
            A function `see(player, label)`, which returns one number for each name.
        """
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
    """Return the default inputs of a network in a game.

    In a game of one simultaneous choice there are no inputs. In one-card poker they are the card and the previous
    action of each player. For any other game a GameError is raised.
    """
    if max(game.num_infosets) == 1:
        return Inputs((), np.empty((len(game.infoset_label), 0)))
    rules = game.rules
    while isinstance(rules, LockedRules | RakedRules):
        rules = rules.rules
    if isinstance(rules, OneCardPoker):
        return derive_one_card_inputs(game, rules)
    raise GameError(
        f"the inputs of a network in {game.name} cannot be derived. Give inputs=Inputs(names, values),"
        " a row of numbers for each information set, or Inputs.seen_by(game, names, see)."
    )


def derive_one_card_inputs(game: SequenceForm, rules: OneCardPoker) -> Inputs:
    """Return the inputs of section 4.1 for one-card poker.

    They are the card, from -1 for the lowest to 1 for the highest, and the previous action of each player.
    """
    n, ranks = rules.num_players, rules.ranks
    cards = {rules.name_card(card): 2.0 * card / (ranks - 1) - 1.0 for card in range(ranks)}

    def see(player: int, label: str) -> list[float]:
        """Return the inputs of a player at the information set with a label."""
        card, _, actions = label.partition(", ")
        previous = [NONE] * n
        for turn, action in enumerate(filter(None, actions.split("-"))):
            previous[turn % n] = BET if action == "bet" else PASS
        return [cards[card], *previous]

    names = ("card", *(f"previous action of player {p + 1}" for p in range(n)))
    return Inputs.seen_by(game, names, see)


@explain_renamed_attributes
@dataclass(frozen=True, eq=False)
class NetworkEncoding:
    """The encoding whose genes are the weights of a neural network, which computes the probabilities of actions.

    The outputs of the network are f(x) = G2(b2 + W2 G1(b1 + W1 x)), where x are the inputs at an information set, G1 is
    tanh and G2 is the sigmoid. Then the outputs of the possible actions are divided by their sum (eq. 5). The genes of
    a network are W1 row by row, b1, W2 row by row, and b2. If there are several networks, their genes follow each
    other. The encoding is that of Samothrakis & Lucas (2011), sections 3.2.1 and 4.1.

    Parameters
    ----------
    game : SequenceForm
        The game that is played.
    hidden : int
        The number of hidden neurons, 1 to 10,000.
    seats : str
        With 'shared' all seats use the same network, which can distinguish seats only by its inputs. Without inputs
        this is possible only in symmetric games. With 'own' each seat has its own network.
    inputs : Inputs, optional
        The inputs of the network at each information set. By default there are none in games of one simultaneous
        choice, where the output does not depend on anything. In Kuhn and one-card poker they are the card and the
        previous action of each player, as in the paper.

    Raises
    ------
    GameError
        If the game has no default inputs and none are given, or if seats share a network without inputs in a game that
        is not symmetric.

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
        checked_integer("hidden", self.hidden, 1, 10_000)
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
        """The inputs that were given, or the default inputs of the game."""
        return derive_inputs(self.game) if self.inputs is None else self.inputs

    @property
    def has_common_actions(self) -> bool:
        """Whether an action of one player has the same label as an action of another."""
        game = self.game
        labels_of_players = [
            {label for labels in game.action_label[begin:end] for label in labels}
            for begin, end in pairwise(game.infoset_start)
        ]
        return sum(map(len, labels_of_players)) > len(set().union(*labels_of_players))

    @cached_property
    def net_of(self) -> Ints:
        """The index of the network that is used at each information set."""
        seats = np.repeat(np.arange(self.game.num_players), self.game.num_infosets)
        return np.zeros_like(seats) if has_shared_genes(self.seats) else seats

    @cached_property
    def outputs(self) -> tuple[tuple[str, ...], ...]:
        """The actions for which each network has an output."""
        nets: list[dict[str, None]] = [{} for _ in range(self.net_of.max(initial=0) + 1)]
        for net, actions in zip(self.net_of, self.game.action_label, strict=True):
            nets[net] |= dict.fromkeys(actions)
        return tuple(map(tuple, nets))

    @cached_property
    def output_of(self) -> Ints:
        """The index of the network's output from which each probability of a profile is computed."""
        indices = [
            self.outputs[net].index(label)
            for net, labels in zip(self.net_of, self.game.action_label, strict=True)
            for label in labels
        ]
        return np.array(indices, np.int64)

    @cached_property
    def net_start(self) -> Ints:
        """The index of the first gene of each network, and the number of all genes at the end."""
        width = len(self.seen.names)
        hidden = self.hidden
        sizes = [(width + 1 + len(out)) * hidden + len(out) for out in self.outputs]
        return np.cumsum([0, *sizes])

    @property
    def num_genes(self) -> int:
        """The length of a genome, G: the number of weights and biases of all nets."""
        return int(self.net_start[-1])

    @cached_property
    def gene_labels(self) -> tuple[str, ...]:
        """The label of each gene: the two neurons that a weight connects, or the neuron of a bias."""
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
    def default_start(self) -> Floats:
        """The genome whose genes are all zero, which encodes the uniform profile."""
        return np.zeros(self.num_genes)

    def compute_behaviors(self, genomes: Floats) -> Floats:
        """Return the profiles of several genomes, which are not checked.

        Parameters
        ----------
        genomes : array of shape (k, G)
            k genomes of G genes each.

        Returns
        -------
        array of shape (k, S - n)
            The profile of each genome: the probabilities of all nonempty sequences in a game of n players and S
            sequences.
        """
        game = self.game
        return compute_policies(
            view_read_only(genomes),
            self.seen.values,
            self.net_of,
            self.net_start,
            game.first_probability,
            game.num_actions,
            self.output_of,
            self.hidden,
        )

    def make_profile(self, genome: ArrayLike) -> Profile:
        """Return the profile of the game that a genome encodes."""
        rows = checked_genome(self, genome)[None]
        return Profile.from_unchecked(self.game, self.compute_behaviors(rows)[0])


@kernel
def compute_policies(
    genomes: Floats,
    inputs: Floats,
    net_of: Ints,
    net_start: Ints,
    first: Ints,
    num_actions: Ints,
    output_of: Ints,
    hidden: int,
) -> Floats:
    """Return the probabilities of actions that networks compute by eq. 6 and then eq. 5.

    Parameters
    ----------
    genomes : array of shape (k, G)
        k genomes of G weights and biases each.
    inputs : array of shape (I, width)
        The inputs at each of I information sets.
    net_of : array of shape (I,)
        The index of the network that is used at each information set.
    net_start : array of shape (nets + 1,)
        The index of the first gene of each network, and G at the end.
    first, num_actions : array of shape (I,)
        The index of the first probability of each information set, and the number of actions there.
    output_of : array of shape (S - n,)
        The index of the network's output for each probability, in a game of n players and S sequences.
    hidden : int
        The number of hidden neurons.

    Returns
    -------
    array of shape (k, S - n)
        The probabilities of each genome.
    """
    width = inputs.shape[1]
    out = np.empty((genomes.shape[0], output_of.size))
    activation = np.empty(hidden)
    for row in range(out.shape[0]):
        for infoset in range(first.size):
            # The genes of a net are W1, b1, W2 and b2, one after the other.
            net = net_of[infoset]
            genes = genomes[row, net_start[net] : net_start[net + 1]]
            output_genes = genes[hidden * (width + 1) :]
            fill_hidden_units(genes, inputs[infoset], activation)

            begin = first[infoset]
            end = first[infoset] + num_actions[infoset]
            largest = -np.inf
            for q in range(begin, end):
                out[row, q] = sum_output(output_genes, activation, output_of[q])
                largest = max(largest, out[row, q])

            total = 0.0
            for q in range(begin, end):
                out[row, q] = make_positive(out[row, q], largest, SIGMOID)  # eq. 6: G2
                total += out[row, q]
            for q in range(begin, end):
                out[row, q] /= total  # eq. 5
    return out


@inlined
def fill_hidden_units(genes: Floats, inputs: Floats, out_activation: Floats) -> None:
    """Write the activations of a net's hidden units, given its genes and its inputs, by eq. 6."""
    hidden, width = out_activation.size, inputs.size
    first_bias = hidden * width
    for h in range(hidden):
        total = genes[first_bias + h]
        for i in range(width):
            total += genes[h * width + i] * inputs[i]
        out_activation[h] = np.tanh(total)  # eq. 6: G1(b1 + W1 x)


@inlined
def sum_output(genes: Floats, activation: Floats, output: int) -> float:
    """Return the weighted sum of an output, b2 + W2 G1 in eq. 6, given the genes W2 and b2 and the hidden units."""
    hidden = activation.size
    num_outputs = genes.size // (hidden + 1)
    total = genes[hidden * num_outputs + output]
    for h in range(hidden):
        total += genes[output * hidden + h] * activation[h]
    return float(total)
