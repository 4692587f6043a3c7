"""A contest for a class: what is wrong with a submission is named, and disturbs nobody else."""

import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import pokerlab as pl
from contests.answering import make_hook
from contests.standings import Leaderboard, find_submissions, rank_submissions, read_tuple_table
from pokerlab.core import GameError, SettingError, UnknownNameError
from pokerlab.papers import samothrakis2011_holdem

KINGS = "def strategy(card, before):\n    return float(card == 'K')\n"
COIN = "def strategy(card, before):\n    return 0.5\n"
FINE = {"bluffer": "def strategy(*seen):\n    return 1\n", "kings": KINGS}
PEEP = "from pathlib import Path\ntry:\n    list(Path({folder!r}).glob('*.py'))\nexcept OSError:\n    pass\n"
WRONG = {
    "answers a set": ("def strategy(*seen):\n    return {1}", "broken: TypeError: an answer is of type set"),
    "answers a text": ("def strategy(*seen):\n    return '1'", "broken: strategy('J', '') is '1'"),
    "answers too much": ("def strategy(*seen):\n    return 1.5", "broken: strategy('J', '') is 1.5"),
    "answers nan": ("def strategy(*seen):\n    return float('nan')", "broken: strategy('J', '') is nan"),
    "broken": ("def strategy(*seen):\n    x = {}\n    return x['K']", "broken: line 3: KeyError: 'K'"),
    "broken in a helper": (
        "def lookup(card):\n    return {}[card]\ndef strategy(*seen):\n    return lookup('K')",
        "broken: line 2: KeyError: 'K'",
    ),
    "crashes": ("import os\ndef strategy(*seen):\n    os._exit(3)", "crashed: its process ended with code 3"),
    "connects": (
        "import socket\nsocket.create_connection(('127.0.0.1', 9))",
        "broken: line 2: PermissionError: ",
    ),
    "dawdles": (
        "import time\ndef strategy(*seen):\n    time.sleep(0.4)\n    return 1",
        "too slow: over 4 s",
    ),
    "forks": ("import os\nos.fork()", "broken: line 2: PermissionError: os.fork is not allowed"),
    "has no function": ("x = 1", "broken: NameError: there is no function 'strategy'"),
    "imports nothing": ("import no_such_module", "broken: line 1: ModuleNotFoundError"),
    "kills": ("import os\nos.kill(os.getppid(), 9)", "broken: line 2: PermissionError: os.kill"),
    "leaves": ("raise SystemExit", "broken: line 1: SystemExit"),
    "no Python": ("def strategy(", "broken: line 1: SyntaxError: '(' was never closed"),
    "other programs": ("import os\nos.system('true')", "broken: line 2: PermissionError: os.system"),
    "other text": ("import os\nfor f in range(3, 20):\n    try:\n        os.write(f, b'x' * 2**21)\n"
                   "    except OSError:\n        pass", "broken: an answer is not JSON"),
    "peeps": (PEEP + COIN, "not allowed: it opens all, which is closed to it"),
    "peeps at the teacher": (
        "import os\nopen(f'/proc/{os.getppid()}/environ')",
        "not allowed: it opens environ, which is closed to it",
    ),
    "peeps into a file": (
        "open({folder!r} + '/kings.py')",
        "not allowed: it opens kings.py, which is closed to it",
    ),
    "peeps by import": ("import sys\nsys.path.append({folder!r})\nimport kings", "not allowed: it opens"),
    "writes much": (
        "open('much', 'wb').write(bytes(2**25))",
        "broken: line 1: OSError: [Errno 27] File too large",
    ),
    "writes elsewhere": (
        "from pathlib import Path\nPath({folder!r}).with_name('loot').write_text('')",
        "broken: line 2: PermissionError: a submission may write in its own folder",
    ),
    "slow": ("import time\ndef strategy(*seen):\n    time.sleep(99)", "too slow: over 4 s"),
    "takes memory": ("x = bytearray(2**31)", "memory: over 512 MB"),
}  # fmt: skip
HANDS = ("rock", "paper", "scissors")
BEATS = "dict(zip(('rock', 'paper', 'scissors'), ('paper', 'scissors', 'rock')))"
MOVERS = {
    "beats": f"def strategy(mine, theirs):\n    return {BEATS}[theirs[-1]] if theirs else 'rock'",
    "copies": "def strategy(mine, theirs):\n    return theirs[-1] if theirs else 'rock'",
    "counts": f"calls = []\ndef strategy(mine, theirs):\n    calls.append(1)\n    return {HANDS}[len(calls) % 3]",
}


def write(folder: Path, texts: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(
            text.replace("{folder!r}", repr(str(folder))), encoding="utf-8"
        )
    return folder


def wins_in_two(a, b, seed: int) -> float:
    """What one wins at rock, paper, scissors in two rounds."""
    mine: list[str] = []
    theirs: list[str] = []
    for _ in range(2):
        now = a(mine, theirs), b(theirs, mine)
        mine.append(now[0])
        theirs.append(now[1])
    return sum(
        (0, 1, -1)[(HANDS.index(x) - HANDS.index(y)) % 3] for x, y in zip(mine, theirs, strict=True)
    )


def of_movers(folder: Path, texts: dict[str, str]) -> Leaderboard:
    contest = pl.games.contest(wins_in_two, name="two rounds", unit=pl.core.POINTS)
    return rank_submissions(write(folder, texts), contest, answers=HANDS, meetings=2, seconds=4)


def test_what_is_wrong_is_named_and_disturbs_nobody(tmp_path: Path) -> None:
    alone = rank_submissions(write(tmp_path / "fine", FINE), "kuhn")
    texts = FINE | {name: text for name, (text, _) in WRONG.items()}
    found = rank_submissions(write(tmp_path / "all", texts), "kuhn", seconds=4, megabytes=512)
    assert alone.broken == {}
    assert found.broken.keys() == WRONG.keys()
    assert {n: why for n, why in found.broken.items() if not why.startswith(WRONG[n][1])} == {}
    assert found.names == alone.names == ("bluffer", "kings", "equilibrium", "coin tosser")
    for name in ("table", "errors", "prices"):
        assert getattr(found, name).tobytes() == getattr(alone, name).tobytes()


def test_prices_and_winnings_are_those_of_the_game(tmp_path: Path) -> None:
    patched = "import pokerlab as pl\npl.games.kuhn = pl.metrics.nash_conv = None\n"
    noisy = "def strategy(*seen):\n    print('x' * 10**7)\n    return 0.5"
    texts = {
        "always bets": FINE["bluffer"],
        "kings": KINGS,
        "noisy": noisy,
        "patches": patched + COIN,
    }
    found = rank_submissions(write(tmp_path, texts), "kuhn", seconds=60)
    assert found.broken == {}
    np.testing.assert_allclose(found.prices, [100 / 3, 25, 275 / 6, 275 / 6, 0, 275 / 6], atol=1e-9)
    np.testing.assert_allclose(found.table, -found.table.T, atol=1e-9)
    rows = dict(zip(found.names, found.table, strict=True))
    assert rows["patches"].tolist() == rows["noisy"].tolist() == rows["coin tosser"].tolist()
    assert (rows["equilibrium"] > -1e-9).all()
    assert found.ratings.intervals == {}


def test_names_can_be_shown_and_are_different(tmp_path: Path) -> None:
    names = ("CFR+", "a|b", "a<b", "$x$", "Zoë", "x" * 40, "._rubbish")
    (tmp_path / "folder.py").mkdir()
    found = find_submissions(write(tmp_path, dict.fromkeys(names, COIN)), ("CFR+",))
    assert set(found) == {"CFR+ (2)", "a?b", "a?b (2)", "?x?", "Zoë", "x" * 24}


def test_a_folder_without_submissions_is_an_error(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(SettingError, match=r"there are no submissions in .*a file NAME\.py"):
            rank_submissions(folder, "kuhn")
    with pytest.raises(UnknownNameError, match="no contest 'poker'; there are: kuhn, limit"):
        rank_submissions(tmp_path, "poker")


def test_tables_of_limit_holdem_say_what_the_function_says() -> None:
    encoding = pl.holdem.TupleTable(
        samothrakis2011_holdem.make_six_bucket_game(), positive="absolute"
    )
    for answer, same in (([0, 1, 0], "call"), ([0, 0, 0.5], "raise"), ([1, 0, 0], "fold")):
        profile = read_tuple_table(lambda *given, answer=answer: answer, encoding=encoding)
        wanted = getattr(samothrakis2011_holdem.make_six_bucket_game(), f"always_{same}")()
        assert encoding.game.nash_conv(profile) == encoding.game.nash_conv(wanted)
    seen = []
    read_tuple_table(lambda *given: seen.append(given) or [0, 1, 0], encoding=encoding)
    assert len(set(seen)) == 228
    assert max(seen) == (3, 5, True, 2, 2)
    with pytest.raises(
        SettingError, match=r"strategy\(0, 0, True, 0, 0\) is \[0, 0\]; give chances to fold, call"
    ):
        read_tuple_table(lambda *given: [0, 0], encoding=encoding)
    with pytest.raises(SettingError, match=r"is \[0, 0\.0, 0\]; give chances to fold, call"):
        read_tuple_table(lambda *given: [0, 0.0, 0], encoding=encoding)


def test_functions_meet_move_by_move_and_remember_no_other_meeting(tmp_path: Path) -> None:
    alone = of_movers(tmp_path / "alone", MOVERS)
    lizard = "def strategy(mine, theirs):\n    return 'lizard' if mine else 'rock'"
    found = of_movers(tmp_path / "more", MOVERS | {"another": MOVERS["copies"], "lizard": lizard})
    assert alone.names == ("beats", "copies", "counts")
    # Counts goes on in the second meeting of a pair, and begins anew with another: paper, scissors; rock, paper.
    np.testing.assert_allclose(alone.table, [[0, 1, -0.5], [-1, 0, -1.5], [0.5, 1.5, 0]])
    assert found.broken.keys() == {"lizard"}
    assert found.broken["lizard"].startswith("broken: it answers 'lizard', which is none of")
    kept = [found.names.index(name) for name in alone.names]
    assert found.table[np.ix_(kept, kept)].tobytes() == alone.table.tobytes()


def test_genomes_are_checked_and_meet(tmp_path: Path) -> None:
    one = "import numpy as np\ndef strategy():\n    return np.array([0.25, 0.75])"
    texts = {
        "one": one,
        "two": "def strategy():\n    return 0, 1",
        "three": "def strategy():\n    return [0, 2]",
    }
    contest = pl.games.contest(
        lambda a, b, seed: float((a - b)[0]), name="sums", unit=pl.core.POINTS
    )
    found = rank_submissions(
        write(tmp_path, texts), contest, answers=pl.strategies.RealVector(2), meetings=2
    )
    assert found.names == ("one", "two")
    assert found.table.tolist() == [[0, 0.25], [-0.25, 0]]
    assert found.broken == {"three": "broken: gene 1 of genome 0 is 2; give a number from 0 to 1."}


def test_an_error_of_the_contest_is_the_teachers(tmp_path: Path) -> None:
    contest = pl.games.contest(lambda a, b, seed: a() / 0, name="slip", unit=pl.core.POINTS)
    texts = dict.fromkeys("ab", "def strategy():\n    return 1")
    with pytest.raises(GameError, match="ended with ZeroDivisionError"):
        rank_submissions(write(tmp_path, texts), contest, answers=(0, 1), meetings=2)
    with pytest.raises(SettingError, match="answers is empty; give an encoding"):
        rank_submissions(tmp_path, contest)


def test_hook_ordinary_attempt_is_named() -> None:
    told: list[dict[str, str]] = []

    def tell(answer: dict[str, str]) -> None:
        told.append(answer)
        raise EOFError  # where the process would end

    notice = make_hook(("/class", "/proc/1"), ("/room",), tell)
    for event in ("os.fork", "os.kill", "os.system", "subprocess.Popen", "socket.connect"):
        with pytest.raises(PermissionError, match=rf"{event} is not allowed in a submission"):
            notice(event, (1, 2))
    for path in ("/class", "/class/kings.py", "/proc/1/environ", b"/room/../class"):
        with pytest.raises(EOFError):
            notice("open", (path, "r", 0))
    with pytest.raises(EOFError):
        notice("os.listdir", ("/class",))
    said = ["class", "kings.py", "environ", "class", "class"]
    assert told == [
        {"wrong": f"not allowed: it opens {each}, which is closed to it"} for each in said
    ]
    for flags in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC):
        with pytest.raises(PermissionError, match="in its own folder, not in /elsewhere"):
            notice("open", ("/elsewhere", "w", flags))
        notice("open", ("/room/mine", "w", flags))
    with pytest.raises(PermissionError, match="in its own folder, not in /elsewhere"):
        notice("os.remove", ("/elsewhere", -1))
    notice("open", ("/elsewhere", "r", 0))
    notice("open", ("/classes", "r", 0))
    notice("import", ("os",))


def test_board_names_what_confined_the_submissions(tmp_path: Path) -> None:
    found = rank_submissions(write(tmp_path, FINE), "kuhn")
    assert re.fullmatch(
        r"limits(, Landlock \d+)?(, seccomp)?(, no (limit of [a-z ]+|process options|Landlock|seccomp))*",
        found.confined_by,
    )
    if sys.platform == "linux":
        assert found.confined_by.startswith("limits, ")


def test_limit_board_of_known_players_is_in_big_blinds(tmp_path: Path) -> None:
    texts = {
        "folds": "def strategy(*seen):\n    return 1, 0, 0",
        "raises": "def strategy(*seen):\n    return 0, 0, 1",
    }
    boards = [
        rank_submissions(write(tmp_path, texts), "limit", meetings=100, seed=seed)
        for seed in range(1, 7)
    ]
    folds, raises, equilibrium = map(boards[0].names.index, ("folds", "raises", "CFR+"))
    for board in boards:
        # It folds half a blind in one seat and a whole one in the other: 50 times each.
        assert board.table[folds, raises] == pytest.approx(-75)
        assert board.errors[folds, raises] == 0
        # The best opponent takes the blinds, too.
        assert board.prices[folds] == pytest.approx(75)
        assert board.unit == "BB/100"
    won = [board.table[raises, equilibrium] for board in boards]
    # The spread of six boards is in this range in 999 of 1,000 cases.
    errors = np.mean([board.errors[raises, equilibrium] for board in boards])
    assert 0.2 < np.std(won, ddof=1) / errors < 2.1


def test_own_board_of_known_results_has_means_and_errors(tmp_path: Path) -> None:
    won: dict[int, float] = {}
    kinds = set()

    def play(a, b, seed: int) -> float:
        one, other = a(), b()
        kinds.update({type(one), type(other)})
        if one != other:
            won[seed] = float(1 + seed % 7)
        return (one - other) * (1.0 + seed % 7)

    contest = pl.games.contest(play, name="a little luck", unit=pl.core.POINTS)
    texts = {
        "one": "def strategy():\n    return True",
        "zero": "def strategy():\n    return 0.0",
    }
    found = rank_submissions(write(tmp_path, texts), contest, answers=(0, 1), meetings=5)
    results = [*won.values()]
    assert len(results) == 5
    assert np.std(results) > 0
    assert found.names == ("one", "zero")
    assert found.table[0, 1] == -found.table[1, 0] == pytest.approx(np.mean(results))
    wanted = np.std(results, ddof=1) / np.sqrt(5)
    assert found.errors[0, 1] == found.errors[1, 0] == pytest.approx(wanted)
    assert kinds == {int}
    assert np.isnan(found.prices).all()
