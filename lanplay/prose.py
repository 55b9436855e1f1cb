"""Pages of Markdown as prose: paragraphs whole, and their lines as wide as a terminal is."""

from __future__ import annotations

import re
from shutil import get_terminal_size
from textwrap import wrap


def paragraphs(page: str) -> list[str]:
    """Return the paragraphs of a page, marks of Markdown included.

    Headings, empty lines, items of lists (with their indentation or number) and rows of tables
    stand for themselves; the line between the head and the rows of a table is left out.
    """
    out: list[str] = []
    for each in page.split("\n"):
        begins = not each.strip() or each.lstrip(" 0123456789").startswith(("#", "|", "- ", ". "))
        if begins or not out or not out[-1] or out[-1].startswith(("#", "|")):
            out.append(each.rstrip())
        else:
            out[-1] += f" {each.strip()}"
    return [each for each in out if not each.startswith("|-")]


def broken(line: str) -> list[str]:
    """Return a line in parts for a terminal: words stay whole, and columns of tables columns."""
    columns = get_terminal_size().columns - 1
    indent = " " * (len(line) - len(re.sub(r"^ *(\S.{0,24}?  +)?", "", line)))
    parts = wrap(
        line, columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return parts or [line]
