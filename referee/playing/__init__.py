"""A player's side: trust a file, open a hand, make a note, hand it over. It prints nothing."""
