"""A Dog's Life: its manifest. The rules cite the numbers of docs/rules/dogs_life.md."""

from lanplay.engine.manifest import GameManifest, Pages, Ref, TableOption
from lanplay.language import N_

MANIFEST = GameManifest(
    name="dogs-life",
    title=N_("A Dog's Life"),
    seats=range(2, 7),
    options=(
        TableOption(
            "bones",
            N_("Bones to bury"),
            {
                "4": N_("4 bones"),
                "2": N_("2 bones"),
                "3": N_("3 bones"),
                "5": N_("5 bones"),
                "6": N_("6 bones"),
            },
        ),
        TableOption(
            "rounds",
            N_("Most bones after so many rounds"),
            {
                "none": N_("no limit on rounds"),
                "10": N_("10 rounds"),
                "15": N_("15 rounds"),
                "20": N_("20 rounds"),
                "25": N_("25 rounds"),
                "30": N_("30 rounds"),
            },
        ),
    ),
    rules=Ref("lanplay.games.dogs_life.rules:RULES"),
    words=Ref("lanplay.games.dogs_life.text"),
    summary=Ref("lanplay.games.dogs_life.summary"),
    lessons=Ref("lanplay.games.dogs_life.teaching:LESSONS"),
    bots=Ref("lanplay_ai.dogs_life:BOTS"),
    hints=Ref("lanplay_ai.dogs_life.text"),
    values=Ref("lanplay_ai.dogs_life.values:VALUES"),
    screen=Ref("lanplay.tui.games.dogs_life:SCREEN"),
    web=Ref("lanplay.web.games.dogs_life:BOARD"),
    passes=True,
    env=Ref("lanplay.env.games.dogs_life:DECLARED"),
    pages=Pages("dogs_life.md", "DL"),
    cards=12,
    data=("dogs.toml", "town.toml"),
)
