import { describe, expect, it } from "vitest";
import { createMapEvent } from "../../../src/api/versions/map-event.ts";
import { SERVED_VERSIONS } from "../../../src/api/versions/served-versions.ts";
import { changesBetween } from "../../../src/domain/assets/changes.ts";
import { makeBattery, makeCharger, makeHvac, makeInverter, makeMeter, makeVehicle } from "../support/makers.ts";

const mapEvent = createMapEvent();
const PLACE = "11111111-1111-4111-8111-111111111111";

describe("an event in a version", () => {
  it("is the same object in the newest", () => {
    const payload = { user: { id: "home" }, battery: makeBattery() };
    expect(mapEvent("user:battery:updated", payload, "2024-10-01")).toBe(payload);
  });

  it("carries the record as the version's answers do", () => {
    const location = { id: PLACE, longitude: 1, latitude: 2, lastUpdated: null };
    const payload = { user: { id: "home" }, battery: { ...makeBattery(), location } };
    const older = mapEvent("user:battery:discovered", payload, "2024-01-01");
    expect(older).toMatchObject({ battery: { locationId: PLACE, location: { longitude: 1, latitude: 2 } } });
    expect(older?.["battery"]).not.toHaveProperty("location.id");
    expect(older?.["battery"]).not.toHaveProperty("hemSystemId");
  });

  it("names changed fields as the version does, and only those it has", () => {
    const payload = {
      user: { id: "home" },
      battery: makeBattery(),
      updatedFields: ["location.id", "hemSystemId", "chargeState.batteryLevel"],
    };
    expect(mapEvent("user:battery:updated", payload, "2024-01-01")).toMatchObject({
      updatedFields: ["locationId", "chargeState.batteryLevel"],
    });
  });

  it("goes through every step on the way", () => {
    const payload = {
      user: { id: "home" },
      vehicle: { ...makeVehicle(), locationId: PLACE },
      updatedFields: ["locationId", "scopes"],
    };
    const older = mapEvent("user:vehicle:updated", payload, "2023-04-01");
    expect(older).toMatchObject({ vehicle: { chargingLocationId: PLACE }, updatedFields: ["chargingLocationId"] });
    expect(older?.["vehicle"]).not.toHaveProperty("locationId");
    expect(older?.["vehicle"]).not.toHaveProperty("scopes");
  });

  it("names the override of a schedule's status as the version does", () => {
    const status = {
      scheduleId: PLACE,
      scheduleType: "CHARGE",
      changedAt: "2026-06-21T00:00:00.000Z",
      state: "ALIGNED",
      isCharging: false,
      isChargingExpected: false,
      isChargingExpectedParts: { needsCharge: true, isPluggedIn: true, shouldCharge: false },
      upcomingTransitions: [],
      smartOverride: null,
    };
    const older = mapEvent("user:schedule:execution-updated", { status }, "2023-04-15");
    expect(older).toHaveProperty("status.externalStart", null);
    expect(older).not.toHaveProperty("status.smartOverride");
  });

  const STATUS = {
    scheduleId: PLACE,
    scheduleType: "CHARGE",
    changedAt: "2026-06-21T00:00:00.000Z",
    state: "INACTIVE:OVERRIDDEN",
    isCharging: false,
    isChargingExpected: false,
    isChargingExpectedParts: { needsCharge: true, isPluggedIn: true, shouldCharge: false },
    upcomingTransitions: [],
    smartOverride: null,
  };

  it("names changed fields of a schedule's status as the version does", () => {
    const payload = { status: STATUS, updatedFields: ["state", "smartOverride"] };
    expect(mapEvent("user:schedule:execution-updated", payload, "2023-04-15")).toMatchObject({
      updatedFields: ["state", "externalStart"],
    });
  });

  it("names a field that only the older version has when what it shows changes", () => {
    const payload = { hvac: makeHvac(), updatedFields: ["locationId"] };
    expect(mapEvent("user:hvac:updated", payload, "2023-05-01")).toMatchObject({
      updatedFields: ["locationId", "chargingLocationId"],
    });
  });

  it("is none when no field changed that the version has", () => {
    const payload = { battery: makeBattery(), updatedFields: ["hemSystemId", "location.lastUpdated"] };
    expect(mapEvent("user:battery:updated", payload, "2024-01-01")).toBeNull();
    expect(mapEvent("user:battery:updated", payload, "2024-10-01")).toBe(payload);
  });

  it("is none when the version has no such record", () => {
    const current = { holdType: "SCHEDULED" };
    const status = { ...STATUS, scheduleType: "TEMPERATURE", current, expected: current };
    const payload = { status, updatedFields: ["state"] };
    expect(mapEvent("user:schedule:execution-updated", payload, "2023-05-01")).not.toBeNull();
    expect(mapEvent("user:schedule:execution-updated", payload, "2023-04-15")).toBeNull();
  });

  it.each([
    ["battery", makeBattery()],
    ["charger", makeCharger()],
    ["hvac", makeHvac()],
    ["inverter", makeInverter()],
    ["meter", makeMeter()],
    ["vehicle", makeVehicle({ smartChargingPolicy: { isEnabled: true, deadline: "07:00", minimumChargeLimit: 20 } })],
  ])("names no field of a %s that the version's record lacks, whichever changed", (kind, asset) => {
    const updatedFields = changesBetween({}, asset).paths;
    for (const { date } of SERVED_VERSIONS) {
      const older = mapEvent(`user:${kind}:updated`, { [kind]: asset, updatedFields }, date);
      const shown = new Set(changesBetween({}, Object(older?.[kind])).paths);
      const named = Object(older?.["updatedFields"]);
      expect([date, named.filter((path: string) => !shown.has(path))]).toEqual([date, []]);
      expect([date, [...shown].filter((path) => !named.includes(path))]).toEqual([date, []]);
    }
  });

  it("says null for a mode that 2024-01-01 does not know", () => {
    const older = mapEvent("user:hvac:updated", { hvac: { ...makeHvac(), mode: "UNKNOWN" } }, "2024-01-01");
    expect(older).toMatchObject({ hvac: { mode: null } });
  });
});
