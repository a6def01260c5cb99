"""The body of a page as it is before any script has run: the newest table, the hand, the log.

What `table.js` draws anew at every step (`_board`) is drawn here in the same words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from referee.render.page import marked, planned
from referee.render.page.draw import CARD, by_round, chart, laid
from referee.render.page.language import Language, spoken
from referee.render.page.markup import Attributes, Markup, element, joined
from referee.render.page.model import (
    asked,
    badges,
    mark_of,
    plot_line,
    scores,
    shown_rows,
    speaker,
    story,
    topics,
    words_of,
)

if TYPE_CHECKING:
    from referee.games.board import Board, Building, Item, Place, Row
    from referee.render.page.model import Mine, Model
    from referee.table.gamefile import Seat

HIDDEN = {"aria-hidden": "true"}


def main(model: Model, language: Language) -> Markup:
    """Return the sections of the page."""
    if not model.boards:
        seats = _section("table", "seats", language, _open(model, language))
        return joined([seats, _rulings(model, language)])
    board = element("div", {"id": "board"}, _board(model, language))
    below = spoken("below", language, "p", {"class": "hint"})
    table = _section("table", "table", language, board, below)
    about = [_timeline(model, language), _charts(model, language), _rulings(model, language)]
    if model.marks:
        about.insert(1, _marks(model, language))
    if model.sheets:
        about.insert(1, _score(model, language))
    mine = model.mine
    if mine is not None and model.composes:
        own = [_hand(model, mine, language), _play(model, mine, language)]
        if model.ahead is not None:
            own.append(_plan(model, mine, model.ahead, language))
        own.append(_bar(model, mine, language))
        # Whoever answers looks at the table and at the own hand together.
        return joined(
            [
                element("div", {"class": "mine"}, *own),
                element("div", {"class": "left"}, table, *about),
            ]
        )
    left = [table]
    if mine is not None:
        left.insert(0, _hand(model, mine, language))
        if model.file.status == "playing":
            left.insert(1, _play(model, mine, language))
    return joined(
        [element("div", {"class": "left"}, *left), element("div", {"class": "right"}, *about)]
    )


def _section(name: str, title: str, language: Language, *inside: str) -> Markup:
    heading = spoken(title, language, "h2", {"id": f"{name}-h"})
    return element("section", {"id": name, "aria-labelledby": f"{name}-h"}, heading, *inside)


def _button(attributes: Attributes, *inside: str) -> Markup:
    return element("button", {"type": "button", **attributes}, *inside)


def _open(model: Model, language: Language) -> Markup:
    rows = [
        element(
            "li",
            {},
            element("b", {}, seat.name),
            " ",
            _bot(seat.bot, language) if seat.bot else spoken(_seat_word(seat), language),
        )
        for seat in model.file.seats
    ]
    return element("ul", {"class": "open"}, *rows)


def _seat_word(seat: Seat) -> str:
    """Return the word for who has a seat before the deal."""
    if seat.joined:
        return "joined"
    return "free" if seat.key is None else "reserved"


def _bot(name: str, language: Language) -> Markup:
    return element("span", {"data-bot": True}, language.bot(name))


def _board(model: Model, language: Language) -> Markup:
    board = model.boards[-1]
    facts = [
        element("div", {}, element("dt", {}, language.word(key)), element("dd", {}, str(value)))
        for key, value in board.numbers.items()
    ]
    rows = [_row(row, language) for row in shown_rows(board)]
    me = model.mine.seat if model.mine else ""
    sides = [
        _side(model, place, number, place.seat == me, language)
        for number, place in enumerate(board.places)
    ]
    return joined(
        [
            element("dl", {"class": "facts"}, *facts),
            *rows,
            element("div", {"class": "sides"}, *sides),
        ]
    )


def _row(row: Row, language: Language) -> Markup:
    items = [
        element("li", {"class": "token" if item.free else "token used"}, *_token(item, language))
        for item in row.items
    ]
    heading = element("h3", {}, language.word(row.key))
    return element("div", {"class": "row"}, heading, element("ul", {}, *items))


def _token(item: Item, language: Language) -> list[str]:
    """Return a word of the table, with the number that may follow it, or who took it."""
    said = language.word(item.word)
    if item.word in language.cards:
        return [_button({"class": "name", "data-card": item.word}, said)]
    more = item.number or item.note
    word = said if item.free else element("s", {}, said)
    return [word, " ", element("b", {}, more)] if more else [word]


def _side(model: Model, place: Place, number: int, mine: bool, language: Language) -> Markup:
    marks = [element("span", {"class": "badge"}, language.text["you"])] if mine else []
    marks += [
        element("span", {"class": f"badge {badge}"}, language.word(badge))
        for badge in badges(place)
    ]
    facts = [
        element("span", {}, element("b", {}, str(value)), " ", language.counted(key, value))
        for key, value in model.numbers(place).items()
    ]
    name = element("h3", {}, place.seat)
    city = [_building(model, place.seat, building, language) for building in place.city]
    return element(
        "article",
        {"class": f"side s{number}"},
        element("header", {}, name, *marks, element("p", {}, *facts)),
        element("ul", {"class": "city"}, *city),
    )


def _building(model: Model, seat: str, building: Building, language: Language) -> Markup:
    face = model.faces[building.card]
    text = language.text
    label = [language.cards[building.card][0], text["plot"].format(plot=building.plot)]
    if face.cost:
        label += [text["cost"].format(cost=face.cost), text["points"].format(points=face.points)]
    if mark := mark_of(building):
        label.append(text["with-token" if mark == "good" else "no-token"])
    if building.under:
        label.append(text["covers"].format(count=building.under))
    if building.note:
        label.append(f"{language.word('note')}: {building.note}")
    under = f" under{min(building.under, 3)}" if building.under else ""
    button = _button(
        {
            "class": f"card{under}",
            "data-card": building.card,
            "data-seat": seat,
            "data-plot": building.plot,
            "aria-label": ", ".join(label),
        },
        _drawn(f"c-{building.card}", *laid(building, face)),
        element("span", {"class": "plot"}, plot_line(building)),
    )
    return element("li", {}, button)


def _drawn(*symbols: str) -> Markup:
    uses = [element("use", {"href": f"#{name}"}) for name in symbols]
    return element("svg", {"viewBox": CARD, **HIDDEN}, *uses)


def _hand(model: Model, mine: Mine, language: Language) -> Markup:
    cards = [_held(card.name, card.letter, card.new, language) for card in mine.cards]
    # What came last lies apart.
    split = sum(not card.new for card in mine.cards)
    parts = [part for part in (cards[:split], cards[split:]) if part]
    held = [element("ul", {"class": "city"}, *part) for part in parts]
    held = held or [spoken("empty", language, "p")]
    if mine.tucked:
        rows = [
            element(
                "li",
                {},
                _button({"class": "name", "data-card": name}, language.word(name)),
                " ",
                element("span", {"data-place": place}, f"({_place(place, language)})"),
            )
            for place, name in mine.tucked
        ]
        held.append(spoken("tucked", language, "h3"))
        held.append(element("ul", {"class": "tucked"}, *rows))
    # Of earlier steps the script tells.
    hint = spoken(
        "past" if model.file.revealed_secret else "past-known", language, "p", {"class": "hint"}
    )
    return _section(
        "hand",
        "hand",
        language,
        element("div", {"id": "held"}, *held),
        element("div", {"id": "past", "hidden": True}, hint, element("ul", {"class": "city"})),
    )


def _place(place: str, language: Language) -> str:
    """Describe where a card was put away: on a plot of the reader's, or of another seat."""
    seat, _, plot = place.rpartition(".")
    if not plot.isdecimal():
        return language.word(place)
    return language.text["on-plot-of" if seat else "on-plot"].format(seat=seat, plot=plot)


def _held(name: str, letter: str, new: bool, language: Language) -> Markup:
    marks = [element("span", {"class": "letter"}, letter)] if letter else []
    if new:
        marks.append(spoken("new", language, "span", {"class": "new"}))
    title = language.cards[name][0]
    button = _button(
        {
            "class": "card",
            "data-card": name,
            "data-letter": letter,
            "aria-label": f"{letter}, {title}" if letter else title,
            "aria-pressed": "false" if letter else None,
        },
        _drawn(f"c-{name}"),
        element("span", {"class": "plot"}, *marks),
    )
    return element("li", {}, button)


def _play(model: Model, mine: Mine, language: Language) -> Markup:
    if not mine.choices:
        return _section("play", "play", language, spoken("nothing-asked", language, "p"))
    say = speaker(model, language)
    rows = [
        element(
            "li",
            {},
            _button(
                {"class": "choice", "data-choice": number, "aria-pressed": "false"},
                element("b", {}, say.title(choice.play)),
                element("span", {}, say.note(choice)),
            ),
        )
        for number, choice in enumerate(mine.choices)
    ]
    composer = element(
        "div",
        {"id": "composer", "hidden": True},
        spoken("pick", language, "p", {"id": "pick"}),
        element("ul", {"id": "slots"}),
    )
    back = spoken("other", language, "button", {"type": "button", "id": "other", "hidden": True})
    return _section(
        "play",
        "play",
        language,
        *([spoken("waiting", language, "p")] if mine.waits else []),
        element("p", {"class": "asked", "id": "asked"}, asked(model, language)),
        element("ul", {"class": "choices"}, *rows),
        back,
        composer,
        *([_command(model, model.command, language)] if model.ahead is None else []),
    )


def _plan(model: Model, mine: Mine, ahead: planned.Ahead, language: Language) -> Markup:
    said = planned.section(ahead, language, speaker(model, language), opened=not mine.choices)
    command = _command(model, model.command if mine.choices else ahead.command, language)
    return _section("plan", "plan", language, *said, command)


def _command(model: Model, begun: str, language: Language) -> Markup:
    if model.framed:
        return joined([])
    command = element("code", {"id": "command", "tabindex": 0}, f"{begun} …")
    return element(
        "div",
        {"class": "command"},
        spoken("command", language, "h3"),
        element("div", {"class": "box"}, command),
        spoken("how", language, "p", {"class": "hint"}),
    )


def _bar(model: Model, mine: Mine, language: Language) -> Markup:
    """Return the bar with the choice so far, what it lacks, and the button: always in sight."""
    idle = "choose" if mine.choices else "plan-tap" if model.framed else "plan-choose"
    said = element(
        "div",
        {"class": "said"},
        element(
            "p",
            {"id": "chosen", "class": "idle", "aria-live": "polite"},
            language.text[idle],
        ),
        element("p", {"id": "missing", "role": "status"}),
    )
    copy = spoken("copy", language, "button", {"type": "button", "id": "copy", "disabled": True})
    return element("div", {"class": "bar", "id": "bar"}, said, *([] if model.framed else [copy]))


def _timeline(model: Model, language: Language) -> Markup:
    rows = story(model, language)
    parts: list[str] = []
    items: list[str] = []
    for step, (said, headings) in enumerate(rows, 1):
        button = _button(
            {"data-step": step, "aria-current": "step" if step == len(rows) else None},
            element("span", {"class": "n"}, str(step)),
            element("span", {"class": "said"}, said),
            marked.badge(model.marks, step, language),
        )
        items.append(element("li", {}, button))
        for heading in headings:
            # A list without rows is no list.
            parts += [element("ol", {}, *items)] if items else []
            parts.append(element("h3", {"data-head": True}, heading))
            items = []
    parts += [element("ol", {}, *items)] if items else []
    known = model.file.revealed_secret is not None
    note = [] if known else [spoken("newest", language, "p", {"class": "hint"})]
    steps = element("div", {"class": "steps", "id": "steps"}, *parts)
    return _section("timeline", "timeline", language, _controls(len(rows), language), *note, steps)


_CONTROLS = (
    ("first", "M6 5V19M19 5 9 12 19 19Z"),
    ("previous", "M17 5 7 12 17 19Z"),
    ("run", "M8 5 19 12 8 19Z"),
    ("next", "M7 5 17 12 7 19Z"),
    ("last", "M18 5V19M5 5 15 12 5 19Z"),
)


def _controls(steps: int, language: Language) -> Markup:
    text = language.text
    buttons = [
        _button(
            {"id": key, "data-l": key, "aria-label": text[key]},
            element("svg", {"viewBox": "0 0 24 24", **HIDDEN}, element("path", {"d": path})),
        )
        for key, path in _CONTROLS
    ]
    span: Attributes = {
        "type": "range",
        "id": "slider",
        "min": 1,
        "max": max(1, steps),
        "value": steps,
    }
    return element(
        "div",
        {"class": "controls", "id": "controls", "hidden": True},
        element("div", {"class": "buttons"}, *buttons),
        element("input", {**span, "data-l": "step", "aria-label": text["step"]}),
        element("p", {"id": "now", "aria-live": "polite"}),
    )


def _score(model: Model, language: Language) -> Markup:
    heads = [element("th", {"scope": "col"}, sheet.seat) for sheet in model.sheets]
    rows = [
        element(
            "tr",
            {"class": kind},
            element("th", {"scope": "row", "data-part": True}, label),
            *(element("td", {}, cell) for cell in cells),
        )
        for kind, label, cells in scores(model, language)
    ]
    head = element("tr", {}, element("td", {}), *heads)
    return _section("score", "score", language, _table(head, rows, "score-h"))


def _table(head: Markup, rows: list[Markup], label: str) -> Markup:
    """Return a table that can be moved sideways where its names are long."""
    inside = [element("thead", {}, head), element("tbody", {}, *rows)]
    place: Attributes = {"class": "wide", "tabindex": 0, "role": "group", "aria-labelledby": label}
    return element("div", place, element("table", {}, *inside))


def _marks(model: Model, language: Language) -> Markup:
    rows = marked.section(model.marks, language, words_of(model))
    return _section("marks", "marks", language, *rows)


def _charts(model: Model, language: Language) -> Markup:
    # One round is no line.
    if not model.replayed or len(by_round(model.boards, "hand")[0]) < 2:
        hint = spoken("no-chart", language, "p", {"class": "hint"})
        return _section("charts", "charts", language, hint)
    facts = (model.rules.scale, "hand")
    marks = marked.by_round(model.marks)
    found = [_chart(model.boards, fact, marks, language) for fact in facts]
    if marks:
        found.append(spoken("marks-drawn", language, "p", {"class": "hint"}))
    return _section("charts", "charts", language, *found)


def _chart(
    boards: list[Board], fact: str, marks: Mapping[str, Mapping[int, str]], language: Language
) -> Markup:
    rounds, series = by_round(boards, fact)
    title = f"chart-{fact}"
    caption = element(
        "figcaption",
        {},
        element("b", {}, spoken(title, language)),
        " ",
        spoken("by-round", language),
    )
    label = f"{language.text[title]}, {language.text['by-round']}"
    return element(
        "figure",
        {},
        caption,
        chart(rounds, series, label, marks),
        _numbers(rounds, series, language),
    )


def _numbers(rounds: list[int], series: dict[str, list[int]], language: Language) -> Markup:
    """Return the numbers of a chart as a table."""
    heads = [element("th", {"scope": "col"}, name) for name in (spoken("round", language), *series)]
    rows = [
        element(
            "tr",
            {},
            element("th", {"scope": "row"}, str(number)),
            *(element("td", {}, str(row[at])) for row in series.values()),
        )
        for at, number in enumerate(rounds)
    ]
    table = _table(element("tr", {}, *heads), rows, "charts-h")
    return element("details", {}, spoken("numbers", language, "summary"), table)


def _rulings(model: Model, language: Language) -> Markup:
    """Return the rulings by topic, and room for the names of all cards."""
    found = []
    for topic in topics(model, language):
        rows = [element("li", {"data-ruling": True}, ruling.sentence) for ruling in topic.rulings]
        title = element("summary", {"data-topic": True}, topic.title)
        found.append(element("details", {}, title, element("ul", {}, *rows)))
    cards = element(
        "details",
        {"id": "cards", "hidden": True},
        spoken("cards", language, "summary"),
        element("ul", {}),
    )
    return _section("rulings", "rulings", language, *found, cards)
