"""The screenshots of the README are the screens that there are."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from scripts.screenshots import FOLDER, ROOT, SHOTS, picture


@pytest.mark.parametrize("name", SHOTS)
def test_a_screenshot_is_in_step_with_its_screen(name):
    """A picture that differs is drawn anew: python3 scripts/screenshots.py."""
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == picture(name)


@pytest.mark.parametrize("name", SHOTS)
def test_a_screenshot_is_a_picture_that_stands_alone(name):
    """It is well-formed and refers to nothing outside, so that every viewer shows it."""
    root = ElementTree.fromstring(picture(name))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not any("href" in key for each in root.iter() for key in each.attrib)


def test_the_readme_shows_every_screenshot():
    """And none that no script draws."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\(docs/images/([a-z-]+)\.svg\)", text))
    assert shown == set(SHOTS) == {path.stem for path in FOLDER.glob("*.svg")}
