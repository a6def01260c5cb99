"""The environment of a command of `--notify`, in any encoding."""

from __future__ import annotations

import subprocess
import sys

import pytest

from referee.system import POSIX

CALL = """
from referee.cli.calling import _started
about = {"SANJUAN_TITLE": "Zo\\xeb \\u2192 ben", "SANJUAN_GAME": "/tmp/\\udcff"}
_started('printf "%s;%s" "$SANJUAN_TITLE" "$SANJUAN_GAME"', about, json=False).wait()
"""


@pytest.mark.skipif(not POSIX, reason="the environment there has one encoding")
@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"PYTHONUTF8": "1"}, "Zo\xeb \u2192 ben".encode()),
        ({"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}, b"Zo? ? ben"),
    ],
)
def test_a_title_is_told_as_far_as_the_encoding_can(settings: dict[str, str], told: bytes) -> None:
    words = [sys.executable, "-c", CALL]
    done = subprocess.run(words, env=settings, capture_output=True, check=True)
    assert done.stdout == told + b";/tmp/\xff"
