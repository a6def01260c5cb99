"""The post: notes that arrive as mail, and the mails that players get."""
