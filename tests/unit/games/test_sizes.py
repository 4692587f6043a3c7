"""How large each game is: published sizes, or counts by hand."""

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.games import SequenceForm

MOST_SECONDS = 30.0  # of the processor, so that a busy machine fails nothing
MOST_MEGABYTES = 1000.0


def sizes(game: SequenceForm) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    return game.num_infosets, game.num_sequences, game.num_histories_ended


@pytest.mark.parametrize(
    ("num_players", "infosets", "ends"), [(2, 6, 30), (3, 16, 312), (4, 40, 3960), (5, 96, 58320)]
)
def test_kuhn(num_players: int, infosets: int, ends: int) -> None:
    game = pl.games.kuhn(num_players)
    assert sizes(game) == ((infosets,) * num_players, (1 + 2 * infosets,) * num_players, ends)


@pytest.mark.parametrize("ranks", [3, 4, 8, 13, 20])
def test_one_card_poker(ranks: int) -> None:
    ends = 5 * ranks * (ranks - 1)  # five ways to end a deal
    assert sizes(pl.games.one_card_poker(ranks)) == ((2 * ranks,) * 2, (1 + 4 * ranks,) * 2, ends)


def test_leduc() -> None:
    game = pl.games.leduc()
    assert sum(game.num_infosets) == 936
    assert sum(pl.games.leduc(isomorphic=True).num_infosets) == 288


def test_two_round_poker() -> None:
    """The paper's 2162 sequences are one more than there are."""
    game = pl.games.two_round_poker()
    assert game.num_infosets == (864, 864)
    assert game.num_sequences == (2161, 2161)


@pytest.mark.parametrize(
    ("make", "setting", "words"),
    [
        (pl.games.kuhn, {"num_players": 1}, "num_players is 1; it must be an integer from 2 to 7"),
        (pl.games.kuhn, {"num_players": 2.0}, "num_players is 2.0; it must be an integer"),
        (pl.games.leduc, {"num_players": 4}, "num_players is 4; it must be an integer from 2 to 3"),
        (pl.games.leduc, {"isomorphic": 1}, "isomorphic is 1; it must be True or False"),
        (pl.games.two_round_poker, {"bets_per_round": 0}, "bets_per_round is 0; .* from 1 to 6"),
        (pl.games.two_round_poker, {"isomorphic": None}, "isomorphic is None; it must be True or"),
        (pl.games.two_round_poker, {"deck": "rank"}, r"no deck 'rank'.*Did you mean 'ranks'"),
        (pl.games.two_round_poker, {"deck": ["ranks"]}, r"no deck '\['ranks'\]'; there are"),
        (
            pl.games.one_card_poker,
            {"ranks": 2},
            "ranks is 2; it must be an integer from 3 to 2,?000",
        ),
        (pl.games.one_card_poker, {"ranks": 2001}, "ranks is 2001; it must be an integer from 3"),
        (pl.games.one_card_poker, {"ranks": True}, "ranks is True; it must be an integer"),
        (
            pl.games.small_poker.make_kuhn_rules,
            {"num_players": "3"},
            "num_players is '3'; it must be an",
        ),
        (
            pl.games.small_poker.make_two_round_rules,
            {"bets_per_round": [2]},
            r"bets_per_round is \[2\]",
        ),
    ],
)
def test_games_reject_wrong_parameters(make: Any, setting: Any, words: str) -> None:
    pl.games.one_card_poker(3)  # is known, and True is no 1 even so
    with pytest.raises(pl.core.PokerlabError, match=words):
        make(**setting)


def test_equal_parameters_compile_a_game_once() -> None:
    assert pl.games.kuhn(np.int64(2)) is pl.games.kuhn()  # type: ignore[arg-type]
    assert pl.games.leduc(num_players=2, isomorphic=False) is pl.games.leduc()


# On Linux a child's `ru_maxrss` begins at its parent's, so that Linux's own high-water mark is read.
REPORT_COST = """
import json, resource, sys, time
from pathlib import Path
import pokerlab as pl
begin = time.process_time()
game = {call}
seconds = time.process_time() - begin
if sys.platform == "linux":
    peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]
    megabytes = int(peak) / 1e3
else:
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
print(json.dumps([game.num_infosets, game.num_histories_ended, seconds, megabytes]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "infosets", "ends"),
    [
        ("pl.games.compile_rules(pl.games.kuhn(6).rules)", [224] * 6, 972720),
        ("pl.games.leduc(3)", [8600] * 3, 1043952),
    ],
)
def test_the_largest_games_compile_in_half_a_minute_and_a_gigabyte(
    call: str, infosets: list[int], ends: int
) -> None:
    answer = subprocess.run(
        [sys.executable, "-c", REPORT_COST.format(call=call)],
        capture_output=True,
        check=True,
        text=True,
    )
    found_infosets, found_ends, seconds, megabytes = json.loads(answer.stdout)
    assert (found_infosets, found_ends) == (infosets, ends)
    assert seconds < MOST_SECONDS
    assert megabytes < MOST_MEGABYTES
