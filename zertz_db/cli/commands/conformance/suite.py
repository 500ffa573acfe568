"""`zertz conformance`: list the questions of the suite, and ask a program."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import Annotated, Any

import typer

from zertz_db.cli.errors import FINDINGS, Stop
from zertz_db.cli.progress import show_progress
from zertz_db.cli.safe_output import get_utf8_stdout
from zertz_db.conformance.questions import Question, QuestionKind, find_question, find_suite, read_suite
from zertz_db.conformance.run_program import SECONDS, START_SECONDS, Outcome, SuiteReport, run_suite
from zertz_db.plurals import format_count

_SHOWN_CHARACTERS = 300
_SHOWN_MOVES = 5


class ReportFormat(StrEnum):
    """Formats of a report."""

    text = "text"
    json = "json"


Kinds = Annotated[
    list[QuestionKind] | None,
    typer.Option(
        "--kind", "-k", metavar="KIND", help=f"Only this kind of questions; can be repeated: {', '.join(QuestionKind)}."
    ),
]
Beginning = Annotated[
    str, typer.Option("--only", metavar="ID", help="Only questions whose id begins with this text: moves-48.")
]


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    group = typer.Typer(help=GROUP_HELP, no_args_is_help=True)
    group.command("run")(run_questions)
    group.command("list")(list_questions)
    group.command("show")(show_question)
    group.command("serve")(serve_questions)
    app.add_typer(group, name="conformance")


GROUP_HELP = """Test a program against the conformance suite: questions about the rules, with their answers.

The program reads a question a line and writes an answer a line, as JSON. conformance/standard.md defines both. Authors of engines and
sites can run the suite in their own tests: zertz conformance run -- PROGRAM

Examples:  zertz conformance list --kind perft  ·  zertz conformance show perft-37-standard-1
"""


def run_questions(
    command: Annotated[list[str], typer.Argument(metavar="PROGRAM", help="The program and its arguments, after --.")],
    kinds: Kinds = None,
    beginning: Beginning = "",
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, max=3600, help="Maximum time for an answer, in seconds.")
    ] = SECONDS,
    start_seconds: Annotated[
        float,
        typer.Option("--start-seconds", min=0.1, max=3600, help="Maximum time for a started program's first answer."),
    ] = START_SECONDS,
    failures: Annotated[int, typer.Option("--failures", min=0, help="Number of failures to print (0: all).")] = 5,
    form: Annotated[ReportFormat, typer.Option("--format", help="Output: text or json.")] = ReportFormat.text,
) -> None:
    """Ask a program the questions, and print a table of its answers by kind, and the first failures.

    A program that is late or crashes fails the question and is started again. After three such questions in a row no more are asked.
    Exit status: 0 all answers are right, 1 some are wrong, 2 the program can't be started.

    Examples:  zertz conformance run -- node engine.js  ·  zertz conformance run --kind moves --only moves-48 -- ./engine
    """
    questions = _read(kinds, beginning)
    with show_progress("asking", "questions", len(questions)) as tick:
        report = run_suite(command, questions, seconds, start_seconds, tick)
    if form is ReportFormat.json:
        get_utf8_stdout().write(json.dumps(report.as_json(), ensure_ascii=False, indent=2) + "\n")
    else:
        _print_report(report, failures)
    if not report.is_passed:
        raise typer.Exit(FINDINGS)


def list_questions(kinds: Kinds = None, beginning: Beginning = "") -> None:
    """List the ids of the questions; standard error has the folder of the suite.

    Examples:  zertz conformance list --kind perft
    """
    for question in _read(kinds, beginning):
        typer.echo(question.id)
    typer.echo(f"the suite is in {find_suite()}", err=True)


def show_question(
    name: Annotated[str, typer.Argument(metavar="ID", help="Id of the question, as zertz conformance list prints it.")],
) -> None:
    """Show a question as a program receives it, and the expected answer.

    An answer with a long list of moves is shown without the list.

    Examples:  zertz conformance show ending-rules-1
    """
    question = find_question(name)
    target = get_utf8_stdout()
    target.write(
        f"question  {question.to_request()}\nanswer    {_to_json(question.answer)}\nhash      {question.hash}\n"
    )


def serve_questions() -> None:
    """Answer questions on standard input by the rules of zertz, as a program of the suite; the end of the input ends it.

    Examples:  zertz conformance serve < questions.jsonl
    """
    # The rules, the readers and Arrow take 0.6 s to import; the other commands need none of them.
    from zertz_db.conformance.serve_answers import answer_lines

    target = get_utf8_stdout()

    def write(line: str) -> None:
        target.write(f"{line}\n")
        target.flush()

    answer_lines(sys.stdin, write)


def _read(kinds: list[QuestionKind] | None, beginning: str) -> list[Question]:
    found = read_suite(kinds or (), beginning)
    if not found:
        raise Stop(f"no question begins with {beginning!r}; zertz conformance list prints all ids")
    return found


def _print_report(report: SuiteReport, most: int) -> None:
    rows = report.tally()
    typer.echo("kind      " + "".join(f"{name:>13}" for name in rows[0]._fields[1:]))
    for row in rows:
        typer.echo(f"{row.kind:<10}" + "".join(f"{count:>13,}" for count in row[1:]))
    found = report.failures
    for outcome in found[: most or None]:
        _print_failure(outcome)
    if most and len(found) > most:
        typer.echo(f"\n{format_count(len(found) - most, 'more failure')}; --failures 0 prints all")


def _print_failure(outcome: Outcome) -> None:
    question = outcome.question
    typer.echo(f"\n{question.id}")
    typer.echo(f"  question  {_shorten(_to_json(question.inputs))}")
    typer.echo(f"  expected  {_shorten(_to_json(question.answer))}")
    typer.echo(f"  got       {_shorten(outcome.reason or _to_json(outcome.got))}")
    for line in _describe_difference(outcome):
        typer.echo(f"            {line}")


def _describe_difference(outcome: Outcome) -> list[str]:
    """Return lines that name legal moves which the answer lacks, and others that it should not have."""
    expected, got = outcome.question.answer.get("moves"), (outcome.got or {}).get("moves")
    if outcome.question.kind is not QuestionKind.MOVES or expected is None or not isinstance(got, list):
        return []
    found = [str(move) for move in got]
    parts = {"missing": sorted({*expected} - {*found}), "unexpected": sorted({*found} - {*expected})}
    return [f"{name}: {', '.join(moves[:_SHOWN_MOVES])}" for name, moves in parts.items() if moves]


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _shorten(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]} …"
