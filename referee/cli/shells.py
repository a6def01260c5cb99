"""Completion for a shell: the one in use, or any that is named."""

from __future__ import annotations

from typing import Any

from referee.cli.usage import PROGRAM, Usage
from referee.render.text import terminal

SHELLS = ("bash", "zsh", "fish", "pwsh", "powershell")
VARIABLE = f"_{PROGRAM.replace('-', '_').upper()}_COMPLETE"


def complete_in(option: str, words: list[str]) -> None:
    """Show or install completion, by the name of the option. Raises Usage."""
    # It is slow to import, and takes its shells from a private part of Typer.
    from typer import _completion_shared as completion

    shell: Any = words[0] if words else completion._get_shell_name()
    if len(words) > 1 or shell not in SHELLS:
        said = " ".join(words) or shell or "your shell, which cannot be told"
        raise Usage(f"there is no completion for {said}", hint=f"name one of {', '.join(SHELLS)}")
    about = {"prog_name": PROGRAM, "complete_var": VARIABLE, "shell": shell}
    if option == "--show-completion":
        terminal.verbatim(completion.get_completion_script(**about) + "\n")
        return
    _, path = completion.install(**about)
    terminal.say(f"Completion for {shell} is in {path}, and works in the next terminal.")
