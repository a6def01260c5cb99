"""The body of a page as it is before any script has run: the newest table, the hand, the log.

What `table.js` draws anew at every step (`_board`) is drawn here in the same words.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from referee.page.draw import by_round, chart
from referee.page.language import Language
from referee.page.model import asked, stories

if TYPE_CHECKING:
    from referee.games.picture import Board, Building, Row, Side
    from referee.page.model import Mine, Model


def main(model: Model, language: Language) -> str:
    """The sections of the page."""
    if not model.boards:
        return _section("table", "seats", language, _open(model, language))
    board = f'<div id="board">{_board(model, language)}</div>'
    left = [_section("table", "table", language, board)]
    if model.mine is not None:
        left.insert(0, _hand(model.mine, language) + _play(model, language))
    right = [_timeline(model, language), _charts(model, language)]
    return f'<div class="left">{"".join(left)}</div><div class="right">{"".join(right)}</div>'


def _t(key: str, language: Language) -> str:
    """A text that the script can put into another language."""
    return f'<span data-t="{key}">{escape(language.text[key])}</span>'


def _section(name: str, title: str, language: Language, inside: str) -> str:
    return (
        f'<section id="{name}" aria-labelledby="{name}-h"><h2 id="{name}-h" data-t="{title}">'
        f"{escape(language.text[title])}</h2>{inside}</section>"
    )


def _open(model: Model, language: Language) -> str:
    rows = [
        f"<li><b>{escape(seat.name)}</b> {_t('joined' if seat.joined else 'free', language)}</li>"
        for seat in model.file.seats
    ]
    return f'<ul class="open">{"".join(rows)}</ul>'


def _board(model: Model, language: Language) -> str:
    board = model.boards[-1]
    facts = "".join(
        f"<div><dt>{_word(key, language)}</dt><dd>{escape(str(value))}</dd></div>"
        for key, value in board.facts.items()
    )
    rows = "".join(_row(row, language) for row in board.rows)
    me = model.mine.seat if model.mine else ""
    sides = "".join(
        _side(model, side, number, side.name == me, language)
        for number, side in enumerate(board.sides)
    )
    return f'<dl class="facts">{facts}</dl>{rows}<div class="sides">{sides}</div>'


def _word(word: str, language: Language) -> str:
    return escape(language.word(word))


def _row(row: Row, language: Language) -> str:
    items = "".join(
        f'<li class="token{" used" if used else ""}">{_token(word, language)}</li>'
        for word, used in row.tokens
    )
    return f'<div class="row"><h3>{_word(row.key, language)}</h3><ul>{items}</ul></div>'


def _token(word: str, language: Language) -> str:
    """A word of the table, with the number that may follow it."""
    name, _, number = word.partition(" ")
    if name in language.cards:
        return (
            f'<button type="button" class="name" data-card="{name}">{_word(name, language)}'
            f"</button>"
        )
    return f"{_word(name, language)} <b>{escape(number)}</b>" if number else _word(name, language)


def _side(model: Model, side: Side, number: int, mine: bool, language: Language) -> str:
    badges = [f'<span class="badge">{escape(language.text["you"])}</span>'] if mine else []
    badges += [
        f'<span class="badge {badge}">{_word(badge, language)}</span>' for badge in side.badges
    ]
    facts = "".join(
        f"<span><b>{value}</b> {escape(language.counted(key, value))}</span>"
        for key, value in side.facts.items()
    )
    city = "".join(_building(model, side.name, one, language) for one in side.city)
    return (
        f'<article class="side s{number}"><header><h3>{escape(side.name)}</h3>{"".join(badges)}'
        f'<p>{facts}</p></header><ul class="city">{city}</ul></article>'
    )


def _building(model: Model, seat: str, one: Building, language: Language) -> str:
    face = model.picture.faces()[one.card]
    text = language.text
    label = [language.cards[one.card][0], text["plot"].format(plot=one.plot)]
    if face.cost:
        label += [text["cost"].format(cost=face.cost), text["points"].format(points=face.points)]
    if one.mark:
        label.append(text["with-good" if one.mark == "good" else "no-good"])
    if one.under:
        label.append(text["covers"].format(count=one.under))
    if one.note:
        label.append(f"{language.word('note')}: {one.note}")
    use = f'<use href="#c-{one.card}"/>'
    if one.mark:
        use += f'<use href="#g-{face.group if one.mark == "good" else "empty"}"/>'
    under = f" under{min(one.under, 3)}" if one.under else ""
    note = f" · {escape(one.note)}" if one.note else ""
    return (
        f'<li><button type="button" class="card{under}" data-card="{one.card}" '
        f'data-seat="{escape(seat)}" data-plot="{one.plot}" '
        f'aria-label="{escape(", ".join(label))}">'
        f'<svg viewBox="0 0 100 132" aria-hidden="true">{use}</svg>'
        f'<span class="plot">{one.plot}{note}</span></button></li>'
    )


def _hand(mine: Mine, language: Language) -> str:
    cards = "".join(_held(one.name, one.letter, one.new, language) for one in mine.cards)
    inside = f'<ul class="city">{cards}</ul>' if cards else f"<p>{_t('empty', language)}</p>"
    if mine.tucked:
        rows = "".join(
            f'<li><button type="button" class="name" data-card="{escape(name)}">'
            f"{_word(name, language)}</button> ({escape(_place(place, language))})</li>"
            for place, name in mine.tucked
        )
        inside += f'<h3>{_t("tucked", language)}</h3><ul class="tucked">{rows}</ul>'
    return _section("hand", "hand", language, inside)


def _place(place: str, language: Language) -> str:
    return (
        language.text["on-plot"].format(plot=place) if place.isdecimal() else language.word(place)
    )


def _held(name: str, letter: str, new: bool, language: Language) -> str:
    mark = f'<span class="letter">{escape(letter)}</span>' if letter else ""
    fresh = f'<span class="new">{_t("new", language)}</span>' if new else ""
    title = language.cards[name][0]
    said = f"{letter}, {title}" if letter else title
    pressed = ' aria-pressed="false"' if letter else ""
    return (
        f'<li><button type="button" class="card" data-card="{name}" data-letter="{letter}" '
        f'aria-label="{escape(said)}"{pressed}><svg viewBox="0 0 100 132" aria-hidden="true">'
        f'<use href="#c-{name}"/></svg><span class="plot">{mark}{fresh}</span></button></li>'
    )


def _play(model: Model, language: Language) -> str:
    mine = model.mine
    assert mine is not None
    if not mine.choices:
        key = "waiting" if mine.waits else "nothing-asked"
        return _section("play", "play", language, f'<p data-t="{key}">{language.text[key]}</p>')
    rows = "".join(
        f'<li><button type="button" class="choice" data-choice="{number}" aria-pressed="false">'
        f"<code>{escape(blanks(choice.play))}</code><span>{escape(language.note(choice.note))}</span>"
        f"</button></li>"
        for number, choice in enumerate(mine.choices)
    )
    inside = (
        f'<p class="asked" id="asked">{escape(asked(model, language))}</p>'
        f'<p data-t="choose">{escape(language.text["choose"])}</p>'
        f'<ul class="choices">{rows}</ul>'
        f'<div id="composer" hidden><p id="pick" data-t="pick">{escape(language.text["pick"])}</p>'
        f'<ul id="slots"></ul><p id="missing" role="status"></p></div>'
        f'<div class="command"><h3>{_t("command", language)}</h3><div class="box">'
        f'<code id="command" tabindex="0">{escape(model.command)} …</code>'
        f'<button type="button" id="copy" data-t="copy" disabled>{escape(language.text["copy"])}'
        f"</button></div></div>"
    )
    return _section("play", "play", language, inside)


def blanks(play: str) -> str:
    """A play or pattern as a button shows it: what is to be filled in as a blank."""
    shown = [
        "▢" + ("…" if word.endswith(("…", "…]")) else "")
        if word.strip("[]…").isupper()
        else word.strip("[]")
        for word in play.split(" ")
    ]
    return " ".join(shown)


def _timeline(model: Model, language: Language) -> str:
    parts = ["<ol>"]
    heads = 0
    rows = stories(model)[language.code]
    for step, (said, *headings) in enumerate(rows, 1):
        now = ' aria-current="step"' if step == len(rows) else ""
        parts.append(
            f'<li><button type="button" data-step="{step}"{now}><span class="n">{step}</span>'
            f'<span class="said">{escape(said)}</span></button></li>'
        )
        for heading in headings:
            parts.append(f'</ol><h3 data-head="{heads}">{escape(heading)}</h3><ol>')
            heads += 1
    parts.append("</ol>")
    text = language.text
    buttons = "".join(
        f'<button type="button" id="{key}" data-l="{key}" aria-label="{escape(text[key])}">'
        f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{path}"/></svg></button>'
        for key, path in _CONTROLS
    )
    steps = len(rows)
    controls = (
        f'<div class="controls" id="controls" hidden><div class="buttons">{buttons}</div>'
        f'<input type="range" id="slider" min="1" max="{max(1, steps)}" value="{steps}" '
        f'data-l="step" aria-label="{escape(text["step"])}">'
        f'<p id="now" aria-live="polite"></p></div>'
    )
    known = model.file.opened is not None
    note = "" if known else f'<p class="hint">{_t("newest", language)}</p>'
    # A list without rows is no list.
    story = "".join(parts).replace("<ol></ol>", "")
    inside = f'{controls}{note}<div class="steps" id="steps">{story}</div>'
    return _section("timeline", "timeline", language, inside)


_CONTROLS = (
    ("first", "M6 5V19M19 5 9 12 19 19Z"),
    ("previous", "M17 5 7 12 17 19Z"),
    ("run", "M8 5 19 12 8 19Z"),
    ("next", "M7 5 17 12 7 19Z"),
    ("last", "M18 5V19M5 5 15 12 5 19Z"),
)


def _charts(model: Model, language: Language) -> str:
    # One round is no line.
    if not model.replayed or len(by_round(model.boards, "hand")[0]) < 2:
        hint = f'<p class="hint">{_t("no-chart", language)}</p>'
        return _section("charts", "charts", language, hint)
    found = "".join(_chart(model.boards, fact, language) for fact in (model.picture.scale, "hand"))
    return _section("charts", "charts", language, found)


def _chart(boards: list[Board], fact: str, language: Language) -> str:
    rounds, series = by_round(boards, fact)
    title = f"chart-{fact}"
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in series)
    body = "".join(
        f'<tr><th scope="row">{number}</th>{_cells(row[at] for row in series.values())}</tr>'
        for at, number in enumerate(rounds)
    )
    label = f"{language.text[title]}, {language.text['by-round']}"
    return (
        f"<figure><figcaption><b>{_t(title, language)}</b> {_t('by-round', language)}</figcaption>"
        f"{chart(rounds, series, label)}"
        f"<details><summary>{_t('numbers', language)}</summary><table><thead><tr>"
        f'<th scope="col">{_t("round", language)}</th>{head}</tr></thead><tbody>{body}</tbody>'
        f"</table></details></figure>"
    )


def _cells(values: Iterable[int]) -> str:
    return "".join(f"<td>{value}</td>" for value in values)
