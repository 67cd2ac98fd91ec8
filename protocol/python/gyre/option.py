"""The options that an engine lists in its handshake."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Mapping, Optional, Union

from .wire import EngineError

#: The value of an option; None presses a button.
Value = Union[str, int, bool, None]

#: Values by the names of their options.
Values = Mapping[str, Value]

_KEYS = ("type", "default", "min", "max", "var")


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its name, its type (spin, check, combo, button or string), its default
    and what it may be."""

    name: str
    type: str
    default: str = ""
    min: Optional[int] = None
    max: Optional[int] = None
    var: tuple[str, ...] = ()

    @classmethod
    def parse(cls, line: str) -> Option:
        """Reads a line ``option name N type T ...``. EngineError if it is none."""
        found: dict[str, list[str]] = {}
        key, variants = "", []
        for word in line.split()[1:]:
            if word == "name" and not found or word in _KEYS and "name" in found:
                key = word
                found[key] = []
                if key == "var":
                    variants.append(found[key])
            elif key:
                found[key].append(word)
        name, kind, default = (" ".join(found.get(key, [])) for key in ("name", "type", "default"))
        try:
            least, most = (int(found[key][0]) if key in found else None for key in ("min", "max"))
        except (ValueError, IndexError):
            raise EngineError(f"{line[:200]!r}: bounds that are no numbers") from None
        if not name or not kind:
            raise EngineError(f"{line[:200]!r}: an option without a name or a type")
        return cls(name, kind, "" if default == "<empty>" else default, least, most, tuple(map(" ".join, variants)))

    def command(self, value: Value) -> str:
        """The command that sets it. EngineError if the value cannot be: the engine
        would refuse it too, and says no more."""
        if self.type == "button":
            if value is not None:
                raise EngineError(f"option {self.name}: a button, so its value is None")
            return f"setoption name {self.name}"
        if value is None:
            raise EngineError(f"option {self.name}: needs a value")
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if "\n" in text or "\r" in text:
            raise EngineError(f"option {self.name}: {text!r} has more than one line")
        return f"setoption name {self.name} value {text or '<empty>'}"
