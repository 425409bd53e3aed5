/** A network with meters that speak Speedwire. */
import type { Driver, PointName } from "hemgate/sdk";
import { World } from "hemgate/testing";
import { type Measured, SOME_MEASURED } from "../../twins/smart-meters/measured.ts";
import { SpeedwireTwin } from "../../twins/smart-meters/speedwire-twin.ts";

export const calm = new AbortController().signal;

export const ALL = {
  "meter.power": 555,
  "meter.power.l1": 820,
  "meter.power.l2": -310,
  "meter.power.l3": 45,
  "meter.voltage.l1": 231.4,
  "meter.voltage.l2": 229.8,
  "meter.voltage.l3": 230.2,
  "meter.current.l1": 4,
  "meter.current.l2": 1,
  "meter.current.l3": 0,
  "meter.energyImport": 5_155_595,
  "meter.energyExport": 320_505,
};

export async function read(
  driver: Driver,
  scope: "due" | "all" = "all",
): Promise<Readonly<Partial<Record<PointName, unknown>>>> {
  const readings = await driver.read(scope, calm);
  return Object.fromEntries(readings.map(({ point, value }) => [point, value]));
}

export function datagram(
  options: { readonly fault?: SpeedwireTwin["fault"]; readonly measured?: Measured } = {},
): Uint8Array {
  const { measured = SOME_MEASURED, fault = "none" } = options;
  const clock = new World({ seed: 1 }).clock;
  const twin = new SpeedwireTwin({
    clock,
    serial: 1_901_427_928,
    susyId: 349,
    everyMs: 1_000,
    measured: () => measured,
  });
  twin.fault = fault;
  return twin.datagram();
}
