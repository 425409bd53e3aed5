import { describe, expect, test } from "vitest";
import { huawei } from "../../../adapters/clouds/huawei/huawei.ts";
import type { CloudDevice, Grant } from "../../../adapters/clouds/kit/connector.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import type { CloudTrouble } from "../../twins/clouds/cloud-twin.ts";
import { HuaweiPlantTruth, HuaweiTwin } from "../../twins/clouds/huawei-twin.ts";
import { APP, askTwin, fakeSession } from "./fake-session.ts";
import { read } from "./values-of.ts";

const { signal } = new AbortController();
const KEY = "NE=33550001";
const PORTAL = "eu5.fusionsolar.huawei.com";
const TICK_MS = 65_000;

async function signIn(twin: HuaweiTwin, form: Readonly<Record<string, string>> = {}): Promise<Grant> {
  const { login } = huawei;
  if (login.kind !== "form") throw new Error("not a form");
  const tools = { ask: askTwin(huawei, twin), app: APP, nowMs: () => 0 };
  const grant = await login.signIn({ portal: PORTAL, ...twin.user, ...form }, tools, signal);
  if ("keep" in grant) throw new Error("asked for more");
  return grant;
}

async function bed(change: Partial<HuaweiPlantTruth> = {}) {
  const clock = new VirtualClock({ startMs: Date.UTC(2026, 5, 21, 10) });
  const twin = new HuaweiTwin(clock);
  const plant = Object.assign(twin.plants[0]!, change);
  const grant = await signIn(twin);
  return { clock, twin, plant, session: fakeSession({ connector: huawei, twin, grant, clock }) };
}

async function opened(change?: Partial<HuaweiPlantTruth>) {
  const parts = await bed(change);
  const device = await huawei.open(parts.session, KEY, signal);
  return { ...parts, device };
}

/** Each type of device has its turn. */
async function readAll(device: CloudDevice, clock: VirtualClock) {
  for (let turns = 0; turns < 2; turns += 1) {
    await device.read(signal);
    await clock.advance(TICK_MS);
  }
  const values = await read(device);
  await clock.advance(TICK_MS);
  return values;
}

describe("a plant in FusionSolar", () => {
  test("is read with every point once each type had its turn", async () => {
    const { device, clock } = await opened({ pvW: 6_000, gridW: -2_500, batteryW: 3_000 });
    expect(device.identity).toMatchObject({ model: "SUN2000-8KTL-M1", serial: "HV2140012345" });
    expect(await readAll(device, clock)).toEqual({
      "inverter.power": 6_000,
      "inverter.energy": 21_345_670,
      "battery.power": 3_000,
      "battery.soc": 60,
      "battery.status": "CHARGING",
      "meter.power": -2_500,
      "meter.energyImport": 3_200_250,
      "meter.energyExport": 8_100_500,
    });
  });

  test("gives a type another turn that did not answer, and the others theirs after that", async () => {
    const { device, clock, twin } = await opened({ pvW: 6_000 });
    const turn = async (trouble: CloudTrouble | null) => {
      twin.trouble = trouble;
      await device.read(signal).catch(() => undefined);
      await clock.advance(TICK_MS);
      return Number(Object(twin.asked.at(-1)?.json).devTypeId);
    };
    const [inverters, batteries, meters] = [await turn(null), await turn(null), await turn(null)];
    expect(new Set([inverters, batteries, meters]).size).toBe(3);
    const turns = [await turn("down"), await turn(null), await turn("down"), await turn("down"), await turn(null)];
    expect(turns).toEqual([inverters, inverters, batteries, batteries, meters]);
  });

  test("tells nothing of the types that had no turn yet, and when the others were asked for", async () => {
    const { device, clock } = await opened({ pvW: 6_000, gridW: 100 });
    const askedAtMs = clock.monotonicMs();
    expect(await read(device)).toMatchObject({ "inverter.power": 6_000, "battery.power": null, "meter.power": null });
    await clock.advance(TICK_MS);
    const later = await device.read(signal);
    expect(later.find(({ point }) => point === "inverter.power")?.readTickMs).toBe(askedAtMs);
    expect(later.find(({ point }) => point === "battery.power")?.readTickMs).toBe(askedAtMs + TICK_MS);
  });

  test.each([
    [39, 47, { gridW: 900, batteryW: -1_100 }],
    [39, 47, { gridW: -700, batteryW: 400 }],
    [41, 17, { gridW: 900, batteryW: -1_100 }],
    [41, 17, { gridW: -700, batteryW: 400 }],
  ] as const)("has the units and signs of battery %i and meter %i: %o", async (batteryType, meterType, powers) => {
    const { device, clock } = await opened({ batteryType, meterType, pvW: 2_000, ...powers });
    expect(await readAll(device, clock)).toMatchObject({
      "battery.power": powers.batteryW,
      "battery.status": powers.batteryW > 0 ? "CHARGING" : "DISCHARGING",
      "meter.power": powers.gridW,
    });
  });

  test("whose meter tells import as positive is known by what cannot be export", async () => {
    const { device, clock, plant } = await opened({ meterPositive: "import", gridW: 2_000 });
    expect(await readAll(device, clock)).toMatchObject({ "meter.power": null, "meter.energyImport": null });
    for (let round = 0; round < 3; round += 1) await readAll(device, clock);
    expect(await readAll(device, clock)).toMatchObject({ "meter.power": 2_000, "meter.energyImport": 3_200_250 });
    Object.assign(plant, { pvW: 5_000, gridW: -1_500 });
    expect(await readAll(device, clock)).toMatchObject({ "meter.power": -1_500 });
  });

  test("whose panels get sun between two answers keeps its direction", async () => {
    const { device, clock, plant } = await opened({ pvW: 0, gridW: 1_000 });
    for (let round = 0; round < 4; round += 1) await readAll(device, clock);
    // The meter tells of it before the inverters do.
    plant.gridW = -1_400;
    await readAll(device, clock);
    plant.pvW = 2_000;
    expect(await readAll(device, clock)).toMatchObject({ "meter.power": -1_400 });
  });

  test("whose sun comes and goes between the answers after a restart turns nothing", async () => {
    const { device, clock, plant } = await opened({ pvW: 0, gridW: -1_400 });
    // What the meter told once is read many times, and the inverters know of that sun a minute later.
    await device.read(signal);
    await clock.advance(TICK_MS);
    await device.read(signal);
    plant.pvW = 2_000;
    for (let read = 0; read < 8; read += 1) await device.read(signal);
    for (let round = 0; round < 3; round += 1) await readAll(device, clock);
    expect(await readAll(device, clock)).toMatchObject({ "meter.power": -1_400 });
  });

  test("that feeds in by day what its inverters do not give tells no direction, and never the wrong one", async () => {
    const { device, clock, plant } = await opened({ pvW: 2_000, gridW: -6_000 });
    await readAll(device, clock);
    for (let round = 0; round < 12; round += 1) {
      expect((await readAll(device, clock))["meter.power"]).toBeNull();
    }
    // The evening settles it.
    Object.assign(plant, { pvW: 0, gridW: 1_500 });
    const told = new Set<unknown>();
    for (let round = 0; round < 60; round += 1) told.add((await readAll(device, clock))["meter.power"]);
    expect([...told]).toEqual([null, 1_500]);
  });

  test("with more in the house than its inverters tells no direction", async () => {
    const { device, clock, plant } = await opened({ gridW: 2_000 });
    await readAll(device, clock);
    plant.gridW = -4_000;
    await readAll(device, clock);
    expect(await readAll(device, clock)).toMatchObject({
      "meter.power": null,
      "meter.energyImport": null,
      "meter.energyExport": null,
    });
  });

  test("that is not connected tells nothing", async () => {
    const { device, clock } = await opened({ isConnected: false, pvW: 900 });
    expect(Object.values(await readAll(device, clock)).every((value) => value === null)).toBe(true);
  });

  test("with panels alone has their points alone, and is looked at less often in the dark", async () => {
    const { device } = await opened({ batteryType: null, meterType: null });
    expect(await read(device)).toEqual({ "inverter.power": 0, "inverter.energy": 21_345_670 });
    expect(device.tempo()).toBe("idle");
  });

  test("has a battery at fault", async () => {
    const { device, clock } = await opened({ batteryStatus: 3 });
    expect(await readAll(device, clock)).toMatchObject({ "battery.status": "FAULT" });
  });

  test("goes on without a type that the installer did not grant, and without asking for it each time", async () => {
    const { device, clock, twin } = await opened({ pvW: 4_000, gridW: -100 });
    twin.forbidden.add(39);
    await readAll(device, clock);
    expect(await readAll(device, clock)).toMatchObject({ "inverter.power": 4_000, "battery.power": null });
    const types = twin.asked.map(({ json }) => (json as { devTypeId?: number }).devTypeId);
    expect(types.filter((type) => type === 39)).toHaveLength(1);
  });

  test("takes no commands", async () => {
    const { device, twin } = await opened();
    const asked = twin.asked.length;
    await expect(device.write("battery.mode", "IDLE", signal)).rejects.toMatchObject({ kind: "refused" });
    expect(twin.asked.length).toBe(asked);
  });

  test("shares its requests with the other plants of the account", async () => {
    const { device, session, twin, clock } = await opened();
    twin.plants.push(Object.assign(new HuaweiPlantTruth("NE=33550002"), { pvW: 700 }));
    await clock.advance(TICK_MS);
    const second = await huawei.open(session, "NE=33550002", signal);
    const before = twin.asked.length;
    for (let turns = 0; turns < 6; turns += 1) {
      await device.read(signal);
      await second.read(signal);
      await clock.advance(TICK_MS);
    }
    expect(twin.asked.length - before).toBe(6);
    expect(device.cost["device-data"]).toBe(0.5);
    expect(await read(second)).toMatchObject({ "inverter.power": 700 });
  });
});

describe("a FusionSolar account", () => {
  test("lists its plants, odd entries left out, and opens none that is gone", async () => {
    const { session, twin } = await bed();
    twin.oddPlants = [null, { plantCode: 5 }];
    expect(await huawei.list(session, signal)).toEqual([
      { key: KEY, types: ["inverter", "battery", "meter"], name: "Test Plant", model: null, detail: KEY },
    ]);
    await expect(huawei.open(session, "gone", signal)).rejects.toMatchObject({ kind: "refused" });
  });

  test("at a portal that has the old list only is listed by that", async () => {
    const { session, twin } = await bed();
    twin.forbidden.add("stations");
    expect(await huawei.list(session, signal)).toMatchObject([{ key: KEY, name: "Test Plant" }]);
  });

  test("opens a plant right after it was listed, by a session that knows of no list", async () => {
    const { session, twin, clock } = await bed({ pvW: 500 });
    await huawei.list(session, signal);
    const grant = await signIn(twin);
    const device = await huawei.open(fakeSession({ connector: huawei, twin, grant, clock }), KEY, signal);
    expect(await read(device)).toMatchObject({ "inverter.power": 500 });
  });

  test("opens plants that waited for their turn with one request, and alone where that is refused", async () => {
    const { session, twin, clock } = await bed();
    const keys = [KEY, "NE=33550002", "NE=33550003"];
    twin.plants.push(...keys.slice(1).map((key) => new HuaweiPlantTruth(key)));
    await huawei.open(session, KEY, signal);
    for (const key of keys.slice(1))
      await expect(huawei.open(session, key, signal)).rejects.toMatchObject({ kind: "rate-limited" });
    await clock.advance(TICK_MS);
    const before = twin.asked.length;
    for (const key of keys) await huawei.open(session, key, signal);
    expect(twin.asked.slice(before).map(({ json }) => json)).toEqual([{ stationCodes: keys.slice(1).join() }]);
    // One that is gone spoils the list of all, once.
    for (const key of ["NE=4", "NE=5"])
      await expect(huawei.open(session, key, signal)).rejects.toMatchObject({ kind: "rate-limited" });
    await clock.advance(TICK_MS);
    twin.failCode = 20_001;
    await expect(huawei.open(session, "NE=4", signal)).rejects.toMatchObject({ kind: "refused" });
    twin.failCode = null;
    await clock.advance(TICK_MS);
    twin.plants.push(new HuaweiPlantTruth("NE=5"));
    await huawei.open(session, "NE=5", signal);
    expect(twin.asked.at(-1)?.json).toEqual({ stationCodes: "NE=5" });
  });

  test("signs in at its portal, however that is written, and nowhere else", async () => {
    const { twin } = await bed();
    const grant = await signIn(twin, { portal: " https://EU5.fusionsolar.huawei.com/pvmswebsite " });
    expect(grant).toMatchObject({ refresh: null, extra: { portal: PORTAL } });
    expect(grant.extra?.["user"]).toBe((await signIn(twin)).extra?.["user"]);
    const asked = twin.asked.length;
    for (const portal of ["fusionsolar.example.com", "eu5.fusionsolar.huawei.com.example.com", ""])
      await expect(signIn(twin, { portal })).rejects.toMatchObject({ kind: "login-refused" });
    expect(twin.asked.length).toBe(asked);
    await expect(signIn(twin, { systemCode: "wrong" })).rejects.toMatchObject({ kind: "login-refused" });
  });

  test("whose session was taken over signs in again", async () => {
    const { twin, device } = await opened();
    await signIn(twin);
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "expired" });
  });

  test.each([
    [401, "forbidden"],
    [407, "rate-limited"],
    [20_001, "refused"],
  ] as const)("knows what the failCode %i means", async (code, kind) => {
    const { device, twin } = await opened({ batteryType: null, meterType: null });
    twin.failCode = code;
    await expect(device.read(signal)).rejects.toMatchObject({ kind });
  });

  test("is told when it asks sooner than the interface allows, and when a portal answers instead", async () => {
    const { device, twin, clock } = await opened();
    await device.read(signal);
    await clock.advance(30_000);
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "rate-limited" });
    await clock.advance(TICK_MS);
    twin.trouble = "portal";
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "malformed" });
  });
});
