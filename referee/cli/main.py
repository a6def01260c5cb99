"""The process around a command: quick to start and to leave, calm when its reader has gone."""

from __future__ import annotations

import gc
import os
import sys

# Not from `typing`, as in the package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

DISTURBED = 1
INTERRUPTED = 130


def main(args: Sequence[str] | None = None) -> int:
    """Run one command; the exit code. Without `args` those of the process, which then ends."""
    if args is not None:
        return _run(list(args))
    # A good part of the time of a command would go into collecting what the end of the process
    # frees anyway, and into taking the interpreter apart.
    gc.disable()
    code = _run(sys.argv[1:])
    if sys.gettrace() is None and sys.getprofile() is None:
        os._exit(code)
    return code


def _run(words: list[str]) -> int:
    try:
        # Somebody may press Ctrl-C while this is imported.
        from referee.cli.app import run
        from referee.render.text import terminal

        terminal.prepare()
        code = run(words)
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        # The reader of our output has gone. The rest of the buffer would fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DISTURBED
    except OSError as error:
        sys.stderr.write(f"error: cannot write the output: {error.strerror}\n")
        sys.stderr.write("hint: what the command has done stands; look before you repeat it\n")
        return DISTURBED
    except KeyboardInterrupt:
        return INTERRUPTED
    return code
