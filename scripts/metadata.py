"""What a package index is told that hangs on where the project lives: URLs, the README's links.

The one place that says where that is, is ``home`` in ``pyproject.toml``. While it is empty there
are no URLs, and links stay relative: no address is made up.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)(\[[^]]*\])\((?!https?:|#)([^()\s]+)\)")
_PAGES = {
    "Homepage": "",
    "Documentation": "/tree/{tag}/docs",
    "Changelog": "/blob/{tag}/CHANGELOG.md",
    "Source": "/tree/{tag}",
    "Issues": "/issues",
    "Security": "/blob/{tag}/SECURITY.md",
}


class Metadata(MetadataHookInterface):
    """Hatchling's hook: fills in the dynamic fields ``readme`` and ``urls``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add both to the metadata of the project."""
        home, tag = self.config["home"], f"v{metadata['version']}"
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(text, home, tag)}
        metadata["urls"] = urls(home, tag)


def urls(home: str, tag: str) -> dict[str, str]:
    """Return the project's pages by title; none while it has no ``home``."""
    return {title: home + page.format(tag=tag) for title, page in _PAGES.items() if home}


def absolute(text: str, home: str, tag: str) -> str:
    """Return Markdown whose relative links and pictures are those of ``home`` at a ``tag``.

    Unchanged while there is no ``home``.
    """

    def moved(found: re.Match[str]) -> str:
        picture, title, path = found.groups()
        return f"{picture}{title}({home}/{'raw' if picture else 'blob'}/{tag}/{path})"

    return _LINK.sub(moved, text) if home else text
