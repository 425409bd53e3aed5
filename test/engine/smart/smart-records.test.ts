/** What the smart features keep: how much of it, for how long, and what goes with the device. */
import { describe, expect, it } from "vitest";
import { CAPABLE } from "../../../src/domain/assets/capability.ts";
import type { VehicleSmartChargingPolicy } from "../../../src/domain/assets/vehicle.ts";
import { SCOPES } from "../../../src/domain/users/scope.ts";
import { ChargeShiftBook } from "../../../src/engine/smart/charge-shifts.ts";
import type { SmartParts } from "../../../src/engine/smart/smart-parts.ts";
import { activationFault } from "../../../src/engine/smart/vehicles/activation.ts";
import type { ChargeShiftRecord, Write } from "../../../src/store/records.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { makeVehicle } from "../../api/support/makers.ts";
import { makeHome } from "../home.ts";
import { carOptions, followCarSwitch } from "./cars.ts";

const DAY = 24 * 3_600_000;

class ShiftStore {
  readonly records = new Map<string, ChargeShiftRecord>();

  all(): readonly never[] {
    return [...this.records.values()] as never[];
  }

  apply(writes: readonly Write[]): void {
    for (const write of writes) {
      if ("remove" in write) this.records.delete(write.key);
      else if (write.table === "charge-shift") this.records.set(write.key, write.put);
    }
  }
}

function shiftBook() {
  const store = new ShiftStore();
  const random = new SeededRandom(1);
  return { store, book: new ChargeShiftBook({ store, random }) };
}

describe("shifts", () => {
  it("are found by time, open ones too, oldest first", () => {
    const { store, book } = shiftBook();
    store.apply(book.opened("car", 100, 200));
    store.apply(book.closed("car", 300));
    store.apply(book.opened("car", 1_000, 1_100));
    store.apply(book.opened("other", 1_000, 1_100));
    expect(book.between("car", 0, 5_000)).toEqual([
      { assetId: "car", pausedAtMs: 100, resumedAtMs: 200, endedAtMs: 300 },
      { assetId: "car", pausedAtMs: 1_000, resumedAtMs: 1_100, endedAtMs: null },
    ]);
    expect(book.between("car", 300, 1_000)).toEqual([]);
    expect(book.between("car", 4_000, 5_000)).toHaveLength(1);
  });

  it("end when the next one begins, and are bounded in number and age", () => {
    const { store, book } = shiftBook();
    for (let day = 0; day < 1_500; day += 1) store.apply(book.opened("car", day * DAY, day * DAY + 1));
    const kept = book.between("car", 0, Number.MAX_SAFE_INTEGER);
    expect(kept.length).toBeLessThanOrEqual(401);
    expect(kept.filter(({ endedAtMs }) => endedAtMs === null)).toHaveLength(1);
    for (let minute = 0; minute < 1_200; minute += 1) store.apply(book.opened("van", minute, minute));
    expect(book.between("van", 0, 10_000).length).toBeLessThanOrEqual(1_000);
  });
});

describe("a vehicle that two users linked", () => {
  it("is charged smartly for one of them only", () => {
    const scopes = [...SCOPES.vehicle];
    const capabilities = { ...makeVehicle().capabilities, smartCharging: CAPABLE };
    const policy: VehicleSmartChargingPolicy = { isEnabled: true, deadline: "07:00", minimumChargeLimit: 0 };
    const mine = makeVehicle({
      capabilities,
      scopes,
      id: "6a0f5f0e-0000-4000-8000-000000000001",
      userId: "me",
      smartChargingPolicy: policy,
    });
    const theirs = makeVehicle({ capabilities, scopes, id: "6a0f5f0e-0000-4000-8000-000000000002", userId: "them" });
    const parts = {
      assets: { list: () => [mine, theirs].map((asset) => ({ asset, createdAtMs: 0 })) },
      locations: { list: () => [] },
      prices: { hasSource: () => true },
    } as unknown as SmartParts;
    expect(mine.information.vin).not.toBeNull();
    expect(activationFault(theirs, policy, parts)?.message).toContain("Another user");
    expect(activationFault(mine, policy, parts)).toBeNull();
  });
});

describe("a user that leaves", () => {
  it("takes policies, plans, overrides and shifts along", async () => {
    const home = makeHome();
    followCarSwitch(home.add("car", carOptions({ "vehicle.latitude": 52.5, "vehicle.longitude": 13.4 })));
    const run = await home.start();
    const { clock } = home.world;
    const { services, assets } = run.engine;
    await clock.resolve(
      services.locations.create("home", { name: "H", latitude: 52.5, longitude: 13.4, timezoneName: "UTC" }),
      10_000,
    );
    await clock.advance(5_000);
    const id = assets.list("vehicle")[0]?.asset.id ?? "";
    await clock.resolve(services.vehicleSmart.setPolicy(id, { deadline: "07:00" }), 10_000);
    await clock.resolve(services.smartOverrides.start("vehicle", id), 10_000);
    const tables = ["override", "vehicle-smart", "vehicle-plan", "charge-shift"] as const;
    const kept = () => tables.flatMap((table) => run.store.all(table)).length;
    expect(kept()).toBe(2);
    await clock.resolve(services.userRemovals.remove("home"), 60_000);
    await clock.advance(5 * 60_000);
    expect(kept()).toBe(0);
    expect(services.smartOverrides.active(id)).toBeNull();
    expect(() => services.vehicleSmart.policy(id)).toThrow("There is no vehicle");
    await run.close();
  });
});
