"""Delivery of a player's note: applied at once, committed to git, or written for the referee."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.flags import shell_join
from referee.cli.keyring import passphrase
from referee.cli.newest import tell_newer
from referee.cli.options import RefereeOptions
from referee.cli.outputs import check_output
from referee.cli.usage import Usage
from referee.games.errors import GameError
from referee.playing import outgoing
from referee.playing.reader import KeyOptions, referee_key_here
from referee.playing.shared import MOVES, is_shared
from referee.records import NamedTuple
from referee.render.text import terminal
from referee.table.signing import load
from referee.table.source import is_held

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.crypto.keyplace import KeyVariable
    from referee.playing.numbering import Written
    from referee.playing.outgoing import Outgoing
    from referee.refereeing.judging import Verdict
    from referee.table.gamefile import GameFile

KNOWN_BY_NAME = ("move", "join", "vote", "leave")
"""The kinds of notes that are looked for by the endings of their names."""
_DONE = {
    "print": "printed",
    "apply": "applied at once, as the referee's key is on this machine",
    "commit": "committed in moves/, for you to push",
    "push": "committed in moves/ and pushed; what others have pushed is fetched first",
}


class Delivery(NamedTuple):
    """Options of a command that writes a note: where it goes, and who may apply it at once.

    If the command `goes_on`, it says itself at the end who gets the game file; one that is
    `silent` shows itself what has come of a note that was applied.
    """

    game: Path
    output: str | None
    commit: bool
    push: bool
    referee_key: Path | None
    referee: RefereeOptions
    json: bool = False
    goes_on: bool = False
    silent: bool = False
    number: int | None = None

    @property
    def is_rehearsal(self) -> bool:
        """Return True if all is to be checked, and nothing written or sent."""
        return self.referee.dry_run

    @property
    def git(self) -> bool:
        """Return True if the note travels through git."""
        return self.commit or self.push

    @property
    def way(self) -> list[str]:
        """Options that say where the note goes, for a command that is to be repeated."""
        if self.git:
            return ["--push"] if self.push else ["--commit"]
        return ["-o", self.output] if self.output is not None else []

    def begin(self) -> None:
        """Pull from others if the note travels through git. Raises Usage and GitFailed.

        At a table in a repository notes are applied only by the referee's run there.
        """
        if self.git and self.output is not None:
            raise Usage("a note goes into the repository or to -o, not both")
        if not self.git and self.output is None and is_shared(self.game):
            raise Usage(
                "this table goes by git: say --push",
                hint="--commit puts the note into moves/ only, and -o FILE writes it elsewhere",
            )
        if self.git:
            # Few notes travel through git.
            from referee.playing import checkout

            if self.is_rehearsal:
                checkout.check(self.game, push=self.push)
                return
            remark = checkout.begin(self.game, push=self.push)
            if remark and not self.json:
                terminal.warn("note", remark)

    def open(self, *, looks: bool = False) -> GameFile:
        """Begin, and return the game file. Raises like `begin` and `load`.

        Where a newer one lies beside it, a note says so, unless the command `looks` itself.
        """
        self.begin()
        file, _ = load(self.game)
        if not looks:
            tell_newer(self.game, file, json=self.json)
        return file

    def deliver(self, file: GameFile, note: Outgoing, told: Sequence[terminal.Piece] = ()) -> int:
        """Hand a note over, print what it is (`told`, or JSON), and return the exit code.

        It is applied if the referee's key is on this machine, unless it is to be written or
        committed. Raises NotWritten and GitFailed.
        """
        if self.is_rehearsal:
            return self._rehearse(file, note, told)
        if self.git:
            # Few notes travel through git.
            from referee.cli.pushing import commit

            return commit(note, self.game, told, push=self.push, json=self.json)
        place = self.key_at_once(file)
        if place is None:
            self._write(file, note, told)
            return 0
        check_output(self.game)
        # Most players do not have the referee's key.
        from referee.cli.applying import found_in, settle

        if told and not self.json:
            terminal.say(*told)
        key = KeyOptions(ask=passphrase()).unlock(place)
        try:
            code = settle(
                self.game,
                found_in(note),
                key,
                self.referee,
                json=self.json,
                goes_on=self.goes_on,
                silent=self.silent,
            )
        except GameError as error:
            self._keep(note, error)
            raise
        if not (code or self.json or self.silent):
            terminal.say("That was done at once, as the referee's key is on this machine.")
        return code

    def send_again(self, answer: Written, decision: str, *, patiently: bool = False) -> int | None:
        """Do what is left to be done of `deliver` for an answer in a file, if it goes by git.

        Returns the exit code, or None where it is its player's to send. One who is asked again and
        again should do so `patiently`: the referee is not called each time. Raises like `deliver`.
        """
        if not self.git or self.is_rehearsal or answer.path.parent != self.game.parent / MOVES:
            return None
        # Few notes travel through git.
        from referee.cli.pushing import send_again
        from referee.playing.checkout import is_on_its_way

        if patiently and is_on_its_way(answer, self.game, push=self.push):
            return None
        return send_again(answer, decision, self.game, push=self.push)

    def key_at_once(self, file: GameFile) -> Path | KeyVariable | None:
        """Return the referee's key, if it is here to apply a note at once."""
        if self.git or self.output is not None or is_held(self.game):
            return None
        return referee_key_here(file, self.referee_key)

    def _rehearse(self, file: GameFile, note: Outgoing, told: Sequence[terminal.Piece]) -> int:
        """Check a note as far as `deliver` would, print what it would do, and return the exit code.

        Where the referee's key is here the note is judged, but what would follow from it is not
        told: a card that is drawn can be drawn once. Raises like `deliver`.
        """
        # Few notes are only tried.
        from referee.cli import applying, rehearsal

        key_place = self.key_at_once(file)
        way = "push" if self.push else "commit" if self.commit else ""
        way = way or ("print" if self.output == "-" else "write" if key_place is None else "apply")
        place, code = "", 0
        if way == "write":
            path, named = self.place_of(note)
            self.tell_lost(file, note, path, outgoing.in_place(note, path, named=named))
            place = str(path)
        verdicts: list[Verdict] = []
        if key_place is not None:
            key = KeyOptions(ask=passphrase()).unlock(key_place)
            notes = applying.found_in(note)
            verdicts = applying.judged(self.game, notes, key, self.referee)[1]
            code = applying.exit_code(verdicts)
        texts = [part.signed.text for part in note.parts]
        if self.json:
            said = {"dry_run": True, "way": way, "note": place or None, "signs": texts}
            said |= {"sealed": bool(note.sealed), **note.about}
            judged = {"notes": applying.documents(verdicts)} if verdicts else {}
            terminal.document(said | judged, code)
            return code
        if told:
            terminal.say(*told)
        rehearsal.tell_signed(texts)
        applying.tell_refused(verdicts, self.game, file)
        if not code:
            sealed = "sealed to the referee and " if note.sealed else ""
            done = f"written to {place}, for you to send" if place else _DONE[way]
            terminal.paragraph(f"It would be {sealed}{done}. {rehearsal.NOTHING}")
        return code

    def _write(self, file: GameFile, note: Outgoing, told: Sequence[terminal.Piece]) -> None:
        if self.output == "-":
            if self.json:
                terminal.document({"note": "-", "text": note.text, **note.about})
            else:
                terminal.verbatim(note.text)
            return
        path, named = self.place_of(note)
        old = outgoing.write(note, path, named=named)
        self.tell_lost(file, note, path, old)
        if self.json:
            terminal.document({"note": str(path), **note.about})
            return
        ending = f".{note.signed.kind}"
        if named and note.signed.kind in KNOWN_BY_NAME and path.suffix != ending and path.is_file():
            text = f"with a name that ends in {ending}, `games` and `show` would know of {path}"
            terminal.warn("note", text)
        if told:
            terminal.say(*told)
        if is_held(self.game) and (self.game.exists() or str(self.game) == "-"):
            terminal.say(f"Reply to the email in which the game came, with {path} attached.")
            return
        if path.parent == self.game.parent and _is_practice(path.parent):
            again = shell_join(["sanjuan-ref", "practice", str(path.parent)])
            terminal.say(f"`{again}` takes it from there, and goes on.")
            return
        terminal.say(f"Send {path} to the referee, who runs:")
        name = Path("game.toml" if is_held(self.game) else self.game.name)
        terminal.pass_on(self._applying(name, Path(path.name)))

    def place_of(self, note: Outgoing) -> tuple[Path, bool]:
        """Return the file for a note, and whether the user has named it. Raises NotWritten."""
        if self.output is not None:
            return Path(self.output), True
        path = note.beside(self.game)
        check_output(path.parent)
        return path, False

    def tell_lost(self, file: GameFile, note: Outgoing, path: Path, old: bytes) -> None:
        """Say what becomes of another note, whose bytes were in the file of this one."""
        # The file beside the game is named after the question, so an older note was about the same.
        lost = ""
        if old:
            lost = outgoing.fate_of(old, note, file) if self.output else outgoing.COUNTS
        if lost:
            is_replaced = "would be" if self.is_rehearsal else "is"
            terminal.warn("note", f"{path} {is_replaced} replaced; {lost}")

    def _keep(self, note: Outgoing, error: GameError) -> None:
        """Keep a note that could not be applied at once, and say how it can be later."""
        path = note.beside(self.game)
        outgoing.write(note, path, named=False)
        clock = ["--override-clock"] if error.reason == "clock" else []
        how = "if the clock is right, " if clock else error.hint and f"{error.hint}; then "
        command = self._applying(self.game, path, *clock)
        error.hint = f"your note is in {path}: {how}`{command}` applies it"

    def _applying(self, game: Path, note: Path, *more: str) -> str:
        """Return the command that applies a note, with the options for it that were given here."""
        words = ["sanjuan-ref", "apply", str(game), str(note)]
        for name, value in (("--referee-key", self.referee_key), ("--ledger", self.referee.ledger)):
            words += [name, str(value)] if value is not None else []
        return shell_join([*words, *more])


def _is_practice(folder: Path) -> bool:
    """Return True for a folder of `practice`, in which the referee's key lies with the game."""
    return all((folder / name).is_file() for name in ("keys/referee", "referee.ledger"))
