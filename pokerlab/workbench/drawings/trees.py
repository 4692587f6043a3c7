"""Pictures of trees: the tree of a game, and the tree of beliefs of a player who computes a best response.

A tree grows from left to right, with a row for each end and a column for each depth. Each history is at the right end
of a level line. Above the line is the action that leads to it, and below what the player who moves next knows.
A tree of beliefs is drawn in the same way, with the beliefs and the value below each line.
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
    draw_mark,
    draw_text,
    estimate_width,
    write_element,
)
from pokerlab.workbench.style import GRAY, INK, PAPER
from pokerlab.workbench.text import abbreviate_actions, signed

MOST_ENDS = 80  # the most rows of a readable picture


@dataclass(eq=False)
class Node:
    """A node of the tree that is drawn.

    Attributes
    ----------
    player : int or None
        The index of the player who moves; None for the dealer and for ends.
    text : str
        The node as a line of text.
    infoset : str
        The label of what the player who moves knows.
    utilities : tuple of numbers
        What each player wins; empty unless the node is an end.
    belief_node : BeliefNode, optional
        The node of a tree of beliefs, from which this one was made.
    branches : list of Branch
        The moves from this node.
    is_cut : bool
        Whether the game goes on after this node but the drawing does not.
    depth : int
        The number of moves from the root of the drawing.
    reach : float
        The product of the known probabilities of the moves from the root.
    row : float
        The row: 0, 1, 2, ... from the top for ends, and the mean of the first and last branch for other nodes.
    """

    player: int | None
    text: str
    infoset: str = ""
    utilities: tuple[Number | float, ...] = ()
    belief_node: Any = None
    branches: "list[Branch]" = field(default_factory=list)
    is_cut: bool = False
    depth: int = 0
    reach: float = 1.0
    row: float = 0.0

    @property
    def is_chance(self) -> bool:
        """Whether the dealer moves."""
        return self.player is None and not self.utilities

    def iterate_nodes(self) -> Iterator["Node"]:
        """Yield this node and all nodes after it, in the order of a depth-first walk."""
        yield self
        for branch in self.branches:
            yield from branch.child.iterate_nodes()

    def write_lines(self, prefix: str = "") -> list[str]:
        """Return this node and all nodes after it as indented lines of text; the first line begins with `prefix`."""
        lines = [f"{prefix}{self.text}{' ...' if self.is_cut else ''}"]
        for branch in self.branches:
            child_lines = branch.child.write_lines(f"{branch.label}: " if branch.label else "")
            lines += [f"  {line}" for line in child_lines]
        return lines


@dataclass(frozen=True)
class Branch:
    """A move from a node."""

    probability: float | None  # None if it is not known
    label: str
    child: Node  # the node to which it leads


Move = tuple[float | None, str, Any]
"""The probability of a move if it is known, its label, and the history or belief to which it leads."""


def build_tree(
    root_item: Any,
    expand: Callable[[Any], tuple[Node, list[Move]]],
    max_depth: int | None,
    advice: str,
) -> Node:
    """Return the root of the tree that is drawn, whose nodes have their depths, reach probabilities and rows.

    Parameters
    ----------
    root_item : Any
        The history or belief at the root.
    expand : callable
        Returns the node of a history or belief, and its moves.
    max_depth : int or None
        The most moves from the root that are drawn, or None for all.
    advice : str
        The end of the error message if there are too many ends.

    Raises
    ------
    SettingError
        If there are more than `MOST_ENDS` ends.
    """
    if max_depth is not None:
        validate_integer("max_depth", max_depth, 1)
    ends = 0

    def add_node(item: Any, depth: int, reach: float) -> Node:
        nonlocal ends
        node, moves = expand(item)
        node.depth = depth
        node.reach = reach
        node.is_cut = bool(moves) and depth == max_depth
        for probability, label, next_item in () if node.is_cut else moves:
            child_reach = reach if probability is None else reach * probability
            child = add_node(next_item, depth + 1, child_reach)
            node.branches.append(Branch(probability, label, child))
        if node.branches:
            node.row = (node.branches[0].child.row + node.branches[-1].child.row) / 2
        else:
            node.row = ends
            ends += 1
        if ends > MOST_ENDS:
            raise SettingError(f"there are more than {MOST_ENDS} ends to draw. {advice}")
        return node

    return add_node(root_item, 0, 1.0)


def group_by_infoset(root: Node) -> dict[tuple[int, str], list[Node]]:
    """Return the nodes of each information set from top to bottom, by player index and label."""
    found: dict[tuple[int, str], list[Node]] = {}
    for node in root.iterate_nodes():
        if node.player is not None:
            found.setdefault((node.player, node.infoset), []).append(node)
    return {key: sorted(nodes, key=lambda node: node.row) for key, nodes in found.items()}


def choose_lanes(spans: Sequence[tuple[float, float]]) -> list[int]:
    """Return a lane for each span of rows, so that no two spans in a lane overlap.

    Parameters
    ----------
    spans : sequence of (float, float)
        The first and the last row of each span.

    Returns
    -------
    list of int
        The first free lane of each span, from 0. Shorter spans choose first.
    """
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


ROW_HEIGHT, HIGH_ROW_HEIGHT, MARGIN = 20.0, 31.0, 14.0
LEGEND_Y, HEADS_BESIDE, HEADS_BELOW = 42.0, 16.0, 48.0
FAN_WIDTH, LANE_WIDTH, GAP = 26.0, 9.0, 5.0
MOST_LANES = 2
"""The most lines of information sets side by side. At a depth where more would be needed, none is drawn."""
ACTION_SIZE, INFOSET_SIZE, HEAD_SIZE = 11.0, 10.0, 10.0
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
        If given, actions have their probabilities, more probable lines are thicker, and each end has the
        probability with which it is reached.
    after : sequence of str
        Draw only the part of the tree after these actions, such as a deal: `('K', 'Q')`.
    max_depth : int, optional
        Draw only the first moves, so many.
    poker_names : bool
        Whether actions of one-card poker have their usual names, such as 'check' and 'fold' for 'pass'.

    Raises
    ------
    SettingError
        If the tree has more than 80 ends.
    UnknownNameError
        If an action of `after` is not possible.

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

    def expand(history: Any) -> tuple[Node, list[Move]]:
        turn = rules.turn(history)
        moves = [
            (*label_action(turn, action, profile, poker_names), rules.after(history, action))
            for action in list_choices(turn)
        ]
        return make_node(turn, poker_names), moves

    advice = "Begin later, as by after=('K', 'Q'), or stop earlier, as by max_depth=3."
    root = build_tree(history, expand, max_depth, advice)
    drawing = TreeDrawing(rules, root, with_reach=profile is not None)
    return drawing.draw(" · ".join([rules.name, *after]))


def label_action(
    turn: Turn, action: str, profile: Profile | None, poker_names: bool
) -> tuple[float | None, str]:
    """Return the probability of an action, or None if it is not known, and the label of its branch.

    Parameters
    ----------
    turn : Turn
        The turn at which the action is possible.
    action : str
        The action.
    profile : Profile or None
        The profile that has the probabilities of the players' actions.
    poker_names : bool
        Whether actions of one-card poker have their usual names.

    Returns
    -------
    float or None
        The probability.
    str
        The name of the action and its probability: a fraction for chance, two decimals for a player.
    """
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
    """Return the node of a turn, without branches."""
    if isinstance(turn, Decision):
        infoset = turn.infoset
        if poker_names:
            card, betting = split_infoset_label(infoset)
            infoset = format_label(card, list_poker_action_names(betting))
        return Node(turn.player, f"player {turn.player + 1} at '{infoset}'", infoset)
    if isinstance(turn, Terminal):
        return Node(None, ", ".join(map(signed, turn.utilities)), utilities=turn.utilities)
    return Node(None, "dealer")


class TreeDrawing:
    """The layout of a tree in pixels, which `draw` turns into a drawing.

    Parameters
    ----------
    rules : Rules
        The rules of the game, which have the number of players and the unit.
    root : Node
        The root of the tree.
    with_reach : bool
        Whether each end has the probability with which it is reached.
    with_sets : bool
        Whether the histories of an information set are joined by dashed lines.
    winners : sequence of int, optional
        The players whose utilities are written at the ends. By default these are all players.
    """

    digits: int | None = None  # of utilities; None writes them exactly
    row_height: float | None = (
        None  # in pixels; None chooses it by whether words stand below an end
    )

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
        self.nodes = list(root.iterate_nodes())
        # Only information sets with several histories are joined by lines.
        infosets = group_by_infoset(root) if with_sets else {}
        self.infosets = {key: nodes for key, nodes in infosets.items() if len(nodes) > 1}
        self.lanes = self.assign_lanes()
        crowded = {
            self.infosets[key][0].depth for key, lane in self.lanes.items() if lane >= MOST_LANES
        }
        self.unjoined = {key for key in self.lanes if self.infosets[key][0].depth in crowded}
        self.lanes = {key: lane for key, lane in self.lanes.items() if key not in self.unjoined}
        columns = max(node.depth for node in self.nodes) + 1
        fan_widths = [FAN_WIDTH] * columns  # of the slanted parts of branches after each column
        self.label_widths = [
            0.0
        ] * columns  # of the level parts before each column, with the labels
        for key, lane in self.lanes.items():
            depth = self.infosets[key][0].depth
            fan_widths[depth] = max(fan_widths[depth], FAN_WIDTH + LANE_WIDTH * (lane + 1))
        for branch in (branch for node in self.nodes for branch in node.branches):
            child = branch.child
            room_below = self.measure_room_below(child)
            width = max(estimate_width(branch.label, ACTION_SIZE), room_below) + 2 * GAP
            self.label_widths[child.depth] = max(self.label_widths[child.depth], width)
        room_below = self.measure_room_below(root)
        self.column_x = [MARGIN + RADIUS + room_below + GAP * bool(room_below)]
        for depth in range(1, columns):
            width = fan_widths[depth - 1] + self.label_widths[depth] + 2 * RADIUS
            self.column_x.append(self.column_x[-1] + width)

        self.has_ends = any(node.utilities for node in self.nodes)
        # More room for digits.
        self.table_left = self.column_x[-1] + (2 if self.digits is None else 4) * GAP
        utilities_width = UTILITY_WIDTH * len(self.winners)
        self.reach_right = self.table_left + utilities_width + REACH_WIDTH - 4
        table_width = utilities_width + REACH_WIDTH * with_reach
        legend_right = self.draw_legend()[1]
        self.width = max(self.table_left + table_width * self.has_ends, legend_right) + MARGIN
        is_legend_beside = legend_right < self.table_left or not self.has_ends
        self.top = LEGEND_Y + (HEADS_BESIDE if is_legend_beside else HEADS_BELOW)
        if self.row_height is None:
            has_words_below = any(node.is_cut and node.infoset for node in self.nodes)
            self.row_height = HIGH_ROW_HEIGHT if has_words_below else ROW_HEIGHT
        num_rows = max(node.row for node in self.nodes) + 1
        self.height = self.top + self.row_height * num_rows + MARGIN

    def draw(self, title: str) -> SvgDrawing:
        """Return the drawing of the tree with a title."""
        text = "\n".join([title, *self.root.write_lines()])
        return SvgDrawing(
            self.width, self.height, self.draw_body(title), text, self.write_caption()
        )

    def measure_room_below(self, node: Node) -> float:
        """Return the width of what is written below the line of a node, in pixels."""
        return estimate_width(node.infoset, INFOSET_SIZE)

    def assign_lanes(self) -> dict[tuple[int, str], int]:
        """Return a lane beside the column for the line of each information set, by player index and label.

        Information sets with no other nodes between theirs need no lane and are left out.
        """
        lanes: dict[tuple[int, str], int] = {}
        for depth in {nodes[0].depth for nodes in self.infosets.values()}:
            rows = [node.row for node in self.nodes if node.depth == depth and node.infoset]
            spans = {
                key: (nodes[0].row, nodes[-1].row)
                for key, nodes in self.infosets.items()
                if nodes[0].depth == depth
                and sum(nodes[0].row <= row <= nodes[-1].row for row in rows) > len(nodes)
            }
            lanes |= dict(zip(spans, choose_lanes(list(spans.values())), strict=True))
        return lanes

    def find_position(self, node: Node) -> tuple[float, float]:
        """Return the place of a node in pixels, from the left and from the top."""
        assert self.row_height is not None
        return self.column_x[node.depth], self.top + self.row_height * (node.row + 0.5)

    def draw_body(self, title: str) -> str:
        """Return all parts of the drawing as SVG, from back to front."""
        parts = [
            draw_text(title, MARGIN, 20, 14, bold=True),
            self.draw_legend()[0],
            self.draw_heads(),
        ]
        parts += [self.draw_branch(node, branch) for node in self.nodes for branch in node.branches]
        parts += [self.draw_infoset(*key) for key in self.infosets if key not in self.unjoined]
        parts += [
            draw_mark(n.player, *self.find_position(n)) for n in self.nodes if not n.utilities
        ]
        parts += [self.draw_words_below(node) for node in self.nodes]
        parts += [self.draw_end(node) for node in self.nodes if node.utilities]
        return "".join(parts)

    def draw_branch(self, node: Node, branch: Branch) -> str:
        """Return the line of a move as SVG, with its label."""
        (x0, y0) = self.find_position(node)
        (x1, y1) = self.find_position(branch.child)
        # Moves of chance, and moves without a known probability, have one thickness.
        has_one_thickness = branch.probability is None or node.is_chance
        thickness = 0.35 if has_one_thickness else float(branch.probability or 0.0)
        level_left = x1 - self.label_widths[branch.child.depth] - RADIUS
        path = write_element(
            "path", d=f"M{x0:.1f} {y0:.1f}L{level_left:.1f} {y1:.1f}H{x1:.1f}", fill="none",
            stroke=choose_color(node.player), stroke_width=0.9 + 4.0 * thickness,
            stroke_linejoin="round", stroke_dasharray="none" if thickness else "1 3",
        )  # fmt: skip
        label_y = y1 - 4 - 2 * thickness
        return path + draw_text(branch.label, level_left + GAP, label_y, ACTION_SIZE, **HALO)

    def draw_infoset(self, player: int, infoset: str) -> str:
        """Return the dashed line through the nodes of an information set as SVG."""
        places = [self.find_position(node) for node in self.infosets[player, infoset]]
        color = choose_color(player)
        (x, top) = places[0]
        (_, bottom) = places[-1]
        if (player, infoset) not in self.lanes:
            return draw_line(x, top, x, bottom, stroke=color, **DASHED)
        lane_x = x + RADIUS + 8.0 + LANE_WIDTH * self.lanes[player, infoset]
        corner_size = 6.0
        corner_x = lane_x - corner_size
        path = (
            f"M{x:.1f} {top:.1f}H{corner_x:.1f}Q{lane_x:.1f} {top:.1f} {lane_x:.1f} {top + corner_size:.1f}"
            f"V{bottom - corner_size:.1f}Q{lane_x:.1f} {bottom:.1f} {corner_x:.1f} {bottom:.1f}H{x:.1f}"
        )
        inner = [y for _, y in places[1:-1]]
        path += "".join(f"M{x:.1f} {y:.1f}H{lane_x:.1f}" for y in inner)
        dots = [write_element("circle", cx=lane_x, cy=y, r=2.2, fill=color) for y in inner]
        return write_element("path", d=path, stroke=color, **DASHED) + "".join(dots)

    def draw_words_below(self, node: Node) -> str:
        """Return what the player who moves at a node knows as SVG, below the line of the node."""
        if not node.infoset:
            return ""
        x, y = self.find_position(node)
        look: dict[str, Any] = {"anchor": "end", "font_style": "italic", **HALO}
        right = x - RADIUS - GAP
        color = choose_color(node.player)
        return draw_text(node.infoset, right, y + 12, INFOSET_SIZE, color, **look)

    def draw_end(self, node: Node) -> str:
        """Return the utilities of an end as SVG, with its reach probability and a pale line that leads to them."""
        x, y = self.find_position(node)
        number_width = (
            estimate_width(self.format_amount(node.utilities[0]), UTILITY_SIZE)
            if node.utilities
            else 0.0
        )
        line_end = self.table_left + min(6.0, UTILITY_WIDTH - 8 - number_width - GAP)
        parts = [draw_line(x + 4, y, line_end, y, stroke="#cccccc", stroke_width=1)]
        for column, (player, utility) in enumerate(zip(self.winners, node.utilities, strict=True)):
            right = self.table_left + UTILITY_WIDTH * (column + 1) - 8
            words = self.format_amount(utility)
            look = (UTILITY_SIZE, choose_color(player))
            parts.append(draw_text(words, right, y + 4, *look, anchor="end", bold=True))
        if self.with_reach:
            reached = f"{node.reach:.3f}" if node.reach else "never"
            parts.append(draw_text(reached, self.reach_right, y + 4, HEAD_SIZE, GRAY, anchor="end"))
        return "".join(parts)

    def format_amount(self, utility: Number | float) -> str:
        """Return a utility with its sign, exactly or with `digits` decimals."""
        return signed(utility if self.digits is None else float(utility), self.digits)

    def draw_heads(self) -> str:
        """Return the heads of the table of utilities as SVG."""
        if not self.has_ends:
            return ""
        y = self.top - 8
        words = f"wins, in {self.rules.unit.plural}"
        parts = [draw_text(words, self.table_left + 4, y - 20, HEAD_SIZE, GRAY)]
        for column, player in enumerate(self.winners):
            parts.append(
                draw_mark(player, self.table_left + UTILITY_WIDTH * (column + 1) - 14, y - 3)
            )
        if self.with_reach:
            parts.append(draw_text("reached", self.reach_right, y, HEAD_SIZE, GRAY, anchor="end"))
        return "".join(parts)

    def draw_legend(self) -> tuple[str, float]:
        """Return the legend of the marks as SVG, and its right end in pixels."""
        movers: list[int | None] = list(range(self.rules.num_players))
        if any(node.is_chance for node in self.nodes):
            movers.insert(0, None)
        x = MARGIN + RADIUS
        y = LEGEND_Y
        parts = []
        for player in movers:
            words = "dealer" if player is None else f"player {player + 1}"
            parts.append(draw_mark(player, x, y) + draw_text(words, x + 14, y + 4, ACTION_SIZE))
            x += 40 + estimate_width(words, ACTION_SIZE)
        if self.infosets:
            words = "one information set"
            parts.append(draw_line(x - 8, y, x + 18, y, stroke=INK, **DASHED))
            parts.append(draw_text(words, x + 24, y + 4, ACTION_SIZE))
            x += 24 + estimate_width(words, ACTION_SIZE)
        return "".join(parts), x

    def write_caption(self) -> str:
        """Return the caption: how to read the drawing."""
        words = ["Read from left to right. What the player to move knows is written in italics."]
        if self.infosets:
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


BAR_WIDTH, BAR_HEIGHT, BETWEEN, NAME_SIZE = 9.0, 16.0, 2.0, 8.5
MOST_BARS = (
    6  # the most hypotheses that are drawn as bars; with more of them only the value is written
)
BELIEF_ROW_HEIGHT = 50.0
TIE = 1e-12  # actions whose values differ by less are equally good


def draw_beliefs(start: Beliefs | BeliefNode, max_depth: int | None = None) -> SvgDrawing:
    """Draw the beliefs of a player against fixed strategies as a tree, with the values of best responses.

    The actions of the others have the probabilities of their strategies, so they are nature's moves.

    Parameters
    ----------
    start : Beliefs or BeliefNode
        The whole tree, which `make_belief_tree(game, player).compute_beliefs(profile)` returns, or a node in it.
    max_depth : int, optional
        Draw only the first moves, so many.

    Raises
    ------
    SettingError
        If the tree has more than 80 ends.

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
    root = start.root if isinstance(start, Beliefs) else start
    tree = root.source.tree
    drawing = BeliefDrawing(tree.game.rules, build_belief_tree(root, max_depth), tree.player)
    return drawing.draw(f"beliefs of player {tree.player + 1} in {tree.game.name}")


def build_belief_tree(root: BeliefNode, max_depth: int | None = None) -> Node:
    """Return the root of the tree that is drawn for a node of beliefs, as `build_tree` builds it."""
    advice = "Begin at a later node, such as beliefs.root.children[0], or stop earlier, as by max_depth=3."
    return build_tree(root, expand_belief_node, max_depth, advice)


def expand_belief_node(node: BeliefNode) -> tuple[Node, list[Move]]:
    """Return the node that is drawn for a node of beliefs, and the moves to its children."""
    is_end = node.kind == "terminal"
    mover = "" if is_end else "dealer" if node.player is None else f"player {node.player + 1}"
    beliefs = " ".join(f"{name} {p:.2f}" for name, p in node.beliefs.items() if name)
    words = ", ".join(filter(None, (mover, beliefs)))
    text = f"worth {signed(node.value, 3)}{': ' * bool(words)}{words}"
    drawn_node = Node(node.player, text, utilities=(node.value,) * is_end, belief_node=node)
    children = zip(node.children, compute_frequencies(node), strict=True)
    return drawn_node, [(p, label_branch(node, child), child) for child, p in children]


def compute_frequencies(node: BeliefNode) -> list[float]:
    """Return the probability of each child. At a decision it is 1 for the first best action and 0 for the others."""
    children = node.children
    if node.kind != "decision":
        return [child.probability for child in children]
    values = [child.value for child in children]
    best = next(k for k, value in enumerate(values) if value >= max(values) - TIE)
    return [float(k == best) for k in range(len(children))]


def label_branch(node: BeliefNode, child: BeliefNode) -> str:
    """Return the label of a branch: the action or what was observed, with its probability if nature moves.

    A branch on which the player observes nothing lists the hidden events.
    """
    if node.kind == "decision":
        return child.label
    if not child.label:
        return f"hidden: {' or '.join(child.events)}" if child.events else ""
    if node.kind == "chance":
        return f"{child.label} {Fraction(child.probability).limit_denominator(1000)}"
    return f"{child.label} {child.probability:.2f}"


class BeliefDrawing(TreeDrawing):
    """The layout of a tree of beliefs, with the beliefs and the value below the line of each node.

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    root : Node
        The root of the tree.
    responder : int
        The index of the player whose beliefs these are. Histories that this player cannot distinguish are one node.
    """

    digits, row_height = 2, BELIEF_ROW_HEIGHT

    def __init__(self, rules: Rules, root: Node, responder: int) -> None:
        self.responder = responder
        names = dict.fromkeys(
            name for node in root.iterate_nodes() for name in node.belief_node.beliefs if name
        )
        self.names = tuple(names) if len(names) <= MOST_BARS else ()
        super().__init__(rules, root, with_reach=True, with_sets=False, winners=(responder,))

    def measure_room_below(self, node: Node) -> float:
        """Return the width of the bars and the value below the line of a node, in pixels."""
        bars = (
            len(self.names) * (BAR_WIDTH + BETWEEN) + 2 * GAP if self.select_beliefs(node) else 0.0
        )
        return bars + estimate_width(self.format_value(node), NAME_SIZE + 1) + GAP

    def select_beliefs(self, node: Node) -> dict[str, float]:
        """Return the beliefs at a node that are drawn as bars; empty if nothing is hidden or there are too many."""
        beliefs: dict[str, float] = node.belief_node.beliefs
        return beliefs if self.names and set(beliefs) <= set(self.names) else {}

    def format_value(self, node: Node) -> str:
        """Return the value of a node in words, or an empty text for an end."""
        return "" if node.utilities else f"worth {signed(node.belief_node.value, 3)}"

    def draw_words_below(self, node: Node) -> str:
        """Return the beliefs as bars and the value of a node as SVG, below the line of the node."""
        x, y = self.find_position(node)
        left = x - RADIUS - self.label_widths[node.depth] + GAP if node.depth else MARGIN
        parts = []
        beliefs = self.select_beliefs(node)
        bottom = y + 4 + BAR_HEIGHT
        for k, (name, letter) in enumerate(
            zip(self.names, abbreviate_actions(self.names), strict=True)
        ):
            if not beliefs:
                break
            bar_left = left + k * (BAR_WIDTH + BETWEEN)
            probability = beliefs.get(name, 0.0)
            parts.append(
                draw_line(bar_left, bottom, bar_left + BAR_WIDTH, bottom, stroke="#b8b8b8")
            )
            if probability:
                height = BAR_HEIGHT * probability
                parts.append(write_element("rect", x=bar_left, y=bottom - height, width=BAR_WIDTH, height=height,
                                 fill=choose_color(self.responder), fill_opacity=0.75))  # fmt: skip
            color = "#333333" if name in beliefs else "#b8b8b8"
            parts.append(
                draw_text(
                    letter, bar_left + BAR_WIDTH / 2, bottom + 9, NAME_SIZE, color, anchor="middle"
                )
            )
        value_left = left + (len(self.names) * (BAR_WIDTH + BETWEEN) + GAP if beliefs else 0.0)
        parts.append(
            draw_text(self.format_value(node), value_left, y + 16, NAME_SIZE + 1, "#333333", **HALO)
        )
        return "".join(parts)

    def draw_legend(self) -> tuple[str, float]:
        """Return the legend of marks and bars as SVG, and its right end in pixels."""
        marks, x = super().draw_legend()
        words = f"bars: player {self.responder + 1}'s beliefs about what is hidden"
        y = LEGEND_Y
        bar = write_element("rect", x=x, y=y - 6, width=BAR_WIDTH, height=12, fill=choose_color(self.responder),
                  fill_opacity=0.75)  # fmt: skip
        written = draw_text(words, x + BAR_WIDTH + GAP, y + 4, ACTION_SIZE, GRAY)
        return marks + bar + written, x + BAR_WIDTH + GAP + estimate_width(words, ACTION_SIZE)

    def write_caption(self) -> str:
        """Return the caption: how to read the drawing."""
        who = f"Player {self.responder + 1}"
        return (
            f"Read from left to right. {who} replies to a fixed strategy, so all other players are nature: their"
            " actions have probabilities. The bars show what it believes about what is hidden, by Bayes' rule. On the"
            f" right stands what it wins on average at that end, in {self.rules.unit.plural}, and how often a best"
            " response gets there. Its lines are thick where it goes and dotted where it never goes."
        )
