import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valueIn } from "../../../../adapters/modbus/sunspec/connect-values.ts";
import { modelsOf, type PointRow, type SunSpecType } from "../../../../adapters/modbus/sunspec/model.ts";
import { resolveModel } from "../../../../adapters/modbus/sunspec/model-instance.ts";
import { text } from "./images.ts";

type NumberType = Exclude<SunSpecType, "string">;

function modelWith(...points: readonly PointRow[]) {
  const [definition] = modelsOf([{ id: 9, title: "Test", points }]);
  return definition!;
}

/** What the words say as a point of a type, with a scale factor in front when one is given. */
function decode(type: NumberType, words: readonly number[], scale?: number) {
  const definition = modelWith([2, "X_SF", "sunssf"], [3, "X", type, scale === undefined ? {} : { sf: "X_SF" }]);
  const image = Uint16Array.from([9, 1 + words.length, scale ?? 0, ...words]);
  return valueIn(resolveModel({ id: 9, address: 0, length: 1 + words.length }, definition, image), "X", image);
}

function decodeText(words: readonly number[]) {
  const definition = modelWith([2, "X", `string${words.length}`]);
  const image = Uint16Array.from([9, words.length, ...words]);
  return valueIn(resolveModel({ id: 9, address: 0, length: words.length }, definition, image), "X", image);
}

const ONES = 0xffff;
const NOT_IMPLEMENTED: readonly (readonly [NumberType, readonly number[]])[] = [
  ["int16", [0x8000]],
  ["int32", [0x8000, 0]],
  ["int64", [0x8000, 0, 0, 0]],
  ["uint16", [ONES]],
  ["uint32", [ONES, ONES]],
  ["uint64", [ONES, ONES, ONES, ONES]],
  ["acc16", [0]],
  ["acc32", [0, 0]],
  ["acc64", [0, 0, 0, 0]],
  ["enum16", [ONES]],
  ["enum32", [ONES, ONES]],
  ["bitfield16", [ONES]],
  ["bitfield32", [ONES, ONES]],
  ["float32", [0x7fc0, 0]],
  ["float32", [0xffc0, 0]],
  ["float32", [0x7f80, 0x0001]],
  ["sunssf", [0x8000]],
  ["count", [ONES]],
  ["pad", [0x8000]],
];

const VALUES: readonly (readonly [NumberType, readonly number[], number])[] = [
  ["int16", [0x8001], -32_767],
  ["int16", [ONES], -1],
  ["int16", [0], 0],
  ["int32", [0x8000, 1], -2_147_483_647],
  ["int32", [ONES, ONES], -1],
  ["int64", [ONES, ONES, ONES, 0xfffe], -2],
  ["int64", [0, 1, 0, 0], 4_294_967_296],
  ["uint16", [0x8000], 32_768],
  ["uint16", [0xfffe], 65_534],
  ["uint32", [0x8000, 0], 2_147_483_648],
  ["uint32", [1, 0], 65_536],
  ["uint64", [0, 0, 1, 0], 65_536],
  ["uint64", [0, 0, 0, 0], 0],
  ["acc16", [ONES], 65_535],
  ["acc32", [0, 1], 1],
  ["acc32", [ONES, ONES], 4_294_967_295],
  ["acc64", [0, 0, 0, 1], 1],
  ["enum16", [4711], 4711],
  ["enum32", [0, 7], 7],
  ["bitfield16", [0x8000], 32_768],
  ["bitfield32", [0x8000, 1], 2_147_483_649],
  ["float32", [0x42f6, 0xe666], 123.45],
  ["float32", [0xc000, 0], -2],
  ["float32", [0, 0], 0],
  ["sunssf", [0xfffe], -2],
  ["count", [4], 4],
  ["pad", [0], 0],
];

describe("a SunSpec register", () => {
  it.each(NOT_IMPLEMENTED)("of %s is null when it reads %j", (type, words) => {
    expect(decode(type, words)).toBeNull();
  });

  it.each(VALUES)("of %s reads %j as a number", (type, words, value) => {
    expect(decode(type, words)).toBe(value);
  });

  it("of text ends at its first zero", () => {
    expect(decodeText(text("SN-1", 8))).toBe("SN-1");
  });

  it("of text that is all zeros is null", () => {
    expect(decodeText([0, 0, 0, 0])).toBeNull();
  });

  it("of text that fills its registers is kept whole", () => {
    expect(decodeText(text("ABCDEFGH", 4))).toBe("ABCDEFGH");
  });
});

describe("a scale factor", () => {
  it.each([
    [-10, 1e-10],
    [-2, 0.01],
    [0, 1],
    [3, 1_000],
    [10, 1e10],
  ])("of %i multiplies by its power of ten", (scale, factor) => {
    expect(decode("uint16", [1], scale)).toBe(factor);
  });

  it.each([-0x8000, 11, -11, 0x7fff])("of %i makes its value null", (scale) => {
    expect(decode("int16", [1], scale)).toBeNull();
  });

  it("leaves a not implemented value null", () => {
    expect(decode("int16", [0x8000], -2)).toBeNull();
  });
});

describe("any value", () => {
  const signed = fc.integer({ min: -0x7fff, max: 0x7fff });
  const scales = fc.integer({ min: -10, max: 10 });

  it("of int16 survives registers and scale factor", () => {
    fc.assert(
      fc.property(signed, scales, (raw, scale) => {
        const value = decode("int16", [raw & 0xffff], scale);
        expect(value).toBe(Number(`${raw}e${scale}`) + 0);
      }),
    );
  });

  it("of int32 and uint32 survives its two registers", () => {
    fc.assert(
      fc.property(fc.integer({ min: -0x7fff_ffff, max: 0x7fff_ffff }), (raw) => {
        const words = [Math.floor((raw < 0 ? raw + 2 ** 32 : raw) / 65_536), raw & 0xffff];
        expect(decode("int32", words)).toBe(raw);
        expect(decode("uint32", words)).toBe(raw === -1 ? null : raw < 0 ? raw + 2 ** 32 : raw);
      }),
    );
  });

  it("of uint64 survives its four registers as far as a number is exact", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (raw) => {
        const hex = raw.toString(16).padStart(16, "0");
        const words = [0, 4, 8, 12].map((at) => Number.parseInt(hex.slice(at, at + 4), 16));
        expect(decode("uint64", words)).toBe(raw);
        expect(decode("acc64", words)).toBe(raw === 0 ? null : raw);
      }),
    );
  });

  it("of float32 is the number that was put in", () => {
    const view = new DataView(new ArrayBuffer(4));
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        view.setFloat32(0, value);
        const decoded = decode("float32", [view.getUint16(0), view.getUint16(2)]);
        expect(Math.fround(Number(decoded))).toBe(value + 0);
      }),
    );
  });

  it("of text comes back without what pads it", () => {
    const printable = fc.string({ unit: fc.constantFrom(..."ABCxyz019-._"), minLength: 1, maxLength: 16 });
    fc.assert(
      fc.property(printable, (value) => {
        expect(decodeText(text(value, 8))).toBe(value);
      }),
    );
  });
});
