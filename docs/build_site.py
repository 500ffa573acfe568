"""Build the site of these pages, with a reference from docstrings: python docs/build_site.py FOLDER (Sphinx, furo, MyST).

The pages stay as they are for readers of the repository. Links that leave `docs/` become links to the project's page. Any warning fails.
"""

from __future__ import annotations

import inspect
import io
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from sphinx.application import Sphinx

import zertz_db

DOCS = Path(__file__).parent
PROJECT: str = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Homepage"]
MODULES = (
    "zertz_db",
    "zertz_db.queries",
    "zertz_db.tactics",
    "zertz_db.tactics.win_chance",
    "zertz_db.engine",
    "zertz_db.parser",
)
"""The modules of the reference; what they export is public."""
_LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")
_PAGE = re.compile(r"\]\(((?:contributing/)?[\w-]+\.md)\)")
_CONTENTS = """

```{{toctree}}
:hidden:
:caption: {caption}
{pages}
```
"""
SETTINGS = {
    "project": "zertz-db",
    "release": zertz_db.__version__,
    "author": "the zertz-db authors",
    "extensions": ["myst_parser", "sphinx.ext.autodoc"],
    "root_doc": "README",
    "html_theme": "furo",
    "html_title": "zertz-db",
    "html_show_sphinx": False,
    "myst_heading_anchors": 4,
    "autodoc_typehints": "signature",
    "autodoc_member_order": "bysource",
    "python_use_unqualified_type_names": True,
    "default_role": "code",
    "suppress_warnings": ["misc.highlighting_failure"],
}


def copy_pages(source: Path) -> None:
    """Copy pages and pictures, with links that lead somewhere on the site or at the project's page."""
    shutil.copytree(DOCS / "images", source / "images")
    for page in DOCS.rglob("*.md"):
        target = source / _rename(str(page.relative_to(DOCS)))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_rewrite_links(page), "utf-8")
    listed = [_rename(name) for name in _PAGE.findall((DOCS / "README.md").read_text("utf-8"))]
    parts = {
        "Pages": [name for name in listed if "/" not in name],
        "Python": [f"reference/{name}" for name in MODULES],
        "Change": [name for name in listed if "/" in name],
    }
    with (source / "README.md").open("a", encoding="utf-8") as file:
        for caption, pages in parts.items():
            file.write(_CONTENTS.format(caption=caption, pages="\n".join(pages)))


def _rename(path: str) -> str:
    """Return the path of a page on the site: `search` is the site's own page."""
    return re.sub(r"(^|/)search(\.md)", r"\1find\2", path)


def _rewrite_links(page: Path) -> str:
    def replace(found: re.Match[str]) -> str:
        path, mark, anchor = found[1].partition("#")
        there = (page.parent / path).resolve()
        if there.is_relative_to(DOCS.resolve()):
            return f"]({_rename(path)}{mark}{anchor})"
        kind = "tree" if there.is_dir() else "blob"
        return f"]({PROJECT}/{kind}/main/{there.relative_to(DOCS.parent.resolve())}{mark}{anchor})"

    return _LINK.sub(replace, page.read_text("utf-8"))


def write_reference(source: Path) -> None:
    """Write a page for each public module, with what it exports."""
    folder = source / "reference"
    folder.mkdir()
    for name in MODULES:
        module = import_module(name)
        lines = [f"``{name}``", "=" * (len(name) + 4), "", f".. automodule:: {name}", "   :no-members:", ""]
        lines += [line for directive in _describe(module) for line in (directive, "   :no-index-entry:", "")]
        (folder / f"{name}.rst").write_text("\n".join(lines), "utf-8")


def _describe(module: ModuleType) -> Iterator[str]:
    for name in sorted(module.__all__, key=str.casefold):
        value = getattr(module, name)
        if inspect.isclass(value):
            yield f".. autoclass:: {value.__module__}.{value.__qualname__}\n   :members:"
        elif inspect.isfunction(value):
            yield f".. autofunction:: {value.__module__}.{value.__qualname__}"


def build(folder: Path) -> None:
    """Write the site to a folder. Exit with status 1 after any warning."""
    shutil.rmtree(folder, ignore_errors=True)
    source, built = folder / "source", folder / "html"
    source.mkdir(parents=True)
    copy_pages(source)
    write_reference(source)
    warnings = io.StringIO()
    Sphinx(source, None, built, folder / "cache", "html", confoverrides=SETTINGS, warning=warnings).build()
    if warnings.getvalue():
        sys.exit(warnings.getvalue())


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve())
