"""Programs of others that tests put ours to the test with, and what is tried where they are."""

from __future__ import annotations

import os
import shutil

import pytest

from referee import system
from tests.conftest import WANTED


def with_tools(*names: str) -> pytest.MarkDecorator:
    """Let a test run where these programs are, and give and take text as it is.

    Pipes and files of text have other line ends on Windows, which are no part of what is signed
    there. `.ci/run` has installed the programs: that one is missing is a failure there.
    """
    missing = [name for name in names if shutil.which(name) is None]
    why = f"there is no {', '.join(missing)}" if missing else "line ends are others here"
    is_skipped = not system.POSIX or (bool(missing) and not os.environ.get(WANTED))
    return pytest.mark.skipif(is_skipped, reason=why)
