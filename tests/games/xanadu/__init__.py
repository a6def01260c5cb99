"""Tests of Xanadu."""
