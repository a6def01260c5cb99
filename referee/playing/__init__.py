"""A player's side: check a file, open a hand, sign a note, hand it over. It prints nothing."""
