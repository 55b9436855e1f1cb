"""Fliptown: its manifest. The rules cite the numbers of docs/rules/fliptown.md."""

from lanplay.engine.manifest import GameManifest, Pages, Ref, TableOption
from lanplay.language import N_

MANIFEST = GameManifest(
    name="fliptown",
    title=N_("Fliptown"),
    seats=range(1, 5),
    options=(
        TableOption("characters", N_("Characters"), {"none": N_("without"), "random": N_("drawn")}),
        TableOption(
            "holdem",
            N_("Texas hold 'em"),
            {
                "none": N_("without"),
                "each": N_("every hand pays"),
                "best": N_("the best hand pays"),
            },
        ),
        TableOption(
            "cowbot",
            N_("Cowbot (one seat)"),
            {
                "none": N_("without"),
                "random": N_("drawn"),
                "bart": "Black Bart",
                "earp": "Wyatt Earp",
                "jane": "Calamity Jane",
                "kid": "Billy the Kid",
                "card": N_("drawn with the character"),
            },
        ),
        TableOption(
            "level",
            N_("Cowbot's level"),
            {
                "normal": N_("normal: 2 points a card"),
                "easy": N_("easy: 1 point a card"),
                "hard": N_("hard: 3 points a card"),
            },
        ),
        TableOption(
            "guns",
            N_("Pistol and rifle"),
            {"rulebook": N_("+2 and +4"), "english": N_("+3 and +6")},
        ),
        TableOption(
            "rows",
            N_("Cowbot's rows count"),
            {"sites": N_("sites left uncircled"), "points": N_("the stars printed on them")},
        ),
        TableOption(
            "jane", N_("Calamity Jane steals on"), {"star": N_("a star"), "cash": N_("dollars")}
        ),
    ),
    rules=Ref("lanplay.games.fliptown.rules:RULES"),
    words=Ref("lanplay.games.fliptown.text"),
    summary=Ref("lanplay.games.fliptown.summary"),
    lessons=Ref("lanplay.games.fliptown.teaching:LESSONS"),
    narrator=Ref("lanplay.games.fliptown.narration:FliptownNarrator"),
    bots=Ref("lanplay_ai.fliptown:BOTS"),
    hints=Ref("lanplay_ai.fliptown.text"),
    values=Ref("lanplay_ai.fliptown.values:VALUES"),
    screen=Ref("lanplay.tui.games.fliptown:SCREEN"),
    web=Ref("lanplay.web.games.fliptown:BOARD"),
    challenges=Ref("lanplay.games.fliptown.challenges:CHALLENGES"),
    income=Ref("lanplay.games.fliptown.income:INCOME"),
    passes=True,
    env=Ref("lanplay.env.games.fliptown:DECLARED"),
    pages=Pages("fliptown.md", "FT"),
    cards=52,
    data=("map.toml",),
)
