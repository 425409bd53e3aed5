import { describe, expect, test } from "vitest";
import type { CloudDevice } from "../../../adapters/clouds/kit/connector.ts";
import { tado } from "../../../adapters/clouds/tado/tado.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { type TadoOverlay, TadoTwin, tadoZone } from "../../twins/clouds/tado-twin.ts";
import { fakeSession } from "./fake-session.ts";
import { read } from "./values-of.ts";

const { signal } = new AbortController();

function account() {
  const clock = new VirtualClock();
  const twin = new TadoTwin(clock);
  const { access_token: access, refresh_token: refresh } = twin.desk.issue();
  const session = fakeSession({ connector: tado, twin, clock, grant: { access, refresh, expiresAtMs: null } });
  return { clock, twin, session };
}

async function opened(key: string, prepare?: (twin: TadoTwin) => void) {
  const bed = account();
  prepare?.(bed.twin);
  const device = await tado.open(bed.session, key, signal);
  return { ...bed, device };
}

function addAc(twin: TadoTwin, mode = "COOL") {
  const schedule = { type: "AIR_CONDITIONING", power: "ON", mode, temperature: { celsius: 23 } };
  twin.zones.push(tadoZone(3, { type: "AIR_CONDITIONING", schedule, temperature: 26.1, activity: 1 }));
}

async function heat(device: CloudDevice, celsius: number) {
  await device.write("hvac.holdType", "PERMANENT", signal);
  await device.write("hvac.mode", "HEAT", signal);
  await device.write("hvac.heatSetpoint", celsius, signal);
}

const writes = (twin: TadoTwin) => twin.asked.filter(({ method }) => method !== "GET");

describe("listing", () => {
  test("zones and rooms of all homes, without hot water", async () => {
    const { twin, session } = account();
    twin.zones.push(tadoZone(0, { type: "HOT_WATER" }));
    expect(await tado.list(session, signal)).toMatchObject([
      { key: "11/zone/1", name: "Zone 1", model: "VA02", detail: "VA1001" },
      { key: "11/zone/2", name: "Bath" },
      { key: "22/room/1", name: "Loft", types: ["hvac"] },
    ]);
  });

  test("a zone that is gone is refused", async () => {
    await expect(tado.open(account().session, "11/zone/9", signal)).rejects.toMatchObject({ kind: "refused" });
    await expect(tado.open(account().session, "22/room/9", signal)).rejects.toMatchObject({ kind: "refused" });
    await expect(tado.open(account().session, "nonsense", signal)).rejects.toMatchObject({ kind: "refused" });
  });
});

describe("a heating zone", () => {
  test("reads its setpoint, temperature and activity, with the time of measurement", async () => {
    const { device } = await opened("11/zone/1");
    expect(await device.read(signal)).toEqual([
      { point: "hvac.mode", value: "HEAT" },
      { point: "hvac.holdType", value: "SCHEDULED" },
      { point: "hvac.heatSetpoint", value: 20 },
      { point: "hvac.temperature", value: 19.52, measuredAtMs: Date.UTC(2026, 5, 20, 23, 57, 2, 553) },
      { point: "hvac.isActive", value: true, measuredAtMs: Date.UTC(2026, 5, 20, 23, 57, 2, 553) },
    ]);
  });

  test("does not heat at 0 %, and tells nothing of a sensor that is not there", async () => {
    const { device } = await opened("11/zone/1", ({ zones: [zone] }) =>
      Object.assign(zone!, { activity: 0, temperature: null }),
    );
    expect(await read(device)).toMatchObject({ "hvac.isActive": false, "hvac.temperature": null });
  });

  test("tells nothing at all while it is offline", async () => {
    const { device } = await opened("11/zone/1", ({ zones: [zone] }) => Object.assign(zone!, { isOnline: false }));
    expect(new Set(Object.values(await read(device)))).toEqual(new Set([null]));
  });

  test("off has no setpoint", async () => {
    const off = { type: "HEATING", power: "OFF", temperature: null };
    const { device } = await opened("11/zone/1", ({ zones: [zone] }) => Object.assign(zone!, { schedule: off }));
    expect(await read(device)).toMatchObject({ "hvac.mode": "OFF", "hvac.heatSetpoint": null });
  });

  test("a hold until the next block is neither permanent nor the schedule", async () => {
    const overlay = (type: string): TadoOverlay => ({
      setting: { type: "HEATING", power: "OFF" },
      termination: { type },
    });
    const { device, twin, session } = await opened("11/zone/1");
    const types: unknown[] = [];
    for (const type of ["MANUAL", "TADO_MODE", "TIMER", "WHO_KNOWS"]) {
      twin.zones[0]!.overlay = overlay(type);
      session.outdate("https://my.tado.com/api/v2/homes/11/zoneStates");
      types.push((await read(device))["hvac.holdType"]);
    }
    expect(types).toEqual(["PERMANENT", null, null, null]);
  });

  test("a hold is one request, complete", async () => {
    const { device, twin } = await opened("11/zone/1");
    await read(device);
    await heat(device, 21.5);
    expect(writes(twin).map(({ json }) => json)).toEqual([
      { setting: { type: "HEATING", power: "ON", temperature: { celsius: 21.5 } }, termination: { type: "MANUAL" } },
    ]);
    expect(device.tempo()).toBe("active");
    expect(await read(device)).toMatchObject({
      "hvac.mode": "HEAT",
      "hvac.holdType": "PERMANENT",
      "hvac.heatSetpoint": 21.5,
    });
  });

  test.each([
    [["hvac.mode", "hvac.heatSetpoint", "hvac.holdType"]],
    [["hvac.heatSetpoint", "hvac.mode", "hvac.holdType"]],
    [["hvac.holdType", "hvac.heatSetpoint", "hvac.mode"]],
  ] as const)("the order of the parts does not matter: %s", async (order) => {
    const off = { type: "HEATING", power: "OFF", temperature: null };
    const { device, twin } = await opened("11/zone/1", ({ zones: [zone] }) => Object.assign(zone!, { schedule: off }));
    await read(device);
    const parts = { "hvac.mode": "HEAT", "hvac.heatSetpoint": 22, "hvac.holdType": "PERMANENT" } as const;
    for (const point of order) await device.write(point, parts[point], signal);
    expect(writes(twin)).toHaveLength(1);
    expect(twin.zones[0]?.overlay?.setting).toMatchObject({ power: "ON", temperature: { celsius: 22 } });
  });

  test("off, then back to the schedule", async () => {
    const { device, twin } = await opened("11/zone/1");
    await device.write("hvac.holdType", "PERMANENT", signal);
    await device.write("hvac.mode", "OFF", signal);
    expect(await read(device)).toMatchObject({ "hvac.mode": "OFF", "hvac.holdType": "PERMANENT" });
    await device.write("hvac.holdType", "SCHEDULED", signal);
    expect(writes(twin).at(-1)).toMatchObject({ method: "DELETE" });
    expect(await read(device)).toMatchObject({ "hvac.mode": "HEAT", "hvac.holdType": "SCHEDULED" });
  });

  test("off for a limit, by its mode alone, and then the mode from before: the schedule has it again", async () => {
    const { device, twin, clock } = await opened("11/zone/1");
    await device.write("hvac.mode", "OFF", signal);
    expect(await read(device)).toMatchObject({ "hvac.mode": "OFF", "hvac.holdType": "PERMANENT" });
    await clock.advance(120_000);
    await device.write("hvac.mode", "HEAT", signal);
    expect(writes(twin).at(-1)).toMatchObject({ method: "DELETE" });
    expect(await read(device)).toMatchObject({ "hvac.mode": "HEAT", "hvac.holdType": "SCHEDULED" });
  });

  test("off for a limit, and then the permanent hold from before", async () => {
    const { device, twin, clock } = await opened("11/zone/1");
    await heat(device, 23);
    await read(device);
    await clock.advance(120_000);
    await device.write("hvac.mode", "OFF", signal);
    expect(await read(device)).toMatchObject({ "hvac.mode": "OFF" });
    await clock.advance(120_000);
    await device.write("hvac.mode", "HEAT", signal);
    expect(twin.zones[0]?.overlay?.setting).toMatchObject({ power: "ON", temperature: { celsius: 23 } });
  });

  test("the second of two commands keeps nothing of the first, and is sent again when it is asked for again", async () => {
    const { device, twin, clock } = await opened("11/zone/1");
    await heat(device, 21);
    await heat(device, 23);
    await heat(device, 23);
    expect(writes(twin)).toHaveLength(3);
    await clock.advance(120_000);
    // Nothing is left of a command that old: the mode that is shown is what the setpoint is for.
    await read(device);
    await device.write("hvac.heatSetpoint", 19, signal);
    expect(twin.zones[0]?.overlay?.setting).toMatchObject({ temperature: { celsius: 19 } });
  });

  test.each([
    ["hvac.heatSetpoint", 4.9],
    ["hvac.heatSetpoint", 25.1],
    ["hvac.mode", "COOL"],
    ["hvac.coolSetpoint", 20],
  ] as const)("%s %s is refused before anything is sent", async (point, value) => {
    const { device, twin } = await opened("11/zone/1");
    await expect(device.write(point, value, signal)).rejects.toMatchObject({ kind: "refused" });
    expect(writes(twin)).toEqual([]);
  });
});

describe("an air conditioner", () => {
  test("reads the setpoint of its mode", async () => {
    const { device } = await opened("11/zone/3", addAc);
    expect(await read(device)).toMatchObject({
      "hvac.mode": "COOL",
      "hvac.coolSetpoint": 23,
      "hvac.heatSetpoint": null,
      "hvac.isActive": true,
    });
  });

  test.each([["DRY"], ["FAN"], ["COMES_LATER"]])("%s is no mode that we know", async (mode) => {
    const { device } = await opened("11/zone/3", (twin) => addAc(twin, mode));
    expect(await read(device)).toMatchObject({ "hvac.mode": "UNKNOWN", "hvac.coolSetpoint": null });
  });

  test("is set in its steps, with all that its mode wants beside the temperature", async () => {
    const { device, twin } = await opened("11/zone/3", addAc);
    await read(device);
    await heat(device, 21.4);
    expect(twin.zones[2]?.overlay?.setting).toEqual({
      type: "AIR_CONDITIONING",
      power: "ON",
      mode: "HEAT",
      temperature: { celsius: 21 },
      fanLevel: "LEVEL1",
      verticalSwing: "OFF",
    });
    expect(await read(device)).toMatchObject({
      "hvac.mode": "HEAT",
      "hvac.heatSetpoint": 21,
      "hvac.coolSetpoint": null,
    });
  });

  test("offers modes with a temperature of their own only", async () => {
    const { device } = await opened("11/zone/3", addAc);
    expect(device.controls.find(({ point }) => point === "hvac.mode")?.values).toEqual(["OFF", "COOL", "HEAT"]);
    await expect(device.write("hvac.mode", "AUTO", signal)).rejects.toMatchObject({ kind: "refused" });
  });
});

test.each([
  ["AUTO", "AUTO"],
  ["DRY", "UNKNOWN"],
] as const)("an air conditioner in %s that a limit switched off goes back to its schedule", async (mode, shown) => {
  const { device, twin } = await opened("11/zone/3", (each) => addAc(each, mode));
  expect(await read(device)).toMatchObject({ "hvac.mode": shown });
  await device.write("hvac.mode", "OFF", signal);
  expect(await read(device)).toMatchObject({ "hvac.mode": "OFF" });
  expect(device.takesBack?.("hvac.mode", shown)).toBe(true);
  await device.write("hvac.mode", shown, signal);
  expect(writes(twin).at(-1)).toMatchObject({ method: "DELETE" });
  await read(device);
  const count = writes(twin).length;
  await device.write("hvac.mode", shown, signal);
  expect(writes(twin)).toHaveLength(count);
});

describe("a room of the X line", () => {
  test("reads, is held, and goes back to its schedule", async () => {
    const { device, twin } = await opened("22/room/1");
    expect(await read(device)).toEqual({
      "hvac.mode": "HEAT",
      "hvac.holdType": "SCHEDULED",
      "hvac.heatSetpoint": 18.5,
      "hvac.temperature": 19.52,
      "hvac.isActive": true,
    });
    await heat(device, 21);
    expect(await read(device)).toMatchObject({ "hvac.holdType": "PERMANENT", "hvac.heatSetpoint": 21 });
    await device.write("hvac.mode", "OFF", signal);
    expect(await read(device)).toMatchObject({ "hvac.mode": "OFF", "hvac.heatSetpoint": null });
    await device.write("hvac.holdType", "SCHEDULED", signal);
    expect(await read(device)).toMatchObject({ "hvac.holdType": "SCHEDULED", "hvac.heatSetpoint": 18.5 });
    twin.rooms[0]!.isOnline = false;
    await heat(device, 20);
    expect(new Set(Object.values(await read(device)))).toEqual(new Set([null]));
  });
});

describe("the daily quota", () => {
  test("zones of a home share one request", async () => {
    const { session, twin } = account();
    const devices = [await tado.open(session, "11/zone/1", signal), await tado.open(session, "11/zone/2", signal)];
    const before = twin.asked.length;
    for (const device of devices) await device.read(signal);
    expect(twin.asked.length - before).toBe(1);
    expect(devices.map(({ cost }) => cost)).toEqual([{ requests: 0.5 }, { requests: 0.5 }]);
  });

  test("headers tell what is left, and when there is more", async () => {
    const { session, twin } = account();
    twin.limit = 2;
    const news = [];
    for (let count = 0; count < 2; count += 1) {
      const answer = await session.ask({ method: "GET", url: "https://my.tado.com/api/v2/me" }, signal);
      news.push(tado.budgetNews?.(answer));
    }
    expect(news).toEqual([
      [{ budget: "requests", limit: 2, left: 1, isItsCount: true }],
      [{ budget: "requests", limit: 2, left: 0, isItsCount: true }],
    ]);
    const over = twin.serve({
      method: "GET",
      host: "my.tado.com",
      path: "/api/v2/me",
      headers: bearer(twin),
      body: "",
      atMs: 0,
    });
    expect(over.status).toBe(429);
    expect(tado.budgetNews?.({ status: 429, headers: over.headers ?? {}, body: null })).toEqual([
      { budget: "requests", limit: 2, left: 0, isItsCount: true, resetsInMs: 43_200_000 },
    ]);
    expect(tado.budgetNews?.({ status: 200, headers: { ratelimit: "nonsense" }, body: null })).toEqual([]);
  });
});

function bearer(twin: TadoTwin) {
  return { authorization: `Bearer ${twin.desk.issue().access_token}` };
}
