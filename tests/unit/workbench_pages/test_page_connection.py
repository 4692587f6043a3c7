"""A page's connection to its kernel passes messages on, and drops what comes after the server has closed it."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("voila", reason="voila is not installed; make setup installs it")
from jupyter_client.session import Session
from jupyter_server.services.kernels.connection import channels
from jupyter_server.services.kernels.connection.base import serialize_msg_to_ws_v1

from pokerlab.workbench.dash import server
from pokerlab.workbench.dash.page_connection import PageConnection
from pokerlab.workbench.dash.server import PROTOCOL, Visit
from tools import lab

PARTS = [json.dumps(part).encode() for part in ({"msg_type": "comm_msg"}, {}, {}, {"data": 1})]


class Kernel(Session):
    """Where messages of the page arrive."""

    def send_raw(self, stream: Any, msg_list: Any, *_: Any, **__: Any) -> None:
        stream.extend(bytes(part) for part in msg_list)


@pytest.mark.parametrize(("is_open", "arrived"), [(True, PARTS), (False, [])])
def test_message_in_the_newer_protocol_arrives_or_is_dropped_unread(
    is_open: bool, arrived: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_by_the_older_protocol(_: bytes) -> None:
        pytest.fail("read by the older protocol, which takes gigabytes for this message")

    monkeypatch.setattr(channels, "deserialize_binary_message", read_by_the_older_protocol)
    visit = Visit.__new__(Visit)
    visit.ws_connection = SimpleNamespace(selected_subprotocol=PROTOCOL) if is_open else None
    stream: list[bytes] = []
    manager = SimpleNamespace(allowed_message_types=[])
    monkeypatch.setattr(PageConnection, "multi_kernel_manager", manager)
    connection = PageConnection(websocket_handler=visit, session=Kernel())
    connection.channels = {"shell": stream}
    message: Any = serialize_msg_to_ws_v1(PARTS, "shell")  # type: ignore[no-untyped-call]
    connection.handle_incoming_message(message)
    assert stream == arrived


@pytest.mark.parametrize(
    "settings", [server.SETTINGS["Voila"], lab.SETTINGS["ServerApp"]], ids=["dash", "lab"]
)
def test_servers_drop_messages_of_closed_pages(settings: dict[str, object]) -> None:
    assert settings["kernel_websocket_connection_class"] is PageConnection
