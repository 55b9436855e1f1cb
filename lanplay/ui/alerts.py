"""What goes on beside a game: why it does not go on as usual, what its person can do, in words."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from lanplay.language import N_, _
from lanplay.session import events as e
from lanplay.told import Way, worded
from lanplay.ui.scene import Scene

AWAY = N_("An AI answers for you until you are back: {back}.")


def seconds(left: float) -> str:
    """Return a time that is left, in whole seconds."""
    return _("{seconds} s").format(seconds=ceil(left))


def minutes(left: float) -> str:
    """Return a time that is left, in minutes and seconds, ten at a time: ``4:10 min``."""
    whole = ceil(left / 10.0) * 10 if left > 60.0 else ceil(left)
    return _("{time} min").format(time=f"{whole // 60}:{whole % 60:02}")


def corner(scene: Scene, dot: str) -> str:
    """Return the corner of the screen: who has paused, who is missing, who one is oneself."""
    news = [_("paused by {name}").format(name=name) for name in scene.paused_by]
    if scene.pause_left is not None:
        news[-1:] = [f"{each}, {minutes(scene.pause_left)}" for each in news[-1:]]
    news += _missing_at_all(scene)
    if scene.returning:
        news.append(_("coming back"))
    elif scene.seat is None:
        news.append(_("watching"))
    else:
        news.append(_("you: {name}").format(name=scene.names[scene.seat]))
    return f" {dot} ".join(news)


def _missing_at_all(scene: Scene) -> list[str]:
    """Return who is missing, or how many are, and how long it is until AI takes the first seat."""
    if not scene.absent:
        return []
    lefts = [each.left for each in scene.absent if each.left is not None]
    left = f", {seconds(min(lefts))}" if lefts else ""
    if len(scene.absent) > 1:
        return [_("missing: {count}").format(count=len(scene.absent)) + left]
    return [_("{name} is missing").format(name=scene.absent[0].name) + left]


def awaited(scene: Scene) -> dict[str, list[str]]:
    """Return for whom the game waits, by what they are to do, in words; not for its own person.

    That one is asked as soon as it has seen what happened.
    """
    groups: dict[str, list[str]] = {}
    for seat, question in scene.asked.items():
        if seat != scene.seat or seat in scene.away:
            text = _("to decide ({rule})").format(rule=question.rule)
            groups.setdefault(text, []).append(scene.names[seat])
    if scene.comparing:
        groups[_("Do all screens show the same words?")] = list(scene.comparing)
    return groups


def standing(scene: Scene) -> str:
    """Return how the game stands while it waits for nobody."""
    if scene.over:
        return _("The game is over")
    return _("Paused") if scene.paused_by else _("The game goes on")


def alerts(scene: Scene, way: Way) -> list[str]:
    """Return a sentence or two for whatever holds the game up, each with what can be done."""
    out = []
    if scene.paused_by:
        out.append(_paused(scene, way))
    if scene.returning:
        told = _("AI is playing for you; you take over again after the others' next step.")
        if scene.passes:
            told = _("Nobody plays for you; you take over again after the others' next step.")
        out.append(told)
    elif scene.seat in scene.away and not scene.over:
        out.append(_(AWAY).format(back=way("back")))
    if scene.openings:
        told = _("Let AI play the hand of {names}? {open}: yes. Otherwise it stays closed.")
        out.append(told.format(names=", ".join(scene.openings), open=way("open")))
    if scene.stuck:
        return [*out, _stuck(scene, way)]
    return [*out, *(_missing(each, scene, way) for each in scene.absent)]


def _paused(scene: Scene, way: Way) -> str:
    told = _("Paused by {names}, for {left} at most. {go}: vote to go on; most have to.")
    if scene.own_pause:
        told = _("Paused by {names}, for {left} at most. {go}: continue.")
    elif scene.seat is None:
        told = _("Paused by {names}, for {left} at most.")
    names = ", ".join(scene.paused_by)
    return told.format(names=names, left=minutes(scene.pause_left or 0.0), go=way("go"))


def _stuck(scene: Scene, way: Way) -> str:
    told = _("Not connected: {names}. {anew}: go on without them; {leave}: leave for now; or wait.")
    names = ", ".join(each.name for each in scene.absent)
    if not way("anew"):
        return _("Not connected: {names}. The game waits.").format(names=names)
    return told.format(names=names, anew=way("anew"), leave=way("q"))


def _missing(absence: e.Absence, scene: Scene, way: Way) -> str:
    """Return what becomes of somebody's seat, and what whoever has a say in that can do."""
    told, ways = _("{name} is gone; the game waits."), _("{hurry}: do not wait.")
    if absence.left is not None:
        ways = _("{hurry}: at once. {wait}: wait.")
        told = _("{name} is gone: AI plays in {left}.")
        if scene.starting:
            told = _("{name} is gone: all return to the table in {left}.")
        elif scene.passes:
            told = _("{name} is gone: passing in {left}.")
    said = told.format(name=absence.name, left=seconds(absence.left or 0.0))
    if not way("hurry"):
        return said
    return f"{said} {ways.format(hurry=way('hurry'), wait=way('wait'))}"


def paused(snapshot: e.Snapshot, name: str, seconds: float, go: str) -> str:
    """Return who has paused the game, and how its person lets it go on: by the command ``go``."""
    told = _("{name} has paused the game, for {left} at most. {go}: vote to go on.")
    if snapshot.own is None:
        told = _("{name} has paused the game, for {left} at most.")
    elif snapshot.own in snapshot.pauses and name == snapshot.names[snapshot.own]:
        told = _("{name} has paused the game, for {left} at most. {go}: continue.")
    return told.format(name=name, left=minutes(seconds), go=go)


def told(event: e.Event, snapshot: e.Snapshot, way: Way, listens: bool) -> Sequence[str]:
    """Return what is said of an event, to somebody who ``listens`` for more or only reads."""
    match event:
        case e.TableNotice(text=text):
            return [text]
        case e.GamePaused():
            return [paused(snapshot, event.name, event.seconds, way("go"))]
        case e.GameResumed(name=""):
            return [_("The pause is over: the game goes on.")]
        case e.GameResumed(name=name):
            return [_("{name} ends the pause.").format(name=name)]
        case e.AwayChanged():
            return [_away(event, snapshot, way, listens)]
        case e.PaceChanged(alone=True):
            return [_("Only AI is left at the table: it moves at once.")]
        case e.PaceChanged():
            return [_("AI moves at the usual speed again.")]
    return []


def _away(event: e.AwayChanged, snapshot: e.Snapshot, way: Way, listens: bool) -> str:
    if event.seat != snapshot.own:
        said = _("An AI answers for {name}.") if event.away else _("{name} is back.")
        return f"{worded(event.why)} {said.format(name=snapshot.names[event.seat])}".strip()
    if not event.away:
        return _("You answer for yourself again.")
    if not listens:
        return _("An AI answers for you to the end of this game.")
    return f"{worded(event.why)} {_(AWAY).format(back=way('back'))}".strip()
