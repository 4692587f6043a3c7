"""Serve the pages until Ctrl-C; options go to Voila, for instance `--no-browser` or `--port=9000`."""

import sys

from pokerlab.workbench.dash.server import main

main(sys.argv[1:])
