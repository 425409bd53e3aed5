/** Circuits of a house: what is behind their fuses, and on which phases their meters are. */
import { expect, test } from "vitest";
import type { AssetKind } from "../../../src/domain/assets/asset.ts";
import type { SiteConnection } from "../../../src/domain/energy/site/site-connection.ts";
import type { FakeDeviceOptions } from "../../../src/testing/fake-adapter.ts";
import { energyHouse, MINUTE, NO_LIMITS } from "./energy-house.ts";

const VOLTS = 230;
const PLUG = { "meter.power": 9 * VOLTS };

/** A garage with the charger of the house and another device behind 20 A, and what it leaves to the charger. */
async function garage(
  values: FakeDeviceOptions["values"],
  siteOf: (idOf: (deviceId: string, kind: AssetKind) => string) => Partial<SiteConnection>,
): Promise<unknown> {
  let site: SiteConnection = NO_LIMITS;
  const house = energyHouse({}, { connection: () => site });
  house.home.add("other", { values, identity: { manufacturer: "Others", model: "O", serial: "O-1" } });
  const run = await house.start();
  site = {
    ...NO_LIMITS,
    meterUses: new Map([["other", "inside"]]),
    ...siteOf((deviceId, kind) => {
      const found = run.store.all("asset").find((asset) => asset.deviceId === deviceId && asset.kind === kind);
      return found?.id ?? `no ${kind}`;
    }),
  };
  await house.advance(MINUTE);
  const offeredA = house.charger.values["charger.maxCurrent"];
  await run.close();
  return offeredA;
}

const GARAGE = { id: "garage", name: "Garage", parentId: null, fuseA: 20, maxKw: null, meterId: null };

test("a heat pump behind a circuit's fuse counts with its power", async () => {
  const pump = { "hvac.mode": "HEAT", "hvac.power": 3 * 9 * VOLTS, "hvac.temperature": 20 } as const;
  const leftA = await garage(pump, (idOf) => ({
    circuits: [{ ...GARAGE, memberIds: [idOf("charger", "charger"), idOf("other", "hvac")] }],
  }));
  expect(leftA).toBe(10);
});

test("a plug with a meter behind a circuit's fuse counts with its power, on the phase that it is on", async () => {
  const leftA = await garage(PLUG, (idOf) => ({
    circuits: [{ ...GARAGE, memberIds: [idOf("charger", "charger"), idOf("other", "meter")] }],
    phasesOf: new Map([[idOf("other", "meter"), ["L2"]]]),
  }));
  expect(leftA).toBe(10);
});

test("a circuit's meter with one phase is on the phase that it is said to be on", async () => {
  const meter = { "meter.power": 25 * VOLTS, "meter.current.l1": 25 };
  const leftA = await garage(meter, (idOf) => ({
    circuits: [{ ...GARAGE, memberIds: [idOf("charger", "charger")], meterId: idOf("other", "meter") }],
    phasesOf: new Map([
      [idOf("other", "meter"), ["L2"]],
      [idOf("charger", "charger"), ["L2"]],
    ]),
  }));
  // The meter goes on showing 25 A, of which 16 A were the charger's.
  expect(leftA).toBe(6);
});
