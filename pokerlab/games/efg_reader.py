"""Games from files in Gambit's .efg format (EFG 2 R), which contains the nodes of the game tree in preorder.

`parse_tree` reads the nodes in the order of the file, with a stack of the nodes that are still expected. A file
describes each information set and each outcome where it is first mentioned, and later it only gives its number, so
`Definitions` stores all descriptions. `efg_tokens` splits the text into words, numbers and names.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from pokerlab.core import POINTS, FileFormatError, Unit
from pokerlab.core.files import validate_path
from pokerlab.games.compilation import LONGEST_HISTORY, compile_rules
from pokerlab.games.efg_tokens import MARK, NAME, Tokens, simplify_exact_number
from pokerlab.games.rules import MOST_PLAYERS, Chance, Decision, Number, Terminal, Turn
from pokerlab.games.sequence_form import SequenceForm

CHANCE = 0
"""The player number that stands for chance. In an .efg file the numbers of players begin with 1."""
MOST_EQUAL_NAMES = 100
"""The largest number of actions of an information set with the same name. Apostrophes distinguish their labels."""

InfosetKey = tuple[int, int]
"""The number of a player (or CHANCE), and the number of one of its information sets."""


@dataclass(frozen=True, eq=False)
class GameTree:
    """The rules of a game that is stored as a tree. A history is the index of a node, and the root has index 0.

    Attributes
    ----------
    name : str
        The game's name.
    num_players : int
        The number of players.
    zero_sum : bool
        Whether utilities sum to zero at every terminal.
    turns : tuple of Turn
        The chance node, decision or terminal at each node.
    children : tuple of mapping of str to int
        For each node, the node after each of its actions.
    unit : Unit
        The unit of utilities.
    """

    name: str
    num_players: int
    zero_sum: bool
    turns: tuple[Turn, ...]
    children: tuple[Mapping[str, int], ...]
    unit: Unit = POINTS

    def start(self) -> int:
        """Return the empty history, which is the root, node 0."""
        return 0

    def turn(self, history: int) -> Turn:
        """Return the chance node, decision or terminal of a history.

        Parameters
        ----------
        history : int
            The index of a node.

        Returns
        -------
        Chance, Decision or Terminal
            What the file describes at this node.
        """
        return self.turns[history]

    def after(self, history: int, action: str) -> int:
        """Return the history that follows an action.

        Parameters
        ----------
        history : int
            The index of a node.
        action : str
            An action or an outcome of chance at this node.

        Returns
        -------
        int
            The index of the next node.
        """
        return self.children[history][action]

    def __repr__(self) -> str:
        return f"<tree of {self.name}: {self.num_players} players, {len(self.turns)} nodes>"


@dataclass(frozen=True)
class Definition:
    """The description of an information set or an outcome in a file.

    Attributes
    ----------
    name : str
        The name of the information set or outcome; empty if it has none.
    actions : tuple of str
        The names of the actions of an information set; empty for an outcome.
    numbers : tuple of int or Fraction
        The probabilities of a chance node's actions, or the payoffs of an outcome.
    """

    name: str
    actions: tuple[str, ...]
    numbers: tuple[Number, ...]

    @cached_property
    def action_labels(self) -> tuple[str, ...]:
        """The label of each action: its name, or its position, counted from 1, if the name is empty.

        Apostrophes are added to a label that an earlier action has already, so that all labels are different.
        """
        labels: list[str] = []
        for position, name in enumerate(self.actions, 1):
            labels.append(make_label_unique(name or str(position), labels))
        return tuple(labels)

    def has_zero_probability(self, action: int) -> bool:
        """Return whether an action is an outcome of chance that has probability zero.

        Parameters
        ----------
        action : int
            The index of the action, counted from 0.

        Returns
        -------
        bool
            True for an outcome of chance with probability zero. False for other outcomes, and for all actions of a
            player.
        """
        return bool(self.numbers) and self.numbers[action] == 0


@dataclass
class Definitions:
    """The information sets and outcomes that a file has described so far.

    Attributes
    ----------
    infosets : dict of (int, int) to Definition
        The description of each information set, by the number of its player and its own number.
    outcomes : dict of int to Definition
        The description of each outcome, by its number.
    """

    infosets: dict[InfosetKey, Definition] = field(default_factory=dict)
    outcomes: dict[int, Definition] = field(default_factory=dict)


class ParsedNode(NamedTuple):
    """The contents of a line that describes a node.

    Attributes
    ----------
    infoset : tuple of int, or None
        The information set of the node; None at a terminal.
    payoffs : tuple of int or Fraction, or None
        The payoffs of the outcome at the node; None if there is no outcome.
    """

    infoset: InfosetKey | None
    payoffs: tuple[Number, ...] | None


class PendingNode(NamedTuple):
    """A node of the tree that is still to be parsed, and how it is reached.

    Attributes
    ----------
    parent : int or None
        The index of the node's parent; None at the root, and in a subtree of probability zero.
    action : str
        The action that leads from the parent to the node.
    payoffs : tuple of int or Fraction, or None
        The sum of the payoffs of all outcomes above the node; None if there is no outcome.
    depth : int
        The number of actions above the node.
    is_possible : bool
        Whether the probability of all chance actions above the node is positive.
    """

    parent: int | None
    action: str
    payoffs: tuple[Number, ...] | None
    depth: int
    is_possible: bool


def read_efg(path: str | Path) -> SequenceForm:
    """Read a game from a Gambit .efg file and compile it.

    Numbers are exact: 1/3 is a third and 0.1 a tenth. The payoffs of all outcomes along a path are added. The label of
    an information set is its name if no other set of the same player has this name, and otherwise its number. The label
    of an action is its name, or its position if it has no name. Apostrophes are added to names that occur more than
    once. Actions of chance with probability 0 are omitted, and so is the tree below them.

    Parameters
    ----------
    path : str or Path
        The file, in UTF-8.

    Returns
    -------
    SequenceForm
        The compiled game, whose unit is points and whose `rules` are the tree. It is zero-sum if all its payoffs sum to
        zero.

    Raises
    ------
    FileFormatError
        If the file cannot be read, if it is not in this format, or if probabilities of chance do not sum to exactly
        one. The message names the line and the column.
    GameError
        If a player has imperfect recall. The message names the history.

    References
    ----------
    .. [1] The Gambit Project, "Game representation formats", the extensive game (.efg) file format
    """
    path = validate_path("path", path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"{path} is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}. Save it as UTF-8."
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", error)
        raise FileFormatError(f"{path} cannot be read: {reason}. Give an .efg file.") from None
    return compile_rules(parse_tree(Tokens(text, str(path)), path.stem))


def parse_tree(tokens: Tokens, file_name: str) -> GameTree:
    """Return the game tree that the text of an .efg file describes.

    The nodes are listed in preorder. So a stack has the nodes that are still expected, and the next one is on top. A
    subtree below an action of probability zero is parsed, because it may contain definitions, but it is not stored.

    Parameters
    ----------
    tokens : Tokens
        The text of the file, from its beginning.
    file_name : str
        The name of the game if the text has no title.

    Returns
    -------
    GameTree
        The rules of the game, in which each history is the index of a node.

    Raises
    ------
    FileFormatError
        If the text is not in this format. The message names the line and the column.
    """
    title, num_players = parse_header(tokens)
    parser = NodeParser(tokens, num_players)
    nodes: list[InfosetKey | Terminal] = []
    children: list[dict[str, int]] = []

    pending_nodes = [PendingNode(parent=None, action="", payoffs=None, depth=0, is_possible=True)]
    while pending_nodes:
        num_missing = len(pending_nodes)
        pending_node = pending_nodes.pop()
        if pending_node.depth > LONGEST_HISTORY:
            raise tokens.make_error(
                f"a history has more than {LONGEST_HISTORY} actions; trees are read up to there.",
                tokens.offset,
            )

        # The payoffs of a terminal are the sum over all outcomes on the way to it.
        infoset, own_payoffs = parser.parse_next_node(num_missing)
        payoffs = sum_payoffs(pending_node.payoffs, own_payoffs)

        index = None  # a node that has probability zero is not stored
        if pending_node.is_possible:
            index = len(nodes)
            no_payoffs = (0,) * num_players
            nodes.append(Terminal(payoffs or no_payoffs) if infoset is None else infoset)
            children.append({})
            if pending_node.parent is not None:
                children[pending_node.parent][pending_node.action] = index

        if infoset is not None:
            definition = parser.definitions.infosets[infoset]
            actions = list(enumerate(definition.action_labels))
            # The node after the first action comes next in the file, so it is pushed last.
            for action, label in reversed(actions):
                is_possible = pending_node.is_possible and not definition.has_zero_probability(
                    action
                )
                parent = index if is_possible else None
                pending_nodes.append(
                    PendingNode(parent, label, payoffs, pending_node.depth + 1, is_possible)
                )

    if tokens.kind is not None:
        raise tokens.make_expected_error("the end of the file, because no node is missing")

    terminals = [node for node in nodes if isinstance(node, Terminal)]
    return GameTree(
        name=title or file_name,
        num_players=num_players,
        zero_sum=all(sum(terminal.utilities) == 0 for terminal in terminals),
        turns=tuple(convert_nodes_to_turns(nodes, parser.definitions.infosets)),
        children=tuple(children),
    )


def convert_nodes_to_turns(
    nodes: Sequence[InfosetKey | Terminal], infosets: Mapping[InfosetKey, Definition]
) -> list[Turn]:
    """Return the chance node, decision or terminal at each node of a tree.

    Parameters
    ----------
    nodes : sequence of InfosetKey or Terminal
        The terminals, and for each other node the key of its information set.
    infosets : mapping of InfosetKey to Definition
        The information sets that the file defines. Those without nodes are ignored, so that they take no label from
        others.

    Returns
    -------
    list of Chance, Decision or Terminal
        One for each node, in the order of `nodes`.
    """
    reached_keys = {node for node in nodes if not isinstance(node, Terminal)}
    reached_infosets = {
        infoset_key: definition
        for infoset_key, definition in infosets.items()
        if infoset_key in reached_keys
    }
    turns = build_turns_with_labels(reached_infosets)
    return [node if isinstance(node, Terminal) else turns[node] for node in nodes]


class NodeParser:
    """A parser of the nodes of a file, which parses equal lines only once.

    Most lines describe a whole node and occur many times, so the result of parsing a line is stored and used again.

    Parameters
    ----------
    tokens : Tokens
        The text of the file, after its header.
    num_players : int
        The number of players of the game.
    """

    def __init__(self, tokens: Tokens, num_players: int) -> None:
        self.tokens = tokens
        self.num_players = num_players
        self.definitions = Definitions()
        self.nodes_by_line: dict[str, ParsedNode] = {}

    def parse_next_node(self, num_missing: int) -> ParsedNode:
        """Return the contents of the next node of the file, and move past the node.

        Parameters
        ----------
        num_missing : int
            The number of nodes that are still expected, for the error message.

        Returns
        -------
        ParsedNode
            The information set and the payoffs of the node.

        Raises
        ------
        FileFormatError
            If no valid node begins at the current token.
        """
        line = self.tokens.find_rest_of_line()
        end_of_line = self.tokens.offset + len(line)
        if line in self.nodes_by_line and self.tokens.try_skip_to_node(end_of_line):
            return self.nodes_by_line[line]

        node = parse_node(self.tokens, num_missing, self.num_players, self.definitions)
        # The next token begins in a later line, so the node took exactly the rest of this line.
        is_whole_line = self.tokens.source[end_of_line : self.tokens.offset].isspace()
        if is_whole_line:
            self.nodes_by_line[line] = node
        return node


def parse_node(
    tokens: Tokens, num_missing: int, num_players: int, definitions: Definitions
) -> ParsedNode:
    """Return the contents of the node that begins at the current token, and move past the node.

    The information set and the outcome that the node defines are added to `definitions`.

    Parameters
    ----------
    tokens : Tokens
        The tokens of the file. The current token is the first one of the node.
    num_missing : int
        The number of nodes that are still expected, for the error message.
    num_players : int
        The number of players of the game.
    definitions : Definitions
        What earlier nodes have defined.

    Returns
    -------
    ParsedNode
        The information set and the payoffs of the node.

    Raises
    ------
    FileFormatError
        If no valid node begins here.
    """
    node_kind = tokens.parse_word(f"a node, 'c', 'p' or 't' ({num_missing} missing)", "c", "p", "t")
    tokens.parse_name("the node's name")
    infoset = None
    if node_kind != "t":
        infoset = parse_infoset(tokens, node_kind, num_players, definitions)
    return ParsedNode(infoset, parse_outcome(tokens, num_players, definitions))


def sum_payoffs(
    earlier_payoffs: tuple[Number, ...] | None, own_payoffs: tuple[Number, ...] | None
) -> tuple[Number, ...] | None:
    """Return the payoffs of two outcomes on one path through the tree, added player by player.

    Parameters
    ----------
    earlier_payoffs, own_payoffs : tuple of int or Fraction, or None
        The payoff of each player in both outcomes; None for no outcome.

    Returns
    -------
    tuple of int or Fraction, or None
        The sum for each player, as an int if it is integral. If one outcome is None, it is the other one.
    """
    if earlier_payoffs is None:
        return own_payoffs
    if own_payoffs is None:
        return earlier_payoffs
    return tuple(
        simplify_exact_number(a + b) for a, b in zip(earlier_payoffs, own_payoffs, strict=True)
    )


def parse_header(tokens: Tokens) -> tuple[str, int]:
    """Return the title of a game and the number of its players, after parsing everything before the tree.

    Parameters
    ----------
    tokens : Tokens
        The text, from its first token on. Afterward its current token is the first one of the tree.

    Returns
    -------
    title : str
        The title.
    num_players : int
        The number of players, 1 to `MOST_PLAYERS`.

    Raises
    ------
    FileFormatError
        If the text does not begin with a header in this format, or if there are no players or more than `MOST_PLAYERS`.
    """
    tokens.parse_word("'EFG 2 R', with which Gambit's extensive games begin", "EFG")
    tokens.parse_word("'2', the version of the format", "2")
    tokens.parse_word("'R', or 'D' in old files", "R", "D")
    title = tokens.parse_name("the title")
    offset = tokens.offset
    players = tokens.parse_names("player's name")
    if not 1 <= len(players) <= MOST_PLAYERS:
        number = str(len(players)) if players else "no"
        raise tokens.make_error(
            f"the game has {number} players; a game has 1 to {MOST_PLAYERS}.", offset
        )

    if tokens.kind == NAME:
        tokens.advance_token()  # a comment
    return title, len(players)


def parse_infoset(
    tokens: Tokens, node_kind: str, num_players: int, definitions: Definitions
) -> InfosetKey:
    """Return the key of a node's information set, and move past the information set.

    An information set that is mentioned for the first time is added to `definitions`. A later description must be equal
    to the first one.

    Parameters
    ----------
    tokens : Tokens
        The tokens of the file. The current token is the one after the name of the node.
    node_kind : str
        'c' for a node of chance, or 'p' for a node of a player.
    num_players : int
        The number of players of the game.
    definitions : Definitions
        What earlier nodes have defined.

    Returns
    -------
    tuple of (int, int)
        The number of the player, from 1, or `CHANCE`, and the number of the information set.

    Raises
    ------
    FileFormatError
        If the description is not in this format, is missing, is not allowed, or differs from an earlier one.
    """
    offset = tokens.offset
    infoset_key = parse_infoset_key(tokens, node_kind, num_players)
    player, number = infoset_key
    owner = "chance" if player == CHANCE else f"player {player}"
    subject = f"information set {number} of {owner}"  # how error messages call it

    is_described = tokens.kind in (NAME, MARK)
    if not is_described:
        if infoset_key not in definitions.infosets:
            raise tokens.make_error(
                f"{subject} is mentioned here for the first time; list actions.", offset
            )
        return infoset_key

    name = tokens.parse_name("the name of the information set") if tokens.kind == NAME else ""
    if player == CHANCE:
        actions, probabilities = parse_chance_actions(tokens)
    else:
        actions = tokens.parse_names("action")
        probabilities = ()
    definition = Definition(name, actions, probabilities)
    if infoset_key in definitions.infosets:
        if definitions.infosets[infoset_key] != definition:
            raise tokens.make_error(f"{subject} had another name or other actions before.", offset)
        return infoset_key

    error = describe_error_in_actions(subject, actions)
    if error is not None:
        raise tokens.make_error(error, offset)
    definitions.infosets[infoset_key] = definition
    return infoset_key


def parse_infoset_key(tokens: Tokens, node_kind: str, num_players: int) -> InfosetKey:
    """Return the player of a node and the number of its information set, and move past them.

    Parameters
    ----------
    tokens : Tokens
        The tokens of the file. The current token is the one after the name of the node.
    node_kind : str
        'c' for a node of chance, which has no player, or 'p' for a node of a player.
    num_players : int
        The number of players of the game.

    Returns
    -------
    player : int
        The number of the player, counted from 1, or `CHANCE`.
    number : int
        The number of the information set among those of the player or of chance.

    Raises
    ------
    FileFormatError
        If a number is missing, or if there is no such player.
    """
    offset = tokens.offset
    player = CHANCE
    if node_kind == "p":
        player = tokens.parse_nonnegative_integer("the player's number")
        if not 1 <= player <= num_players:
            raise tokens.make_error(
                f"player {player} moves; the players are 1 to {num_players}.", offset
            )
    number = tokens.parse_nonnegative_integer("the number of the information set")
    return player, number


def describe_error_in_actions(subject: str, actions: Sequence[str]) -> str | None:
    """Return the error message if an information set has no actions, or too many of the same name; otherwise None.

    Parameters
    ----------
    subject : str
        What the message calls the information set, such as 'information set 3 of player 1'.
    actions : sequence of str
        The names of its actions. Any number of them may be empty.

    Returns
    -------
    str or None
        The message without the position in the file.
    """
    if not actions:
        return f"{subject} has no actions; at least one is needed."
    # Two names are enough, because one of the two most frequent ones may be the empty name, which is allowed.
    for action, num_equal in Counter(actions).most_common(2):
        if action and num_equal > MOST_EQUAL_NAMES:
            return (
                f"{num_equal} actions of {subject} are called '{action}'; at most {MOST_EQUAL_NAMES} may share"
                " a name. Give them names of their own, or none."
            )
    return None


def parse_chance_actions(tokens: Tokens) -> tuple[tuple[str, ...], tuple[Number, ...]]:
    """Return the actions of a chance node with their probabilities, and move past them.

    They are a list in braces, which consists of pairs of an action and its probability. An empty list is accepted here,
    because `describe_error_in_actions` reports it.

    Parameters
    ----------
    tokens : Tokens
        The tokens of the file. The current token is the opening brace.

    Returns
    -------
    actions : tuple of str
        The names of the actions.
    probabilities : tuple of int or Fraction
        The exact probability of each action.

    Raises
    ------
    FileFormatError
        If the tokens are not such a list, if a probability is negative, or if the probabilities do not sum to exactly
        1.
    """
    offset = tokens.offset
    tokens.skip_mark("{", "'{' before the actions of chance")
    actions: list[str] = []
    probabilities: list[Number] = []
    while not tokens.is_at_mark("}"):
        actions.append(tokens.parse_name("'}' or an action of chance"))
        probabilities.append(tokens.parse_number("the action's probability"))
    tokens.advance_token()

    for action, probability in zip(actions, probabilities, strict=True):
        if probability < 0:
            raise tokens.make_error(
                f"chance plays '{action}' with probability {probability}; it must not be negative.",
                offset,
            )
    total = sum(probabilities)
    if actions and total != 1:
        raise tokens.make_error(
            f"probabilities of chance sum to {total}, not 1. Decimals are read exactly, and rounded"
            " ones such as 0.3333 miss the sum: write fractions, such as 1/3.",
            offset,
        )
    return tuple(actions), tuple(probabilities)


def parse_outcome(
    tokens: Tokens, num_players: int, definitions: Definitions
) -> tuple[Number, ...] | None:
    """Return the payoffs of a node's outcome, and move past the outcome.

    An outcome that is mentioned for the first time is added to `definitions`. A later description must be equal to the
    first one.

    Parameters
    ----------
    tokens : Tokens
        The tokens of the file. The current token is the number of the outcome.
    num_players : int
        The number of players of the game.
    definitions : Definitions
        What earlier nodes have defined.

    Returns
    -------
    tuple of int or Fraction, or None
        The payoff of each player, or None if the node has no outcome.

    Raises
    ------
    FileFormatError
        If the description is not in this format, is missing, or differs from an earlier one.
    """
    offset = tokens.offset
    number = tokens.parse_nonnegative_integer("the number of the outcome")
    is_described = tokens.kind in (NAME, MARK)
    if number == 0:
        if is_described:
            raise tokens.make_error(
                "outcome 0 means none; it has neither name nor payoffs.", offset
            )
        return None

    if is_described:
        name = tokens.parse_name("the name of the outcome") if tokens.kind == NAME else ""
        definition = Definition(name, (), parse_payoffs(tokens, num_players))
        first_definition = definitions.outcomes.setdefault(number, definition)
        if definition != first_definition:
            raise tokens.make_error(f"outcome {number} had another name or payoffs before.", offset)
    elif number not in definitions.outcomes:
        raise tokens.make_error(
            f"outcome {number} is mentioned here for the first time; list payoffs.", offset
        )
    return definitions.outcomes[number].numbers


def parse_payoffs(tokens: Tokens, num_players: int) -> tuple[Number, ...]:
    """Return the payoff of each player from a list in braces, and move past the list.

    Parameters
    ----------
    tokens : Tokens
        The tokens of the file. The current token is the opening brace. Commas between the numbers are optional.
    num_players : int
        The number of players, which is also the number of payoffs.

    Returns
    -------
    tuple of int or Fraction
        The payoffs.

    Raises
    ------
    FileFormatError
        If there are not as many numbers as players.
    """
    tokens.skip_mark("{", "'{' before the payoffs")
    payoffs = []
    for player in range(1, num_players + 1):
        payoffs.append(tokens.parse_number(f"the payoff of player {player} of {num_players}"))
        if tokens.is_at_mark(","):
            tokens.advance_token()
    tokens.skip_mark("}", f"'}}' after the payoffs of {num_players} players")
    return tuple(payoffs)


def build_turns_with_labels(
    infosets: Mapping[InfosetKey, Definition],
) -> dict[InfosetKey, Turn]:
    """Return the chance node or the decision that belongs to each information set of a file.

    Each decision gets a label that no other information set of its player has. The label is the name of the information
    set if only one set of the player has this name. Otherwise it is the number of the set, followed by apostrophes if
    another set has this label already. Outcomes of chance with probability 0 are omitted.

    Parameters
    ----------
    infosets : mapping of (int, int) to Definition
        The description of each information set, by the number of its player and its own number.

    Returns
    -------
    dict of (int, int) to Chance or Decision
        The chance node or decision, by the same keys.
    """
    # Names that only one information set of a player has become labels. They are collected first, because numbers that
    # become labels later must differ from them.
    counts = Counter((player, definition.name) for (player, _), definition in infosets.items())
    used_labels: dict[int, set[str]] = defaultdict(set)  # by player
    for (player, name), num_infosets in counts.items():
        if name and num_infosets == 1:
            used_labels[player].add(name)

    turns: dict[InfosetKey, Turn] = {}
    for (player, number), definition in infosets.items():
        actions = definition.action_labels
        if player == CHANCE:
            probabilities = zip(actions, definition.numbers, strict=True)
            turns[player, number] = Chance(
                {action: Fraction(number) for action, number in probabilities if number}
            )
            continue

        label = definition.name
        is_unique_name = label in used_labels[player]
        if not is_unique_name:  # it is empty, or another set of this player has it, too
            label = make_label_unique(str(number), used_labels[player])
        turns[player, number] = Decision(player - 1, label, actions)
    return turns


def make_label_unique(label: str, used_labels: Container[str]) -> str:
    """Return a label followed by as many apostrophes as it needs to differ from all labels that are used already.

    Parameters
    ----------
    label : str
        The label.
    used_labels : container of str
        The labels that are used already.

    Returns
    -------
    str
        The label, for example "bet'" if 'bet' is used.
    """
    while label in used_labels:
        label += "'"
    return label
