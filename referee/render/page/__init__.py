"""A game file as one HTML file, or as a picture."""
