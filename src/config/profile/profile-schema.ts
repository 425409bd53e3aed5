/** The schema of a device profile as people write it in a file. */
import { z } from "zod";
import { DAY_MS } from "../../domain/duration.ts";
import type { PointName, PointValue } from "../../points/points.ts";
import { CONTROL_POINTS } from "../../points/points.ts";
import { DEVICE_PARTS, type PartRule, type PartRules } from "../../sdk/parts.ts";
import type { DeviceProfile, ProfileControl, ProfilePoint, RegisterField, WriteRecipe } from "../../sdk/profile.ts";
import { ConditionSchema, FormulaSchema } from "./formula-schema.ts";
import { isMap, keys, picked } from "./picked.ts";
import { POINT_NAMES } from "./point-tables.ts";

/** What a user's file says of its facts when it says nothing. */
const OWN_CONFIDENCE = "unverified";
const OWN_SOURCE = "the owner's own file";
const MAX_TEXT = 1_000;
/** Most of one kind in a profile; the longest that is built in has a third of it. */
const MAX_ENTRIES = 500;

const text = z.string().min(1).max(MAX_TEXT);
const ms = z.number().min(0).max(DAY_MS);

/** A number, or its hexadecimal as manuals print it: `"0xFFFF"`. */
const Word = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?0[xX][0-9a-fA-F]{1,16}$/)
    .transform((digits) => (digits.startsWith("-") ? -Number(digits.slice(1)) : Number(digits))),
]);
const Integer = Word.pipe(z.int());
const address = Integer.pipe(z.int().min(0).max(65_535));
const unit = z.int().min(0).max(255);

const TABLES = ["holding", "input", "coil", "discrete"] as const;
const NUMBER_TYPES = ["uint16", "int16", "uint32", "int32", "uint64", "int64", "float32", "float64"] as const;

/** 64-bit values are beyond what a JSON number tells apart, so a sentinel of theirs is read as a big integer. */
const Sentinel = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?0[xX][0-9a-fA-F]{1,16}$/)
    .transform((digits): number | bigint => {
      const size = BigInt(digits.replace("-", ""));
      const value = digits.startsWith("-") ? -size : size;
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    }),
]);

const FIELD = {
  table: z.enum(TABLES),
  address,
  type: z.enum([...NUMBER_TYPES, "string"]),
  words: z.int().min(1).max(125).exactOptional(),
  wordOrder: z.enum(["big", "little"]).exactOptional(),
  byteOrder: z.enum(["big", "little"]).exactOptional(),
  scale: z.number().exactOptional(),
  scaleFrom: text.exactOptional(),
  sentinels: z.array(Sentinel).max(50).exactOptional(),
} satisfies Record<keyof RegisterField, z.ZodType>;

const PROVENANCE = {
  confidence: z
    .enum(["cross-checked", "vendor-list", "single-source", "conflict", "unverified", "derived"])
    .default(OWN_CONFIDENCE),
  source: text.default(OWN_SOURCE),
};

/** States and numbers of points; which of them fit is asked where the point is known. */
const Value = z.union([z.string(), z.number(), z.boolean()]) as z.ZodType<PointValue>;

const PointKey = picked<PointName | `raw.${string}`>((key) =>
  typeof key === "string" && key.startsWith("raw.")
    ? (z.string().regex(/^raw\.[A-Za-z0-9_.-]{1,100}$/) as z.ZodType<`raw.${string}`>)
    : z.enum(POINT_NAMES),
);

const Point = keys({
  key: PointKey,
  ...FIELD,
  poll: z.enum(["fast", "normal", "slow"]).default("normal"),
  states: keys({
    values: z.record(z.string(), z.union([Value, z.null()])),
    otherwise: z.union([Value, z.null()]).default(null),
  }).exactOptional(),
  ...PROVENANCE,
});

const Limits = keys({
  maxRegisters: z.int().min(1).max(125).default(125),
  minGapMs: ms.default(0),
  isOneValuePerRequest: z.boolean().default(false),
  timeoutMs: ms.min(1).exactOptional(),
  connectDelayMs: ms.exactOptional(),
  idleCloseMs: ms.min(1).exactOptional(),
  maxClients: z.int().min(1).max(1_000).exactOptional(),
  isWokenByRequest: z.boolean().exactOptional(),
});

const Transport = z.discriminatedUnion("kind", [
  keys({ kind: z.enum(["tcp", "rtu-over-tcp", "udp"]), port: z.int().min(1).max(65_535).default(502), unit }),
  keys({
    kind: z.enum(["rtu", "ascii"]),
    unit,
    baudRate: z.int().min(300).max(921_600),
    parity: z.enum(["none", "even", "odd"]),
    dataBits: z.union([z.literal(7), z.literal(8)]).default(8),
    stopBits: z.union([z.literal(1), z.literal(2)]).default(1),
  }),
]);

const Setting = keys({
  unit: z.string().max(20),
  meaning: text,
  min: z.number(),
  max: z.number(),
  default: z.number().exactOptional(),
});

const Step = keys({
  address,
  code: z.union([z.literal(5), z.literal(6), z.literal(16)]),
  fields: z
    .array(
      keys({
        type: z.enum(NUMBER_TYPES),
        wordOrder: z.enum(["big", "little"]).exactOptional(),
        scale: z.number().exactOptional(),
        value: FormulaSchema,
      }),
    )
    .min(1)
    .max(123),
  isStored: z.boolean().exactOptional(),
  when: ConditionSchema.exactOptional(),
  pauseMs: ms.exactOptional(),
});
const Steps = z.array(Step).min(1).max(50);

const Case = keys({
  value: Value,
  steps: Steps,
  confidence: PROVENANCE.confidence.unwrap().exactOptional(),
  source: text.exactOptional(),
});

const ByCase = keys({ cases: z.array(Case).min(1).max(50) });
const Same = keys({ steps: Steps });
const Recipe = picked<WriteRecipe>((value) => {
  if (isMap(value) && "cases" in value) return ByCase;
  return isMap(value) && "steps" in value ? Same : "writes are a map with steps, or with cases, each with its value";
});

const Hold = keys({
  holdMs: ms.min(1_000),
  write: Recipe.exactOptional(),
  isReadBack: z.boolean().exactOptional(),
  shows: FormulaSchema.exactOptional(),
  fallback: text,
  ...PROVENANCE,
});

const ControlSchema = keys({
  point: z.enum(CONTROL_POINTS),
  range: keys({ min: FormulaSchema, max: FormulaSchema }).exactOptional(),
  step: z.number().positive().exactOptional(),
  safeDefault: z.union([Value, z.null()]) as z.ZodType<ProfileControl["safeDefault"]>,
  write: Recipe,
  hold: Hold.exactOptional(),
  renewMs: ms.min(1_000).exactOptional(),
  shownWithinMs: ms.min(1_000).exactOptional(),
  approximate: text.exactOptional(),
  ...PROVENANCE,
});

const PLATE = ["manufacturer", "model", "serial", "version"] as const;

const PlateFieldSchema = keys({
  ...FIELD,
  unit: unit.exactOptional(),
  block: keys({ address, words: z.int().min(1).max(125) }).exactOptional(),
  base: z.union([z.literal(10), z.literal(16)]).exactOptional(),
  digits: z.int().min(1).max(20).exactOptional(),
  ...PROVENANCE,
});

const Check = keys({
  ...FIELD,
  is: z.array(z.union([z.number(), z.string()])).exactOptional(),
  pattern: text.refine(isPattern, { error: "this is no regular expression" }).exactOptional(),
  min: z.number().exactOptional(),
  max: z.number().exactOptional(),
  tells: z.enum(PLATE).exactOptional(),
});

const PartRuleSchema = keys({ when: ConditionSchema, shown: text.default("when its condition holds"), ...PROVENANCE });
const Part = picked<"always" | PartRule>((value) => (isMap(value) ? PartRuleSchema : z.literal("always")));

/** A profile as a file holds it; what a file may leave out is filled in. `profileProblems` asks what no shape tells. */
export const ProfileSchema = keys({
  id: z
    .string()
    .max(63)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  brand: text,
  model: text,
  vendors: z
    .array(z.string().regex(/^[A-Za-z0-9_-]{1,50}$/))
    .min(1)
    .max(10)
    .default(["MODBUS"]),
  transports: z.tuple([Transport], Transport),
  limits: Limits.prefault({}),
  notes: z.array(text).max(50).exactOptional(),
  identity: z.partialRecord(z.enum(PLATE), PlateFieldSchema).exactOptional(),
  noSerial: text.exactOptional(),
  fingerprint: keys({ checks: z.tuple([Check], Check), certainty: z.number().min(0).max(1) }).exactOptional(),
  isEnergyManager: z.boolean().exactOptional(),
  parts: z.partialRecord(z.enum(DEVICE_PARTS), Part).exactOptional() as z.ZodExactOptional<z.ZodType<PartRules>>,
  points: z.array(Point).min(1).max(MAX_ENTRIES) as z.ZodType<readonly ProfilePoint[]>,
  derived: z
    .array(keys({ point: z.enum(POINT_NAMES), value: FormulaSchema }))
    .max(MAX_ENTRIES)
    .default([]),
  settings: z.record(z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,39}$/), Setting).exactOptional(),
  controls: z.array(ControlSchema).max(50).default([]),
} satisfies Record<keyof DeviceProfile, z.ZodType>) satisfies z.ZodType<DeviceProfile>;

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}
