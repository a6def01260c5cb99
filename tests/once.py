"""Scaffolds that are slow to build: one process of a test run builds them, all others read them."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from referee.storage import locked

FOLDER = "SANJUAN_REF_TESTS_FOLDER"
"""The variable that names the folder of a run to its workers, which inherit it."""
P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def folder_of_a_run() -> Iterator[None]:
    """Keep what is built in a folder of this run, unless another process has one for it."""
    if FOLDER in os.environ:
        yield
        return
    os.environ[FOLDER] = folder = tempfile.mkdtemp(prefix=f"sanjuan-ref-tests-{os.getpid()}-")
    try:
        yield
    finally:
        del os.environ[FOLDER]
        shutil.rmtree(folder, ignore_errors=True)


def new_folder() -> Path:
    """A folder that lasts as long as the run, for whoever builds something there."""
    return Path(tempfile.mkdtemp(prefix="", dir=os.environ[FOLDER]))


def runner() -> int:
    """The process that has started the run."""
    return int(os.environ[FOLDER].split("-")[-2])


def once(build: Callable[P, T]) -> Callable[P, T]:
    """Build something once in a run, as `functools.cache` does in a process: nobody may change it.

    What it returns must be fit to be pickled, and its arguments must tell their values by `repr`.
    """

    @wraps(build)
    def kept(*args: P.args, **kwargs: P.kwargs) -> T:
        if FOLDER not in os.environ:
            return build(*args, **kwargs)
        call = repr((build.__module__, build.__qualname__, args, sorted(kwargs.items())))
        path = Path(os.environ[FOLDER]) / hashlib.sha256(call.encode()).hexdigest()
        with locked(path.with_suffix(".lock")):
            if not path.exists():
                path.write_bytes(pickle.dumps(build(*args, **kwargs)))
        found: T = pickle.loads(path.read_bytes())
        return found

    return cache(kept)  # type: ignore[return-value]
