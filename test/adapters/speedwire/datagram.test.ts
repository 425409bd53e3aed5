import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DatagramError, readDatagram } from "../../../adapters/speedwire/datagram.ts";
import { speedwireSighting } from "../../../adapters/speedwire/sighting.ts";
import { countedExpect } from "../../counted-expect.ts";
import { type Measured, SOME_MEASURED } from "../../twins/smart-meters/measured.ts";
import { ALL, datagram } from "./speedwire-house.ts";

describe("a datagram", () => {
  test("tells both directions as one power, in W, and counters in Wh", () => {
    const read = readDatagram(datagram());
    expect(read).toMatchObject({ serial: 1_901_427_928, susyId: 349, version: "2.3.4.R" });
    expect(Object.fromEntries(read?.points ?? [])).toEqual(ALL);
  });

  test("of the paper's size and numbers: 11967 W of export, 7500.24 kWh and 86688.627 kWh", () => {
    const measured: Measured = {
      ...SOME_MEASURED,
      powerW: [-3_989, -3_989, -3_989],
      importWh: [7_500_240, 0],
      exportWh: [86_688_627, 0],
      voltageV: [238.438, 238, 238],
      currentA: [17.16, 17, 17],
    };
    const bytes = datagram({ measured });
    // 600 bytes, and 580 of them in the tag of the measurements, are what a real one has with the reactive powers.
    expect(bytes.length - 20).toBe(new DataView(bytes.buffer, bytes.byteOffset).getUint16(12));
    const points = readDatagram(bytes)?.points;
    expect(points?.get("meter.power")).toBe(-11_967);
    expect(points?.get("meter.energyImport")).toBe(7_500_240);
    expect(points?.get("meter.energyExport")).toBe(86_688_627);
    expect(points?.get("meter.voltage.l1")).toBe(238.438);
    expect(points?.get("meter.current.l1")).toBe(17.16);
  });

  test("what is not measured is null", () => {
    const points = readDatagram(datagram({ fault: "not-measured" }))?.points;
    expect(points?.get("meter.voltage.l1")).toBeNull();
    expect(points?.get("meter.power")).toBe(555);
  });

  test("of an inverter, with its bytes the other way round, or of somebody else, is none", () => {
    expect(readDatagram(datagram({ fault: "inverter" }))).toBeNull();
    expect(readDatagram(datagram({ fault: "swapped" }))).toBeNull();
    expect(readDatagram(Buffer.from("SMA"))).toBeNull();
    expect(readDatagram(Buffer.from("M-SEARCH * HTTP/1.1"))).toBeNull();
  });

  test("that is cut is damaged, wherever it is cut within the measurements", () => {
    const whole = datagram();
    for (let length = 20; length < whole.length - 4; length += 1) {
      expect(() => readDatagram(whole.subarray(0, length))).toThrow(DatagramError);
    }
  });

  test("any bytes are survived, and nothing is read beyond their end", () => {
    const whole = datagram();
    const expectNumbers = countedExpect();
    const expectDamaged = countedExpect();
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }),
        fc.nat(700),
        (changes, length) => {
          const bytes = Uint8Array.from(whole).subarray(0, length);
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          try {
            const values = [...(readDatagram(bytes)?.points.values() ?? [])];
            expectNumbers(values.every((value) => value === null || Number.isFinite(value))).toBe(true);
          } catch (error) {
            expectDamaged(error).toBeInstanceOf(DatagramError);
          }
        },
      ),
    );
    expectNumbers.wasCalled();
    expectDamaged.wasCalled();
  });

  test("tells whoever looks for devices who sent it", () => {
    expect(speedwireSighting(datagram())).toEqual({
      manufacturer: "SMA",
      model: "Energy Meter 2",
      serial: "1901427928",
      version: "2.3.4.R",
    });
    expect(speedwireSighting(datagram({ fault: "inverter" }))).toBeNull();
    expect(speedwireSighting(datagram({ fault: "cut" }))).toBeNull();
  });
});
