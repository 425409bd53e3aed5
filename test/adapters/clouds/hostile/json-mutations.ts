import { DROP, type Mutation, ofDocument, ofValues, type Place, raw } from "./spoil.ts";

const isNumber = (value: unknown): value is number => typeof value === "number";
const isText = (value: unknown): value is string => typeof value === "string";
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** As an answer tells it: a number, or a text that begins as one. */
const isFigure = (value: unknown): boolean => isNumber(value) || (isText(value) && /^[+-]?\d+(\.\d+)?\b/.test(value));
const isTime = (value: unknown): boolean =>
  (isText(value) && /\d\d:\d\d|\d{4}-\d\d-\d\d/.test(value)) || (isNumber(value) && value > 1e9 && value < 1e14);
const isAny = (): boolean => true;

const PROTOTYPE_NAMES = ["constructor", "__proto__", "toString", "hasOwnProperty", "prototype"] as const;
const UNITS = ["W", "kW", "MW", "Wh", "kWh", "C", "F", "°C", "°F", "A", "furlong", "%"] as const;
const DAY_MS = 86_400_000;
const CENTURY_MS = 36_525 * DAY_MS;

/** A number, in the shape in which the answer had it. */
function figureOf({ value }: Place, figure: number): unknown {
  return isText(value) ? String(figure) : figure;
}

function timeOf({ value }: Place, atMs: number): unknown {
  if (isText(value)) return new Date(atMs).toISOString();
  return Number(value) < 1e11 ? Math.floor(atMs / 1_000) : atMs;
}

function swapped(holder: Record<string, unknown>, random: () => number): Record<string, unknown> {
  const keys = Object.keys(holder);
  const [one, other] = [keys[Math.floor(random() * keys.length)], keys[Math.floor(random() * keys.length)]];
  if (one === undefined || other === undefined) return holder;
  return { ...holder, [one]: holder[other], [other]: holder[one] };
}

/** Not by assignment, which would set the prototype. */
function renamed(holder: Record<string, unknown>, name: (key: string) => string): unknown {
  return Object.fromEntries(Object.entries(holder).map(([key, value]) => [name(key), value]));
}

const NUMBERS: readonly Mutation[] = [
  ofValues("a number as a text", isNumber, ({ value }) => String(value)),
  ofValues("a huge number", isFigure, (place, { random }) => figureOf(place, random.pick([1e308, 1e18, 1e9, -1e308]))),
  ofValues("a number beyond a double", isNumber, (_place, { random }) => raw(random.pick(["1e999", "-1e999"]))),
  ofValues("no number in words", isFigure, (_place, { random }) =>
    random.pick(["NaN", "nan", "Infinity", "-Infinity", "--", "N/A", "∞", "null"]),
  ),
  ofValues("a sentinel", isFigure, (place, { random }) =>
    figureOf(place, random.pick([-32_768, 32_767, 65_535, 2_147_483_647, 4_294_967_295, -9_999, -5_002])),
  ),
  ofValues("a negative number", isFigure, (place) =>
    figureOf(place, -Math.abs(Number.parseFloat(String(place.value)))),
  ),
  ofValues("zero", isFigure, (place) => figureOf(place, 0)),
  ofValues("a tiny number", isFigure, (place) => figureOf(place, 5e-324)),
  ofValues("a number of many places", isFigure, (place, { random }) => figureOf(place, random.between(-200, 200))),
  ofValues("a thousandfold", isFigure, (place) => figureOf(place, Number.parseFloat(String(place.value)) * 1_000)),
  ofValues("an integer beyond 2^53", isNumber, () => raw("9007199254740993123")),
  ofValues("a decimal comma", isFigure, ({ value }) => String(value).replace(".", ",")),
  ofValues("another unit", isText, ({ value }, { random }) =>
    /^[+-]?\d/.test(String(value)) ? `${Number.parseFloat(String(value))} ${random.pick(UNITS)}` : random.pick(UNITS),
  ),
  ofValues("an unit after a number", isNumber, ({ value }, { random }) => `${value} ${random.pick(UNITS)}`),
];

const TEXTS: readonly Mutation[] = [
  ofValues("a text as a number", isText, (_place, { random }) => random.below(1_000)),
  ofValues("an empty text", isText, () => ""),
  ofValues("a very long text", isText, ({ value }) => String(value).padEnd(20_000, "x")),
  ofValues("an unknown word", isText, () => "comes_later"),
  ofValues("a word in another case", isText, ({ value }, { random }) =>
    random.isChance(0.5) ? String(value).toUpperCase() : String(value).toLowerCase(),
  ),
  ofValues("a prototype's name for a word", isText, (_place, { random }) => random.pick(PROTOTYPE_NAMES)),
  ofValues("odd characters", isText, (_place, { random }) =>
    random.pick(["\u0000", "\ud800", "\u202e\r\n", "../../..", "%00?#&", "<b>", "\u001e"]),
  ),
  ofValues("a time to come", isTime, (place, { random, nowMs }) =>
    timeOf(place, nowMs + random.pick([3_600_000, DAY_MS, CENTURY_MS])),
  ),
  ofValues("a time long ago", isTime, (place, { random, nowMs }) =>
    timeOf(place, nowMs - random.pick([3_600_000, DAY_MS, 400 * DAY_MS, CENTURY_MS])),
  ),
  ofValues("no time", isTime, (place, { random }) =>
    isText(place.value)
      ? random.pick(["2026-13-45T99:99:99Z", "yesterday", "0000-00-00 00:00:00", "2026-06-21", "T", "+275760-09-14"])
      : random.pick([-1, 1e17, 8.64e15 + 1, 1e300]),
  ),
];

const SHAPES: readonly Mutation[] = [
  ofValues("a part left out", isAny, () => DROP),
  ofValues("null", isAny, () => null),
  ofValues("a flag turned", isFlag, ({ value }) => value !== true),
  ofValues("a flag in another type", isFlag, ({ value }, { random }) =>
    random.pick<unknown>([Number(value), String(value), {}]),
  ),
  ofValues("deep nesting", isAny, ({ value }, { random }) => {
    let nested: unknown = value;
    for (let depth = random.pick([3, 25, 300]); depth > 0; depth -= 1) nested = depth % 2 === 0 ? [nested] : { nested };
    return nested;
  }),
  ofValues("a list as an object", isList, ({ value }) => ({ ...(value as unknown[]) })),
  ofValues("an object as a list", isObject, ({ value }) => Object.values(value as object)),
  ofValues("a value as an object", isAny, ({ value }) => ({ value })),
  ofValues("a value in a list", isAny, ({ value }) => [value]),
  ofValues("an empty list", isList, () => []),
  ofValues("an empty object", isObject, () => ({})),
  ofValues("an element twice", isList, ({ value }) => [...(value as unknown[]), ...(value as unknown[])]),
  ofValues("a long list", isList, ({ value }) =>
    Array.from({ length: 100 }, (_none, index) => (value as unknown[])[index % (value as unknown[]).length] ?? index),
  ),
  ofValues("a list in another order", isList, ({ value }) => (value as unknown[]).toReversed()),
  ofValues("strangers in a list", isList, ({ value }) => [null, 7, "x", [], {}, ...(value as unknown[]), false]),
  ofValues("two values exchanged", isObject, ({ value }, { random }) =>
    swapped(value as Record<string, unknown>, () => random.next()),
  ),
  ofValues("a key with a prototype's name", isObject, ({ value }, { random }) => {
    const [name, hit] = [random.pick(PROTOTYPE_NAMES), random.next()];
    return renamed(value as Record<string, unknown>, (key) => (hit < 0.5 || random.isChance(0.3) ? name : key));
  }),
  ofValues("a prototype's key beside the others", isObject, ({ value }, { random }) =>
    Object.fromEntries([...Object.entries(value as object), [random.pick(PROTOTYPE_NAMES), { polluted: true }]]),
  ),
  ofValues("keys in another case", isObject, ({ value }) =>
    renamed(value as Record<string, unknown>, (key) => key.toUpperCase()),
  ),
  ofDocument("another document", (_document, { random }) =>
    random.pick([null, [], {}, 0, "", "x", true, [[]], [null]]),
  ),
  ofDocument("the document in an envelope", (document, { random }) => random.pick([[document], { data: document }])),
];

/** Mutations of what an answer says. */
export const JSON_MUTATIONS: readonly Mutation[] = [...NUMBERS, ...TEXTS, ...SHAPES];
