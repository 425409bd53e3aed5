import type { FoundModel } from "./discover.ts";
import type { GroupDefinition, ModelDefinition, PointDefinition } from "./model.ts";

/** A point of a device: a definition with a place. */
export interface InstancePoint {
  /** `W`, `module.2.DCW`, `Crv.1.MustTrip.Pt.3.V`: repetitions count from 1, a group that is there once has no number. */
  readonly path: string;
  readonly address: number;
  readonly definition: PointDefinition;
}

/** A model of a device: where it is, what is in it, and the registers as they were when it was found. */
export interface ModelInstance {
  readonly id: number;
  readonly address: number;
  readonly length: number;
  readonly points: ReadonlyMap<string, InstancePoint>;
  /** From the ID register on; shorter than the model when only its start was read. */
  readonly image: Uint16Array;
}

/** The counter of a group that the device does not implement. */
const NOT_IMPLEMENTED = 0xffff;

/**
 * Lays a definition over a device's model. Points that the device's length does not reach are absent: older devices
 * carry shorter models, and a length is the device's word against the definition's.
 */
export function resolveModel(found: FoundModel, definition: ModelDefinition, image: Uint16Array): ModelInstance {
  const points = new Map<string, InstancePoint>();
  const end = 2 + found.length;

  const place = (definitions: readonly PointDefinition[], prefix: string, start: number): number => {
    let after = start;
    for (const point of definitions) {
      const offset = start + point.offset;
      after = Math.max(after, offset + point.words);
      if (offset + point.words > end) continue;
      const path = prefix + point.name;
      points.set(path, { path, address: found.address + offset, definition: point });
    }
    return after;
  };

  const repetitions = (count: number | string): number => {
    if (typeof count === "number") return count;
    const counter = points.get(count);
    const words = counter === undefined ? undefined : image[counter.address - found.address];
    // A device that does not count its groups still ends them with its length.
    return words === undefined || words === NOT_IMPLEMENTED ? end : words;
  };

  const placeGroup = (group: GroupDefinition, prefix: string, start: number): number => {
    const count = repetitions(group.count);
    let offset = start;
    for (let index = 1; index <= count && offset < end; index++) {
      const path = `${prefix}${group.name}.${group.count === 1 ? "" : `${index}.`}`;
      offset = placeGroups(group.groups, path, place(group.points, path, offset));
    }
    return offset;
  };

  const placeGroups = (groups: readonly GroupDefinition[], prefix: string, start: number): number =>
    groups.reduce((offset, group) => placeGroup(group, prefix, offset), start);

  placeGroups(definition.groups, "", place(definition.points, "", 0));
  return { id: found.id, address: found.address, length: found.length, points, image };
}

/** The name that an enum's value has in its model. Null: the device does not tell the value, or the model the name. */
export function symbolOf(instance: ModelInstance | null, path: string, value: number | null): string | null {
  if (value === null) return null;
  return instance?.points.get(path)?.definition.symbols?.[value] ?? null;
}
