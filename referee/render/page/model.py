"""The content of a page, from a game file and perhaps one hand: nothing else is looked at."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from referee.errors import Damaged
from referee.games.board import ASKED, Board, Building, Face, Item, Place, Row
from referee.games.rulings import Topic, applying
from referee.games.texts import FALLBACK
from referee.playing.player import waits
from referee.records import NamedTuple
from referee.render.page import marked, planned
from referee.render.page.language import Language, codes
from referee.render.page.marked import marks_of
from referee.render.page.past import GONE, hands_so_far
from referee.render.page.saying import Speaker
from referee.render.text import overview
from referee.render.text.story import narrator_lines, story_entries, told_lines
from referee.table import rebuild
from referee.table.clock import bots_think
from referee.table.decisions import DecisionId
from referee.table.hands import NO_LETTER
from referee.table.rules import rules_for
from referee.table.standing import Standing, for_bots, own_question
from referee.table.views import view_of

if TYPE_CHECKING:
    from referee.games.board import Sheet
    from referee.games.interface import Game, Onlooker, Rules
    from referee.games.values import Choice, Word
    from referee.playing.reviewing import Reviewed
    from referee.render.page.marked import Marks
    from referee.render.page.planned import Ahead
    from referee.render.text.story import Told
    from referee.table.gamefile import GameFile
    from referee.table.hands import Hand


class Card(NamedTuple):
    """A card of the reader's hand; `letter` names it while something is asked."""

    letter: str
    name: str
    new: bool


class Mine(NamedTuple):
    """The private part of a page. `decision` is what the seat is asked, `waits` if it has answered.

    `past` are the hands after every step, if there are several, as far as they are known.
    """

    seat: str
    cards: list[Card]
    tucked: list[tuple[str, str]]
    decision: str
    waits: bool
    choices: list[Choice]
    past: list[list[str]]


class Model(NamedTuple):
    """A page before it is written.

    `boards` are the tables after every step, or the newest one alone where the game does not tell
    more of itself; before the deal there is none. `command` is what answers begin with, `more`
    what they end with. `sheets` take the points apart once the game is over, `ahead` has the
    plans of the reader, where the table takes any. A page that is `framed` shows no command: it
    hands what was put together to the program around it, which signs. `marks` are the decisions
    that mattered most to the seats whose play was looked at. `told` are the lines of the log in
    English, from which every language goes out.
    """

    file: GameFile
    rules: Rules
    faces: dict[str, Face]
    boards: list[Board]
    mine: Mine | None
    languages: dict[str, Language]
    command: str
    more: str
    sheets: list[Sheet]
    ahead: Ahead | None = None
    framed: bool = False
    marks: Marks = MappingProxyType({})
    told: Sequence[Sequence[Told]] = ()

    @property
    def title(self) -> str:
        """Return the title of the table."""
        return self.file.title or self.rules.title

    def terms(self, language: Language) -> str:
        """Return the game that is played, and its variants."""
        terms = self.file.terms
        words = [terms.get("edition", ""), *terms.get("expansions", []), *terms.get("variants", [])]
        return ", ".join([self.rules.title, *(language.term(str(word)) for word in words if word)])

    def numbers(self, place: Place) -> dict[str, int | str]:
        """Return the facts of a seat, first the one that the game is about."""
        facts = place.numbers.items()
        return dict(sorted(facts, key=lambda fact: fact[0] != self.rules.scale))

    @property
    def composes(self) -> bool:
        """Return True if the reader can put something together: an answer, or a plan."""
        return self.mine is not None and bool(self.mine.choices or self.ahead is not None)

    @property
    def replayed(self) -> bool:
        """Return True if every step can be looked at."""
        return len(self.boards) > 1


def model_of(
    file: GameFile,
    hand: Hand | None,
    command: str = "",
    more: str = "",
    ahead: Ahead | None = None,
    reviews: Mapping[str, Sequence[Reviewed]] | None = None,
    only: str = "",
    album: Album | None = None,
) -> Model:
    """Return what a file shows to the owner of a hand (and of plans), or to anybody.

    `reviews` are what mattered most to seats, of a game that is over; `only` is the one language
    that the page speaks, where it need not speak all. An `album` was filled when the file was read.
    Raises Damaged when the file does not fit together.
    """
    rules = rules_for(file)
    faces = rules.faces()
    languages = {code: Language(code, rules) for code in ([only] if only else codes())}
    boards, past = _boards(file, rules, hand, album)
    mine = _mine(file, rules, hand, faces)._replace(past=past) if hand is not None else None
    over = file.status == "finished"
    sheets = rules.sheets(file.table, file.log_lines()) if over else []
    model = Model(file, rules, faces, boards, mine, languages, command, more, sheets, ahead)
    marks = marks_of(reviews) if reviews else model.marks
    return model._replace(marks=marks, told=[*told_lines(file, rules)])


class Album:
    """The boards of a game after each step, drawn while somebody goes along its log."""

    def __init__(self) -> None:
        self.boards: list[Board] = []
        self._drawing: tuple[Onlooker, Iterator[list[str]]] | None = None

    def see(self, file: GameFile, game: Game) -> None:
        """Draw the board after one more entry of the log."""
        if self._drawing is None:
            self._drawing = rules_for(file).onlooker(), narrator_lines(file)
        onlooker, steps = self._drawing
        onlooker.hear(next(steps))
        self.boards.append(onlooker.board(game))


def _boards(
    file: GameFile, rules: Rules, hand: Hand | None, album: Album | None
) -> tuple[list[Board], list[list[str]]]:
    """Return the tables, and the reader's hand after each of them where there are several."""
    if hand is not None and file.revealed_secret is not None:
        # Few look at a game that is over with their key.
        from referee.table import replay

        pile, seat = rules.hand_piles[0], hand.seat
        whole = Album()

        def see(game: Game) -> list[str]:
            whole.see(file, game)
            return [rules.card_name(pile, card) for card in game.hand(seat)]

        past = replay.each_step(file, file.revealed_secret, see)
        return whole.boards, [_ranked(rules, names) for names in past]
    if album is None:
        album = Album()
        rebuild.each_step(file, partial(album.see, file))
    boards = album.boards
    if boards and file.status == "playing":
        boards = [*boards[:-1], _arrived(boards[-1], file)]
    hands = hands_so_far(file, hand, boards) if hand is not None else []
    return boards, [_ranked(rules, names) for names in hands]


def _ranked(rules: Rules, names: Sequence[str]) -> list[str]:
    """Return a hand in the order in which it is shown, cards that are not known last."""
    return sorted(names, key=lambda name: (name == GONE, rules.hand_rank(name), name))


def _arrived(board: Board, file: GameFile) -> Board:
    """Return the board without the mark of those whose answers have arrived and wait for others."""
    late = {seat for _, seat, arrived in overview.waiting(file) if not arrived}
    places = [
        place
        if place.seat in late
        else place._replace(marks=tuple(mark for mark in place.marks if mark.key != ASKED))
        for place in board.places
    ]
    return board._replace(places=tuple(places))


def _mine(file: GameFile, rules: Rules, hand: Hand, faces: Container[str]) -> Mine:
    for held in (*hand.cards, *hand.tucked):
        if held.name not in faces:
            raise Damaged(
                f"the hand of {hand.seat} has a card {held.name!r}, and this game has none"
            )
    fresh = overview.drawn_cards(file, hand) or overview.fresh_cards(file, hand)
    if file.step == 1:
        fresh = set()
    cards = [
        Card(
            card.label if card.label != NO_LETTER else "",
            card.name,
            card.place in fresh,
        )
        for card in overview.in_order(rules, hand, fresh)
    ]
    tucked = [(card.label, card.name) for card in hand.tucked]
    decision = own_question(file, hand.decision)
    waiting = bool(decision) and waits(file, decision)
    choices = view_of(file, hand).choices() if decision else []
    return Mine(hand.seat, cards, tucked, decision, waiting, choices, [])


def story(model: Model, language: Language) -> list[tuple[str, list[str]]]:
    """Return the steps: what happened, and the headings that follow."""
    return [
        ("; ".join(entry.sentences), entry.headings)
        for entry in story_entries(model.file, model.rules, language, told=model.told)
    ]


def scores(model: Model, language: Language) -> list[tuple[str, str, list[str]]]:
    """Return the rows of the score sheet: kind (`part`, `sum`, `tie`), label, a cell a seat."""
    sheets = model.sheets
    labels = list(dict.fromkeys(label for sheet in sheets for label, _ in sheet.parts))
    rows = []
    # What has one part is the sum.
    for label in labels if len(labels) > 1 else []:
        cells = [dict(sheet.parts).get(label) for sheet in sheets]
        rows.append(("part", language.part(label), [str(cell or "-") for cell in cells]))
    total = language.word(model.rules.scale)
    rows.append(("sum", total, [str(sheet.points) for sheet in sheets]))
    ties = [sheet.tie for sheet in sheets if sheet.tie is not None]
    if ties:
        rows.append(("tie", language.part(ties[0][0]), [str(count) for _, count in ties]))
    return rows


def _long(model: Model, language: Language) -> dict[str, list[str]]:
    """Return the long texts of a language, each in the order in which they stand on the page."""
    steps, about = story(model, language), topics(model, language)
    return {
        "story": [said for said, _ in steps],
        "heads": [heading for _, headings in steps for heading in headings],
        "topics": [one.title for one in about],
        "rulings": [one.sentence for topic in about for one in topic.rulings],
        "parts": [label for _, label, _ in scores(model, language)] if model.sheets else [],
        # Whose seats are bots' is said before the deal.
        "bots": [] if model.boards else list(map(language.bot, model.file.bots.values())),
        **_plans(model, language),
        **({"marks": told_marks(model, language)} if model.marks else {}),
    }


def _plans(model: Model, language: Language) -> dict[str, list[str]]:
    if model.ahead is None:
        return {}
    say = speaker(model, language)
    return {
        "plans": planned.told(model.ahead, language, say),
        "chips": planned.labels(model.ahead, language, say),
    }


def told_marks(model: Model, language: Language) -> list[str]:
    """Return what is said of the decisions that mattered most."""
    return marked.told(model.marks, language, words_of(model))


def words_of(model: Model) -> dict[str, Word]:
    """Return the words of plays by their names."""
    return {word.name: word for word in model.rules.words}


def speaker(model: Model, language: Language) -> Speaker:
    """Return a speaker for the answers of the reader in a language."""
    mine = model.mine
    words = words_of(model)
    held = {card.letter: card.name for card in mine.cards if card.letter} if mine else {}
    places = model.boards[-1].places if model.boards else ()
    city = {
        (place.seat, str(building.plot)): building.card
        for place in places
        for building in place.city
    }
    return Speaker(language, words, mine.seat if mine else "", held, city)


def _answers(model: Model, language: Language) -> dict[str, list[str]]:
    """Return the titles of the choices and what else is said of them."""
    say = speaker(model, language)
    choices = model.mine.choices if model.mine else []
    return {
        "titles": [say.title(choice.play) for choice in choices],
        "notes": [say.note(choice) for choice in choices],
    }


def document(model: Model, code: str = FALLBACK) -> dict[str, Any]:
    """Return the document that the script of a page reads; `code` is its first language."""
    file, mine = model.file, model.mine
    names = file.seating or [seat.name for seat in file.seats]
    return {
        "seats": names,
        "steps": len(file.log),
        "replayed": model.replayed,
        "scale": model.rules.scale,
        "faces": {
            name: [face.cost, face.points, face.group, len(face.fields)]
            for name, face in model.faces.items()
        },
        "boards": _deltas(model),
        "past": _repeated(mine.past) if mine else [],
        "about": _about(model),
        "words": {word.name: word.takes for word in model.rules.words},
        "me": mine.seat if mine else "",
        "choices": [list(choice) for choice in mine.choices] if mine else [],
        "command": model.command,
        "more": model.more,
        "framed": model.framed,
        **({"plan": planned.document(model.ahead)} if model.ahead is not None else {}),
        "lang": {
            code_: {
                "text": dict(language.text),
                "labels": dict(language.labels),
                "cards": {
                    name: [said[0], *model.rules.text_lines(name, code_)]
                    for name, said in language.cards.items()
                },
                "lines": {name: lines(said[0]) for name, said in language.cards.items()},
                "says": dict(language.says),
                **_answers(model, language),
                "asked": asked(model, language),
                "terms": f"{model.terms(language)} · ",
                "status": status(model, language),
                # Those of the first language stand on the page, where the script finds them.
                **(_long(model, language) if code_ != code else {}),
            }
            for code_, language in model.languages.items()
        },
    }


def topics(model: Model, language: Language) -> list[Topic]:
    """Return the rulings on the rules of this table, by topic."""
    return list(applying(model.rules, language.code).values())


def _about(model: Model) -> dict[str, list[int]]:
    """Return the numbers of the rulings on each card, counted through all topics."""
    # They are the same in every language.
    about = topics(model, next(iter(model.languages.values())))
    found: dict[str, list[int]] = {name: [] for name in model.faces}
    for number, ruling in enumerate(one for topic in about for one in topic.rulings):
        for name in ruling.cards:
            found.get(name, []).append(number)
    return {name: numbers for name, numbers in found.items() if numbers}


def asked(model: Model, language: Language) -> str:
    """Return the question to the reader, with its id."""
    if model.mine is None or not model.mine.decision:
        return ""
    kind = language.kind(DecisionId.parse(model.mine.decision).kind)
    due = _due(model, model.mine.decision, language)
    return f"{language.text['asked']}: {kind} ({model.mine.decision}){due and f' · {due}'}"


def _due(model: Model, decision: str, language: Language) -> str:
    """Return when an answer is due, in words; empty at a table without a clock."""
    due = model.file.due.get(decision)
    return language.text["due"].format(time=f"{due:%Y-%m-%d %H:%M} UTC") if due else ""


def status(model: Model, language: Language) -> str:
    """Return the state of the game in a few words, and when the answers are due."""
    file = model.file
    theirs = set() if bots_think(file) else for_bots(file)
    late = {
        seat: _due(model, id_, language)
        for id_, seat, arrived in overview.waiting(file)
        if not arrived and id_ not in theirs
    }
    names = ", ".join([f"{seat} ({due})" if due else seat for seat, due in late.items()])
    if file.status == "finished" and model.boards:
        winners = [one.seat for one in model.boards[-1].places if "wins" in badges(one)]
        names = language.both.join(winners)
    state = language.status[file.status].format(step=file.step, steps=file.step, names=names)
    return " · ".join([state, *_standing(file, language)])


def _standing(file: GameFile, language: Language) -> list[str]:
    """Return who has left and who wants the game to end, in words."""
    if file.status != "playing":
        return []
    standing = Standing.after(file)
    said = {"left": standing.left, "voting": standing.voting}
    return [
        language.text[key].format(names=language.both.join(names), bot=language.bot(file.bot))
        for key, names in said.items()
        if names
    ]


def lines(title: str, room: int = 11) -> list[str]:
    """Return a title in one line, or in two where it is long and can be parted."""
    if len(title) <= room or " " not in title:
        return [title]
    gaps = [at for at, char in enumerate(title) if char == " "]
    at = min(gaps, key=lambda gap: abs(gap - len(title) / 2))
    return [title[:at], title[at + 1 :]]


def _repeated(hands: Sequence[list[str]]) -> list[list[str] | int]:
    """Return the hands, with 0 for one that is as it was before."""
    return [0 if step and names == hands[step - 1] else names for step, names in enumerate(hands)]


def shown_rows(board: Board) -> list[Row]:
    """Return the rows that have a label and in which something lies."""
    return [row for row in board.rows if row.key and row.items]


def badges(place: Place) -> list[str]:
    """Return the marks of a seat that have a label."""
    return [mark.key for mark in place.marks if mark.key]


def mark_of(building: Building) -> str:
    """Return `good` or `empty` for a building that has room for one good; else nothing."""
    return ("good" if building.tokens else "empty") if building.room == 1 else ""


def plot_line(building: Building) -> str:
    """Return what stands below a building: its plot, the cards under it, and its note."""
    under = f"+{building.under}" if building.under else ""
    return " · ".join(filter(None, [str(building.plot), under, building.note]))


def _plain_place(model: Model, place: Place) -> dict[str, Any]:
    return {
        "f": model.numbers(place),
        "b": badges(place),
        "c": [_plain_building(building) for building in place.city],
    }


def _plain_item(item: Item) -> list[Any]:
    return [item.text, int(not item.free), *([item.note] if item.note else [])]


def _plain_building(building: Building) -> list[Any]:
    crew = building.tokens if building.room > 1 else 0
    return [building.plot, building.card, mark_of(building), building.under, building.note, crew]


def _deltas(model: Model) -> list[dict[str, Any]]:
    """Return the first board, and of each further one what is new."""
    found: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    sides: dict[str, tuple[Place, dict[str, Any]]] = {}
    laid: dict[str, tuple[Row, list[Any]]] = {}
    for board in model.boards:
        # Most seats and rows are as they were.
        for place in board.places:
            if place.seat not in sides or sides[place.seat][0] != place:
                sides[place.seat] = place, _plain_place(model, place)
        shown = shown_rows(board)
        for row in shown:
            if row.key not in laid or laid[row.key][0] != row:
                laid[row.key] = row, [row.key, [_plain_item(item) for item in row.items]]
        rows = [laid[row.key][1] for row in shown]
        now = {
            "f": board.numbers,
            "r": rows,
            "s": {seat: side for seat, (_, side) in sides.items()},
        }
        found.append(_new(before, now))
        before = now
    return found


def _new(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Return the part of `now` that differs from `before`, seat by seat."""
    new = {key: now[key] for key in ("f", "r") if before.get(key) != now[key]}
    if "r" in new:
        # A row that is as it was is known by its name.
        new["r"] = [row[0] if row in before.get("r", ()) else row for row in now["r"]]
    sides = {}
    for name, side in now["s"].items():
        old = before.get("s", {}).get(name, {})
        changed = {key: value for key, value in side.items() if old.get(key) != value}
        if changed:
            sides[name] = changed
    if sides:
        new["s"] = sides
    return new
