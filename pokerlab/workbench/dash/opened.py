"""Opens each page once, where it is imported: in the process whose forks the kernels are."""

import gc
import os

import ipywidgets

from pokerlab.workbench.dash.pages import PAGE_OPENERS

server = os.getppid()
ipywidgets.register_comm_target()  # which it does by itself only inside a kernel
for opens in PAGE_OPENERS.values():
    opens().close()
    if os.getppid() != server:
        os._exit(0)
ipywidgets.Widget.close_all()
gc.collect()
gc.freeze()  # a collection in a fork would write to memory that the forks share
