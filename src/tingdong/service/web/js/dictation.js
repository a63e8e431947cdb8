// Dictation where the browser has it (Web Speech); elsewhere `early.js` has taken the button away.

import { t } from "./i18n.js";

const MOST_ALTERNATIVES = 8;

/**
 * Joins a button to speech recognition; `said` gets what else was recognised, the best first.
 * @param {HTMLButtonElement} button @param {HTMLInputElement} field @param {(alternatives: string[]) => void} said
 */
export function dictate(button, field, said) {
  const Recognition = globalThis.SpeechRecognition || globalThis.webkitSpeechRecognition;
  if (!Recognition) return;
  const recognition = new Recognition();
  recognition.lang = "zh-CN";
  recognition.interimResults = true;
  recognition.maxAlternatives = 1 + MOST_ALTERNATIVES;
  let listening = false;
  const become = (on) => {
    listening = on;
    button.setAttribute("aria-pressed", String(on));
    field.placeholder = t(on ? "talk.listening" : "talk.placeholder");
  };
  recognition.addEventListener("result", (event) => {
    const result = event.results[event.results.length - 1];
    field.value = result[0].transcript;
    if (result.isFinal) said([...result].slice(1, 1 + MOST_ALTERNATIVES).map((one) => one.transcript.trim()));
  });
  recognition.addEventListener("start", () => become(true));
  recognition.addEventListener("end", () => become(false));
  recognition.addEventListener("error", () => become(false));
  button.addEventListener("click", () => (listening ? recognition.stop() : recognition.start()));
}
