import { describe, expect, test } from "vitest";
import { ecobee } from "../../../adapters/clouds/ecobee/ecobee.ts";
import type { CloudDevice, Grant, LoginAsk } from "../../../adapters/clouds/kit/connector.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { EcobeeTwin, type EcobeeTwinThermostat, ecobeeThermostat } from "../../twins/clouds/ecobee-twin.ts";
import { APP, askTwin, fakeSession } from "./fake-session.ts";
import { read } from "./values-of.ts";

const { signal } = new AbortController();
const KEY = "311019854581";

async function opened(changes: Partial<EcobeeTwinThermostat> = {}) {
  const clock = new VirtualClock();
  const twin = new EcobeeTwin(clock);
  const [thermostat] = twin.thermostats;
  Object.assign(thermostat!, changes);
  const { access_token: access, refresh_token: refresh } = twin.desk.issue();
  const session = fakeSession({ connector: ecobee, twin, clock, grant: { access, refresh, expiresAtMs: null } });
  const device = await ecobee.open(session, KEY, signal);
  return { clock, twin, session, device, thermostat: thermostat! };
}

async function hold(device: CloudDevice, ...parts: readonly Parameters<CloudDevice["write"]>[]) {
  await device.write("hvac.holdType", "PERMANENT", signal);
  for (const part of parts) await device.write(...part);
}

const posts = (twin: EcobeeTwin) => twin.asked.filter(({ method }) => method === "POST");

function withSettings(changes: Readonly<Record<string, unknown>>) {
  return { settings: { ...ecobeeThermostat().settings, ...changes } };
}

describe("reading", () => {
  test("tenths of °F become °C, with the time of measurement", async () => {
    const { device } = await opened();
    expect(await device.read(signal)).toEqual([
      { point: "hvac.mode", value: "AUTO" },
      { point: "hvac.holdType", value: "SCHEDULED" },
      { point: "hvac.heatSetpoint", value: 20 },
      { point: "hvac.coolSetpoint", value: 25 },
      { point: "hvac.temperature", value: 22, measuredAtMs: Date.UTC(2026, 5, 20, 23, 55) },
      { point: "hvac.isActive", value: true },
    ]);
  });

  test("frost is below zero, a sentinel is nothing", async () => {
    expect(await read((await opened({ temperature: 140 })).device)).toMatchObject({ "hvac.temperature": -10 });
    expect(await read((await opened({ temperature: -5002 })).device)).toMatchObject({ "hvac.temperature": null });
  });

  test.each([
    ["", false],
    ["fan,humidifier", false],
    ["fan,compCool1", true],
    ["auxHeat2", true],
    ["comes_later", null],
  ])("equipment %j is active: %s", async (equipment, isActive) => {
    expect(await read((await opened({ equipment })).device)).toMatchObject({ "hvac.isActive": isActive });
  });

  test.each([
    ["auxHeatOnly", "HEAT", 20, null],
    ["cool", "COOL", null, 25],
    ["off", "OFF", null, null],
    ["comes_later", "UNKNOWN", null, null],
  ])("mode %s is %s, with the setpoints that count in it", async (hvacMode, mode, heat, cool) => {
    const { device } = await opened(withSettings({ hvacMode }));
    expect(await read(device)).toMatchObject({
      "hvac.mode": mode,
      "hvac.heatSetpoint": heat,
      "hvac.coolSetpoint": cool,
    });
  });

  test("a hold with an end is neither permanent nor the schedule, nor is a vacation", async () => {
    const held = { heat: 680, cool: 770, start: "2026-06-21" };
    const types = [];
    for (const [end, type] of [
      ["2035-01-01", "hold"],
      ["2026-06-21", "hold"],
      ["2035-01-01", "vacation"],
    ] as const) {
      types.push((await read((await opened({ hold: { ...held, end, type } })).device))["hvac.holdType"]);
    }
    expect(types).toEqual(["PERMANENT", null, null]);
  });

  test("tells nothing while it is not connected", async () => {
    const { device } = await opened({ isConnected: false });
    expect(new Set(Object.values(await read(device)))).toEqual(new Set([null]));
  });

  test("asks for details only when the summary's revisions changed, even under a name with colons", async () => {
    const { device, twin, clock, thermostat } = await opened({ name: "Hall: east" });
    const details = () => twin.asked.filter(({ url }) => url.pathname === "/1/thermostat").length;
    const before = details();
    for (let round = 0; round < 3; round += 1) {
      await clock.advance(180_000);
      await device.read(signal);
    }
    expect(details()).toBe(before);
    thermostat.temperature = 626;
    twin.changed();
    await clock.advance(180_000);
    expect(await read(device)).toMatchObject({ "hvac.temperature": 17 });
    expect(details()).toBe(before + 1);
  });

  test("an odd thermostat does not cost the others, and an id may be a number", async () => {
    const { twin, session, clock } = await opened();
    twin.thermostats.push(ecobeeThermostat({ identifier: 42, name: "Attic" }));
    twin.thermostats.push({ ...ecobeeThermostat(), identifier: {} as string });
    twin.changed();
    await clock.advance(180_000);
    expect(await ecobee.list(session, signal)).toMatchObject([{ key: KEY }, { key: "42", name: "Attic" }]);
  });
});

describe("commands", () => {
  test("a hold with its mode is one request", async () => {
    const { device, twin, thermostat } = await opened();
    await hold(device, ["hvac.mode", "HEAT", signal], ["hvac.heatSetpoint", 21, signal]);
    expect(posts(twin)).toHaveLength(1);
    expect(thermostat.hold).toMatchObject({ heat: 698, cool: 698, end: "2035-01-01" });
    expect(await read(device)).toMatchObject({
      "hvac.mode": "HEAT",
      "hvac.holdType": "PERMANENT",
      "hvac.heatSetpoint": 21,
    });
  });

  test("the setpoint that the mode does not use stays within its own range", async () => {
    const { device, thermostat } = await opened();
    await hold(device, ["hvac.mode", "HEAT", signal], ["hvac.heatSetpoint", 15, signal]);
    expect(thermostat.hold).toMatchObject({ heat: 590, cool: 650 });
    await hold(device, ["hvac.mode", "COOL", signal], ["hvac.coolSetpoint", 30, signal]);
    expect(thermostat.hold).toMatchObject({ heat: 790, cool: 860 });
  });

  test("auto waits for both setpoints, in any order, and keeps their distance", async () => {
    const { device, twin, thermostat } = await opened(withSettings({ hvacMode: "heat" }));
    await device.write("hvac.coolSetpoint", 25, signal);
    await device.write("hvac.mode", "AUTO", signal);
    expect(posts(twin)).toEqual([]);
    await device.write("hvac.heatSetpoint", 19, signal);
    await device.write("hvac.holdType", "PERMANENT", signal);
    expect(posts(twin)).toHaveLength(1);
    expect(thermostat).toMatchObject({ hold: { heat: 662, cool: 770 }, settings: { hvacMode: "auto" } });
    await device.write("hvac.mode", "AUTO", signal);
    await device.write("hvac.heatSetpoint", 23, signal);
    await expect(device.write("hvac.coolSetpoint", 25, signal)).rejects.toMatchObject({ kind: "refused" });
  });

  test("off stays off until somebody ends it, and the schedule comes back in the mode from before", async () => {
    const { device, thermostat } = await opened(withSettings({ hvacMode: "heat" }));
    await hold(device, ["hvac.mode", "OFF", signal]);
    expect(await read(device)).toMatchObject({ "hvac.mode": "OFF", "hvac.holdType": "PERMANENT" });
    await device.write("hvac.holdType", "SCHEDULED", signal);
    expect(await read(device)).toMatchObject({ "hvac.mode": "HEAT", "hvac.holdType": "SCHEDULED" });
    expect(thermostat.hold).toBeNull();
  });

  test("off for a limit, and then the permanent hold from before", async () => {
    const { device, thermostat, clock } = await opened();
    await hold(device, ["hvac.mode", "HEAT", signal], ["hvac.heatSetpoint", 21, signal]);
    await read(device);
    await clock.advance(120_000);
    await device.write("hvac.mode", "OFF", signal);
    expect(await read(device)).toMatchObject({ "hvac.mode": "OFF" });
    await clock.advance(120_000);
    await device.write("hvac.mode", "HEAT", signal);
    expect(thermostat.hold).toMatchObject({ heat: 698, end: "2035-01-01" });
    expect(await read(device)).toMatchObject({ "hvac.mode": "HEAT", "hvac.holdType": "PERMANENT" });
  });

  test("what was always off has no mode for its schedule", async () => {
    const { device } = await opened(withSettings({ hvacMode: "off" }));
    await expect(device.write("hvac.holdType", "SCHEDULED", signal)).rejects.toMatchObject({ kind: "refused" });
  });

  test("what the equipment cannot do is not offered, nor what is out of range", async () => {
    const { device, twin } = await opened(withSettings({ coolStages: 0 }));
    const points = device.controls.map(({ point }) => point);
    expect(points).toEqual(["hvac.mode", "hvac.holdType", "hvac.heatSetpoint"]);
    for (const [point, value] of [
      ["hvac.mode", "COOL"],
      ["hvac.coolSetpoint", 24],
      ["hvac.heatSetpoint", 26.2],
    ] as const) {
      await expect(device.write(point, value, signal)).rejects.toMatchObject({ kind: "refused" });
    }
    expect(posts(twin)).toEqual([]);
  });
});

describe("errors", () => {
  test.each([
    [14, "expired"],
    [1, "login-refused"],
    [16, "login-refused"],
    [2, "forbidden"],
    [3, "unavailable"],
    [9, "refused"],
    [0, null],
  ])("code %s is %s", (code, kind) => {
    expect(ecobee.errorOf?.({ status: code === 0 ? 200 : 500, headers: {}, body: { status: { code } } })).toBe(kind);
  });

  test("an expired token is told as such", async () => {
    const { device, clock } = await opened();
    await clock.advance(4_000_000);
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "expired" });
  });
});

describe("the login by PIN", () => {
  function desk() {
    const twin = new EcobeeTwin(new VirtualClock());
    const { login } = ecobee;
    if (login.kind !== "form") throw new Error("ecobee signs in by a form");
    const tools = { ask: askTwin(ecobee, twin), app: APP, nowMs: () => 1_000 };
    return { twin, login, tools };
  }

  function asked(given: Grant | LoginAsk): LoginAsk {
    if (!("keep" in given)) throw new Error("signed in already");
    return given;
  }

  test("shows the PIN until it is entered at ecobee, then gives tokens", async () => {
    const { twin, login, tools } = desk();
    const form = { account: "person@example.org" };
    const first = asked(await login.signIn(form, tools, signal));
    expect(first).toMatchObject({ enter: { code: "PIN1" } });
    const again = asked(await login.signIn({ ...form, ...first.keep }, tools, signal));
    expect(again.keep).toEqual(first.keep);
    twin.enteredPins.push("PIN1");
    const grant = await login.signIn({ ...form, ...again.keep }, tools, signal);
    expect(grant).toMatchObject({ expiresAtMs: 3_601_000 });
    expect(twin.desk.accepts((grant as Grant).access)).toBe(true);
  });

  test("a PIN that is over is followed by another", async () => {
    const { twin, login, tools } = desk();
    const first = asked(await login.signIn({}, tools, signal));
    twin.arePinsGood = false;
    expect(asked(await login.signIn({ ...first.keep }, tools, signal))).toMatchObject({ enter: { code: "PIN2" } });
  });

  test("renews once with each refresh token", async () => {
    const { twin, login, tools } = desk();
    const { access_token: access, refresh_token: refresh } = twin.desk.issue();
    const grant: Grant = { access, refresh, expiresAtMs: null };
    const renewed = await login.renew!(grant, tools, signal);
    expect(twin.desk.accepts(renewed.access)).toBe(true);
    await expect(login.renew!(grant, tools, signal)).rejects.toMatchObject({ kind: "login-refused" });
  });
});
