"""One HTML file, or a picture, of a game file."""
