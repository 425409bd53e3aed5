/** The relay module of docs/heat.md: two coils as SG Ready inputs. */
import { readFileSync } from "node:fs";
import { type DeviceProfile, defineProfile } from "hemgate/sdk";
import { VirtualClock } from "hemgate/testing";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ModbusDriver } from "../../../adapters/modbus/driver/modbus-driver.ts";
import { connectProfile } from "../../../adapters/modbus/profile/profile-map.ts";
import { calm } from "./bus/bus-world.ts";
import { FakeUnit } from "./fake-unit.ts";
import { controlsOf, profileDriver, readAll } from "./profile-driver.ts";

function documented(): DeviceProfile {
  const text = readFileSync(new URL("../../../docs/heat.md", import.meta.url), "utf8");
  const block = [...text.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml]) => yaml ?? "").at(-1);
  return defineProfile(parse(block ?? "") as DeviceProfile);
}

function relays(block: 0 | 1, raise: 0 | 1): FakeUnit {
  return new FakeUnit().set("coil", 0, block, raise);
}

test.each([
  [0, 0, "AUTO"],
  [1, 0, "OFF"],
  [0, 1, "HEAT"],
  [1, 1, "HEAT"],
] as const)("coils %i and %i are %s", async (block, raise, mode) => {
  expect(await readAll(await profileDriver(documented(), relays(block, raise)))).toEqual({ "hvac.mode": mode });
});

test("a contact opens before the other one closes, and nothing is offered unconfirmed", async () => {
  expect(await controlsOf(documented(), relays(0, 0))).toEqual([]);
  const coils = async (mode: "OFF" | "AUTO" | "HEAT") => {
    const [clock, unit] = [new VirtualClock(), relays(0, 1)];
    const map = await connectProfile(documented(), unit, { confirmUnverified: true, clock }, calm);
    const resources = { [Symbol.dispose]: () => undefined };
    const driver = new ModbusDriver({ clock, unit, map, pollMs: {}, resources });
    await clock.resolve(driver.write("hvac.mode", mode, calm), 5_000);
    return unit.writes.map(([address, [value]]) => [address, value]);
  };
  expect(await coils("OFF")).toEqual([
    [1, 0],
    [0, 1],
  ]);
  expect(await coils("AUTO")).toEqual([
    [0, 0],
    [1, 0],
  ]);
  expect(await coils("HEAT")).toEqual([
    [0, 0],
    [1, 1],
  ]);
});
