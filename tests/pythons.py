"""Try the library under the other Pythons that are found here: `make pythons`.

Each gets an environment of its own in .venv/pythons, with the library's dependencies alone: those of the lock, but
from Python 3.12 on the newest numpy, scipy and highspy that our ranges allow. It compiles and runs every kind of
solver, and what README.md shows. What has passed and is unchanged is not tried again. As many versions as there are
processors are tried side by side; the output of each comes in one piece.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

VERSIONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
NEWEST, NEWEST_FROM = ("numpy", "scipy", "highspy"), (3, 12)
OWN = f"{sys.version_info[0]}.{sys.version_info[1]}"
PINS = "requirements.lock"
TRIED = ("README.md", "tests/conformance/test_solvers.py")
TOOLS = ("pytest", "pytest-timeout", "hypothesis")
FITS = "import sys, venv, ensurepip; sys.exit('{}.{}'.format(*sys.version_info) != sys.argv[1])"
PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input")
SECONDS = 600  # a test at most, kernels to compile included; a Python takes some two minutes in all


def main() -> int:
    """Try every version, and say how each has fared; return 1 if one has failed."""
    with ThreadPoolExecutor(os.cpu_count()) as side_by_side:
        results = dict(zip(VERSIONS, side_by_side.map(attempt, VERSIONS), strict=True))
    for version, result in results.items():
        print(f"pythons: {version} {result}")
    return int("FAILED" in results.values())


def attempt(version: str) -> str:
    """Return how a version has fared."""
    if version == OWN:
        return "is that of .venv, which `make test` tries"
    python = next((each for each in candidates(version) if fits(each, version)), None)
    if python is None:
        return "not tried: no interpreter was found"
    home = Path(".venv", "pythons", version)
    stamp, now = home / "passed", fingerprint(python)
    if stamp.exists() and stamp.read_text(encoding="utf-8") == now:
        return "has passed before; nothing has changed"
    print(f"pythons: trying {version} ({python})", flush=True)
    begin, own = time.monotonic(), str(home / "bin" / "python")
    pytest = [own, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout", str(SECONDS)]
    commands = (
        [python, "-m", "venv", "--clear", str(home)],
        [own, *PIP, "install", "-c", str(pins_for(version, home)), "-e", ".[general-sum]", *TOOLS],
        [*pytest, "--doctest-glob=*.md", *TRIED],
    )
    if not all(map(succeeds, commands)):
        return "FAILED"
    stamp.write_text(now, encoding="utf-8")
    return f"passed in {time.monotonic() - begin:.0f} s"


def pins_for(version: str, home: Path) -> Path:
    """Return the file of versions to install, without those of which the newest is wanted."""
    if tuple(map(int, version.split("."))) < NEWEST_FROM:
        return Path(PINS)
    lines = Path(PINS).read_text(encoding="utf-8").splitlines()
    pins = home.with_name(f"{version}.lock")
    pins.parent.mkdir(parents=True, exist_ok=True)
    kept = (line for line in lines if line.partition("==")[0] not in NEWEST)
    pins.write_text("\n".join(kept), encoding="utf-8")
    return pins


def candidates(version: str) -> Iterator[str]:
    """Yield programs that may be this version: that on the path, and pyenv's, the latest first."""
    name = f"python{version}"
    on_path = shutil.which(name)
    if on_path:
        yield on_path
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    yield from map(str, sorted(pyenv.glob(f"{version}.*/bin/{name}"), reverse=True))


def fits(python: str, version: str) -> bool:
    """Return whether a program is this version, with its venv module; pyenv's on the path may be a shim of none."""
    return not subprocess.run([python, "-c", FITS, version], capture_output=True).returncode


def fingerprint(python: str) -> str:
    """Return a fingerprint of what decides the result."""
    asked = [python, "-c", "import sys; print(sys.version)"]
    digest = hashlib.sha256(subprocess.run(asked, stdout=subprocess.PIPE, check=True).stdout)
    modules = (*Path("pokerlab").rglob("*.py"), *Path("tests").glob("*.py"))
    for path in sorted({Path("pyproject.toml"), Path(PINS), *map(Path, TRIED), *modules}):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def succeeds(command: list[str]) -> bool:
    """Run a command; show its output in one piece if it fails, without pip's warnings of unseen locations."""
    environment = os.environ | {"POKERLAB_SCALE": "quick"}
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    )
    if done.returncode:
        lines = [line for line in done.stdout.splitlines() if "WARNING: Location" not in line]
        text = "\n".join([f"pythons: {' '.join(command)}", *lines, ""])
        print(text, end="", flush=True)  # one write, as other versions write meanwhile
    return not done.returncode


if __name__ == "__main__":
    sys.exit(main())
