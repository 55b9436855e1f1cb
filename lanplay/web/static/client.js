// Shows the regions that the laptop sends, and sends taps back. It knows no game.
"use strict";

const STALE_MS = 12000, BEAT_MS = 10000, GUARD_MS = 350, MOVE_MS = 350;
const $ = (id) => document.getElementById(id);
const still = () => document.documentElement.classList.contains("still") ||
  matchMedia("(prefers-reduced-motion: reduce)").matches;
let stream, heard = 0, asked = "", askedAt = 0;

// -- morphing: make one element like another; what has a key is moved and never rebuilt ----------

const moved = [];  // what is elsewhere in a picture now, and where it was
const keyOf = (node) => node.nodeType === 1 ? node.id || node.dataset.key : undefined;
const LEFT_ALONE = ["open", "hidden"], SURE = "[data-do='sure.yes']";

function morph(old, fresh) {
  const own = old.nodeName === "DETAILS" ? LEFT_ALONE : [];
  for (const { name } of [...old.attributes])
    if (!fresh.hasAttribute(name) && !own.includes(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    const before = old.getAttribute(name);
    if (before === value || own.includes(name)) continue;
    if (name === "transform" && before && "move" in old.dataset) moved.push([old, before]);
    old.setAttribute(name, value);
  }
  if (old.nodeName === "INPUT" || old.nodeName === "SELECT") return;
  const known = new Map([...old.childNodes].filter(keyOf).map((each) => [keyOf(each), each]));
  let at = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const key = keyOf(child);
    let same = key ? known.get(key) : at;
    known.delete(key);
    if (same && (same.nodeName !== child.nodeName || (!key && keyOf(same)))) same = undefined;
    if (!same) { old.insertBefore(child, at); continue; }
    if (same === at) at = at.nextSibling; else old.insertBefore(same, at);
    if (same.nodeType === 1) morph(same, child);
    else if (same.data !== child.data) same.data = child.data;
  }
  while (at) { const next = at.nextSibling; at.remove(); at = next; }
}

function parsed(text) {
  const holder = document.createElement("template");
  holder.innerHTML = text;
  return holder.content.firstElementChild;
}

// -- showing ---------------------------------------------------------------------------------------

function show({ regions, first, look, lang }) {
  const root = document.documentElement, heard = sounds();
  if (root.className !== look) root.className = look;
  if (!first && root.lang !== lang) return location.reload();  // what no region says is in that language too
  root.lang = lang;
  const sure = !!document.querySelector(SURE);
  const before = document.activeElement, typed = before && before.closest("input, select, textarea");
  const counts = first ? new Map() : numbers();
  const ends = [...document.querySelectorAll("[data-end]")].map((list) =>
    [list, list.scrollHeight - list.scrollTop - list.clientHeight < 40]);
  const steps = regions.stage && !first && !still() && parsed(regions.stage).dataset.steps;
  const [reveals, moves] = JSON.parse(steps || "[[],[]]");
  if (first) owed.clear();
  if (document.querySelector(".result") && regions.head && "over" in parsed(regions.head).dataset) {
    regions.alerts = regions.board.replace('id="board"', 'id="alerts"');  // a farewell leaves the result to be read
    delete regions.board;
  }
  for (const [sign, amount, giver, taker] of moves) {
    owe(`${sign}.${taker}`, amount);
    owe(`${sign}.${giver}`, -amount);
  }
  for (const [id, text] of Object.entries(regions)) morph($(id), lagging(parsed(text)));
  widen();
  nearer();
  fit();
  for (const [list, atEnd] of ends) if (atEnd || first) list.scrollTop = list.scrollHeight;
  if (!first && lively()) {
    const end = unfold(reveals, moves);
    moved.forEach(travel);
    float(counts, end);
  }
  moved.length = 0;
  const question = document.querySelector("[data-rev]")?.dataset.rev || "";
  if (question !== asked) { asked = question; askedAt = performance.now(); bring(); }
  else if (regions.reply) bring();  // what is said of the question covers what it is about
  if (!typed && before !== document.body && !document.contains(before)) {
    const todo = document.querySelector("#board [data-do], #own [data-do], #ask [data-do]");
    (todo || $("asked") || document.body).focus({ preventScroll: !todo?.closest("#board") });
  } else if (typed && !document.contains(before)) $(before.id)?.focus();
  if (!sure && document.querySelector(SURE)) $("asked").focus({ preventScroll: true });
  turn($("head").dataset);
  if (sounds().over && !heard.over) { scrollTo(0, 0); finish(); }
  if (!first) sing(heard, sounds());
}

const sounds = () => ({ over: !!document.querySelector(".result"), turn: !!$("head").dataset.turn,
  said: document.querySelectorAll(".lines .note").length, log: document.querySelector(".lines li:last-child")?.dataset.key });
let speaker;

function sing(before, now) {  // who wants it hears four tones: the end, a turn, a word, a move
  if (!document.documentElement.classList.contains("sound")) return;
  const tone = now.over && !before.over ? [523, 784] : now.turn && !before.turn ? [659, 880] :
    now.said > before.said ? [440] : now.log !== before.log ? [294] : [];
  if (!tone.length || document.visibilityState !== "visible") return;
  speaker ??= new AudioContext();
  tone.forEach((pitch, place) => {
    const voice = new OscillatorNode(speaker, { frequency: pitch, type: "triangle" });
    const volume = new GainNode(speaker, { gain: 0.12 }), from = speaker.currentTime + place * 0.12;
    volume.gain.exponentialRampToValueAtTime(0.001, from + 0.16);
    voice.connect(volume).connect(speaker.destination);
    voice.start(from);
    voice.stop(from + 0.18);
  });
}

const seen = new WeakSet();

function widen() {  // what a broad screen has room for is open there, until it is closed
  for (const each of document.querySelectorAll("details[data-wide]")) {
    if (!seen.has(each) && !narrow()) each.open = true;
    seen.add(each);
  }
}

const narrow = () => matchMedia("(max-width: 77.99rem)").matches;

function nearer() {  // a small screen shows the part of a map that matters
  for (const each of document.querySelectorAll("svg[data-near]")) {
    each.whole ??= each.getAttribute("viewBox");
    each.setAttribute("viewBox", narrow() ? each.dataset.near : each.whole);
  }
}

function uncovered() {  // from where to where the board is seen; the dock lies beside it, or over it
  const dock = document.querySelector(".dock").getBoundingClientRect();
  return [Math.max(0, $("head").getBoundingClientRect().bottom), dock.left > innerWidth / 3 ? innerHeight : dock.top];
}

function bring() {  // where none of the things to tap is in sight, the first one is brought there
  const [top, bottom] = uncovered();
  const boxes = [...document.querySelectorAll("#board [data-rev]")].map((each) => each.getBoundingClientRect());
  if (!boxes.length || boxes.some((each) => each.top >= top && each.bottom <= bottom)) return;
  scrollBy({ top: boxes[0].top - top - 48, behavior: still() ? "instant" : "smooth" });
}

function fit() {  // a big screen shows the whole board, as large as it can be
  const board = document.querySelector(".tv #board");
  if (!board?.firstElementChild) return;
  for (let zoom = 1.6; zoom > 0.4; zoom -= 0.1) {
    board.firstElementChild.style.zoom = zoom;
    if (board.scrollHeight <= board.clientHeight + 1 && board.scrollWidth <= board.clientWidth + 1) return;
  }
}

const every = (what) => [...document.querySelectorAll(what)];
const numbers = () => new Map(every("[data-count]").map((each) =>
  [each.dataset.count, Number(each.textContent)]));

function float(before, after) {  // what a score has gained rises beside it
  for (const each of every("[data-count]")) {
    const was = before.get(each.dataset.count) ?? Number(each.textContent);
    rise(each, Number(each.textContent) - was, after);
  }
}

// -- staging: a change is seen happening over the truth, which any tap or key brings at once -------

const owed = new Map(), truth = new Map();  // by what is counted whose: how much is still on its way
const LIFT = { opacity: [1, 1, 0], transform: ["none", "translateY(-55%) rotate(-14deg)",
  "translateY(-110%) rotate(-22deg)"] };
const TUMBLE = { opacity: [0, 1, 1], transform: ["translateY(-60px) rotate(-220deg) scale(.6)",
  "translateY(4px) rotate(9deg)", "none"] };
const TURN = { opacity: [0, 1], transform: ["rotateY(90deg)", "none"] };
const WAYS = { cup: LIFT, die: TUMBLE, card: TURN };
const lively = () => !still() && $("stage").dataset.steps;
const staged = (element, frames, delay, duration, how) => element.animate(frames,
  { id: "stage", fill: "backwards", easing: "ease-out", delay, duration, ...how });

function owe(key, amount) {  // what comes from nobody, or goes to nobody, is where it is at once
  if (!key.endsWith(".-1")) owed.set(key, (owed.get(key) ?? 0) + amount);
}

function lagging(fresh) {  // what is still on its way is not counted yet
  for (const each of fresh.querySelectorAll("[data-has]")) {
    const key = each.dataset.has, amount = Number(each.textContent);
    truth.set(key, amount);
    if (owed.get(key)) each.textContent = amount - owed.get(key);
  }
  return fresh;
}

function paid(key, amount) {  // it has come, or has left
  if (!owed.has(key)) return;
  owe(key, -amount);
  const each = every("[data-has]").find(({ dataset }) => dataset.has === key);
  if (each) each.textContent = truth.get(key) - owed.get(key);
}

function unfold(reveals, moves) {  // returns when all of it is over, in milliseconds
  const things = new Map(every("[data-seen]").map((each) => [each.dataset.seen, each]));
  const counts = new Map(every("[data-has]").map((each) => [each.dataset.has, each]));
  let end = 0;
  for (const [where, at] of reveals) {
    const thing = things.get(where), way = thing?.parentElement.dataset.way;
    if (way === "cup") aside(staged(thing, LIFT, at, MOVE_MS, { pseudoElement: "::after" }));
    else if (thing) staged(thing, WAYS[way], at, MOVE_MS);
    end = at;
  }
  if (end) for (const each of every("[data-late]")) staged(each, { opacity: [0, 1] }, end, MOVE_MS);
  for (const [sign, amount, giver, taker, start, till] of moves) {
    const from = counts.get(`${sign}.${giver}`), to = counts.get(`${sign}.${taker}`);
    const clock = staged(to ?? from ?? document.body, {}, start, till - start);
    clock.finished.then(() => { paid(`${sign}.${taker}`, amount); paid(`${sign}.${giver}`, -amount); });
    if (from && to) fly(from, to, Math.min(amount, 4), start, till - start);
    if (to && taker >= 0) rise(to, amount, till);
    if (from && giver >= 0) rise(from, -amount, start);
    end = till;
  }
  return end;
}

function aside({ finished }) {  // on a phone the question lets the table be seen meanwhile
  const root = document.documentElement.dataset;
  root.lifting = Number(root.lifting ?? 0) + 1;
  finished.then(() => { if (!--root.lifting) delete root.lifting; });
}

function fly(from, to, count, start, length) {  // the sign beside a number goes to the other one
  const box = from.getBoundingClientRect(), goal = to.getBoundingClientRect();
  const way = (at) => `translate(${at.left}px,${at.top}px)`;
  for (let number = 0; number < count; number++) {
    const coin = (to.closest(".amount") ?? from.closest(".amount"))?.cloneNode(true);
    if (!coin || !box.width || !goal.width) return;
    coin.querySelector(".unseen")?.remove();
    coin.lastElementChild.remove();
    coin.classList.add("flies");
    over(coin, [{ transform: way(box) }, { transform: `${way(goal)} scale(1.4)` }],
      start + number * 60, length, "ease-in-out");
  }
}

function rise(each, gain, after) {
  if (!gain) return;
  const box = each.getBoundingClientRect(), sign = document.createElement("b");
  sign.className = gain > 0 ? "float" : "float loss";
  sign.textContent = gain > 0 ? `+${gain}` : gain;
  if (each.closest(".dock")) sign.classList.add("near");
  const from = `translate(${Math.min(box.left, innerWidth - 48)}px,${box.top}px)`;
  over(sign, [{ transform: from, opacity: 1 }, { transform: `${from} translateY(-48px)`, opacity: 0 }],
    after, 4 * MOVE_MS, "ease-out");
}

function over(thing, frames, delay, duration, easing) {  // something that lies over the page for a moment
  thing.setAttribute("aria-hidden", "true");
  document.body.append(thing);
  frames[0].visibility = "hidden";  // until its time comes
  frames[1].visibility = "visible";
  staged(thing, frames, delay, duration, { easing }).finished.then(() => thing.remove());
}

const placed = (text) => text.replace(/translate\((\S+) (\S+)\)/, "translate($1px,$2px)")
  .replace(/rotate\((\S+)\)/, "rotate($1deg)");

function travel([each, before]) {  // dogs and the van go where they are now
  const goal = placed(each.getAttribute("transform"));
  staged(each, { transform: [placed(before), goal] }, 0, MOVE_MS, { easing: "ease-in-out" });
}

function finish() {  // all is as it is; returns whether something was still on its way
  const running = document.getAnimations().filter(({ id }) => id === "stage");
  for (const each of running) each.finish();
  return running.length > 0;
}

function present() {  // a tap or a key
  if (finish()) send(sign("present"));
}

function turn({ title, turn: mine, over }) {
  if (document.title !== title) {
    document.title = title;
    $("icon").href = mine ? "/static/turn.svg" : "/static/icon.svg";
    if (mine && document.visibilityState === "visible" && navigator.userActivation?.hasBeenActive)
      navigator.vibrate?.(80);
  }
  if (over && stream) { stream.close(); stream = undefined; $("lost").hidden = true; }
}

// -- the stream ------------------------------------------------------------------------------------

function open() {
  stream?.close();
  stream = new EventSource("events");
  stream.addEventListener("page", (event) => { alive(); show(JSON.parse(event.data)); });
  stream.addEventListener("beat", alive);
  stream.addEventListener("elsewhere", () => { stream.close(); stream = null; $("elsewhere").hidden = false; });
  stream.onopen = alive;
  stream.onerror = ({ target }) => {
    $("lost").hidden = false;
    if (target.readyState === EventSource.CLOSED) setTimeout(() => target === stream && open(), BEAT_MS / 2);
  };
}

function alive() { heard = Date.now(); $("lost").hidden = true; }

function awake() {  // after sleep a stream may look open and be dead
  if (document.visibilityState === "visible" && stream && Date.now() - heard > STALE_MS) open();
}

// -- taps ------------------------------------------------------------------------------------------

async function send(fields) {
  const reply = await fetch("tap", { method: "POST", body: fields }).catch(() => undefined);
  if (!reply || reply.status >= 403 && reply.status !== 409) $("lost").hidden = reply?.status === 429;
  return reply?.ok;
}

function tapped(event) {
  const button = event.target.closest("button[data-do], [role=button][data-do]");
  if (event.target.closest("[data-reload]")) location.reload();
  if (!button) return;
  const early = performance.now() - askedAt < GUARD_MS && button.closest("#ask, #own, #board");
  if (event.detail && early) return;  // a finger may have met a button that came under it
  send(new URLSearchParams({ do: button.dataset.do, rev: button.dataset.rev || "" }));
}

const sign = (text) => new URLSearchParams({ do: text });

function live() {  // a phone says that it is awake, and where its seat is
  localStorage.setItem("seat", location.pathname);
  const here = () => stream && document.visibilityState === "visible" && send(sign("here"));
  setInterval(here, BEAT_MS);
  document.addEventListener("visibilitychange", here);
  addEventListener("pagehide", () => navigator.sendBeacon("tap", sign("hidden")));
  here();
}

async function back() {  // who has a seat here comes to it again, whatever way it comes
  const seat = localStorage.getItem("seat");
  const found = seat && await fetch(seat).catch(() => undefined);
  if (found?.ok) location.replace(seat);
}

function pressed(event) {  // what is tapped in a picture is no button by itself; Enter held down taps once
  if (event.repeat && event.key === "Enter") return event.preventDefault();
  if (!["Enter", " "].includes(event.key) || !event.target.matches("g[role=button]")) return;
  event.preventDefault();
  send(new URLSearchParams({ do: event.target.dataset.do, rev: event.target.dataset.rev }));
}

const LIES = "#board [data-do], #own [data-do]";
const AHEAD = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function room() {  // the keyboard gets to nothing that is covered
  const [top, bottom] = uncovered();
  document.documentElement.style.scrollPadding = `${top}px 0 ${innerHeight - bottom}px`;
}

function steered(event) {  // from what lies on the board an arrow leads to the nearest thing that way
  const [x, y] = AHEAD[event.key] ?? [], from = event.target.closest?.(LIES);
  if (!from || x === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const boxOf = (each) => each.getBoundingClientRect(), at = boxOf(from);
  const far = (each) => {
    const box = boxOf(each), right = (box.left + box.right - at.left - at.right) / 2;
    const down = (box.top + box.bottom - at.top - at.bottom) / 2, ahead = right * x + down * y;
    return ahead < 1 ? Infinity : ahead + 2 * Math.abs(right * y + down * x);
  };
  const [next] = every(LIES).filter((each) => each.checkVisibility() && far(each) < Infinity)
    .sort((one, other) => far(one) - far(other));
  if (!next) return;
  event.preventDefault();
  next.focus();
}

async function submitted(event) {  // what could not be said stands there again
  const form = event.target.closest("form[data-do]");
  if (!form) return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form, event.submitter));
  fields.set("do", form.dataset.do);
  const inputs = "auto" in form.dataset ? [] : [...form.querySelectorAll("input")];
  const typed = inputs.map((input) => input.value);
  for (const input of inputs) input.value = "";
  if (!await send(fields)) inputs.forEach((input, place) => { input.value ||= typed[place]; });
}

if ($("page")) {
  widen();
  nearer();
  fit();
  addEventListener("resize", () => requestAnimationFrame(fit));  // once the style is of the new size
  addEventListener("resize", nearer);
  document.addEventListener("click", tapped);
  document.addEventListener("pointerdown", present);
  document.addEventListener("keydown", present);
  document.addEventListener("submit", submitted);
  document.addEventListener("change", (event) => event.target.closest("form[data-auto]")?.requestSubmit());
  document.addEventListener("keydown", room);
  document.addEventListener("keydown", pressed);
  document.addEventListener("keydown", steered);
  document.addEventListener("visibilitychange", awake);
  addEventListener("pageshow", awake);
  setInterval(awake, BEAT_MS);
  open();
  if (document.documentElement.classList.contains("guest")) live();
} else if ($("join")) back();
