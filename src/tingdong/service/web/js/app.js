// The page: joins the pipe, the home, the conversations and the explanations.

import { PipeClient, RefusedError } from "./client.js";
import { fill, h } from "./dom.js";
import { HomeEditor } from "./editor.js";
import { DIALOGUES, SENTENCES } from "./examples.js";
import { HomeModel } from "./home.js";
import { HospitalTab } from "./hospital.js";
import { speak, t, translate } from "./i18n.js";
import { PlanView } from "./plan.js";
import { dictation, Page, TalkView } from "./talk.js";
import { WhyView } from "./why.js";

const $ = (id) => document.getElementById(id);
const socketOrigin = location.origin.replace(/^http/, "ws");
const pipe = new PipeClient(`${socketOrigin}/agent/smarthome-gpt/llm/stream`);

const store = {
  get: (key, otherwise) => { try { return localStorage.getItem(key) ?? otherwise; } catch { return otherwise; } },
  set: (key, value) => { try { localStorage.setItem(key, value); } catch { /* private mode: the page still works */ } },
};

let home = null;
let local = "";
let pages = [new Page()];
let current = pages[0];

const plan = new PlanView($("rooms"), stand);
const talk = new TalkView(
  { pages: $("pages"), messages: $("messages"), options: $("options") },
  { onSelect: explain, onOption: ask, onPage: openPage, onClose: closePage },
);
const why = new WhyView($("why"), { retrieve, origin: location.origin });
const editor = new HomeEditor(document, useOwnHome);
const hospital = new HospitalTab($("panel-hospital"), `${socketOrigin}/agent/hospital/stream`);

/** POSTs JSON; a refusal is a `RefusedError` with the path of the fault. */
async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new RefusedError({ ret: response.status, ...answer });
  return answer;
}

function retrieve(turn) {
  return post("/v1/retrieve", { text: turn.question, home: turn.home, location: turn.local || null, explain: true });
}

// --- the home -------------------------------------------------------------------------------------------------------

function showHome(document_) {
  home = new HomeModel(document_);
  if (!home.rooms.includes(local)) local = home.rooms[0] || "";
  plan.show(home, local);
  $("home-size").textContent = `${home.devices.size} ${t("home.devices")}`;
  home.addEventListener("change", showTimers);
  showTimers();
}

function stand(room) {
  local = room === local ? "" : room;
  plan.stand(local);
}

async function chooseHome(name) {
  if (name === "custom") {
    const own = store.get("home.custom", "");
    if (own) showHome(JSON.parse(own));
    else editor.open(home.document);
    return;
  }
  const response = await fetch(`homes/${name}.json`);
  showHome(await response.json());
}

async function useOwnHome(document_) {
  await post("/v1/retrieve", { text: "灯", home: document_ });
  if (!Array.isArray(document_.devices)) throw new RefusedError({ ret: 422, message: "缺少 devices", path: "home.devices" });
  store.set("home.custom", JSON.stringify(document_));
  $("home-choice").value = "custom";
  showHome(document_);
  newPage();
}

function showTimers() {
  const rows = [...home.timers].map(([id, instruct]) =>
    h("li", null, h("span", null, `${instruct.summary || instruct.id} · ${instruct.when}`), fireButton(id)),
  );
  fill($("timers"), rows.length ? [h("h3", null, t("home.timers")), h("ul", null, rows)] : null);
}

function fireButton(id) {
  return h("button.quiet", { type: "button", onclick: () => home.fire(id) }, t("home.fire"));
}

// --- conversations --------------------------------------------------------------------------------------------------

function newPage() {
  current = new Page();
  pages = [...pages, current];
  openPage(current);
}

function openPage(page) {
  current = page;
  talk.show(pages, current);
  const last = page.turns.at(-1);
  if (last) explain(last);
  else why.clear();
}

function closePage(page) {
  pages = pages.filter((other) => other !== page);
  fetch(`/v1/pages/${encodeURIComponent(page.id)}`, { method: "DELETE" }).catch(() => {});
  openPage(page === current ? pages.at(-1) : current);
}

function explain(turn) {
  talk.select(turn);
  why.show(turn);
}

/** One turn: the question goes out, the summary is shown as it comes, the instructs are applied. */
async function ask(question) {
  const page = current;
  const turn = {
    rid: crypto.randomUUID(), question, local, home: structuredClone(home.snapshot()), frames: [], intent: null,
    data: null, error: null, changed: [],
  };
  page.turns.push(turn);
  const drawn = () => { if (page === current) talk.add(turn); };
  drawn();
  const payload = { page_id: page.id, question, local, instruct: true, home: turn.home, explain: true };
  try {
    turn.data = await pipe.request(payload, {
      rid: turn.rid,
      onToken: (intent) => { turn.intent = intent; drawn(); },
      onFrame: (direction, text) => turn.frames.push({ direction, text }),
    });
    turn.intent = turn.data.active.intent;
    turn.changed = home.apply(turn.data.active.instructs);
    plan.flash(turn.changed);
    showTimers();
  } catch (error) {
    turn.error = error;
  }
  drawn();
  if (page === current) explain(turn);
  return turn;
}

async function play(dialogue) {
  $("home-choice").value = dialogue.home;
  await chooseHome(dialogue.home);
  stand("");
  stand(dialogue.local);
  newPage();
  for (const question of dialogue.turns) await ask(question);
}

// --- the page's own controls ----------------------------------------------------------------------------------------

function showExamples() {
  const button = (text, action) => h("button.option", { type: "button", onclick: action }, text);
  fill(
    $("examples"),
    h("h3", null, t("try.sentences")),
    h("div.options", null, SENTENCES.map((text) => button(text, () => ask(text)))),
    h("h3", null, t("try.dialogues")),
    h("div.options", null, DIALOGUES.map((dialogue) => button(dialogue.turns.join(" → "), () => play(dialogue)))),
  );
}

function showTab(name) {
  for (const tab of document.querySelectorAll(".tabs [role=tab]")) {
    const chosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    $(tab.getAttribute("aria-controls")).hidden = !chosen;
  }
  if (name === "hospital") hospital.open();
}

function showView(name) {
  $("panel-home").dataset.view = name;
  for (const button of document.querySelectorAll(".bottom button"))
    button.setAttribute("aria-current", String(button.dataset.view === name));
}

function showStatus() {
  $("status").dataset.status = pipe.status;
  $("status").textContent = t(`status.${pipe.status}`);
}

function setLanguage(code) {
  store.set("language", code);
  speak(code);
  translate();
  showStatus();
  showExamples();
  talk.show(pages, current);
  hospital.translate();
  if (home) showHome(home.document);
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  store.set("theme", theme || "");
}

function listen() {
  const field = $("question");
  const recognition = dictation(
    (text) => (field.value = text),
    (on) => {
      $("dictate").setAttribute("aria-pressed", String(on));
      field.placeholder = on ? t("talk.listening") : t("talk.placeholder");
    },
  );
  if (!recognition) return;
  $("dictate").hidden = false;
  $("dictate").addEventListener("click", () => recognition.start());
}

function wire() {
  $("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    const question = $("question").value.trim();
    if (!question) return;
    $("question").value = "";
    ask(question);
  });
  $("page-new").addEventListener("click", newPage);
  $("home-choice").addEventListener("change", (event) => chooseHome(event.target.value));
  $("home-edit").addEventListener("click", () => editor.open(home.document));
  $("language").addEventListener("click", () => setLanguage(document.documentElement.lang === "en" ? "zh" : "en"));
  $("theme").addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme === "dark" ||
      (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    setTheme(dark ? "light" : "dark");
  });
  for (const button of document.querySelectorAll(".bottom button"))
    button.addEventListener("click", () => showView(button.dataset.view));
  const tabs = [...document.querySelectorAll(".tabs [role=tab]")];
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => showTab(tab.id.slice(4)));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      showTab(next.id.slice(4));
      next.focus();
    });
  });
  pipe.addEventListener("status", showStatus);
}

async function start() {
  setTheme(store.get("theme", ""));
  showView("talk");
  wire();
  listen();
  await chooseHome("sample8");
  setLanguage(store.get("language", "zh"));
  pipe.open();
}

start();
