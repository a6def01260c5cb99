"""Proof without trust: what anybody can check of one file, of two, and of a finished game."""
