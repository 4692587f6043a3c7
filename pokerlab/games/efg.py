"""Games as files in Gambit's .efg format (EFG 2 R), which contains the nodes of the game tree in preorder.

`read_efg` reads a file and `write_efg` writes one. `parse_tree` reads the nodes in the order of the file, with a stack
of the nodes that are still expected. A file describes each information set and each outcome where it is first
mentioned, and later it only gives its number, so `Definitions` stores all descriptions. `Tokens` splits the text into
words, numbers and names, with their positions for error messages. A quoted name may contain any character: a backslash
before a quote means that the quote belongs to the name, and any other backslash is an ordinary character. Numbers are
read exactly, 1/3 as a third and 0.1 as a tenth, and are written as exact fractions.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from pokerlab.core import POINTS, FileFormatError, GameError, Unit
from pokerlab.core.files import open_replacement_file, validate_path
from pokerlab.games.compilation import LARGEST_UTILITY, LONGEST_HISTORY, compile_rules
from pokerlab.games.rules import (
    MOST_PLAYERS,
    Chance,
    Decision,
    Number,
    Rules,
    Terminal,
    Turn,
    list_choices,
)
from pokerlab.games.sequence_form import SequenceForm, check_game

TOKEN = re.compile(r'\s*+(?:"((?:[^"\\]|\\"?+)*+)"|([{},])|([^\s{},"]++)|(")|\Z)')
NAME, MARK, WORD, OPEN_QUOTE = 1, 2, 3, 4
NUMBER = re.compile(r"[-+]?(?:\d+/\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)")
INTEGER = re.compile(r"[-+]?\d+")
SAFE_DIGITS = 300  # a number with at most this many digits is smaller than the largest float
MOST_DIGITS = 1000  # a longer number cannot be a payoff, and would be slow to read


class Tokens:
    """The text of a file as a sequence of tokens, of which `kind` and `text` describe the current one.

    The kinds are NAME (whose text is without the quotes), MARK (a brace or comma), WORD (which includes numbers),
    OPEN_QUOTE (a name that never ends), and None at the end of the file. Each method `parse_...` returns the meaning of
    the current token and goes on to the next one. If the token has another kind, the method raises a FileFormatError,
    whose message says what was `expected`.

    Parameters
    ----------
    source : str
        The text of the file.
    path : str
        The file, for error messages.
    """

    def __init__(self, source: str, path: str) -> None:
        self.source = source
        self.path = path
        self.matches = TOKEN.finditer(source)
        self.advance_token()

    def find_rest_of_line(self) -> str:
        """Return the rest of the current line, from the beginning of the current token on and without a line break."""
        end = self.source.find("\n", self.match.end())
        if end < 0:
            return self.source[self.offset :]
        return self.source[self.offset : end]

    def advance_token(self) -> None:
        """Go on to the next token."""
        self.match = match = next(self.matches)
        self.kind = kind = match.lastindex
        self.text = match[kind] if kind else ""

    @property
    def offset(self) -> int:
        """The index in the text at which the current token begins, or the length of the text after the last token."""
        if self.kind is None:
            return self.match.end()
        start = self.match.start(self.kind)
        if self.kind == NAME:
            return start - len('"')  # the match of a name begins after its opening quote
        return start

    def skip_to_node(self, offset: int) -> bool:
        """Go on to the token at an offset in the text, if a node may begin there, and return whether this was done.

        A node may begin with a word. The end of the file is accepted, too. Otherwise the current token stays as it is.
        """
        matches = TOKEN.finditer(self.source, offset)
        match = next(matches)
        if match.lastindex not in (WORD, None):
            return False
        self.matches = matches
        self.match = match
        self.kind = match.lastindex
        self.text = match[self.kind] if self.kind else ""
        return True

    def make_error(self, message: str, offset: int) -> FileFormatError:
        """Return an error whose message names the file, and the line and the column of an offset in the text."""
        line = self.source.count("\n", 0, offset) + 1
        column = offset - self.source.rfind("\n", 0, offset)
        return FileFormatError(f"{self.path}, line {line}, column {column}: {message}")

    def make_expected_error(self, expected: str) -> FileFormatError:
        """Return an error which says that `expected` was expected in place of the current token."""
        if self.kind is None:
            current_token = "the end of the file"
        elif self.kind == OPEN_QUOTE:
            current_token = "a quote that is never closed"
        else:
            current_token = f'"{self.text}"' if self.kind == NAME else f"'{self.text}'"
        return self.make_error(f"expected {expected}, found {current_token}.", self.offset)

    def is_at_mark(self, mark: str) -> bool:
        """Return whether the current token is the given brace or comma."""
        return self.kind == MARK and self.text == mark

    def skip_mark(self, mark: str, expected: str) -> None:
        """Go on to the next token if the current one is the given brace or comma; otherwise raise an error."""
        if not self.is_at_mark(mark):
            raise self.make_expected_error(expected)
        self.advance_token()

    def parse_word(self, expected: str, *allowed: str) -> str:
        """Return the current token, which must be one of the `allowed` words, and go on to the next one.

        Otherwise a FileFormatError is raised, whose message says what was `expected`.
        """
        if self.kind != WORD or self.text not in allowed:
            raise self.make_expected_error(expected)
        word = self.text
        self.advance_token()
        return word

    def parse_name(self, expected: str) -> str:
        """Read the current token as a name in quotes, and go on to the next token.

        The name is returned without its quotes, and with each escaped quote as a quote. If the token is no quoted
        name, a FileFormatError is raised whose message says what was `expected`.
        """
        if self.kind != NAME:
            raise self.make_expected_error(f"{expected} in quotes")
        name = self.text.replace('\\"', '"') if "\\" in self.text else self.text
        self.advance_token()
        return name

    def parse_names(self, expected: str) -> tuple[str, ...]:
        """Return the quoted names between two braces, which begin at the current token, and move past them.

        A FileFormatError is raised if there is no such list. Its message says what each name was `expected` to be.
        """
        self.skip_mark("{", f"'{{' before the {expected}s")
        names = []
        while not self.is_at_mark("}"):
            names.append(self.parse_name(f"'}}' or the next {expected}"))
        self.advance_token()
        return tuple(names)

    def parse_number(self, expected: str) -> Number:
        """Read the current token as an exact number, an int or a Fraction, and go on to the next token.

        A FileFormatError is raised if the token is not a number, has more than `MOST_DIGITS` characters, has the
        denominator 0, or is larger than the largest float. Its message says what was `expected`.
        """
        is_short_word = self.kind == WORD and len(self.text) <= MOST_DIGITS
        if not (is_short_word and NUMBER.fullmatch(self.text)):
            raise self.make_expected_error(f"{expected}, such as 2, -1/3 or 0.25")

        try:
            number = parse_exact_number(self.text)
        except ZeroDivisionError:
            raise self.make_expected_error(
                f"{expected}, with a denominator other than zero"
            ) from None

        # Only numbers with many digits or an exponent can be too large. Others are not compared, because it takes time.
        may_be_too_large = len(self.text) > SAFE_DIGITS or "e" in self.text.lower()
        if may_be_too_large and not -LARGEST_UTILITY <= number <= LARGEST_UTILITY:
            raise self.make_expected_error(f"{expected} of at most {LARGEST_UTILITY:.1e}")

        self.advance_token()
        return number

    def parse_nonnegative_integer(self, expected: str) -> int:
        """Return the current token as a whole number of at least 0, and go on to the next token.

        A FileFormatError is raised if the token is no such number, or if it has `MOST_DIGITS` digits or more. Its
        message says what was `expected`.
        """
        if self.kind != WORD or not (self.text.isdecimal() and len(self.text) < MOST_DIGITS):
            raise self.make_expected_error(f"{expected}, a whole number")
        number = int(self.text)
        self.advance_token()
        return number


@lru_cache(maxsize=1024)
def parse_exact_number(text: str) -> Number:
    """Return the exact value of a number such as '2', '-1/3' or '0.25', as an int if it is whole, else as a Fraction.

    A ZeroDivisionError is raised if the denominator is zero.
    """
    if INTEGER.fullmatch(text):
        return int(text)
    whole_digits, point, digits = text.partition(".")
    is_plain_decimal = point and digits.isdecimal()
    if is_plain_decimal:  # faster than the general case
        fraction = Fraction(int(whole_digits + digits), 10 ** len(digits))
    else:
        fraction = Fraction(text)
    return simplify_exact_number(fraction)


def simplify_exact_number(number: Number) -> Number:
    """Return a number as an int if it is whole, otherwise as it is."""
    return number.numerator if number.denominator == 1 else number


CHANCE = 0
"""The player number that stands for chance. In an .efg file the numbers of players begin with 1."""
MOST_EQUAL_NAMES = 100
"""The largest number of actions of an information set with the same name. Primes distinguish their labels."""

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
        """Return the root."""
        return 0

    def turn(self, history: int) -> Turn:
        """Return the chance node, decision or terminal at a node."""
        return self.turns[history]

    def after(self, history: int, action: str) -> int:
        """Return the node after `action`."""
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
        """A different label for each action: its name, or its position (from 1) if the name is empty.

        Primes are added to a label that has occurred before.
        """
        labels: list[str] = []
        for position, name in enumerate(self.actions, 1):
            labels.append(make_label_unique(name or str(position), labels))
        return tuple(labels)

    def has_zero_probability(self, action: int) -> bool:
        """Return whether the action of this index is an action of chance that has probability zero."""
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
    of an action is its name, or its position if it has no name; primes are added to names that occur more than once.
    Actions of chance with probability 0 are omitted, and so is the tree below them.

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
        source = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"{path} is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}. Save it as UTF-8."
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", error)
        raise FileFormatError(f"{path} cannot be read: {reason}. Give an .efg file.") from None
    return compile_rules(parse_tree(Tokens(source, str(path)), path.stem))


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

    Raises
    ------
    FileFormatError
        If the text is not in this format. The message names the line and the column.
    """
    title, num_players = parse_header(tokens)
    parser = NodeParser(tokens, num_players)
    nodes: list[InfosetKey | Terminal] = []
    children: list[dict[str, int]] = []

    pending = [PendingNode(parent=None, action="", payoffs=None, depth=0, is_possible=True)]
    while pending:
        num_missing = len(pending)
        current = pending.pop()
        if current.depth > LONGEST_HISTORY:
            raise tokens.make_error(
                f"a history has more than {LONGEST_HISTORY} actions; trees are read up to there.",
                tokens.offset,
            )

        # The payoffs of a terminal are the sum over all outcomes on the way to it.
        infoset, payoffs = parser.parse_next_node(num_missing)
        total = current.payoffs
        if payoffs is not None:
            total = payoffs if total is None else add_payoffs(total, payoffs)

        node = None
        if current.is_possible:
            node = len(nodes)
            if infoset is None:
                no_payoffs = (0,) * num_players
                nodes.append(Terminal(total or no_payoffs))
            else:
                nodes.append(infoset)
            children.append({})
            if current.parent is not None:
                children[current.parent][current.action] = node

        if infoset is not None:
            # The first action is pushed last, because its node comes next.
            definition = parser.definitions.infosets[infoset]
            for index, action in reversed([*enumerate(definition.action_labels)]):
                is_possible = current.is_possible and not definition.has_zero_probability(index)
                parent = node if is_possible else None
                pending.append(PendingNode(parent, action, total, current.depth + 1, is_possible))

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
    """Return the turn at each node of a tree.

    Parameters
    ----------
    nodes : sequence of InfosetKey or Terminal
        The terminals, and the key of the information set of each other node.
    infosets : mapping of InfosetKey to Definition
        The definitions of the text. Those of information sets that no node belongs to are not used.
    """
    reached_keys = {node for node in nodes if not isinstance(node, Terminal)}
    reached_infosets = {
        key: definition for key, definition in infosets.items() if key in reached_keys
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
        """Return the next node of the file, and move past it.

        `num_missing` is the number of nodes that are still expected, for the error message.
        """
        line = self.tokens.find_rest_of_line()
        end_of_line = self.tokens.offset + len(line)
        if line in self.nodes_by_line and self.tokens.skip_to_node(end_of_line):
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
    """Return the next node of the file, and add the information set and the outcome that it defines to `definitions`.

    Parameters
    ----------
    tokens : Tokens
        The text, of which the current token is the first one of the node.
    num_missing : int
        The number of nodes that are still expected, for the error message.
    num_players : int
        The number of players of the game.
    definitions : Definitions
        What earlier nodes have defined.

    Raises
    ------
    FileFormatError
        If no valid node begins here.
    """
    kind = tokens.parse_word(f"a node, 'c', 'p' or 't' ({num_missing} missing)", "c", "p", "t")
    tokens.parse_name("the node's name")
    infoset = None
    if kind != "t":
        infoset = parse_infoset(tokens, kind, num_players, definitions)
    return ParsedNode(infoset, parse_outcome(tokens, num_players, definitions))


def add_payoffs(first: tuple[Number, ...], second: tuple[Number, ...]) -> tuple[Number, ...]:
    """Return the sum of the payoffs of two outcomes, player by player."""
    return tuple(simplify_exact_number(a + b) for a, b in zip(first, second, strict=True))


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
    tokens: Tokens, kind: str, num_players: int, definitions: Definitions
) -> InfosetKey:
    """Return the information set of a node, as the number of its player and its own number, and move past it.

    When it is mentioned for the first time, its description is added to `definitions`. A later description must be the
    same.

    Parameters
    ----------
    tokens : Tokens
        The text, of which the current token follows the name of the node.
    kind : str
        'c' for a node of chance, or 'p' for a node of a player.
    num_players : int
        The number of players of the game.
    definitions : Definitions
        What earlier nodes have defined.

    Raises
    ------
    FileFormatError
        If the description is not in this format, is missing, is not allowed, or differs from an earlier one.
    """
    start = tokens.offset
    player = CHANCE if kind == "c" else tokens.parse_nonnegative_integer("the player's number")
    if kind == "p" and not 1 <= player <= num_players:
        raise tokens.make_error(
            f"player {player} moves; the players are 1 to {num_players}.", start
        )
    number = tokens.parse_nonnegative_integer("the number of the information set")
    key = (player, number)
    owner = "chance" if player == CHANCE else f"player {player}"
    subject = f"information set {number} of {owner}"  # how error messages call it

    is_described = tokens.kind in (NAME, MARK)
    if not is_described:
        if key not in definitions.infosets:
            raise tokens.make_error(
                f"{subject} is mentioned here for the first time; list actions.", start
            )
        return key

    name = tokens.parse_name("the name of the information set") if tokens.kind == NAME else ""
    if player == CHANCE:
        actions, probabilities = parse_chance_actions(tokens)
    else:
        actions = tokens.parse_names("action")
        probabilities = ()
    definition = Definition(name, actions, probabilities)
    if key in definitions.infosets:
        if definitions.infosets[key] != definition:
            raise tokens.make_error(f"{subject} had another name or other actions before.", start)
        return key

    error = describe_error_in_actions(subject, actions)
    if error is not None:
        raise tokens.make_error(error, start)
    definitions.infosets[key] = definition
    return key


def describe_error_in_actions(subject: str, actions: Sequence[str]) -> str | None:
    """Return the error message if an information set has no actions or too many of the same name, otherwise None.

    Parameters
    ----------
    subject : str
        What the message calls the information set, such as 'information set 3 of player 1'.
    actions : sequence of str
        The names of its actions. Any number of them may be empty.
    """
    if not actions:
        return f"{subject} has no actions; at least one is needed."
    # Two names are enough, because one of the two most frequent ones may be the empty name, which is allowed.
    for action, count in Counter(actions).most_common(2):
        if action and count > MOST_EQUAL_NAMES:
            return (
                f"{count} actions of {subject} are called '{action}'; at most {MOST_EQUAL_NAMES} may share"
                " a name. Give them names of their own, or none."
            )
    return None


def parse_chance_actions(tokens: Tokens) -> tuple[tuple[str, ...], tuple[Number, ...]]:
    """Return the actions of a chance node and their probabilities, and move past them.

    The current token must be the opening brace. Then follow pairs of an action and its probability, up to the closing
    brace. A list without actions is accepted here, because `describe_error_in_actions` finds it.

    Raises
    ------
    FileFormatError
        If the tokens are not such a list, or if a probability is negative, or if the probabilities do not sum exactly
        to 1.
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
    """Return the payoffs of all players in the outcome of a node, or None if it has no outcome, and move past it.

    When the outcome is mentioned for the first time, its description is added to `definitions`. A later description
    must be the same.

    Parameters
    ----------
    tokens : Tokens
        The text, of which the current token is the number of the outcome.
    num_players : int
        The number of players of the game.
    definitions : Definitions
        What earlier nodes have defined.

    Raises
    ------
    FileFormatError
        If the description is not in this format, is missing, or differs from an earlier one.
    """
    start = tokens.offset
    number = tokens.parse_nonnegative_integer("the number of the outcome")
    is_described = tokens.kind in (NAME, MARK)
    if number == 0:
        if is_described:
            raise tokens.make_error("outcome 0 means none; it has neither name nor payoffs.", start)
        return None

    if is_described:
        name = tokens.parse_name("the name of the outcome") if tokens.kind == NAME else ""
        definition = Definition(name, (), parse_payoffs(tokens, num_players))
        first_definition = definitions.outcomes.setdefault(number, definition)
        if definition != first_definition:
            raise tokens.make_error(f"outcome {number} had another name or payoffs before.", start)
    elif number not in definitions.outcomes:
        raise tokens.make_error(
            f"outcome {number} is mentioned here for the first time; list payoffs.", start
        )
    return definitions.outcomes[number].numbers


def parse_payoffs(tokens: Tokens, num_players: int) -> tuple[Number, ...]:
    """Return the payoffs of all players, which are listed in braces, with or without commas, and move past them.

    A FileFormatError is raised if there are not as many numbers as players.
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
    """Return the chance node or the decision at each information set of a file.

    Actions of chance with probability 0 are left out. A decision has the name of its information set as its label, if
    no other set of the player has this name. Otherwise the label is the number of the set, with primes if that is the
    label of another set. So each label of a player is unique.

    Parameters
    ----------
    infosets : mapping of (int, int) to Definition
        The description of each information set, by the number of its player and its own number.
    """
    # First the names that only one information set of a player has, which become its label.
    counts = Counter((player, definition.name) for (player, _), definition in infosets.items())
    infoset_labels: dict[int, set[str]] = defaultdict(set)  # by player
    for (player, name), count in counts.items():
        if name and count == 1:
            infoset_labels[player].add(name)

    turns: dict[InfosetKey, Turn] = {}
    for (player, number), definition in infosets.items():
        actions = definition.action_labels
        if player == CHANCE:
            probabilities = map(Fraction, definition.numbers)
            outcomes = dict(zip(actions, probabilities, strict=True))
            turns[player, number] = Chance(
                {outcome: probability for outcome, probability in outcomes.items() if probability}
            )
        else:
            label = definition.name
            is_unique_name = label in infoset_labels[player]
            if not is_unique_name:  # it is empty, or another set of this player has it, too
                label = make_label_unique(str(number), infoset_labels[player])
                infoset_labels[player].add(label)
            turns[player, number] = Decision(player - 1, label, actions)
    return turns


def make_label_unique(label: str, used_labels: Container[str]) -> str:
    """Return a label followed by as many primes as are needed to differ from all labels that are used already."""
    while label in used_labels:
        label += "'"
    return label


UNREADABLE_LABEL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]|^\s|\s$|\s\s")
"""The parts of labels that Gambit 17 does not read, although older versions do."""


def write_efg(game: SequenceForm, path: str | Path) -> Path:
    """Write a game to an .efg file, which Gambit, OpenSpiel and `read_efg` can read, and return its path.

    The whole game tree is written, including terminals that were merged when the game was compiled. An existing file is
    only replaced when the new one is complete.

    Parameters
    ----------
    game : SequenceForm
        The compiled game, whose `rules` give the tree.
    path : str or Path
        The file to write. Its folder is created if necessary.

    Raises
    ------
    GameError
        If a label cannot be written in this format, or if the game has too many terminals to list.
    """
    check_game(game)
    game.check_terminals_can_be_listed()
    path = validate_path("path", path)
    if path.is_dir():
        raise FileFormatError(
            f"{path} is a folder; give the file to write in it, such as game.efg."
        )
    with open_replacement_file(path) as file:
        file.writelines(f"{line}\n".encode() for line in iterate_efg_lines(game.rules))
    return path


def iterate_efg_lines(rules: Rules) -> Iterator[str]:
    """Yield the lines of the .efg file of a game: first the header, then a line for each node of the tree in preorder.

    Raises
    ------
    GameError
        If a label cannot be written in this format.
    """
    players = " ".join(quote_text(f"Player {player + 1}") for player in range(rules.num_players))
    yield f"EFG 2 R {quote_text(rules.name)} {{ {players} }}"
    yield ""

    num_infosets = [0] * rules.num_players
    infoset_lines: dict[tuple[int, str], str] = {}
    outcome_lines: dict[tuple[Number, ...], str] = {}
    num_chance_nodes = 0
    histories = [rules.start()]  # a stack of those that are still to be written
    while histories:
        history = histories.pop()
        turn = rules.turn(history)
        if isinstance(turn, Decision):
            key = (turn.player, turn.infoset)
            if key not in infoset_lines:
                num_infosets[turn.player] += 1
                infoset_lines[key] = format_decision_line(turn, num_infosets[turn.player])
            yield infoset_lines[key]
        elif isinstance(turn, Chance):
            num_chance_nodes += 1
            yield format_chance_line(turn, num_chance_nodes)
        else:
            utilities = tuple(turn.utilities)
            if utilities not in outcome_lines:
                outcome_lines[utilities] = format_terminal_line(utilities, len(outcome_lines) + 1)
            yield outcome_lines[utilities]
        # The history after the first choice is pushed last, because its node comes next.
        for choice in reversed(list_choices(turn)):
            histories.append(rules.after(history, choice))


def format_decision_line(turn: Decision, number: int) -> str:
    """Return the line of an .efg file for a decision, at the information set of its player that has this number."""
    actions = " ".join(map(quote_label, turn.actions))
    return f'p "" {turn.player + 1} {number} {quote_label(turn.infoset)} {{ {actions} }} 0'


def format_chance_line(turn: Chance, number: int) -> str:
    """Return the line of an .efg file for a chance node, at the information set of chance that has this number."""
    outcomes = " ".join(
        f"{quote_label(outcome)} {Fraction(probability)}"
        for outcome, probability in turn.outcomes.items()
    )
    return f'c "" {number} "" {{ {outcomes} }} 0'


def format_terminal_line(utilities: Sequence[Number], number: int) -> str:
    """Return the line of an .efg file for a terminal, whose outcome has this number and these utilities of players."""
    payoffs = ", ".join(str(Fraction(utility)) for utility in utilities)
    return f't "" {number} "" {{ {payoffs} }}'


def quote_text(label: str) -> str:
    """Return a text in quotes, in the form that Gambit reads: with a backslash before each quote inside the text.

    Raises
    ------
    GameError
        If the text has a backslash where Gambit would read it as part of such a mark.
    """
    if label.endswith("\\") or '\\"' in label or "\\\\" in label:
        raise GameError(
            f"label '{label}' cannot be written to an .efg file: there, a backslash may not stand"
            " at the end, before a quote or before another backslash. Choose another label."
        )
    return '"' + label.replace('"', '\\"') + '"'


def quote_label(label: str) -> str:
    """Return the label of an information set or of an action in quotes, in the form that Gambit reads.

    Raises
    ------
    GameError
        If Gambit 17 could not read the label.
    """
    if UNREADABLE_LABEL.search(label):
        raise GameError(
            f"label {label!r} cannot be written to an .efg file: Gambit reads no label with control characters, with"
            " a space at an end, or with two spaces in a row. Choose another label."
        )
    return quote_text(label)
