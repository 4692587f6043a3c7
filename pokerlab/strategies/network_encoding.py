"""The encoding of strategies as the weights of a multi-layer perceptron (Samothrakis & Lucas 2011, eq. 6).

The inputs of the network are a few numbers, from -1 to 1, that describe an information set.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
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
from pokerlab.core.arrays import validate_numbers, view_read_only
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import check_item_types, check_kind, check_signature, validate_integer
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.small_poker import BETWEEN_ACTIONS, OneCardPoker, split_infoset_label
from pokerlab.games.variants import LockedRules, RakedRules
from pokerlab.strategies.direct_encoding import SIGMOID, make_positive
from pokerlab.strategies.encoding import (
    check_can_share_genes,
    check_game_of_encoding,
    has_shared_genes,
    validate_genome,
)

NO_ACTION, BET, PASS = 0.0, 1.0, -1.0
"""The inputs for a player's previous action, which Samothrakis & Lucas (2011) do not specify."""


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
        """Store the inputs, after checking that there is a finite number for each name in every row.

        Parameters
        ----------
        names : tuple of str
            The name of each input.
        values : array_like of shape (I, inputs)
            The inputs at each of the I information sets.

        Raises
        ------
        ShapeError
            If the values are not rows with one number for each name.
        SettingError
            If the names are not texts, or if a value is not finite.
        """
        check_item_types("names", names, str, "a tuple of texts, one for each input")
        table = validate_numbers(values, "inputs", ShapeError)
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
            The game that is played, with I information sets.
        names : tuple of str
            The names of the inputs.
        see : callable
            A function `see(player, label)`, which returns one number for each name. It is called for each information
            set with the index of the player, from 0, and the label, such as 'J, bet'.

        Returns
        -------
        Inputs
            The inputs, with a row for each information set of the game.

        Raises
        ------
        GameError
            If the game is not compiled.
        SettingError
            If `see` cannot be called with a player and a label, or returns a number that is not finite.
        ShapeError
            If `see` does not return one number for each name.
        """
        check_game_of_encoding(game, "Inputs")
        check_signature(
            see,
            "view of information sets",
            ("player", "label"),
            "Give a function that returns a row of numbers.",
        )
        rows: Any = [see(player, label) for player, label in game.infoset_index]
        if not rows:  # an empty list would lack the number of columns
            rows = np.empty((0, len(names)))
        return cls(names, rows)


def make_default_inputs(game: SequenceForm) -> Inputs:
    """Return the default inputs of a network at the information sets of a game.

    In a game in which each player makes a single simultaneous choice there are no inputs. In one-card poker the inputs
    are the card and the previous action of each player.

    Parameters
    ----------
    game : SequenceForm
        The game, which may also be a variant of one-card poker with a rake or with fixed action probabilities.

    Returns
    -------
    Inputs
        The inputs, with a row for each information set of the game.

    Raises
    ------
    GameError
        If it is another game, which has no default inputs.
    """
    if max(game.num_infosets) == 1:
        no_inputs = np.empty((len(game.infoset_label), 0))
        return Inputs((), no_inputs)

    # A variant has the labels of the game that it changes.
    rules = game.rules
    while isinstance(rules, LockedRules | RakedRules):
        rules = rules.rules
    if isinstance(rules, OneCardPoker):
        return make_one_card_inputs(game, rules)
    raise GameError(
        f"the inputs of a network in {game.name} cannot be derived. Give inputs=Inputs(names, values),"
        " a row of numbers for each information set, or Inputs.seen_by(game, names, see)."
    )


def make_one_card_inputs(game: SequenceForm, rules: OneCardPoker) -> Inputs:
    """Return the inputs of a network in one-card poker, by section 4.1 of Samothrakis & Lucas (2011).

    They are the card, from -1 for the lowest to 1 for the highest, and the previous action of each player: 1 for a bet,
    -1 for a pass, and 0 if the player has not acted.

    Parameters
    ----------
    game : SequenceForm
        The compiled game.
    rules : OneCardPoker
        The rules of the game. For a variant they are the rules of the original game.

    Returns
    -------
    Inputs
        The inputs, with a row for each information set of the game.
    """
    n, ranks = rules.num_players, rules.ranks
    input_of_card = {
        rules.get_card_name(card): 2.0 * card / (ranks - 1) - 1.0 for card in range(ranks)
    }

    def compute_inputs(player: int, label: str) -> list[float]:
        """Return the inputs at the information set with a label, which consists of a card and the previous actions."""
        card, actions_text = split_infoset_label(label)
        actions = actions_text.split(BETWEEN_ACTIONS) if actions_text else []
        previous_actions = [NO_ACTION] * n
        # The players act in turn, so a later action replaces an earlier one.
        for index, action in enumerate(actions):
            previous_actions[index % n] = BET if action == "bet" else PASS
        return [input_of_card[card], *previous_actions]

    names = ("card", *(f"previous action of player {p + 1}" for p in range(n)))
    return Inputs.seen_by(game, names, compute_inputs)


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
        """Raise an error if a parameter is not allowed, or if the inputs do not fit the game."""
        check_game_of_encoding(self.game, "NetworkEncoding")
        is_shared = has_shared_genes(self.seats)
        validate_integer("hidden", self.hidden, 1, 10_000)
        expected = "Inputs(names, values), which names them"
        check_kind("inputs", self.inputs, Inputs | None, expected)

        inputs = self.network_inputs
        needed_shape = (len(self.game.infoset_label), len(inputs.names))
        if inputs.values.shape != needed_shape:
            raise ShapeError(
                f"the inputs have shape {inputs.values.shape}; {self.game.name} needs {needed_shape}: a"
                " row for each information set, a column for each name."
            )

        # Without inputs a shared network gives all players the same probabilities for actions of the same name.
        if is_shared and not inputs.names and self.has_common_actions:
            check_can_share_genes(self.game)

    @cached_property
    def network_inputs(self) -> Inputs:
        """The inputs of the network: those that were given, or the default inputs of the game."""
        return make_default_inputs(self.game) if self.inputs is None else self.inputs

    @property
    def has_common_actions(self) -> bool:
        """Whether an action of one player has the same label as an action of another."""
        labels_of_players = []
        for begin, end in pairwise(self.game.infoset_start):
            labels_of_infosets = self.game.action_label[begin:end]
            labels_of_players.append(set(chain.from_iterable(labels_of_infosets)))

        # A label that two players share counts twice in the sum, but once in the union.
        all_labels = set().union(*labels_of_players)
        return sum(len(labels) for labels in labels_of_players) > len(all_labels)

    @cached_property
    def network_index(self) -> Ints:
        """The index of the network that is used at each of the I information sets, array of shape (I,)."""
        player = np.repeat(np.arange(self.game.num_players), self.game.num_infosets)
        return np.zeros_like(player) if has_shared_genes(self.seats) else player

    @cached_property
    def output_actions(self) -> tuple[tuple[str, ...], ...]:
        """The actions for which each network has an output, in the order in which they first occur in the game."""
        num_networks = self.network_index.max(initial=0) + 1
        # Dictionaries are used as sets that keep the order.
        actions_of_networks: list[dict[str, None]] = [{} for _ in range(num_networks)]
        for network, actions in zip(self.network_index, self.game.action_label, strict=True):
            actions_of_networks[network] |= dict.fromkeys(actions)
        return tuple(map(tuple, actions_of_networks))

    @cached_property
    def output_index(self) -> Ints:
        """The index of the network's output that each probability of a profile is computed from.

        The array has shape (S - n,): in a game of n players and S sequences, a profile has a probability for each of
        the S - n sequences that are not empty. `network_index` has the network.
        """
        indices = []
        for network, actions in zip(self.network_index, self.game.action_label, strict=True):
            outputs = self.output_actions[network]
            indices += [outputs.index(action) for action in actions]
        return np.array(indices, np.int64)

    @cached_property
    def gene_bounds(self) -> Ints:
        """The index of the first gene of each network, followed by the number of all genes."""
        num_inputs, num_hidden = len(self.network_inputs.names), self.hidden
        gene_counts = []
        for outputs in self.output_actions:
            num_hidden_genes = num_hidden * num_inputs + num_hidden  # W1 and b1
            num_output_genes = len(outputs) * num_hidden + len(outputs)  # W2 and b2
            gene_counts.append(num_hidden_genes + num_output_genes)
        return np.cumsum([0, *gene_counts])

    @property
    def num_genes(self) -> int:
        """The number of genes of a genome, which is the number of weights and biases of all networks."""
        return int(self.gene_bounds[-1])

    @cached_property
    def gene_labels(self) -> tuple[str, ...]:
        """The label of each gene: the two neurons that a weight connects, or the neuron that has a bias."""
        labels: list[str] = []
        hidden_neurons = [f"hidden {h + 1}" for h in range(self.hidden)]
        for player, outputs in enumerate(self.output_actions):
            owner_prefix = "" if has_shared_genes(self.seats) else f"player {player + 1}, "

            # In the order of the genes: W1, b1, W2 and b2.
            for neuron in hidden_neurons:
                labels += [
                    f"{owner_prefix}{name} to {neuron}" for name in self.network_inputs.names
                ]
            labels += [f"{owner_prefix}bias of {neuron}" for neuron in hidden_neurons]
            for action in outputs:
                labels += [f"{owner_prefix}{neuron} to {action}" for neuron in hidden_neurons]
            labels += [f"{owner_prefix}bias of {action}" for action in outputs]
        return tuple(labels)

    @property
    def default_start(self) -> Floats:
        """The genome whose genes are all zero, which encodes the uniform profile."""
        return np.zeros(self.num_genes)

    def compute_behaviors(self, genomes: Floats) -> Floats:
        """Return the profiles that several genomes encode, as action probabilities. The genomes are not checked.

        Parameters
        ----------
        genomes : array of shape (k, G)
            The k genomes, of G genes each.

        Returns
        -------
        array of shape (k, S - n)
            The profile of each genome: in a game of n players and S sequences, the probability of the last action of
            each sequence that is not empty.
        """
        game = self.game
        return compute_network_probabilities(
            view_read_only(genomes),
            self.network_inputs.values,
            self.network_index,
            self.gene_bounds,
            game.first_probability_indices,
            game.num_actions,
            self.output_index,
            self.hidden,
        )

    def make_profile(self, genome: ArrayLike) -> Profile:
        """Return the profile of the game that a genome encodes, after checking the genome.

        Parameters
        ----------
        genome : array_like of shape (G,)
            The genome, of G genes.

        Returns
        -------
        Profile
            The strategies of all players. The genome is not changed.

        Raises
        ------
        SettingError
            If a gene is not a finite number.
        ShapeError
            If it is not a single genome of G genes.
        """
        genomes = validate_genome(self, genome)[None]
        (behavior,) = self.compute_behaviors(genomes)
        return Profile.from_unchecked(self.game, behavior)


@kernel
def compute_network_probabilities(
    genomes: Floats,
    inputs: Floats,
    network_index: Ints,
    gene_bounds: Ints,
    first_probability: Ints,
    num_actions: Ints,
    output_index: Ints,
    num_hidden: int,
) -> Floats:
    """Return the action probabilities that networks with given weights compute at all information sets of a game.

    Eq. 6 of Samothrakis & Lucas (2011) has the outputs of a network, and eq. 5 divides the outputs of the possible
    actions by their sum.

    Parameters
    ----------
    genomes : array of shape (k, G)
        The k genomes, of G weights and biases each.
    inputs : array of shape (I, num_inputs)
        The inputs at each of I information sets.
    network_index : array of shape (I,)
        The index of the network that is used at each information set.
    gene_bounds : array of shape (networks + 1,)
        The index of the first gene of each network, and G at the end.
    first_probability, num_actions : array of shape (I,)
        The index of the first probability of each information set, and the number of actions there.
    output_index : array of shape (S - n,)
        The index of the network's output for each probability. In a game of n players and S sequences, only the n empty
        sequences have no probability.
    num_hidden : int
        The number of hidden neurons.

    Returns
    -------
    array of shape (k, S - n)
        The probabilities of each genome: the last action of each sequence that is not empty, in the order of
        `output_index`.
    """
    num_inputs = inputs.shape[1]
    probabilities = np.empty((genomes.shape[0], output_index.size))
    activations = np.empty(num_hidden)
    for row in range(probabilities.shape[0]):
        for infoset in range(first_probability.size):
            # The genes of a network are W1, b1, W2 and b2, one after the other.
            network = network_index[infoset]
            genes = genomes[row, gene_bounds[network] : gene_bounds[network + 1]]
            output_genes = genes[num_hidden * (num_inputs + 1) :]
            fill_hidden_units(genes, inputs[infoset], activations)

            # The array of results has the weighted sums of the outputs first, then the outputs, and then their shares.
            begin = first_probability[infoset]
            end = begin + num_actions[infoset]
            largest_sum = -np.inf
            for entry in range(begin, end):
                probabilities[row, entry] = compute_output_sum(
                    output_genes, activations, output_index[entry]
                )
                largest_sum = max(largest_sum, probabilities[row, entry])

            output_total = 0.0
            for entry in range(begin, end):
                # eq. 6: G2
                probabilities[row, entry] = make_positive(
                    probabilities[row, entry], largest_sum, SIGMOID
                )
                output_total += probabilities[row, entry]
            for entry in range(begin, end):
                probabilities[row, entry] /= output_total  # eq. 5
    return probabilities


@inlined
def fill_hidden_units(genes: Floats, inputs: Floats, out_activations: Floats) -> None:
    """Write the activations of a network's hidden units: tanh(b1 + W1 x), by eq. 6 of Samothrakis & Lucas (2011).

    Parameters
    ----------
    genes : array
        The genes of the network: W1 row by row, then b1. Further genes, which belong to the outputs, are not used.
    inputs : array of shape (num_inputs,)
        The inputs x.
    out_activations : array of shape (num_hidden,)
        Overwritten by the activations.
    """
    num_hidden, num_inputs = out_activations.size, inputs.size
    first_bias = num_hidden * num_inputs
    for h in range(num_hidden):
        total = genes[first_bias + h]
        for i in range(num_inputs):
            total += genes[h * num_inputs + i] * inputs[i]
        out_activations[h] = np.tanh(total)  # eq. 6: G1(b1 + W1 x)


@inlined
def compute_output_sum(genes: Floats, activations: Floats, output: int) -> float:
    """Return the weighted sum of one output of a network: b2 + W2 h, by eq. 6 of Samothrakis & Lucas (2011).

    Parameters
    ----------
    genes : array
        The genes of the outputs: W2 row by row, then b2.
    activations : array of shape (num_hidden,)
        The activations h of the hidden units.
    output : int
        The index of the output.
    """
    num_hidden = activations.size
    num_outputs = genes.size // (num_hidden + 1)
    total = genes[num_hidden * num_outputs + output]
    for h in range(num_hidden):
        total += genes[output * num_hidden + h] * activations[h]
    return float(total)
