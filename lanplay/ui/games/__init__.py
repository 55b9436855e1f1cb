"""What all front ends show of our games alike: where points came from."""
