import { describe, expect, test } from "vitest";
import { fronius } from "../../../adapters/clouds/fronius/fronius.ts";
import type { CloudReading, Grant } from "../../../adapters/clouds/kit/connector.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { type FroniusSystemTruth, FroniusTwin } from "../../twins/clouds/fronius-twin.ts";
import { APP, askTwin, fakeSession } from "./fake-session.ts";

const { signal } = new AbortController();

function bed(change: Partial<FroniusSystemTruth> = {}) {
  const clock = new VirtualClock({ startMs: Date.UTC(2026, 5, 21, 10) });
  const twin = new FroniusTwin(clock);
  const system = Object.assign(twin.systems[0]!, change);
  const grant: Grant = { access: twin.keyValue, refresh: null, expiresAtMs: null, extra: { accessKeyId: twin.keyId } };
  return { clock, twin, system, session: fakeSession({ connector: fronius, twin, grant, clock }) };
}

async function opened(change?: Partial<FroniusSystemTruth>) {
  const parts = bed(change);
  const device = await fronius.open(parts.session, parts.system.id, signal);
  return { ...parts, device, values: async () => valuesOf(await device.read(signal)) };
}

function valuesOf(readings: readonly CloudReading[]) {
  return Object.fromEntries(readings.map(({ point, value }) => [point, value]));
}

describe("a PV system in Solar.web", () => {
  test("is read with every point", async () => {
    const { values } = await opened({ pvW: 6_000, gridW: -2_500, batteryW: 3_000 });
    expect(await values()).toEqual({
      "inverter.power": 6_000,
      "inverter.energy": 20_000_000,
      "meter.power": -2_500,
      "meter.energyImport": 3_100_000,
      "meter.energyExport": 8_050_000,
      "hem.load": 500,
      "battery.power": 3_000,
      "battery.status": "CHARGING",
      "battery.soc": 55,
    });
  });

  test.each([
    ["inverter", { pvW: 6_000, gridW: -2_500, batteryW: 3_000 }],
    ["inverter", { pvW: 0, gridW: 400, batteryW: -1_100 }],
    ["inverter", { pvW: 3_000, gridW: 2_000, batteryW: 4_300 }],
    ["names", { pvW: 6_000, gridW: -2_500, batteryW: 3_000 }],
    ["names", { pvW: 0, gridW: 400, batteryW: -1_100 }],
    ["names", { pvW: 3_000, gridW: 2_000, batteryW: 4_300 }],
  ] as const)("has the right directions with the signs of the %s: %o", async (signs, powers) => {
    const { values } = await opened({ signs, ...powers });
    expect(await values()).toMatchObject({ "meter.power": powers.gridW, "battery.power": powers.batteryW });
  });

  test("tells no direction when nothing adds up", async () => {
    const { values } = await opened({ pvW: 4_000, gridW: -1_500, batteryW: 1_000, missingW: 900 });
    expect(await values()).toMatchObject({
      "inverter.power": 4_000,
      "meter.power": null,
      "battery.power": null,
      "battery.status": "UNKNOWN",
      "battery.soc": 55,
    });
  });

  test("tells no direction where the flow adds up both ways, unless it is known from before", async () => {
    const exchange = { pvW: 500, gridW: -1_500, batteryW: -1_500 };
    const { system, values } = await opened({ signs: "names", ...exchange });
    expect(await values()).toMatchObject({ "meter.power": null, "battery.power": null, "hem.load": 500 });
    Object.assign(system, { pvW: 6_000, gridW: -2_500, batteryW: 3_000 });
    await values();
    Object.assign(system, exchange);
    expect(await values()).toMatchObject({ "meter.power": -1_500, "battery.power": -1_500 });
  });

  test("keeps the signs that it has seen for flows too small to show them", async () => {
    const { system, values } = await opened({ signs: "names", pvW: 6_000, gridW: -2_500, batteryW: 3_000 });
    await values();
    Object.assign(system, { pvW: 800, gridW: -30, batteryW: 20 });
    expect(await values()).toMatchObject({ "meter.power": -30, "battery.power": 20 });
  });

  test("that is not online tells no powers, and its counters all the same", async () => {
    const { values } = await opened({ isOnline: false, pvW: 100 });
    expect(await values()).toMatchObject({
      "inverter.power": null,
      "meter.power": null,
      "hem.load": null,
      "battery.power": null,
      "battery.status": null,
      "battery.soc": null,
      "inverter.energy": 20_000_000,
    });
  });

  test("with panels alone has their points alone", async () => {
    const { device, values, clock } = await opened({ hasMeter: false, hasBattery: false, pvW: 0 });
    expect(await values()).toEqual({ "inverter.power": 0, "inverter.energy": 20_000_000 });
    expect(device.tempo()).toBe("idle");
    const power = (await device.read(signal)).find(({ point }) => point === "inverter.power");
    expect(power?.measuredAtMs).toBe(clock.nowMs());
  });

  test("takes no commands", async () => {
    const { device, twin } = await opened();
    const asked = twin.asked.length;
    await expect(device.write("battery.mode", "IDLE", signal)).rejects.toMatchObject({ kind: "refused" });
    expect(twin.asked.length).toBe(asked);
  });

  test("asks for the flow alone at most readings", async () => {
    const { device, twin, clock } = await opened();
    const before = twin.asked.length;
    for (let reads = 0; reads < 50; reads += 1) {
      await device.read(signal);
      await clock.advance(fronius.pace.usual);
    }
    expect(twin.asked.length - before).toBeLessThanOrEqual(50 * device.cost["requests"]! + 1);
  });
});

describe("a Solar.web account", () => {
  test("lists its systems, odd entries left out, and opens none that is gone", async () => {
    const { session, twin, system } = bed();
    twin.oddSystems = [null, { pvSystemId: 5 }];
    expect(await fronius.list(session, signal)).toMatchObject([
      { key: system.id, types: ["inverter", "meter", "battery"], name: "Home" },
    ]);
    await expect(fronius.open(session, "gone", signal)).rejects.toMatchObject({ kind: "refused" });
  });

  test("signs in with a pair of keys, and the keys stand in headers alone", async () => {
    const { twin } = bed();
    const { login } = fronius;
    if (login.kind !== "form") throw new Error("not a form");
    const tools = { ask: askTwin(fronius, twin), app: APP, nowMs: () => 0 };
    const form = { accessKeyId: ` ${twin.keyId}`, accessKeyValue: twin.keyValue };
    expect(await login.signIn(form, tools, signal)).toMatchObject({ access: twin.keyValue });
    const wrong = [
      { ...form, accessKeyValue: "wrong" },
      { ...form, accessKeyId: "wrong" },
    ];
    for (const keys of wrong)
      await expect(login.signIn(keys, tools, signal)).rejects.toMatchObject({ kind: "login-refused" });
    expect(twin.asked.every(({ url }) => !url.href.includes(twin.keyValue))).toBe(true);
  });

  test.each([
    [1_011, "rate-limited"],
    [1_012, "unavailable"],
    [1_013, "forbidden"],
    [1_104, "login-refused"],
    [1_008, "refused"],
  ] as const)("knows what the code %i means", async (code, kind) => {
    const { device, twin } = await opened();
    twin.refusal = code;
    await expect(device.read(signal)).rejects.toMatchObject({ kind });
  });

  test("learns from the headers what is left and when it is renewed", async () => {
    const { twin, session } = bed();
    await fronius.list(session, signal);
    const { headers = {} } = twin.serve(twin.asked.at(-1)!.request);
    expect(fronius.budgetNews?.({ status: 200, headers, body: {} })).toEqual([
      { budget: "requests", left: twin.perHour - twin.asked.length, limit: twin.perHour, resetsInMs: 3_600_000 },
    ]);
    expect(fronius.budgetNews?.({ status: 200, headers: {}, body: {} })).toEqual([]);
  });
});
