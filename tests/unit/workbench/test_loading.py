"""Names of the workbench load their modules on first use, and garbage collections leave these out."""

import subprocess
import sys

LOADED = """
import gc
import pokerlab as pl
class Ring: ...
gc.disable()
ring = Ring()
ring.own = ring
import weakref
seen = weakref.ref(ring)
del ring
gc.enable()
assert not gc.get_freeze_count()
pl.workbench.figure
assert gc.isenabled() and gc.get_freeze_count() > 50_000
assert seen() is None, "garbage of before stays"
frozen = gc.get_freeze_count()
pl.workbench.look
assert gc.get_freeze_count() <= frozen, "of the same modules"
gc.disable()
pl.workbench.tree
assert not gc.isenabled()
"""


def test_workbench_names_leave_modules_out_of_collections() -> None:
    ended = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
