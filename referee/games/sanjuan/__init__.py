"""San Juan: the cards, one module for each phase of the rule book, and the edge around them."""
