"""A page that is left while its kernel still speaks leaves no word in the dash's terminal."""

import asyncio
import gc
from typing import Any

import pytest

pytest.importorskip("voila", reason="voila is not installed; make setup installs it")
from tornado.websocket import WebSocketClosedError

from pokerlab.workbench.dash.server import Visit


class Connection:
    """A websocket that closes while a message is sent, or is closed before."""

    def __init__(self, closed: bool) -> None:
        self.is_closing = lambda: closed

    def write_message(self, message: Any, binary: bool) -> asyncio.Task[None]:
        async def send() -> None:
            raise WebSocketClosedError

        return asyncio.ensure_future(send())


@pytest.mark.parametrize("connection", [None, Connection(True), Connection(False)])
def test_a_message_to_a_page_that_is_left_is_dropped_in_silence(
    connection: Connection | None,
) -> None:
    said: list[Any] = []

    async def send() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: said.append(context))
        visit = Visit.__new__(Visit)
        visit.ws_connection = connection
        visit.write_message({"header": {"msg_type": "stream"}})
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gc.collect()

    asyncio.run(send())
    assert said == []
