import { describe, expect, test } from "vitest";
import { checkUnit, placeOf, unitOf } from "../../../adapters/modbus/connect-options.ts";
import { modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import { allProfiles } from "../../../adapters/modbus/profile/known-profiles.ts";

const KNOWN_PROFILES = await allProfiles();

function profile(id: string) {
  return KNOWN_PROFILES.find((each) => each.id === id) ?? null;
}

const TCP = profile("keba-p30");
const [GOODWE, METER] = [profile("goodwe-et"), profile("eastron-sdm630")];

describe("where a device is", () => {
  test("port and framing are the profile's unless they are said", () => {
    expect(placeOf({ host: "a.lan" }, TCP)).toEqual({ kind: "tcp", host: "a.lan", port: 502 });
    expect(placeOf({ host: "a.lan", port: 1502 }, TCP)).toMatchObject({ port: 1502 });
    expect(placeOf({ host: "a.lan" }, null)).toEqual({ kind: "tcp", host: "a.lan", port: 502 });
    expect(placeOf({ host: "a.lan", framing: "udp" }, GOODWE)).toEqual({ kind: "udp", host: "a.lan", port: 8899 });
    expect(placeOf({ host: "a.lan", framing: "rtu" }, TCP)).toMatchObject({ kind: "rtu-over-tcp" });
    expect(placeOf({ host: "a.lan", framing: "auto" }, TCP)).toMatchObject({ kind: "auto", port: 502 });
  });

  test("a serial line is set as the device is at delivery, or as is said", () => {
    expect(placeOf({ serialPort: "/dev/ttyUSB0" }, METER)).toEqual({
      kind: "rtu",
      path: "/dev/ttyUSB0",
      baudRate: 9_600,
      dataBits: 8,
      parity: "none",
      stopBits: 1,
    });
    expect(
      placeOf({ serialPort: "/dev/ttyUSB0", baudRate: 2_400, parity: "odd", framing: "ascii" }, METER),
    ).toMatchObject({ kind: "ascii", baudRate: 2_400, parity: "odd" });
    expect(placeOf({ serialPort: "/dev/ttyUSB0" }, TCP)).toMatchObject({
      kind: "rtu",
      baudRate: 19_200,
      parity: "even",
    });
  });

  test("the unit is that of the way it is reached", () => {
    expect(unitOf(placeOf({ host: "a.lan" }, GOODWE), GOODWE)).toBe(247);
    expect(unitOf(placeOf({ host: "a.lan" }, null), null)).toBe(1);
  });

  test.each([
    [{}, "neither host nor serialPort is set"],
    [{ host: "a.lan", serialPort: "/dev/ttyUSB0" }, "host and serialPort are both set"],
    [{ serialPort: "/dev/ttyUSB0", port: 502 }, "port is set with serialPort"],
    [{ serialPort: "/dev/ttyUSB0", framing: "tcp" }, "framing tcp is set with serialPort"],
    [{ serialPort: "/dev/ttyUSB0", framing: "auto" }, "framing auto is set with serialPort"],
    [{ serialPort: "/dev/ttyUSB0", dataBits: 7 }, "dataBits is 7 with framing rtu"],
    [{ serialPort: "/dev/ttyUSB0", unit: 0 }, "unit 0 on a serial line is nobody"],
    [{ host: "a.lan", baudRate: 9_600 }, "baudRate is set with host"],
    [{ host: "a.lan", framing: "ascii" }, "framing ascii is set with host"],
    [{ host: "a.lan", framing: "udp" }, "framing udp needs port"],
  ])("%j is refused: %s", (options, problem) => {
    const parsed = modbusAdapter.options.parse({ profile: "keba-p30", ...options });
    expect(modbusAdapter.check?.(parsed)).toContain(problem);
  });

  test("what can be meant passes", () => {
    expect(modbusAdapter.check?.(modbusAdapter.options.parse({ profile: "keba-p30", host: "a.lan" }))).toBeNull();
    expect(() => checkUnit(0, placeOf({ host: "a.lan" }, TCP))).not.toThrow();
  });
});
