"""Outlets for emails: a folder, a Maildir, or the standard input of a program that sends."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from referee.crypto.keyplace import without_keys
from referee.mail.addresses import PIPE
from referee.storage import NotWritten, not_written, replace, sweep_folder
from referee.system import split_command

if TYPE_CHECKING:
    from referee.mail.addresses import Way

TIMEOUT = 120
AGAIN = "the next run tries again"
MAX_SAID = 200
# Codes of sysexits.h for errors that stay: wrong usage or data (64 to 66), or an unknown address
# (67, 68).
FOR_GOOD = range(64, 69)


class NotSent(NotWritten):
    """Error for an email that could not be handed over."""

    reason = "not-sent"


class Refused(NotSent):
    """Error for an email that was refused for good: there is no use in trying again soon."""

    reason = "refused"


def put(way: Way, name: str, text: str) -> str:
    """Hand over one email, an ASCII text with LF line ends, and return where it went.

    `name` is a file name that no other email has. Raises NotSent; then it may be tried again.
    """
    try:
        if way.kind == PIPE:
            return _piped(way.place, text)
        folder = Path(way.place)
        if way.kind == "maildir":
            return _into_maildir(folder, text)
        return _into_folder(folder, name, text)
    except NotSent:
        raise
    except NotWritten as error:
        raise NotSent(error.message, error.hint) from None


def _into_folder(folder: Path, name: str, text: str) -> str:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_written(folder, error) from None
    path = folder / f"{name}.eml"
    sweep_folder(folder)
    replace(path, text, 0o644)
    return str(path)


def _into_maildir(folder: Path, text: str) -> str:
    import mailbox

    mask = os.umask(0o077)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        if folder.is_dir():
            # The library makes these only together with the folder.
            for part in ("tmp", "new", "cur"):
                (folder / part).mkdir(exist_ok=True)
        box = mailbox.Maildir(folder, create=True)
        # Remove files in tmp/ that an interrupted run left over 36 hours ago.
        box.clean()
        # This writes into tmp/ with fsync, and links from there into new/.
        box.add(text.encode("ascii"))
    except mailbox.Error as error:
        raise NotWritten(f"cannot write to the Maildir {folder}: {error}") from None
    except OSError as error:
        raise not_written(folder, error) from None
    finally:
        os.umask(mask)
    return str(folder)


def _piped(command: str, text: str) -> str:
    import subprocess

    try:
        words = split_command(command)
    except ValueError as error:
        raise NotSent(f"the command {command!r} cannot be read: {error}") from None
    if not words:
        raise NotSent("there is no command to pipe mails into")
    try:
        # The words are the referee's own, and no shell reads them.
        done = subprocess.run(  # noqa: S603
            words,
            input=text.encode("ascii"),
            env=without_keys(os.environ),
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NotSent(f"{words[0]} took longer than {TIMEOUT} seconds") from None
    except OSError as error:
        raise NotSent(
            f"cannot run {words[0]}: {error.strerror or error}", "choose another --pipe"
        ) from None
    if done.returncode:
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        why = f": {said[:MAX_SAID]}" if said else ""
        kind = Refused if done.returncode in FOR_GOOD else NotSent
        code = f"exit code {done.returncode}"
        raise kind(f"the command `{words[0]}` failed ({code}{why}); the email was not sent", AGAIN)
    return words[0]
