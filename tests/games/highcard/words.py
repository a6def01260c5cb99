"""The words of High Card's plays, and what there is to choose."""

from referee.games.values import Word

WORDS = (Word("put", "CARD", "the hand card to put on the table"),)
TERMS = {"edition": "plain"}
