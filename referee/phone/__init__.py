"""The app for players with nothing but a phone: this program's own Python in a browser."""
