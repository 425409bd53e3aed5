/** Assets that an earlier version created for parts that the device does not have. */

import { describe, expect, test } from "vitest";
import { liveIn } from "../../adapters/modbus/discovery/lived-in.ts";
import { createTwin } from "../../twins/registers/create-twin.ts";
import type { RegisterTwin } from "../../twins/registers/register-twin.ts";
import { type ModbusHome, makeModbusHome } from "../discovery/modbus-home.ts";
import type { Run } from "../home.ts";

const SECOND = 1_000;
const LIMIT_MS = 30 * SECOND;
const HOST = "192.168.1.5";
const ABSENT = "0a6f3c86-6f6e-4a53-9d0c-0d7cf1a4f001";
const ENTRY = { id: "hybrid", adapter: "modbus", host: HOST, profile: "goodwe-et" };
/** Register 35184; the value 0 means no battery. */
const BATTERY_MODE = 35_184;

async function makeInverter(home: ModbusHome): Promise<RegisterTwin> {
  const twin = await createTwin("goodwe-et", { clock: home.world.clock });
  liveIn(twin, "goodwe-et");
  await home.placeImage(twin, HOST);
  return twin;
}

function setMode(twin: RegisterTwin, mode: bigint): void {
  for (const { id, address } of twin.registers) if (address === BATTERY_MODE) twin.setRaw(id, mode);
}

/** Stores the battery that an earlier version created for each device of the family. */
async function storeAbsentBattery(home: ModbusHome, run: Run): Promise<void> {
  const [other] = run.store.all("asset");
  if (other === undefined) throw new Error("the device has no asset");
  const absent = { ...other, id: ABSENT, kind: "battery" } as const;
  await home.world.clock.resolve(run.store.commit([{ table: "asset", key: ABSENT, put: absent }], []), LIMIT_MS);
  await run.close();
}

const kindsOf = (run: Run) =>
  run.store
    .all("asset")
    .map(({ kind }) => kind)
    .toSorted();

async function eventsOf(home: ModbusHome, run: Run): Promise<readonly string[]> {
  const entries = await home.world.clock.resolve(run.store.journalAfter(null, 1_000), LIMIT_MS);
  return entries.map(({ event }) => event);
}

async function makeInverterHome(mode: bigint) {
  const home = makeModbusHome();
  const twin = await makeInverter(home);
  setMode(twin, mode);
  const begin = async (seconds = 20): Promise<Run> => {
    const run = await home.start({ devices: [ENTRY] });
    await home.world.clock.advance(seconds * SECOND);
    return run;
  };
  return { home, twin, begin };
}

describe("a stored battery of an inverter without one", () => {
  test("A stored battery is removed with its event when the inverter first reports that it has none", async () => {
    const { home, begin } = await makeInverterHome(0n);
    await storeAbsentBattery(home, await begin());
    const run = await begin();
    expect(kindsOf(run)).not.toContain("battery");
    expect(run.engine.assets.list("battery")).toStrictEqual([]);
    expect(run.engine.devices()).toMatchObject([{ isReachable: true }]);
    expect((await eventsOf(home, run)).filter((event) => event === "user:battery:deleted")).toHaveLength(1);
    await run.close();
  });

  test("A stored battery stays while the inverter does not report whether it has one", async () => {
    const { home, twin, begin } = await makeInverterHome(0n);
    await storeAbsentBattery(home, await begin());
    const { readHolding } = twin;
    const run = await home.start({ devices: [ENTRY] });
    twin.readHolding = (unit, address, count) => {
      const isAsked = address <= BATTERY_MODE && BATTERY_MODE < address + count;
      return isAsked ? { kind: "exception", code: 6 } : readHolding.call(twin, unit, address, count);
    };
    await home.world.clock.advance(20 * SECOND);
    expect(kindsOf(run)).toContain("battery");
    await run.close();
  });

  test("A battery that was found once stays when the inverter later reports none", async () => {
    const { home, twin, begin } = await makeInverterHome(2n);
    const first = await begin();
    expect(first.engine.assets.list("battery")).toHaveLength(1);
    await first.close();
    setMode(twin, 0n);
    for (const life of [1, 2]) {
      const run = await begin();
      expect([life, kindsOf(run).includes("battery")]).toStrictEqual([life, true]);
      await run.close();
    }
    expect(home.disk).toBeDefined();
  });
});
