"""The referee's desk: judging notes and changing a game file, for who holds the referee's key."""
