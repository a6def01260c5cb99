"""Cards and rulings found by a word, and printed."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

from referee.cli.languages import ENGLISH
from referee.games import parts
from referee.games.errors import NotUnderstood
from referee.games.near import near
from referee.games.rulings import rulings
from referee.records import NamedTuple
from referee.render.page.language import Language
from referee.render.text import cards
from referee.render.text.terminal import say, wrapped

if TYPE_CHECKING:
    from referee.games.interface import Rules
    from referee.games.rulings import Topic

CARDS = "cards"
"""The word for all cards."""


class Section(NamedTuple):
    """Rulings under a title; `key` is how programs find them."""

    key: str
    title: str
    sentences: list[str]


class RuleBook:
    """The cards and rulings of a game, in one language."""

    def __init__(self, rules: Rules, lang: str) -> None:
        self.rules = rules
        self.language = Language(lang, rules)
        self.topics = rulings(rules, lang)
        self.cards = list(dict.fromkeys(rules.card_aliases().values()))

    def find(self, asked: str) -> tuple[list[str], list[Section]]:
        """Return the cards and rulings that a word means; all topics without a word.

        Raises NotUnderstood.
        """
        if not asked:
            return [], [_section(key, topic) for key, topic in self.topics.items()]
        if asked == CARDS:
            return self.cards, []
        return _found(self.rules, self.language, asked, self.topics)

    def document(self, names: list[str], sections: list[Section]) -> dict[str, Any]:
        """Return cards and rulings for programs; of a card also what is printed in its corners."""
        found = {
            "rulings": {section.key: section.sentences for section in sections},
            "cards": {name: self.language.cards[name][1] for name in names},
        }
        if self.rules.legend:
            found["printed"] = {name: self._printed(name) for name in names}
        return found

    def _printed(self, name: str) -> dict[str, str]:
        parts = zip(self.rules.legend.split("/"), self.rules.facts(name).split("/"), strict=False)
        return dict(parts)

    def tell(self, names: list[str], sections: list[Section]) -> None:
        """Print cards and rulings."""
        if self.language.code == ENGLISH:
            cards.cards(self.rules, names)
        else:
            _spoken(self.language, names)
        for section in sections:
            cards.topic(section.title, section.sentences)

    def contents(self, sections: list[Section]) -> None:
        """Print the topics that there are."""
        _contents(self.rules, self.language, sections, len(self.cards))


def folded(text: str) -> str:
    """Return a word as it is looked up."""
    return "-".join(text.lower().replace("-", " ").split())


def _section(key: str, topic: Topic) -> Section:
    return Section(key, topic.title, [ruling.sentence for ruling in topic.rulings])


def _found(
    known: Rules, language: Language, asked: str, topics: dict[str, Topic]
) -> tuple[list[str], list[Section]]:
    """Return the cards that are meant, and the rulings on them or on a topic."""
    titles = {folded(said[0]): name for name, said in language.cards.items()}
    if asked in topics:
        # A topic may be called like the card that it is about.
        return [asked] if asked in language.cards else [], [_section(asked, topics[asked])]
    starts = [key for key, topic in topics.items() if folded(topic.title).startswith(asked)] or [
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
            known_ones = {**titles, **known.card_aliases(), **dict.fromkeys(topics)}
            topics_ = f"topics: {', '.join(topics)}; cards: `{known.card_list}`"
            error.hint = _elsewhere(known, asked) or near(asked, known_ones, topics_)
        raise
    sentences = [
        ruling.sentence
        for topic in topics.values()
        for ruling in topic.rulings
        if name in ruling.cards
    ]
    return [name], [Section("rulings", language.text["rulings"], sentences)] if sentences else []


def _elsewhere(known: Rules, asked: str) -> str:
    """Return where another game has a card or a topic of that name."""

    for name, module in parts("rules"):
        if name != known.module:
            other = module.VERSIONS[-1].whole()
            if asked in other.card_aliases() or asked in rulings(other, ENGLISH):
                return f"{other.title} has one: `sanjuan-ref rules {quote(asked)} --game {name}`"
    return ""


def _spoken(language: Language, names: list[str]) -> None:
    """Print the name, the cost and the effect of each card."""
    faces, text = language.rules.faces(), language.text
    for name in names:
        title, what = language.cards[name]
        face = faces[name]
        facts = [text["cost"].format(cost=face.cost), text["points"].format(points=face.points)]
        printed = ", ".join([name, *(facts if face.cost else ())])
        for line in wrapped(what, 4, f"{title} ({printed}): "):
            say(line)


def _contents(known: Rules, language: Language, sections: list[Section], count: int) -> None:
    text = language.text
    say(("bold", text["contents"].format(title=known.title)))
    listed = ", ".join(
        section.key if language.code == ENGLISH else f"{section.key} ({section.title})"
        for section in sections
    )
    for line in wrapped(listed, 10, f"  {text['topics']}: "):
        say(line)
    cards = text["all-cards"].format(count=count, command=known.card_list)
    for line in wrapped(cards, 10, f"  {text['cards']}:  "):
        say(line)
