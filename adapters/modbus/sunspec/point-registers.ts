import type { PollClass, RegisterPoint, RegisterType } from "hemgate/sdk";
import type { SunSpecType } from "./model.ts";
import type { InstancePoint, ModelInstance } from "./model-instance.ts";

interface Wire {
  readonly type: RegisterType;
  readonly sentinels?: readonly (number | bigint)[];
}

/**
 * How each type stands on the wire and which raw values mean "not implemented". Enums and bit fields stay numbers: a
 * value without a symbol is still what the device said.
 *
 * An accumulator has no value to spare, so SunSpec takes 0 for "not accumulated". The price: the lifetime counter of a
 * new device that has truly produced nothing reads null until its first unit. The `uint64` counters of the 700 models
 * have a value to spare and read 0 as 0.
 */
const WIRE: Readonly<Record<SunSpecType, Wire>> = {
  int16: { type: "int16", sentinels: [-0x8000] },
  int32: { type: "int32", sentinels: [-0x8000_0000] },
  int64: { type: "int64", sentinels: [-0x8000_0000_0000_0000n] },
  uint16: { type: "uint16", sentinels: [0xffff] },
  uint32: { type: "uint32", sentinels: [0xffff_ffff] },
  uint64: { type: "uint64", sentinels: [0xffff_ffff_ffff_ffffn] },
  acc16: { type: "uint16", sentinels: [0] },
  acc32: { type: "uint32", sentinels: [0] },
  acc64: { type: "uint64", sentinels: [0n] },
  enum16: { type: "uint16", sentinels: [0xffff] },
  enum32: { type: "uint32", sentinels: [0xffff_ffff] },
  bitfield16: { type: "uint16", sentinels: [0xffff] },
  bitfield32: { type: "uint32", sentinels: [0xffff_ffff] },
  float32: { type: "float32" },
  sunssf: { type: "int16", sentinels: [-0x8000] },
  count: { type: "uint16", sentinels: [0xffff] },
  string: { type: "string" },
  pad: { type: "uint16", sentinels: [0x8000] },
};

export function wireOf(type: SunSpecType): Wire {
  return WIRE[type];
}

/** The key of a point that is polled for what is made from it. */
export function rawKey(instance: ModelInstance, path: string): string {
  return `raw.${instance.id}.${path}`;
}

/** A point of a model as the poller reads it. Its scale factor is another register of the same model. */
export function registerOf(
  instance: ModelInstance,
  point: InstancePoint,
  poll: PollClass,
  options: { readonly key?: string; readonly sign?: 1 | -1; readonly sentinels?: readonly number[] } = {},
): RegisterPoint<string> {
  const { definition } = point;
  const wire = wireOf(definition.type);
  const sentinels = options.sentinels ?? wire.sentinels;
  return {
    key: options.key ?? rawKey(instance, point.path),
    table: "holding",
    address: point.address,
    type: wire.type,
    poll,
    ...(definition.type === "string" && { words: definition.words }),
    ...(sentinels !== undefined && { sentinels }),
    ...(options.sign === -1 && { scale: -1 }),
    ...(definition.sf !== undefined && { scaleFrom: rawKey(instance, definition.sf) }),
  };
}
