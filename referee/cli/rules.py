"""`rules`: help about cards and rulings, without a game file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from referee.cli import completing
from referee.cli.languages import ENGLISH, LangOpt, check
from referee.cli.options import EditionOpt, JsonOpt, PlainOpt, RulesOpt
from referee.games import DEFAULT, all_games, rules_of

if TYPE_CHECKING:
    from referee.games.interface import Rules
    from referee.games.rulings import Topic
    from referee.render.page.language import Language

app = typer.Typer(rich_markup_mode=None)

CARDS = "cards"


class Section(NamedTuple):
    """Rulings under a title; `key` is how programs find them."""

    key: str
    title: str
    sentences: list[str]


@app.command()
def rules(
    topic: Annotated[
        str | None,
        typer.Argument(
            metavar="[CARD|TOPIC]",
            help="A card, a topic, or `cards` for all cards.",
            autocompletion=completing.help_words,
        ),
    ] = None,
    game: RulesOpt = DEFAULT,
    edition: EditionOpt = None,
    lang: LangOpt = ENGLISH,
    plain: PlainOpt = False,
    json: JsonOpt = False,
) -> None:
    """What a card does, and how the rules are read, in our own words.

    Without a word it says what there is to be asked.
    """
    from referee.games.rulings import rulings
    from referee.render.page.language import Language
    from referee.render.text import cards, terminal

    check(lang)
    if plain:
        terminal.read_out()
    known = rules_of(game).whole(edition)
    language = Language(lang, known)
    topics = rulings(known, lang)
    everything = list(dict.fromkeys(known.names().values()))
    asked = _typed(topic or "")
    names: list[str] = []
    sections = [] if asked else [_section(key, one) for key, one in topics.items()]
    if asked == CARDS:
        names = everything
    elif asked:
        names, sections = _found(known, language, asked, topics)
    if json:
        terminal.document(
            {
                "game": game,
                "rulings": {one.key: one.sentences for one in sections},
                "cards": {name: language.cards[name][1] for name in names},
            }
        )
    elif not asked:
        _contents(known, language, sections, len(everything))
    else:
        if lang == ENGLISH:
            cards.cards(known, names)
        else:
            _spoken(language, names)
        for section in sections:
            cards.topic(section.title, section.sentences)


def _typed(text: str) -> str:
    return "-".join(text.lower().replace("-", " ").split())


def _section(key: str, topic: Topic) -> Section:
    return Section(key, topic.title, [one.sentence for one in topic.rulings])


def _found(
    known: Rules, language: Language, asked: str, topics: dict[str, Topic]
) -> tuple[list[str], list[Section]]:
    """The cards that are meant, and the rulings on them or on a topic; raises NotUnderstood."""
    from referee.games.interface import NotUnderstood
    from referee.games.near import near

    titles = {_typed(said[0]): name for name, said in language.cards.items()}
    if asked in topics:
        # A topic may be called like the card that it is about.
        return [asked] if asked in language.cards else [], [_section(asked, topics[asked])]
    starts = [key for key, one in topics.items() if _typed(one.title).startswith(asked)] or [
        key for key in topics if key.startswith(asked)
    ]
    fits = [name for title, name in titles.items() if title.startswith(asked)]
    try:
        name = titles.get(asked) or (fits[0] if len(fits) == 1 else known.called(asked))
    except NotUnderstood as error:
        if len(starts) == 1:
            return [], [_section(starts[0], topics[starts[0]])]
        error.message = error.message.replace("no card", "no card or topic")
        if error.message.startswith("there is no"):
            known_ones = {**titles, **known.names(), **dict.fromkeys(topics)}
            topics_ = f"topics: {', '.join(topics)}; cards: `{known.card_list}`"
            error.hint = _elsewhere(known, asked) or near(asked, known_ones, topics_)
        raise
    sentences = [
        one.sentence for topic in topics.values() for one in topic.rulings if name in one.cards
    ]
    return [name], [Section("rulings", language.text["rulings"], sentences)] if sentences else []


def _elsewhere(known: Rules, asked: str) -> str:
    """Where another game has a card or a topic of that name."""
    from shlex import quote

    from referee.games.rulings import rulings

    for name in all_games():
        if name != known.module:
            other = rules_of(name).whole()
            if asked in other.names() or asked in rulings(other, ENGLISH):
                return f"{other.title} has one: `sanjuan-ref rules {quote(asked)} --game {name}`"
    return ""


def _spoken(language: Language, names: list[str]) -> None:
    """Print what each card is called, costs and does."""
    from referee.render.text.terminal import say, wrapped

    faces, text = language.rules.faces(), language.text
    for name in names:
        title, what = language.cards[name]
        face = faces[name]
        facts = [text["cost"].format(cost=face.cost), text["points"].format(points=face.points)]
        printed = ", ".join([name, *(facts if face.cost else ())])
        for line in wrapped(what, 4, f"{title} ({printed}): "):
            say(line)


def _contents(known: Rules, language: Language, sections: list[Section], count: int) -> None:
    from referee.render.text.terminal import say, wrapped

    text = language.text
    say(("bold", text["contents"].format(title=known.title)))
    listed = ", ".join(
        one.key if language.code == ENGLISH else f"{one.key} ({one.title})" for one in sections
    )
    for line in wrapped(listed, 10, f"  {text['topics']}: "):
        say(line)
    cards = text["all-cards"].format(count=count, command=known.card_list)
    for line in wrapped(cards, 10, f"  {text['cards']}:  "):
        say(line)
