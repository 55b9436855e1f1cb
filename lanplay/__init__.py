"""Dice and card games between the laptops of one network."""

__version__ = "0.1.0"
