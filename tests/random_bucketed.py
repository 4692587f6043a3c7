"""Random buckets, random profiles of bucketed hold'em, and the same as functions of the betting."""

import ast
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import random_stream
from pokerlab.games import Profile, SequenceForm
from pokerlab.holdem.bucketed_holdem import BucketedHoldem, BucketedProfile
from pokerlab.holdem.buckets import Buckets, validate_bucket_counts
from pokerlab.holdem.hand import ACTIONS
from tests.oracles.bucketed_holdem import Behavior, Betting


def random_buckets(counts: int | tuple[int, int, int, int] = 6, *, seed: int = 1) -> Buckets:
    """Return the random buckets of `seed`: all chances positive, the higher bucket ahead."""
    luck = random_stream(seed, "random buckets")
    sizes = validate_bucket_counts(counts)
    edges = [np.sort(luck.random(2 * size)) for size in sizes]
    lowest, highest = [edge[0::2] for edge in edges], [edge[1::2] for edge in edges]
    return Buckets(
        sizes,
        luck.dirichlet(np.full(sizes[0], 2.0)),
        tuple(luck.dirichlet(np.full(then, 2.0), size=now) for now, then in pairwise(sizes)),
        random_showdown(luck, sizes[-1]),
        tuple((up[:-1] + low[1:]) / 2 for low, up in zip(lowest, highest, strict=True)),
        tuple(lowest),
        tuple(highest),
        f"random, seed {seed}",
    )


def evenly_cut(counts: int | tuple[int, int, int, int], *, seed: int = 1) -> Buckets:
    """Return the same buckets with bounds evenly where most win probabilities of real cards lie."""
    buckets = random_buckets(counts, seed=seed)
    bounds = tuple(np.linspace(0.3, 0.7, count + 1)[1:-1] for count in buckets.counts)
    lowest = tuple(np.append(0.0, cuts) for cuts in bounds)
    highest = tuple(np.append(cuts - 1e-9, 1.0) for cuts in bounds)
    return replace(buckets, bounds=bounds, lowest=lowest, highest=highest)


def random_showdown(luck: np.random.Generator, size: int) -> NDArray[np.float64]:
    """Return shares of the pot: own bucket in rows, a half against the same."""
    ahead = np.tril(luck.uniform(0.5, 1.0, (size, size)), -1)
    return ahead + np.triu(1 - ahead.T, 1) + np.eye(size) / 2


def random_table(game: BucketedHoldem, seed: int) -> BucketedProfile:
    """Return a profile by situation, all possible actions with a positive probability."""
    weights = random_stream(seed, "random table").exponential(
        size=(len(game.tree.situations), max(game.buckets.counts), len(ACTIONS))
    )
    weights *= game.is_legal[:, None]
    return BucketedProfile(game, weights / weights.sum(axis=2, keepdims=True))


def random_profile(game: BucketedHoldem, seed: int) -> BucketedProfile:
    """Return a profile by decision, some actions never taken."""
    luck = random_stream(seed, "random profile")
    size = game.tree.num_decisions, max(game.buckets.counts), len(ACTIONS)
    weights = luck.exponential(size=size) * (luck.random(size) < 0.8)
    weights[..., 1] += 1e-3
    weights *= game.tree.is_legal[:, None]
    return BucketedProfile(game, weights / weights.sum(axis=2, keepdims=True))


def betting_of(game: BucketedHoldem, node: int) -> Betting:
    """Return the actions on each street that lead to `node`."""
    streets: list[tuple[str, ...]] = [()]
    for action in game.tree.list_actions_to(node):
        if action == "deal":
            streets.append(())
        else:
            streets[-1] = (*streets[-1], action)
    return tuple(streets)


def behavior_of(profile: BucketedProfile) -> Behavior:
    """Return the profile as the reference reads it."""
    game = profile.game
    tree = game.tree
    number = {betting_of(game, int(node)): d for d, node in enumerate(tree.decision_node)}
    chances = profile.decision_probabilities

    def behavior(seat: int, betting: Betting, bucket: int) -> dict[str, float]:
        decision = number[betting]
        assert seat == tree.actor[tree.decision_node[decision]]
        return dict(zip(ACTIONS, chances[decision, bucket].tolist(), strict=True))

    return behavior


def remembered(profile: BucketedProfile, game: SequenceForm) -> Profile:
    """Return the same behavior for players who know all their buckets."""
    holdem = profile.game
    number = {betting_of(holdem, int(n)): d for d, n in enumerate(holdem.tree.decision_node)}
    chances = profile.decision_probabilities
    table = {}
    for player, label in game.infoset_index:
        cut = label.index(")") + 1
        own, betting = ast.literal_eval(label[:cut]), ast.literal_eval(label[cut:].strip())
        row = chances[number[betting], own[-1]]
        actions = game.action_label[game.find_infoset(player, label)]
        table[player, label] = {a: row[ACTIONS.index(a)] for a in actions}
    return Profile.from_table(game, table)
