"""Variation around sentences: fillers, reasons, punctuation, two sentences joined, and frames that take a request back,
put it off, tell it or ask about it (commands.md: what is negated, delayed or asked never comes out as the bare
command).
"""

import random

import msgspec

from context_retrieval.models import Action, Command, Scope
from tingdong.commands.words import Kind
from tingdong.reader.spots import SentenceSpotter, when_of
from tingdong.reader.training.samples import Phrases, Sample

__all__ = ["Framer"]

_HOME = ("家里", "全屋", "所有房间", "每个房间", "屋子", "整个", "全家", "各个", "满屋", "家")
_RETRACTING = (
    "算了",
    "不用",
    "不对",
    "错",
    "取消",
    "当我没说",
    "还是",
    "不是",
    "除",
    "别",
    "不",
    "等",
    "要是",
    "如果",
    "就",
    "后",
    "再",
    "只",
)
_LEADS = frozenset((Kind.VERB, Kind.BEFORE_TARGET, Kind.SET, Kind.WEAK))
_REPEATED = frozenset((Kind.VERB, Kind.ROOM, Kind.DEVICE))
_ENDINGS = "。！？!?.，, ~"


class Framer:
    """Puts sentences into frames."""

    def __init__(self, spotter: SentenceSpotter, phrases: Phrases, rng: random.Random) -> None:
        self._spotter = spotter
        self._phrases = phrases
        self._rng = rng
        self._bare: dict[str, bool] = {}

    def is_bare(self, sample: Sample) -> bool:
        """Whether it is one plain request that begins with its verb or with 把, so that a frame can hold it."""
        known = self._bare.get(sample.text)
        if known is None:
            known = self._bare[sample.text] = self._judge(sample)
        return known

    def _judge(self, sample: Sample) -> bool:
        text = sample.text.rstrip(_ENDINGS)
        if len(sample.commands) != 1 or len(text) > 16 or any(mark in text for mark in "，。！？,;； "):
            return False
        command = sample.commands[0]
        if command.action.when or command.target.is_last or command.action.verb.startswith("查询"):
            return False
        tokens = self._spotter.read(text).tokens
        odd = (Kind.NEGATION, Kind.CANCEL, Kind.CORRECTION, Kind.WHEN, Kind.ASK, Kind.EXCEPT_BEFORE, Kind.EXCEPT_AFTER)
        return bool(tokens) and tokens[0].kind in _LEADS and not any(token.kind in odd for token in tokens)

    def empty(self, sample: Sample) -> Sample:
        """A bare request in a frame that leaves nothing to do."""
        kinds = (self._phrases.refusals, self._phrases.open_conditions, self._phrases.told, self._phrases.asked,
                 self._phrases.others, self._phrases.cancels)  # fmt: skip
        frames = self._rng.choices(kinds, weights=(4, 4, 3, 3, 3, 3))[0]
        frame = self._rng.choice(frames)
        text = sample.text.rstrip(_ENDINGS + "吧啊呗哈")
        return Sample(text + frame if frames is self._phrases.cancels else self._filled(frame, text), ())

    def urged(self, sample: Sample) -> Sample:
        """A bare request in a frame that changes nothing."""
        frame = self._filled(self._rng.choice(self._phrases.urged), sample.text.rstrip(_ENDINGS + "吧啊呗哈"))
        return Sample(frame, sample.commands)

    def contrasted(self, first: Sample, second: Sample) -> Sample:
        """Two bare requests, of which the first is refused or told."""
        refused, asked = (sample.text.rstrip(_ENDINGS + "吧啊呗哈") for sample in (first, second))
        frame = self._filled(self._rng.choice(self._phrases.contrasts), "")
        return Sample(frame.replace("{a}", refused).replace("{b}", asked), second.commands)

    def _filled(self, frame: str, text: str) -> str:
        pools = ("who", self._phrases.who), ("day", self._phrases.day), ("event", self._phrases.event)
        for name, words in pools:
            if f"{{{name}}}" in frame:
                frame = frame.replace(f"{{{name}}}", self._rng.choice(words))
        return frame.replace("{}", text)

    def stuttered(self, sample: Sample) -> Sample:
        """A word begun twice, as it is spoken (客、客厅的灯)."""
        tokens = [t for t in self._spotter.read(sample.text).tokens if t.kind in _REPEATED]
        text, found = sample.text, self._rng.choice(tokens).text if tokens else ""
        at = text.find(found)
        if not found or at < 0 or len(text) > 40:
            return sample
        again = found if self._rng.random() < 0.6 else found[0]
        return msgspec.structs.replace(
            sample, text=text[:at] + again + self._rng.choice(("、", "", "，", "…")) + text[at:]
        )

    def timed(self, sample: Sample) -> Sample | None:
        """A bare request put off to a time or hung on a condition, as far as the rules can read it."""
        frame = self._rng.choice(self._phrases.times if self._rng.random() < 0.7 else self._phrases.conditions)
        number = self._rng.choice("五十二三八").replace("十", self._rng.choice(("十", "二十", "三十", "15", "40")))
        said = frame.format(
            n=number, h=self._rng.choice("七八九十"), t=self._rng.randint(10, 32), p=self._rng.randint(20, 80)
        )
        whens = [when_of(token) for token in self._spotter.read(said).tokens if when_of(token)]
        if len(whens) != 1:
            return None
        return Sample(said + sample.text, tuple(_at(command, whens[0]) for command in sample.commands))

    def corrected(self, first: Sample, second: Sample) -> Sample:
        """Two bare requests, of which the second replaces the first."""
        link = self._rng.choice(self._phrases.corrections)
        return Sample(first.text.rstrip(_ENDINGS) + link + second.text, second.commands)

    def joined(self, first: Sample, second: Sample) -> Sample | None:
        """Two sentences as one; a room said in the first holds for the second (commands.md, SCOPE). None where
        unclear."""
        if any(c.action.when for c in first.commands) or any(word in second.text for word in _RETRACTING):
            return None
        if any(word in first.text for word in ("如果", "要是", "算了", "取消", "等")):
            return None
        if "除" in first.text and not all(command.scope.include for command in second.commands):
            return None
        last = any(command.target.is_last for command in second.commands)
        if last and first.commands:
            return None
        commands = second.commands
        scope = first.commands[-1].scope if first.commands else None
        if scope is not None and (scope.include or scope.here) and not any(word in second.text for word in _HOME):
            if scope.exclude or any(c.scope.exclude or c.target.excluded for c in commands):
                return None
            held = True
            fresh = []
            for command in commands:
                held = held and not (command.scope.include or command.scope.here)
                home = command.action.verb == "执行"
                fresh.append(_in(command, scope) if held and not home else command)
            commands = tuple(fresh)
        link = self._rng.choice(self._phrases.joins)
        return Sample(first.text.rstrip(_ENDINGS) + link + second.text, (*first.commands, *commands))

    def wrapped(self, sample: Sample) -> Sample:
        """Fillers, reasons and punctuation around a sentence; they change nothing."""
        text, rng = sample.text, self._rng
        if rng.random() < 0.15:
            text = rng.choice(self._phrases.polite_before) + rng.choice(("", "", "，")) + text
        if sample.commands and rng.random() < 0.14:
            text = rng.choice(self._phrases.before) + rng.choice(("，", "，", "", " ", "。")) + text
        if rng.random() < 0.12 and text[-1] not in _ENDINGS:
            text += rng.choice(self._phrases.particles)
        if sample.commands and rng.random() < 0.1:
            text = text.rstrip(_ENDINGS) + rng.choice(("，", "，", "", " ")) + rng.choice(self._phrases.after)
        chance = rng.random()
        if chance < 0.12:
            text = "".join(c for c in text if c not in "，。！？,!?")
        elif chance < 0.2:
            text = text.replace("，", rng.choice((" ", "。", "、", "；")))
        elif chance < 0.27:
            text = text.rstrip(_ENDINGS) + rng.choice("。！？ ~")
        return msgspec.structs.replace(sample, text=text)


def _at(command: Command, when: str) -> Command:
    return Command(Action(command.action.verb, command.action.value, when), command.scope, command.target)


def _in(command: Command, scope: Scope) -> Command:
    return Command(command.action, scope, command.target)
