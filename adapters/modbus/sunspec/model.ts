/** The vocabulary in which `models/` writes SunSpec's models down: points, groups that repeat, models. */

export type SunSpecType =
  | "int16"
  | "int32"
  | "int64"
  | "uint16"
  | "uint32"
  | "uint64"
  | "acc16"
  | "acc32"
  | "acc64"
  | "enum16"
  | "enum32"
  | "bitfield16"
  | "bitfield32"
  | "float32"
  | "sunssf"
  | "count"
  | "string"
  | "pad";

export interface PointDefinition {
  readonly name: string;
  /** Registers from the start of what holds the point: the model's ID register, or the group. */
  readonly offset: number;
  readonly type: SunSpecType;
  readonly words: number;
  /** The model's point with the power of ten to multiply by. */
  readonly sf?: string;
  readonly unit?: string;
  readonly isWritable?: boolean;
  /** Names of an enum's values, or of a bit field's bits. */
  readonly symbols?: Readonly<Record<number, string>>;
}

export interface GroupDefinition {
  readonly name: string;
  /** How many there are: a number, or the model's point that says so. */
  readonly count: number | string;
  readonly points: readonly PointDefinition[];
  /** Groups inside each repetition, after its points. */
  readonly groups: readonly GroupDefinition[];
}

export interface ModelDefinition {
  readonly id: number;
  /** All points but ID and L, which every model starts with. */
  readonly points: readonly PointDefinition[];
  /** Groups after the points. */
  readonly groups: readonly GroupDefinition[];
}

const WORDS: Readonly<Record<Exclude<SunSpecType, "string">, number>> = {
  int16: 1,
  int32: 2,
  int64: 4,
  uint16: 1,
  uint32: 2,
  uint64: 4,
  acc16: 1,
  acc32: 2,
  acc64: 4,
  enum16: 1,
  enum32: 2,
  bitfield16: 1,
  bitfield32: 2,
  float32: 2,
  sunssf: 1,
  count: 1,
  pad: 1,
};

type PointOptions = Pick<PointDefinition, "sf" | "unit" | "isWritable" | "symbols">;

export function point(
  name: string,
  offset: number,
  type: "string",
  options: PointOptions & { words: number },
): PointDefinition;
export function point(
  name: string,
  offset: number,
  type: Exclude<SunSpecType, "string">,
  options?: PointOptions,
): PointDefinition;
export function point(
  name: string,
  offset: number,
  type: SunSpecType,
  options: PointOptions & { words?: number } = {},
): PointDefinition {
  return { name, offset, type, words: type === "string" ? (options.words ?? 0) : WORDS[type], ...options };
}

export function group(
  name: string,
  count: number | string,
  points: readonly PointDefinition[],
  groups: readonly GroupDefinition[] = [],
): GroupDefinition {
  return { name, count, points, groups };
}

export function model(
  id: number,
  points: readonly PointDefinition[],
  groups: readonly GroupDefinition[] = [],
): ModelDefinition {
  return { id, points, groups };
}
