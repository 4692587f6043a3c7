"""Games as files, in Gambit's .efg format (EFG 2 R): the tree in preorder, a line a node, exact numbers.

How to read it. `read_tree` goes through the nodes in the order of the file and keeps a stack of the
places still to be filled; `Definitions` has the information sets and outcomes met so far, because a
file describes each at its first mention and may only number it later. The words, numbers and names of a file keep
their places for messages. Quoted names may hold anything; a backslash before a quote keeps the quote from ending the
name, any other backslash stands for itself. Numbers are read exactly, 1/3 is a third and 0.1 a tenth, and written as
exact fractions.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path

from pokerlab.core import POINTS, FileFormatError, GameError, Unit
from pokerlab.core.files import read_path, whole_file
from pokerlab.games.rules import MOST_PLAYERS, Chance, Decision, Number, Rules, Terminal, Turn
from pokerlab.games.sequence_form import LONGEST_HISTORY, SequenceForm, check_game, compile_rules

TOKEN = re.compile(r'\s*+(?:"((?:[^"\\]|\\"?+)*+)"|([{},])|([^\s{},"]++)|(")|\Z)')
NAME, MARK, WORD, OPEN_QUOTE = 1, 2, 3, 4
NUMBER = re.compile(r"[-+]?(?:\d+/\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)")
WHOLE = re.compile(r"[-+]?\d+")
LARGEST = int(
    sys.float_info.max
)  # fractions are compared with whole numbers faster than with floats
FEWER_DIGITS = 300  # than the largest float has
MOST_DIGITS = 1000  # most digits of a number: anything longer is not a payoff, and is slow to read


class Tokens:
    """A file's text as a sequence of tokens; `kind` and `text` describe the present one.

    Kinds are NAME (whose text has no quotes), MARK (a brace or comma), WORD (numbers too), OPEN_QUOTE (a name without
    an end), and None at the end of the file.
    """

    def __init__(self, source: str, path: str) -> None:
        self.source, self.path = source, path
        self.matches = TOKEN.finditer(source)
        self.advance()

    def rest_of_line(self) -> str:
        """Return the present line from the present token on."""
        place, end = self.place, self.source.find("\n", self.match.end())
        return self.source[place:end] if end >= 0 else self.source[place:]

    def advance(self) -> None:
        """Go on to the next token."""
        self.match = match = next(self.matches)
        self.kind = kind = match.lastindex
        self.text = match[kind] if kind else ""

    @property
    def place(self) -> int:
        """Where the present token begins."""
        if self.kind is None:
            return self.match.end()
        return self.match.start(self.kind) - (self.kind == NAME)

    def is_node_at(self, place: int) -> bool:
        """Return whether a node begins at `place`, or nothing comes any more; if so, go on to there."""
        matches = TOKEN.finditer(self.source, place)
        match = next(matches)
        if match.lastindex not in (WORD, None):
            return False
        self.matches, self.match, self.kind = matches, match, match.lastindex
        self.text = match[self.kind] if self.kind else ""
        return True

    def error(self, message: str, place: int) -> FileFormatError:
        """Return the error that names the line and column of `place`."""
        line = self.source.count("\n", 0, place) + 1
        column = place - self.source.rfind("\n", 0, place)
        return FileFormatError(f"{self.path}, line {line}, column {column}: {message}")

    def expected(self, what: str) -> FileFormatError:
        """Return the error that something else stands here."""
        if self.kind is None:
            found = "the end of the file"
        elif self.kind == OPEN_QUOTE:
            found = "a quote that is never closed"
        else:
            found = f'"{self.text}"' if self.kind == NAME else f"'{self.text}'"
        return self.error(f"expected {what}, found {found}.", self.place)

    def is_mark(self, mark: str) -> bool:
        """Return whether the present token is this brace or comma."""
        return self.kind == MARK and self.text == mark

    def skip_mark(self, mark: str, what: str) -> None:
        """Read past a brace."""
        if not self.is_mark(mark):
            raise self.expected(what)
        self.advance()

    def word(self, what: str, *allowed: str) -> str:
        """Read one of the `allowed` words and return it."""
        if self.kind != WORD or self.text not in allowed:
            raise self.expected(what)
        word = self.text
        self.advance()
        return word

    def name(self, what: str) -> str:
        """Read a quoted name and return it without its quotes."""
        if self.kind != NAME:
            raise self.expected(f"{what} in quotes")
        name = self.text.replace('\\"', '"') if "\\" in self.text else self.text
        self.advance()
        return name

    def names(self, what: str) -> tuple[str, ...]:
        """Read names in braces and return them."""
        self.skip_mark("{", f"'{{' before the {what}s")
        names = []
        while not self.is_mark("}"):
            names.append(self.name(f"'}}' or the next {what}"))
        self.advance()
        return tuple(names)

    def number(self, what: str) -> Number:
        """Read a number and return it."""
        wrong = self.kind != WORD or len(self.text) > MOST_DIGITS
        if wrong or not NUMBER.fullmatch(self.text):
            raise self.expected(f"{what}, such as 2, -1/3 or 0.25")
        try:
            number = exact(self.text)
        except ZeroDivisionError:
            raise self.expected(f"{what}, with a denominator other than zero") from None
        could_be_larger = len(self.text) > FEWER_DIGITS or "e" in self.text.lower()
        if could_be_larger and not -LARGEST <= number <= LARGEST:
            raise self.expected(f"{what} of at most {LARGEST:.1e}")
        self.advance()
        return number

    def whole_number(self, what: str) -> int:
        """Read a whole number of at least 0 and return it."""
        if self.kind != WORD or not (self.text.isdecimal() and len(self.text) < MOST_DIGITS):
            raise self.expected(f"{what}, a whole number")
        number = int(self.text)
        self.advance()
        return number


@lru_cache(maxsize=1024)
def exact(text: str) -> Number:
    """Return the number that `text` spells, an int if it is whole."""
    whole, point, digits = text.partition(".")
    if point and digits.isdecimal():
        return shortest(Fraction(int(whole + digits), 10 ** len(digits)))
    return int(text) if WHOLE.fullmatch(text) else shortest(Fraction(text))


def shortest(number: Number) -> Number:
    """Return a whole number as an int."""
    return number.numerator if number.denominator == 1 else number


DEALER = 0  # players are numbered from 1 in .efg files; 0 is free
MOST_NAMESAKES = 100
"""Most actions of an information set that share a name; each gets one prime more than the one before."""
ABOVE = -1  # the place before the root; that of nodes which cannot be reached is None

Infoset = tuple[int, int]


@dataclass(frozen=True, eq=False)
class GameTree:
    """Rules that look up their answers; a history is the number of its node, and the root is 0."""

    name: str
    num_players: int
    zero_sum: bool
    turns: tuple[Turn, ...]  # whose turn it is at each node
    following: tuple[Mapping[str, int], ...]  # for each node the node after each of its actions
    unit: Unit = POINTS

    def start(self) -> int:
        """Return the root."""
        return 0

    def turn(self, history: int) -> Turn:
        """Return whose turn it is at a node."""
        return self.turns[history]

    def after(self, history: int, action: str) -> int:
        """Return the node after `action`."""
        return self.following[history][action]

    def __repr__(self) -> str:
        return f"<tree of {self.name}: {self.num_players} players, {len(self.turns)} nodes>"


@dataclass(frozen=True)
class Description:
    """What a file says about an information set or an outcome where it first mentions it."""

    name: str
    actions: tuple[str, ...]
    numbers: tuple[Number, ...]  # probabilities of a chance node's actions, payoffs of an outcome

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The actions, with numbers for empty ones and primes for repeated ones."""
        found: dict[str, None] = {}
        for position, name in enumerate(self.actions, 1):
            found[primed(name or str(position), found)] = None
        return tuple(found)


@dataclass
class Definitions:
    """What has been described so far."""

    infosets: dict[Infoset, Description] = field(default_factory=dict)
    outcomes: dict[int, Description] = field(default_factory=dict)


def read_efg(path: str | Path) -> SequenceForm:
    """Read a game from a Gambit .efg file and compile it.

    Numbers are exact: 1/3 is a third and 0.1 a tenth. Outcomes at nodes on the way are added to those at the end. An
    information set is called by its name where the player has no other of that name, else by its number; nameless
    actions are called by their position, and of actions that share a name the later ones get a prime. Outcomes of
    probability 0 are left out, with the tree below them.

    Parameters
    ----------
    path : str or Path
        The file, UTF-8.

    Returns
    -------
    SequenceForm
        The compiled game, in points; `rules` is the tree. It is zero-sum if its payoffs are.

    Raises
    ------
    FileFormatError
        If there is no such file, it is not in the format, or chance does not sum to one exactly; the message names
        line and column.
    GameError
        If a player forgets what it knew or did; the message names the history.

    References
    ----------
    .. [1] The Gambit Project, "Game representation formats", the extensive game (.efg) file format
    """
    path = read_path("path", path)
    try:
        source = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"{path} is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}. Save it as UTF-8."
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", error)
        raise FileFormatError(f"{path} cannot be read: {reason}. Give an .efg file.") from None
    return compile_rules(read_tree(Tokens(source, str(path)), path.stem))


def read_tree(tokens: Tokens, file_name: str) -> GameTree:
    """Return the tree that the text describes; `file_name` names it if it has no title.

    Nodes below an impossible action are read, for what they describe, but not kept. As a rule a line is a node, and
    most lines come again: such a line is `known` after its first reading.
    """
    title, num_players = read_header(tokens)
    definitions = Definitions()
    nodes: list[Infoset | Terminal] = []
    following: list[dict[str, int]] = []
    kept: set[Infoset] = set()
    known: dict[str, tuple[Infoset | None, tuple[Number, ...] | None]] = {}
    nothing: tuple[Number, ...] = (0,) * num_players
    waiting: list[tuple[int | None, str, tuple[Number, ...], int]] = [(ABOVE, "", nothing, 0)]
    while waiting:
        before, action, paid, length = waiting.pop()
        if length > LONGEST_HISTORY:
            raise tokens.error(
                f"a history has more than {LONGEST_HISTORY} actions; trees are read up to there.",
                tokens.place,
            )
        if before is not None and before != ABOVE:
            following[before][action] = len(nodes)
        line, place, missing = tokens.rest_of_line(), tokens.place, len(waiting) + 1
        if line in known and tokens.is_node_at(place + len(line)):
            infoset, payoffs = known[line]
        else:
            infoset, payoffs = read_node(tokens, missing, num_players, definitions)
            if tokens.source[place + len(line) : tokens.place].isspace():
                known[line] = infoset, payoffs
        if payoffs is not None:
            paid = payoffs if paid is nothing else total(paid, payoffs)
        here = None if before is None else len(nodes)
        if infoset is not None:
            described = definitions.infosets[infoset]
            waiting += [
                (here if described.numbers[a : a + 1] != (0,) else None, action, paid, length + 1)
                for a, action in reversed([*enumerate(described.labels)])
            ]
        if here is not None:
            nodes.append(infoset or Terminal(paid))
            following.append({})
            if infoset is not None:
                kept.add(infoset)
    if tokens.kind is not None:
        raise tokens.expected("the end of the file, because no node is missing")
    turns = turns_at({key: about for key, about in definitions.infosets.items() if key in kept})
    return GameTree(
        name=title or file_name,
        num_players=num_players,
        zero_sum=all(sum(end.utilities) == 0 for end in nodes if isinstance(end, Terminal)),
        turns=tuple(node if isinstance(node, Terminal) else turns[node] for node in nodes),
        following=tuple(following),
    )


def read_node(
    tokens: Tokens, missing: int, num_players: int, definitions: Definitions
) -> tuple[Infoset | None, tuple[Number, ...] | None]:
    """Read a node; return its information set, unless it is an end, and its outcome's payoffs, if it has one."""
    kind = tokens.word(f"a node, 'c', 'p' or 't' ({missing} missing)", "c", "p", "t")
    tokens.name("the node's name")
    infoset = read_infoset(tokens, kind, num_players, definitions) if kind != "t" else None
    return infoset, read_outcome(tokens, num_players, definitions)


def total(paid: tuple[Number, ...], payoffs: tuple[Number, ...]) -> tuple[Number, ...]:
    """Return what everybody gets of two outcomes."""
    return tuple(shortest(a + b) for a, b in zip(paid, payoffs, strict=True))


def read_header(tokens: Tokens) -> tuple[str, int]:
    """Read everything before the tree; return the title and the number of players."""
    tokens.word("'EFG 2 R', with which Gambit's extensive games begin", "EFG")
    tokens.word("'2', the version of the format", "2")
    tokens.word("'R', or 'D' in old files", "R", "D")
    title = tokens.name("the title")
    place = tokens.place
    players = tokens.names("player's name")
    if not 1 <= len(players) <= MOST_PLAYERS:
        number = len(players) or "no"
        raise tokens.error(f"the game has {number} players; a game has 1 to {MOST_PLAYERS}.", place)
    if tokens.kind == NAME:
        tokens.advance()  # a comment
    return title, len(players)


def read_infoset(tokens: Tokens, kind: str, num_players: int, definitions: Definitions) -> Infoset:
    """Read a node's player and information set; return their numbers."""
    start = tokens.place
    player = DEALER if kind == "c" else tokens.whole_number("the player's number")
    if kind == "p" and not 1 <= player <= num_players:
        raise tokens.error(f"player {player} moves; the players are 1 to {num_players}.", start)
    number = tokens.whole_number("the number of the information set")
    who = f"information set {number} of " + (f"player {player}" if player else "chance")
    if tokens.kind not in (NAME, MARK):
        if (player, number) not in definitions.infosets:
            raise tokens.error(f"{who} is mentioned here for the first time; list actions.", start)
        return player, number
    name = tokens.name("the name of the information set") if tokens.kind == NAME else ""
    actions = read_chance(tokens) if player == DEALER else (tokens.names("action"), ())
    described = Description(name, *actions)
    if described == definitions.infosets.get((player, number)):
        return player, number
    if not described.actions:
        raise tokens.error(f"{who} has no actions; at least one is needed.", start)
    for action, count in Counter(described.actions).most_common(2):
        if action and count > MOST_NAMESAKES:
            raise tokens.error(
                f"{count} actions of {who} are called '{action}'; at most {MOST_NAMESAKES} may share"
                " a name. Give them names of their own, or none.",
                start,
            )
    if definitions.infosets.setdefault((player, number), described) != described:
        raise tokens.error(f"{who} had another name or other actions before.", start)
    return player, number


def read_chance(tokens: Tokens) -> tuple[tuple[str, ...], tuple[Number, ...]]:
    """Read a chance node's actions in braces; return them and their probabilities, which sum to one."""
    place = tokens.place
    tokens.skip_mark("{", "'{' before the actions of chance")
    chances: list[tuple[str, Number]] = []
    while not tokens.is_mark("}"):
        action = tokens.name("'}' or an action of chance")
        chances.append((action, tokens.number("the action's probability")))
    tokens.advance()
    for action, probability in chances:
        if probability < 0:
            raise tokens.error(
                f"chance plays '{action}' with probability {probability}; it must not be negative.",
                place,
            )
    total = sum(probability for _, probability in chances)
    if chances and total != 1:
        raise tokens.error(
            f"probabilities of chance sum to {total}, not 1. Decimals are read exactly, and rounded"
            " ones such as 0.3333 miss the sum: write fractions, such as 1/3.",
            place,
        )
    return tuple(action for action, _ in chances), tuple(p for _, p in chances)


def read_outcome(
    tokens: Tokens, num_players: int, definitions: Definitions
) -> tuple[Number, ...] | None:
    """Read a node's outcome; return its payoffs, or None where there is none."""
    start = tokens.place
    number = tokens.whole_number("the number of the outcome")
    if tokens.kind in (NAME, MARK):
        if number == 0:
            raise tokens.error("outcome 0 means none; it has neither name nor payoffs.", start)
        name = tokens.name("the name of the outcome") if tokens.kind == NAME else ""
        described = Description(name, (), read_payoffs(tokens, num_players))
        if definitions.outcomes.setdefault(number, described) != described:
            raise tokens.error(f"outcome {number} had another name or payoffs before.", start)
    elif number and number not in definitions.outcomes:
        raise tokens.error(
            f"outcome {number} is mentioned here for the first time; list payoffs.", start
        )
    return definitions.outcomes[number].numbers if number else None


def read_payoffs(tokens: Tokens, num_players: int) -> tuple[Number, ...]:
    """Read payoffs in braces, with or without commas; return them."""
    tokens.skip_mark("{", "'{' before the payoffs")
    payoffs = []
    for player in range(1, num_players + 1):
        payoffs.append(tokens.number(f"the payoff of player {player} of {num_players}"))
        if tokens.is_mark(","):
            tokens.advance()
    tokens.skip_mark("}", f"'}}' after the payoffs of {num_players} players")
    return tuple(payoffs)


def turns_at(infosets: dict[Infoset, Description]) -> dict[Infoset, Turn]:
    """Return the turn at each information set."""
    names = Counter((player, described.name) for (player, _), described in infosets.items())
    used: dict[int, set[str]] = defaultdict(set)
    for (player, name), count in names.items():
        if count == 1 and name:
            used[player].add(name)
    turns: dict[Infoset, Turn] = {}
    for (player, number), described in infosets.items():
        actions = described.labels
        if player == DEALER:
            chances = zip(actions, map(Fraction, described.numbers), strict=True)
            turns[player, number] = Chance({action: p for action, p in chances if p})
            continue
        label = described.name
        if label not in used[player]:
            label = primed(str(number), used[player])
            used[player].add(label)
        turns[player, number] = Decision(player - 1, label, actions)
    return turns


def primed(name: str, taken: Container[str]) -> str:
    """Return `name` with enough primes to differ from the names `taken`."""
    while name in taken:
        name += "'"
    return name


UNREADABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]|^\s|\s$|\s\s")
"""What Gambit 17 refuses in a label; older versions read it."""


def write_efg(game: SequenceForm, path: str | Path) -> Path:
    """Write `game` to a file that Gambit, OpenSpiel and `read_efg` read.

    The whole tree is written, including histories that compiling merged. An existing file is
    replaced only by a finished one.

    Parameters
    ----------
    game : SequenceForm
        Its `rules` are walked once.
    path : str or Path
        The file to write; its folder is made if necessary.

    Raises
    ------
    GameError
        If a label cannot be written in this format.
    """
    check_game(game)
    path = read_path("path", path)
    if path.is_dir():
        raise FileFormatError(
            f"{path} is a folder; give the file to write in it, such as game.efg."
        )
    with whole_file(path) as file:
        file.writelines(f"{line}\n".encode() for line in efg_lines(game.rules))
    return path


def efg_lines(rules: Rules) -> Iterator[str]:
    """Yield the lines of the file: the header, then the nodes in preorder."""
    players = " ".join(quoted(f"Player {p + 1}") for p in range(rules.num_players))
    yield f"EFG 2 R {quoted(rules.name)} {{ {players} }}"
    yield ""
    num_infosets = [0] * rules.num_players
    infosets: dict[tuple[int, str], str] = {}
    outcomes: dict[tuple[Number, ...], str] = {}
    chance_nodes = 0
    waiting = [rules.start()]
    while waiting:
        history = waiting.pop()
        turn = rules.turn(history)
        if isinstance(turn, Decision):
            key = (turn.player, turn.infoset)
            if key not in infosets:
                num_infosets[turn.player] += 1
                actions = " ".join(map(quoted_label, turn.actions))
                number = f"{turn.player + 1} {num_infosets[turn.player]}"
                infosets[key] = f'p "" {number} {quoted_label(turn.infoset)} {{ {actions} }} 0'
            yield infosets[key]
            following = turn.actions
        elif isinstance(turn, Chance):
            chance_nodes += 1
            odds = " ".join(f"{quoted_label(a)} {Fraction(p)}" for a, p in turn.outcomes.items())
            yield f'c "" {chance_nodes} "" {{ {odds} }} 0'
            following = tuple(turn.outcomes)
        else:
            utilities = tuple(turn.utilities)
            if utilities not in outcomes:
                payoffs = ", ".join(str(Fraction(u)) for u in utilities)
                outcomes[utilities] = f't "" {len(outcomes) + 1} "" {{ {payoffs} }}'
            yield outcomes[utilities]
            continue
        waiting += [rules.after(history, action) for action in reversed(following)]


def quoted(label: str) -> str:
    """Return `label` in quotes, as Gambit reads them."""
    if label.endswith("\\") or '\\"' in label or "\\\\" in label:
        raise GameError(
            f"label '{label}' cannot be written to an .efg file: there, a backslash may not stand"
            " at the end, before a quote or before another backslash. Choose another label."
        )
    return '"' + label.replace('"', '\\"') + '"'


def quoted_label(label: str) -> str:
    """Return the label of an information set or of an action in quotes, if Gambit 17 reads it."""
    if UNREADABLE.search(label):
        raise GameError(
            f"label {label!r} cannot be written to an .efg file: Gambit reads no label with control characters, with"
            " a space at an end, or with two spaces in a row. Choose another label."
        )
    return quoted(label)
