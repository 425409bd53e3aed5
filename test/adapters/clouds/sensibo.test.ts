import { describe, expect, test } from "vitest";
import type { CloudDevice } from "../../../adapters/clouds/kit/connector.ts";
import { sensibo } from "../../../adapters/clouds/sensibo/sensibo.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { SensiboTwin, type SensiboTwinPod, sensiboPod } from "../../twins/clouds/sensibo-twin.ts";
import { APP, askTwin, fakeSession } from "./fake-session.ts";
import { read } from "./values-of.ts";

const { signal } = new AbortController();
const GRANT = { access: "sensibo-key-1", refresh: null, expiresAtMs: null };

function account(...pods: readonly SensiboTwinPod[]) {
  const clock = new VirtualClock();
  const twin = new SensiboTwin(clock);
  twin.pods.push(...pods);
  return { clock, twin, session: fakeSession({ connector: sensibo, twin, clock, grant: GRANT }) };
}

async function opened(changes: Partial<SensiboTwinPod> = {}) {
  const pod = sensiboPod("A1", changes);
  const bed = account(pod);
  return { ...bed, pod, device: await sensibo.open(bed.session, "A1", signal) };
}

async function heat(device: CloudDevice, celsius: number) {
  await device.write("hvac.mode", "HEAT", signal);
  await device.write("hvac.heatSetpoint", celsius, signal);
}

const posts = (twin: SensiboTwin) => twin.asked.filter(({ method }) => method === "POST");
const state = (changes: Readonly<Record<string, unknown>>) => ({ acState: { ...sensiboPod("").acState, ...changes } });

describe("reading", () => {
  test("the setpoint of its mode, and the room, with the time of measurement", async () => {
    expect(await (await opened()).device.read(signal)).toEqual([
      { point: "hvac.mode", value: "COOL" },
      { point: "hvac.heatSetpoint", value: null },
      { point: "hvac.coolSetpoint", value: 24 },
      { point: "hvac.temperature", value: 25.4, measuredAtMs: Date.UTC(2026, 5, 20, 23, 59, 28, 500) },
      { point: "hvac.isActive", value: null },
    ]);
  });

  test.each([
    [{ on: false }, "OFF", null, null, false],
    [{ mode: "heat" }, "HEAT", 24, null, null],
    [{ mode: "auto" }, "AUTO", 24, 24, null],
    [{ mode: "dry" }, "UNKNOWN", null, null, null],
    [{ mode: "comes_later" }, "UNKNOWN", null, null, null],
    [{ on: "yes" }, "UNKNOWN", null, null, null],
  ])("%o", async (changes, mode, heatSetpoint, coolSetpoint, isActive) => {
    expect(await read((await opened(state(changes))).device)).toMatchObject({
      "hvac.mode": mode,
      "hvac.heatSetpoint": heatSetpoint,
      "hvac.coolSetpoint": coolSetpoint,
      "hvac.isActive": isActive,
    });
  });

  test("the unit's degrees may be °F, the room's never are", async () => {
    const { device } = await opened({ unit: "F", ...state({ targetTemperature: 68 }) });
    expect(await read(device)).toMatchObject({ "hvac.coolSetpoint": 20, "hvac.temperature": 25.4 });
  });

  test("nothing while the sender is offline, no temperature without its sensor", async () => {
    expect(new Set(Object.values(await read((await opened({ isAlive: false })).device)))).toEqual(new Set([null]));
    expect(await read((await opened({ temperature: null })).device)).toMatchObject({ "hvac.temperature": null });
  });

  test("units share one request", async () => {
    const { session, twin } = account(sensiboPod("A1"), sensiboPod("B2"));
    const devices = [await sensibo.open(session, "A1", signal), await sensibo.open(session, "B2", signal)];
    for (const device of devices) await device.read(signal);
    expect(twin.asked).toHaveLength(1);
    expect(devices.map(({ cost }) => cost)).toEqual([{ requests: 0.5 }, { requests: 0.5 }]);
  });

  test("lists what heats or cools, whatever else is in the answer", async () => {
    const purifier = sensiboPod("P3", { modes: { fan: { temperatures: {} } } });
    const { session } = account(purifier, sensiboPod("A1"));
    expect(await sensibo.list(session, signal)).toEqual([
      { key: "A1", types: ["hvac"], name: "Study", model: "skyv2", detail: "S-A1" },
    ]);
    await expect(sensibo.open(session, "P3", signal)).rejects.toMatchObject({ kind: "refused" });
  });
});

describe("commands", () => {
  test("a hold is one request, with the settings that its mode takes", async () => {
    const { device, twin, pod } = await opened();
    await heat(device, 21.4);
    expect(posts(twin)).toHaveLength(1);
    expect(pod.acState).toEqual({
      on: true,
      mode: "heat",
      targetTemperature: 21,
      temperatureUnit: "C",
      fanLevel: "auto",
      swing: "stopped",
    });
    expect(await read(device)).toMatchObject({ "hvac.mode": "HEAT", "hvac.heatSetpoint": 21 });
    expect(device.tempo()).toBe("active");
  });

  test("a unit in °F gets the nearest of its own degrees", async () => {
    const { device, pod } = await opened({ unit: "F", ...state({ targetTemperature: 75 }) });
    await heat(device, 21);
    expect(pod.acState).toMatchObject({ targetTemperature: 70, temperatureUnit: "F" });
    expect(await read(device)).toMatchObject({ "hvac.heatSetpoint": 21.11 });
  });

  test("off keeps the rest as it is", async () => {
    const { device, pod } = await opened();
    await device.write("hvac.mode", "OFF", signal);
    expect(pod.acState).toEqual({ on: false, mode: "cool", targetTemperature: 24, fanLevel: "high", swing: "stopped" });
  });

  test.each([
    ["hvac.coolSetpoint", 15.9],
    ["hvac.coolSetpoint", 30.1],
    ["hvac.mode", "AUTO"],
    ["hvac.holdType", "SCHEDULED"],
  ] as const)("%s %s is refused before anything is sent", async (point, value) => {
    const { device, twin } = await opened();
    await expect(device.write(point, value, signal)).rejects.toMatchObject({ kind: "refused" });
    expect(posts(twin)).toEqual([]);
  });

  test("off for a limit, and then the mode from before, which goes on at the degrees that it had", async () => {
    const { device, pod, clock } = await opened();
    await device.write("hvac.mode", "OFF", signal);
    await read(device);
    await clock.advance(120_000);
    await device.write("hvac.mode", "COOL", signal);
    // A setpoint may follow: without one the mode is asked for again.
    await clock.advance(20_000);
    await device.write("hvac.mode", "COOL", signal);
    expect(pod.acState).toMatchObject({ on: true, mode: "cool", targetTemperature: 24 });
  });

  test.each([
    ["dry", "UNKNOWN"],
    ["auto", "AUTO"],
  ] as const)("off for a limit, and then on again in %s, which cannot be asked for", async (mode, shown) => {
    const { device, pod } = await opened(state({ mode }));
    expect(await read(device)).toMatchObject({ "hvac.mode": shown });
    await device.write("hvac.mode", "OFF", signal);
    expect(await read(device)).toMatchObject({ "hvac.mode": "OFF" });
    expect(device.takesBack?.("hvac.mode", shown)).toBe(true);
    await device.write("hvac.mode", shown, signal);
    expect(pod.acState).toMatchObject({ on: true, mode });
  });

  test("what the sender could not send is refused, although the answer is 200", async () => {
    const { device, twin } = await opened();
    twin.isDeaf = true;
    await expect(heat(device, 21)).rejects.toMatchObject({ kind: "refused" });
    expect(await read(device)).toMatchObject({ "hvac.mode": "COOL" });
  });
});

describe("the key", () => {
  const { login } = sensibo;
  if (login.kind !== "form") throw new Error("Sensibo signs in by a form");

  test("is tried before it is kept, and is in no address", async () => {
    const { twin } = account();
    const tools = { ask: askTwin(sensibo, twin), app: APP, nowMs: () => 0 };
    expect(await login.signIn({ apiKey: " sensibo-key-1 " }, tools, signal)).toEqual(GRANT);
    await expect(login.signIn({ apiKey: "wrong" }, tools, signal)).rejects.toMatchObject({ kind: "login-refused" });
    const request = { method: "GET", url: "https://home.sensibo.com/api/v2/users/me/pods" } as const;
    const authorized = sensibo.authorize?.(request, GRANT, APP);
    expect(authorized).toEqual({ ...request, query: { apiKey: "sensibo-key-1" } });
  });

  test("that was taken back is a login to be done again", async () => {
    const { device, twin, clock } = await opened();
    twin.keys.clear();
    await clock.advance(60_000);
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "login-refused" });
  });

  test("an answer without success is no answer", () => {
    expect(sensibo.errorOf?.({ status: 200, headers: {}, body: { status: "failure" } })).toBe("refused");
    expect(sensibo.errorOf?.({ status: 200, headers: {}, body: { status: "success" } })).toBeNull();
    expect(sensibo.errorOf?.({ status: 429, headers: {}, body: { status: "failure" } })).toBeNull();
  });
});
