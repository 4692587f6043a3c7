"""What a replier cannot tell apart: the histories of a game grouped into the nodes of a belief MDP.

How to read it. A node holds a replier's possible histories, its hypotheses. At a node of chance or
of another player one event happens to each hypothesis whose turn that is, the others wait; then the
replier sees what it may see. That is decided by the information sets: two hypotheses stay together
where some information set of the replier, the next one to be met, can still be reached from both.
What ends in different sets anyhow is told apart at once, and this is the finest grouping that gives
nothing away: before the set is met the replier has no choice that the knowledge could change. So each
information set is exactly one node. Hypotheses from which the replier decides no more are grouped by
the event that led to them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pokerlab.games import Chance, Decision, SequenceForm
from pokerlab.solvers.belief.histories_ahead import Moment, histories_ahead, is_over

TERMINAL, DECISION, CHANCE, OTHER = range(4)


class Hypothesis(NamedTuple):
    """A history in a node.

    Attributes
    ----------
    moment : Moment
        The history.
    parent : int
        The hypothesis it comes from, by its number over all nodes; -1 at the start.
    event : str
        What has happened since; empty where it waited.
    chance, source : float, int
        Probability of the event: by chance, and where a profile has it, as in `Branch`.
    """

    moment: Moment
    parent: int
    event: str
    chance: float
    source: int


class Group(NamedTuple):
    """A node: who moves, and the hypotheses.

    Attributes
    ----------
    kind : int
        TERMINAL, DECISION (the replier's), CHANCE or OTHER.
    mover : int
        The player who decides; -1 where nobody does.
    parent : int
        The node before; -1 at the start.
    members : tuple of Hypothesis
        What the replier cannot tell apart.
    """

    kind: int
    mover: int
    parent: int
    members: tuple[Hypothesis, ...]


def grow(game: SequenceForm, player: int) -> list[Group]:
    """Return the nodes of the belief MDP of `player`: level by level, siblings next to each other."""
    start = (Hypothesis(histories_ahead(game, player), -1, "", 1.0, -1),)
    nodes = [group(-1, start, player)]
    first = 0  # number of the node's first hypothesis
    for number, node in enumerate(nodes):  # which grows as it is gone through
        nodes += [group(number, members, player) for members in children(node, first)]
        first += len(node.members)
    return nodes


def group(parent: int, members: tuple[Hypothesis, ...], player: int) -> Group:
    """Return the node of these hypotheses.

    Where several kinds of moments meet chance comes first, then the lowest of the others.
    """
    moments = [hypothesis.moment for hypothesis in members]
    if all(map(is_over, moments)):
        return Group(TERMINAL, -1, parent, members)
    if all(moment.own and moment.ahead == moments[0].ahead for moment in moments):
        return Group(DECISION, player, parent, members)
    movers = [m.turn.player for m in moments if isinstance(m.turn, Decision) and not m.own]
    if any(isinstance(m.turn, Chance) for m in moments) or not movers:
        return Group(CHANCE, -1, parent, members)
    return Group(OTHER, min(movers), parent, members)


def children(node: Group, first: int) -> list[tuple[Hypothesis, ...]]:
    """Return the hypotheses of each child; the node's own are numbered from `first`."""
    if node.kind == TERMINAL:
        return []
    after: list[Hypothesis] = []
    place: list[int] = []  # of the event among those that were possible
    for number, hypothesis in enumerate(node.members, start=first):
        moment = hypothesis.moment
        if moves(node, moment):
            for k, (event, chance, source, following) in enumerate(moment.branches):
                after.append(Hypothesis(following, number, event, chance, source))
                place.append(k)
        else:
            after.append(Hypothesis(moment, number, "", 1.0, -1))
            place.append(0)
    seen = [h.event for h in after] if node.kind == DECISION else observations(after)
    return collected(seen, place, after)


def moves(node: Group, moment: Moment) -> bool:
    """Return whether it is the turn of a hypothesis of `node`, rather than to wait."""
    if node.kind == CHANCE:
        return isinstance(moment.turn, Chance)
    return isinstance(moment.turn, Decision) and moment.turn.player == node.mover


def observations(after: list[Hypothesis]) -> list[object]:
    """Return for each hypothesis what the replier sees; equal where it cannot tell them apart."""
    merged: dict[int, int] = {}  # information sets that stay together, each with one of the others

    def representative(infoset: int) -> int:
        while (other := merged.setdefault(infoset, infoset)) != infoset:
            merged[infoset] = merged[other]
            infoset = other
        return infoset

    for hypothesis in after:
        ahead = [representative(infoset) for infoset in hypothesis.moment.ahead]
        for infoset in ahead:
            merged[representative(infoset)] = representative(ahead[0])
    return [
        representative(next(iter(hypothesis.moment.ahead)))
        if hypothesis.moment.ahead
        else (hypothesis.event, is_over(hypothesis.moment))
        for hypothesis in after
    ]


def collected(
    seen: Sequence[object], place: list[int], after: list[Hypothesis]
) -> list[tuple[Hypothesis, ...]]:
    """Return the hypotheses by what is seen; the rules' order of events, as far as they have one."""
    groups: dict[object, list[int]] = {}
    for k, observation in enumerate(seen):
        groups.setdefault(observation, []).append(k)
    ordered = sorted(groups.values(), key=lambda group: sum(place[k] for k in group) / len(group))
    return [tuple(after[k] for k in group) for group in ordered]
