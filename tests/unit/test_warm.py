"""Warming compiles every kernel, and those that take long for one kind of arguments."""

import json
import subprocess
import sys

EVERY_KERNEL = """
import importlib, json, pkgutil
import pokerlab
from pokerlab import warm
from pokerlab.core.compiler import Dispatcher
from pokerlab.core.function_identity import iterate_referenced_values

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
        waiting.extend(part.py_func for _, part in iterate_referenced_values(kernel) if isinstance(part, Dispatcher))
missing = sorted(f"{kernel.__module__}.{kernel.__name__}" for kernel in kernels.keys() - reached)

from pokerlab.holdem import street_trees, tournament_rounds
from pokerlab.strategies import direct_encoding, network_encoding

dear = (
    tournament_rounds.pay_and_deal_rounds,
    street_trees.fill_street_best_response,
    direct_encoding.normalize_genes,
    network_encoding.compute_network_probabilities,
)
print(json.dumps([len(kernels), missing, [len(kernel.signatures) for kernel in dear]]))
"""


def test_warming_compiles_every_kernel_and_dear_ones_once() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EVERY_KERNEL], capture_output=True, text=True, check=True
    )
    count, missing, times = json.loads(done.stdout.splitlines()[-1])
    assert count > 150
    assert missing == []
    assert set(times) == {1}
