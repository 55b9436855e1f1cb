"""The game engine: rules as coroutines, what they ask, and the referee that runs them.

Nothing here knows of networks, terminals, bots, clocks or global randomness.
"""
