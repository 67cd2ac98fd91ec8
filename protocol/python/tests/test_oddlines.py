"""The table of odd lines, which the clients in Go and JavaScript read, too."""

from __future__ import annotations

import json
import logging
import unittest
from collections import deque
from contextlib import nullcontext
from typing import Any, Sequence

from gyre import EngineError, Limit, Position
from gyre.conversation import Connection, Session, finish
from gyre.wire import LOGGER, Info, LineSplitter

from . import REPOSITORY

TABLE: dict[str, Any] = json.loads((REPOSITORY / "protocol/testdata/odd-lines.json").read_text("utf-8"))


def as_bytes(line: "str | dict[str, Any]") -> bytes:
    text = line if isinstance(line, str) else line["text"].ljust(line["bytes"], "y")
    return text.encode("latin1") + b"\n"


class Played:
    """A link to an engine that answers the greeting and ``go`` with lines of the table."""

    name = "it"

    def __init__(self, greeting: bytes, search: bytes) -> None:
        self._answers = {"ugi": greeting, "isready": b"readyok\n", "go": search}
        self._lines: deque[str] = deque()
        self._splitter = LineSplitter()

    def send(self, lines: Sequence[str], timeout: float) -> None:
        for line in lines:
            text = self._answers.get(line.split()[0], b"")
            for at in range(0, len(text), 1 << 16):
                self._lines += self._splitter.feed(text[at : at + (1 << 16)])

    async def read(self, timeout: float) -> str:
        return self._lines.popleft()

    def kill(self) -> None:
        pass


def session(greeting: bytes = b"ugiok\n", search: bytes = b"") -> Session:
    started = Session("ugi")
    finish(started.greet(Connection(Played(greeting, search), 60, nullcontext()), None))
    return started


def printable(text: str) -> str:
    return "".join(sign if " " <= sign <= "~" else "?" for sign in text)


def view(info: Info) -> dict[str, Any]:
    """What an info says, as the table writes it."""
    found: dict[str, Any] = {name: getattr(info, name) for name in ("depth", "seldepth", "nodes", "nps", "hashfull")}
    found |= {"multipv": info.multipv if info.multipv > 1 else None, "pv": list(info.pv) or None, "wdl": info.wdl and list(info.wdl)}
    found["time"] = None if info.time is None else round(info.time * 1000)
    if info.score is not None:
        found |= {"cp": info.score.cp, "mate": info.score.mate, "bound": info.score.bound if info.score.bound != "exact" else None}
    return {name: value for name, value in found.items() if value is not None}


class TestOddLines(unittest.TestCase):
    def logged(self) -> Any:
        """Notes whether something is logged as a warning."""
        records: list[logging.LogRecord] = []
        handler = logging.Handler(logging.WARNING)
        handler.emit = records.append  # type: ignore[method-assign]
        before = LOGGER.propagate
        LOGGER.addHandler(handler)
        LOGGER.propagate = False
        self.addCleanup(lambda: (LOGGER.removeHandler(handler), setattr(LOGGER, "propagate", before)))
        return records

    def test_handshakes(self) -> None:
        records = self.logged()
        for row in TABLE["handshakes"]:
            with self.subTest(row["name"]):
                records.clear()
                started = session(b"".join(map(as_bytes, [*row["lines"], row.get("end", "ugiok")])))
                self.assertEqual({key: printable(started.id.get(key, "")) for key in ("name", "author")}, {"name": "", "author": ""} | row.get("id", {}))
                options = []
                for option in started.options.values():
                    found = {"name": printable(option.name), "type": option.type, "default": option.default, "min": option.min, "max": option.max}
                    options.append({key: value for key, value in (found | {"var": list(option.var) or None}).items() if value is not None})
                self.assertEqual(options, row["options"])
                self.assertEqual(bool(records), row.get("warns", False), records)

    def test_searches(self) -> None:
        records = self.logged()
        for row in TABLE["searches"]:
            with self.subTest(row["name"]):
                records.clear()
                lines = b"".join(map(as_bytes, row["lines"]))
                if not as_bytes(row["lines"][-1]).lstrip(b"\xef\xbb\xbf \t").startswith(b"bestmove"):
                    lines += b"bestmove a2\n"
                started = session(search=lines)
                analysis = finish(started.analysis(Position(), Limit(depth=1)))
                infos = []
                while (info := finish(analysis.next_info())) is not None:
                    infos.append(view(info))
                self.assertEqual(infos, row["infos"])
                if row.get("malformed") or row.get("complaint"):
                    with self.assertRaises(EngineError) as raised:
                        finish(analysis.wait())
                    self.assertEqual(row.get("complaint") or str(raised.exception), str(raised.exception))
                    continue
                result = finish(analysis.wait())
                self.assertEqual((result.turn, result.ponder), (row["turn"], row.get("ponder")))
                self.assertEqual(bool(records), row.get("warns", False), records)


class TestLineSplitter(unittest.TestCase):
    def test_cuts(self) -> None:
        splitter = LineSplitter(4)
        found = [line for chunk in (b"abcdef", b"gh\n\xef\xbb", b"\xbfi\n\n", b"jk\r\nlmnop\nq") for line in splitter.feed(chunk)]
        self.assertEqual(found, ["abcd", "i", "", "jk", "lmno"])
