import type { PointName, PointValue } from "hemgate/sdk";
import type { CloudDevice, CloudReading } from "../../../adapters/clouds/kit/connector.ts";

type Values = Readonly<Partial<Record<PointName, PointValue | null>>>;

export function valuesOf(readings: readonly CloudReading[]): Values {
  return Object.fromEntries(readings.map(({ point, value }) => [point, value]));
}

/** What a device reads now, by point. */
export async function read(device: CloudDevice): Promise<Values> {
  return valuesOf(await device.read(new AbortController().signal));
}
