// Two languages: which one is spoken, and the words of the page in it.

import { TERMS } from "./terms.js";
import { WORDS } from "./words.js";

const ALL = { ...WORDS, ...TERMS };

let language = document.documentElement.lang === "en" ? 1 : 0;

/** The chosen language. @returns {"zh"|"en"} */
export const spoken = () => (language ? "en" : "zh");

/** Chooses the language. @param {"zh"|"en"} code */
export function speak(code) {
  language = code === "en" ? 1 : 0;
  document.documentElement.lang = language ? "en" : "zh-CN";
}

/**
 * The word of a key in the chosen language; `{0}` takes the argument.
 * @param {string} key @param {string|number} [argument]
 */
export function t(key, argument = "") {
  return (known(key) ?? key).replace("{0}", String(argument));
}

/** The words of a key in the chosen language; undefined where the page has none. @param {string} key @returns {string|undefined} */
export const known = (key) => ALL[key]?.[language];

/** The word of `family.code`, or the bare code where the page has no word for it. @param {string} family @param {string} code */
export function term(family, code) {
  return known(`${family}.${code}`) ?? code;
}

/** Fills every element that names its word in `data-t` (text), `data-t-label` or `data-t-placeholder`. */
export function translate(root = document) {
  /** @type {(selector: string) => any[]} */
  const all = (selector) => [...root.querySelectorAll(selector)];
  for (const element of all("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of all("[data-t-label]")) element.setAttribute("aria-label", t(element.dataset.tLabel));
  for (const element of all("[data-t-placeholder]"))
    element.setAttribute("placeholder", t(element.dataset.tPlaceholder));
}
