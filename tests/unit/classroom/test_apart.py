"""A submission's process ends in time, whatever it does, and with the contest."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path

import pytest

from contests import apart
from contests.apart import Broken
from pokerlab.core import SettingError
from tests.hangs import HANG_SECONDS
from tests.unit.classroom.hostile_submissions import HONEST, start_submission

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux shows processes in /proc"
)

HELD_SECONDS = 200.0
"""How long a process that is left behind would go on; a time limit that holds ends it long before."""


def lives(process: int) -> bool:
    """Return whether a process exists and has not ended."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    except OSError:
        return False
    return state.split()[0] not in "XZ"


def ended(process: int) -> bool:
    """Return whether a process ends."""
    until = time.monotonic() + HANG_SECONDS
    while lives(process) and time.monotonic() < until:
        time.sleep(0.02)
    return not lives(process)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_submission_ends_with_the_contest(number: signal.Signals, tmp_path: Path) -> None:
    loops = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True:\n    pass\n"
    (tmp_path / "loops.py").write_text(loops, encoding="utf-8")
    contest = f"""
        import signal, sys
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.path[:0] = {[str(Path(apart.__file__).parents[1]), *sys.path]!r}
        from pathlib import Path
        from contests.apart import lend_function
        loops = Path({str(tmp_path / "loops.py")!r})
        with lend_function(loops, "loops", seconds=600, megabytes=512, confined_by=set()):
            pass
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(contest)], stderr=subprocess.DEVNULL
    ) as teacher:
        until = time.monotonic() + HANG_SECONDS
        submission = 0
        while not submission and time.monotonic() < until:
            time.sleep(0.05)
            submission = looping_child(teacher.pid)
        teacher.send_signal(number)
    assert submission
    try:
        assert ended(submission)
    finally:
        with suppress(ProcessLookupError):
            os.kill(submission, signal.SIGKILL)


def looping_child(parent: int) -> int:
    """Return the child of a process that ignores SIGTERM, or 0 as long as there is none."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="utf-8")
    for child in children.split():
        status = Path(f"/proc/{child}/status").read_text(encoding="utf-8")
        if int(status.partition("SigIgn:")[2].split()[0], 16) >> (signal.SIGTERM - 1) & 1:
            return int(child)
    return 0


def test_time_limit_pipe_held_by_another_process_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a filter a submission can leave a process behind, which keeps the pipe open."""
    left = tmp_path / "left"
    leaves = (
        "import os, time\nif os.fork():\n    os._exit(0)\n"
        f"open({str(left)!r}, 'w').write(str(os.getpid()))\ntime.sleep({HELD_SECONDS})"
    )
    monkeypatch.setattr(apart, "START", leaves)
    begun = time.monotonic()
    with (
        pytest.raises(Broken, match="leaves: too slow: over 3 s"),
        start_submission(tmp_path, "leaves", HONEST, seconds=3.0),
    ):
        pass
    assert 3.0 <= time.monotonic() - begun < HELD_SECONDS
    assert ended(int(left.read_text(encoding="utf-8")))


def test_process_left_behind_by_a_crash_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path / "left"
    crashes = (
        "import os, time\nfrom pathlib import Path\n"
        f"left = Path({str(left)!r})\nif os.fork():\n"
        "    while not left.exists():\n        time.sleep(0.01)\n    os._exit(3)\n"
        "os.close(1)\nunnamed = left.with_suffix('.part')\n"
        "unnamed.write_text(str(os.getpid()))\nunnamed.rename(left)\n"
        f"time.sleep({HELD_SECONDS})"
    )
    monkeypatch.setattr(apart, "START", crashes)
    with (
        pytest.raises(Broken, match="crashed: its process ended with code 3"),
        start_submission(tmp_path, "crashes", HONEST),
    ):
        pass
    assert ended(int(left.read_text(encoding="utf-8")))


def test_time_limit_question_left_unread_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = '{"answer": "limits"}\n'
    answers = f"import time; print({line!r} * 2, end='', flush=True); time.sleep({HELD_SECONDS})"
    monkeypatch.setattr(apart, "START", answers)
    begun = time.monotonic()
    with (
        start_submission(tmp_path, "sleeps", HONEST, seconds=1.0) as ask,
        pytest.raises(Broken, match="too slow: over 1 s"),
    ):
        ask(["rock"] * 10**6)
    assert time.monotonic() - begun < HELD_SECONDS


def test_processor_time_between_questions_is_limited(tmp_path: Path) -> None:
    text = """
        from threading import Thread
        def spin():
            while True:
                pass
        Thread(target=spin, daemon=True).start()
        def strategy():
            return 1
    """
    with start_submission(tmp_path, "thinks", textwrap.dedent(text), seconds=1.0) as ask:
        assert ask() == 1
        assert ended(ask.process.pid)
        with pytest.raises(Broken, match="too slow: over 1 s of processor time"):
            ask()


def test_deeply_nested_folders_do_not_disturb_the_contest(tmp_path: Path) -> None:
    text = "import os\nfor _ in range(1500):\n    os.mkdir('d')\n    os.chdir('d')\n" + HONEST
    with start_submission(tmp_path, "nests", text) as ask:
        assert ask() == 1


def test_class_folder_among_packages_raises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "list_readable_places", lambda: [str(tmp_path)])
    (tmp_path / "class").mkdir()
    with (
        pytest.raises(SettingError, match=r"lie in .*class, among packages.*Move them"),
        start_submission(tmp_path / "class", "kings", HONEST),
    ):
        pass


def test_environment_of_a_submission_is_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "C.UTF-8")
    text = "import os\ndef strategy():\n    return dict(os.environ)\n"
    with start_submission(tmp_path, "looks", text) as ask:
        seen = ask()
    assert seen["LANG"] == "C.UTF-8"
    assert seen["HOME"] == seen["TMPDIR"] != os.environ.get("HOME")
    assert len(seen) <= len(apart.KEPT) + len(apart.ONE_THREAD) + len(apart.OWN) + 2


def test_memory_used_up_to_the_last_byte_is_named(tmp_path: Path) -> None:
    text = "x = ()\nwhile True:\n    x = (x,)\n"
    with (
        pytest.raises(Broken, match="fills: memory: over 100 MB"),
        start_submission(tmp_path, "fills", text, megabytes=100, seconds=60.0),
    ):
        pass


def test_own_folder_of_an_ended_submission_is_removed(tmp_path: Path) -> None:
    text = "import os\nopen('mine', 'w').close()\ndef strategy():\n    return os.getcwd()\n"
    with start_submission(tmp_path, "writes", text) as ask:
        room = Path(ask())
        assert (room / "mine").exists()
    assert not room.exists()
