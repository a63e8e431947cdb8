// The floor plan: storeys, rooms between walls, devices in live state, and where the speaker stands.

import { colourOf, drawing, extent, icon, isOn, kindOf, saying, switchOf } from "./devices.js";
import { bar, fill, h } from "./dom.js";
import { t } from "./i18n.js";

const PERSON = "M12 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M7 21v-7a5 5 0 0 1 10 0v7";
const MOST_FLASHES = 12;
const STOREY = /^(负?[一二三四五六七八九十\d]+[楼层]|地下|顶楼|阁楼|楼上|楼下)/;

/** Rooms by storey, in the home's order; one nameless storey where the rooms name none. @param {string[]} rooms */
export function storeys(rooms) {
  const found = new Map();
  for (const room of rooms) {
    const name = STOREY.exec(room)?.[1] || "";
    found.set(name, [...(found.get(name) || []), room]);
  }
  return [...found];
}

/** How wide a room wants to be for so many devices. @param {number} devices */
function widthFor(devices) {
  if (devices > 6) return "60%";
  return devices > 4 ? "300px" : devices > 2 ? "240px" : "170px";
}

/** Draws the plan into `root` and keeps it true to the home. */
export class PlanView {
  /** @param {HTMLElement} root @param {(room: string) => void} onStand */
  constructor(root, onStand) {
    this.root = root;
    this.onStand = onStand;
    this.local = "";
    this.cards = new Map();
    this.rooms = new Map();
  }

  /** @param {import("./home.js").HomeModel} home @param {string} local */
  show(home, local) {
    this.home = home;
    this.local = local;
    this.cards.clear();
    this.rooms.clear();
    const homeless = home.list.filter((device) => !device.local);
    fill(
      this.root,
      this.#sets(home.sets),
      storeys(home.rooms).map(([name, rooms]) =>
        h("div.storey", null, name && h("h3", null, name), h("div.floor", null, rooms.map((room) => this.#room(room)))),
      ),
      homeless.length > 0 &&
        h("div.storey", null, h("h3", null, t("home.unplaced")), h("ul.devices", null, homeless.map((device) => this.#card(device)))),
    );
    for (const room of this.rooms.keys()) this.#light(room);
    home.addEventListener("change", (/** @type {any} */ event) => this.home === home && this.#update(event.detail));
  }

  stand(local) {
    this.local = local;
    for (const section of this.rooms.values()) this.#mark(section);
  }

  /** Draws attention to what a turn acted on. @param {string[]} ids */
  flash(ids) {
    const cards = ids.slice(0, MOST_FLASHES).map((id) => this.cards.get(id)).filter(Boolean);
    for (const card of cards) card.classList.remove("flash");
    requestAnimationFrame(() => {
      for (const card of cards) {
        card.classList.add("flash");
        card.addEventListener("animationend", () => card.classList.remove("flash"), { once: true });
      }
      cards[0]?.scrollIntoView({ block: "nearest" });
    });
  }

  #sets(sets) {
    if (!sets.length) return null;
    const chips = sets.map((entity) => {
      const chip = h("li.chip", null, entity.name);
      this.cards.set(entity.id, chip);
      return chip;
    });
    return h("ul.scenes", { "aria-label": t("home.scenes") }, chips);
  }

  #room(room) {
    const devices = this.home.list.filter((device) => device.local === room);
    const stand = h("button.stand", { type: "button", onclick: () => this.onStand(room) });
    const section = h(
      "section.room",
      { dataset: { room }, "aria-label": room },
      h("header", null, h("h3", null, room), stand),
      h("ul.devices", null, devices.map((device) => this.#card(device))),
    );
    section.style.flexGrow = String(Math.max(1, devices.length));
    section.style.flexBasis = widthFor(devices.length);
    this.rooms.set(room, section);
    this.#mark(section);
    return section;
  }

  #mark(section) {
    const { room } = section.dataset;
    const here = room === this.local;
    section.classList.toggle("here", here);
    const button = section.querySelector(".stand");
    button.setAttribute("aria-pressed", String(here));
    fill(button, drawing(PERSON), h("span", null, t(here ? "home.standing" : "home.here")), h("span.off-screen", null, ` ${room}`));
  }

  /** A room is lit while a lamp in it is on. */
  #light(room) {
    const lit = this.home.list.some(
      (device) => device.local === room && isOn(device.device.state) && kindOf(device, this.home.modelOf(device)) === "light",
    );
    this.rooms.get(room)?.classList.toggle("lit", lit);
  }

  #card(device) {
    const item = h("li.device", { dataset: { id: device.id } });
    this.cards.set(device.id, item);
    this.#draw(item, device);
    return item;
  }

  #update(ids) {
    const devices = ids.map((id) => this.home.devices.get(id)).filter(Boolean);
    for (const device of devices) this.#draw(this.cards.get(device.id), device);
    for (const room of new Set(devices.map((device) => device.local))) this.#light(room);
  }

  #draw(item, device) {
    const model = this.home.modelOf(device);
    const kind = kindOf(device, model);
    const { state } = device.device;
    const on = isOn(state);
    const focused = item.contains(document.activeElement);
    item.dataset.kind = kind;
    item.classList.toggle("on", on && device.online !== false);
    item.classList.toggle("offline", device.online === false);
    fill(item, this.#face(device, kind, model, on));
    if (focused) item.querySelector("button")?.focus();
  }

  #face(device, kind, model, on) {
    const said = saying(kind, model, device).join(" · ");
    const along = extent(model, device);
    const colour = colourOf(device);
    const level = along === null ? null : bar(along, said);
    level?.classList.add("level");
    level?.setAttribute("aria-hidden", "true");
    const swatch = colour && h("span.swatch");
    if (swatch) swatch.style.background = colour;
    const inside = [icon(kind), h("span.name", null, device.name || device.id), h("span.said", null, said, swatch), level];
    const power = device.online === false ? null : switchOf(device.device.state);
    if (!power) return h("div.face", null, inside);
    const press = () => this.home.set(device.id, { [power]: !device.device.state[power] });
    return h("button.face", { type: "button", "aria-pressed": String(on), onclick: press }, inside);
  }
}
