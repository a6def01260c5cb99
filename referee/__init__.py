"""A referee for card games played by mail: `games` knows the rules, `table` the protocol."""
