"""How the peers of one table talk: a sans-I/O core and a thin shell that moves its bytes."""
