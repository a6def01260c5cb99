"""Xanadu: the cards as data, one module for each phase of the rule book, and the edge around them.

The core (`state`, `pile`, `sale`, `opening`, `turn`, `recruit`, `ending`) works on numbers; names
and letters exist in `plays`, `reading`, `choices`, `view`, `table`, `lines`, `game`, `rules` and
`position` only. A card has no behaviour of its own: all that the cards are stands in `deck.toml`,
or in the deck file of a table (`deckfile`). Rulings are cited as AMB-n.
"""
