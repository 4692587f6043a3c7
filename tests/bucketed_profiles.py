"""Random profiles of bucketed hold'em, and the same as functions of the betting."""

from pokerlab.core import stream
from pokerlab.holdem.betting.actions import ACTIONS
from pokerlab.holdem.limit_game.bucketed_holdem import BucketedHoldem, BucketedProfile
from tests.oracles.bucketed_holdem import Behavior, Betting


def random_table(game: BucketedHoldem, seed: int) -> BucketedProfile:
    """Return a profile by situation, all possible actions with a positive probability."""
    weights = stream(seed, "random table").exponential(
        size=(len(game.tree.situations), max(game.buckets.counts), len(ACTIONS))
    )
    weights *= game.legal[:, None]
    return BucketedProfile(game, weights / weights.sum(axis=2, keepdims=True))


def random_profile(game: BucketedHoldem, seed: int) -> BucketedProfile:
    """Return a profile by decision, some actions never taken."""
    luck = stream(seed, "random profile")
    size = game.tree.num_decisions, max(game.buckets.counts), len(ACTIONS)
    weights = luck.exponential(size=size) * (luck.random(size) < 0.8)
    weights[..., 1] += 1e-3
    weights *= game.tree.legal[:, None]
    return BucketedProfile(game, weights / weights.sum(axis=2, keepdims=True))


def betting_of(game: BucketedHoldem, node: int) -> Betting:
    """Return the actions on each street that lead to `node`."""
    streets: list[tuple[str, ...]] = [()]
    for action in game.tree.actions_to(node):
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
    chances = profile.by_decision

    def behavior(seat: int, betting: Betting, bucket: int) -> dict[str, float]:
        decision = number[betting]
        assert seat == tree.actor[tree.decision_node[decision]]
        return dict(zip(ACTIONS, chances[decision, bucket].tolist(), strict=True))

    return behavior
