"""Learn games of lanplay by policy gradient, with numpy alone (see docs/learning.md).

A policy with one hidden layer plays both seats. What brought a seat more points than the other is
made more likely, against a baseline that the same layer estimates. At the end it plays 2,000 fresh
games against each bot, and says what it won with the 95 % interval. The curves are drawn as SVG.

    python learn.py charidice --minutes 15 --against random beginner
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from lanplay.env import batch_env

HIDDEN, RATE, SAMPLES, ENTROPY, LAMBDA = 128, 1e-3, 4096, 0.01, 0.97


class Policy:
    """What a seat does and what it expects to get, from an observation."""

    def __init__(self, space: Any, actions: int, random: np.random.Generator) -> None:
        box = space["observation"]
        self.scale = 1 / np.sqrt(np.maximum(np.abs(box.low), np.abs(box.high)))
        shapes = ((len(box.low), HIDDEN), HIDDEN, (HIDDEN, actions), actions, HIDDEN)
        self.weights = [np.zeros(shape, np.float32) for shape in shapes]
        self.weights[0] += random.standard_normal(shapes[0], np.float32) / 20
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]
        self.steps = 0

    def layers(self, x: Any) -> tuple[Any, Any, Any]:
        """Return the hidden layer, a score for each action, and the value."""
        inner, shift, outer, bias, value = self.weights
        hidden = np.tanh((x * self.scale) @ inner + shift)
        return hidden, hidden @ outer + bias, hidden @ value

    def choose(self, x: Any, mask: Any, random: np.random.Generator) -> tuple[Any, Any]:
        """Return an action by lot for each row, and the values."""
        _, scores, values = self.layers(x)
        noise = random.gumbel(size=scores.shape)
        return np.argmax(np.where(mask, scores + noise, -np.inf), axis=1), values

    def learn(self, x: Any, mask: Any, action: Any, better: Any, target: Any) -> None:
        """Take a step uphill (Adam): ``better`` says by how much each action was."""
        hidden, scores, values = self.layers(x)
        scores = np.where(mask, scores, -1e9)
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        logs = np.log(odds + 1e-9)
        uphill = -odds * (better[:, None] + ENTROPY * (logs - (odds * logs).sum(1, keepdims=True)))
        uphill[np.arange(len(action)), action] += better
        missed = (target - values) / 2
        back = (uphill @ self.weights[2].T + np.outer(missed, self.weights[4])) * (1 - hidden**2)
        first = (x * self.scale).T @ back
        slopes = (first, back.sum(0), hidden.T @ uphill, uphill.sum(0), hidden.T @ missed)
        self.steps += 1
        rate = RATE * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for weight, (mean, square), slope in zip(self.weights, self.moments, slopes, strict=True):
            mean += 0.1 * (slope / len(x) - mean)
            square += 0.001 * ((slope / len(x)) ** 2 - square)
            weight += rate * mean / (np.sqrt(square) + 1e-8)


def advantages(values: Any, reward: float) -> tuple[Any, Any]:
    """Return by how much each choice of a seat was better than expected, and what to expect."""
    following = np.append(values[1:], np.float32(reward))
    better, found = 0.0, np.empty(len(values), np.float32)
    for at in reversed(range(len(values))):
        better = found[at] = following[at] - values[at] + LAMBDA * better
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


def train(game: str, minutes: float, seed: int, bots: list[str], out: Path) -> None:
    """Play and learn for some minutes; keep the weights and the curve, and say how it ends."""
    random = np.random.default_rng(seed)
    env = batch_env(game, 32, reward="score")
    policy = Policy(env.observation_space, int(env.action_space.n), random)
    batch = env.reset(seed=seed)
    paths: dict[tuple[int, int], list[Any]] = {}
    ready: list[Any] = []
    curve: list[list[float]] = []
    played, spread, begun = 0, 1.0, time.monotonic()
    while (spent := (time.monotonic() - begun) / 60) < minutes:
        if spent >= len(curve) * minutes / 12:
            curve.append([spent, played, *[play(policy, game, bot, 200, 10**6)[0] for bot in bots]])
            np.savetxt(out / f"{game}.csv", curve, "%.3f", header=" ".join(bots))
            print(game, *[f"{number:.3f}" for number in curve[-1]], flush=True)
        action, values = policy.choose(batch.observation, batch.mask, random)
        for row, here in enumerate(zip(batch.observation, batch.mask, action, values, strict=True)):
            paths.setdefault((row, int(batch.seat[row])), []).append(here)
        batch = env.step(action)
        for row in np.flatnonzero(batch.terminated):
            played += 1
            spread += 0.01 * (np.abs(batch.reward[row]).mean() - spread)
            for seat, reward in enumerate(batch.reward[row]):
                if path := paths.pop((row, seat), None):
                    *seen, expected = map(np.array, zip(*path, strict=True))
                    ready.append((*seen, *advantages(expected, reward / max(spread, 0.1))))
        if sum(len(each[2]) for each in ready) >= SAMPLES:
            x, mask, action, better, target = map(np.concatenate, zip(*ready, strict=True))
            better = (better - better.mean()) / (better.std() + 1e-6)
            for part in np.array_split(random.permutation(len(x)), len(x) // 1024):
                policy.learn(x[part], mask[part], action[part], better[part], target[part])
            ready = []
    np.savez(out / f"{game}.npz", *policy.weights)
    for bot in bots:
        won, half = play(policy, game, bot, 2000, 10**7)
        print(f"{game}: {won:.3f} ± {half:.3f} of the wins against {bot}, after {played} games")


def draw(out: Path) -> None:
    """Draw all curves that there are: the share of wins by minutes of learning."""
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 300" font-size="13">']
    lines += ['<rect width="700" height="300" fill="white"/>']
    for percent in (0, 50, 100):
        y = 260 - 2.4 * percent
        lines += [
            f'<path d="M40 {y}H460" stroke="#ccc"/><text x="5" y="{y + 4}">{percent} %</text>'
        ]
    for path in sorted(out.glob("*.csv")):
        curve = np.loadtxt(path, ndmin=2).T
        for bot, won in zip(path.read_text().split("\n")[0].split()[1:], curve[2:], strict=True):
            points = zip(40 + 420 * curve[0] / curve[0].max(), 260 - 240 * won, strict=True)
            style = f'stroke="hsl({47 * len(lines) % 360} 80% 40%)"'
            place = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
            label = f"{path.stem} against {bot}, {curve[0].max():.0f} minutes"
            lines += [f'<polyline points="{place}" fill="none" {style}/>']
            lines += [f'<text x="475" y="{12 * len(lines)}" {style}>{label}</text>']
    (out / "curves.svg").write_text("\n".join([*lines, "</svg>"]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--against", nargs="+", default=["random"], metavar="BOT")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("curves"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    train(args.game, args.minutes, args.seed, args.against, args.out)
    draw(args.out)
