import { expect, test } from "vitest";
import { PlannedHeat, type PlannedHeatOptions } from "../../../src/engine/energy/planned-heat.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";

const ID = "tank";
const WAITS = { powerW: 0, untilMs: 900_000 };

/** A heater in mode `PLANNED` that is to keep 48 °C, and how warm it is. */
function heater(): { heat: PlannedHeat; become(temperatureC: number): void } {
  const values = { "hvac.temperature": 50, "hvac.maxPower": 0 };
  const device = {
    values,
    assets: { ids: [{ kind: "hvac", id: ID }] },
    known: { identity: {}, controls: [{ point: "hvac.maxPower", range: { min: 0, max: 3_000 }, holdMs: null }] },
    measuredAtMs: () => 0,
  } as unknown as ReturnType<PlannedHeatOptions["devices"]>[number];
  const record = { assetId: ID, kind: "hvac", mode: "PLANNED", heat: { minC: 48, maxC: 56 } };
  const heat = new PlannedHeat({
    clock: new VirtualClock(),
    recordOf: () => record as unknown as ReturnType<PlannedHeatOptions["recordOf"]>,
    devices: () => [device],
  });
  return {
    heat,
    become: (temperatureC) => {
      values["hvac.temperature"] = temperatureC;
    },
  };
}

test("A heater that is colder than its lowest temperature heats, though the plan counted on sun that is not there", () => {
  const { heat, become } = heater();
  become(47.5);
  expect(heat.charge(ID, WAITS)).toBe(WAITS);
  become(46.9);
  expect(heat.charge(ID, WAITS)?.powerW).toBeGreaterThan(3_000);
  become(47.9);
  expect(heat.charge(ID, WAITS)?.powerW).toBeGreaterThan(3_000);
  become(48);
  expect(heat.charge(ID, WAITS)).toBe(WAITS);
});
