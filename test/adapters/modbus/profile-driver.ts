import type { ControlPoint, DeviceProfile, PointName, PointValue } from "hemgate/sdk";
import { VirtualClock } from "hemgate/testing";
import { ModbusDriver } from "../../../adapters/modbus/driver/modbus-driver.ts";
import type { ModbusUnit } from "../../../adapters/modbus/driver/register-point.ts";
import { connectProfile, type ProfileChoices } from "../../../adapters/modbus/profile/profile-map.ts";
import { calm } from "./bus/bus-world.ts";
import type { FakeUnit } from "./fake-unit.ts";

/** A profile's device connected over any unit, as the adapter would. */
export async function profileDriver(
  profile: DeviceProfile,
  unit: ModbusUnit,
  options: ProfileChoices = { confirmUnverified: false },
  clock = new VirtualClock(),
): Promise<ModbusDriver> {
  const map = await connectProfile(profile, unit, { confirmNoFailsafe: true, ...options, clock }, calm);
  const resources = { [Symbol.dispose]: () => undefined };
  return new ModbusDriver({ clock, unit, map, pollMs: {}, resources });
}

/** Everything a driver tells in one full read. */
export async function readAll(driver: ModbusDriver): Promise<Partial<Record<PointName, unknown>>> {
  const readings = await driver.read("all", calm);
  return Object.fromEntries(readings.map(({ point, value }) => [point, value]));
}

/** Returns what a profile with all controls confirmed writes for a value. */
export async function writes(profile: DeviceProfile, unit: FakeUnit, point: ControlPoint, value: PointValue) {
  const driver = await profileDriver(profile, unit, { confirmUnverified: true });
  await readAll(driver);
  unit.writes.length = 0;
  await driver.write(point, value, calm);
  return unit.writes;
}

/** Returns the controls that a profile offers without a confirmation. */
export async function controlsOf(profile: DeviceProfile, unit: FakeUnit): Promise<readonly string[]> {
  return (await profileDriver(profile, unit)).controls.map(({ point }) => point);
}
