"""Write to standard output, or atomically to a file."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TextIO, cast

import typer

from zertz_db.cli.errors import Stop
from zertz_db.store.errors import is_disk_full

STANDARD_OUTPUT = "-"

Force = Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")]


def make_printable() -> None:
    """Make standard output and standard error safe for any text.

    Characters that the terminal's encoding lacks become `?`; plain ASCII becomes UTF-8. Names and comments are untrusted: the only
    control sequences that reach a terminal are the colours of `style`.
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
    """Return the text in the colours of `typer.style`, in a form that other text can't forge."""
    begin, end = typer.style(_SEPARATOR, **how).split(_SEPARATOR)
    return f"{begin.replace(_STYLE_START, _OWN_STYLE)}{text}{end.replace(_STYLE_START, _OWN_STYLE)}"


def escape_output(terminal: TextIO) -> TextIO:
    """Wrap a stream to a terminal so that control characters are printed in escaped form."""
    return cast("TextIO", _EscapedStream(terminal))


class _EscapedStream:
    def __init__(self, terminal: TextIO) -> None:
        self.rich_proxied_file = terminal
        """The wrapped stream, under the name that rich looks up: rich's help and progress need no escaping."""

    def write(self, text: str) -> int:
        shown = _CONTROL_CHARACTERS.sub(lambda match: match[0].encode("unicode_escape").decode(), text)
        return self.rich_proxied_file.write(shown.replace(_OWN_STYLE, _STYLE_START))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


_SEPARATOR = "|"
_STYLE_START = "\x1b["
_OWN_STYLE = f"{_STYLE_START}{int.from_bytes(os.urandom(8))};"
"""Start of our colours before they reach the terminal: it has a random number, so no text can forge it."""
_CONTROL_CHARACTERS = re.compile(
    rf"\x1b(?!{re.escape(_OWN_STYLE[1:])}[0-9;]*m)"  # starts of control sequences, except our colours
    r"|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]"  # other control characters, except tabs and ends of lines
    r"|[\u202a-\u202e\u2066-\u2069]"  # controls of the direction of writing
)


def get_utf8_stdout() -> TextIO:
    """Return standard output for programs: UTF-8 with bare line feeds in every locale."""
    if isinstance(sys.stdout, io.TextIOWrapper | _EscapedStream):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    return sys.stdout


def decode_argument(argument: str) -> str:
    """Return an argument that is not a file's name; bytes that the locale could not decode are decoded as UTF-8."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        return os.fsencode(argument).decode("utf-8", "replace")
    return argument


@contextmanager
def write_atomically(path: Path, force: bool) -> Iterator[Path]:
    """Yield a temporary path to write to; at the end the file gets its own name, and after a failure no file is left.

    A special file such as /dev/null is written directly. Raise Stop.
    """
    _require_reachable(path)
    if path.is_dir():
        raise Stop(f"{path} is a folder; name a file to write")
    if not path.parent.is_dir():
        raise Stop(f"there is no folder {path.parent} to write {path.name} to")
    if path.exists() and not path.is_file():
        with _name_full_disk(path):
            yield path
        return
    if path.exists() and not force:
        raise Stop(f"{path} exists; name another file, or use --force to replace it")
    target = path.resolve()
    part = target.with_name(f"{target.name}.{os.urandom(3).hex()}.part")
    try:
        with _name_full_disk(path):
            yield part
        part.replace(target)
    except OSError as error:
        if error.filename is None or Path(error.filename) != part:
            raise
        raise Stop(f"{path} can't be written: {error.strerror}") from error
    except Exception as error:
        if part.name not in str(error):
            raise
        message = str(error).replace(str(part), str(path)).replace(part.name, path.name)
        raise Stop(f"{path} can't be written: {message}") from error
    finally:
        part.unlink(missing_ok=True)


def _require_reachable(path: Path) -> None:
    """Raise Stop for a path that the system can't follow: a loop of links, a name that is too long, a closed folder."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise Stop(f"{path} can't be written: {error.strerror}") from error


@contextmanager
def _name_full_disk(path: Path) -> Iterator[None]:
    """Name the file in the error of a full disk: an open file's own error does not."""
    try:
        yield
    except OSError as error:
        if error.filename is None and is_disk_full(error):
            raise Stop(f"{path} can't be written: {error.strerror}. Free some space and try again.") from error
        raise


@contextmanager
def open_text_output(output: str, force: bool) -> Iterator[TextIO]:
    """Yield a UTF-8 text stream to standard output (`-`), or atomically to a file. Raise Stop."""
    if output == STANDARD_OUTPUT:
        yield get_utf8_stdout()
        return
    with write_atomically(Path(output), force) as path, path.open("w", encoding="utf-8", newline="\n") as file:
        yield file
