"""The protocol: keys, notes, sealing, dealing, the game file, replay and audit."""
