/** Days of a recorded home (`HOME_DAYS`), lived in the simulated world: the API tells the energy that the file has. */
import { readFileSync } from "node:fs";
import type { PointName } from "hemgate/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { modbusAdapter } from "../../adapters/modbus/modbus-adapter.ts";
import { SANDBOX_SPEC } from "../../adapters/simulated/home-model.ts";
import { type SandboxHome, startSandboxHome } from "../../adapters/simulated/sandbox-home.ts";
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { serveModbus } from "../../src/testing/modbus-server.ts";
import { World } from "../../src/testing/world.ts";
import { recordingAt } from "./recordings.ts";

const FILE = recordingAt("homes/Building_1.csv");
const HOURS = Number(process.env["HOME_DAYS"] ?? "2") * 24;
const HOUR_MS = 3_600_000;
const SAMPLE_MS = 60_000;
/** The file's second row is the first hour of August; at Greenwich its local time is UTC. */
const START_MS = Date.UTC(2026, 7, 1);
const SPEC = { ...SANDBOX_SPEC, place: { latitude: 48.1, longitude: 0 } };
const INSTALLED_KW = SPEC.stringsKw[0] + SPEC.stringsKw[1];
const LIMIT_MS = 60_000;
const TOKEN_MS = 50 * 60_000;
/** Slower than a house would be polled: a week has 600,000 seconds. The house moves as often as it is read. */
const POLL_MS = { fast: 10_000, normal: 20_000, slow: 60_000 };
const TICK_MS = 10_000;

/** kWh over these days as the file's own columns add up, read here without the code under test. */
function weekOfFile(): { readonly load: number; readonly production: number } {
  const [header, ...rows] = readFileSync(FILE, "utf8").trim().split("\n");
  const columns = header!.split(",");
  const week = rows.slice(1, 1 + HOURS).map((row) => row.split(","));
  expect(week[0]!.slice(0, 2)).toEqual(["8", "1"]);
  const sum = (column: string): number =>
    week.reduce((total, cells) => total + Number(cells[columns.indexOf(column)]), 0);
  return { load: sum("non_shiftable_load"), production: (sum("solar_generation") * INSTALLED_KW) / 1_000 };
}

/** What the API said at one instant: kW, and kWh since installation. */
interface Sample {
  readonly grid: number;
  readonly production: number;
  readonly battery: number;
  readonly charger: number;
  readonly produced: number | null;
}

class Week {
  readonly world: World;
  readonly samples: Sample[] = [];
  #token = { value: "", untilMs: Number.NEGATIVE_INFINITY };
  readonly home: SandboxHome;
  readonly gateway: Gateway;
  readonly #client: { readonly id: string; readonly secret: string };

  constructor(parts: { world: World; home: SandboxHome; gateway: Gateway; client: { id: string; secret: string } }) {
    this.world = parts.world;
    this.home = parts.home;
    this.gateway = parts.gateway;
    this.#client = parts.client;
  }

  static async start(): Promise<Week> {
    const world = new World({ seed: 7, startMs: START_MS });
    const twins = world.boot("home", new MemoryDisk());
    const home = await startSandboxHome({
      clock: twins.platform.clock,
      random: world.random.fork("home"),
      serve: (image, address) => serveModbus(twins.platform, image, address),
      hosts: { inverter: "inverter", meter: "meter", charger: "charger" },
      ports: { inverter: 5020, meter: 5021, charger: 5022 },
      spec: SPEC,
      homeFile: readFileSync(FILE, "utf8"),
      tickMs: TICK_MS,
    });
    const adapters = [modbusAdapter];
    const devices = home.devices.map((device) => ({ ...device, pollMs: POLL_MS }));
    const config = configSchema(adapters).parse({ devices });
    const { platform } = world.boot("gateway", new MemoryDisk());
    const gateway = await world.clock.resolve(createGateway({ platform, config, adapters, listen: false }), LIMIT_MS);
    const client = await world.clock.resolve(gateway.createClient("test"), LIMIT_MS);
    return new Week({ world, home, gateway, client });
  }

  async live(): Promise<void> {
    await this.world.clock.advance(SAMPLE_MS);
    while (this.world.clock.nowMs() < START_MS + HOURS * HOUR_MS) {
      this.samples.push(await this.#sample());
      await this.world.clock.advance(SAMPLE_MS - (this.world.clock.nowMs() % SAMPLE_MS));
    }
    this.samples.push(await this.#sample());
  }

  async #sample(): Promise<Sample> {
    const [meters, inverters, batteries, chargers] = [
      await this.#get("/meters"),
      await this.#get("/inverters"),
      await this.#get("/batteries"),
      await this.#get("/chargers"),
    ];
    return {
      grid: meters.energyState.power,
      // Null is what a sleeping string and an idle charger say.
      production: inverters.productionState.productionRate ?? 0,
      battery: batteries.chargeState.chargeRate,
      charger: chargers.chargeState.chargeRate ?? 0,
      produced: inverters.productionState.totalLifetimeProduction,
    };
  }

  async #get(url: string) {
    if (this.world.clock.nowMs() >= this.#token.untilMs) await this.#signIn();
    const answer = await this.gateway.api.inject({ url, headers: { authorization: `Bearer ${this.#token.value}` } });
    expect(answer.statusCode).toBe(200);
    return answer.json().data[0];
  }

  async #signIn(): Promise<void> {
    const { id, secret } = this.#client;
    const asking = this.gateway.api.inject({
      method: "POST",
      url: "/oauth2/token",
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      payload: "grant_type=client_credentials",
    });
    const answer = await this.world.clock.resolve(Promise.resolve(asking), LIMIT_MS);
    this.#token = { value: answer.json().access_token, untilMs: this.world.clock.nowMs() + TOKEN_MS };
  }

  /** The first and the last value of a counter in the history, Wh. */
  async counted(deviceId: string, point: PointName): Promise<number> {
    const asking = this.gateway.store.history(deviceId, START_MS, START_MS + (HOURS + 1) * HOUR_MS);
    const history = await this.world.clock.resolve(asking, LIMIT_MS);
    const values = history.flatMap(({ values }) =>
      values.flatMap(({ point: name, value }) => (name === point && typeof value === "number" ? [value] : [])),
    );
    expect(values.length).toBeGreaterThan(HOURS);
    return values.at(-1)! - values[0]!;
  }
}

/** kWh of a power over the samples. */
function energyOf(samples: readonly Sample[], powerOf: (sample: Sample) => number): number {
  return samples.slice(1).reduce((sum, sample) => sum + powerOf(sample), 0) * (SAMPLE_MS / HOUR_MS);
}

describe("days of a recorded home", () => {
  const file = weekOfFile();
  const shown: { what: string; api: string; expected: string; "off by": string }[] = [];
  let week: Week;

  const compare = (what: string, api: number, expected: number): void => {
    const off = (100 * (api - expected)) / expected;
    shown.push({
      what,
      api: `${api.toFixed(2)} kWh`,
      expected: `${expected.toFixed(2)} kWh`,
      "off by": `${off.toFixed(3)} %`,
    });
    expect(Math.abs(off)).toBeLessThan(1);
  };

  beforeAll(async () => {
    week = await Week.start();
    await week.live();
    return async () => {
      console.table(shown);
      await week.world.clock.resolve(Promise.resolve(week.gateway[Symbol.asyncDispose]()), LIMIT_MS);
    };
  }, 900_000);

  test("what the inverter has produced is the file's sun on the installed panels", () => {
    const produced = week.samples.flatMap((sample) => sample.produced ?? []);
    compare("production (counter)", produced.at(-1)! - produced[0]!, file.production);
    compare(
      "production (power)",
      energyOf(week.samples, (sample) => sample.production),
      file.production,
    );
  });

  test("what remains of the powers when the known is taken away is the file's load", () => {
    const load = energyOf(week.samples, (sample) => sample.grid + sample.production - sample.battery - sample.charger);
    compare("load", load, file.load);
  });

  test("the meter's counters are what really crossed the connection", async () => {
    const { imported, exported } = week.home.truth().energies;
    compare("import", (await week.counted("meter", "meter.energyImport")) / 1_000, imported / 1_000);
    compare("export", (await week.counted("meter", "meter.energyExport")) / 1_000, exported / 1_000);
  });

  test("the charger's counter is what the car took", async () => {
    compare("car", (await week.counted("charger", "charger.energy")) / 1_000, week.home.truth().energies.car / 1_000);
  });

  test("the counters alone balance: import and production are export, load, car and what the battery lost", async () => {
    const imported = await week.counted("meter", "meter.energyImport");
    const exported = await week.counted("meter", "meter.energyExport");
    const car = await week.counted("charger", "charger.energy");
    const produced = await week.counted("inverter", "inverter.energy");
    const battery = 1_000 * energyOf(week.samples, (sample) => sample.battery);
    compare("load (counters)", (imported + produced - exported - car - battery) / 1_000, file.load);
  });
});
