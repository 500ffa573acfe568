"""Archives and compressed files: what is in them, and its bytes. Whatever they claim, memory and time stay within bounds.

Nothing is ever written to a file, so names of members can do no harm, and links are not followed.
"""

from __future__ import annotations

import io
import zipfile

from zertz_db.ingest.entries import Container, Refused, Source, opened
from zertz_db.ingest.tars import open_tar
from zertz_db.ingest.zips import Zip

_ENDINGS = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz")


def open_container(source: Source) -> Container | None:
    """The archive that a file or some bytes are, told by their content; None where they are none. Raises `entries.TROUBLE` or Refused."""
    if zipfile.is_zipfile(source if isinstance(source, str) else io.BytesIO(source)):
        return Zip(source)
    with opened(source) as file:
        if file.read(4) == b"PK\x03\x04":
            raise Refused("a zip archive without its directory: it is truncated or damaged")
    return open_tar(source)


def may_be_container(name: str) -> bool:
    """Whether a member's name is that of an archive: members by other names are not looked into."""
    return name.lower().endswith(_ENDINGS)
