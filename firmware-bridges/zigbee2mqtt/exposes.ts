import { at, type Json, textAt } from "../kit/payload.ts";

const PUBLISHED = 1;
const SETTABLE = 2;
const GETTABLE = 4;

/** One property that Zigbee2MQTT says a device has. */
export interface Expose {
  readonly property: string;
  /** The kind of the group that it is in: `climate`, `switch`; null for one by itself. */
  readonly group: string | null;
  readonly type: string;
  readonly unit: string | null;
  readonly isPublished: boolean;
  readonly isSettable: boolean;
  readonly isGettable: boolean;
  readonly min: number | null;
  readonly max: number | null;
  /** States of an enum. */
  readonly values: readonly string[];
  /** Texts of a binary property. */
  readonly on: Json;
  readonly off: Json;
}

/** A device in `bridge/devices`. */
export interface ZigbeeDevice {
  readonly name: string;
  readonly ieee: string | null;
  readonly vendor: string | null;
  readonly model: string | null;
  readonly version: string | null;
  readonly isDisabled: boolean;
  /** It sleeps most of the time, and cannot be asked. */
  readonly isOnBattery: boolean;
  readonly exposes: readonly Expose[];
}

/** The devices of `bridge/devices`; other entries are skipped. */
export function devicesIn(json: Json): readonly ZigbeeDevice[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((device: Json): readonly ZigbeeDevice[] => {
    const name = textAt(device, "friendly_name");
    if (name === null || textAt(device, "type") === "Coordinator") return [];
    return [
      {
        name,
        ieee: textAt(device, "ieee_address"),
        vendor: textAt(device, "definition", "vendor"),
        model: textAt(device, "definition", "model"),
        version: textAt(device, "software_build_id"),
        isDisabled: at(device, "disabled") === true,
        isOnBattery: /battery/i.test(textAt(device, "power_source") ?? ""),
        exposes: exposesIn(at(device, "definition", "exposes"), null),
      },
    ];
  });
}

function exposesIn(json: Json | undefined, group: string | null): readonly Expose[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((each: Json): readonly Expose[] => {
    const type = textAt(each, "type") ?? "";
    const features = at(each, "features");
    // Groups stand one in another at most: a switch, or a climate unit, with what it has.
    if (features !== undefined && group === null) return exposesIn(features, type);
    const property = textAt(each, "property");
    if (property === null) return [];
    const access = numberAt(each, "access") ?? 0;
    const values = at(each, "values");
    return [
      {
        property,
        group,
        type,
        unit: textAt(each, "unit"),
        isPublished: (access & PUBLISHED) !== 0,
        isSettable: (access & SETTABLE) !== 0,
        isGettable: (access & GETTABLE) !== 0,
        min: numberAt(each, "value_min"),
        max: numberAt(each, "value_max"),
        values: Array.isArray(values) ? values.filter((value: Json) => typeof value === "string") : [],
        on: at(each, "value_on") ?? "ON",
        off: at(each, "value_off") ?? "OFF",
      },
    ];
  });
}

function numberAt(json: Json, key: string): number | null {
  const value = at(json, key);
  return typeof value === "number" ? value : null;
}
