// The floor plan: rooms with their devices in live state.

import { fill, h, svg } from "./dom.js";
import { kindOf } from "./home.js";
import { t } from "./i18n.js";

const PATHS = {
  light: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.2 1 2.1h5c0-.9.4-1.6 1-2.1A6 6 0 0 0 12 3Z",
  climate: "M3 6h18v6H3zM6 12v1M18 12v1M7 16c0 2-2 2-2 4M12 16c0 2-2 2-2 4M17 16c0 2-2 2-2 4",
  fan: "M12 12m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M12 10.5C11 6 13 3 16 4s1 5-2.8 6.9M13.3 12.8c4.2 2 5.8 5.2 3.4 7.2s-5-1-4.9-6M10.6 12.6C7.500 16 4 16.500 3.200 13.500S6 9 10.600 11.400",
  blind: "M3 3h18M4 3v18M20 3v18M4 7h16M4 11h16M4 15h16",
  screen: "M3 5h18v12H3zM8 21h8M12 17v4",
  sound: "M7 3h10v18H7zM12 14m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0M12 7h.01",
  plug: "M5 3h14v18H5zM9.500 10v3M14.500 10v3",
  lock: "M6 11h12v10H6zM8.500 11V7.500a3.500 3.500 0 0 1 7 0V11",
  sensor: "M10 14.500V5a2 2 0 1 1 4 0v9.500a4 4 0 1 1-4 0Z",
  water: "M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11Z",
  other: "M4 8l8-5 8 5v8l-8 5-8-5zM4 8l8 5 8-5M12 13v8",
};

function icon(kind) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: PATHS[kind] }));
}

/** Whether a device counts as running, for its look. */
function isOn(state) {
  if (typeof state.power === "boolean") return state.power;
  if (typeof state.position === "number") return state.position > 0;
  if (typeof state.locked === "boolean") return !state.locked;
  return typeof state.open === "boolean" ? state.open : false;
}

/** Draws the plan into `root` and keeps it true to the home. */
export class PlanView {
  /** @param {HTMLElement} root @param {(room: string) => void} onStand */
  constructor(root, onStand) {
    this.root = root;
    this.onStand = onStand;
    this.local = "";
    this.cards = new Map();
  }

  /** @param {import("./home.js").HomeModel} home */
  show(home, local) {
    this.home = home;
    this.local = local;
    this.cards.clear();
    fill(this.root, home.rooms.map((room) => this.#room(room)), this.#unplaced());
    home.addEventListener("change", (event) => this.home === home && this.#update(event.detail));
  }

  stand(local) {
    this.local = local;
    for (const room of this.root.querySelectorAll("[data-room]")) this.#mark(room);
  }

  /** Marks devices that a turn just changed. */
  flash(ids) {
    for (const id of ids) {
      const card = this.cards.get(id);
      if (!card) continue;
      card.classList.remove("flash");
      void card.offsetWidth;
      card.classList.add("flash");
    }
    this.cards.get(ids[0])?.scrollIntoView?.({ block: "nearest", behavior: "smooth" });
  }

  #room(room) {
    const devices = this.home.devicesIn(room);
    const stand = h("button.stand", { type: "button", onclick: () => this.onStand(room) });
    const section = h(
      "section.room",
      { dataset: { room }, "aria-label": room },
      h("header", null, h("h3", null, room), stand),
      h("ul.devices", null, devices.map((device) => this.#card(device))),
    );
    this.#mark(section);
    return section;
  }

  #unplaced() {
    const devices = this.home.document.devices.filter((device) => !device.local);
    return devices.length ? h("section.room", null, h("ul.devices", null, devices.map((d) => this.#card(d)))) : null;
  }

  #mark(section) {
    const here = section.dataset.room === this.local;
    section.classList.toggle("here", here);
    const button = section.querySelector(".stand");
    button.setAttribute("aria-pressed", String(here));
    button.textContent = here ? t("home.standing") : t("home.here");
  }

  #card(device) {
    const item = h("li.device");
    this.cards.set(device.id, item);
    this.#draw(item, device);
    return item;
  }

  #update(ids) {
    for (const id of ids) this.#draw(this.cards.get(id), this.home.devices.get(id));
  }

  #draw(item, device) {
    const model = this.home.modelOf(device);
    const state = device.device.state;
    const on = isOn(state);
    item.classList.toggle("on", on);
    item.classList.toggle("offline", device.online === false);
    const toggles = typeof state.power === "boolean" && device.online !== false;
    const label = `${device.local || ""}${device.name}`;
    const head = [icon(kindOf(device, model)), h("span.name", null, device.name)];
    fill(
      item,
      toggles
        ? h(
            "button.head",
            {
              type: "button",
              "aria-pressed": String(on),
              "aria-label": `${label} ${t("device.toggle")}`,
              onclick: () => this.home.set(device.id, { power: !state.power }),
            },
            head,
          )
        : h("div.head", null, head),
      h("dl.state", null, this.#values(device, model, state)),
    );
  }

  #values(device, model, state) {
    const shown = device.online === false ? [h("div", null, h("dd.muted", null, t("device.offline")))] : [];
    for (const [key, value] of Object.entries(state)) {
      const property = model.property?.[key];
      shown.push(h("div", { title: key }, h("dt", null, key), h("dd", null, this.#value(key, value, property))));
    }
    return shown;
  }

  #value(key, value, property) {
    if (typeof value === "boolean") return key === "power" ? t(value ? "device.on" : "device.off") : String(value);
    if (typeof value === "number" && property && Number.isFinite(property.max)) {
      const { min = 0, max } = property;
      return [h("meter", { min, max, value, "aria-label": key }), h("span", null, String(value))];
    }
    if (typeof value === "string" && /^#[0-9A-Fa-f]{6}$/.test(value)) {
      const swatch = svg("svg", { viewBox: "0 0 8 8", class: "swatch", "aria-hidden": "true" });
      swatch.append(svg("rect", { width: 8, height: 8, fill: value }));
      return [swatch, value];
    }
    return String(value);
  }
}
