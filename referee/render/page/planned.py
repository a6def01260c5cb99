"""Plans on the page of whoever holds the hand: what the present one would answer, and a new one.

Nothing here decides what a clause means: all that is told was worked out when the page was made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games.values import OTHERS, OWN, Foreseen, Offer
from referee.records import NamedTuple
from referee.render.page.language import Language, spoken
from referee.render.page.markup import Attributes, Markup, element

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.playing.planning import Planner, Present
    from referee.render.page.saying import Speaker


class Ahead(NamedTuple):
    """Plans of the reader's seat: the present one, and what a new one can be made of.

    `command` is what a plan begins with, `suggested` the clauses that the table's bot would write.
    """

    command: str
    present: Present | None
    foreseen: list[Foreseen]
    offers: list[Offer]
    suggested: list[str]
    referees: str


def ahead_of(planner: Planner, command: str) -> Ahead:
    """Return what a page says of a seat's plans."""
    present = planner.present
    clauses = present.clauses if present is not None else None
    foreseen: list[Foreseen] = []
    if present is not None and clauses:
        foreseen = planner.foreseen(clauses, present)
        # A question that is open is older than a plan that waits.
        if present.waits and planner.view.decision is not None:
            foreseen = foreseen[1:]
    offers = planner.language.offers(planner.view)
    return Ahead(command, present, foreseen, offers, planner.suggested(), planner.referees)


def document(ahead: Ahead) -> dict[str, object]:
    """Return what the script has to know."""
    return {"command": ahead.command, "suggested": ahead.suggested}


def told(ahead: Ahead, language: Language, speaker: Speaker) -> list[str]:
    """Return what the present plan is, and then, line by line, what it would answer."""
    return [_state(ahead, language), *answers(ahead.foreseen, language, speaker)]


def _state(ahead: Ahead, language: Language) -> str:
    text, present = language.text, ahead.present
    if present is None:
        return text["plan-none"]
    state = "withdrawn" if present.clauses == () else "waits" if present.waits else "holds"
    return text[f"plan-{state}"].format(number=present.number)


def answers(foreseen: Sequence[Foreseen], language: Language, speaker: Speaker) -> list[str]:
    """Return, line by line, what a plan would answer."""
    lines = []
    for question, at, line, play, note in foreseen:
        what = subject(question, language)
        if at:
            words = {" or ": "plan-or", OTHERS: "plan-others", OWN: "plan-own"}
            for said, name in words.items():
                at = at.replace(said, language.text[name])
            what = f"{what} ({at})"
        said = language.text["plan-asks"]
        if play:
            more = language.note(note)
            said = speaker.title(play) + (f" ({more})" if more else "")
        by = language.text["plan-line"].format(number=line) if line else ""
        lines.append(f"{what}: {said}{by}")
    return lines


def subject(name: str, language: Language) -> str:
    """Return what a clause is about, as a heading."""
    said = language.labels.get(name) or language.kind(name)
    return said[:1].upper() + said[1:]


def labels(ahead: Ahead, language: Language, speaker: Speaker) -> list[str]:
    """Return the headings and buttons of all offers, in the order in which they stand there."""
    found = []
    for offer in ahead.offers:
        found.append(subject(offer.subject, language))
        found += [language.says[offer.word].format(names="…")] if offer.word else []
        found += [language.word(name) for name in offer.names]
        found += [speaker.title(wish) for wish in offer.wishes]
        found += [_end(end, language) for end in offer.ends]
    return found


def _end(end: str, language: Language) -> str:
    return language.text.get(f"plan-{end}") or language.says.get(end, end)


def section(ahead: Ahead, language: Language, speaker: Speaker, *, opened: bool) -> list[Markup]:
    """Return what stands in the section about plans; `opened` shows at once how one is made."""
    state, *lines = told(ahead, language, speaker)
    found = [element("p", {"data-plan": True}, state)]
    clauses = ahead.present.clauses if ahead.present is not None else None
    if clauses:
        rows = [element("li", {}, element("code", {}, clause)) for clause in clauses]
        found.append(element("ol", {"class": "clauses"}, *rows))
    if lines:
        found.append(spoken("plan-would", language, "h3"))
        found.append(
            element("ul", {"class": "would"}, *(_told(line) for line in lines)),
        )
    inside = [
        spoken("plan-how", language, "p", {"class": "hint"}),
        *_offers(ahead, labels(ahead, language, speaker)),
        *_switches(ahead, language),
    ]
    if ahead.referees:
        inside.append(spoken("plan-read", language, "p", {"class": "hint"}))
    opening: Attributes = {"id": "offers", "open": opened}
    found.append(element("details", opening, spoken("plan-new", language, "summary"), *inside))
    return found


def _told(line: str) -> Markup:
    return element("li", {"data-plan": True}, line)


def _offers(ahead: Ahead, names: Sequence[str]) -> list[Markup]:
    rest = iter(names)
    return [
        element(
            "div",
            {"class": "offer", "data-subject": offer.subject, "data-word": offer.word},
            element("h3", {"data-chip": True}, next(rest)),
            *([element("p", {"data-chip": True}, next(rest))] if offer.word else []),
            element(
                "div",
                {"class": "chips"},
                *(
                    _chip(kind, one, next(rest))
                    for kind, several in (
                        ("name", offer.names),
                        ("wish", offer.wishes),
                        ("end", offer.ends),
                    )
                    for one in several
                ),
            ),
        )
        for offer in ahead.offers
    ]


def _chip(kind: str, said: str, label: str) -> Markup:
    attributes: Attributes = {
        "type": "button",
        "class": "chip",
        "data-chip": True,
        f"data-{kind}": said,
        "aria-pressed": "false",
    }
    return element("button", attributes, label)


def _switches(ahead: Ahead, language: Language) -> list[Markup]:
    """Return what holds for the plan as a whole, and plans that are made already."""
    clauses = ahead.present.clauses if ahead.present is not None else None
    boxes = ["always", *(["keep"] if clauses else [])]
    ready = [*(["suggest"] if ahead.suggested else []), *(["withdraw"] if clauses else [])]
    return [
        *(
            element(
                "label",
                {"class": "switch"},
                element("input", {"type": "checkbox", "id": f"plan-{box}"}),
                spoken(f"plan-{box}", language),
            )
            for box in boxes
        ),
        element(
            "div",
            {"class": "offer"},
            *(
                spoken(
                    f"plan-{one}",
                    language,
                    "button",
                    {"type": "button", "class": "chip", "data-ready": one, "aria-pressed": "false"},
                )
                for one in ready
            ),
        ),
    ]
