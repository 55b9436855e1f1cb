"""Charidice: its manifest. The rules cite the numbers of docs/rules/charidice.md."""

from lanplay.engine.manifest import GameManifest, Pages, Ref
from lanplay.language import N_

MANIFEST = GameManifest(
    name="charidice",
    title=N_("Charidice"),
    seats=range(2, 5),
    rules=Ref("lanplay.games.charidice.rules:RULES"),
    words=Ref("lanplay.games.charidice.text"),
    summary=Ref("lanplay.games.charidice.summary"),
    lessons=Ref("lanplay.games.charidice.teaching:LESSONS"),
    bots=Ref("lanplay_ai.charidice:BOTS"),
    hints=Ref("lanplay_ai.charidice.text"),
    values=Ref("lanplay_ai.charidice.values:VALUES"),
    screen=Ref("lanplay.tui.games.charidice:SCREEN"),
    web=Ref("lanplay.web.games.charidice:BOARD"),
    income=Ref("lanplay.games.charidice.income:INCOME"),
    hides=False,
    passes=True,
    env=Ref("lanplay.env.games.charidice:DECLARED"),
    pages=Pages("charidice.md", "CH"),
)
