"""The names of all commands, with the module and a line of help for each."""

from __future__ import annotations

GROUPS = {
    "Every day": {
        "games": ("games", "All your games: what is asked of you, who is waited for, who won."),
        "show": ("show", "The table, your hand, what is asked of you, and how to answer."),
        "play": ("play", "The guided way: look, choose from menus, sign."),
        "move": ("move", "Answer: sign a play and write the note."),
        "bot": ("bot", "Let a program answer what is asked of you."),
        "plan": ("plan", "Answer ahead: what you will do when you are asked."),
    },
    "Taking a seat, and what else a player signs": {
        "key": ("keys", "Show the key that will be used, or make one."),
        "join": ("opening", "Write the note that takes your seat."),
        "vacation": ("lateness", "Write a note saying you will be away."),
        "transfer": ("seats", "Write a note agreeing that a seat gets another key."),
        "leave": ("seats", "Write a note saying that the table's bot plays for you, or you again."),
        "vote": ("seats", "Write a note voting for the end of the game, or taking that back."),
    },
    "Looking closer": {
        "page": ("page", "One HTML file, or a picture, to look at and to answer with."),
        "log": ("reading", "The story so far, or one of its notes."),
        "score": ("score", "Everybody's points, as on a score sheet."),
        "results": ("results", "Count who won how many of the finished games below some folders."),
        "rules": ("rules", "Say what a card does, and how unclear rules are decided."),
        "due": ("lateness", "List who owes an answer, when it is due, and what is overdue."),
        "review": ("review", "After the game: where a seat could have done better."),
        "verify": ("reading", "Check signatures, chain, and your hand against the deal."),
        "compare": (
            "reading",
            "Two files of one game: identical, one continues the other, or a fork.",
        ),
        "audit": ("reading", "Replay the whole game from its deal secret."),
    },
    "Hosting": {
        "new": ("opening", "Open a table."),
        "apply": ("referee", "Apply notes to the game file."),
        "expire": ("lateness", "Apply the late policy to overdue seats."),
        "abandon": ("referee", "End a game that will not be finished."),
        "mail": ("mail", "Read notes from emails; send answers and questions."),
        "phone": ("phone", "Build the app for players with nothing but a phone."),
        "git": ("git", "Pass turns through a shared git repository."),
    },
    "Trying out": {
        "practice": ("practice", "Play against bots, at once, in a folder of its own."),
        "demo": ("demo", "Play a whole game with throw-away keys in a new folder."),
        "arena": ("arena", "Many games between programs, to see which plays better."),
        "try": ("positions", "Play on a position in which nothing is hidden."),
        "position": ("positions", "The position after a step of a game that is over."),
        "help": ("help", "Explain a command, or a topic of the manual."),
    },
}
"""Commands by who types them, the daily ones first: each with its module and a line of help."""
COMMANDS = {name: about for group in GROUPS.values() for name, about in group.items()}
"""All of them; a module is imported when its command is wanted."""

ABOUT = {
    "playing": ("games", "show", "play", "move", "page", "log", "score", "results", "rules"),
    "bots": ("bot", "practice", "review", "arena"),
    "plans": ("plan",),
    "keys": ("key", "join", "transfer"),
    "time": ("vacation", "leave", "vote", "due", "expire"),
    "checking": ("verify", "compare", "audit"),
    "hosting": ("new", "apply", "abandon", "demo"),
    "email": ("mail",),
    "git.md": ("git",),
    "phone.md": ("phone",),
    "positions": ("try", "position"),
}
"""The words by which `help` prints the page of the manual about some commands."""
