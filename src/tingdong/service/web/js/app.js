// The page: joins the pipe, the home, the conversations and the explanations.

import { PipeClient, RefusedError, uniqueId } from "./client.js";
import { dictate } from "./dictation.js";
import { copy, fill, h } from "./dom.js";
import { HomeEditor } from "./editor.js";
import { DIALOGUES, ideasFor, sentencesFor } from "./examples.js";
import { chooseTab, wireFrame } from "./frame.js";
import { HomeModel } from "./home.js";
import { HospitalTab } from "./hospital.js";
import { speak, spoken, t, translate } from "./i18n.js";
import { PlanView } from "./plan.js";
import { moment } from "./said.js";
import { admit, base, call, streamUrl, token } from "./service.js";
import { linkTo, sharedIn } from "./share.js";
import { recall, remember } from "./store.js";
import { homeOf, Page, ConversationView } from "./conversation.js";
import { WhyView } from "./why.js";

const HOMES = ["sample8", "flat25", "villa120"];
const PATIENCE_MS = 120000;
const EARLIER = 4;

/** @type {(id: string) => any} */
const $ = (id) => document.getElementById(id);
const pipe = new PipeClient(streamUrl("agent/smarthome-gpt/llm/stream"), { token, timeoutMs: PATIENCE_MS });

/** @type {HomeModel} */
let home;
let homeName = "sample8";
let local = "";
let pages = [new Page()];
let current = pages[0];

const plan = new PlanView($("rooms"), (room) => stand(room === local ? "" : room));
const talk = new ConversationView(
  { pages: $("pages"), boards: $("boards") },
  { onSelect: explain, onSay: say, onPage: openPage, onClose: closePage, ideas: () => ideasFor(homeName) },
);
const why = new WhyView($("why"), { retrieve, origin: base.href.replace(/\/$/, ""), token });
const editor = new HomeEditor(document, useOwnHome);
const hospital = new HospitalTab($("panel-hospital"), streamUrl("agent/hospital/stream"), token);

function retrieve(turn) {
  const { question, local: place, before } = turn;
  const queries = (turn.data?.explain?.findings || []).map((finding) => finding.query);
  return call("POST", "v1/retrieve", { text: question, home: homeOf(turn), location: place || null, before, queries, explain: true });
}

// --- the home -------------------------------------------------------------------------------------------------------

function showHome(document_, name) {
  home = new HomeModel(document_);
  homeName = name;
  $("home-choice").value = name;
  remember("home", name);
  stand(home.rooms.includes(local) ? local : home.rooms[0] || "");
  plan.show(home, local);
  home.addEventListener("timers", showTimers);
  showTimers();
  showExamples();
  talk.show(pages, current);
}

/** Draws what depends on the home's rooms: where one can stand. @param {string} room "" for nowhere */
function stand(room) {
  local = room;
  remember("local", room);
  plan.stand(room);
  fill($("local"), ["", ...home.rooms].map((name) => h("option", { value: name }, name || t("home.nowhere"))));
  $("local").value = room;
}

/** @param {string} name one of the page's homes, or "custom" for the person's own */
async function chooseHome(name) {
  const own = recall("home.custom");
  if (name === "custom" && !own) {
    $("home-choice").value = homeName;
    editor.open(home.document);
    return;
  }
  const document_ = name === "custom" ? JSON.parse(own) : await (await fetch(new URL(`homes/${name}.json`, base))).json();
  showHome(document_, name);
}

/** Takes a pasted home once the service has found no fault in it. */
async function useOwnHome(document_) {
  const fit = document_ && Array.isArray(document_.devices);
  if (!fit) throw new RefusedError({ ret: 422, message: t("editor.home"), path: "" });
  await call("POST", "v1/retrieve", { text: "灯", home: document_ });
  remember("home.custom", JSON.stringify(document_));
  showHome(document_, "custom");
  newPage();
}

function showTimers() {
  const rows = [...home.timers].map(([id, instruct]) => {
    const fire = () => plan.flash(home.fire(id));
    return h("li", null, h("span", null, `${instruct.summary || instruct.id} · ${moment(instruct.when)}`), h("button.quiet", { type: "button", onclick: fire }, t("home.fire")));
  });
  fill($("timers"), rows.length > 0 && [h("h3", null, t("home.timers")), h("ul", null, rows)]);
}

// --- conversations --------------------------------------------------------------------------------------------------

function newPage() {
  const page = new Page();
  pages = [...pages, page];
  openPage(page);
  return page;
}

/** @param {Page} page */
function openPage(page) {
  if (page === current && talk.boards.has(page)) return;
  current = page;
  talk.show(pages, current);
  const turn = page.selected || page.turns.at(-1);
  if (turn) explain(turn);
  else why.clear();
}

/** @param {Page} page */
function closePage(page) {
  const at = pages.indexOf(page);
  pages = pages.filter((other) => other !== page);
  call("DELETE", `v1/pages/${encodeURIComponent(page.id)}`).catch(() => {});
  if (page === current) openPage(pages[Math.min(at, pages.length - 1)]);
  else talk.show(pages, current);
  $("pages").querySelector("[aria-pressed=true]").focus();
}

function explain(turn) {
  talk.select(pages.find((page) => page.turns.includes(turn)) || current, turn);
  why.show(turn);
}

/**
 * Says something on a page, after what was said there before; `alternatives` are what else a recogniser offers.
 * @param {string} question @param {Page} [page] @param {string[]} [alternatives]
 */
function say(question, page = current, alternatives = []) {
  openPage(page);
  const before = page.turns.slice(-EARLIER).map((turn) => turn.question);
  /** @type {import("./conversation.js").Turn} */
  const turn = { rid: uniqueId(), question, alternatives, local, before, frames: [], intent: null, data: null, error: null };
  const last = page.turns.at(-1);
  page.turns.push(turn);
  talk.draw(page, turn);
  turn.done = Promise.resolve(last?.done).then(() => converse(page, turn));
  return turn.done;
}

/** One turn: the question goes out, the summary is shown as it comes, the instructs are applied. */
async function converse(page, turn) {
  const played = home;
  const payload = { page_id: page.id, question: turn.question, local: turn.local, instruct: $("instruct").checked, home: played.document, explain: true };
  if (turn.alternatives.length) payload.alternatives = turn.alternatives;
  const started = performance.now();
  try {
    turn.data = await pipe.request(payload, {
      rid: turn.rid,
      onToken: (intent) => { turn.intent = intent; talk.draw(page, turn); },
      onFrame: (direction, text) => turn.frames.push({ direction, text }),
    });
    turn.ms = Math.round((performance.now() - started) * 10) / 10;
    turn.intent = turn.data.active.intent;
    const touched = played.apply(turn.data.active);
    if (played === home) plan.flash(touched);
  } catch (error) {
    turn.error = error;
  }
  talk.draw(page, turn);
  if (page === current) explain(turn);
  else {
    page.news = true;
    talk.show(pages, current);
  }
}

/** Plays a conversation from the beginning, in its own home. */
async function play({ home: name, local: place, turns }) {
  await chooseHome(name);
  if (place !== null) stand(place);
  const page = current.turns.length ? newPage() : current;
  for (const question of turns) await say(question, page);
}

async function share(button) {
  await copy(linkTo(homeName, local, current.turns.map((turn) => turn.question)));
  button.textContent = t("talk.shared");
  setTimeout(() => (button.textContent = t("talk.share")), 1500);
}

// --- the page's own controls ----------------------------------------------------------------------------------------

function showExamples() {
  const button = (text, act) => h("button.option.small", { type: "button", onclick: act }, text);
  fill(
    $("examples"),
    h("h3", null, t("try.sentences")),
    h("div.options", null, sentencesFor(homeName).map((text) => button(text, () => say(text)))),
    h("h3", null, t("try.dialogues")),
    h("div.options", null, DIALOGUES.map((dialogue) => button(dialogue.turns.join(" → "), () => play(dialogue)))),
  );
}

/** @param {string} name "home" or "hospital" */
function showTab(name) {
  chooseTab(name);
  if (name === "hospital") hospital.open();
  showStatus();
}

/** The state of the pipe behind the tab that is shown. */
function showStatus() {
  const { status } = $("panel-hospital").hidden ? pipe : hospital.pipe;
  $("status").dataset.status = status;
  fill($("status"), h("span", null, t(`status.${status}`)));
  if (pipe.status === "connecting") return;
  $("trouble").hidden = pipe.status === "open";
  const again = h("button.quiet", { type: "button", onclick: () => pipe.open() }, t("status.now"));
  fill($("trouble"), pipe.status === "closed" && [h("span", null, t("status.trouble")), again]);
}

/** Says whether conversations stand side by side, and brings the current one into view. */
function showBeside() {
  const on = $("boards").classList.contains("beside");
  $("main").classList.toggle("beside", on);
  $("beside").textContent = t(on ? "talk.beside.on" : "talk.beside");
  talk.boards.get(current)?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function setLanguage(code) {
  remember("language", code);
  speak(code);
  translate();
  $("language").setAttribute("aria-label", code === "en" ? "中 中文" : "EN English");
  $("language").lang = code === "en" ? "zh" : "en";
  $("language").textContent = code === "en" ? "中" : "EN";
  showStatus();
  showBeside();
  if (home) {
    plan.show(home, local);
    stand(local);
    showTimers();
    showExamples();
  }
  talk.redraw(pages, current);
  if (why.turn) why.show(why.turn);
  else why.clear();
  hospital.translate();
}

/** Says what stands in the field. @param {string[]} [alternatives] */
function ask(alternatives) {
  const question = $("question").value.trim();
  if (!question) return;
  $("question").value = "";
  say(question, current, alternatives);
}

function wireTalk() {
  $("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  $("question").addEventListener("keydown", (event) => {
    if (event.key !== "ArrowUp" || $("question").value || !current.turns.length) return;
    event.preventDefault();
    $("question").value = current.turns.at(-1).question;
  });
  $("local").addEventListener("change", () => stand($("local").value));
  $("page-new").addEventListener("click", () => { newPage(); $("question").focus(); });
  $("beside").addEventListener("click", () => {
    const on = $("boards").classList.toggle("beside");
    $("beside").setAttribute("aria-pressed", String(on));
    if (on && pages.length < 2) newPage();
    showBeside();
  });
  $("share").addEventListener("click", () => share($("share")));
  dictate($("dictate"), $("question"), ask);
}

function wire() {
  wireTalk();
  wireFrame(showTab);
  $("home-choice").addEventListener("change", () => chooseHome($("home-choice").value));
  $("home-edit").addEventListener("click", () => editor.open(home.document));
  $("home-reset").addEventListener("click", () => chooseHome(homeName));
  $("language").addEventListener("click", () => setLanguage(spoken() === "en" ? "zh" : "en"));
  for (const one of [pipe, hospital.pipe]) one.addEventListener("status", showStatus);
  globalThis.addEventListener("online", () => pipe.open());
}

async function start() {
  const shared = sharedIn(location.hash);
  if (spoken() === "en") setLanguage("en");
  document.documentElement.classList.remove("untold");
  wire();
  admit($("token"));
  pipe.open();
  local = shared.local ?? recall("local");
  const wanted = shared.home || recall("home");
  if (HOMES.includes(wanted) || (wanted === "custom" && recall("home.custom"))) homeName = wanted;
  talk.show(pages, current);
  await chooseHome(homeName);
  if (shared.tab === "hospital") showTab("hospital");
  for (const question of shared.turns) await say(question);
}

start();
