"""How long people wait in reaction windows, and what their times tell."""
