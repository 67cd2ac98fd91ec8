"""The sessions of PROTOCOL.md and of the rules, replayed against the engine.

They were written down with an engine of made-up scores. So of ``info`` there may be any
number of lines, of which each has to be understood, and of ``bestmove`` the turn may be
another; everything else is the same, word for word.
"""

from __future__ import annotations

import json
import re
import unittest

from gyre import Info, Option, Position, Turn
from gyre.analysis import analyse_command
from gyre.process import Command, Process

from . import PATIENCE, REPOSITORY

RULES = (REPOSITORY / "position" / "RULES.md").read_text("utf-8")
SPECIFICATION = (REPOSITORY / "PROTOCOL.md").read_text("utf-8") + RULES
SESSIONS, ANALYSES = (re.findall(rf"^```{kind}\n(.*?)^```$", SPECIFICATION, re.M | re.S) for kind in ("session", "analysis"))


def comparable(line: str) -> str | None:
    """The part of a line that must match; None for search output."""
    words = line.split()
    if words[0] == "info" and words[1] != "string":
        info = Info.parse(line)
        assert info is not None and info.score is not None and info.pv, line
        return None
    if words[0] == "bestmove":
        turns = words[1::2]
        for turn in turns:
            Turn(turn) if turn != "none" else None
        return "bestmove of a turn" if turns != ["none"] else line
    if words[0] == "option":
        return repr(Option.parse(line))
    return re.sub(r"^(id name) .*|\b(time|nps) \d+", r"\1\2", line)


def told_by_analysis(line: str) -> str:
    """The part of an analysis line that must match, without search results."""
    answer = json.loads(line)
    if answer.get("action") == "query_version":
        return repr(list(answer))
    if "root" in answer:
        answer["root"] = sorted(set(answer["root"]) - {"cp", "mate", "bound"})
        answer["lines"] = [sorted(set(line) - {"cp", "mate", "bound"}) for line in answer["lines"]]
        answer["timeMs"] = 0
    return repr(answer)


class TestSessions(unittest.TestCase):
    def test_sessions_exist(self) -> None:
        self.assertGreater(len(SESSIONS), 5)
        self.assertGreater(len(ANALYSES), 2)

    def test_each(self) -> None:
        for session in SESSIONS:
            title, *lines = session.splitlines()
            with self.subTest(title):
                self.replay(lines)

    def test_boards_after_turns(self) -> None:
        """The turns of the page of rules lead to its positions, without an engine."""
        shown, now = 0, Position()
        for line in RULES.splitlines():
            mark, *words = line.split() or [""]
            if words[:2] == ["position", "fen"]:
                now, words = Position(" ".join(words[2:5])), words[5:]
            if mark == ">" and words[:1] == ["moves"]:
                for turn in words[1:]:
                    now = now.after(turn)
            elif mark == "<" and words[:1] == ["response"] and "/" in line:
                shown += 1
                self.assertEqual(" ".join(words[1:]), str(now))
        self.assertGreater(shown, 3)

    def test_each_analysis(self) -> None:
        for session in ANALYSES:
            title, *lines = session.splitlines()
            with self.subTest(title):
                process = self.start(analyse_command(None, 1, None))
                for line in lines:
                    if line.startswith(">"):
                        process.send([line[2:]], PATIENCE)
                    else:
                        self.assertEqual(told_by_analysis(process.receive(PATIENCE)), told_by_analysis(line[2:]))

    def start(self, command: Command) -> Process:
        process = Process(command)
        self.addCleanup(process.kill)
        return process

    def replay(self, lines: list[str]) -> None:
        process = self.start(None)
        for line in lines:
            mark, text = line[:1], line[2:]
            if mark == ">":
                process.send([text], PATIENCE)
            elif mark == "<" and (wanted := comparable(text)) is not None:
                heard = None
                while heard is None:
                    heard = comparable(process.receive(PATIENCE))
                self.assertEqual(heard, wanted)
        if "> quit" not in lines:
            process.send(["stop", "isready"], PATIENCE)
