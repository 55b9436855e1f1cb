"""Liar's Dice: its manifest, which is all that lanplay looks for."""

from pathlib import Path

from lanplay.engine.manifest import GameManifest, Pages, Ref, TableOption
from lanplay.language import N_

MANIFEST = GameManifest(
    name="liars-dice",
    title=N_("Liar's Dice"),
    seats=range(2, 7),
    options=(TableOption("ones", N_("Ones"), {"plain": N_("are ones"), "wild": N_("are any")}),),
    rules=Ref("liars_dice.rules:RULES"),
    words=Ref("liars_dice.text"),
    summary=Ref("liars_dice.summary"),
    bots=Ref("liars_dice.bots:BOTS"),
    hints=Ref("liars_dice.bots"),
    screen=Ref("liars_dice.screen:SCREEN"),
    pages=Pages("liars_dice.md", "LD", Path(__file__).parent / "pages"),
)
