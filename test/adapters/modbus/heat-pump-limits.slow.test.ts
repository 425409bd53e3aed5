/** § 14a EnWG: a heat pump's twin behind the real adapter, engine and energy manager, while the grid operator dims. */
import { serveModbus } from "hemgate/testing";
import { expect, test } from "vitest";
import { modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import { GridLimitsConfig } from "../../../src/config/grid-limits-config.ts";
import { makeHome, type Run } from "../../engine/home.ts";
import { createTwin } from "../../twins/registers/create-twin.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const ADDRESS = { host: "heat-pump", port: 502 };
const PUMP_W = 5_000;
const DEFAULTS = { failsafeW: null, failsafeMs: null } as const;
const OWN_ID = { id: "grid-operator", kind: "client", name: "Grid operator" } as const;

/** A grid meter that sees the pump, which draws 5 kW unless it is blocked. */
async function openHouse(kw: number) {
  const gridLimits = GridLimitsConfig.parse({ controllable: [{ device: "pump", kind: "heat-pump", kw }] });
  const home = makeHome(1, { adapters: [modbusAdapter], gridLimits, connection: { fuseA: 35 } });
  const { clock, net } = home.world;
  const twin = await createTwin("daikin-homehub", { clock });
  await serveModbus({ clock, net: net.host() }, twin, ADDRESS);
  const meter = home.add("meter", { values: { "meter.power": 0 }, identity: { model: "M", serial: "M-1" } });
  const step = (): void => {
    const watts = twin.effect.hvac === "blocked" ? 0 : PUMP_W;
    twin.set("hvac.power", watts);
    meter.show("meter.power", 600 + watts);
    clock.timer(SECOND, step);
  };
  step();
  const pump = { id: "pump", adapter: "modbus", ...ADDRESS, profile: "daikin-homehub", confirmUnverified: true };
  const start = async (): Promise<Run> => {
    const run = await home.start({ devices: [{ id: "meter", adapter: "fake" }, pump] });
    await clock.advance(20 * SECOND);
    return run;
  };
  return { twin, start, clock, disk: home.disk };
}

async function dim(run: Run, watts: number | null, resolve: <T>(work: Promise<T>, ms: number) => Promise<T>) {
  const port = run.engine.services.energyLimits.port(OWN_ID);
  const limit = { isActive: watts !== null, watts: watts ?? 0, durationMs: null };
  const demand = {
    isHeartbeat: false,
    heartbeatLostMs: null,
    import: { scope: "controllable", limit, ...DEFAULTS },
  } as const;
  await resolve(port.set(demand), 10 * SECOND);
}

test("a heat pump named as controllable is blocked within 30 s, shown with its reason, recorded, and given back", async () => {
  const { twin, start, clock } = await openHouse(6);
  const run = await start();
  const { energy, energyLimits } = run.engine.services;
  await dim(run, 4_200, clock.resolve.bind(clock));
  await clock.advance(30 * SECOND);
  expect(twin.effect.hvac).toBe("blocked");
  const id = run.engine.assets.list("hvac")[0]?.asset.id ?? "";
  expect(energy.device(id)).toMatchObject({
    deviceType: "hvac",
    policy: null,
    isControlled: true,
    reason: { code: "grid-operator", subject: "grid-operator" },
  });
  await clock.advance(MINUTE);
  await dim(run, null, clock.resolve.bind(clock));
  await clock.advance(8 * MINUTE);
  expect(twin.effect.hvac).toBe("blocked");
  await clock.advance(2 * MINUTE);
  expect(twin.effect.hvac).toBe("own-programme");
  const [limitation] = energyLimits.limitations();
  expect(limitation).toMatchObject({ scope: "controllable", watts: 4_200, endReason: "released" });
  expect(limitation?.reaction).toMatchObject({ powerBeforeW: PUMP_W, devicesBefore: [{ id, powerW: PUMP_W }] });
  expect(limitation?.reaction.reachedAfterMs).toBeLessThanOrEqual(30 * SECOND);
  expect(limitation?.reaction.highestW).toBe(0);
  expect(run.store.all("lease").filter(({ origin }) => origin === "energy")).toEqual([]);
  await run.close();
});

test("a stop of the gateway takes the block back, and the next start blocks again while the limit acts", async () => {
  const { twin, start, clock } = await openHouse(6);
  const run = await start();
  await dim(run, 4_200, clock.resolve.bind(clock));
  await clock.advance(30 * SECOND);
  expect(twin.effect.hvac).toBe("blocked");
  await run.close();
  expect(twin.effect.hvac).toBe("own-programme");
  const next = await start();
  await clock.advance(30 * SECOND);
  expect(twin.effect.hvac).toBe("blocked");
  await next.close();
});

test("a crash leaves the pump blocked, and the next start neither starts it in vain nor keeps the block for good", async () => {
  const { twin, start, clock, disk } = await openHouse(6);
  const run = await start();
  await dim(run, 4_200, clock.resolve.bind(clock));
  await clock.advance(30 * SECOND);
  run.process.kill();
  disk.crash();
  const next = await start();
  for (let at = 0; at < 150; at += 1) {
    await clock.advance(SECOND);
    expect(twin.effect.hvac).toBe("blocked");
  }
  await dim(next, null, clock.resolve.bind(clock));
  await clock.advance(12 * MINUTE);
  expect(twin.effect.hvac).toBe("own-programme");
  await next.close();
});

test("what the limit leaves to a pump of 15 kW carries its 5 kW, so it is not blocked", async () => {
  const { twin, start, clock } = await openHouse(15);
  const run = await start();
  await dim(run, 6_000, clock.resolve.bind(clock));
  await clock.advance(2 * MINUTE);
  expect(twin.effect.hvac).toBe("own-programme");
  await run.close();
});
