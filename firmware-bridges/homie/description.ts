import { at, entriesOf, type Json } from "../kit/payload.ts";

/** A property of a node, as the device's description has it. */
export interface HomieProperty {
  /** `<node>/<property>`. */
  readonly path: string;
  readonly datatype: string;
  readonly unit: string | null;
  readonly isSettable: boolean;
  readonly range: { readonly min: number; readonly max: number } | null;
}

export interface HomieDescription {
  readonly name: string | null;
  readonly type: string | null;
  readonly root: string | null;
  readonly properties: readonly HomieProperty[];
}

const MAX_PROPERTIES = 500;

/** Reads `$description`; what is missing or of another kind is left out. */
export function descriptionOf(json: Json): HomieDescription {
  const properties = entriesOf(at(json, "nodes")).flatMap(([node, each]) =>
    entriesOf(at(each, "properties")).map(([name, property]) => propertyOf(`${node}/${name}`, property)),
  );
  return {
    name: text(json, "name"),
    type: text(json, "type"),
    root: text(json, "root"),
    properties: properties.filter(({ path }) => /^[a-z0-9-]+\/[a-z0-9-]+$/.test(path)).slice(0, MAX_PROPERTIES),
  };
}

function propertyOf(path: string, property: Json): HomieProperty {
  return {
    path,
    datatype: text(property, "datatype") ?? "",
    unit: text(property, "unit"),
    isSettable: at(property, "settable") === true,
    range: rangeOf(text(property, "format")),
  };
}

/** `min:max` or `min:max:step`, both ends given. */
function rangeOf(format: string | null): { readonly min: number; readonly max: number } | null {
  const [, low, high] = /^(-?\d+(?:\.\d+)?):(-?\d+(?:\.\d+)?)(?::\d+(?:\.\d+)?)?$/.exec(format ?? "") ?? [];
  const range = { min: Number(low), max: Number(high) };
  return low !== undefined && high !== undefined && range.min <= range.max ? range : null;
}

function text(json: Json, key: string): string | null {
  const value = at(json, key);
  return typeof value === "string" ? value : null;
}
