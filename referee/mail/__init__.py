"""The post: notes that arrive as mail, and the emails that players get."""
