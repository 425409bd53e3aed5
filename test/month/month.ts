/** Some days of a house with schedules, policies, overrides, faults and restarts, checked minute by minute. */
import { configSchema } from "../../src/config/config.ts";
import { MINUTE_MS } from "../../src/domain/duration.ts";
import { fakeAdapter } from "../../src/testing/fake-adapter.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import { World } from "../../src/testing/world.ts";
import { ApiClient } from "../long-run/api-client.ts";
import { GatewayBox } from "../long-run/gateway-box.ts";
import { LongRun, type RunReport } from "../long-run/long-run.ts";
import { Checks } from "./checks.ts";
import { Effects } from "./effects.ts";
import { House } from "./house.ts";
import { Resident } from "./resident.ts";

/** Summer time ends on the 25th. */
const START_MS = Date.UTC(2026, 9, 9, 22);
const MINUTES_A_DAY = 1_440;
const JOURNAL_EVERY_MINUTES = 5;
const PAGE_EVERY_MINUTES = 30;
const PAGES = ["/vehicles", "/chargers", "/hvacs", "/hem-systems", "/users/home/vehicles", "/locations", "/users"];

export interface MonthResult extends RunReport {
  readonly deeds: number;
  readonly refused: number;
  readonly actions: number;
  readonly judged: number;
  readonly restarts: number;
  readonly faults: number;
  /** How often each event was in the journal. */
  readonly journal: ReadonlyMap<string, number>;
}

export async function liveThrough({ seed, days }: { seed: number; days: number }): Promise<MonthResult> {
  const month = new Month(seed);
  await month.begin();
  return await month.live(days);
}

class Month {
  readonly #run: LongRun;
  readonly #world: World;
  readonly #random: SeededRandom;
  readonly #house: House;
  readonly #box: GatewayBox;
  readonly #client: ApiClient;
  readonly #resident: Resident;
  readonly #checks: Checks;
  readonly #effects: Effects;
  readonly #calm = { deedAtMs: new Map<string, number>(), faultUntilMs: new Map<string, number>() };
  readonly #count = { deeds: 0, refused: 0, restarts: 0, faults: 0 };
  #driveAtMinute = 0;
  #startAtMinute: number | null = null;

  constructor(seed: number) {
    this.#world = new World({ seed, startMs: START_MS });
    this.#random = this.#world.random.fork("month");
    this.#house = new House(this.#world);
    this.#run = new LongRun(this.#world);
    this.#box = gatewayBox(this.#world, this.#house);
    this.#client = new ApiClient(this.#world, this.#box);
    this.#resident = new Resident(this.#client, this.#world.random.fork("resident"));
    this.#checks = new Checks(this.#world, this.#box);
    this.#effects = new Effects({ world: this.#world, box: this.#box, house: this.#house, calm: this.#calm });
  }

  async begin(): Promise<void> {
    await this.#box.start();
    await this.#client.join("resident");
    await this.#world.clock.advance(2 * MINUTE_MS);
    await this.#resident.moveIn();
  }

  async live(days: number): Promise<MonthResult> {
    const minute = async (turn: number) => [...(await this.#happen(turn)), ...(await this.#check(turn))];
    this.#run.every(MINUTE_MS, minute, { afterMs: 0, times: days * MINUTES_A_DAY });
    await this.#run.live();
    if (!this.#run.isOver) await this.#box.stop();
    const { judged } = this.#effects;
    const { actions, events: journal } = this.#checks.journal;
    return { ...this.#run.report(), ...this.#count, actions, judged, journal };
  }

  async #happen(minute: number): Promise<readonly string[]> {
    const random = this.#random;
    if (minute === this.#driveAtMinute) this.#drive(minute);
    if (random.isChance(1 / 300)) this.#house.swapAtWallbox();
    if (random.isChance(1 / 400)) this.#breakDevice();
    if (this.#startAtMinute === minute) return await this.#start();
    if (this.#box.running !== null && random.isChance(1 / 500)) return await this.#endGateway(minute);
    return random.isChance(1 / 40) ? await this.#act() : [];
  }

  /** Away for some hours by day, home for the night; now and then the other way round. */
  #drive(minute: number): void {
    if (minute > 0) this.#house.drive();
    this.#driveAtMinute = minute + Math.round(this.#random.between(240, 1_100));
  }

  #breakDevice(): void {
    const random = this.#random;
    const name = random.pick(["car", "wallbox", "heat-pump"]);
    const device = this.#house.devices[name];
    if (device === undefined || !device.isUp || device.refusesWrites !== null) return;
    const lastsMs = random.between(2, 40) * MINUTE_MS;
    if (name === "heat-pump" && random.isChance(0.4)) device.isAuthorized = false;
    else if (random.isChance(0.5)) device.isUp = false;
    else device.refusesWrites = "not now";
    this.#count.faults += 1;
    this.#calm.faultUntilMs.set(name, this.#world.clock.monotonicMs() + lastsMs);
    this.#world.clock.timer(lastsMs, () => {
      device.isUp = true;
      device.isAuthorized = true;
      device.refusesWrites = null;
    });
  }

  async #endGateway(minute: number): Promise<readonly string[]> {
    const breaches = await this.#checks.newJournal();
    this.#count.restarts += 1;
    if (this.#random.isChance(0.5)) this.#box.kill();
    else await this.#box.stop();
    this.#startAtMinute = minute + 1 + this.#random.below(this.#random.isChance(0.2) ? 200 : 5);
    return breaches;
  }

  async #start(): Promise<readonly string[]> {
    this.#startAtMinute = null;
    const running = await this.#box.start();
    this.#calm.faultUntilMs.set("gateway", this.#world.clock.monotonicMs());
    return this.#checks.afterStart(running);
  }

  async #act(): Promise<readonly string[]> {
    const deed = await this.#resident.act();
    if (deed === null) return [];
    this.#count.deeds += 1;
    if (deed.answer.status === 422) this.#count.refused += 1;
    const atMs = this.#world.clock.monotonicMs();
    // Prices concern everything.
    const concerned = deed.targetId === null ? Object.values(this.#resident.ids) : [deed.targetId];
    for (const id of concerned) this.#calm.deedAtMs.set(id, atMs);
    this.#world.events.add("deed", [deed.what, deed.answer.status]);
    return this.#checks.answered(deed);
  }

  async #checkCredentials(): Promise<readonly string[]> {
    const user = await this.#client.ask("GET", "/users/home");
    const hvacs = await this.#client.ask("GET", "/hvacs");
    return Checks.credentialBreaches(user?.body, hvacs?.body);
  }

  async #check(minute: number): Promise<readonly string[]> {
    const breaches = [...this.#checks.afterMinute(), ...this.#effects.afterMinute(this.#resident.ids)];
    if (minute % JOURNAL_EVERY_MINUTES === 0) breaches.push(...(await this.#checks.newJournal()));
    if (minute % PAGE_EVERY_MINUTES !== 0) return breaches;
    const url = PAGES[(minute / PAGE_EVERY_MINUTES) % PAGES.length] ?? "/vehicles";
    const answer = await this.#client.ask("GET", url);
    if (answer === null) return breaches;
    return [...breaches, ...Checks.pageBreaches(url, answer), ...(await this.#checkCredentials())];
  }
}

function gatewayBox(world: World, house: House): GatewayBox {
  const adapters = () => [fakeAdapter(house.devices)];
  const config = configSchema(adapters()).parse({
    site: { timezone: "Europe/Berlin" },
    devices: Object.keys(house.devices).map((id) => ({ id, adapter: "fake" })),
  });
  return new GatewayBox(world, { config, adapters });
}
