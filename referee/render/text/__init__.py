"""Everything that is written to a terminal."""
