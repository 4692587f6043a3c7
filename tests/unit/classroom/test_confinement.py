"""What the operating system keeps a submission from, tried by submissions that first switch off what is Python's.

Each row of `ATTACKS` says what holds against it, and does its harm where nothing does: that is tried, too.
"""

import os
import resource
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import pokerlab
from contests import confine
from tests.unit.classroom.hostile_submissions import (
    ATTACKS,
    DISARM,
    HARDENED,
    HONEST,
    attack_of,
    start_submission,
)

SECRET = "a token of the teacher"
ENTROPY = 0x80045200
"""RNDGETENTCNT, a command for the device of random numbers that everybody may give."""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux confines a process")


@dataclass(frozen=True)
class Target:
    """What a submission may try to harm; `harm` says what has happened to it."""

    outside: Path
    attacks: Path
    packets: socket.socket
    streams: socket.socket
    local: socket.socket
    signals: list[int]
    before: dict[str, Any]

    def names(self, sibling: int) -> str:
        """Return the names that an attack uses, as Python."""
        values = {
            "CLASS": str(self.outside / "class"),
            "OUTSIDE": str(self.outside),
            "PACKAGE": str(Path(pokerlab.__file__)),
            "VICTIM": str(self.outside / "victim"),
            "LOCAL": str(self.outside / "local"),
            "PACKETS": self.packets.getsockname()[1],
            "STREAMS": self.streams.getsockname()[1],
            "PARENT": os.getpid(),
            "SIBLING": sibling,
            "ADDRESS": first_address(sibling),
        }
        return "import os\n" + "".join(f"{name} = {value!r}\n" for name, value in values.items())

    def state(self) -> dict[str, Any]:
        """Return all that a submission must not change."""
        found: dict[str, Any] = {"limit": resource.getrlimit(resource.RLIMIT_CORE)}
        for path in sorted(self.outside.rglob("*")):
            about = path.lstat()
            content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            of_file = about.st_mode, about.st_uid, about.st_gid, about.st_mtime_ns, content
            found[path.name] = (*of_file, *os.listxattr(path, follow_symlinks=False))
        return found

    def harm(self) -> list[str]:
        """Return the names of what has changed, and of what has arrived."""
        after = self.state()
        changed = {name for name in self.before | after if self.before.get(name) != after.get(name)}
        changed |= {f"signal {number}" for number in self.signals}
        for name in ("packets", "local", "streams"):
            with suppress(BlockingIOError):
                one = getattr(self, name)
                one.accept() if name == "streams" else one.recv(9)
                changed.add(name)
        return sorted(changed)


def first_address(process: int) -> int:
    """Return an address that a process can read, or 0 if its map may not be read."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/maps").read_text(encoding="utf-8").splitlines():
            if " r" in line:
                return int(line.partition("-")[0], 16)
    return 0


@pytest.fixture
def target(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Target]:
    """Lend a folder with files, sockets that wait, a signal that is counted, and a token in the environment."""
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "kings.py").write_text(HONEST, encoding="utf-8")
    (tmp_path / "victim").write_text("all that I have", encoding="utf-8")
    monkeypatch.setenv("TEACHERS_TOKEN", SECRET)
    signals: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, frame: signals.append(number))
    limit = resource.getrlimit(resource.RLIMIT_CORE)
    with ExitStack() as stack:
        packets = stack.enter_context(socket.socket(type=socket.SOCK_DGRAM))
        packets.bind(("127.0.0.1", 0))
        streams = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        local = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        local.bind(str(tmp_path / "local"))
        for each in (packets, streams, local):
            each.setblocking(False)
        lent = Target(
            tmp_path, tmp_path_factory.mktemp("attacks"), packets, streams, local, signals, {}
        )
        lent.before.update(lent.state())
        yield lent
    signal.signal(signal.SIGUSR1, before)
    resource.setrlimit(resource.RLIMIT_CORE, limit)


@pytest.fixture(scope="module")
def confined_by(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return what confines a submission on this machine."""
    found: set[str] = set()
    with start_submission(tmp_path_factory.mktemp("class"), "honest", HONEST, confined_by=found):
        return found.pop()


@pytest.fixture(scope="module")
def sibling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Lend an honest submission, confined as the attackers are."""
    with start_submission(
        tmp_path_factory.mktemp("class"), "sibling", HONEST, seconds=600.0
    ) as ask:
        yield ask


@pytest.fixture(scope="module")
def bystander() -> Iterator[int]:
    """Lend a process that nothing confines."""
    waits = "import sys\nprint('ready', flush=True)\nsys.stdin.read()"
    command = [sys.executable, "-c", waits]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process.pid
        process.communicate()


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_confined_process_does_no_harm(
    name: str, target: Target, confined_by: str, sibling: Any
) -> None:
    if not any(wall in confined_by.partition(", no ")[0] for wall in ATTACKS[name][0]):
        pytest.skip(f"nothing on this machine refuses it: {confined_by}")
    process = sibling.process.pid
    niceness, cores = os.getpriority(os.PRIO_PROCESS, process), os.sched_getaffinity(process)
    text = DISARM + attack_of(name, target.names(process))
    with start_submission(target.attacks, "attack", text) as ask:
        outcome = ask()
    assert target.harm() == []
    assert sibling() == 1
    assert os.getpriority(os.PRIO_PROCESS, process) == niceness
    assert os.sched_getaffinity(process) == cores
    assert outcome.startswith(("refused: ", "nothing came of it")), outcome


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_unconfined_process_succeeds(name: str, target: Target, bystander: int) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", attack_of(name, target.names(bystander)) + "print(outcome)"],
        capture_output=True, text=True, check=False, cwd=target.attacks, timeout=60,
    )  # fmt: skip
    refusals = "refused: PermissionError", "refused: OSError"
    missing = ran.stdout.startswith("refused: ModuleNotFoundError")
    if missing or (name in HARDENED and ran.stdout.startswith(refusals)):
        pytest.skip(f"this system refuses it to everyone: {ran.stdout}")
    assert ran.stdout.splitlines()[:1] == ["done"], ran


def test_stat_of_other_files_is_possible_as_documented(target: Target) -> None:
    """The text says that this is not promised."""
    path = target.outside / "class" / "kings.py"
    text = f"import os\nsize = os.stat({str(path)!r}).st_size\ndef strategy():\n    return size\n"
    with start_submission(target.outside, "asks", text) as ask:
        assert ask() == len(HONEST)


def test_confined_submission_uses_packages_threads_and_its_folder(tmp_path: Path) -> None:
    text = """
        import tempfile
        from concurrent.futures import ThreadPoolExecutor
        import numpy as np
        import pokerlab as pl
        kuhn = pl.games.kuhn()
        found = pl.solvers.SequenceFormLP(kuhn).solve().profile
        with ThreadPoolExecutor(4) as pool:
            sums = list(pool.map(sum, [[1, 2], [3]]))
        with tempfile.TemporaryFile() as file:
            np.save(file, sums)
            file.seek(0)
            sums = np.load(file)
        def strategy():
            return sums.sum() + kuhn.nash_conv(found)
    """
    limits = {"seconds": 120.0, "megabytes": 2048}
    with start_submission(tmp_path, "honest", textwrap.dedent(text), **limits) as ask:
        assert ask() == pytest.approx(6.0)


def test_confined_submission_can_signal_and_limit_only_itself(tmp_path: Path) -> None:
    text = """
        import os, resource, signal
        arrived = []
        signal.signal(signal.SIGUSR1, lambda *given: arrived.append(given[0]))
        signal.raise_signal(signal.SIGUSR1)
        def strategy():
            return arrived, resource.getrlimit(resource.RLIMIT_NOFILE)
    """
    with start_submission(tmp_path, "signals", textwrap.dedent(text)) as ask:
        assert ask() == [[signal.SIGUSR1], [128, 128]]


def run_confine(parent: str) -> subprocess.CompletedProcess[str]:
    """Confine a process on a system that has neither Landlock nor seccomp, and let it say what holds."""
    text = f"""
        import ctypes, os, resource, sys
        sys.path.insert(0, {str(Path(confine.__file__).parents[1])!r})
        from contests import confine
        confine.landlock.restrict_files = lambda readable, writable: 0
        confine.seccomp.refuse_calls = lambda: False
        said = confine.confine(
            parent={parent}, bytes_of_memory=2**30, seconds=2.5, readable=(), writable=()
        )
        prctl, number = ctypes.CDLL(None).prctl, ctypes.c_int()
        prctl(2, ctypes.byref(number))
        powers = [line.split()[1] for line in open("/proc/self/status") if line.startswith("CapEff")]
        print(said, prctl(3), prctl(39, 0, 0, 0, 0), number.value, int(powers[0], 16) & ~4, sep="; ")
        for kind in ("AS", "CPU", "FSIZE", "NOFILE", "CORE"):
            print(*resource.getrlimit(getattr(resource, "RLIMIT_" + kind)))
    """
    command = [sys.executable, "-c", textwrap.dedent(text)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_confine_without_landlock_and_seccomp_sets_the_rest_and_says_so() -> None:
    ran = run_confine("os.getppid()")
    # not dumpable, no new privileges, SIGKILL with its parent, no capability but that of reading
    first, *limits = ran.stdout.splitlines()
    assert first == "limits, no Landlock, no seccomp; 0; 1; 9; 0", ran
    assert limits == [f"{2**30} {2**30}", "4 5", f"{2**24} {2**24}", "128 128", "0 0"]


def test_confine_keeps_limits_that_are_already_lower() -> None:
    text = f"""
        import resource, sys
        sys.path.insert(0, {str(Path(confine.__file__).parents[1])!r})
        from contests import confine
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
        print(confine.limit_resources(2**30, 1000))
        print(*resource.getrlimit(resource.RLIMIT_NOFILE), *resource.getrlimit(resource.RLIMIT_CPU))
    """
    command = [sys.executable, "-c", textwrap.dedent(text)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ran.stdout == "[]\n64 64 60 60\n", ran


def test_confine_after_its_parents_end_ends_the_process() -> None:
    ran = run_confine("os.getppid() + 1")
    assert (ran.returncode, ran.stdout) == (1, ""), ran


def test_landlock_alone_holds_files_sockets_and_signals(target: Target, bystander: int) -> None:
    room, victim = target.attacks, target.outside / "victim"
    text = f"""
        import fcntl, os, socket, sys
        sys.path.insert(0, {str(Path(confine.__file__).parents[1])!r})
        from contests import confine, landlock
        confine.set_option(confine.NO_NEW_PRIVILEGES, 1)
        version = landlock.restrict_files([{str(victim)!r}, "/dev/urandom"], [{str(room)!r}])
        def tried(attempt, *given):
            try:
                attempt(*given)
            except PermissionError:
                return False
            return True
        def moved():
            for folder in ("from", "to"):
                os.mkdir(f"{room}/{{folder}}")
            open("{room}/from/file", "w").close()
            try:
                os.rename("{room}/from/file", "{room}/to/file")
            except OSError:
                return False
            return True
        hidden = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        print(version, [
            tried(open, {str(victim)!r}),
            tried(open, {str(room / "mine")!r}, "w"),
            tried(os.remove, {str(room / "mine")!r}),
            tried(os.mkdir, {str(room / "within")!r}),
            tried(os.rmdir, {str(room / "within")!r}),
            version < 2 or moved(),
            tried(open, {str(victim)!r}, "a"),
            tried(open, {str(target.outside / "class" / "kings.py")!r}),
            tried(os.symlink, "mine", {str(room / "link")!r}),
            tried(os.mkfifo, {str(room / "pipe")!r}),
            tried(os.execv, "/bin/true", ["true"]),
            version >= 3 and tried(os.truncate, {str(victim)!r}, 0),
            version >= 3 and tried(os.open, {str(victim)!r}, os.O_RDONLY | os.O_TRUNC),
            version >= 5 and tried(fcntl.ioctl, open("/dev/urandom"), {ENTROPY}, bytes(4)),
            version >= 4 and tried(socket.create_connection, {target.streams.getsockname()!r}),
            version >= 4 and tried(socket.create_server, ("127.0.0.1", 0)),
            version >= 6 and tried(os.kill, {bystander}, 0),
            version >= 6 and tried(hidden.sendto, b"x", "\\0{room.name}"),
        ])
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as abstract:
        abstract.bind(f"\0{room.name}")
        ran = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(text)],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
    version, _, answers = ran.stdout.strip().partition(" ")
    if version == "0":
        pytest.skip("this kernel has no Landlock")
    assert answers == str([True] * 6 + [False] * 12), ran
    assert target.harm() == []
