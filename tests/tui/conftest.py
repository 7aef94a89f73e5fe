"""Apps in tests are waited for as long as they have something to do, and no longer."""

from __future__ import annotations

import textual.app
import textual.pilot

from tests.tui.idling import wait_for_idle

for module in (textual.app, textual.pilot):
    assert hasattr(module, "wait_for_idle")
    module.wait_for_idle = wait_for_idle  # type: ignore[attr-defined]
