"""What front ends share: a person's way through a question, the scene, commands, alerts, rules.

All of it is pure: it draws nothing, reads nothing from a person and knows no network.
"""
