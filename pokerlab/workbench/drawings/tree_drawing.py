"""A game tree as a picture: who moves where, what they know, how often they do what, what they win.

The tree grows from left to right. Each history stands at the end of a level line; above that line
is written the action that leads there, below it what the player who moves next knows.
"""

from collections.abc import Sequence
from typing import Any

from pokerlab.core import UnknownNameError
from pokerlab.games import Chance, Decision, Profile, Rules, SequenceForm, Terminal
from pokerlab.games.rules import Number, Turn, actions
from pokerlab.workbench.drawings.svg import (
    RADIUS,
    Picture,
    color_of,
    label,
    line,
    mark,
    room_for,
    tag,
)
from pokerlab.workbench.drawings.tree_layout import Branch, Move, Node, grow, infosets_in, lanes
from pokerlab.workbench.pictures.text import signed
from pokerlab.workbench.style import GRAY, INK, PAPER

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
) -> Picture:
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
    if profile is not None and isinstance(game, SequenceForm):
        game.owned(profile)
    history = rules.start()
    for action in after:
        allowed = actions(rules.turn(history))
        if action not in allowed:
            raise UnknownNameError.among(f"action of {rules.name} there", action, allowed)
        history = rules.after(history, action)

    def look(history: Any) -> tuple[Node, list[Move]]:
        turn = rules.turn(history)
        after = ((action, rules.after(history, action)) for action in actions(turn))
        return node_at(turn), [(*likely(turn, action, profile), then) for action, then in after]

    way_out = "Begin later, as by after=('K', 'Q'), or stop earlier, as by max_depth=3."
    root = grow(history, look, max_depth, way_out)
    drawing = Drawing(rules, root, with_reach=profile is not None)
    return drawing.picture(" · ".join([rules.name, *after]))


def likely(turn: Turn, action: str, profile: Profile | None) -> tuple[float | None, str]:
    """Return an action's probability, if known, and its label: chance exactly, a strategy with two decimals."""
    if isinstance(turn, Chance):
        return float(turn.outcomes[action]), f"{action} {turn.outcomes[action]}"
    if profile is None or not isinstance(turn, Decision):
        return None, action
    probability = profile.at(turn.player, turn.infoset)[action]
    return probability, f"{action} {probability:.2f}"


def node_at(turn: Turn) -> Node:
    """Return the place of a turn."""
    if isinstance(turn, Decision):
        text = f"player {turn.player + 1} at '{turn.infoset}'"
        return Node(turn.player, text, turn.infoset)
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
        all_sets = infosets_in(root) if with_sets else {}
        self.sets = {key: same for key, same in all_sets.items() if len(same) > 1}
        self.lane = self.give_lanes()
        crowded = {self.sets[key][0].depth for key, lane in self.lane.items() if lane >= MOST_LANES}
        self.unjoined = {key for key in self.lane if self.sets[key][0].depth in crowded}
        self.lane = {key: lane for key, lane in self.lane.items() if key not in self.unjoined}
        columns = max(node.depth for node in self.nodes) + 1
        fan, self.stub = [FAN] * columns, [0.0] * columns
        for key, lane in self.lane.items():
            depth = self.sets[key][0].depth
            fan[depth] = max(fan[depth], FAN + LANE * (lane + 1))
        for branch in (branch for node in self.nodes for branch in node.branches):
            below = branch.below
            width = max(room_for(branch.label, ACTION_SIZE), self.room_below(below)) + 2 * GAP
            self.stub[below.depth] = max(self.stub[below.depth], width)
        known = self.room_below(root)
        self.x = [MARGIN + RADIUS + known + GAP * bool(known)]
        for depth in range(1, columns):
            self.x.append(self.x[-1] + fan[depth - 1] + self.stub[depth] + 2 * RADIUS)

        self.has_ends = any(node.utilities for node in self.nodes)
        self.table_at = self.x[-1] + (2 if self.digits is None else 4) * GAP  # digits need room
        utilities = UTILITY_WIDTH * len(self.winners)
        self.reach_at = self.table_at + utilities + REACH_WIDTH - 4
        table = utilities + REACH_WIDTH * with_reach
        legend_ends = self.legend()[1]
        self.width = max(self.table_at + table * self.has_ends, legend_ends) + MARGIN
        beside = legend_ends < self.table_at or not self.has_ends
        self.top = LEGEND_AT + (HEADS_BESIDE if beside else HEADS_BELOW)
        if self.row is None:
            cut = any(node.is_cut and node.known for node in self.nodes)
            self.row = HIGH_ROW if cut else ROW
        self.height = self.top + self.row * (max(n.row for n in self.nodes) + 1) + MARGIN

    def picture(self, title: str) -> Picture:
        """Return the drawing."""
        text = "\n".join([title, *self.root.lines()])
        return Picture(self.width, self.height, self.body(title), text, self.caption())

    def room_below(self, node: Node) -> float:
        """Return the width of what is written below a history's line."""
        return room_for(node.known, KNOWN_SIZE)

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
            chosen |= dict(zip(spans, lanes(list(spans.values())), strict=True))
        return chosen

    def place(self, node: Node) -> tuple[float, float]:
        """Return where a history goes."""
        assert self.row is not None
        return self.x[node.depth], self.top + self.row * (node.row + 0.5)

    def body(self, title: str) -> str:
        """Return everything as SVG elements, from back to front."""
        parts = [label(title, MARGIN, 20, 14, bold=True), self.legend()[0], self.heads()]
        parts += [self.branch(node, branch) for node in self.nodes for branch in node.branches]
        parts += [self.infoset_line(*key) for key in self.sets if key not in self.unjoined]
        parts += [mark(n.player, *self.place(n)) for n in self.nodes if not n.utilities]
        parts += [self.known(node) for node in self.nodes]
        parts += [self.end(node) for node in self.nodes if node.utilities]
        return "".join(parts)

    def branch(self, node: Node, branch: Branch) -> str:
        """Return the line of an action, with its label."""
        (x0, y0), (x1, y1) = self.place(node), self.place(branch.below)
        is_certain = branch.probability is None or node.is_chance
        likely = 0.35 if is_certain else float(branch.probability or 0.0)
        begin = x1 - self.stub[branch.below.depth] - RADIUS
        path = tag(
            "path", d=f"M{x0:.1f} {y0:.1f}L{begin:.1f} {y1:.1f}H{x1:.1f}", fill="none",
            stroke=color_of(node.player), stroke_width=0.9 + 4.0 * likely,
            stroke_linejoin="round", stroke_dasharray="none" if likely else "1 3",
        )  # fmt: skip
        return path + label(branch.label, begin + GAP, y1 - 4 - 2 * likely, ACTION_SIZE, **HALO)

    def infoset_line(self, player: int, known: str) -> str:
        """Return the dashed line through the histories of an information set."""
        places = [self.place(node) for node in self.sets[player, known]]
        color = color_of(player)
        (x, top), (_, bottom) = places[0], places[-1]
        if (player, known) not in self.lane:
            return line(x, top, x, bottom, stroke=color, **DASHED)
        lane = x + RADIUS + 8.0 + LANE * self.lane[player, known]
        near, turn = lane - 6.0, 6.0
        path = (
            f"M{x:.1f} {top:.1f}H{near:.1f}Q{lane:.1f} {top:.1f} {lane:.1f} {top + turn:.1f}"
            f"V{bottom - turn:.1f}Q{lane:.1f} {bottom:.1f} {near:.1f} {bottom:.1f}H{x:.1f}"
        )
        inner = [y for _, y in places[1:-1]]
        path += "".join(f"M{x:.1f} {y:.1f}H{lane:.1f}" for y in inner)
        dots = [tag("circle", cx=lane, cy=y, r=2.2, fill=color) for y in inner]
        return tag("path", d=path, stroke=color, **DASHED) + "".join(dots)

    def known(self, node: Node) -> str:
        """Return what is written below a history's line: what the player who moves knows."""
        if not node.known:
            return ""
        x, y = self.place(node)
        look: dict[str, Any] = {"anchor": "end", "font_style": "italic", **HALO}
        at = x - RADIUS - GAP
        return label(node.known, at, y + 12, KNOWN_SIZE, color_of(node.player), **look)

    def end(self, node: Node) -> str:
        """Return what everybody wins, with a faint line that leads there."""
        x, y = self.place(node)
        number = room_for(self.amount(node.utilities[0]), UTILITY_SIZE) if node.utilities else 0.0
        stop = self.table_at + min(6.0, UTILITY_WIDTH - 8 - number - GAP)
        parts = [line(x + 4, y, stop, y, stroke="#cccccc", stroke_width=1)]
        for column, (player, utility) in enumerate(zip(self.winners, node.utilities, strict=True)):
            at = self.table_at + UTILITY_WIDTH * (column + 1) - 8
            words, look = self.amount(utility), (UTILITY_SIZE, color_of(player))
            parts.append(label(words, at, y + 4, *look, anchor="end", bold=True))
        if self.with_reach:
            reached = f"{node.reach:.3f}" if node.reach else "never"
            parts.append(label(reached, self.reach_at, y + 4, HEAD_SIZE, GRAY, anchor="end"))
        return "".join(parts)

    def amount(self, utility: Number | float) -> str:
        """Return a utility as it is written at an end."""
        return signed(utility if self.digits is None else float(utility), self.digits)

    def heads(self) -> str:
        """Return the heads of the table of utilities."""
        if not self.has_ends:
            return ""
        y, words = self.top - 8, f"wins, in {self.rules.unit.plural}"
        parts = [label(words, self.table_at + 4, y - 20, HEAD_SIZE, GRAY)]
        for column, player in enumerate(self.winners):
            parts.append(mark(player, self.table_at + UTILITY_WIDTH * (column + 1) - 14, y - 3))
        if self.with_reach:
            parts.append(label("reached", self.reach_at, y, HEAD_SIZE, GRAY, anchor="end"))
        return "".join(parts)

    def legend(self) -> tuple[str, float]:
        """Return what the marks mean, and where that ends."""
        movers: list[int | None] = list(range(self.rules.num_players))
        if any(node.is_chance for node in self.nodes):
            movers.insert(0, None)
        x, y, parts = MARGIN + RADIUS, LEGEND_AT, []
        for player in movers:
            words = "dealer" if player is None else f"player {player + 1}"
            parts.append(mark(player, x, y) + label(words, x + 14, y + 4, ACTION_SIZE))
            x += 40 + room_for(words, ACTION_SIZE)
        if self.sets:
            words = "one information set"
            parts.append(line(x - 8, y, x + 18, y, stroke=INK, **DASHED))
            parts.append(label(words, x + 24, y + 4, ACTION_SIZE))
            x += 24 + room_for(words, ACTION_SIZE)
        return "".join(parts), x

    def caption(self) -> str:
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
