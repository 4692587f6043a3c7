"""A belief MDP as a tree: at each node what the replier believes, and what it expects to win."""

from fractions import Fraction

from pokerlab.games import Rules
from pokerlab.solvers.belief_search import BeliefNode, Beliefs
from pokerlab.workbench.drawings.svg import RADIUS, Picture, color_of, label, line, room_for, tag
from pokerlab.workbench.drawings.tree_drawing import ACTION_SIZE, GAP, HALO, MARGIN, Drawing
from pokerlab.workbench.drawings.tree_layout import Move, Node, grow
from pokerlab.workbench.pictures.security import brief
from pokerlab.workbench.pictures.text import signed
from pokerlab.workbench.style import GRAY

BAR, BAR_HEIGHT, BETWEEN, NAME_SIZE = 9.0, 16.0, 2.0, 8.5
MOST_BARS = 6  # most hypotheses with room for bars; with more, only the value is written
BELIEF_ROW = 50.0
SAME = 1e-12  # actions whose values differ by less are equally good


def draw_beliefs(start: Beliefs | BeliefNode, max_depth: int | None = None) -> Picture:
    """Draw what a replier believes and expects, as a tree: the others' actions are nature's.

    Parameters
    ----------
    start : Beliefs or BeliefNode
        The whole tree, as `belief_tree(game, player).against(profile)` makes it, or a node from which to begin.
    max_depth : int, optional
        Draw only this many moves.

    Raises
    ------
    SettingError
        If there is more to draw than can be read.

    Examples
    --------
    >>> import pokerlab as pl
    >>> from pokerlab.solvers.belief_search import belief_tree
    >>> kuhn = pl.games.kuhn()
    >>> beliefs = belief_tree(kuhn, 1).against(kuhn.uniform())
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
    return BeliefDrawing(tree.game.rules, grown(first, max_depth), tree.player).picture(
        f"beliefs of player {tree.player + 1} in {tree.game.name}"
    )


def grown(first: BeliefNode, max_depth: int | None = None) -> Node:
    """Return the drawing's tree."""
    way_out = "Begin at a later node, such as beliefs.root.children[0], or stop earlier, as by max_depth=3."
    return grow(first, look, max_depth, way_out)


def look(node: BeliefNode) -> tuple[Node, list[Move]]:
    """Return a node's place in the drawing, and what follows."""
    is_end = node.kind == "terminal"
    who = "" if is_end else "dealer" if node.player is None else f"player {node.player + 1}"
    beliefs = " ".join(f"{name} {p:.2f}" for name, p in node.beliefs.items() if name)
    said = ", ".join(filter(None, (who, beliefs)))
    text = f"worth {signed(node.value, 3)}{': ' * bool(said)}{said}"
    place = Node(node.player, text, utilities=(node.value,) * is_end, about=node)
    moves = zip(node.children, frequencies(node), strict=True)
    return place, [(p, branch_label(node, child), child) for child, p in moves]


def frequencies(node: BeliefNode) -> list[float]:
    """Return how often each child follows: by nature's beliefs, or as a best response chooses."""
    children = node.children
    if node.kind != "decision":
        return [child.probability for child in children]
    values = [child.value for child in children]
    best = next(k for k, value in enumerate(values) if value >= max(values) - SAME)
    return [float(k == best) for k in range(len(children))]


def branch_label(node: BeliefNode, child: BeliefNode) -> str:
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

    def room_below(self, node: Node) -> float:
        """Return the width of bars and value."""
        bars = len(self.names) * (BAR + BETWEEN) + 2 * GAP if self.bars_of(node) else 0.0
        return bars + room_for(self.worth(node), NAME_SIZE + 1) + GAP

    def bars_of(self, node: Node) -> dict[str, float]:
        """Return the beliefs that are drawn at a node; nothing where nothing is hidden."""
        beliefs: dict[str, float] = node.about.beliefs
        return beliefs if self.names and set(beliefs) <= set(self.names) else {}

    def worth(self, node: Node) -> str:
        """Return the value of a node that is not an end."""
        return "" if node.utilities else f"worth {signed(node.about.value, 3)}"

    def known(self, node: Node) -> str:
        """Return the beliefs as bars, and the value, below the node's line."""
        x, y = self.place(node)
        left = x - RADIUS - self.stub[node.depth] + GAP if node.depth else MARGIN
        parts, beliefs = [], self.bars_of(node)
        bottom = y + 4 + BAR_HEIGHT
        for k, (name, short) in enumerate(zip(self.names, brief(self.names), strict=True)):
            if not beliefs:
                break
            at = left + k * (BAR + BETWEEN)
            likely = beliefs.get(name, 0.0)
            parts.append(line(at, bottom, at + BAR, bottom, stroke="#b8b8b8"))
            if likely:
                high = BAR_HEIGHT * likely
                parts.append(tag("rect", x=at, y=bottom - high, width=BAR, height=high,
                                 fill=color_of(self.replier), fill_opacity=0.75))  # fmt: skip
            ink = "#333333" if name in beliefs else "#b8b8b8"
            parts.append(label(short, at + BAR / 2, bottom + 9, NAME_SIZE, ink, anchor="middle"))
        begin = left + (len(self.names) * (BAR + BETWEEN) + GAP if beliefs else 0.0)
        parts.append(label(self.worth(node), begin, y + 16, NAME_SIZE + 1, "#333333", **HALO))
        return "".join(parts)

    def legend(self) -> tuple[str, float]:
        """Return what marks and bars mean, and where that ends."""
        marks, x = super().legend()
        words = f"bars: player {self.replier + 1}'s beliefs about what is hidden"
        y = 42.0
        bar = tag("rect", x=x, y=y - 6, width=BAR, height=12, fill=color_of(self.replier),
                  fill_opacity=0.75)  # fmt: skip
        written = label(words, x + BAR + GAP, y + 4, ACTION_SIZE, GRAY)
        return marks + bar + written, x + BAR + GAP + room_for(words, ACTION_SIZE)

    def caption(self) -> str:
        """Return what to see."""
        who = f"Player {self.replier + 1}"
        return (
            f"Read from left to right. {who} replies to a fixed strategy, so all other players are nature: their"
            " actions have probabilities. The bars show what it believes about what is hidden, by Bayes' rule. On the"
            f" right stands what it wins on average at that end, in {self.rules.unit.plural}, and how often a best"
            " response gets there. Its lines are thick where it goes and dotted where it never goes."
        )
