"""A table of practice at the terminal: which folder, what is explained, question after question."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from referee.bots.names import parts_of
from referee.cli import guide, hints, keyring
from referee.cli import practicetable as tables
from referee.cli.applying import TOO_LATE, settle
from referee.cli.asking import ADVICE, explain, wanted_help
from referee.cli.delivery import Delivery
from referee.cli.flags import shell_join
from referee.cli.newest import Missed
from referee.cli.options import RefereeOptions
from referee.cli.practiceterms import options_of
from referee.cli.showing import tell, unsent
from referee.games.errors import GameError
from referee.playing.learning import first_lessons
from referee.playing.reader import player_of
from referee.render.text import cards, prompt, terminal
from referee.storage import read_limited
from referee.system import forget_typed
from referee.table.gamefile import MAX_FILE
from referee.table.rules import rules_for

if TYPE_CHECKING:
    from referee.cli.practicetable import PracticeTable
    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile

FOLDER = Path("practice")
GOES_ON = "Enter goes on, q leaves: "
LEAVES = ("q", "quit")
LEFT = 1
GONE_ON = (
    "another command has brought this game further in the meantime. Here it is as it stands now."
)


def welcome(table: PracticeTable, file: GameFile) -> None:
    """Say who plays, and where the game lies."""
    me = tables.player_in(file)
    *most, last = [f"{name} ({_level(bot)})" for name, bot in file.bots.items()]
    against = f"{len(most) + 1} bots: {', '.join(most)} and {last}" if most else f"a bot: {last}"
    terminal.paragraph(
        f"You are {me}, and play against {against}. The game lies in "
        f"{table.folder}: leave it whenever you like, and go on with the same command."
    )
    terminal.say()


def _level(bot: str) -> str:
    parts = parts_of(bot)
    return parts.level if parts is not None else bot


def go_on(table: PracticeTable, *, lessons: bool) -> int:
    """Play until the game is over or the player leaves; return the exit code."""
    own = table.key(table.load())
    options = RefereeOptions(table.ledger, None)
    delivery = Delivery(
        table.game, None, False, False, table.referee_key, options, goes_on=True, silent=True
    )
    paths = (("--key", own), ("--referee-key", table.referee_key), ("--ledger", table.ledger))
    more = [word for flag, path in paths for word in (flag, str(path))]
    while True:
        before = _bytes(table)
        file = table.load()
        reader = player_of(file, keyring.keys(own))
        if _takes_in(table, file, reader, options):
            continue
        if lessons and not _teach(file, reader):
            return _leave(table)
        if _bytes(table) != before:
            terminal.paragraph(f"{GONE_ON[:1].upper()}{GONE_ON[1:]}")
            terminal.say()
            continue
        if not terminal.asks():
            return _show(table, file, reader, more)
        try:
            code = guide.play(file, reader, more, delivery, changes=True)
        except typer.Exit as left:
            code = left.exit_code
        except Missed as late:
            code = late.exit_code
        if code in TOO_LATE:
            terminal.say()
            terminal.paragraph(f"Your answer came too late: {GONE_ON}")
        elif code is None:
            return _end(table, file) if file.status in tables.OVER else LEFT
        elif code:
            return _leave(table) if code == LEFT else code
        terminal.say()


def _bytes(table: PracticeTable) -> bytes:
    """Return the game file as it is, to see if another command has written it since."""
    return read_limited(table.game, MAX_FILE)


def _takes_in(
    table: PracticeTable, file: GameFile, reader: Reader, options: RefereeOptions
) -> bool:
    """Apply an answer that the player has signed by another command; False where there is none.

    Nobody else is there to whom it could be sent.
    """
    answer = unsent(table.game, file, reader)
    if answer is None:
        return False
    # Most players answer here.
    from referee.notes.finding import find_in_bytes
    from referee.notes.recognising import MAIL_LIMIT

    data = read_limited(answer.path, MAIL_LIMIT)
    notes = [(str(answer.path), one) for one in find_in_bytes(data)]
    key = keyring.referee_key(table.referee_key)
    code = settle(table.game, notes, key, options, json=False, goes_on=True)
    terminal.say()
    return not code


def _teach(file: GameFile, reader: Reader) -> bool:
    """Tell what matters for the first time; False if somebody leaves meanwhile."""
    rules = rules_for(file)
    found = first_lessons(file, reader)
    for key, topic in found.items():
        cards.topic(topic.title, [ruling.sentence for ruling in topic.rulings])
        game = "" if rules.is_default else f" --game {rules.module}"
        terminal.say(("dim", f"    all of it: sanjuan-ref rules {key}{game}"))
    if not found:
        return True
    terminal.say()
    if not terminal.asks():
        return True
    forget_typed()
    while (said := prompt.ask(GOES_ON).lower()) not in LEAVES and not prompt.ended():
        if not said:
            terminal.say()
            return True
        about = wanted_help(said)
        if about is None:
            terminal.warn("hint", "the question comes next: Enter goes on to it")
        else:
            _help(about, file, reader)
    terminal.say()
    return False


def _help(about: str, file: GameFile, reader: Reader) -> None:
    """Tell what a card does, the rules on a topic, a bot's play, or what such a page is for."""
    if not about:
        terminal.paragraph(
            "Such a page explains what comes up for the first time, and the question comes after "
            "it. `? CARD` says what a card does, `? TOPIC` tells the rules, such as `? course`, "
            "and `? hint` what a bot would play in your place; "
            "`sanjuan-ref practice --no-lessons` leaves these pages out."
        )
        return
    try:
        if about == ADVICE and reader.hand is not None:
            hints.tell(hints.hint(file, reader), reader.hand)
        else:
            explain(rules_for(file), about)
    except GameError as error:
        terminal.complain(error)


def _show(table: PracticeTable, file: GameFile, reader: Reader, more: list[str]) -> int:
    """Show the table where nobody can be asked, with the commands that answer."""
    tell(table.game, file, rules_for(file), reader, more)
    if file.asked:
        terminal.say()
        terminal.say("On a terminal you would be asked now. Here, answer with a command above.")
    return 0


def _leave(table: PracticeTable) -> int:
    terminal.say()
    terminal.say(f"Go on whenever you like: {go_on_command(table.folder)}")
    return LEFT


def _end(table: PracticeTable, file: GameFile) -> int:
    terminal.say()
    game, me = str(table.game), tables.player_in(file)
    page = ["page", game, "-o", str(table.folder / "game.html")]
    ways = [["score", game], ["log", game], page]
    told = "Look at it again, point by point, play by play, or in a browser:"
    if rules_for(file).search() is not None:
        told = (
            "Look at it again, point by point, play by play, where a bot would have done better, "
            "or all of that in a browser:"
        )
        ways = [*ways[:2], ["review", game, "--seat", me], [*page, "--review", me]]
    terminal.paragraph(told)
    for words in ways:
        terminal.say(f"  {shell_join(['sanjuan-ref', *words])}")
    again = go_on_command(tables.first_of(table.folder), *options_of(file))
    terminal.say(f"And the next game: {again}")
    return 0


def go_on_command(folder: Path, *options: str) -> str:
    """Return the command that goes on with the game in a folder, from the folder we are in."""
    named = [] if folder == (tables.this_folder() or FOLDER) else [str(folder)]
    return shell_join(["sanjuan-ref", "practice", *named, *options])
