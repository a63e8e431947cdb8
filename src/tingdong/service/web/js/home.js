// The page plays the home: it holds the devices' state, applies instructs, and keeps timers (seed 004 §4.3, §4.4).

/** A home as the page holds it; `change` events carry the ids that changed. */
export class HomeModel extends EventTarget {
  /** @param {any} document a home of seed 004 §4.4 */
  constructor(document) {
    super();
    this.document = structuredClone(document);
    /** @type {Map<string, any>} */
    this.devices = new Map(this.document.devices.map((device) => [device.id, device]));
    /** @type {Map<string, any>} timer_id → instruct */
    this.timers = new Map();
  }

  get rooms() {
    const named = this.document.devices.map((device) => device.local).filter(Boolean);
    return [...new Set([...(this.document.layout || []), ...named])];
  }

  devicesIn(room) {
    return this.document.devices.filter((device) => device.local === room);
  }

  modelOf(device) {
    return this.document.model[device.device.model] || { property: {} };
  }

  /** The home to send along: what the instructs changed is already in it. */
  snapshot() {
    return this.document;
  }

  /** Applies a turn's instructs; deferred ones become timers, `cancel` takes one back. Returns the changed ids. */
  apply(instructs) {
    const changed = new Set();
    for (const instruct of instructs) {
      if (instruct.cancel) this.timers.delete(instruct.cancel);
      else if (instruct.when) this.timers.set(instruct.timer_id || crypto.randomUUID(), instruct);
      else this.#set(instruct, changed);
    }
    this.#tell(changed);
    return [...changed];
  }

  /** Carries out a timer now, as its clock would. */
  fire(timerId) {
    const instruct = this.timers.get(timerId);
    if (!instruct) return;
    if (!instruct.when.startsWith("RRULE")) this.timers.delete(timerId);
    const changed = new Set();
    this.#set(instruct, changed);
    this.#tell(changed);
  }

  /** A person's own hand on a device. */
  set(id, state) {
    const changed = new Set();
    this.#set({ id, state }, changed);
    this.#tell(changed);
  }

  #set({ id, state }, changed) {
    const device = this.devices.get(id);
    if (!device) return;
    Object.assign(device.device.state, state);
    changed.add(id);
  }

  #tell(changed) {
    this.dispatchEvent(new CustomEvent("change", { detail: [...changed] }));
  }
}

const KINDS = [
  ["light", /灯|照明|lamp|light|bulb/i],
  ["climate", /空调|aircon|冷气/i],
  ["fan", /风扇|吊扇|新风|换气|排风|油烟机|fan|extractor|ventilation/i],
  ["blind", /窗帘|纱帘|百叶|卷帘|遮光|curtain|blind/i],
  ["screen", /电视|投影|television|projector/i],
  ["sound", /音箱|音响|回音壁|功放|speaker|soundbar/i],
  ["plug", /插座|插排|充电|plug|charger/i],
  ["lock", /锁|门磁|lock|contact/i],
  ["sensor", /传感|检测|温度计|湿度|感应器|sensor|monitor/i],
  ["water", /加湿|除湿|热水|喷|浇|水泵|humidifier|heater|boiler/i],
];

/** A picture's name for a device: what it says of itself first, then its model. */
export function kindOf(device, model) {
  for (const text of [device.name, model.describe || "", model.name || ""]) {
    const found = KINDS.find(([, pattern]) => pattern.test(text));
    if (found) return found[0];
  }
  return "other";
}
