import fc from "fast-check";
import type { RegisterField } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { decoder, scaleTens } from "../../../../adapters/modbus/driver/decode.ts";
import { encodeNumber } from "../../../../adapters/modbus/driver/encode.ts";

function decode(field: Partial<RegisterField>, words: readonly number[], tens = 0): unknown {
  return decoder({ table: "holding", address: 0, type: "uint16", ...field })(Uint16Array.from(words), 0, tens);
}

function floatWords(value: number): number[] {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return [view.getUint16(0), view.getUint16(2)];
}

describe("integers", () => {
  test.each([
    ["uint16", [0xffff], 65_535],
    ["int16", [0xffff], -1],
    ["int16", [0x8000], -32_768],
    ["uint32", [0xffff, 0xfffe], 4_294_967_294],
    ["int32", [0xffff, 0xfffe], -2],
    ["uint64", [0, 1, 0, 0], 4_294_967_296],
    ["int64", [0xffff, 0xffff, 0xffff, 0xffff], -1],
  ] as const)("%s %j is %d", (type, words, value) => {
    expect(decode({ type }, words)).toBe(value);
  });

  test("little word order turns the registers, not the bytes in them", () => {
    expect(decode({ type: "uint32", wordOrder: "little" }, [0x0201, 0x0403])).toBe(0x04030201);
    expect(decode({ type: "uint64", wordOrder: "little" }, [0x0102, 0, 0, 0])).toBe(0x0102);
    expect(decode({ type: "float32", wordOrder: "little" }, floatWords(12.5).reverse())).toBe(12.5);
  });

  test("a value starts where it stands in the block", () => {
    const read = decoder({ table: "holding", address: 0, type: "int32" });
    expect(read(Uint16Array.of(9, 9, 0xffff, 0xfff6), 2, 0)).toBe(-10);
  });
});

describe("no value", () => {
  test("a sentinel may be written signed or as bits", () => {
    expect(decode({ type: "int16", sentinels: [0x8000] }, [0x8000])).toBeNull();
    expect(decode({ type: "int16", sentinels: [-32_768] }, [0x8000])).toBeNull();
    expect(decode({ type: "int32", sentinels: [0x8000_0000] }, [0x8000, 0])).toBeNull();
    expect(decode({ type: "uint32", sentinels: [0xffff_ffff] }, [0xffff, 0xffff])).toBeNull();
    expect(decode({ type: "uint32", sentinels: [0xffff_ffff] }, [0xffff, 0xfffe])).toBe(4_294_967_294);
  });

  test("64-bit sentinels are told from their neighbours, which as doubles they are not", () => {
    const field = { type: "uint64", sentinels: [0xffff_ffff_ffff_ffffn] } as const;
    expect(decode(field, [0xffff, 0xffff, 0xffff, 0xffff])).toBeNull();
    expect(decode(field, [0xffff, 0xffff, 0xffff, 0xfffe])).toBe(2 ** 64);
  });

  test("NaN and the infinities of a float are none", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(decode({ type: "float32" }, floatWords(value))).toBeNull();
    }
    expect(decode({ type: "float64" }, [0x7ff8, 0, 0, 0])).toBeNull();
  });
});

describe("scale", () => {
  test.each([
    [3, 0.1, 0, 0.3],
    [2304, 0.1, 0, 230.4],
    [17, 0.001, 0, 0.017],
    [7, -1, 0, -7],
    [0, -1, 0, 0],
    [12_345, 1, -2, 123.45],
    [3, 0.1, -1, 0.03],
    [5, 1, 3, 5_000],
    [33, 0.01, 2, 33],
    [7, 0.3, 0, 2.1],
  ])("%d × %d × 10^%d is %d, to the digit", (raw, scale, tens, value) => {
    expect(decode({ scale }, [raw], tens)).toBe(value);
  });

  test("a power of ten beyond ±10, or none, is no power of ten", () => {
    expect([0, -3, 10, -10].map(scaleTens)).toEqual([0, -3, 10, -10]);
    expect([11, -11, -32_768, 0.5, null, undefined, "1"].map(scaleTens)).toEqual(new Array(7).fill(null));
  });

  test("no scaled integer shows more digits than its scale has", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 65_535 }), fc.integer({ min: -6, max: 3 }), (raw, tens) => {
        expect(decode({}, [raw], tens)).toBe(Number(`${raw}e${tens}`));
      }),
    );
  });

  test("a float32 is the shortest number that the device can have meant", () => {
    expect(decode({ type: "float32" }, floatWords(230.2))).toBe(230.2);
    expect(decode({ type: "float32" }, floatWords(49.98))).toBe(49.98);
    expect(decode({ type: "float32" }, floatWords(-0))).toBe(0);
    expect(decode({ type: "float32", scale: 1_000 }, floatWords(12_345.678))).toBe(12_345_678);
    expect(decode({ type: "float32" }, floatWords(16_777_217))).toBe(16_777_216);
  });

  test("shortening never changes which float32 it is", () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const read = decode({ type: "float32" }, floatWords(value));
        expect(Math.fround(Number(read))).toBe(value + 0);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("text", () => {
  const words = (text: string, count: number): number[] => {
    const bytes = Buffer.alloc(2 * count);
    bytes.write(text, "latin1");
    return Array.from({ length: count }, (_, index) => bytes.readUInt16BE(2 * index));
  };

  test.each([
    ["SE5000H\0\0\0", 5, "SE5000H"],
    ["GW10K-ET  ", 5, "GW10K-ET"],
    ["ab\0cd", 3, "ab"],
    ["\0\0\0\0", 2, null],
    ["    ", 2, null],
    ["\xff\xff\xff\xff", 2, null],
    ["A\xe9B", 2, "A\ufffdB"],
  ])("%j is %j", (text, count, value) => {
    expect(decode({ type: "string", words: count }, words(text, count))).toBe(value);
  });
});

describe("encoding", () => {
  test.each([
    ["uint16", 2.3, 0.1, [23]],
    ["uint16", 16, 0.001, [16_000]],
    ["int16", -1, 1, [0xffff]],
    ["int32", -2, 1, [0xffff, 0xfffe]],
    ["uint64", 1, 1, [0, 0, 0, 1]],
    ["float32", 12.5, 1, floatWords(12.5)],
  ] as const)("%s %d at scale %d is %j", (type, value, scale, registers) => {
    expect(encodeNumber({ type, scale }, value)).toEqual(registers);
  });

  test.each([
    ["uint16", 65_536],
    ["uint16", -1],
    ["int16", 32_768],
    ["int16", -32_769],
    ["uint32", 2 ** 32],
    ["float32", 1e39],
    ["uint16", Number.NaN],
    ["float64", Number.POSITIVE_INFINITY],
  ] as const)("%s cannot hold %d and says so", (type, value) => {
    expect(() => encodeNumber({ type }, value)).toThrow(RangeError);
  });

  test("what is encoded decodes to the same, in either word order", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom("big" as const, "little" as const), (value, wordOrder) => {
        expect(decode({ type: "int64", wordOrder }, encodeNumber({ type: "int64", wordOrder }, value))).toBe(value + 0);
      }),
    );
  });
});
