"""Tables of plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

LEFT = 2
"""The first columns, which are words: they stand at the left, numbers at the right."""


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows of as many cells each as lines whose columns are as wide as their widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if place < LEFT else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
