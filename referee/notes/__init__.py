"""Notes: the signed texts that players send, and finding them in what people save and email."""
