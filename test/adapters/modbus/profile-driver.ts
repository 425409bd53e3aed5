import type { DeviceProfile, PointName } from "hemgate/sdk";
import { VirtualClock } from "hemgate/testing";
import { ModbusDriver } from "../../../adapters/modbus/driver/modbus-driver.ts";
import type { ModbusUnit } from "../../../adapters/modbus/driver/register-point.ts";
import { connectProfile, type ProfileChoices } from "../../../adapters/modbus/profile/profile-map.ts";
import { calm } from "./bus/bus-world.ts";

/** A profile's device connected over any unit, as the adapter would. */
export async function profileDriver(
  profile: DeviceProfile,
  unit: ModbusUnit,
  options: ProfileChoices = { confirmUnverified: false },
): Promise<ModbusDriver> {
  const clock = new VirtualClock();
  const map = await connectProfile(profile, unit, { confirmNoFailsafe: true, ...options, clock }, calm);
  const resources = { [Symbol.dispose]: () => undefined };
  return new ModbusDriver({ clock, unit, map, pollMs: {}, resources });
}

/** Everything a driver tells in one full read. */
export async function readAll(driver: ModbusDriver): Promise<Partial<Record<PointName, unknown>>> {
  const readings = await driver.read("all", calm);
  return Object.fromEntries(readings.map(({ point, value }) => [point, value]));
}
