import { describe, expect, test } from "vitest";
import { enphase } from "../../../adapters/clouds/enphase/enphase.ts";
import type { Grant } from "../../../adapters/clouds/kit/connector.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { EnphaseSystemTruth, EnphaseTwin } from "../../twins/clouds/enphase-twin.ts";
import { fakeSession } from "./fake-session.ts";
import { valuesOf } from "./values-of.ts";

const { signal } = new AbortController();
const KEY = "698910067";
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

function bed(change: (system: EnphaseSystemTruth) => void = () => {}) {
  const clock = new VirtualClock({ startMs: Date.UTC(2026, 5, 21, 10) });
  const twin = new EnphaseTwin(clock);
  const system = twin.systems[0]!;
  change(system);
  const grant: Grant = { access: twin.desk.issue().access_token, refresh: null, expiresAtMs: null };
  return { clock, twin, system, session: fakeSession({ connector: enphase, twin, grant, clock }) };
}

async function opened(change?: (system: EnphaseSystemTruth) => void) {
  const parts = bed(change);
  const device = await enphase.open(parts.session, KEY, signal);
  const values = async () => valuesOf(await device.read(signal));
  /** Once the minute of the plan is over. */
  const later = async (durationMs = MINUTE_MS) => {
    await parts.clock.advance(durationMs);
    return await values();
  };
  return { ...parts, device, values, later };
}

describe("an Enphase system", () => {
  test("is read with every point while it charges and exports", async () => {
    const { values } = await opened((it) =>
      Object.assign(it, { productionW: 5_000, gridW: -800, batteryW: 2_501, soc: 71 }),
    );
    expect(await values()).toEqual({
      "inverter.power": 5_000,
      "inverter.energy": 9_876_543,
      "meter.power": -800,
      "hem.load": 1_699,
      "battery.power": 2_501,
      "battery.status": "CHARGING",
      "battery.soc": 71,
      "battery.capacity": 10_080,
      "battery.mode": "SELF_RELIANCE",
      "battery.reserve": 20,
    });
  });

  test("has the other signs while it discharges and imports", async () => {
    const { values } = await opened((it) => Object.assign(it, { productionW: -5, gridW: 300, batteryW: -1_200 }));
    expect(await values()).toMatchObject({
      "inverter.power": -5,
      "meter.power": 300,
      "hem.load": 1_495,
      "battery.power": -1_200,
      "battery.status": "DISCHARGING",
    });
  });

  test("takes an idle battery's own few watts for no charging, and a word that is not known for none", async () => {
    const idle = await opened((it) => Object.assign(it, { batteryW: 30, operationalMode: "Multi-mode On Grid, Idle" }));
    expect(await idle.values()).toMatchObject({ "battery.power": 30, "battery.status": "IDLE" });
    const odd = await opened((it) => Object.assign(it, { batteryW: 30, operationalMode: "Pondering" }));
    expect(await odd.values()).toMatchObject({ "battery.status": "CHARGING" });
  });

  test("says when the gateway reported, and shows no power of one that has been silent", async () => {
    const { device, clock, system } = await opened();
    const power = (await device.read(signal)).find(({ point }) => point === "meter.power");
    expect(power).toMatchObject({ value: 0, measuredAtMs: clock.nowMs() - system.silentMs });
    system.silentMs = 5 * HOUR_MS;
    expect(valuesOf(await device.read(signal))).toMatchObject({
      "inverter.power": null,
      "meter.power": null,
      "hem.load": null,
      "battery.power": null,
      "battery.status": "UNKNOWN",
    });
  });

  test("without a battery takes what its meter uses for the house's load", async () => {
    const { device, values } = await opened((it) =>
      Object.assign(it, { hasBattery: false, productionW: 900, gridW: 100 }),
    );
    expect(device.controls).toEqual([]);
    expect(await values()).toEqual({
      "inverter.power": 900,
      "inverter.energy": 9_876_543,
      "meter.power": 100,
      "hem.load": 1_000,
    });
  });

  test("without meters has its panels' power", async () => {
    const { twin, values } = await opened((it) =>
      Object.assign(it, { hasMeters: false, hasBattery: false, productionW: 432 }),
    );
    expect(await values()).toEqual({ "inverter.power": 432, "inverter.energy": 9_876_543 });
    expect(twin.asked.filter(({ url }) => url.pathname.endsWith("latest_telemetry"))).toEqual([]);
  });

  test("stays within the requests that its cost says", async () => {
    const { device, twin, clock } = await opened();
    const before = twin.asked.length;
    for (let reads = 0; reads < 50; reads += 1) {
      await device.read(signal);
      await clock.advance(enphase.pace.usual);
    }
    expect(twin.asked.length - before).toBeLessThanOrEqual(50 * device.cost["month"]! + 2);
  });
});

describe("an Enphase battery", () => {
  test.each([
    ["TIME_OF_USE", "Savings Mode"],
    ["IMPORT_FOCUS", "Full Backup"],
  ] as const)("is told %s as %s, and shows it at the next reading", async (mode, profile) => {
    const { device, system, values, later } = await opened();
    await values();
    await device.write("battery.mode", mode, signal);
    expect(system.profile).toBe(profile);
    expect(device.tempo()).toBe("active");
    expect(await later()).toMatchObject({ "battery.mode": mode });
  });

  test("has the user's own reserve back after Full Backup", async () => {
    const { device, system, later } = await opened((it) => Object.assign(it, { reserve: 35 }));
    await device.write("battery.mode", "IMPORT_FOCUS", signal);
    expect(await later()).toMatchObject({ "battery.reserve": 100 });
    await device.write("battery.mode", "SELF_RELIANCE", signal);
    expect(system).toMatchObject({ profile: "Self - Consumption", reserve: 35, independence: "enabled" });
    expect(await later()).toMatchObject({ "battery.mode": "SELF_RELIANCE", "battery.reserve": 35 });
  });

  test("refuses what Enphase has no profile for before anything is sent", async () => {
    const { device, twin } = await opened();
    const asked = twin.asked.length;
    for (const value of ["IDLE", "EXPORT_FOCUS", "UNKNOWN"] as const)
      await expect(device.write("battery.mode", value, signal)).rejects.toMatchObject({ kind: "refused" });
    await expect(device.write("charger.enabled", true, signal)).rejects.toMatchObject({ kind: "refused" });
    expect(twin.asked.length).toBe(asked);
  });

  test("shows a profile that is not known as such", async () => {
    const { values } = await opened((it) => Object.assign(it, { profile: "AI Optimisation" }));
    expect(await values()).toMatchObject({ "battery.mode": "UNKNOWN" });
  });

  test("cannot be told anything where the plan has no settings, and is read all the same", async () => {
    const parts = bed();
    parts.twin.notInPlan.add("battery_settings");
    const device = await enphase.open(parts.session, KEY, signal);
    expect(device.controls).toEqual([]);
    expect(valuesOf(await device.read(signal))).toMatchObject({ "battery.soc": 60, "battery.mode": null });
  });

  test("looks again at settings whose write failed", async () => {
    const { device, twin, values, system, later } = await opened();
    await values();
    twin.trouble = "hang";
    await expect(device.write("battery.mode", "TIME_OF_USE", signal)).rejects.toMatchObject({ kind: "timeout" });
    twin.trouble = null;
    system.profile = "Savings Mode";
    expect(await later()).toMatchObject({ "battery.mode": "TIME_OF_USE" });
  });
});

describe("an Enphase account", () => {
  test("lists its systems with what each has, odd entries left out", async () => {
    const { session, twin } = bed();
    twin.oddSystems = [{ system_id: "?" }, 7];
    twin.systems = [
      ...twin.systems,
      Object.assign(new EnphaseSystemTruth(72), { hasMeters: false, hasBattery: false }),
    ];
    expect(await enphase.list(session, signal)).toMatchObject([
      { key: KEY, types: ["inverter", "meter", "battery"] },
      { key: "72", types: ["inverter"] },
    ]);
  });

  test("sends the owner's key beside the token, in no address", async () => {
    const { twin } = await opened();
    expect(twin.asked.every(({ request }) => request.headers["key"] === twin.apiKey)).toBe(true);
    expect(twin.asked.every(({ url }) => !url.href.includes(twin.apiKey))).toBe(true);
  });

  test("that is used up says which period, and until when", async () => {
    const { session, twin, clock } = bed();
    twin.plan = { minute: 10, month: 1 };
    await clock.advance(20_000);
    await enphase.list(session, signal).catch(() => null);
    await expect(enphase.list(session, signal)).rejects.toMatchObject({ kind: "rate-limited" });
    const { body, headers } = twin.serve({ ...twin.asked.at(-1)!.request });
    const news = enphase.budgetNews?.({ status: 429, headers: headers ?? {}, body: JSON.parse(body ?? "") });
    expect(news).toMatchObject([{ budget: "month", left: 0, limit: 1 }]);
    const refused = enphase.budgets.find(({ name }) => name === "month")!;
    expect(news?.[0]?.resetsInMs).toBeGreaterThan(0);
    expect(news?.[0]?.resetsInMs).toBeLessThanOrEqual(refused.windowMs);
    expect(enphase.budgetNews?.({ status: 200, headers: {}, body: {} })).toEqual([]);
  });

  test("whose token has ended is told so, and a system that is gone is refused", async () => {
    const { session, device, twin } = await opened();
    await expect(enphase.open(session, "5", signal)).rejects.toMatchObject({ kind: "refused" });
    twin.desk.revokeAll();
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "expired" });
  });
});
