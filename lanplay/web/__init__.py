"""The browser as a front end: pages drawn here, from what a seat may see, and taps taken back."""
