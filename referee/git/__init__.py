"""Turns that travel through a shared git repository: notes are pushed, the referee commits."""
