import type { Firmware, Say } from "./board.ts";

const TICK_MS = 1_000;
const KEEP_ALIVE_MS = 60_000;
const HEARTBEAT_TICKS = 3;
/** What the inverters of the house can do, W. */
const MOST_W = 5_000;

type Value = number | string | null;

const LINES = ["L1", "L2", "L3"];
const OVERRIDE = "hub4/0/Overrides/Setpoint";
const STORED = "settings/0/Settings/CGwacs/AcPowerSetPoint";

/** Values on the bus of a house with one phase in use, by `<service>/<instance>/<path>`. */
function makeBus(): Map<string, Value> {
  return new Map<string, Value>([
    ["system/0/Serial", "c0619ab4a585"],
    ...["Ac/Grid", "Ac/Consumption", "Ac/PvOnGrid", "Ac/PvOnOutput"].flatMap((group) =>
      LINES.map((line): [string, Value] => [`system/0/${group}/${line}/Power`, null]),
    ),
    ["system/0/Ac/Consumption/L1/Power", 820],
    ["system/0/Ac/PvOnGrid/L1/Power", 1_240],
    ["system/0/Dc/Pv/Power", 660],
    ["system/0/Dc/Battery/Power", 0],
    ["system/0/Dc/Battery/Soc", 57.5],
    ["system/0/Dc/Battery/State", 1],
    ["system/0/DynamicEss/Active", 0],
    ["platform/0/Device/Model", "Cerbo GX"],
    ["platform/0/Firmware/Installed/Version", "v3.60"],
    ["grid/30/Ac/Power", 0],
    ["grid/30/Ac/L1/Power", 0],
    ["grid/30/Ac/L1/Voltage", 231.4],
    ["grid/30/Ac/L1/Current", 4.1],
    ["grid/30/Ac/Frequency", 50.02],
    ["grid/30/Ac/Energy/Forward", 1_234.56],
    ["grid/30/Ac/Energy/Reverse", 98.7],
    ["pvinverter/20/Ac/Power", 1_240],
    ["pvinverter/20/Ac/Energy/Forward", 4_000.5],
    ["solarcharger/279/Yield/Power", 660],
    ["solarcharger/279/Yield/System", 1_000.25],
    ["battery/512/Dc/0/Power", 0],
    ["battery/512/Soc", 57.5],
    ["evcharger/40/Status", 2],
    ["evcharger/40/Mode", 1],
    ["evcharger/40/StartStop", 1],
    ["evcharger/40/SetCurrent", 16],
    ["evcharger/40/MaxCurrent", 16],
    ["evcharger/40/Ac/Power", 3_680],
    ["evcharger/40/Ac/Energy/Forward", 321.5],
    ["evcharger/40/Session/Energy", 4.25],
    ["evcharger/40/ProductName", "EV Charging Station"],
    ["evcharger/40/Serial", "HQ2230ABCDE"],
    [OVERRIDE, null],
    [STORED, 50],
    ["settings/0/Settings/CGwacs/Hub4Mode", 1],
    ["settings/0/Settings/CGwacs/BatteryLife/State", 10],
    ["settings/0/Settings/CGwacs/BatteryLife/MinimumSocLimit", 20],
    ["settings/0/Settings/CGwacs/MaxDischargePower", -1],
    ["settings/0/Settings/DynamicEss/Mode", 0],
  ]);
}

/** A Victron GX: nothing retained, notices of changes while it is kept alive, reads, writes, and ESS at a grid set point. */
export class VictronGxTwin implements Firmware {
  readonly filters: readonly string[];
  readonly ticks = [{ everyMs: TICK_MS, run: (say: Say): void => this.#tick(say) }];
  readonly bus = makeBus();
  /** Writes that it heard, by topic without `W/<portal>/`, in their order. */
  readonly writes: (readonly [path: string, value: Value])[] = [];
  /** True: it reads and dumps, but nothing that is written changes anything. */
  isStubborn = false;
  /** True: the plugin hangs. */
  isSilent = false;
  dumps = 0;
  readonly #portal: string;
  readonly #told = new Map<string, string>();
  #aliveMs = 0;
  #ticks = 0;

  constructor(portal: string) {
    this.#portal = portal;
    this.filters = [`R/${portal}/#`, `W/${portal}/#`];
    this.#regulate();
  }

  connected(): void {
    this.#aliveMs = 0;
  }

  heard({ topic, text, isRetained }: { topic: string; text: string; isRetained: boolean }, say: Say): void {
    if (this.isSilent || isRetained) return;
    const path = topic.slice(`R/${this.#portal}/`.length);
    if (path === "keepalive") this.#keepAlive(text, say);
    else if (topic.startsWith("R/")) this.#notify(path, say);
    else if (this.bus.has(path)) this.#write(path, JSON.parse(text).value, say);
  }

  /** A device leaves the bus: an empty notice for each of its values. */
  remove(device: string, say: Say): void {
    for (const path of [...this.bus.keys()].filter((each) => each.startsWith(`${device}/`))) {
      this.bus.delete(path);
      this.#told.delete(path);
      say({ topic: `N/${this.#portal}/${path}`, text: "" });
    }
  }

  #write(path: string, value: Value, say: Say): void {
    this.writes.push([path, value]);
    if (this.isStubborn) return;
    this.bus.set(path, value);
    this.#changes(say);
  }

  #keepAlive(text: string, say: Say): void {
    this.#aliveMs = KEEP_ALIVE_MS;
    if (text.includes("suppress-republish")) return;
    this.dumps += 1;
    for (const path of this.bus.keys()) this.#notify(path, say);
    say({ topic: `N/${this.#portal}/full_publish_completed`, text: '{"value":1702459522}' });
  }

  #tick(say: Say): void {
    this.#ticks += 1;
    this.#aliveMs -= TICK_MS;
    this.#regulate();
    if (this.isSilent || this.#aliveMs < 0) return;
    if (this.#ticks % HEARTBEAT_TICKS === 0) say({ topic: `N/${this.#portal}/heartbeat`, text: '{"value":1}' });
    this.#changes(say);
  }

  /** ESS moves the battery so that the grid comes to the set point. */
  #regulate(): void {
    const number = (path: string): number => Number(this.bus.get(path) ?? 0);
    const setpointW = Number(this.bus.get(OVERRIDE) ?? this.bus.get(STORED) ?? 0);
    const pvW = number("system/0/Ac/PvOnGrid/L1/Power") + number("system/0/Dc/Pv/Power");
    const houseW = number("system/0/Ac/Consumption/L1/Power") - pvW;
    const batteryW = Math.max(-MOST_W, Math.min(MOST_W, setpointW - houseW));
    this.bus.set("system/0/Dc/Battery/Power", batteryW);
    this.bus.set("battery/512/Dc/0/Power", batteryW);
    for (const path of ["system/0/Ac/Grid/L1/Power", "grid/30/Ac/Power", "grid/30/Ac/L1/Power"]) {
      if (this.bus.has(path)) this.bus.set(path, houseW + batteryW);
    }
  }

  #changes(say: Say): void {
    for (const [path, value] of this.bus) if (this.#told.get(path) !== JSON.stringify(value)) this.#notify(path, say);
  }

  #notify(path: string, say: Say): void {
    const value = this.bus.get(path);
    if (value === undefined) return;
    this.#told.set(path, JSON.stringify(value));
    const limits = path.startsWith("settings/") ? { max: 1_000_000, min: -1_000_000 } : {};
    say({ topic: `N/${this.#portal}/${path}`, text: JSON.stringify({ ...limits, value }) });
  }
}
