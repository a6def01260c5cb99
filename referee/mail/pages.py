"""The text of an email: what happened, the table, what is asked, how to answer.

Only what the game file says in public is used here. The referee's machine could open every hand,
and mail travels in the clear.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from referee.notes.finding import fold
from referee.notes.mime import printable_line
from referee.render.text import overview, story
from referee.render.text.terminal import paper, paragraph, say, wrapped
from referee.table import clock, times
from referee.table.decisions import DecisionId

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

SEND = (
    "What `{0}` writes is your note: just reply to this mail, with the note attached or pasted "
    "into the text."
)
FINDS = "The program looks for your key in ~/.config/sanjuan-ref/key and in ~/.ssh/id_ed25519."
ELSEWHERE = "If it is elsewhere, add --key FILE, here and with each answer."


def topic_of(file: GameFile, seat: str) -> str:
    """Return what a seat has to be told: `join`, the decision that it owes, `end`; or ""."""
    if file.status == "open":
        here = file.seat(seat)
        return JOIN if here is not None and not here.joined else ""
    if file.status != "playing":
        return END
    return next(
        (id_ for id_ in clock.owed_decisions(file) if DecisionId.parse(id_).seat == seat), ""
    )


def file_name(file: GameFile) -> str:
    """Return the name by which the game file is sent: another for each file.

    Or a browser saves the next one under a name of its own. While the table is open, each join
    makes another file of the same step.
    """
    joined = sum(seat.joined for seat in file.seats) if file.status == "open" else 0
    return f"game-{file.game[:8]}-{file.step}{f'-{joined}' if joined else ''}.toml"


def title_of(file: GameFile, rules: Rules) -> str:
    """Return the name of a game, in one line that no reader can take for a note."""
    # Nor for an encoded word of a header.
    title = printable_line(file.title).replace("=?", "= ?")[:40].rstrip()
    return rules.title if not title or MARKS.search(fold(title)) else title


def page(
    file: GameFile,
    rules: Rules,
    seat: str,
    flags: Flags,
    about: str = "",
    *,
    reminder: bool = False,
) -> str:
    """All that a seat needs to go on, whatever it remembers of earlier mails.

    What is asked of it and how to answer comes first, because that is what an inbox shows; the
    terms come last. `about` is what the referee has to say to whoever is invited.
    """
    with paper(WIDTH) as sheet:
        _now(file, rules, seat, flags, about, "This is to remind you. " if reminder else "")
        say()
        if file.status == "open":
            say("The seats")
            for one in file.seats:
                state = overview.seat_state(one)
                # Beside the longest name a fingerprint does not fit.
                paragraph(state, 4, f"  {one.name:<{_widest(file)}}  ")
        else:
            _story(file, rules, seat)
            say()
            say("The table")
            overview.table(file, rules, seat)
        say()
        _terms(file, rules, seat)
        lines = [line for text in sheet.getvalue().splitlines() for line in fitted(text)]
    return "".join([f"{line}\n" for line in lines])


def fitted(text: str) -> list[str]:
    """A line of a table as lines that fit; but not a command, which would be another one then."""
    if len(text) <= WIDTH or " --" in text:
        return [text]
    indent = len(text) - len(text.lstrip()) + 4
    return wrapped(text, indent)


def subject_of(file: GameFile, seat: str) -> str:
    """Return what an email is about, in a word or two for its subject; empty for nothing."""
    topic = topic_of(file, seat)
    return {"": "", JOIN: "Invitation", END: "Game over"}.get(topic, "Your turn")


def _widest(file: GameFile) -> int:
    return max(len(one.name) for one in file.seats)


def _terms(file: GameFile, rules: Rules, seat: str) -> None:
    title, terms = title_of(file, rules), overview.terms_line(file, rules)
    topic = topic_of(file, seat)
    asked = f" Your question is {topic}." if topic not in ("", JOIN, END) else ""
    say("The game")
    for text in (
        f"{title}, {terms}" if title != rules.title else terms,
        f"Game {file.game}, {overview.state_line(file)}. You are {seat}.{asked}",
    ):
        paragraph(text, 2, "  ")


def _now(file: GameFile, rules: Rules, seat: str, flags: Flags, about: str, before: str) -> None:
    """Return what there is to do for a seat, or for whom it waits."""
    topic = topic_of(file, seat)
    if topic == END:
        _end(file, rules)
    elif topic == JOIN:
        _join(file, rules, seat, about)
    elif topic:
        _question(file, rules, seat, topic, flags, before)
    elif file.status == "open":
        missing = [one.name for one in file.seats if not one.joined]
        paragraph(
            f"You have joined as {seat}. The cards are dealt when {listed(missing)} "
            f"{'has' if len(missing) == 1 else 'have'} joined, too."
        )
    else:
        _waiting(file, rules, seat)


def _join(file: GameFile, rules: Rules, seat: str, about: str) -> None:
    here = file.seat(seat)
    others = listed([one.name for one in file.seats if one.name != seat])
    host = "" if about else " Your host knows where to get it."
    paragraph(
        about or f"You are invited to a game of {rules.title} with {others}, at the seat {seat}."
    )
    paragraph(f"You play with the program sanjuan-ref, which shows you the table, too.{host}")
    say()
    paragraph("Save the attached file, and take your seat with")
    say()
    say(f"  sanjuan-ref join {file_name(file)} --seat {seat}")
    say()
    paragraph(SEND.format("join"))
    say()
    if here is not None and here.reserved and here.key is not None:
        paragraph(f"The seat is kept for the key {here.key.fingerprint}. {FINDS} {ELSEWHERE}")
    else:
        paragraph(
            f"{FINDS} {ELSEWHERE} If you have no key yet, `sanjuan-ref key --make` makes one that "
            "it finds."
        )


def _story(file: GameFile, rules: Rules, seat: str) -> None:
    # The last answer too: what it caused happened after it was signed.
    first = overview.batch_start(file, seat)
    say("What happened with your last answer and since" if first else "What happened so far")
    story.story(file, rules, max(first - 1, 0))


def _end(file: GameFile, rules: Rules) -> None:
    lines = rules.result(file.table) if file.status == "finished" else []
    if lines:
        paragraph(f"The game is over: {lines[0]}.")
        say()
        for line in lines[1:]:
            say(line)
    else:
        paragraph("The game is over: the referee has ended it before its end.")
    say()
    paragraph("Everybody can check all of it with the attached file:")
    say()
    say(f"  sanjuan-ref audit {file_name(file)}")


def _waiting(file: GameFile, rules: Rules, seat: str) -> None:
    owed = listed([who for _, who, arrived in overview.waiting(file) if not arrived])
    if any(who == seat for _, who, _ in overview.waiting(file)):
        paragraph(f"Your answer has arrived; it waits for {owed}.")
    else:
        paragraph(f"Nothing is asked of you now; the game waits for {owed}.")


def _question(
    file: GameFile, rules: Rules, seat: str, topic: str, flags: Flags, before: str
) -> None:
    name = file_name(file)
    paragraph(f"{before}{overview.your_turn(rules, topic)}. {due_line(file, topic)}".rstrip())
    say()
    may = next(one.may for one in file.asked if one.id == topic)
    words = {word.name: word for word in rules.words}
    answers = [spelled(pattern, words, flags) for pattern in may]
    one_of = " one of" if len(answers) > 1 else ""
    command = f"  sanjuan-ref move {name} "
    apart = max(len(f"{command}{said}") for said, _ in answers) > WIDTH
    paragraph(
        "Save the attached file. Your hand lies sealed in it; see it, and every answer that is "
        "legal with it, with"
    )
    say()
    say(f"  sanjuan-ref show {name}")
    say()
    say(f"Answer with{'' if apart else one_of}")
    say()
    if apart:
        say(command.rstrip())
        say()
        say(f"and behind that{one_of}")
        say()
        command = "  "
    for said, note in answers:
        say(f"{command}{said}")
        paragraph(note, 6, "      ")
    say()
    paragraph(f"{SEND.format('move')} If you joined with --key FILE, add that to both commands.")


def listed(names: Sequence[str]) -> str:
    """Names as people say them one after the other."""
    return " and ".join([piece for piece in (", ".join(names[:-1]), *names[-1:]) if piece])


def due_line(file: GameFile, decision: str) -> str:
    """Until when an answer is wanted, and what happens then; empty where there is no such time."""
    due = clock.due_of(file, decision)
    if due is None or file.clock is None:
        return ""
    said = f"Your answer is due on {moment(due)}."
    if not file.clock.acts:
        return said
    end = moment(due + file.clock.grace * times.DAY)
    bot = f"the table's bot, {file.bot}, answers"
    how = "the referee answers with a pass" if file.clock.late == times.PASS else bot
    return f"{said} After {end} {how} for you."


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
    said = " ".join([flags(f"{word} {value}", words) for value in values])
    return said if len(said) <= WIDTH - 2 else f"--play '{word} {' '.join(values)}'"
