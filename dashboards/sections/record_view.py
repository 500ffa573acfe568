"""Show a checked record on a page: its findings and their places, the board at the fault, and repairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import Finding, catalogue
from zertz_db.dashboards.components.board import Line, show_replay
from zertz_db.dashboards.components.verbatim import show_verbatim
from zertz_db.dashboards.state.bounded_work import WorkLimitExceeded
from zertz_db.dashboards.state.check_uploads import build_repaired_text, find_record_repairs, list_findings
from zertz_db.dashboards.state.markdown_text import escape_markdown, format_clock
from zertz_db.ingest.check_files import Excerpt
from zertz_db.ingest.records.read_records import SourceRecord
from zertz_db.parser.dialects import DIALECTS
from zertz_db.parser.vocabulary.terms import Severity, Verdict
from zertz_db.plurals import format_count

COLOURS: dict[str, Any] = {Severity.ERROR: "red", Severity.WARNING: "orange", Severity.NOTE: "blue"}
VERDICTS: dict[str, Any] = {
    Verdict.VERIFIED: "green",
    Verdict.UNFINISHED: "orange",
    Verdict.ILLEGAL: "red",
    Verdict.UNREADABLE: "red",
}
VERDICT_MEANINGS = {
    Verdict.VERIFIED: "every ply legal, with an end",
    Verdict.UNFINISHED: "every ply legal, no end",
    Verdict.ILLEGAL: "against the rules",
    Verdict.UNREADABLE: "in no known notation",
}
MAX_FINDINGS = 30
"""Maximum number of findings shown for a record."""
DIALECT_DESCRIPTIONS = {dialect.name: dialect.description for dialect in DIALECTS}
"""Name of each notation for people."""


def show_record(found: SourceRecord, key: str, use: Callable[[str], None] | None = None) -> None:
    """Show a record: its game up to the fault, with its findings. use: takes the text of an accepted repair."""
    checked = found.checked
    record = checked.record
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(
            f"**{escape_markdown(record.player1 or '?')} – {escape_markdown(record.player2 or '?')}**", width="content"
        )
        st.badge(checked.verdict, color=VERDICTS[checked.verdict])
        facts = [
            checked.board and f"board {checked.board}",
            checked.rule_set,
            format_count(checked.plies, "legal ply", "legal plies"),
            f"read as {DIALECT_DESCRIPTIONS[record.dialect]}" if record.dialect else "",
        ]
        st.caption(" · ".join(escape_markdown(fact) for fact in facts if fact))
    if checked.attempt is None:
        show_findings(found)
        return
    board, side = st.columns([1, 1], gap="medium")
    with board:
        show_game(checked, key)
    with side:
        show_findings(found)
        if checked.verdict == Verdict.ILLEGAL:
            show_repairs(found, key, use)


def show_game(checked: CheckedRecord, key: str) -> None:
    """Show the plies up to the fault, or all of them, to step through."""
    tried = checked.attempt
    if tried is None:
        return
    fault = tried.record_ply(tried.played)
    findings = [(finding.ply, f"{finding.code} {finding.message}") for finding in checked.findings]
    lines = [
        Line(
            tried.position(number).side,
            text,
            format_clock(tried.plies[number].clock),
            [("finding", text) for at, text in findings if at == tried.record_ply(number)],
        )
        for number, text in enumerate(checked.moves[: tried.played])
    ]
    show_replay(
        [tried.position(number) for number in range(len(lines) + 1)],
        lines,
        key=f"record {key}",
        ply=len(lines),
        names=(checked.record.player1 or "Player 1", checked.record.player2 or "Player 2"),
        end=f"The record goes wrong here, at ply {fault}." if checked.verdict == Verdict.ILLEGAL else None,
        in_url=False,
    )


def show_findings(found: SourceRecord) -> None:
    """Show each finding with its source line, pointed at."""
    findings = list_findings(found)
    if not findings:
        st.success("No findings: every ply is legal, and the result is right.", icon=":material/check:")
    for number, (finding, line) in enumerate(findings[:MAX_FINDINGS]):
        show_finding(number, finding, line)
    if len(findings) > MAX_FINDINGS:
        st.caption(f"… and {format_count(len(findings) - MAX_FINDINGS, 'further finding')}; `zertz check` shows all.")


def show_finding(number: int, finding: Finding, line: Excerpt | None) -> None:
    """Show one finding; `number` counts the findings shown."""
    kind = catalogue().get(finding.code)
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.badge(finding.code, color=COLOURS[finding.severity])
            where = [
                finding.span and f"line {finding.span.line}, column {finding.span.column}",
                finding.ply and f"ply {finding.ply}",
            ]
            where.append(finding.rule and f"rules, section {finding.rule}")
            st.caption(" · ".join(str(part) for part in where if part))
        st.markdown(escape_markdown(finding.message), help=escape_markdown(kind.title) if kind else None)
        if line is not None:
            excerpt = f"{line.line}\n{' ' * line.begin}{'^' * max(1, line.end - line.begin)}"
            show_verbatim(excerpt, key=f"line of finding {number}", wraps=False)
        if finding.suggestion:
            st.caption(f"Perhaps: {escape_markdown(finding.suggestion)}")


def show_repairs(found: SourceRecord, key: str, use: Callable[[str], None] | None) -> None:
    """Show edits that make the whole record legal, to view, to download, to accept."""
    st.subheader("Repairs")
    try:
        repairs = find_record_repairs(found.data, found.number, found.checked, found.text)
    except WorkLimitExceeded as error:
        st.caption(escape_markdown(error))
        return
    if not repairs:
        st.caption("No small repair found.")
        return
    st.caption("Small changes that make the whole record legal, the likeliest first. Only people know what was played.")
    for number, repair in enumerate(repairs):
        text = build_repaired_text(found, repair)
        with st.container(border=True, gap="small"):
            st.markdown(escape_markdown(repair))
            if text is None:
                continue
            with st.container(horizontal=True, gap="small"):
                if use is not None:
                    st.button(
                        "Accept", icon=":material/check:", key=f"accept {number} {key}", on_click=use, args=(text,)
                    )
                st.download_button(
                    "Download",
                    text,
                    "repaired.txt",
                    "text/plain",
                    key=f"repair {number} {key}",
                    on_click="ignore",
                    icon=":material/download:",
                )
                with st.popover("Show"):
                    show_verbatim(text, key=f"repaired {number} {key}")
