"""The plain interface: append-only lines out, numbered answers in. For pipes and screen readers."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Any, Final, Protocol, TextIO

from lanplay.engine.game import Game
from lanplay.engine.question import Answer, Illegal, Phrase, Pick, PickSome, Question
from lanplay.engine.view import View
from lanplay.errors import Fault, UserError
from lanplay.games.teaching import lessons_of
from lanplay.games.wording import LedBy, closing, leads_of, summary_of, words_of
from lanplay.language import N_, _, in_c_locale, ngettext
from lanplay.told import worded
from lanplay.ui.decision import Decision, numbers, refusal, selection
from lanplay.ui.moments import Told, decided, titled

COLUMNS = 79
MANY: Final = 8
"""Options that are told one by one at most; of more each is explained only if asked about."""
TWICE: Final = re.compile(r"^(\d+)\. (?=\$?\1(?!\S))")
"""A number before an amount that is itself that number: the amount is enough."""
HELP = N_(
    "Answer with numbers from the list; '?' shows the rule, '? 1' what 1 would mean, "
    "'undo' goes back a step, 'help' shows all commands, 'q' leaves."
)
TO: Final = "to "
"""How a line begins that names where to go, in games that have places."""
UNDO: Final = "undo"
"""The line that takes back what was picked last, as long as the answer is not given."""

YES = ("y", "yes", "a", "ano", "i", "igen")
"""What counts as a yes, in any of the languages."""
NO = ("n", "no", "ne", "nem")
"""What counts as a no."""


class Source(Protocol):
    """Where answers come from: a text stream, or something that reads one."""

    def readline(self) -> str:
        """Return the next line; an empty string at the end."""


class PlainUI:
    """Talks with one person. ``names`` are the seats' names, as they may be shown.

    ``source`` is where its answers come from; it may be replaced between questions. ``obey`` does
    what a line says that is a command, and tells whether it was one. ``sure`` is what is asked
    before the person leaves; nothing is if it is empty.
    """

    def __init__(self, game: Game, names: Sequence[str], source: Source, out: TextIO) -> None:
        self._game = game
        self._names = names
        self.source = source
        self._out = out
        self.obey: Callable[[str], bool] = lambda _: False
        self.sure: Callable[[], str] = str
        self._text, self._summary = words_of(game.name), summary_of(game.name)
        self._lessons = lessons_of(game.name)
        self._asked = False
        self._led: LedBy | None = leads_of(game.name)
        self._ahead: list[Answer] = []

    def happened(self, message: Phrase) -> None:
        """Print an event of the game."""
        if line := self._word(message):
            self.notice(line)

    def sum_up(self, table: Any, events: Sequence[Told], winners: Sequence[int]) -> None:
        """Print final hands and what decided the game: the result itself is the last event."""
        game, names = self._game.name, self._names
        for text in closing(game, table, names) if table is not None else ():
            self.notice(text)
        if moments := decided(game, events, names, winners):
            self.notice(f"\n{_('What decided it')}:")
        for round_, text in moments:
            self.notice(f"  {round_}: {text}")
        if titles := titled(game, events, names):
            self.notice(f"\n{_('Worth telling')}:")
        for text in titles:
            self.notice(f"  {text}")

    def notice(self, text: str) -> None:
        """Print text, broken into lines of at most 79 columns."""
        text = worded(text)
        encoding = getattr(self._out, "encoding", None) or "utf-8"
        if in_c_locale(os.environ):
            encoding = "ascii"
        safe = text.encode(encoding, "nearest").decode(encoding, "replace")
        for line in safe.split("\n"):
            for part in wrap(line, COLUMNS, subsequent_indent="    ") or [""]:
                print(part, file=self._out, flush=True)

    def refused(self, illegal: Illegal) -> None:
        """Say why an answer was refused, with the rule's number."""
        self.notice(refusal(illegal, self._word))

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Ask the person and return the answer.

        Raises ``UserError`` when the input ends or the person leaves.
        """
        ahead, self._ahead = self._ahead, []
        if ahead and self._led is not None and self._led.goes_on(view.table, question, ahead[0]):
            self._ahead = ahead[1:]
            return ahead[0]
        while True:
            answer = self._converse(view, question)
            try:
                question.check(answer)
                question.check_own(answer, view)
            except Illegal as illegal:
                self.refused(illegal)
            else:
                return answer

    def agree(self, question: str) -> None:
        """Ask for a yes and return once it comes; ``UserError`` when the person leaves."""
        asked = f"{question} {_('Type yes, or q to leave.')}"
        self.notice(asked)
        while (line := self._read()).casefold() not in YES:
            if not self.obey(line):
                self.notice(asked)

    def _converse(self, view: View[Any], question: Question) -> Answer:
        self.notice("")
        for line in self._summary.situation(view, self._names):
            self.notice(line)
        words = self._word(Phrase(f"ask-{question.name}", question.values()))
        told = _("{seat}: {question} (rule {rule})")
        self.notice(told.format(seat=self._names[view.seat], question=words, rule=question.rule))
        if not self._asked:
            self.notice(_(HELP))
            if self._led is not None:
                self.notice(_("'to PLACE' goes or drives to the place of that name."))
        self._asked = True
        decision = Decision(view, question)
        while decision.step is not None:
            self._pick(decision.step, decision)
        return decision.answer

    def _pick(self, step: Pick | PickSome, decision: Decision) -> None:
        """Ask until something is picked at a step, or the step before is taken back."""
        self._offer(step)
        while decision.step is step:
            line = self._read()
            if line.startswith("?"):
                self._explain(line[1:], step, decision.question)
            elif line.startswith(TO) and self._led is not None:
                self._lead(self._led, line.removeprefix(TO).strip(), decision)
            elif line == UNDO:
                if not decision.back():
                    self.notice(_("There is nothing to take back here."))
            elif not self.obey(line):
                self._take(line, step, decision)

    def _take(self, line: str, step: Pick | PickSome, decision: Decision) -> None:
        """Take a line of numbers; after one that was no choice, an empty one is asked about."""
        chosen = self._numbers(line, step)
        if chosen is None:
            decision.astray = line
        elif not line and (doubt := decision.doubt()):
            self.notice(doubt)
        else:
            self._settle(decision, chosen)

    def _lead(self, led: LedBy, place: str, decision: Decision) -> None:
        """Answer with the way to a place, step by step, or say why none leads there."""
        try:
            answer, *ahead = led.led(decision.view, decision.question, place)
        except ValueError as error:
            self.notice(str(error))
            return
        decision.step, decision.answer, self._ahead = None, answer, ahead

    def _settle(self, decision: Decision, places: Sequence[int]) -> None:
        """Pick the options at these places, or say why that cannot be."""
        decision.point(places[0] if places else 0)
        decision.chosen = list(places)
        if not decision.settle() and decision.refused is not None:
            self.refused(decision.refused)

    def _offer(self, step: Pick | PickSome) -> None:
        if step.asks is not None:
            self.notice(self._word(step.asks))
        every = zip(numbers(step.options, seats=False), step.options, strict=True)
        labels = [TWICE.sub("", f"{each}. {self._word(option.label)}") for each, option in every]
        if len(labels) > MANY:
            self.notice("; ".join(labels))  # a label may have commas of its own
            self.notice(_("'? 3' says what 3 would mean."))
            labels = []
        for label, option in zip(labels, step.options, strict=False):
            why = ""
            if option.why_not:
                reason = self._word(option.why_not.message)
                why = "  " + _("(not now: {reason})").format(reason=reason)
            told = f" ({effect})" if (effect := self._lessons.effect(option.label)) else ""
            self.notice(f"  {label}{told}{why}")
        how = _("one number") if isinstance(step, Pick) else self._how_many(step)
        self.notice(f"{self._word(step.prompt)}: {how}")

    def _how_many(self, step: PickSome) -> str:
        if step.at_least == step.at_most:
            count = step.at_least
            how = ngettext("{count} number", "{count} different numbers with blanks between", count)
            return how.format(count=count)
        return _("numbers with spaces between them, or an empty line for none")

    def _numbers(self, line: str, step: Pick | PickSome) -> list[int] | None:
        """Return the places a line picks; ``None``, and why, with the choices, if it picks none."""
        words = line.replace(",", " ").split()
        calls = list(map(str, numbers(step.options, seats=False)))
        least, most = (1, 1) if isinstance(step, Pick) else (step.at_least, step.at_most)
        wrong = ""
        if odd := [word for word in words if word not in calls]:
            wrong = _("'{word}' is not on the list.").format(word=odd[0][:COLUMNS])
        elif len(set(words)) != len(words):
            wrong = _("Each number counts once.")
        elif not least <= len(words) <= most:
            wanted = str(least) if least == most else f"{least}-{most}"
            told = _("How many numbers: {wanted}, not {given}.")
            wrong = told.format(wanted=wanted, given=len(words))
        if wrong:
            self.notice(f"{wrong} {_(HELP)}" if odd and not odd[0].isdecimal() else wrong)
            self._offer(step)
            return None
        places = [calls.index(word) for word in words]
        for option in (step.options[place] for place in places):
            if option.why_not is not None:
                self.refused(option.why_not)
                return None
        return places

    def _explain(self, rest: str, step: Pick | PickSome, question: Question) -> None:
        """Show the rule of a question; after numbers, what these would mean at the step."""
        from lanplay.ui.rulebook import flowing, shown

        if rest.strip():
            if (places := self._numbers(rest, step)) is not None:
                self.notice(self._meaning(step, places, question))
            return
        if plain := self._lessons.plain(question, step.prompt):
            self.notice(plain)
            command = f"rules {question.rule}"
            self.notice(_("{command} shows the rule with its number.").format(command=command))
        else:
            self.notice(flowing(shown(self._game.name, question.rule)))
        self.notice(_(HELP))

    def _meaning(self, step: Pick | PickSome, places: Sequence[int], question: Question) -> str:
        """Return what picking the options at these places would mean, or why it cannot be.

        With it comes what each of them does, or else the rule of the question in plain words.
        """
        options = [step.options[place] for place in places]
        told = selection(step.prompt, options, self._word)
        if isinstance(step, PickSome):
            values = tuple(option.value for option in options)
            if (refused := step.why_not(values)) is not None:
                return refusal(refused, self._word)
            if (note := step.note(values)) is not None:
                told = self._word(note)
        effects = [self._lessons.effect(option.label) for option in options]
        said = [f"{effect[:1].upper()}{effect[1:]}." for effect in effects if effect]
        rule = self._lessons.plain(question, step.prompt)
        return "\n".join(dict.fromkeys([told, *(said or [rule])])).rstrip()

    def _read(self) -> str:
        line = self._line()
        if line == "q" and (question := self.sure()):
            self.notice(f"{question} {_('Type q again for yes; any other line means no.')}")
            line = self._line()
        if line == "q":
            raise UserError(Fault.LEFT_GAME)
        return line

    def _line(self) -> str:
        line = self.source.readline()
        if not line:
            raise UserError(Fault.INPUT_ENDED)
        return line.strip()

    def _word(self, message: Phrase) -> str:
        return self._text.word(message, self._names)
