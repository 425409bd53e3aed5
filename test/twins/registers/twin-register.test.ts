import { describe, expect, test } from "vitest";
import { sentinelWords, type TwinRegister, valueOfWords, wordsOfRaw, wordsOfValue } from "./twin-register.ts";

function register(change: Partial<TwinRegister>): TwinRegister {
  return { id: "a", address: 10, function: 3, type: "uint16", ...change };
}

describe("a value in registers, by hand", () => {
  test.each<[Partial<TwinRegister>, number | string | bigint, number[]]>([
    [{ type: "int16", scale: 0.1 }, -2.3, [0xffe9]],
    [{ type: "uint32" }, 0x1234_5678, [0x1234, 0x5678]],
    [{ type: "uint32", wordOrder: "little" }, 0x1234_5678, [0x5678, 0x1234]],
    [{ type: "int32", scale: 0.01 }, -0.01, [0xffff, 0xffff]],
    [{ type: "float32" }, 1, [0x3f80, 0]],
    [{ type: "float32", wordOrder: "little" }, 1, [0, 0x3f80]],
    [{ type: "float64" }, -2, [0xc000, 0, 0, 0]],
    [{ type: "uint64" }, 0xffff_ffff_ffff_fffen, [0xffff, 0xffff, 0xffff, 0xfffe]],
    [{ type: "int64", wordOrder: "little" }, -2, [0xfffe, 0xffff, 0xffff, 0xffff]],
    [{ type: "uint16", scale: 10 }, 5_000, [500]],
    [{ type: "string", words: 3 }, "C2", [0x4332, 0, 0]],
    [{ type: "bool", function: 1 }, 1, [1]],
  ])("%j holds %s", (change, value, words) => {
    expect(wordsOfValue(register(change), value)).toEqual(words);
    const read = valueOfWords(register(change), words);
    expect(read).toEqual(typeof value === "string" ? value : expect.closeTo(Number(value), 9));
  });

  test("that does not fit is refused", () => {
    expect(() => wordsOfValue(register({ type: "uint16" }), -1)).toThrow("a: raw value -1 does not fit uint16");
    expect(() => wordsOfValue(register({ type: "int16", scale: 0.1 }), 3_277)).toThrow(RangeError);
  });

  test("may be a raw one", () => {
    expect(wordsOfRaw(register({ type: "uint32", wordOrder: "little" }), 0x8000_0001n)).toEqual([1, 0x8000]);
  });
});

describe("no value", () => {
  test.each<[Partial<TwinRegister>, number[] | null]>([
    [{ type: "int32", nan: "0x80000000" }, [0x8000, 0]],
    [{ type: "uint64", nan: "0xFFFFFFFFFFFFFFFF" }, [0xffff, 0xffff, 0xffff, 0xffff]],
    [{ type: "float32" }, [0x7fc0, 0]],
    [{ type: "float64", wordOrder: "little" }, [0, 0, 0, 0x7ff8]],
    [{ type: "int16" }, null],
  ])("%j", (change, words) => {
    expect(sentinelWords(register(change))).toEqual(words);
    expect(words === null ? null : valueOfWords(register(change), words)).toBeNull();
  });
});
