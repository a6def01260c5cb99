"""The names of all commands, with the module and a line of help for each."""

from __future__ import annotations

COMMANDS = {
    "key": ("keys", "Show the key that will be used, or make one."),
    "new": ("opening", "Open a table (host)."),
    "join": ("opening", "Write the note that takes your seat."),
    "games": ("games", "All your games: what is asked of you, who is waited for, who won."),
    "show": ("show", "The table, your hand, what is asked of you, and how to answer."),
    "page": ("page", "One HTML file, or a picture, to look at and to answer with."),
    "move": ("move", "Answer: sign a play and write the note."),
    "plan": ("plan", "Answer ahead: what you will do when you are asked."),
    "play": ("play", "The guided way: look, choose from menus, sign."),
    "apply": ("referee", "Apply notes to the game file (referee)."),
    "log": ("reading", "The story so far, or one of its notes."),
    "score": ("score", "Everybody's points, as on a score sheet."),
    "rules": ("rules", "What a card does, and how unclear rules are decided."),
    "verify": ("reading", "Check signatures, chain, and your hand against the deal."),
    "compare": ("reading", "Two files of one game: identical, one continues the other, or a fork."),
    "due": ("lateness", "Who owes an answer, when it is due, and what is overdue."),
    "expire": ("lateness", "Apply the late policy to overdue seats (referee)."),
    "vacation": ("lateness", "Write a note saying you will be away."),
    "transfer": ("seats", "Write a note agreeing that a seat gets another key."),
    "abandon": ("referee", "End a game that will not be finished (referee)."),
    "audit": ("reading", "Replay the whole game from its deal secret."),
    "try": ("positions", "Play on a position in which nothing is hidden."),
    "position": ("positions", "The position after a step of a game that is over."),
    "mail": ("mail", "Read notes from emails; send answers and questions (referee)."),
    "git": ("git", "Pass turns through a shared git repository."),
    "demo": ("demo", "Play a whole game with throw-away keys in a new folder."),
    "help": ("help", "Explain a command, or a topic of the manual."),
}
"""Command to (module, one line of help): a module is imported when its command is wanted."""
