import { describe, expect, test } from "vitest";
import type { Grant } from "../../../adapters/clouds/kit/connector.ts";
import { sma } from "../../../adapters/clouds/sma/sma.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { type SmaPlantTruth, SmaTwin } from "../../twins/clouds/sma-twin.ts";
import { fakeSession } from "./fake-session.ts";
import { valuesOf } from "./values-of.ts";

const { signal } = new AbortController();
const KEY = "25057";

function bed(change: Partial<SmaPlantTruth> = {}, startMs = Date.UTC(2026, 5, 21, 10)) {
  const clock = new VirtualClock({ startMs });
  const twin = new SmaTwin(clock);
  const plant = Object.assign(twin.plants[0]!, change);
  const grant: Grant = { access: twin.desk.issue().access_token, refresh: null, expiresAtMs: null };
  return { clock, twin, plant, session: fakeSession({ connector: sma, twin, grant, clock }) };
}

async function opened(parts = bed()) {
  const device = await sma.open(parts.session, KEY, signal);
  return { ...parts, device, values: async () => valuesOf(await device.read(signal)) };
}

describe("an SMA plant", () => {
  test("is read with every point", async () => {
    const { values, device } = await opened(bed({ pvW: 6_000, gridW: -2_500, batteryW: 3_000 }));
    expect(device.identity).toMatchObject({ model: "STP 10.0 SE", serial: "3012345678", name: "Test Plant" });
    expect(await values()).toEqual({
      "inverter.power": 6_000,
      "inverter.energy": 31_000_000,
      "meter.power": -2_500,
      "meter.energyImport": 5_000_000,
      "meter.energyExport": 12_000_000,
      "hem.load": 500,
      "battery.power": 3_000,
      "battery.status": "CHARGING",
      "battery.soc": 65.25,
      "battery.energyCharged": 2_500_000,
      "battery.energyDischarged": 2_300_000,
    });
  });

  test("has the other signs in the evening", async () => {
    const { values } = await opened(bed({ gridW: 400, batteryW: -1_100 }));
    expect(await values()).toMatchObject({
      "meter.power": 400,
      "battery.power": -1_100,
      "battery.status": "DISCHARGING",
      "hem.load": 1_500,
    });
  });

  test("that was not heard tells no powers", async () => {
    const { values } = await opened(bed({ isOnline: false }));
    expect(await values()).toMatchObject({
      "inverter.power": null,
      "meter.power": null,
      "battery.status": null,
      "battery.soc": null,
      "inverter.energy": 31_000_000,
    });
  });

  test("without a battery has no points of one", async () => {
    const { values, device } = await opened(bed({ hasBattery: false, pvW: 0, gridW: 300 }));
    expect(Object.keys(await values()).filter((point) => point.startsWith("battery."))).toEqual([]);
    expect(device.tempo()).toBe("idle");
  });

  test.each([
    ["before", Date.UTC(2026, 9, 25, 0, 30)],
    ["after", Date.UTC(2026, 9, 25, 1, 30)],
  ])("is dated right %s the clock goes back", async (_when, startMs) => {
    const { device } = await opened(bed({}, startMs));
    const power = (await device.read(signal)).find(({ point }) => point === "meter.power");
    expect(power?.measuredAtMs).toBe(startMs);
  });

  test("goes on without counters that the contract does not include", async () => {
    const parts = bed({ pvW: 10 });
    parts.twin.forbidden.add("measurements/sets/EnergyBalance/Total");
    const { values } = await opened(parts);
    expect(await values()).toMatchObject({ "inverter.power": 10, "inverter.energy": null });
  });

  test("takes no commands", async () => {
    const { device, twin } = await opened();
    const asked = twin.asked.length;
    await expect(device.write("battery.mode", "IDLE", signal)).rejects.toMatchObject({ kind: "refused" });
    expect(twin.asked.length).toBe(asked);
  });
});

describe("an SMA account", () => {
  test("lists its plants, odd entries left out, and opens none that is gone", async () => {
    const { session, twin } = bed();
    twin.oddPlants = [null, { plantId: 5 }];
    expect(await sma.list(session, signal)).toMatchObject([{ key: KEY, types: ["inverter", "meter", "battery"] }]);
    await expect(sma.open(session, "gone", signal)).rejects.toMatchObject({ kind: "refused" });
  });

  test("is told apart that asks too much, whose token ended, and that answers something else", async () => {
    const { device, twin } = await opened();
    twin.perWindow = 0;
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "rate-limited" });
    twin.perWindow = 60;
    twin.trouble = "portal";
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "malformed" });
    twin.trouble = null;
    twin.desk.revokeAll();
    await expect(device.read(signal)).rejects.toMatchObject({ kind: "expired" });
  });
});
