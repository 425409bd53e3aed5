import { DeviceError, type DeviceProfile, defineProfile, type PlateField } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import { NoAnswer } from "../../../../adapters/modbus/bus/bus-link.ts";
import { ModbusException } from "../../../../adapters/modbus/bus/modbus-exception.ts";
import { readPlate } from "../../../../adapters/modbus/driver/plate.ts";
import { eastronSdm630 } from "../../../../adapters/modbus/profiles/eastron-sdm630.ts";
import { calm } from "../bus/bus-world.ts";
import { FakeUnit, words32 } from "../fake-unit.ts";

const SERIAL_AT = 500;
const KNOWN = { confidence: "vendor-list", source: "made up" } as const;
const NUMBER: PlateField = { table: "holding", address: SERIAL_AT, type: "uint32", ...KNOWN };
const TEXT: PlateField = { table: "holding", address: SERIAL_AT, type: "string", words: 4, ...KNOWN };
const VERSION: PlateField = { table: "holding", address: 600, type: "uint16", ...KNOWN };

function meter(serial: PlateField, version?: PlateField): DeviceProfile {
  return defineProfile({ ...eastronSdm630, identity: { serial, ...(version === undefined ? {} : { version }) } });
}

/** A meter that answers for its first point. */
function there(): FakeUnit {
  return new FakeUnit().set("input", 0, ...words32(0x4366_0000));
}

function words(text: string): number[] {
  const bytes = Buffer.from(text, "latin1");
  return Array.from({ length: bytes.length / 2 }, (_unused, index) => bytes.readUInt16BE(2 * index));
}

async function serialOf(serial: PlateField, ...registers: readonly number[]): Promise<string | null> {
  return (await readPlate(meter(serial), there().set("holding", SERIAL_AT, ...registers), calm)).serial;
}

describe("how a serial number is printed", () => {
  test.each<[string, PlateField, readonly number[], string | null]>([
    ["a number as it is counted", NUMBER, words32(22_110_456), "22110456"],
    ["with zeros in front, as on the plate", { ...NUMBER, digits: 10 }, words32(22_110_456), "0022110456"],
    ["in hexadecimal", { ...NUMBER, base: 16, digits: 8 }, words32(0x00a0_45b1), "00A045B1"],
    ["low word first", { ...NUMBER, wordOrder: "little" }, [0x45b1, 0x00a0], String(0x00a0_45b1)],
    ["a text with padding", TEXT, words("AB12\0\0\0\0"), "AB12"],
    ["a text with blanks behind it", TEXT, words("AB123   "), "AB123"],
    ["a text with the second character first", { ...TEXT, byteOrder: "little" }, words("QH2231BA"), "HQ2213AB"],
    ["a text with one character in each register", TEXT, [0x4b, 0x53, 0x31, 0x37], "KS17"],
    ["a number that was never set", NUMBER, [0, 0], null],
    ["a number with all bits", NUMBER, [0xffff, 0xffff], null],
    ["a text of zeros", TEXT, words("00000000"), null],
    ["a text that is a placeholder", TEXT, words("AA000000"), null],
    ["registers that were never written", TEXT, [0xffff, 0xffff, 0xffff, 0xffff], null],
    ["bytes that are no text", TEXT, [0x0102, 0xfffe, 0x8081, 0x0304], null],
  ])("%s", async (_name, field, registers, printed) => {
    expect(await serialOf(field, ...registers)).toBe(printed);
  });
});

test("a number inside a block that is read as a whole is asked for with the block, once for two of its values", async () => {
  const block = { address: SERIAL_AT - 2, words: 8 };
  const unit = there().set("holding", block.address, 42, 7, ...words("LBZ12345"), 0, 0);
  const inside = { ...TEXT, block };
  const plate = await readPlate(meter(inside, { ...VERSION, address: SERIAL_AT - 1, block }), unit, calm);
  expect(plate).toMatchObject({ serial: "LBZ12345", version: "7" });
  expect(unit.reads.filter(([table]) => table === "holding")).toEqual([["holding", block.address, block.words]]);
});

test("a number of another unit is asked for there; where there is no such unit, it is none", async () => {
  const station = new FakeUnit().set("holding", SERIAL_AT, ...words("ACE02875"));
  let left = 0;
  const socket = Object.assign(there(), {
    sibling: (id: number) =>
      Object.assign(id === 200 ? station : new FakeUnit(), {
        [Symbol.dispose]: () => {
          left += 1;
        },
      }),
  });
  const profile = meter({ ...TEXT, unit: 200 });
  expect((await readPlate(profile, socket, calm)).serial).toBe("ACE02875");
  expect(left).toBe(1);
  expect((await readPlate(profile, there(), calm)).serial).toBeNull();
});

describe("a device without the registers of its plate", () => {
  test.each([
    ["refuses them", new ModbusException(2, "reading")],
    ["does not answer for them", new NoAnswer("no answer")],
    ["is behind a gateway that says that nobody answers", new ModbusException(11, "reading")],
    ["hangs up when it is asked for them", new DeviceError("unreachable", "the connection was closed")],
    ["is too busy twice", new ModbusException(6, "reading")],
  ])("that %s connects, and has no serial number", async (_name, failure) => {
    const unit = there();
    unit.failures.set(SERIAL_AT, failure);
    expect(await readPlate(meter(NUMBER), unit, calm)).toEqual({
      manufacturer: "Eastron",
      model: "SDM630 Modbus V2, MCT",
      serial: null,
      version: null,
    });
  });

  test("that stays silent is asked for the rest of its plate no more: each question costs a timeout", async () => {
    const unit = there().set("holding", 600, 7);
    unit.failures.set(SERIAL_AT, new NoAnswer("no answer"));
    const { version } = await readPlate(meter(NUMBER, VERSION), unit, calm);
    expect(version).toBeNull();
    const asked = unit.reads.map(([table, address]) => `${table} ${address}`);
    expect(asked).toEqual(["input 0", "holding 500", "input 0", "holding 500"]);
  });

  test("one lost answer costs no serial number", async () => {
    const unit = there().set("holding", SERIAL_AT, ...words32(22_110_456));
    unit.failures.set(SERIAL_AT, new NoAnswer("no answer"));
    const read = unit.read.bind(unit);
    unit.read = async (...asked) => {
      // It answers from its second first point on.
      if (unit.reads.filter(([table]) => table === "input").length === 2) unit.failures.clear();
      return await read(...asked);
    };
    expect((await readPlate(meter(NUMBER), unit, calm)).serial).toBe("22110456");
  });

  test("that falls silent altogether is not connected", async () => {
    const unit = there();
    const gone = new NoAnswer("no answer");
    unit.failures.set(SERIAL_AT, gone);
    const read = unit.read.bind(unit);
    unit.read = async (...asked) => {
      if (unit.reads.length === 2) unit.failures.set(0, gone);
      return await read(...asked);
    };
    await expect(readPlate(meter(NUMBER), unit, calm)).rejects.toBe(gone);
  });
});

test("a profile says either where the serial number is, or why there is none, and a block holds what is read of it", () => {
  expect(() => defineProfile({ ...meter(NUMBER), noSerial: "nowhere" })).toThrow("it has a serial number");
  expect(() => meter({ ...TEXT, block: { address: SERIAL_AT + 1, words: 8 } })).toThrow("outside of its block");
});
