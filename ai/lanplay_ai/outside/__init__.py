"""Bots that are programs of their own: JSON lines over standard input and output (docs/bots.md)."""
