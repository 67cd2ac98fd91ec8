"""A process that speaks in lines, for asyncio."""

from __future__ import annotations

import asyncio
import os
from collections import deque

from .process import CHUNK, FAREWELL, Command, command_line, kill_group, own_group
from .wire import EngineTerminatedError, EngineTimeoutError, LineSplitter


class Process:
    """A process that speaks in lines."""

    def __init__(
        self, process: asyncio.subprocess.Process, transport: asyncio.SubprocessTransport, name: str
    ) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._process, self._stdin, self._stdout = process, process.stdin, process.stdout
        self._transport = transport
        self.name = name
        self.pid = process.pid
        self._splitter = LineSplitter()
        self._lines: deque[str] = deque()

    @classmethod
    async def start(cls, command: Command, cwd: "str | os.PathLike[str] | None" = None) -> Process:
        """Starts it. EngineTerminatedError if that fails."""
        words = command_line(command)
        pipe = asyncio.subprocess.PIPE
        loop = asyncio.get_running_loop()
        # As asyncio.create_subprocess_exec does it, which keeps the transport for itself.
        try:
            transport, protocol = await loop.subprocess_exec(
                lambda: asyncio.subprocess.SubprocessStreamProtocol(limit=CHUNK, loop=loop),
                *words,
                stdin=pipe,
                stdout=pipe,
                stderr=None,
                cwd=cwd,
                **own_group(),
            )
        except OSError as wrong:
            raise EngineTerminatedError(f"{words[0]} cannot be started: {wrong.strerror or wrong}") from wrong
        process = asyncio.subprocess.Process(transport, protocol, loop)
        return cls(process, transport, os.path.basename(words[0]))

    def say(self, lines: list[str]) -> None:
        """Writes lines, without waiting for them to be read."""
        if self._stdin.is_closing():
            raise EngineTerminatedError(f"{self.name} was ended")
        self._stdin.write("".join(line + "\n" for line in lines).encode())

    async def hear(self, timeout: float) -> str:
        """The next line. EngineTimeoutError if none comes in so many seconds. Nothing is
        lost where this is cancelled."""
        while not self._lines:
            try:
                async with asyncio.timeout(timeout):
                    chunk = await self._stdout.read(CHUNK)
            except TimeoutError:
                raise EngineTimeoutError(f"{self.name} has said nothing for {timeout:.3g} s") from None
            if not chunk:
                raise await self._ended()
            self._lines += self._splitter.feed(chunk)
        return self._lines.popleft()

    async def _ended(self) -> EngineTerminatedError:
        try:
            async with asyncio.timeout(FAREWELL):
                status = await self._process.wait()
        except TimeoutError:
            return EngineTerminatedError(f"{self.name} has closed its output")
        return EngineTerminatedError(f"{self.name} has ended with status {status}")

    def kill(self) -> None:
        """Ends the process and what it has started, at once."""
        if self._process.returncode is None:
            # Not by Process.kill on Unix: it takes the status that asyncio waits for.
            if not kill_group(self.pid):
                self._process.kill()
        self._stdin.close()

    async def close(self, farewell: str) -> None:
        """Ends the process: by its last word and the end of its input, and when that
        does not help by force."""
        try:
            if self._process.returncode is None and not self._stdin.is_closing():
                self.say([farewell])
                self._stdin.close()
                async with asyncio.timeout(FAREWELL):
                    await self._drain()
        except (TimeoutError, OSError):
            pass
        finally:
            await self.end()

    async def end(self) -> None:
        """Ends the process at once, and waits until it is gone."""
        self.kill()
        # asyncio tells that a process is gone once its pipes are closed, too. Of its output
        # it does not see that while it holds much that nobody has read, and neither pipe is
        # closed while a process has it that the engine has left behind.
        if self._stdin.transport.get_write_buffer_size() > 0:
            self._stdin.transport.abort()
        output = self._transport.get_pipe_transport(1)
        if output is not None:
            output.close()
        await self._process.wait()

    async def _drain(self) -> None:
        """Hears all that is still said, so that the process can end."""
        while await self._stdout.read(CHUNK):
            pass
        await self._process.wait()
