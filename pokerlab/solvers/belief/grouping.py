"""What a replier cannot tell apart: the histories of a game, grouped into the nodes of a belief MDP.

How to read it. `histories_ahead` makes every history, with the information sets that the replier may meet next;
`grow` groups them. A node holds a replier's possible histories, its hypotheses. At a node of chance or of another
player one event happens to each hypothesis whose turn it is, and the others wait; then the replier sees what it may
see. The information sets decide that: two hypotheses stay together if some information set of the replier, the next
one to be met, can still be reached from both. Hypotheses that end in different sets anyway are told apart at once,
and this is the finest grouping that gives nothing away: before the set is met the replier has no choice that the
knowledge could change. So each information set is exactly one node. Hypotheses after which the replier decides no
more are grouped by the event that led to them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pokerlab.core import GameError
from pokerlab.games import Chance, Decision, SequenceForm, Terminal
from pokerlab.games.rules import Turn

TERMINAL, DECISION, CHANCE, OTHER = range(4)
MOST_ENDS = 300_000
"""Most histories that end the hand. In all there are up to twice as many, of half a kilobyte each."""


class Continuation(NamedTuple):
    """One way in which a history goes on."""

    event: str  # a player's action or an outcome of chance
    chance: float  # probability of an outcome; 1 for an action
    source: int  # where a profile has another player's probability of the action; -1 elsewhere
    after: "Moment"


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A history."""

    turn: Turn
    own: bool
    ahead: frozenset[int]  # the replier's information sets that may be met next, this one included
    branches: tuple[Continuation, ...]


def histories_ahead(game: SequenceForm, player: int) -> Moment:
    """Return the start of `game` as `player` meets it, and through it every history."""
    rules = game.rules
    if game.num_histories_ended > MOST_ENDS:
        raise GameError(
            f"{game.num_histories_ended} histories of {game.name} end the hand, too many for a tree of"
            f" beliefs; at most {MOST_ENDS} may. Use game.best_response, which needs no tree."
        )

    def moment(history: Any) -> Moment:
        turn = rules.turn(history)
        branches = tuple(
            Continuation(event, chance, source, moment(rules.after(history, event)))
            for event, chance, source in events(turn)
        )
        if own := isinstance(turn, Decision) and turn.player == player:
            ahead = frozenset([game.infoset_index[player, turn.infoset]])
        elif len(branches) == 1:
            ahead = branches[0].after.ahead
        else:
            ahead = frozenset().union(*(branch.after.ahead for branch in branches))
        return Moment(turn, own, ahead, branches)

    def events(turn: Turn) -> Iterator[tuple[str, float, int]]:
        if isinstance(turn, Chance):
            for outcome, probability in turn.outcomes.items():
                yield outcome, float(probability), -1
        elif isinstance(turn, Decision):
            infoset = game.infoset_index[turn.player, turn.infoset]
            first = int(game.first_sequence[infoset]) - game.num_players
            for a, action in enumerate(turn.actions):
                yield action, 1.0, -1 if turn.player == player else first + a

    return moment(rules.start())


class Hypothesis(NamedTuple):
    """A history in a node."""

    moment: Moment
    parent: int  # the hypothesis it comes from, by its number over all nodes; -1 at the start
    event: str  # what has happened since; empty where it waited
    chance: float  # of the event, as in `Continuation`
    source: int


class Group(NamedTuple):
    """A node: who moves, and the hypotheses."""

    kind: int  # TERMINAL, DECISION (the replier's), CHANCE or OTHER
    mover: int  # the player who decides; -1 where nobody does
    parent: int  # the node before; -1 at the start
    members: tuple[Hypothesis, ...]  # what the replier cannot tell apart


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
    if all(isinstance(m.turn, Terminal) for m in moments):
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
        turn = moment.turn
        decides = isinstance(turn, Decision) and turn.player == node.mover
        if decides or isinstance(turn, Chance):  # which no node but one of chance has
            for k, (event, chance, source, following) in enumerate(moment.branches):
                after.append(Hypothesis(following, number, event, chance, source))
                place.append(k)
        else:
            after.append(Hypothesis(moment, number, "", 1.0, -1))
            place.append(0)
    seen = [h.event for h in after] if node.kind == DECISION else observations(after)
    return by_observation(seen, place, after)


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
        else (hypothesis.event, isinstance(hypothesis.moment.turn, Terminal))
        for hypothesis in after
    ]


def by_observation(
    seen: Sequence[object], place: list[int], after: list[Hypothesis]
) -> list[tuple[Hypothesis, ...]]:
    """Return the hypotheses by what is seen; the rules' order of events, as far as they have one."""
    groups: dict[object, list[int]] = {}
    for k, observation in enumerate(seen):
        groups.setdefault(observation, []).append(k)
    ordered = sorted(groups.values(), key=lambda group: sum(place[k] for k in group) / len(group))
    return [tuple(after[k] for k in group) for group in ordered]
