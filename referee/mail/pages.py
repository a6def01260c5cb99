"""The text of an email: what is asked, how to answer, what happened, the table.

It uses only what the game file says in public: the referee's machine could open every hand, and
email travels in the clear.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from referee.bots.names import a_spoken
from referee.notes.finding import fold
from referee.notes.mime import printable_line
from referee.render.text import overview, story
from referee.render.text.terminal import paper, paragraph, say, wrapped
from referee.table import clock, times, transfer
from referee.table.ahead import asks_turn, invited
from referee.table.chain import BY_VOTE
from referee.table.decisions import DecisionId
from referee.table.plans import plan_behind
from referee.table.standing import Standing, for_bots

if TYPE_CHECKING:
    from datetime import datetime

    from referee.games.board import Board
    from referee.games.interface import Rules
    from referee.games.values import Word
    from referee.render.text.story import StoryEntry
    from referee.table.gamefile import GameFile

WIDTH = 72
JOIN, END, AHEAD = "join", "end", "ahead"
Flags = Callable[[str, Mapping[str, "Word"]], str]
"""A play, or a pattern of one, as flags of `move`."""

# Marks of a note or a sealed block.
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
    """Return what a seat has to be told: `join`, the decision that it owes, `end`, or nothing."""
    here = file.seat(seat)
    if here is not None and here.bot:
        return ""
    if file.status == "open":
        return JOIN if here is not None and here.is_free else ""
    if file.status != "playing":
        return END
    return next(
        (id_ for id_ in clock.owed_decisions(file) if DecisionId.parse(id_).seat == seat), ""
    )


def file_name(file: GameFile) -> str:
    """Return the name by which the game file is sent, different for each file.

    Otherwise a browser would rename the next one. While the table is open, each join makes another
    file of the same step.
    """
    joined = sum(seat.joined for seat in file.seats) if file.status == "open" else 0
    return f"game-{file.game[:8]}-{file.step}{f'-{joined}' if joined else ''}.toml"


def title_of(file: GameFile, rules: Rules) -> str:
    """Return the name of a game, in one line that no reader can take for a note."""
    # Nor may a mail program take it for an encoded word of a header.
    title = printable_line(file.title).replace("=?", "= ?")[:40].rstrip()
    return rules.title if not title or MARKS.search(fold(title)) else title


class Shared:
    """The story and the board of a game, made once for the emails to all its seats."""

    def __init__(self, file: GameFile, rules: Rules) -> None:
        self._file = file
        self._rules = rules

    @cached_property
    def story(self) -> list[StoryEntry]:
        return list(story.story_entries(self._file, self._rules))

    @cached_property
    def board(self) -> Board:
        return self._rules.board(self._file.table, self._file.log_lines())


def page(
    file: GameFile,
    rules: Rules,
    seat: str,
    flags: Flags,
    about: str = "",
    *,
    now: datetime,
    reminder: bool = False,
    shared: Shared | None = None,
    app: str = "",
) -> str:
    """Return all that a seat needs to go on, whatever it remembers of earlier emails.

    What is asked of it and how to answer comes first, because an inbox shows the beginning; the
    terms come last. `about` is what the referee says in invitations, `app` the address of the app.
    """
    topic = topic_of(file, seat)
    if topic == END:
        blocks = _end(file, rules)
    elif topic == JOIN:
        blocks = _join(file, rules, seat, about)
    elif topic:
        blocks = _question(file, rules, topic, flags, now=now, reminder=reminder)
    else:
        blocks = [_waiting(file, seat)]
    if file.status == "playing":
        blocks = [*_planned(file, seat), *blocks, *_transfers(file, seat), *_standing(file, seat)]
        blocks += [] if seat in Standing.after(file).left else _invitation(file, seat)
    if app and topic:
        phone = "With nothing but a phone: save the attached file, and open it in"
        blocks = [*blocks, phone, [f"  {app}"]]
    with paper(WIDTH) as sheet:
        _print(blocks)
        _print_table(file, rules, seat, shared or Shared(file, rules))
        say()
        _terms(file, rules, seat, topic)
        lines = [line for text in sheet.getvalue().splitlines() for line in fitted(text)]
    return "".join([f"{line}\n" for line in lines])


def _print_table(file: GameFile, rules: Rules, seat: str, shared: Shared) -> None:
    """Print what happened and the table, or the seats while it is open."""
    if file.status == "open":
        say("The seats")
        widest = max(len(there.name) for there in file.seats)
        for there in file.seats:
            # A fingerprint does not fit beside the longest name.
            paragraph(overview.seat_state(there), 4, f"  {there.name:<{widest}}  ")
        return
    # The last answer too: its effects came after it was signed.
    first = overview.batch_start(file, seat)
    say(f"What happened {'with your last answer and since' if first else 'so far'}")
    story.tell(shared.story, max(first - 1, 0))
    say()
    say("The table")
    overview.board(shared.board, rules, seat)


def fitted(text: str) -> list[str]:
    """Wrap a line of a table, but not a command, which would become another one."""
    if len(text) <= WIDTH or " --" in text:
        return [text]
    indent = len(text) - len(text.lstrip()) + 4
    return wrapped(text, indent)


def ahead_topic(file: GameFile, seat: str) -> str:
    """Return what a seat is told that is not asked: to plan its turn while another has its own, or,
    when the cards are dealt, the phases.

    It is the same until the seat has had its turn; nothing where it is not invited.
    """
    turns = invited(file).get(seat)
    if turns is not None and asks_turn(file):
        return f"{AHEAD}-{turns + 1}"
    planned = any(one.seat == seat for one in file.plans)
    return f"{AHEAD}-0" if file.plan_language and file.step == 1 and not planned else ""


def subject_of(file: GameFile, seat: str) -> str:
    """Return what an email is about, in a word or two for its subject; empty for nothing."""
    topic = topic_of(file, seat)
    return {"": "", JOIN: "Invitation", END: "Game over"}.get(topic, "Your turn")


Block = str | list[str]
"""Paragraphs, one in each line, or lines that are printed as they are."""


def _print(blocks: Sequence[Block]) -> None:
    """Print blocks with a blank line after each."""
    for block in blocks:
        if isinstance(block, str):
            for text in block.splitlines():
                paragraph(text)
        else:
            for line in block:
                say(line)
        say()


def _terms(file: GameFile, rules: Rules, seat: str, topic: str) -> None:
    title, terms = title_of(file, rules), overview.terms_line(file, rules)
    asked = f" Your question is {topic}." if topic not in ("", JOIN, END) else ""
    say("The game")
    paragraph(f"{title}, {terms}" if title != rules.title else terms, 2, "  ")
    state = overview.state_line(file)
    paragraph(f"Game {file.game}, {state}. You are {seat}.{asked}", 2, "  ")


def _join(file: GameFile, rules: Rules, seat: str, about: str) -> list[Block]:
    here = file.seat(seat)
    others = listed([there.name for there in file.seats if there.name != seat])
    invited = f"You are invited to a game of {rules.title} with {others}, at the seat {seat}."
    host = "" if about else " Your host knows where to get it."
    key = (
        f"{FINDS} {ELSEWHERE} If you have no key yet, `sanjuan-ref key --make` makes one that it "
        "finds."
    )
    if here is not None and here.reserved and here.key is not None:
        key = f"The seat is kept for the key {here.key.fingerprint}. {FINDS} {ELSEWHERE}"
    return [
        f"{about or invited}\n"
        f"You play with the program sanjuan-ref, which shows you the table, too.{host}",
        "Save the attached file, and take your seat with",
        [f"  sanjuan-ref join {file_name(file)} --seat {seat}"],
        SEND.format("join"),
        key,
    ]


def _end(file: GameFile, rules: Rules) -> list[Block]:
    lines = rules.result(file.table) if file.status == "finished" else []
    by_vote = file.log[-1].play == BY_VOTE
    who = "all seats have agreed to end it" if by_vote else "the referee has ended it"
    over: list[Block] = [f"The game is over: {who} before its end."]
    if lines:
        over = [f"The game is over: {lines[0]}.", lines[1:]]
    return [
        *over,
        "Everybody can check all of it with the attached file:",
        [f"  sanjuan-ref audit {file_name(file)}"],
    ]


def _planned(file: GameFile, seat: str) -> list[Block]:
    """Return what plans have answered for a seat since its last answer of its own."""
    since = overview.last_play(file, seat)
    entries = [one for one in file.log[since:] if one.by == seat and plan_behind(one)]
    if not entries:
        return []
    return [
        "Your plan has answered for you:",
        [f"  {one.decision}: {one.play}" for one in entries],
    ]


def _standing(file: GameFile, seat: str) -> list[Block]:
    """Return who has left, who wants the game to end, and what the reader can do about it."""
    standing, name = Standing.after(file), file_name(file)
    blocks: list[Block] = []
    if seat in standing.left:
        blocks += [
            f"You have left, and {a_spoken(file.bot)} answers for you. To play again, send what "
            "this writes:",
            [f"  sanjuan-ref leave {name} --back"],
        ]
    others = [one for one in standing.left if one != seat]
    if others:
        has = "has" if len(others) == 1 else "have"
        blocks.append(f"{listed(others)} {has} left, and {a_spoken(file.bot)} answers.")
    if standing.voting:
        votes = "votes" if len(standing.voting) == 1 else "vote"
        blocks.append(
            f"{listed(standing.voting)} {votes} for the end of the game, which ends when "
            f"{listed(standing.silent)} {'does' if len(standing.silent) == 1 else 'do'} too."
        )
        if seat in standing.silent:
            blocks += ["If you agree, send what this writes:", [f"  sanjuan-ref vote {name}"]]
    return blocks


def _transfers(file: GameFile, seat: str) -> list[Block]:
    """Return who has still to sign the transfers of a seat, or those that it has agreed to."""
    here = file.seat(seat)
    holder = here.holder if here is not None else None
    blocks: list[Block] = []
    for one in file.transfers:
        missing = transfer.still_to_sign(file, one)
        if not missing or (one.seat != seat and all(by.key != holder for by in one.consents)):
            continue
        whose = "Your seat" if one.seat == seat else f"The seat {one.seat}"
        command = f"  sanjuan-ref transfer {file_name(file)} --seat {one.seat}"
        if missing != [transfer.NEW_KEY]:
            command += f" --to '{one.key.text}'"
        if one.seal:
            command += f" --seal {one.seal}"
        blocks += [
            f"{whose} gets the key {one.key.fingerprint} when all have signed. Still to sign: "
            f"{'; '.join(missing)}. They run on the attached file, which you can pass on,",
            [f"{command} --key FILE"],
            "and send what that writes to the address of this mail.",
        ]
    return blocks


def _invitation(file: GameFile, seat: str) -> list[Block]:
    """Return how a seat can answer ahead, where it has not done so."""
    plan = [f"  sanjuan-ref plan {file_name(file)} --edit"]
    if seat in invited(file):
        return ["You may be asked next. Plan your turn now, and send what this writes:", plan]
    if not file.plan_language or any(one.seat == seat for one in file.plans):
        return []
    return [
        "You can answer ahead, so that nobody waits for you; send what this writes, too:",
        plan,
    ]


def _waiting(file: GameFile, seat: str) -> str:
    """Return for whom the table or the game waits."""
    if file.status == "open":
        missing = [there.name for there in file.seats if there.is_free]
        return (
            f"You have joined as {seat}. The cards are dealt when {listed(missing)} "
            f"{'has' if len(missing) == 1 else 'have'} joined too."
        )
    waiting = overview.waiting(file)
    theirs = set() if clock.bots_think(file) else for_bots(file)
    owed = listed([name for id_, name, arrived in waiting if not arrived and id_ not in theirs])
    if any(name == seat for id_, name, _ in waiting if id_ not in theirs):
        planned = any(one.plan and one.decision.endswith(f".{seat}") for one in file.pending)
        what = "Your plan has answered" if planned else "Your answer has arrived"
        return (
            f"{what}; it waits for {owed}. Until then you can change it: answer "
            "with `sanjuan-ref move` again on the attached file, and send that note."
        )
    return (
        f"It is not your turn; the game waits for {owed}. To see your hand, save the attached file "
        f"and use `sanjuan-ref show {file_name(file)}`."
    )


def _question(
    file: GameFile, rules: Rules, topic: str, flags: Flags, *, now: datetime, reminder: bool
) -> list[Block]:
    name = file_name(file)
    before = "This is to remind you. " if reminder else ""
    may = next(asked.may for asked in file.asked if asked.id == topic)
    words = {word.name: word for word in rules.words}
    answers = [spelled(pattern, words, flags) for pattern in may]
    one_of = " one of" if len(answers) > 1 else ""
    command = f"  sanjuan-ref move {name} "
    how: list[Block] = [f"Answer with{one_of}"]
    if max(len(f"{command}{given}") for given, _ in answers) > WIDTH:
        how = ["Answer with", [command], f"and behind that{one_of}"]
        command = "  "
    lines = []
    for given, note in answers:
        lines += [f"{command}{given}", *wrapped(note, 6, "      ")]
    return [
        f"{before}{overview.your_turn(rules, topic)}. {due_line(file, topic, now)}".rstrip(),
        "Save the attached file. Your hand lies sealed in it; see it, and every answer that is "
        "legal with it, with",
        [f"  sanjuan-ref show {name}"],
        *how,
        lines,
        f"{SEND.format('move')} If you joined with --key FILE, add that to both commands.",
    ]


def listed(names: Sequence[str]) -> str:
    """Return names as people list them: commas, and "and" before the last."""
    return " and ".join([piece for piece in (", ".join(names[:-1]), *names[-1:]) if piece])


def due_line(file: GameFile, decision: str, now: datetime) -> str:
    """Return when an answer is or was due, and what happens then; empty if it is never due."""
    due = clock.due_of(file, decision)
    if due is None or file.clock is None:
        return ""
    late = now > due
    said = f"Your answer {'was' if late else 'is'} due on {moment(due)}."
    if not file.clock.acts:
        return f"{said} The others wait for you." if late else said
    end = clock.grace_end(file.clock, due)
    how = "with a pass" if file.clock.late == times.PASS else f"with {a_spoken(file.bot)}"
    if now > end:
        return f"{said} The referee may answer for you now, {how}; until then yours counts."
    return f"{said} From {moment(end)} on the referee may answer for you, {how}."


def moment(time: datetime) -> str:
    """Return a time for people."""
    return time.strftime("%Y-%m-%d at %H:%M UTC")


def spelled(pattern: str, words: Mapping[str, Word], flags: Flags) -> tuple[str, str]:
    """Return one of the answers in `may` as flags, and in words what the flags do not say.

    If the public facts say what can be chosen, the flags choose as much as is allowed.
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
    given = " ".join([flags(f"{word} {value}", words) for value in values])
    return given if len(given) <= WIDTH - 2 else f"--play '{word} {' '.join(values)}'"
