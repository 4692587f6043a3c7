"""The earlier name of `tools.figures`, which runs the notebooks of a clone again."""

import runpy

if __name__ == "__main__":
    runpy.run_module("tools.figures", run_name="__main__")
