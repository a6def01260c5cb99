"""Plans for a command: read from flags, a file or an editor, and told in words."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.cli.flags import sending, shell_join
from referee.cli.newest import tell_newer
from referee.cli.showing import unsent
from referee.errors import Damaged, Stale, counted
from referee.games import all_games, rules_of
from referee.games.errors import GameError, NotUnderstood
from referee.games.plans import language_of
from referee.playing.planning import written_plan
from referee.playing.player import waits
from referee.render.text import prompt, terminal
from referee.render.text.planned import lies, written_document
from referee.storage import read_limited
from referee.system import default_editor, split_command
from referee.table.decisions import NO_DECISION
from referee.table.plans import plan_behind
from referee.table.signing import load
from referee.table.standing import own_question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.cli.delivery import Delivery
    from referee.games.interface import View
    from referee.playing.outgoing import Outgoing
    from referee.playing.planning import Planner, Present, WrittenPlan
    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile

FILE_LIMIT = 1 << 16
ALWAYS = "always "
LEFT = 1


def load_game(game: Path, *, json: bool = False) -> GameFile:
    """Return the game file, and note where a newer one lies beside it."""
    file, _ = load(game)
    tell_newer(game, file, json=json)
    return file


def subjects() -> dict[str, str]:
    """Return what can be planned in all games, each with a few words of help."""
    found: dict[str, str] = {}
    for name in all_games():
        rules = rules_of(name).whole()
        for subject, about in language_of(rules, ["ana", "ben"]).about().items():
            found.setdefault(subject, about)
    return found


def lines_of(file: str) -> list[str]:
    """Return the lines of a file with clauses. Raises NotRead, Damaged and NotUnderstood."""
    data = read_limited(Path(file), FILE_LIMIT)
    if not data.strip():
        raise Damaged(f"{file} is empty, not a plan", "write one clause on a line")
    try:
        return data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise NotUnderstood(f"{file} is not a text", "write one clause on a line") from None


def clauses(planner: Planner, lines: Sequence[str], always: bool = False) -> list[str]:
    """Return the clauses that lines mean, all with `always` if wanted. Raises NotUnderstood."""
    if always:
        lines = [_for_good(line) for line in lines]
    found = planner.read(lines)
    if not found:
        raise NotUnderstood(
            "there is no clause here",
            "`sanjuan-ref plan --withdraw` takes your plan back, if that is what you want",
        )
    return found


def after(
    planner: Planner,
    play: str,
    lines: Sequence[str],
    delivery: Delivery,
    sure: Sequence[str] = (),
) -> Outgoing:
    """Sign a plan for what follows a play; what the present plan says with `always` stays.

    Clauses that are `sure` are known to give an answer.
    """
    planner.foresee(play)
    found = planner.with_present(clauses(planner, lines), for_good=True)
    return sign(planner, found, delivery, sure)


def tell_spent(planner: Planner, view: View, clause: str) -> None:
    """Name the cards that a clause gives away, with the answer that is known, and does not name."""
    answer, named = planner.language.evaluate([clause], view), clause.split()
    spent = view.spends(answer) if answer else ()
    names = []
    for card in view.hand:
        if card.letter in spent and card.name in named:
            named.remove(card.name)
        elif card.letter in spent:
            names.append(card.name)
    if names:
        terminal.paragraph(f"(gives away {', '.join(names)})", 4, "    ", style="dim")


def added(planner: Planner, lines: Sequence[str], game: Path) -> list[str]:
    """Return new clauses with those of the present plan that stay; say which are over.

    What a plan says that has not arrived yet cannot be read, and is not kept.
    """
    written = written_plan(game, planner.file, planner.seat.name)
    if written is not None:
        terminal.warn(
            "note",
            f"plan {written.number}, which lies in {written.path}, has not arrived yet, and --add "
            "keeps nothing of it: this plan takes its place",
        )
    over = planner.present.over if planner.present is not None else []
    if over:
        terminal.warn(
            "note",
            f"of plan {planner.present.number if planner.present else 0}, "
            f"{counted(len(over), 'line')} for a turn that is over had to be left out",
        )
    return planner.with_present(lines)


def sign(
    planner: Planner, lines: Sequence[str], delivery: Delivery, sure: Sequence[str] = ()
) -> Outgoing:
    """Sign a plan that goes with an answer, and say so."""
    note = planner.sign(lines, planner.next_number(delivery.game))
    announce(planner, note, quiet=delivery.json or delivery.output == "-", sure=sure)
    return note


def _for_good(line: str) -> str:
    text = line.strip()
    words = text.lower().split()
    return line if not words or words[0] == "always" or text[0] == "#" else ALWAYS + text


def suggest(planner: Planner, *, json: bool) -> None:
    """Print what the table's bot would plan, as `--file` reads it."""
    lines = planner.suggested()
    if json:
        terminal.document({"seat": planner.seat.name, "clauses": lines})
        return
    for line in lines:
        terminal.say(line)


def announce(planner: Planner, note: Outgoing, *, quiet: bool, sure: Sequence[str] = ()) -> None:
    """Print a plan that was signed, and warn of what its author should know."""
    number, lines = note.about["number"], note.about["clauses"]
    if not quiet:
        present = planner.present
        before = f", in place of plan {present.number}" if present is not None else ""
        terminal.say(("bold", f"plan {number} of {planner.seat.name}{before}"))
        if not lines:
            terminal.say("  nothing is planned any more")
        for line in lines:
            terminal.paragraph(line, 4, "  ")
    silent = planner.language.silences([line for line in lines if line not in sure])
    if silent:
        terminal.warn(
            "note",
            f"{', '.join(silent)}: if no wish is possible you are asked, and all see that; "
            f"end with {_endings(planner, silent)} to answer in any case",
        )
    if planner.referees and lines:
        terminal.warn(
            "note",
            f"the referee plays too, as {planner.referees}, and could read this before choosing",
        )


def tell_open(game: Path, file: GameFile, reader: Reader, more: list[str]) -> None:
    """Note that a plan leaves open what its author is asked already, and how to answer that."""
    decision = reader.hand.decision if reader.hand is not None else NO_DECISION
    if (
        own_question(file, decision)
        and not waits(file, decision)
        and not unsent(game, file, reader)
    ):
        how = shell_join(["sanjuan-ref", "move", str(game), *sending(game, more)])
        terminal.warn(
            "note",
            f"{decision} was put to you before this plan, which does not answer it: `{how} …` does",
        )


def _endings(planner: Planner, subjects: Sequence[str]) -> str:
    """Return how lines for all of some subjects can end."""
    shared = set.intersection(*(set(planner.language.endings(name)) for name in subjects))
    return " or ".join(f"`else {wish}`" for wish in sorted(shared, reverse=True))


def _state(present: Present) -> str:
    if present.clauses == ():
        return "is withdrawn"
    if present.clauses and not present.living:
        return "is over with its turn"
    return "waits: it is in force from the next question on" if present.waits else "is in force"


def tell(planner: Planner, game: Path, more: list[str], *, json: bool) -> None:
    """Print the seat's plan, and in words what it would answer now."""
    present, name = planner.present, planner.seat.name
    lines = present.clauses if present is not None else None
    told = planner.told(lines, present) if present is not None and lines else []
    written = written_plan(game, planner.file, name)
    if json:
        terminal.document(_document(planner, told, written))
        return
    if written is not None:
        lies(written, game)
    if present is None:
        until = "Until it is there, " if written is not None else ""
        terminal.say(f"{until}{name} has no plan: whatever comes up, you are asked.")
        how = shell_join(["sanjuan-ref", "plan", str(game), *more])
        write = shell_join(["sanjuan-ref", "plan", str(game), *sending(game, more)])
        terminal.say(f"  {how} --suggest", ("dim", "   what the bot would plan"))
        terminal.say(f"  {write} --edit", ("dim", "   write one, with the grammar beside it"))
        return
    terminal.say(("bold", f"Plan {present.number} of {name}"), f" {_state(present)}.")
    if lines is None:
        terminal.say("Its text is not sealed to this key.")
        return
    for number, line in enumerate(lines, 1):
        over = "   (over with its turn)" if line in present.over else ""
        terminal.paragraph(line + over, 5, f"  {number}  ")
    if not lines:
        return
    terminal.say()
    terminal.say("With your hand as it is, it would answer:" if told else "It answers nothing now.")
    for line in told:
        terminal.paragraph(line, 4, "  ")
    if planner.view.decision is not None and present.waits:
        asked = planner.hand.decision
        what = "waits for those of others" if planner.waits else "is yours to give"
        before = f"{asked} was put before this plan: the answer to it {what}."
        terminal.paragraph(before, style="dim")


def _document(planner: Planner, told: Sequence[str], written: WrittenPlan | None) -> dict[str, Any]:
    present = planner.present
    answered = [
        entry.decision
        for entry in planner.file.log
        if entry.by == planner.seat.name and plan_behind(entry)
    ]
    found: dict[str, Any] = {
        "seat": planner.seat.name,
        "plan": None,
        "written": written_document(written),
        "answered": answered,
    }
    if present is not None:
        found["plan"] = {
            "number": present.number,
            "waits": present.waits,
            "turn_alive": present.alive,
            "clauses": None if present.clauses is None else list(present.clauses),
            "would": list(told),
        }
    return found


# An editor.


def edit(
    planner: Planner, begin: Sequence[str], *, to_change: bool, always: bool = False
) -> list[str]:
    """Let somebody write a plan in an editor until it is understood; return its clauses.

    It begins with some, which one has `to_change`; clauses that are over stand there as comments.
    Raises Stale where they are unchanged all the same, and what is wrong with the plan where its
    author gives up: then the text is kept.
    """
    text = _sheet(planner, begin, planner.present.over if planner.present and to_change else ())
    wrong = ""
    while True:
        written = _edited(wrong + text)
        lines = [line for line in written.splitlines() if not line.startswith("#! ")]
        if to_change and [line for line in lines if _counts(line)] == list(begin):
            raise Stale("the plan is as it was, so nothing was signed", reason="unchanged")
        try:
            found = clauses(planner, lines, always)
            planner.check_whole(found)
        except GameError as error:
            if not terminal.asks():
                error.hint = f"{error.hint}; {_kept(lines)}" if error.hint else _kept(lines)
                raise
            terminal.complain(error)
            said = prompt.ask("Enter opens it again, q leaves: ")
            if prompt.ended() or said.lower() in ("q", "quit"):
                raise GameError("nothing was signed", _kept(lines)) from None
            text = "\n".join(lines) + "\n"
            wrong = f"#! {error.message}\n" + (f"#! {error.hint}\n" if error.hint else "")
        else:
            return found


def _kept(lines: Sequence[str]) -> str:
    """Keep what somebody has written where nobody else can read it, and say where it is."""
    # Slow to import, and few plans go wrong.
    from tempfile import mkstemp

    if not any(map(_counts, lines)):
        return "no line said anything"
    handle, name = mkstemp(prefix="sanjuan-ref-plan-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as kept:
        kept.write("\n".join(lines) + "\n")
    return f"what you wrote is in {name}: `plan --file` reads it"


def _counts(line: str) -> bool:
    return bool(line.partition("#")[0].strip())


def _sheet(planner: Planner, lines: Sequence[str], over: Sequence[str]) -> str:
    """Return a plan to be edited, with clauses that are over and the grammar as comments."""
    told = planner.told(lines) if lines else []
    gone = ["", "Over with their turn; without the # they hold again:", *over] if over else []
    notes = [
        "Your plan: one clause on a line. Lines that begin with # do not count.",
        *gone,
        *(["", "As it stands it would answer:", *(f"  {line}" for line in told)] if told else []),
        "",
        *planner.language.help(),
    ]
    return "".join(f"{line}\n" for line in [*lines, "", *(f"# {one}".rstrip() for one in notes)])


def _edited(text: str) -> str:
    """Return what somebody makes of a text in $VISUAL or $EDITOR. Raises GameError."""
    # Slow to import, and few plans are written so.
    from tempfile import TemporaryDirectory

    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or default_editor()
    # Nobody else on this machine can look into the folder.
    with TemporaryDirectory(prefix="sanjuan-ref-") as folder:
        path = Path(folder) / "plan.txt"
        path.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run(  # noqa: S603
                [*split_command(editor), str(path)], check=False
            ).returncode
        except (OSError, ValueError) as error:
            raise GameError(
                f"the editor {editor!r} cannot be started: {error}", "name another one in $EDITOR"
            ) from None
        if done:
            raise GameError(f"the editor ended with {done}; nothing was signed")
        return "\n".join(lines_of(str(path))) + "\n"
