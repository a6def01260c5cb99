"""Cryptography: hashes, SSH keys and signatures, sealed texts. It knows of no game."""
