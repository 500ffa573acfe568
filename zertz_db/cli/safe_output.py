"""Where a command writes: standard output, or a file that appears when it is whole."""

from __future__ import annotations

import io
import os
import re
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TextIO, cast

import typer

from zertz_db.cli.errors import Stop

STANDARD_OUTPUT = "-"

Force = Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")]


def make_printable() -> None:
    """Let nothing that is printed stop a command or take hold of the terminal.

    What the terminal's encoding can't show becomes `?`; where it is plain ASCII, UTF-8 is written. Names and comments come from
    anybody: of what a terminal obeys only the colours of `style` get through to it.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            is_ascii = stream.encoding.replace("-", "").casefold() in ("ascii", "usascii", "ansi_x3.41968")
            stream.reconfigure(encoding="utf-8" if is_ascii else None, errors="replace")
    if sys.stdout.isatty():
        sys.stdout = escape_output(sys.stdout)
    if sys.stderr.isatty():
        sys.stderr = escape_output(sys.stderr)


def style(text: str, **how: Any) -> str:
    """The text in the colours that `typer.style` gives it, which other text can't forge."""
    begin, end = typer.style(_SEPARATOR, **how).split(_SEPARATOR)
    return f"{begin.replace(_STYLE_START, _OWN_STYLE)}{text}{end.replace(_STYLE_START, _OWN_STYLE)}"


def escape_output(terminal: TextIO) -> TextIO:
    """A terminal, or what leads to one, on which signs that it would obey are shown instead."""
    return cast("TextIO", _EscapedStream(terminal))


class _EscapedStream:
    def __init__(self, terminal: TextIO) -> None:
        self.rich_proxied_file = terminal
        """By this name rich looks for what is beneath: the help that it writes, and the progress, are ours as a whole."""

    def write(self, text: str) -> int:
        shown = _CONTROL_CHARACTERS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
        return self.rich_proxied_file.write(shown.replace(_OWN_STYLE, _STYLE_START))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


_SEPARATOR = "|"
_STYLE_START = "\x1b["
_OWN_STYLE = f"{_STYLE_START}{secrets.randbits(64)};"
"""How colours of ours begin until they reach the terminal: with a number that nobody can know before."""
_CONTROL_CHARACTERS = re.compile(
    rf"\x1b(?!{re.escape(_OWN_STYLE[1:])}[0-9;]*m)"  # what begins a command, but for our colours
    r"|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]"  # all other control signs, but for tabs and ends of lines
    r"|[\u202a-\u202e\u2066-\u2069]"  # what turns the direction of writing
)


def get_utf8_stdout() -> TextIO:
    """Standard output for what programs read: UTF-8 with bare line feeds, whatever the locale."""
    if isinstance(sys.stdout, io.TextIOWrapper | _EscapedStream):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    return sys.stdout


def decode_argument(argument: str) -> str:
    """An argument that is no file's name: where the locale could not read its bytes, they are read as UTF-8."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        return os.fsencode(argument).decode("utf-8", "replace")
    return argument


@contextmanager
def write_atomically(path: Path, force: bool) -> Iterator[Path]:
    """A name to write under; the file gets its own name at the end, and nothing is left if that is not reached.

    What is no ordinary file, such as /dev/null, is written to as it is. Raises Stop.
    """
    if path.is_dir():
        raise Stop(f"{path} is a folder; name a file to write")
    if not path.parent.is_dir():
        raise Stop(f"there is no folder {path.parent} to write {path.name} to")
    if path.exists() and not path.is_file():
        yield path
        return
    if path.exists() and not force:
        raise Stop(f"{path} exists; name another file, or say --force to replace it")
    target = path.resolve()
    part = target.with_name(f"{target.name}.{secrets.token_hex(3)}.part")
    try:
        yield part
        part.replace(target)
    except OSError as error:
        if error.filename is None or Path(error.filename) != part:
            raise
        raise Stop(f"{path} can't be written: {error.strerror}") from error
    except Exception as error:
        if part.name not in str(error):
            raise
        said = str(error).replace(str(part), str(path)).replace(part.name, path.name)
        raise Stop(f"{path} can't be written: {said}") from error
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def open_text_output(output: str, force: bool) -> Iterator[TextIO]:
    """Text in UTF-8 to standard output (`-`) or to a file that appears when it is whole. Raises Stop."""
    if output == STANDARD_OUTPUT:
        yield get_utf8_stdout()
        return
    with write_atomically(Path(output), force) as path, path.open("w", encoding="utf-8", newline="\n") as file:
        yield file
