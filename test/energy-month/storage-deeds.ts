/** What people do with the house battery and with what heats, and the prices that they pay. */
import type { OperationMode } from "../../src/points/points.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { World } from "../../src/testing/world.ts";
import type { ApiClient } from "../long-run/api-client.ts";
import { entriesOf, field } from "../long-run/json-fields.ts";
import type { House } from "./house.ts";

const HOME = { latitude: 52.5, longitude: 13.4 };
const HOURS = 24;
const HEAT_MODES = ["PLANNED", "PLANNED", "PLANNED", "SURPLUS", "FAST", "OFF"] as const;
/** What the plan has where nothing is set. */
const USUAL = { heater: { minC: 45, maxC: 60 }, "heat-pump": { minC: 20, maxC: 22 } } as const;

/** Sends a request, and returns what was not to be answered. */
type Ask = (method: "PUT" | "POST" | "DELETE", url: string, body?: object) => Promise<readonly string[]>;

export interface StorageParts {
  readonly world: World;
  readonly house: House;
  readonly client: ApiClient;
  readonly ids: Map<string, string>;
  readonly mode: Map<string, string>;
  readonly ask: Ask;
  readonly note: (subject: string, what: string) => void;
}

export class StorageDeeds {
  use = { holdWhileFast: true, supportAbove: 100, isPlanned: false };
  heat: { readonly minC: number; readonly maxC: number };
  /** True if somebody has set more heat by the maker's app: the gateway gives that back when it lets go. */
  wantsHeat = false;
  readonly #parts: StorageParts;
  readonly #random: SeededRandom;
  /** The modes that people have set by the API or the maker's app since the plan was last given the battery. */
  readonly #wanted = new Set<OperationMode>();

  constructor(parts: StorageParts) {
    this.#parts = parts;
    this.#random = parts.world.random.fork("storage-deeds");
    this.heat = USUAL[parts.house.heating?.kind ?? "heater"];
  }

  /** What a person may do; the more often it is in the list, the likelier it is. */
  get deeds(): readonly [string, () => Promise<readonly string[]>][] {
    const battery: [string, () => Promise<readonly string[]>][] = [
      ["battery-use", () => this.#setUse()],
      ["battery-use", () => this.#setUse()],
      ["battery-mode", () => this.#command()],
      ["battery-app", async () => this.#batteryApp()],
      ["tariff", () => this.#setPrices()],
    ];
    if (this.#parts.house.heating === null) return battery;
    return [
      ...battery,
      ["heat-mode", () => this.#setHeatMode()],
      ["heat-mode", () => this.#setHeatMode()],
      ["heat-app", async () => this.#heatApp()],
      ["no-heat-mode", () => this.#clearHeat()],
    ];
  }

  /** True if a person may have set the mode. */
  wantsBattery(mode: OperationMode): boolean {
    return this.#wanted.has(mode);
  }

  /** Finds the devices, and has prices and a plan from the start. */
  async moveIn(): Promise<readonly string[]> {
    const { client, ids, house, ask } = this.#parts;
    const place = { name: "Home", timezoneName: "Europe/Berlin", ...HOME };
    const location = await client.ask("POST", "/users/home/locations", place);
    ids.set("location", String(field(location?.body, "id") ?? ""));
    const breaches = [...(await this.#setPrices())];
    if (house.heating !== null) {
      const heats = await client.ask("GET", "/hvacs");
      ids.set(house.heating.id, String(field(entriesOf(heats?.body)[0], "id") ?? ""));
      breaches.push(...(await this.#setHeatMode("PLANNED")));
    }
    if (this.#random.isChance(0.7)) breaches.push(...(await this.#setUse(true)));
    else breaches.push(...(await ask("PUT", "/local/energy/battery-use", this.use)));
    return breaches;
  }

  async moveOut(): Promise<readonly string[]> {
    const { ask, house } = this.#parts;
    this.use = { ...this.use, isPlanned: false };
    const breaches = [...(await ask("PUT", "/local/energy/battery-use", { isPlanned: false }))];
    breaches.push(...(await this.#command("SELF_RELIANCE")));
    if (house.heating !== null) breaches.push(...(await this.#clearHeat()));
    return breaches;
  }

  /** Some hours cost less than others, some as much. */
  async #setPrices(): Promise<readonly string[]> {
    const random = this.#random;
    const { ask, ids } = this.#parts;
    const rates = ["low", "middle", "high"].map((name, at) => ({ name, cost: (0.08 + 0.14 * at).toFixed(2) }));
    const tariffIntervals = [];
    for (let hour = 0; hour < HOURS; ) {
      const next = Math.min(HOURS, hour + 1 + random.below(3));
      tariffIntervals.push({ name: random.pick(["low", "middle", "high"]), from: wall(hour), to: wall(next) });
      hour = next;
    }
    return [
      ...(await ask("PUT", "/tariffs/home", rates)),
      ...(await ask("PUT", `/locations/${ids.get("location")}/tariff`, { tariffId: "home", tariffIntervals })),
    ];
  }

  async #setUse(isPlanned = this.#random.isChance(0.7)): Promise<readonly string[]> {
    const random = this.#random;
    const { ask, note } = this.#parts;
    const use = { holdWhileFast: random.isChance(0.7), supportAbove: random.pick([100, 100, 45]), isPlanned };
    const more = { priorityBelow: random.pick([0, 50]), mayDischargeToGrid: random.isChance(0.4) };
    note("battery", `battery use ${JSON.stringify({ ...use, ...more })}`);
    const breaches = await ask("PUT", "/local/energy/battery-use", { ...use, ...more });
    this.use = use;
    return breaches;
  }

  async #command(
    operationMode: OperationMode = this.#random.pick([
      ...(["SELF_RELIANCE", "SELF_RELIANCE", "IDLE", "IMPORT_FOCUS", "EXPORT_FOCUS"] as const),
    ]),
  ): Promise<readonly string[]> {
    const { ask, note, ids } = this.#parts;
    note("battery", `battery ${operationMode}`);
    this.#wants(operationMode);
    return await ask("POST", `/batteries/${ids.get("battery")}/operation-mode`, { operationMode });
  }

  #batteryApp(): readonly string[] {
    const { house, note } = this.#parts;
    const mode = this.#random.pick(["SELF_RELIANCE", "SELF_RELIANCE", "IMPORT_FOCUS"] as const);
    note("battery", `battery ${mode} by the app`);
    // Nobody can see that somebody sets what a limit has set already: what a client holds is given back after it.
    if (house.battery.device.values["battery.mode"] !== mode) this.#wants(mode);
    house.battery.change(mode);
    return [];
  }

  /** A command may wait and be given back later, so that what was wanted before counts for as long as something is forced. */
  #wants(mode: OperationMode): void {
    if (mode === "SELF_RELIANCE") this.#wanted.clear();
    else this.#wanted.add(mode);
  }

  async #setHeatMode(mode = this.#random.pick(HEAT_MODES) as string): Promise<readonly string[]> {
    const random = this.#random;
    const { ask, note, ids, house } = this.#parts;
    const { heating } = house;
    if (heating === null) return [];
    const minC = heating.kind === "heater" ? random.pick([45, 48, 50]) : 20;
    const heat = { minC, maxC: minC + (heating.kind === "heater" ? random.pick([8, 15]) : random.pick([1, 2])) };
    note(heating.id, `heat ${mode} ${JSON.stringify(heat)}`);
    const powerKw = heating.maxW / 1_000;
    const url = `/local/energy/devices/${ids.get(heating.id)}`;
    const breaches = await ask("PUT", url, { mode, powerKw, heat });
    this.#parts.mode.set(heating.id, mode);
    this.heat = heat;
    return breaches;
  }

  async #clearHeat(): Promise<readonly string[]> {
    const { ask, note, ids, house, mode } = this.#parts;
    if (house.heating === null) return [];
    mode.delete(house.heating.id);
    note(house.heating.id, "no heat mode");
    return await ask("DELETE", `/local/energy/devices/${ids.get(house.heating.id)}`);
  }

  #heatApp(): readonly string[] {
    const { house, note } = this.#parts;
    const { heating } = house;
    if (heating === null) return [];
    const value =
      heating.kind === "heater" ? this.#random.pick([0, 1_500]) : this.#random.pick(["AUTO", "OFF", "HEAT"] as const);
    note(heating.id, `heat ${value} by the app`);
    // Nobody can see that somebody sets what is set already: what was found before is given back then.
    const isNews = heating.device.values[heating.kind === "heater" ? "hvac.maxPower" : "hvac.mode"] !== value;
    if (isNews) this.wantsHeat = value === 1_500 || value === "HEAT";
    heating.change(value);
    return [];
  }
}

function wall(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}
