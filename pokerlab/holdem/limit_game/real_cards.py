"""The worst case of a bucketed strategy with real cards: what whoever knows it and sees all cards wins.

How to read it. Once the betting before the flop is known, every flop is a game of its own: what the best reply wins
there is computed for each starting hand and each such betting (`flop_replies`). Only decisions before the flop see the
average over flops (`sampled_flops`). So flops can be shared out, kept one by one, and sampled. That one pass over the
public tree suffices, because the opponent does not see the reply's cards, is Johanson and others' idea (IJCAI 2011).
"""

import warnings
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from pokerlab.core import CheckpointError, FileFormatError
from pokerlab.core.arrays import Floats
from pokerlab.core.cache import digest
from pokerlab.core.files import read_path
from pokerlab.core.kept import Kept, claim
from pokerlab.core.workers import PIECES, SHOWN_AFTER, on_cluster, share_of
from pokerlab.holdem.cards.deck import FLOP, NUM_STREETS
from pokerlab.holdem.cards.suits import canonical_boards, hand_classes
from pokerlab.holdem.limit_game.betting_tree import NUM_SEATS
from pokerlab.holdem.limit_game.bucketed_holdem import (
    BucketedHoldem,
    BucketedProfile,
    check_profile,
)
from pokerlab.holdem.limit_game.flop_replies import Exposed
from pokerlab.holdem.limit_game.real_player import structure_of
from pokerlab.holdem.limit_game.river_arrays import check_arrays
from pokerlab.holdem.limit_game.sampled_flops import FIT, by_starting_hand, choose_flops, estimated

FORMAT = "pokerlab replies on a flop 1"
TO_MBB = 1000.0 / NUM_SEATS
AT_ONCE = 64
"""Flops that a cluster computes before they are kept."""


class RealWorstCase(NamedTuple):
    """What a best response with real cards wins."""

    small_bets: float  # in both seats together: the exploitability with real cards
    mbb: float  # a hand, on average over the seats, in thousandths of the big blind, a small bet
    error: float  # standard error of `mbb`; 0 if all flops are seen
    bias: float  # by how much `mbb` is too large at most, on average; 0 if all flops are seen
    by_seat: tuple[float, ...]  # small bets on the button, and in the big blind
    by_street: tuple[float, ...]  # small bets in both seats, by the street on which hands end
    num_flops: int
    seed: int | None

    def __str__(self) -> str:
        sampled = f" ± {self.error:.1f}, at most {self.bias:.1f} too many" if self.error else ""
        return f"{self.mbb:.3f} mbb a hand{sampled}, by {self.num_flops:,} flops"


def real_worst_case(
    game: BucketedHoldem,
    profile: BucketedProfile,
    *,
    flops: int | None = None,
    seed: int | None = None,
    workers: Any = 1,
    client: Any = None,
    checkpoint: str | Path | None = None,
    arrays: Any = None,
) -> RealWorstCase:
    """Return what a best response with real cards wins from a profile, in both seats.

    Exact up to the rounding of float32. All flops take one core two to three hours, a hundred some eight minutes;
    less where the profile never comes to most lines of betting.

    Parameters
    ----------
    game : BucketedHoldem
        The game of the profile, with the betting of tables.
    profile : BucketedProfile
        The strategy; it plays its hands by the bucket of their exact win probability.
    flops : int, optional
        How many of the 1,755 flops that suits leave different are drawn, 12 or more; all if left out.
    seed : int, optional
        Of the flops.
    workers : int, distributed.Client or str
        Threads, 1 to 256; or a cluster.
    client : distributed.Client or str, optional
        A cluster in place of `workers`.
    checkpoint : path, optional
        A folder that keeps what is won on each flop: a call that was stopped or killed goes on from there. A damaged
        file is made again, with a warning.
    arrays : module, optional
        An array library with numpy's functions, such as `cupy` or `jax.numpy`, which plays rivers in place of the
        compiled kernel: the same numbers up to rounding. Of use on an accelerator only: an NVIDIA H100 did the work
        of two to three cores with cupy, and of half a core with jax.numpy.

    Raises
    ------
    SettingError
        If a number is out of range, a seed is missing, `arrays` lacks a function, or no table plays the betting.
    CheckpointError
        If the folder keeps another strategy, or another process uses it.
    """
    check_profile(game, profile)
    structure_of(profile)  # refuses what no table plays
    chosen = choose_flops(flops, seed)
    if arrays is not None:
        check_arrays(arrays)
    exposed = Exposed(profile, arrays=arrays)
    won = won_on(exposed, chosen.number.tolist(), client or workers, checkpoint)
    parts, error, bias = estimated(exposed, chosen, won)
    by_seat, by_street = (tuple(parts.sum(axis=axis).tolist()) for axis in (1, 0))
    total = float(parts.sum())
    in_mbb = TO_MBB * total, TO_MBB * error, TO_MBB * bias
    return RealWorstCase(total, *in_mbb, by_seat, by_street, len(won), seed)


def won_on(exposed: Exposed, flops: list[int], workers: Any, folder: str | Path | None) -> Floats:
    """Return what the best reply wins from flops on, (n, 2, 3, 169, beginnings); a folder keeps it flop by flop."""
    share, found = share_of(workers), dict[int, Floats]()
    at_once = AT_ONCE if on_cluster(workers) else max(1, PIECES * (workers - 1))
    with ExitStack() as stack:
        if folder is not None:
            home, game = read_path("checkpoint", folder), exposed.profile.game
            decides = {f"bounds {k}": each for k, each in enumerate(game.buckets.bounds)}
            decides["play"] = exposed.profile.by_decision
            about = {"format": FORMAT, "game": game.fingerprint, "strategy": digest(decides)}
            stack.callback(claim(home / "flops").release)
            for flop in flops:
                kept = kept_flop(home / f"{flop}.npz", about, exposed)
                if kept is not None:
                    found[flop] = kept
        left = [flop for flop in flops if flop not in found]
        bar = tqdm(
            total=len(flops), initial=len(found), unit=" flops", delay=SHOWN_AFTER, leave=False
        )
        stack.enter_context(bar)
        for begin in range(0, len(left), at_once):
            some = left[begin : begin + at_once]
            parts = share(partial(won_on_some, exposed, some), 0, len(some))
            for flop, won in zip(some, np.concatenate(parts), strict=True):
                found[flop] = won
                if folder is not None:
                    Kept(about, {"won": won}).save(home / f"{flop}.npz")
                bar.update()
    return np.array([found[flop] for flop in flops])


def kept_flop(path: Path, about: Mapping[str, Any], exposed: Exposed) -> Floats | None:
    """Return what a file keeps as won on a flop; None if there is no file, or it is damaged."""
    if not path.exists():
        return None
    beginnings = int(exposed.profile.game.lanes.streets["starts"][FLOP])
    wanted = (NUM_SEATS, NUM_STREETS - 1, hand_classes(2).size, beginnings)
    try:
        won = Kept.load(path, FORMAT, about).arrays.get("won")
        if not isinstance(won, np.ndarray) or won.dtype != np.float64 or won.shape != wanted:
            raise FileFormatError(f"it does not hold numbers of shape {wanted}")
        if not np.isfinite(won).all():
            raise FileFormatError("it holds numbers that are not finite")
    except CheckpointError:
        raise
    except FileFormatError as error:
        warnings.warn(f"{path} is damaged ({error}); it is made again.", stacklevel=4)
        return None
    return won


def won_on_some(exposed: Exposed, flops: list[int], low: int, high: int) -> Floats:
    """Return what is won from some of these flops on."""
    boards = canonical_boards(3)[0][flops[low:high]]
    return FIT * by_starting_hand(np.array([exposed.on_flop(board) for board in boards]))
