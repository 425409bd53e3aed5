import { expect, test } from "vitest";
import { CHARGERS } from "../../adapters/http-json/profiles/chargers.ts";
import { alfenNg9xx } from "../../adapters/modbus/profiles/alfen-ng9xx.ts";
import { kebaP30, kebaP40 } from "../../adapters/modbus/profiles/keba-p30-p40.ts";
import { mennekesCompact } from "../../adapters/modbus/profiles/mennekes-compact.ts";
import { openwb2Secondary, openwb2Secondary2 } from "../../adapters/modbus/profiles/openwb-2-secondary.ts";
import { currentRange } from "../../src/engine/energy/charger-currents.ts";
import { FakeUnit } from "./modbus/fake-unit.ts";
import { profileDriver } from "./modbus/profile-driver.ts";

test.each([
  [kebaP30, 0.1],
  [kebaP40, 0.1],
  [alfenNg9xx, 0.1],
  [openwb2Secondary, 0.1],
  [openwb2Secondary2, 0.1],
  [mennekesCompact, 1],
])("the energy manager sets the current of $0.id in steps of $1 A", async (profile, stepA) => {
  const { controls } = await profileDriver(profile, new FakeUnit(), { confirmUnverified: true });
  const control = controls.find(({ point }) => point === "charger.maxCurrent");
  expect(currentRange(control ?? null, null)).toMatchObject({ minA: 6, stepA });
});

test("a Peblar takes tenths of an ampere, and a go-e whole ones", () => {
  const steps = CHARGERS.map(({ id, controls }) => [
    id,
    controls.find(({ point }) => point === "charger.maxCurrent")?.step,
  ]);
  expect(Object.fromEntries(steps)).toMatchObject({ peblar: 0.1, "go-e-http": 1 });
});
