"""What a mail says: what happened, the table, what is asked, how to answer.

Only what the game file says in public is used here. The referee's machine could open every hand,
and mail travels in the clear.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from referee.show import overview, story, terminal
from referee.table import clock
from referee.table.mail import fold
from referee.table.mime import harmless

if TYPE_CHECKING:
    from datetime import datetime

    from referee.games.interface import Rules, Word
    from referee.table.gamefile import GameFile

WIDTH = 72
JOIN, END = "join", "end"
Flags = Callable[[str, Mapping[str, "Word"]], str]
"""A play, or a pattern of one, as flags of `move`."""

# By what a note or a sealed block is known.
MARKS = re.compile("sanjuan-ref|-BEGIN|-END", re.IGNORECASE)
LISTED = re.compile(r"([a-z-]+) (?:(any)|(up to )?(\d+)) of (\d+(?: \d+)*)")
COUNTED = re.compile(r"([a-z-]+) (?:up to )?(\d+) of the .+")
PLACED = re.compile(r"([a-z-]+ [A-Z]+ [a-z0-9-]+) (\d+(?: \d+)+)")
OPTIONAL = re.compile(r"\s*\[([a-z-]+)[^\]]*\]")
DOWN = re.compile(r"([a-z-]+) (down to \d+ .+)")
FEW = 4


def topic_of(file: GameFile, seat: str) -> str:
    """What a seat has to be told: `join`, the decision to which it owes an answer, `end`; or ""."""
    if file.status == "open":
        here = file.seat(seat)
        return JOIN if here is not None and not here.joined else ""
    if file.status != "playing":
        return END
    return next((id_ for id_ in clock.owed(file) if id_.rsplit(".", 1)[1] == seat), "")


def file_name(file: GameFile) -> str:
    """What the game file is called when it is sent: each another name, or a browser finds one."""
    return f"game-{file.game[:8]}-{file.step}.toml"


def title_of(file: GameFile, rules: Rules) -> str:
    """What a game is called, in one line that no reader can take for a note."""
    # Nor for an encoded word of a header.
    title = harmless(file.title).replace("=?", "= ?")[:40].rstrip()
    return rules.title if not title or MARKS.search(fold(title)) else title


def page(file: GameFile, rules: Rules, seat: str, flags: Flags, about: str = "") -> str:
    """All that a seat needs to go on, whatever it remembers of earlier mails.

    `about` is what the referee has to say to whoever is invited.
    """
    with terminal.paper(WIDTH) as sheet:
        _head(file, rules, seat)
        if file.status == "open":
            overview.open_seats(file)
            _join(file, seat, about)
        else:
            _story(file, rules, seat)
            terminal.say()
            terminal.say("The table")
            overview.table(file, rules, seat)
            if file.status == "finished":
                overview.result(file, rules)
            _asked(file, rules, seat, flags)
    return sheet.getvalue()


def _say(text: str) -> None:
    for line in terminal.wrapped(text, 0):
        terminal.say(line)


def _head(file: GameFile, rules: Rules, seat: str) -> None:
    title, terms = title_of(file, rules), overview.terms_line(file, rules)
    _say(f"{title}, {terms}" if title != rules.title else terms)
    _say(f"You are {seat}. Game {file.game}, {overview.state_line(file)}.")
    terminal.say()


def _join(file: GameFile, seat: str, about: str) -> None:
    here = file.seat(seat)
    terminal.say()
    if here is not None and here.joined:
        _say(f"You have joined as {seat}. The cards are dealt when all have.")
        return
    if about:
        _say(about)
    _say(
        "You play with the program sanjuan-ref: it shows you the table and writes your answers, "
        "which this address reads."
    )
    terminal.say()
    _say("Save the attached file, and take your seat with")
    terminal.say()
    terminal.say(f"  sanjuan-ref join {file_name(file)} --seat {seat}")
    terminal.say()
    if here is not None and here.reserved and here.key is not None:
        _say(f"The seat is reserved for the key {here.key.fingerprint}.")
    _say(
        "Without a key of your own make one first, with `sanjuan-ref key --make my.key`, and add "
        "--key my.key. What the command writes is your note: send it to this address, in the mail "
        "or attached to it."
    )


def _story(file: GameFile, rules: Rules, seat: str) -> None:
    # The last answer too: what it caused happened after it was signed.
    first = overview.told_from(file, seat)
    terminal.say(
        "What happened with your last answer and since" if first else "What happened so far"
    )
    story.story(file, rules, max(first - 1, 0))


def _asked(file: GameFile, rules: Rules, seat: str, flags: Flags) -> None:
    name, topic = file_name(file), topic_of(file, seat)
    terminal.say()
    if topic == END:
        _say("The game is over. Everybody can check all of it with the attached file:")
        terminal.say()
        terminal.say(f"  sanjuan-ref audit {name}")
        return
    if not topic:
        arrived = [id_ for id_, who, _ in overview.waiting(file) if who == seat]
        _say(
            f"Your answer to {arrived[0]} has arrived; it waits for the others."
            if arrived
            else "Nothing is asked of you now."
        )
        return
    terminal.say(f"You are asked  {topic}")
    if due := due_line(file, topic):
        _say(due)
    may = next(one["may"] for one in file.asked if one["id"] == topic)
    words = {word.name: word for word in rules.words}
    terminal.say(
        "Save the attached file, and answer with one of" if len(may) > 1 else "Answer with"
    )
    terminal.say()
    for pattern in may:
        said, note = spelled(pattern, words, flags)
        terminal.say(f"  sanjuan-ref move {name} {said}".rstrip())
        if note:
            terminal.say(f"      {note}")
    terminal.say()
    _say(
        f"`sanjuan-ref show {name}` shows your hand, which lies sealed in the attached file, and "
        "every answer that is legal with it. What `move` writes is your note: send it to this "
        "address, in the mail or attached to it."
    )


def due_line(file: GameFile, decision: str) -> str:
    """Until when an answer is wanted, and what happens then; empty where there is no such time."""
    due = clock.due_of(file, decision)
    if due is None or file.clock is None:
        return ""
    said = f"Your answer is due on {moment(due)}."
    if not file.clock.acts:
        return said
    end = moment(due + file.clock.grace * clock.DAY)
    how = "a pass" if file.clock.late == clock.PASS else "a plain answer"
    return f"{said} From {end} on the referee may play {how} for you."


def moment(time: datetime) -> str:
    """A time as people read it."""
    return time.strftime("%Y-%m-%d at %H:%M UTC")


def spelled(pattern: str, words: Mapping[str, Word], flags: Flags) -> tuple[str, str]:
    """One of the answers in `may` as flags, and in words what the flags do not say.

    Where the public facts say what can be chosen, the flags choose as much as there may be.
    """
    if match := LISTED.fullmatch(pattern):
        word, all_, _, count, listed = match.groups()
        places = listed.split(" ")
        chosen = places[: len(places) if all_ else int(count)]
        note = "" if len(places) == 1 else pattern.removeprefix(f"{word} ")
        return _repeated(word, chosen, words, flags), note
    if match := COUNTED.fullmatch(pattern):
        word, count = match.groups()
        cards = [_noun(word, words)] * min(int(count), FEW)
        return _repeated(word, cards, words, flags), pattern.removeprefix(f"{word} ")
    if match := DOWN.fullmatch(pattern):
        word, rest = match.groups()
        return _repeated(word, [_noun(word, words)], words, flags), f"{rest}: once for each"
    if match := PLACED.fullmatch(pattern):
        begin, listed = match.groups()
        return flags(f"{begin} {listed.split(' ')[0]}", words), f"or another of {listed}"
    plain = OPTIONAL.sub("", pattern)
    more = [f"--{word} {_noun(word, words)}" for word in OPTIONAL.findall(pattern)]
    return flags(plain, words), f"where there is a choice, with {', '.join(more)}" if more else ""


def _noun(word: str, words: Mapping[str, Word]) -> str:
    return words[word].takes.split(" ")[0] if word in words and words[word].takes else "CARD"


def _repeated(word: str, values: Sequence[str], words: Mapping[str, Word], flags: Flags) -> str:
    return " ".join([flags(f"{word} {value}", words) for value in values])
