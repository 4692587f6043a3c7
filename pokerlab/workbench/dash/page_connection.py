"""The connection of a page to its kernel, in `make dash` and `make lab`, which drops what comes after its end.

A server closes the connection of a page that has not answered for ninety seconds, as happens on a busy computer.
Messages that the page had already sent still arrive.
"""

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class PageConnection(ZMQChannelsWebsocketConnection):
    """The connection of a page to its kernel."""

    def handle_incoming_message(self, incoming_msg: str) -> None:
        """Pass a message of the page on to the kernel, or drop it if the server has closed the connection.

        A closed connection no longer knows which of two protocols the page and the server have agreed on, and
        jupyter_server then reads by the older one. To a message in the newer one that means gigabytes of memory, and a
        server that answers no page for half a minute.

        Parameters
        ----------
        incoming_msg : str or bytes
            The message, as it came from the page.
        """
        if self.websocket_handler.ws_connection is not None:
            super().handle_incoming_message(incoming_msg)
