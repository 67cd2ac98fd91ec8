#!/usr/bin/env python3
"""Builds the wheel of the package, with the engine in it.

    python3 build_wheel.py [-o FOLDER] [--goos OS --goarch ARCHITECTURE]

It needs Go and Python's standard library, and builds for any system on any other. The
same sources make the same wheel, byte for byte. It does not overwrite an existing file.
It is the build backend too (PEP 517), so ``pip install ./protocol/python`` works.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any, Iterator, Optional

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent

#: The platform of a wheel by system and architecture. The engine is linked statically,
#: so one for Linux does with either C library; the systems are the oldest for Go.
PLATFORMS = {
    ("linux", "amd64"): "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    ("linux", "arm64"): "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    ("darwin", "amd64"): "macosx_12_0_x86_64",
    ("darwin", "arm64"): "macosx_12_0_arm64",
    ("windows", "amd64"): "win_amd64",
    ("windows", "arm64"): "win_arm64",
}

#: The oldest time that a zip knows, for every file.
EPOCH = (1980, 1, 1, 0, 0, 0)


class BuildError(Exception):
    """The wheel cannot be built."""


def go(*words: str, **environment: str) -> str:
    """Runs Go in the repository, and returns what it prints."""
    try:
        done = subprocess.run(
            ["go", *words], cwd=REPOSITORY, env=os.environ | environment, stdout=subprocess.PIPE, text=True, check=True
        )
    except FileNotFoundError:
        raise BuildError("Go is not installed: see https://go.dev/dl/") from None
    except subprocess.CalledProcessError as failed:
        raise BuildError(f"go {' '.join(words)} failed") from failed
    return done.stdout.strip()


def build_engine(goos: str, goarch: str) -> bytes:
    """The engine's program for a system."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "gyre")
        flags = ["-trimpath", "-ldflags=-s -w"]
        go("build", *flags, "-o", str(program), "./cmd/gyre", GOOS=goos, GOARCH=goarch, CGO_ENABLED="0")
        return program.read_bytes()


def project() -> dict[str, Any]:
    """Returns the table of the project in pyproject.toml, with the version."""
    table: dict[str, Any] = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    return table | {"version": version(described())}


def described() -> str:
    """Returns the last tag, the commits since and the revision, such as v1.0.0-5-g0123abc, or
    "" outside of a clone with a tag."""
    words = ["git", "describe", "--tags", "--long", "--match", "v[0-9]*", "--abbrev=12"]
    try:
        done = subprocess.run(words, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def version(describe: str) -> str:
    """Returns the version of the wheel: the tag without its v, or a development version after
    it, in the form that package indexes order."""
    found = re.fullmatch(r"v([0-9]+(?:\.[0-9]+)*)(?:-?(rc|beta|alpha)\.?([0-9]+))?-([0-9]+)-g([0-9a-f]+)", describe)
    if found is None:
        return "0.dev0"
    tag = found[1] + ({"rc": "rc", "beta": "b", "alpha": "a"}[found[2]] + found[3] if found[2] else "")
    return tag if found[4] == "0" else f"{tag}.post{found[4]}.dev0+g{found[5]}"


def metadata(about: dict[str, Any]) -> str:
    """The file METADATA."""
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {about['name']}",
        f"Version: {about['version']}",
        f"Summary: {about['description']}",
        f"Author: {', '.join(author['name'] for author in about['authors'])}",
        f"License: {about['license']['text']}",
        f"Keywords: {','.join(about['keywords'])}",
        *(f"Classifier: {classifier}" for classifier in about["classifiers"]),
        f"Requires-Python: {about['requires-python']}",
        *(f"Requires-Dist: {wanted}" for wanted in about["dependencies"]),
    ]
    for extra, wanted in about["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {one} ; extra == "{extra}"' for one in wanted)]
    lines += ["Description-Content-Type: text/markdown", "", (HERE / about["readme"]).read_text("utf-8")]
    return "\n".join(lines)


def contents(about: dict[str, Any], platform: str, program: bytes, suffix: str) -> Iterator[tuple[str, bytes, bool]]:
    """The files of the wheel but RECORD: name, content, and whether it is a program."""
    for path in sorted((HERE / "gyre").iterdir()):
        if path.suffix == ".py" or path.name == "py.typed":
            yield f"gyre/{path.name}", path.read_bytes(), False
    yield f"gyre/bin/gyre{suffix}", program, True
    info = f"{about['name']}-{about['version']}.dist-info"
    for name in ("LICENSE", "THIRD-PARTY.md"):
        yield f"{info}/licenses/{name}", (REPOSITORY / name).read_bytes(), False
    yield f"{info}/METADATA", metadata(about).encode(), False
    tags = "".join(f"Tag: py3-none-{one}\n" for one in platform.split("."))
    wheel = f"Wheel-Version: 1.0\nGenerator: gyre build_wheel\nRoot-Is-Purelib: false\n{tags}"
    yield f"{info}/WHEEL", wheel.encode(), False
    scripts = "".join(f"{name} = {entry}\n" for name, entry in about["scripts"].items())
    yield f"{info}/entry_points.txt", f"[console_scripts]\n{scripts}".encode(), False


def write(path: Path, files: Iterator[tuple[str, bytes, bool]], info: str) -> None:
    """Writes the wheel: whole or not at all, and not over a file that is there."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        part = Path(folder, "wheel")
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as wheel:
            record = ""
            for name, content, program in files:
                add(wheel, name, content, program)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                record += f"{name},sha256={digest},{len(content)}\n"
            add(wheel, f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), False)
        if path.exists():
            if path.read_bytes() == part.read_bytes():
                return
            raise BuildError(f"{path} is there already, and is another: move it away first")
        os.replace(part, path)


def add(wheel: zipfile.ZipFile, name: str, content: bytes, program: bool) -> None:
    """Adds a file."""
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # Unix, whose modes external_attr has
    entry.external_attr = (0o100755 if program else 0o100644) << 16
    wheel.writestr(entry, content)


def make(folder: Path, goos: str = "", goarch: str = "") -> Path:
    """Builds the wheel for a system, by default this one, and returns its path."""
    goos, goarch = goos or go("env", "GOOS"), goarch or go("env", "GOARCH")
    platform = PLATFORMS.get((goos, goarch))
    if platform is None:
        known = ", ".join("/".join(pair) for pair in PLATFORMS)
        raise BuildError(f"{goos}/{goarch}: no platform of wheels is known for it; there are {known}")
    about = project()
    name = f"{about['name']}-{about['version']}"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-py3-none-{platform}.whl"
    suffix = ".exe" if goos == "windows" else ""
    write(path, contents(about, platform, build_engine(goos, goarch), suffix), f"{name}.dist-info")
    return path


def build_wheel(wheel_directory: str, config_settings: Optional[dict[str, str]] = None, metadata_directory: Optional[str] = None) -> str:
    """The hook of PEP 517."""
    return make(Path(wheel_directory)).name


def build_sdist(sdist_directory: str, config_settings: Optional[dict[str, str]] = None) -> str:
    """The hook of PEP 517. This package has no source distribution: the engine's sources are
    those of the repository."""
    raise BuildError("no source distribution: build a wheel from a clone of the repository")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Builds the wheel of the package, with the engine in it.")
    parser.add_argument("-o", dest="folder", type=Path, default=Path("."), metavar="FOLDER", help="folder for the wheel")
    parser.add_argument("--goos", default="", metavar="OS", help="linux, darwin or windows")
    parser.add_argument("--goarch", default="", metavar="ARCHITECTURE", help="amd64 or arm64")
    words = parser.parse_args()
    try:
        print(make(words.folder, words.goos, words.goarch))
    except (BuildError, OSError) as wrong:
        print(f"build_wheel.py: {wrong}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
