"""The commands: each module here is one, see `lanplay.cli`."""
