"""Where notes go: standard output, a file that was named, or one beside the game file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.cli.usage import Usage
from referee.games.interface import GameError
from referee.render.text import terminal
from referee.storage import put

if TYPE_CHECKING:
    from referee.cli.options import Time
    from referee.notes.finding import Found
    from referee.notes.kinds import AnyNote
    from referee.table.gamefile import GameFile


class Git(NamedTuple):
    """Whether a note travels through git: committed, or pushed as well."""

    commit: bool
    push: bool

    def __bool__(self) -> bool:
        return self.commit or self.push

    def begin(self, game: Path, output: str | None) -> None:
        """Get what others have pushed, where that was asked for. Raises Usage and GitFailed."""
        if self and output is not None:
            raise Usage("a note goes into the repository or to -o, not both")
        if self:
            from referee.git import turn

            turn.ready(game)
        if self.push:
            turn.pull(game)

    def send(
        self,
        note: str,
        plain: str,
        beside: Path,
        game: Path,
        what: dict[str, Any],
        told: Sequence[terminal.Piece],
        json: bool,
    ) -> int:
        """Commit a note, push it, and get the answer; `plain` is the note as it was signed.

        The exit code is that of a refusal, where the referee has answered with one.
        """
        from referee.errors import AlreadyApplied
        from referee.git import turn
        from referee.git.marks import digest
        from referee.notes.finding import find

        found = find(plain)[0]
        assert found.note is not None
        assert found.signature is not None
        mark = digest(found.note.text, found.signature.raw64)
        name = beside.name.partition("-")[2].rpartition(".")[0]
        path = turn.save(game, _name(game, name, mark, beside.suffix[1:], note, plain), note)
        heard: list[str] = []
        if self.push:
            if not turn.refusal(game, path) and not _is_shown(game, found):
                turn.call(game, mark)
            heard = turn.push(game)
            turn.pull(game)
        refused = turn.refusal(game, path)
        said = re.match(r"[a-z-]+ \((\d\d)\)", refused)
        code = int(said[1]) if said else 0
        if json:
            about = {"note": str(path), "pushed": self.push, "refused": refused, "heard": heard}
            terminal.document(about | what, code)
            return code
        if told:
            terminal.say(*told)
        terminal.say(f"Committed {path}" + (", and pushed." if self.push else "; now git push."))
        if self.push and not refused:
            _answered(game, found, heard)
        for line in refused.splitlines():
            terminal.warn("note" if code == AlreadyApplied.exit_code else "refused", line.strip())
        return code


def _name(game: Path, what: str, mark: str, kind: str, note: str, plain: str) -> str:
    """What the file of a note is to be called: as one that has been written, if there is any.

    What is sealed is another text on each machine, and two texts never have one name.
    """
    from referee.crypto.hashing import H
    from referee.git import turn

    written = (game.parent / turn.MOVES).glob(f"{what}-{mark}*.{kind}")
    known = sorted(one.name for one in written if one.is_file())
    own = mark if note == plain else f"{mark}.{H('sealed', note).hex()[:8]}"
    return known[0] if known else turn.name_of(what, own, kind)


def _is_shown(game: Path, found: Found) -> bool:
    """Return whether the game file shows by now that a note counts."""
    from referee.git.marks import Evidence, Shown, Trace
    from referee.table.signing import load

    file, heads = load(game)
    return Shown(file, heads).evidence("", [Trace.of(found, file.game)]) is Evidence.COUNTS


def _answered(game: Path, found: Found, heard: Sequence[str]) -> None:
    """Say what has become of a note that was pushed, as far as the game file shows it by now.

    Where it shows nothing, what was `heard` from the referee's machine says why.
    """
    from referee.render.text import overview
    from referee.table.signing import load

    if _is_shown(game, found):
        terminal.say(("bold", "The referee has it: "), overview.state_line(load(game)[0]))
        return
    for line in heard:
        terminal.warn("remote", line)
    if heard:
        terminal.warn(
            "note", "the referee there did not work; your note is pushed, and is not lost"
        )
        terminal.warn(
            "hint", "tell who keeps that repository; then the same command wakes it again"
        )
    else:
        terminal.warn("note", "the referee has not answered yet; `git pull` shows it when it has")


class Referee(NamedTuple):
    """What a player's command says about the referee, who may be the same person."""

    key: Path | None
    ledger: Path | None
    at: Time


# What a file of ours begins with; anything else is somebody's work and stays.
BEGINNINGS = (b"sanjuan-ref/1 ", b"-----BEGIN AGE ENCRYPTED FILE-----")


def send(
    note: str,
    plain: str,
    output: str | None,
    beside: Path,
    game: Path,
    file: GameFile,
    what: dict[str, Any],
    told: Sequence[terminal.Piece],
    json: bool,
) -> None:
    """Write a note, which is `plain` before it is sealed, and say what to do with it.

    It goes to `output`, or to the path `beside` the game file; `what` it is about is said to
    programs, `told` to people. Raises NotWritten.
    """
    if output == "-":
        if json:
            terminal.document({"note": "-", "text": note} | what)
        else:
            terminal.verbatim(note)
        return
    path = Path(output) if output is not None else beside
    old = _put(note, path, named=output is not None)
    # The file beside the game is named after the question, so an older note was about the same.
    lost = LOST if output is None else _lost(old, plain, note != plain, file)
    if old and lost:
        terminal.warn("note", f"{path} is replaced; {lost}")
    if json:
        terminal.document({"note": str(path)} | what)
        return
    if told:
        terminal.say(*told)
    terminal.say(f"Send {path} to the referee, who runs:")
    terminal.say(f"  sanjuan-ref apply {quote(game.name)} {quote(path.name)}")


def deliver(
    note: str,
    output: str | None,
    beside: Path,
    game: Path,
    file: GameFile,
    what: dict[str, Any],
    told: Sequence[terminal.Piece],
    referee: Referee,
    git: Git,
    plain: str,
    json: bool,
) -> int:
    """Apply a note at once where the referee's key is on this machine, else `send` it.

    An `output` that was asked for is always written, and so is a commit. `plain` is the note as it
    was signed. The exit code.
    """
    if git:
        return git.send(note, plain, beside, game, what, told, json)
    from referee.cli.access import referee_key_here, unlock
    from referee.cli.referee import settle

    here = referee_key_here(file, referee.key) if output is None else None
    if here is None:
        send(note, plain, output, beside, game, file, what, told, json)
        return 0
    if told and not json:
        terminal.say(*told)
    key = unlock(here)
    try:
        code = settle(
            game, [("your note", note.encode())], key, referee.ledger, False, json, referee.at
        )
    except GameError as error:
        _kept(error, note, beside, game)
        raise
    if not code and not json:
        terminal.say("That was done at once, as the referee's key is on this machine.")
    return code


def _kept(error: GameError, note: str, beside: Path, game: Path) -> None:
    """Keep a note that could not be applied at once, and say how it can be later."""
    _put(note, beside, named=False)
    path = beside
    clock = " --override-clock" if error.reason == "clock" else ""
    how = "if the clock is right, " if clock else error.hint and f"{error.hint}; then "
    error.hint = (
        f"your note is in {path}: {how}"
        f"`sanjuan-ref apply {quote(str(game))} {quote(str(path))}{clock}` applies it"
    )


def _put(text: str, path: Path, *, named: bool) -> bytes:
    """Write a note; what was there before, if that was another one.

    An older note of that name is replaced, any other file is left alone. Where we have made the
    name, so has somebody who has pushed a link of it.
    """
    old = put(path, text.encode(), "note", lambda old: old.startswith(BEGINNINGS), named=named)
    return old if old != text.encode() else b""


LOST = "if you have sent the one before, that one counts"


def _lost(old: bytes, plain: str, sealed: bool, file: GameFile) -> str:
    """What is to be said of an older note in whose place another one was written.

    Nothing where the game knows what became of it, or asks its question no more.
    """
    from referee.notes.finding import find, found_in
    from referee.notes.kinds import Move
    from referee.refereeing.judging import public_signatures

    note = find(plain)[0].note
    for one in found_in(old):
        if one.sealed is not None and sealed and isinstance(note, Move):
            # Only the referee can read what it is about.
            return f"if it has another answer to {note.turn}, and you have sent it, that one counts"
        if one.note is None or one.signature is None:
            continue
        if one.note.game != file.game:
            return f"it held a note for another game, {one.note.game}"
        if one.signature.raw64 in public_signatures(file):
            continue
        if note is not None and _about(one.note) == _about(note):
            return LOST if one.note.kind in ("move", "join") else f"{LOST} too"
        if not isinstance(one.note, Move):
            return f"it held a note about {_about(one.note)}, which this game does not have yet"
    return ""


def _about(note: AnyNote) -> str:
    """The question that a note answers, or else its kind and seat."""
    from referee.notes.kinds import Move

    return note.turn if isinstance(note, Move) else f"the {note.kind} of {note.seat}"
