"""How long thirty visitors of one page of `make dash` wait for its first picture, and what memory they take.

`python -m benchmarks.visitors [page]`. A visitor loads the page and its scripts, opens the kernel's websocket as
a browser does, asks for the widgets' states, waits for a picture among them, and stays; nothing is drawn.
"""

import asyncio
import json
import re
import struct
import sys
import time
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
from tornado.httpclient import AsyncHTTPClient
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.browser.server import DASH_LOG, running_dash, wait_for

VISITORS, WITHIN = 30, 60.0
PROTOCOL = "v1.kernel.websocket.jupyter.org"
PICTURES = (b"\x89PNG", b"<svg")
CONTROL = {"comm_id": "visitor", "target_name": "jupyter.widget.control"}
ASK = {
    "comm_open": CONTROL | {"data": {}},
    "comm_msg": CONTROL | {"data": {"method": "request_states"}},
}


def as_bytes(kind: str, content: dict[str, object]) -> bytes:
    """Return a message to the kernel: where its parts begin, and the parts."""
    about = {"session": "visitor", "username": "", "version": "5.3"}
    header = {"msg_id": kind, "msg_type": kind, **about}
    texts = map(json.dumps, (header, {}, {"version": "1.0.0"}, content))
    parts = [b"shell", *(text.encode() for text in texts)]
    count = len(parts) + 1
    starts = accumulate(map(len, parts), initial=8 * (count + 1))
    return struct.pack(f"<{count + 1}Q", count, *starts) + b"".join(parts)


async def visit(address: str, page: str, after: float) -> tuple[float, WebSocketClientConnection]:
    """Come after some seconds; return how long the picture took, and the connection."""
    await asyncio.sleep(after)
    begin, http = time.monotonic(), AsyncHTTPClient()
    answer = await http.fetch(f"{address}voila/render/{page}.ipynb", request_timeout=300)
    html = answer.body.decode()
    for script in re.findall(r'(?:src|href)="/(voila/[^"]*)"', html):
        await http.fetch(address + script, request_timeout=300)
    kernel = re.search(r'"kernelId": "([^"]*)"', html)[1]
    channel = f"{address}api/kernels/{kernel}/channels".replace("http", "ws", 1)
    connection = await websocket_connect(channel, subprotocols=[PROTOCOL])
    for kind, content in ASK.items():
        await connection.write_message(as_bytes(kind, content), binary=True)
    while message := await connection.read_message():
        if isinstance(message, bytes) and any(each in message for each in PICTURES):
            return time.monotonic() - begin, connection
    raise RuntimeError("the kernel ended before there was a picture")


async def class_of(address: str, page: str, server: psutil.Process) -> None:
    """Let one come, then the class, and print what it took."""
    first, _ = await visit(address, page, 0)
    arrivals = (WITHIN * k / VISITORS for k in range(VISITORS))
    visits = await asyncio.gather(*(visit(address, page, after) for after in arrivals))
    waits = sorted(wait for wait, _ in visits)
    family = [server, *server.children(recursive=True)]
    memory = sum(process.memory_full_info().pss for process in family) / 1e9
    print(f"{page}: {first:.1f} s for the first ever; {VISITORS} more within {WITHIN:.0f} s")
    half, most, last = waits[14], waits[26], waits[29]
    print(f"half had a picture in {half:.1f} s, 27 in {most:.1f} s, all in {last:.1f} s")
    print(f"{len(family)} processes, {memory:.2f} GB in all")
    print(f"load {psutil.getloadavg()[0]:.1f} on {psutil.cpu_count()} cores")


def main(page: str = "replicator") -> None:
    """Serve the pages, and let the class come."""
    with TemporaryDirectory() as folder, running_dash(Path(folder)) as (address, server):
        wait_for(address, server, Path(folder, DASH_LOG))
        asyncio.run(class_of(address, page, psutil.Process(server.pid)))


if __name__ == "__main__":
    main(*sys.argv[1:])
