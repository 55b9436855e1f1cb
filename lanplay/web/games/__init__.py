"""One board per game, named by its manifest; a game without one is shown in words."""
