"""Authenticated and encrypted connections between two programs, sans-I/O."""
