"""The replica driver: answers, dice and cards come from peers, none of whom is trusted."""
