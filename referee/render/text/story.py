"""The log as a story: sentences for people, or the lines as they are hashed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from referee.games.interface import Narrator
from referee.records import NamedTuple
from referee.render.text.terminal import say, wrapped
from referee.table import chain
from referee.table.decisions import DecisionId
from referee.table.plans import is_by_bot, is_plan, plan_behind
from referee.table.standing import is_standing
from referee.table.transfer import is_transfer, resealings

if TYPE_CHECKING:
    from referee.games.interface import Rules
    from referee.table.gamefile import Entry, GameFile

SEATS_PILE = "seats"


class Voice:
    """The language of a story: English, unless a subclass overrides it.

    As with a Narrator, sentences begin with a seat or a small letter, headings with a capital.
    """

    deal = "the cards are dealt"
    abandon = "the referee ends the game here"
    agreed = "all agree that the game ends here"
    end = "{seat} votes for the end of the game"
    go_on = "{seat} does not vote for the end any more"
    leave = "{seat} has left the table, and the table's bot answers"
    back = "{seat} is back at the table"
    transfer = "the seat of {seat} has another key"
    reseal = "{seat} has its hands sealed to another key"
    passes = "{seat} passes ({kind})"
    plan = "{seat} has planned ahead"
    planned = "{seat} had planned"
    late = "{seat} was late, so the referee answers"
    by_bot = "the bot answers for {seat}"
    order = "the seats are put in the order: {name}"
    both = " and "

    def game(self, sentence: str) -> str:
        """Return a sentence of a game in this language."""
        return sentence

    def kind(self, kind: str) -> str:
        """Return the name of a kind of question in this language."""
        return kind


ENGLISH = Voice()


Told = tuple[str, str]
"""A line as a narrator takes it, and the sentence that it makes of it; "" where it says nothing."""


class StoryEntry(NamedTuple):
    """The meaning of an entry of the log: sentences, and the headings that follow them."""

    step: int
    entry: Entry
    sentences: list[str]
    headings: list[str]


def story(file: GameFile, rules: Rules, since: int, seat: str = "", goes_on: bool = False) -> None:
    """Tell the entries after step `since`; with `seat` only what that seat does and gets.

    A story that `goes_on` does not say again under which heading it stands.
    """
    tell(story_entries(file, rules), since, seat, goes_on)


def tell(entries: Iterable[StoryEntry], since: int, seat: str = "", goes_on: bool = False) -> None:
    """Tell all entries of a game that come after step `since`, as `story` does."""
    # A story that begins in the middle begins with the heading under which it stands.
    headings: list[str] = []
    begun = goes_on
    for entry in entries:
        said = about(entry, seat) if seat else entry.sentences
        if entry.step > since:
            headings = _print_headings(headings, begun) if said else headings
            begun = begun or bool(said)
            for line in wrapped("; ".join(said), 6, f"{entry.step:>4}  ") if said else ():
                say(line)
            headings += entry.headings
        elif not goes_on:
            headings = entry.headings or headings
    if begun and not seat:
        _print_headings(headings, True)


def _print_headings(headings: Sequence[str], begun: bool) -> list[str]:
    """Print headings, below a blank line where something stands above; none are left."""
    for heading in headings:
        if begun:
            say()
        say(("bold", heading))
    return []


def about(told: StoryEntry, seat: str) -> list[str]:
    """Return the sentences about a seat: all of its own plays, and what else it does and gets."""
    if DecisionId.parse(told.entry.decision).seat == seat:
        return told.sentences
    return [sentence for sentence in told.sentences if sentence.split(" ")[0] == seat]


def lines(file: GameFile, since: int) -> None:
    """Print the entries after step `since` as they stand in the file."""
    for step, entry in enumerate(file.log, 1):
        if step > since:
            say(f"{step:>4}  ", ("bold", f"{entry.decision:<18}"), f"  {entry.play}")
            for line in entry.then:
                say(("dim", f"      {line}"))


def story_entries(
    file: GameFile,
    rules: Rules | None,
    voice: Voice = ENGLISH,
    first: int = 1,
    told: Iterable[Sequence[Told]] | None = None,
) -> Iterator[StoryEntry]:
    """Return the entries from the step `first` on in sentences.

    Without rules nearly as the lines stand there. `told` is `told_lines` of the file, where it is
    known already.
    """
    names = {seat.name for seat in file.seats}
    bots, resealed = file.bots, resealings(file)
    entries = zip(file.log, told_lines(file, rules) if told is None else told, strict=True)
    for step, (entry, lines) in enumerate(entries, 1):
        if step < first:
            continue
        found, headings = [], []
        for words, sentence in lines:
            said = _plain(sentence, words, names)
            spoken = _seats_put(words, voice) or (voice.game(said) if said else "")
            # The game's own words tell: in another language nouns may begin with a capital.
            if spoken and _is_heading(said):
                headings.append(spoken[:1].upper() + spoken[1:])
            elif spoken:
                found.append(spoken)
        told_by_bot = is_by_bot(entry) and entry.by not in bots
        given = voice.reseal if step in resealed else voice.transfer
        yield _story_entry(step, entry, names, found, headings, voice, told_by_bot, given)


def told_lines(file: GameFile, rules: Rules | None) -> Iterator[list[Told]]:
    """Yield the lines of every entry of the log, each with its sentence in English."""
    narrator = rules.narrator() if rules is not None else Narrator()
    for lines in narrator_lines(file):
        # A narrator must hear also what is not told.
        yield [
            (words, "" if _seats_put(words, ENGLISH) else narrator.tell(words)) for words in lines
        ]


def narrator_lines(file: GameFile) -> Iterator[list[str]]:
    """Yield the lines of every entry of the log as a narrator takes them."""
    open_cards: dict[tuple[str, int, int], str] = {}
    for entry in file.log:
        yield [words for text in entry.then if (words := _words(text, open_cards))]


def sentences(lines: Iterable[str], narrator: Narrator, names: Sequence[str]) -> list[str]:
    """Return the meaning of public lines, which are without proofs and positions."""
    said = [_plain(narrator.tell(line), line, set(names)) for line in lines]
    return together([sentence for sentence in said if sentence], set(names))


def _words(text: str, open_cards: dict[tuple[str, int, int], str]) -> str:
    """Return a line of the log as a narrator takes it; "" for questions."""
    try:
        line = chain.read_line(text)
    except ValueError:
        return text
    if isinstance(line, chain.Draw):
        return f"draw {line.who} {line.pile} {line.last - line.first + 1}"
    if isinstance(line, chain.Shuffling):
        return f"shuffle {line.pile} {line.epoch} {line.size}"
    if isinstance(line, chain.Opening):
        open_cards[line.pile, line.epoch, line.position] = line.name
        return f"open {line.pile} {line.name}"
    if isinstance(line, chain.Taking):
        name = open_cards.get((line.pile, line.epoch, line.position), "a card")
        return f"take {line.who} {line.pile} {name}"
    return "" if line is not None else text


def _seats_put(words: str, voice: Voice) -> str:
    begin = f"open {SEATS_PILE} "
    return voice.order.format(name=words.removeprefix(begin)) if words.startswith(begin) else ""


def _plain(sentence: str, words: str, names: set[str]) -> str:
    """Put a line that no narrator knows into words: `build ana well` is `ana builds well`."""
    if sentence == words:
        verb, _, rest = words.partition(" ")
        who, _, what = rest.partition(" ")
        if who in names:
            return f"{who} {verb}s {what}".rstrip()
    return sentence


def _story_entry(
    step: int,
    entry: Entry,
    names: set[str],
    found: Sequence[str],
    headings: list[str],
    voice: Voice,
    told_by_bot: bool,
    given: str,
) -> StoryEntry:
    said = together(found, names, voice.both)
    if entry.decision == chain.DEAL:
        said.insert(0, voice.deal)
    elif entry.decision == chain.ABANDON:
        said.insert(0, voice.agreed if entry.play == chain.BY_VOTE else voice.abandon)
    elif is_standing(entry.decision):
        words = {"end": voice.end, "go-on": voice.go_on, "leave": voice.leave, "back": voice.back}
        said.insert(0, words[entry.play].format(seat=entry.by))
    elif is_transfer(entry.decision):
        said.insert(0, given.format(seat=entry.by))
    elif is_plan(entry.decision):
        said.insert(0, voice.plan.format(seat=entry.by))
    else:
        seat = DecisionId.parse(entry.decision).seat
        if not any(sentence.split(" ")[0] == seat for sentence in said):
            passed = voice.passes.format(
                seat=seat, kind=voice.kind(DecisionId.parse(entry.decision).kind)
            )
            said.insert(0, passed if entry.play == "pass" else f"{seat}: {entry.play}")
        if entry.by == chain.REFEREE:
            said.insert(0, voice.late.format(seat=seat))
        if told_by_bot:
            said.insert(0, voice.by_bot.format(seat=seat))
        if plan_behind(entry):
            said.insert(0, voice.planned.format(seat=seat))
    return StoryEntry(step, entry, said, headings)


def _is_heading(sentence: str) -> bool:
    begun, _, number = sentence.partition("round ")
    return sentence[:1].isupper() or (not begun and number.isdecimal())


def together(said: Iterable[str], names: set[str], both: str = Voice.both) -> list[str]:
    """Join neighbouring sentences that are about one seat or belong to one list."""
    groups: list[tuple[str, list[str]]] = []
    for sentence in said:
        subject, _, rest = sentence.partition(" ")
        mark = f"{subject} "
        if subject not in names:
            before, colon, after = sentence.partition(": ")
            mark, rest = (before + colon, after) if colon else ("", sentence)
        if mark and groups and groups[-1][0] == mark:
            groups[-1][1].append(rest)
        else:
            groups.append((mark, [rest]))
    return [mark + _joined(rests, mark.endswith(": "), both) for mark, rests in groups]


def _joined(parts: list[str], listing: bool, both: str) -> str:
    if listing or len(parts) == 1:
        return ", ".join(parts)
    # Who does the same several times is said to do it once.
    verbs = [part.partition(" ")[0] for part in parts]
    if len(set(verbs)) == 1:
        parts = [parts[0], *(part.partition(" ")[2] or part for part in parts[1:])]
    return ", ".join([*parts[:-2], both.join(parts[-2:])])


def document(file: GameFile, rules: Rules | None, heads: list[bytes], since: int) -> dict[str, Any]:
    """Return the entries after step `since` for programs, each with the head after it."""
    return {
        "game": file.game,
        "status": file.status,
        "step": file.step,
        "head": file.head.hex(),
        "log": [
            {
                "step": told.step,
                "decision": told.entry.decision,
                "by": told.entry.by,
                "play": told.entry.play,
                "seen": told.entry.seen,
                "then": list(told.entry.then),
                "told": [*told.sentences, *told.headings],
                "head": heads[told.step].hex(),
            }
            for told in story_entries(file, rules)
            if told.step > since
        ],
    }
