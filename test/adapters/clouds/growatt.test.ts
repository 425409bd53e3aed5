import { describe, expect, test } from "vitest";
import { growatt } from "../../../adapters/clouds/growatt/growatt.ts";
import type { Grant } from "../../../adapters/clouds/kit/connector.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { GrowattInverterTruth, GrowattTwin } from "../../twins/clouds/growatt-twin.ts";
import { APP, askTwin, fakeSession } from "./fake-session.ts";
import { read } from "./values-of.ts";

const { signal } = new AbortController();
const SERVER = "openapi.growatt.com";

async function signIn(twin: GrowattTwin, form: Readonly<Record<string, string>> = {}): Promise<Grant> {
  const { login } = growatt;
  if (login.kind !== "form") throw new Error("not a form");
  const tools = { ask: askTwin(growatt, twin), app: APP, nowMs: () => 0 };
  const grant = await login.signIn({ token: twin.token, server: SERVER, ...form }, tools, signal);
  if ("keep" in grant) throw new Error("asked for more");
  return grant;
}

function bed(inverter = new GrowattInverterTruth("MIN0000001", 7), change: Partial<GrowattInverterTruth> = {}) {
  const clock = new VirtualClock({ startMs: Date.UTC(2026, 5, 21, 10) });
  const twin = new GrowattTwin(clock);
  Object.assign(inverter, change);
  twin.inverters = [inverter];
  const grant: Grant = { access: twin.token, refresh: null, expiresAtMs: null, extra: { server: SERVER } };
  return { clock, twin, inverter, session: fakeSession({ connector: growatt, twin, grant, clock }) };
}

async function opened(change: Partial<GrowattInverterTruth> = {}, type: 5 | 7 = 7) {
  const parts = bed(new GrowattInverterTruth("MIN0000001", type), change);
  return { ...parts, device: await growatt.open(parts.session, parts.inverter.serial, signal) };
}

const EVERY_POINT = {
  "inverter.power": 6_000,
  "inverter.energy": 18_843_200,
  "meter.power": -2_500,
  "meter.energyImport": 1_500_500,
  "meter.energyExport": 9_200_100,
  "hem.load": 500,
  "battery.power": 3_000,
  "battery.status": "CHARGING",
  "battery.soc": 45,
  "battery.energyCharged": 904_400,
  "battery.energyDischarged": 826_200,
};

describe("a Growatt inverter", () => {
  test("of the MIN family is read with every point", async () => {
    const { device } = await opened({ pvW: 6_000, gridW: -2_500, batteryW: 3_000 });
    expect(device.identity).toMatchObject({ manufacturer: "Growatt", model: "MIN 6000TL-XH", serial: "MIN0000001" });
    expect(await read(device)).toEqual({ ...EVERY_POINT, "battery.mode": "SELF_RELIANCE" });
  });

  test("of the SPH family is read with every point but its mode, and set in no way", async () => {
    const { device } = await opened({ pvW: 6_000, gridW: -2_500, batteryW: 3_000 }, 5);
    expect(await read(device)).toEqual(EVERY_POINT);
    expect(device.controls).toEqual([]);
    await expect(device.write("battery.mode", "IMPORT_FOCUS", signal)).rejects.toMatchObject({ kind: "refused" });
  });

  test.each([5, 7] as const)("of type %i has the other signs in the evening", async (type) => {
    const { device } = await opened({ gridW: 400, batteryW: -1_100 }, type);
    expect(await read(device)).toMatchObject({
      "inverter.power": 0,
      "meter.power": 400,
      "hem.load": 1_500,
      "battery.power": -1_100,
      "battery.status": "DISCHARGING",
    });
  });

  test("whose logger is lost tells nothing", async () => {
    const { device, inverter } = await opened({ pvW: 900 });
    inverter.isLost = true;
    const { "battery.mode": mode, ...told } = await read(device);
    expect(mode).toBe("SELF_RELIANCE");
    expect(Object.values(told).every((value) => value === null)).toBe(true);
  });

  test("without a meter and a battery has no points of them, and is looked at less often in the dark", async () => {
    const { device, inverter } = await opened({ hasMeter: false, hasBattery: false, pvW: 1_234 });
    expect(await read(device)).toEqual({ "inverter.power": 1_234, "inverter.energy": 18_843_200 });
    expect([device.controls, device.tempo()]).toEqual([[], "usual"]);
    inverter.pvW = 0;
    await device.read(signal);
    expect(device.tempo()).toBe("idle");
  });

  test("goes on without its settings when they are not to be had", async () => {
    const { device, twin, clock } = await opened({ pvW: 50 });
    await clock.advance(2 * 3_600_000);
    twin.perWindow = 1;
    expect(await read(device)).toMatchObject({ "inverter.power": 50, "battery.mode": null });
  });
});

describe("a MIN inverter's priorities", () => {
  test.each([
    ["IMPORT_FOCUS", 1],
    ["EXPORT_FOCUS", 2],
  ] as const)("are set for %s and taken back", async (mode, priority) => {
    const { device, inverter, clock } = await opened();
    expect(device.controls).toMatchObject([{ confidence: "unverified", safeDefault: "as-found" }]);
    await device.write("battery.mode", mode, signal);
    expect(inverter.segments[0]).toEqual({ mode: priority, start: "0:0", stop: "23:59", isOn: true });
    expect(device.tempo()).toBe("active");
    expect(await read(device)).toMatchObject({ "battery.mode": mode });
    await device.write("battery.mode", "SELF_RELIANCE", signal);
    expect(inverter.segments[0]?.isOn).toBe(false);
    expect(await read(device)).toMatchObject({ "battery.mode": "SELF_RELIANCE" });
    await clock.advance(11 * 60_000);
    expect(device.tempo()).toBe("usual");
  });

  test("are not written when they are so already: the memory wears out", async () => {
    const { device, inverter } = await opened();
    await device.write("battery.mode", "SELF_RELIANCE", signal);
    expect(inverter.written).toBe(0);
    await device.write("battery.mode", "IMPORT_FOCUS", signal);
    await device.write("battery.mode", "IMPORT_FOCUS", signal);
    expect(inverter.written).toBe(1);
  });

  test("are still ours when the inverter is opened again", async () => {
    const { device, session, inverter } = await opened();
    await device.write("battery.mode", "EXPORT_FOCUS", signal);
    const again = await growatt.open(session, inverter.serial, signal);
    expect(again.controls).toHaveLength(1);
    expect(await read(again)).toMatchObject({ "battery.mode": "EXPORT_FOCUS" });
  });

  test("are left alone where the owner has a plan", async () => {
    const plan = { mode: 1, start: "2:0", stop: "5:0", isOn: true };
    const parts = bed();
    parts.inverter.segments[2] = plan;
    const device = await growatt.open(parts.session, parts.inverter.serial, signal);
    expect(device.controls).toEqual([]);
    expect(await read(device)).toMatchObject({ "battery.mode": "TIME_OF_USE" });
    await expect(device.write("battery.mode", "IMPORT_FOCUS", signal)).rejects.toMatchObject({ kind: "refused" });
    expect(parts.inverter.written).toBe(0);
  });

  test("are left alone where the owner made a plan since", async () => {
    const { device, inverter } = await opened();
    inverter.segments[0] = { mode: 2, start: "17:0", stop: "20:0", isOn: true };
    await expect(device.write("battery.mode", "IMPORT_FOCUS", signal)).rejects.toMatchObject({ kind: "refused" });
    expect(inverter).toMatchObject({ written: 0, segments: [{ start: "17:0" }, {}, {}, {}, {}, {}, {}, {}, {}] });
  });

  test("that are not known are told as such", async () => {
    const { device, inverter } = await opened({
      segments: [{ mode: 7, start: "00:00", stop: "24:00", isOn: true }],
    });
    expect(await read(device)).toMatchObject({ "battery.mode": "UNKNOWN" });
    expect(inverter.written).toBe(0);
  });

  test.each(["IDLE", "TIME_OF_USE", "UNKNOWN"] as const)("have nothing for %s", async (mode) => {
    const { device, twin } = await opened();
    const asked = twin.asked.length;
    await expect(device.write("battery.mode", mode, signal)).rejects.toMatchObject({ kind: "refused" });
    expect(twin.asked.length).toBe(asked);
  });
});

describe("a Growatt account", () => {
  test("lists inverters that have a resource of their own, and the other plants as such", async () => {
    const { session, twin } = bed();
    twin.inverters.push(new GrowattInverterTruth("INV0000002", 1, 9_002));
    twin.oddPlants = [null, { plant: 5 }];
    twin.oddDevices = [null, { device_sn: 5 }];
    expect(await growatt.list(session, signal)).toEqual([
      {
        key: "MIN0000001",
        types: ["inverter", "meter", "battery"],
        name: "Plant 9001",
        model: "MIN 6000TL-XH",
        detail: "MIN0000001",
      },
      { key: "plant 9002", types: ["inverter"], name: "Plant 9002", model: null, detail: null },
    ]);
    await expect(growatt.open(session, "gone", signal)).rejects.toMatchObject({ kind: "refused" });
  });

  test("has a plant's overview where nothing else is there", async () => {
    const { session } = bed(new GrowattInverterTruth("INV0000002", 1, 9_002), { pvW: 3_210 });
    const device = await growatt.open(session, "plant 9002", signal);
    expect(await read(device)).toEqual({ "inverter.power": 3_210, "inverter.energy": 18_843_200 });
    await expect(device.write("battery.mode", "IDLE", signal)).rejects.toMatchObject({ kind: "refused" });
  });

  test("signs in with a token, at a server of Growatt's alone, and the token stands in headers alone", async () => {
    const { twin } = bed();
    expect(await signIn(twin)).toMatchObject({ access: twin.token, refresh: null, extra: { server: SERVER } });
    expect((await signIn(twin, { server: "https://openapi-us.growatt.com/v1/" })).extra?.["server"]).toBe(
      "openapi-us.growatt.com",
    );
    await expect(signIn(twin, { token: "wrong" })).rejects.toMatchObject({ kind: "login-refused" });
    const asked = twin.asked.length;
    for (const server of ["openapi.growatt.com.example.com", "example.com", ""])
      await expect(signIn(twin, { server })).rejects.toMatchObject({ kind: "login-refused" });
    expect(twin.asked.length).toBe(asked);
    expect(twin.asked.every(({ url }) => !url.href.includes(twin.token))).toBe(true);
  });

  test.each([
    [10_001, "unavailable"],
    [10_002, "refused"],
    [10_011, "forbidden"],
    [10_012, "rate-limited"],
  ] as const)("knows what the code %i means", async (code, kind) => {
    const { device, twin } = await opened();
    twin.errorCode = code;
    await expect(device.read(signal)).rejects.toMatchObject({ kind });
  });

  test("is refused for its login once the token lists no plants any more, whatever was listed before", async () => {
    const { session, twin, inverter } = await opened();
    twin.token = "token-2-made-anew-in-the-app";
    await expect(growatt.open(session, inverter.serial, signal)).rejects.toMatchObject({ kind: "login-refused" });
  });

  test("that the account may not read leaves the login as it is", async () => {
    const { session, twin, inverter } = await opened();
    twin.withheld.add(inverter.serial);
    await expect(growatt.open(session, inverter.serial, signal)).rejects.toMatchObject({ kind: "forbidden" });
    twin.withheld.clear();
    await expect(growatt.open(session, inverter.serial, signal)).resolves.toBeDefined();
  });

  test("that a portal answers for is told so", async () => {
    const { device, twin } = await opened();
    twin.trouble = "portal";
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "malformed" });
  });
});
