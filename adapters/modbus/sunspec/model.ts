/** SunSpec's models: points, groups that repeat, models, and the rows in which the table in `models/` writes them down. */

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

/** Names of an enum's values, or of a bit field's bits. */
export type Symbols = Readonly<Record<number, string>>;

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
  readonly symbols?: Symbols;
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

type PointFacts = Pick<PointDefinition, "sf" | "unit" | "isWritable" | "symbols">;

/** A point in the table; the number after `string` is its length in registers. */
export type PointRow = readonly [
  offset: number,
  name: string,
  type: Exclude<SunSpecType, "string"> | `string${number}`,
  facts?: PointFacts,
];

interface GroupRow {
  readonly name: string;
  readonly count: number | string;
  readonly points: readonly PointRow[];
  readonly groups?: readonly GroupRow[];
}

/** A model in the table; `sameAs`: it has the points and groups of that model. `title` is what the standard calls it. */
export type ModelRow = { readonly id: number; readonly title: string } & (
  | { readonly points: readonly PointRow[]; readonly groups?: readonly GroupRow[] }
  | { readonly sameAs: number }
);

export function modelsOf(table: readonly ModelRow[]): readonly ModelDefinition[] {
  return table.map((row) => {
    const source = "sameAs" in row ? table.find(({ id }) => id === row.sameAs) : row;
    if (source === undefined || "sameAs" in source) throw new Error(`model ${row.id} is the same as none in the table`);
    return { id: row.id, points: source.points.map(pointOf), groups: groupsOf(source.groups) };
  });
}

function groupsOf(rows: readonly GroupRow[] = []): readonly GroupDefinition[] {
  return rows.map(({ name, count, points, groups }) => ({
    name,
    count,
    points: points.map(pointOf),
    groups: groupsOf(groups),
  }));
}

function pointOf([offset, name, type, facts]: PointRow): PointDefinition {
  return { name, offset, ...sizeOf(type), ...facts };
}

function sizeOf(type: PointRow[2]): Pick<PointDefinition, "type" | "words"> {
  if (isText(type)) return { type: "string", words: Number(type.slice("string".length)) };
  return { type, words: WORDS[type] };
}

function isText(type: PointRow[2]): type is `string${number}` {
  return type.startsWith("string");
}
