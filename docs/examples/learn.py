"""Learn games of lanplay by policy gradient, with numpy alone (see docs/learning.md).

python learn.py charidice --minutes 15 --against random beginner
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from lanplay.env import batch_env

HIDDEN, RATE, SAMPLES, PASSES, CLIP, ENTROPY = 256, 7e-4, 8192, 4, 0.2, 0.005
LAMBDA = 0.97


class Policy:
    """What a seat does and what it expects to get, from an observation."""

    def __init__(self, space: Any, actions: int, random: np.random.Generator) -> None:
        self.scale = 1 / np.sqrt(space["observation"].high)
        shapes = ((len(self.scale), HIDDEN), HIDDEN, (HIDDEN, actions), actions, HIDDEN)
        self.weights = [np.zeros(shape, np.float32) for shape in shapes]
        self.weights[0] += random.standard_normal(shapes[0], np.float32) / 20
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]
        self.steps = 0

    def look(self, x: Any, mask: Any) -> tuple[Any, Any, Any]:
        """Return the hidden layer, how likely each action is, and the value."""
        inner, shift, outer, bias, value = self.weights
        hidden = np.tanh((x * self.scale) @ inner + shift)
        scores = np.where(mask, hidden @ outer + bias, -1e9)
        odds = np.exp(scores - scores.max(1, keepdims=True))
        return hidden, odds / odds.sum(1, keepdims=True), hidden @ value

    def choose(self, x: Any, mask: Any, random: np.random.Generator) -> tuple[Any, Any, Any]:
        """Return an action by lot for each row, how likely it was, and the values."""
        _, odds, values = self.look(x, mask)
        action = (np.log(odds + 1e-30) + random.gumbel(size=odds.shape)).argmax(1)
        return action, odds[np.arange(len(action)), action], values

    def learn(self, x: Any, mask: Any, action: Any, old: Any, better: Any, target: Any) -> None:
        """Take a step uphill (Adam); actions that have changed by ``CLIP`` are left alone."""
        hidden, odds, values = self.look(x, mask)
        rows, logs = np.arange(len(action)), np.log(odds + 1e-9)
        ratio = odds[rows, action] / old
        better = np.where(np.sign(better) * (ratio - 1) > CLIP, 0, ratio * better)
        uphill = -odds * (better[:, None] + ENTROPY * (logs - (odds * logs).sum(1, keepdims=True)))
        uphill[rows, action] += better
        missed = (target - values) / 2
        back = (uphill @ self.weights[2].T + np.outer(missed, self.weights[4])) * (1 - hidden**2)
        slopes = [(x * self.scale).T @ back, back.sum(0)]
        slopes += [hidden.T @ uphill, uphill.sum(0), hidden.T @ missed]
        self.steps += 1
        rate = RATE * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for weight, (mean, square), slope in zip(self.weights, self.moments, slopes, strict=True):
            mean += 0.1 * (slope / len(x) - mean)
            square += 0.001 * ((slope / len(x)) ** 2 - square)
            weight += rate * mean / (np.sqrt(square) + 1e-8)


def advantages(values: Any, reward: float) -> tuple[Any, Any]:
    """Return by how much each choice of a seat was better than expected, and what to expect."""
    errors = np.append(values[1:], reward) - values
    better, found = 0.0, np.empty(len(values), np.float32)
    for at in reversed(range(len(values))):
        better = found[at] = errors[at] + LAMBDA * better
    return found, found + values


def play(policy: Policy, game: str, bot: str, games: int, seed: int) -> tuple[float, float]:
    """Return the share of wins against a bot in so many games, and half its 95 % interval."""
    env = batch_env(game, 100, opponents=[bot])
    batch, random = env.reset(seed=seed), np.random.default_rng(seed)
    shares: list[list[float]] = [[] for _ in range(env.games)]
    while min(map(len, shares)) < games // env.games:
        places = env.places
        batch = env.step(policy.choose(batch.observation, batch.mask, random)[0])
        for row in np.flatnonzero(batch.terminated):
            shares[row].append(batch.reward[row, places[row]] + 0.5)
    won = np.array([each[: games // env.games] for each in shares])
    return float(won.mean()), float(1.96 * won.std() / np.sqrt(won.size))


def train(game: str, minutes: float, bots: list[str], out: Path) -> None:
    """Play and learn for some minutes; keep the weights and the curve, and say how it ends."""
    random, env = np.random.default_rng(1), batch_env(game, 32, reward="score")
    policy = Policy(env.observation_space, int(env.action_space.n), random)
    batch = env.reset(seed=1)
    paths: dict[tuple[int, int], list[Any]] = {}
    ready, curve = [], []
    played, spread, begun = 0, 1.0, time.monotonic()
    while (spent := (time.monotonic() - begun) / 60) < minutes:
        if spent >= len(curve) * minutes / 6:
            curve.append([spent, played, *[play(policy, game, bot, 100, 10**6)[0] for bot in bots]])
            np.savetxt(out / f"{game}.csv", curve, "%.3f", header=" ".join(bots))
            print(game, *[f"{number:.3f}" for number in curve[-1]], flush=True)
        chosen = policy.choose(batch.observation, batch.mask, random)
        for row, here in enumerate(zip(batch.observation, batch.mask, *chosen, strict=True)):
            paths.setdefault((row, int(batch.seat[row])), []).append(here)
        batch = env.step(chosen[0])
        for row in np.flatnonzero(batch.terminated):
            played += 1
            spread = max(0.1, spread + 0.01 * (np.abs(batch.reward[row]).mean() - spread))
            for seat, reward in enumerate(batch.reward[row]):
                if path := paths.pop((row, seat), None):
                    x, mask, action, old, values = map(np.array, zip(*path, strict=True))
                    ready += [(x, mask, action, old, *advantages(values, reward / spread))]
        if sum(len(each[2]) for each in ready) >= SAMPLES:
            *known, better, target = map(np.concatenate, zip(*ready, strict=True))
            better = (better - better.mean()) / (better.std() + 1e-6)
            for part in (random.integers(len(better), size=1024) for _ in range(PASSES * 8)):
                policy.learn(*[each[part] for each in (*known, better, target)])
            ready = []
    np.savez(out / f"{game}.npz", *policy.weights)
    draw(out)
    for bot in bots:
        won, half = play(policy, game, bot, 2000, 10**7)
        print(f"{game}: {won:.3f} ± {half:.3f} of the wins against {bot}, after {played} games")


def draw(out: Path) -> None:
    """Draw all curves that there are: the share of wins by minutes of learning."""
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 300" font-size="13">']
    lines += ['<path d="M0 0H700V300H0Z" fill="white"/><path d="M40 140H460" stroke="#ccc"/>']
    lines += [f'<text y="{265 - 2.4 * at}">{at} %</text>' for at in (0, 50, 100)]
    for path in sorted(out.glob("*.csv")):
        minutes, _, *shares = np.loadtxt(path, ndmin=2).T
        for bot, won in zip(path.read_text().split("\n")[0].split()[1:], shares, strict=True):
            points = zip(40 + 420 * minutes / minutes.max(), 260 - 240 * won, strict=True)
            colour = f"hsl({67 * len(lines) % 360} 80% 40%)"
            place = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
            lines += [f'<polyline points="{place}" fill="none" stroke="{colour}"/>']
            lines += [
                f'<text x="470" y="{12 * len(lines)}" fill="{colour}">{path.stem}: {bot}</text>'
            ]
    (out / "curves.svg").write_text("\n".join([*lines, "</svg>"]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--against", nargs="+", default=["random"], metavar="BOT")
    parser.add_argument("--out", type=Path, default=Path("curves"))
    args = parser.parse_args()
    args.out.mkdir(exist_ok=True)
    train(args.game, args.minutes, args.against, args.out)
