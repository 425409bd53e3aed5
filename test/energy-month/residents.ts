/** People and a grid operator: modes, targets, overrides, schedules, commands, the maker's app, limits. */
import type { OperationMode } from "../../src/points/points.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { World } from "../../src/testing/world.ts";
import type { Answer, ApiClient } from "../long-run/api-client.ts";
import { entriesOf, field } from "../long-run/json-fields.ts";
import { Tally } from "../long-run/tally.ts";
import type { Calm } from "./calm.ts";
import type { Charging } from "./charging.ts";
import type { House } from "./house.ts";
import { StorageDeeds } from "./storage-deeds.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
/** What the API may say to people who try everything; 422: another feature is in charge, or the command is none. */
const FAIR = new Set([200, 201, 204, 400, 404, 409, 422]);
const MODES = ["OFF", "SURPLUS", "SURPLUS", "MIN_SURPLUS", "FAST", "PLANNED"] as const;

/** A target that somebody set, to be judged at its time. */
export interface Wish {
  readonly chargerId: string;
  readonly kwh: number;
  readonly setAtMs: number;
  /** Monotonic ms. */
  readonly dueMs: number;
}

/** What the operator set last over the API. */
export interface Demand {
  readonly direction: "import" | "export";
  readonly scope: "connection" | "controllable";
  readonly watts: number;
  /** Monotonic ms. */
  readonly setAtMs: number;
  readonly untilMs: number;
}

export class Residents {
  readonly count = new Tally();
  readonly wishes: Wish[] = [];
  /** Asset ids by the ids of the devices. */
  readonly ids = new Map<string, string>();
  readonly mode = new Map<string, string>();
  isHeartbeatOn = true;
  /** `null`: none that is still known to apply. */
  demand: Demand | null = null;
  readonly #world: World;
  readonly #house: House;
  readonly #calm: Calm;
  readonly #client: ApiClient;
  readonly #operator: ApiClient;
  readonly #random: SeededRandom;
  readonly #storage: StorageDeeds;
  #scheduleId: string | null = null;

  constructor(parts: { world: World; house: House; calm: Calm; client: ApiClient; operator: ApiClient }) {
    this.#world = parts.world;
    this.#house = parts.house;
    this.#calm = parts.calm;
    this.#client = parts.client;
    this.#operator = parts.operator;
    this.#random = parts.world.random.fork("residents");
    const { ids, mode } = this;
    this.#storage = new StorageDeeds({
      ...{ ...parts, ids, mode },
      ask: (method, url, body) => this.#ask(method, url, body),
      note: (subject, what) => this.#note(subject, what),
    });
  }

  get batteryUse(): StorageDeeds["use"] {
    return this.#storage.use;
  }

  /** Temperatures that planned heat is to keep, °C. */
  get heat(): StorageDeeds["heat"] {
    return this.#storage.heat;
  }

  get wantsHeat(): boolean {
    return this.#storage.wantsHeat;
  }

  /** True if a person may have set the battery's mode. */
  wantsBattery(mode: OperationMode): boolean {
    return this.#storage.wantsBattery(mode);
  }

  /** Finds the devices, and sets the connection to the grid. */
  async moveIn(): Promise<readonly string[]> {
    const serials = new Map<string, string>();
    const chargers = await this.#client.ask("GET", "/chargers");
    for (const entry of entriesOf(chargers?.body)) {
      serials.set(String(field(entry, "information", "serialNumber")), String(field(entry, "id")));
    }
    const batteries = await this.#client.ask("GET", "/batteries");
    for (const { spec } of this.#house.chargers) this.ids.set(spec.id, serials.get(spec.id) ?? "");
    this.ids.set("battery", String(field(entriesOf(batteries?.body)[0], "id") ?? ""));
    for (const charging of this.#house.chargers) this.#comeOrGo(charging);
    const unfair = await this.#storage.moveIn();
    const missing = [...this.ids].filter(([, id]) => id === "").map(([name]) => `${name} is no asset`);
    const random = this.#random;
    const garage = {
      id: "garage",
      fuseA: random.pick([20, 25]),
      members: [...this.#house.chargers.map(({ spec }) => spec.id), ...(random.isChance(0.3) ? ["battery"] : [])],
    };
    const { heating } = this.#house;
    const site = {
      fuseA: random.pick([20, 25, 32]),
      importKw: random.pick([null, 14]),
      feedInKw: random.pick([null, 6, 3]),
      circuits: random.isChance(0.6) ? [garage] : null,
      phasesOf: Object.fromEntries([
        ...this.#house.chargers.map(({ spec }) => [spec.id, spec.phases]),
        ...(heating === null ? [] : [[heating.id, heating.phases]]),
      ]),
    };
    return [...unfair, ...missing, ...(await this.#ask("PATCH", "/local/site", site))];
  }

  /** Does one thing. Returns what the API should not have answered. */
  async act(): Promise<readonly string[]> {
    const random = this.#random;
    const [wallbox, ...others] = this.#house.chargers;
    if (wallbox === undefined) return [];
    const charging = random.pick([wallbox, wallbox, ...others]);
    const away = this.#house.chargers.find(({ isPlugged }) => !isPlugged);
    const deeds: readonly [string, () => Promise<readonly string[]>][] = [
      ["mode", () => this.#setMode(charging)],
      ["mode", () => this.#setMode(charging)],
      ["mode", () => this.#setMode(charging)],
      ["priority", () => this.#setPriority(charging)],
      ["no-mode", () => this.#clearMode(charging)],
      ["override", () => this.#override(charging)],
      ["command", () => this.#command(charging)],
      ["app", async () => this.#makersApp(charging)],
      ["schedule", () => this.#schedule(charging)],
      ...this.#storage.deeds,
      ["site", () => this.#setSite()],
      ["limit", () => this.#setLimit()],
      ["limit", () => this.#setLimit()],
      ["operator-lost", async () => this.#loseOperator()],
      ["car", async () => this.#comeOrGo(charging)],
      ["car", async () => this.#comeOrGo(away ?? charging)],
      ["car", async () => this.#comeOrGo(away ?? charging)],
    ];
    const [what, deed] = deeds[random.below(deeds.length)] ?? ["nothing", async () => []];
    this.count.count(what);
    return await deed();
  }

  /** The operator's sign of life. */
  async beat(): Promise<readonly string[]> {
    if (!this.isHeartbeatOn || this.demand === null) return [];
    const answer = await this.#operator.ask("POST", "/local/energy/limits/heartbeat");
    return answer === null || FAIR.has(answer.status) ? [] : [`the heartbeat was answered ${answer.status}`];
  }

  /** Everybody takes back what they asked for. */
  async moveOut(): Promise<readonly string[]> {
    const breaches = [...(await this.#storage.moveOut())];
    for (const charging of this.#house.chargers) {
      const id = this.ids.get(charging.spec.id) ?? "";
      breaches.push(...(await this.#ask("DELETE", `/local/energy/devices/${id}`)));
      breaches.push(...(await this.#ask("DELETE", `/chargers/${id}/smart-override`)));
    }
    if (this.#scheduleId !== null) breaches.push(...(await this.#ask("DELETE", `/schedules/${this.#scheduleId}`)));
    await this.#operator.ask("DELETE", "/local/energy/limits");
    this.demand = null;
    const none = { fuseA: null, importKw: null, feedInKw: null, circuits: null };
    return [...breaches, ...(await this.#ask("PATCH", "/local/site", none))];
  }

  /** A car comes and is plugged in, or goes. */
  #comeOrGo(charging: Charging): readonly string[] {
    const { spec } = charging;
    if (charging.isPlugged) charging.unplug();
    else charging.plug(this.#random.between(8_000, 45_000));
    this.#note(spec.id, `car ${charging.isPlugged ? "comes" : "goes"}`);
    return [];
  }

  async #setMode(charging: Charging): Promise<readonly string[]> {
    const random = this.#random;
    const mode = random.pick(MODES);
    const { id } = charging.spec;
    const kwh = Math.round(random.between(2, 12));
    const dueInMs = random.between(2, 8) * HOUR_MS;
    const by = new Date(this.#world.clock.nowMs() + dueInMs).toISOString();
    const target = mode === "PLANNED" && random.isChance(0.8) ? { kind: "ONCE", by, soc: null, energyKwh: kwh } : null;
    const body = { mode, target, gridShare: random.pick([0, 0, 0.5]) };
    const breaches = await this.#ask("PUT", `/local/energy/devices/${this.ids.get(id)}`, body);
    this.#note(id, `mode ${mode}`);
    this.mode.set(id, mode);
    const nowMs = this.#world.clock.monotonicMs();
    if (target !== null) this.wishes.push({ chargerId: id, kwh, setAtMs: nowMs, dueMs: nowMs + dueInMs });
    return breaches;
  }

  async #setPriority({ spec: { id } }: Charging): Promise<readonly string[]> {
    if (!this.mode.has(id)) return [];
    this.#note(id, "priority");
    return await this.#ask("PUT", `/local/energy/devices/${this.ids.get(id)}`, {
      priority: 1 + this.#random.below(100),
    });
  }

  async #clearMode({ spec: { id } }: Charging): Promise<readonly string[]> {
    this.mode.delete(id);
    this.#note(id, "no mode");
    return await this.#ask("DELETE", `/local/energy/devices/${this.ids.get(id)}`);
  }

  async #override({ spec: { id } }: Charging): Promise<readonly string[]> {
    this.#note(id, "override");
    const method = this.#random.isChance(0.6) ? "POST" : "DELETE";
    return await this.#ask(method, `/chargers/${this.ids.get(id)}/smart-override`);
  }

  async #command({ spec: { id, maxA } }: Charging): Promise<readonly string[]> {
    const random = this.#random;
    this.#note(id, "command");
    const url = `/chargers/${this.ids.get(id)}`;
    if (random.isChance(0.4)) {
      return await this.#ask("POST", `${url}/max-current`, { maxCurrent: 6 + random.below(maxA - 5) });
    }
    return await this.#ask("POST", `${url}/charging`, { action: random.pick(["START", "STOP"]) });
  }

  #makersApp(charging: Charging): readonly string[] {
    const random = this.#random;
    const { id, maxA } = charging.spec;
    this.#note(id, "app");
    charging.change(random.isChance(0.5) ? { offeredA: 6 + random.below(maxA - 5) } : { isOn: random.isChance(0.6) });
    return [];
  }

  async #schedule({ spec: { id } }: Charging): Promise<readonly string[]> {
    if (this.#scheduleId !== null) {
      const url = `/schedules/${this.#scheduleId}`;
      this.#scheduleId = null;
      for (const { spec } of this.#house.chargers) this.#note(spec.id, "schedule goes");
      return await this.#ask("DELETE", url);
    }
    const rules = [{ hourMinute: { from: "11:00", to: "15:00" }, shouldCharge: this.#random.isChance(0.5) }];
    const fields = { locationId: null, isEnabled: true, defaultShouldCharge: this.#random.isChance(0.5), rules };
    const body = { targetType: "charger", targetId: this.ids.get(id), ...fields };
    this.#note(id, "schedule");
    const answer = await this.#client.ask("POST", "/users/home/schedules", body);
    if (answer?.status === 200) {
      this.#scheduleId = String(field(answer.body, "id"));
      this.mode.delete(id);
    }
    return this.#unfair(answer, "POST schedule");
  }

  async #setSite(): Promise<readonly string[]> {
    const random = this.#random;
    const change = random.pick<object>([
      { fuseA: random.pick([20, 25, 32]) },
      { importKw: random.pick([null, 9, 14]) },
      { feedInKw: random.pick([null, 6, 3, 0]) },
    ]);
    this.#note("site", JSON.stringify(change));
    return await this.#ask("PATCH", "/local/site", change);
  }

  async #setLimit(): Promise<readonly string[]> {
    const random = this.#random;
    const direction = random.pick<Demand["direction"]>(["import", "import", "import", "export"]);
    const scope = direction === "import" ? random.pick<Demand["scope"]>(["connection", "controllable"]) : "connection";
    const limit = direction === "import" ? random.pick([0.5, 4.2, 7.56, 12]) : random.pick([0, 2, 5]);
    const isActive = random.isChance(0.7);
    const duration = random.pick([null, 600, 3_600]);
    const demand = { isActive, limit, duration, scope, failsafe: 4.2 };
    this.#note("limits", JSON.stringify({ direction, ...demand }));
    this.isHeartbeatOn = true;
    const answer = await this.#operator.ask("PUT", "/local/energy/limits", { [direction]: demand });
    if (answer?.status !== 200) return this.#unfair(answer, "PUT limits");
    const setAtMs = this.#world.clock.monotonicMs();
    const untilMs = duration === null ? Number.POSITIVE_INFINITY : setAtMs + duration * SECOND_MS;
    if (isActive) this.demand = { direction, scope, watts: limit * 1_000, setAtMs, untilMs };
    else if (this.demand?.direction === direction) this.demand = null;
    return this.#unfair(answer, "PUT limits");
  }

  /** The operator's control box goes away, and comes back when it sets its next limit. */
  #loseOperator(): readonly string[] {
    this.#note("limits", "operator lost");
    this.isHeartbeatOn = false;
    return [];
  }

  #note(subject: string, what: string): void {
    this.#calm.deed(subject);
    this.#world.events.add("deed", [subject, what]);
  }

  async #ask(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    url: string,
    body?: object,
  ): Promise<readonly string[]> {
    return this.#unfair(await this.#client.ask(method, url, body), `${method} ${url} ${JSON.stringify(body)}`);
  }

  #unfair(answer: Answer | null, what: string): readonly string[] {
    if (answer === null || FAIR.has(answer.status)) return [];
    return [`${what} was answered ${answer.status} ${JSON.stringify(answer.body)}`];
  }
}

/** Seconds as the operator's sign of life needs them. */
export const HEARTBEAT_MS = 45 * SECOND_MS;
