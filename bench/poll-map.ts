/** The devices of the poll benches: blocks of int32 values that stand so far apart that no two are read as one. */
import type { RegisterPoint } from "hemgate/sdk";
import type { DeviceMap } from "../adapters/modbus/driver/device-map.ts";

export const BLOCK_STEP = 1_000;
const NAMED = ["meter.power", "meter.power.l1", "meter.power.l2", "meter.power.l3"] as const;

/** Each block's first value is a point of the gateway, the others are decoded and used by nothing. */
export function blockMap(blocks: number, registers: number): DeviceMap {
  const points = Array.from({ length: blocks }, (_, block) =>
    Array.from({ length: registers / 2 }, (_unused, index): RegisterPoint<string> => {
      const key = (index === 0 ? NAMED[block] : undefined) ?? `raw.${block}.${index}`;
      const where = { table: "holding", address: block * BLOCK_STEP + 2 * index, poll: "fast" } as const;
      return { key, type: "int32", ...where, scale: 0.01 };
    }),
  ).flat();
  const identity = { manufacturer: null, model: null, serial: null, version: null };
  const limits = { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false };
  return { identity, vendors: ["MODBUS"], registers: points, derived: [], controls: [], limits };
}

export function hostOf(device: number): string {
  return `127.0.0.${2 + device}`;
}
