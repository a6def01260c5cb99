"""Drawing: the terminal and the page."""
