"""The command line of lanplay."""
