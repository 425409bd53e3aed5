import { readFileSync } from "node:fs";
import { type DeviceProfile, defineProfile } from "hemgate/sdk";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { calm } from "./bus/bus-world.ts";
import { FakeUnit } from "./fake-unit.ts";
import { profileDriver, readAll } from "./profile-driver.ts";

/** The device of docs/adding-a-device.md. */
function documented(): DeviceProfile {
  const text = readFileSync(new URL("../../../docs/adding-a-device.md", import.meta.url), "utf8");
  const [, block] = /```json\n(.*?)```/s.exec(text) ?? [];
  return defineProfile(JSON.parse(block ?? "") as DeviceProfile);
}

test("the documented module with digital inputs says whether its contact is closed", async () => {
  const text = readFileSync(new URL("../../../docs/energy-limits.md", import.meta.url), "utf8");
  const [, block] = /```yaml\n(.*?)```/s.exec(text) ?? [];
  const profile = defineProfile(parse(block ?? "") as DeviceProfile);
  for (const isOn of [false, true]) {
    const driver = await profileDriver(profile, new FakeUnit().set("discrete", 0, isOn ? 1 : 0));
    expect(await readAll(driver)).toEqual({ "contact.1": isOn });
  }
});

test("the documented device reads and takes commands as the text says", async () => {
  const unit = new FakeUnit().set("holding", 10, 0x4231, 0x2d37, 0, 0).set("holding", 200, 0).set("holding", 210, 60);
  unit.set("input", 52, 15_000, 0, 2).set("input", 60, 900, 0xffff);
  const driver = await profileDriver(documented(), unit);
  expect(driver.identity).toMatchObject({ serial: "B1-7" });
  expect(await readAll(driver)).toEqual({
    "battery.power": -1_500,
    "battery.status": "DISCHARGING",
    "inverter.power": 900,
    "battery.mode": "SELF_RELIANCE",
  });
  expect(driver.controls).toMatchObject([{ holdMs: 60_000, values: ["SELF_RELIANCE", "IMPORT_FOCUS"] }]);
  await driver.write("battery.mode", "IMPORT_FOCUS", calm);
  unit.set("holding", 210, 10);
  await driver.write("battery.mode", "SELF_RELIANCE", calm);
  expect(unit.writes).toEqual([
    [201, [200], 6],
    [200, [1], 6],
    [210, [60], 6],
    [200, [0], 6],
  ]);
});
