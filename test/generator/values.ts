/** Values that a JSON schema of the description allows, and values that no schema here asks for. */
import fc from "fast-check";
import { type Description, follow } from "../api/support/description.ts";

/** Stands for an id of the house; which one is known when the request is sent. */
export interface Pick {
  readonly pick: string;
  readonly at: number;
}

export function isPick(value: unknown): value is Pick {
  return typeof value === "object" && value !== null && "pick" in value && "at" in value;
}

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly format?: string;
  readonly pattern?: string;
}

const MAX_ITEMS = 3;
const MAX_TEXT = 40;
/** The simulated house lives at this time. */
const NOW_MS = Date.parse("2026-06-21T00:00:00Z");
const DAYS_AROUND = 40;
const DAY_MS = 86_400_000;

/** What a path or a query writes a name for: the kind of thing whose id it is. */
export function poolOf(name: string): string | null {
  if (name === "id") return "any";
  const [, kind] = /^(.+)Ids?$/.exec(name) ?? [];
  if (kind === undefined || kind === "client") return null;
  if (kind === "chargingLocation") return "location";
  if (kind.startsWith("simulated")) return "simulated";
  return kind === "target" || kind === "asset" || kind === "pluggedInCharger" ? "any" : kind;
}

/** An id of a kind: mostly one that the house has or had. */
export function idOf(kind: string): fc.Arbitrary<Pick> {
  return fc.record({ pick: fc.constant(kind), at: fc.nat(1_000) });
}

/** A value that the schema allows. `name` is the field's, which tells ids. */
export function valueFor(document: Description, schema: object, name = ""): fc.Arbitrary<unknown> {
  return of(document, schema as JsonSchema, name);
}

function of(document: Description, schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return of(document, follow(document, schema.$ref) as JsonSchema, name);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return fc.oneof(...branches.map((branch) => of(document, branch, name)));
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? "string"].flat();
  return fc.oneof(...types.map((type) => ofType(document, type, schema, name)));
}

function ofType(document: Description, type: string, schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 3_000 });
    case "number":
      return ofNumber(schema);
    case "array":
      return fc.array(of(document, schema.items ?? {}, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? MAX_ITEMS, MAX_ITEMS),
      });
    case "object":
      return ofObject(document, schema);
    default:
      return ofText(schema, name);
  }
}

function ofNumber({ minimum, maximum, exclusiveMinimum }: JsonSchema): fc.Arbitrary<number> {
  const min = minimum ?? (exclusiveMinimum === undefined ? -50 : exclusiveMinimum + 0.001);
  const max = maximum ?? Math.max(min, 50);
  return fc.oneof(
    fc.constantFrom(min, max),
    fc.double({ min, max, noNaN: true }),
    fc.integer({ min: Math.ceil(min), max: Math.max(Math.ceil(min), Math.floor(max)) }),
  );
}

function ofText({ format, pattern, minLength = 0, maxLength = MAX_TEXT }: JsonSchema, name: string) {
  const pool = poolOf(name);
  if (pool !== null) return idOf(pool);
  if (name === "userId") return idOf("user");
  if (name === "timezoneName") return fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu");
  if (name === "after" || name === "before") return idOf("cursor");
  if (name === "name") return fc.oneof(fc.constantFrom("day", "night"), fc.string({ minLength, maxLength: MAX_TEXT }));
  if (name === "url") return fc.constantFrom("https://example.com/hook", "https://hooks.example.com/a?b=c");
  if (name === "vendor") return fc.constantFrom("TESLA", "KEBA", "SMA", "SOLAREDGE", "SIMULATED");
  if (name === "interval") return fc.constantFrom("2026-06-21", "2026-06", "2026-06-20");
  if (format === "uri") return fc.constantFrom("https://example.com/back", "myapp://linked");
  if (format === "date-time") return instants();
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, MAX_TEXT)) });
}

/** Some on the full hour, as vendor statistics want it. */
function instants(): fc.Arbitrary<string> {
  const span = DAYS_AROUND * DAY_MS;
  const at = fc.integer({ min: NOW_MS - span, max: NOW_MS + span });
  return fc.oneof(
    at.map((ms) => new Date(ms).toISOString()),
    at.map((ms) => new Date(Math.floor(ms / 3_600_000) * 3_600_000).toISOString()),
  );
}

/** What links a kind of device needs the right to read it. */
function linkScopes(): fc.Arbitrary<object> {
  return fc
    .constantFrom("battery", "charger", "hvac", "inverter", "meter", "vehicle")
    .map((kind) => ({ vendorType: kind, scopes: [`${kind}:read:data`] }));
}

function ofObject(document: Description, schema: JsonSchema): fc.Arbitrary<object> {
  const { properties = {} } = schema;
  const whole = fieldsOf(document, schema);
  if ("targetId" in properties && "targetType" in properties) return whole.map(withOwnTarget);
  if ("scopes" in properties && "redirectUri" in properties) {
    return fc.tuple(whole, linkScopes()).map(([body, scopes]) => ({ ...body, ...scopes }));
  }
  return whole;
}

/** Mostly a target of the kind that is said. */
function withOwnTarget(body: object): object {
  const { targetType, targetId } = body as { targetType?: string; targetId?: unknown };
  return isPick(targetId) && targetType !== undefined ? { ...body, targetId: { ...targetId, pick: targetType } } : body;
}

function fieldsOf(document: Description, { properties = {}, required = [] }: JsonSchema): fc.Arbitrary<object> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, of(document, schema, name)]),
  );
  return fc.record(fields, { requiredKeys: [...required] });
}

/** What nobody asked for: other types, edges, keys and texts that break careless code. */
export const JUNK: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER,
    "",
    " ",
    "\u0000",
    "__proto__",
    "constructor",
    "../../etc/passwd",
    "%00",
    "2026-13-45T99:99:99Z",
    "9999999999-01-01",
    "24:01",
    "NaN",
    "x".repeat(5_000),
    [],
    {},
    [[[[[[]]]]]],
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);
