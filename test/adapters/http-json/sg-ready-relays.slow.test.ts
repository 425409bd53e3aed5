/** Relays as SG Ready inputs: the states, the way between them, and what is left when the gateway is gone. */
import { describe, expect, test } from "vitest";
import { httpJsonAdapter } from "../../../adapters/http-json/http-json-adapter.ts";
import { GridLimitsConfig } from "../../../src/config/grid-limits-config.ts";
import { makeHome, type Run } from "../../engine/home.ts";
import { listen } from "../../twins/http-devices/http-twin.ts";
import { ShellyGen1Relays, ShellyRpcRelays, TasmotaRelays } from "../../twins/http-devices/relay-twins.ts";
import { bed, HOST } from "./http-world.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const KINDS = [
  ["shelly-gen2-sg-ready", ShellyRpcRelays],
  ["shelly-gen1-sg-ready", ShellyGen1Relays],
  ["tasmota-http-sg-ready", TasmotaRelays],
] as const;

describe.each(KINDS)("%s", (profile, Twin) => {
  /** A bed whose twin has the world's clock. */
  function openBed(more: Partial<Parameters<typeof bed>[1]> = {}) {
    let nowMs = () => 0;
    const twin = new Twin(() => nowMs());
    const opened = bed(twin, { profile, confirmUnverified: true, ...more });
    nowMs = () => opened.world.clock.monotonicMs();
    return { twin, ...opened };
  }

  test("shows each pair of contacts as a mode", async () => {
    const { twin, connect, read } = openBed();
    await using driver = await connect();
    const first = profile.startsWith("tasmota") ? 1 : 0;
    const modes: unknown[] = [];
    for (const [block, raise] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ] as const) {
      twin.switchTo(first, block, null);
      twin.switchTo(first + 1, raise, null);
      modes.push((await read(driver))["hvac.mode"]);
    }
    expect(modes).toEqual(["AUTO", "OFF", "HEAT", "HEAT"]);
  });

  test("goes from each mode to each other without ordering the heat pump on", async () => {
    const { twin, connect, read, write } = openBed();
    await using driver = await connect();
    const told = { OFF: "blocked", AUTO: "normal", HEAT: "recommended" } as const;
    for (const mode of ["OFF", "HEAT", "OFF", "AUTO", "HEAT", "AUTO"] as const) {
      await write(driver, "hvac.mode", mode);
      expect(twin.state).toBe(told[mode]);
      expect(await read(driver)).toMatchObject({ "hvac.mode": mode });
    }
    expect(twin.history).not.toContain("ordered");
    // Between a block and a request the heat pump is by itself for a moment.
    expect(twin.history.slice(0, 4)).toEqual(["normal", "blocked", "normal", "recommended"]);
  });

  test("offers nothing until the owner has checked the wiring, and nothing with one output for both", async () => {
    const unchecked = openBed({ confirmUnverified: false });
    await using driver = await unchecked.connect();
    expect([driver.controls, driver.unconfirmed]).toEqual([[], ["hvac.mode"]]);
    const same = openBed({ settings: { block: 1, raise: 1 } });
    await using wrong = await same.connect();
    await same.write(wrong, "hvac.mode", "OFF");
    expect(same.twin.history).toEqual(["normal"]);
    expect(await same.read(wrong)).toMatchObject({ "hvac.mode": "UNKNOWN" });
  });
});

type House = readonly [profile: string, makeRelays: (nowMs: () => number) => ShellyRpcRelays | TasmotaRelays];
const SHELLY: House = ["shelly-gen2-sg-ready", (nowMs) => new ShellyRpcRelays(nowMs)];
const TASMOTA: House = [
  "tasmota-http-sg-ready",
  (nowMs) => Object.assign(new TasmotaRelays(nowMs), { pulseTime: 1_000 }),
];

async function openHouse(gridLimits = GridLimitsConfig.parse({}), [profile, makeRelays]: House = SHELLY) {
  const home = makeHome(3, { adapters: [httpJsonAdapter], gridLimits });
  const { clock, web } = home.world;
  const twin = makeRelays(() => clock.monotonicMs());
  listen(web, HOST, 80, twin);
  const meter = home.add("meter", { values: { "meter.power": 0 }, identity: { model: "M", serial: "M-1" } });
  const world = { gridW: -4_000 };
  const step = (): void => {
    meter.show("meter.power", world.gridW + (twin.state === "recommended" ? 2_000 : 0));
    clock.timer(SECOND, step);
  };
  step();
  const options = httpJsonAdapter.options.parse({
    host: HOST,
    profile,
    confirmUnverified: true,
  });
  const devices = [
    { id: "meter", adapter: "fake" },
    { id: "pump", adapter: "http-json", ...options },
  ];
  const start = async (): Promise<Run> => {
    const run = await home.start({ devices });
    await clock.advance(20 * SECOND);
    return run;
  };
  const pumpId = (run: Run): string => run.engine.assets.list("hvac")[0]?.asset.id ?? "";
  return { home, clock, twin, world, start, pumpId };
}

test.each([SHELLY, TASMOTA])(
  "the heat pump behind %s takes surplus, longer than the relays' own timer",
  async (...house) => {
    const { clock, twin, world, start, pumpId } = await openHouse(undefined, house);
    const run = await start();
    const { energy } = run.engine.services;
    await clock.resolve(energy.setPolicy(pumpId(run), { mode: "SURPLUS", powerKw: 2 }), 10 * SECOND);
    await clock.advance(3 * MINUTE);
    expect(twin.state).toBe("recommended");
    for (let minute = 0; minute < 40; minute += 1) {
      await clock.advance(MINUTE);
      expect(twin.state).toBe("recommended");
    }
    world.gridW = 500;
    await clock.advance(10 * MINUTE);
    expect(twin.state).toBe("normal");
    expect(twin.history).toEqual(["normal", "recommended", "normal"]);
    await run.close();
  },
);

test("the operator's limit blocks it, and the relays' timer ends the block when the gateway dies", async () => {
  const controllable = [{ device: "pump", kind: "heat-pump", kw: 6 }];
  const { home, clock, twin, start } = await openHouse(GridLimitsConfig.parse({ controllable }));
  const run = await start();
  const port = run.engine.services.energyLimits.port({ id: "operator", kind: "client", name: "Operator" });
  const limit = { isActive: true, watts: 4_200, durationMs: null };
  const demand = { scope: "controllable", limit, failsafeW: null, failsafeMs: null } as const;
  await clock.resolve(port.set({ isHeartbeat: false, heartbeatLostMs: null, import: demand }), 10 * SECOND);
  await clock.advance(30 * SECOND);
  // Nothing measures what it takes, so it counts with its connection.
  expect(twin.state).toBe("blocked");
  await clock.advance(20 * MINUTE);
  expect(twin.state).toBe("blocked");
  run.process.kill();
  home.disk.crash();
  await clock.advance(16 * MINUTE);
  expect(twin.state).toBe("normal");
});
