"""The option that names a language, and the sentence that says which ones there are."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.usage import Usage

ENGLISH = "en"
LangOpt = Annotated[
    str, typer.Option("--lang", metavar="CODE", help="The language to say it in: en, de.")
]


def check(lang: str) -> None:
    """Raises Usage where there is no such language."""
    from referee.page.language import codes

    if lang not in codes():
        raise Usage(
            f"--lang: there is no language {lang!r}", hint=f"languages: {', '.join(codes())}"
        )
