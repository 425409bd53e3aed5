import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crcArc, crcKermit, crcX25 } from "../../../adapters/smart-meter/checksums.ts";
import { meterPoints } from "../../../adapters/smart-meter/meter-points.ts";
import { SmlReader } from "../../../adapters/smart-meter/sml/sml-reader.ts";
import { readSml } from "../../../adapters/smart-meter/sml/sml-value.ts";
import type { ReadOutcome, Telegram } from "../../../adapters/smart-meter/telegram.ts";
import { countedExpect } from "../../counted-expect.ts";
import { SOME_MEASURED } from "../../twins/smart-meters/measured.ts";
import { SML_SERIAL, smlFile, transported } from "../../twins/smart-meters/sml-twin.ts";

function telegrams(outcome: readonly ReadOutcome[]): readonly Telegram[] {
  return outcome.flatMap((each) => (each.kind === "telegram" ? [each.telegram] : []));
}

function reasons(outcome: readonly ReadOutcome[]): readonly string[] {
  return outcome.flatMap((each) => (each.kind === "dropped" ? [each.why] : []));
}

function points(bytes: Uint8Array) {
  const outcome = new SmlReader().push(bytes);
  const [telegram] = telegrams(outcome);
  return telegram === undefined ? outcome : Object.fromEntries(meterPoints(telegram.registers));
}

const ALL = {
  "meter.power": 555,
  "meter.power.l1": 820,
  "meter.power.l2": -310,
  "meter.power.l3": 45,
  "meter.voltage.l1": 231.4,
  "meter.voltage.l2": 229.8,
  "meter.voltage.l3": 230.2,
  "meter.current.l1": 4,
  "meter.current.l2": 1,
  "meter.current.l3": 0,
  "meter.frequency": 50,
  "meter.energyImport": 5_155_595,
  "meter.energyExport": 320_505,
};

test("the checksums of the catalogues: 123456789", () => {
  const bytes = Buffer.from("123456789");
  expect([crcArc(bytes), crcX25(bytes), crcKermit(bytes)]).toEqual([0xbb3d, 0x906e, 0x2189]);
});

describe("an SML file", () => {
  test("tells power with its sign, phases and counters with their scaler, the maker and the number on the plate", () => {
    const [telegram] = telegrams(new SmlReader().push(smlFile(SOME_MEASURED)));
    expect(telegram?.identity).toMatchObject({ manufacturer: "Iskraemeco", serial: SML_SERIAL });
    expect(Object.fromEntries(meterPoints(telegram?.registers ?? new Map()))).toEqual(ALL);
  });

  test("of a meter without its PIN tells whole kWh and no power", () => {
    expect(points(smlFile(SOME_MEASURED, { tellsPower: false }))).toEqual({
      "meter.energyImport": 5_155_000,
      "meter.energyExport": 320_000,
    });
  });

  test("with Holley's checksums is right, too", () => {
    expect(points(smlFile(SOME_MEASURED, { checksum: "kermit" }))).toEqual(ALL);
  });

  test.each([
    ["a negative number of two bytes", "53fed4", -30],
    ["an unsigned number of three bytes", "64000bb8", 300],
    ["a signed number of eight bytes", "59ffffffffffffff9c", -10],
    ["an unsigned number of eight bytes", "69000000000000000a", 1],
  ])("%s", (_name, powerField, power) => {
    expect(points(smlFile(SOME_MEASURED, { powerField }))).toMatchObject({ "meter.power": power });
  });

  test("of a DVS74 with the fault reads its short power without a sign, and of a later one with it", () => {
    const faulty = { server: "0a01445a47000282225e", powerField: "538025" };
    expect(points(smlFile(SOME_MEASURED, faulty))).toMatchObject({ "meter.power": 3_280.5 });
    const negative = { ...faulty, powerField: "55fffe1393" };
    expect(points(smlFile(SOME_MEASURED, negative))).toMatchObject({ "meter.power": -12_606.1 });
    const later = { ...faulty, server: "0a01445a470003938700" };
    expect(points(smlFile(SOME_MEASURED, later))).toMatchObject({ "meter.power": -3_273.1 });
  });

  test("with content that looks like an escape, in its middle and at its end, in every padding", () => {
    for (const length of [40, 41, 42, 43, 44, 45, 46, 47]) {
      for (const end of ["", "1b", "1b1b", "1b1b1b", "1b1b1b1b", "1b1b1b1b1b"]) {
        const signature = `${"1b".repeat(9)}${"00".repeat(length)}${end}`;
        expect(points(smlFile(SOME_MEASURED, { signature }))).toEqual(ALL);
      }
    }
  });

  test("content that ends with what escapes begin with, without padding", () => {
    const expectReason = countedExpect();
    for (let count = 0; count < 14; count += 1) {
      const content = Buffer.from(`${"00".repeat(16 - (count % 4))}${"1b".repeat(count)}`, "hex");
      const [outcome] = new SmlReader().push(transported(content));
      // It is no file, but its checksum is right, or it would not be told so.
      if (outcome?.kind === "dropped") expectReason(outcome.why).not.toContain("checksum");
    }
    expectReason.wasCalled();
  });
});

describe("damage", () => {
  const good = smlFile(SOME_MEASURED);

  test("each single changed bit drops the file, and the next one is taken", () => {
    const reader = new SmlReader();
    let taken = 0;
    for (let at = 8; at < good.length; at += 1) {
      const bad = good.map((byte, place) => (place === at ? byte ^ (1 << (at % 8)) : byte));
      for (const telegram of telegrams(reader.push(bad))) {
        taken += 1;
        expect(Object.fromEntries(meterPoints(telegram.registers))).toEqual(ALL);
      }
    }
    expect(taken).toBe(0);
    expect(telegrams(reader.push(Buffer.concat([good, good])))).not.toHaveLength(0);
  });

  test("a file whose own checksum is right, but not that of its message, is dropped", () => {
    const escaped = Buffer.from(good.subarray(8, -8)).toString("hex");
    const content = Buffer.from(escaped.replace("1b".repeat(8), "1b".repeat(4)), "hex");
    const value = content.indexOf(Buffer.from("0100010800ff", "hex")) + 20;
    content[value] = (content[value] ?? 0) ^ 1;
    expect(reasons(new SmlReader().push(transported(content)))[0]).toContain("message");
  });

  test("a cut file, garbage and one without end cost themselves only", () => {
    const endless = Buffer.concat([good.subarray(0, 8), Buffer.alloc(9_000, 0x77)]);
    const outcome = new SmlReader().push(
      Buffer.concat([
        Buffer.from("1b1b1b1b1a00", "hex"),
        good.subarray(0, 100),
        good,
        endless,
        good,
        Buffer.alloc(3, 0x1b),
        good,
      ]),
    );
    expect(telegrams(outcome)).toHaveLength(3);
    expect(reasons(outcome)).toEqual(["a file was cut off", "a file of more than 8192 bytes"]);
  });

  test("lists in lists, and lengths without end, are refused", () => {
    expect(() => readSml(Buffer.alloc(2_000, 0x71), 0)).toThrow("deep");
    expect(() => readSml(Buffer.from("ffffffffff", "hex"), 0)).toThrow("length");
    const bomb = transported(Buffer.alloc(400, 0x71));
    expect(reasons(new SmlReader().push(bomb))[0]).toContain("deep");
  });

  test("cuts, noise and any chunks: never a value that no file carried", () => {
    const sent = [0, 1, 2].map((at) => smlFile({ ...SOME_MEASURED, powerW: [at * 100, 7, -at * 3] }));
    const carried = new Set(sent.map((bytes) => JSON.stringify(points(bytes))));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(2), fc.nat(900), fc.nat(20), fc.uint8Array({ maxLength: 40 })), { maxLength: 6 }),
        fc.integer({ min: 1, max: 100 }),
        (parts, size) => {
          const stream = Buffer.concat(
            parts.flatMap(([which, at, length, between]) => {
              const bytes = sent[which] ?? good;
              return [bytes.subarray(0, at), bytes.subarray(at + (at > 500 ? 0 : length)), between];
            }),
          );
          const reader = new SmlReader();
          for (let at = 0; at < stream.length; at += size) {
            for (const telegram of telegrams(reader.push(stream.subarray(at, at + size)))) {
              expect(carried).toContain(JSON.stringify(Object.fromEntries(meterPoints(telegram.registers))));
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test("any content within a right transport is survived", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (content) => {
        for (const telegram of telegrams(new SmlReader().push(transported(content)))) {
          expect(telegram.registers.size).toBe(0);
        }
      }),
      { numRuns: 300 },
    );
  });
});
