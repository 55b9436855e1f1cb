"""Mental poker, verifiable dice and sealed messages over the prime-order group of edwards25519.

Pure functions: no clock, no system randomness, no I/O. What must be unpredictable comes in as a
32-byte ``seed``, unique per use, or is derived from a secret key and the whole statement, so that
a restarted peer says the same bytes again. ``docs/protocol.md`` holds encodings, labels, formulas.
"""
