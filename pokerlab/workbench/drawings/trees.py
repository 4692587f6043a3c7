"""Trees as pictures: of a game, and of what a player who computes a best response believes in it.

The tree grows from left to right: one row for each end, one column for each depth. Each history stands at the end of
a level line; above that line is written the action that leads there, below it what the player who moves next knows.
A belief MDP is drawn in the same way: at each node what this player believes, and expects to win.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pokerlab.core import SettingError, UnknownNameError, validate_integer
from pokerlab.core.settings import check_attributes, check_kind
from pokerlab.games import Chance, Decision, Profile, Rules, SequenceForm, Terminal
from pokerlab.games.rules import Number, Turn, list_choices
from pokerlab.games.small_poker import (
    format_label,
    get_poker_action_name,
    list_poker_action_names,
    split_infoset_label,
)
from pokerlab.solvers.beliefs import BeliefNode, Beliefs
from pokerlab.workbench.drawings.svg import (
    RADIUS,
    SvgDrawing,
    choose_color,
    draw_line,
    draw_text,
    estimate_width,
    mark,
    write_element,
)
from pokerlab.workbench.style import GRAY, INK, PAPER
from pokerlab.workbench.text import abbreviate_actions, signed

MOST_ENDS = 80  # rows that still make a readable picture


@dataclass(eq=False)
class Node:
    """A place in the drawing."""

    player: int | None  # who moves; None for the dealer, and where nobody does
    text: str  # the same and what is known, in a line of text
    known: str = ""  # what the player who moves knows
    utilities: tuple[Number | float, ...] = ()  # what everybody wins; empty where the hand goes on
    about: Any = None  # what is drawn besides
    branches: "list[Branch]" = field(default_factory=list)
    is_cut: bool = False  # whether the game goes on here but the drawing does not
    depth: int = 0  # moves from the drawing's root
    reach: float = 1.0  # probability of getting here, as far as probabilities are known
    row: float = 0.0  # ends have 0, 1, 2, ... from the top, others the middle of their branches

    @property
    def is_chance(self) -> bool:
        """Whether the dealer moves."""
        return self.player is None and not self.utilities

    def walk(self) -> Iterator["Node"]:
        """Yield this node and all below, in the order of a depth-first walk."""
        yield self
        for branch in self.branches:
            yield from branch.below.walk()

    def lines(self, lead: str = "") -> list[str]:
        """Return this node and all below as indented lines."""
        said = [f"{lead}{self.text}{' ...' if self.is_cut else ''}"]
        for branch in self.branches:
            below = branch.below.lines(f"{branch.label}: " if branch.label else "")
            said += [f"  {line}" for line in below]
        return said


@dataclass(frozen=True)
class Branch:
    """A move: its probability where that is known, what is written on it, where it leads."""

    probability: float | None
    label: str
    below: Node


Move = tuple[float | None, str, Any]
"""A branch, with what is looked at next in the place of its node."""


def grow(
    first: Any, look: Callable[[Any], tuple[Node, list[Move]]], max_depth: int | None, way_out: str
) -> Node:
    """Return the drawing's tree, with rows; `way_out` is said where it is too large."""
    if max_depth is not None:
        validate_integer("max_depth", max_depth, 1)
    ends = 0

    def visit(item: Any, depth: int, reach: float) -> Node:
        nonlocal ends
        node, moves = look(item)
        node.depth = depth
        node.reach = reach
        node.is_cut = bool(moves) and depth == max_depth
        for likely, words, after in () if node.is_cut else moves:
            below = visit(after, depth + 1, reach if likely is None else reach * likely)
            node.branches.append(Branch(likely, words, below))
        if node.branches:
            node.row = (node.branches[0].below.row + node.branches[-1].below.row) / 2
        else:
            node.row = ends
            ends += 1
        if ends > MOST_ENDS:
            raise SettingError(f"there are more than {MOST_ENDS} ends to draw. {way_out}")
        return node

    return visit(first, 0, 1.0)


def group_by_infoset(root: Node) -> dict[tuple[int, str], list[Node]]:
    """Return the drawn histories of each information set, top to bottom, by player and label."""
    found: dict[tuple[int, str], list[Node]] = {}
    for node in root.walk():
        if node.player is not None:
            found.setdefault((node.player, node.known), []).append(node)
    return {key: sorted(nodes, key=lambda node: node.row) for key, nodes in found.items()}


def choose_lanes(spans: Sequence[tuple[float, float]]) -> list[int]:
    """Return for each span (top, bottom) the first lane in which it meets no other; short ones choose first."""
    taken: list[list[tuple[float, float]]] = []
    chosen = [0] * len(spans)
    for index in sorted(range(len(spans)), key=lambda i: (spans[i][1] - spans[i][0], spans[i][0])):
        top, bottom = spans[index]
        free = (k for k, lane in enumerate(taken) if all(b < top or bottom < a for a, b in lane))
        chosen[index] = next(free, len(taken))
        if chosen[index] == len(taken):
            taken.append([])
        taken[chosen[index]].append((top, bottom))
    return chosen


ROW, HIGH_ROW, MARGIN = 20.0, 31.0, 14.0
LEGEND_AT, HEADS_BESIDE, HEADS_BELOW = 42.0, 16.0, 48.0
FAN, LANE, GAP = 26.0, 9.0, 5.0
MOST_LANES = 2
"""Lines of information sets that can be told apart side by side; where there are more, none is drawn."""
ACTION_SIZE, KNOWN_SIZE, HEAD_SIZE = 11.0, 10.0, 10.0
UTILITY_WIDTH, UTILITY_SIZE, REACH_WIDTH = 34.0, 11.5, 46.0
HALO: dict[str, Any] = {"paint_order": "stroke", "stroke": PAPER, "stroke_width": 2.5}
DASHED: dict[str, Any] = {"fill": "none", "stroke_width": 1.5, "stroke_dasharray": "4 3"}


def tree(
    game: SequenceForm | Rules,
    profile: Profile | None = None,
    *,
    after: Sequence[str] = (),
    max_depth: int | None = None,
    poker_names: bool = False,
) -> SvgDrawing:
    """Draw the tree of a small game, with its information sets.

    Parameters
    ----------
    game : SequenceForm or Rules
        The game.
    profile : Profile, optional
        If given, actions carry their probabilities, lines are as thick as they are likely, and
        each end says how often it is reached.
    after : sequence of str
        Draw only what follows these actions, such as a deal: `('K', 'Q')`.
    max_depth : int, optional
        Draw only this many moves.
    poker_names : bool
        Whether actions of one-card poker have their usual names, such as 'check' and 'fold' for 'pass'.

    Raises
    ------
    SettingError
        If there is more to draw than can be read.

    Examples
    --------
    >>> import pokerlab as pl
    >>> pl.workbench.tree(pl.games.rock_paper_scissors(), max_depth=1)
    rock-paper-scissors
    player 1 at 'row'
      rock: player 2 at 'column' ...
      paper: player 2 at 'column' ...
      scissors: player 2 at 'column' ...
    """
    rules = game.rules if isinstance(game, SequenceForm) else game
    check_attributes("game", rules, ("start", "turn", "after"), "a game such as games.kuhn()")
    check_kind("after", after, Sequence, "a list of actions, such as ['J', 'Q', 'bet']")
    if profile is not None and isinstance(game, SequenceForm):
        game.validate_probabilities(profile)
    history = rules.start()
    for action in after:
        allowed = list_choices(rules.turn(history))
        if action not in allowed:
            raise UnknownNameError.from_allowed_names(
                f"action of {rules.name} there", action, allowed
            )
        history = rules.after(history, action)

    def look(history: Any) -> tuple[Node, list[Move]]:
        turn = rules.turn(history)
        after = ((action, rules.after(history, action)) for action in list_choices(turn))
        return make_node(turn, poker_names), [
            (*find_probability(turn, action, profile, poker_names), then) for action, then in after
        ]

    way_out = "Begin later, as by after=('K', 'Q'), or stop earlier, as by max_depth=3."
    root = grow(history, look, max_depth, way_out)
    drawing = Drawing(rules, root, with_reach=profile is not None)
    return drawing.draw(" · ".join([rules.name, *after]))


def find_probability(
    turn: Turn, action: str, profile: Profile | None, poker_names: bool
) -> tuple[float | None, str]:
    """Return an action's probability, if known, and its label: chance exactly, a strategy with two decimals."""
    if isinstance(turn, Chance):
        return float(turn.outcomes[action]), f"{action} {turn.outcomes[action]}"
    label = action
    if poker_names and isinstance(turn, Decision):
        label = get_poker_action_name(action, split_infoset_label(turn.infoset)[1].split("-"))
    if profile is None or not isinstance(turn, Decision):
        return None, label
    probability = profile.action_probabilities(turn.player, turn.infoset)[action]
    return probability, f"{label} {probability:.2f}"


def make_node(turn: Turn, poker_names: bool) -> Node:
    """Return the place of a turn."""
    if isinstance(turn, Decision):
        known = turn.infoset
        if poker_names:
            card, betting = split_infoset_label(known)
            known = format_label(card, list_poker_action_names(betting))
        return Node(turn.player, f"player {turn.player + 1} at '{known}'", known)
    if isinstance(turn, Terminal):
        return Node(None, ", ".join(map(signed, turn.utilities)), utilities=turn.utilities)
    return Node(None, "dealer")


class Drawing:
    """A tree whose rows and columns have become pixels; utilities are those of the `winners`."""

    digits: int | None = None  # of utilities
    row: float | None = None  # pixels; if not given, more where something is written below an end

    def __init__(
        self,
        rules: Rules,
        root: Node,
        *,
        with_reach: bool,
        with_sets: bool = True,
        winners: Sequence[int] | None = None,
    ) -> None:
        self.rules, self.root, self.with_reach = rules, root, with_reach
        self.winners = range(rules.num_players) if winners is None else winners
        self.nodes = list(root.walk())
        # Of several histories: these are joined by lines.
        all_sets = group_by_infoset(root) if with_sets else {}
        self.sets = {key: same for key, same in all_sets.items() if len(same) > 1}
        self.lane = self.give_lanes()
        crowded = {self.sets[key][0].depth for key, lane in self.lane.items() if lane >= MOST_LANES}
        self.unjoined = {key for key in self.lane if self.sets[key][0].depth in crowded}
        self.lane = {key: lane for key, lane in self.lane.items() if key not in self.unjoined}
        columns = max(node.depth for node in self.nodes) + 1
        fan = [FAN] * columns
        self.stub = [0.0] * columns
        for key, lane in self.lane.items():
            depth = self.sets[key][0].depth
            fan[depth] = max(fan[depth], FAN + LANE * (lane + 1))
        for branch in (branch for node in self.nodes for branch in node.branches):
            below = branch.below
            width = (
                max(estimate_width(branch.label, ACTION_SIZE), self.measure_room_below(below))
                + 2 * GAP
            )
            self.stub[below.depth] = max(self.stub[below.depth], width)
        known = self.measure_room_below(root)
        self.x = [MARGIN + RADIUS + known + GAP * bool(known)]
        for depth in range(1, columns):
            self.x.append(self.x[-1] + fan[depth - 1] + self.stub[depth] + 2 * RADIUS)

        self.has_ends = any(node.utilities for node in self.nodes)
        self.table_at = self.x[-1] + (2 if self.digits is None else 4) * GAP  # digits need room
        utilities = UTILITY_WIDTH * len(self.winners)
        self.reach_at = self.table_at + utilities + REACH_WIDTH - 4
        table = utilities + REACH_WIDTH * with_reach
        legend_ends = self.draw_legend()[1]
        self.width = max(self.table_at + table * self.has_ends, legend_ends) + MARGIN
        beside = legend_ends < self.table_at or not self.has_ends
        self.top = LEGEND_AT + (HEADS_BESIDE if beside else HEADS_BELOW)
        if self.row is None:
            cut = any(node.is_cut and node.known for node in self.nodes)
            self.row = HIGH_ROW if cut else ROW
        self.height = self.top + self.row * (max(n.row for n in self.nodes) + 1) + MARGIN

    def draw(self, title: str) -> SvgDrawing:
        """Return the drawing."""
        text = "\n".join([title, *self.root.lines()])
        return SvgDrawing(
            self.width, self.height, self.draw_body(title), text, self.write_caption()
        )

    def measure_room_below(self, node: Node) -> float:
        """Return the width of what is written below a history's line."""
        return estimate_width(node.known, KNOWN_SIZE)

    def give_lanes(self) -> dict[tuple[int, str], int]:
        """Return a lane for each information set that others stand between; the rest need none."""
        chosen: dict[tuple[int, str], int] = {}
        for depth in {same[0].depth for same in self.sets.values()}:
            rows = [node.row for node in self.nodes if node.depth == depth and node.known]
            spans = {
                key: (same[0].row, same[-1].row)
                for key, same in self.sets.items()
                if same[0].depth == depth
                and sum(same[0].row <= row <= same[-1].row for row in rows) > len(same)
            }
            chosen |= dict(zip(spans, choose_lanes(list(spans.values())), strict=True))
        return chosen

    def place(self, node: Node) -> tuple[float, float]:
        """Return where a history goes."""
        assert self.row is not None
        return self.x[node.depth], self.top + self.row * (node.row + 0.5)

    def draw_body(self, title: str) -> str:
        """Return everything as SVG elements, from back to front."""
        parts = [
            draw_text(title, MARGIN, 20, 14, bold=True),
            self.draw_legend()[0],
            self.draw_heads(),
        ]
        parts += [self.draw_branch(node, branch) for node in self.nodes for branch in node.branches]
        parts += [self.draw_infoset(*key) for key in self.sets if key not in self.unjoined]
        parts += [mark(n.player, *self.place(n)) for n in self.nodes if not n.utilities]
        parts += [self.draw_knowledge(node) for node in self.nodes]
        parts += [self.end(node) for node in self.nodes if node.utilities]
        return "".join(parts)

    def draw_branch(self, node: Node, branch: Branch) -> str:
        """Return the line of an action, with its label."""
        (x0, y0) = self.place(node)
        (x1, y1) = self.place(branch.below)
        is_certain = branch.probability is None or node.is_chance
        likely = 0.35 if is_certain else float(branch.probability or 0.0)
        begin = x1 - self.stub[branch.below.depth] - RADIUS
        path = write_element(
            "path", d=f"M{x0:.1f} {y0:.1f}L{begin:.1f} {y1:.1f}H{x1:.1f}", fill="none",
            stroke=choose_color(node.player), stroke_width=0.9 + 4.0 * likely,
            stroke_linejoin="round", stroke_dasharray="none" if likely else "1 3",
        )  # fmt: skip
        return path + draw_text(branch.label, begin + GAP, y1 - 4 - 2 * likely, ACTION_SIZE, **HALO)

    def draw_infoset(self, player: int, known: str) -> str:
        """Return the dashed line through the histories of an information set."""
        places = [self.place(node) for node in self.sets[player, known]]
        color = choose_color(player)
        (x, top) = places[0]
        (_, bottom) = places[-1]
        if (player, known) not in self.lane:
            return draw_line(x, top, x, bottom, stroke=color, **DASHED)
        lane = x + RADIUS + 8.0 + LANE * self.lane[player, known]
        near = lane - 6.0
        turn = 6.0
        path = (
            f"M{x:.1f} {top:.1f}H{near:.1f}Q{lane:.1f} {top:.1f} {lane:.1f} {top + turn:.1f}"
            f"V{bottom - turn:.1f}Q{lane:.1f} {bottom:.1f} {near:.1f} {bottom:.1f}H{x:.1f}"
        )
        inner = [y for _, y in places[1:-1]]
        path += "".join(f"M{x:.1f} {y:.1f}H{lane:.1f}" for y in inner)
        dots = [write_element("circle", cx=lane, cy=y, r=2.2, fill=color) for y in inner]
        return write_element("path", d=path, stroke=color, **DASHED) + "".join(dots)

    def draw_knowledge(self, node: Node) -> str:
        """Return what is written below a history's line: what the player who moves knows."""
        if not node.known:
            return ""
        x, y = self.place(node)
        look: dict[str, Any] = {"anchor": "end", "font_style": "italic", **HALO}
        at = x - RADIUS - GAP
        return draw_text(node.known, at, y + 12, KNOWN_SIZE, choose_color(node.player), **look)

    def end(self, node: Node) -> str:
        """Return what everybody wins, with a faint line that leads there."""
        x, y = self.place(node)
        number = (
            estimate_width(self.format_amount(node.utilities[0]), UTILITY_SIZE)
            if node.utilities
            else 0.0
        )
        stop = self.table_at + min(6.0, UTILITY_WIDTH - 8 - number - GAP)
        parts = [draw_line(x + 4, y, stop, y, stroke="#cccccc", stroke_width=1)]
        for column, (player, utility) in enumerate(zip(self.winners, node.utilities, strict=True)):
            at = self.table_at + UTILITY_WIDTH * (column + 1) - 8
            words = self.format_amount(utility)
            look = (UTILITY_SIZE, choose_color(player))
            parts.append(draw_text(words, at, y + 4, *look, anchor="end", bold=True))
        if self.with_reach:
            reached = f"{node.reach:.3f}" if node.reach else "never"
            parts.append(draw_text(reached, self.reach_at, y + 4, HEAD_SIZE, GRAY, anchor="end"))
        return "".join(parts)

    def format_amount(self, utility: Number | float) -> str:
        """Return a utility as it is written at an end."""
        return signed(utility if self.digits is None else float(utility), self.digits)

    def draw_heads(self) -> str:
        """Return the heads of the table of utilities."""
        if not self.has_ends:
            return ""
        y = self.top - 8
        words = f"wins, in {self.rules.unit.plural}"
        parts = [draw_text(words, self.table_at + 4, y - 20, HEAD_SIZE, GRAY)]
        for column, player in enumerate(self.winners):
            parts.append(mark(player, self.table_at + UTILITY_WIDTH * (column + 1) - 14, y - 3))
        if self.with_reach:
            parts.append(draw_text("reached", self.reach_at, y, HEAD_SIZE, GRAY, anchor="end"))
        return "".join(parts)

    def draw_legend(self) -> tuple[str, float]:
        """Return what the marks mean, and where that ends."""
        movers: list[int | None] = list(range(self.rules.num_players))
        if any(node.is_chance for node in self.nodes):
            movers.insert(0, None)
        x = MARGIN + RADIUS
        y = LEGEND_AT
        parts = []
        for player in movers:
            words = "dealer" if player is None else f"player {player + 1}"
            parts.append(mark(player, x, y) + draw_text(words, x + 14, y + 4, ACTION_SIZE))
            x += 40 + estimate_width(words, ACTION_SIZE)
        if self.sets:
            words = "one information set"
            parts.append(draw_line(x - 8, y, x + 18, y, stroke=INK, **DASHED))
            parts.append(draw_text(words, x + 24, y + 4, ACTION_SIZE))
            x += 24 + estimate_width(words, ACTION_SIZE)
        return "".join(parts), x

    def write_caption(self) -> str:
        """Return what to see."""
        words = ["Read from left to right. What the player to move knows is written in italics."]
        if self.sets:
            words.append("Dashed lines join histories that this player cannot tell apart.")
        if self.unjoined:
            words.append(
                "Where too many would cross, the same words in italics mean the same information set."
            )
        if self.has_ends:
            words.append(f"On the right, what everybody wins, in {self.rules.unit.plural}.")
        if self.with_reach:
            words.append("The thicker a line, the more often it is taken; dotted lines never are.")
        if any(node.is_cut for node in self.nodes):
            words.append("The game goes on beyond what is drawn.")
        return " ".join(words)


BAR, BAR_HEIGHT, BETWEEN, NAME_SIZE = 9.0, 16.0, 2.0, 8.5
MOST_BARS = 6  # most hypotheses with room for bars; with more, only the value is written
BELIEF_ROW = 50.0
SAME = 1e-12  # actions whose values differ by less are equally good


def draw_beliefs(start: Beliefs | BeliefNode, max_depth: int | None = None) -> SvgDrawing:
    """Draw what a replier believes and expects, as a tree: the others' actions are nature's.

    Parameters
    ----------
    start : Beliefs or BeliefNode
        The whole tree, as `make_belief_tree(game, player).compute_beliefs(profile)` makes it, or a node in it.
    max_depth : int, optional
        Draw only this many moves.

    Raises
    ------
    SettingError
        If there is more to draw than can be read.

    Examples
    --------
    >>> import pokerlab as pl
    >>> from pokerlab.solvers.beliefs import make_belief_tree
    >>> kuhn = pl.games.kuhn()
    >>> beliefs = make_belief_tree(kuhn, 1).compute_beliefs(kuhn.uniform())
    >>> draw_beliefs(beliefs, max_depth=2)
    beliefs of player 2 in KP(2)
    worth +0.417: dealer
      hidden: J or Q or K: worth +0.417: dealer, J 0.33 Q 0.33 K 0.33
        J 1/3: worth −0.750: player 1, Q 0.50 K 0.50 ...
        Q 1/3: worth +0.250: player 1, J 0.50 K 0.50 ...
        K 1/3: worth +1.750: player 1, J 0.50 Q 0.50 ...
    """
    first = start.root if isinstance(start, Beliefs) else start
    tree = first.source.tree
    return BeliefDrawing(tree.game.rules, grow_tree(first, max_depth), tree.player).draw(
        f"beliefs of player {tree.player + 1} in {tree.game.name}"
    )


def grow_tree(first: BeliefNode, max_depth: int | None = None) -> Node:
    """Return the drawing's tree."""
    way_out = "Begin at a later node, such as beliefs.root.children[0], or stop earlier, as by max_depth=3."
    return grow(first, make_drawn_node, max_depth, way_out)


def make_drawn_node(node: BeliefNode) -> tuple[Node, list[Move]]:
    """Return a node's place in the drawing, and what follows."""
    is_end = node.kind == "terminal"
    who = "" if is_end else "dealer" if node.player is None else f"player {node.player + 1}"
    beliefs = " ".join(f"{name} {p:.2f}" for name, p in node.beliefs.items() if name)
    said = ", ".join(filter(None, (who, beliefs)))
    text = f"worth {signed(node.value, 3)}{': ' * bool(said)}{said}"
    place = Node(node.player, text, utilities=(node.value,) * is_end, about=node)
    moves = zip(node.children, compute_frequencies(node), strict=True)
    return place, [(p, label_branch(node, child), child) for child, p in moves]


def compute_frequencies(node: BeliefNode) -> list[float]:
    """Return how often each child follows: by nature's beliefs, or as a best response chooses."""
    children = node.children
    if node.kind != "decision":
        return [child.probability for child in children]
    values = [child.value for child in children]
    best = next(k for k, value in enumerate(values) if value >= max(values) - SAME)
    return [float(k == best) for k in range(len(children))]


def label_branch(node: BeliefNode, child: BeliefNode) -> str:
    """Return what is written on a line: what was seen, and nature's probability."""
    if node.kind == "decision":
        return child.label
    if not child.label:
        return f"hidden: {' or '.join(child.events)}" if child.events else ""
    if node.kind == "chance":
        return f"{child.label} {Fraction(child.probability).limit_denominator(1000)}"
    return f"{child.label} {child.probability:.2f}"


class BeliefDrawing(Drawing):
    """A tree drawing with beliefs below the lines; what a replier cannot tell apart is one node here."""

    digits, row = 2, BELIEF_ROW

    def __init__(self, rules: Rules, root: Node, replier: int) -> None:
        self.replier = replier
        names = dict.fromkeys(n for place in root.walk() for n in place.about.beliefs if n)
        self.names = tuple(names) if len(names) <= MOST_BARS else ()
        super().__init__(rules, root, with_reach=True, with_sets=False, winners=(replier,))

    def measure_room_below(self, node: Node) -> float:
        """Return the width of bars and value."""
        bars = len(self.names) * (BAR + BETWEEN) + 2 * GAP if self.list_bars(node) else 0.0
        return bars + estimate_width(self.format_value(node), NAME_SIZE + 1) + GAP

    def list_bars(self, node: Node) -> dict[str, float]:
        """Return the beliefs that are drawn at a node; nothing where nothing is hidden."""
        beliefs: dict[str, float] = node.about.beliefs
        return beliefs if self.names and set(beliefs) <= set(self.names) else {}

    def format_value(self, node: Node) -> str:
        """Return the value of a node that is not an end."""
        return "" if node.utilities else f"worth {signed(node.about.value, 3)}"

    def draw_knowledge(self, node: Node) -> str:
        """Return the beliefs as bars, and the value, below the node's line."""
        x, y = self.place(node)
        left = x - RADIUS - self.stub[node.depth] + GAP if node.depth else MARGIN
        parts = []
        beliefs = self.list_bars(node)
        bottom = y + 4 + BAR_HEIGHT
        for k, (name, short) in enumerate(
            zip(self.names, abbreviate_actions(self.names), strict=True)
        ):
            if not beliefs:
                break
            at = left + k * (BAR + BETWEEN)
            likely = beliefs.get(name, 0.0)
            parts.append(draw_line(at, bottom, at + BAR, bottom, stroke="#b8b8b8"))
            if likely:
                high = BAR_HEIGHT * likely
                parts.append(write_element("rect", x=at, y=bottom - high, width=BAR, height=high,
                                 fill=choose_color(self.replier), fill_opacity=0.75))  # fmt: skip
            ink = "#333333" if name in beliefs else "#b8b8b8"
            parts.append(
                draw_text(short, at + BAR / 2, bottom + 9, NAME_SIZE, ink, anchor="middle")
            )
        begin = left + (len(self.names) * (BAR + BETWEEN) + GAP if beliefs else 0.0)
        parts.append(
            draw_text(self.format_value(node), begin, y + 16, NAME_SIZE + 1, "#333333", **HALO)
        )
        return "".join(parts)

    def draw_legend(self) -> tuple[str, float]:
        """Return what marks and bars mean, and where that ends."""
        marks, x = super().draw_legend()
        words = f"bars: player {self.replier + 1}'s beliefs about what is hidden"
        y = 42.0
        bar = write_element("rect", x=x, y=y - 6, width=BAR, height=12, fill=choose_color(self.replier),
                  fill_opacity=0.75)  # fmt: skip
        written = draw_text(words, x + BAR + GAP, y + 4, ACTION_SIZE, GRAY)
        return marks + bar + written, x + BAR + GAP + estimate_width(words, ACTION_SIZE)

    def write_caption(self) -> str:
        """Return what to see."""
        who = f"Player {self.replier + 1}"
        return (
            f"Read from left to right. {who} replies to a fixed strategy, so all other players are nature: their"
            " actions have probabilities. The bars show what it believes about what is hidden, by Bayes' rule. On the"
            f" right stands what it wins on average at that end, in {self.rules.unit.plural}, and how often a best"
            " response gets there. Its lines are thick where it goes and dotted where it never goes."
        )
