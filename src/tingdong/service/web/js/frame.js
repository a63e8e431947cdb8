// The frame around everything: the two tabs, the three views of a phone, the theme.

import { t } from "./i18n.js";
import { remember } from "./store.js";

/** @type {(id: string) => any} */
const $ = (id) => document.getElementById(id);
/** @type {() => any[]} */
const tabs = () => [...document.querySelectorAll(".tabs [role=tab]")];
/** @type {() => any[]} */
const views = () => [...document.querySelectorAll(".bottom button")];

/** Shows a tab's panel. @param {string} name "home" or "hospital" */
export function chooseTab(name) {
  for (const tab of tabs()) {
    const chosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    $(tab.getAttribute("aria-controls")).hidden = !chosen;
  }
  const key = name === "hospital" ? "nav.board" : "nav.plan";
  $("nav-plan").dataset.t = key;
  $("nav-plan").textContent = t(key);
}

/** On a phone one view is shown at a time. @param {string} name "plan", "talk" or "why" */
function chooseView(name) {
  $("main").dataset.view = name;
  for (const button of views()) {
    if (button.dataset.view === name) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  remember("theme", root.dataset.theme);
}

/** Joins the frame's controls; arrow keys go from tab to tab. @param {(name: string) => void} showTab */
export function wireFrame(showTab) {
  const all = tabs();
  all.forEach((tab, index) => {
    tab.addEventListener("click", () => showTab(tab.id.slice(4)));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = all[(index + step + all.length) % all.length];
      showTab(next.id.slice(4));
      next.focus();
    });
  });
  for (const button of views()) button.addEventListener("click", () => chooseView(button.dataset.view));
  $("theme").addEventListener("click", switchTheme);
}
