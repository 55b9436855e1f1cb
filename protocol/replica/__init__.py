"""The replica driver: a game whose answers, dice and cards come from peers, none of them trusted."""
