"""Settings that all tests share: fuzzing is repeatable, and no example is timed."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("sanjuan-ref", deadline=None, derandomize=True)
settings.load_profile("sanjuan-ref")
