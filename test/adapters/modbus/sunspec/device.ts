import type { PointName, PointValue } from "hemgate/sdk";
import type { DeviceMap, MapControl } from "../../../../adapters/modbus/driver/device-map.ts";
import { ModbusDriver } from "../../../../adapters/modbus/driver/modbus-driver.ts";
import { connectSunSpec } from "../../../../adapters/modbus/sunspec/connect-sunspec.ts";
import { FakeUnit } from "./fake-unit.ts";

export const HOLD_SECONDS = 300;

/** A SunSpec device behind the driver that polls real ones. */
export interface TestDevice {
  readonly unit: FakeUnit;
  readonly map: DeviceMap;
  read(): Promise<Partial<Record<PointName, PointValue | null>>>;
  control(point: string): MapControl;
  write(point: string, value: PointValue): Promise<void>;
}

export const NEVER = new AbortController().signal;

export async function connect(
  registers: ReadonlyMap<number, number>,
  { confirmUnverified = true }: { readonly confirmUnverified?: boolean } = {},
): Promise<TestDevice> {
  const unit = new FakeUnit(registers);
  const map = await connectSunSpec(unit, { holdSeconds: HOLD_SECONDS, confirmUnverified }, NEVER);
  const resources = { [Symbol.dispose]: () => undefined };
  const driver = new ModbusDriver({ clock: { monotonicMs: () => 0 }, unit, map, pollMs: {}, resources });
  const control = (point: string): MapControl => {
    const found = map.controls.find((each) => each.point === point);
    if (found === undefined) throw new Error(`no control ${point}`);
    return found;
  };
  return {
    unit,
    map,
    read: async () => Object.fromEntries((await driver.read("all", NEVER)).map(({ point, value }) => [point, value])),
    control,
    write: (point, value) => control(point).write(unit, value, new Map(), NEVER),
  };
}
