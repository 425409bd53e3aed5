import { describe, expect, test } from "vitest";
import { goodwe } from "../../../adapters/clouds/goodwe/goodwe.ts";
import type { Grant } from "../../../adapters/clouds/kit/connector.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { type GoodweStationTruth, GoodweTwin } from "../../twins/clouds/goodwe-twin.ts";
import { APP, askTwin, fakeSession, plainAsk } from "./fake-session.ts";
import { read } from "./values-of.ts";

const { signal } = new AbortController();

async function signIn(twin: GoodweTwin, form: Readonly<Record<string, string>> = {}): Promise<Grant> {
  const { login } = goodwe;
  if (login.kind !== "form") throw new Error("not a form");
  const tools = { ask: askTwin(goodwe, twin), app: APP, nowMs: () => 0 };
  const { account, pwd: password } = twin.account;
  const grant = await login.signIn({ account, password, ...form }, tools, signal);
  if ("keep" in grant) throw new Error("asked for more");
  return grant;
}

async function bed(change: Partial<GoodweStationTruth> = {}) {
  const clock = new VirtualClock({ startMs: Date.UTC(2026, 5, 21, 10) });
  const twin = new GoodweTwin(clock);
  const station = Object.assign(twin.stations[0]!, change);
  const grant = await signIn(twin);
  return { clock, twin, station, session: fakeSession({ connector: goodwe, twin, grant, clock }) };
}

async function opened(change?: Partial<GoodweStationTruth>) {
  const parts = await bed(change);
  return { ...parts, device: await goodwe.open(parts.session, parts.station.id, signal) };
}

describe("a station in SEMS", () => {
  test("is read with every point", async () => {
    const { device, clock } = await opened({ pvW: 6_000, gridW: -2_500, batteryW: 3_000 });
    expect(device.identity).toMatchObject({ model: "GW10K-ET", serial: "9010KETU000W0001", name: "Test Station" });
    expect(await read(device)).toEqual({
      "inverter.power": 6_000,
      "inverter.energy": 18_843_200,
      "meter.power": -2_500,
      "hem.load": 500,
      "battery.power": 3_000,
      "battery.status": "CHARGING",
      "battery.soc": 70,
      "battery.capacity": 10_200,
    });
    const power = (await device.read(signal)).find(({ point }) => point === "meter.power");
    expect(power?.measuredAtMs).toBe(clock.nowMs() - 45_000);
  });

  test.each([
    [true, { pvW: 0, gridW: 400, batteryW: -1_100 }],
    [false, { pvW: 0, gridW: 400, batteryW: -1_100 }],
    [true, { pvW: 3_000, gridW: 2_000, batteryW: 4_300 }],
    [false, { pvW: 3_000, gridW: 2_000, batteryW: 4_300 }],
    [true, { pvW: 500, gridW: -1_500, batteryW: -1_500 }],
    [true, { pvW: 500, gridW: 1_500, batteryW: 1_500 }],
  ])("has the right directions, with statuses %s: %o", async (hasStatus, powers) => {
    const { device } = await opened({ hasStatus, ...powers });
    expect(await read(device)).toMatchObject({
      "meter.power": powers.gridW,
      "battery.power": powers.batteryW,
      "battery.status": powers.batteryW > 0 ? "CHARGING" : "DISCHARGING",
    });
  });

  test.each([
    ["it adds up both ways and no status says which", { hasStatus: false, pvW: 500, gridW: -1_500, batteryW: -1_500 }],
    ["nothing adds up", { pvW: 4_000, gridW: -1_500, batteryW: 1_000, missingW: 900 }],
  ])("tells no direction where %s", async (_why, change) => {
    const { device } = await opened(change);
    expect(await read(device)).toMatchObject({
      "inverter.power": change.pvW,
      "meter.power": null,
      "battery.power": null,
      "battery.status": "UNKNOWN",
      "battery.soc": 70,
    });
  });

  test("that is not heard of any more tells no powers", async () => {
    const { device, station } = await opened({ pvW: 900, gridW: 100 });
    station.isOnline = false;
    expect(await read(device)).toMatchObject({
      "inverter.power": null,
      "inverter.energy": 18_843_200,
      "meter.power": null,
      "hem.load": null,
      "battery.power": null,
      "battery.status": null,
      "battery.soc": null,
    });
  });

  test("without a meter has its inverter's points alone, and is looked at less often in the dark", async () => {
    const { device, station } = await opened({ hasMeter: false, hasBattery: false, pvW: 2_345 });
    expect(await read(device)).toEqual({ "inverter.power": 2_345, "inverter.energy": 18_843_200 });
    expect(device.tempo()).toBe("usual");
    station.pvW = 0;
    await device.read(signal);
    expect(device.tempo()).toBe("idle");
  });

  test("without a battery has no points of one", async () => {
    const { device } = await opened({ hasBattery: false, pvW: 1_000, gridW: -600 });
    expect(await read(device)).toEqual({
      "inverter.power": 1_000,
      "inverter.energy": 18_843_200,
      "meter.power": -600,
      "hem.load": 400,
    });
  });

  test("is not opened while nobody can tell what it has", async () => {
    await expect(opened({ isOnline: false, hasMeter: false })).rejects.toMatchObject({ kind: "asleep" });
  });

  test("takes no commands", async () => {
    const { device, twin } = await opened();
    const asked = twin.asked.length;
    await expect(device.write("battery.mode", "IDLE", signal)).rejects.toMatchObject({ kind: "refused" });
    expect(twin.asked.length).toBe(asked);
  });
});

describe("a SEMS account", () => {
  test.each(["id", "ids", "stations"] as const)("lists its stations where the portal writes %s", async (listForm) => {
    const { session, twin, station } = await bed({ hasBattery: false });
    twin.listForm = listForm;
    twin.oddStations = [null, { powerstation: 5 }];
    expect(await goodwe.list(session, signal)).toMatchObject([
      { key: station.id, types: ["inverter", "meter"], name: "Test Station" },
    ]);
    await expect(goodwe.open(session, "gone", signal)).rejects.toMatchObject({ kind: "refused" });
  });

  test("signs in once, and asks at the address that the answer names", async () => {
    const { twin } = await bed();
    const grant = await signIn(twin);
    expect(grant).toMatchObject({
      refresh: null,
      extra: { api: "https://eu.semsportal.com/api", user: "0f1e2d3c-user" },
    });
    expect(grant.access).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(grant.access)).toMatchObject({ town: "Köln" });
    twin.api = "https://eu-gateway.semsportal.com/web/sems";
    expect((await signIn(twin)).extra?.["api"]).toBe("https://eu.semsportal.com/api");
    for (const api of ["https://eu.semsportal.com.example.com/api", "https://example.com/api", ""]) {
      twin.api = api;
      await expect(signIn(twin)).rejects.toMatchObject({ kind: "malformed" });
    }
    await expect(signIn(twin, { password: "wrong" })).rejects.toMatchObject({ kind: "login-refused" });
  });

  test.each([
    ["100002", "expired"],
    ["C0602", "expired"],
    ["GY0429", "rate-limited"],
    [100_004, "refused"],
  ] as const)("knows what the code %s means", async (code, kind) => {
    const { device, twin } = await opened();
    twin.code = code;
    await expect(device.read(signal)).rejects.toMatchObject({ kind });
  });

  test("is left alone for five minutes when it asked too often", async () => {
    const { twin } = await bed();
    const request = { method: "POST", url: "https://eu.semsportal.com/api/x" } as const;
    expect(goodwe.budgetNews?.(plainAsk(twin, request))).toEqual([]);
    twin.trouble = "limited";
    expect(goodwe.budgetNews?.(plainAsk(twin, request))).toMatchObject([{ left: 0, resetsInMs: 300_000 }]);
  });

  test("whose token ended, or that a portal answers for, is told so", async () => {
    const { device, twin } = await opened();
    twin.trouble = "portal";
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "malformed" });
    twin.trouble = null;
    twin.expire();
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "expired" });
  });
});
