"""Dice Town: its manifest. The rules cite the numbers of docs/rules/dice_town.md."""

from lanplay.engine.manifest import GameManifest, Pages, Ref, TableOption
from lanplay.language import N_

MANIFEST = GameManifest(
    name="dice-town",
    title=N_("Dice Town"),
    seats=range(2, 6),
    options=(
        TableOption(
            "claim_row",
            N_("Claims left in the row"),
            {"recycle": N_("go under the deck"), "slide": N_("stay in the row")},
        ),
        TableOption(
            "brute",
            N_("The Brute makes free"),
            {"free": N_("all dice of the reveal"), "one_extra": N_("one more die")},
        ),
    ),
    rules=Ref("lanplay.games.dice_town.rules:RULES"),
    words=Ref("lanplay.games.dice_town.text"),
    summary=Ref("lanplay.games.dice_town.summary"),
    lessons=Ref("lanplay.games.dice_town.teaching:LESSONS"),
    narrator=Ref("lanplay.games.dice_town.narration:DiceTownNarrator"),
    bots=Ref("lanplay_ai.dice_town:BOTS"),
    hints=Ref("lanplay_ai.dice_town.text"),
    values=Ref("lanplay_ai.dice_town.values:VALUES"),
    screen=Ref("lanplay.tui.games.dice_town:SCREEN"),
    web=Ref("lanplay.web.games.dice_town:BOARD"),
    orders=Ref("lanplay.games.dice_town.orders:ORDERS"),
    income=Ref("lanplay.games.dice_town.income:INCOME"),
    env=Ref("lanplay.env.games.dice_town:DECLARED"),
    pages=Pages("dice_town.md", "DT"),
    cards=44,
)
