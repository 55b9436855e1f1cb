"""Learn a game of lanplay by policy gradient, with numpy alone: learn.py GAME MINUTES BOT..."""

import sys
import time
from typing import Any

import numpy as np

from lanplay.env import batch_env

HIDDEN, RATE, SAMPLES, PASSES, CLIP, ENTROPY, LAMBDA = 64, 7e-4, 8192, 4, 0.2, 0.005, 0.97
SIGHT = {"buried: you": 1, "buried: the next seat": -1, "bones: you: 1": 0.3, "bones: you: 2": 0.6}


def charidice(words: list[str], first: int) -> Any:
    """Return what is known of the dice that each action keeps or scores: (row, feature, action)."""
    kept = np.array([[f"die {die}" in each for die in range(1, 7)] for each in words])
    kept ^= [[each.startswith(("roll again", "stop"))] for each in words]
    size, faces = kept.sum(1).astype(int), np.arange(1, 7, dtype=np.float32)
    equal, row = np.array([0, 0, 0, 0, 15, 30, 60]), np.array([0, 0, 0, 0, 25, 40, 50])

    def known(x: Any) -> Any:
        dice = x[:, first : first + 36].reshape(-1, 6, 6)
        numbers = kept @ dice
        colours = kept @ np.stack([np.roll(dice[:, die], die, 1) for die in range(6)], 1)
        alike, tinted, there = numbers.max(2), colours.max(2), numbers > 0
        gift = (dice.sum(1)[:, None] - numbers) @ (faces * (1 + (faces > 4)))
        long = np.where(there, faces, 0).max(2) - np.where(there, faces, 7).min(2) + 1
        bonus = np.where(long == size, row[size], 15 * (size == 4)) * (tinted == size)
        sums = [numbers @ faces, gift, np.where(alike == size, equal[size], bonus)]
        found = [each / 10 for each in sums] + [(each == size) * each for each in (alike, tinted)]
        found += [each >= least for each in (alike, tinted) for least in range(2, 7)]
        found += [kept[:, die] + 0 * alike for die in range(6)]
        return np.stack(found, 1, dtype=np.float32, casting="unsafe")

    return known


class Policy:
    """What a seat does and what it expects to get, from an observation."""

    def __init__(self, game: str, env: Any, random: np.random.Generator) -> None:
        self.scale = 1 / np.sqrt(env.observation_space["observation"].high)
        places, words = [at.words for at in env.observation_space.places], env.action_space.words
        self.sight = np.array([SIGHT.get(each, 0) for each in places], np.float32)
        self.known = lambda x: np.zeros((len(x), 0, len(words)), np.float32)
        if game == "charidice":
            self.known = charidice(words, places.index("dice: die 1: 1"))
        outs = len(words) + self.known(self.scale[None]).shape[1]
        shapes = ((len(places), HIDDEN), HIDDEN, (HIDDEN, outs), outs, HIDDEN)
        self.weights = [np.zeros(shape, np.float32) for shape in shapes]
        self.weights[0] += random.standard_normal(shapes[0], np.float32) / 20
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]

    def look(self, x: Any, mask: Any) -> tuple[Any, ...]:
        """Return the hidden layer, what is known, how likely each action is, and the value."""
        inner, shift, outer, bias, value = self.weights
        hidden = np.tanh((x * self.scale) @ inner + shift)
        known, out, own = self.known(x), hidden @ outer + bias, mask.shape[1]
        scores = np.where(mask, out[:, :own] + (out[:, None, own:] @ known)[:, 0], -1e9)
        odds = np.exp(scores - scores.max(1)[:, None])
        return hidden, known, odds / odds.sum(1, keepdims=True), hidden @ value

    def learn(self, x: Any, mask: Any, action: Any, old: Any, better: Any, target: Any) -> None:
        """Take a step uphill (Adam); actions that have changed by ``CLIP`` are left alone."""
        hidden, known, odds, values = self.look(x, mask)
        rows, logs = np.arange(len(action)), np.log(odds + 1e-9)
        ratio = odds[rows, action] / old
        better = np.where(np.sign(better) * (ratio - 1) > CLIP, 0, ratio * better)
        uphill = -odds * (better[:, None] + ENTROPY * (logs - (odds * logs).sum(1, keepdims=True)))
        uphill[rows, action] += better
        uphill = np.concatenate([uphill, (known @ uphill[:, :, None])[:, :, 0]], 1)
        missed = (target - values) / 2
        back = (uphill @ self.weights[2].T + np.outer(missed, self.weights[4])) * (1 - hidden**2)
        slopes = [(x * self.scale).T @ back, back.sum(0)]
        slopes += [hidden.T @ uphill, uphill.sum(0), hidden.T @ missed]
        for weight, (mean, square), slope in zip(self.weights, self.moments, slopes, strict=True):
            mean += 0.1 * (slope / len(x) - mean)
            square += 0.01 * ((slope / len(x)) ** 2 - square)
            weight += RATE * mean / (np.sqrt(square) + 1e-8)


def play(policy: Policy, game: str, bot: str, games: int, seed: int) -> tuple[float, float]:
    """Return the share of wins against a bot in so many games, and half its 95 % interval."""
    env = batch_env(game, 100, opponents=[bot])
    batch, random = env.reset(seed=seed), np.random.default_rng(seed)
    shares: list[list[float]] = [[] for _ in range(env.games)]
    while min(map(len, shares)) < games // env.games:
        places = env.places
        *_, odds, _ = policy.look(batch.observation, batch.mask)
        batch = env.step((odds / random.exponential(size=odds.shape)).argmax(1))
        for row in np.flatnonzero(batch.terminated):
            shares[row].append(batch.reward[row, places[row]] + 0.5)
    won = np.array([each[: games // env.games] for each in shares])
    return float(won.mean()), float(1.96 * won.std() / np.sqrt(won.size))


def train(game: str, minutes: float, bots: list[str]) -> None:
    """Play and learn for some minutes; keep the weights and the curve, and say how it ends."""
    random, env = np.random.default_rng(1), batch_env(game, 64, reward="score")
    policy, batch = Policy(game, env, random), env.reset(seed=1)
    paths: dict[tuple[int, int], list[Any]] = {}
    ready, curve, played, spread, begun = [], [], 0, 1.0, time.monotonic()
    while (spent := (time.monotonic() - begun) / 60) < minutes:
        if spent >= len(curve) * minutes / 6:
            curve.append([spent, played, *[play(policy, game, bot, 100, 10**6)[0] for bot in bots]])
            print(game, *[f"{number:.3f}" for number in curve[-1]], flush=True)
        *_, odds, values = policy.look(batch.observation, batch.mask)
        action = (odds / random.exponential(size=odds.shape)).argmax(1)
        old = odds[np.arange(len(odds)), action]
        for row, at in enumerate(zip(*batch[:2], action, old, values, strict=True)):
            paths.setdefault((row, int(batch.seat[row])), []).append(at)
        batch = env.step(action)
        for row in np.flatnonzero(batch.terminated):
            played += 1
            spread = max(0.1, spread + 0.01 * (np.abs(batch.reward[row]).mean() - spread))
            for seat, reward in enumerate(batch.reward[row] / spread):
                if path := paths.pop((row, seat), None):
                    x, mask, action, old, values = map(np.array, zip(*path, strict=True))
                    worth = values + x @ policy.sight / spread
                    ahead = np.abs(np.subtract.outer(range(len(x)), range(len(x))))
                    better = np.triu(LAMBDA**ahead) @ (np.append(worth[1:], reward) - worth)
                    ready.append((x, mask, action, old, better, np.float32(better + values)))
        if sum(len(each[2]) for each in ready) >= SAMPLES:
            *seen, better, target = map(np.concatenate, zip(*ready, strict=True))
            better = np.float32((better - better.mean()) / (better.std() + 1e-6))
            for part in (random.integers(len(better), size=1024) for _ in range(PASSES * 8)):
                policy.learn(*[each[part] for each in (*seen, better, target)])
            ready = []
    np.savez(f"{game}.npz", *policy.weights)
    draw(game, bots, np.array(curve).T)
    for bot in bots:
        won, half = play(policy, game, bot, 2000, 10**7)
        print(f"{game}: {won:.3f} ± {half:.3f} of the wins against {bot}, after {played} games")


def draw(game: str, bots: list[str], curve: Any) -> None:
    """Draw the share of wins against each bot by minutes of learning."""
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 280" font-size="13">']
    lines += [f'<text y="{265 - 2.4 * at}">{at} %</text>' for at in (0, 50, 100)]
    for bot, won, colour in zip(bots, curve[2:], ("teal", "crimson", "navy"), strict=False):
        points = np.c_[40 + 420 * curve[0] / curve[0].max(), 260 - 240 * won].ravel().astype(int)
        line = " ".join(map(str, points))
        lines += [f'<polyline points="{line}" fill="none" stroke="{colour}"/>']
        lines += [f'<text x="465" y="{265 - 240 * won[-1]}" fill="{colour}">{game}: {bot}</text>']
    np.savetxt(f"{game}.svg", [*lines, "</svg>"], "%s")


if __name__ == "__main__":
    train(sys.argv[1], float(sys.argv[2]), sys.argv[3:])
