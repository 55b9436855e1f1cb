"""Bots for Dice Town: readable rules over exact odds."""
