// How a device looks and what its state says to a person: by what it says of itself, then by its thing model.

import { svg } from "./dom.js";
import { t } from "./i18n.js";
import { property as called, value as told } from "./said.js";

/** @type {Array<[string, RegExp]>} */
const KINDS = [
  ["plug", /插座|插排|plug|socket/i],
  ["light", /灯|照明|lamp|light|bulb/i],
  ["climate", /空调|柜机|挂机|air.?con|冷气/i],
  ["purifier", /净化/i],
  ["blind", /窗帘|纱帘|百叶|卷帘|遮光|curtain|blind/i],
  ["fan", /风扇|吊扇|新风|换气|排风|油烟机|fan|extractor|ventilation/i],
  ["screen", /电视|投影|television|projector/i],
  ["sound", /音箱|音响|回音壁|功放|speaker|soundbar/i],
  ["boiler", /热水器|water-heater|boiler/i],
  ["heater", /取暖|小太阳|暖气|heater/i],
  ["robot", /扫地|拖地|机器人|vacuum|robot/i],
  ["charger", /充电|charger/i],
  ["lock", /锁|门磁|lock|contact/i],
  ["sensor", /传感|检测|温度计|湿度计|感应器|sensor|monitor/i],
  ["water", /加湿|除湿|喷|浇|水泵|饮水|humidifier/i],
];

/** A picture's name for a device. @returns {string} */
export function kindOf(device, model) {
  for (const text of [device.name, model.describe, model.name]) {
    const found = text && KINDS.find(([, pattern]) => pattern.test(text));
    if (found) return found[0];
  }
  return "other";
}

const PATHS = {
  light: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.2 1 2.1h5c0-.9.4-1.6 1-2.1A6 6 0 0 0 12 3Z",
  climate: "M3 5h18v7H3zM6 9h9M7 15c0 2-2 2-2 4M12 15c0 2-2 2-2 4M17 15c0 2-2 2-2 4",
  fan: "M12 13.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3M12 10.5C9 8 10 3.5 13 3.5S16 8 12.8 10.8M13.3 12.7c3.7 1.2 7 4.5 5.4 7s-6 .3-6.4-4M10.7 12.7C9.9 16.5 5.5 18.2 4 15.5s1.6-5.3 5.7-4.2",
  blind: "M3 3h18M5 3v16M19 3v16M5 7h14M5 11h14M5 15h14M12 15v5",
  screen: "M3 5h18v12H3zM8 21h8M12 17v4",
  sound: "M7 3h10v18H7zM12 17a3 3 0 1 0 0-6 3 3 0 0 0 0 6M12 7h.01",
  plug: "M5 4h14v16H5zM9.5 10v3M14.5 10v3",
  charger: "M13 3 6 13h5l-1 8 8-11h-5z",
  lock: "M6 11h12v10H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11",
  sensor: "M10 14.5V5a2 2 0 1 1 4 0v9.5a4 4 0 1 1-4 0ZM12 9v7",
  water: "M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11Z",
  boiler: "M7 3h10v14H7zM9 17v4M15 17v4M10 7h4M12 11a2 2 0 0 1 0 3",
  heater: "M5 6h14v11H5zM9 6v11M12 6v11M15 6v11M7 17v3M17 17v3",
  purifier: "M7 3h10v18H7zM10 7h4M10 10h4M10 13h4",
  robot: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16M8 9.5h8M12 14h.01",
  other: "M4 8l8-5 8 5v8l-8 5-8-5zM4 8l8 5 8-5M12 13v8",
};

/** The picture of a kind; other drawings of the page by path. */
export function icon(kind) {
  return drawing(PATHS[kind]);
}

/** A line drawing in the page's style. @param {string} path */
export function drawing(path) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: path }));
}

const SWITCH = /^(power|switch|on|on_?off|power_?on|power_?switch|switch_?state|sw|pwr|relay)$/i;
const BRIGHTNESS = /^(brightness|bright|bri|dim|dimming|dimmer|bright_?value)$/i;

/** The property that switches the device; null where it has none. @returns {string|null} */
export function switchOf(state) {
  return Object.keys(state).find((key) => SWITCH.test(key) && typeof state[key] === "boolean") || null;
}

/** Whether a device counts as running, for its look. */
export function isOn(state) {
  const power = switchOf(state);
  if (power) return state[power];
  if (typeof state.position === "number") return state.position > 0;
  if (typeof state.locked === "boolean") return !state.locked;
  return state.open === true;
}

/** The state in words, most telling first: ["开", "50%"]. @returns {string[]} */
export function saying(kind, model, device) {
  const said = device.online === false ? [t("state.offline")] : [];
  for (const [key, value] of Object.entries(device.device.state)) {
    const text = word(kind, key, value, model.property?.[key] || {}, model);
    if (text) said.push(text);
  }
  return said;
}

function word(kind, key, value, property, model) {
  if (SWITCH.test(key) && typeof value === "boolean")
    return kind === "blind" ? t(value ? "state.opened" : "state.closed") : t(value ? "state.on" : "state.off");
  if (key === "open" && typeof value === "boolean") return t(value ? "state.open" : "state.shut");
  if (key === "locked" && typeof value === "boolean") return t(value ? "state.locked" : "state.unlocked");
  if (key === "level" && typeof value === "number") return level(kind, value, property);
  if (/^(temperature|temp)$/.test(key)) return `${value}°C`;
  if (BRIGHTNESS.test(key) && typeof value === "number") return bright(value, property);
  if (/^(humidity|position)$/.test(key)) return `${value}%`;
  const unit = property.unit || (/temp/i.test(key) && !/color/i.test(key) ? "C" : /battery|soc/i.test(key) ? "%" : "");
  return `${called(key, property, model)} ${told(value, { ...property, unit }, model)}`;
}

function level(kind, value, { min = 0, max = 100, unit }) {
  if (unit) return `${value}${unit}`;
  if (kind === "climate" || kind === "boiler") return `${value}°C`;
  if (kind === "light") return `${Math.round(share(value, min, max) * 100)}%`;
  if (kind === "screen" || kind === "sound") return t("state.volume", value);
  return max <= 12 ? t("state.gear", value) : `${value}%`;
}

/** A range that ends at 100 is a percentage already. */
function bright(value, { min = 0, max = 100 }) {
  return `${max === 100 ? value : Math.round(share(value, min, max) * 100)}%`;
}

const share = (value, min, max) => (max > min ? (value - min) / (max - min) : 0);

/** How far a device's first adjustable number is along its range; null where it has none. @returns {number|null} */
export function extent(model, device) {
  for (const [key, value] of Object.entries(device.device.state)) {
    const { min, max, readonly } = model.property?.[key] || {};
    if (typeof value === "number" && Number.isFinite(min) && Number.isFinite(max) && !readonly && key !== "temperature" && key !== "humidity")
      return share(value, min, max);
  }
  return null;
}

/** A colour that the state names, as #RRGGBB. @returns {string|null} */
export function colourOf(device) {
  return Object.values(device.device.state).find((value) => typeof value === "string" && /^#[0-9A-Fa-f]{6}$/.test(value)) || null;
}
