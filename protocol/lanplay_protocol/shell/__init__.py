"""The shell around the protocol core: sockets, clocks and threads, and no decisions."""
