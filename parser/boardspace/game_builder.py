"""Build a Record from the properties and actions of one game of the server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from zertz_db.parser.boardspace.header import Header, Property, read_winner
from zertz_db.parser.boardspace.turns import IN_SET_UP, SetUp, Turn, Unreadable, read_action
from zertz_db.parser.packed_plies import PackedPlies
from zertz_db.parser.record import HalfTurn, Ply, Record, Remark, Span, SyntaxFault
from zertz_db.parser.text.line_index import PlacesInOrder
from zertz_db.parser.text.size_limits import MAX_PLIES, too_many_plies
from zertz_db.parser.vocabulary.board_names import board_named
from zertz_db.parser.vocabulary.terms import RESULT_OF, Ending, GameResult

_ACTIONS = ("RtoB rack colour cell", "R- cell", "BtoB cell cell", "Done", "Resign")
"""The server's usual actions: the expected texts in place of an unknown one."""


class _Ending(NamedTuple):
    """How an action ended the game (resign, time, abandoned), the side that lost by it, and its range in the text."""

    how: Ending
    loser: str | None
    start: int
    end: int


class Game:
    """A game while it is read.

    Seats are "0" and "1" (P0, P1), and "-1" for the server's viewer. Raises Unreadable if the actions make no turn; `at` is then the range
    of the current action.
    """

    def __init__(self, text: str, places: PlacesInOrder, name: str) -> None:
        """Start a game of `text`, in a file called `name`."""
        self.at = (0, 0)
        self._text = text
        self._places = places
        self._header = Header(name)
        self._board: str | None = None
        self._set_up = SetUp()
        self._phase = "play"
        """`edit` from Edit to Start, `lay` while a custom board is laid out, `ended`, else `play`."""
        self._first = ""
        """The side that moved first, once one has moved."""
        self._starter = "0"
        self._turn: Turn | None = None
        """The last turn, even after its Done: a comment may follow."""
        self._plies: list[Ply] = []
        self._packed: PackedPlies | None = None
        self._half_turn: HalfTurn | None = None
        self._comments: list[str] = []
        self._node_comments: list[str] = []
        self._late_comments: list[str] = []
        """Comments after the last ply, once its turn is long over."""
        self._ending: _Ending | None = None
        self._withdrawn: _Ending | None = None
        self._remarks: list[Remark] = []
        self._fault: SyntaxFault | None = None

    def remark(self, code: str, start: int, end: int, message: str) -> None:
        """Add a remark on a range of the text."""
        self._remarks.append(Remark(code, self._places.span(start, end), message))

    # Properties

    def open(self, properties: list[Property]) -> None:
        """Take the root node's properties."""
        self._header.properties += properties
        for name, value, start, end in properties:
            self.at = (start, end)
            if name == "GM" and value.strip() != "22":
                raise Unreadable("E243", f"GM[{value}] is another game; this one is GM[22]")
            if name == "SU":
                self._board = self._board_of(value)
                self._phase = "lay" if self._board == "custom" else "play"
            if name == "C":
                self._comments.append(value)

    def add(self, item: Property) -> None:
        """Take a later property that is not an action. Comments and clocks count; drawings and the viewer's notes do not."""
        self.at = (item.start, item.end)
        value = item.value.strip()
        if item.name == "C":
            self._node_comments.append(item.value)
        elif item.name == "TM" and not (value.isdecimal() and len(value) <= 12):
            self.remark("W524", *self.at, f"the clock {value!r} is not read: it is not a number of milliseconds")
        elif item.name == "TM" and self._turn:
            self._turn.clock, self._turn.end = value, item.end
        elif item.name in ("P0", "P1") and not value.startswith(("time", "id ", "ranking")):
            raise Unreadable("E244", f"the server has no action {value[:40]!r}", _ACTIONS)

    def end_node(self) -> None:
        """End a node: its comments belong to the current turn, the last turn, or the game."""
        for comment in self._node_comments:
            if self._turn and not self._turn.is_empty:
                self._turn.comments.append(comment)
            elif self._plies:
                self._late_comments.append(comment)
            else:
                self._comments.append(comment)
        self._node_comments.clear()

    def _board_of(self, variant: str) -> str:
        """Return the board of a variant (`SU`, `SetBoard`), or None if unknown; guess nothing."""
        variant = variant.strip()
        if not variant.casefold().startswith("zertz"):
            raise Unreadable("E243", f"{variant or 'a game without a name'} is another game")
        board = board_named(variant)
        if board is None:
            self.remark("W545", *self.at, f"the variant {variant} is unknown, and so is its board")
        return board or variant

    # Actions

    def act(self, actions: Iterable[re.Match[str]]) -> None:
        """Take actions, each with its side, its text (the grammar's COMMAND) and the clock after it in milliseconds, or None."""
        for action in actions:
            side, action_text, clock = action.groups()
            word, do, arguments = read_action(action_text)
            self.at = action.span()
            if self._phase != "play" and self._act_outside_play(side, word, arguments):
                continue
            if do is None:
                _EVENTS[word](self, side, *arguments)
                continue
            turn = self._turn
            if turn is None or turn.done or turn.side != side:
                turn = self._begin(side)
            do(turn, *arguments)
            turn.end = self.at[1]
            if clock:
                turn.clock = clock

    def _begin(self, side: str) -> Turn:
        if side == "-1":
            raise Unreadable("E244", "a move that neither player makes", ("P0[…] or P1[…]",))
        self._close()
        if len(self._plies) >= MAX_PLIES:
            fault = too_many_plies(self._places.span(*self.at))
            raise Unreadable(fault.code, fault.message)
        self._turn = Turn(side, self.at[0])
        return self._turn

    def _close(self) -> None:
        """End the current turn because another begins."""
        turn, self._turn = self._turn, None
        if turn is None or (turn.is_empty and turn.excused):
            return
        if not turn.placed and not turn.jumps:
            self.at = (turn.start, turn.end)
            if turn.removed:
                raise Unreadable("E356", f"ring {turn.removed} is removed, but no marble is placed")
            raise Unreadable("E355", "nothing is done in this turn")
        self._keep(turn)

    def _keep(self, turn: Turn) -> None:
        self._attach_comments()
        self._first = self._first or turn.side
        self._plies.append(turn.ply(self._number(turn.side), self._places.span(turn.start, turn.end)))

    def _attach_comments(self) -> None:
        if self._late_comments:
            last = self._plies[-1]
            comments = [last.comment, *self._late_comments] if last.comment else self._late_comments
            self._plies[-1] = last._replace(comment="\n".join(comments))
            self._late_comments.clear()

    def _number(self, side: str) -> int:
        return 1 if side == (self._first or self._starter) else 2

    def _act_outside_play(self, side: str, word: str, arguments: tuple[str, ...]) -> bool:
        """Handle an action before play or after the end; return False if it counts as in play."""
        if self._phase == "ended":
            return self._act_after_end(side, word)
        if word in _EVENTS and word != "swap":
            return False
        if self._phase == "edit" or (word in ("r+", "r-") and side in ("-1", self._starter)):
            if word in IN_SET_UP:
                IN_SET_UP[word](self._set_up, *arguments)
            return True
        if word != "rtor":
            self._phase = "play"
        return word in ("rtor", "done")

    def _act_after_end(self, side: str, word: str) -> bool:
        """Handle an action after the end: Done confirms a resignation; until then the player may continue."""
        ending, turn = self._ending, self._turn
        if ending is None or word in _EVENTS:
            return False
        if ending.how == Ending.ABANDONED:
            if not any(remark.code == "W748" for remark in self._remarks):
                self.remark("W748", *self.at, "what follows the abandoned game is not read")
            return True
        if word == "done":
            if turn and turn.side == side:
                turn.done = True
            return True
        if ending.how != Ending.RESIGN or ending.loser != side or turn is None or turn.done:
            raise Unreadable("E358", f"the game goes on after {_PAST[ending.how]}")
        self._withdrawn, self._ending = ending, None
        self._phase = "play"
        return False

    def _start(self, _side: str, first: str) -> None:
        if not self._has_moved():
            self._starter = first
            self._phase = "lay" if self._board == "custom" and not self._set_up else "play"

    def _edit(self, _side: str) -> None:
        if self._has_moved():
            self._end(Ending.ABANDONED, None)
        else:
            self._turn = None
            self._phase = "edit"

    def _has_moved(self) -> bool:
        return bool(self._plies or (self._turn and not self._turn.is_empty))

    def _set_board(self, _side: str, variant: str) -> None:
        if self._has_moved():
            raise Unreadable("E357", f"the board is changed to {variant} in the middle of the game")
        self._board = self._board_of(variant)
        self._set_up = SetUp()

    def _swap(self, side: str) -> None:
        self._begin(side).excused = True

    def _reset(self, _side: str) -> None:
        """Do nothing: the server's replay skips it."""

    def _resign(self, side: str) -> None:
        self._end(Ending.RESIGN, side)
        if self._turn is None:
            self._turn = Turn(side, self.at[0])
        if self._turn.side == side:
            self._turn.excused = True

    def _win_on_time(self, side: str) -> None:
        self._end(Ending.TIME, "1" if side == "0" else "0")

    def _end(self, how: Ending, loser: str | None) -> None:
        if self._turn and self._turn.done:
            self._close()
        self._ending = _Ending(how, loser, *self.at)
        self._phase = "ended"

    def take(self, plies: PackedPlies, first: str) -> None:
        """Take all turns of the fast path at once; `first` is the side that moved first."""
        self._packed, self._first = plies, first

    # The Record

    def finish(self) -> None:
        """End the game's text and its current turn."""
        self.end_node()
        turn = self._turn
        if turn is None or (turn.is_empty and not turn.done):
            return
        if turn.placed or turn.jumps:  # the rules decide if anything is missing
            self._keep(turn)
        elif turn.is_empty:
            self._close()
        else:
            self._leave_off(turn)

    def break_off(self, error: Unreadable) -> None:
        """Stop reading the game; keep its actions so far."""
        self._fault = SyntaxFault(error.code, self._places.span(*self.at), error.message, error.expected)
        turn = self._turn
        if turn is None or turn.is_empty:
            return
        if turn.done and (turn.placed or turn.jumps):
            self._keep(turn)
        else:
            self._leave_off(turn)

    def _leave_off(self, turn: Turn) -> None:
        self._first = self._first or turn.side
        self._half_turn = HalfTurn(
            self._text[turn.start : turn.end], self._places.span(turn.start, turn.end), self._number(turn.side)
        )

    def record(self, start: int, end: int) -> Record:
        """Return the Record of a range of the text."""
        self._attach_comments()
        first = self._first or self._starter
        names = self._header.names()
        date = self._header.date()
        if date.doubt:
            stated = self._header.find("DT")
            self.remark(date.code, *((stated.start, stated.end) if stated else (start, start + 1)), date.doubt)
        result, result_span = self._result(names)
        return Record(
            dialect="boardspace",
            span=self._places.span(start, end),
            tags=self._header.tags(),
            board=self._board,
            rule_set="standard",
            claims="automatic",
            edits=self._set_up.edits(first),
            player1=names.get(first),
            player2=names.get("1" if first == "0" else "0"),
            site="boardspace.net",
            date=date.text,
            time=date.time,
            clock="up" if self._has_clocks() else None,
            comment="\n".join(self._comments) or None,
            plies=self._packed if self._packed is not None else tuple(self._plies),
            half_turn=self._half_turn,
            result=result,
            result_span=result_span,
            ending=Ending.AGREED
            if result == GameResult.TIE and not self._ending
            else self._ending and self._ending.how,
            ending_by=self._number(self._ending.loser) if self._ending and self._ending.loser else None,
            remarks=tuple(self._remarks),
            fault=self._fault,
        )

    def _has_clocks(self) -> bool:
        if self._packed is not None:
            return self._packed.has_clocks
        return any(ply.clock is not None for ply in self._plies)

    @property
    def is_plain(self) -> bool:
        """Return whether the root leaves a usual board and no set-up."""
        return self._phase == "play" and self._board is not None

    def _result(self, names: dict[str, str]) -> tuple[str | None, Span | None]:
        """Return the result that the text states: by RE, else by a resignation or the clock."""
        ending = self._ending
        lost = ending.loser if ending else None
        if self._withdrawn and not ending:
            self.remark("W444", *self._withdrawn[2:], "the resignation is withdrawn: the game continues")
        written = self._header.find("RE")
        if written and written.value.strip():
            reading = read_winner(written.value, names)
            if reading.winner is None:
                message = f"the result {written.value.strip()!r} can't be read: {reading.reason}"
                self.remark("W542", written.start, written.end, message)
            else:
                if ending and lost and reading.winner in (lost, "draw"):
                    self.remark("W443", written.start, written.end, f"the result contradicts {_PAST[ending.how]}")
                return self._score(reading.winner), self._places.span(written.start, written.end)
        if ending and lost:
            return self._score("1" if lost == "0" else "0"), self._places.span(ending.start, ending.end)
        return None, None

    def _score(self, winner: str) -> GameResult:
        return GameResult.TIE if winner == "draw" else RESULT_OF[self._number(winner)]


_PAST = {
    Ending.RESIGN: "a resignation",
    Ending.TIME: "a win on time",
    Ending.ABANDONED: "the game was abandoned",
}

_EVENTS: dict[str, Callable[..., None]] = {
    "start": Game._start,
    "edit": Game._edit,
    "setboard": Game._set_board,
    "swap": Game._swap,
    "reset": Game._reset,
    "resign": Game._resign,
    "winontime": Game._win_on_time,
}
