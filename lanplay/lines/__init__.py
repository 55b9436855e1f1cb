"""The line interface: append-only lines out, lines in. For pipes, logs and screen readers."""
