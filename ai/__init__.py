"""Players that are programs: each answers the questions of a game from one seat's view."""
