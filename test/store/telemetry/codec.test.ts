import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { POINT_UNITS, type PointName, type PointValue } from "../../../src/points/points.ts";
import { ByteReader, ByteWriter } from "../../../src/store/bytes.ts";
import type { TelemetrySample } from "../../../src/store/store.ts";
import { decodeBlock, encodeBlock } from "../../../src/store/telemetry/block.ts";
import { POINT_CODES, STATE_CODES } from "../../../src/store/telemetry/codes.ts";
import { planIntegers, readIntegers, writeIntegers } from "../../../src/store/telemetry/integers.ts";
import { readNumbers, writeNumbers } from "../../../src/store/telemetry/numbers.ts";
import { countedExpect } from "../../counted-expect.ts";

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const shortDecimal = fc
  .tuple(fc.integer({ min: -10_000_000, max: 10_000_000 }), fc.integer({ min: 0, max: 4 }))
  .map(([integer, digits]) => integer / 10 ** digits);
const singleFloat = fc.float({ noNaN: true, noDefaultInfinity: true });
const anyNumber = fc.oneof(
  finite,
  shortDecimal,
  singleFloat,
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, Number.MAX_VALUE, Number.MIN_VALUE, 2 ** 53, -(2 ** 53), 0.1 + 0.2, 1e21),
);

/** Of every width in bits, so that each way of packing is met. */
const anyInteger = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer(),
  fc.integer({ min: -100, max: 100 }),
  fc.tuple(fc.integer({ min: 0, max: 52 }), fc.integer({ min: -1, max: 1 })).map(([bits, more]) => 2 ** bits + more),
);

function roundTrip(values: readonly number[]): number[] {
  const writer = new ByteWriter();
  writeNumbers(writer, values);
  const reader = new ByteReader(writer.finish());
  const read = readNumbers(reader, values.length);
  expect(reader.left).toBe(0);
  return read;
}

function sizeOf(values: readonly number[]): number {
  const writer = new ByteWriter();
  writeNumbers(writer, values);
  return writer.length;
}

describe("integers", () => {
  test("every sequence of safe integers comes back in the size that was planned, or is refused as a whole", () => {
    const expectSize = countedExpect();
    fc.assert(
      fc.property(fc.array(anyInteger), (values) => {
        const plan = planIntegers(values);
        if (plan === null) return values.some((value) => Math.abs(value) >= 2 ** 52);
        const writer = new ByteWriter();
        writeIntegers(writer, plan);
        expectSize(writer.length).toBe(plan.size);
        const decoded = readIntegers(new ByteReader(writer.finish()), plan.mode, values.length);
        return decoded.length === values.length && decoded.every((value, index) => value === values[index]);
      }),
      { numRuns: 3_000 },
    );
    expectSize.wasCalled();
  });

  test("instants at a steady pace take a few bytes whatever their number", () => {
    const steady = Array.from({ length: 720 }, (_, index) => 1_782_000_000_000 + index * 5_000);
    expect(planIntegers(steady)!.size).toBeLessThanOrEqual(15);
  });

  test("a state that rarely changes takes a few bytes whatever its length", () => {
    expect(planIntegers([...Array.from({ length: 500 }, () => 3), ...Array.from({ length: 200 }, () => 1)])!.size).toBe(
      6,
    );
  });
});

describe("numbers", () => {
  test("every finite number comes back with every bit, negative zero too", () => {
    fc.assert(
      fc.property(fc.array(anyNumber), (values) => {
        const read = roundTrip(values);
        return read.length === values.length && read.every((value, index) => Object.is(value, values[index]));
      }),
      { numRuns: 2_000 },
    );
  });

  test("NaN and infinities never get in", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(() => roundTrip([1, value])).toThrow(/NaN and infinities/);
    }
  });

  test("a scaled register that moves slowly takes about a byte a value", () => {
    const volts = Array.from({ length: 12 }, (_, index) => (2_301 + (index % 3)) / 10);
    expect(sizeOf(volts)).toBeLessThanOrEqual(15);
  });

  test("a single-float register takes less than half of its doubles", () => {
    const volts = Array.from({ length: 12 }, (_, index) => Math.fround(230.1 + (index % 5) * 0.01));
    expect(sizeOf(volts)).toBeLessThan((12 * 8) / 2);
  });

  test("a value that stays takes the same bytes however long it stays", () => {
    expect(sizeOf(Array.from({ length: 12 }, () => 21.5))).toBe(sizeOf(Array.from({ length: 100 }, () => 21.5)));
  });
});

const POINTS = Object.keys(POINT_UNITS) as PointName[];
const value = fc.oneof(
  anyNumber,
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(...STATE_CODES),
  fc.string({ unit: "binary" }).map((text) => text as PointValue),
);
const point = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...POINTS) },
  { weight: 1, arbitrary: fc.string().map((name) => `x${name}` as PointName) },
);
const sample = fc.record(
  {
    deviceId: fc.constant("meter"),
    atMs: fc.oneof(fc.integer({ min: 0, max: 4_000_000_000_000 }), finite),
    values: fc.uniqueArray(fc.record({ point, value }, { noNullPrototype: true }), {
      selector: (one) => one.point,
      maxLength: 8,
    }),
  },
  { noNullPrototype: true },
) as fc.Arbitrary<TelemetrySample>;

/** A sample's values in the order of their names: the order of points is the block's. */
function sorted({ deviceId, atMs, values }: TelemetrySample): TelemetrySample {
  return { deviceId, atMs, values: values.toSorted((one, other) => (one.point < other.point ? -1 : 1)) };
}

describe("blocks", () => {
  test("all samples come back: numbers, states, flags, nulls, points that come and go", () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 20 }), (samples) => {
        const read = decodeBlock("meter", encodeBlock(samples));
        expect(read.map(sorted)).toStrictEqual(samples.map(sorted));
      }),
      { numRuns: 1_000 },
    );
  });

  test("a point whose type changes keeps each value", () => {
    const values: readonly (PointValue | null)[] = [1, "IDLE", null, true, 2.5];
    const samples = values.map((next, index): TelemetrySample => {
      return { deviceId: "d", atMs: index, values: [{ point: "battery.status", value: next }] };
    });
    expect(decodeBlock("d", encodeBlock(samples))).toStrictEqual(samples);
  });

  test("damaged bytes are refused or read, never anything else", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const block = Uint8Array.of(1, ...bytes);
        try {
          return Array.isArray(decodeBlock("d", block));
        } catch (error) {
          return error instanceof Error && error.name === "StorageError";
        }
      }),
      { numRuns: 5_000 },
    );
  });

  test("every point and every state has a short code of its own", () => {
    expect(POINT_CODES.toSorted()).toStrictEqual(POINTS.toSorted());
    expect(new Set(STATE_CODES).size).toBe(STATE_CODES.length);
  });
});
