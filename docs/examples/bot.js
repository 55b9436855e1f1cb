#!/usr/bin/env node
// A bot in JavaScript: keeps pairs and better of what it has most, robs and buys at random.
//
//   lanplay simulate dice-town --seats 2 --bot "cmd:node docs/examples/bot.js" --bot strong
//
// One JSON object per line comes in; for each question one goes out. The program sees what its
// seat sees, and ends when its input ends. What is written to standard error is shown.
"use strict";

const seeds = new Map(); // by match, from its key: games can be repeated, and mixed

function random(match, limit) {
  seeds.set(match, (Math.imul(seeds.get(match), 1103515245) + 12345) >>> 0);
  return Math.floor((seeds.get(match) / 4294967296) * limit);
}

function keep({ view, answers }) {
  const mine = view.table.dice[view.seat].concat(view.cup);
  const have = (face) => mine.filter((each) => each === face).length;
  const worth = ([places]) =>
    places.reduce((sum, place) => sum + have(view.cup[place]) - 1.9, places.length ? 0 : -9);
  return answers.reduce((best, each) => (worth(each) > worth(best) ? each : best));
}

function answer(message) {
  if (message.question.name === "keep") return keep(message);
  return message.answers[random(message.match, message.answers.length)];
}

function receive(line) {
  const message = JSON.parse(line);
  if (message.type === "game") {
    seeds.set(message.match, parseInt(message.key.slice(0, 8), 16));
  } else if (message.type === "question") {
    console.log(JSON.stringify({ id: message.id, answer: answer(message) }));
  } else if (message.type === "over") {
    seeds.delete(message.match);
  }
}

require("node:readline").createInterface({ input: process.stdin }).on("line", receive);
