"""The application in a browser: textual-serve in front, a process for each tab behind.

    python -m racko_tui.web ADDRESS

runs what one tab shows, at that server or, with an empty address, at this machine. Only the
server below starts it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shlex
import sys
from asyncio.subprocess import Process
from typing import Final

from aiohttp import web
from textual import events
from textual.message import Message
from textual_serve.app_service import AppService
from textual_serve.server import Server

from racko_core.errors import N_, RackoError
from racko_net.reasons import reason
from racko_net.text import quoted
from racko_tui import config, i18n, logfile
from racko_tui.app import RackoApp
from racko_tui.begin import Home
from racko_tui.i18n import _
from racko_tui.lan.joining import Join
from racko_tui.local.seats import own_name

_log = logging.getLogger(__name__)

HERE: Final = "127.0.0.1"
_LOOK: Final = 2.0  # seconds between two looks at whether the server of a tab is still there
_GRACE: Final = 5.0  # seconds that a tab has to end
_FAR_FONT: Final = re.compile(r"<link\s[^>]*fonts\.googleapis\.com[^>]*>")
_FOCUS: Final = """<script>
  // Keys are for the game as soon as it is there, without a click.
  const waiting = setInterval(() => {
    const keys = document.querySelector(".xterm-helper-textarea");
    if (keys) { keys.focus(); clearInterval(waiting); }
  }, 50);
</script></body>"""
_OWN_FONT: Final = (
    '<style>@font-face {{ font-family: "Roboto Mono"; '
    'src: url("{url}fonts/RobotoMono-VariableFont_wght.ttf"); }}</style>'
)


class WebError(RackoError):
    """A browser that cannot be served."""


class TabServer(Server):
    """textual-serve with a limit, for pages of its own only, and without a word to anybody else."""

    def __init__(self, host: str, port: int, *, join: str, tabs: int) -> None:
        command = shlex.join((sys.executable, "-m", "racko_tui.web", join))
        super().__init__(f"exec {command}", host, port, title="Rack-O")
        self._most = tabs
        self._open = 0

    async def on_startup(self, app: web.Application) -> None:
        """Nothing yet: nobody can come in."""

    def run(self) -> None:
        """Serve until Ctrl+C or SIGTERM."""
        web.run_app(
            self._make_app(),
            host=self.host,
            port=self.port,
            access_log=None,
            print=lambda *_: self._tell(),
        )

    def _tell(self) -> None:
        print(_("Rack-O is at {url} now; Ctrl+C stops it.").format(url=self.public_url))
        if self.host not in (HERE, "localhost", "::1"):
            print(_("Whoever reaches that address plays as if at this machine."))
        sys.stdout.flush()

    async def handle_index(self, request: web.Request) -> web.StreamResponse:
        """The page, or why there is none."""
        self._check_host(request)
        if self._open >= self._most:
            return web.Response(
                status=503,
                text=_("All {count} tabs are in use; close one, and load this page again.").format(
                    count=self._most
                ),
            )
        # Whatever name the browser found us by, it finds the rest by; nothing is awaited between.
        self.public_url = f"{request.scheme}://{request.host}"
        page = await super().handle_index(request)
        assert isinstance(page, web.Response)
        own = _OWN_FONT.format(url=f"{self.public_url}/static/")
        page.text = _FAR_FONT.sub(own, page.text or "").replace("</body>", _FOCUS)
        return page

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """One tab: only for our own page, and while there is room."""
        self._check_host(request)
        origin = request.headers.get("Origin", "")
        if origin.partition("://")[2] != request.host:
            raise web.HTTPForbidden(text="another page's script")
        if self._open >= self._most:
            raise web.HTTPServiceUnavailable(text="too many tabs")
        page = web.WebSocketResponse(heartbeat=15)
        await page.prepare(request)

        async def close() -> None:
            await page.close()

        tab = Tab(
            self.command,
            write_bytes=page.send_bytes,
            write_str=page.send_str,
            close=close,
            download_manager=self.download_manager,
        )
        self._open += 1
        try:
            await tab.start(_number(request, "width", 80), _number(request, "height", 24))
            await self._process_messages(page, tab)
        finally:
            await tab.end()
            self._open -= 1
        return page

    def _check_host(self, request: web.Request) -> None:
        """A name that was made to point at this machine is no way in from the outside."""
        name = request.host.rpartition(":")[0] or request.host
        if self.host == HERE and name not in (HERE, "localhost", "[::1]"):
            raise web.HTTPForbidden(text="this server is for its own machine only")


def _number(request: web.Request, name: str, usual: int) -> int:
    text = request.query.get(name, "")
    return min(int(text), 500) if text.isascii() and text.isdecimal() and int(text) else usual


class Tab(AppService):
    """The process of one tab."""

    process: Process | None = None

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        self.process = await super()._open_app_process(width, height)
        return self.process

    async def end(self) -> None:
        """Ask it to end, and see to it."""
        if self.process is None:
            return
        try:
            async with asyncio.timeout(_GRACE):
                await self.stop()
                await self.process.wait()
        except TimeoutError:
            self.process.kill()
            await self.process.wait()


def serve(host: str, port: int, *, join: str, tabs: int) -> None:
    """Serve browsers until Ctrl+C. Raises `WebError`."""
    try:
        TabServer(host, port, join=join, tabs=tabs).run()
    except UnicodeError:  # no name of a machine is so long, or has such letters
        raise WebError(N_("“{host}” is no name of a machine."), host=quoted(host, 100)) from None
    except OSError as error:
        raise WebError(
            N_("A browser cannot be served at port {port} ({reason}); choose another with --port."),
            port=port,
            reason=reason(error),
        ) from error


class TabApp(RackoApp):
    """The application in a tab: its terminal is a page, and it ends with the page's server."""

    owns_machine = False

    def on_mount(self) -> None:
        """Watch the server: without it nobody sees this, and nobody ends it."""
        parent = os.getppid()
        self.set_interval(_LOOK, lambda: None if os.getppid() == parent else self.exit(1))

    def post_message(self, message: Message) -> bool:
        """Never mind that the page has lost the focus: then it gets no keys in any case.

        textual-serve says so at the start, and not always when the focus is back.
        """
        return not isinstance(message, events.AppBlur) and super().post_message(message)


def tab(join: str) -> int:
    """Run the application of one tab; its exit status."""
    logfile.start()
    try:
        settings = config.load()
    except config.ConfigError as trouble:
        _log.warning("%s", trouble)
        settings = config.Settings()
    i18n.install(settings.language or i18n.preferred())
    begin = Join.of(join, name=own_name(settings)) if join else Home()
    return TabApp(settings, begin).run() or 0


if __name__ == "__main__":
    sys.exit(tab(sys.argv[1]))
