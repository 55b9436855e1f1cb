"""The panel under the table: the question at hand, or whom the game waits for and why."""

from __future__ import annotations

from lanplay.language import _
from lanplay.tui.cells import Line, Size, Span, cells, clip, line, plain, wrap, wrapped
from lanplay.tui.drawing import Draw, Word, options, rule, scrolled
from lanplay.tui.games import Mapped
from lanplay.tui.glyphs import Glyphs
from lanplay.ui.alerts import awaited, standing
from lanplay.ui.decision import Decision, nothing, refusal
from lanplay.ui.scene import Scene

FEW_ROWS = 5
"""Rows of a panel up to which its heading is the question itself."""
RULE = 8
"""Columns of a heading beside question and number."""


def asked(
    decision: Decision, draw: Draw, word: Word, size: Size, glyphs: Glyphs
) -> tuple[list[Line], int]:
    """Return the panel of a decision, at most ``size.rows`` lines, and the options abreast."""
    question = decision.question
    head = [rule(f"{_('You decide')} {glyphs.dot} {question.rule}", size.columns, glyphs, "title")]
    head += wrapped("you", " " + word(decision.asks), size.columns, 1)
    if decision.ready:
        picked = _summary(decision, draw, word, size.columns)
        return head + picked[-max(1, size.rows - len(head)) :], 1
    body, across = options(decision, draw, word, size.columns - 1, glyphs)
    foot = _status(decision, draw, word, size.columns, glyphs)
    rows = max(1, size.rows - len(head) - len(foot))
    shown = scrolled(body, rows, decision.cursor // across, glyphs)
    indented = [(Span("text", " "), *spans) for spans in shown]
    return (head + indented + foot)[: size.rows], across


def pointing(scene: Scene, screen: Mapped, word: Word, size: Size, glyphs: Glyphs) -> list[Line]:
    """Return the panel of a question that is answered on the board, at most ``size.rows`` lines."""
    assert scene.decision is not None
    question, refused = scene.decision.question, scene.decision.refused
    at_hand = word(scene.decision.asks)
    if cells(at_hand) + cells(question.rule) + RULE > size.columns or size.rows > FEW_ROWS:
        told = f"{_('You decide')} {glyphs.dot} {question.rule}"
        head = [rule(told, size.columns, glyphs, "title")]
        head += wrapped("you", " " + at_hand, size.columns, 1)
    else:
        head = [rule(f"{at_hand} {glyphs.dot} {question.rule}", size.columns, glyphs, "title")]
    foot: list[Line] = []
    if refused is not None:
        foot = wrapped("bad", f" {refusal(refused, word)}", size.columns, 1)
    rows = max(1, size.rows - len(head) - len(foot))
    body = screen.panel(scene, Size(size.columns, rows), glyphs)
    return [*head, *body, *foot][: size.rows]


def _status(decision: Decision, draw: Draw, word: Word, columns: int, glyphs: Glyphs) -> list[Line]:
    """Return one or two lines: the step's prompt, what the selection means, why it is refused.

    What is drawn in signs is told in words where it is pointed at.
    """
    step = decision.step
    if step is None:
        return []
    if decision.refused is not None:
        return wrapped("bad", f" {refusal(decision.refused, word)}", columns, 1)
    spans: Line = ()
    if decision.several:
        spans += line(f"{decision.count}  ")
    if (note := decision.note) is not None:
        spans += line(("money", word(note)))
    prompt = word(step.prompt)
    if not decision.several and decision.options:
        option = decision.options[decision.cursor]
        told = word(option.label)
        if not plain(draw(option)).startswith(told):
            return [clip(line(("dim", f" {prompt}: "), told), columns, glyphs.more)]
    return wrap((Span("dim", f" {prompt}: " if spans else f" {prompt}"), *spans), columns, 1)


def _summary(decision: Decision, draw: Draw, word: Word, columns: int) -> list[Line]:
    out: list[Line] = []
    for (prompt, chosen), note in zip(decision.picked, decision.notes, strict=True):
        spans = line(("dim", f" {word(prompt)}: "))
        for place, option in enumerate(chosen):
            spans += line(" " if place else "") + draw(option)
        if not chosen:
            spans += line(("bad", nothing()))
        if note is not None:
            spans += line(("money", f"  {word(note)}"))
        out += wrap(spans, columns, 3)
    sure = _("Enter gives this answer: it cannot be taken back. Esc changes it.")
    return [*out, *wrapped("good", " " + sure, columns, 1)]


def waiting(scene: Scene, size: Size, glyphs: Glyphs) -> list[Line]:
    """Return the panel when nothing is asked of the person: for whom the game waits, and why."""
    groups = awaited(scene)
    if scene.absent:
        groups[_("not connected")] = [each.name for each in scene.absent]
    out = [rule(_("Waiting") if groups else standing(scene), size.columns, glyphs)]
    for text, names in groups.items():
        spans = line(("think", f" {', '.join(names)}"), ("dim", f": {text}"))
        out += wrap(spans, size.columns, 3)
    return out[: size.rows]


def agreement(text: str, size: Size, glyphs: Glyphs) -> list[Line]:
    """Return the panel of a question for a plain yes; its last line says which keys there are."""
    head = rule(_("A question for you"), size.columns, glyphs, "title")
    asked, _sep, keys = text.rpartition("\n")
    body = [
        each for part in asked.split("\n") for each in wrapped("you", f" {part}", size.columns, 1)
    ]
    return [head, *body, *wrapped("good", f" {keys}", size.columns, 1)][: size.rows]
