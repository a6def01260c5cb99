"""The game file: its chain of hashes, the deal, hands, the clock, seats that change, replay."""
