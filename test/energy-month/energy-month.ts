/** Some days of the energy manager in a house that does not behave, checked each second. */
import { configSchema } from "../../src/config/config.ts";
import { fakeAdapter } from "../../src/testing/fake-adapter.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import { World } from "../../src/testing/world.ts";
import { ApiClient } from "../long-run/api-client.ts";
import { GatewayBox } from "../long-run/gateway-box.ts";
import { field } from "../long-run/json-fields.ts";
import { LongRun, type RunReport } from "../long-run/long-run.ts";
import { Calm } from "./calm.ts";
import { House } from "./house.ts";
import { LimitsKept } from "./limits-kept.ts";
import { PromisesKept } from "./promises-kept.ts";
import { RecordsTrue } from "./records-true.ts";
import { HEARTBEAT_MS, Residents } from "./residents.ts";
import { Trouble } from "./trouble.ts";

/** Midsummer, at eight in the morning in Berlin. */
const START_MS = Date.UTC(2026, 5, 19, 6);
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ASK_EVERY_MS = 5 * MINUTE_MS;
/** After a start: devices answer again, values are given back, and what waits finds room. */
const START_CALM_MS = 3 * MINUTE_MS;
/** A battery follows the last command of a gateway that stops within this time. */
const LET_GO_MS = 5 * SECOND_MS;
/** What is regulated is given back within this time after the last wish and limit are gone. */
const GIVEN_BACK_MS = 25 * MINUTE_MS;

export interface EnergyMonthOptions {
  readonly seed: number;
  readonly days: number;
  /** Minutes from one deed to the next, in the mean. */
  readonly deedEveryMinutes: number;
}

export interface EnergyMonthResult extends RunReport {
  readonly restarts: number;
  readonly chargedKwh: number;
  readonly deeds: Readonly<Record<string, number>>;
  readonly troubles: Readonly<Record<string, number>>;
  readonly judged: Readonly<Record<string, number>>;
  /** Seconds near each limit. */
  readonly nearS: Readonly<Record<string, number>>;
}

export async function liveWithEnergy(options: EnergyMonthOptions): Promise<EnergyMonthResult> {
  const month = new EnergyMonth(options);
  await month.begin();
  return await month.live();
}

class EnergyMonth {
  readonly #options: EnergyMonthOptions;
  readonly #world: World;
  readonly #random: SeededRandom;
  readonly #run: LongRun;
  readonly #house: House;
  readonly #box: GatewayBox;
  readonly #client: ApiClient;
  readonly #operator: ApiClient;
  readonly #calm: Calm;
  readonly #residents: Residents;
  readonly #trouble: Trouble;
  readonly #limits: LimitsKept;
  readonly #promises: PromisesKept;
  readonly #records: RecordsTrue;
  #restarts = 0;
  #chargedWh = 0;

  constructor(options: EnergyMonthOptions) {
    const world = new World({ seed: options.seed, startMs: START_MS });
    this.#options = options;
    this.#world = world;
    this.#random = world.random.fork("energy-month");
    this.#run = new LongRun(world);
    this.#house = new House(world);
    this.#box = gatewayBox(world, this.#house);
    this.#client = new ApiClient(world, this.#box);
    this.#operator = new ApiClient(world, this.#box);
    this.#calm = new Calm(world.clock);
    const parts = { world, house: this.#house, calm: this.#calm };
    this.#residents = new Residents({ ...parts, client: this.#client, operator: this.#operator });
    this.#trouble = new Trouble(world, this.#house, this.#calm);
    this.#limits = new LimitsKept({ ...parts, residents: this.#residents });
    this.#promises = new PromisesKept({ ...parts, residents: this.#residents });
    this.#records = new RecordsTrue(parts);
  }

  async begin(): Promise<void> {
    await this.#box.start();
    this.#calm.disturb("gateway", START_CALM_MS);
    await this.#client.join("resident");
    await this.#operator.join("operator", ["energy:limits"]);
    await this.#world.clock.advance(MINUTE_MS);
    this.#run.broke(await this.#residents.moveIn());
  }

  async live(): Promise<EnergyMonthResult> {
    const endMs = this.#world.clock.monotonicMs() + this.#options.days * DAY_MS;
    const { deedEveryMinutes } = this.#options;
    this.#run.every(SECOND_MS, () => this.#check(), { isAligned: true });
    this.#run.every(HEARTBEAT_MS, () => this.#residents.beat());
    this.#run.every(ASK_EVERY_MS, () => this.#ask());
    this.#byChance(deedEveryMinutes, () => this.#residents.act());
    this.#byChance(3 * deedEveryMinutes, async () => {
      this.#trouble.strike();
      return [];
    });
    this.#byChance(12 * deedEveryMinutes, () => this.#restart());
    await this.#run.live(endMs);
    if (!this.#run.isOver) this.#run.broke(await this.#end());
    return this.#result();
  }

  /** Runs something again and again, after times that are drawn around a mean. */
  #byChance(meanMinutes: number, run: () => Promise<readonly string[]>): void {
    this.#run.in(this.#random.between(0.2, 1.8) * meanMinutes * MINUTE_MS, async () => {
      if (this.#box.running !== null) this.#run.broke(await run());
      this.#byChance(meanMinutes, run);
    });
  }

  #check(): readonly string[] {
    const { running } = this.#box;
    this.#chargedWh += this.#house.truth.chargersW / 3_600;
    return [
      ...(running === null ? [] : this.#limits.afterSecond(running)),
      ...this.#promises.afterSecond(running),
      ...this.#records.afterSecond(running),
    ];
  }

  /** What the API shows, as an app asks for it. */
  async #ask(): Promise<readonly string[]> {
    const answer = await this.#client.ask("GET", "/local/energy?language=de-DE");
    if (answer === null) return [];
    if (answer.status !== 200) return [`GET /local/energy was answered ${answer.status}`];
    return field(answer.body, "alarms") === undefined ? ["GET /local/energy has no alarms"] : [];
  }

  /** An orderly stop or a power cut, and a start a while later. */
  async #restart(): Promise<readonly string[]> {
    const random = this.#random;
    const pauseMs = random.between(5 * SECOND_MS, random.isChance(0.2) ? 30 * MINUTE_MS : 2 * MINUTE_MS);
    this.#calm.disturb("gateway", pauseMs + START_CALM_MS);
    this.#restarts += 1;
    const isKilled = random.isChance(0.5);
    this.#world.events.add("restart", [isKilled ? "killed" : "stopped", Math.round(pauseMs / SECOND_MS)]);
    if (isKilled) this.#box.kill();
    else await this.#box.stop();
    const breaches = isKilled ? [] : await this.#letGo();
    this.#run.in(pauseMs, async () => {
      await this.#box.start();
      this.#calm.disturb("gateway", START_CALM_MS);
    });
    return breaches;
  }

  /** After an orderly stop no battery is forced that nobody but the gateway wanted so. */
  async #letGo(): Promise<readonly string[]> {
    const { battery } = this.#house;
    await this.#world.clock.advance(LET_GO_MS);
    if (!battery.isForced || !battery.isObedient || !this.#calm.isCalm("battery")) return [];
    if (this.#residents.wantsBattery(battery.mode)) return [];
    return [`the gateway has stopped, and left the battery in ${battery.mode} with ${Math.round(battery.watts)} W`];
  }

  /** When all wishes and limits are gone, nothing is held on any device. */
  async #end(): Promise<readonly string[]> {
    const { clock } = this.#world;
    if (this.#box.running === null) await this.#box.start();
    await clock.advance(30 * MINUTE_MS);
    const breaches = [...(await this.#residents.moveOut())];
    await clock.advance(GIVEN_BACK_MS);
    const { running } = this.#box;
    const held = running?.gateway.store.all("lease").filter(({ origin }) => origin === "energy") ?? [];
    breaches.push(...held.map((lease) => `a value is still held at the end: ${JSON.stringify(lease)}`));
    const { battery, heating } = this.#house;
    if (battery.isForced || battery.setpointW !== 0) {
      breaches.push(`the battery is left in ${battery.mode} with a power of ${battery.setpointW} W`);
    }
    if (heating?.isRaised && !this.#residents.wantsHeat)
      breaches.push(`the ${heating.kind} is left with ${heating.watts} W`);
    if (this.#house.panels.limitPct < 100) breaches.push(`the inverter is left at ${this.#house.panels.limitPct} %`);
    await this.#box.stop();
    return breaches;
  }

  #result(): EnergyMonthResult {
    return {
      ...this.#run.report(),
      restarts: this.#restarts,
      chargedKwh: Math.round(this.#chargedWh / 1_000),
      deeds: Object.fromEntries(this.#residents.count),
      troubles: Object.fromEntries(this.#trouble.count),
      judged: { ...Object.fromEntries(this.#promises.judged), records: this.#records.judged },
      nearS: Object.fromEntries(this.#limits.nearS),
    };
  }
}

function gatewayBox(world: World, house: House): GatewayBox {
  const adapters = () => [fakeAdapter(house.devices)];
  const config = configSchema(adapters()).parse({
    site: { timezone: "Europe/Berlin" },
    pricing: { feedIn: { perKwh: 0.08 } },
    ...(house.isDimmable && { gridLimits: { controllable: [{ device: "heat", kind: "heat-pump", kw: 2.5 }] } }),
    devices: Object.keys(house.devices).map((id) => ({ id, adapter: "fake" })),
  });
  return new GatewayBox(world, { config, adapters });
}
