"""What fills the terminal: each module is a screen, drawn by pure functions of its state."""
