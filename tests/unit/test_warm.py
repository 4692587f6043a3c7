"""Warming compiles every kernel."""

import subprocess
import sys

EVERY_KERNEL = """
import importlib, pkgutil
import pokerlab
from pokerlab import warm
from pokerlab.core.compiler import Dispatcher
from pokerlab.core.function_identity import referred

for group in warm.GROUPS:
    group()
kernels = {}
for module in pkgutil.walk_packages(pokerlab.__path__, "pokerlab."):
    if not module.name.endswith(("__main__", "dash.opened")):  # which run something when imported
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, Dispatcher):
                kernels[value.py_func] = bool(value.overloads)
reached, waiting = set(), [kernel for kernel, is_compiled in kernels.items() if is_compiled]
while waiting:
    kernel = waiting.pop()
    if kernel not in reached:
        reached.add(kernel)
        waiting.extend(part.py_func for _, part in referred(kernel) if isinstance(part, Dispatcher))
print(len(kernels), sorted(f"{k.__module__}.{k.__name__}" for k in kernels.keys() - reached))
"""


def test_warming_compiles_every_kernel() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EVERY_KERNEL], capture_output=True, text=True, check=True
    )
    count, missing = done.stdout.split(maxsplit=1)
    assert int(count) > 150
    assert missing.strip() == "[]"
