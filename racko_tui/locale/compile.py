"""Makes the `.mo` files that gettext reads from the `.po` files that people edit.

Hatchling runs `CatalogueHook` (see pyproject.toml) whenever the project is built or installed,
from a folder where the rest of the project cannot be imported.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalogues(folder: Path) -> list[Path]:
    """Write the `.mo` beside every `.po` in the language folders of `folder` that is newer.

    Returns every `.mo` there is then.
    """
    compiled = []
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            with source.open("rb") as file:
                catalogue = read_po(file)
            draft = target.with_suffix(".mo.new")
            with draft.open("wb") as file:
                write_mo(file, catalogue)
            draft.replace(target)
        compiled.append(target)
    return compiled


class CatalogueHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the catalogues before a wheel, an sdist or an editable install is made."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and put what came of it among the files, which git ignores."""
        root = Path(self.root)
        compiled = compile_catalogues(root / "racko_tui" / "locale")
        build_data["artifacts"] += [f"/{path.relative_to(root).as_posix()}" for path in compiled]
