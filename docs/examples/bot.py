#!/usr/bin/env python3
"""A bot that is a program of its own: keeps what it has most of, else takes the first answer.

lanplay simulate dice-town --seats 2 --bot "cmd:python3 docs/examples/bot.py" --bot strong
"""

import json
import sys


def most(question: dict) -> int:
    """Return the place of the best answer to a Dice Town question in its list of answers."""
    answers, view = question["answers"], question["view"]
    if question["question"]["name"] != "keep":
        return 0
    have = view["table"]["dice"][view["seat"]] + view["cup"]
    kept = [[view["cup"][place] for place in places] for places, _ in answers]
    worth = [sum(have.count(face) - 1 for face in each) - 2 * len(each) for each in kept]
    return worth.index(max(worth))


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "question":
        answer = message["answers"][most(message)]
        print(json.dumps({"id": message["id"], "answer": answer}), flush=True)
