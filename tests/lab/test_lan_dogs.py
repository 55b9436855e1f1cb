"""A Dog's Life in the LAN laboratory: laptops that leave inside a fight and inside the pound."""

from __future__ import annotations

import json
import re
import sys
import time

import pytest

from scripts.campaigns.agreement import difference
from scripts.campaigns.lan_laptop import LabError

LAPTOPS = 3
LIMIT = 250.0
MOMENTS = {
    "fight": r"(?m)^\W*(guest\d) attacks: |attacks: (guest\d)\.",
    "pound": r"(?m)^\W*(guest\d) (?:stays in|loses the fight and goes to|is caught and goes to) ",
}
"""What the host's log says when a guest is in the middle of it."""
ROUNDS = {"fight": 15, "pound": 10}


def start(lab, rounds):
    """Start a host and guests that play so many rounds at random; return their processes.

    Random dogs fight a dozen times in a game, others hardly ever.
    """
    lanplay = [sys.executable, "-m", "lanplay"]
    common = ["--auto", "random", "--json", "--trust-new"]
    host = [*lanplay, "host", "dogs-life", "--seats", "6", "--people", str(LAPTOPS)]
    host += [
        "--option",
        f"rounds={rounds}",
        "--bot",
        "random",
        "--name",
        "host",
        "--grace",
        "1",
        *common,
    ]
    guest = [*lanplay, "join", "--wait", "60"]
    lines = [host, *([*guest, "--name", f"guest{n}", *common] for n in range(1, LAPTOPS))]
    env = {"PYTHONUNBUFFERED": "1"}
    return [laptop.start(line, env=env) for laptop, line in zip(lab.laptops, lines, strict=True)]


def who_is_in(host, moment):
    """Return the number of the guest that is the first to be in a fight, or in the pound."""
    until = time.monotonic() + LIMIT
    while time.monotonic() < until and host.poll() is None:
        found = re.search(MOMENTS[moment], host.output())
        if found is not None:
            return int(next(filter(None, found.groups())).removeprefix("guest"))
        time.sleep(0.02)
    raise LabError(f"no guest comes into the {moment}; output: {host.output()[-1000:]}")


@pytest.mark.sweep(2)
@pytest.mark.parametrize("moment", MOMENTS)
def test_the_others_play_on_without_the_laptop_that_left(lan, moment):
    """DL-3.2 k, DL-3.4: its program ends there and then, AI has its dog, all others end alike."""
    programs = start(lan(LAPTOPS), ROUNDS[moment])
    gone = who_is_in(programs[0], moment)
    programs[gone].kill()
    results = []
    for number, process in enumerate(programs):
        if number != gone:
            process.wait(timeout=LIMIT)
            results.append(json.loads(process.output().strip().splitlines()[-1]))
    assert difference(results) is None
    assert not any(result["held"] for result in results)
    assert results[0]["winners"]
