"""The option that names a language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from referee.cli import completing
from referee.cli.options import option
from referee.cli.usage import Usage

ENGLISH = "en"


def _codes() -> Iterable[str]:
    # Few runs of a command name a language.
    from referee.render.page.language import codes

    return codes()


LangOpt = Annotated[
    str,
    option(
        "--lang",
        "CODE",
        "Language.",
        autocompletion=completing.listed(_codes),
    ),
]


def check(lang: str) -> None:
    """Raise Usage if there is no such language."""
    if lang not in _codes():
        raise Usage(
            f"--lang: there is no language {lang!r}", hint=f"languages: {', '.join(_codes())}"
        )
