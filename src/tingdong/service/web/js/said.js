// What the wire says in code, said to a person: moments, conditions, properties, values, reasons of operations.

import { known, spoken, t, term } from "./i18n.js";

const DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const WORKING = "MO,TU,WE,TH,FR";
const WEEKEND = "SA,SU";
const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const DATED = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/;
const CONDITION = /^(.*?)(>=|<=|!=|=|>|<)(.*)$/;
const EVENT = /^(.*)(有人|漏水|烟雾|燃气)=(是|否)$/;
const HAN = "\\u3400-\\u9fff";

/** A `when` of the wire: `PT10M` → 10分钟后, `T22:00` → 22:00, an RRULE → 每天07:00, `卧室温度>28C` → 卧室温度高于28°C时. */
export function moment(when) {
  const [whole, days, hours, minutes, seconds] = DURATION.exec(when) || [];
  if (whole && whole !== "P") {
    const parts = [["day", days], ["hour", hours], ["minute", minutes], ["second", seconds]].filter(([, count]) => count);
    const between = spoken() === "en" ? " " : "";
    return t("when.in", parts.map(([unit, count]) => t(`when.${unit}`, count)).join(between));
  }
  if (/^T\d/.test(when)) return when.slice(1, 6);
  if (when.startsWith("RRULE:")) return recurring(Object.fromEntries(when.slice(6).split(";").map((one) => one.split("="))));
  const [dated, day, clock] = DATED.exec(when) || [];
  if (dated) return `${day} ${clock}`;
  return condition(when);
}

function recurring({ BYDAY: days = "", BYHOUR: hour = "0", BYMINUTE: minute = "0", INTERVAL: every = "1" }) {
  const clock = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  const called = { "": "when.daily", [WORKING]: "when.working", [WEEKEND]: "when.weekend" }[days];
  const on = called ? t(called) : t("when.weekly", days.split(",").map((one) => t(`when.day.${DAYS.indexOf(one)}`)).join(t("when.and")));
  const often = every === "1" ? "" : ` (×${every})`;
  return `${on}${spoken() === "en" ? " " : ""}${clock}${often}`;
}

function condition(when) {
  const [event, room, sensed, is] = EVENT.exec(when) || [];
  if (event && known(`when.event.${sensed}.${is}`)) return t("when.once", t(`when.event.${sensed}.${is}`, room || t("when.event.room")));
  const [whole, what, sign, value] = CONDITION.exec(when) || [];
  return whole ? t("when.once", `${what}${t(`when.sign.${sign}`)}${value.replace(/(\d)C$/, "$1°C")}`) : when;
}

/** What a property is called: the page's word, else the words that the thing model's `describe` has for it, else its name. */
export function property(key, { describe = "" } = {}, model = {}) {
  const plain = key.toLowerCase().replace(/[_\-\s]/g, "");
  const words = known(`property.${plain}`);
  if (words) return words;
  const told = spoken() === "en" ? "" : beside(key, `${describe} ${model.describe || ""}`);
  return told || key.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_-]/g, " ").toLowerCase();
}

/** A value in words: an enum's choice as the describe calls it (`cool制冷`), yes and no, a number with its unit. */
export function value(one, { describe = "", unit = "" } = {}, model = {}) {
  if (typeof one === "boolean") return t(one ? "state.on" : "state.off");
  if (typeof one === "number") return `${one}${unit === "C" ? "°C" : unit}`;
  if (typeof one !== "string") return JSON.stringify(one);
  const words = known(`value.${one.toLowerCase()}`);
  if (words) return words;
  return (spoken() === "en" ? "" : beside(one, `${describe} ${model.describe || ""}`)) || one;
}

/** The Chinese that stands right behind a name in a describe: `cool制冷/heat制热` and `cool` → 制冷. */
function beside(name, text) {
  const escaped = name.replace(/[^\w]/g, "\\$&");
  const found = new RegExp(`(?<![A-Za-z_])${escaped}\\s*[:：]?\\s*(?:是|为)?([${HAN}]{1,6})`).exec(text);
  return found ? found[1] : "";
}

/** Why an operation of the front desk was made. @param {string} reason */
export function operationReason(reason) {
  const [first, ...more] = reason.split(/[,;] /);
  const [head, agent] = /^(.*?) ([\w-]+)$/.exec(more[0] || "") || [];
  const about = head && known(`reason.${head}`) ? [`${term("reason", head)} ${term("agent", agent)}`] : [];
  return [term("reason", first), ...about].join("，");
}
